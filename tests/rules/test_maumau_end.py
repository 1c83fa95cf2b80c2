"""Mau-Mau: the end of a round, its points and what it pays; the rounds and the end of a match."""

from typing import Any

import pytest

from cardenv import maumau_v0
from cardenv.games.maumau import Rules
from tests.rules.maumau_scene import ACTIONS, NAMES, Round, cards

several = pytest.mark.parametrize("players", range(2, 6))
POINTS = {"7": 7, "8": 8, "9": 9, "10": 10, "J": 20, "Q": 10, "K": 10, "A": 11}
NINES = ("♦9", "♥9", "♠9")
"""With the ♣9 as the start card all the cards there are: who begins a round wins it."""


def nines(*points: int, **switches: Any) -> Round:
    """A match of rounds in which who begins wins and the two others are left with a nine each."""
    settings = {"top": "♣9", "only": True, "episode": "match", **switches}
    return Round(*NINES, **settings).points_are(*points)


def win_round(scene: Round) -> Round:
    """Whoever is to decide lays his only card."""
    (card,) = scene.hand(scene.turn)
    return scene.play(card)


# --- First out ------------------------------------------------------------------------------------


@several
def test_mau_4_who_gets_rid_of_all_cards_first_wins(players):
    """One gets 1, and the others share the loss; the others' cards stay where they are."""
    for winner in range(players):
        hands = [*["♦9", "♦10", "♦Q", "♦K", "♦8"][:players]]
        hands[winner] = "♥9"
        scene = Round(*hands, top="♥Q", dealer=(winner - 1) % players).play("♥9")
        assert scene.over
        expected = [-1 / (players - 1)] * players
        expected[winner] = 1
        assert scene.scores == pytest.approx(expected)
        assert sum(scene.scores) == pytest.approx(0)
        assert scene.sizes == [int(seat != winner) for seat in range(players)]


def test_mau_4_nothing_is_paid_before():
    assert Round("♥9 ♦9", "♥10 ♦10", top="♥Q").play("♥9", "♥10").scores == [0, 0]


def test_mau_4_a_finished_round_takes_no_action():
    scene = Round("♥9", "♥10", top="♥Q").play("♥9")
    assert all(scene.refuses(action) for action in range(len(ACTIONS)))
    assert scene.tables.masks.all()


@pytest.mark.parametrize("switches", [{"reward": "rounds"}, {"target": 1}, {"target": 255}])
def test_a_single_round_does_not_depend_on_the_switches_of_a_match(switches):
    scene = Round("♥9", "♥10", "♦10", top="♥Q", **switches).play("♥9")
    assert scene.over
    assert scene.scores == [1, -1 / 2, -1 / 2]


# --- Points ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", [name for name in NAMES if name not in ("♥9", "♥10")])
def test_points_of_a_card_that_is_left_in_hand(left):
    scene = Round("♥9", left, top="♥10", scoring="points").play("♥9")
    half = POINTS[left[1:]] / 2 / 100
    assert scene.scores == pytest.approx([half, -half])


def test_points_pay_how_many_fewer_than_the_mean_one_is_left_with():
    """0, 29 and 19 points: the mean is 16, and the most points come last."""
    scene = Round("♥9 ♥8", "♣J ♦9", "♠9 ♦10", top="♥Q", scoring="points")
    scene.play("♥9", "draw", "draw", "♥8")
    held = [sum(POINTS[card[1:]] for card in hand) for hand in scene.hands]
    assert held[0] == 0
    mean = sum(held) / 3
    assert scene.scores == pytest.approx([(mean - own) / 100 for own in held])
    assert scene.scores[0] == max(scene.scores)


def test_points_of_equal_cards_count_for_each():
    scene = Round("♥9 ♥9", "♣J ♣J", top="♥Q", decks=2, scoring="points", talon="♣K")
    scene.play("♥9", "draw", "♥9")
    assert scene.scores == pytest.approx([0.25, -0.25])  # 20 + 20 + 10


def test_winning_pays_the_same_whatever_is_left_in_hand():
    assert Round("♥9", "♣J", top="♥Q").play("♥9").scores == [1, -1]
    assert Round("♥9", "♣7", top="♥Q").play("♥9").scores == [1, -1]


# --- The most turns -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "max_turns", "scores"),
    [
        # k tied winners of n get (1 - (k-1)/(n-1)) / k each, the others -1/(n-1).
        *((2, 1, [-1, 1]), (2, 2, [0, 0]), (2, 3, [-1, 1])),
        *((3, 1, [-1 / 2, 1 / 4, 1 / 4]), (3, 2, [-1 / 2, -1 / 2, 1]), (3, 3, [0, 0, 0])),
        *((4, 1, [-1 / 3, 1 / 9, 1 / 9, 1 / 9]), (4, 6, [-1 / 3, -1 / 3, 1 / 3, 1 / 3])),
        *((4, 7, [-1 / 3, -1 / 3, -1 / 3, 1]), (5, 5, [0] * 5), (5, 9, [*[-1 / 4] * 4, 1])),
    ],
)
def test_after_the_most_turns_the_fewest_cards_win_and_ties_share(players, max_turns, scores):
    """Everybody draws in turn, so that those who have had fewer turns hold fewer cards."""
    scene = Round(*[""] * players, max_turns=max_turns, hand_size=2)
    scene.all_draw(max_turns - 1)
    assert not scene.over
    assert scene.scores == [0] * players
    scene.play("draw")
    assert scene.over
    assert scene.scores == pytest.approx(scores)


def test_a_thousand_turns_by_default():
    """Nobody has a card that fits, and there is nothing to draw."""
    scene = Round("♣9", "♠10", top="♥Q", only=True)
    scene.all_draw(999)
    assert not scene.over
    scene.play("draw")
    assert scene.over
    assert scene.scores == [0, 0]


def test_an_aces_more_cards_belong_to_its_turn():
    scene = Round("♥A ♠A ♠9 ♦9", "", top="♥Q", max_turns=1).play("♥A", "♠A")
    assert not scene.over
    assert scene.play("♠9").over
    assert Round("♥A ♥9 ♦9", "", top="♥Q", max_turns=1).play("♥A", "end").over
    two = Round("♥A ♠A ♠9 ♦9", "", top="♥Q", max_turns=2).play("♥A", "♠A", "♠9")
    assert not two.over
    assert two.play("draw").over


def test_a_call_and_a_draw_before_a_card_belong_to_its_turn():
    settings = {"top": "♥Q", "max_turns": 1}
    scene = Round("♥9 ♦9", "", mau_call="action", **settings).play("mau")
    assert not scene.over
    assert scene.play("♥9").over
    settings = {"top": "♥Q", "talon": "♥8", "play_after_draw": "any"}
    scene = Round("♥9 ♦9", "", max_turns=1, **settings).play("draw")
    assert not scene.over
    assert scene.play("end").over
    assert not Round("♥9 ♦9", "", max_turns=2, **settings).play("draw", "end").over


@pytest.mark.parametrize("card", ["♥8", "♥K"])
def test_who_sits_out_has_no_turn(card):
    scene = Round(f"{card} ♦9", "", "", top="♥Q", max_turns=2).play(card)
    assert (scene.turn, scene.over) == (2, False)
    assert scene.play("draw").over


@pytest.mark.parametrize("card", ["♥8", "♥K"])
def test_with_two_players_what_follows_an_eight_or_a_king_is_a_turn_of_its_own(card):
    scene = Round(f"{card} ♦9", "", top="♥Q", max_turns=2).play(card)
    assert (scene.turn, scene.over) == (0, False)
    assert scene.play("draw").over


def test_the_king_of_the_last_turn_still_makes_draw():
    scene = Round("♥K ♦9 ♦10", "", "", top="♥Q", max_turns=1).play("♥K")
    assert scene.over
    assert scene.sizes == [2, 6, 3]


def test_a_seven_of_the_last_turn_is_not_taken():
    scene = Round("♥7 ♦9 ♦10", "", "", top="♥Q", max_turns=1).play("♥7")
    assert scene.over
    assert scene.sizes == [2, 3, 3]
    assert scene.scores == [1, -1 / 2, -1 / 2]
    scene = Round("♥7 ♦9", "", top="♥Q", max_turns=2).play("♥7", "draw")
    assert scene.sizes == [1, 4]


def test_mau_11_a_penalty_of_the_last_turn_is_drawn():
    scene = Round("♥9 ♦9", "", top="♥Q", mau_call="action", max_turns=1).play("♥9")
    assert scene.sizes == [3, 2]
    assert scene.scores == [-1, 1]


def test_a_last_card_laid_in_the_last_turn_wins():
    scene = Round("♥9", "♦9", "♦10", top="♥Q", max_turns=1).play("♥9")
    assert scene.scores == [1, -1 / 2, -1 / 2]


def test_equal_cards_count_each_among_the_fewest():
    scene = Round("♦9 ♣9", "♦10 ♣10", top="♥Q", talon="♦9", decks=2, max_turns=1).play("draw")
    assert scene.sizes == [3, 2]
    assert scene.scores == [-1, 1]


def test_points_are_paid_after_the_most_turns_too():
    """Both are left with cards; the points decide, not who holds fewer."""
    settings = {"top": "♥Q", "scoring": "points", "max_turns": 1}
    scene = Round("♦9", "♣J", talon="♦10", **settings).play("draw")
    assert scene.scores == pytest.approx([0.005, -0.005])  # 19 and 20


def test_the_most_turns_are_an_end_by_the_rules_and_no_truncation():
    env = maumau_v0.raw_env(num_players=2, rules=Rules(max_turns=3))
    env.reset(seed=1)
    for _ in range(3):
        assert not any(env.terminations.values())
        env.step(ACTIONS.index("draw"))
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert sorted(env.rewards.values()) == [-1, 1]


# --- A match --------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", [name for name in NAMES if name not in ("♥9", "♥10")])
def test_points_left_in_hand_are_noted_for_the_match(left):
    scene = Round("♥9", left, top="♥10", episode="match").play("♥9")
    assert scene.points == [0, POINTS[left[1:]]]


def test_points_of_all_rounds_are_added():
    scene = nines()
    noted = []
    for _ in range(4):
        noted.append(win_round(scene).points)
    assert noted == [[0, 9, 9], [9, 9, 18], [18, 18, 18], [18, 27, 27]]


@pytest.mark.parametrize("first", range(3))
def test_the_deal_rotates(first):
    """The seat left of the dealer begins, whoever has won."""
    scene = nines(dealer=first)
    for place in range(5):
        assert int(scene.row.dealer) == (first + place) % 3
        assert scene.turn == (first + place + 1) % 3
        win_round(scene)


def test_each_round_of_a_match_is_dealt_anew():
    scene = Round("♥9", "♦10", "♦Q", top="♥10", episode="match").play("♥9")
    assert not scene.over
    assert scene.sizes == [1, 1, 1]
    assert len(scene.talon) == 28
    everywhere = [card for hand in scene.hands for card in hand] + [scene.top, *scene.talon]
    assert cards(" ".join(everywhere)) == NAMES


def test_two_rounds_of_a_match_have_two_decks():
    """Under one seed, what follows the first round differs from what follows the second."""
    scene = Round("♥9", "♦10", top="♥10", episode="match").play("♥9")
    later = Round("♥9", "♦10", top="♥10", episode="match")
    later.row.rounds = 1
    assert later.play("♥9").talon != scene.talon


FRESH = {"wish": 0, "open_draws": 0, "after_ace": 0, "after_draw": 0}
SEVEN_ON_SEVEN = ("♦9 ♦7", "♦10 ♥7")
AFTER_A_DRAW = {"talon": "♥A", "hand_size": 1, "play_after_draw": "any"}


@pytest.mark.parametrize(
    ("hands", "actions", "switches"),
    [
        *((("♥J", ""), "♥J→♥", {}), (("♥7", ""), "♥7", {}), (("♥8", ""), "♥8", {})),
        *((("♥K", ""), "♥K→♥", {"king_wish": True}), (("♥A", ""), "♥A", {})),
        (SEVEN_ON_SEVEN, "draw ♦10 ♦7 ♥7", {"top": "♦K"}),
        (("♥A ♥9", ""), "mau ♥A ♥9", {"mau_call": "action"}),
        (("♥9", ""), "draw ♥A ♥9", AFTER_A_DRAW),
        (("♥7 ♦9", ""), "♥7", {"max_turns": 1}),
        (("♥J ♦9", ""), "♥J→♠", {"max_turns": 1}),
        (("♥K ♦9", ""), "♥K→♠", {"max_turns": 1, "king_wish": True}),
        (("♦9 ♦10", ""), "draw", {"max_turns": 1}),
    ],
)
def test_nothing_of_a_round_is_left_in_the_next_one(hands, actions, switches):
    scene = Round(*hands, episode="match", **{"top": "♥Q", **switches}).play(actions)
    assert (scene.row.rounds, scene.over) == (1, False)
    assert {name: int(scene.seen[name]) for name in FRESH} == FRESH
    size = max(len(hand.split()) for hand in hands)
    assert scene.sizes == [size] * 2
    assert len(scene.talon) == 32 - 2 * size - 1
    assert scene.discarded == []
    assert scene.mau == ([0, 1] if size == 1 else [])
    assert (scene.drew(0), scene.drew(1)) == ("", "")
    assert scene.suit == scene.top[0]
    assert "draw" in scene.legal
    assert "end" not in scene.legal


def test_the_turns_of_each_round_count_anew():
    scene = Round("♥9 ♥8", "♥10 ♦10", top="♥Q", episode="match", max_turns=3)
    scene.play("♥9", "draw", "draw")
    assert scene.row.rounds == 1
    scene.all_draw(2)
    assert scene.row.rounds == 1
    scene.play("draw")
    assert scene.row.rounds == 2


def test_at_the_most_turns_the_winners_note_their_points_too():
    scene = Round("♦9 ♦10", "♣J ♣8", top="♥Q", talon="♣9", episode="match", max_turns=1)
    assert scene.play("draw").points == [9 + 10 + 9, 20 + 8]


# --- The end of a match ---------------------------------------------------------------------------


@pytest.mark.parametrize("target", [10, 50, 101, 255])
def test_the_match_ends_when_somebody_has_as_many_points_as_the_target(target):
    assert not win_round(nines(0, target - 10, 0, target=target)).over
    assert win_round(nines(0, target - 9, 0, target=target)).over


@pytest.mark.parametrize("preset", ["standard", "letter", "common"])
@pytest.mark.parametrize("seat", [1, 2])
def test_a_hundred_and_one_by_default_whoever_has_them(preset, seat):
    for before, over in ((91, False), (92, True), (100, True)):
        points = [0, 0, 0]
        points[seat] = before
        scene = win_round(nines(*points, preset=preset))
        assert scene.over == over
        assert scene.points[seat] == before + 9


@pytest.mark.parametrize(
    ("points", "scores"),
    [
        *(((50, 92, 20), [-1 / 2, -1 / 2, 1]), ((20, 92, 50), [1, -1 / 2, -1 / 2])),
        *(((50, 20, 92), [-1 / 2, 1, -1 / 2]), ((100, 95, 92), [1, -1 / 2, -1 / 2])),
        *(((50, 92, 41), [1 / 4, -1 / 2, 1 / 4]), ((100, 92, 92), [1, -1 / 2, -1 / 2])),
        ((99, 90, 95), [1 / 4, 1 / 4, -1 / 2]),
    ],
)
def test_the_fewest_points_win_the_match_and_ties_share(points, scores):
    scene = win_round(nines(*points))
    assert scene.over
    final = [points[0], points[1] + 9, points[2] + 9]
    assert scene.points == final
    assert scene.scores == pytest.approx(scores)


def test_all_may_share_a_match():
    """Nobody lays a card, and there is nothing to draw: nine points for each."""
    scene = nines(92, 92, 92, max_turns=3)
    scene.all_draw(3)
    assert scene.over
    assert scene.points == [101, 101, 101]
    assert scene.scores == pytest.approx([0, 0, 0])


def test_a_match_pays_nothing_before_its_end():
    scene = win_round(nines())
    assert scene.scores == [0, 0, 0]
    assert win_round(scene).scores == [0, 0, 0]


def test_a_match_pays_places_however_a_round_is_scored():
    assert win_round(nines(50, 92, 20, scoring="points")).scores == [-1 / 2, -1 / 2, 1]


def test_reward_by_rounds_pays_every_round_and_no_place():
    scene = win_round(nines(0, 83, 0, reward="rounds"))
    assert scene.scores == [1, -1 / 2, -1 / 2]
    win_round(scene)
    assert scene.scores == [1 / 2, 1 / 2, -1]
    assert not scene.over
    win_round(scene)
    assert scene.over
    assert scene.scores == [0, 0, 0]


def test_reward_by_rounds_pays_points_where_a_round_is_scored_by_points():
    scene = win_round(nines(reward="rounds", scoring="points"))
    assert scene.scores == pytest.approx([0.06, -0.03, -0.03])  # 0, 9 and 9: the mean is 6
    win_round(scene)
    assert scene.scores == pytest.approx([0.03, 0.03, -0.06])


def test_after_a_match_nothing_is_dealt():
    scene = win_round(nines(0, 92, 0))
    assert scene.hands == [[], ["♥9"], ["♠9"]]
    assert scene.tables.masks.all()

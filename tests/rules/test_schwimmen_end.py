"""31: laying down, holding, and who pays for a round."""

import itertools

import pytest

from cardenv.table import IllegalAction
from tests.rules.schwimmen_scene import WEAK_HANDS, WEAK_PILE, Round, cards, weak_round


def near_31(players: int = 3, **settings: object) -> Round:
    """Seat 1 is on turn with ♠A ♠K ♥7, and the middle holds ♠Q, which makes 31."""
    hands = ["♦8 ♥9 ♣10", "♥7 ♠K ♠A", "♦7 ♥8 ♠9", "♦9 ♥10 ♠10"][:players]
    return Round(*hands, pile="♠Q ♦J ♣7", **settings).play("keep")


def three_aces(players: int = 3, **settings: object) -> Round:
    """Seat 1 is on turn with ♠A ♥A ♦7, and the middle holds ♣A."""
    hands = ["♦8 ♥9 ♣10", "♥A ♠A ♦7", "♥7 ♠8 ♣9", "♦9 ♥10 ♠10"][:players]
    return Round(*hands, pile="♣A ♦J ♣7", **settings).play("keep")


# --- Laying down ----------------------------------------------------------------------------------


def test_s31_24_an_exchange_to_31_ends_the_round_at_once():
    scene = near_31().swap("♥7", "♠Q")
    assert scene.over
    assert scene.hand(1) == cards("♠Q ♠K ♠A")
    # Values 10, 31, 9: seat 2, who never had a turn, pays.
    assert scene.scores == pytest.approx([1 / 3, 1 / 3, -2 / 3])


def test_s31_24_taking_a_31_from_the_middle_ends_the_round_too():
    scene = Round("♦8 ♥9 ♣10", "♦7 ♥8 ♠9", pile="♠A ♠K ♠Q").play("keep", "swap all")
    assert scene.over
    assert scene.scores == pytest.approx([-0.5, 0.5])


def test_s31_24_thirty_and_a_half_is_not_laid_down():
    scene = Round("♦8 ♥9 ♣10", "♦K ♥K ♠9", pile="♠K ♦J ♣7").play("keep").swap("♠9", "♠K")
    assert scene.value(1) == 30.5
    assert not scene.over
    assert scene.turn == 0


@pytest.mark.parametrize("reveal", ["auto", "choice"])
def test_s31_25_a_31_after_a_stop_ends_the_round_before_the_others_turns(reveal):
    scene = Round(
        *("♦8 ♥9 ♣10", "♦7 ♥8 ♠9", "♥7 ♠K ♠A", "♦9 ♥10 ♠10"),
        pile="♠Q ♦J ♣7",
        stop_after="none",
        reveal=reveal,
    )
    scene.play("keep", "stop").swap("♥7", "♠Q")
    if reveal == "choice":
        assert scene.legal == {"lay down", "hold"}
        scene.play("lay down")
    assert scene.over
    assert scene.scores == pytest.approx([1 / 4, 1 / 4 - 1, 1 / 4, 1 / 4])


@pytest.mark.parametrize("order", list(itertools.permutations([18, 20, 28])))
def test_s31_34_the_lowest_value_loses_a_life(order):
    hands = {18: "♠K ♠8 ♥J", 20: "♦10 ♦J ♥7", 28: "♥8 ♥Q ♥K"}
    scene = Round(*(hands[value] for value in order), pile="♠7 ♣8 ♦9", stop_after="none")
    scene.play("keep", "stop", "pass", "pass")
    assert scene.scores == pytest.approx([1 / 3 - (value == 18) for value in order])
    assert scene.lives == [2 if value == 18 else 3 for value in order]


FOUR_EIGHTEENS = ("♦K ♦8 ♥7", "♥K ♥8 ♠7", "♠K ♠8 ♣7", "♣K ♣8 ♦7")
FOUR_TWENTIES = ("♦10 ♦J ♥9", "♥10 ♥J ♠9", "♠10 ♠J ♣9", "♣10 ♣J ♦9")


@pytest.mark.parametrize(
    "low", [set(low) for k in range(1, 5) for low in itertools.combinations(range(4), k)]
)
def test_s31_35_ties_all_lose_one(low):
    """Each pattern of equal lowest hands among four, up to all four."""
    hands = [FOUR_EIGHTEENS[seat] if seat in low else FOUR_TWENTIES[seat] for seat in range(4)]
    scene = Round(*hands, pile="♦A ♥A ♠Q", stop_after="none")
    scene.play("keep", "stop", "pass", "pass", "pass")
    assert scene.lives == [2 if seat in low else 3 for seat in range(4)]
    assert scene.scores == pytest.approx([len(low) / 4 - (seat in low) for seat in range(4)])


def test_s31_35_all_equal_costs_everybody_a_life_and_pays_nothing():
    scene = weak_round(4, max_laps=1).play(*["pass"] * 4)
    assert scene.lives == [2] * 4
    assert scene.scores == [0] * 4


# --- Thirty-one must not be kept ------------------------------------------------------------------


def test_s31_27_by_default_it_is_laid_down_for_him():
    assert near_31().swap("♥7", "♠Q").over
    assert near_31(preset="common").swap("♥7", "♠Q").over


def test_s31_27_letter_asks_whoever_has_exchanged_to_31():
    scene = near_31(preset="letter").swap("♥7", "♠Q")
    assert scene.turn == 1
    assert scene.legal == {"lay down", "hold"}
    view = scene.view(0)
    assert view["phase"].tolist() == [0, 0, 0, 1, 0]
    assert view["lap"].tolist() == [0, 0, 0]  # the turn is not complete
    assert scene.cards(scene.row.known[1]) == {"♠Q"}
    scene.play("lay down")
    assert scene.scores == pytest.approx([1 / 3, 1 / 3, -2 / 3])


def test_s31_27_who_holds_ends_the_round_and_he_alone_loses_a_life():
    scene = near_31(preset="letter").swap("♥7", "♠Q").play("hold")
    assert scene.over
    assert scene.scores == pytest.approx([1 / 3, -2 / 3, 1 / 3])
    assert scene.lives == [3, 2, 3]


def test_s31_27_holding_a_dealt_31_costs_a_life_whatever_the_others_hold():
    hands = ("♦7 ♥8 ♠9", "♠A ♠K ♠Q", "♦A ♦K ♦Q")
    scene = Round(*hands, pile="♣7 ♣10 ♥J", preset="letter").play("keep")
    assert (scene.turn, scene.legal) == (1, {"lay down", "hold"})
    assert scene.play("hold").scores == pytest.approx([1 / 3, -2 / 3, 1 / 3])
    scene = Round(*hands, pile="♣7 ♣10 ♥J", preset="letter").play("keep", "lay down")
    assert scene.scores == pytest.approx([-2 / 3, 1 / 3, 1 / 3])


def test_s31_27_holding_in_the_lap_after_a_stop_costs_the_life_too():
    scene = Round("♥7 ♠K ♠A", "♦7 ♥8 ♠9", pile="♠Q ♦J ♣7", preset="letter", stop_after="none")
    scene.play("keep", "stop").swap("♥7", "♠Q")
    assert scene.view(0)["to_have_turn"].tolist() == [1, 0]
    assert scene.play("hold").scores == pytest.approx([-0.5, 0.5])


# --- Three aces -----------------------------------------------------------------------------------


def test_three_aces_laid_down_burn_only_by_the_switch():
    scene = three_aces().swap("♦7", "♣A")
    assert scene.scores == pytest.approx([1 / 3, 1 / 3, -2 / 3])
    scene = three_aces(fire=True).swap("♦7", "♣A")
    assert scene.scores == pytest.approx([-1 / 3, 2 / 3, -1 / 3])
    assert scene.lives == [2, 3, 2]
    assert three_aces(preset="common").swap("♦7", "♣A").lives == [2, 3, 2]


def test_dealt_aces_burn_and_chosen_ones_too():
    hands = ("♦8 ♥9 ♣10", "♥A ♠A ♣A", "♦A ♦K ♦Q")
    assert Round(*hands, pile="♣7 ♣8 ♥J", fire=True).play("keep").lives == [2, 3, 2]
    scene = Round(*hands, pile="♣7 ♣8 ♥J", fire=True, reveal="choice").play("keep")
    assert scene.play("lay down").lives == [2, 3, 2]


def test_only_the_hand_that_ends_the_round_burns():
    hands = ("♥A ♠A ♣A", "♦A ♦K ♦Q", "♦8 ♥9 ♣10")
    scene = Round(*hands, pile="♣7 ♣8 ♥J", preset="common").play("keep")
    assert scene.lives == [3, 3, 2]  # seat 1 lays down first: hands are compared
    scene = Round(*hands[:2], pile="♣7 ♣8 ♥J", preset="common").play("keep")
    assert scene.lives == [3, 2]  # and his 31 is less than the aces' 33


def test_held_aces_never_burn():
    scene = three_aces(fire=True, reveal="choice").swap("♦7", "♣A").play("hold")
    assert scene.lives == [3, 2, 3]


def test_three_other_cards_of_a_rank_or_a_suit_of_31_never_burn():
    assert near_31(fire=True).swap("♥7", "♠Q").lives == [3, 3, 2]


# --- Rewards ----------------------------------------------------------------------------


def test_a_rounds_reward_is_the_mean_number_of_lives_lost_less_ones_own():
    scene = weak_round(9, max_laps=1).play(*["pass"] * 9)
    assert scene.scores == pytest.approx([8 / 9 - 1] * 8 + [8 / 9])
    assert sum(scene.scores) == pytest.approx(0)


@pytest.mark.parametrize("players", range(2, 10))
def test_an_illegal_action_may_lose_instead_of_raising(players):
    scene = weak_round(players, illegal="lose").play("pass")
    offender = scene.turn
    scene.play("keep")
    assert scene.over
    expected = [-1 if seat == offender else 1 / (players - 1) for seat in range(players)]
    assert scene.scores == pytest.approx(expected)
    assert scene.tables.masks.all()


def test_round_rewards_do_not_depend_on_the_switches_of_a_match():
    for switches in ({"all_out": "draw"}, {"reward": "rounds"}, {"lives": 0}):
        scene = weak_round(3, max_laps=1, **switches).play(*["pass"] * 3)
        assert scene.over
        assert scene.scores == [0, 0, 0]
        assert scene.alive == [0, 1, 2]


def test_the_table_stays_to_be_seen_after_the_end():
    scene = near_31().swap("♥7", "♠Q")
    view = scene.view(2)
    assert view["phase"].tolist() == [0, 0, 0, 0, 1]
    assert view["hand"].sum() == 3
    assert not view["deciding"].any()
    assert scene.tables.masks.all()
    assert not scene.tables.observations.any()
    with pytest.raises(IllegalAction, match="over"):
        scene.play("pass")


def test_weak_rounds_are_weak():
    """The scenes above rest on it."""
    values = [weak_round(9).value(seat) for seat in range(9)]
    assert values == [10] * 8 + [11]
    assert not cards(WEAK_PILE) & {card for hand in WEAK_HANDS for card in hand.split()}

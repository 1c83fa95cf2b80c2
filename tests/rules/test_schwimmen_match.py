"""31: lives, swimming, being out, and the end of a match."""

import numpy as np
import pytest

from tests.rules.schwimmen_scene import Round

LOW, MIDDLING, HIGH = "♠K ♠8 ♥7", "♦10 ♦J ♥8", "♥9 ♥Q ♥K"  # 18, 20, 29


def match(*hands: str, lives: list[int] | None = None, **switches: object) -> Round:
    """A match in which anybody may stop, about to play a round with these hands."""
    settings = {"pile": "♠7 ♥10 ♦9", "stop_after": "none", **switches}
    scene = Round(*hands, episode="match", **settings)
    if lives is not None:
        scene.row.lives[: len(lives)] = lives
    return scene


def play_round(scene: Round) -> Round:
    """The dealer keeps, the next seat stops, nobody exchanges: the dealt hands are compared."""
    before = int(scene.row.rounds)
    scene.play("keep")
    while not scene.over and scene.row.rounds == before:
        scene.play("stop" if "stop" in scene.legal else "pass")
    return scene


def test_s31_36_with_no_life_left_a_player_swims_and_plays_on():
    scene = play_round(match(MIDDLING, LOW, HIGH, lives=[1, 1, 1]))
    assert scene.lives == [1, 0, 1]
    assert scene.alive == [0, 1, 2]
    assert scene.scores == [0, 0, 0]
    assert scene.view(0)["in"].tolist() == [1, 1, 1]
    assert len(scene.hand(1)) == 3
    assert scene.turn == 1  # the swimmer has a seat at the table still: he deals


def test_s31_37_a_swimmer_who_loses_once_more_is_out():
    scene = play_round(match(MIDDLING, LOW, HIGH, lives=[1, 0, 1]))
    assert scene.alive == [0, 2]
    assert scene.lives == [1, 0, 1]  # shown as 0, never below
    assert scene.view(0)["in"].tolist() == [1, 0, 1]
    assert scene.scores == pytest.approx([0, -0.5, 0])  # on the step that puts him out
    assert int(scene.row.left) == 0b010


def test_s31_37_lives_are_spent_one_by_one():
    scene = match(LOW, HIGH, lives=[3, 3])
    play_round(scene)
    assert scene.lives == [2, 3]
    assert not scene.over


def test_s31_37_two_can_be_put_out_at_once():
    scene = play_round(match(LOW, "♣K ♣8 ♦7", HIGH, MIDDLING, lives=[0, 0, 2, 0]))
    assert scene.alive == [2, 3]
    assert scene.scores == pytest.approx([-1 / 3, -1 / 3, 0, 0])
    assert scene.lives == [0, 0, 2, 0]


def test_s31_35_of_two_tied_losers_only_the_swimmer_is_out():
    scene = play_round(match(LOW, "♣K ♣8 ♦7", HIGH, lives=[0, 1, 1]))
    assert scene.alive == [1, 2]
    assert scene.lives == [0, 0, 1]


def test_s31_38_the_rest_plays_on_without_him():
    scene = play_round(match(MIDDLING, LOW, HIGH, lives=[1, 0, 1]))
    assert scene.turn == 2  # seat 1 would have dealt next
    assert [len(scene.hand(seat)) for seat in range(3)] == [3, 0, 3]
    scene.play("keep")
    if not scene.over and scene.row.rounds == 1:
        scene.play("pass")
        assert scene.turn == 2


def test_s31_38_the_last_one_in_wins_the_match():
    scene = play_round(match(LOW, HIGH, lives=[0, 3]))
    assert scene.over
    assert scene.scores == [-1, 1]
    assert scene.alive == [1]
    scene = play_round(match(LOW, "♣K ♣8 ♦7", HIGH, lives=[0, 0, 0]))
    assert scene.over
    assert scene.scores == pytest.approx([-0.5, -0.5, 1])


@pytest.mark.parametrize("players", range(2, 10))
@pytest.mark.parametrize("lives", [0, 1, 3])
def test_s31_36_s31_37_s31_38_a_whole_match_by_an_independent_count(players, lives):
    """Rounds of stop and pass: lives and places follow from the hands that were dealt."""
    for seed in range(5):
        scene = Round(*[""] * players, pile="", episode="match", lives=lives, stop_after="none")
        scene.tables.reset(seed=seed)
        count, alive, out_in = [lives] * players, list(range(players)), []
        while not scene.over:
            values = {seat: scene.value(seat) for seat in alive}
            losers = [seat for seat in alive if values[seat] == min(values.values())]
            play_round(scene)
            if all(count[seat] == 0 for seat in alive) and losers == alive:
                continue  # everybody would be out: dealt again
            out = [seat for seat in losers if count[seat] == 0]
            for seat in losers:
                count[seat] = max(0, count[seat] - 1)
            alive = [seat for seat in alive if seat not in out]
            out_in += out
            assert (scene.lives, scene.alive) == (count, alive)
            assert scene.over == (len(alive) == 1)
        assert scene.scores == pytest.approx(
            [1 if seat == alive[0] else -1 / (players - 1) for seat in range(players)]
        )
        assert sorted([*out_in, *alive]) == list(range(players))


# --- Everyone out at once -------------------------------------------------------------------------


def test_everyone_out_is_dealt_again_by_the_same_dealer():
    scene = match(LOW, "♣K ♣8 ♦7", lives=[0, 0], dealer=1)
    first = scene.row.deck.tolist()
    play_round(scene)
    assert not scene.over
    assert scene.scores == [0, 0]
    assert (scene.alive, scene.lives) == ([0, 1], [0, 0])
    assert scene.turn == 1
    assert scene.legal == {"keep", "change"}
    assert scene.row.deck.tolist() != first


def test_everyone_out_may_end_the_match_with_a_shared_first_place():
    scene = play_round(match(LOW, "♣K ♣8 ♦7", lives=[0, 0], all_out="draw"))
    assert scene.over
    assert scene.scores == [0, 0]
    hands = (LOW, "♣K ♣8 ♦7", "♦K ♦8 ♣7")
    scene = play_round(match(*hands, lives=[0, 0, 0], all_out="draw", pile="♠10 ♥J ♦A"))
    assert scene.scores == [0, 0, 0]
    assert scene.alive == [0, 1, 2]


def test_a_shared_first_place_leaves_out_those_who_were_out_before():
    hands = (HIGH, LOW, "♣K ♣8 ♦7", MIDDLING)
    scene = play_round(match(*hands, lives=[0, 0, 0, 0], all_out="draw"))
    assert scene.alive == [0, 3]
    # The next round between them: no deck of it is chosen, so give both the same value.
    scene.row.hand[0], scene.row.hand[3] = 0b111, 0b111 << 8  # 7-8-9 of diamonds, of hearts
    scene.row.second_pile = 0b111 << 27
    play_round(scene)
    assert scene.over
    # k = 2 of n = 4 in first place: (1 - 1/3) / 2 each.
    assert scene.scores == pytest.approx([1 / 3, -1 / 3, -1 / 3, 1 / 3])


def test_one_with_a_life_left_is_enough_to_go_on():
    scene = play_round(match(LOW, "♣K ♣8 ♦7", lives=[0, 1], all_out="draw"))
    assert scene.over
    assert scene.scores == [-1, 1]
    assert scene.lives == [0, 0]


def test_fire_may_put_out_all_but_one():
    scene = match("♥A ♠A ♣A", LOW.replace("♥7", "♦7"), MIDDLING, lives=[0, 0, 0], fire=True)
    scene.play("keep")
    assert scene.over
    assert scene.scores == pytest.approx([1, -0.5, -0.5])


# --- Rewards of a match ---------------------------------------------------------------------------


def test_reward_rounds_pays_every_round_and_no_place():
    scene = play_round(match(MIDDLING, LOW, HIGH, lives=[1, 0, 1], reward="rounds"))
    assert scene.scores == pytest.approx([1 / 3, 1 / 3 - 1, 1 / 3])
    before = scene.scores
    play_round(scene)
    gained = np.subtract(scene.scores, before)
    assert gained[1] == 0  # who is out gets nothing any more
    assert gained.sum() == pytest.approx(0)
    assert abs(gained[0]) in (pytest.approx(0.5), 0)
    scene = play_round(match(LOW, HIGH, lives=[0, 1], reward="rounds"))
    assert scene.over
    assert scene.scores == [-0.5, 0.5]


def test_a_round_dealt_again_pays_nothing_under_reward_rounds_either():
    scene = play_round(match(LOW, "♣K ♣8 ♦7", lives=[0, 0], reward="rounds"))
    assert scene.scores == [0, 0]
    assert not scene.over


def test_reward_match_pays_nothing_for_a_round_in_which_nobody_is_out():
    scene = play_round(match(MIDDLING, LOW, HIGH))
    assert scene.scores == [0, 0, 0]
    assert scene.lives == [3, 2, 3]

"""31: what is counted of each seat while a round is played, and when it ends."""

import pytest

from tests.rules.schwimmen_scene import Round, weak_round

HANDS = ("♠K ♠8 ♥J", "♦10 ♦J ♥7", "♥8 ♥Q ♥K")
"""Worth 18, 20 and 28."""
EQUAL_HANDS = ("♦K ♦8 ♥7", "♥K ♥8 ♦7")
"""Worth 18 both."""


def stopped(*hands: str, **settings: object) -> Round:
    """A round that seat 1 stops at once and in which everybody else passes."""
    scene = Round(*hands, pile="♠7 ♣8 ♦9", stop_after="none", **settings)
    return scene.play("keep", "stop", *["pass"] * (len(hands) - 1))


def passed_out(scene: Round) -> Round:
    """Nobody exchanges until the episode is over."""
    while not scene.over:
        scene.play("keep" if "keep" in scene.legal else "pass")
    return scene


# --- Hands, won and lost --------------------------------------------------------------------------


def test_the_final_hand_is_counted_in_half_points_and_the_best_one_wins():
    tally = stopped(*HANDS).tally
    assert tally["final_half_points"] == [36, 40, 56]
    assert tally["rounds"] == [1, 1, 1]
    assert tally["rounds_won"] == [0, 0, 1]
    assert tally["rounds_lost"] == [1, 0, 0]


def test_the_best_hands_share_the_round():
    tally = stopped("♠K ♠8 ♥J", "♦10 ♦J ♥7", "♥10 ♥Q ♠9").tally
    assert tally["rounds_won"] == [0, 1, 1]
    assert tally["rounds_lost"] == [1, 0, 0]


def test_nobody_wins_a_round_that_all_lose():
    tally = stopped(*EQUAL_HANDS).tally
    assert tally["final_half_points"] == [36, 36]
    assert tally["rounds_won"] == [0, 0]
    assert tally["rounds_lost"] == [1, 1]


@pytest.mark.parametrize("aces_value", [31, 32, 33])
def test_three_aces_are_worth_what_they_compare_as(aces_value):
    hands = ("♦Q ♦K ♦J", "♥A ♠A ♦7", "♥7 ♠8 ♣9")
    scene = Round(*hands, pile="♣A ♣J ♣7", aces_value=aces_value).play("keep").swap("♦7", "♣A")
    assert scene.tally["final_half_points"] == [60, 2 * aces_value, 18]
    assert scene.tally["rounds_won"] == [0, 1, 0]


def test_who_holds_a_31_has_lost_and_the_best_of_the_others_has_won():
    hands = ("♦8 ♥9 ♣10", "♥7 ♠K ♠A", "♦7 ♥8 ♠9")
    scene = Round(*hands, pile="♠Q ♦J ♣7", reveal="choice").play("keep").swap("♥7", "♠Q")
    scene.play("hold")
    assert scene.tally["final_half_points"] == [20, 62, 18]
    assert scene.tally["rounds_won"] == [1, 0, 0]
    assert scene.tally["rounds_lost"] == [0, 1, 0]
    assert scene.tally["lay_downs"] == [0, 0, 0]


def test_who_burns_the_others_has_won_alone_though_one_of_them_has_as_much():
    hands = ("♦8 ♥9 ♣10", "♥A ♠A ♣A", "♦A ♦K ♦Q")
    tally = Round(*hands, pile="♣K ♠7 ♥8", fire=True).play("keep").tally
    assert tally["final_half_points"] == [20, 62, 62]
    assert tally["rounds_won"] == [0, 1, 0]
    assert tally["rounds_lost"] == [1, 0, 1]
    assert tally["lay_downs"] == [0, 1, 0]


# --- Stops and lay-downs --------------------------------------------------------------------------


def test_a_stop_in_the_first_lap_is_in_lap_one():
    tally = stopped(*HANDS).tally
    assert tally["stops"] == [0, 1, 0]
    assert tally["stop_laps"] == [0, 1, 0]


def test_the_lap_of_a_stop_counts_the_turns_completed_with_it():
    scene = weak_round(3).play(*["pass"] * 6, "pass", "stop")
    assert not scene.over
    assert scene.tally["stops"] == [0, 0, 1]
    assert scene.tally["stop_laps"] == [0, 0, 3]
    assert passed_out(scene).tally["stop_laps"] == [0, 0, 3]


def test_a_redraw_is_no_turn_and_no_lap():
    scene = Round(*HANDS, pile="♠7 ♣8 ♦9", stop_after="none").play("keep", "redraw 7-8-9", "stop")
    assert scene.tally["stop_laps"] == [0, 1, 0]


@pytest.mark.parametrize("reveal", ["auto", "choice"])
def test_a_31_that_is_laid_down_after_an_exchange_is_counted(reveal):
    hands = ("♦8 ♥9 ♣10", "♥7 ♠K ♠A", "♦7 ♥8 ♠9")
    scene = Round(*hands, pile="♠Q ♦J ♣7", reveal=reveal).play("keep").swap("♥7", "♠Q")
    if reveal == "choice":
        assert scene.tally["lay_downs"] == [0, 0, 0]
        scene.play("lay down")
    assert scene.tally["lay_downs"] == [0, 1, 0]
    assert scene.tally["rounds_won"] == [0, 1, 0]


def test_without_stops_and_lay_downs_none_is_counted():
    tally = passed_out(weak_round(3, max_laps=2)).tally
    assert tally["rounds"] == [1, 1, 1]
    assert tally["stops"] == tally["stop_laps"] == tally["lay_downs"] == [0, 0, 0]


# --- Matches --------------------------------------------------------------------------------------


def test_rounds_add_up_over_a_match_and_who_is_out_is_dealt_into_no_more():
    scene = stopped(*HANDS, lives=0, episode="match")
    assert scene.alive == [1, 2]
    assert scene.tally["rounds"] == [1, 1, 1]
    rounds = 1
    while not scene.over:
        scene.play("keep" if "keep" in scene.legal else "pass")
        rounds = int(scene.row.rounds)
    tally = scene.tally
    assert tally["rounds"] == [1, rounds, rounds]
    assert rounds > 1
    assert tally["final_half_points"][0] == 36
    assert tally["rounds_lost"][0] == 1
    assert sorted(tally["rounds_lost"][1:]) == [0, 1]
    assert tally["stops"] == [0, 1, 0]


@pytest.mark.parametrize("all_out", ["replay", "draw"])
def test_nobody_loses_or_wins_a_round_that_would_put_out_everyone(all_out):
    scene = stopped(*EQUAL_HANDS, lives=0, episode="match", all_out=all_out)
    assert scene.over == (all_out == "draw")
    assert scene.tally["rounds"] == [1, 1]
    assert scene.tally["final_half_points"] == [36, 36]
    assert scene.tally["rounds_won"] == scene.tally["rounds_lost"] == [0, 0]

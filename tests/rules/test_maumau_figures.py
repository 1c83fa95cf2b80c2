"""Mau-Mau: what is counted of each seat when a round ends."""

import pytest

from tests.rules.maumau_scene import Round


def test_the_turn_that_ends_with_the_last_card_counts():
    tally = Round("♥9", "♥10", top="♥Q").play("♥9").tally
    assert tally["turns_to_win"] == [1, 0]
    assert tally["rounds"] == [1, 1]
    assert tally["rounds_won"] == [1, 0]
    assert tally["rounds_lost"] == [0, 1]


def test_turns_are_those_of_everybody_at_the_table():
    scene = Round("♥9 ♦9", "♥10 ♦10", "♥K ♠9", top="♥Q").play("♥9", "draw", "♠9", "♦9")
    assert scene.tally["turns_to_win"] == [4, 0, 0]


def test_an_aces_extra_card_belongs_to_its_turn():
    assert Round("♥A ♥9", "♥10", top="♥Q").play("♥A", "♥9").tally["turns_to_win"] == [1, 0]


def test_who_sits_out_has_no_turn():
    scene = Round("♥8 ♥9", "♥10 ♦10", "♦J ♦K", top="♥Q").play("♥8", "draw", "♥9")
    assert scene.tally["turns_to_win"] == [3, 0, 0]


def test_what_losers_have_left_is_counted_in_cards_and_points():
    scene = Round("♥9", "♠J", "♦A", top="♥Q").play("♥9")
    assert scene.tally["cards_left"] == [0, 1, 1]
    assert scene.tally["points_left"] == [0, 20, 11]
    scene = Round("♥9 ♦9", "♥10 ♦10", top="♥Q", talon="♠A").play("♥9", "draw", "♦9")
    assert scene.tally["cards_left"] == [0, 3]
    assert scene.tally["points_left"] == [0, 31]


def test_cards_held_twice_count_twice():
    scene = Round("♥9 ♦9", "♠A ♠10", top="♥Q", talon="♠A", decks=2).play("♥9", "draw", "♦9")
    assert scene.tally["cards_left"] == [0, 3]
    assert scene.tally["points_left"] == [0, 32]


def test_at_the_most_turns_the_fewest_cards_win_after_so_many_turns():
    scene = Round("♥9 ♦9", "♥10 ♦10", top="♥Q", max_turns=2).play("♥9", "draw")
    assert scene.tally["rounds_won"] == [1, 0]
    assert scene.tally["turns_to_win"] == [2, 0]
    assert scene.tally["cards_left"] == [0, 3]


def test_a_last_card_in_the_last_turn_comes_after_so_many_turns_too():
    scene = Round("♥9", "♠10", top="♥Q", max_turns=3, dealer=0).play("draw", "♥9")
    assert scene.tally["turns_to_win"] == [2, 0]
    scene = Round("♥9", "♠10", top="♥Q", max_turns=2, dealer=0).play("draw", "♥9")
    assert scene.tally["turns_to_win"] == [2, 0]


def test_who_ties_at_the_most_turns_has_won_and_left_nothing():
    scene = Round("♥9", "♥10", "♦10", top="♥Q", max_turns=1).play("draw")
    assert scene.tally["rounds_won"] == [0, 1, 1]
    assert scene.tally["rounds_lost"] == [1, 0, 0]
    assert scene.tally["turns_to_win"] == [0, 1, 1]
    assert scene.tally["cards_left"] == [2, 0, 0]


@pytest.mark.parametrize("reward", ["match", "rounds"])
def test_rounds_add_up_over_a_match(reward):
    """Who begins a round wins it, and the two others are left with a nine each."""
    switches = {"top": "♣9", "only": True, "episode": "match", "target": 20, "reward": reward}
    scene, won = Round("♦9", "♥9", "♠9", **switches), [0, 0, 0]
    while not scene.over:
        won[scene.turn] += 1
        scene.play(*scene.hand(scene.turn))
        rounds = sum(won)
        lost = [rounds - each for each in won]
        assert scene.tally["rounds"] == [rounds] * 3
        assert scene.tally["rounds_won"] == scene.tally["turns_to_win"] == won
        assert scene.tally["rounds_lost"] == scene.tally["cards_left"] == lost
        assert scene.tally["points_left"] == [9 * each for each in lost]
    assert won == [2, 1, 1]

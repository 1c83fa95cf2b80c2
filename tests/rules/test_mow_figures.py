"""Mow: what is counted of each seat while a round is played, and when it ends."""

import pytest

from cardenv.games.mow import Rules
from cardenv.table import Tables
from tests.rules.mow_scene import Round, after, play_at_random

NOTHING_FITS = "5* 6 7* 9 10*"
"""A hand that has no card for a row from 5 to 10."""


def clears(scene: Round) -> dict[str, list[int]]:
    """The clears counted, and the flies from them, by name; those of nobody are left out."""
    return {name: seats for name, seats in scene.tally.items() if "_" in name and any(seats)}


# --- Clears ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("voluntary_clear", [True, False])
def test_mow_30_a_clear_is_forced_where_no_card_fits(voluntary_clear):
    scene = after("5 10**", hand=NOTHING_FITS, voluntary_clear=voluntary_clear).play("clear")
    assert clears(scene) == {"forced_clears": [1, 0], "forced_flies": [2, 0]}


@pytest.mark.parametrize("fits", ["4", "11*", "0", "16"])
def test_mow_30_a_clear_is_voluntary_where_one_card_fits(fits):
    scene = after("5 10**", hand=f"5* 6 7* 9 {fits}").play("clear")
    assert clears(scene) == {"voluntary_clears": [1, 0], "voluntary_flies": [2, 0]}


@pytest.mark.parametrize("special", ["(9)", "+a"])
def test_mow_30_a_special_card_that_fits_makes_a_clear_voluntary(special):
    scene = after("6 9**", hand=f"6* 7* 7 8 {special}").play("clear")
    assert clears(scene) == {"voluntary_clears": [1, 0], "voluntary_flies": [2, 0]}


@pytest.mark.parametrize(("row", "special"), [("8 9**", "(7)"), ("8 9**", "+a"), ("8 0", "(9)")])
def test_mow_30_a_special_card_that_does_not_fit_leaves_a_clear_forced(row, special):
    scene = after(row, hand=f"8* 8** 8*** 1 {special}" if "0" in row else f"8* 8** 9 9* {special}")
    assert scene.legal == {"clear"}
    assert "forced_clears" in clears(scene.play("clear"))


def test_clears_of_a_seat_add_up_by_their_kind():
    scene = Round("8** 1 2 3 4", "9* 12* 7* 5 6", pile="10 11 13 14").play("8**", "9*", "clear")
    scene.play("1", "clear")
    assert clears(scene) == {
        "voluntary_clears": [1, 1],
        "voluntary_flies": [3, 0],
    }
    scene.play("12*", "clear")
    assert clears(scene) == {"voluntary_clears": [2, 1], "voluntary_flies": [4, 0]}


# --- The end of a round ---------------------------------------------------------------------------


def last_clear(*hands: str, **settings: object) -> Round:
    """Without a pile seat 0 opens with a 5 and seat 1 clears, which ends the round."""
    return Round(*hands, only=True, **settings).play("5", "clear")


def test_the_clear_that_ends_a_round_is_of_the_same_two_kinds():
    voluntary = last_clear("5 1 2 3 4", "5* 5** 6 7* 8")
    assert clears(voluntary)["voluntary_clears"] == [0, 1]
    forced = last_clear("5 1 2 3 4", "5* 5** (7) (9) +a")
    assert clears(forced)["forced_clears"] == [0, 1]


def test_flies_left_in_hand_are_counted_apart_from_those_of_clears():
    scene = last_clear("5 2* 3** 8*** 0", "5* 5** 6 7* 8")
    assert scene.tally["hand_flies"] == [1 + 2 + 3 + 5, 1 + 2 + 1]
    assert scene.tally["voluntary_flies"] == [0, 0]


def test_the_fewest_flies_win_the_round_and_the_most_lose_it():
    tally = last_clear("5 2* 3* 8* 1", "5* 5** 6 7* 8", "2 3 4 6** 7").tally
    assert tally["hand_flies"] == [3, 4, 2]
    assert tally["rounds"] == [1, 1, 1]
    assert tally["rounds_won"] == [0, 0, 1]
    assert tally["rounds_lost"] == [0, 1, 0]


def test_who_ties_for_the_fewest_flies_shares_the_round():
    tally = last_clear("5 2* 1 8* 3", "5* 5** 6 7* 8", "2 4 9 6** 7").tally
    assert tally["rounds_won"] == [1, 0, 1]
    assert tally["rounds_lost"] == [0, 1, 0]


def test_nobody_wins_a_round_in_which_all_have_as_many_flies():
    tally = last_clear("5 2* 3* 8* 1", "5* 5** 6 7 8").tally
    assert tally["hand_flies"] == [3, 3]
    assert tally["rounds_won"] == [0, 0]
    assert tally["rounds_lost"] == [1, 1]


def test_every_fly_that_is_noted_in_a_match_has_one_source():
    tables = Tables("mow", 50, 4, rules=Rules(), episode="match")
    tables.reset(seed=1)
    play_at_random(tables, seed=1)
    names = ("hand_flies", "forced_flies", "voluntary_flies")
    places = [tables.game.tallies.index(name) for name in names]
    assert (tables.rows["rounds"] > 1).any()
    assert (tables.rows["tally"][:, :4, places].sum(axis=2) == tables.rows["total"][:, :4]).all()

"""Mow: coverers, latecomers, and the direction that a special card's player chooses."""

import pytest

from cardenv.table import IllegalAction
from tests.rules.mow_scene import SPECIALS, Round, after, in_order, words

LATECOMER = ("capacity", "one_per_gap", "unlimited")
ALL_SPECIALS = "0 16 (7) (9) +a"
"""All of them may be laid at a row of 7 and 9."""


# --- Coverers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("plain", in_order("7 7* 7** 7*** 9 9* 9** 9***"))
def test_mow_21_a_coverer_goes_onto_a_plain_card_of_its_own_value(plain):
    own, other = ("(7)", "(9)") if plain[0] == "7" else ("(9)", "(7)")
    for row in (f"5 {plain} 12", f"{plain}", f"5 {plain}", f"12 {plain}"):
        scene = after(row, hand="(7) (9)")
        assert own in scene.legal
        assert other not in scene.legal
        scene.play(own)
        assert scene.laid == {*row.split(), own}


@pytest.mark.parametrize("row", ["5", "5 12", "8", "6 8 10", "8 10", "5 6", "0 5", "16 10"])
def test_mow_21_mow_22_a_coverer_goes_nowhere_else(row):
    """Its value would fit at an end of some of these rows, and lies between the ends of others."""
    assert not after(row, hand="(7) (9)").legal & words("(7) (9)")


def test_mow_22_a_coverer_is_never_added_at_an_end_as_a_card_of_its_own():
    assert after("7", hand="(9) 1 2 3 7*").legal == words("1 2 3 clear")
    assert after("9", hand="(7) 10 11 9* 12").legal == words("10 11 12 clear")


@pytest.mark.parametrize(
    ("row", "coverer", "ends", "fit"),
    [
        *(("7", "(7)", (7, 7), "6 8 9* 10 clear"), ("9", "(9)", (9, 9), "6 7* 8 10 clear")),
        *(("7 9", "(7)", (7, 9), "6 10 clear"), ("7 9", "(9)", (7, 9), "6 10 clear")),
        *(("9 12", "(9)", (9, 12), "6 7* 8 clear"), ("5 7", "(7)", (5, 7), "8 9* 10 clear")),
        ("5 7 12", "(7)", (5, 12), "clear"),
    ],
)
def test_mow_22_no_end_changes_under_a_coverer(row, coverer, ends, fit):
    scene = after(f"{row} {coverer}", hand="6 7* 8 9* 10")
    assert scene.ends == ends
    assert scene.legal == words(fit)


def test_mow_21_a_card_that_has_been_cleared_cannot_be_covered():
    scene = Round("7 8 1 2 3", "9 (7) (9) 11 5", pile="4 6 12").play("7", "9", "clear", "8")
    assert scene.laid == {"8"}
    assert scene.legal == words("6 5 11 clear")


def test_mow_22_both_coverers_around_an_8_leave_no_false_gap():
    """The row is 7, 8, 9: the covered cards are neighbours of the 8 as before."""
    for latecomer in LATECOMER:
        for row in ("8 7 9", "8 7 9 (7)", "8 7 9 (9)", "8 7 9 (7) (9)"):
            scene = after(row, hand="+a +b 8* 10* 6*", latecomer=latecomer)
            assert scene.ends == (7, 9)
            assert scene.room == 0
            assert scene.legal == words("6* 10* clear")


def test_mow_22_a_coverer_leaves_a_gap_as_it_was():
    for latecomer in LATECOMER:
        for row in ("7 9", "7 9 (7)", "7 9 (7) (9)"):
            scene = after(row, hand="+a", latecomer=latecomer)
            assert scene.room == 1
            assert "+" in scene.legal


# --- Latecomers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "capacity", "one_per_gap", "any_gap"),
    [
        *(("5", 0, 0, False), ("5 6", 0, 0, False), ("7 8 6 9", 0, 0, False)),
        *(("5 7", 1, 1, True), ("5 8", 2, 1, True), ("5 12", 6, 1, True)),
        *(("5 7 9", 2, 2, True), ("5 8 10", 3, 2, True), ("6 5 8 9", 1, 1, True)),
        *(("1 0", 0, 0, False), ("2 0", 1, 1, True), ("0 16", 15, 1, True)),
        *(("15 16", 0, 0, False), ("14 16", 1, 1, True), ("8 0 16", 14, 2, True)),
        *(("5 7 +a", 0, 0, True), ("5 8 +a", 1, 0, True), ("5 7 9 +a", 1, 1, True)),
        *(("5 7 +a 10", 2, 1, True), ("5 8 +a 10", 2, 1, True), ("5 7 +a 4", 0, 0, True)),
        *(("7 9 (7) +a", 0, 0, True), ("7 10 (7) +a", 1, 0, True)),
    ],
)
def test_mow_23_mow_24_room_for_latecomers(row, capacity, one_per_gap, any_gap):
    """How many more may be laid; ``unlimited`` asks only whether there is a gap at all."""
    hand = "+b" if "+a" in row else "+a"
    for latecomer, room in (("capacity", capacity), ("one_per_gap", one_per_gap)):
        scene = after(row, hand=hand, latecomer=latecomer)
        assert scene.room == room
        assert ("+" in scene.legal) == (room > 0)
    scene = after(row, hand=hand, latecomer="unlimited")
    assert ("+" in scene.legal) == any_gap
    assert (scene.room > 0) == any_gap


@pytest.mark.parametrize(
    ("gap", "switch", "second"),
    [
        *(("5 7", "capacity", False), ("5 7", "one_per_gap", False), ("5 7", "unlimited", True)),
        *(("5 8", "capacity", True), ("5 8", "one_per_gap", False), ("5 8", "unlimited", True)),
    ],
)
def test_mow_24_two_latecomers_in_one_gap(gap, switch, second):
    """Between 5 and 7 there is room for one, between 5 and 8 for two."""
    scene = after(f"{gap} +a 4", hand="+b 5* 5** 6* 6**", latecomer=switch)
    assert scene.legal == words("+ clear" if second else "clear")
    if second:
        scene.play("+")
        assert scene.laid == words(f"{gap} +a 4 +b")
        assert scene.ends == (4, int(gap[-1]))
        if switch == "capacity":
            assert scene.room == 0


def test_mow_24_one_per_gap_takes_the_second_one_in_another_gap():
    scene = after("5 8 +a 10", hand="+b", latecomer="one_per_gap").play("+")
    assert scene.laid == words("5 8 10 +a +b")
    assert scene.room == 0


def test_mow_24_capacity_by_default():
    assert "+" not in after("5 7 +a 4", hand="+b").legal
    assert "+" in after("5 8 +a 4", hand="+b").legal


def test_mow_24_which_gap_is_not_a_choice():
    scene = after("5 7 10", hand="+a 6 7* 8 9", players=4)
    assert scene.legal == words("+ +↺ clear")


def test_mow_23_a_latecomer_changes_no_end():
    scene = after("5 8 +a", hand="4 5* 6 8* 9")
    assert scene.ends == (5, 8)
    assert scene.legal == words("4 9 clear")


def test_mow_24_the_room_is_that_of_the_new_row_after_a_clear():
    """The latecomer that has been cleared takes no place in the row that follows."""
    for latecomer in LATECOMER:
        scene = Round("5 +a 8 1 2", "7 6 3 9 10", latecomer=latecomer)
        scene.play("5", "7", "+", "clear", "6")
        assert scene.room == 0
        scene.play("8")
        assert scene.laid == words("6 8")
        assert scene.room == 1


def test_of_two_latecomers_the_lower_is_laid_first():
    scene = after("5 12", hand="+a +b", players=3)
    assert {action for action in scene.legal if "+" in action} == words("+ +↺")
    scene.play("+↺")
    assert "+a" in scene.laid
    assert scene.hand(2) & words("+a +b") == {"+b"}
    scene = after("5 12", hand="+b", players=3).play("+")
    assert "+b" in scene.laid
    assert "+b" not in scene.hand(2)


# --- The direction --------------------------------------------------------------------------------


@pytest.mark.parametrize("special", SPECIALS)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_mow_25_after_every_special_card_its_player_keeps_or_reverses(special, players):
    for action, follower in ((special, 3 % players), (special + "↺", 1)):
        scene = after("7 9", hand=ALL_SPECIALS, players=players, pile="12* 13*")
        assert (scene.turn, scene.clockwise) == (2, True)
        assert action in scene.legal
        scene.play(action)
        assert scene.turn == follower
        assert scene.clockwise == (action == special)
        assert "12*" in scene.hand(2)
        assert scene.pile[0] == "13*"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_mow_11_mow_25_the_new_direction_holds_until_it_is_reversed_again(players):
    scene = after("7 9", hand="(7)", players=players).play("(7)↺")
    turns = [scene.ordinary_turn() for _ in range(2 * players)]
    assert turns == [(1 - turn) % players for turn in range(2 * players)]
    assert not scene.clockwise


def test_mow_11_mow_25_a_second_reversal_restores_the_direction():
    # Seat 2 turns to seat 1, who turns back to seat 2.
    scene = Round("8 1 2 3 4", "9 16 5 6 7", "0 10 11 12 13").play("8", "9", "0↺")
    assert (scene.turn, scene.clockwise) == (1, False)
    scene.play("16↺")
    assert (scene.turn, scene.clockwise) == (2, True)
    assert [scene.ordinary_turn() for _ in range(4)] == [2, 0, 1, 2]


def test_mow_25_keeping_keeps_an_anticlockwise_direction_too():
    scene = Round("8 1 2 3 4", "9 16 5 6 7", "0 10 11 12 13").play("8", "9", "0↺", "16")
    assert (scene.turn, scene.clockwise) == (0, False)


def test_mow_25_a_plain_card_leaves_no_choice():
    scene = after("8", hand="7 7*** 9* 0 1", players=3)
    assert scene.legal == words("7 7*** 9* 1 0 0↺ clear")
    assert scene.play("7***").clockwise


@pytest.mark.parametrize("special", SPECIALS)
def test_mow_25_with_two_players_reversing_is_not_legal(special):
    scene = after("7 9", hand=ALL_SPECIALS)
    assert scene.legal == words("0 16 (7) (9) + clear")
    with pytest.raises(IllegalAction):
        scene.play(special + "↺")
    scene.play(special)
    assert scene.turn == 1
    assert scene.clockwise


@pytest.mark.parametrize("edge", ["0", "16"])
def test_mow_25_with_two_players_an_opening_edge_leaves_no_choice_either(edge):
    scene = Round(f"{edge} 1 2 3 4", "")
    assert scene.legal == words(f"{edge} 1 2 3 4")
    assert scene.play(edge).turn == 1

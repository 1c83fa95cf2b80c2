"""Mow: laying a card at an end of the row, drawing, the edges, and what everybody sees."""

import numpy as np
import pytest

from cardenv.table import IllegalAction
from tests.rules.mow_scene import NAMES, PLAIN, Round, after, in_order, words


def value(plain: str) -> int:
    return int(plain.rstrip("*"))


# --- Extending the row ----------------------------------------------------------------------------


def test_mow_13_mow_14_a_later_player_extends_the_row_with_one_card_or_clears_it():
    for action in ("4", "11", "clear"):
        scene = after("5 10", hand="4 5* 7 10* 11", players=3)
        assert scene.turn == 2
        assert scene.legal == words("4 11 clear")
        scene.play(action)
        if action == "clear":
            assert (scene.turn, scene.laid) == (2, set())
        else:
            assert (scene.turn, scene.laid) == (0, words(f"5 10 {action}"))


def test_mow_13_everybody_after_the_first_has_the_two_possibilities():
    scene = Round("8 2 3 4 5", "9 10 11 12 13", "1 14 15 2* 14*", "6 7 6* 7* 7**").play("8")
    assert scene.legal == words("9 10 11 12 13 clear")
    scene.play("9")
    assert scene.legal == words("1 14 15 2* 14* clear")
    scene.play("1")
    assert scene.legal == {"clear"}


@pytest.mark.parametrize("card", PLAIN)
def test_mow_15_mow_16_lower_on_the_left_or_higher_on_the_right(card):
    """Every plain card at a row from 6 to 10: a fitting one becomes the new end."""
    first, second = ("6", "10") if card not in ("6", "10") else ("6*", "10*")
    scene = after(f"{first} {second}", hand=card)
    ends = {True: (value(card), 10), False: (6, value(card))}[value(card) < 6]
    fits = not 6 <= value(card) <= 10
    assert (card in scene.legal) == fits
    if fits:
        scene.play(card)
        assert scene.ends == ends
        assert scene.laid == {first, second, card}


@pytest.mark.parametrize("end", range(1, 16))
def test_mow_15_mow_16_a_card_equal_to_an_end_never_fits(end):
    same = [name for name in PLAIN if value(name) == end]
    low, high = sorted({max(1, end - 2), end, min(15, end + 2)})[:2]
    for first in same:
        others = " ".join(name for name in same if name != first)
        assert not after(first, hand=others).legal & {*same}
        if low != end:
            assert not after(f"{low} {first}", hand=others).legal & {*same}
        if high != end:
            assert not after(f"{high} {first}", hand=others).legal & {*same}


def test_mow_15_mow_16_both_ends_move_on_card_by_card():
    scene = after("8 6* 11 3** 14*", hand="2 3 5 13 15")
    assert scene.ends == (3, 14)
    assert scene.legal == words("2 15 clear")
    scene.play("2")
    assert scene.ends == (2, 14)
    assert scene.laid == words("8 6* 11 3** 14* 2")


# --- Drawing, and who is next ---------------------------------------------------------------------


def test_mow_17_then_he_draws_one_and_the_next_player_follows():
    scene = after("8", hand="9 1 2 3 4", players=3, pile="10* 11* 12*")
    scene.play("9")
    assert scene.hand(1) == words("1 2 3 4 10*")
    assert scene.pile[:2] == ["11*", "12*"]
    assert scene.turn == 2
    assert scene.seen["hand_size"].tolist() == [5, 5, 5]


@pytest.mark.parametrize("left", range(4))
def test_mow_17_he_draws_only_if_there_is_a_card_left(left):
    pile = in_order("6 6* 6**")[:left]
    scene = Round("8 9 10 11 12*", "1 2 3 4 5", pile=" ".join(pile), only=True)
    for turn, card in enumerate(in_order("8 5 9 4")):
        scene.play(card)
        drawn = min(left, turn + 1)
        assert scene.pile == pile[drawn:]
        assert scene.seen["pile"] == left - drawn
        assert not scene.over
    assert scene.hand(0) == {*words("10 11 12*"), *pile[0::2]}
    assert scene.hand(1) == {*words("1 2 3"), *pile[1::2]}


@pytest.mark.parametrize("players", range(2, 6))
def test_mow_17_the_next_player_is_the_neighbour_clockwise(players):
    scene = Round(*("8 9", "7", "6", "5", "4")[:players], starter=players - 1)
    scene.play({2: "7", 3: "6", 4: "5", 5: "4"}[players])
    assert scene.turn == 0
    assert scene.play("8").turn == 1


# --- Edges ----------------------------------------------------------------------------------------


def test_mow_18_mow_19_zero_goes_to_the_left_end_and_blocks_it():
    scene = after("5 9", hand="0").play("0")
    assert scene.ends == (0, 9)
    assert scene.laid == words("0 5 9")
    scene = after("5 9 0", hand="1 2* 3** 4 8")
    assert scene.legal == {"clear"}
    scene = after("5 9 0", hand="1 2* 10 15 16")
    assert scene.legal == words("10 15 16 clear")


def test_mow_18_mow_20_sixteen_goes_to_the_right_end_and_blocks_it():
    scene = after("5 9", hand="16").play("16")
    assert scene.ends == (5, 16)
    assert scene.laid == words("5 9 16")
    scene = after("5 9 16", hand="10 13** 14* 15 6")
    assert scene.legal == {"clear"}
    scene = after("5 9 16", hand="0 1 4 10 15")
    assert scene.legal == words("0 1 4 clear")


def test_mow_18_between_two_edges_nothing_can_be_added():
    assert after("5 0 9 16", hand="1 4 6 10 15").legal == {"clear"}
    assert after("5 0 16", hand="1 4 6 10 15").legal == {"clear"}
    assert after("7 0 16", hand="1 8 (7) (9) +a").legal == words("(7) + clear")


@pytest.mark.parametrize("end", [1, 2, 8, 14, 15])
def test_mow_18_an_edge_fits_at_whatever_its_end_shows(end):
    scene = after(str(end), hand="0 16")
    assert scene.legal >= words("0 16 clear")
    assert scene.play("0").ends == (0, end)
    scene = after(str(end), hand="0 16").play("16")
    assert scene.ends == (end, 16)


# --- What is refused ------------------------------------------------------------------------------


def test_a_refused_action_leaves_the_table_as_it_was():
    scenes = {
        "clear an empty row": (Round("5", ""), "clear"),
        "open with a coverer": (Round("(7)", ""), "(7)"),
        "open with a latecomer": (Round("+a", "", ""), "+↺"),
        "a card between the ends": (after("5 10", hand="7"), "7"),
        "a card equal to an end": (after("5 10", hand="10*"), "10*"),
        "a card of another hand": (after("5 10", hand="7", pile="11"), "11"),
        "a card beyond an edge": (after("5 0", hand="1"), "1"),
        "a coverer without its card": (after("5 8", hand="(9)", players=3), "(9)↺"),
        "a latecomer without a gap": (after("5 6", hand="+a"), "+"),
        "a coverer that he does not hold": (after("7 10", hand="4 0", players=3), "(7)↺"),
        "reversing with two players": (after("5 10", hand="0"), "0↺"),
        "clearing though a card fits": (after("5", hand="4", voluntary_clear=False), "clear"),
    }
    for what, (scene, action) in scenes.items():
        before = scene.bytes()
        with pytest.raises(IllegalAction, match="not legal"):
            scene.play(action)
        assert scene.bytes() == before, what
        for number in (-1, 53, 63, 64, 1 << 40):
            with pytest.raises(IllegalAction):
                scene.tables.step_one(0, number)
        assert scene.bytes() == before, what


@pytest.mark.parametrize("players", range(2, 6))
def test_an_illegal_action_may_lose_instead_of_raising(players):
    scene = Round("8", *[""] * (players - 1), illegal="lose").play("8")
    scene.play("8*")
    assert scene.over
    expected = [-1 if seat == 1 else 1 / (players - 1) for seat in range(players)]
    assert scene.scores == pytest.approx(expected)


# --- What a player knows --------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_what_is_public_with_itself_first():
    scene = after("8* 5** 12", hand="1 0 9 (7) 13**", players=3).total_is(10, 20, 30)
    assert scene.turn == 0
    scene.play("clear")
    for seat in range(3):
        view = scene.view(seat)
        others = [(seat + place) % 3 for place in range(3)]
        assert scene.named(view["hand"]) == scene.hand(seat)
        assert [scene.named(supply) for supply in view["supply"]] == [
            words("8* 5** 12") if other == 0 else set() for other in others
        ]
        assert view["supply_flies"].tolist() == [3 * (other == 0) for other in others]
        assert view["total_flies"].tolist() == [(10, 20, 30)[other] for other in others]
        assert view["hand_size"].tolist() == [5, 5, 5]
        assert view["deciding"].tolist() == [other == 0 for other in others]
        assert view["must_open"]
        assert view["clockwise"]
        assert view["pile"] == 48 - 15 - 3


def test_a_seat_sees_how_far_its_cards_lie_from_their_end():
    scene = after("5 10", hand="2* 4 7 12 (7)", players=3)
    distance = scene.view(2)["distance"]
    found = {NAMES[card]: int(distance[card]) for card in np.flatnonzero(distance)}
    assert found == {"2*": 3, "4": 1, "12": 2}
    scene = after("5 10", hand="0 16 1 15 9", players=3)
    distance = scene.view(2)["distance"]
    found = {NAMES[card]: int(distance[card]) for card in np.flatnonzero(distance)}
    assert found == {"0": 5, "16": 6, "1": 4, "15": 5}
    assert not scene.play("clear").view(2)["distance"].any()


def test_what_everybody_sees_of_the_row():
    scene = after("5 10** 12* 0 +a", hand="1 16", players=3)
    for seat in range(3):
        view = scene.view(seat)
        assert scene.named(view["row"]) == words("5 10** 12* 0 +a")
        assert np.flatnonzero(view["left_end"]).tolist() == [0]
        assert np.flatnonzero(view["right_end"]).tolist() == [12]
        assert view["row_flies"] == 2 + 1 + 5 + 5
        # 13 places from 0 to 12, four values and a latecomer lie there.
        assert view["latecomer_places"] == 13 - 4 - 1
        assert not view["must_open"]

"""Mow: clearing the row, opening a new one, when a clear is a must, and the empty pile."""

import pytest

from cardenv.table import IllegalAction
from tests.rules.mow_scene import PLAIN, Round, after, in_order, words

NOTHING_FITS = "5* 6 7* 9 10*"
"""A hand that has no card for a row from 5 to 10."""


# --- The row goes to the supply -------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 6))
def test_mow_26_the_whole_row_goes_to_the_supply_of_who_clears(players):
    row = words("8 5* 12** 0 +a")
    scene = after("8 5* 12** 0 +a", players=players)
    seat = 5 % players
    assert scene.turn == seat
    scene.play("clear")
    assert scene.supplies == [row if s == seat else set() for s in range(players)]
    assert scene.laid == set()
    assert scene.ends is None
    assert scene.seen["row_flies"] == 0
    assert scene.room == 0


def test_mow_26_coverers_go_with_the_row_too():
    scene = after("7 9 (7) (9)").play("clear")
    assert scene.supplies == [words("7 9 (7) (9)"), set()]
    assert scene.flies == [10, 0]


def test_mow_27_cleared_flies_count_at_the_end_of_the_round_only():
    scene = after("8 5* 12** 0 +a", hand="1 2 3 4 6", episode="match").play("clear")
    assert scene.flies == [0, 1 + 2 + 5 + 5]
    assert scene.totals == [0, 0]
    assert scene.scores == [0, 0]


def test_mow_26_mow_27_what_is_cleared_later_is_added():
    scene = Round("8** 1 2 3 4", "9* 12* 7* 5 6", pile="10 11 13 14").play("8**", "9*", "clear")
    scene.play("1", "clear")
    assert scene.supplies == [words("8** 9*"), {"1"}]
    scene.play("12*", "clear")
    assert scene.supplies == [words("8** 9* 12*"), {"1"}]
    assert scene.flies == [4, 0]


def test_mow_27_flies_in_the_row_and_in_hands_belong_to_nobody_yet():
    scene = after("8** 5* 12", hand="1 2 0 16 (7)")
    assert scene.flies == [0, 0]
    assert scene.seen["row_flies"] == 3


# --- Then he opens a new row ----------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_mow_28_mow_29_then_he_opens_a_new_row_and_draws_one(players):
    scene = after("8** 5* 12 13", hand="5 6 7** 9 10*", players=players, pile="3 4")
    seat = 4 % players
    scene.play("clear")
    assert scene.turn == seat
    assert scene.seen["must_open"]
    assert scene.legal == words("5 6 7** 9 10*")  # whatever he holds, and no second clear
    assert scene.hand(seat) == words("5 6 7** 9 10*")  # nothing is drawn for the clear itself
    assert scene.pile[:2] == ["3", "4"]
    scene.play("7**")
    assert scene.laid == {"7**"}
    assert scene.ends == (7, 7)
    assert scene.seen["row_flies"] == 2
    assert scene.hand(seat) == words("5 6 9 10* 3")
    assert scene.pile[0] == "4"
    assert scene.turn == (seat + 1) % players
    assert not scene.seen["must_open"]


def test_mow_28_the_new_row_is_opened_by_a_plain_card_or_an_edge():
    scene = after("7 9", hand="4 0 16 (7) +a", players=3).play("clear")
    assert scene.legal == words("4 0 0↺ 16 16↺")
    assert after("7 9", hand="(7) (9) +a +b 4").play("clear").legal == {"4"}


@pytest.mark.parametrize(("action", "follower"), [("0", 0), ("0↺", 1), ("16", 0), ("16↺", 1)])
def test_mow_25_mow_28_who_opens_with_an_edge_after_a_clear_chooses_the_direction(action, follower):
    scene = after("5 10", hand="0 16 6 7 8", players=3, pile="12* 13*").play("clear", action)
    assert scene.turn == follower
    assert scene.clockwise == (follower == 0)
    assert "12*" in scene.hand(2)
    assert scene.pile[0] == "13*"


def test_the_direction_is_kept_over_a_clear():
    # Seat 0 opens and reverses, seat 2 clears and opens: seat 1 is next.
    scene = Round("0 1 2 3 4", "5 6 7 8 9", "10 11 12 13 14").play("0↺")
    assert scene.turn == 2
    scene.play("clear")
    assert not scene.clockwise
    scene.play("10")
    assert not scene.clockwise
    assert [scene.ordinary_turn() for _ in range(4)] == [1, 0, 2, 1]


# --- When a clear is a must -----------------------------------------------------------------------


@pytest.mark.parametrize("voluntary_clear", [True, False])
@pytest.mark.parametrize(
    ("row", "hand"),
    [
        *(("5 10", NOTHING_FITS), ("5 10", "6 8 5* (7) (9)"), ("5 6", "5* 6* 6** +a +b")),
        *(("8", "8* 8** 8*** (7) +a"), ("0 16", "1 8 15 (7) (9)")),
    ],
)
def test_mow_30_clearing_is_a_must_when_no_hand_card_fits(row, hand, voluntary_clear):
    """It is still a decision, the only one."""
    scene = after(row, hand=hand, players=3, voluntary_clear=voluntary_clear)
    assert scene.turn == len(row.split()) % 3
    assert scene.legal == {"clear"}
    assert scene.laid == words(row)


ONE_FITS = [
    *(("5 10", "4 6 7* 8 9*", "4"), ("5 10", "6 7* 8 9* 11", "11"), ("5 10", "6 7* 8 0 9", "0")),
    *(("5 10", "6 7* 8 16 9", "16"), ("5 10", "6 7* 8 +b 9", "+")),
    *(("7 9", "7* 8 9* (7) 7**", "(7)"), ("9 7", "7* 8 9* (9) 9**", "(9)")),
]


@pytest.mark.parametrize(("row", "hand", "fits"), ONE_FITS)
def test_mow_30_clearing_is_free_when_a_card_fits(row, hand, fits):
    assert after(row, hand=hand).legal == {fits, "clear"}


@pytest.mark.parametrize(("row", "hand", "fits"), ONE_FITS)
def test_mow_30_no_clear_without_need_by_the_switch(row, hand, fits):
    scene = after(row, hand=hand, voluntary_clear=False)
    assert scene.legal == {fits}
    with pytest.raises(IllegalAction):
        scene.play("clear")
    for preset in ("standard", "letter", "common"):
        assert "clear" in after(row, hand=hand, preset=preset).legal


@pytest.mark.parametrize("voluntary_clear", [True, False])
def test_mow_30_an_empty_row_is_never_cleared(voluntary_clear):
    switch = {"voluntary_clear": voluntary_clear}
    assert "clear" not in Round("5 (7) +a 0 3", "", **switch).legal
    assert "clear" not in after("5 10", hand=NOTHING_FITS, **switch).play("clear").legal


def test_mow_30_clearing_is_free_with_an_empty_pile_too():
    hands = ("8 1 2 3 4", "9 5 6 7 10*")
    scene = Round(*hands, only=True).play("8")
    assert scene.pile == []
    assert scene.legal == words("9 5 6 7 10* clear")
    scene = Round(*hands, only=True, voluntary_clear=False).play("8")
    assert scene.legal == words("9 5 6 7 10*")


# --- The empty pile -------------------------------------------------------------------------------


def test_mow_31_with_an_empty_pile_play_goes_on_until_somebody_clears():
    scene = Round("1 3 5 7 9", "2 4 6 8 10*", only=True)
    assert scene.pile == []
    for turn, card in enumerate(in_order("1 2 3 4 5 6 7 8 9")):
        assert scene.turn == turn % 2
        scene.play(card)
        assert scene.seen["hand_size"].tolist() == [5 - (turn + 2) // 2, 5 - (turn + 1) // 2]
    assert scene.legal == words("10* clear")
    assert not scene.over
    assert scene.play("clear").over


def test_mow_31_who_draws_the_last_card_does_not_end_the_round():
    scene = Round("5 1 2 3 4*", "6 7 8 9 10", pile="11", only=True).play("5")
    assert scene.pile == []
    assert scene.hand(0) == words("1 2 3 4* 11")
    assert (scene.turn, scene.over) == (1, False)
    scene.play("6", "4*", "7")
    assert (scene.turn, scene.over) == (0, False)


@pytest.mark.parametrize("voluntary_clear", [True, False])
def test_an_empty_hand_leaves_only_the_clear(voluntary_clear):
    scene = Round("1 3 5 7 9", "2 4 6 8 10*", only=True, voluntary_clear=voluntary_clear)
    scene.play("1 2 3 4 5 6 7 8 9 10*")
    assert (scene.turn, scene.hand(0), scene.hand(1)) == (0, set(), set())
    assert scene.legal == {"clear"}
    scene.play("clear")
    assert scene.over
    assert scene.flies == [1, 0]  # no bonus for him
    assert scene.scores == pytest.approx([-0.5, 0.5])


def test_an_empty_hand_leaves_only_the_clear_though_others_hold_cards():
    """Seats 1 and 0 reverse twice, so that seat 2 is passed over twice."""
    scene = Round("7 0 10 +a 13", "(7) 8 (9) 11 14", "9 12 15 1 2*", only=True)
    scene.play("7 (7)↺ 0↺ 8 9 10 (9)↺ +↺ 11 12 13 14 15")
    assert [scene.hand(seat) for seat in range(3)] == [set(), set(), words("1 2*")]
    assert scene.turn == 0
    assert scene.legal == {"clear"}
    scene.play("clear")
    assert scene.over
    assert scene.flies == [20, 0, 1]


@pytest.mark.parametrize("voluntary", [True, False])
def test_mow_31_a_clear_with_one_card_in_the_pile_opens_a_row_and_play_goes_on(voluntary):
    """The pile runs empty by the clearing player's own draw."""
    hand = "6 7 8* 5* 12**" if voluntary else "6 7 8* 5* 5**"
    scene = after("5 8", hand=hand, pile="4", only=True)
    assert scene.pile == ["4"]
    assert (scene.legal == {"clear"}) == (not voluntary)
    scene.play("clear")
    assert (scene.turn, scene.over) == (0, False)
    assert scene.seen["must_open"]
    assert scene.legal == words(hand)
    assert scene.pile == ["4"]
    scene.play("7")
    assert scene.pile == []
    assert scene.hand(0) == words(hand) - {"7"} | {"4"}
    assert (scene.turn, scene.over) == (1, False)
    assert scene.laid == {"7"}
    assert "clear" in scene.legal
    other = next(name for name in PLAIN if name in scene.legal)
    scene.play(other)
    assert (scene.turn, scene.over) == (0, False)
    scene.play("clear")
    assert scene.over


def test_mow_31_a_clear_with_no_card_in_the_pile_ends_the_round_at_once():
    """No new row is opened."""
    scene = after("5 8", hand="6 7 8* 5* 5**", only=True)
    assert scene.pile == []
    assert not scene.over
    scene.play("clear")
    assert scene.over
    assert scene.laid == set()
    assert not scene.seen["must_open"]
    assert scene.supplies[0] == words("5 8 6 7 8* 5* 5**")
    assert scene.tables.masks.all()


def test_mow_31_a_clear_with_two_cards_in_the_pile_is_an_ordinary_one():
    scene = after("5 8", hand="6 7 8* 5* 5**", pile="4 3", only=True).play("clear", "6")
    assert scene.pile == ["3"]
    assert not scene.over


def test_a_pack_of_exactly_the_hands_has_no_pile_from_the_start():
    scene = Round("1 2 3 4 5*", "6 7 8 9 10", "11 12 13 14 15", only=True)
    assert scene.pile == []
    assert scene.seen["pile"] == 0
    assert scene.play("3").hand(0) == words("1 2 4 5*")
    assert scene.play("clear").over


def test_a_finished_table_takes_no_action():
    scene = after("5 8", hand="6 7 8* 5* 5**", only=True).play("clear")
    before = scene.bytes()
    for action in range(53):
        with pytest.raises(IllegalAction, match="over"):
            scene.tables.step_one(0, action)
    assert scene.bytes() == before

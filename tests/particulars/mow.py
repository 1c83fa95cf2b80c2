"""The particulars of Mow."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cardenv.cards import cards_in
from cardenv.games.mow import (
    ACTION_NAMES,
    CARDS,
    CLEAR,
    HAND_SIZE,
    HIGHEST,
    LATECOMER,
    LOWEST,
    SECOND_LATECOMER,
    card_name,
)
from cardenv.table import Tables
from tests.particulars.form import SEATS, Fact, Picture, bits, fact_of_each_seat, set_to, toggle

__all__ = ["card_name"]

GAME = "mow"
TITLE = "Mow"
SHORT = {"target": 40}
DEFAULTS = {
    "latecomer": "capacity",
    "voluntary_clear": True,
    "next_starter": "most_flies",
    "target": 100,
    "reward": "match",
    "pack": tuple(range(48)),
}
EPISODE = "match"
ALL_CAN_LOSE = True
LEAVE_EARLY = False
FORCED = True
SKIPPED = {2: (0, 0), 5: (0, 0)}

_DEALT = [0, 4, 8, 20, 42, 5, 9, 15, 46, 30, 12, 38, 27, 44, 10]
PICTURES = (
    Picture(
        deck=[*_DEALT, *(card for card in range(CARDS) if card not in _DEALT)],
        players=3,
        first=1,
        viewer="player_0",
        steps=(
            (
                (),
                (
                    "Mow, round 1: ↻ clockwise",
                    "  seat 0  0***** 1      5      7*     9       0 flies in the supply",
                    "▸ seat 1  ▒▒     ▒▒     ▒▒     ▒▒     ▒▒      0 flies in the supply, opens",
                    "  seat 2  ▒▒     ▒▒     ▒▒     ▒▒     ▒▒      0 flies in the supply",
                    "  row",
                    "  pile                                        33 cards",
                ),
            ),
            (
                (
                    *("lay 6", "lay 13", "lay 0*****, reverse", "lay 14*"),
                    "lay +*****, keep direction",
                ),
                (
                    "Mow, round 1: ↺ anticlockwise",
                    "▸ seat 0  1      4      5      7*     9       0 flies in the supply",
                    "  seat 1  ▒▒     ▒▒     ▒▒     ▒▒     ▒▒      0 flies in the supply",
                    "  seat 2  ▒▒     ▒▒     ▒▒     ▒▒     ▒▒      0 flies in the supply",
                    "  row     0***** +***** 6      13     14*     "
                    "left blocked, right above 14, 11 flies, room for 10 latecomers",
                    "  pile                                        28 cards",
                ),
            ),
            (
                ("clear", "lay 1"),
                (
                    "Mow, round 1: ↺ anticlockwise",
                    "  seat 0  4  5  7* 9  12  11 flies in the supply",
                    "  seat 1  ▒▒ ▒▒ ▒▒ ▒▒ ▒▒  0 flies in the supply",
                    "▸ seat 2  ▒▒ ▒▒ ▒▒ ▒▒ ▒▒  0 flies in the supply",
                    "  row     1               left below 1, right above 1, 0 flies",
                    "  pile                    27 cards",
                ),
            ),
        ),
    ),
)

# Seat 0 lays card 2 and draws: card 10 with 0 in hand, or 0 with 10 in hand.
_OTHERS = list(range(5, 10))
_REST = list(range(11, CARDS))
SAME_TO_ALL = (
    ([0, 1, 2, 3, 4, *_OTHERS, 10, *_REST], [2]),
    ([10, 4, 3, 2, 1, *_OTHERS, 0, *_REST[::-1]], [2]),
)

KINDS = frozenset(
    {
        *("a row to open", "left blocked", "right blocked", "a latecomer in the row"),
        *("anticlockwise", "something cleared", "no pile", "a short hand", "a later round"),
        *("over", "going on"),
    }
)


def kinds(row: Any) -> set[str]:
    over = row.turn < 0
    found = {
        "a row to open": not row.laid and not over,
        "left blocked": row.left_end == LOWEST,
        "right blocked": row.laid and row.right_end == HIGHEST,
        "a latecomer in the row": int(row.laid) & bits([LATECOMER, SECOND_LATECOMER]),
        "anticlockwise": row.direction < 0,
        "something cleared": any(row.supply) and not over,
        "no pile": row.drawn == CARDS,
        "a short hand": not over and int(row.hand[row.turn]).bit_count() < HAND_SIZE,
        "a later round": row.rounds and not over,
        "over": over,
        "going on": not over,
    }
    return {kind for kind, is_there in found.items() if is_there}


# --- What is open and what is not -----------------------------------------------------------------

HANDS = ("hand",)
UNSEEN = ()
SECRETS: dict[str, int] = {}


def open_cards(row: Any) -> list[int]:
    return [*pictured(row), *(card for supply in row.supply for card in cards_in(supply))]


def pictured(row: Any) -> list[int]:
    return cards_in(row.laid)


def known(row: Any, seat: int) -> list[int]:
    return []


def seat_fields(row: Any, seat: int) -> dict[str, Any]:
    return {
        "supply": row.supply[seat],
        "supply_flies": row.flies[seat],
        "total_flies": row.total[seat],
        "hand_size": int(row.hand[seat]).bit_count(),
        "deciding": row.turn == seat,
        "seated": 1,
    }


def seen_by_the_next(
    before: Mapping[str, Any], action: int, after: Mapping[str, Any], place: int
) -> bool:
    if action == CLEAR:
        assert not after["row"].any()
        assert after["must_open"]
        assert np.array_equal(after["supply"][place], before["supply"][0] | before["row"])
        return True
    (card,) = np.flatnonzero(before["row"] != after["row"])
    assert before["hand"][card]
    assert ACTION_NAMES[action].split(",")[0] == f"lay {card_name(card)}"
    assert after["hand_size"][place] == before["hand_size"][0] - (before["pile"] == 0)
    reversed_now = before["clockwise"] != after["clockwise"]
    assert reversed_now == ACTION_NAMES[action].endswith("reverse")
    return True


def position() -> Tables:
    """7, 8 and 10 lie in the row; each seat holds cards for both ends; 5 (card 4) is no one's."""
    tables = Tables(GAME, 1, SEATS, episode="match")
    tables.reset(seed=1)
    row = tables.row(0)
    row.turn, row.starter, row.direction, row.drawn, row.rounds = 0, 2, 1, 30, 1
    row.laid, row.values, row.left_end, row.right_end = bits([6, 7, 9]), bits([7, 8, 10]), 7, 10
    row.laid_flies = 0
    for seat in range(SEATS):
        row.hand[seat] = bits([seat, 10 + seat, 15 + seat, 19 + seat, 28 + seat])
        row.supply[seat], row.flies[seat], row.total[seat] = bits([32 + seat]), 2, 10 + seat
    return tables


def exchanged(seat: int) -> tuple[int, int]:
    return seat, 4


OWN = {"hand", "distance"}
CONSTANT = {"seated"}
ENDS = {"left_end", "right_end", "latecomer_places", "distance"}
PUBLIC = {
    "a card of the row": Fact(toggle("laid", 8), {"row"}),
    "a latecomer in the row": Fact(toggle("laid", LATECOMER), {"row", "latecomer_places"}),
    "an empty row": Fact(set_to("laid", 0), {"row", "must_open", *ENDS}),
    "the left end": Fact(set_to("left_end", 5), ENDS - {"right_end"}),
    "the right end": Fact(set_to("right_end", 12), ENDS - {"left_end"}),
    "the values between": Fact(toggle("values", 9), {"latecomer_places"}),
    "flies in the row": Fact(set_to("laid_flies", 5), {"row_flies"}),
    "the direction": Fact(set_to("direction", -1), {"clockwise"}),
    "pile size": Fact(set_to("drawn", 31), {"pile"}),
    **fact_of_each_seat(
        "cleared cards", "supply", lambda seat, cards: cards ^ bits([36 + seat]), {"supply"}
    ),
    **fact_of_each_seat("cleared flies", "flies", lambda seat, flies: flies + 1, {"supply_flies"}),
    **fact_of_each_seat("flies noted", "total", lambda seat, flies: flies + 1, {"total_flies"}),
    **fact_of_each_seat(
        "hand size", "hand", lambda seat, cards: cards ^ bits([4]), {"hand_size", *OWN}
    ),
    **{f"seat {seat} is to decide": Fact(set_to("turn", seat), {"deciding"}) for seat in (1, 2, 3)},
    "the episode is over": Fact(set_to("turn", -1), {"deciding"}),
}

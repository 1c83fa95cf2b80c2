"""The particulars of 31."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cardenv.cards import CARDS, card_name, cards_in
from cardenv.games.schwimmen import (
    CHANGE,
    DEALER_CHOICE,
    DEALT_31,
    EXCHANGED_31,
    KEEP,
    OVER,
    PASS,
    PHASES,
    TURN,
)
from cardenv.table import Tables
from tests.particulars.form import SEATS, Fact, Picture, bits, fact_of_each_seat, set_to, toggle

__all__ = ["card_name"]

GAME = "schwimmen"
TITLE = "31"
SHORT = {"lives": 0}
DEFAULTS = {
    "lives": 3,
    "aces_value": 31,
    "stop_after": "all",
    "reveal": "auto",
    "redraw789": "any",
    "max_laps": 50,
    "all_out": "replay",
    "fire": False,
    "reward": "match",
    "pack": tuple(range(32)),
}
EPISODE = "match"
ALL_CAN_LOSE = True
LEAVE_EARLY = True
FORCED = False
# A 31 at the deal ends 0.5 % of rounds with two players and 5.7 % with nine; with nine, more end
# by an exchange to 31 before a seat's first turn.
SKIPPED = {2: (1, 40), 9: (120, 600)}

PICTURES = (
    Picture(
        deck=[*range(0, 32, 4), *(card for card in range(32) if card % 4)],
        players=2,
        first=1,
        viewer="player_0",
        steps=(
            (
                (),
                (
                    "31, round 1: dealer's choice",
                    "  seat 0       ♦7 ♦J ♥7  3 lives",
                    "▸ seat 1       ▒▒ ▒▒ ▒▒  3 lives, deals",
                    "  middle                 23 in the talon",
                    "  second pile  ▒▒ ▒▒ ▒▒",
                ),
            ),
            (
                ("keep", "swap hand 1 for middle 1", "swap hand 1 for middle 1", "stop"),
                (
                    "31, round 1: turn",
                    "  seat 0  ♦8 ♦J ♥7  3 lives, stopped",
                    "▸ seat 1  ♦7 ▒▒ ▒▒  3 lives, deals, still to play",
                    "  middle  ♥J ♣7 ♣J  23 in the talon",
                ),
            ),
        ),
    ),
)

# The dealer keeps pile A, B goes open; or he looks at B, changes and gets A.
_HANDS, _PILE_A, _PILE_B = [0, 9, 18], [1, 10, 19], [2, 11, 20]
_REST = [card for card in range(CARDS) if card not in _HANDS + _PILE_A + _PILE_B]
SAME_TO_ALL = (
    (_PILE_A + _HANDS + _PILE_B + _REST, [KEEP]),
    (_PILE_B + _HANDS + _PILE_A + _REST, [CHANGE]),
)

KINDS = frozenset(
    {*PHASES, "stopped", "something left the game", "a card is known", "somebody is out"}
)


def kinds(row: Any) -> set[str]:
    found = {
        "stopped": row.stopper >= 0,
        "something left the game": row.gone,
        "a card is known": any(row.known),
        "somebody is out": row.left and row.turn >= 0,
    }
    phase = PHASES[OVER if row.turn < 0 else row.phase]
    return {phase, *(kind for kind, is_there in found.items() if is_there)}


# --- What is open and what is not -----------------------------------------------------------------

HANDS = ("hand",)
UNSEEN = ("second_pile",)
SECRETS: dict[str, int] = {}


def open_cards(row: Any) -> list[int]:
    return [*cards_in(row.middle), *cards_in(row.gone)]


def pictured(row: Any) -> list[int]:
    return open_cards(row)


def known(row: Any, seat: int) -> list[int]:
    return cards_in(row.known[seat])


def seat_fields(row: Any, seat: int) -> dict[str, Any]:
    return {
        "known": row.known[seat],
        "lives": row.lives[seat],
        "in": int(row.alive) >> seat & 1,
        "dealer": row.dealer == seat,
        "deciding": row.turn == seat,
        "stopped": row.stopper == seat,
        "to_have_turn": int(row.to_have_turn) >> seat & 1,
        "lap": row.laps[seat],
    }


def seen_by_the_next(
    before: Mapping[str, Any], action: int, after: Mapping[str, Any], place: int
) -> bool:
    if action > PASS:
        return False
    if action == PASS:
        players = len(before["lives"])
        assert after["passes"] == (before["passes"] + 1) % players, "the last opens new cards"
        return False
    taken = before["middle"] & ~after["middle"]
    given = after["middle"] & ~before["middle"]
    assert taken.any()
    assert np.array_equal(before["hand"] & given, given)
    assert np.array_equal(after["known"][place] & taken, taken)
    return True


def position() -> Tables:
    """Seats 0-3 hold 0-2, 8-10, 16-18, 24-26; in the middle lie 3, 4 and 12."""
    tables = Tables(GAME, 1, SEATS, episode="match")
    tables.reset(seed=1)
    row = tables.row(0)
    row.phase, row.turn, row.dealer, row.stopper = TURN, 0, 2, 2
    for seat in range(SEATS):
        row.hand[seat] = bits([8 * seat, 8 * seat + 1, 8 * seat + 2])
        row.known[seat] = bits([8 * seat + 1])
        row.laps[seat] = 1
    row.middle, row.gone, row.second_pile = bits([3, 4, 12]), bits([20, 21, 22]), 0
    row.to_have_turn, row.passes = bits([0, 1]), 1
    return tables


def exchanged(seat: int) -> tuple[int, int]:
    return 8 * seat, 8 * seat + 6


OWN = {"hand", "hand_slots", "hand_value", "exchange_values"}
CONSTANT: set[str] = set()
PUBLIC = {
    "the middle": Fact(
        toggle("middle", 3, 5), {"middle", "middle_slots", "middle_value", "exchange_values"}
    ),
    "cards that left the game": Fact(toggle("gone", 7), {"gone"}),
    "talon size": Fact(set_to("drawn", 18), {"talon"}),
    "passes in a row": Fact(set_to("passes", 2), {"passes"}),
    **fact_of_each_seat(
        "known cards", "known", lambda seat, cards: cards ^ bits([8 * seat]), {"known"}
    ),
    **fact_of_each_seat("lives", "lives", lambda seat, lives: lives - 1, {"lives"}),
    **fact_of_each_seat("lap", "laps", lambda seat, lap: lap + 1, {"lap", "own_lap"}),
    **{f"whether seat {seat} is in": Fact(toggle("alive", seat), {"in"}) for seat in range(SEATS)},
    **{
        f"whether seat {seat} still has a turn": Fact(
            toggle("to_have_turn", seat), {"to_have_turn"}
        )
        for seat in range(SEATS)
    },
    "nobody stopped": Fact(set_to("stopper", -1), {"stopped"}),
    **{f"seat {seat} stopped": Fact(set_to("stopper", seat), {"stopped"}) for seat in (0, 1, 3)},
    **{f"seat {seat} deals": Fact(set_to("dealer", seat), {"dealer"}) for seat in (0, 1, 3)},
    **{f"seat {seat} is to decide": Fact(set_to("turn", seat), {"deciding"}) for seat in (1, 2, 3)},
    **{
        f"phase {PHASES[phase]}": Fact(set_to("phase", phase), {"phase"})
        for phase in (DEALER_CHOICE, DEALT_31, EXCHANGED_31)
    },
    "the episode is over": Fact(set_to("turn", -1), {"phase", "deciding"}),
}

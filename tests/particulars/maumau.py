"""The particulars of Mau-Mau."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cardenv.cards import CARDS, card_name, cards_in
from cardenv.games.maumau import (
    CALL_MAU,
    CARD_OF,
    DRAW,
    WENT_ON_AFTER_ACE,
    WENT_ON_AFTER_DRAW,
    Rules,
)
from cardenv.table import Tables
from tests.particulars.form import SEATS, Fact, Picture, bits, fact_of_each_seat, set_to, toggle

__all__ = ["card_name"]

GAME = "maumau"
TITLE = "Mau-Mau"
SHORT = {"target": 60, "max_turns": 30}
DEFAULTS = {
    "decks": 1,
    "hand_size": 5,
    "mau_call": "auto",
    "mau_penalty": 2,
    "seven_draw": 2,
    "play_after_draw": "none",
    "king_wish": False,
    "actions_wild": False,
    "jack_on_jack": True,
    "start_card": "neutral",
    "scoring": "win",
    "target": 101,
    "max_turns": 1000,
    "reward": "match",
    "pack": tuple(range(32)),
}
EPISODE = "round"
ALL_CAN_LOSE = False
LEAVE_EARLY = False
FORCED = True
SKIPPED = {2: (1, 6), 5: (0, 6)}

_DEALT = [22, 5, 11, 25, 4, 15, 23, 16, 28, 3, 18, 1, 24, 13, 6, 10]
PICTURES = (
    Picture(
        deck=[*_DEALT, *(card for card in range(CARDS) if card not in _DEALT)],
        players=3,
        first=0,
        viewer="player_1",
        steps=(
            (
                ("lay ♥A",),
                (
                    "Mau-Mau, round 1: goes on after an ace",
                    "  seat 0   ▒▒  ▒▒  ▒▒  ▒▒  ▒▒   deals",
                    "▸ seat 1   ♦10 ♠7  ♠A  ♣J",
                    "  seat 2   ▒▒  ▒▒  ▒▒  ▒▒  ▒▒",
                    "  discard  ♥A                   1 card below",
                    "  talon                         16 cards",
                ),
            ),
            (
                ("lay ♠A", "lay ♠7", "lay ♣7"),
                (
                    "Mau-Mau, round 1: a seven, or take 4",
                    "▸ seat 0   ▒▒  ▒▒  ▒▒  ▒▒  ▒▒   deals",
                    "  seat 1   ♦10 ♣J",
                    "  seat 2   ▒▒  ▒▒  ▒▒  ▒▒",
                    "  discard  ♣7                   4 cards below",
                    "  talon                         16 cards",
                ),
            ),
            (
                ("draw", "lay ♣J, wish ♦", "draw"),
                (
                    "Mau-Mau, round 1: turn",
                    "▸ seat 0   ▒▒  ▒▒  ▒▒  ▒▒  ▒▒  ▒▒  ▒▒  ▒▒  ▒▒   deals",
                    "  seat 1   ♦10                                  Mau",
                    "  seat 2   ▒▒  ▒▒  ▒▒  ▒▒  ▒▒                   drew on ♦",
                    "  discard  ♣J                                   ♦ is wished, 5 cards below",
                    "  talon                                         11 cards",
                ),
            ),
        ),
    ),
)

# Seat 1 draws: card 6 with 5 in hand, or 5 with 6 in hand.
_OTHERS = [8, 9, 10, 11, 12]
_REST = [*range(17, CARDS), 4, 7, 13, 14, 15]
SAME_TO_ALL = (
    ([*_OTHERS, 0, 1, 2, 3, 5, 16, 6, *_REST], [DRAW]),
    ([*_OTHERS, 6, 3, 2, 1, 0, 16, 5, *_REST[::-1]], [DRAW]),
)

KINDS = frozenset(
    {
        *("a wish", "after an ace", "after a draw", "an open seven", "called Mau", "one card"),
        *("two equal cards in a hand", "two equal cards discarded", "no talon", "a later round"),
        *("over", "going on"),
    }
)


def kinds(row: Any) -> set[str]:
    over = row.turn < 0
    found = {
        "a wish": row.in_force < 16,
        "after an ace": row.went_on == WENT_ON_AFTER_ACE,
        "after a draw": row.went_on == WENT_ON_AFTER_DRAW,
        "an open seven": row.open_draws > 0,
        "called Mau": row.called,
        "one card": any(int(cards).bit_count() == 1 for cards in row.hand),
        "two equal cards in a hand": any(row.hand_twice),
        "two equal cards discarded": row.discarded_twice,
        "no talon": row.drawn in (CARDS, 2 * CARDS),
        "a later round": row.rounds and not over,
        "over": over,
        "going on": not over,
    }
    return {kind for kind, is_there in found.items() if is_there}


# --- What is open and what is not -----------------------------------------------------------------

HANDS = ("hand", "hand_twice")
UNSEEN = ()
SECRETS = {"drawn_card": CARDS}


def open_cards(row: Any) -> list[int]:
    return [*pictured(row), *cards_in(row.discarded), *cards_in(row.discarded_twice)]


def pictured(row: Any) -> list[int]:
    return [int(row.top)]


def known(row: Any, seat: int) -> list[int]:
    return []


def seat_fields(row: Any, seat: int) -> dict[str, Any]:
    size = int(row.hand[seat]).bit_count() + int(row.hand_twice[seat]).bit_count()
    return {
        "drew_suit": int(row.drew[seat]) & 15,
        "drew_rank": int(row.drew[seat]) >> 4,
        "mau": size == 1 or bool(row.turn == seat and row.called),
        "deciding": row.turn == seat,
        "seated": 1,
        "hand_size": size,
        "points": min(255, int(row.points[seat])),
    }


def seen_by_the_next(
    before: Mapping[str, Any], action: int, after: Mapping[str, Any], place: int
) -> bool:
    if action == DRAW and before["open_draws"]:
        assert after["open_draws"] == 0
        assert after["hand_size"][place] <= before["hand_size"][0] + before["open_draws"]
        return False
    if action == DRAW:
        assert np.array_equal(after["drew_suit"][place], before["suit_in_force"])
        could_draw = before["talon"] > 0 or before["discarded"].any()
        assert after["hand_size"][place] == before["hand_size"][0] + could_draw
        return False
    if action >= CALL_MAU - 1:
        return False
    suit, rank = divmod(int(CARD_OF[action]), 8)
    assert (after["top_suit"].argmax(), after["top_rank"].argmax()) == (suit, rank)
    wished = action >= CARDS
    assert after["wish"] == wished
    assert after["suit_in_force"].argmax() == (action % 4 if wished else suit)
    assert after["hand_size"][place] == before["hand_size"][0] - 1
    assert not after["drew_suit"][place].any()
    if after["talon"] == before["talon"]:
        old_top = 8 * before["top_suit"].argmax() + before["top_rank"].argmax()
        assert np.flatnonzero(after["discarded"] != before["discarded"]) == [old_top]
    return True


def position() -> Tables:
    """Two packs. Seat s holds 9, 10 and K of suit s, the ♦Q lies on top, two queens below."""
    tables = Tables(GAME, 1, SEATS, rules=Rules(decks=2), episode="match")
    tables.reset(seed=1)
    row = tables.row(0)
    row.turn, row.dealer, row.drawn, row.rounds = 0, 2, 30, 1
    row.top, row.in_force = 5, 1 << 0 | 16 << 5
    row.discarded, row.discarded_twice = bits([13, 21]), 0
    for seat in range(SEATS):
        row.hand[seat], row.hand_twice[seat] = bits([8 * seat + 2, 8 * seat + 3, 8 * seat + 6]), 0
        row.points[seat] = 10 + seat
    return tables


def exchanged(seat: int) -> tuple[int, int]:
    return 8 * seat + 2, 8 * seat + 4


OWN = {"hand"}
CONSTANT = {"seated"}
PUBLIC = {
    "the top card's suit": Fact(set_to("top", 29), {"top_suit"}),
    "the top card's rank": Fact(set_to("top", 4), {"top_rank"}),
    "the suit in force": Fact(set_to("in_force", 1 << 3 | 16 << 5), {"suit_in_force"}),
    "a wish": Fact(set_to("in_force", 1 << 0), {"wish"}),
    "a card laid": Fact(toggle("discarded", 29), {"discarded"}),
    "the second of two equal cards laid": Fact(toggle("discarded_twice", 13), {"discarded"}),
    "going on after an ace": Fact(set_to("went_on", WENT_ON_AFTER_ACE), {"after_ace"}),
    "going on after a draw": Fact(set_to("went_on", WENT_ON_AFTER_DRAW), {"after_draw"}),
    "open draws": Fact(set_to("open_draws", 4), {"open_draws"}),
    "talon size": Fact(set_to("drawn", 31), {"talon"}),
    "who has called Mau": Fact(set_to("called", 1), {"mau"}),
    **fact_of_each_seat(
        "the last draw", "drew", lambda seat, drew: 1 << 1 | 16 << 2, {"drew_suit", "drew_rank"}
    ),
    **fact_of_each_seat(
        "the last draw under a wish", "drew", lambda seat, drew: 1 << 3, {"drew_suit"}
    ),
    **fact_of_each_seat(
        "hand size", "hand", lambda seat, cards: cards ^ bits([4]), {"hand_size", *OWN}
    ),
    **fact_of_each_seat(
        "the second of two equal cards",
        *("hand_twice", lambda seat, cards: bits([8 * seat + 2]), {"hand_size", *OWN}),
    ),
    **fact_of_each_seat(
        "the last card", "hand", lambda seat, cards: bits([4]), {"mau", "hand_size", *OWN}
    ),
    **fact_of_each_seat("points noted", "points", lambda seat, points: points + 1, {"points"}),
    **{f"seat {seat} is to decide": Fact(set_to("turn", seat), {"deciding"}) for seat in (1, 2, 3)},
    "the episode is over": Fact(set_to("turn", -1), {"deciding"}),
}

"""What a player of Mow sees, and what the row becomes: the ground that ``expert`` stands on."""

from typing import Any, NamedTuple

import numpy as np

from cardenv.cards import NONE, ONE, count, gather, holds, lowest, singleton
from cardenv.compiling import compiled
from cardenv.games.mow import (
    CARDS,
    COVERER_7,
    COVERER_9,
    EDGE_0,
    EMPTY_LEFT_END,
    EMPTY_RIGHT_END,
    HIGHER_THAN,
    LATECOMER,
    LATECOMERS,
    LAYOUT,
    LOWER_THAN,
    VALUE,
    VALUES,
)

_HAND, _ROW, _PILE = (LAYOUT.offset(name) for name in ("hand", "row", "pile"))
_PLACES, _ROW_FLIES = LAYOUT.offset("latecomer_places"), LAYOUT.offset("row_flies")
_CLOCKWISE, _SEATED = LAYOUT.offset("clockwise"), LAYOUT.offset("seated")
_SUPPLY, _HAND_SIZE = LAYOUT.offset("supply"), LAYOUT.offset("hand_size")
_SHARED_SIZE, _SEAT_SIZE = LAYOUT.shared_size, LAYOUT.seat_size

MIDDLE_VALUE = 8
ALL, PLAIN = np.uint64((1 << CARDS) - 1), np.uint64((1 << EDGE_0) - 1)
EDGES, COVERERS = np.uint64(0b11 << EDGE_0), np.uint64(0b11 << COVERER_7)
OPENERS = np.array(
    [sum(1 << c for c in range(EDGE_0) if abs(VALUES[c] - MIDDLE_VALUE) == d) for d in range(9)],
    np.uint64,
)
"""Per distance from 8: the plain cards there; no card is 8 away."""

_1, _2, _3, _4, _7, _8, _15, _16, _28, _39, _42 = (
    np.uint64(n) for n in (1, 2, 3, 4, 7, 8, 15, 16, 28, 39, 42)
)
_2_BITS, _3_BITS, _8_BITS, _11_BITS, _13_BITS, _15_BITS = (
    np.uint64((1 << n) - 1) for n in (2, 3, 8, 11, 13, 15)
)


class Sight(NamedTuple):
    """What the deciding seat sees."""

    observation: Any
    players: Any
    hand: Any
    unseen: Any  # cards in other hands or in the pile
    values: Any  # in the row
    low: Any
    high: Any
    places: Any  # for latecomers
    flies: Any  # in the row
    pile: Any
    clockwise: Any


@compiled
def see(observation: Any) -> Sight:
    """Read an observation."""
    hand, row = gather(observation, _HAND, CARDS), gather(observation, _ROW, CARDS)
    seen, players = hand | row, 0
    for place in range((observation.size - _SHARED_SIZE) // _SEAT_SIZE):
        seen |= gather(observation, _SUPPLY + place * _SEAT_SIZE, CARDS)
        players += 1 if observation[_SEATED + place * _SEAT_SIZE] else 0
    values = values_of(row)
    return Sight(
        observation,
        players,
        hand,
        ALL & ~seen,
        values,
        EMPTY_LEFT_END if values == NONE else lowest(values),
        EMPTY_RIGHT_END if values == NONE else highest(values),
        np.int64(observation[_PLACES]),
        np.int64(observation[_ROW_FLIES]),
        np.int64(observation[_PILE]),
        observation[_CLOCKWISE] != 0,
    )


@compiled
def hand_size(observation: Any, place: int) -> Any:
    """Return how many cards the seat so many places on holds."""
    return np.int64(observation[_HAND_SIZE + place * _SEAT_SIZE])


@compiled
def values_of(cards: Any) -> Any:
    """Return the set of values of the numbered cards among ``cards``, coverers aside."""
    ones, twos, threes = cards & _15_BITS, cards >> _15 & _13_BITS, cards >> _28 & _11_BITS
    middle, edges = cards >> _39 & _3_BITS, cards >> _42 & _2_BITS
    values = ones << _1 | twos << _2 | threes << _3 | middle << _7
    return values | (edges & ONE) | (edges & _2) << _15


@compiled
def highest(values: Any) -> int:
    """Return the highest of a set of values that is not empty."""
    for shift in (_1, _2, _4, _8, _16):
        values |= values >> shift
    return count(values) - 1


# --- The row once a card has been laid ------------------------------------------------------------


@compiled
def step_to(sight: Sight, card: int) -> Any:
    """Return the distance of a numbered card from its end of the row, or from 8 to open it."""
    value: Any = np.int64(VALUE[card])
    if sight.values == NONE:
        return abs(value - MIDDLE_VALUE)
    return max(sight.low - value, value - sight.high)


@compiled
def row_with(card: int, values: Any, low: int, high: int, places: int) -> Any:
    """Return values, ends and places for latecomers of a row once a card has been laid."""
    if card >= COVERER_7:
        return values, low, high, places - (card >= LATECOMER)
    value: Any = np.int64(VALUE[card])
    if values == NONE:
        return singleton(value), value, value, 0
    step = max(low - value, value - high)
    return values | singleton(value), min(low, value), max(high, value), places + step - 1


@compiled
def fitting_plain(low: int, high: int) -> Any:
    """Return the plain cards that fit a row with these ends."""
    return PLAIN & (LOWER_THAN[low] | HIGHER_THAN[high])


@compiled
def fitting_specials(values: Any, places: int) -> Any:
    """Return the special cards that fit a row: they will until it is cleared.

    An edge card always fits, since only itself could block its end; of the latecomers this is not
    quite so.
    """
    fitting = EDGES
    if holds(values, 7):
        fitting |= singleton(COVERER_7)
    if holds(values, 9):
        fitting |= singleton(COVERER_9)
    if places > 0:
        fitting |= LATECOMERS
    return fitting

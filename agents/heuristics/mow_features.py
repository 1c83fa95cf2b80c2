"""What an action of Mow leaves behind, as the numbers that ``mow_weights`` weighs."""

from typing import Any

import numpy as np

from agents.heuristics import mow_weights as table
from agents.heuristics.mow_sight import (
    COVERERS,
    EDGES,
    OPENERS,
    PLAIN,
    Sight,
    fitting_plain,
    fitting_specials,
    hand_size,
    highest,
    row_with,
    step_to,
    values_of,
)
from cardenv.cards import NONE, count, lowest, singleton
from cardenv.compiling import compiled
from cardenv.games.mow import (
    CLEAR,
    COVERER_7,
    EDGE_0,
    FLIES_ON,
    LATECOMER,
    LATECOMERS,
    REVERSED,
    card_of,
    flies_in,
)

_8, _8_BITS = np.uint64(8), np.uint64(0xFF)


@compiled
def write_features(sight: Sight, action: int, out: Any) -> None:
    """Describe what an action leaves behind; ``out`` holds zeros before."""
    if action == CLEAR:
        write_clear(sight, out)
    else:
        reverses = action >= REVERSED
        out[table.REVERSES] = reverses
        write_lay(sight, card_of(sight.hand, action), sight.clockwise != reverses, out)


@compiled
def write_lay(sight: Sight, card: int, clockwise: bool, out: Any) -> None:
    """Describe what is left once a card has been laid."""
    if card < COVERER_7:
        step = step_to(sight, card)
        out[table.STEP], out[table.STEP_SQUARE] = step / 4.0, step * step / 16.0
        out[table.ADJACENT], out[table.LAYS_EDGE] = step == 1, card >= EDGE_0
    elif card < LATECOMER:
        out[table.LAYS_COVERER] = 1.0
    else:
        out[table.LAYS_LATECOMER] = 1.0
    values, low, high, places = row_with(card, sight.values, sight.low, sight.high, sight.places)
    hand = sight.hand & ~singleton(card)
    flies = (sight.flies + FLIES_ON[card]) / 8.0
    plain, safe = fitting_plain(low, high), fitting_specials(values, places)
    out[table.ROW_FLIES] = flies
    out[table.ROOM] = max(low - 1, 15 - high) / 8.0
    out[table.OTHER_ROOM] = min(low - 1, 15 - high) / 8.0
    write_others(sight, plain, safe, clockwise, flies, out)
    write_own(hand, plain, safe, flies, out)
    write_reach(sight, values_of(hand & plain), low, high, (hand & safe) != NONE, flies, out)
    write_hand(sight, hand, FLIES_ON[card] / 2.0, out)


@compiled
def write_others(
    sight: Sight, plain: Any, safe: Any, clockwise: bool, flies: float, out: Any
) -> None:
    """Tell how likely those who come next must clear, or would have to lay a special card."""
    unseen = count(sight.unseen)
    fitting, fitting_plain = count(sight.unseen & (plain | safe)), count(sight.unseen & plain)
    size = hand_size(sight.observation, 1 if clockwise else sight.players - 1)
    out[table.NEXT_STUCK] = none_of(size, fitting, unseen)
    out[table.ROW_NEXT_STUCK] = flies * out[table.NEXT_STUCK]
    out[table.ROW_NEXT_NO_PLAIN] = flies * none_of(size, fitting_plain, unseen)
    out[table.ROW_NEXT_ONE_FITS] = flies * one_of(size, fitting, unseen)
    out[table.DRAW_FITS] = fitting / max(unseen, 1)
    out[table.NEXT_FIT] = size * out[table.DRAW_FITS] / 4.0
    out[table.ROW_NEXT_FIT] = flies * out[table.NEXT_FIT]
    all_go, all_go_plain = 1.0, 1.0
    for place in range(1, sight.players):
        size = hand_size(sight.observation, place)
        all_go *= 1.0 - none_of(size, fitting, unseen)
        all_go_plain *= 1.0 - none_of(size, fitting_plain, unseen)
    out[table.OTHERS_STUCK] = 1.0 - all_go
    out[table.ROW_OTHERS_STUCK] = flies * (1.0 - all_go)
    out[table.ROW_OTHERS_NO_PLAIN] = flies * (1.0 - all_go_plain)


@compiled
def none_of(size: int, wanted: int, cards: int) -> float:
    """Return the probability that a hand drawn from ``cards`` cards has none of the wanted."""
    return table.ORDERED[size, cards - wanted] / max(table.ORDERED[size, cards], 1.0)


@compiled
def one_of(size: int, wanted: int, cards: int) -> float:
    """Return the probability that it has exactly one of them."""
    if size == 0:
        return 0.0
    others = table.ORDERED[size - 1, cards - wanted]
    return size * wanted * others / max(table.ORDERED[size, cards], 1.0)


@compiled
def write_own(hand: Any, plain: Any, safe: Any, flies: float, out: Any) -> None:
    """Tell what of the own hand still fits, and how many cards could be laid one after another."""
    certain = count(hand & safe)
    turns = count(values_of(hand & plain)) + certain
    if turns < 5:
        out[table.TURNS_0 + turns] = 1.0
        out[table.ROW_TURNS_0 + turns] = flies
    if certain > 0:
        out[table.SAFE], out[table.SAFE_MORE] = 1.0, certain - 1.0
        out[table.ROW_SAFE], out[table.ROW_SAFE_MORE] = flies, flies * (certain - 1.0)
    lead = turns / 4.0 - out[table.NEXT_FIT]
    out[table.ROW_LEAD] = flies * min(max(lead, -0.75), 0.75)
    out[table.FITTING] = count(hand & (plain | safe)) / 2.0
    out[table.FITTING_FLIES] = flies_in(hand & (plain | safe)) / 4.0


@compiled
def write_reach(
    sight: Sight, values: Any, low: int, high: int, safe: bool, flies: float, out: Any
) -> None:
    """Tell how far the own fitting plain cards lie from the ends, and whether one will fit still.

    Args:
        sight: what the seat sees.
        values: of those cards.
        low: value of the row's left end.
        high: value of its right end.
        safe: whether a special card will fit anyway.
        flies: what the row costs.
        out: the features.
    """
    left = low - lowest(values) if values != NONE else 0
    right = highest(values) - high if values != NONE else 0
    out[table.REACH] = max(left, right, 0) / 8.0
    out[table.OTHER_REACH] = max(min(left, right), 0) / 8.0
    out[table.ROW_REACH] = flies * out[table.REACH]
    if not safe:
        risk = lost(sight.players, left, low, 16 - high)
        risk *= lost(sight.players, right, 16 - high, low)
        out[table.OWN_STUCK], out[table.ROW_OWN_STUCK] = risk, risk * flies
        out[table.ROW_SQUARE_OWN_STUCK] = risk * flies * flies
        if sight.pile > 0:
            out[table.ROW_OWN_STUCK_DRAW] = risk * flies * out[table.DRAW_FITS]


@compiled
def lost(players: int, away: int, room: int, other_room: int) -> float:
    """Return the probability that a card will not fit any more at the own next turn."""
    if away <= 0:
        return 1.0
    odds = table.SURVIVAL[players - 2]
    return 1.0 / (1.0 + np.exp(odds[0] * away + odds[1] * room + odds[2] * other_room + odds[3]))


@compiled
def write_hand(sight: Sight, hand: Any, shed: float, out: Any) -> None:
    """Describe the hand that is left, and the flies it is rid of."""
    flies = flies_in(hand) / 4.0
    out[table.HAND_FLIES] = flies
    out[table.ENDS_WITH_FLIES] = out[table.OTHERS_STUCK] * flies
    out[table.SHED], out[table.SHED_HAND] = shed, shed * flies / 2.0
    out[table.SHED_PILE] = shed * sight.pile / 16.0
    out[table.HOLDS_EDGES] = count(hand & EDGES)
    out[table.HOLDS_COVERERS] = count(hand & COVERERS)
    out[table.HOLDS_LATECOMERS] = count(hand & LATECOMERS)
    out[table.OPENER] = opener(hand) / 4.0


@compiled
def opener(hand: Any) -> int:
    """Return how far from 8 the nearest plain card is, or 8 if there is none."""
    values = values_of(hand & PLAIN)
    below, from_8 = values & _8_BITS, values >> _8
    distance = lowest(from_8) if from_8 != NONE else 8
    return min(distance, 8 - highest(below)) if below != NONE else distance


@compiled
def write_clear(sight: Sight, out: Any) -> None:
    """Describe a clear: what it costs, what it gives up, and what there is to open with."""
    hand, flies, pile = sight.hand, sight.flies / 8.0, sight.pile / 16.0
    plain = hand & fitting_plain(sight.low, sight.high)
    out[table.CLEARS], out[table.CLEARS_PILE] = 1.0, pile
    out[table.CLEARED], out[table.CLEARED_PILE] = 2.0 * flies, 2.0 * flies * pile
    out[table.CLEARED_SQUARE] = flies * flies
    out[table.CLEAR_FITS] = count(plain) / 2.0
    out[table.CLEARED_FITS] = flies * count(plain) / 2.0
    out[table.CLEAR_FITTING_FLIES] = flies_in(plain) / 4.0
    out[table.CLEAR_SAFE] = count(hand & fitting_specials(sight.values, sight.places))
    out[table.CLEAR_HAND_FLIES] = flies_in(hand) / 4.0
    openers = hand & OPENERS[opener(hand)]
    out[table.CLEAR_OPENER_FLIES] = flies_in(openers) / max(count(openers), 1) / 2.0
    values = values_of(hand)
    if values != NONE:
        out[table.CLEAR_HAND_SPREAD] = (highest(values) - lowest(values)) / 8.0
    unseen = sight.unseen
    out[table.CLEAR_UNSEEN_FLIES] = flies_in(unseen) / max(count(unseen), 1) - 1.5

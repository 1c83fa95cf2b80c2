"""Players of Mow by rules: the yardstick ``greedy`` and the strongest rules found, ``expert``.

``expert`` weighs every legal action by what it would leave behind: the flies shed and those in
hand, how many own cards could still be laid, how likely those who come next must clear, and what a
clear costs. The weights differ by what is left of the pile and by the number of players (see
``mow_weights``). Between two, once the pile is gone, both hands are known: then it looks through
all that can follow by the standard rules.
"""

from typing import Any, NamedTuple

import numpy as np

from agents.heuristics import mow_weights as table
from cardenv.cards import NONE, ONE, count, gather, holds, lowest, singleton
from cardenv.compiling import compiled
from cardenv.games.mow import (
    CARDS,
    CLEAR,
    COVERER_7,
    COVERER_9,
    EDGE_0,
    EMPTY_LEFT_END,
    EMPTY_RIGHT_END,
    FLIES_ON,
    HIGHER_THAN,
    LATECOMER,
    LATECOMERS,
    LAYOUT,
    LOWER_THAN,
    REVERSED,
    SPECIAL_ACTIONS,
    VALUE,
    VALUES,
    flies_in,
)

_HAND, _ROW, _DISTANCE = (LAYOUT.offset(name) for name in ("hand", "row", "distance"))
_PLACES, _ROW_FLIES = LAYOUT.offset("latecomer_places"), LAYOUT.offset("row_flies")
_MUST_OPEN, _CLOCKWISE = LAYOUT.offset("must_open"), LAYOUT.offset("clockwise")
_PILE = LAYOUT.offset("pile")
_SUPPLY, _HAND_SIZE = LAYOUT.offset("supply"), LAYOUT.offset("hand_size")
_SEATED = LAYOUT.offset("seated")
_SHARED_SIZE, _SEAT_SIZE = LAYOUT.shared_size, LAYOUT.seat_size

# --- greedy -------------------------------------------------------------------------------------

MIDDLE_VALUE = 8


@compiled
def greedy(observation: Any, mask: Any, key: Any) -> int:
    """Play the yardstick: the smallest step, or nearest to 8; else a special; else clear."""
    best, shortest = -1, 99
    for card in range(EDGE_0):
        if mask[card]:
            step = step_of(observation, card)
            if step < shortest or (step == shortest and FLIES_ON[card] > FLIES_ON[best]):
                best, shortest = card, step
    return best if best >= 0 else lowest_legal(mask, EDGE_0)


@compiled
def step_of(observation: Any, card: int) -> Any:
    """Return a plain card's distance from its end of the row, or from 8 to open with it."""
    if observation[_MUST_OPEN]:
        return abs(np.int64(VALUE[card]) - MIDDLE_VALUE)
    return np.int64(observation[_DISTANCE + card])


@compiled
def lowest_legal(mask: Any, first: int) -> int:
    """Return the lowest legal action from ``first`` on; ``keep`` comes before ``reverse``."""
    action = first
    while action < CLEAR and not mask[action]:
        action += 1
    return action


# --- What the deciding seat sees ----------------------------------------------------------------

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
        players += observation[_SEATED + place * _SEAT_SIZE]
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


# --- Features of what an action leaves behind ---------------------------------------------------


@compiled
def write_features(sight: Sight, action: int, out: Any) -> None:
    """Describe what an action leaves behind; ``out`` holds zeros before."""
    if action == CLEAR:
        write_clear(sight, out)
    else:
        reverses = action >= REVERSED
        out[table.REVERSES] = reverses
        card = action - SPECIAL_ACTIONS if reverses else action
        if card == LATECOMER:
            card = lowest(sight.hand & LATECOMERS)
        write_lay(sight, card, sight.clockwise != reverses, out)


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


# --- The end between two ------------------------------------------------------------------------


class Row(NamedTuple):
    """What the row takes and costs."""

    values: Any
    low: Any
    high: Any
    places: Any
    flies: Any


@compiled
def is_open(sight: Sight) -> bool:
    """Tell whether one of two players knows the other hand: all cards that he has not seen."""
    if sight.players != 2 or sight.pile != 0 or sight.values == NONE:
        return False
    return count(sight.unseen) == hand_size(sight.observation, 1)


@compiled
def best_at_the_end(sight: Sight, mask: Any) -> int:
    """Return the best action where both hands are open, looking through all that can follow.

    If laying costs no more than a clear, it is done, since the other may err.
    """
    row = Row(sight.values, sight.low, sight.high, sight.places, sight.flies)
    total = sight.flies + flies_in(sight.hand) + flies_in(sight.unseen)
    choice, fewest = CLEAR, total + 1
    if mask[CLEAR]:
        fewest = sight.flies + flies_in(sight.hand) + 1
    for action in range(REVERSED):
        if mask[action]:
            card = lowest(sight.hand & LATECOMERS) if action == LATECOMER else action
            hand, then = sight.hand & ~singleton(card), row_after(row, card)
            flies = total - flies_at_best(sight.unseen, hand, then, total, total - fewest)
            if flies < fewest:
                choice, fewest = action, flies
    return choice


@compiled
def row_after(row: Row, card: int) -> Row:
    """Return the row once a card has been laid."""
    values, low, high, places = row_with(card, row.values, row.low, row.high, row.places)
    return Row(values, low, high, places, row.flies + FLIES_ON[card])


@compiled
def flies_at_best(hand: Any, other_hand: Any, row: Row, total: int, enough: int) -> int:
    """Return the flies of whoever is to decide if both play their best.

    Args:
        hand: his cards.
        other_hand: the other's.
        row: the row.
        total: all flies, of which the other has the rest.
        enough: so few that the other will not let it come to this; what is below is not searched.
    """
    fewest = row.flies + flies_in(hand)
    cards = hand & (fitting_plain(row.low, row.high) | fitting_specials(row.values, row.places))
    while cards != NONE and fewest > enough:
        card = lowest(cards)
        cards &= cards - ONE
        left, then = hand & ~singleton(card), row_after(row, card)
        fewest = min(fewest, total - flies_at_best(other_hand, left, then, total, total - fewest))
    return fewest


# --- expert -------------------------------------------------------------------------------------


@compiled
def situation(sight: Sight) -> int:
    """Return which weights apply: by what is left of the pile, and apart for an empty row."""
    opening = sight.values == NONE
    if sight.pile > 18:
        phase = table.EARLY
    elif sight.pile > 3 * sight.players:
        phase = table.MIDDLE
    elif sight.pile > sight.players:
        phase = table.LATE
    elif sight.pile > 0 or opening:
        phase = table.LAST_CARDS
    else:
        phase = table.NO_PILE if hand_size(sight.observation, 0) > 3 else table.FEW_IN_HAND
    return phase + table.OPENING if opening else phase


@compiled
def expert(observation: Any, mask: Any, key: Any) -> int:
    """Search where both hands are open, else take the action of the highest score."""
    sight = see(observation)
    if is_open(sight):
        return best_at_the_end(sight, mask)
    here = situation(sight)
    features = np.zeros(table.FEATURES)
    best, best_score = -1, 0.0
    for action in range(mask.size):
        if mask[action]:
            features[:] = 0.0
            write_features(sight, action, features)
            score = 0.0
            for feature in range(table.FEATURES):
                score += features[feature] * table.WEIGHTS[sight.players - 2, here, feature]
            if best < 0 or score > best_score:
                best, best_score = action, score
    return best


HEURISTICS = {"greedy": greedy, "expert": expert}

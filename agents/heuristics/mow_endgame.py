"""The end of a round of Mow between two: with the pile gone, hands are known, so look ahead.

It plays by the standard rules: a clear is always allowed, and gaps have room for their values.
"""

from typing import Any, NamedTuple

from agents.heuristics.mow_sight import Sight, fitting_plain, fitting_specials, hand_size, row_with
from cardenv.cards import NONE, ONE, count, lowest, singleton
from cardenv.compiling import compiled
from cardenv.games.mow import CLEAR, FLIES_ON, REVERSED, card_of, flies_in


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
            card = card_of(sight.hand, action)
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

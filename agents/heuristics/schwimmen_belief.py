"""What exchanges, turns and a stop tell of a hand: which sampled deals of 31 search believes.

The numbers are what about 19 of 20 hands had in 4000 rounds of four ``expert`` with themselves; of
single cards taken, nine in ten were of use. With several others at the table, the true deal is
so not believed at one decision in five.
"""

from typing import Any

from agents.heuristics.schwimmen import worth
from cardenv.cards import count
from cardenv.compiling import compiled

AFTER_A_TURN, AFTER_TWO_TURNS, STOPS_FROM = 34, 38, 50
"""Half-points that a hand has after one turn or more of its player, and when he stops."""


@compiled
def is_credible(row: Any, rules: Any, seat: int) -> bool:
    """Tell whether the others, by what their hands would be worth, have played as they did."""
    for other in range(rules.players):
        if other == seat or count(row.known[other]) == 3:
            continue
        if worth(row.hand[other]) < expected_of(row, other) or took_in_vain(row, other):
            return False
    return True


@compiled
def expected_of(row: Any, seat: int) -> int:
    """Return what a seat's hand is worth at least.

    With two players the lowest hand is soon the other one's, and poor ones are kept.
    """
    if row.stopper == seat:
        return STOPS_FROM
    if count(row.alive) == 2 or row.laps[seat] == 0:
        return 0
    return AFTER_A_TURN if row.laps[seat] == 1 else AFTER_TWO_TURNS


@compiled
def took_in_vain(row: Any, seat: int) -> bool:
    """Tell whether a hand would be worth no less without the only card taken from the middle."""
    hand, known = row.hand[seat], row.known[seat]
    return count(known) == 1 and worth(hand) <= worth(hand & ~known)

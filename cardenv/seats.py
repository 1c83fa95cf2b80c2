"""What games do with seats: go round the table, and pay first place and the rest of a match.

A set of seats is a ``uint64`` like a set of cards.
"""

from typing import Any

import numpy as np

from cardenv.cards import count, holds, singleton
from cardenv.compiling import compiled


@compiled
def all_seats(players: int) -> Any:
    """Return the set of all seats."""
    return singleton(players) - np.uint64(1)


@compiled
def clockwise(seat: int, places: int, players: int) -> int:
    """Return the seat so many places (0 to ``players - 1``) on round the table."""
    seat += places
    return seat if seat < players else seat - players


@compiled
def pay_first_place(row: Any, rules: Any, winners: Any) -> None:
    """Share first place: 1 for one winner, less for several, so that all rewards sum to 0."""
    tied = count(winners)
    for seat in range(rules.players):
        if holds(winners, seat):
            row.score[seat] += (1 - (tied - 1) / (rules.players - 1)) / tied
    row.payouts += 1


@compiled
def pay_the_rest(row: Any, rules: Any, losers: Any) -> None:
    """Take 1/(n-1) from each who has not come first."""
    for seat in range(rules.players):
        if holds(losers, seat):
            row.score[seat] -= 1 / (rules.players - 1)
    row.payouts += 1

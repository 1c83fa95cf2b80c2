"""What every game says of seats: a row's fields, the way round, who wins and loses, who is paid.

A set of seats is a ``uint64`` like a set of cards. ``row`` is a record of the game's ``STATE``,
``rules`` the table's record (see ``GameRules.record``).
"""

from typing import Any

import numpy as np

from cardenv.cards import NONE, count, holds, singleton
from cardenv.compiling import compiled
from cardenv.rules import REWARD_ROUNDS

COMMON_TALLIES = ("rounds", "rounds_won", "rounds_lost")
"""What every game counts of each seat: rounds that it was dealt into and that have ended."""
ROUNDS, ROUNDS_WON, ROUNDS_LOST = range(len(COMMON_TALLIES))


def tally_places(names: tuple[str, ...]) -> range:
    """Return the places in ``row.tally[seat]`` of a game's own tallies, in their order."""
    return range(len(COMMON_TALLIES), len(COMMON_TALLIES) + len(names))


def state(players: int, *fields: tuple[Any, ...], tallies: tuple[str, ...] = ()) -> np.dtype[Any]:
    """Return the dtype of a game's row: what every game has, then its own fields.

    The common fields are ``key`` (generator key of the episode), ``score`` (each seat's rewards so
    far), ``payouts`` (rises whenever a score may have changed), ``moves`` (decisions so far),
    ``turn`` (the deciding seat, -1 once the episode is over), ``left`` (set of the seats that the
    episode is over for already), ``lost`` (set of those who lost the newest round, or the match),
    ``rounds`` (rounds finished), and ``tally`` (``[players, tallies]``: counts of each seat over
    the rounds finished and the one in play, ``COMMON_TALLIES`` first; nobody observes them).

    Args:
        players: the most seats that the game has.
        fields: name, type and perhaps length of each field, as NumPy takes them.
        tallies: names of what the game counts of each seat beside what all games do.
    """
    # What every decision reads lies close together; what is seldom written comes last.
    first = [("key", "u8"), ("moves", "u4"), ("turn", "i1")]
    last = [
        *(("score", "f8", players), ("payouts", "u4"), ("left", "u8"), ("lost", "u8")),
        *(("rounds", "u4"), ("tally", "i4", (players, len(COMMON_TALLIES) + len(tallies)))),
    ]
    return np.dtype([*first, *fields, *last], align=True)


@compiled
def all_seats(players: int) -> Any:
    """Return the set of all seats."""
    return singleton(players) - np.uint64(1)


@compiled
def clockwise(seat: int, places: int, players: int) -> int:
    """Return the seat so many places (0 to ``players``) on round the table."""
    seat += places
    return seat if seat < players else seat - players


@compiled
def seats_with(values: Any, wanted: int, players: int) -> Any:
    """Return the set of seats for which ``values`` (a number a seat) has the wanted one."""
    seats = NONE
    for seat in range(players):
        if values[seat] == wanted:
            seats |= singleton(seat)
    return seats


@compiled
def count_round(row: Any, rules: Any, dealt_in: Any, winners: Any, losers: Any) -> None:
    """Count a round that has ended, at each seat dealt into it; who has lost it has not won."""
    row.rounds += 1
    row.lost = losers
    for seat in range(rules.players):
        row.tally[seat, ROUNDS] += holds(dealt_in, seat)
        row.tally[seat, ROUNDS_WON] += holds(winners & ~losers, seat)
        row.tally[seat, ROUNDS_LOST] += holds(losers, seat)


@compiled
def end_match(row: Any, rules: Any, winners: Any) -> None:
    """End a match that nobody has left before: the winners share first place."""
    row.lost = all_seats(rules.players) & ~winners
    if rules.reward != REWARD_ROUNDS:
        pay_first_place(row, rules, winners)
        pay_the_rest(row, rules, row.lost)
    row.turn = -1


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

"""Sampled worlds: what both kinds of search see instead of the hidden cards."""

from typing import Any

from cardenv.cards import WORLD, derive
from cardenv.compiling import unbound

MOST_ATTEMPTS = 32
"""Samples after which a world is taken although it is not credible."""


resample = is_credible = unbound


def sample_world(row: Any, rules: Any, key: Any, number: int, world: Any) -> None:
    """Write a row that the deciding seat cannot tell from the true one to ``world``.

    Hidden cards are drawn uniformly; a world in which others would not have done what they did is
    drawn again, as far as the game's heuristics can tell (see ``agents.heuristics``).

    Args:
        row: the true position, a record of shape ``[1]``; it does not change.
        rules: the table's record.
        key: generator key of the decision.
        number: of the world.
        world: a record of shape ``[1]``.
    """
    seat, key = row[0].turn, derive(key, WORLD, number)
    for attempt in range(MOST_ATTEMPTS):
        world[0] = row[0]
        resample(world[0], rules, seat, derive(key, WORLD, attempt))
        if is_credible(world[0], rules, seat):
            break

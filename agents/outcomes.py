"""What every action would come to: after each, the position is played on, cards as they lie.

A single outcome is a matter of luck, and of cards that the deciding seat cannot see. In the mean
over positions that look alike to it, outcomes are what its actions are worth: the hidden cards then
are as they fall in real play, and all actions of a position meet the same luck. A network that
learns these means improves on the policy that plays on (rollouts, Tesauro and Galperin 1996).
"""

import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.policies import policies_of
from cardenv.cards import NONE, ONE, gather, lowest
from cardenv.compiling import bind, cached, unbound
from cardenv.games import Game
from cardenv.players import NOBODY
from cardenv.table import Tables

legal = step = play_on = unbound


def outcome_rows(
    rows: Any,
    rules: Any,
    policy: int,
    tries: Any,
    scratch: Any,
    observation: Any,
    mask: Any,
    outcomes: Any,
) -> None:
    """Write what the legal actions in ``tries[i]`` come to in ``rows[i]``, to ``outcomes[i]``."""
    seating = np.full(rules[0].players, policy)
    for i in range(rows.size):
        seat, actions = rows[i].turn, legal(rows[i], rules[0]) & gather(tries[i], 0, mask.size)
        while actions != NONE:
            action = lowest(actions)
            actions &= actions - ONE
            scratch[0] = rows[i]
            step(scratch[0], rules[0], action)
            scratch[0].moves += 1
            play_on(scratch[0], rules[0], seating, NOBODY, observation, mask)
            outcomes[i, action] = scratch[0].score[seat] - rows[i].score[seat]


@functools.cache
def _loop(game: Game) -> Callable[..., None]:
    policies = policies_of(game)
    return cached(
        bind(outcome_rows, game.name, policies.parts), policies.sources | {Path(__file__)}
    )


def outcomes_of(
    tables: Tables, policy: int, tries: NDArray[np.int8], cores: int = 1
) -> NDArray[np.float32]:
    """Return what actions would come to if one policy played all seats from there on.

    Args:
        tables: the tables, none of them over; they do not change.
        policy: the policy's number (see ``agents.policies.names``).
        tries: int8 ``[count, actions]``, 1 for the actions to try.
        cores: on how many the work is done; the result does not depend on it.

    Returns:
        float32 ``[count, actions]``: what the deciding seat's score would rise by; 0 for actions
        that are not tried or not legal.
    """
    rows = tables.plain_rows(slice(None))
    outcomes = np.zeros(tries.shape, np.float32)
    loop = _loop(tables.game)

    def work(part: slice) -> None:
        loop(
            rows[part],
            tables.record,
            policy,
            tries[part],
            rows[:1].copy(),
            np.zeros(tables.layout.base_size, np.uint8),
            np.zeros(tries.shape[1], np.int8),
            outcomes[part],
        )

    ends = np.linspace(0, tables.count, cores + 1).astype(int)
    parts = [slice(start, end) for start, end in pairwise(ends)]
    if cores == 1:
        work(parts[0])
    else:
        with ThreadPoolExecutor(cores) as pool:
            list(pool.map(work, parts))
    return outcomes

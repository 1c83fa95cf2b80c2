"""Determinised Monte Carlo: every legal action is played to the end in the same sampled worlds.

Ginsberg (2001), "GIB: imperfect information in a computationally challenging game". Since actions
meet the same worlds and the same chance, they are compared in pairs: what counts is the difference
to the action that the playouts' policy would take, world by world.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.cards import NONE, ONE, lowest
from cardenv.compiling import compiled, unbound
from cardenv.players import NOBODY

legal = step = sample_world = choose_for = play_on = unbound


def sample_worlds(
    row: Any,
    rules: Any,
    seating: Any,
    key: Any,
    scratch: Any,
    observation: Any,
    mask: Any,
    first: int,
    worlds: int,
    usual: int,
    sums: Any,
) -> int:
    """Play every legal action of the deciding seat once in each of some sampled worlds.

    Args:
        row: the position, a record of shape ``[1]``; it does not change.
        rules: the table's record, ``[1]``.
        seating: int64 ``[players]``, the number of each seat's policy in the playouts.
        key: generator key of this decision.
        scratch: two rows.
        observation: uint8 ``[size]``, a buffer.
        mask: int8 ``[actions]``, a buffer.
        first: number of the first world.
        worlds: how many.
        usual: the policy's own action, or -1 to ask for it.
        sums: float64 ``[3, actions]``, added to: the deciding seat's scores; how much they are
            above those of the policy's own action; the squares of that.

    Returns:
        The policy's own action.
    """
    seat, actions = row[0].turn, legal(row[0], rules[0])
    scores = np.zeros(mask.size)
    if usual < 0:
        sample_world(row, rules[0], key, 0, scratch[:1])
        usual = choose_for(scratch[0], rules[0], seating[seat], observation, mask)
    for world in range(first, first + worlds):
        sample_world(row, rules[0], key, world, scratch[:1])
        left = actions
        while left != NONE:
            action = lowest(left)
            left &= left - ONE
            scratch[1] = scratch[0]
            step(scratch[1], rules[0], action)
            scratch[1].moves += 1
            play_on(scratch[1], rules[0], seating, NOBODY, observation, mask)
            scores[action] = scratch[1].score[seat] - row[0].score[seat]
        add_pairs(scores, actions, usual, sums)
    return usual


@compiled
def add_pairs(scores: Any, actions: Any, usual: int, sums: Any) -> None:
    """Add one world's scores, and their differences to the usual action's."""
    while actions != NONE:
        action = lowest(actions)
        actions &= actions - ONE
        gain = scores[action] - scores[usual]
        sums[0, action] += scores[action]
        sums[1, action] += gain
        sums[2, action] += gain * gain


def surely_ahead(sums: NDArray[np.float64], worlds: int, caution: float) -> NDArray[np.float64]:
    """Return how far each action is ahead of the policy's own, less so many standard errors.

    Args:
        sums: as ``sample_worlds`` leaves them.
        worlds: how many were sampled.
        caution: standard errors to take off; of a single world there are none.
    """
    gain = sums[1] / worlds
    variance = np.maximum(sums[2] / worlds - gain * gain, 0) / max(worlds - 1, 1)
    ahead: NDArray[np.float64] = gain - caution * np.sqrt(variance)
    return ahead

"""Players of 31 by rules: the yardstick ``greedy`` and the strongest rules known, ``expert``."""

from typing import Any

import numpy as np

from cardenv.compiling import compiled
from cardenv.games.schwimmen import (
    CHANGE,
    KEEP,
    LAY_DOWN,
    LAYOUT,
    PASS,
    STOP,
    SWAP_ALL,
)

_HAND_VALUE = LAYOUT.offset("hand_value")
_EXCHANGE_VALUES = LAYOUT.offset("exchange_values")
_IN = LAYOUT.offset("in")
_SEAT_SIZE = LAYOUT.seat_size

GREEDY_KEEPS = 2 * 19
GREEDY_STOPS = 2 * 26


@compiled
def greedy(observation: Any, mask: Any, key: Any) -> int:
    """Play the yardstick: keep 19, stop at 26, else the best exchange by value, else pass."""
    if mask[KEEP]:
        return KEEP if observation[_HAND_VALUE] >= GREEDY_KEEPS else CHANGE
    if mask[LAY_DOWN]:
        return LAY_DOWN
    if mask[STOP] and observation[_HAND_VALUE] >= GREEDY_STOPS:
        return STOP
    return best_exchange(observation)


@compiled
def best_exchange(observation: Any) -> int:
    """Return the exchange of highest value (ties: the lowest), or pass if none improves."""
    best, best_value = PASS, observation[_HAND_VALUE]
    for action in range(SWAP_ALL + 1):
        if observation[_EXCHANGE_VALUES + action] > best_value:
            best, best_value = action, observation[_EXCHANGE_VALUES + action]
    return best


STOPS = np.array([0, 0, 58, 54, 50, 48, 46, 46, 46, 46], np.int64)
"""Half-points from which a stop pays against greedy play, by players in (from simulation)."""


@compiled
def players_in(observation: Any) -> int:
    """Count the players who are still in."""
    players = 0
    for place in range(_IN, observation.size, _SEAT_SIZE):
        players += observation[place]
    return players


@compiled
def expert(observation: Any, mask: Any, key: Any) -> int:
    """Play greedily, but stop when the number of players says so."""
    if mask[STOP] and observation[_HAND_VALUE] >= STOPS[players_in(observation)]:
        return STOP
    if mask[STOP]:
        return best_exchange(observation)
    return greedy(observation, mask, key)


HEURISTICS = {"greedy": greedy, "expert": expert}

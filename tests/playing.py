"""Random play through PettingZoo's interface, for tests of what it promises."""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def random_action(mask: NDArray[np.int8], rng: np.random.Generator) -> int:
    """Return one of the legal actions; a mask without any is a fault and not action 0."""
    legal = np.flatnonzero(mask)
    assert legal.size, "an agent that is to act has no legal action"
    return int(rng.choice(legal))


def next_action(env: Any, rng: np.random.Generator) -> int | None:
    """Return a random action for the selected agent, ``None`` for one that has terminated."""
    observation, _, terminated, truncated, _ = env.last()
    if terminated or truncated:
        return None
    return random_action(observation["action_mask"], rng)


def first_legal(env: Any) -> int:
    """Return the lowest action that the selected agent may take."""
    return int(np.flatnonzero(env.last()[0]["action_mask"])[0])


def first_masked(env: Any) -> int:
    """Return the lowest action that the selected agent may not take."""
    return int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])


def play_out(
    env: Any, rng: np.random.Generator, watch: Callable[[], None] = lambda: None
) -> dict[str, float]:
    """Play from where the environment stands until no agent is left; call ``watch`` every step.

    Returns:
        What each agent got in all, as ``last`` gave it.
    """
    totals = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        totals[agent] += env.last(observe=False)[1]
        env.step(next_action(env, rng))
        watch()
    return totals


def row_digest(rows: NDArray[Any]) -> str:
    """Digest the fields of rows, without the padding between them, which nobody sets."""
    return _digest(*(rows[name].tobytes() for name in rows.dtype.names or ()))


def whole_state(env: Any) -> str:
    """Digest everything an environment holds, to tell whether anything has changed."""
    table_env = env.unwrapped
    tables = table_env._tables
    arrays = (tables.observations, tables.masks, tables._episodes, tables._seeds)
    flags = (table_env.agents, table_env.agent_selection, table_env.rewards, table_env.terminations)
    more = (table_env._cumulative_rewards, table_env.infos, table_env.truncations)
    parts = (row_digest(tables.rows), repr((flags, more)))
    return _digest(*(array.tobytes() for array in arrays), *(part.encode() for part in parts))


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def same(one: Any, other: Any) -> bool:
    """Tell whether two things handed out are equal: nested dictionaries, arrays and values."""
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and bool(np.array_equal(one, other))
    return bool(one == other)

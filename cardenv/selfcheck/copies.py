"""Copies play on as their originals would, and by themselves; so does what was saved and loaded."""

import copy
import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from cardenv.envs.learner import LearnerTables
from cardenv.selfcheck.setting import (
    Setting,
    draw_legal,
    drawn_action,
    play,
    play_environment,
    same_rows,
)
from cardenv.table import Tables

PROMISE = "copies, pickles and saved tables play on equally, and touch nothing of the original"
STOPS = (0, 1, 5)


def check(setting: Setting) -> None:
    """Copy tables and environments at several depths, in every way."""
    ways: dict[str, Callable[[Tables], Tables]] = {
        "a deep copy": copy.deepcopy,
        "a pickle": lambda tables: pickle.loads(pickle.dumps(tables)),
        "what was saved and loaded": lambda tables: _saved_and_loaded(setting, tables),
    }
    for stop in STOPS:
        tables = _played_to(setting, stop)
        for words, way in ways.items():
            _check_copy(setting, tables, way(tables), words, stop)
    _check_environment(setting)
    _check_learner(setting)


def _played_to(setting: Setting, stop: int) -> Tables:
    tables = setting.dealt()
    for move, _ in play(setting, tables):
        if move == stop:
            break
    return tables


def _saved_and_loaded(setting: Setting, tables: Tables) -> Tables:
    """Write tables as a file holds them, and read them into new ones."""
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **tables.state_dict())
    file.seek(0)
    loaded = setting.tables()
    with np.load(file) as arrays:
        loaded.load_state_dict(dict(arrays))
    return loaded


def _check_copy(setting: Setting, tables: Tables, twin: Tables, words: str, stop: int) -> None:
    """Play the copy first, which must not move the original; both must end alike."""
    before = copy.deepcopy(tables.state_dict())
    _require(setting, twin.state_dict(), before, f"{words} is not equal to its original", stop)
    for _ in play(setting, twin):
        pass
    twin.reset()
    what = f"{words} shares memory with its original, which moves with it"
    _require(setting, tables.state_dict(), before, what, stop)
    original = _played_to(setting, stop)
    for _ in play(setting, original):
        pass
    original.reset()
    what = f"{words} plays on differently from its original"
    _require(setting, twin.state_dict(), original.state_dict(), what, stop)


def _require(
    setting: Setting, one: dict[str, Any], other: dict[str, Any], what: str, move: int
) -> None:
    """Raise ``BrokenPromise`` unless two states are the same."""
    for name in other:
        rows = other[name].dtype.names is not None
        same = same_rows(one[name], other[name]) if rows else one[name] == other[name]
        for table in np.flatnonzero(~np.asarray(same).reshape(setting.games, -1).all(axis=1)):
            raise setting.broken("copies", what, table=int(table), move=move)


def _check_environment(setting: Setting) -> None:
    """Copies of PettingZoo's environment go on like it."""
    env = setting.environment()
    for move in play_environment(setting, env):
        if move > 3:
            return
        twins = (copy.deepcopy(env), pickle.loads(pickle.dumps(env)))
        before = env.state()
        ends = [_end_of(twin) for twin in twins]
        if not np.array_equal(env.state(), before):
            what = "a copy of PettingZoo's environment moves the original"
            raise setting.broken("copies", what, table=0, move=move)
        original = _end_of(pickle.loads(pickle.dumps(env)))
        if any(each != original for each in ends):
            what = "a copy of PettingZoo's environment plays on differently"
            raise setting.broken("copies", what, table=0, move=move)


def _end_of(env: Any) -> Any:
    """Play on for some steps, or to the end, and return what is handed out on the way."""
    record: list[Any] = []
    for _ in range(60):
        if not env.agents:
            break
        seen = env.last()
        record.append((env.agent_selection, seen[0]["observation"].tobytes(), seen[1:4]))
        env.step(drawn_action(env))
    record.append(env.state().tobytes())
    return record


def _check_learner(setting: Setting) -> None:
    """What ``state_dict`` of a learner's tables returns is enough to go on exactly."""
    one, other = (
        LearnerTables(setting.game, count=setting.games, **setting.learner) for _ in range(2)
    )
    one.reset(seed=setting.seeds)
    other.load_state_dict(one.state_dict())
    for move in range(10):
        live = np.flatnonzero(~one.ended)
        if not live.size:
            return
        actions = draw_legal(one.masks[live], one.tables.play_keys(live))
        first, second = (each.step(actions, live) for each in (one, other))
        if not np.array_equal(first, second) or not np.array_equal(
            one.observations, other.observations
        ):
            what = "a learner's tables that were saved and loaded play on differently"
            raise setting.broken("copies", what, move=move)

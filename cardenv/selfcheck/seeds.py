"""One seed, one game: in any batch, however often, whatever other generators do."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from cardenv.selfcheck.setting import Setting, going_on, play, same_rows, step_randomly
from cardenv.table import Tables

PROMISE = "a seed fixes every game, alone and in any batch, and nothing else does"
POISONS = (0, 12345)


def check(setting: Setting) -> None:
    """Play equal and unequal seeds, in batches and alone, in a row and at once."""
    first = _played(setting, setting.dealt())
    _check_equal(setting, first, setting.dealt(), "the same seed gives another game")
    _check_global_generators(setting, first)
    _check_alone(setting, first)
    _check_order(setting, first)
    _check_later_episodes(setting)
    _check_deals_differ(setting)


def _played(setting: Setting, tables: Tables) -> Any:
    """Play to the end; return the rows as they are then."""
    for _ in play(setting, tables):
        pass
    return tables.rows.copy()


def _check_equal(setting: Setting, expected: Any, tables: Tables, what: str) -> None:
    same = same_rows(expected, _played(setting, tables))
    for table in np.flatnonzero(~same):
        raise setting.broken("seeds", what, table=int(table))


def _check_global_generators(setting: Setting, first: Any) -> None:
    """Python's and NumPy's global generators neither matter nor are touched."""
    before = (random.getstate(), np.random.get_state())
    try:
        for poison in POISONS:
            random.seed(poison)
            np.random.seed(poison)
            states = _global_states()
            what = "a game depends on the state of a global generator"
            _check_equal(setting, first, setting.dealt(), what)
            if _global_states() != states:
                raise setting.broken("seeds", "a game draws from a global generator")
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])


def _global_states() -> tuple[Any, ...]:
    state: Any = np.random.get_state()
    return random.getstate(), state[1].tobytes(), state[2]


def _check_alone(setting: Setting, first: Any) -> None:
    """A game is the same alone as in a batch, and through PettingZoo."""
    for table in sorted({0, setting.games // 2, setting.games - 1}):
        alone = setting.tables(1)
        alone.reset(seed=setting.seeds[table])
        if not same_rows(first[table : table + 1], _played(setting, alone)).all():
            what = "a table plays another game in a batch than alone"
            raise setting.broken("seeds", what, table=table)


def _check_order(setting: Setting, first: Any) -> None:
    """Tables are independent: played one after the other, they play what they do together."""
    tables = setting.dealt()
    half = np.arange(setting.games) % 2
    for part in (1, 0):
        for _ in _part_played(setting, tables, half == part):
            pass
    for table in np.flatnonzero(~same_rows(first, tables.rows)):
        what = "what one table plays depends on when another moves"
        raise setting.broken("seeds", what, table=int(table))


def _part_played(setting: Setting, tables: Tables, part: Any) -> Iterator[None]:
    while (live := going_on(tables)[part[going_on(tables)]]).size:
        step_randomly(setting, tables, live)
        yield


def _check_later_episodes(setting: Setting) -> None:
    """One seed fixes all later episodes, however the earlier ones were played."""
    played, skipped = setting.dealt(), setting.dealt()
    dealt = skipped.rows.copy()
    for episode in (1, 2):
        _played(setting, played)
        for tables in (played, skipped):
            tables.reset()
        for table in np.flatnonzero(~same_rows(played.rows, skipped.rows)):
            what = f"how an episode is played moves the deal of episode {episode} after it"
            raise setting.broken("seeds", what, table=int(table))
    played.reset(seed=setting.seeds)
    for table in np.flatnonzero(~same_rows(played.rows, dealt)):
        what = "a reset with the seed does not begin its games anew"
        raise setting.broken("seeds", what, table=int(table))


def _check_deals_differ(setting: Setting) -> None:
    """Tables under one seed, episodes, seeds, and tables without one all have their own deals."""
    tables = setting.tables()
    tables.reset(seed=setting.seed)
    keys = [*tables.rows["key"].tolist()]
    states = [tables.states()]
    tables.reset()
    keys += tables.rows["key"].tolist()
    states.append(tables.states())
    if len(set(keys)) < len(keys):
        raise setting.broken("seeds", "tables or episodes under one seed share a generator's key")
    if len({state.tobytes() for state in np.concatenate(states)}) == 1:
        raise setting.broken("seeds", "every table and every episode has the same deal")
    other = setting.tables()
    other.reset(seed=(setting.seed + 2**40) % 2**64)
    if same_rows(other.rows, setting.dealt().rows).all():
        raise setting.broken("seeds", "another seed gives the same games")
    unseeded = [setting.tables() for _ in range(2)]
    for each in unseeded:
        each.reset()
    if set(unseeded[0].rows["key"].tolist()) & set(unseeded[1].rows["key"].tolist()):
        raise setting.broken("seeds", "without a seed, two tables play the same")

"""The compiled game is the game as written: with bounds checks, as plain Python, in any process."""

import dataclasses
import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest

from cardenv import games
from cardenv.table import Tables
from tests.cases import every_game, players_of
from tests.lockstep import drawn_actions
from tests.test_search import thoughts
from tests.trace import digests, small_settings, tables_of, trace

HISTORIES = pytest.mark.parametrize("history", [pytest.param(0, marks=pytest.mark.slow), 5])
"""With events kept there is all the code that there is without, and more."""


def digests_elsewhere(
    game: str, episodes: int, history: int = 0, **environment: str
) -> list[list[str]]:
    """Play the same games in another process."""
    command = [sys.executable, "-m", "tests.trace", game, str(episodes), str(history)]
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: list[list[str]] = json.loads(done.stdout)
    return found


def assert_same(game: str, episodes: int, elsewhere: list[list[str]], history: int = 0) -> None:
    """Compare with this process, and name the first setting and step that differ."""
    settings = small_settings(game, episodes)
    own = digests(game, settings, history)
    for setting, here, there in zip(settings, own, elsewhere, strict=True):
        steps = [k for k, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1]]
        assert here == there, f"{setting}: first difference after {steps[:1]} steps"


@HISTORIES
@every_game
def test_with_bounds_checks_the_games_are_the_same(game, history):
    """Without checks an index past a field would overwrite the next field in silence."""
    elsewhere = digests_elsewhere(game, 2000, history, NUMBA_BOUNDSCHECK="1")
    assert_same(game, 2000, elsewhere, history)


@every_game
def test_that_mode_does_check_bounds(game):
    _, _, players = players_of(game)
    beyond = games.get(game).rules.MAX_PLAYERS
    code = f"""
import numpy as np
from cardenv.table import Tables
tables = Tables({game!r}, 1, {players})
tables.reset(seed=1)
seen = np.zeros((1, tables.layout.size), np.uint8)
tables.kernels.observe(tables.rows, tables.record, np.array([0]), np.array([{beyond}]), seen)
"""
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "IndexError" in done.stderr


@HISTORIES
@every_game
def test_as_plain_python_the_games_are_the_same(game, history):
    elsewhere = digests_elsewhere(game, 40, history, NUMBA_DISABLE_JIT="1")
    assert_same(game, 40, elsewhere, history)


MODES = [
    pytest.param({"PYTHONHASHSEED": "4711"}, id="hash seed"),
    pytest.param({"NUMBA_DISABLE_JIT": "1"}, id="plain Python"),
    pytest.param({"NUMBA_BOUNDSCHECK": "1"}, id="bounds checks", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("mode", MODES)
@every_game
def test_in_any_mode_and_process_searches_think_the_same(game, mode):
    code = f"import json, tests.test_search as search; print(json.dumps(search.thoughts({game!r})))"
    environment = {**os.environ, **mode}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == thoughts(game)


@every_game
@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_in_another_process_the_games_are_the_same(game, hash_seed):
    assert_same(game, 400, digests_elsewhere(game, 400, PYTHONHASHSEED=hash_seed))


@every_game
def test_global_generators_neither_matter_nor_are_touched(game, poisoned_generators):
    settings = small_settings(game, 150)
    first = digests(game, settings)
    random.seed(1)
    np.random.seed(1)
    before = (random.getstate(), np.random.get_state()[1].tolist())
    assert digests(game, settings) == first
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before


@every_game
def test_the_same_seed_gives_the_same_game_at_any_index_of_any_batch(game):
    for setting in small_settings(game, 400):
        batch = tables_of(game, setting)
        whole = [everything(batch, k) for k in range(batch.count)]
        seeds = np.array(setting.seeds)
        order = np.random.default_rng(0).permutation(len(seeds))
        turned = Tables(
            *(game, len(seeds), setting.players), rules=setting.rules, episode=setting.episode
        )
        turned.reset(seed=seeds[order].tolist())
        assert [everything(turned, int(k)) for k in np.argsort(order)] == whole
        play_out(batch, setting.weights)
        play_out(turned, setting.weights)
        alone = Tables(game, 1, setting.players, rules=setting.rules, episode=setting.episode)
        alone.reset(seed=int(seeds[-1]))
        play_out(alone, setting.weights)
        assert everything(batch, len(seeds) - 1) == everything(alone, 0)
        for k in range(len(seeds)):
            assert everything(turned, k) == everything(batch, int(order[k]))


@every_game
def test_a_table_that_waits_does_not_change_the_others(game):
    """Stepping tables one by one, in any order, is stepping them together."""
    for setting in small_settings(game, 300)[::5]:
        together, apart = tables_of(game, setting), tables_of(game, setting)
        play_out(together, setting.weights)
        for table in reversed(range(apart.count)):
            while apart.turn[table] >= 0:
                action = drawn_actions(apart, np.array([table]), setting.weights)
                apart.step_one(table, int(action[0]))
        for table in range(apart.count):
            assert everything(together, table) == everything(apart, table)


@every_game
def test_later_episodes_follow_from_the_first_seed(game):
    """Reset without a seed goes on in the stream; the deals differ, and come again."""
    streams = []
    for _ in range(2):
        tables = Tables(game, 50, games.get(game).rules.MIN_PLAYERS)
        tables.reset(seed=7)
        streams.append([tables.rows["key"].copy()])
        for _ in range(3):
            tables.reset()
            streams[-1].append(tables.rows["key"].copy())
    assert np.array_equal(streams[0], streams[1])
    assert len(np.unique(streams[0])) == 200


@every_game
def test_without_a_seed_the_games_differ(game):
    keys = []
    for _ in range(3):
        tables = Tables(game, 20, games.get(game).rules.MIN_PLAYERS)
        tables.reset()
        keys.append(tables.rows["key"].copy())
    assert len(np.unique(keys)) == 60


@every_game
def test_no_field_of_a_row_hides_behind_an_attribute_of_numpys_record(game):
    """Plain Python reads ``row.field``; a field named like a method would be out of reach."""
    names = [*games.get(game).state.names, *games.get(game).rules.dtype().names]
    assert [name for name in names if hasattr(np.record, name)] == []


def everything(tables: Tables, table: int) -> tuple[bytes, ...]:
    """One table's row, observation and mask."""
    fields = [tables.rows[table][name].tobytes() for name in tables.rows.dtype.names]
    return (*fields, tables.observations[table].tobytes(), tables.masks[table].tobytes())


def play_out(tables: Tables, weights: tuple[float, ...]) -> None:
    while (live := np.flatnonzero(tables.turn >= 0)).size:
        tables.step(drawn_actions(tables, live, weights), live)


@every_game
def test_a_trace_notices_other_actions(game):
    """The digests above can differ."""
    setting = small_settings(game, 400)[0]
    first, again = (trace(tables_of(game, setting), setting) for _ in range(2))
    assert first == again
    rising = tuple(float(action + 1) for action in range(len(setting.weights)))
    others = dataclasses.replace(setting, weights=rising)
    same = trace(tables_of(game, others), others) == first
    assert not same

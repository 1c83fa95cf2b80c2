"""The conformance suite: good games pass it, and every planted fault is found and rightly named."""

import copy
import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardenv
from cardenv import games, selfcheck
from cardenv.envs.aec import TableEnv
from cardenv.envs.learner import LearnerTables
from cardenv.rules import RulesError
from cardenv.selfcheck import PROMISES
from cardenv.table import IllegalAction, Tables
from tests.cases import Table, every_game, every_kind_of_table, players_of, short_rules
from tests.high_card import FAULTS_OF_A_GAME, OF_A_GAME, QUICK, ROOT, faulty


@every_game
@pytest.mark.parametrize("episode", ["round", "match"])
def test_shipped_games_keep_every_promise(game: str, episode: str) -> None:
    low, some, high = players_of(game)
    where: dict[str, Any] = {
        "round": {"rules": [*games.get(game).rules.PRESETS], "players": [some]},
        "match": {"rules": [short_rules(game, reward="rounds")], "players": [low, high]},
    }[episode]
    report = selfcheck.run(game, games=3, episodes=[episode], seed=5, **where)
    report.check()
    assert report.held == [*PROMISES]


@every_kind_of_table
def test_masks_leaks_and_cards_are_as_promised_by_every_switch(table: Table) -> None:
    where = {"players": [table.players], "episodes": [table.episode], "rules": [table.rules]}
    report = selfcheck.run(table.game, games=2, promises=["masks", "cards", "leaks"], **where)
    report.check()
    assert report.held == ["masks", "cards", "leaks"]


@every_game
def test_the_suite_plays_the_fewest_some_and_the_most_players_by_every_preset(game: str) -> None:
    told: list[tuple[int, int, str]] = []
    report = selfcheck.run(
        game, games=2, promises=["cards"], progress=lambda *words: told.append(words)
    )
    presets = {games.get(game).rules.preset(name) for name in games.get(game).rules.PRESETS}
    assert len(report.tables) == 2 * len(presets) * len(set(players_of(game)))
    assert [done for done, _, _ in told] == [*range(len(report.tables) + 1)]
    assert {total for _, total, _ in told} == {len(report.tables)}
    assert told[0][2] == f"cards: {report.tables[0]}"
    assert report.ok
    assert len(report.lines()) == 2


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"games": 1}, "games=1 is not possible"),
        ({"players": [9]}, "players=9 is not possible"),
        ({"players": []}, "players=[] is no list with something in it"),
        ({"rules": "letter"}, "rules='letter' is no list"),
        ({"rules": ["lenient"]}, "is no preset of rules"),
        ({"episodes": ["day"]}, "episode='day' is not possible"),
        ({"promises": ["speed"]}, "'speed' is no promise; there are bounds, episodes"),
        ({"seed": -1}, "seed=-1 is not possible"),
    ],
)
def test_what_cannot_be_checked_is_refused_with_what_is_allowed(
    settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(RulesError, match=r"^[^\n]+$") as caught:
        selfcheck.run("mow", **settings)
    assert said in str(caught.value)


def test_an_error_tells_where_it_is_and_how_to_see_it_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    the_next_seats_reward(monkeypatch)
    error = selfcheck.run("mow", seed=7, rules=["letter"], **QUICK).broken["rewards"]
    assert error.place.startswith("mow, 3 players, round, rules 'letter', seed ")
    again = eval(error.again, {"selfcheck": selfcheck}).broken["rewards"]
    assert str(again) == str(error)


# --- Faults of environments -----------------------------------------------------------------------


def a_step_that_takes_what_is_illegal(patch: pytest.MonkeyPatch) -> None:
    step = TableEnv.step

    def lenient(env: TableEnv, action: Any) -> None:
        try:
            step(env, action)
        except IllegalAction:
            step(env, int(env._mask.argmax()))

    patch.setattr(TableEnv, "step", lenient)


def a_mask_for_everybody(patch: pytest.MonkeyPatch) -> None:
    observe = TableEnv.observe
    patch.setattr(
        TableEnv,
        "observe",
        lambda env, agent: {**observe(env, agent), "action_mask": env._mask.copy()},
    )


def a_picture_with_open_cards(patch: pytest.MonkeyPatch) -> None:
    describe = Tables.describe
    patch.setattr(Tables, "describe", lambda tables, table, seat: describe(tables, table, -1))


def a_last_reward_that_is_dropped(patch: pytest.MonkeyPatch) -> None:
    terminate = TableEnv._terminate

    def dropping(env: TableEnv, offender: str | None) -> None:
        env._pay_nothing()
        terminate(env, offender)

    patch.setattr(TableEnv, "_terminate", dropping)


def a_payoff_that_is_kept_for_the_next_step_too(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TableEnv, "_leave", _keeping_rewards(TableEnv._leave))


def _keeping_rewards(leave: Callable[..., None]) -> Callable[..., None]:
    def keeping(env: TableEnv, agent: str, action: Any) -> None:
        kept = dict(env._cumulative_rewards)
        leave(env, agent, action)
        for other in env._cumulative_rewards:
            env._cumulative_rewards[other] += kept[agent]

    return keeping


def the_next_seats_reward(patch: pytest.MonkeyPatch) -> None:
    def scores(learner: LearnerTables, which: Any) -> Any:
        return learner.tables.score[which, (learner.seats[which] + 1) % learner.tables.players]

    patch.setattr(LearnerTables, "_scores", scores)


def an_array_that_is_written_to_again(patch: pytest.MonkeyPatch) -> None:
    observations = LearnerTables.observations.fget
    buffers: dict[int, Any] = {}

    def shared(learner: LearnerTables) -> Any:
        found = observations(learner)  # type: ignore[misc]
        buffer = buffers.setdefault(id(learner), found)
        buffer[:] = found
        return buffer

    patch.setattr(LearnerTables, "observations", property(shared))


def a_copy_that_shares_memory(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Tables, "__deepcopy__", lambda tables, memo: copy.copy(tables), raising=False)


def a_saved_state_without_its_seeds(patch: pytest.MonkeyPatch) -> None:
    load = Tables.load_state_dict

    def loading(tables: Tables, state: Any) -> None:
        kept = tables._episodes.copy()
        load(tables, state)
        tables._episodes[:] = kept

    patch.setattr(Tables, "load_state_dict", loading)


def a_seed_that_depends_on_the_batch(patch: pytest.MonkeyPatch) -> None:
    seed = Tables.seed

    def seeding(tables: Tables, *arguments: Any) -> None:
        seed(tables, *arguments)
        tables._seeds += np.uint64(tables.count)

    patch.setattr(Tables, "seed", seeding)


def a_seed_that_is_ignored(patch: pytest.MonkeyPatch) -> None:
    seed = Tables.seed
    patch.setattr(Tables, "seed", lambda tables, *arguments: seed(tables, None))


def observations_of_another_seat(patch: pytest.MonkeyPatch) -> None:
    observe = Tables.observe_one
    patch.setattr(
        Tables,
        "observe_one",
        lambda tables, table, seat: observe(tables, table, (seat + 1) % tables.players),
    )


def agents_that_never_leave(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TableEnv, "_leave", lambda env, agent, action: None)
    patch.setattr("cardenv.selfcheck.setting.MOST_DECISIONS", 2000)


FAULTS_OF_ENVIRONMENTS: dict[Callable[[pytest.MonkeyPatch], None], tuple[str, str]] = {
    a_step_that_takes_what_is_illegal: ("masks", "PettingZoo's step takes illegal action"),
    a_mask_for_everybody: ("masks", "is given a wrong mask"),
    a_picture_with_open_cards: ("leaks", "the picture given to player_"),
    a_last_reward_that_is_dropped: ("skins", "PettingZoo's rewards give player_0 0, Tables"),
    a_payoff_that_is_kept_for_the_next_step_too: ("skins", "last\\(\\) gives an agent sums to"),
    the_next_seats_reward: ("rewards", "a learner's rewards sum to .*, its score is"),
    an_array_that_is_written_to_again: ("skins", "arrays that a later step writes to"),
    a_copy_that_shares_memory: ("copies", "a deep copy shares memory"),
    a_saved_state_without_its_seeds: ("copies", "what was saved and loaded is not equal"),
    a_seed_that_depends_on_the_batch: ("seeds", "another game in a batch than alone"),
    a_seed_that_is_ignored: ("seeds", "the same seed gives another game"),
    observations_of_another_seat: ("skins", "gives player_. another observation than Tables"),
    agents_that_never_leave: ("episodes", "PettingZoo's agents are still there"),
}


@pytest.mark.parametrize("fault", FAULTS_OF_ENVIRONMENTS, ids=lambda fault: fault.__name__)
def test_a_fault_of_an_environment_is_found_under_the_promise_it_breaks(
    fault: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    promise, words = FAULTS_OF_ENVIRONMENTS[fault]
    fault(monkeypatch)
    report = selfcheck.run("mow", promises=[promise], **QUICK)
    assert list(report.broken) == [promise]
    assert not report.ok
    with pytest.raises(selfcheck.BrokenPromise, match=f"^{promise}: .*{words}"):
        report.check()


# --- Faults of a game -----------------------------------------------------------------------------


def test_compiled_code_that_writes_beyond_a_field_is_found_and_not_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "an observation that is written beyond its end"
    source = faulty(name).replace('"high_card"', '"beyond_card"')
    (tmp_path / "beyond_card.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(games, "_games", dict(games._games))
    cardenv.register(importlib.import_module("beyond_card"))
    report = selfcheck.run("beyond_card")
    assert list(report.broken) == ["bounds"]
    assert "IndexError" in report.broken["bounds"].what
    assert "beyond_card.py, line" in report.broken["bounds"].what
    assert set(report.unchecked) == {*PROMISES} - {"bounds"}


def test_a_game_that_another_process_cannot_import_is_said_to_be_unchecked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    report = selfcheck.run("mow", promises=["bounds"], **QUICK)
    assert "another process cannot play it" in report.unchecked["bounds"]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the suite says of each game, played as plain Python, which needs no compiling."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.high_card", tmp_path_factory.mktemp("toys")],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    outcomes = [json.loads(line) for line in run.stdout.splitlines()]
    return {name: {"broken": b, "unchecked": u, "lines": lines} for name, b, u, lines in outcomes}


def test_the_notebooks_game_keeps_every_promise(found: dict[str, Any]) -> None:
    outcome = found["no fault"]
    assert not outcome["broken"]
    assert not outcome["unchecked"]
    assert [line.split()[:2] for line in outcome["lines"][1:]] == [["holds", p] for p in PROMISES]


ALSO_BROKEN = {
    "a generator that all tables share": {"copies"},
    "a starter from NumPy's global generator": {"copies"},
    "a card that stays in the pile when it is drawn": {"resampling"},
}
"""Promises that a fault breaks besides the one that names it best."""


@pytest.mark.parametrize("name", [*FAULTS_OF_A_GAME][1:])
def test_a_fault_of_a_game_is_found_under_the_promise_it_breaks(
    found: dict[str, Any], name: str
) -> None:
    promise, words, _ = FAULTS_OF_A_GAME[name]
    broken = found[name]["broken"]
    assert re.search(words, broken.get(promise, "")), found[name]
    assert set(broken) - {promise} <= ALSO_BROKEN.get(name, set())
    if promise == "bounds":  # the same fault is not told again under every other promise
        assert set(found[name]["unchecked"]) == {*OF_A_GAME} - {"bounds"}
    assert found[name]["lines"][1:] != found["no fault"]["lines"][1:]

"""How many decisions a second: the engine in batches, and each environment made over it.

Every figure is the median of several runs of equal length, taken in turn, so that a change in the
machine's speed meets all of them. Random choices are drawn before the clock runs, except inside
the kernel and by peers, where drawing them is part of the work. Peers are other libraries' games
at the job of ``scaled_play``, in the same run.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import agents
from agents import policies
from cardenv.envs.aec import TableEnv
from cardenv.envs.gymnasium import LearnerVectorEnv
from cardenv.envs.learner import LearnerTables
from cardenv.players import Searcher, ask
from cardenv.table import Tables
from experiments import peers
from experiments.command import (
    SettingsError,
    TableSettings,
    give_report,
    progress_bar,
    provenance,
    run,
)
from experiments.deals import play_deals
from experiments.intervals import mean_interval
from experiments.lineups import one_among
from experiments.measurement import Measurement, repeat

EVALUATED_DEALS = 1024
SEARCH, SEARCHED_TABLES = "mc:200", 4
PEERS_JOB_TABLES = 4096
PEERS_JOB = f"the peers' job, {PEERS_JOB_TABLES} tables"


@dataclass
class Settings(TableSettings):
    """Measure decisions a second on one core, for about (10 + batches * 4) * repeats * seconds."""

    batches: tuple[int, ...] = (1, 64, 512, 4096, 16384)
    """Numbers of tables stepped together."""
    learner_tables: int = 512
    """Tables of the environments with opponents."""
    opponent: str = "greedy"
    """Who plays the other seats there."""
    seconds: float = 1.0
    """Length of each run."""
    repeats: int = 3
    """Runs of each; the median counts."""
    peers: bool = False
    """Also measure other libraries' games at the same job, and how many times as fast ours is."""
    start: bool = False
    """Also measure the first start, with an empty compile cache, and a later one."""
    json: bool = False
    """Print the result as JSON instead of a table."""
    out: Path | None = None
    """Also write the result as JSON to this file."""


def random_play(tables: Tables, seed: int) -> Measurement:
    """Random legal play inside the kernel, every mask and observation written."""
    tables.reset(seed=seed)
    tables.play_randomly(1)

    def measure(seconds: float) -> tuple[int, float]:
        steps = max(1, 200_000 // tables.count)

        def play() -> int:
            tables.play_randomly(steps)
            return steps * tables.count

        return repeat(play, seconds)

    return measure


def scaled_play(tables: Tables, seed: int) -> Measurement:
    """Random legal play as peers are measured at it: each observation becomes float32 too."""
    tables.reset(seed=seed)
    tables.play_randomly(1)

    def play() -> int:
        tables.play_randomly(1)
        tables.layout.scaled(tables.observations)
        return tables.count

    return lambda seconds: repeat(play, seconds)


def given_actions(tables: Tables, seed: int) -> Measurement:
    """``Tables.step`` with actions from outside; finished tables are reset, uncounted."""
    tables.reset(seed=seed)
    generator = np.random.default_rng(1)

    def measure(seconds: float) -> tuple[int, float]:
        decisions, spent = 0, 0.0
        while spent < seconds:
            actions = (generator.random(tables.masks.shape) * tables.masks).argmax(axis=1)
            began = time.perf_counter()
            tables.step(actions)
            spent += time.perf_counter() - began
            decisions += tables.count
            over = np.flatnonzero(tables.turn < 0)
            if over.size:
                tables.reset(over)
        return decisions, spent

    return measure


def aec(settings: TableSettings) -> Measurement:
    """PettingZoo's ``last`` and ``step`` without wrappers, legal actions drawn from the mask."""
    table = settings.tables(1)
    env = TableEnv(
        table.game,
        settings.players,
        episode=settings.episode,
        rules=table.rules,
        max_players=settings.max_players,
        history=settings.history,
    )
    draws = np.random.default_rng(1).random(4096)

    def play(episodes: int = 20) -> int:
        decisions = 0
        for _ in range(episodes):
            env.reset()
            while env.agents:
                observation, _, ended, _, _ = env.last()
                if ended or observation is None:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(legal[int(draws[decisions & 4095] * len(legal))])
                decisions += 1
        return decisions

    env.reset(seed=settings.seed)
    return lambda seconds: repeat(play, seconds)


def learner(settings: Settings) -> Measurement:
    """One learning seat from decision to decision, opponents inside; its decisions count."""
    env = _with_opponents(LearnerTables, settings, count=settings.learner_tables)
    env.reset(seed=settings.seed)

    def step(actions: Any) -> None:
        env.step(actions)
        ended = np.flatnonzero(env.ended)
        if ended.size:
            env.reset(ended)

    return _learner_runs(step, lambda: env.masks)


def vector(settings: Settings) -> Measurement:
    """The same as Gymnasium's ``VectorEnv``, observations as float32."""
    env = _with_opponents(LearnerVectorEnv, settings, num_envs=settings.learner_tables)
    env.reset(seed=settings.seed)
    return _learner_runs(env.step, env.action_masks)


def sb3(settings: Settings) -> Measurement:
    """The same as Stable-Baselines3's ``VecEnv``."""
    from cardenv.envs.sb3 import LearnerVecEnv

    env = _with_opponents(LearnerVecEnv, settings, num_envs=settings.learner_tables)
    env.seed(settings.seed)
    env.reset()
    return _learner_runs(env.step, env.action_masks)


def _with_opponents(kind: Callable[..., Any], settings: Settings, **size: int) -> Any:
    table = settings.tables(1)
    return kind(
        table.game,
        opponents=[settings.opponent] * (settings.players - 1),
        rules=table.rules,
        episode=settings.episode,
        max_players=settings.max_players,
        history=settings.history,
        **size,
    )


def _learner_runs(step: Callable[[Any], Any], masks: Callable[[], Any]) -> Measurement:
    generator = np.random.default_rng(1)

    def measure(seconds: float) -> tuple[int, float]:
        decisions, spent = 0, 0.0
        while spent < seconds:
            legal = masks()
            actions = (generator.random(legal.shape) * legal).argmax(axis=1)
            began = time.perf_counter()
            step(actions)
            spent += time.perf_counter() - began
            decisions += len(actions)
        return decisions, spent

    return measure


def evaluation(settings: Settings) -> Measurement:
    """What ``experiments.evaluate`` does on one core where policies play alone, statistics too.

    Each of the game's policies is one among copies of ``opponent``, in every seat.
    """
    game = settings.tables(1).game
    names = policies.names(game)
    entrants = [agents.load(name, game) for name in (*names, settings.opponent)]
    lineups = [one_among(place, len(names), settings.players) for place in range(len(names))]
    tables = settings.tables(EVALUATED_DEALS * settings.players)

    def play() -> int:
        decisions = 0
        for place, lineup in enumerate(lineups):
            deals = np.arange(EVALUATED_DEALS)
            played, made = play_deals(entrants, lineup, tables, settings.seed, deals)
            mean_interval(played.score_of(place), 0.95)
            decisions += made
        return decisions

    play()
    return lambda seconds: repeat(play, seconds)


def searching(settings: Settings) -> Measurement:
    """A search's decisions among several legal actions, one table at a time.

    The positions are those of whole rounds that the strongest policy plays with itself.
    """
    tables = settings.tables(SEARCHED_TABLES)
    player = agents.load(SEARCH, tables.game)
    policy = agents.load(policies.names(tables.game)[-1], tables.game)
    assert isinstance(player, Searcher)
    tables.seed(settings.seed)
    live = np.zeros(0, np.int64)

    def play() -> int:
        nonlocal live
        if not live.size:
            tables.reset()
            live = np.flatnonzero(tables.turn >= 0)
        choices = live[tables.masks[live].sum(axis=1) > 1]
        for table in choices:
            player.act_at(tables, np.array([table]))
        tables.step(ask(policy, tables, live), live)
        live = live[tables.turn[live] >= 0]
        return len(choices)

    play()
    return lambda seconds: repeat(play, seconds)


def start_times(settings: TableSettings) -> dict[str, float]:
    """Return the seconds to a first step, with an empty compile cache and with a full one.

    Both are measured in a new process and hold its imports.
    """
    program = (
        "import time; began = time.perf_counter(); from cardenv.table import Tables; "
        f"tables = Tables({settings.game!r}, 1, {settings.players}, "
        f"rules={settings.rules!r}, episode={settings.episode!r}); tables.reset(seed=1); "
        "tables.step(tables.masks.argmax(axis=1)); print(time.perf_counter() - began)"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}

        def seconds() -> float:
            done = subprocess.run(
                [sys.executable, "-c", program],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            return float(done.stdout)

        return {"first start": seconds(), "later start": seconds()}


def throughput(settings: Settings) -> dict[str, Any]:
    """Measure everything; return decisions a second by name."""
    counts = (settings.repeats, settings.learner_tables, *(settings.batches or (0,)))
    if min(counts) < 1 or not 0 < settings.seconds <= 3600:
        raise SettingsError(
            "repeats, learner_tables and every batch must be 1 or more, and seconds 0 to 3600."
        )
    of_peers = peers.measurements(settings.players, settings.seed) if settings.peers else {}
    measurements = our_measurements(settings) | of_peers
    rates: dict[str, list[float]] = {name: [] for name in measurements}
    with progress_bar() as progress:
        task = progress.add_task("measuring", total=settings.repeats * len(measurements))
        for _ in range(settings.repeats):
            for name, measure in measurements.items():
                decisions, seconds = measure(settings.seconds)
                rates[name].append(decisions / seconds)
                progress.advance(task)
    return {
        **provenance(settings),
        "decisions_per_second": {name: statistics.median(each) for name, each in rates.items()},
        "peers": peers.versions() if settings.peers else {},
        "times_as_fast_as": times_as_fast(rates, PEERS_JOB, list(of_peers)),
        "seconds": start_times(settings) if settings.start else {},
    }


def our_measurements(settings: Settings) -> dict[str, Measurement]:
    """Return what is measured of this project, by name; what peers do comes last, next to them."""
    seed = settings.seed
    measurements: dict[str, Measurement] = {}
    for batch in settings.batches:
        measurements[f"kernel, random play, {batch} tables"] = random_play(
            settings.tables(batch), seed
        )
    for batch in settings.batches:
        measurements[f"Tables.step, {batch} tables"] = given_actions(settings.tables(batch), seed)
    measurements["PettingZoo last + step"] = aec(settings)
    with_opponents = f"{settings.learner_tables} tables, among {settings.opponent}"
    measurements[f"learner, {with_opponents}"] = learner(settings)
    measurements[f"Gymnasium VectorEnv, {with_opponents}"] = vector(settings)
    measurements[f"SB3 VecEnv, {with_opponents}"] = sb3(settings)
    measurements[f"evaluation of policies among {settings.opponent}"] = evaluation(settings)
    measurements[f"{SEARCH}, a table at a time"] = searching(settings)
    if settings.peers:
        measurements[PEERS_JOB] = scaled_play(settings.tables(PEERS_JOB_TABLES), seed)
    return measurements


def times_as_fast(
    rates: Mapping[str, Sequence[float]], ours: str, others: Sequence[str]
) -> dict[str, float]:
    """Return the median, over runs made in turn, of our rate divided by each other's."""
    return {
        other: statistics.median(
            our / their for our, their in zip(rates[ours], rates[other], strict=True)
        )
        for other in others
    }


def print_report(report: dict[str, Any], console: Console) -> None:
    """Print the figures as a table."""
    settings = report["settings"]
    console.print(f"{settings['game']}, {settings['players']} players, one core")
    table = Table()
    table.add_column("what")
    table.add_column("decisions/s", justify="right")
    for name, rate in report["decisions_per_second"].items():
        table.add_row(name, f"{rate:,.0f}")
    for name, times in report["times_as_fast_as"].items():
        table.add_row(f"ours / {name}", f"{times:.1f} times")
    for name, seconds in report["seconds"].items():
        table.add_row(name, f"{seconds:.2f} s")
    console.print(table)


def main(settings: Settings) -> None:
    """Measure, print, and write the result if a file was asked for."""
    report = throughput(settings)
    give_report(report, settings.json, settings.out, print_report)


if __name__ == "__main__":
    run(Settings, main)

"""How many decisions a second: the engine in batches, and each environment made over it.

Every figure is the median of several runs of equal length, taken in turn, so that a change in the
machine's speed meets all of them. Random choices are drawn before the clock runs, except inside
the kernel and by peers, where drawing them is part of the work. Peers are other libraries' games
at the job of ``scaled_play`` or ``aec``, in the same run.

On several cores the tables are shared out among threads, since compiled loops run outside Python's
lock; environments whose work is Python's run in a process for each core. Evaluation and search
play on several cores by themselves (``experiments.evaluate --cores``) and are measured on one.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import agents
from agents import policies
from cardenv import games
from cardenv.envs.aec import TableEnv
from cardenv.envs.gymnasium import LearnerVectorEnv
from cardenv.envs.learner import LearnerTables
from cardenv.players import Searcher, ask
from cardenv.table import Tables
from experiments import peers
from experiments.charts import draw_rates
from experiments.command import (
    SettingsError,
    TableSettings,
    check_writable,
    give_report,
    progress_bar,
    provenance,
    run,
)
from experiments.deals import all_cores, play_deals
from experiments.intervals import mean_interval
from experiments.lineups import one_among
from experiments.measurement import Measurement, Processes, in_threads, repeat
from experiments.peers import play_aec

EVALUATED_DEALS = 1024
SEARCH, SEARCHED_TABLES = "mc:200", 4
PEERS_JOB_TABLES = 4096
PEERS_JOB = f"the peers' job, {PEERS_JOB_TABLES} tables"
AEC = "PettingZoo last + step"
KERNEL, STEP = "kernel, random play", "Tables.step"


@dataclass
class Settings(TableSettings):
    """Measure decisions a second, for about (12 + batches * 4) * cores * repeats * seconds."""

    batches: tuple[int, ...] = (1, 64, 512, 4096, 16384)
    """Numbers of tables stepped together."""
    cores: tuple[int, ...] = (1, 2)[: all_cores()]
    """Numbers of cores to measure on, each: threads share the tables, or processes play apart."""
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
    chart: Path | None = None
    """Also draw the result to this PNG file: decisions a second over the number of tables."""

    def __post_init__(self) -> None:
        """Take paths that a program gives as text."""
        super().__post_init__()
        if isinstance(self.chart, str):
            self.chart = Path(self.chart)


@dataclass(frozen=True)
class Job:
    """What one figure is of.

    Attributes:
        what: is measured.
        measure: does it.
        tables: how many are stepped together, 0 where batches are no matter.
        cores: how many it runs on.
    """

    what: str
    measure: Measurement
    tables: int = 0
    cores: int = 1

    @property
    def name(self) -> str:
        """As tables and files call the figure."""
        words = [self.what]
        if self.tables:
            words.append(f"{self.tables} table{'s' * (self.tables > 1)}")
        if self.cores > 1:
            words.append(f"{self.cores} cores")
        return ", ".join(words)

    @property
    def on_one_core(self) -> str | None:
        """The name of the same figure on one core, of which this is a multiple."""
        return replace(self, cores=1).name if self.cores > 1 else None


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
    return play_aec(env, settings.seed)


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
    """Measure everything; return decisions a second by name, and what follows from them."""
    _check(settings)
    of_peers = peers.measurements(settings.players, settings.seed) if settings.peers else {}
    jobs = [*our_jobs(settings), *(Job(name, measure) for name, measure in of_peers.items())]
    rates: dict[str, list[float]] = {job.name: [] for job in jobs}
    with progress_bar() as progress:
        task = progress.add_task("measuring", total=settings.repeats * len(jobs))
        for _ in range(settings.repeats):
            for job in jobs:
                decisions, seconds = job.measure(settings.seconds)
                rates[job.name].append(decisions / seconds)
                progress.advance(task)
    beside_peers = {name: (_ours_beside(name), name) for name in of_peers}
    beside_one_core = {
        job.name: (job.name, job.on_one_core) for job in jobs if job.on_one_core in rates
    }
    return {
        **provenance(settings),
        "decisions_per_second": {name: statistics.median(each) for name, each in rates.items()},
        "places": {job.name: [job.what, job.tables, job.cores] for job in jobs},
        "times_one_core": times_as_fast(rates, beside_one_core),
        "peers": peers.versions() if settings.peers else {},
        "not_installed": peers.missing() if settings.peers else [],
        "times_as_fast_as": times_as_fast(rates, beside_peers),
        "seconds": start_times(settings) if settings.start else {},
    }


def _check(settings: Settings) -> None:
    counts = (settings.repeats, settings.learner_tables, *(settings.batches or (0,)))
    if min(counts) < 1 or not 0 < settings.seconds <= 3600:
        raise SettingsError(
            "repeats, learner_tables and every batch must be 1 or more, and seconds 0 to 3600."
        )
    if not all(1 <= cores <= all_cores() for cores in settings.cores or (0,)):
        raise SettingsError(
            f"cores={settings.cores} are not possible here; give numbers from 1 to {all_cores()}."
        )
    if settings.chart is not None:
        check_writable(settings.chart)


def our_jobs(settings: Settings) -> list[Job]:
    """Return what is measured of this project; the job that peers do comes last, next to them."""
    jobs = [
        shared_out(what, measure, settings, batch, cores)
        for what, measure in ((KERNEL, random_play), (STEP, given_actions))
        for batch in settings.batches
        for cores in settings.cores
        if batch >= cores
    ]
    with_opponents = f"{settings.learner_tables} tables, among {settings.opponent}"
    for cores in settings.cores:
        processes = Processes(cores, settings)
        for what, make in (
            (AEC, aec),
            (f"Gymnasium VectorEnv, {with_opponents}", vector),
            (f"SB3 VecEnv, {with_opponents}", sb3),
        ):
            measure = make(settings) if cores == 1 else processes.measurement(make)
            jobs.append(Job(what, measure, cores=cores))
    jobs += [
        Job(f"learner, {with_opponents}", learner(settings)),
        Job(f"evaluation of policies among {settings.opponent}", evaluation(settings)),
        Job(f"{SEARCH}, a table at a time", searching(settings)),
    ]
    if settings.peers:
        tables = settings.tables(PEERS_JOB_TABLES)
        jobs.append(Job(PEERS_JOB, scaled_play(tables, settings.seed)))
    return jobs


def shared_out(
    what: str,
    measure: Callable[[Tables, int], Measurement],
    settings: Settings,
    batch: int,
    cores: int,
) -> Job:
    """Return a job at so many tables, which threads share as evenly as they can."""
    sizes = [len(part) for part in np.array_split(np.arange(batch), cores)]
    each = [measure(settings.tables(size), settings.seed) for size in sizes]
    return Job(what, in_threads(each) if cores > 1 else each[0], batch, cores)


def _ours_beside(peer: str) -> str:
    """Return which of our figures a peer's stands beside."""
    return PEERS_JOB if peers.is_batched(peer) else AEC


def times_as_fast(
    rates: Mapping[str, Sequence[float]], pairs: Mapping[str, tuple[str, str]]
) -> dict[str, float]:
    """Return, by name, the median over runs made in turn of one rate divided by another."""
    return {
        name: statistics.median(
            this / that for this, that in zip(rates[first], rates[second], strict=True)
        )
        for name, (first, second) in pairs.items()
    }


def draw(report: dict[str, Any], path: Path) -> None:
    """Draw the report's figures: batches as curves, everything else as marks beside them."""
    curves: dict[str, list[tuple[int, float]]] = {}
    marks: dict[str, float] = {}
    for name, rate in report["decisions_per_second"].items():
        what, tables, cores = report["places"][name]
        if tables:
            label = f"{what}, {cores} core{'s' * (cores > 1)}"
            curves.setdefault(label, []).append((tables, rate))
        elif not what.startswith(("evaluation", SEARCH, "learner")):
            marks[name] = rate
    settings = report["settings"]
    made = json.dumps({part: report[part] for part in ("command", "settings", "versions")})
    draw_rates(path, curves, marks, report["times_as_fast_as"], _title(settings), made)


def _title(settings: dict[str, Any]) -> str:
    return f"{games.get(settings['game']).title}, {settings['players']} players"


def print_report(report: dict[str, Any], console: Console) -> None:
    """Print the figures as a table, and how to install what peers are missing."""
    settings = report["settings"]
    console.print(_title(settings))
    table = Table()
    table.add_column("what")
    table.add_column("decisions/s", justify="right")
    table.add_column("speed-up", justify="right")
    for name, rate in report["decisions_per_second"].items():
        times = report["times_one_core"].get(name)
        table.add_row(name, f"{rate:,.0f}", f"{times:.2f}" if times else "")
    for name, times in report["times_as_fast_as"].items():
        table.add_row(f"ours / {name}", f"{times:.1f} times")
    for name, seconds in report["seconds"].items():
        table.add_row(name, f"{seconds:.2f} s")
    console.print(table)
    for sentence in report["not_installed"]:
        console.print(sentence, markup=False)


def main(settings: Settings) -> None:
    """Measure, print, and write the files that were asked for."""
    report = throughput(settings)
    if settings.chart is not None:
        draw(report, settings.chart)
    give_report(report, settings.json, settings.out, print_report)


if __name__ == "__main__":
    run(Settings, main)

"""Is A better than B, by how much, how sure? Agents on the same deals, in every seat.

Each agent is measured as one seat among copies of another. A deal is played once for every seat
the agent can have, and the mean over those seats is one observation: the deal is the unit of every
interval. Since rewards sum to zero, an agent among copies of itself scores exactly 0.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import agents
from cardenv.players import AnyPlayer, ask, choose, player_for
from experiments.command import (
    SettingsError,
    TableSettings,
    check_writable,
    give_report,
    progress_bar,
    provenance,
    run,
)

DEALS_AT_ONCE = 1024
FEWEST_DEALS = 30
FIRST_DEAL = 2**32
"""Deals are tables numbered from here, far from those that training plays under the same seed."""
EPISODES = {"round": "rounds", "match": "matches"}


@dataclass
class Settings(TableSettings):
    """Compare agents on the same deals with the seats rotated."""

    agents: tuple[str, ...] = ("expert", "greedy", "random")
    """Names of agents, or folders of training runs."""
    deals: int = 2000
    """Number of deals; each is played once for every seat."""
    among: str = "greedy"
    """Whose copies take the other seats where an agent's own score is measured."""
    confidence: float = 0.95
    """Level of the intervals."""
    sample: bool = False
    """Let trained agents draw their actions instead of taking the likeliest."""
    json: bool = False
    """Print the result as JSON instead of a table."""
    out: Path | None = None
    """Also write the result as JSON to this file."""


@dataclass(frozen=True)
class Sample:
    """An agent's scores as one seat among copies of another.

    Attributes:
        scores: float64 ``[deals, players]``: of each deal, in each seat.
        losses: bool ``[deals, players]``: whether the agent was among the losers (31: who loses a
            life in the round, or is not first in the match).
        decisions: how many decisions all players made.
        seconds: how long that took.
    """

    scores: NDArray[np.float64]
    losses: NDArray[np.bool_]
    decisions: int
    seconds: float

    @property
    def lost(self) -> float:
        """Share of episodes lost."""
        return float(self.losses.mean())

    def interval(self, confidence: float) -> tuple[float, float, float]:
        """Return mean, low and high end of the interval, with the deal as the unit."""
        deals = self.scores.mean(axis=1)
        mean = float(deals.mean())
        half = NormalDist().inv_cdf(0.5 + confidence / 2) * float(deals.std(ddof=1))
        half /= math.sqrt(len(deals))
        return mean, mean - half, mean + half


def measure(
    agent: AnyPlayer,
    others: AnyPlayer,
    settings: TableSettings,
    deals: int,
    seed: int | None = None,
) -> Sample:
    """Play ``agent`` as one seat among copies of ``others``.

    Args:
        agent: whose score counts.
        others: who takes all other seats.
        settings: the table.
        deals: number of deals, numbered from 0 under the seed.
        seed: of the deals; the settings' own by default.
    """
    return join(list(measure_parts(agent, others, settings, deals, seed)))


def measure_parts(
    agent: AnyPlayer,
    others: AnyPlayer,
    settings: TableSettings,
    deals: int,
    seed: int | None = None,
) -> Iterator[Sample]:
    """Do what ``measure`` does, giving each part as soon as it is played."""
    for first in range(0, deals, DEALS_AT_ONCE):
        numbers = np.arange(first, min(first + DEALS_AT_ONCE, deals))
        yield play_deals(agent, others, settings, numbers, seed)


def join(parts: Sequence[Sample]) -> Sample:
    """Return several samples of the same agents as one."""
    return Sample(
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.losses for part in parts]),
        sum(part.decisions for part in parts),
        sum(part.seconds for part in parts),
    )


def play_deals(
    agent: AnyPlayer,
    others: AnyPlayer,
    settings: TableSettings,
    deals: NDArray[np.int64],
    seed: int | None = None,
) -> Sample:
    """Play the numbered deals once for every seat of ``agent``."""
    began = time.perf_counter()
    players = settings.players
    tables = settings.tables(len(deals) * players)
    seating = [player_for(agent, tables), player_for(others, tables)]
    tables.seed(settings.seed if seed is None else seed, FIRST_DEAL + np.repeat(deals, players))
    tables.reset()
    seats = np.tile(np.arange(players), len(deals))
    decisions = 0
    live = np.flatnonzero(tables.turn >= 0)
    while live.size:
        playing = (tables.turn[live] != seats[live]).astype(np.int64)
        tables.step(choose(seating, playing, tables, live), live)
        decisions += live.size
        live = live[tables.turn[live] >= 0]
    shape = (len(deals), players)
    scores = tables.score[np.arange(tables.count), seats].reshape(shape)
    losses = (tables.rows["lost"] >> seats.astype(np.uint64)) & np.uint64(1) != 0
    return Sample(scores, losses.reshape(shape), decisions, time.perf_counter() - began)


def evaluate(settings: Settings) -> dict[str, Any]:
    """Measure every agent among ``among``, and every ordered pair of agents.

    Raises:
        SettingsError, PlayerError, RulesError: the settings cannot be carried out.
    """
    _check(settings)
    players = {name: _load(name, settings) for name in (*settings.agents, settings.among)}
    pairs = [(name, settings.among) for name in settings.agents]
    pairs += [(a, b) for a in settings.agents for b in settings.agents if a != b]
    samples: dict[tuple[str, str], Sample] = {}
    with progress_bar() as progress:
        task = progress.add_task("evaluating", total=len(set(pairs)) * settings.deals)
        for pair in dict.fromkeys(pairs):
            agent, others = (players[name] for name in pair)
            parts = []
            for part in measure_parts(agent, others, settings, settings.deals):
                parts.append(part)
                progress.advance(task, len(part.scores))
            samples[pair] = join(parts)
    return _report(settings, samples)


def _check(settings: Settings) -> None:
    """Raise ``SettingsError`` for what no table or agent would notice."""
    if settings.deals < FEWEST_DEALS:
        raise SettingsError(
            f"deals={settings.deals} are too few for an interval; give {FEWEST_DEALS} or more."
        )
    if not 0 < settings.confidence < 1:
        raise SettingsError(
            f"confidence={settings.confidence} is not possible; give a share such as 0.95."
        )
    if not settings.agents:
        raise SettingsError("no agents were given; name one or more after --agents.")
    places = [_resolved(name) for name in settings.agents]
    doubles = [name for name in settings.agents if places.count(_resolved(name)) > 1]
    if doubles:
        raise SettingsError(f"agents names {doubles[0]!r} twice; name each agent once.")
    if settings.out is not None:
        check_writable(settings.out)


def _resolved(name: str) -> str:
    """Return the same text for two ways to write one folder."""
    return str(Path(name).resolve())


def _load(name: str, settings: Settings) -> AnyPlayer:
    """Load an agent and have it choose once, so that all is checked and compiled beforehand."""
    tables = settings.tables(1)
    player = player_for(agents.load(name, tables.game, sample=settings.sample), tables)
    tables.reset(seed=settings.seed)
    tables.step(ask(player, tables, np.arange(1)))
    return player


def _report(settings: Settings, samples: dict[tuple[str, str], Sample]) -> dict[str, Any]:
    """Put the samples into the form that ``--json`` prints."""

    def figures(pair: tuple[str, str]) -> dict[str, Any]:
        sample = samples[pair]
        mean, low, high = sample.interval(settings.confidence)
        return {"mean": mean, "low": low, "high": high, "lost": sample.lost}

    ranked = []
    for name in settings.agents:
        row = figures((name, settings.among))
        ranked.append({"name": name, "score": row.pop("mean"), **row})
    seconds = sum(sample.seconds for sample in samples.values())
    decisions = sum(sample.decisions for sample in samples.values())
    return {
        "game": settings.tables(1).game.name,
        "players": settings.players,
        "deals": settings.deals,
        **provenance(settings),
        "agents": sorted(ranked, key=lambda row: -row["score"]),
        "differences": [
            {"a": a, "b": b, **figures((a, b))}
            for a in settings.agents
            for b in settings.agents
            if a != b
        ],
        "decisions_per_second": round(decisions / seconds),
    }


def print_report(report: dict[str, Any], console: Console) -> None:
    """Print the result as two tables: each agent's score, and each ordered pair."""
    print_scores(report, console)
    if report["differences"]:
        console.print(_differences(report))
    console.print(f"{report['decisions_per_second']:,} decisions/s")


def print_scores(report: dict[str, Any], console: Console) -> None:
    """Print each agent's score as one seat among copies of the settings' ``among``."""
    settings = report["settings"]
    console.print(
        f"{report['game']}, {report['players']} players, {EPISODES[settings['episode']]}, "
        f"rules {' '.join(settings['rules'])}, {report['deals']} deals in every seat"
    )
    table = Table()
    headings = ("agent", f"score among {settings['among']}", _level(report), "lost")
    for column in headings:
        table.add_column(column, justify="left" if column == "agent" else "right")
    for row in report["agents"]:
        table.add_row(row["name"], *_cells(row["score"], row), f"{row['lost']:.1%}")
    console.print(table)


def _level(report: dict[str, Any]) -> str:
    return f"{report['settings']['confidence']:.0%} interval"


def _differences(report: dict[str, Any]) -> Table:
    table = Table(title="one seat of A among copies of B", title_justify="left")
    for column in ("A", "B", "score of A", _level(report), "verdict"):
        table.add_column(column, justify="left" if column in ("A", "B", "verdict") else "right")
    for row in report["differences"]:
        verdict = "A" if row["low"] > 0 else "B" if row["high"] < 0 else "open"
        table.add_row(row["a"], row["b"], *_cells(row["mean"], row), verdict)
    return table


def _cells(mean: float, row: dict[str, Any]) -> tuple[str, str]:
    return f"{mean:+.4f}", f"{row['low']:+.4f} to {row['high']:+.4f}"


def main(settings: Settings) -> None:
    """Evaluate, print, and write the result if a file was asked for."""
    report = evaluate(settings)
    give_report(report, settings.json, settings.out, print_report)


if __name__ == "__main__":
    run(Settings, main)

"""Who is best of many? Every agent against every other, and all of them at common tables.

The cross-table has for every ordered pair the score of one A among copies of B, in every seat, as
``experiments.evaluate`` measures it. At the mixed tables agents sit together as they come: a deal
seats as many of them as there are seats, or all of them with copies of some, in an order drawn by
the deal's number, and is played once for every rotation of it. Which of them sit down goes in turn
through all combinations. So everybody sits in every seat equally often, and meets everybody else
equally often once all combinations have had their turn.

Every agent's mean score at the mixed tables and its rating (see ``experiments.ratings``) come from
the latter. The deal is the unit of all intervals.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from experiments.charts import draw_intervals, draw_pairs
from experiments.command import SettingsError, provenance, run, write_csv, write_json
from experiments.comparison import FEWEST_DEALS, Comparison, carry_out, check_comparison
from experiments.deals import Deals, Played
from experiments.entrants import load_entrants, mode, spelled
from experiments.goal import Goal
from experiments.intervals import Interval, mean_interval
from experiments.keeping import identity_of, kept_and_shown
from experiments.lineups import Lineup, mixed_tables, one_among
from experiments.ratings import (
    alpha_rank,
    check_alpha_rank,
    linked,
    points_between,
    rate,
    resampled,
)
from experiments.report import (
    cell,
    cells,
    heading,
    level,
    print_ending,
    print_in_blocks,
    speed_of,
    table,
    with_earlier_speed,
)

FIELD = "tournament"
"""Stands in a folder's deals where an evaluation names the agent that the others are copies of."""
MIXED = ("agent", "rating", "rating_low", "rating_high", "score", "low", "high", "lost")
PAIR = ("a", "b", "mean", "low", "high")


@dataclass
class Settings(Comparison):
    """Compare any number of agents: every pair, mixed tables, ratings."""

    precision: float | None = None
    """Instead of a number of deals: play until the intervals of all scores are this wide to either
    side; ratings take the deals that there are then."""
    alpha_rank: bool = False
    """With two players: how much of a population each agent takes over (needs OpenSpiel)."""


# --- The tournament -------------------------------------------------------------------------------


def tournament(
    settings: Settings, should_stop: Callable[[], bool] = lambda: False
) -> dict[str, Any]:
    """Play every ordered pair and the mixed tables, and rate the agents.

    Args:
        settings: what to play.
        should_stop: asked several times a second; after a yes, the report is of the deals so far.

    Returns:
        What ``--json`` prints.

    Raises:
        SettingsError, PlayerError, RulesError: the settings cannot be carried out; deals played
            until then are kept.
        StoppedTooEarly: ``should_stop`` said so; deals are kept.
    """
    settings = replace(settings, agents=spelled(settings.agents))
    _check(settings)
    names = sorted(settings.agents)  # so that their order changes nothing
    players = load_entrants(settings, names, settings.sample)
    deals = Deals(settings, players, _lineups(settings, names), cores=settings.cores)
    results = _Results(deals)
    goal = Goal(settings, deals, results.measured)
    identity = identity_of(settings, settings.seed, sample=settings.sample, among=FIELD)
    words = f"{len(deals.lineups) - 1} pairs and mixed tables"
    with kept_and_shown(deals, players, settings.out, identity, words) as look:
        goal.reach(look, should_stop)
    report = _report(settings, results, goal) | {
        "precision": goal.precision(),
        "mode": mode(players, settings.sample),
        **speed_of(deals),
    }
    if settings.out is not None:
        write_report(report, settings.out)
    return report


def _check(settings: Settings) -> None:
    check_comparison(settings)
    if len(settings.agents) == 1:
        raise SettingsError(
            f"a tournament takes two agents or more; agents names {settings.agents[0]!r} alone."
        )
    each = (settings.deals or FEWEST_DEALS * len(settings.agents)) * settings.players
    if each < FEWEST_DEALS * len(settings.agents):
        least = math.ceil(FEWEST_DEALS * len(settings.agents) / settings.players)
        raise SettingsError(
            f"deals={settings.deals} seat {len(settings.agents)} agents at too few mixed tables "
            f"for an interval; give {least} or more."
        )
    if settings.alpha_rank:
        check_alpha_rank(settings.players)


def _lineups(settings: Settings, names: Sequence[str]) -> dict[str, Lineup]:
    """Return every ordered pair, and last the mixed tables, by their labels."""
    pairs = permutations(range(len(names)), 2)
    found = {_pair_label(names[a], names[b]): one_among(a, b, settings.players) for a, b in pairs}
    mixed = mixed_tables(len(names), settings.players, settings.seed)
    return {**found, _mixed_label(names): mixed}


def _pair_label(a: str, b: str) -> str:
    return json.dumps({"one": a, "among": b}, ensure_ascii=False)


def _mixed_label(names: Sequence[str]) -> str:
    return json.dumps({"mixed": names}, ensure_ascii=False)


class _Results:
    """What the deals show, as one number a deal wherever an interval is wanted.

    Args:
        deals: those of ``_lineups``.

    Attributes:
        names: of the agents.
    """

    def __init__(self, deals: Deals) -> None:
        self.deals, self.names = deals, deals.names
        self._label = _mixed_label(deals.names)

    def measured(self, count: int) -> list[NDArray[np.float64]]:
        """Return what a precision is of: the scores of all pairs, and at the mixed tables."""
        pairs = [self.pair(a, b, count) for a, b in permutations(self.names, 2)]
        return [*pairs, *(self.score(name, count) for name in self.names)]

    def pair(self, a: str, b: str, count: int) -> NDArray[np.float64]:
        """Return the scores of one ``a`` among copies of ``b``: float64 ``[deals]``."""
        return self.deals.played(_pair_label(a, b), count).score_of(self.names.index(a))

    def score(self, name: str, count: int) -> NDArray[np.float64]:
        """Return numbers whose mean is an agent's mean score at the mixed tables."""
        return self._per_seat(self.mixed(count).scores, name)

    def lost(self, name: str, count: int) -> float:
        """Return the share of its seats at the mixed tables that lost."""
        return float(self._per_seat(self.mixed(count).lost, name).mean())

    def mixed(self, count: int) -> Played:
        """Return the mixed tables of the first so many deals."""
        return self.deals.played(self._label, count)

    def holders(self, count: int) -> NDArray[np.int64]:
        """Return who held each place of the mixed tables: int64 ``[deals, places]``."""
        return self.deals.lineups[self._label].holders(np.arange(count))

    def points(self, count: int) -> NDArray[np.float64]:
        """Return who got how many points against whom: float64 ``[deals, agents, agents]``."""
        holders = self.holders(count)
        scores = self.mixed(count).scores.reshape(*holders.shape, holders.shape[1])
        return points_between(scores, holders, len(self.names))

    def _per_seat(self, values: NDArray[Any], name: str) -> NDArray[np.float64]:
        """Return numbers whose mean is that of an agent's seats, and their spread that mean's.

        An agent has more seats on some deals than on others, so its mean is a sum divided by a sum,
        and what counts as a deal's deviation is the residual (Cochran 1977, equation 6.13).
        """
        count = len(values)
        holders = self.holders(count)
        held = holders == self.names.index(name)
        seats = held.sum(axis=1)
        if not seats.any():
            raise SettingsError(
                f"{name!r} sits at none of the mixed tables of {count:,} deals; give more deals."
            )
        sums = (values.reshape(*held.shape, -1).mean(axis=2) * held).sum(axis=1)
        mean = sums.sum() / seats.sum()
        found: NDArray[np.float64] = mean + (sums - mean * seats) / seats.mean()
        return found


# --- The report -----------------------------------------------------------------------------------


def _report(settings: Settings, results: _Results, goal: Goal) -> dict[str, Any]:
    """Return what was measured, the agent that is rated highest first."""
    points = results.points(goal.count)

    def interval(values: Callable[[int], NDArray[np.float64]]) -> Interval:
        return mean_interval(values(goal.count), settings.confidence, values(goal.basis))

    def row_of(name: str, *rated: float) -> dict[str, Any]:
        score = interval(lambda count: results.score(name, count))
        values = (name, *map(float, rated), *score, results.lost(name, goal.count))
        return dict(zip(MIXED, values, strict=True))

    def pair(a: str, b: str) -> dict[str, Any]:
        found = interval(lambda count: results.pair(a, b, count))
        return dict(zip(PAIR, (a, b, *found), strict=True))

    tail = (1 - settings.confidence) / 2
    ends = np.quantile(resampled(points, settings.seed), (tail, 1 - tail), axis=0)
    rows = map(row_of, results.names, rate(points.sum(axis=0)), *ends)
    ranked = sorted(rows, key=lambda row: (-row["rating"], row["agent"]))
    names = [row["agent"] for row in ranked]
    return {
        "game": settings.tables(1).game.name,
        "players": settings.players,
        "deals": goal.count,
        "stopped": goal.stopped,
        **provenance(settings),
        "agents": ranked,
        "cross_table": [pair(a, b) for a, b in permutations(names, 2)],
        "linked": _linked(results, points, names),
        "alpha_rank": _alpha_rank(results, goal.count, names) if settings.alpha_rank else None,
    }


def _linked(
    results: _Results, points: NDArray[np.float64], ranked: Sequence[str]
) -> list[list[str]]:
    """Return the groups of agents that games link, the best group first."""
    groups: dict[int, list[str]] = {}
    group_of = dict(zip(results.names, linked(points.sum(axis=0)).tolist(), strict=True))
    for name in ranked:
        groups.setdefault(group_of[name], []).append(name)
    return list(groups.values())


def _alpha_rank(results: _Results, count: int, names: Sequence[str]) -> dict[str, float]:
    payoffs = np.zeros((len(names), len(names)))
    for a, b in combinations(range(len(names)), 2):
        payoffs[a, b] = results.pair(names[a], names[b], count).mean()
        payoffs[b, a] = -payoffs[a, b]
    return dict(zip(names, map(float, alpha_rank(payoffs)), strict=True))


# --- Tables, files, pictures ----------------------------------------------------------------------


def print_report(report: dict[str, Any], console: Console) -> None:
    """Print the cross-table, and what the mixed tables show of every agent."""
    console.print(heading(report))
    names = [row["agent"] for row in report["agents"]]
    print_in_blocks(names, lambda columns: _cross_table(report, names, columns), console)
    console.print(_ranking(report))
    if report["alpha_rank"]:
        shares = (f"{name} {share:.3f}" for name, share in report["alpha_rank"].items())
        console.print(escape(f"alpha-rank: {', '.join(shares)}"), highlight=False)
    if len(report["linked"]) > 1:
        console.print(_bounds(report), highlight=False)
    print_ending(report, console)


def _cross_table(report: dict[str, Any], names: Sequence[str], columns: Sequence[str]) -> Table:
    """Return some of the columns of the table of all ``names``."""
    scores = {(row["a"], row["b"]): cell(row["mean"], row) for row in report["cross_table"]}
    found = table("", *columns, title=f"score of one A (row) among B (column), ± {level(report)}")
    for a in names:
        found.add_row(escape(a), *(scores.get((a, b), "-") for b in columns))
    return found


def _ranking(report: dict[str, Any]) -> Table:
    headings = ("agent", "rating", level(report), "score", level(report), "lost")
    found = table(*headings, title="at mixed tables")
    for row in report["agents"]:
        found.add_row(
            escape(row["agent"]),
            f"{row['rating']:+.0f}",
            f"{row['rating_low']:+.0f} to {row['rating_high']:+.0f}",
            *cells(row["score"], row),
            f"{row['lost']:.1%}",
        )
    return found


def _bounds(report: dict[str, Any]) -> str:
    groups = " | ".join(", ".join(map(escape, group)) for group in report["linked"])
    return (
        f"no games won both ways between {groups}: how far these are apart in rating is a lower "
        "bound, set by one tied game added to each pair"
    )


def write_report(report: dict[str, Any], folder: Path) -> None:
    """Write ``tournament.json``, ``cross_table.csv``, ``ratings.csv`` and their pictures."""
    path = folder / "tournament.json"
    write_json(path, with_earlier_speed(report, path))
    for file, columns, rows in (("cross_table", PAIR, "cross_table"), ("ratings", MIXED, "agents")):
        write_csv(folder / f"{file}.csv", [columns, *(row.values() for row in report[rows])])
    _draw(report, folder)


def _draw(report: dict[str, Any], folder: Path) -> None:
    agents = report["agents"]
    rated = [
        (row["agent"], Interval(row["rating"], row["rating_low"], row["rating_high"]))
        for row in agents
    ]
    measured = "rating at mixed tables (400 points are odds of 10 to 1)"
    draw_intervals(folder / "ratings.png", rated, heading(report), measured, level(report))
    names = [row["agent"] for row in agents]
    means, sure = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)), np.bool_)
    for row in report["cross_table"]:
        place = names.index(row["a"]), names.index(row["b"])
        means[place], sure[place] = row["mean"], not row["low"] <= 0 <= row["high"]
    below = f"score of one row among copies of the column; * the {level(report)} excludes 0"
    draw_pairs(folder / "cross_table.png", names, means, sure, heading(report), below)


def main(settings: Settings) -> int | None:
    """Play, print, and write the result if a folder was given."""
    return carry_out(settings, tournament, print_report)


if __name__ == "__main__":
    run(Settings, main)

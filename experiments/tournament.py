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

import csv
import io
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agents.learned import Learned
from agents.policies import play_to_the_end
from cardenv.cards import OPPONENT, derive_keys, table_keys
from cardenv.players import AnyPlayer
from cardenv.table import Tables
from experiments import evaluate
from experiments.charts import draw_intervals, draw_pairs
from experiments.command import (
    INTERRUPTED,
    SettingsError,
    TableSettings,
    give_report,
    provenance,
    run,
    stop_on_signal,
    write_json,
    write_text,
)
from experiments.deals import FIRST_DEAL, Deals, Lineup, Played, one_among
from experiments.evaluate import FEWEST_DEALS, StoppedTooEarly
from experiments.intervals import FIRST_STAGE, Interval, mean_interval, precision_of
from experiments.ratings import (
    alpha_rank,
    check_alpha_rank,
    linked,
    points_between,
    rate,
    resampled,
    versions,
)
from experiments.report import heading, level, precision, speed

MOST_COMBINATIONS = 1_000_000
FIELD = "tournament"
"""Stands in a folder's deals where an evaluation names the agent that the others are copies of."""
MIXED = ("agent", "rating", "rating_low", "rating_high", "score", "low", "high", "lost")
PAIR = ("a", "b", "mean", "low", "high")


@dataclass
class Settings(TableSettings):
    """Compare any number of agents: every pair, mixed tables, ratings."""

    agents: tuple[str, ...] = ("expert", "greedy", "random")
    """Names of agents, or folders of training runs; two or more."""
    deals: int | None = None
    """Number of deals, of each pair and of the mixed tables. 2000, if no precision is given."""
    precision: float | None = None
    """Instead of a number of deals: play until the intervals of all scores are this wide to either
    side; ratings take the deals that there are then."""
    max_deals: int | None = None
    """The most deals that a precision may take; what they reach is reported then."""
    confidence: float = 0.95
    """Level of the intervals."""
    alpha_rank: bool = False
    """With two players: how much of a population each agent takes over (needs OpenSpiel)."""
    sample: bool = False
    """Let trained agents draw their actions instead of taking the likeliest."""
    cores: int | None = None
    """Cores to play on; all by default. Results do not depend on it."""
    json: bool = False
    """Print the result as JSON instead of tables."""
    out: Path | None = None
    """Write the result to this folder, with tables, pictures and the deals played: the same command
    goes on with them, also with more deals, a finer precision or other agents."""


# --- Mixed tables ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MixedTables(Lineup):
    """Tables at which every deal seats other agents, once for every rotation.

    A place at such a table goes through all seats, and ``seated`` says who holds it. ``Played`` has
    a column for each place and rotation, place by place, and no tallies.

    Attributes:
        seating: int64 ``[rotations, seats]``, as if the places were held by the agents in turn.
        watched: nobody by himself.
        agents: how many there are.
        seed: of the deals.
    """

    agents: int
    seed: int

    @cached_property
    def columns(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Rotation, seat and -1, for no agent, of every place in every rotation."""
        size = len(self.seating)
        places, rotations = (each.ravel() for each in np.indices((size, size)))
        return rotations, (places + rotations) % size, np.full(size * size, -1)

    @cached_property
    def combinations(self) -> NDArray[np.int64]:
        """Who of the agents holds a place more than the others: int64 ``[combinations, more]``."""
        more = len(self.seating) % self.agents
        return np.array(list(combinations(range(self.agents), more)), np.int64)

    def seated(self, deals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return who holds each place, as a function of the deal's number and the seed alone.

        Args:
            deals: int64 ``[deals]``, their numbers.

        Returns:
            int64 ``[deals, places]``, numbers of agents.
        """
        size, cycle = len(self.seating), len(self.combinations)
        cycles, place = np.unique(deals // cycle, return_inverse=True)
        orders = self._keys(cycles * cycle, 1 + size, cycle).argsort(axis=1)
        everybody = np.tile(np.arange(self.agents), (len(deals), size // self.agents))
        held = np.concatenate([everybody, self.combinations[orders[place, deals % cycle]]], axis=1)
        return np.take_along_axis(held, self._keys(deals, 1, size).argsort(axis=1), axis=1)

    def seating_of(self, deals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return who sits where: int64 ``[deals * rotations, seats]``."""
        size = len(self.seating)
        back = -np.arange(size)[:, None] + np.arange(size)
        return self.seated(deals)[:, back % size].reshape(-1, size)

    def _keys(self, deals: NDArray[np.int64], first: int, count: int) -> NDArray[np.uint64]:
        """Return keys that nothing in a deal is drawn with: uint64 ``[deals, count]``."""
        numbers = np.asarray(FIRST_DEAL + deals, np.uint64)
        keys = table_keys(np.full(len(deals), self.seed, np.uint64), numbers, np.uint64(0))
        return derive_keys(keys[:, None], OPPONENT, np.arange(first, first + count))


def mixed_tables(agents: int, players: int, seed: int) -> MixedTables:
    """Return the mixed tables of so many agents.

    Raises:
        SettingsError: there are too many combinations of so many agents.
    """
    kinds = math.comb(agents, players % agents)
    if kinds > MOST_COMBINATIONS:
        raise SettingsError(
            f"{agents} agents are {kinds:,} combinations at tables of {players}, and at most "
            f"{MOST_COMBINATIONS:,} can be gone through; give fewer agents."
        )
    places = np.arange(players)
    rotations = (places - places[:, None]) % players % agents
    return MixedTables(rotations, (), agents, seed)


def play_mixed(
    players: Sequence[AnyPlayer], lineup: MixedTables, tables: Tables, deals: NDArray[np.int64]
) -> tuple[Played, int]:
    """Do what ``experiments.deals.play_deals`` does, for mixed tables."""
    rotation, seat, _ = lineup.columns
    size = len(lineup.seating)
    tables.seed(lineup.seed, FIRST_DEAL + np.repeat(deals, size))
    tables.reset()
    decisions = play_to_the_end(players, lineup.seating_of(deals), tables)
    at = size * np.arange(len(deals))[:, None] + rotation
    lost = tables.rows["lost"][at] >> seat.astype(np.uint64) & np.uint64(1) != 0
    nobodys = np.zeros((len(deals), 0, tables.rows["tally"].shape[-1]), np.int32)
    return Played(lineup, tables.score[at, seat], lost, nobodys), decisions


class TournamentDeals(Deals):
    """Deals some of whose lineups are mixed tables."""

    def _play_chunk(self, lineup: Lineup, first: int, count: int) -> tuple[Played, int, float]:
        if not isinstance(lineup, MixedTables):
            return super()._play_chunk(lineup, first, count)
        began = time.perf_counter()
        size = count * len(lineup.seating)
        spare = self._spare[size]
        tables = spare.pop() if spare else self.settings.tables(size)
        numbers = np.arange(first, first + count)
        played, decisions = play_mixed(self._players, lineup, tables, numbers)
        spare.append(tables)
        return played, decisions, time.perf_counter() - began


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
    rules = _checked(settings)
    players = evaluate._players(replace(rules, among=rules.agents[0]))
    deals = TournamentDeals(settings, players, _lineups(rules), cores=settings.cores)
    with evaluate._keeping(rules, deals, players) as look:
        goal = _Goal(rules, deals, look, should_stop)
        goal.reach()
    count = min(deals.common, goal.deals)
    if count < FEWEST_DEALS:
        raise StoppedTooEarly(evaluate._stopped_words(rules, count, goal))
    report = _Reporter(settings, _Results(deals), count, goal).report(players)
    if settings.out is not None:
        write_report(report, settings.out)
    return report


def _checked(settings: Settings) -> evaluate.Settings:
    """Return the settings as an evaluation knows them, the agents by name: no order is theirs.

    Raises:
        SettingsError: they cannot be carried out.
    """
    names = {field.name for field in fields(evaluate.Settings)}
    shared = {name: value for name, value in vars(settings).items() if name in names}
    rules = evaluate._one_spelling(evaluate.Settings(**shared, among=FIELD))
    rules = replace(rules, agents=tuple(sorted(rules.agents)))
    evaluate._check(rules)
    if len(rules.agents) == 1:
        raise SettingsError(
            f"a tournament takes two agents or more; agents names {rules.agents[0]!r} alone."
        )
    if settings.alpha_rank:
        check_alpha_rank(settings.players)
    return rules


def _lineups(rules: evaluate.Settings) -> dict[str, Lineup]:
    names = rules.agents
    found: dict[str, Lineup] = {
        _pair(names[a], names[b]): one_among(a, b, rules.players)
        for a, b in permutations(range(len(names)), 2)
    }
    return found | {_mixed(names): mixed_tables(len(names), rules.players, rules.seed)}


def _pair(a: str, b: str) -> str:
    """Return the label of a pair's deals."""
    return json.dumps({"one": a, "among": b}, ensure_ascii=False)


def _mixed(names: Sequence[str]) -> str:
    """Return the label of the mixed tables' deals."""
    return json.dumps({"mixed": names}, ensure_ascii=False)


class _Goal(evaluate._Goal):
    """How many deals are to be played, where the intervals are a tournament's."""

    def _first_stage(self) -> list[NDArray[np.float64]]:
        values = _Results(self._deals)
        pairs = [values.pair(a, b, FIRST_STAGE) for a, b in permutations(values.names, 2)]
        return [*pairs, *(values.score(name, FIRST_STAGE) for name in values.names)]


class _Results:
    """What the deals show, as one number a deal wherever an interval is wanted.

    Attributes:
        names: of the agents.
    """

    def __init__(self, deals: Deals) -> None:
        self.deals, self.names = deals, deals.names
        self._label = _mixed(deals.names)

    def pair(self, a: str, b: str, count: int) -> NDArray[np.float64]:
        """Return the scores of one ``a`` among copies of ``b``: float64 ``[deals]``."""
        return self.deals.played(_pair(a, b), count).score_of(self.names.index(a))

    def score(self, name: str, count: int) -> NDArray[np.float64]:
        """Return numbers whose mean is an agent's mean score at the mixed tables."""
        return self._per_seat(self.mixed(count).scores, name)

    def lost(self, name: str, count: int) -> float:
        """Return the share of its seats at the mixed tables that lost."""
        return float(self._per_seat(self.mixed(count).lost, name).mean())

    def mixed(self, count: int) -> Played:
        """Return the mixed tables of the first so many deals."""
        return self.deals.played(self._label, count)

    def seated(self, count: int) -> NDArray[np.int64]:
        """Return who held each place of the mixed tables: int64 ``[deals, places]``."""
        lineup = self.deals.lineups[self._label]
        assert isinstance(lineup, MixedTables)
        return lineup.seated(np.arange(count))

    def points(self, count: int) -> NDArray[np.float64]:
        """Return who got how many points against whom: float64 ``[deals, agents, agents]``."""
        seated = self.seated(count)
        scores = self.mixed(count).scores.reshape(*seated.shape, seated.shape[1])
        return points_between(scores, seated, len(self.names))

    def _per_seat(self, values: NDArray[Any], name: str) -> NDArray[np.float64]:
        """Return numbers whose mean is that of an agent's seats, and their spread that mean's.

        An agent has more seats on some deals than on others, so its mean is a sum divided by a sum,
        and what counts as a deal's deviation is the residual (Cochran 1977, equation 6.13).
        """
        count = len(values)
        seated = self.seated(count)
        held = seated == self.names.index(name)
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


class _Reporter:
    """Puts results into the form that ``--json`` prints."""

    def __init__(self, settings: Settings, results: _Results, count: int, goal: _Goal) -> None:
        self._settings, self._results, self._count, self._goal = settings, results, count, goal
        self._stage = FIRST_STAGE if settings.precision and count >= FIRST_STAGE else None

    def report(self, players: dict[str, AnyPlayer]) -> dict[str, Any]:
        settings, deals = self._settings, self._results.deals
        points = self._results.points(self._count)
        ranked = sorted(self._agents(points), key=lambda row: (-row["rating"], row["agent"]))
        trained = any(isinstance(player, Learned) for player in players.values())
        names = [row["agent"] for row in ranked]
        stopped = self._count < self._goal.deals
        words = evaluate._stopped_words(self._goal.settings, self._count, self._goal)
        return {
            "game": settings.tables(1).game.name,
            "players": settings.players,
            "deals": self._count,
            "stopped": words if stopped else None,
            **_provenance(settings),
            "agents": ranked,
            "cross_table": [self._pair(a, b) for a, b in permutations(names, 2)],
            "linked": self._linked(points, names),
            "alpha_rank": self._alpha_rank(names) if settings.alpha_rank else None,
            "precision": self._precision(),
            "mode": ("sampled" if settings.sample else "deterministic") if trained else None,
            "cores": deals.cores,
            "seconds": round(deals.seconds, 3),
            "decisions_per_second": round(deals.decisions / deals.seconds)
            if deals.decisions
            else None,
        }

    def _interval(self, values: Callable[[int], NDArray[np.float64]]) -> Interval:
        if self._stage is None:
            return mean_interval(values(self._count), self._settings.confidence)
        half = precision_of(values(self._stage), self._count, self._settings.confidence)
        mean = float(values(self._count).mean())
        return Interval(mean, mean - half, mean + half)

    def _agents(self, points: NDArray[np.float64]) -> list[dict[str, Any]]:
        tail = (1 - self._settings.confidence) / 2
        drawn = resampled(points, self._settings.seed)
        rated = [rate(points.sum(axis=0)), *np.quantile(drawn, (tail, 1 - tail), axis=0)]
        return [self._agent(*row) for row in zip(self._results.names, *rated, strict=True)]

    def _agent(self, name: str, *rated: float) -> dict[str, Any]:
        score = self._interval(lambda count: self._results.score(name, count))
        values = (name, *map(float, rated), *score, self._results.lost(name, self._count))
        return dict(zip(MIXED, values, strict=True))

    def _pair(self, a: str, b: str) -> dict[str, Any]:
        interval = self._interval(lambda count: self._results.pair(a, b, count))
        return dict(zip(PAIR, (a, b, *interval), strict=True))

    def _linked(self, points: NDArray[np.float64], ranked: Sequence[str]) -> list[list[str]]:
        """Return the groups of agents that games link, the best group first."""
        groups: dict[int, list[str]] = {}
        group_of = dict(zip(self._results.names, linked(points.sum(axis=0)).tolist(), strict=True))
        for name in ranked:
            groups.setdefault(group_of[name], []).append(name)
        return list(groups.values())

    def _alpha_rank(self, names: Sequence[str]) -> dict[str, float]:
        payoffs = np.zeros((len(names), len(names)))
        for a, b in combinations(range(len(names)), 2):
            payoffs[a, b] = self._results.pair(names[a], names[b], self._count).mean()
            payoffs[b, a] = -payoffs[a, b]
        return dict(zip(names, map(float, alpha_rank(payoffs)), strict=True))

    def _precision(self) -> dict[str, Any] | None:
        if self._stage is None or self._goal.needed is None:
            return None
        reached = self._goal.reached(self._count)
        wanted, needed = self._settings.precision, self._goal.needed
        return {"wanted": wanted, "reached": reached, "deals": needed}


def _provenance(settings: Settings) -> dict[str, Any]:
    found = provenance(settings)
    return found | {"versions": found["versions"] | versions()}


# --- Tables, files, pictures ----------------------------------------------------------------------


def print_report(report: dict[str, Any], console: Console) -> None:
    """Print the cross-table, and what the mixed tables show of every agent."""
    console.print(heading(report))
    console.print(_cross_table(report))
    console.print(_ranking(report))
    if report["alpha_rank"]:
        shares = (f"{name} {share:.3f}" for name, share in report["alpha_rank"].items())
        console.print(escape(f"alpha-rank: {', '.join(shares)}"), highlight=False)
    if len(report["linked"]) > 1:
        console.print(_bounds(report), highlight=False)
    if report["precision"]:
        console.print(precision(report), highlight=False)
    if report["mode"]:
        console.print(f"trained agents: {report['mode']}", highlight=False)
    console.print(speed(report), highlight=False)


def _cross_table(report: dict[str, Any]) -> Table:
    names = [row["agent"] for row in report["agents"]]
    cells = {(row["a"], row["b"]): row for row in report["cross_table"]}
    table = _table(f"score of one A (row) among B (column), ± {level(report)}", "", *names)
    for a in names:
        table.add_row(escape(a), *(_cell(cells.get((a, b))) for b in names))
    return table


def _cell(row: dict[str, Any] | None) -> str:
    return f"{row['mean']:+.4f} ± {(row['high'] - row['low']) / 2:.4f}" if row else "-"


def _ranking(report: dict[str, Any]) -> Table:
    headings = ("agent", "rating", level(report), "score", level(report), "lost")
    table = _table("at mixed tables", *headings)
    for row in report["agents"]:
        table.add_row(
            escape(row["agent"]),
            f"{row['rating']:+.0f}",
            f"{row['rating_low']:+.0f} to {row['rating_high']:+.0f}",
            f"{row['score']:+.4f}",
            f"{row['low']:+.4f} to {row['high']:+.4f}",
            f"{row['lost']:.1%}",
        )
    return table


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left")
    for place, column in enumerate(headings):
        table.add_column(escape(column), justify="right" if place else "left", overflow="fold")
    return table


def _bounds(report: dict[str, Any]) -> str:
    groups = " | ".join(", ".join(map(escape, group)) for group in report["linked"])
    return (
        f"no games won both ways between {groups}: how far these are apart in rating is a lower "
        "bound, set by one tied game added to each pair"
    )


def write_report(report: dict[str, Any], folder: Path) -> None:
    """Write ``tournament.json``, ``cross_table.csv``, ``ratings.csv`` and their pictures."""
    write_json(folder / "tournament.json", report)
    _write_csv(folder / "cross_table.csv", PAIR, report["cross_table"])
    _write_csv(folder / "ratings.csv", MIXED, report["agents"])
    _draw(report, folder)


def _write_csv(path: Path, columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(path, text.getvalue())


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
    with stop_on_signal("finishing the deals under way; once more to stop at once.") as should_stop:
        try:
            report = tournament(settings, should_stop)
        except StoppedTooEarly as stopped:
            Console(stderr=True).print(str(stopped), highlight=False, soft_wrap=True)
            return INTERRUPTED
    give_report(report, settings.json, None, print_report)
    if report["stopped"] is None:
        return None
    Console(stderr=True).print(report["stopped"], highlight=False, soft_wrap=True)
    return INTERRUPTED


if __name__ == "__main__":
    run(Settings, main)

"""Is A better than B, by how much, how sure? Agents on the same deals, in every seat.

Each agent is measured as one seat among copies of another. A deal is played once for every seat
the agent can have, and the mean over those seats is one observation: the deal is the unit of every
interval. All agents play the same deals in the same field, so two of them are compared deal by
deal. Since rewards sum to zero, an agent among copies of itself scores exactly 0.

With ``precision`` the first 200 deals say how many it takes, by Stein's two stages (see
``experiments.intervals``), which keeps the intervals honest although the data say when to stop.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

import agents
from agents.learned import Learned
from cardenv.figures import Figure
from cardenv.players import AnyPlayer, ask, player_for
from experiments.command import (
    INTERRUPTED,
    SettingsError,
    TableSettings,
    check_folder,
    give_report,
    progress_bar,
    provenance,
    run,
    stop_on_signal,
)
from experiments.deals import Deals, Played, check_cores, one_among
from experiments.intervals import (
    EXACTLY_ZERO,
    FIRST_STAGE,
    Interval,
    deals_for,
    deals_to_separate,
    mean_interval,
    precision_of,
    ratio_interval,
)
from experiments.keeping import Keeper, identity_of
from experiments.report import in_words, print_report, print_scores, write_report

__all__ = ["Sample", "Settings", "evaluate", "measure", "print_report", "print_scores"]

FEWEST_DEALS = 30
USUAL_DEALS = 2000
MOST_DEALS = 1_000_000
"""The most that a precision may take without ``--max-deals``."""
MATCHES = {
    "matches won": "share of the matches that it came first in, alone or tied",
    "matches lost": "share of the matches that it did not come first in",
}


@dataclass
class Settings(TableSettings):
    """Compare agents on the same deals with the seats rotated."""

    agents: tuple[str, ...] = ("expert", "greedy", "random")
    """Names of agents, or folders of training runs."""
    among: str = "greedy"
    """Whose copies take the other seats."""
    deals: int | None = None
    """Number of deals; each is played once for every seat. 2000, if no precision is given."""
    precision: float | None = None
    """Instead of a number of deals: play until all intervals are this wide to either side."""
    max_deals: int | None = None
    """The most deals that a precision may take; what they reach is reported then."""
    confidence: float = 0.95
    """Level of the intervals."""
    sample: bool = False
    """Let trained agents draw their actions instead of taking the likeliest."""
    cores: int | None = None
    """Cores to play on; all by default. Results do not depend on it."""
    json: bool = False
    """Print the result as JSON instead of tables."""
    out: Path | None = None
    """Write the result to this folder, with tables, pictures and the deals played: the same command
    goes on with them, also with more deals, a finer precision or further agents."""


class StoppedTooEarly(Exception):
    """A stop was asked for before there were deals enough to report of."""


# --- One agent among copies of another ------------------------------------------------------------


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

    def interval(self, confidence: float) -> Interval:
        """Return mean, low and high end of the interval, with the deal as the unit."""
        return mean_interval(self.scores.mean(axis=1), confidence)


def measure(
    agent: AnyPlayer,
    others: AnyPlayer,
    settings: TableSettings,
    deals: int,
    seed: int | None = None,
    cores: int | None = 1,
) -> Sample:
    """Play ``agent`` as one seat among copies of ``others``.

    Args:
        agent: whose score counts.
        others: who takes all other seats.
        settings: the table.
        deals: number of deals, numbered from 0 under the seed.
        seed: of the deals; the settings' own by default.
        cores: to play on; the result does not depend on it.

    Raises:
        PlayerError: an agent does not fit the table.
    """
    tables = settings.tables(1)
    players = {"agent": player_for(agent, tables), "others": player_for(others, tables)}
    lineup = one_among(0, 0 if agent is others else 1, settings.players)
    played = Deals(settings, players, {"agent": lineup}, seed=seed, cores=cores)
    played.play(deals)
    found = played.played("agent")
    return Sample(found.scores, found.lost, played.decisions, played.seconds)


# --- The evaluation -------------------------------------------------------------------------------


def evaluate(settings: Settings, should_stop: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """Measure every agent among ``among``, and every pair's difference.

    Args:
        settings: what to measure.
        should_stop: asked several times a second; after a yes, the report is of the deals so far.

    Returns:
        What ``--json`` prints.

    Raises:
        SettingsError, PlayerError, RulesError: the settings cannot be carried out; deals played
            until then are kept.
        StoppedTooEarly: ``should_stop`` said so; deals are kept.
    """
    settings = _one_spelling(settings)
    _check(settings)
    players = _players(settings)
    names = list(players)
    lineups = {
        name: one_among(names.index(name), names.index(_among(settings)), settings.players)
        for name in settings.agents
    }
    deals = Deals(settings, players, lineups, cores=settings.cores)
    with _keeping(settings, deals, players) as look:
        goal = _Goal(settings, deals, look, should_stop)
        goal.reach()
    count = min(deals.common, goal.deals)
    if count < FEWEST_DEALS:
        raise StoppedTooEarly(_stopped_words(settings, count, goal))
    report = _Reporter(settings, deals, count, goal).report(players)
    if settings.out is not None:
        write_report(report, settings.out)
    return report


def _one_spelling(settings: Settings) -> Settings:
    """Return the settings with ``./runs/x/`` written ``runs/x``, the name that files keep."""
    words = tuple(str(Path(word)) for word in settings.agents)
    return replace(settings, agents=words, among=str(Path(settings.among)))


def _check(settings: Settings) -> None:
    """Raise ``SettingsError`` for what no table or agent would notice."""
    _check_lengths(settings)
    if not 0 < settings.confidence < 1:
        raise SettingsError(
            f"confidence={settings.confidence} is not possible; give a share such as 0.95."
        )
    check_cores(settings.cores)
    if not settings.agents:
        raise SettingsError("no agents were given; name one or more after --agents.")
    places = [_resolved(name) for name in settings.agents]
    doubles = [name for name in settings.agents if places.count(_resolved(name)) > 1]
    if doubles:
        raise SettingsError(f"agents names {doubles[0]!r} twice; name each agent once.")
    if settings.out is not None:
        check_folder(settings.out)


def _check_lengths(settings: Settings) -> None:
    deals, precision, most = settings.deals, settings.precision, settings.max_deals
    if deals is not None and precision is not None:
        raise SettingsError(
            f"deals={deals} and precision={precision} were both given; give one of them."
        )
    if deals is not None and deals < FEWEST_DEALS:
        raise SettingsError(
            f"deals={deals} are too few for an interval; give {FEWEST_DEALS} or more."
        )
    if precision is not None and not (precision > 0 and math.isfinite(precision)):
        raise SettingsError(
            f"precision={precision} is not possible; give a width more than 0, such as 0.005."
        )
    if most is not None and precision is None:
        raise SettingsError(f"max_deals={most} goes with a precision; give one, or give deals.")
    if most is not None and most < FIRST_STAGE:
        raise SettingsError(f"max_deals={most} is too few; give {FIRST_STAGE} or more.")


def _resolved(name: str) -> str:
    """Return the same text for two ways to write one folder."""
    return str(Path(name).resolve())


def _among(settings: Settings) -> str:
    """Return the field's agent by the name that it has among the agents, if it is one of them."""
    same = (name for name in settings.agents if _resolved(name) == _resolved(settings.among))
    return next(same, settings.among)


def _players(settings: Settings) -> dict[str, AnyPlayer]:
    """Load every agent and have it choose once, so that all is checked and compiled beforehand."""
    players = {}
    for name in dict.fromkeys([*settings.agents, _among(settings)]):
        tables = settings.tables(1)
        player = player_for(agents.load(name, tables.game, sample=settings.sample), tables)
        tables.reset(seed=settings.seed)
        tables.step(ask(player, tables, np.arange(1)))
        players[name] = player
    return players


@contextmanager
def _keeping(
    settings: Settings, deals: Deals, players: dict[str, AnyPlayer]
) -> Iterator[Callable[[int], None]]:
    """Yield what shows progress towards a number of deals; keep what was played, come what may."""
    keeper = None
    if settings.out is not None:
        identity = identity_of(
            settings, settings.seed, sample=settings.sample, among=_among(settings)
        )
        keeper = Keeper(settings.out, deals, players, identity)
    try:
        with progress_bar() as progress:
            task, shown = progress.add_task("evaluating", total=None), 0

            def look(goal: int) -> None:
                nonlocal shown
                done = sum(min(deals.done(name), goal) for name in deals.lineups)
                if goal != shown:  # what was there before says nothing of the time left
                    progress.reset(task, total=goal * len(deals.lineups), completed=done)
                    shown = goal
                progress.update(task, completed=done)
                if keeper is not None:
                    keeper.save_now_and_then()

            yield look
    finally:
        if keeper is not None:
            keeper.save()


class _Goal:
    """How many deals are to be played, and who says so.

    Attributes:
        deals: the number; under a precision, that of the first stage until that is played.
        needed: the number that the precision takes, once it is known.
    """

    def __init__(
        self,
        settings: Settings,
        deals: Deals,
        look: Callable[[int], None],
        should_stop: Callable[[], bool],
    ) -> None:
        self.settings, self._deals = settings, deals
        self._look, self._should_stop = look, should_stop
        self.needed: int | None = None
        self.deals = settings.deals or USUAL_DEALS
        if settings.precision is not None:
            self.deals = FIRST_STAGE

    def reach(self) -> None:
        """Play the deals, or as many as there is time for."""
        self._play()
        if self.settings.precision is None or self._deals.common < FIRST_STAGE:
            return
        self.needed = self._needed(self.settings.precision)
        self.deals = min(self.needed, self.settings.max_deals or MOST_DEALS)
        if self.settings.max_deals is None and self.needed > MOST_DEALS:
            reached = self.reached(MOST_DEALS)
            raise SettingsError(
                f"precision={self.settings.precision:g} would take {in_words(self.needed)} deals; "
                f"{MOST_DEALS:,}, the most without --max-deals, reach {reached:.2g}: give a "
                "precision not below that, or --max-deals."
            )
        self._play()

    def reached(self, deals: int) -> float:
        """Return the half-width of the widest interval after so many deals."""
        confidence = self.settings.confidence
        widths = [precision_of(each, deals, confidence) for each in self._first_stage()]
        return max(widths, default=0.0)

    def _needed(self, precision: float) -> int:
        confidence = self.settings.confidence
        counts = [deals_for(each, precision, confidence) for each in self._first_stage()]
        return max(counts, default=FIRST_STAGE)

    def _first_stage(self) -> list[NDArray[np.float64]]:
        """Return the numbers of the first stage's deals that have an interval."""
        scores = [score for score, exact in _scores(self._deals, FIRST_STAGE).values() if not exact]
        pairs = combinations(_scores(self._deals, FIRST_STAGE).values(), 2)
        return [*scores, *(a - b for (a, _), (b, _) in pairs)]

    def _play(self) -> None:
        self._look(self.deals)
        self._deals.play(self.deals, lambda: self._look(self.deals), self._should_stop)


def _scores(deals: Deals, count: int) -> dict[str, tuple[NDArray[np.float64], bool]]:
    """Return each agent's score a deal, and whether it is exactly 0 by symmetry."""
    found = {}
    for name, lineup in deals.lineups.items():
        score = deals.played(name, count).score_of(deals.names.index(name))
        found[name] = score, lineup.is_symmetric
    return found


def _stopped_words(settings: Settings, count: int, goal: _Goal) -> str:
    of = (
        f"at least {goal.deals:,}"
        if settings.precision and goal.needed is None
        else f"{goal.deals:,}"
    )
    words = f"stopped after {count:,} of {of} deals"
    return f"{words}; the same command goes on." if settings.out is not None else f"{words}."


# --- The report -----------------------------------------------------------------------------------


class _Reporter:
    """Puts deals into the form that ``--json`` prints."""

    def __init__(self, settings: Settings, deals: Deals, count: int, goal: _Goal) -> None:
        self._settings, self._deals, self._count, self._goal = settings, deals, count, goal
        self._game = settings.tables(1).game
        self._stage = FIRST_STAGE if settings.precision and count >= FIRST_STAGE else None
        self._scores = _scores(deals, count)

    def report(self, players: dict[str, AnyPlayer]) -> dict[str, Any]:
        settings, deals = self._settings, self._deals
        ranked = sorted(
            (self._agent(name) for name in settings.agents),
            key=lambda row: (-row["score"], row["name"]),
        )
        trained = any(isinstance(player, Learned) for player in players.values())
        stopped = self._count < self._goal.deals
        return {
            "game": self._game.name,
            "players": settings.players,
            "deals": self._count,
            "stopped": _stopped_words(settings, self._count, self._goal) if stopped else None,
            **provenance(settings),
            "agents": ranked,
            "differences": [
                self._difference(a["name"], b["name"]) for a, b in combinations(ranked, 2)
            ],
            "figures": self._meanings(),
            "precision": self._precision(),
            "mode": ("sampled" if settings.sample else "deterministic") if trained else None,
            "cores": deals.cores,
            "seconds": round(deals.seconds, 3),
            "decisions_per_second": round(deals.decisions / deals.seconds)
            if deals.decisions
            else None,
        }

    def _interval(self, values: NDArray[np.float64]) -> Interval:
        return mean_interval(values, self._settings.confidence, self._stage)

    def _agent(self, name: str) -> dict[str, Any]:
        played = self._deals.played(name, self._count)
        place = self._deals.names.index(name)
        values, exact = self._scores[name]
        score = EXACTLY_ZERO if exact else self._interval(values)
        return {
            "name": name,
            "score": score.mean,
            "low": score.low,
            "high": score.high,
            "lost": float(played.lost_by(place).mean()),
            "figures": self._figures(played, place),
        }

    def _figures(self, played: Played, place: int) -> dict[str, Any]:
        tallies = played.tallies_of(place)
        parts = {
            figure.name: (*figure.parts(tallies, self._game.tallies), figure.scale)
            for figure in self._game.figures
        }
        if self._settings.episode == "match":
            lost, every = played.lost_by(place), np.ones(len(played))
            share = 1 / len(played.lineup.columns_of(place))
            parts |= dict(
                zip(MATCHES, ((1 - lost, every, share), (lost, every, share)), strict=True)
            )
        found = {}
        for name, (above, below, unit) in parts.items():
            interval = ratio_interval(above, below, self._settings.confidence, unit)
            found[name] = interval and dict(zip(("value", "low", "high"), interval, strict=True))
        return found

    def _meanings(self) -> dict[str, str]:
        figures: tuple[Figure, ...] = self._game.figures
        meanings = {figure.name: figure.meaning for figure in figures}
        return meanings | (MATCHES if self._settings.episode == "match" else {})

    def _difference(self, a: str, b: str) -> dict[str, Any]:
        values = self._scores[a][0] - self._scores[b][0]
        interval = self._interval(values)
        return {
            "a": a,
            "b": b,
            **interval._asdict(),
            "verdict": "a" if interval.low > 0 else "open",
            "deals_to_separate": deals_to_separate(values, self._settings.confidence),
        }

    def _precision(self) -> dict[str, Any] | None:
        if self._stage is None or self._goal.needed is None:
            return None
        return {
            "wanted": self._settings.precision,
            "reached": self._goal.reached(self._count),
            "deals": self._goal.needed,
        }


def main(settings: Settings) -> int | None:
    """Evaluate, print, and write the result if a folder was given."""
    with stop_on_signal("finishing the deals under way; once more to stop at once.") as should_stop:
        try:
            report = evaluate(settings, should_stop)
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

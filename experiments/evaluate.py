"""Is A better than B, by how much, how sure? Agents on the same deals, in every seat.

Each agent is measured as one seat among copies of another. A deal is played once for every seat
the agent can have, and the mean over those seats is one observation: the deal is the unit of every
interval. All agents play the same deals in the same field, so two of them are compared deal by
deal. Since rewards sum to zero, an agent among copies of itself scores exactly 0.

With ``precision`` the first 200 deals say how many it takes, by Stein's two stages (see
``experiments.goal``), which keeps the intervals honest although the data say when to stop.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from cardenv import replay
from cardenv.players import AnyPlayer, player_for
from experiments.charts import draw_intervals, draw_pairs
from experiments.command import (
    SettingsError,
    TableSettings,
    provenance,
    run,
    write_csv,
    write_json,
)
from experiments.comparison import Comparison, carry_out, check_comparison
from experiments.deals import Deals, Played
from experiments.entrants import load_entrants, mode, same_agent, spelled
from experiments.figures import figures_of, meanings
from experiments.goal import Goal
from experiments.intervals import Interval, deals_to_separate, mean_interval
from experiments.keeping import identity_of, kept_and_shown
from experiments.lineups import one_among
from experiments.recording import FILE, check_save_games, record_games
from experiments.report import (
    cells,
    heading,
    in_words,
    level,
    print_ending,
    print_in_blocks,
    speed_of,
    table,
    with_earlier_speed,
)

PAIR = ("a", "b", "mean", "low", "high", "verdict", "deals_to_separate")
ENDS = ("low", "high")


@dataclass
class Settings(Comparison):
    """Compare agents on the same deals with the seats rotated."""

    among: str = "greedy"
    """Whose copies take the other seats: random, a heuristic such as greedy or expert, champion,
    a search such as mc:200, or the folder of a training run."""
    save_games: int = 0
    """Write so many games of each agent to games.jsonl in --out, for python -m cardenv replay."""


# --- One agent among copies of another ------------------------------------------------------------


def measure(
    agent: AnyPlayer,
    others: AnyPlayer,
    settings: TableSettings,
    deals: int,
    seed: int | None = None,
    cores: int | None = 1,
) -> Played:
    """Play ``agent`` as one seat among copies of ``others``.

    Args:
        agent: whose score counts.
        others: who takes all other seats.
        settings: the table.
        deals: number of deals, numbered from 0 under the seed.
        seed: of the deals; the settings' own by default.
        cores: to play on; the result does not depend on it.

    Returns:
        What was played; its ``interval`` is the agent's mean score with low and high end.

    Raises:
        PlayerError: an agent does not fit the table.
    """
    tables = settings.tables(1)
    players = {"agent": player_for(agent, tables), "others": player_for(others, tables)}
    lineup = one_among(0, 0 if agent is others else 1, settings.players)
    playing = Deals(settings, players, {"agent": lineup}, seed=seed, cores=cores)
    playing.play(deals)
    return playing.played("agent")


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
    agents = spelled(settings.agents)
    settings = replace(settings, agents=agents, among=spelled([settings.among])[0])
    check_comparison(settings)
    check_saving(settings)
    field = same_agent(settings.among, agents)
    players = load_entrants(settings, [*agents, field], settings.sample)
    numbers = {name: number for number, name in enumerate(players)}
    lineups = {name: one_among(numbers[name], numbers[field], settings.players) for name in agents}
    deals = Deals(settings, players, lineups, cores=settings.cores)
    goal = Goal(settings, deals, lambda count: _measured(deals, count))
    identity = identity_of(settings, settings.seed, sample=settings.sample, among=field)
    with kept_and_shown(deals, players, settings.out, identity, "evaluating") as look:
        goal.reach(look, should_stop)
    report = _report(settings, deals, goal) | {
        "precision": goal.precision(),
        "mode": mode(players, settings.sample),
        **speed_of(deals),
    }
    if settings.out is not None:
        write_report(report, settings.out)
        save_games(settings, players, deals, goal.count)
    return report


def check_saving(settings: Settings) -> None:
    """Raise ``SettingsError`` if there is nowhere to write games to, or no such number of them."""
    check_save_games(settings.save_games)
    if settings.save_games and settings.out is None:
        raise SettingsError(
            f"save_games={settings.save_games} goes with a folder; give one as --out."
        )


def save_games(
    settings: Settings, players: dict[str, AnyPlayer], deals: Deals, played: int
) -> None:
    """Write each agent's first games, if any are wanted."""
    if not settings.save_games or settings.out is None:
        return
    games = min(settings.save_games, played)
    replay.save(
        settings.out / FILE,
        [
            game
            for name, lineup in deals.lineups.items()
            for game in record_games(
                players, lineup, settings, games, f"{name} among {settings.among}"
            )
        ],
    )


def _measured(deals: Deals, count: int) -> list[NDArray[np.float64]]:
    """Return all scores a deal that are not 0 by symmetry, and the differences of all pairs."""
    scores = _scores(deals, count)
    own = [scores[name] for name in scores if not deals.lineups[name].is_symmetric]
    return own + [a - b for a, b in combinations(scores.values(), 2)]


def _scores(deals: Deals, count: int) -> dict[str, NDArray[np.float64]]:
    """Return each agent's score a deal: float64 ``[deals]``."""
    return {
        name: deals.played(name, count).score_of(deals.names.index(name)) for name in deals.lineups
    }


# --- The report -----------------------------------------------------------------------------------


def _report(settings: Settings, deals: Deals, goal: Goal) -> dict[str, Any]:
    """Return what was measured, the best agent first."""
    game, scores = settings.tables(1).game, _scores(deals, goal.count)

    def row_of(name: str) -> dict[str, Any]:
        played, place = deals.played(name, goal.count), deals.names.index(name)
        score = played.interval(settings.confidence, place, goal.basis)
        return {
            "name": name,
            "score": score.mean,
            "low": score.low,
            "high": score.high,
            "lost": float(played.lost_by(place).mean()),
            "figures": figures_of(played, place, game, settings.episode, settings.confidence),
        }

    def difference(a: str, b: str) -> dict[str, Any]:
        values = scores[a] - scores[b]
        interval = mean_interval(values, settings.confidence, values[: goal.basis])
        return {
            "a": a,
            "b": b,
            **interval._asdict(),
            "verdict": "a" if interval.low > 0 else "open",
            "deals_to_separate": deals_to_separate(values, settings.confidence),
        }

    ranked = sorted(map(row_of, scores), key=lambda row: (-row["score"], row["name"]))
    pairs = combinations([row["name"] for row in ranked], 2)
    return {
        "game": game.name,
        "players": settings.players,
        "deals": goal.count,
        "stopped": goal.stopped,
        **provenance(settings),
        "agents": ranked,
        "differences": [difference(a, b) for a, b in pairs],
        "figures": meanings(game, settings.episode),
    }


# --- Tables ---------------------------------------------------------------------------------------


def print_report(report: dict[str, Any], console: Console) -> None:
    """Print the result: each agent's score, every pair's difference, the game's figures."""
    print_scores(report, console)
    if report["differences"]:
        console.print(_differences(report))
    print_in_blocks(report["agents"], lambda rows: _figures(report, rows), console)
    print_ending(report, console)


def print_scores(report: dict[str, Any], console: Console) -> None:
    """Print each agent's score as one seat among copies of the settings' ``among``."""
    console.print(heading(report))
    among = f"score among {report['settings']['among']}"
    scores = table("agent", among, level(report), "lost")
    for row in report["agents"]:
        scores.add_row(escape(row["name"]), *cells(row["score"], row), f"{row['lost']:.1%}")
    console.print(scores)


def _differences(report: dict[str, Any]) -> Table:
    headings = ("A", "B", "A minus B", level(report), "verdict")
    found = table(*headings, title="differences, deal by deal")
    for column in (found.columns[1], found.columns[-1]):
        column.justify, column.no_wrap = "left", False
    for row in report["differences"]:
        found.add_row(escape(row["a"]), escape(row["b"]), *cells(row["mean"], row), _verdict(row))
    return found


def _verdict(row: dict[str, Any]) -> str:
    """Return what a pair's difference says, and how many deals say it."""
    deals = row["deals_to_separate"]
    if deals is None:
        return "open: no difference so far"
    if row["verdict"] == "a":
        return f"A is better; about {in_words(deals)} deals show it"
    return f"open: about {in_words(deals)} deals, if it is as large as this"


def _figures(report: dict[str, Any], rows: Sequence[dict[str, Any]]) -> Table:
    """Return the figures of some of the report's agents."""
    title = escape(f"figures of one seat among {report['settings']['among']}")
    found = table("figure", *(row["name"] for row in rows), title=title)
    for name in report["figures"]:
        found.add_row(name, *(_figure(row["figures"][name]) for row in rows))
    return found


def _figure(found: dict[str, float] | None) -> str:
    """Return a figure with half its interval's width, both to the latter's second digit."""
    if found is None:
        return "-"
    half = (found["high"] - found["low"]) / 2
    digits = min(max(1 - math.floor(math.log10(half)), 0), 5) if half > 0 else 1
    return f"{found['value']:.{digits}f} ± {half:.{digits}f}"


# --- Files ----------------------------------------------------------------------------------------


def write_report(report: dict[str, Any], folder: Path) -> None:
    """Write ``evaluation.json``, ``scores.csv``, ``differences.csv`` and their pictures."""
    path = folder / "evaluation.json"
    write_json(path, with_earlier_speed(report, path))
    write_csv(folder / "scores.csv", _score_rows(report))
    pairs = [[row[name] for name in PAIR] for row in report["differences"]]
    write_csv(folder / "differences.csv", [PAIR, *pairs])
    _draw(report, folder)


def _score_rows(report: dict[str, Any]) -> list[list[Any]]:
    """Return a line an agent, with three columns a figure; a figure there is not stays empty."""
    rows: list[list[Any]] = [["agent", "deals", "score", *ENDS, "lost"]]
    for name in map(_column, report["figures"]):
        rows[0] += [name, *(f"{name}_{end}" for end in ENDS)]
    for row in report["agents"]:
        rows.append([row["name"], report["deals"], row["score"], row["low"], row["high"]])
        rows[-1].append(row["lost"])
        for name in report["figures"]:
            figure = row["figures"][name] or {}
            rows[-1] += [figure.get(each) for each in ("value", *ENDS)]
    return rows


def _column(figure: str) -> str:
    """Return a figure's name as that of a column: ``flies_forced`` of ``flies, forced``."""
    return re.sub(r"\W+", "_", figure)


def _draw(report: dict[str, Any], folder: Path) -> None:
    settings, agents = report["settings"], report["agents"]
    scores = [(row["name"], Interval(row["score"], row["low"], row["high"])) for row in agents]
    measured = f"score a {settings['episode']} among {settings['among']}"
    draw_intervals(folder / "scores.png", scores, heading(report), measured, level(report))
    names = [row["name"] for row in agents]
    means, sure = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)), np.bool_)
    for row in report["differences"]:
        a, b = names.index(row["a"]), names.index(row["b"])
        means[a, b], means[b, a] = row["mean"], -row["mean"]
        sure[a, b] = sure[b, a] = row["verdict"] != "open"
    below = f"row minus column; * the {level(report)} excludes 0"
    draw_pairs(folder / "differences.png", names, means, sure, heading(report), below)


def main(settings: Settings) -> int | None:
    """Evaluate, print, and write the result if a folder was given."""
    return carry_out(settings, evaluate, print_report)


if __name__ == "__main__":
    run(Settings, main)

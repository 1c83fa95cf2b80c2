"""An evaluation as tables, files and pictures."""

import csv
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from experiments.charts import draw_differences, draw_intervals
from experiments.command import write_json, write_text
from experiments.intervals import Interval

EPISODES = {"round": "rounds", "match": "matches"}
PAIR = ("a", "b", "mean", "low", "high", "verdict", "deals_to_separate")
ENDS = ("low", "high")
MOST_IN_WORDS = 10**12


# --- Words ----------------------------------------------------------------------------------------


def heading(report: dict[str, Any]) -> str:
    """Return what was played, in a line."""
    settings = report["settings"]
    return (
        f"{report['game']}, {report['players']} players, {EPISODES[settings['episode']]}, "
        f"rules {' '.join(settings['rules'])}, {report['deals']:,} deals in every seat"
    )


def level(report: dict[str, Any]) -> str:
    """Return what the intervals are called."""
    return f"{round(100 * report['settings']['confidence'], 6):g} % interval"


def in_words(deals: int) -> str:
    """Return a number of deals to two digits, as it is no more certain than that."""
    if deals > MOST_IN_WORDS:
        return f"more than {MOST_IN_WORDS:,}"
    return f"{round(deals, min(0, 2 - len(str(deals)))):,}"


def verdict(row: dict[str, Any]) -> str:
    """Return what a pair's difference says, and how many deals say it."""
    deals = row["deals_to_separate"]
    if deals is None:
        return "open: no difference so far"
    if row["verdict"] == "a":
        return f"A is better; about {in_words(deals)} deals show it"
    return f"open: about {in_words(deals)} deals, if it is as large as this"


def speed(report: dict[str, Any]) -> str:
    """Return how long it took and how fast it was."""
    played = f"{report['seconds']:.1f} s on {report['cores']} core" + "s" * (report["cores"] > 1)
    if report["decisions_per_second"] is None:
        return "no deal had to be played; all were kept"
    return f"{report['decisions_per_second']:,} decisions/s, {played}"


def precision(report: dict[str, Any]) -> str:
    """Return which precision was wanted and reached."""
    found = report["precision"]
    text = f"precision {found['reached']:.2g} reached"
    if found["reached"] <= found["wanted"]:
        return f"{text} ({found['wanted']:g} was wanted)"
    return f"{text}; {found['wanted']:g} would take {in_words(found['deals'])} deals"


# --- Tables ---------------------------------------------------------------------------------------


def print_report(report: dict[str, Any], console: Console) -> None:
    """Print the result: each agent's score, every pair's difference, the game's figures."""
    print_scores(report, console)
    if report["differences"]:
        console.print(_differences(report))
    console.print(_figures(report))
    if report["precision"]:
        console.print(precision(report), highlight=False)
    if report["mode"]:
        console.print(f"trained agents: {report['mode']}", highlight=False)
    console.print(speed(report), highlight=False)


def print_scores(report: dict[str, Any], console: Console) -> None:
    """Print each agent's score as one seat among copies of the settings' ``among``."""
    settings = report["settings"]
    console.print(heading(report))
    table = _table("agent", f"score among {settings['among']}", level(report), "lost")
    for row in report["agents"]:
        table.add_row(escape(row["name"]), *_cells(row["score"], row), f"{row['lost']:.1%}")
    console.print(table)


def _differences(report: dict[str, Any]) -> Table:
    table = _table("A", "B", "A minus B", level(report), "verdict")
    table.title, table.title_justify = "differences, deal by deal", "left"
    table.columns[1].justify = table.columns[-1].justify = "left"
    for row in report["differences"]:
        table.add_row(*map(escape, (row["a"], row["b"])), *_cells(row["mean"], row), verdict(row))
    return table


def _figures(report: dict[str, Any]) -> Table:
    table = _table("figure", *(row["name"] for row in report["agents"]))
    for name in report["figures"]:
        table.add_row(name, *(_figure(row["figures"][name]) for row in report["agents"]))
    return table


def _table(*headings: str) -> Table:
    table = Table()
    for place, column in enumerate(headings):
        table.add_column(escape(column), justify="right" if place else "left", overflow="fold")
    return table


def _cells(mean: float, row: dict[str, Any]) -> tuple[str, str]:
    return f"{mean:+.4f}", f"{row['low']:+.4f} to {row['high']:+.4f}"


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
    write_json(folder / "evaluation.json", report)
    write_text(folder / "scores.csv", _as_csv(_scores(report)))
    pairs = [[row[name] for name in PAIR] for row in report["differences"]]
    write_text(folder / "differences.csv", _as_csv([list(PAIR), *pairs]))
    _draw(report, folder)


def _scores(report: dict[str, Any]) -> list[list[Any]]:
    """Return a line a agent, with three columns a figure; a figure there is not stays empty."""
    rows: list[list[Any]] = [["agent", "deals", "score", *ENDS, "lost"]]
    for name in report["figures"]:
        rows[0] += [name, *(f"{name}, {end}" for end in ENDS)]
    for row in report["agents"]:
        rows.append([row["name"], report["deals"], row["score"], row["low"], row["high"]])
        rows[-1].append(row["lost"])
        for name in report["figures"]:
            figure = row["figures"][name] or {}
            rows[-1] += [figure.get(each) for each in ("value", *ENDS)]
    return rows


def _as_csv(rows: Sequence[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


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
    draw_differences(folder / "differences.png", names, means, sure, heading(report), level(report))

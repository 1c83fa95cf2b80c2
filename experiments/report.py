"""What the reports of all comparisons have in common: lines of words, and the look of tables.

A report is what ``--json`` prints: a dict that has ``game``, ``players``, ``deals``, the
``settings``, and what the functions here say they read.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from cardenv import games
from experiments.deals import Deals

EPISODES = {"round": "rounds", "match": "matches"}
C = TypeVar("C")
MOST_IN_WORDS = 10**12
MODES = {
    "deterministic": "trained agents take their likeliest action",
    "sampled": "trained agents draw their actions (--sample)",
    "timed": "searches by time cannot be repeated exactly",
}
MOST_COLUMNS = 4
"""The most agents side by side in a table with a column for each."""
WIDEST_NUMBER = 20
"""A longer heading is a name, which may be folded where there is no room for it."""
UNBOUNDED = 10**6
"""A width that no table has."""
SPEED = ("cores", "seconds", "decisions_per_second")


# --- Words ----------------------------------------------------------------------------------------


def heading(report: dict[str, Any]) -> str:
    """Return what was played, in a line."""
    settings = report["settings"]
    return (
        f"{games.get(report['game']).title}, {report['players']} players, "
        f"{EPISODES[settings['episode']]}, rules {' '.join(settings['rules'])}, "
        f"{report['deals']:,} deals in every seat"
    )


def level(report: dict[str, Any]) -> str:
    """Return what the intervals are called."""
    return f"{round(100 * report['settings']['confidence'], 6):g} % interval"


def in_words(deals: int) -> str:
    """Return a number of deals to two digits, as it is no more certain than that."""
    if deals > MOST_IN_WORDS:
        return f"more than {MOST_IN_WORDS:,}"
    return f"{round(deals, min(0, 2 - len(str(deals)))):,}"


# --- How it was played ----------------------------------------------------------------------------


def speed_of(deals: Deals) -> dict[str, Any]:
    """Return what a report says of speed; there is none where all deals were kept ones."""
    rate = round(deals.decisions / deals.seconds) if deals.decisions else None
    return dict(zip(SPEED, (deals.cores, round(deals.seconds, 3), rate), strict=True))


def with_earlier_speed(report: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return a report for a file, with what that said of speed where nothing was played since."""
    if report["decisions_per_second"] is not None or not path.exists():
        return report
    try:
        before = json.loads(path.read_text())
        return report | {name: before[name] for name in SPEED}
    except (ValueError, TypeError, KeyError):
        return report


def print_mode(report: dict[str, Any], console: Console) -> None:
    """Print how agents choose that may do so in several ways, by ``mode``."""
    for word in (report["mode"] or "").split(", "):
        if word:
            console.print(MODES[word], highlight=False)


def print_ending(report: dict[str, Any], console: Console) -> None:
    """Print the last lines: ``precision``, ``mode``, and what ``speed_of`` says."""
    if report["precision"]:
        console.print(_precision(report["precision"]), highlight=False)
    print_mode(report, console)
    console.print(_speed(report), highlight=False)


def _precision(found: dict[str, Any]) -> str:
    text = f"precision {found['reached']:.2g} reached"
    if found["reached"] <= found["wanted"]:
        return f"{text} ({found['wanted']:g} was wanted)"
    return f"{text}; {found['wanted']:g} would take {in_words(found['deals'])} deals"


def _speed(report: dict[str, Any]) -> str:
    played = f"{report['seconds']:.1f} s on {report['cores']} core" + "s" * (report["cores"] > 1)
    if report["decisions_per_second"] is None:
        return "no deal had to be played; all were kept"
    return f"{report['decisions_per_second']:,} decisions/s, {played}"


# --- Tables ---------------------------------------------------------------------------------------


def table(*headings: str, title: str | None = None) -> Table:
    """Return an empty table: the first column to the left, numbers to the right and in one line."""
    made = Table(title=title, title_justify="left")
    for place, column in enumerate(headings):
        whole = place > 0 and len(column) <= WIDEST_NUMBER
        justify: Any = "right" if place else "left"
        made.add_column(escape(column), justify=justify, overflow="fold", no_wrap=whole)
    return made


def print_in_blocks(
    columns: Sequence[C], made_of: Callable[[Sequence[C]], Table], console: Console
) -> None:
    """Print a table of many columns one part below the other, its title above the first.

    Args:
        columns: what there is a column for.
        made_of: returns the table of some of them.
        console: each part is as wide as fits in, of ``MOST_COLUMNS`` at most.
    """
    for count in range(MOST_COLUMNS, 0, -1):
        starts = range(0, len(columns), count)
        parts = [made_of(columns[start : start + count]) for start in starts]
        if all(_width(part, console) <= console.width for part in parts):
            break
    for part in parts[1:]:
        part.title = None
    for part in parts:
        console.print(part)


def _width(made: Table, console: Console) -> int:
    """Return how wide a table is that nothing is folded in."""
    unbounded = console.options.update(max_width=UNBOUNDED)
    return console.measure(made, options=unbounded).maximum


def cells(mean: float, row: dict[str, Any]) -> tuple[str, str]:
    """Return a score and its interval, the ``low`` to ``high`` of a report's row."""
    return f"{mean:+.4f}", f"{row['low']:+.4f} to {row['high']:+.4f}"


def cell(mean: float, row: dict[str, Any]) -> str:
    """Return a score and half the width of its interval, in one cell."""
    return f"{mean:+.4f} ± {(row['high'] - row['low']) / 2:.4f}"

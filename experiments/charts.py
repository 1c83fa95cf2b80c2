"""Pictures of a comparison: scores with their intervals, and who is better than whom."""

import math
import textwrap
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from experiments.intervals import Interval

LINE, LINES = 24, 3
"""An agent's name takes at most so many characters a line, on so many lines."""
DARK = 0.6
"""Share of the strongest colour from which numbers are written in white."""
RESOLUTION = 120
LETTERS_AN_INCH = 9


def draw_intervals(
    path: Path, scores: Sequence[tuple[str, Interval]], title: str, measured: str, level: str
) -> None:
    """Draw a point and its interval for each agent, the best at the top, and a line at 0.

    Args:
        path: of the PNG file.
        scores: names and intervals, in any order.
        title: over the picture.
        measured: what the scores are.
        level: of the intervals, in words.
    """
    ranked = sorted(scores, key=lambda row: row[1].mean)
    places = range(len(ranked))
    means = np.array([interval.mean for _, interval in ranked])
    ends = np.array([[each.mean - each.low, each.high - each.mean] for _, each in ranked]).T
    figure = Figure(figsize=(8, 1.8 + 0.45 * len(ranked)), layout="constrained")
    axes = figure.subplots()
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.errorbar(
        means, places, xerr=np.maximum(ends, 0), fmt="o", markersize=4, capsize=4, label=level
    )
    axes.set_yticks(places, [folded(name) for name, _ in ranked])
    axes.set_ylim(-0.6, len(ranked) - 0.4)
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel(titled(f"{measured}, with the {level}", 8))
    axes.set_title(titled(title, 8), fontsize="medium")
    figure.savefig(path, dpi=RESOLUTION)


def draw_pairs(
    path: Path,
    names: Sequence[str],
    means: NDArray[np.float64],
    sure: NDArray[np.bool_],
    title: str,
    below: str,
) -> None:
    """Draw a number for every ordered pair of agents.

    Args:
        path: of the PNG file.
        names: the agents.
        means: float64 ``[agents, agents]``, by row and column; the diagonal is left empty.
        sure: bool ``[agents, agents]``, where the interval excludes 0.
        title: over the picture.
        below: what the numbers are, in words.
    """
    count = len(names)
    strongest = float(np.abs(means).max()) or 1.0
    side = 2.8 + 0.9 * count
    figure = Figure(figsize=(side + 0.8, side), layout="constrained")
    axes = figure.subplots()
    shown = np.where(np.eye(count, dtype=bool), np.nan, means)
    image = axes.imshow(shown, cmap="RdBu", vmin=-strongest, vmax=strongest)
    for row, column in np.argwhere(~np.eye(count, dtype=bool)):
        mean, is_sure = means[row, column], sure[row, column]
        axes.text(
            column,
            row,
            f"{mean:+.4f}" + "*" * bool(is_sure),
            ha="center",
            va="center",
            fontsize="small",
            fontweight="bold" if is_sure else "normal",
            color="white" if abs(mean) > DARK * strongest else "black",
        )
    labels = [folded(name) for name in names]
    axes.tick_params(labelsize="small")
    axes.set_xticks(range(count), labels, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(count), labels)
    axes.set_xlabel(titled(below, side))
    axes.set_title(titled(title, side), fontsize="medium")
    figure.colorbar(image, shrink=0.6)
    figure.savefig(path, dpi=RESOLUTION)


def draw_rates(
    path: Path,
    curves: Mapping[str, Sequence[tuple[int, float]]],
    marks: Mapping[str, float],
    others: Collection[str],
    title: str,
    made: str,
) -> None:
    """Draw decisions a second: curves over the number of tables, and marks beside them.

    Args:
        path: of the PNG file.
        curves: points (tables, rate) by name.
        marks: rates by name, of what has no curve.
        others: the names of those marks that are not ours, drawn in a colour of their own.
        title: over the picture.
        made: how, kept in the file as its description.
    """
    figure = Figure(figsize=(12, 7), layout="constrained")
    axes, beside = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    for place, (name, points) in enumerate(curves.items()):
        axes.plot(*zip(*points, strict=True), marker="osD^"[place % 4], markersize=5, label=name)
    axes.set(xscale="log", yscale="log", xlabel="tables together", ylabel="decisions a second")
    axes.set_xticks(*2 * [sorted({tables for points in curves.values() for tables, _ in points})])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right", framealpha=1)
    beside.set_xlim(0, 1)
    beside.axis("off")
    names = sorted(marks, key=lambda name: marks[name])
    low, high = axes.get_ylim()
    low = min([low, *(rate / 2 for rate in marks.values())])
    axes.set_ylim(low, high)
    heights = apart([math.log10(marks[name]) for name in names], math.log10(high / low) / 30)
    for name, height in zip(names, heights, strict=True):
        colour = "tab:brown" if name in others else "black"
        axes.axhline(marks[name], color=colour, linewidth=0.6, alpha=0.5)
        beside.plot((0, 0.06), (marks[name], 10**height), color=colour, linewidth=0.6, alpha=0.5)
        words = f"{marks[name]:,.0f}  {name}"
        beside.text(0.07, 10**height, words, va="center", fontsize="small", color=colour)
    axes.set_title(title)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=RESOLUTION, metadata={"Description": made})


def apart(heights: Sequence[float], gap: float) -> list[float]:
    """Return ascending heights, each moved up as far as it takes to be ``gap`` over the last."""
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + gap) if moved else height)
    return moved


def titled(title: str, inches: float) -> str:
    """Return a title on as many lines as a picture of this width needs.

    Matplotlib wraps by the width of the picture too, but its layout then leaves the room for it
    on all sides.
    """
    return textwrap.fill(title, int(LETTERS_AN_INCH * inches)).replace("$", r"\$")


def folded(name: str) -> str:
    """Return a name on as many lines as it takes, a very long one without its middle."""
    most = LINE * LINES
    if len(name) > most:
        name = f"{name[: most // 2 - 1]}…{name[-(most // 2) :]}"
    lines = [name[start : start + LINE] for start in range(0, len(name), LINE)]
    return "\n".join(lines).replace("$", r"\$")  # which Matplotlib would take for a formula

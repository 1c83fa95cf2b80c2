"""The learning curve of a run, as a table and as a picture."""

import math
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from cardenv import games
from experiments.command import TableSettings, write_csv

CURVE = ("steps", "seconds", "training_reward", "score", "low", "high")


def write_curve(path: Path, rows: list[Any]) -> None:
    """Write the learning curve: steps, seconds, mean reward in training, score and interval."""
    write_csv(path, [CURVE, *rows])


def draw_curve(path: Path, rows: list[Any], settings: TableSettings, yardstick: str) -> None:
    """Draw the score among the yardstick with its interval over the learner's decisions."""
    steps, _, rewards, scores, lows, highs = zip(*rows, strict=True)
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    axes.fill_between(steps, lows, highs, alpha=0.25, label="95 % interval")
    axes.plot(steps, scores, marker="o", markersize=3, label=f"score among {yardstick}")
    known = [math.nan if reward is None else reward for reward in rewards]
    axes.plot(steps, known, linestyle=":", marker=".", label="mean reward in training")
    _finish(axes, settings, f"reward a {settings.episode}")
    figure.savefig(path, dpi=120)


def draw_curves(path: Path, rows: list[Any], settings: TableSettings) -> None:
    """Draw a curve with its interval for each yardstick.

    Args:
        path: of the PNG file.
        rows: steps, seconds, yardstick, score, low end and high end of its 95 % interval.
        settings: of the run.
    """
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    for yardstick in dict.fromkeys(row[2] for row in rows):
        points = [row for row in rows if row[2] == yardstick]
        steps, _, _, scores, lows, highs = zip(*points, strict=True)
        (line,) = axes.plot(steps, scores, marker="o", markersize=3, label=f"among {yardstick}")
        axes.fill_between(steps, lows, highs, alpha=0.2, color=line.get_color())
    _finish(axes, settings, f"score a {settings.episode}, with its 95 % interval")
    figure.savefig(path, dpi=120)


def _finish(axes: Any, settings: TableSettings, measured: str) -> None:
    """Give a curve's picture its line at 0, its words and its legend."""
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set_xlabel("decisions of the learner")
    axes.set_ylabel(measured)
    rules = " ".join(settings.rules)
    title = games.get(settings.game).title
    axes.set_title(f"{title}, {settings.players} players, {rules}, seed {settings.seed}")
    axes.xaxis.set_major_formatter(EngFormatter())
    axes.legend()

"""How many decisions a second each trainer learns from, and what the time goes into.

MaskablePPO and the lean learner train side by side: the same table, network, decisions a rollout,
minibatches, epochs and threads, in turn, so that a change in the machine's speed meets both. A
decision counts once its trainer has made all gradient steps on it. The lean learner is measured
with its own, larger minibatches and with a central critic too.
"""

import dataclasses
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import torch
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO

from cardenv import games
from experiments import selfplay, train
from experiments.command import (
    SettingsError,
    TableSettings,
    check_writable,
    give_report,
    progress_bar,
    provenance,
    run,
)
from experiments.learning import check_counts, check_layers
from experiments.opponents import opponent_weights
from experiments.pool import POOL, SELF

MASKABLE, LEAN = "MaskablePPO", "lean learner, the same work"
SHARES = ("tables", "choosing", "learning")


@dataclass
class Settings(TableSettings):
    """Measure decisions learned from a second: MaskablePPO's and the lean learner's."""

    layers: tuple[int, ...] = (64, 64)
    """Widths of the hidden layers, of the policy and of the critic."""
    num_envs: int = 512
    """Tables played at once."""
    rollout: int = 16
    """Decisions at each table between two updates."""
    minibatch: int = 2048
    """Decisions in one gradient step."""
    epochs: int = 4
    """Passes over each rollout."""
    opponent: str = "greedy"
    """Who plays the other seats for MaskablePPO; with the lean learner they learn too."""
    threads: int = 1
    """Threads of PyTorch."""
    device: Literal["auto", "cpu", "cuda"] = field(default="cpu", init=False)
    """Where networks are trained: the lean learner knows no other place, and both are to meet the
    same machine."""
    updates: int = 10
    """Rollouts, each with its update, in one run."""
    repeats: int = 3
    """Runs of each; the median counts."""
    json: bool = False
    """Print the result as JSON instead of a table."""
    out: Path | None = None
    """Also write the result as JSON to this file."""


@dataclass
class Timed:
    """What one run of a trainer took.

    Attributes:
        decisions: that were learned from.
        seconds: in all.
        shares: of the seconds, by what they went into.
    """

    decisions: int
    seconds: float
    shares: dict[str, float]

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds


def maskable(settings: Settings, folder: Path) -> Callable[[], Timed]:
    """Return a function that trains MaskablePPO for a run."""
    training = _alike(train.Settings, settings, folder, opponents=(settings.opponent,))
    env = train.make_env(training)
    model: MaskablePPO = train.make_model(training, env)
    decisions = settings.updates * settings.num_envs * settings.rollout

    def once() -> Timed:
        before, began = env.acting.seconds, time.perf_counter()
        model.learn(decisions, reset_num_timesteps=False, log_interval=10**9)
        seconds = time.perf_counter() - began
        return Timed(decisions, seconds, {"tables": (env.acting.seconds - before) / seconds})

    return once


def lean(settings: Settings, folder: Path, **more: Any) -> Callable[[], Timed]:
    """Return a function that trains the lean learner for a run."""
    training = _alike(selfplay.Settings, settings, folder, critic_layers=settings.layers, **more)
    learner = selfplay.Learner(training)
    updates = max(1, settings.updates * settings.num_envs * settings.rollout // _batch(training))

    def once() -> Timed:
        steps, before, began = learner.steps, dict(learner.seconds), time.perf_counter()
        for _ in range(updates):
            learner.collect()
            learner.learn()
        seconds = time.perf_counter() - began
        shares = {what: (learner.seconds[what] - before[what]) / seconds for what in before}
        return Timed(learner.steps - steps, seconds, shares)

    return once


def _batch(training: selfplay.Settings) -> int:
    return training.num_envs * training.rollout


def _alike(kind: Any, settings: Settings, folder: Path, **more: Any) -> Any:
    """Return a trainer's settings for the same work."""
    same = {each.name for each in dataclasses.fields(settings)} - {"out"}
    shared = {each.name for each in dataclasses.fields(kind) if each.init} & same
    values = {name: getattr(settings, name) for name in shared} | more
    return kind(**values, steps=10**9, out=folder / kind.__module__)


def check(settings: Settings) -> None:
    """Raise ``SettingsError`` for what would go wrong only after a while."""
    check_counts(settings, ("num_envs", "rollout", "epochs", "threads", "updates", "repeats"))
    check_layers("layers", settings.layers)
    for name in ("players", "minibatch"):
        if getattr(settings, name) < 2:
            raise SettingsError(
                f"{name}={getattr(settings, name)} is not possible; give 2 or more."
            )
    if settings.num_envs * settings.rollout < 2:
        raise SettingsError("num_envs=1 and rollout=1 make one decision; give more of either.")
    if {SELF, POOL} & set(opponent_weights((settings.opponent,))):
        raise SettingsError(
            f"opponent={settings.opponent!r} is not possible, as networks of its own that "
            "MaskablePPO played against would not learn here; give a heuristic such as greedy."
        )
    if settings.out is not None:
        check_writable(settings.out)


def measure(settings: Settings) -> dict[str, Any]:
    """Train each in turn; return decisions a second, shares of time, and ratios by name.

    Raises:
        SettingsError: a setting is not possible.
    """
    check(settings)
    torch.set_num_threads(settings.threads)
    torch.distributions.Distribution.set_default_validate_args(False)
    with tempfile.TemporaryDirectory() as folder, progress_bar() as progress:
        place = Path(folder)
        usual = selfplay.Settings()
        large = {name: getattr(usual, name) for name in ("num_envs", "rollout", "minibatch")}
        trainers = {
            MASKABLE: maskable(settings, place),
            LEAN: lean(settings, place, central_critic=False),
            "lean learner, larger batches": lean(settings, place, central_critic=False, **large),
            "lean learner, larger batches, central critic": lean(settings, place, **large),
        }
        runs: dict[str, list[Timed]] = {name: [] for name in trainers}
        task = progress.add_task("training", total=(settings.repeats + 1) * len(trainers))
        for repeat in range(settings.repeats + 1):
            for name, once in trainers.items():
                timed = once()
                if repeat:  # the first one compiles, and fills caches
                    runs[name].append(timed)
                progress.advance(task)
    return {
        **provenance(settings),
        "decisions_per_second": {
            name: statistics.median(each.rate for each in timed) for name, timed in runs.items()
        },
        "times_as_fast_as_maskable": {
            name: statistics.median(
                ours.rate / theirs.rate for ours, theirs in zip(timed, runs[MASKABLE], strict=True)
            )
            for name, timed in runs.items()
        },
        "shares_of_time": {
            name: {
                what: statistics.median(each.shares[what] for each in timed)
                for what in timed[0].shares
            }
            for name, timed in runs.items()
        },
    }


def print_report(report: dict[str, Any], console: Console) -> None:
    """Print the figures as a table."""
    settings = report["settings"]
    layers = "x".join(map(str, settings["layers"]))
    console.print(
        f"{games.get(settings['game']).title}, {settings['players']} players, network {layers}, "
        f"{settings['epochs']} epochs, {settings['threads']} thread(s)"
    )
    table = Table("trainer")
    for heading in ("decisions/s", "times", "tables", "choosing", "learning"):
        table.add_column(heading, justify="right")
    for name, rate in report["decisions_per_second"].items():
        shares = report["shares_of_time"][name]
        words = [f"{shares[what]:.0%}" if what in shares else "" for what in SHARES]
        ratio = report["times_as_fast_as_maskable"][name]
        table.add_row(name, f"{rate:,.0f}", f"{ratio:.2f}", *words)
    console.print(table)


def main(settings: Settings) -> None:
    """Measure, print, and write the result if a file was asked for."""
    report = measure(settings)
    give_report(report, settings.json, settings.out, print_report)


if __name__ == "__main__":
    run(Settings, main)

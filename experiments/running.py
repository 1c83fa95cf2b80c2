"""A training run and its folder: playing and learning in turn, progress, logs, curve, checkpoints.

The folder holds ``settings.json``, ``curve.csv`` and ``curve.png`` (scores among yardsticks),
``training.csv`` and TensorBoard's files (what every rollout told), ``policy.npz`` and
``policy.json`` (what ``agents.load`` reads), and ``checkpoint.pt``, which holds arrays alone.
"""

import dataclasses
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress
from torch import nn
from torch.utils.tensorboard import SummaryWriter

from agents import policies
from agents.learned import Learned
from cardenv.files import replacing
from experiments.command import (
    INTERRUPTED,
    SettingsError,
    plain,
    progress_bar,
    provenance,
    stop_on_signal,
    write_csv,
    write_json,
)
from experiments.curve import draw_curves
from experiments.evaluate import measure
from experiments.health import Health, NotFinite, check_finite
from experiments.learning import Learning, Stopped, check_learning, check_same, evaluation_command
from experiments.opponents import load

CHECKPOINT = "checkpoint.pt"
TOLD = ("trainer", "settings", "curve", "log", "seconds")
"""What a checkpoint tells beside the learner's own state."""
CURVE = ("steps", "seconds", "yardstick", "score", "low", "high")


@dataclass
class Running(Learning):
    """How a run is measured while it goes on."""

    trainer: ClassVar[str]
    """The trainer's name, such as ``selfplay``: no other one goes on with its run."""
    yardsticks: tuple[str, ...] = ("greedy",)
    """Among whose copies the agent is measured while it learns; each is random, a heuristic,
    champion, a search such as mc:200, or the folder of a training run."""
    device: Literal["auto", "cpu", "cuda"] = field(default="cpu", init=False)
    """Where networks are trained; these learners know no other place, so none is offered."""


class Learner(Protocol):
    """What a run drives.

    Attributes:
        steps: decisions learned from so far.
        episodes: episodes finished so far.
        explored: whether the newest rollout's actions were drawn by the network.
        seconds: wall time by what it went into.
        weights: everything that is learned.
    """

    steps: int
    episodes: int
    explored: bool
    seconds: dict[str, float]
    weights: list[nn.Parameter]

    def collect(self) -> None:
        """Play a rollout."""

    def learn(self) -> dict[str, float]:
        """Learn from it; return figures for the log, among them ``entropy`` if it explored."""
        ...

    def learned(self) -> Learned:
        """Return the agent as it is now."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Return everything that the next rollout depends on, as tensors, numbers and text."""
        ...

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take over what ``state_dict`` returned."""


class Run:
    """A run's folder: progress, logs, the curve, checkpoints."""

    def __init__(self, settings: Running, learner: Learner, progress: Progress) -> None:
        self.settings, self.learner, self.progress = settings, learner, progress
        self.curve: list[list[Any]] = []
        self.log: list[dict[str, float]] = []
        table = settings.tables(1)
        self.yardsticks = {
            name: load("yardsticks", name, table, False) for name in settings.yardsticks
        }
        self.kept = 0
        self.task = progress.add_task("training", total=settings.steps)
        seconds = self.go_on() if settings.resume else self.begin()
        self.began = time.perf_counter() - seconds
        self.board = SummaryWriter(str(settings.out / "tensorboard"), purge_step=learner.steps)
        self.health = Health(settings.steps, settings.num_envs, learner.steps, learner.episodes)
        progress.update(self.task, completed=learner.steps)

    def begin(self) -> float:
        """Write what the run is made with; return the seconds it has taken, none."""
        write_json(self.settings.out / "settings.json", provenance(self.settings))
        return 0.0

    def go_on(self) -> float:
        """Take over the newest checkpoint; return the seconds the run has taken."""
        path = self.settings.out / CHECKPOINT
        kept = read_checkpoint(path, self.settings.trainer)
        check_same(self.settings, kept["settings"])
        try:
            self.learner.load_state_dict(kept["learner"])
        except Exception as error:
            raise _unreadable(path, error) from None
        self.curve, self.log = kept["curve"], kept["log"]
        self.kept = self.learner.steps
        return float(kept["seconds"])

    def carry_out(self, should_stop: Callable[[int], bool]) -> None:
        """Play and learn in turn, to the last step.

        Raises:
            Stopped: ``should_stop`` said so; everything is saved.
            NotFinite: something learned is no number; the checkpoint before that stays.
        """
        learner, steps = self.learner, self.settings.steps
        while learner.steps < steps:
            learner.collect()
            self.note(learner.learn())
            stop = should_stop(learner.steps)
            if self.is_due or learner.steps >= steps:
                self.measure()
                self.save()
            elif stop:
                self.save()
            if stop and learner.steps < steps:
                raise Stopped

    def note(self, told: dict[str, float]) -> None:
        """Log what a rollout told; warn of what looks ill, stop at what is no number."""
        learner, steps = self.learner, self.learner.steps
        weights = nn.utils.parameters_to_vector(learner.weights).detach().numpy()
        try:
            check_finite(steps, **told, weights=weights)
        except NotFinite as error:
            where = f"the checkpoint of {self.kept:,} steps" if self.kept else "no checkpoint yet"
            raise NotFinite(f"{error}; {self.settings.out} keeps {where}.") from None
        speed = steps / sum(learner.seconds.values())
        row = {"steps": steps, "episodes": learner.episodes, **told, "steps_per_second": speed}
        self.log.append({name: round(value, 6) for name, value in row.items()})
        for name, value in row.items():
            self.board.add_scalar(name, value, steps)
        warnings = [self.health.episodes(steps, learner.episodes)]
        if learner.explored:
            warnings += [self.health.entropy(steps, told["entropy"], told["uniform_entropy"])]
        for warning in filter(None, warnings):
            self.progress.console.print(f"warning: {warning}")
        self.progress.update(self.task, completed=steps)

    @property
    def is_due(self) -> bool:
        """Whether the curve is to get its next points."""
        measured = self.curve[-1][0] if self.curve else -self.settings.measure_every
        return bool(self.learner.steps - measured >= self.settings.measure_every)

    def measure(self) -> None:
        """Add a point a yardstick to the learning curve."""
        learned, settings = self.learner.learned(), self.settings
        seconds = round(time.perf_counter() - self.began, 1)
        words = []
        for name, yardstick in self.yardsticks.items():
            played = measure(learned, yardstick, settings, settings.measure_deals)
            interval = [round(figure, 5) for figure in played.interval(0.95)]
            self.curve.append([self.learner.steps, seconds, name, *interval])
            self.board.add_scalar(f"score among {name}", interval[0], self.learner.steps)
            words.append(f"{interval[0]:+.3f} among {name}")
        self.progress.update(self.task, description=f"training, {', '.join(words)}")

    def save(self) -> None:
        """Write policy, logs, curve and checkpoint."""
        settings, out, learner = self.settings, self.settings.out, self.learner
        learner.learned().save(out)
        write_csv(out / "curve.csv", [CURVE, *self.curve])
        draw_curves(out / "curve.png", self.curve, settings)
        write_csv(out / "training.csv", [[*self.log[0]], *(row.values() for row in self.log)])
        told = {
            "trainer": settings.trainer,
            "settings": plain(dataclasses.asdict(settings)),
            "curve": self.curve,
            "log": self.log,
            "seconds": time.perf_counter() - self.began,
        }
        kept = {"told": json.dumps(told), "learner": learner.state_dict()}
        with replacing(out / CHECKPOINT) as unfinished:
            torch.save(kept, unfinished)
        self.kept = learner.steps


def read_checkpoint(path: Path, trainer: str) -> dict[str, Any]:
    """Read a run's newest checkpoint; nothing in it is unpickled but arrays, numbers and text.

    Args:
        path: its file.
        trainer: that wrote it, such as ``selfplay``.

    Raises:
        SettingsError: it is missing or damaged, or another trainer's.
    """
    if not path.exists():
        raise SettingsError(f"{path.parent} holds no run to go on with; leave --resume out.")
    try:
        kept = torch.load(path, weights_only=True)
        told: dict[str, Any] = json.loads(kept["told"])
        told = {what: told[what] for what in TOLD}
    except Exception as error:
        raise _unreadable(path, error) from None
    if told["trainer"] != trainer:
        raise SettingsError(
            f"{path} is of experiments.{told['trainer']}; go on with that, or give another --out."
        )
    return told | {"learner": kept["learner"]}


def _unreadable(path: Path, error: Exception) -> SettingsError:
    return SettingsError(
        f"{path} cannot be read ({type(error).__name__}); restore it, or train again into another "
        "--out."
    )


def scheduled(done: float, first: float, last: float) -> float:
    """Return what a setting has come to on its straight way from ``first`` to ``last``."""
    return first + (last - first) * done


def packed(array: NDArray[Any]) -> torch.Tensor:
    """Return an array's bytes as a tensor, which a checkpoint may hold whatever the type is."""
    return torch.from_numpy(np.frombuffer(array.tobytes(), np.uint8).copy())


def unpacked(packed: torch.Tensor, like: NDArray[Any]) -> NDArray[Any]:
    """Return the array that was ``packed``, of the shape and type of another."""
    return np.frombuffer(packed.numpy().tobytes(), like.dtype).reshape(like.shape)


def check_running(settings: Running) -> None:
    """Raise ``SettingsError`` for what would go wrong only after a while."""
    check_learning(settings)
    if not settings.yardsticks:
        raise SettingsError("no yardsticks were given; name one or more after --yardsticks.")
    for name in settings.yardsticks:
        load("yardsticks", name, settings.tables(1), False)


def check_policy(what: str, settings: Learning) -> None:
    """Raise ``SettingsError`` unless the setting ``what`` names a heuristic of the game."""
    names = policies.names(settings.tables(1).game)
    if getattr(settings, what) not in names:
        raise SettingsError(
            f"{what}={getattr(settings, what)!r} is not possible; give one of {', '.join(names)}."
        )


def train_in_folder(
    settings: Running, make: Callable[[], Learner], should_stop: Callable[[int], bool]
) -> Learned:
    """Train to ``settings.steps`` and return the agent.

    Args:
        settings: the run, checked.
        make: returns the learner, which begins once PyTorch has its threads.
        should_stop: asked between rollouts, with the steps so far.

    Raises:
        Stopped: ``should_stop`` said so; everything is saved.
        SettingsError: the run cannot be gone on with, or training left the finite numbers.
    """
    if settings.threads:
        torch.set_num_threads(settings.threads)
    learner = make()
    with progress_bar() as progress:
        Run(settings, learner, progress).carry_out(should_stop)
    return learner.learned()


def finish(settings: Running, train: Callable[[Any, Callable[[int], bool]], Learned]) -> int | None:
    """Carry out a training, and say where its result is or how it goes on."""
    console = Console(stderr=True)
    with stop_on_signal("stopping after this rollout; once more to stop at once.") as should_stop:
        try:
            train(settings, lambda steps: should_stop())
        except (Stopped, KeyboardInterrupt):
            if not (settings.out / CHECKPOINT).exists():
                raise
            console.print(f"stopped; go on with the same command and --resume ({settings.out}).")
            return INTERRUPTED
    console.print(f"done: {settings.out}; evaluate it with")
    console.print(
        evaluation_command(settings, settings.yardsticks[0]), soft_wrap=True, highlight=False
    )
    return None

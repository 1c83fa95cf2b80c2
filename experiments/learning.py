"""What all trainers share: settings of learning, their checks, what a resumed run may change."""

import dataclasses
import operator
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

import agents
from cardenv import games
from experiments.command import SettingsError, TableSettings, check_writable, plain, provenance
from experiments.comparison import check_enough

COUNTS = ("steps", "measure_every", "num_envs", "rollout", "epochs")
RANGES = {"learning_rate": (1e-8, 1.0), "threads": (0, 1024)}
RANGES_OF_PPO = {
    "entropy": (0.0, 10.0),
    "clip": (1e-3, 10.0),
    "gamma": (0.0, 1.0),
    "gae_lambda": (0.0, 1.0),
}
MAY_CHANGE = (
    *("steps", "out", "resume", "device", "threads", "cores"),
    *("measure_every", "measure_deals", "save_games"),
)
"""Settings in which a resumed run may differ from its beginning."""


@dataclass
class Learning(TableSettings):
    """How a learner learns and where it is kept, whoever its opponents are."""

    steps: int = 2_500_000
    """Decisions of the learner in total, those before a --resume among them; a rollout that is
    begun is finished."""
    out: Path = field(default_factory=lambda: Path("runs/train"))
    """The run's folder."""
    resume: bool = False
    """Go on with the run in --out from its newest checkpoint."""
    measure_every: int = 250_000
    """Steps between two points of the learning curve, at least; it is measured between rollouts."""
    measure_deals: int = 500
    """Deals a point is measured on."""
    num_envs: int = 512
    """Tables played at once."""
    rollout: int = 16
    """Decisions at each table between two updates."""
    minibatch: int = 1024
    """Decisions in one gradient step."""
    epochs: int = 4
    """Passes over each rollout."""
    layers: tuple[int, ...] = (128, 128)
    """Widths of the hidden layers, of the policy and of the value network."""
    learning_rate: float = 1e-3
    """Learning rate at the start; it falls linearly towards zero at --steps."""
    threads: int = 1
    """Threads of PyTorch. With 1, equal seeds give equal weights, and another busy program does
    no harm; 0 leaves PyTorch the choice."""


@dataclass
class PolicyGradient(Learning):
    """How PPO learns."""

    entropy: float = 0.003
    """Weight of the entropy bonus."""
    clip: float = 0.2
    """Clip range of PPO."""
    gamma: float = 1.0
    """Discount a decision."""
    gae_lambda: float = 0.95
    """Lambda of generalised advantage estimation."""


CHECKPOINTS = ("checkpoint.json", "checkpoint.pt")
"""What folders hold that have a run in them, of whichever trainer."""


class Stopped(Exception):
    """Training ended early, between two rollouts, with everything saved."""


def check_learning(settings: Learning) -> None:
    """Raise ``SettingsError`` for what would go wrong only after a while."""
    check_counts(settings, COUNTS)
    if settings.minibatch < 2:
        raise SettingsError(f"minibatch={settings.minibatch} is not possible; give 2 or more.")
    check_layers("layers", settings.layers)
    check_enough("measure_deals", settings.measure_deals)
    if settings.device == "cuda" and not torch.cuda.is_available():
        raise SettingsError("device='cuda' was given, but PyTorch finds none; give cpu or auto.")
    if settings.num_envs * settings.rollout < 2:
        raise SettingsError("num_envs=1 and rollout=1 make one decision; give more of either.")
    if settings.seed >= 2**32:
        raise SettingsError(f"seed={settings.seed} is too large for PyTorch; give less than 2**32.")
    check_ranges(settings, RANGES)
    check_writable(settings.out / "settings.json")
    if any((settings.out / name).exists() for name in CHECKPOINTS) and not settings.resume:
        raise SettingsError(
            f"{settings.out} already holds a run; give --resume to go on with it, or another --out."
        )


def check_counts(settings: Any, names: tuple[str, ...]) -> None:
    """Raise ``SettingsError`` unless these settings are 1 or more."""
    for name in names:
        if getattr(settings, name) < 1:
            raise SettingsError(
                f"{name}={getattr(settings, name)} is not possible; give 1 or more."
            )


def check_layers(name: str, widths: tuple[int, ...]) -> None:
    """Raise ``SettingsError`` unless there is a hidden layer and each is wide enough."""
    if not widths or min(widths) < 1:
        raise SettingsError(f"{name}={widths} are not possible; give widths of 1 or more.")


def check_ranges(settings: Learning, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Raise ``SettingsError`` unless each setting lies between its lowest and its highest value."""
    for name, (low, high) in ranges.items():
        if not low <= getattr(settings, name) <= high:
            raise SettingsError(
                f"{name}={getattr(settings, name)} is not possible; give {low} to {high}."
            )


def check_same(settings: Learning, before: dict[str, Any]) -> None:
    """Raise ``SettingsError`` if a run was begun with other settings than it is resumed with."""
    defaults = plain(dataclasses.asdict(type(settings)()))  # older runs know fewer settings
    before = defaults | before
    for name, value in provenance(settings)["settings"].items():
        same = _same_game if name == "game" else operator.eq
        if name not in MAY_CHANGE and not same(before[name], value):
            raise SettingsError(
                f"the run in {settings.out} was begun with {name}={before[name]!r}, not "
                f"{value!r}; go on with the same settings (--steps may change), or give another "
                "--out."
            )


def _same_game(one: str, other: str) -> bool:
    """Return whether two names are of one game, which may have several."""
    return games.get(one).name == games.get(other).name


def evaluation_command(settings: Learning, yardstick: str) -> str:
    """Return the command that evaluates the agent at the table it was trained for."""
    words = ["python", "-m", "experiments.evaluate", "--game", settings.game]
    words += ["--players", str(settings.players), "--episode", settings.episode]
    words += ["--rules", *settings.rules]
    known = agents.names(games.get(settings.game))
    others = [name for name in ("expert", "greedy", "random") if name in known]
    if settings.max_players is not None:
        words += ["--max-players", str(settings.max_players)]
    if settings.history:
        words += ["--history", str(settings.history)]
    if yardstick in known:
        words += ["--among", yardstick]
    return shlex.join([*words, "--agents", str(settings.out), *others])

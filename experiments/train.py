"""Train a MaskablePPO agent against given opponents, with a learning curve and exact resume.

The run's folder holds ``settings.json`` (settings, versions, command), ``curve.csv`` and
``curve.png``, ``policy.npz`` and ``policy.json`` (what ``agents.load`` reads), TensorBoard's files,
and the newest checkpoint. A checkpoint is taken between rollouts and holds everything that the
next rollout depends on: weights, optimiser, tables, and every generator. It contains a
Stable-Baselines3 zip file, which is unpickled on ``--resume``: resume only runs of your own.
"""

import dataclasses
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from rich.console import Console
from rich.progress import Progress
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecMonitor

import agents
from agents.learned import Learned, describe_training
from agents.network import Network
from agents.search import KINDS
from cardenv import games
from cardenv.envs.sb3 import LearnerVecEnv
from cardenv.players import AnyPlayer, PlayerError, player_for
from cardenv.table import Tables
from experiments.checkpoint import (
    discard_checkpoints,
    load_checkpoint,
    read_checkpoint,
    save_checkpoint,
)
from experiments.command import (
    INTERRUPTED,
    SettingsError,
    TableSettings,
    check_writable,
    plain,
    progress_bar,
    provenance,
    run,
    stop_on_signal,
    write_json,
)
from experiments.comparison import check_enough
from experiments.curve import draw_curve, write_curve
from experiments.evaluate import measure

STATISTICS_TABLES, STATISTICS_STEPS, SMALLEST_DEVIATION = 512, 40, 0.1
SMALLEST_RATE = 0.05
"""Share of the learning rate that the last updates keep; with none they would learn nothing."""
RANGES = {
    "learning_rate": (1e-8, 1.0),
    "entropy": (0.0, 10.0),
    "clip": (1e-3, 10.0),
    "gamma": (0.0, 1.0),
    "gae_lambda": (0.0, 1.0),
    "threads": (0, 1024),
}
STATISTICS_EPISODES = 5000
"""Episodes that the mean reward in training is taken over."""
MAY_CHANGE = ("steps", "out", "resume", "device", "threads", "measure_every", "measure_deals")
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
    entropy: float = 0.003
    """Weight of the entropy bonus."""
    clip: float = 0.2
    """Clip range of PPO."""
    gamma: float = 1.0
    """Discount a decision."""
    gae_lambda: float = 0.95
    """Lambda of generalised advantage estimation."""
    threads: int = 1
    """Threads of PyTorch. With 1, equal seeds give equal weights, and another busy program does
    no harm; 0 leaves PyTorch the choice."""


@dataclass
class Settings(Learning):
    """Train a MaskablePPO agent against opponents and keep its learning curve."""

    opponents: tuple[str, ...] = ("greedy", "expert")
    """Who the other seats are drawn from each episode, with weights if wanted: greedy:0.7
    expert:0.3. Each is random, a heuristic such as greedy or expert, a search such as mc:200, or
    the folder of a training run."""
    sample_opponents: bool = True
    """Let trained opponents draw their actions instead of taking the likeliest."""
    yardstick: str = "greedy"
    """Among whose copies the agent is measured while it learns: random, a heuristic such as greedy
    or expert, a search such as mc:200, or the folder of a training run."""
    sample_yardstick: bool = False
    """Let a trained yardstick draw its actions."""


class Stopped(Exception):
    """Training ended early, between two rollouts, with everything saved."""


# --- The learner ----------------------------------------------------------------------------------


def opponent_weights(words: tuple[str, ...]) -> dict[str, float]:
    """Return the weight of each opponent; a word is a name, or a name and ``:weight``.

    Raises:
        SettingsError: there is no word, or a name stands twice.
    """
    weights: dict[str, float] = {}
    for word in words:
        name, weight = _split_weight(word)
        if name in weights:
            raise SettingsError(f"opponents names {name!r} twice; give it one weight.")
        weights[name] = weight
    if not weights:
        raise SettingsError("no opponents were given; name one or more after --opponents.")
    return weights


def _split_weight(word: str) -> tuple[str, float]:
    """Return a name and its weight; the number in ``mc:200`` is none."""
    name, colon, text = word.rpartition(":")
    if not colon or name in KINDS:
        return word, 1.0
    try:
        return name, float(text)
    except ValueError:
        return word, 1.0


def load(setting: str, name: str, table: Tables, sample: bool) -> AnyPlayer:
    """Return the agent that a setting names, fit for the table.

    Raises:
        SettingsError: there is none; the sentence names the setting.
    """
    try:
        return player_for(agents.load(name, table.game, sample=sample), table)
    except PlayerError as error:
        raise SettingsError(f"{setting}: {error}") from None


def make_env(settings: Settings) -> VecMonitor:
    """Return the training environment: the learner's seat is drawn anew each episode."""
    table = settings.tables(1)
    mixture = {
        load("opponents", name, table, settings.sample_opponents): weight
        for name, weight in opponent_weights(settings.opponents).items()
    }
    env = LearnerVecEnv(
        table.game,
        settings.num_envs,
        [mixture] * (settings.players - 1),
        rules=table.rules,
        episode=settings.episode,
        max_players=settings.max_players,
    )
    return VecMonitor(env)


class Standardise(BaseFeaturesExtractor):
    """Shift and scale every input by its mean and deviation in random play, once and for all.

    A card's bit is mostly 0 and a hand's value varies little around its mean; without this the
    first layer spends the beginning of training on growing its weights.
    """

    mean: torch.Tensor
    deviation: torch.Tensor

    def __init__(self, space: gymnasium.spaces.Box, mean: Any, deviation: Any) -> None:
        super().__init__(space, space.shape[0])
        self.register_buffer("mean", torch.as_tensor(mean, dtype=torch.float32))
        self.register_buffer("deviation", torch.as_tensor(deviation, dtype=torch.float32))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the standardised observations, of the same shape."""
        return (observations - self.mean) / self.deviation


def input_statistics(settings: Settings) -> dict[str, Any]:
    """Return mean and deviation of each input in random play, the deviation not below a floor."""
    tables = settings.tables(STATISTICS_TABLES)
    tables.reset(seed=settings.seed)
    seen = []
    for _ in range(STATISTICS_STEPS):
        tables.play_randomly(1)
        seen.append(tables.layout.scaled(tables.observations))
    inputs = np.concatenate(seen)
    return {
        "mean": inputs.mean(axis=0).tolist(),
        "deviation": np.maximum(inputs.std(axis=0), SMALLEST_DEVIATION).tolist(),
    }


def make_model(settings: Settings, env: VecMonitor) -> MaskablePPO:
    """Return an untrained model, seeded."""
    layers = list(settings.layers)
    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=settings.rollout,
        batch_size=settings.minibatch,
        n_epochs=settings.epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        ent_coef=settings.entropy,
        policy_kwargs={
            "net_arch": {"pi": layers, "vf": layers},
            "activation_fn": torch.nn.ReLU,
            "features_extractor_class": Standardise,
            "features_extractor_kwargs": input_statistics(settings),
        },
        tensorboard_log=str(settings.out / "tensorboard"),
        seed=settings.seed,
        stats_window_size=STATISTICS_EPISODES,
        device=settings.device,
        **schedules(settings),
    )


def schedules(settings: Settings) -> dict[str, Any]:
    """Return what a model takes as functions; they are not read from a checkpoint."""
    return {
        "learning_rate": lambda left: settings.learning_rate * max(left, SMALLEST_RATE),
        "clip_range": settings.clip,
    }


def network_of(model: MaskablePPO) -> Network:
    """Return the policy's weights, the inputs' scaling folded in, without the value network."""
    policy: Any = model.policy
    layers = (*policy.mlp_extractor.policy_net, policy.action_net)
    linear = [layer for layer in layers if hasattr(layer, "weight")]
    weights = [layer.weight.detach().cpu().numpy().T.astype(np.float64) for layer in linear]
    biases = [layer.bias.detach().cpu().numpy().astype(np.float64) for layer in linear]
    scaling = policy.features_extractor
    weights[0] = weights[0] / scaling.deviation.cpu().numpy()[:, None]
    biases[0] = biases[0] - scaling.mean.cpu().numpy() @ weights[0]
    return Network(
        tuple(weight.astype(np.float32) for weight in weights),
        tuple(bias.astype(np.float32) for bias in biases),
    )


# --- The run --------------------------------------------------------------------------------------


class RunKeeper(BaseCallback):
    """Between rollouts: show progress, extend the curve, save, and stop if asked to."""

    def __init__(
        self,
        settings: Settings,
        env: VecMonitor,
        rows: list[Any],
        progress: Progress,
        should_stop: Callable[[int], bool],
    ) -> None:
        super().__init__()
        self.settings, self.env, self.rows, self.progress = settings, env, rows, progress
        self.should_stop = should_stop
        self.task = progress.add_task("training", total=settings.steps)
        self.began = time.perf_counter() - (rows[-1][1] if rows else 0.0)
        table, drawn = settings.tables(1), settings.sample_yardstick
        self.yardstick = load("yardstick", settings.yardstick, table, drawn)

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        steps = self.model.num_timesteps
        self.progress.update(self.task, completed=steps)
        stop = self.should_stop(steps)
        measured = self.rows[-1][0] if self.rows else -self.settings.measure_every
        if steps - measured >= self.settings.measure_every:
            self.measure()
            self.save()
        elif stop:
            self.save()
        if stop:
            raise Stopped

    def measure(self) -> None:
        """Add a point to the learning curve."""
        learned = self.learned()
        recent = [episode["r"] for episode in self.model.ep_info_buffer or ()]
        played = measure(learned, self.yardstick, self.settings, self.settings.measure_deals)
        row = [
            self.model.num_timesteps,
            round(time.perf_counter() - self.began, 1),
            round(float(np.mean(recent)), 5) if recent else None,
            *(round(figure, 5) for figure in played.interval(0.95)),
        ]
        self.rows.append(row)
        self.progress.update(self.task, description=f"training, score {row[3]:+.3f}")

    def learned(self) -> Learned:
        """Return the policy as it is now, as a player."""
        tables = self.env.venv.learner.tables  # type: ignore[attr-defined]
        return Learned(str(self.settings.out), network_of(self.model), describe_training(tables))  # type: ignore[arg-type]

    def save(self) -> None:
        """Write policy, curve and checkpoint."""
        out = self.settings.out
        self.learned().save(out)
        write_curve(out / "curve.csv", self.rows)
        draw_curve(out / "curve.png", self.rows, self.settings, self.settings.yardstick)
        made = plain(dataclasses.asdict(self.settings))
        save_checkpoint(out, self.model, self.env, {"settings": made, "curve": self.rows})  # type: ignore[arg-type]


def train(settings: Settings, should_stop: Callable[[int], bool] = lambda steps: False) -> Learned:
    """Train to ``settings.steps`` and return the agent.

    Args:
        settings: the run.
        should_stop: asked between rollouts, with the steps so far.

    Raises:
        Stopped: ``should_stop`` said so; everything is saved.
        SettingsError: the settings cannot be carried out.
    """
    check(settings)
    if settings.threads:
        torch.set_num_threads(settings.threads)
    # Masked logits of a large policy can miss PyTorch's simplex check by rounding alone.
    torch.distributions.Distribution.set_default_validate_args(False)
    env = make_env(settings)
    if settings.resume:
        newest = read_checkpoint(settings.out)
        check_same(settings, newest["settings"])
        model = load_checkpoint(settings.out, newest, env, schedules(settings), settings.device)
        rows = newest["curve"]
    else:
        discard_checkpoints(settings.out)
        model, rows = make_model(settings, env), []
        write_json(settings.out / "settings.json", provenance(settings))
    with progress_bar() as progress:
        keeper = RunKeeper(settings, env, rows, progress, should_stop)
        keeper.init_callback(model)
        if model.num_timesteps < settings.steps:
            left = settings.steps - model.num_timesteps
            model.learn(left, keeper, reset_num_timesteps=not settings.resume, log_interval=10)
        progress.update(keeper.task, completed=settings.steps)
        if rows[-1][0] != model.num_timesteps:
            keeper.measure()
        keeper.save()
    return keeper.learned()


def check(settings: Settings) -> None:
    """Raise ``SettingsError`` for what would go wrong only after a while."""
    for name in ("steps", "measure_every", "num_envs", "rollout", "epochs"):
        if getattr(settings, name) < 1:
            raise SettingsError(
                f"{name}={getattr(settings, name)} is not possible; give 1 or more."
            )
    if settings.minibatch < 2:
        raise SettingsError(f"minibatch={settings.minibatch} is not possible; give 2 or more.")
    if not settings.layers or min(settings.layers) < 1:
        raise SettingsError(f"layers={settings.layers} are not possible; give widths of 1 or more.")
    check_enough("measure_deals", settings.measure_deals)
    if settings.device == "cuda" and not torch.cuda.is_available():
        raise SettingsError("device='cuda' was given, but PyTorch finds none; give cpu or auto.")
    if settings.num_envs * settings.rollout < 2:
        raise SettingsError("num_envs=1 and rollout=1 make one decision; give more of either.")
    if settings.seed >= 2**32:
        raise SettingsError(f"seed={settings.seed} is too large for PyTorch; give less than 2**32.")
    for name, (low, high) in RANGES.items():
        if not low <= getattr(settings, name) <= high:
            raise SettingsError(
                f"{name}={getattr(settings, name)} is not possible; give {low} to {high}."
            )
    load("yardstick", settings.yardstick, settings.tables(1), settings.sample_yardstick)
    check_writable(settings.out / "settings.json")
    if (settings.out / "checkpoint.json").exists() and not settings.resume:
        raise SettingsError(
            f"{settings.out} already holds a run; give --resume to go on with it, or another --out."
        )


def check_same(settings: Settings, before: dict[str, Any]) -> None:
    """Raise ``SettingsError`` if a run was begun with other settings than it is resumed with."""
    for name, value in provenance(settings)["settings"].items():
        if name not in MAY_CHANGE and before.get(name) != value:
            raise SettingsError(
                f"the run in {settings.out} was begun with {name}={before.get(name)!r}, not "
                f"{value!r}; go on with the same settings (--steps may change), or give another "
                "--out."
            )


def evaluation_command(settings: Settings) -> str:
    """Return the command that evaluates the agent at the table it was trained for."""
    words = ["python", "-m", "experiments.evaluate", "--game", settings.game]
    words += ["--players", str(settings.players), "--episode", settings.episode]
    words += ["--rules", *settings.rules]
    known = agents.names(games.get(settings.game))
    others = [name for name in ("expert", "greedy", "random") if name in known]
    if settings.max_players is not None:
        words += ["--max-players", str(settings.max_players)]
    if settings.yardstick in known:
        words += ["--among", settings.yardstick]
    return shlex.join([*words, "--agents", str(settings.out), *others])


def main(settings: Settings, go_on: str = "with the same command and --resume") -> int | None:
    """Train, and say where the result is, or how to ``go_on`` after an interruption."""
    console = Console(stderr=True)
    with stop_on_signal("stopping after this rollout; once more to stop at once.") as should_stop:
        try:
            train(settings, lambda steps: should_stop())
        except (Stopped, KeyboardInterrupt):
            if not (settings.out / "checkpoint.json").exists():
                raise
            console.print(f"stopped; go on {go_on} ({settings.out}).")
            return INTERRUPTED
    console.print(f"done: {settings.out}; evaluate it with")
    console.print(evaluation_command(settings), soft_wrap=True, highlight=False)
    return None


if __name__ == "__main__":
    run(Settings, main)

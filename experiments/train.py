"""Train a MaskablePPO agent against given opponents, with a learning curve and exact resume.

The run's folder holds ``settings.json`` (settings, versions, command), ``curve.csv`` and
``curve.png``, ``policy.npz`` and ``policy.json`` (what ``agents.load`` reads), ``training.json``
(time, warnings, snapshots), ``games.jsonl`` (with ``--save-games``), TensorBoard's files, and the
newest checkpoint. A checkpoint is taken between rollouts and holds everything that the next rollout
depends on: weights, optimiser, tables, snapshots and their results, and every generator. It
contains a Stable-Baselines3 zip file, which is unpickled on ``--resume``: resume only runs of your
own.
"""

import dataclasses
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import gymnasium
import numpy as np
import torch
from rich.console import Console
from rich.progress import Progress
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from agents.learned import Learned, describe_training
from agents.network import Network
from cardenv.replay import Replay, to_line
from cardenv.table import Tables
from experiments.checkpoint import (
    discard_checkpoints,
    load_checkpoint,
    read_checkpoint,
    save_checkpoint,
)
from experiments.command import (
    INTERRUPTED,
    plain,
    progress_bar,
    provenance,
    run,
    stop_on_signal,
    write_json,
    write_text,
)
from experiments.curve import draw_curve, write_curve
from experiments.evaluate import measure
from experiments.health import Health, NotFinite, check_finite
from experiments.learning import (
    RANGES_OF_PPO,
    PolicyGradient,
    Stopped,
    check_counts,
    check_learning,
    check_ranges,
    check_same,
    evaluation_command,
)
from experiments.lineups import one_among
from experiments.opponents import load, opponent_weights, seated
from experiments.pool import POOL, SELF, Pool, blank
from experiments.recording import FILE, check_save_games, record_games
from experiments.stopwatch import Stopwatch
from experiments.training_env import TrainingEnv

STATISTICS_TABLES, STATISTICS_STEPS, SMALLEST_DEVIATION = 512, 40, 0.1
SMALLEST_RATE = 0.05
"""Share of the learning rate that the last updates keep; with none they would learn nothing."""
COUNTS, RANGES = ("snapshot_every", "pool_size"), {"pool_floor": (0.0, 1.0)}
REPORT = "training.json"
TIMES = ("training", "environment", "opponents")
"""What takes the seconds: all rollouts and updates; in them, tables; and opponents' networks."""
LOSSES = {"policy_loss": "train/policy_gradient_loss", "value_loss": "train/value_loss"}
"""Where Stable-Baselines3 records them."""
STATISTICS_EPISODES = 5000
"""Episodes that the mean reward in training is taken over."""


@dataclass
class Settings(PolicyGradient):
    """Train a MaskablePPO agent against opponents and keep its learning curve."""

    opponents: tuple[str, ...] = ("greedy", "expert")
    """Who the other seats are drawn from each episode, with weights if wanted: greedy:0.7
    expert:0.3. Each is random, a heuristic such as greedy or expert, champion, a search such as
    mc:200, the folder of a training run, self for the learner's newest network, or pool for its
    snapshots."""
    snapshot_every: int = 100_000
    """Steps between two snapshots of the learner that join the pool, at least; they are taken
    between rollouts. Until the first one, pool stands for the newest network."""
    pool_size: int = 10
    """The most snapshots kept. When there is no room, the one goes that the learner beats most
    surely."""
    pool_sampling: Literal["prioritised", "uniform"] = "prioritised"
    """Which snapshots play for the pool: the more often, the more seldom the learner beats them, or
    all alike."""
    pool_floor: float = 0.2
    """The share of the pool's seats that all snapshots have alike, so that each keeps being met."""
    sample_opponents: bool = True
    """Let trained opponents draw their actions instead of taking the likeliest."""
    yardstick: str = "greedy"
    """Among whose copies the agent is measured while it learns: random, a heuristic such as greedy
    or expert, champion, a search such as mc:200, or the folder of a training run."""
    sample_yardstick: bool = False
    """Let a trained yardstick draw its actions."""
    save_games: int = 0
    """Write so many games among the yardstick to games.jsonl in --out each time the agent is
    measured, for python -m cardenv replay."""


# --- The learner ----------------------------------------------------------------------------------


def make_env(settings: Settings) -> TrainingEnv:
    """Return the training environment.

    Raises:
        SettingsError: there is no such opponent.
    """
    table, thinking = settings.tables(1), Stopwatch()
    weights = opponent_weights(settings.opponents)
    others = {
        seated(name, table, settings.sample_opponents, thinking): weight
        for name, weight in weights.items()
        if name not in (SELF, POOL)
    }
    pool = make_pool(settings, table, thinking) if {SELF, POOL} & set(weights) else None
    return TrainingEnv(table, settings.num_envs, others, weights, pool, thinking)


def make_pool(settings: Settings, table: Tables, thinking: Stopwatch) -> Pool:
    """Return the learner's own networks as opponents, none of which is known yet."""
    return Pool(
        blank(table, settings.layers, settings.sample_opponents),
        settings.pool_size,
        settings.pool_sampling,
        settings.pool_floor,
        (settings.num_envs, settings.players),
        thinking,
    )


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


def make_model(settings: Settings, env: TrainingEnv) -> MaskablePPO:
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
    """Between rollouts: show progress, extend the curve, save, and stop if asked to.

    Args:
        settings: of the run.
        env: its environment.
        kept: what the newest checkpoint's notes hold, empty at the start of a run.
        progress: where progress and warnings are shown.
        should_stop: asked between rollouts, with the steps so far.
    """

    def __init__(
        self,
        settings: Settings,
        env: TrainingEnv,
        kept: dict[str, Any],
        progress: Progress,
        should_stop: Callable[[int], bool],
    ) -> None:
        super().__init__()
        self.settings, self.env, self.progress = settings, env, progress
        self.should_stop = should_stop
        self.rows: list[Any] = kept.get("curve", [])
        self.warnings: list[str] = kept.get("warnings", [])
        self.games: list[str] = kept.get("games", [])
        self.times: dict[str, float] = kept.get("times", dict.fromkeys(TIMES, 0.0))
        self.learning = Stopwatch(self.times["training"])
        env.acting.seconds = self.times["environment"] + self.times["opponents"]
        env.thinking.seconds = self.times["opponents"]
        self.health = Health(settings.steps, settings.num_envs, kept.get("steps", 0))
        self.task = progress.add_task("training", total=settings.steps)
        self.began = time.perf_counter() - (self.rows[-1][1] if self.rows else 0.0)
        table, drawn = settings.tables(1), settings.sample_yardstick
        self.yardstick = load("yardstick", settings.yardstick, table, drawn)

    def _on_rollout_start(self) -> None:
        self.learning.stop()
        self.settle()
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
        self.learning.start()

    def _on_step(self) -> bool:
        observations, rewards = self.locals["new_obs"], self.locals["rewards"]
        check_finite(self.num_timesteps, observations=observations, rewards=rewards)
        return True

    def _on_rollout_end(self) -> None:
        buffer: Any = self.model.rollout_buffer  # type: ignore[attr-defined]
        before = self.num_timesteps - buffer.rewards.size
        policy, uniform = entropies(buffer)
        self.logger.record("rollout/entropy", policy)
        self.logger.record("rollout/entropy_uniform", uniform)
        self.warn(self.health.entropy(before, policy, uniform))
        self.warn(self.health.episodes(self.num_timesteps, self.env.episode_count))

    def warn(self, warning: str | None) -> None:
        """Show a warning, if it is one, and keep it with the run."""
        if warning is not None:
            self.warnings.append(warning)
            self.progress.console.print(f"warning: {warning}", highlight=False, soft_wrap=True)

    def settle(self) -> None:
        """Check what the last update made of the learner, and let its opponents follow.

        Raises:
            NotFinite: a loss or a weight is no finite number.
        """
        steps, losses = self.model.num_timesteps, self.model.logger.name_to_value
        weights = torch.nn.utils.parameters_to_vector(self.model.policy.parameters())
        named = {name: losses[key] for name, key in LOSSES.items() if key in losses}
        check_finite(steps, **named, weights=weights.detach().cpu().numpy())
        if (pool := self.env.pool) is not None:
            pool.follow(network_of(self.model))  # type: ignore[arg-type]
            if steps - pool.latest >= self.settings.snapshot_every:
                pool.take(steps, self.env.learner)
            self.env.weigh()

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
        self.games += map(to_line, self.games_of(learned))
        if row[0]:  # before the first update there is nothing to show
            words = f"training, {row[3]:+.3f} among {self.settings.yardstick}"
            self.progress.update(self.task, description=words)

    def games_of(self, learned: Learned) -> list[Replay]:
        """Return games of the agent among the yardstick, the first ones that it is measured on."""
        settings = self.settings
        agents = {learned.name: learned, settings.yardstick: self.yardstick}
        lineup = one_among(0, len(agents) - 1, settings.players)
        title = f"after {self.model.num_timesteps:,} steps"
        return record_games(agents, lineup, settings, settings.save_games, title)

    def learned(self) -> Learned:
        """Return the policy as it is now, as a player."""
        description = describe_training(self.env.learner.tables)
        return Learned(str(self.settings.out), network_of(self.model), description)  # type: ignore[arg-type]

    def save(self) -> None:
        """Write policy, curve, how training went, and the checkpoint."""
        out = self.settings.out
        self.learned().save(out)
        write_curve(out / "curve.csv", self.rows)
        draw_curve(out / "curve.png", self.rows, self.settings, self.settings.yardstick)
        acting, thinking = self.env.acting.seconds, self.env.thinking.seconds
        seconds = (self.learning.seconds, acting - thinking, thinking)
        self.times = dict(zip(TIMES, seconds, strict=True))
        write_json(out / REPORT, self.report())
        if self.games:  # all of them, so that a resumed run has none twice
            write_text(out / FILE, "".join(line + "\n" for line in self.games))
        made = plain(dataclasses.asdict(self.settings))
        kept = {"curve": self.rows, "warnings": self.warnings, "times": self.times}
        kept |= {"settings": made, "games": self.games}
        save_checkpoint(out, self.model, self.env, kept)  # type: ignore[arg-type]

    def report(self) -> dict[str, Any]:
        """Return how training has gone, as JSON holds it: time, warnings, the pool."""
        training = max(self.times["training"], 1e-9)
        return {
            "steps": self.model.num_timesteps,
            "steps_per_second": round(self.model.num_timesteps / training, 1),
            "seconds": {name: round(seconds, 4) for name, seconds in self.times.items()},
            "share_of_environment": round(self.times["environment"] / training, 4),
            "share_of_opponents": round(self.times["opponents"] / training, 4),
            "warnings": self.warnings,
            "snapshots": [] if self.env.pool is None else self.env.pool.report(),
        }


def entropies(buffer: Any) -> tuple[float, float]:
    """Return the policy's and the uniform policy's mean entropy in a rollout, in nats.

    Only decisions with more than one legal action count; without any, both are 0. The policy's is
    estimated by the actions drawn: the mean of minus their log-probabilities.
    """
    legal = buffer.action_masks.sum(axis=-1)
    choice = legal > 1
    if not choice.any():
        return 0.0, 0.0
    return float(-buffer.log_probs[choice].mean()), float(np.log(legal[choice]).mean())


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
        kept = read_checkpoint(settings.out)
        check_same(settings, kept["settings"])
        model = load_checkpoint(settings.out, kept, env, schedules(settings), settings.device)
    else:
        discard_checkpoints(settings.out)
        model, kept = make_model(settings, env), {}
        write_json(settings.out / "settings.json", provenance(settings))
    if env.pool is not None:
        env.pool.follow(network_of(model))
    with progress_bar() as progress:
        keeper = RunKeeper(settings, env, kept, progress, should_stop)
        keeper.init_callback(model)
        if model.num_timesteps < settings.steps:
            learn(settings, model, keeper)
        progress.update(keeper.task, completed=settings.steps)
        if keeper.rows[-1][0] != model.num_timesteps:
            keeper.measure()
        keeper.save()
    return keeper.learned()


def learn(settings: Settings, model: MaskablePPO, keeper: RunKeeper) -> None:
    """Train to ``settings.steps``.

    Raises:
        NotFinite: training has left the numbers; the last checkpoint before is untouched.
    """
    left = settings.steps - model.num_timesteps
    try:
        model.learn(left, keeper, reset_num_timesteps=not settings.resume, log_interval=10)
        keeper.learning.stop()
        keeper.settle()
    except NotFinite as error:
        steps = read_checkpoint(settings.out)["steps"]
        raise NotFinite(
            f"{error}; {settings.out} keeps the checkpoint of {steps:,} steps."
        ) from None


def check(settings: Settings) -> None:
    """Raise ``SettingsError`` for what would go wrong only after a while."""
    check_learning(settings)
    check_counts(settings, COUNTS)
    check_ranges(settings, RANGES_OF_PPO | RANGES)
    check_save_games(settings.save_games)
    load("yardstick", settings.yardstick, settings.tables(1), settings.sample_yardstick)


def time_spent(folder: Path) -> str:
    """Return in words what share of a run's training time its environment took."""
    report = json.loads((folder / REPORT).read_text())
    words = f"environment and masks took {report['share_of_environment']:.0%} of the training time"
    if report["share_of_opponents"]:
        words += f", networks of opponents {report['share_of_opponents']:.0%}"
    return f"{words} ({report['steps_per_second']:,.0f} steps a second)."


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
    console.print(time_spent(settings.out), soft_wrap=True, highlight=False)
    console.print(f"done: {settings.out}; evaluate it with")
    command = evaluation_command(settings, settings.yardstick)
    console.print(command, soft_wrap=True, highlight=False)
    return None


if __name__ == "__main__":
    run(Settings, main)

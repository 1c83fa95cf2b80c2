"""Policy improvement: a network learns when to depart from what a known policy would do.

The network sees what the policy would do, beside the observation. It plays among copies of the
policy, and wherever it has a choice, every legal action is tried and the position played to its
end, by the policy at all seats and with the cards as they lie (see ``agents.outcomes``). It learns
how much more each action comes to than the policy's own, in the mean over what it cannot see, and
departs where it expects enough more. So it improves on the policy in one step, as rollouts do
(Tesauro and Galperin 1996), but without their cost in play, and with the hidden cards as they fall
in real play. All actions of a position meet the same luck, and all are learned from.

What is enough is found on decisions that the network has not yet learned from: expectations are
noisy, and the best of several is too high in the mean. The run's folder is described in
``experiments.running``; its checkpoint holds the memory too. The agent asks the policy whenever it
plays, so it changes if the policy's code does.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from agents.learned import Learned, advised, describe_training
from agents.outcomes import outcomes_of
from agents.policies import Policy
from experiments.command import run
from experiments.layers import Layers, input_moments
from experiments.learning import check_counts, check_ranges
from experiments.running import (
    Running,
    check_policy,
    check_running,
    finish,
    packed,
    scheduled,
    train_in_folder,
    unpacked,
)
from experiments.selfplay_tables import SelfplayTables

RANGES = {
    "last_learning_rate": (0.0, 1.0),
    "exploration": (0.0, 1.0),
    "hopeless": (0.0, 1000.0),
    "seldom": (0.0, 1.0),
    "cores": (1, 1024),
    "weight_decay": (0.0, 10.0),
    "averaged": (1.0, 1e6),
    "trust": (0.0, 100.0),
}
CAUTION = 1.0
"""Standard errors by which departures must be ahead."""
NEVER = 1000.0
"""What an action must promise as long as no departures are surely ahead: more than any score."""


@dataclass
class Settings(Running):
    """Train a network to choose better than a policy, from what every action comes to."""

    trainer: ClassVar[str] = "improve"
    out: Path = field(default_factory=lambda: Path("runs/improve"))
    """The run's folder."""
    policy: str = "expert"
    """The heuristic that is improved on: it sits at the other seats, and plays on after each
    action."""
    yardsticks: tuple[str, ...] = ("expert",)
    """Among whose copies the agent is measured while it learns, as in self-play."""
    measure_every: int = 500_000
    """Steps between two points of the learning curve, at least; it is measured between rollouts."""
    rollout: int = 32
    """Decisions at each table between two rounds of learning."""
    minibatch: int = 4096
    """Decisions in one gradient step."""
    epochs: int = 2
    """How often each decision is learned from, in the mean."""
    memory: int = 32
    """Rollouts that decisions to learn from are drawn from; the oldest one goes."""
    layers: tuple[int, ...] = (256, 256)
    """Widths of the hidden layers."""
    last_learning_rate: float = 1e-5
    """Learning rate at --steps; it moves there linearly from --learning-rate."""
    learning_rate: float = 5e-4
    """Learning rate at the start; it falls linearly to --last-learning-rate."""
    weight_decay: float = 0.1
    """How strongly weights are drawn to 0 (see AdamW)."""
    averaged: float = 1
    """Gradient steps over which the weights that play and promise are averaged; 1 takes the newest.
    The mean (exponential, of this time constant) is less noisy, and easier to know how to trust."""
    trust: float = 0.1
    """How much more an action must promise than the policy's own, until that has been found out."""
    hopeless: float = 0.3
    """Actions that promise so much less than the policy's own are tried seldom."""
    seldom: float = 0.1
    """How often that is."""
    cores: int = 1
    """On how many cores actions are tried; the result does not depend on it."""
    exploration: float = 0.05
    """Share of the network's actions that are drawn evenly among the legal ones."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """What hidden layers compute in while learning; bfloat16 is faster where the processor has
    instructions for it. Agents play in float32."""


class Memory:
    """The newest decisions, in rollouts: ``[size]`` of them.

    Attributes:
        observations: uint8 ``[size, bytes]``.
        tried: bool ``[size, actions]``.
        advice: int64 ``[size]``, the policy's own actions.
        gains: float32 ``[size, actions]``: an action's outcome above that of the policy's own, 0
            for those that were not tried.
        promised: float32 ``[size]``, the most that an action seemed to gain before that was known.
        kept: float32 ``[size]``, what this action gained.
        rollouts: how many have been written, those overwritten among them.
    """

    def __init__(self, rollouts: int, length: int, observation: int, actions: int) -> None:
        self.length = length
        self.observations = np.zeros((rollouts * length, observation), np.uint8)
        self.tried = np.zeros((rollouts * length, actions), bool)
        self.advice = np.zeros(rollouts * length, np.int64)
        self.gains = np.zeros((rollouts * length, actions), np.float32)
        self.promised = np.zeros(rollouts * length, np.float32)
        self.kept = np.zeros(rollouts * length, np.float32)
        self.rollouts = 0

    def place(self) -> slice:
        """Return where the next rollout goes."""
        start = self.rollouts * self.length % len(self.advice)
        return slice(start, start + self.length)

    @property
    def newest(self) -> int:
        """Where the newest rollout begins."""
        return (self.rollouts - 1) * self.length % len(self.advice)

    @property
    def filled(self) -> int:
        """How many decisions there are."""
        return min(self.rollouts * self.length, len(self.advice))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return views of what has been written, by name."""
        names = ("observations", "tried", "advice", "gains", "promised", "kept")
        return {name: getattr(self, name)[: self.filled] for name in names}


class Learner:
    """A network that learns from what actions come to, and the tables it plays at.

    Attributes:
        steps: decisions learned from so far.
        episodes: episodes finished so far.
        explored: False: the network's entropy is no sign of how much it tries out.
        seconds: wall time by what it went into.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tables = settings.tables(settings.num_envs)
        self.policy = Policy(self.tables.game, settings.policy)
        # One seat is the network's, drawn evenly, and all others are the policy's.
        self.seated = SelfplayTables(self.tables, {self.policy.number: 1.0})
        actions = self.tables.masks.shape[1]
        self.memory = Memory(
            *(settings.memory, settings.num_envs * settings.rollout),
            *(self.tables.layout.size, actions),
        )
        self.dtype = getattr(torch, settings.precision)
        torch.manual_seed(settings.seed)
        moments = input_moments(settings)[0].with_categories(actions)
        self.network = Layers(moments, (*settings.layers, actions), gain=0.01)
        mean_of = get_ema_multi_avg_fn(1 - 1 / settings.averaged)  # type: ignore[no-untyped-call]
        self.averaged = AveragedModel(self.network, multi_avg_fn=mean_of)
        self.weights = [*self.network.parameters()]
        decay = settings.weight_decay
        self.optimizer = torch.optim.AdamW(self.weights, weight_decay=decay, fused=True)
        self.trust = settings.trust
        self.chance = np.random.default_rng(settings.seed)
        self.steps = self.episodes = 0
        self.explored = False
        self.seconds = dict.fromkeys(("outcomes", "tables", "learning"), 0.0)
        self.seated.reset(np.arange(self.tables.count), settings.seed)

    def inputs(self, observations: NDArray[np.uint8], advice: NDArray[np.int64]) -> torch.Tensor:
        """Return observations ``[B, size]`` and advised actions ``[B]`` as the network's inputs."""
        scaled = torch.from_numpy(self.tables.layout.scaled(observations))
        advised = functional.one_hot(torch.from_numpy(advice), self.tables.masks.shape[1])
        return torch.cat((scaled.to(self.dtype), advised.to(self.dtype)), dim=1)

    @property
    def done(self) -> float:
        """The share of the run that is over, 0 to 1."""
        return min(self.steps / self.settings.steps, 1.0)

    # Playing

    def collect(self) -> None:
        """Play a rollout into the memory, with what every action comes to."""
        tables, memory, count = self.tables, self.memory, self.tables.count
        start, everywhere = memory.place().start, np.arange(count)
        for wave in range(self.settings.rollout):
            place = slice(start + wave * count, start + (wave + 1) * count)
            began = time.perf_counter()
            advice = self.policy.act(tables.observations, tables.masks, tables.play_keys())
            promises = self.promises(advice)
            best = promises.argmax(axis=1)
            tries = self.worth_trying(promises, best, advice)
            tried = time.perf_counter()
            outcomes = outcomes_of(tables, self.policy.number, tries, self.settings.cores)
            known = time.perf_counter()
            gains = (outcomes - outcomes[everywhere, advice][:, None]) * tries
            memory.observations[place], memory.tried[place] = tables.observations, tries
            memory.advice[place], memory.gains[place] = advice, gains
            memory.promised[place] = promises[everywhere, best]
            memory.kept[place] = gains[everywhere, best]
            departing = np.where(memory.promised[place] > self.trust, best, advice)
            over, _ = self.seated.step(self.explored_from(departing))
            self.episodes += int(over.all(axis=1).sum())
            self.seconds["outcomes"] += known - tried
            self.seconds["tables"] += time.perf_counter() - known + tried - began
        memory.rollouts += 1

    @torch.no_grad()
    def promises(self, advice: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return how much more than the advised action every other seems to come to.

        Args:
            advice: int64 ``[count]``, an action for each table.

        Returns:
            float32 ``[count, actions]``, -inf for the advised action and those that are not legal.
        """
        everywhere = np.arange(len(advice))
        values = self.averaged(self.inputs(self.tables.observations, advice)).numpy()
        promises = np.where(
            self.tables.masks, values - values[everywhere, advice][:, None], -np.inf
        )
        promises[everywhere, advice] = -np.inf
        return promises.astype(np.float32)

    def worth_trying(
        self,
        promises: NDArray[np.float32],
        best: NDArray[np.int64],
        advice: NDArray[np.int64],
    ) -> NDArray[np.int8]:
        """Return the actions to try, int8 ``[count, actions]``: the advised and the best always."""
        everywhere = np.arange(len(advice))
        tries = promises > -self.settings.hopeless
        tries |= self.chance.random(tries.shape, np.float32) < self.settings.seldom
        tries[everywhere, best] = tries[everywhere, advice] = True
        return tries.astype(np.int8) & self.tables.masks

    def explored_from(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return actions, now and then one drawn evenly among the legal ones instead."""
        masks = self.tables.masks
        explores = self.chance.random(len(masks)) < self.settings.exploration
        drawn = (self.chance.random(masks.shape) * masks).argmax(axis=1)
        mixed: NDArray[np.int64] = np.where(explores, drawn, actions)
        return mixed

    # Learning

    def learn(self) -> dict[str, float]:
        """Find out what to trust, learn from decisions of the memory; return what a log shows."""
        began = time.perf_counter()
        settings, memory = self.settings, self.memory
        newest = slice(memory.newest, memory.newest + memory.length)
        departs = memory.promised[newest] > self.trust
        gain = float((memory.kept[newest] * departs).mean())
        self.trust = enough(memory.promised[: memory.filled], memory.kept[: memory.filled])
        rate = scheduled(self.done, settings.learning_rate, settings.last_learning_rate)
        self.optimizer.param_groups[0]["lr"] = rate
        minibatch = min(settings.minibatch, memory.length)
        gradient_steps = max(1, round(settings.epochs * memory.length / minibatch))
        total = spread = 0.0
        for _ in range(gradient_steps):
            some = self.chance.integers(0, memory.filled, minibatch)
            loss = self.loss(some)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()
            self.averaged.update_parameters(self.network)
            total += loss.item()
            spread += float(np.square(memory.gains[some]).sum(axis=1).mean())
        self.steps += memory.length
        self.seconds["learning"] += time.perf_counter() - began
        return {
            "gain": gain,
            "departures": float(departs.mean()),
            "trust": self.trust,
            "loss": total / gradient_steps,
            "explained_variance": 1 - total / max(spread, 1e-9),
            "learning_rate": rate,
        }

    def loss(self, some: NDArray[np.int64]) -> torch.Tensor:
        """Return the mean squared error of what actions promise, on some decisions."""
        memory = self.memory
        tried, gains = (torch.from_numpy(each[some]) for each in (memory.tried, memory.gains))
        advice = memory.advice[some]
        values = self.network(self.inputs(memory.observations[some], advice))
        promised = values - values.gather(1, torch.from_numpy(advice)[:, None])
        loss: torch.Tensor = ((promised - gains) * tried).square().sum(1).mean()
        return loss

    # Keeping

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what changes in play."""
        own = {"seating": self.seated.seating}
        return self.tables.state_dict() | own | self.memory.arrays()

    def state_dict(self) -> dict[str, Any]:
        """Return everything that the next rollout depends on, as tensors, numbers and text."""
        parts = ("network", "averaged", "optimizer")
        return {name: getattr(self, name).state_dict() for name in parts} | {
            "arrays": {name: packed(array) for name, array in self.arrays().items()},
            "chance": json.dumps(self.chance.bit_generator.state),
            "counts": [self.steps, self.episodes, self.memory.rollouts],
            "trust": self.trust,
            "seconds": self.seconds,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take over what ``state_dict`` of a learner with equal settings returned."""
        self.steps, self.episodes, self.memory.rollouts = state["counts"]
        self.trust = state["trust"]
        kept = {name: unpacked(state["arrays"][name], own) for name, own in self.arrays().items()}
        self.tables.load_state_dict(kept)
        for name, array in ({"seating": self.seated.seating} | self.memory.arrays()).items():
            array[:] = kept[name]
        for name in ("network", "averaged", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        self.chance.bit_generator.state = json.loads(state["chance"])
        self.seconds = state["seconds"]

    def learned(self) -> Learned:
        """Return the policy as it is now, as a player."""
        game = self.tables.game
        averaged = cast(Layers, self.averaged.module)
        network = averaged.network().with_bonus(len(game.action_names), self.trust)
        description = advised(describe_training(self.tables), self.settings.policy, game)
        return Learned(str(self.settings.out), network, description)


def enough(promised: NDArray[np.float32], kept: NDArray[np.float32]) -> float:
    """Return how much an action must promise for departures to gain most, less caution.

    Args:
        promised: float32 ``[n]``, what the best alternative of each decision seemed to gain.
        kept: float32 ``[n]``, what it gained.

    Returns:
        A number of 0 or more; ``NEVER`` if no departures are surely ahead.
    """
    order = np.argsort(-promised, kind="stable")
    gained = kept[order].astype(np.float64)
    ahead = np.cumsum(gained) - CAUTION * np.sqrt(np.cumsum(gained**2))
    best = int(ahead.argmax())
    if ahead[best] <= 0:
        return NEVER
    first_not_trusted = min(best + 1, len(order) - 1)
    return float(max(promised[order[first_not_trusted]], 0))


def train(settings: Settings, should_stop: Callable[[int], bool] = lambda steps: False) -> Learned:
    """Train to ``settings.steps`` and return the agent (see ``experiments.running``)."""
    check(settings)
    return train_in_folder(settings, lambda: Learner(settings), should_stop)


def check(settings: Settings) -> None:
    """Raise ``SettingsError`` for what would go wrong only after a while."""
    check_running(settings)
    check_counts(settings, ("memory",))
    check_ranges(settings, RANGES)
    check_policy("policy", settings)


def main(settings: Settings) -> int | None:
    """Train, and say where the result is, or how to go on after an interruption."""
    return finish(settings, train)


if __name__ == "__main__":
    run(Settings, main)

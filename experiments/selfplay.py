"""Self-play with a lean PPO: every seat learns from its own decisions, whoever's moves lie between.

One network plays all learning seats of all tables. A wave asks it once for every table, so the
decisions of several seats of a table follow one another in a rollout; the return of each is counted
along its own seat's decisions, from score to score. A decision whose seat has not decided again
when the rollout ends is carried into the next one, so that none is lost and none is cut short.
(What is open when a teacher leaves off is dropped: PPO learns from its own choices alone.)

Beside PPO (Schulman et al. 2017) there is what work on games of imperfect information adds to it:
an entropy bonus, a magnet (the KL divergence to a slowly moving copy of the policy, as in magnetic
mirror descent, Sokota et al. 2023), and a critic that sees all cards, which only training needs.
A run may begin with a teacher: the network then learns to predict what a heuristic does, and the
critic what comes of it, before it plays itself.

The run's folder is described in ``experiments.running``. With one thread, a run that was stopped
and resumed ends with the same weights as one that was not.
"""

import copy
import dataclasses
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from agents import policies
from agents.learned import Learned, describe_training
from agents.policies import Policy
from cardenv.players import ELSEWHERE
from cardenv.table import Tables
from experiments.command import SettingsError, run
from experiments.layers import LEAST_LOG, Layers, input_moments, masked_log_probabilities
from experiments.learning import (
    RANGES_OF_PPO,
    PolicyGradient,
    check_counts,
    check_layers,
    check_ranges,
)
from experiments.opponents import opponent_weights
from experiments.pool import SELF
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
from experiments.selfplay_tables import SelfplayTables, relative_states

LONGEST_GRADIENT, ADAM_EPSILON, CRITIC_WEIGHT = 0.5, 1e-5, 0.5
FEWEST_IN_A_STEP = 0.5
"""A gradient step on less than this share of a minibatch is left out."""
LOG = ("policy_loss", "value_loss", "entropy", "uniform_entropy", "kl", "clipped")
"""What every gradient step tells; ``kl`` is how far the policy has moved since the rollout, and
``clipped`` at what share of its actions their probability has changed by more than ``clip``."""
RANGES = {
    "last_learning_rate": (0.0, 1.0),
    "teacher_rate": (1e-8, 1.0),
    "last_entropy": (0.0, 10.0),
    "magnet": (0.0, 10.0),
    "last_magnet": (0.0, 10.0),
    "magnet_rate": (0.0, 1.0),
}


@dataclass
class Settings(Running, PolicyGradient):
    """Train a network by self-play: every seat of every table learns."""

    trainer: ClassVar[str] = "selfplay"
    out: Path = field(default_factory=lambda: Path("runs/selfplay"))
    """The run's folder."""
    opponents: tuple[str, ...] = (SELF,)
    """Who sits at the tables, with weights if wanted: self, whose decisions are learned from, and
    heuristics, such as self:0.7 expert:0.3. Each episode every seat is drawn anew; one at least is
    self."""
    num_envs: int = 1024
    """Tables played at once."""
    rollout: int = 64
    """Waves between two updates: decisions at each table, whichever seats make them."""
    minibatch: int = 4096
    """Decisions in one gradient step."""
    layers: tuple[int, ...] = (128, 128)
    """Widths of the hidden layers of the policy."""
    critic_layers: tuple[int, ...] = (128, 128)
    """Widths of the hidden layers of the critic."""
    central_critic: bool = True
    """Let the critic see the whole state; it is not needed for playing."""
    learning_rate: float = 1e-3
    """Learning rate at the start, or after the teacher."""
    last_learning_rate: float = 5e-5
    """Learning rate at --steps; it moves there linearly from --learning-rate."""
    last_entropy: float = 0.001
    """Weight of the entropy bonus at --steps."""
    magnet: float = 0.0
    """Weight of the KL divergence from the policy to its magnet."""
    last_magnet: float = 0.0
    """The same at --steps."""
    magnet_rate: float = 0.05
    """How far the magnet moves towards the policy after each rollout, 0 to 1."""
    teacher: str = "expert"
    """The heuristic whose play is imitated first."""
    teacher_steps: int = 0
    """Decisions of the teacher that are learned from before the network plays itself; they count
    among --steps."""
    teacher_epochs: int = 4
    """Passes over each rollout of the teacher."""
    teacher_rate: float = 1e-3
    """Learning rate while the teacher plays."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """What hidden layers compute in while learning; bfloat16 is faster where the processor has
    instructions for it. Agents play in float32."""


# --- Rollouts -------------------------------------------------------------------------------------


class Rollout:
    """Decisions in the order in which they were made, ``[rows, count]``: a row a wave.

    The first ``players`` rows hold what is carried over from the rollout before: row ``s`` a
    decision of seat ``s`` of each table, where ``valid`` says that there is one.

    Attributes:
        observations: uint8 ``[rows, count, size]``.
        states: uint8 ``[rows, count, size]``, the whole state, of size 0 without a central critic.
        masks: bool ``[rows, count, actions]``.
        seats, actions: int64 ``[rows, count]``.
        log_probabilities: float32 ``[rows, count]``, of the action at the time; 0 if a teacher's.
        scores: float32 ``[rows, count]``, the seat's when it decided.
        valid: bool ``[rows, count]``.
        over: bool ``[rows, count, players]``, for whom the episode was over after the row.
        final: float32 ``[rows, count, players]``, the scores after the row.
    """

    def __init__(self, tables: Tables, waves: int, with_states: bool) -> None:
        rows, count, players = waves + tables.players, tables.count, tables.players
        state_size = tables.state_layout.size if with_states else 0
        self.carried = players
        self.observations = np.zeros((rows, count, tables.layout.size), np.uint8)
        self.states = np.zeros((rows, count, state_size), np.uint8)
        self.masks = np.ones((rows, count, tables.masks.shape[1]), bool)
        self.seats = np.zeros((rows, count), np.int64)
        self.seats[:players] = np.arange(players)[:, None]
        self.actions = np.zeros((rows, count), np.int64)
        self.log_probabilities = np.zeros((rows, count), np.float32)
        self.scores = np.zeros((rows, count), np.float32)
        self.valid = np.ones((rows, count), bool)
        self.valid[:players] = False
        self.over = np.zeros((rows, count, players), bool)
        self.final = np.zeros((rows, count, players), np.float32)

    def carried_over(self) -> dict[str, NDArray[Any]]:
        """Return views of what the next rollout begins with, by name."""
        names = ("observations", "states", "masks", "actions", "log_probabilities", "scores")
        return {name: getattr(self, name)[: self.carried] for name in (*names, "valid")}

    def drop_carried(self) -> None:
        """Forget what has been carried over."""
        self.valid[: self.carried] = False

    def carry(self, complete: NDArray[np.bool_]) -> None:
        """Move each seat's decision that is not ``complete`` to the rows carried over."""
        rows, tables = np.nonzero(self.valid & ~complete)
        seats = self.seats[rows, tables]
        for name, first in self.carried_over().items():
            first[seats, tables] = getattr(self, name)[rows, tables]
        self.drop_carried()
        self.valid[seats, tables] = True


def advantages_of(
    rollout: Rollout,
    values: NDArray[np.float32],
    waiting: NDArray[np.int64],
    waiting_scores: NDArray[np.float32],
    waiting_values: NDArray[np.float32],
    gamma: float,
    gae_lambda: float,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return generalised advantage estimates along each seat's own decisions.

    The reward of a decision is what the seat's score has risen by until it decides again, or until
    its episode is over.

    Args:
        rollout: the decisions.
        values: float32 ``[rows, count]``, the critic's at each.
        waiting: int64 ``[count]``, the seat that is to decide at each table now.
        waiting_scores: float32 ``[count]``, its score.
        waiting_values: float32 ``[count]``, the critic's value.
        gamma: discount a decision.
        gae_lambda: lambda of the estimate.

    Returns:
        float32 ``[rows, count]``, and bool of that shape: for which decisions it is known, since
        their seat has decided again or its episode is over.
    """
    rows, count = values.shape
    tables = np.arange(count)
    shape = (count, rollout.carried)
    known = np.zeros(shape, bool)
    next_score, next_value, next_advantage = (np.zeros(shape, np.float32) for _ in range(3))
    known[tables, waiting] = True
    next_score[tables, waiting] = waiting_scores
    next_value[tables, waiting] = waiting_values
    advantages = np.zeros(values.shape, np.float32)
    complete = np.zeros(values.shape, bool)
    for row in reversed(range(rows)):
        over = rollout.over[row]
        if over.any():
            known |= over
            next_score[over] = rollout.final[row][over]
            next_value[over] = next_advantage[over] = 0
        here = np.flatnonzero(rollout.valid[row])
        seats, score, value = (each[row, here] for each in (rollout.seats, rollout.scores, values))
        place = (here, seats)
        reward = next_score[place] - score
        advantage = reward + gamma * next_value[place] - value
        advantage += gamma * gae_lambda * next_advantage[place]
        advantage[~known[place]] = 0
        advantages[row, here], complete[row, here] = advantage, known[place]
        next_score[place], next_value[place], next_advantage[place] = score, value, advantage
        known[place] = True
    return advantages, complete


# --- Learning -------------------------------------------------------------------------------------


@dataclass
class Batch:
    """Decisions to learn from, in random order; ``B`` of them.

    Attributes:
        inputs: ``[B, size]`` of the run's precision, what the policy sees.
        seen: what the critic sees; the same tensor without a central critic.
        masks: bool ``[B, actions]``.
        actions: int64 ``[B]``.
        log_probabilities: float32 ``[B]``, of the action when it was taken; 0 if a teacher's.
        advantages: float32 ``[B]``.
        returns: float32 ``[B]``.
    """

    inputs: torch.Tensor
    seen: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    log_probabilities: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor

    def __len__(self) -> int:
        return len(self.actions)

    def part(self, place: slice) -> "Batch":
        """Return a stretch of the batch, as views: gathering rows for each step costs more."""
        return Batch(*(getattr(self, each.name)[place] for each in dataclasses.fields(self)))


class Learner:
    """One network that sits at many seats of many tables, and PPO to improve it.

    Attributes:
        steps: decisions learned from so far.
        episodes: episodes finished so far.
        explored: whether the newest rollout's actions were drawn by the network.
        seconds: wall time by what it went into.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tables = settings.tables(settings.num_envs)
        self.seated = SelfplayTables(self.tables, seat_shares(settings))
        self.rollout = Rollout(self.tables, settings.rollout, settings.central_critic)
        self.teacher = Policy(self.tables.game, settings.teacher)
        self.dtype = getattr(torch, settings.precision)
        torch.manual_seed(settings.seed)
        own, whole = input_moments(settings)
        self.policy = Layers(own, (*settings.layers, self.tables.masks.shape[1]), gain=0.01)
        seen = whole if settings.central_critic else own
        self.critic = Layers(seen, (*settings.critic_layers, 1), gain=1.0)
        self.magnet = copy.deepcopy(self.policy)
        self.weights = [*self.policy.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.Adam(self.weights, eps=ADAM_EPSILON, fused=True)
        self.chance = np.random.default_rng(settings.seed)
        self.steps = self.episodes = 0
        self.explored = False
        self.seconds = dict.fromkeys(("tables", "choosing", "learning"), 0.0)
        self.seated.reset(np.arange(self.tables.count), settings.seed)

    @property
    def taught(self) -> bool:
        """Whether the teacher still plays."""
        return self.steps < self.settings.teacher_steps

    def inputs(self, observations: NDArray[np.uint8]) -> torch.Tensor:
        """Return observations ``[B, size]`` as the policy takes them."""
        return torch.from_numpy(self.tables.layout.scaled(observations)).to(self.dtype)

    def seen(self, inputs: torch.Tensor, states: NDArray[np.uint8]) -> torch.Tensor:
        """Return what the critic takes: the policy's inputs and, if it is central, the state."""
        if not self.settings.central_critic:
            return inputs
        scaled = torch.from_numpy(self.tables.state_layout.scaled(states))
        return torch.cat((inputs, scaled.to(self.dtype)), dim=1)

    # Playing

    def collect(self) -> None:
        """Fill the rollout with decisions, a wave a row."""
        tables, rollout, everywhere = self.tables, self.rollout, np.arange(self.tables.count)
        for row in range(rollout.carried, len(rollout.seats)):
            began = time.perf_counter()
            rollout.observations[row], rollout.masks[row] = tables.observations, tables.masks
            rollout.seats[row] = tables.turn
            rollout.scores[row] = tables.score[everywhere, rollout.seats[row]]
            if self.settings.central_critic:
                rollout.states[row] = relative_states(tables, rollout.seats[row])
            asked = time.perf_counter()
            actions, rollout.log_probabilities[row] = self.choose()
            answered = time.perf_counter()
            rollout.actions[row] = actions
            rollout.over[row], rollout.final[row] = self.seated.step(actions)
            self.episodes += int(rollout.over[row].all(axis=1).sum())
            self.seconds["choosing"] += answered - asked
            self.seconds["tables"] += asked - began + time.perf_counter() - answered

    @torch.no_grad()
    def choose(self) -> tuple[NDArray[np.int64], NDArray[np.float32] | float]:
        """Return an action for each table, int64 ``[count]``, and its log-probability, float32."""
        tables = self.tables
        if self.taught:
            return self.teacher.act(tables.observations, tables.masks, tables.play_keys()), 0.0
        masks = torch.from_numpy(tables.masks).bool()
        logs = masked_log_probabilities(self.policy(self.inputs(tables.observations)), masks)
        below = logs.softmax(1).cumsum(1)
        drawn = torch.from_numpy(self.chance.random((tables.count, 1), np.float32))
        actions = (below > drawn * below[:, -1:]).int().argmax(1, keepdim=True)
        return actions[:, 0].numpy(), logs.gather(1, actions)[:, 0].numpy()

    # Learning

    def learn(self) -> dict[str, float]:
        """Improve policy and critic on the rollout; return what a log shows of it."""
        taught = self.taught
        self.explored = not taught
        batch = self.known_batch()
        began = time.perf_counter()
        told = self.improve(batch)
        with torch.no_grad():
            for slow, fast in zip(self.magnet.parameters(), self.policy.parameters(), strict=True):
                slow.lerp_(fast, 1.0 if taught else self.settings.magnet_rate)
        self.steps += len(batch)
        if taught and not self.taught:
            self.rollout.drop_carried()
        self.seconds["learning"] += time.perf_counter() - began
        return told

    def known_batch(self) -> Batch:
        """Return the rollout's batch; while nothing has come of any decision yet, play on."""
        while True:
            began = time.perf_counter()
            batch = self.batch()
            self.seconds["learning"] += time.perf_counter() - began
            if len(batch):
                return batch
            self.collect()

    def batch(self) -> Batch:
        """Return the decisions whose outcome is known, and carry the others over."""
        settings, rollout, tables = self.settings, self.rollout, self.tables
        places = np.nonzero(rollout.valid)
        inputs = self.inputs(rollout.observations[places])
        seen = self.seen(inputs, rollout.states[places])
        waiting = tables.turn.astype(np.int64)
        states = relative_states(tables, waiting) if settings.central_critic else rollout.states[0]
        values = np.zeros(rollout.valid.shape, np.float32)
        with torch.no_grad():
            values[places] = self.critic(seen)[:, 0].numpy()
            next_values = self.critic(self.seen(self.inputs(tables.observations), states))[:, 0]
        advantages, known = advantages_of(
            rollout,
            values,
            waiting,
            tables.score[np.arange(tables.count), waiting].astype(np.float32),
            next_values.numpy(),
            settings.gamma,
            1.0 if self.taught else settings.gae_lambda,
        )
        order = self.chance.permutation(np.flatnonzero(known[places]))
        chosen, places = torch.from_numpy(order), tuple(each[order] for each in places)
        inputs = inputs.index_select(0, chosen)
        batch = Batch(
            inputs,
            seen.index_select(0, chosen) if settings.central_critic else inputs,
            torch.from_numpy(rollout.masks[places]),
            torch.from_numpy(rollout.actions[places]),
            torch.from_numpy(rollout.log_probabilities[places]),
            torch.from_numpy(advantages[places]),
            torch.from_numpy(advantages[places] + values[places]),
        )
        rollout.carry(known)
        return batch

    def improve(self, batch: Batch) -> dict[str, float]:
        """Take the gradient steps on a batch; return the means of what they tell."""
        settings = self.settings
        rate = scheduled(self.done, settings.learning_rate, settings.last_learning_rate)
        rate = settings.teacher_rate if self.taught else rate
        self.optimizer.param_groups[0]["lr"] = rate
        explained = explained_variance(batch)
        batch.advantages = normalised(batch.advantages)
        sums, gradient_steps = torch.zeros(len(LOG)), 0
        for _ in range(settings.teacher_epochs if self.taught else settings.epochs):
            for place in self.stretches(len(batch)):
                loss, told = self.loss(batch.part(place))
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(self.weights, LONGEST_GRADIENT, foreach=True)
                self.optimizer.step()
                sums += told
                gradient_steps += 1
        means = dict(zip(LOG, (sums / gradient_steps).tolist(), strict=True))
        return means | {"explained_variance": explained, "learning_rate": rate}

    def stretches(self, size: int) -> list[slice]:
        """Cut a batch, which is in random order, at other places each time, into minibatches."""
        minibatch = min(self.settings.minibatch, size)
        start = int(self.chance.integers(minibatch))
        ends = [0, *range(start, size, minibatch), size]
        pieces = [slice(low, high) for low, high in pairwise(ends)]
        pieces = [each for each in pieces if each.stop - each.start >= FEWEST_IN_A_STEP * minibatch]
        return [pieces[i] for i in self.chance.permutation(len(pieces))]

    def loss(self, part: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the loss of a minibatch, and float32 ``[len(LOG)]`` of what it tells."""
        settings = self.settings
        logs = masked_log_probabilities(self.policy(part.inputs), part.masks)
        chosen = logs.gather(1, part.actions[:, None])[:, 0]
        policy = logs.clamp_min(LEAST_LOG).exp()
        entropy = -(policy * logs).sum(1).mean()
        value_loss = functional.mse_loss(self.critic(part.seen)[:, 0], part.returns)
        if self.taught:
            policy_loss = loss = -chosen.mean()
            moved, ratio = self.moved_since_taught(part, logs)
        else:
            change = chosen - part.log_probabilities
            ratio = change.exp()
            moved = ratio - 1 - change
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.minimum(ratio * part.advantages, clipped * part.advantages)
            policy_loss = -gain.mean()
            loss = (
                policy_loss
                - scheduled(self.done, settings.entropy, settings.last_entropy) * entropy
            )
            weight = scheduled(self.done, settings.magnet, settings.last_magnet)
            if weight:
                with torch.no_grad():
                    magnet = masked_log_probabilities(self.magnet(part.inputs), part.masks)
                loss = loss + weight * (policy * (logs - magnet)).sum(1).mean()
        with torch.no_grad():
            uniform = part.masks.sum(1).float().log().mean()
            outside = ((ratio - 1).abs() > settings.clip).float().mean()
            told = torch.stack([policy_loss, value_loss, entropy, uniform, moved.mean(), outside])
        return loss + CRITIC_WEIGHT * value_loss, told

    @torch.no_grad()
    def moved_since_taught(
        self, part: Batch, logs: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the divergence from the policy at the rollout to that of now, and its ratio.

        The teacher's actions are no sample of the policy, so the divergence is the exact one. While
        the teacher plays, the magnet is the policy as it was at the rollout.

        Args:
            part: ``B`` decisions of the teacher.
            logs: ``[B, actions]``, the policy's log-probabilities now.

        Returns:
            ``[B]``, and of that shape the ratio of the action's probabilities, now to then.
        """
        before = masked_log_probabilities(self.magnet(part.inputs), part.masks)
        divergence = (before.clamp_min(LEAST_LOG).exp() * (before - logs)).sum(1)
        return divergence, (logs - before).gather(1, part.actions[:, None])[:, 0].exp()

    @property
    def done(self) -> float:
        """The share of the run that is over, 0 to 1."""
        return min(self.steps / self.settings.steps, 1.0)

    # Keeping

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what changes in play; the rollout's and the seating's are views."""
        state = self.tables.state_dict() | {"seating": self.seated.seating}
        return state | self.rollout.carried_over()

    def state_dict(self) -> dict[str, Any]:
        """Return everything that the next rollout depends on, as tensors, numbers and text."""
        parts = ("policy", "critic", "magnet", "optimizer")
        return {name: getattr(self, name).state_dict() for name in parts} | {
            "arrays": {name: packed(array) for name, array in self.arrays().items()},
            "chance": json.dumps(self.chance.bit_generator.state),
            "counts": [self.steps, self.episodes],
            "seconds": self.seconds,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take over what ``state_dict`` of a learner with equal settings returned."""
        own = self.arrays()
        kept = {name: unpacked(state["arrays"][name], array) for name, array in own.items()}
        self.tables.load_state_dict(kept)
        for name, array in ({"seating": self.seated.seating} | self.rollout.carried_over()).items():
            array[:] = kept[name]
        for name in ("policy", "critic", "magnet", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        self.chance.bit_generator.state = json.loads(state["chance"])
        self.steps, self.episodes = state["counts"]
        self.seconds = state["seconds"]

    def learned(self) -> Learned:
        """Return the policy as it is now, as a player."""
        network = self.policy.network()
        return Learned(str(self.settings.out), network, describe_training(self.tables))


def explained_variance(batch: Batch) -> float:
    """Return which share of the returns' variance the critic foretold, 1 for a single return."""
    unforeseen, whole = (each.var(correction=0) for each in (batch.advantages, batch.returns))
    return 1 - float(unforeseen / whole.clamp_min(1e-9))


def normalised(advantages: torch.Tensor) -> torch.Tensor:
    """Return advantages with mean 0 and deviation 1."""
    return (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-8)


def seat_shares(settings: Settings) -> dict[int, float]:
    """Return the shares of the seats by policy number, the network's by ``ELSEWHERE``.

    Raises:
        SettingsError: an opponent is neither ``self`` nor a heuristic.
    """
    names = policies.names(settings.tables(1).game)
    weights = opponent_weights(settings.opponents)
    for name in weights:
        if name not in (SELF, *names):
            raise SettingsError(
                f"opponents names {name!r}; self-play takes {SELF}, {', '.join(names)}, each with "
                f"a weight if wanted, such as {SELF}:0.7 {names[-1]}:0.3."
            )
    return {
        ELSEWHERE if name == SELF else names.index(name): weight for name, weight in weights.items()
    }


# --- The run --------------------------------------------------------------------------------------


def train(settings: Settings, should_stop: Callable[[int], bool] = lambda steps: False) -> Learned:
    """Train to ``settings.steps`` and return the agent (see ``experiments.running``)."""
    check(settings)
    return train_in_folder(settings, lambda: Learner(settings), should_stop)


def check(settings: Settings) -> None:
    """Raise ``SettingsError`` for what would go wrong only after a while."""
    check_running(settings)
    seat_shares(settings)
    check_policy("teacher", settings)
    if settings.teacher_steps < 0:
        raise SettingsError(
            f"teacher_steps={settings.teacher_steps} is less than 0; give 0 or more."
        )
    check_counts(settings, ("teacher_epochs",))
    check_layers("critic_layers", settings.critic_layers)
    check_ranges(settings, RANGES_OF_PPO | RANGES)


def main(settings: Settings) -> int | None:
    """Train, and say where the result is, or how to go on after an interruption."""
    return finish(settings, train)


if __name__ == "__main__":
    run(Settings, main)

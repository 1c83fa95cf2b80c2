"""The tables that a learner trains at, its own networks among the opponents, and their time."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecMonitor

from cardenv.envs.learner import LearnerTables
from cardenv.envs.sb3 import LearnerVecEnv
from cardenv.players import AnyPlayer
from cardenv.table import Tables
from experiments.pool import Pool
from experiments.stopwatch import Stopwatch


class _Counting(LearnerVecEnv):
    """Tables that tell a pool how episodes ended."""

    pool: Pool | None = None

    def look_at_ended(self, ended: NDArray[np.int64]) -> None:
        if self.pool is not None:
            self.pool.count(self.learner, ended)


class TrainingEnv(VecMonitor):
    """The tables of a training run: the learner's seat is drawn anew each episode.

    Attributes:
        pool: the learner's own networks, if they are among the opponents.
        acting: runs while tables play: steps, opponents' too, resets, observations and masks.
        thinking: runs, inside that, while networks choose for opponents.

    Args:
        table: one table of the kind to play at.
        count: number of tables.
        others: opponents that are not the learner's own networks, with weights.
        weights: of all opponents, by name.
        pool: the learner's own networks.
        thinking: the stopwatch that networks have been given.
    """

    def __init__(
        self,
        table: Tables,
        count: int,
        others: Mapping[AnyPlayer, float],
        weights: Mapping[str, float],
        pool: Pool | None,
        thinking: Stopwatch,
    ) -> None:
        self.acting, self.thinking, self.pool = Stopwatch(), thinking, pool
        self._others, self._weights = others, weights
        tables = _Counting(
            table.game,
            count,
            self._opponents(table.players),
            rules=table.rules,
            episode=table.episode,
            max_players=table.seats,
            history=table.history,
        )
        tables.pool = pool
        super().__init__(tables)

    @property
    def learner(self) -> LearnerTables:
        """The tables."""
        found: LearnerTables = self.venv.learner  # type: ignore[attr-defined]
        return found

    def weigh(self) -> None:
        """Let opponents be drawn by the pool's shares as they are now."""
        if self.pool is not None:
            self.learner.weigh(self._opponents(self.learner.tables.players))

    def step_wait(self) -> Any:
        """See ``VecMonitor``."""
        with self.acting:
            return super().step_wait()

    def env_method(self, method_name: str, *method_args: Any, **settings: Any) -> list[Any]:
        """See ``VecEnv``; masks are asked for by this."""
        with self.acting:
            return super().env_method(method_name, *method_args, **settings)

    def state_dict(self) -> dict[str, Any]:
        """Return what the next step depends on, as arrays."""
        monitor = {"returns": self.episode_returns, "lengths": self.episode_lengths}
        state = self.learner.state_dict() | {f"monitor.{name}": monitor[name] for name in monitor}
        return state | (self.pool.state_dict() if self.pool is not None else {})

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take over what ``state_dict`` returned."""
        self.learner.load_state_dict(state)
        self.episode_returns = state["monitor.returns"]
        self.episode_lengths = state["monitor.lengths"]
        if self.pool is not None:
            self.pool.load_state_dict(state)
            self.weigh()

    def _opponents(self, players: int) -> list[dict[AnyPlayer, float]]:
        """Return who is drawn for each other seat, by what weights."""
        own = {} if self.pool is None else self.pool.mixture(self._weights)
        return [{**self._others, **own}] * (players - 1)

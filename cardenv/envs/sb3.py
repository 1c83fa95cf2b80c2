"""Stable-Baselines3's ``VecEnv`` for one learning seat, over ``learner.py``."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from cardenv.envs.gymnasium import spaces_of
from cardenv.envs.learner import LearnerTables, Opponent
from cardenv.games import Game


class LearnerVecEnv(VecEnv):
    """Many tables at once, as MaskablePPO trains on them.

    Observations are float32 ``[num_envs, size]``, rewards float32 ``[num_envs]``. A table whose
    episode ended is dealt anew in the same step; its info then has ``terminal_observation``, and
    ``skipped_rounds`` and ``skipped_score`` where episodes ended before the learner could act.

    Args:
        game: a game or its name.
        num_envs: number of tables.
        opponents: see ``LearnerTables``, as for all other settings.
        settings: further arguments of ``LearnerTables``.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        opponents: Sequence[Opponent] = ("random",) * 3,
        **settings: Any,
    ) -> None:
        self.learner = LearnerTables(game, opponents, num_envs, **settings)
        self.render_mode = None
        self._seed: int | None = None
        self._actions: NDArray[Any] = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, *spaces_of(self.learner))

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Start the tables' streams at the next reset: numbered 0, 1, ... under this one seed."""
        self._seed = seed
        return [seed] * self.num_envs

    def reset(self) -> NDArray[np.float32]:
        """Start the next episode at every table; return float32 ``[num_envs, size]``."""
        self.learner.reset(seed=self._seed)
        self._seed = None
        self.reset_infos = [self._skipped(table) for table in range(self.num_envs)]
        return self.learner.observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the actions for ``step_wait``."""
        self._actions = np.asarray(actions)

    def step_wait(
        self,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Take one action at every table.

        Raises:
            IllegalAction: an action is not legal; no table has moved.
        """
        rewards = self.learner.step(self._actions).astype(np.float32)
        dones = self.learner.ended.copy()
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(dones)
        if ended.size:
            final = self.learner.observations
            self.look_at_ended(ended)
            self.learner.reset(ended)
            for table in ended:
                infos[table] = {
                    "terminal_observation": final[table],
                    "TimeLimit.truncated": False,
                    **self._skipped(int(table)),
                }
        return self.learner.observations, rewards, dones, infos

    def look_at_ended(self, ended: NDArray[np.int64]) -> None:
        """Do nothing; a subclass may look at tables whose episode is over before they are dealt.

        Args:
            ended: int64 ``[k]``, their numbers.
        """

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions: bool ``[num_envs, actions]``."""
        return self.learner.masks.view(np.bool_)

    def close(self) -> None:
        """Nothing to release."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return the attribute once for each table asked for."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set the attribute for all tables; there is one object for them all."""
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method; ``action_masks`` gives each table asked for its own row."""
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        tables = list(self._get_indices(indices))
        if method_name == "action_masks":
            return list(result[tables])
        return [result] * len(tables)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No table has a Gymnasium wrapper of its own."""
        return [False] * len(list(self._get_indices(indices)))

    def _skipped(self, table: int) -> dict[str, Any]:
        if not self.learner.skipped_rounds[table]:
            return {}
        return {
            "skipped_rounds": int(self.learner.skipped_rounds[table]),
            "skipped_score": float(self.learner.skipped_score[table]),
        }

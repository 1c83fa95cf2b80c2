"""Gymnasium's ``Env`` and ``VectorEnv`` for one learning seat, over ``learner.py``."""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from cardenv.envs.learner import LearnerTables, Opponent
from cardenv.envs.pictures import DEFAULT_SIZE, HUMAN, MODES, Pictures
from cardenv.games import Game
from cardenv.rules import RulesError
from cardenv.scene import INTERNATIONAL, Scene
from cardenv.table import IllegalAction

Observation = NDArray[np.float32]


def spaces_of(learner: LearnerTables) -> tuple[Any, gymnasium.spaces.Discrete]:
    """Return the learner's spaces: float32 ``Box(0, 1, [size])`` and ``Discrete(actions)``."""
    observation = gymnasium.spaces.Box(0, 1, (learner.tables.layout.size,), np.float32)
    return observation, gymnasium.spaces.Discrete(learner.tables.masks.shape[1])


class LearnerEnv(gymnasium.Env[Observation, np.int64]):
    """One table, one learning seat; an episode is a round or a match.

    Observations are float32 ``[size]`` in 0..1. ``info["action_mask"]`` and ``action_masks()`` hold
    the legal actions, int8 and bool ``[actions]``. After a reset, ``info["skipped_rounds"]`` and
    ``info["skipped_score"]`` tell of episodes that ended before the learner's first decision.

    Args:
        game: a game or its name.
        opponents: see ``LearnerTables``, as for all other settings.
        render_mode: ``None``, or how to render the table as the learner sees it: see ``TableEnv``,
            as for ``render_letters``, ``render_colour`` and ``render_size``. Notebooks show
            ``env.unwrapped`` so, too.
        settings: further arguments of ``LearnerTables``.
    """

    metadata = {"render_modes": [*MODES], "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: str | Game,
        opponents: Sequence[Opponent] = ("random",) * 3,
        *,
        render_mode: str | None = None,
        render_letters: str = INTERNATIONAL,
        render_colour: bool = False,
        render_size: Sequence[int] = DEFAULT_SIZE,
        **settings: Any,
    ) -> None:
        self.learner = LearnerTables(game, opponents, 1, **settings)
        title = self.learner.tables.game.name
        self._pictures = Pictures(render_mode, title, render_letters, render_colour, render_size)
        self._started = False
        self.observation_space, self.action_space = spaces_of(self.learner)
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal and play to the learner's first decision.

        Args:
            seed: starts the table's stream of episodes; without it the stream goes on.
            options: ``"deck"`` and the game's first seat (31: ``"dealer"``), for a built position.
        """
        super().reset(seed=seed)
        start = self.learner.tables.start_of(options)
        self.learner.reset(seed=seed, **start)
        self._started = True
        self._pictures.reopen()
        self._show()
        info = {
            "skipped_rounds": int(self.learner.skipped_rounds[0]),
            "skipped_score": float(self.learner.skipped_score[0]),
        }
        return self.learner.observations[0], info | self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take the learner's action and play to its next decision or to its end.

        Raises:
            IllegalAction: the action is not legal, or the episode is over; nothing has changed.
        """
        rewards = self.learner.step(np.atleast_1d(np.asarray(action)))
        ended = bool(self.learner.ended[0])
        self._show()
        return self.learner.observations[0], float(rewards[0]), ended, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions as sb3-contrib wants them: bool ``[actions]``."""
        masks: NDArray[np.bool_] = self.learner.masks[0].view(np.bool_)
        return masks

    def render(self) -> Any:
        """Return the table as the learner sees it, as ``render_mode`` has it.

        Raises:
            NotStarted: there was no ``reset`` since the beginning, or since ``close``.
            NoScreen: no window can be opened here.
        """
        if self.render_mode is None:
            return None
        return self._pictures.render(self._scene(), 1 / self.metadata["render_fps"])

    def close(self) -> None:
        """Close the window, if there is one; ``reset`` begins anew."""
        self._pictures.close()

    def _repr_svg_(self) -> str | None:
        """Return the table as a notebook shows it, or None before the first reset."""
        return self._pictures.svg(self._scene()) if self._started else None

    def _scene(self) -> Scene:
        scene: Scene = self.learner.tables.describe(0, int(self.learner.seats[0]))
        return scene

    def _show(self) -> None:
        if self.render_mode == HUMAN:
            self._pictures.show(self._scene(), 1 / self.metadata["render_fps"])

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.learner.masks[0]}


class LearnerVectorEnv(VectorEnv[NDArray[np.float32], NDArray[np.int64], NDArray[Any]]):
    """Many tables at once; episodes that end are dealt anew by themselves.

    Observations are float32 ``[num_envs, size]``, ``info["action_mask"]`` int8
    ``[num_envs, actions]``. Under ``SAME_STEP`` the last observation of an episode is in
    ``info["final_obs"]``.

    Args:
        game: a game or its name.
        num_envs: number of tables.
        opponents: see ``LearnerTables``, as for all other settings.
        autoreset_mode: ``SAME_STEP`` or ``NEXT_STEP``, also as a string. There is no mode without
            autoreset, and ``reset`` takes no mask: it deals at every table.
        settings: further arguments of ``LearnerTables``.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        opponents: Sequence[Opponent] = ("random",) * 3,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        **settings: Any,
    ) -> None:
        mode = _autoreset_mode(autoreset_mode)
        self.learner = LearnerTables(game, opponents, num_envs, **settings)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = spaces_of(self.learner)
        self.observation_space = gymnasium.vector.utils.batch_space(
            self.single_observation_space, num_envs
        )
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self.autoreset_mode = mode
        self.render_mode = None

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Start the next episode at every table.

        Args:
            seed: one number for all tables, which are numbered under it, or a number a table, each
                then playing what ``LearnerEnv`` plays under that seed.
            options: see ``LearnerEnv.reset``.
        """
        start = self.learner.tables.start_of(options)
        self.learner.reset(seed=seed, **start)
        everywhere = np.ones(self.num_envs, bool)
        return self.learner.observations, self._masks() | self._skipped(everywhere)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[
        Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Take one action at every table (under ``NEXT_STEP``, ignored where one is dealt anew).

        Raises:
            IllegalAction: an action is not legal; no table has moved.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,):
            raise IllegalAction(
                f"actions of shape {actions.shape} were given for {self.num_envs} tables; "
                "give one a table."
            )
        before = self.learner.ended.copy()
        rewards = np.zeros(self.num_envs)
        playing = np.flatnonzero(~before)
        rewards[playing] = self.learner.step(actions[playing], playing)
        ended = self.learner.ended & ~before
        infos: dict[str, Any] = {}
        dealt = before
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            dealt = ended.copy()
            infos = self._final(dealt) if dealt.any() else {}
        if dealt.any():
            self.learner.reset(np.flatnonzero(dealt))
            infos |= self._skipped(dealt)
        truncated = np.zeros(self.num_envs, bool)
        return self.learner.observations, rewards, ended, truncated, infos | self._masks()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions: bool ``[num_envs, actions]``."""
        return self.learner.masks.view(np.bool_)

    def _masks(self) -> dict[str, Any]:
        return {"action_mask": self.learner.masks, "_action_mask": np.ones(self.num_envs, bool)}

    def _final(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the last observations in Gymnasium's form: an object array of arrays."""
        final = np.full(self.num_envs, None, object)
        observations = self.learner.observations
        for table in np.flatnonzero(ended):
            final[table] = observations[table]
        return {"final_obs": final, "_final_obs": ended.copy()}

    def _skipped(self, dealt: NDArray[np.bool_]) -> dict[str, Any]:
        return {
            "skipped_rounds": self.learner.skipped_rounds.copy(),
            "_skipped_rounds": dealt.copy(),
            "skipped_score": self.learner.skipped_score.copy(),
            "_skipped_score": dealt.copy(),
        }


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    supported = (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP)
    for candidate in supported:
        if mode in (candidate, candidate.value, candidate.name):
            return candidate
    raise RulesError(
        f"autoreset_mode={mode!r} is not possible; give one of "
        f"{[candidate.name for candidate in supported]}."
    )

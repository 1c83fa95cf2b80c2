"""All environments play the same games: PettingZoo, Gymnasium, Stable-Baselines3 as ``Tables``.

What a learner should be given is found first, on bare tables and by a loop of its own: what it
sees, its masks, rewards and ends, with the actions drawn on the way. Every environment for learners
is then given those actions.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.envs.gymnasium import LearnerEnv, LearnerVectorEnv
from cardenv.selfcheck.setting import MOST_DECISIONS, Setting, draw_legal, step_randomly
from cardenv.table import IllegalAction

PROMISE = "PettingZoo, Gymnasium and Stable-Baselines3 play the games, rewards and masks of Tables"
STEPS = 30
CLOSE = 1e-6
"""Stable-Baselines3 takes rewards as float32."""


def check(setting: Setting) -> str:
    """Play every environment beside bare tables; return what had to be left out."""
    _check_pettingzoo(setting)
    for seat in sorted({0, setting.players - 1}):
        numbered, seeded = _expected(setting, seat, setting.seed), _expected(setting, seat, None)
        _check_env(setting, seeded)
        _check_vector_env(setting, seeded, "SAME_STEP")
        _check_vector_env(setting, seeded, "NEXT_STEP")
        try:
            from cardenv.envs.sb3 import LearnerVecEnv
        except ImportError:
            return "without Stable-Baselines3, which is not installed"
        _check_sb3(setting, numbered, LearnerVecEnv)
    return ""


# --- PettingZoo -----------------------------------------------------------------------------------


def _check_pettingzoo(setting: Setting) -> None:
    """The same seats decide, see the same and are paid the same, at every step."""
    env, tables = setting.environment(), setting.tables(1)
    env.reset(seed=setting.seed)
    tables.reset(seed=setting.seed)
    received = np.zeros(setting.players)
    for move in range(MOST_DECISIONS):
        if not env.agents:
            break
        seat = env.possible_agents.index(env.agent_selection)
        received[seat] += env.last()[1]
        if env.terminations[env.agent_selection]:
            env.step(None)
            continue
        _compare_agents(setting, env, tables, move)
        before = tables.score[0].copy()
        action = int(step_randomly(setting, tables, np.zeros(1, np.int64))[0])
        _take(setting, "PettingZoo's environment", env.step, action)
        paid = dict(zip(env.possible_agents, tables.score[0] - before, strict=True))
        for agent, reward in env.rewards.items():
            if abs(reward - paid[agent]) > CLOSE:
                what = f"PettingZoo's rewards give {agent} {reward:g}, Tables {paid[agent]:g}"
                raise setting.broken("skins", what, table=0, move=move)
    for seat, score in enumerate(tables.score[0]):
        if abs(received[seat] - score) > CLOSE:
            what = f"what PettingZoo's last() gives an agent sums to {received[seat]:g}, "
            raise setting.broken("skins", f"{what}its score is {score:g}", table=0, seat=seat)


def _compare_agents(setting: Setting, env: Any, tables: Any, move: int) -> None:
    turn = int(tables.turn[0])
    if env.agent_selection != f"player_{turn}":
        what = f"PettingZoo asks {env.agent_selection}, Tables seat {turn}"
        raise setting.broken("skins", what, table=0, move=move)
    for seat, agent in enumerate(env.possible_agents):
        given = env.observe(agent)
        mask = tables.masks[0] if seat == turn else np.zeros_like(tables.masks[0])
        faults = {
            "observation": (given["observation"], tables.observe_one(0, seat)),
            "mask": (given["action_mask"], mask),
        }
        for name, pair in faults.items():
            if not np.array_equal(*pair):
                what = f"PettingZoo gives {agent} another {name} than Tables"
                raise setting.broken("skins", what, table=0, move=move, seat=seat)


def _take(setting: Setting, skin: str, step: Any, action: Any) -> Any:
    """Take an action that is legal at the bare tables."""
    try:
        return step(action)
    except IllegalAction as refused:
        what = f"{skin} refuses what is legal at Tables: {refused}"
        raise setting.broken("skins", what) from refused


# --- What a learner should be given ---------------------------------------------------------------


@dataclass(frozen=True)
class Given:
    """What a learner at each table is given at one decision, and what it does there.

    Attributes:
        observations: float32 ``[n, size]``.
        masks: int8 ``[n, actions]``.
        actions: int64 ``[n]``.
        rewards: float64 ``[n]``, what the actions bring.
        ended: bool ``[n]``, whether they end the episode.
        final: float32 ``[n, size]``, what is seen after them, before another deal.
    """

    observations: NDArray[np.float32]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]
    ended: NDArray[np.bool_]
    final: NDArray[np.float32]


@dataclass(frozen=True)
class Expected:
    """A learner's seat, and what it should be given at each of its decisions."""

    seat: int
    steps: list[Given]


def _expected(setting: Setting, seat: int, seed: int | None) -> Expected:
    """Play a learner's games on bare tables, under one seed or each under its own."""
    tables = setting.tables()
    everywhere = np.arange(setting.games)
    tables.reset(seed=setting.seeds if seed is None else seed)
    _deal_until_asked(setting, tables, seat, everywhere)
    steps = []
    for _ in range(STEPS):
        masks, seen = tables.masks.copy(), _seen(tables, seat)
        actions = draw_legal(masks, tables.play_keys())
        tables.step(actions)
        _move_others(setting, tables, seat, everywhere)
        ended, scores = _is_over(tables, seat), tables.score[:, seat].copy()
        steps.append(Given(seen, masks, actions, scores, ended, _seen(tables, seat)))
        over = np.flatnonzero(ended)
        if over.size:
            tables.reset(over)
            _deal_until_asked(setting, tables, seat, over)
    return Expected(seat, _with_differences(steps))


def _with_differences(steps: list[Given]) -> list[Given]:
    """Turn scores so far into what each action has brought."""
    so_far, paid = np.zeros(len(steps[0].actions)), []
    for step in steps:
        paid.append(Given(**{**vars(step), "rewards": step.rewards - so_far}))
        so_far = np.where(step.ended, 0.0, step.rewards)
    return paid


def _seen(tables: Any, seat: int) -> NDArray[np.float32]:
    observations: NDArray[np.float32] = tables.layout.scaled(
        tables.observe(np.full(tables.count, seat))
    )
    return observations


def _is_over(tables: Any, seat: int) -> NDArray[np.bool_]:
    left = tables.rows["left"] >> np.uint64(seat) & np.uint64(1)
    over: NDArray[np.bool_] = (tables.turn < 0) | (left != 0)
    return over


def _move_others(setting: Setting, tables: Any, seat: int, which: NDArray[np.int64]) -> None:
    for _ in range(MOST_DECISIONS):
        waiting = which[~_is_over(tables, seat)[which] & (tables.turn[which] != seat)]
        if not waiting.size:
            return
        step_randomly(setting, tables, waiting)
    raise setting.broken("episodes", "a learner is never asked again", seat=seat)


def _deal_until_asked(setting: Setting, tables: Any, seat: int, which: NDArray[np.int64]) -> None:
    """Let the others move at dealt tables; deal anew where the learner has nothing to decide."""
    for _ in range(MOST_DECISIONS):
        _move_others(setting, tables, seat, which)
        which = which[_is_over(tables, seat)[which]]
        if not which.size:
            return
        tables.reset(which)
    raise setting.broken("episodes", "a learner is never asked at all", seat=seat)


# --- Gymnasium and Stable-Baselines3 --------------------------------------------------------------


class Comparison:
    """Raises ``BrokenPromise`` where an environment gives something else than is expected."""

    def __init__(self, setting: Setting, skin: str, seat: int) -> None:
        self.setting, self.skin, self.seat = setting, skin, seat
        self._handed_out: list[tuple[NDArray[Any], NDArray[Any]]] = []

    def require(self, name: str, found: Any, expected: Any, step: int) -> None:
        """Compare one thing of every table: ``[n, ...]`` each."""
        found, expected = np.asarray(found), np.asarray(expected)
        same = found.shape == expected.shape and np.allclose(found, expected, rtol=0, atol=CLOSE)
        if not same:
            rows = np.abs(found - expected).reshape(len(expected), -1).max(axis=1) > CLOSE
            self._raise(f"other {name} than Tables", int(np.argmax(rows)), step)

    def keep(self, array: NDArray[Any], step: int) -> None:
        """Keep what was handed out, and see that what was before it has not changed since."""
        for given, copied in self._handed_out:
            if not np.array_equal(given, copied):
                self._raise("arrays that a later step writes to", None, step)
        self._handed_out = [*self._handed_out[-2:], (array, array.copy())]

    def _raise(self, what: str, table: int | None, step: int) -> None:
        words = f"{self.skin} gives {what}, at the learner's decision {step}"
        raise self.setting.broken("skins", words, table=table, seat=self.seat)


def _check_env(setting: Setting, expected: Expected) -> None:
    """Gymnasium's single environment, at the first game's seed."""
    compare = Comparison(setting, "Gymnasium's environment", expected.seat)
    env = LearnerEnv(setting.game, learner_seat=expected.seat, **setting.learner)
    observation, info = env.reset(seed=setting.seed)
    for number, step in enumerate(expected.steps):
        compare.keep(observation, number)
        compare.require("observations", observation[None], step.observations[:1], number)
        compare.require("masks", info["action_mask"][None], step.masks[:1], number)
        compare.require("masks", env.action_masks()[None] * 1, step.masks[:1], number)
        observation, reward, ended, truncated, info = _take(
            setting, compare.skin, env.step, step.actions[0]
        )
        compare.require("rewards", [reward], step.rewards[:1], number)
        compare.require("ends", [int(ended or truncated)], step.ended[:1] * 1, number)
        if ended:
            compare.require("last observations", observation[None], step.final[:1], number)
            observation, info = env.reset()


def _check_vector_env(setting: Setting, expected: Expected, mode: str) -> None:
    """Gymnasium's vector environment; under ``NEXT_STEP`` each table is a step late to be dealt."""
    compare = Comparison(setting, f"Gymnasium's vector environment ({mode})", expected.seat)
    env = LearnerVectorEnv(
        *(setting.game, setting.games),
        autoreset_mode=mode,
        learner_seat=expected.seat,
        **setting.learner,
    )
    observations, infos = env.reset(seed=setting.seeds)
    at, dealing = np.zeros(setting.games, np.int64), np.zeros(setting.games, bool)
    tables = np.arange(setting.games)

    every = {
        name: np.array([getattr(step, name) for step in expected.steps])
        for name in vars(expected.steps[0])
    }

    def wanted(name: str) -> NDArray[Any]:
        picked: NDArray[Any] = every[name][at, tables]
        return picked

    for number in range(STEPS - 1):
        live = ~dealing
        compare.keep(observations, number)
        compare.require("observations", observations[live], wanted("observations")[live], number)
        compare.require("masks", infos["action_mask"][live], wanted("masks")[live], number)
        final, ended = wanted("final"), wanted("ended") & live
        paid = np.where(live, wanted("rewards"), 0.0)
        observations, rewards, terminated, truncated, infos = _take(
            setting, compare.skin, env.step, wanted("actions")
        )
        compare.require("rewards", rewards, paid, number)
        compare.require("ends", (terminated | truncated) * 1, ended * 1, number)
        for table in np.flatnonzero(ended):
            last = observations[table] if mode == "NEXT_STEP" else infos["final_obs"][table]
            compare.require("last observations", last[None], final[table][None], number)
        at[live & ~ended] += 1
        at[dealing | (ended & (mode == "SAME_STEP"))] += 1
        dealing = ended & (mode == "NEXT_STEP")


def _check_sb3(setting: Setting, expected: Expected, make: Any) -> None:
    """Stable-Baselines3's environment, its tables numbered under one seed."""
    compare = Comparison(setting, "Stable-Baselines3's environment", expected.seat)
    env = make(setting.game, setting.games, learner_seat=expected.seat, **setting.learner)
    env.seed(setting.seed)
    observations = env.reset()
    for number, step in enumerate(expected.steps):
        compare.keep(observations, number)
        compare.require("observations", observations, step.observations, number)
        compare.require("masks", env.action_masks() * 1, step.masks, number)
        observations, rewards, ended, infos = _take(setting, compare.skin, env.step, step.actions)
        compare.require("rewards", rewards, step.rewards, number)
        compare.require("ends", ended * 1, step.ended * 1, number)
        for table in np.flatnonzero(step.ended):
            last = infos[table]["terminal_observation"]
            compare.require("last observations", last[None], step.final[table][None], number)

"""PettingZoo's turn-based environment (``AECEnv``) over one table; it knows no game."""

import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from cardenv.envs.pictures import DEFAULT_SIZE, HUMAN, MODES, Pictures, one_of
from cardenv.games import Game
from cardenv.rules import GameRules
from cardenv.scene import INTERNATIONAL, Scene
from cardenv.table import IllegalAction, NotStarted, Tables

Observation = dict[str, NDArray[Any]]

OPEN, ACTING = "open", "acting"
"""What a picture shows besides the view of a named agent: all cards, or the selected agent's."""

_BEFORE_RESET = "no episode has begun; call reset() first."
_SINCE_RESET = (
    *("agents", "num_agents", "agent_selection", "rewards", "_cumulative_rewards"),
    *("terminations", "truncations", "infos"),
)
_VIEWS = ("_turn", "_left", "_payouts", "_score", "_mask", "_observation")
_PLAIN = (int, np.int64)
_INT64 = np.iinfo(np.int64)


class Settings(TypedDict, total=False):
    """What ``env`` and ``raw_env`` of every game take; see ``TableEnv``."""

    num_players: int
    episode: str | None
    rules: GameRules | str | Sequence[str] | None
    render_mode: str | None
    render_view: str
    render_letters: str
    render_colour: bool
    render_size: Sequence[int]
    max_players: int | None
    illegal: str
    history: int


class NotStartedAttribute(NotStarted, AttributeError):
    """An attribute that exists from the first ``reset`` on; ``hasattr`` says so."""


class TableEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo is untyped
    """One table of a game as an ``AECEnv`` with agents ``player_0``, ``player_1``, ... by seat.

    An observation is ``{"action_mask": int8 [actions], "observation": uint8 [size]}``, laid out as
    ``layout``. The mask is given to the deciding agent only, all others get zeros: a mask would
    show them the hand. Any agent can be observed at any time from the first ``reset`` on, those who
    are out included. ``state()`` is uint8, laid out as ``state_layout``.

    An agent that is out of a match terminates; the others play on. Every dictionary and array that
    is handed out stays as it is when the game goes on.

    Args:
        game: a game or its name.
        num_players: number of seats.
        episode: ``"round"`` or ``"match"``; by default what the game's text tells.
        rules: the game's ``Rules``, a preset's name, or words as the command line takes them.
        render_mode: ``None``, or what ``render`` returns: ``"ansi"`` text, ``"svg"`` a document,
            ``"rgb_array"`` uint8 ``[height, width, 3]``; ``"human"`` shows every reset and step in
            a window, each for ``1 / metadata["render_fps"]`` seconds.
        render_view: ``"open"`` shows all cards, ``"acting"`` what the selected agent sees, and an
            agent's name what that agent sees. Notebooks show an environment so, too.
        render_letters: ``"international"`` (J, Q) or ``"german"`` (B, D).
        render_colour: whether ``"ansi"`` text has the escapes that terminals show as colours.
        render_size: width and height of pictures in pixels.
        max_players: pads observations to so many seats, so that one policy can play several sizes.
        illegal: ``"raise"`` an error for an illegal action, or let the offender ``"lose"``.
        history: the events that observations end with (see ``Tables``).

    Raises:
        RulesError: a setting is not possible.
        MissingLibrary: the render mode needs a library that is not installed.
    """

    def __init__(
        self,
        game: str | Game,
        num_players: int = 4,
        *,
        episode: str | None = None,
        rules: GameRules | str | Sequence[str] | None = None,
        render_mode: str | None = None,
        render_view: str = OPEN,
        render_letters: str = INTERNATIONAL,
        render_colour: bool = False,
        render_size: Sequence[int] = DEFAULT_SIZE,
        max_players: int | None = None,
        illegal: str = "raise",
        history: int = 0,
    ) -> None:
        super().__init__()
        self.infos: dict[str, dict[str, Any]]
        self.agent_selection: str
        self._tables = Tables(
            game,
            1,
            num_players,
            rules=rules,
            episode=episode,
            max_players=max_players,
            illegal=illegal,
            history=history,
        )
        self.metadata: dict[str, Any] = {
            "name": f"{self._tables.game.name}_v{self._tables.game.version}",
            "render_modes": [*MODES],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(num_players)]
        self._pictures = Pictures(
            render_mode, self.metadata["name"], render_letters, render_colour, render_size
        )
        self.render_mode = render_mode
        self.render_view = one_of("render_view", render_view, (OPEN, ACTING, *self.possible_agents))
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._actions = len(self._tables.game.action_names)
        self._make_spaces()
        self._started = False
        self._bind()

    @property
    def layout(self) -> Any:
        """The ``SizedLayout`` of ``observation``: names, offsets and scales."""
        return self._tables.layout

    @property
    def state_layout(self) -> Any:
        """The ``SizedLayout`` of ``state()``."""
        return self._tables.state_layout

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's observation space, the same object each time."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's action space, the same object each time; seeded by its user."""
        return self.action_spaces[self._known(agent)]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start the next episode.

        Args:
            seed: starts the stream of episodes anew; without it the stream goes on, so that one
                seed fixes this episode and all later ones.
            options: ``"deck"``, the order in which the first round's pack is dealt, and the game's
                first seat under its own word (31: ``"dealer"``).

        Raises:
            ValueError: an option is unknown, or the deck, the seat or the seed is not possible;
                the episode in play goes on unharmed.
        """
        # PettingZoo's own api_test gives every environment the option {"options": 1}.
        if isinstance(options, Mapping):
            options = {name: each for name, each in options.items() if name != "options"}
        self._tables.reset(seed=seed, **self._tables.start_of(options))
        self._started = True
        self._pictures.reopen()
        self.agents = self.possible_agents.copy()
        self._pay_nothing()
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._seen_left, self._seen_payouts = 0, 0
        self._seen_score = [0.0] * len(self.agents)
        self._select()
        self._show()

    def step(self, action: Any) -> None:
        """Carry out the selected agent's action, up to the next decision of anybody.

        Args:
            action: a whole number (Python, NumPy or Torch) for an agent in play; ``None`` for an
                agent that has terminated, which then leaves ``agents``.

        Raises:
            NotStarted: there was no ``reset`` yet.
            IllegalAction: the action is none, or is not legal; nothing has changed.
        """
        self._require_start()
        if not self.agents:
            raise self._tables.finished(0)
        agent = self.agent_selection
        if self.terminations[agent]:
            self._leave(agent, action)
            return
        index = self._index_of(action)
        forfeit = not (0 <= index < self._actions and self._mask[index])
        self._tables.step_one(0, index)
        self._cumulative_rewards[agent] = 0.0
        self.infos = {each: {} for each in self.agents}
        if self._payouts.item() != self._seen_payouts:
            self._pay()
        elif self._paid:
            self._pay_nothing()
        turn = self._turn.item()
        if turn < 0 or self._left.item() != self._seen_left:
            self._terminate(agent if forfeit else None)
        else:
            self.agent_selection = self.possible_agents[turn]
        self._show()

    def observe(self, agent: str) -> Observation:
        """Return what an agent knows, as new arrays; the mask is zeros unless it is to decide.

        Raises:
            NotStarted: there was no ``reset`` yet.
        """
        self._require_start()
        seat = self._seats[self._known(agent)]
        if seat == self._turn.item():
            return {"action_mask": self._mask.copy(), "observation": self._observation.copy()}
        return {
            "action_mask": np.zeros(self._actions, np.int8),
            "observation": self._tables.observe_one(0, seat),
        }

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, rewards since its last action, flags and info of the selected agent.

        Raises:
            NotStarted: there was no ``reset`` yet, or no agent is left.
        """
        self._require_start()
        if not self.agents:
            raise NotStarted("the episode is over and no agent is left; call reset() first.")
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, int]:
        """Return an iterable over the selected agents, for a loop that steps each time."""
        self._require_start()
        return super().agent_iter(max_iter)

    def state(self) -> NDArray[np.uint8]:
        """Return the whole state, every card included: uint8 ``[size]`` as ``state_layout``."""
        self._require_start()
        state: NDArray[np.uint8] = self._tables.states()[0]
        return state

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return a picture as ``render_mode`` has it; ``"human"`` shows it and returns None.

        Raises:
            NotStarted: there was no ``reset`` since the beginning, or since ``close``.
            NoScreen: no window can be opened here.
        """
        self._require_start()
        if self.render_mode is None:
            logger.warn("render() does nothing without a render_mode; give render_mode='ansi'.")
            return None
        picture: str | NDArray[np.uint8] | None
        picture = self._pictures.render(self._scene(), self._seconds)
        return picture

    def close(self) -> None:
        """Close the window, if there is one; ``reset`` begins anew."""
        self._pictures.close()

    def _repr_svg_(self) -> str | None:
        """Return the table as a notebook shows it, or None before the first reset."""
        return self._pictures.svg(self._scene()) if self._started else None

    def _scene(self) -> Scene:
        view = self.agent_selection if self.render_view == ACTING else self.render_view
        scene: Scene = self._tables.describe(0, self._seats.get(view, -1))
        return scene

    @property
    def _seconds(self) -> float:
        """How long a window shows a scene."""
        return float(1 / self.metadata["render_fps"])

    def _make_spaces(self) -> None:
        """Build spaces, the dictionary's keys in the sorted order that Gymnasium gives them."""
        high, state_high = self._tables.layout.high, self._tables.state_layout.high
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "action_mask": spaces.Box(0, 1, (self._actions,), np.int8),
                    "observation": spaces.Box(np.zeros_like(high), high, dtype=np.uint8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(self._actions) for agent in self.possible_agents
        }
        self.state_space = spaces.Box(np.zeros_like(state_high), state_high, dtype=np.uint8)

    def _bind(self) -> None:
        """Keep views of what every step reads; they must be made anew in a copy."""
        tables = self._tables
        self._turn, self._left = tables.rows["turn"], tables.rows["left"]
        self._payouts, self._score = tables.rows["payouts"], tables.score[0]
        self._mask, self._observation = tables.masks[0], tables.observations[0]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _VIEWS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in _SINCE_RESET:
                raise NotStartedAttribute(f"there is no {name!r} yet: {_BEFORE_RESET}")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _require_start(self) -> None:
        if not self._started:
            raise NotStarted(_BEFORE_RESET)

    def _known(self, agent: str) -> str:
        if agent not in self._seats:
            raise ValueError(
                f"{agent!r} is no agent of this table; there are {', '.join(self.possible_agents)}."
            )
        return agent

    def _index_of(self, action: Any) -> int:
        """Return a whole number as an ``int``; truth values and fractions are no actions."""
        try:
            index = operator.index(action)
        except TypeError:
            raise IllegalAction(self._no_number(action)) from None
        if type(action) not in _PLAIN and "bool" in str(getattr(action, "dtype", type(action))):
            raise IllegalAction(self._no_number(action))
        return index if 0 <= index < self._actions else min(max(index, _INT64.min), _INT64.max)

    def _no_number(self, action: Any) -> str:
        return (
            f"action {action!r} of {self.agent_selection} is no whole number; give one from 0 to "
            f"{self._actions - 1} that its action_mask allows (None is for agents that have "
            "terminated)."
        )

    def _pay(self) -> None:
        """Turn what the table has paid since the last step into rewards."""
        score = self._score.tolist()
        self.rewards = {
            agent: score[self._seats[agent]] - self._seen_score[self._seats[agent]]
            for agent in self.agents
        }
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward
        self._seen_score, self._seen_payouts = score, self._payouts.item()
        self._paid = True

    def _pay_nothing(self) -> None:
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._paid = False

    def _terminate(self, offender: str | None) -> None:
        """Terminate who has left, or everybody at the end; say why after an illegal action."""
        over, left = self._turn.item() < 0, self._left.item()
        self._seen_left = left
        self.terminations = {
            agent: over or bool(left >> self._seats[agent] & 1) for agent in self.agents
        }
        if offender is not None:
            self.infos = {agent: {"illegal_action_by": offender} for agent in self.agents}
        self._select()

    def _leave(self, agent: str, action: Any) -> None:
        """Let a terminated agent take its last step, after which it is no longer an agent."""
        if action is not None:
            raise IllegalAction(
                f"{agent} has terminated and its only action is None; {action!r} was given."
            )
        self.agents = [other for other in self.agents if other != agent]
        for name in ("terminations", "truncations", "infos", "_cumulative_rewards"):
            values = getattr(self, name)
            setattr(self, name, {other: values[other] for other in self.agents})
        self._pay_nothing()
        self._select()

    def _select(self) -> None:
        """Select a terminated agent first, else who is to decide; the last to leave stays."""
        terminated = [agent for agent in self.agents if self.terminations[agent]]
        if terminated:
            self.agent_selection = terminated[0]
        elif self.agents:
            self.agent_selection = self.possible_agents[self._turn.item()]

    def _show(self) -> None:
        if self.render_mode == HUMAN:
            self._pictures.show(self._scene(), self._seconds)


class OrderedEnv(OrderEnforcingWrapper[str, Observation, int]):  # type: ignore[misc]
    """PettingZoo's guard against calls out of order, with ``NotStarted`` before the first reset."""

    def __init__(self, env: TableEnv) -> None:
        super().__init__(env)
        # The environment below refuses what comes too early, with an error that names the cure.
        self._has_reset = True

    def step(self, action: Any) -> None:
        """Carry out an action; once no agent is left this warns and does nothing."""
        self.env._require_start()
        super().step(action)

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return what ``TableEnv.last`` returns."""
        table_env: TableEnv = self.env
        return table_env.last(observe)

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, int]:
        """Return an iterable that also refuses a loop without a step."""
        self.env._require_start()
        return super().agent_iter(max_iter)

    def __str__(self) -> str:
        return str(self.env)

    def _repr_svg_(self) -> str | None:
        table_env: TableEnv = self.env
        return table_env._repr_svg_()


def env(game: str | Game, **settings: Any) -> OrderedEnv:
    """Return a ``TableEnv`` behind PettingZoo's guard against calls out of order."""
    return OrderedEnv(TableEnv(game, **settings))

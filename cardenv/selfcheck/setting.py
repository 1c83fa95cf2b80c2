"""A kind of table that promises are checked at, random play there, and what a fault is told by."""

import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.envs.aec import TableEnv
from cardenv.envs.learner import unit
from cardenv.games import Game
from cardenv.rules import GameRules
from cardenv.table import IllegalAction, Tables

MOST_DECISIONS = 50_000
"""An episode of random play that has more is taken for endless."""


class BrokenPromise(AssertionError):
    """A promise that a game or an environment does not keep, and where that is to be seen.

    Attributes:
        promise: its name, a key of ``PROMISES``.
        what: what was seen, in words.
        place: the kind of table, the seed and, where they matter, the move and the seat.
        again: the call that shows it again.
    """

    def __init__(self, promise: str, what: str, place: str, again: str) -> None:
        super().__init__(f"{promise}: {what} ({place})")
        self.promise, self.what, self.place, self.again = promise, what, place, again


class NotChecked(Exception):
    """A promise that cannot be checked at this game; the text says why."""


@dataclass(frozen=True)
class Setting:
    """A kind of table, and the random games played there.

    Attributes:
        words: the rules as the caller gave them, such as ``'letter'``.
        seed: the seed of the first game; the following ones have the following numbers.
        games: how many there are.
        history: events that observations end with.
    """

    game: Game
    players: int
    rules: GameRules
    words: str
    episode: str
    seed: int
    games: int
    history: int = 0

    def __str__(self) -> str:
        return f"{self.game.name}, {self.players} players, {self.episode}, rules {self.words}"

    @property
    def seeds(self) -> list[int]:
        """A seed a game."""
        return [(self.seed + number) % 2**64 for number in range(self.games)]

    def tables(self, count: int | None = None) -> Tables:
        """Return tables of this kind, not dealt yet: one a game, or ``count``."""
        return Tables(
            self.game,
            self.games if count is None else count,
            self.players,
            rules=self.rules,
            episode=self.episode,
            history=self.history,
        )

    def dealt(self) -> Tables:
        """Return a table a game, each dealt under the game's seed."""
        tables = self.tables()
        tables.reset(seed=self.seeds)
        return tables

    def environment(self, **more: Any) -> TableEnv:
        """Return the PettingZoo environment of this kind, not reset yet."""
        return TableEnv(
            *(self.game, self.players),
            rules=self.rules,
            episode=self.episode,
            history=self.history,
            **more,
        )

    @property
    def learner(self) -> dict[str, Any]:
        """The arguments of ``LearnerTables``, and of the environments over it, for this kind."""
        return {
            "opponents": [RandomPlayer()] * (self.players - 1),
            "rules": self.rules,
            "episode": self.episode,
            "history": self.history,
        }

    def broken(
        self,
        promise: str,
        what: str,
        *,
        seed: int | None = None,
        table: int | None = None,
        move: int | None = None,
        seat: int | None = None,
    ) -> BrokenPromise:
        """Return the error for a broken promise.

        Args:
            promise: its name.
            what: what was seen.
            seed: the seed of the game, if it is not that of ``table``.
            table: the game's number among the seeds.
            move: decisions taken before.
            seat: whom it concerns.
        """
        if seed is None:
            seed = self.seed if table is None else self.seeds[table]
        places = [str(self), f"seed {seed}"]
        places += [f"table {table}"] if table is not None else []
        places += [f"move {move}"] if move is not None else []
        places += [f"seat {seat}"] if seat is not None else []
        return BrokenPromise(promise, what, ", ".join(places), self._again(promise))

    def _again(self, promise: str) -> str:
        history = f", history={self.history}" if self.history else ""
        return (
            f"selfcheck.run({self.game.name!r}, games={self.games}, seed={self.seed}, "
            f"players=[{self.players}], rules=[{self.words}], episodes=[{self.episode!r}], "
            f"promises=[{promise!r}]{history})"
        )


def told(error: Exception) -> str:
    """Return an error in words, with the line of the file that it came from."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.filename}, line {last.lineno})"


def draw_legal(masks: NDArray[np.int8], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Draw a legal action for each row, uniformly and by its key alone: int64 ``[n]``."""
    chances = np.cumsum(masks, axis=1, dtype=np.int64)
    drawn: NDArray[np.int64] = (chances <= (unit(keys) * chances[:, -1])[:, None]).sum(axis=1)
    return drawn


class RandomPlayer:
    """A player that takes any legal action; the self-check's opponents."""

    name = "any legal action"

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        keys: NDArray[np.uint64],
    ) -> NDArray[np.int64]:
        """Return a legal action for each row."""
        return draw_legal(masks, keys)

    def check(self, tables: Tables) -> None:
        """Sit at any table."""


def going_on(tables: Tables) -> NDArray[np.int64]:
    """Return the numbers of the tables where somebody is to decide."""
    return np.flatnonzero(tables.turn >= 0)


def step_randomly(setting: Setting, tables: Tables, live: NDArray[np.int64]) -> NDArray[np.int64]:
    """Carry out a random legal action at each of some tables; return the actions.

    Raises:
        BrokenPromise: a seat has nothing to do, or an action that its mask allows is refused.
    """
    stuck = live[~tables.masks[live].any(axis=1)]
    if stuck.size:
        seat, move = int(tables.turn[stuck[0]]), int(tables.rows["moves"][stuck[0]])
        what = "a seat that is to decide has no legal action"
        raise setting.broken("masks", what, table=int(stuck[0]), move=move, seat=seat)
    actions = draw_legal(tables.masks[live], tables.play_keys(live))
    try:
        tables.step(actions, live)
    except IllegalAction as refused:
        what = f"an action that the mask allows is refused: {refused}"
        raise setting.broken("masks", what) from refused
    return actions


def play(setting: Setting, tables: Tables) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Play dealt tables to their ends, each by random legal actions of its own.

    Yields:
        Before each decision, how many were taken and the numbers of the tables that go on.

    Raises:
        BrokenPromise: an episode has no end.
    """
    move = 0
    while (live := going_on(tables)).size:
        if move == MOST_DECISIONS:
            what = f"an episode goes on after {MOST_DECISIONS} decisions"
            raise setting.broken("episodes", what, table=int(live[0]))
        yield move, live
        step_randomly(setting, tables, live)
        move += 1


def positions(setting: Setting, tables: Tables) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Do what ``play`` does, and yield at all early decisions, fewer of the later ones."""
    for move, live in play(setting, tables):
        if is_looked_at(move):
            yield move, live


def is_looked_at(move: int) -> bool:
    """Tell whether a costly check looks at the position before this decision."""
    return move < 16 or move % (8 if move < 256 else 64) == 0


def play_environment(setting: Setting, env: Any) -> Iterator[int]:
    """Play a game through PettingZoo, every agent by random legal actions, to its last dead step.

    Yields:
        At all early decisions and fewer later ones, how many decisions were taken.

    Raises:
        BrokenPromise: the episode has no end, or an agent is to act that is none any more.
    """
    env.reset(seed=setting.seed)
    move = 0
    while env.agents:
        if move == MOST_DECISIONS:
            what = f"PettingZoo's agents are still there after {MOST_DECISIONS} decisions"
            raise setting.broken("episodes", what)
        if env.agent_selection not in env.agents:
            what = f"{env.agent_selection} is to act and is no agent any more"
            raise setting.broken("episodes", what, move=move)
        if not env.terminations[env.agent_selection] and is_looked_at(move):
            yield move
        env.step(drawn_action(env))
        move += 1


def drawn_action(env: Any) -> int | None:
    """Return a random action of PettingZoo's selected agent; ``None`` if it has terminated."""
    if env.terminations[env.agent_selection]:
        return None
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(draw_legal(mask[None], env._tables.play_keys())[0])


def legal_actions(tables: Tables, rows: NDArray[Any]) -> NDArray[np.int8]:
    """Ask the game which actions are legal at rows, as masks: int8 ``[k, actions]``."""
    legal = tables.game.function("legal")
    sets = [int(legal(row, tables.record[0])) for row in rows]
    actions = range(tables.masks.shape[1])
    return np.array([[each >> action & 1 for action in actions] for each in sets], np.int8)


def look_again(tables: Tables) -> None:
    """Write the deciding seats' observations and masks anew, after rows were changed by hand."""
    live = going_on(tables)
    if live.size:
        tables.observations[live] = tables.observe(tables.turn[live], live)
        tables.masks[live] = legal_actions(tables, tables.rows[live])


def same_rows(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell for each row whether all fields are equal; the bytes between them mean nothing."""
    same = np.ones(len(one), bool)
    if one.tobytes() == other.tobytes():
        return same
    for name in one.dtype.names or ():
        equal = np.asarray(one[name]) == np.asarray(other[name])
        same &= equal.reshape(len(one), -1).all(axis=1)
    return same

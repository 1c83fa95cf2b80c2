"""Policies: players that are compiled functions of one observation row.

A policy is a function ``(observation, mask, key) -> action``: uint8 ``[size]``, int8 ``[actions]``,
uint64. Every game has ``random`` and the heuristics of its module in ``agents/heuristics``. One
source serves both ways to play: ``Policy.act`` chooses for a batch of observations, and ``play_on``
plays whole games without leaving compiled code. ``play_on`` is what evaluations of policies and the
playouts of search spend their time in; they read it from one cache.
"""

import functools
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents import heuristics
from cardenv.cards import NONE, ONE, PLAY, derive, drawn_from, gather, holds, lowest, seal, spread
from cardenv.compiling import (
    announce_compiling,
    bind,
    cached,
    compiled,
    is_compiled,
    shared_files,
    unbound,
)
from cardenv.games import Game
from cardenv.history import MOST_EVENTS, name_of, parts_of
from cardenv.kernels import looking
from cardenv.players import NOBODY, AnyPlayer, PlayerError, check_game, choose, number_of
from cardenv.table import Tables

RANDOM = 0
"""The place of ``random`` among a game's policies."""


@compiled
def random(observation: Any, mask: Any, key: Any) -> int:
    """Play a uniformly drawn legal action: the weakest yardstick, the same for every game."""
    return drawn_from(gather(mask, 0, mask.size), key)


def names(game: Game) -> list[str]:
    """Return the names of the game's policies; a policy's number is its place here."""
    return list(_functions(game))


def _functions(game: Game) -> dict[str, Callable[..., Any]]:
    return {"random": random, **heuristics.functions(game)}


# --- Compiled loops, bound to a game (see ``cardenv.kernels``) ------------------------------------


legal = step = observe = look_at = first = rest = policy = policies = play_on = unbound
HISTORY_SIZE = 0
"""Bytes at the end of an observation that policies do not look at."""


def first_or_rest(number: int, observation: Any, mask: Any, key: Any) -> int:
    """Ask a policy by its number among two: one, or all that follow."""
    if number == 0:
        return first(observation, mask, key)
    return rest(number - 1, observation, mask, key)


def only(number: int, observation: Any, mask: Any, key: Any) -> int:
    """Ask the only policy that is left."""
    return first(observation, mask, key)


def act_rows(observations: Any, masks: Any, keys: Any, actions: Any) -> None:
    """Write a policy's choice for every row to ``actions``."""
    for i in range(actions.size):
        actions[i] = policy(observations[i], masks[i], keys[i])


def choose_for(row: Any, rules: Any, number: int, observation: Any, mask: Any) -> int:
    """Return a policy's choice for the deciding seat; the two buffers are written."""
    actions = legal(row, rules)
    if actions & (actions - ONE) == NONE:
        return lowest(actions)
    key = seal(derive(row.key, PLAY, row.moves))
    if number == RANDOM:  # which looks at nothing but what is legal
        return drawn_from(actions, key)
    for i in range(observation.size):
        observation[i] = 0
    observe(row, rules, row.turn, observation)
    spread(actions, mask.size, mask, 0)
    return policies(number, observation, mask, key)


def play_on_row(
    row: Any, rules: Any, seating: Any, leaving: int, observation: Any, mask: Any
) -> int:
    """Play until the episode is over, ``leaving`` has left, or a seat is due without a policy.

    Args:
        row: the table's row.
        rules: its record.
        seating: int64 ``[players]``, the number of each seat's policy, or ``ELSEWHERE``.
        leaving: a seat, or ``NOBODY``.
        observation: uint8 ``[size]``, a buffer.
        mask: int8 ``[actions]``, a buffer.

    Returns:
        How many decisions were made.
    """
    decisions = 0
    while row.turn >= 0 and seating[row.turn] >= 0 and not holds(row.left, leaving):
        step(row, rules, choose_for(row, rules, seating[row.turn], observation, mask))
        row.moves += 1
        decisions += 1
    return decisions


def play_on_rows(
    rows: Any, rules: Any, which: Any, seating: Any, leaving: Any, observations: Any, masks: Any
) -> int:
    """Do what ``play_on_row`` does at the tables ``which``, and write what is to be seen then."""
    decisions = 0
    for k in range(which.size):
        i = which[k]
        seen = observations[i, : observations.shape[1] - HISTORY_SIZE]
        decisions += play_on(rows[i], rules[0], seating[k], leaving[k], seen, masks[i])
        look_at(rows[i], rules[0], observations[i], masks[i])
    return decisions


SHARED_SOURCES = (Path(__file__), Path(heuristics.__file__))
"""The files of this layer that all policies are compiled from, beside a game's own heuristics."""


@dataclass(frozen=True)
class Policies:
    """One game's compiled policies.

    Attributes:
        parts: the game's functions and ``choose_for`` and ``play_on``, by the names that loops
            bound to the game call.
        sources: the files whose change must recompile what is bound to ``parts``.
        play_on: ``play_on_rows``.
    """

    parts: dict[str, Callable[..., Any]]
    sources: frozenset[Path]
    play_on: Callable[..., int]


@functools.cache
def policies_of(game: Game, history: int = 0) -> Policies:
    """Return the game's policies at tables that keep so many events, of which they make no use.

    They are compiled at their first call or read from the cache.
    """
    sources, name = _sources(game), name_of(game, history)
    if not is_compiled(name, sources):
        announce_compiling(f"players of {game.name}")
    parts = parts_of(game, history)
    look_at = looking(game, parts)
    parts["observe"], parts["policies"] = game.function("observe"), _numbered(game)
    parts["choose_for"] = compiled(bind(choose_for, name, parts))
    parts["play_on"] = cached(bind(play_on_row, name, parts), sources)
    size = history * game.layout.event_size
    more = {**parts, "look_at": look_at, "HISTORY_SIZE": size}
    play_on: Callable[..., int] = cached(bind(play_on_rows, name, more), sources)
    return Policies(parts, sources, play_on)


def _numbered(game: Game) -> Callable[..., Any]:
    """Return one compiled function that asks any of the game's policies by its number."""
    *others, last = _functions(game).values()
    found = compiled(bind(only, f"{game.name}_{len(others)}", {"first": last}))
    for number, function in reversed(list(enumerate(others))):
        both = {"first": function, "rest": found}
        found = compiled(bind(first_or_rest, f"{game.name}_{number}", both))
    return found


def _sources(game: Game) -> frozenset[Path]:
    return frozenset({*game.sources, *SHARED_SOURCES, *heuristics.sources(game)})


def digest(files: Iterable[Path]) -> str:
    """Return what tells whether code has changed: a hash of its files and of what all share."""
    contents = b"".join(path.read_bytes() for path in sorted({*files, *shared_files()}))
    return hashlib.sha256(contents).hexdigest()[:16]


@functools.cache
def _act(game: Game, name: str) -> Callable[..., None]:
    return cached(
        bind(act_rows, f"{game.name}_{name}", {"policy": _functions(game)[name]}), _sources(game)
    )


# --- Players --------------------------------------------------------------------------------------


class Policy:
    """A game's policy as a batched player.

    Attributes:
        name: what tables and reports call it.
        number: its place among the game's policies.
    """

    def __init__(self, game: Game, name: str) -> None:
        self.game = game
        self.name = name
        self.number = names(game).index(name)

    @property
    def fingerprint(self) -> str:
        """Tells apart two policies of one name if their code differs."""
        return f"code {digest(policies_of(self.game).sources)}"

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        keys: NDArray[np.uint64],
    ) -> NDArray[np.int64]:
        """Choose by the policy (see ``cardenv.players.Player.act`` for shapes).

        Raises:
            PlayerError: the observations are not of this game's size, or not as it stores them.
            ValueError: a mask has no legal action.
        """
        size = _size_without_history(self.game, observations.shape[1])
        if observations.dtype != np.uint8 or size is None:
            raise PlayerError(
                f"agent {self.name!r} was given observations of {observations.shape[1]} "
                f"{observations.dtype}; give those of {self.game.name}'s tables, as uint8."
            )
        if not masks.any(axis=1).all():
            raise ValueError("a mask has no legal action; ask only for tables that are not over.")
        actions = np.empty(len(keys), np.int64)
        _act(self.game, names(self.game)[self.number])(
            np.ascontiguousarray(observations[:, :size]),
            np.ascontiguousarray(masks, np.int8),
            np.ascontiguousarray(keys, np.uint64),
            actions,
        )
        return actions

    def play_on(
        self,
        tables: Tables,
        which: NDArray[np.int64],
        seating: NDArray[np.int64],
        leaving: NDArray[np.int64],
    ) -> int:
        """Play the policies' turns (see ``cardenv.players.CompiledPlayer.play_on``)."""
        return policies_of(self.game, tables.history).play_on(
            tables.rows, tables.record, which, seating, leaving, tables.observations, tables.masks
        )

    def check(self, tables: Tables) -> None:
        """Raise ``PlayerError`` at tables of another game."""
        check_game(self.name, self.game, tables)


def _size_without_history(game: Game, size: int) -> int | None:
    """Return how many bytes of observations of a size come before their history.

    Returns:
        ``None`` for a size that no table of the game has, or that tables of different numbers of
        seats have.
    """
    layout = game.layout
    sizes = {
        layout.shared_size + n * layout.seat_size for n in range(2, game.rules.MAX_PLAYERS + 1)
    }
    found = sizes & {size - n * layout.event_size for n in range(MOST_EVENTS + 1)}
    return found.pop() if len(found) == 1 else None


def play_to_the_end(
    players: Sequence[AnyPlayer], seating: NDArray[np.int64], tables: Tables
) -> int:
    """Play every table to its end: policies in compiled code, others asked in batches.

    Args:
        players: who there is; each must fit the tables (see ``cardenv.players.player_for``).
        seating: int64 ``[count, players]``, the place among ``players`` of who sits where.
        tables: tables with an episode under way.

    Returns:
        How many decisions were made.
    """
    numbers = np.array([number_of(player) for player in players])[seating]
    play_on = Policy(tables.game, "random").play_on
    nobody = np.full(tables.count, NOBODY)
    decisions, live = 0, np.arange(tables.count)
    while live.size:
        decisions += play_on(tables, live, numbers[live], nobody[: live.size])
        live = live[tables.turn[live] >= 0]
        playing = seating[live, tables.turn[live]]
        tables.step(choose(players, playing, tables, live), live)
        decisions += live.size
        live = live[tables.turn[live] >= 0]
    return decisions

"""Search: players that sample what they cannot see and play on from there, in compiled code.

``mc:200`` is determinised Monte Carlo with 200 worlds a decision (``agents.montecarlo``), and
``ismcts:1000`` information-set tree search with 1000 iterations (``agents.ismcts``); ``mc:20ms``
spends 20 milliseconds of processor time on a decision instead of a fixed number of samples. A third
word names the policy of the playouts, as in ``mc:200:greedy``: by default the last of the game's,
which is ``expert`` in the shipped ones.

Both know nothing of a game but its functions and which sampled deals its heuristics believe. Before
they look at a row they draw anew what its seat cannot know, so a choice depends on what that seat
observes and on the decision's key alone. They make no use of a table's history.
"""

import functools
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents import heuristics, ismcts, montecarlo, worlds
from agents.policies import digest, names, policies_of
from cardenv.compiling import announce_compiling, bind, cached, compiled, is_compiled
from cardenv.games import Game
from cardenv.players import PlayerError, check_game
from cardenv.table import Tables

SAMPLES_A_CALL = 100
"""Compiled code returns after so many samples, so that an interrupt is noticed."""
SAMPLES_A_LOOK = 10
"""A budget of time looks at the clock after so many samples."""
MOST_NODES = 20_000
"""Nodes of a tree, some 10 MB; iterations beyond them add none, but count."""

CAUTION = 2.0
"""Standard errors that ``mc`` wants an action to be ahead of the policy's own before it deviates.

Hands are sampled nearly uniformly, true ones are what players made of them: small advantages are
as often an error of that kind as a better move, even where more worlds would make them certain.
"""
EXPLORATION, TRUST = 4.0, 0.8
"""What ``ismcts`` selects by (see ``agents.ismcts.grow``)."""


@dataclass(frozen=True)
class Budget:
    """What one decision may take: ``samples``, or ``milliseconds`` of processor time."""

    samples: int = 0
    milliseconds: int = 0

    def rounds(self) -> Iterator[tuple[int, int]]:
        """Yield the number of the first sample and how many to take, until the budget is spent."""
        first, began = 0, time.thread_time()
        while first < self.samples:
            yield first, min(SAMPLES_A_CALL, self.samples - first)
            first += SAMPLES_A_CALL
        while self.milliseconds and (
            first == 0 or time.thread_time() - began < self.milliseconds / 1000
        ):
            yield first, SAMPLES_A_LOOK
            first += SAMPLES_A_LOOK


class Thought(NamedTuple):
    """What a search makes of some tables.

    Attributes:
        choices: int64 ``[k]``, the action it takes at each.
        values: float64 ``[k, actions]``, what it expects the deciding seat to score from here on
            if it takes an action; nan where an action is not legal, or was never tried.
        weights: float64 ``[k, actions]``, the share of the samples that went to each action.
    """

    choices: NDArray[np.int64]
    values: NDArray[np.float64]
    weights: NDArray[np.float64]


class Position(NamedTuple):
    """One table's row and what a kernel needs beside it; nothing here is shared with others."""

    row: Any
    rules: Any
    seating: NDArray[np.int64]
    key: np.uint64
    scratch: Any
    observation: NDArray[np.uint8]
    mask: NDArray[np.int8]
    legal: NDArray[np.bool_]


class Search(ABC):
    """A player that searches.

    Attributes:
        template: the compiled loop over samples, bound to a game when it is needed.
        name: the word it was loaded by.
        game: what it plays.
        budget: of a decision.
        policy: number of the policy that sits at every seat in the playouts.
    """

    template: Callable[..., Any]

    def __init__(self, name: str, game: Game, budget: Budget, policy: int) -> None:
        self.name = name
        self.game = game
        self.budget = budget
        self.policy = policy

    @property
    def fingerprint(self) -> str:
        """Tells apart two searches of one name if the code that they run differs."""
        return f"{self.name} {digest({*_sources(self.game), Path(__file__)})}"

    def check(self, tables: Tables) -> None:
        """Raise ``PlayerError`` at tables of another game."""
        check_game(self.name, self.game, tables)

    def act_at(self, tables: Tables, which: NDArray[np.int64]) -> NDArray[np.int64]:
        """Choose by the search (see ``cardenv.players.Searcher.act_at``)."""
        actions: NDArray[np.int64] = tables.masks[which].argmax(axis=1)
        open_choice = np.flatnonzero(tables.masks[which].sum(axis=1) > 1)
        actions[open_choice] = self.think(tables, which[open_choice]).choices
        return actions

    def think(self, tables: Tables, which: NDArray[np.int64]) -> Thought:
        """Search at some tables, on all cores if there are several.

        Args:
            tables: the tables; none changes.
            which: int64 ``[k]``, numbers of tables that are not over.

        Raises:
            PlayerError: the tables are of another game.
            ValueError: there is no such table, or it is over.
        """
        self.check(tables)
        which = _under_way(tables, which)
        positions = [
            self._position(tables, table, key)
            for table, key in zip(which.tolist(), tables.play_keys(which), strict=True)
        ]
        kernel = _kernel(self.game, self.template)
        if len(positions) == 1:
            found = [self._search(kernel, positions[0])]
        else:  # in copies of this thread's context, where NumPy keeps its settings of errors
            jobs = [
                _pool().submit(copy_context().run, self._search, kernel, each) for each in positions
            ]
            found = [job.result() for job in jobs]
        actions = tables.masks.shape[1]
        return Thought(
            np.array([choice for choice, _, _ in found], np.int64),
            np.array([values for _, values, _ in found]).reshape(-1, actions),
            np.array([weights for _, _, weights in found]).reshape(-1, actions),
        )

    def _position(self, tables: Tables, table: int, key: np.uint64) -> Position:
        rows = tables.plain_rows([table, table, table])
        return Position(
            rows[:1],
            tables.record,
            np.full(tables.players, self.policy),
            key,
            rows[1:],
            np.zeros(tables.layout.base_size, np.uint8),
            np.zeros(tables.masks.shape[1], np.int8),
            tables.masks[table] != 0,
        )

    @abstractmethod
    def _search(
        self, kernel: Callable[..., Any], position: Position
    ) -> tuple[int, NDArray[Any], NDArray[Any]]:
        """Return the choice, and values and weights of all actions."""


class MonteCarlo(Search):
    """``mc``: every legal action in the same sampled worlds."""

    template = staticmethod(montecarlo.sample_worlds)

    def _search(
        self, kernel: Callable[..., Any], position: Position
    ) -> tuple[int, NDArray[Any], NDArray[Any]]:
        sums = np.zeros((3, position.mask.size))
        *arguments, legal = position
        usual, taken = -1, 0
        for first, samples in self.budget.rounds():
            usual = kernel(*arguments, first, samples, usual, sums)
            taken = first + samples
        ahead = montecarlo.surely_ahead(sums, taken, CAUTION)
        ahead[usual], ahead[~legal] = 0.0, -np.inf
        choice = usual if ahead.max() <= 0 else int(ahead.argmax())
        values = np.where(legal, sums[0] / taken, np.nan)
        return choice, values, legal / legal.sum()


class TreeSearch(Search):
    """``ismcts``: one tree of what players observe, over all sampled worlds."""

    template = staticmethod(ismcts.grow)

    def _search(
        self, kernel: Callable[..., Any], position: Position
    ) -> tuple[int, NDArray[Any], NDArray[Any]]:
        nodes = min(self.budget.samples or MOST_NODES, MOST_NODES)
        tree = ismcts.new_tree(nodes, position.mask.size)
        *arguments, legal = position
        for first, samples in self.budget.rounds():
            kernel(*arguments, first, samples, tree, EXPLORATION, TRUST)
        visits = np.where(legal, tree.visits[0], 0)
        with np.errstate(invalid="ignore"):
            values = np.where(visits > 0, tree.totals[0] / visits, np.nan)
        return int(visits.argmax()), values, visits / visits.sum()


KINDS = {"mc": MonteCarlo, "ismcts": TreeSearch}
EXAMPLES = "mc:200 or ismcts:1000"


def is_search(word: str) -> bool:
    """Tell whether a word is meant to name a search."""
    return word.split(":")[0] in KINDS


def from_word(word: str, game: Game) -> Search:
    """Return the search that a word such as ``mc:200``, ``ismcts:20ms`` or ``mc:50:greedy`` names.

    Raises:
        PlayerError: a part of it is not possible.
    """
    kind, *budget_and_policy = word.split(":")
    known = names(game)
    budget, policy = [*budget_and_policy, known[-1]][:2] if budget_and_policy else ["", known[-1]]
    found = re.fullmatch(r"([1-9][0-9]{0,8})(ms)?", budget)
    if not found or len(budget_and_policy) > 2:
        raise PlayerError(
            f"agent {word!r} is not possible; give {kind}:200 for a number of samples a decision, "
            f"{kind}:20ms for a time, and if wanted a policy for the playouts: "
            f"{kind}:200:{known[-1]}."
        )
    if policy not in known:
        raise PlayerError(
            f"agent {word!r} plays on by {policy!r}, which {game.name} does not have; "
            f"give one of {', '.join(known)}."
        )
    number = int(found[1])
    spent = Budget(milliseconds=number) if found[2] else Budget(samples=number)
    return KINDS[kind](word, game, spent, known.index(policy))


# --- Compiled for a game --------------------------------------------------------------------------


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), "search")


if hasattr(os, "register_at_fork"):  # threads do not live on in a forked process
    os.register_at_fork(after_in_child=_pool.cache_clear)


def _sources(game: Game) -> frozenset[Path]:
    own = (Path(str(module.__file__)) for module in (worlds, montecarlo, ismcts))
    return policies_of(game).sources.union(own)


def _under_way(tables: Tables, which: Any) -> NDArray[np.int64]:
    """Return tables' numbers as an array; refuse those that nobody has to decide at."""
    numbers = np.atleast_1d(np.asarray(which))
    if numbers.size == 0:
        return numbers.astype(np.int64)
    possible = numbers.ndim == 1 and numbers.dtype.kind in "iu"
    if not possible or numbers.min() < 0 or numbers.max() >= tables.count:
        raise ValueError(
            f"which={which!r} names no tables; give numbers from 0 to {tables.count - 1}."
        )
    over = numbers[tables.turn[numbers] < 0]
    if over.size:
        raise ValueError(f"nobody has to decide at table {over[0]}; name tables that are not over.")
    return numbers.astype(np.int64)


@functools.cache
def _kernel(game: Game, search: Any) -> Any:
    if not is_compiled(game.name, _sources(game)):
        announce_compiling(f"search of {game.name}")
    parts = {**policies_of(game).parts, "is_credible": heuristics.credibility(game)}
    for helper in (worlds.sample_world, ismcts.name_of):
        parts[helper.__name__] = compiled(bind(helper, game.name, parts))
    return cached(bind(search, game.name, parts), _sources(game))

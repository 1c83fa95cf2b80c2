"""Positions to be resampled, and all deals that are possible in one, counted in plain Python.

A *deal* is what a seat cannot see: the hidden cards of every other seat, clockwise from it, then
what else lies face down, all as tuples of cards. It is counted from the seat's observation alone,
once for every order in which the unseen cards can lie, so that the count of a deal is its weight:
two equal cards make the deals in which they lie apart twice as frequent.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cardenv.rules import GameRules
from tests.lockstep import Setting

View = Mapping[str, NDArray[Any]]
"""An observation by field name."""

Deal = tuple[Any, ...]

Tables = Sequence[tuple[int, Mapping[str, Any], str, str]]
"""Kinds of tables: players, switches, episode, and who plays."""

FEW_DEALS = 12
"""Among so many deals, 50,000 samples tell a bias of a tenth in one of them."""


@dataclass(frozen=True)
class Position:
    """What kind of position is looked for.

    Attributes:
        wanted: rows ``[n]`` to truths ``[n]``.
        observer: the seat that looks, in places clockwise from who is to decide.
        most_deals: possible deals at most, not counted for 0.
        unequal: some deals must be likelier than others.
        excluding: some orders of the unseen cards must be impossible.
        weights: relative frequency of actions on the way there.
    """

    players: int
    rules: GameRules
    wanted: Callable[[Any], Any]
    observer: int = 1
    most_deals: int = 1000
    unequal: bool = False
    excluding: bool = False
    weights: tuple[float, ...] | float = 1.0


class Deals(Protocol):
    """What is known of a game's deals."""

    GAME: str
    WEIGHTS: tuple[float, ...] | float
    """Weights of the actions by which a random game ends soon."""
    TABLES: Tables
    """Where ten thousand samples are drawn each."""
    SMALL: Mapping[str, Position]
    """Positions whose deals can be counted."""
    LARGE: Mapping[str, Position]
    """Positions of large packs in which every distribution of the unseen cards is possible."""

    def hidden(self, view: View, rules: GameRules) -> list[int]:
        """Every card that the seat cannot place, equal ones each."""

    def sizes(self, view: View) -> list[int]:
        """How many of them each other seat holds, clockwise."""

    def possible_deals(self, view: View, rules: GameRules) -> Counter[Deal]: ...

    def deal_of(self, row: Any, seat: int, players: int, size: int) -> Deal:
        """The deal that lies in a row of a pack of so many cards."""

    def check_possible(self, rows: Any, masks: NDArray[Any], setting: Setting) -> None:
        """Assert that what has been seen of rows that go on can have come from their cards."""


def cards_of(truths: Any) -> list[int]:
    """Return the cards of a field of an observation, those that are there twice two times."""
    return [card for card, times in enumerate(truths.tolist()) for _ in range(times)]


def dealt(cards: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield for every order of the cards so many for each place, and at last the rest."""
    bounds = [0, *itertools.accumulate(sizes), len(cards)]
    for order in itertools.permutations(cards):
        yield [order[a:b] for a, b in itertools.pairwise(bounds)]


def talon_of(row: Any, size: int) -> tuple[int, ...]:
    """Return what is still to be drawn, next card first."""
    return tuple(row["deck"][row["drawn"] : size].tolist())


def is_few(position: Position) -> bool:
    """Tell whether the position has few deals."""
    return position.most_deals <= FEW_DEALS


def as_bytes(sets: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return sets of cards ``[...]`` as zeros and ones ``[..., 64]``."""
    low_bytes = np.ascontiguousarray(sets)[..., None].view(np.uint8)
    return np.unpackbits(low_bytes, axis=-1, bitorder="little")

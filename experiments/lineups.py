"""Who sits where: one agent among copies of another, or everybody at mixed tables.

A deal is played once for each pattern of a lineup. Patterns seat places, and an agent holds each
place: at ordinary tables the agent of the same number, at mixed tables whom the deal's number
draws.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cardenv.cards import OPPONENT, derive_keys, table_keys
from experiments.command import SettingsError

FIRST_DEAL = 2**32
"""Deals are tables numbered from here, far from those that training plays under the same seed."""
MOST_COMBINATIONS = 1_000_000


@dataclass(frozen=True, eq=False)
class Lineup:
    """Who sits where at the tables of a deal, and whose seats are looked at.

    Attributes:
        seating: int64 ``[patterns, players]``, the place at each seat.
        watched: places whose results are kept.
    """

    seating: NDArray[np.int64]
    watched: tuple[int, ...]

    @property
    def everybody(self) -> NDArray[np.int64]:
        """Numbers of the agents that may sit at the tables: int64 ``[agents]``."""
        return np.unique(self.seating)

    @property
    def is_drawn(self) -> bool:
        """Whether other agents hold the places on other deals."""
        return False

    @property
    def is_symmetric(self) -> bool:
        """Whether one agent has all seats: then its mean score is 0 on every deal."""
        return bool((self.seating == self.seating[0, 0]).all())

    @cached_property
    def columns(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Pattern, seat, number in ``watched`` of every seat looked at: int64 ``[columns]`` each.

        They come place by place, then pattern by pattern, then seat by seat.
        """
        found = [np.nonzero(self.seating == place) for place in self.watched]
        owners = np.repeat(np.arange(len(found)), [len(seats) for _, seats in found])
        patterns, seats = (np.concatenate(part) for part in zip(*found, strict=True))
        return patterns, seats, owners

    def columns_of(self, place: int) -> NDArray[np.int64]:
        """Return the numbers of the columns that are a place's seats: int64 ``[seats]``."""
        return np.flatnonzero(self.columns[2] == self.watched.index(place))

    def holders(self, deals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return which agent holds each place, as a function of the deal's number alone.

        Args:
            deals: int64 ``[deals]``, their numbers.

        Returns:
            int64 ``[deals, places]``, numbers of agents.
        """
        places = np.arange(self.seating.max() + 1)
        return np.broadcast_to(places, (len(deals), len(places)))

    def seating_of(self, deals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return which agent sits where.

        Args:
            deals: int64 ``[deals]``, their numbers.

        Returns:
            int64 ``[deals, patterns, players]``, numbers of agents.
        """
        return self.holders(deals)[:, self.seating]


def one_among(agent: int, others: int, players: int) -> Lineup:
    """Return the lineup of one agent among copies of another, once in every seat.

    Where both are the same, all seats are its own, and one table shows them all.

    Args:
        agent: number of the one whose results are kept.
        others: number of the one whose copies take all other seats.
        players: seats at a table.
    """
    seating = np.full((1 if agent == others else players, players), others)
    if agent != others:
        np.fill_diagonal(seating, agent)
    return Lineup(seating, (agent,))


# --- Mixed tables ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MixedTables(Lineup):
    """Tables at which every deal seats other agents, once for every rotation.

    There are as many places as seats, and each goes through all seats. As many agents as there are
    seats hold them, or all agents and copies of some. Which of them hold a place more than others
    goes in turn through all combinations, and the order of the places is drawn.

    Attributes:
        seating: int64 ``[rotations, seats]``.
        watched: all places.
        agents: how many there are.
        seed: of what is drawn; that of the deals.
    """

    agents: int
    seed: int

    @property
    def everybody(self) -> NDArray[np.int64]:
        """Numbers of the agents that may sit at the tables: int64 ``[agents]``."""
        return np.arange(self.agents)

    @property
    def is_drawn(self) -> bool:
        """Whether other agents hold the places on other deals."""
        return True

    @cached_property
    def combinations(self) -> NDArray[np.int64]:
        """Who of the agents holds a place more than the others: int64 ``[combinations, more]``."""
        more = len(self.seating) % self.agents
        return np.array(list(combinations(range(self.agents), more)), np.int64)

    def holders(self, deals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return which agent holds each place, as a function of the deal's number and the seed.

        Args:
            deals: int64 ``[deals]``, their numbers.

        Returns:
            int64 ``[deals, places]``, numbers of agents.
        """
        size, cycle = len(self.seating), len(self.combinations)
        cycles, place = np.unique(deals // cycle, return_inverse=True)
        orders = self._keys(cycles * cycle, 1 + size, cycle).argsort(axis=1)
        everybody = np.tile(self.everybody, (len(deals), size // self.agents))
        held = np.concatenate([everybody, self.combinations[orders[place, deals % cycle]]], axis=1)
        return np.take_along_axis(held, self._keys(deals, 1, size).argsort(axis=1), axis=1)

    def _keys(self, deals: NDArray[np.int64], first: int, count: int) -> NDArray[np.uint64]:
        """Return keys that nothing in a deal is drawn with: uint64 ``[deals, count]``."""
        numbers = np.asarray(FIRST_DEAL + deals, np.uint64)
        keys = table_keys(np.full(len(deals), self.seed, np.uint64), numbers, np.uint64(0))
        return derive_keys(keys[:, None], OPPONENT, np.arange(first, first + count))


def mixed_tables(agents: int, players: int, seed: int) -> MixedTables:
    """Return the mixed tables of so many agents.

    Args:
        agents: how many there are, numbered from 0.
        players: seats at a table.
        seed: of the deals.

    Raises:
        SettingsError: there are too many combinations of so many agents.
    """
    kinds = math.comb(agents, players % agents)
    if kinds > MOST_COMBINATIONS:
        raise SettingsError(
            f"{agents} agents are {kinds:,} combinations at tables of {players}, and at most "
            f"{MOST_COMBINATIONS:,} can be gone through; give fewer agents."
        )
    places = np.arange(players)
    rotations = (places - places[:, None]) % players
    return MixedTables(rotations, tuple(range(players)), agents, seed)

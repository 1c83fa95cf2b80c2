"""Tables at which several seats learn: they stop wherever one of these has a choice."""

import numpy as np
from numpy.typing import NDArray

from agents.policies import Policy
from cardenv.cards import LEARNER, OPPONENT, derive_keys
from cardenv.envs.learner import MOST_SKIPPED, unit
from cardenv.players import ELSEWHERE, NOBODY
from cardenv.rules import RulesError
from cardenv.table import Tables


class SelfplayTables:
    """Tables that stop wherever a learning seat has a choice; other seats are compiled policies.

    Attributes:
        tables: the tables below.
        seating: int64 ``[count, players]``, each seat's policy by number, or ``ELSEWHERE`` where
            the network sits; drawn anew each episode, one seat at least is the network's.
    """

    def __init__(self, tables: Tables, shares: dict[int, float]) -> None:
        self.tables = tables
        self.seating = np.full((tables.count, tables.players), ELSEWHERE)
        self._numbers = np.array(list(shares))
        self._ends = np.cumsum(list(shares.values())) / sum(shares.values())
        self._play_on = Policy(tables.game, "random").play_on
        self._all = np.arange(tables.count)
        self._nobody = np.full(tables.count, NOBODY)

    def reset(self, which: NDArray[np.int64], seed: int | None = None) -> None:
        """Start an episode at some tables and play to the first choice of a learning seat.

        Episodes that end before it are dealt anew; ``RulesError`` if they all do.
        """
        for _ in range(MOST_SKIPPED):
            self.tables.reset(which, seed=seed)
            self._seat(which)
            self._advance(which)
            which, seed = which[self.tables.turn[which] < 0], None
            if not which.size:
                return
        raise RulesError(
            f"{MOST_SKIPPED} episodes in a row left the learning seats nothing to decide; give "
            "rules by which there is a choice."
        )

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """Carry out an action at every table and play to the next choice of a learning seat.

        Returns:
            bool ``[count, players]``, for whom the episode is over now, and float32 of that shape,
            the scores. Tables where it is over for all are dealt anew.
        """
        tables = self.tables
        tables.step(actions)
        self._advance(self._all)
        over = (tables.rows["left"][:, None] >> np.arange(tables.players).astype(np.uint64)) & 1
        ended = tables.turn < 0
        scores = tables.score.astype(np.float32)
        self.reset(np.flatnonzero(ended))
        return (over != 0) | ended[:, None], scores

    def _advance(self, which: NDArray[np.int64]) -> None:
        """Play policies' turns, and decisions with a single legal action, which teach nothing."""
        tables = self.tables
        while which.size:
            self._play_on(tables, which, self.seating[which], self._nobody[: which.size])
            which = which[tables.turn[which] >= 0]
            which = which[tables.masks[which].sum(axis=1) == 1]
            if which.size:
                tables.step(tables.masks[which].argmax(axis=1), which)

    def _seat(self, which: NDArray[np.int64]) -> None:
        """Draw who sits where in a new episode, by its key alone."""
        tables, keys = self.tables, self.tables.rows["key"][which]
        for seat in range(tables.players):
            drawn = np.searchsorted(self._ends, unit(derive_keys(keys, OPPONENT, seat)), "right")
            self.seating[which, seat] = self._numbers[drawn]
        learner = (unit(derive_keys(keys, LEARNER, 0)) * tables.players).astype(np.int64)
        self.seating[which, learner] = ELSEWHERE


def relative_states(tables: Tables, seats: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the whole state of every table, the seats' blocks clockwise from the given seat on.

    Args:
        tables: the tables.
        seats: int64 ``[count]``.

    Returns:
        uint8 ``[count, size]`` (see ``Tables.state_layout``).
    """
    states = tables.states()
    layout = tables.state_layout.layout
    blocks = states[:, layout.shared_size :].reshape(len(states), -1, layout.seat_size)
    order = (seats[:, None] + np.arange(tables.players)) % tables.players
    blocks[:, : tables.players] = blocks[np.arange(len(states))[:, None], order]
    return states

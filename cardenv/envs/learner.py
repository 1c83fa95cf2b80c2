"""From one decision of the learner to the next: the opponents move inside.

Every skin for single-agent libraries is made over this one. A step's reward is the sum of all
rewards the learner's seat got since its last decision, whoever's move brought them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.cards import LEARNER, OPPONENT, derive_keys
from cardenv.games import Game
from cardenv.players import (
    ELSEWHERE,
    AnyPlayer,
    CompiledPlayer,
    PlayerError,
    choose,
    number_of,
    player_for,
)
from cardenv.rules import GameRules, RulesError
from cardenv.table import Tables, load_arrays

Opponent = str | AnyPlayer | Mapping[Any, float]
"""A player, its name, or weights of players (or names) of which one is drawn each episode."""

_CHANGING = ("seats", "ended", "skipped_rounds", "skipped_score", "_paid", "_playing")
_UNIT = np.float64(2.0**-64)
MOST_SKIPPED = 1000
"""Episodes in a row without a decision of the learner, after which ``reset`` gives up."""


class LearnerTables:
    """Tables at which one seat learns and the others are played by opponents.

    Attributes:
        tables: the tables below.
        seats: int64 ``[count]``, the learner's seat at each.
        ended: bool ``[count]``, whether the learner's episode is over: the game's end, or its own
            in a match that goes on without it.
        skipped_rounds: int64 ``[count]``, episodes since the last one played that ended before the
            learner's first decision.
        skipped_score: float64 ``[count]``, the learner's score in those.

    Args:
        game: a game or its name.
        opponents: who plays the other seats, clockwise from the learner; their number sets the
            number of players.
        count: number of tables.
        rules: see ``Tables``; likewise ``episode``, ``max_players``, ``illegal`` and ``history``.
        learner_seat: the learner's seat; drawn anew each episode by default.
        skip_forced: whether a decision with a single legal action is made without asking.
    """

    def __init__(
        self,
        game: str | Game,
        opponents: Sequence[Opponent],
        count: int = 1,
        *,
        rules: GameRules | str | Sequence[str] | None = None,
        episode: str | None = None,
        learner_seat: int | None = None,
        skip_forced: bool = False,
        max_players: int | None = None,
        illegal: str = "raise",
        history: int = 0,
    ) -> None:
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            raise PlayerError(
                f"opponents={opponents!r} is not a list; give one player for each other seat, "
                "such as ['greedy', 'greedy', 'random']."
            )
        if not opponents:
            raise PlayerError("opponents is empty; give one player for each other seat.")
        players = len(opponents) + 1
        self.tables = Tables(
            game,
            count,
            players,
            rules=rules,
            episode=episode,
            max_players=max_players,
            illegal=illegal,
            history=history,
        )
        if learner_seat is not None and learner_seat not in range(players):
            raise PlayerError(
                f"learner_seat={learner_seat!r} is not possible; give 0 to {players - 1}, "
                "or nothing to draw it each episode."
            )
        self.learner_seat = learner_seat
        self.skip_forced = skip_forced
        self._players: list[AnyPlayer] = []
        self.weigh(opponents)
        self.seats = np.zeros(count, np.int64)
        self.ended = np.ones(count, bool)
        self.skipped_rounds = np.zeros(count, np.int64)
        self.skipped_score = np.zeros(count)
        self._paid = np.zeros(count)
        self._playing = np.zeros((count, players), np.int64)
        self._all = np.arange(count)

    @property
    def count(self) -> int:
        """Number of tables."""
        return self.tables.count

    @property
    def players(self) -> tuple[AnyPlayer, ...]:
        """All who may sit at the tables as opponents, in the order that ``playing`` counts in."""
        return tuple(self._players)

    @property
    def playing(self) -> NDArray[np.int64]:
        """int64 ``[count, players]``: who of ``players`` sits at each seat; -1 is the learner."""
        playing = self._playing.copy()
        playing[self._all, self.seats] = -1
        return playing

    @property
    def masks(self) -> NDArray[np.int8]:
        """int8 ``[count, actions]``: the learner's legal actions (a copy); ones once it ended."""
        masks = self.tables.masks.copy()
        masks[self.ended] = 1
        return masks

    @property
    def observations(self) -> NDArray[np.float32]:
        """float32 ``[count, size]`` in 0..1: what the learner knows (a new array)."""
        observations = self.tables.observations
        ended = np.flatnonzero(self.ended)
        if ended.size:
            observations = observations.copy()
            observations[ended] = self.tables.observe(self.seats[ended], ended)
        return self.tables.layout.scaled(observations)

    def reset(
        self,
        which: NDArray[np.int64] | None = None,
        *,
        seed: int | Sequence[int] | None = None,
        deck: Sequence[int] | None = None,
        first: int | None = None,
    ) -> None:
        """Start an episode at some tables and play to the learner's first decision.

        Episodes that end before it are counted in ``skipped_rounds`` and dealt anew; ``RulesError``
        if they all do.

        Args:
            which: int64 ``[k]``, the tables; all by default.
            seed: see ``Tables.reset``; likewise ``deck`` and ``first``, which hold for the first
                deal alone.
        """
        which = self._all if which is None else which
        self.tables.reset(which, seed=seed, deck=deck, first=first)
        self.skipped_rounds[which] = 0
        self.skipped_score[which] = 0
        while True:
            self._seat(which)
            self._play_on(which)
            which = which[self.ended[which]]
            if not which.size:
                return
            self.skipped_rounds[which] += 1
            if self.skipped_rounds[which].max() > MOST_SKIPPED:
                raise RulesError(
                    f"{MOST_SKIPPED} episodes in a row left the learner nothing to decide; "
                    "give skip_forced=False, or rules by which there is a choice."
                )
            self.skipped_score[which] += self._scores(which)
            self.tables.reset(which)

    def step(
        self, actions: NDArray[Any], which: NDArray[np.int64] | None = None
    ) -> NDArray[np.float64]:
        """Carry out the learner's actions and play to its next decision, or to its end.

        Args:
            actions: integers ``[k]``.
            which: int64 ``[k]``, the tables; all by default.

        Returns:
            float64 ``[k]``: the learner's rewards since its last decision.

        Raises:
            IllegalAction: an action is not legal, or an episode has ended; no table has moved.
        """
        which = self._all if which is None else which
        if self.ended[which].any():
            table = int(which[self.ended[which]][0])
            raise self.tables.finished(table)
        self.tables.step(actions, which)
        self._play_on(which)
        scores = self._scores(which)
        rewards: NDArray[np.float64] = scores - self._paid[which]
        self._paid[which] = scores
        return rewards

    def weigh(self, opponents: Sequence[Opponent]) -> None:
        """Draw opponents so from the next episode on; those who sit at a table play on.

        The weights are settings, and no part of ``state_dict``.

        Args:
            opponents: one for each other seat, clockwise from the learner.

        Raises:
            PlayerError: there is no such player, weights are wrong, or seats are too many or few.
        """
        if len(opponents) != self.tables.players - 1:
            raise PlayerError(
                f"{len(opponents)} opponents were given for {self.tables.players - 1} seats; give "
                "one for each."
            )
        self._choices = [self._weighted(opponent) for opponent in opponents]
        self._numbers = np.array([number_of(player) for player in self._players])
        compiled = (each for each in self._players if isinstance(each, CompiledPlayer))
        self._compiled = next(compiled, None)

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return copies of everything that changes in play, by name."""
        own = {f"learner.{name}": getattr(self, name).copy() for name in _CHANGING}
        return self.tables.state_dict() | own

    def load_state_dict(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take over what ``state_dict`` of equal tables returned."""
        self.tables.load_state_dict(state)
        load_arrays(self, "learner.", _CHANGING, state)

    def _weighted(self, opponent: Opponent) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return an opponent's players as indices, and the upper ends of their shares of 0..1."""
        weights = opponent if isinstance(opponent, Mapping) else {opponent: 1.0}
        shares = np.array(list(weights.values()), float)
        if (
            not len(shares)
            or (shares < 0).any()
            or not np.isfinite(shares.sum())
            or not shares.sum()
        ):
            named = {getattr(each, "name", each): weight for each, weight in weights.items()}
            raise PlayerError(
                f"opponents have the weights {named!r}; give each player a weight of 0 "
                "or more, and at least one more than 0."
            )
        ends = np.cumsum(shares)  # the last is exactly 1, so that none beyond it is drawn
        return np.array([self._index(player) for player in weights]), ends / ends[-1]

    def _index(self, player: str | AnyPlayer) -> int:
        """Return a player's place among all that may play here, joining it if it is new."""
        found = player_for(player, self.tables)
        for index, known in enumerate(self._players):
            if known is found or (isinstance(player, str) and known.name == player):
                return index
        self._players.append(found)
        return len(self._players) - 1

    def _seat(self, which: NDArray[np.int64]) -> None:
        """Draw the learner's seat and the opponents of a new episode, by its key alone."""
        keys = self.tables.rows["key"][which]
        players = self.tables.players
        if self.learner_seat is None:
            self.seats[which] = unit(derive_keys(keys, LEARNER, 0)) * players
        else:
            self.seats[which] = self.learner_seat
        for place, (indices, ends) in enumerate(self._choices):
            seats = (self.seats[which] + place + 1) % players
            drawn = np.searchsorted(ends, unit(derive_keys(keys, OPPONENT, place)), "right")
            self._playing[which, seats] = indices[drawn]
        self._paid[which] = 0
        self.ended[which] = False

    def _play_on(self, which: NDArray[np.int64]) -> None:
        """Let the opponents move until every table waits for the learner or has ended for it."""
        tables = self.tables
        while which.size:
            self._play_compiled(which)
            turn, seats = tables.turn[which], self.seats[which]
            left = (tables.rows["left"][which] >> seats.astype(np.uint64)) & np.uint64(1)
            ended = (turn < 0) | (left != 0)
            self.ended[which] = ended
            forced = (turn == seats) & self.skip_forced
            forced &= tables.masks[which].sum(axis=1) == 1
            which = which[~ended & ((turn != seats) | forced)]
            if which.size:
                turn, seats = tables.turn[which], self.seats[which]
                playing = np.where(turn == seats, -1, self._playing[which, turn])
                tables.step(choose(self._players, playing, tables, which), which)

    def _play_compiled(self, which: NDArray[np.int64]) -> None:
        """Let opponents move in compiled code, up to the learner or to one who cannot be."""
        if self._compiled is not None:
            seats = self.seats[which]
            seating = self._numbers[self._playing[which]]
            seating[np.arange(which.size), seats] = ELSEWHERE
            self._compiled.play_on(self.tables, which, seating, seats)

    def _scores(self, which: NDArray[np.int64]) -> NDArray[np.float64]:
        scores: NDArray[np.float64] = self.tables.score[which, self.seats[which]]
        return scores


def unit(words: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Map random words to 0 <= x < 1 (words at the very top would round up to 1)."""
    return np.minimum(words * _UNIT, np.nextafter(1.0, 0.0))

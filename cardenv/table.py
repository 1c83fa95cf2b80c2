"""Tables: rows of one game and what is seen of them. The only owner of state."""

import functools
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv import games
from cardenv.cards import PLAY, derive_keys, sealed_keys
from cardenv.compiling import JIT
from cardenv.games import Game
from cardenv.history import MOST_EVENTS, state_of, without_events
from cardenv.kernels import Kernels, kernels_of
from cardenv.rules import GameRules, RulesError

ILLEGAL = ("raise", "lose")
_CHANGING = ("rows", "observations", "masks", "_seeds", "_numbers", "_episodes")
_SHUFFLED = np.zeros((1, 0), np.uint8)


_NOT_STARTED = "no episode has begun; call reset() first."


class IllegalAction(ValueError):
    """An action that the deciding seat may not take; the state is as it was."""


class NotStarted(RuntimeError):
    """Something was asked of a table before its first ``reset``."""


class Tables:
    """``count`` tables of one game, stepped together.

    Attributes:
        rows: structured array ``[count]`` of the game's ``STATE``, and behind it the events kept
            (see ``cardenv.history``); ``rows["hand"]`` is a view.
        observations: uint8 ``[count, size]``, the deciding seat's; written by every step.
        masks: int8 ``[count, actions]``, the deciding seat's legal actions; written by every step.
        layout: names, offsets and scales of an observation.
        state_layout: the same of the whole state.

    Args:
        game: a game or its name.
        count: number of tables.
        players: seats at each.
        rules: the game's ``Rules``, a preset's name, or words as the command line takes them.
        episode: ``"round"`` or ``"match"``; by default what the game's text tells.
        max_players: pads observations to so many seats, so that one policy can play several sizes.
        illegal: ``"raise"`` an error for an illegal action, or let the offender ``"lose"``.
        history: the events that observations end with: the last so many decisions of the round, as
            the observer saw them, at most 255. Where a round has no more, that is perfect recall.

    Raises:
        RulesError: a setting is not possible, or two settings do not go together.
    """

    def __init__(
        self,
        game: str | Game,
        count: int,
        players: int,
        *,
        rules: GameRules | str | Sequence[str] | None = None,
        episode: str | None = None,
        max_players: int | None = None,
        illegal: str = "raise",
        history: int = 0,
    ) -> None:
        self.game = games.get(game)
        self.rules = self.game.rules.of(rules)
        episode = self.game.default_episode if episode is None else episode
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
            raise RulesError(f"count={count} tables are not possible; give 1 or more.")
        if illegal not in ILLEGAL:
            raise RulesError(f"illegal={illegal!r} is not possible; give one of {ILLEGAL}.")
        self.record = _records(self.rules.record(players, episode))
        seats = players if max_players is None else max_players
        if (
            isinstance(seats, bool)
            or not isinstance(seats, int | np.integer)
            or not players <= seats <= self.rules.most_players
        ):
            raise RulesError(
                f"max_players={max_players} is not possible for players={players}; "
                f"give {players} to {self.rules.most_players}."
            )
        # A small NumPy integer would overflow where sizes are computed from it.
        self.count, self.players, self.seats = int(count), int(players), int(seats)
        self.episode, self.illegal = episode, illegal
        self.history = _checked_history(history)
        self.layout = self.game.layout.sized(self.seats, self.rules, self.history)
        self.state_layout = self.game.state_layout.sized(self.seats, self.rules)
        state = state_of(self.game, self.history)
        self.rows = _records(np.zeros(self.count, state))
        self.rows["turn"] = -1
        self.observations = np.zeros((self.count, self.layout.size), np.uint8)
        self.masks = np.ones((self.count, len(self.game.action_names)), np.int8)
        self._blank = _records(np.zeros(1, state))
        self._all = np.arange(self.count)
        self._single = (np.zeros(1, np.int64), np.zeros(1, np.int64))
        self._seeds = np.zeros(count, np.uint64)
        self._numbers = np.arange(count, dtype=np.uint64)
        self._episodes = np.zeros(count, np.uint64)
        self._started = False

    @functools.cached_property
    def kernels(self) -> Kernels:
        """The game's compiled loops; copies and pickles find them anew."""
        return kernels_of(self.game, self.history)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "kernels"}

    @property
    def turn(self) -> NDArray[np.int8]:
        """int8 ``[count]``: the deciding seat, -1 where the episode is over (a view)."""
        turn: NDArray[np.int8] = self.rows["turn"]
        return turn

    @property
    def score(self) -> NDArray[np.float64]:
        """float64 ``[count, players]``: all rewards of the episode so far (a view)."""
        score: NDArray[np.float64] = self.rows["score"][:, : self.players]
        return score

    def seed(
        self,
        seed: int | Sequence[int] | NDArray[Any] | None,
        numbers: NDArray[np.integer[Any]] | None = None,
    ) -> None:
        """Start every table's stream of episodes anew.

        Args:
            seed: one number, under which the tables are numbered 0, 1, ...; or a number a table,
                each then playing what a single table plays under that seed; ``None`` draws one.
            numbers: integers ``[count]``, the tables' numbers under one seed: equal numbers play
                equal deals.
        """
        if seed is None:
            seed = secrets.randbits(63)
        if np.ndim(seed) == 0:
            self._seeds[:] = _checked_seed(seed)
            self._numbers[:] = np.arange(self.count) if numbers is None else numbers
        else:
            seeds = list(seed)  # type: ignore[arg-type]
            if len(seeds) != self.count:
                raise ValueError(
                    f"{len(seeds)} seeds were given for {self.count} tables; give one a table."
                )
            self._seeds[:] = [_checked_seed(each) for each in seeds]
            self._numbers[:] = 0
        self._episodes[:] = 0
        self._started = True

    def reset(
        self,
        which: NDArray[np.int64] | None = None,
        *,
        seed: int | Sequence[int] | None = None,
        deck: Sequence[int] | NDArray[Any] | None = None,
        first: int | NDArray[Any] | None = None,
    ) -> None:
        """Start the next episode at some tables.

        Args:
            which: int64 ``[k]``, numbers of the tables; all by default.
            seed: starts the streams of all tables anew (see ``seed``).
            deck: the order in which the first round's pack is dealt, ``[cards]`` for all tables or
                ``[k, cards]``; shuffled by default.
            first: the seat that deals or starts the first round, or one a table; drawn by default.

        Raises:
            ValueError: the deck is no permutation of the pack, or there is no such seat.
        """
        which = self._checked_apart(which)
        decks = self._checked_decks(deck, len(which))
        firsts = self._checked_firsts(first, len(which))
        if seed is not None or not self._started:
            self.seed(seed)
        self.kernels.reset(
            self.rows,
            self.record,
            which,
            self._blank,
            self._seeds,
            self._numbers,
            self._episodes,
            decks,
            firsts,
            self.observations,
            self.masks,
        )

    def start_of(self, options: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return ``reset``'s ``deck`` and ``first`` from the options of an environment's reset.

        Raises:
            ValueError: there is an option of another name, or these are no options.
        """
        names = {"deck": "deck", self.game.first_seat: "first"}
        if not isinstance(options or {}, Mapping):
            raise ValueError(
                f"options={options!r} are no dict; a reset of {self.game.name} takes "
                f"{' and '.join(map(repr, names))}."
            )
        unknown = sorted(set(options or {}) - set(names))
        if unknown:
            raise ValueError(
                f"options has {unknown[0]!r}; a reset of {self.game.name} takes "
                f"{' and '.join(map(repr, names))}."
            )
        return {names[name]: value for name, value in (options or {}).items()}

    def step(self, actions: NDArray[Any], which: NDArray[np.int64] | None = None) -> None:
        """Carry out one action a table, each up to the next decision of anybody.

        Args:
            actions: integers ``[k]``, the deciding seats' actions.
            which: int64 ``[k]``, numbers of the tables, each at most once; all by default.

        Raises:
            IllegalAction: an action is not legal; no table has moved.
        """
        which = self._checked_apart(which)
        actions = np.asarray(actions)
        if actions.shape != which.shape or actions.dtype.kind not in "iu":
            raise IllegalAction(
                f"actions of shape {actions.shape} and type {actions.dtype} were given; "
                f"give whole numbers of shape {which.shape}."
            )
        self._carry_out(which, np.ascontiguousarray(actions, np.int64))

    def step_one(self, table: int, action: int) -> None:
        """Carry out one action at one table, like ``step``."""
        if not 0 <= table < self.count:
            raise ValueError(f"there is no table {table}; give 0 to {self.count - 1}.")
        which, actions = self._single
        which[0], actions[0] = table, action
        self._carry_out(which, actions)

    def _carry_out(self, which: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        refused = self.kernels.step(
            self.rows,
            self.record,
            which,
            actions,
            self.illegal == "lose",
            self.observations,
            self.masks,
        )
        if refused >= 0:
            raise IllegalAction(self._why_refused(int(which[refused]), int(actions[refused])))

    def _why_refused(self, table: int, action: int) -> str:
        if not self._started:
            return _NOT_STARTED
        seat = int(self.turn[table])
        if seat < 0:
            return _over(table)
        names = self.game.action_names
        name = repr(names[action]) if 0 <= action < len(names) else "no action of this game"
        legal = ", ".join(f"{a} {names[a]!r}" for a in np.flatnonzero(self.masks[table]))
        return f"action {action} ({name}) is not legal for seat {seat}; legal are {legal}."

    def finished(self, table: int) -> IllegalAction:
        """Return the error for an action at a table that nobody may act at any more."""
        return IllegalAction(_over(table) if self._started else _NOT_STARTED)

    def play_randomly(self, steps: int) -> int:
        """Play so many uniform legal actions at every table; where one is over, deal again.

        The episodes that follow one another here are not those of ``reset``. Masks and
        observations are written at every step, as in ``step``.

        Returns:
            How many episodes ended.
        """
        self._check_started()
        return self.kernels.random(
            self.rows, self.record, steps, self._blank, self.observations, self.masks
        )

    def observe(self, seats: NDArray[Any], which: NDArray[np.int64] | None = None) -> Any:
        """Return what seats know, at any time.

        Args:
            seats: integers ``[k]``, a seat for each of the tables ``which`` (all by default).

        Returns:
            uint8 ``[k, size]``, a new array, laid out as ``layout``.
        """
        self._check_started()
        which = self._checked_which(which)
        seats = np.ascontiguousarray(seats, np.int64)
        if seats.shape != which.shape or ((seats < 0) | (seats >= self.players)).any():
            raise ValueError(
                f"seats= does not fit; give {len(which)} seats, one a table, each from 0 "
                f"to {self.players - 1}."
            )
        observations = np.empty((len(which), self.layout.size), np.uint8)
        self.kernels.observe(self.rows, self.record, which, seats, observations)
        return observations

    def observe_one(self, table: int, seat: int) -> NDArray[np.uint8]:
        """Return what one seat of one table knows, like ``observe``: uint8 ``[size]``."""
        if not (0 <= table < self.count and 0 <= seat < self.players):
            raise ValueError(self._no_seat(table, seat))
        self._check_started()
        which, seats = self._single
        which[0], seats[0] = table, seat
        observations = np.empty((1, self.layout.size), np.uint8)
        self.kernels.observe(self.rows, self.record, which, seats, observations)
        observation: NDArray[np.uint8] = observations[0]
        return observation

    def states(self, which: NDArray[np.int64] | None = None) -> NDArray[np.uint8]:
        """Return the whole state of tables: uint8 ``[k, size]``, laid out as ``state_layout``."""
        self._check_started()
        which = self._checked_which(which)
        states = np.empty((len(which), self.state_layout.size), np.uint8)
        self.kernels.observe_state(self.rows, self.record, which, states)
        return states

    def play_keys(self, which: NDArray[np.int64] | None = None) -> NDArray[np.uint64]:
        """Return a key for the choice at hand of each table: uint64 ``[k]``.

        It depends on the table's episode and its count of moves alone, and tells nothing of any
        deal.
        """
        keys, moves = self.rows["key"], self.rows["moves"]
        if which is not None:
            keys, moves = keys[which], moves[which]
        return sealed_keys(derive_keys(keys, PLAY, moves))

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return copies of everything that changes in play, by name: enough to go on exactly."""
        return {f"tables.{name}": getattr(self, name).copy() for name in _CHANGING}

    def _check_started(self) -> None:
        if not self._started:
            raise NotStarted(_NOT_STARTED)

    def load_state_dict(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take over what ``state_dict`` of equal tables returned."""
        load_arrays(self, "tables.", _CHANGING, state)
        self._started = True

    def plain_rows(self, which: Any) -> NDArray[Any]:
        """Return copies of rows, of the game's ``STATE`` alone: ``[k]``, for ``which`` tables."""
        return _records(without_events(self.rows[which], self.game))

    def row(self, table: int) -> Any:
        """Return one table's row as a record with attributes (a view)."""
        return self.rows.view(np.recarray)[table]

    def describe(self, table: int, seat: int) -> Any:
        """Return the ``Scene`` of a table as a seat sees it, or with open cards for -1."""
        self._check_started()
        if not (0 <= table < self.count and -1 <= seat < self.players):
            raise ValueError(self._no_seat(table, seat)[:-1] + " or -1.")
        return self.game.function("describe")(
            self.row(table), self.record.view(np.recarray)[0], seat
        )

    def _no_seat(self, table: int, seat: int) -> str:
        return (
            f"there is no table {table} with a seat {seat}; give a table from 0 to "
            f"{self.count - 1}, and a seat from 0 to {self.players - 1}."
        )

    def _checked_which(self, which: Any) -> NDArray[np.int64]:
        """Return the tables' numbers; compiled code would write past the end for a wrong one."""
        if which is None:
            return self._all
        numbers = np.ascontiguousarray(which)
        if numbers.size == 0:
            return numbers.astype(np.int64)
        if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
            raise ValueError(f"which={which!r} is no list of tables; give their numbers.")
        wrong = numbers[(numbers < 0) | (numbers >= self.count)]
        if wrong.size:
            raise ValueError(
                f"which= names table {wrong[0]}, which is not there; "
                f"give numbers from 0 to {self.count - 1}."
            )
        return numbers.astype(np.int64, copy=False)

    def _checked_apart(self, which: Any) -> NDArray[np.int64]:
        """Return the tables' numbers where each may move but once."""
        numbers = self._checked_which(which)
        if which is not None and not (np.diff(numbers) > 0).all():
            found, times = np.unique(numbers, return_counts=True)
            if (times > 1).any():
                raise ValueError(
                    f"which= names table {found[times > 1][0]} twice; name each table once."
                )
        return numbers

    def _checked_decks(self, deck: Any, count: int) -> NDArray[np.uint8]:
        if deck is None:
            return _SHUFFLED
        decks = np.atleast_2d(np.asarray(deck))
        cards = np.array(self.rules.cards)
        times = "once" if len(cards) == len(self.rules.pack) else "twice"
        for order in decks:
            if order.dtype.kind not in "iu" or not np.array_equal(np.sort(order), cards):
                raise ValueError(
                    f"deck={order.tolist()} is not an order of the pack; "
                    f"give each of its {len(self.rules.pack)} cards {times}: "
                    f"{list(self.rules.pack)}."
                )
        if len(decks) not in (1, count):
            raise ValueError(
                f"{len(decks)} decks were given for {count} tables; give 1 or {count}."
            )
        return np.ascontiguousarray(np.broadcast_to(decks, (count, len(cards))), np.uint8)

    def _checked_firsts(self, first: Any, count: int) -> NDArray[np.int64]:
        if first is None:
            return np.full(count, -1)
        firsts = np.asarray(first)
        if firsts.dtype.kind not in "iu" or not ((firsts >= 0) & (firsts < self.players)).all():
            raise ValueError(
                f"seat {first!r} is not at this table; give a seat from 0 to {self.players - 1}."
            )
        if firsts.shape not in ((), (count,)):
            raise ValueError(
                f"first has shape {firsts.shape}; give one seat, or one for each of {count} tables."
            )
        return np.ascontiguousarray(np.broadcast_to(firsts, count), np.int64)


def load_arrays(
    owner: Any, prefix: str, names: Sequence[str], state: Mapping[str, NDArray[Any]]
) -> None:
    """Copy arrays of a ``state_dict`` into an owner's attributes.

    Raises:
        ValueError: one is missing or has another shape; nothing has been copied.
    """
    for name in names:
        own, given = getattr(owner, name), state.get(prefix + name)
        if given is None or given.shape != own.shape or given.dtype != own.dtype:
            raise ValueError(
                f"this state does not fit: {prefix + name} must be {own.dtype} {own.shape}; "
                "give the state_dict of equal tables."
            )
    for name in names:
        getattr(owner, name)[:] = state[prefix + name]


def _checked_history(history: Any) -> int:
    if (
        isinstance(history, bool)
        or not isinstance(history, int | np.integer)
        or not 0 <= history <= MOST_EVENTS
    ):
        raise RulesError(
            f"history={history!r} is not possible; give a number of events from 0 to {MOST_EVENTS}."
        )
    return int(history)


def _over(table: int) -> str:
    return f"the episode at table {table} is over; call reset() before the next action."


def _records(array: NDArray[Any]) -> NDArray[Any]:
    """Without compilation, rows need attributes; compiled code needs plain arrays."""
    return array if JIT else array.view(np.recarray)


def _checked_seed(seed: Any) -> np.uint64:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
        raise RulesError(f"seed={seed!r} is not possible; give a whole number from 0 to 2**64 - 1.")
    return np.uint64(seed)

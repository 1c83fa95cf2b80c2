"""Random play of a game and its twin side by side, compared at every decision.

The twin (``tests/reference``) is plain Python written from the rules alone. The compiled game deals
and a style draws the actions; the twin is given both and must come to the same legal actions, the
same seat to decide, the same facts for every seat and the same rewards. What differs between games
stands in an adapter (``tests/twins``).
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cardenv.layout import SizedLayout
from cardenv.rules import GameRules, RulesError
from cardenv.table import Tables
from tests.events import Witnessed, write_events


@dataclass(frozen=True)
class Setting:
    """A kind of table, and how many games of it are played.

    Attributes:
        weights: relative frequency of each action, where it is legal.
        seeds: one for each game.
    """

    players: int
    rules: GameRules
    episode: str
    style: str
    weights: tuple[float, ...]
    seeds: range

    def __str__(self) -> str:
        switches = ",".join(f"{k}={v}" for k, v in self.rules.to_dict().items() if k != "pack")
        size = len(self.rules.cards)
        return f"{self.players} players, {self.episode}, {self.style}, {size} cards, {switches}"


class Twin(Protocol):
    """One episode of the plain game."""

    seen: set[str]
    """What has happened in it, in the adapter's words."""
    events: list[Witnessed]
    """What the decisions of its round have shown."""

    def current_player(self) -> int | None: ...
    def legal_actions(self) -> list[int]: ...
    def rewards(self) -> list[float]: ...
    def facts(self, seat: int) -> dict[str, Any]: ...
    def step(self, action: int) -> None: ...


class Adapter(Protocol):
    """What the comparison must know of a game."""

    GAME: str
    TO_BE_SEEN: frozenset[str]
    """Everything that has to happen somewhere in all settings together."""

    def settings(self) -> list[Setting]: ...

    def new_twin(
        self, setting: Setting, deck: Callable[[int], Sequence[int]], row: Any
    ) -> Twin: ...

    def lenient_at_the_end(self, setting: Setting) -> set[str]:
        """Fields that are not compared once an episode is over; the docstring says why."""

    def round_number(self, row: Any) -> int:
        """The number, from 0, of the deal that lies on the table."""

    def expected(
        self,
        setting: Setting,
        facts: list[dict[str, Any]],
        seats: list[int],
        view: dict[str, NDArray[Any]],
    ) -> None:
        """Write what seats should observe, by their facts, into zeros viewed by field name."""


class Difference(AssertionError):
    """The game and its twin disagree."""


def play(adapter: Adapter, setting: Setting, history: int = 0) -> Counter[str]:
    """Play all games of a setting; return what was seen in how many of them.

    Raises:
        Difference: the two disagree, with the shortest sequence of actions that shows it.
    """
    games = Lockstep(adapter, setting, history)
    games.compare()
    while games.live.size:
        games.step()
        games.compare()
    return Counter(itertools.chain.from_iterable(twin.seen for twin in games.twins))


def drawn_actions(tables: Tables, live: NDArray[Any], weights: Sequence[float]) -> NDArray[Any]:
    """Draw a legal action for each table by weight, as a function of its episode and its moves."""
    chances = np.cumsum(tables.masks[live] * np.array(weights), axis=1)
    draws = (tables.play_keys(live) >> np.uint64(11)) / 2**53
    actions: NDArray[Any] = (chances <= (draws * chances[:, -1])[:, None]).sum(axis=1)
    return actions


class Lockstep:
    """Tables of the compiled game, and a twin beside each."""

    def __init__(self, adapter: Adapter, setting: Setting, history: int = 0) -> None:
        self.adapter, self.setting = adapter, setting
        self.tables = Tables(
            adapter.GAME,
            len(setting.seeds),
            setting.players,
            rules=setting.rules,
            episode=setting.episode,
            history=history,
        )
        self.tables.seed(list(setting.seeds))
        self.tables.reset()
        self.live = np.arange(len(setting.seeds))
        self.moved = self.live
        self.actions: list[list[int]] = [[] for _ in setting.seeds]
        self.twins = [
            adapter.new_twin(setting, self._deck_of(game), self.tables.rows[game])
            for game in self.live
        ]

    def _deck_of(self, game: int) -> Callable[[int], Sequence[int]]:
        """The deals of a table, each to be asked for while it lies there."""

        def deck(number: int) -> Sequence[int]:
            row = self.tables.rows[game]
            if self.adapter.round_number(row) != number:
                raise self.difference(game, [f"the twin deals round {number}, the game does not"])
            return row["deck"][: len(self.setting.rules.cards)].tolist()

        return deck

    def step(self) -> None:
        """Take one decision in every game that goes on."""
        actions = drawn_actions(self.tables, self.live, self.setting.weights)
        for game, action in zip(self.live, actions.tolist(), strict=True):
            self.actions[game].append(action)
        self.tables.step(actions, self.live)
        for game, action in zip(self.live, actions.tolist(), strict=True):
            self.twins[game].step(action)
        self.moved = self.live
        self.live = np.flatnonzero(self.tables.turn >= 0)

    def compare(self) -> None:
        """Compare every game that has just moved, in all that can be seen of it."""
        twins = [self.twins[game] for game in self.moved]
        turns = [-1 if (seat := twin.current_player()) is None else seat for twin in twins]
        self._same("the seat to decide", turns, self.tables.turn[self.moved])
        legal = [self._mask(twin.legal_actions()) for twin in twins]
        self._same("the legal actions", legal, self.tables.masks[self.moved])
        rewards = np.round([twin.rewards() for twin in twins], 9)
        self._same("the rewards", rewards, np.round(self.tables.score[self.moved], 9))
        self._compare_facts(twins)

    def _mask(self, legal: list[int]) -> list[int]:
        """Bytes of the mask; all ones where nobody decides any more."""
        actions = range(self.tables.masks.shape[1])
        return [int(not legal or action in legal) for action in actions]

    def _same(self, what: str, twin: Any, game: Any) -> None:
        for k, (expected, found) in enumerate(zip(twin, game, strict=True)):
            if not np.array_equal(expected, found):
                raise self.difference(self.moved[k], [f"{what}: twin {expected}, game {found}"])

    def _compare_facts(self, twins: list[Twin]) -> None:
        """Build each seat's observation from the twin's facts, and compare it byte by byte."""
        players = self.setting.players
        facts = [twin.facts(seat) for twin in twins for seat in range(players)]
        seats = np.tile(np.arange(players), len(twins))
        which = np.repeat(self.moved, players)
        found = self.tables.observe(seats, which)
        expected = np.zeros_like(found)
        view = self.tables.layout.view(expected)
        self.adapter.expected(self.setting, facts, seats.tolist(), view)
        if self.tables.history:
            for k, (game, seat) in enumerate(zip(which, seats.tolist(), strict=True)):
                write_events(self.twins[game].events, seat, players, view, k)
        over = self.tables.turn[which] < 0
        for name in self.adapter.lenient_at_the_end(self.setting):
            views = [self.tables.layout.view(each)[name] for each in (expected, found)]
            views[0][over] = views[1][over]
        for k in np.flatnonzero((found != expected).any(axis=1))[:1]:
            pair = (expected[k], found[k])
            raise self.difference(which[k], differing_fields(self.tables.layout, seats[k], *pair))

    def difference(self, game: int, words: Iterable[str]) -> Difference:
        """Describe a difference so that it can be played again."""
        names = self.tables.game.action_names
        prefix = [names[action] for action in self.actions[game]]
        return Difference(
            f"{self.adapter.GAME}, {self.setting}\n"
            f"seed {self.setting.seeds[game]}\n"
            f"after {len(prefix)} actions: {prefix}\n" + "\n".join(words)
        )


def differing_fields(layout: SizedLayout, seat: int, expected: Any, found: Any) -> list[str]:
    """Say which fields of a seat's observation differ, and how."""
    views = [layout.view(each) for each in (expected, found)]
    names = [name for name in layout if not np.array_equal(views[0][name], views[1][name])]
    return [
        f"{name} of seat {seat}: twin {_short(views[0][name])}, game {_short(views[1][name])}"
        for name in names
    ]


def _short(values: NDArray[Any]) -> str:
    """A count as it is, a set or category as the places of its ones."""
    if values.ndim == 0 or values.max(initial=0) > 1:
        return str(values.tolist())
    return f"ones at {np.argwhere(values).squeeze(-1 if values.ndim == 1 else ()).tolist()}"


CANDIDATES = 60
"""Random rows that ``covering`` chooses among."""

# --- Settings -------------------------------------------------------------------------------------


def covering(
    factors: Mapping[str, Sequence[Any]],
    seed: int = 0,
    possible: Callable[[dict[str, Any]], bool] = lambda row: True,
) -> list[dict[str, Any]]:
    """Return rows in which every pair of values of every two factors comes together.

    Greedy: of many random completions of one open pair, the row that covers most open pairs. Rows
    that are not possible are left out; a pair that no possible row has is dropped.
    """
    generator = np.random.default_rng(seed)
    names = list(factors)
    pairs = [
        ((a, x), (b, y))
        for a, b in itertools.combinations(names, 2)
        for x in factors[a]
        for y in factors[b]
    ]
    open_pairs = dict.fromkeys(pairs)
    rows: list[dict[str, Any]] = []
    while open_pairs:
        pair = next(iter(open_pairs))
        completions = (
            {name: values[generator.integers(len(values))] for name, values in factors.items()}
            | dict(pair)
            for _ in range(20 * CANDIDATES)
        )
        candidates = list(itertools.islice(filter(possible, completions), CANDIDATES))
        if not candidates:
            open_pairs.pop(pair)
            continue
        best = max(candidates, key=lambda row: sum(pair in open_pairs for pair in _pairs_of(row)))
        rows.append(best)
        for pair in _pairs_of(best):
            open_pairs.pop(pair, None)
    return rows


def is_possible(settings: Callable[[], Any]) -> bool:
    """Tell whether rules, or a table, can be made as the function makes them."""
    try:
        settings()
    except RulesError:
        return False
    return True


def with_seeds(
    rows: Sequence[dict[str, Any]], rounds: int, matches: int
) -> list[tuple[dict[str, Any], range]]:
    """Share out so many rounds and matches among the rows; return each with a seed a game."""
    of_matches = sum(row["episode"] == "match" for row in rows)
    games = {"match": -(-matches // of_matches), "round": -(-rounds // (len(rows) - of_matches))}
    return [
        (row, range(10_000 * number, 10_000 * number + games[row["episode"]]))
        for number, row in enumerate(rows)
    ]


def _pairs_of(row: Mapping[str, Any]) -> Iterable[Any]:
    return itertools.combinations(row.items(), 2)

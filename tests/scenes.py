"""Positions for tests: a deck in a chosen order, then actions and cards by their names.

    scene = Scene("schwimmen", players=2, deck=order(names, "♠K ♠8 ♥J", "♦7 ♦8 ♥9"), first=0)
    scene.play("keep").play("pass")

A game's own tests add the words of that game on top (see ``tests/rules``).
"""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from cardenv import games
from cardenv.cards import cards_in
from cardenv.rules import GameRules
from cardenv.table import Tables

MOST_MOVES = 2000
"""More than any scene takes, so that a game that never ends is a failure."""


def numbers(names: Sequence[str], text: str) -> list[int]:
    """Return the cards named in ``text``, such as ``"♠K ♠8"``, as card numbers in that order."""
    return [names.index(name) for name in text.split()]


def order(
    names: Sequence[str], *groups: str, pack: Sequence[int] | None = None, last: str = ""
) -> list[int]:
    """Return a deck: the named groups one after the other, the rest ascending, then ``last``."""
    pack = range(len(names)) if pack is None else pack
    front = [card for group in groups for card in numbers(names, group)]
    back = numbers(names, last)
    return [*front, *(card for card in pack if card not in {*front, *back}), *back]


class Scene:
    """One table of a game, dealt as a test wants it and played by the names of actions.

    Args:
        game: the game's name.
        players: seats at the table.
        deck: the first round's pack in the order of dealing.
        first: the seat that deals or starts.
        names: each card's name, by number.
        rules: the game's ``Rules``, the defaults by default.
    """

    def __init__(
        self,
        game: str,
        players: int,
        deck: Sequence[int],
        first: int,
        names: Sequence[str],
        rules: GameRules | None = None,
        **settings: Any,
    ) -> None:
        self.actions = games.get(game).action_names
        self.names = names
        self.tables = Tables(game, 1, players, rules=rules, **settings)
        self.tables.reset(seed=1, deck=deck, first=first)

    @property
    def row(self) -> Any:
        """The table's row."""
        return self.tables.row(0)

    @property
    def turn(self) -> int:
        """The seat that decides, -1 once the episode is over."""
        return int(self.row.turn)

    @property
    def over(self) -> bool:
        """Whether nobody decides any more."""
        return self.turn < 0

    @property
    def scores(self) -> list[float]:
        """Every seat's rewards so far."""
        return self.tables.score[0].tolist()

    @property
    def tally(self) -> dict[str, list[int]]:
        """What has been counted under each name, seat by seat."""
        columns = self.row.tally[: self.tables.players].T.tolist()
        return dict(zip(self.tables.game.tallies, columns, strict=True))

    @property
    def legal(self) -> set[str]:
        """The names of what the deciding seat may do, by the mask."""
        return {
            name for name, legal in zip(self.actions, self.tables.masks[0], strict=True) if legal
        }

    def play(self, *actions: str) -> Self:
        """Carry out actions by name, each by whoever is to decide."""
        for action in actions:
            self.tables.step_one(0, self.actions.index(action))
        assert self.row.moves < MOST_MOVES, "the game does not end"
        return self

    def view(self, seat: int) -> dict[str, Any]:
        """What a seat observes, by the names of the layout."""
        return self.tables.layout.view(self.tables.observe(np.array([seat]), np.array([0]))[0])

    def cards(self, bits: Any) -> set[str]:
        """Name the cards of a bit set."""
        return {self.names[card] for card in cards_in(bits)}

    def bytes(self) -> bytes:
        """All that the table holds, to tell whether anything has changed."""
        tables = self.tables
        fields = (tables.rows[name].tobytes() for name in tables.rows.dtype.names)
        return b"".join([*fields, tables.observations.tobytes(), tables.masks.tobytes()])

"""The words of Mow for test scenes: hands, the pile, the row, actions by the cards they lay.

A plain card is its value with a star a fly, ``12**``. The special cards go without their five
stars: ``0`` and ``16``, the coverers ``(7)`` and ``(9)``, the latecomers ``+a`` and ``+b``. An
action is the card it lays, with ``↺`` behind it if the direction is reversed; ``+`` lays a
latecomer, and ``clear`` clears.
"""

from typing import Any, Self

import numpy as np

from cardenv.games.mow import Rules
from tests.scenes import Scene, order

PLAIN = [
    *(f"{value}" for value in range(1, 16)),
    *(f"{value}*" for value in range(2, 15)),
    *(f"{value}**" for value in range(3, 14)),
    *(f"{value}***" for value in (7, 8, 9)),
]
NAMES = [*PLAIN, "0", "16", "(7)", "(9)", "+a", "+b"]
SPECIALS = ["0", "16", "(7)", "(9)", "+"]
"""The actions that lay a special card and keep the direction."""
ACTIONS = [*PLAIN, *SPECIALS, *(f"{special}↺" for special in SPECIALS), "clear"]


def in_order(text: str) -> list[str]:
    """Return the named cards or actions, one after the other."""
    return text.split()


def words(text: str) -> set[str]:
    """Return the named cards or actions as a set."""
    return {*in_order(text)}


def flies(text: str) -> int:
    """Count the flies on the named cards: their stars, or five on a special card."""
    return sum(name.count("*") if name in PLAIN else 5 for name in in_order(text))


def filled(hands: list[list[str]], sizes: list[int], named: set[str]) -> list[list[str]]:
    """Return the hands, each filled up with the lowest cards that are not named."""
    spare = iter([name for name in NAMES if name not in named])
    pairs = zip(hands, sizes, strict=True)
    return [[*hand, *(next(spare) for _ in range(size - len(hand)))] for hand, size in pairs]


class Round(Scene):
    """A table of Mow: hands by seat and the pile's next cards.

    A hand of fewer than five is filled up with the lowest cards that nobody names; the first 15
    of all show no flies. With ``only``, the pack has no other cards than hands and pile.
    """

    def __init__(
        self,
        *hands: str,
        pile: str = "",
        only: bool = False,
        starter: int = 0,
        episode: str = "round",
        preset: str = "standard",
        illegal: str = "raise",
        **switches: Any,
    ) -> None:
        named = words(" ".join([*hands, pile]))
        dealt = filled([hand.split() for hand in hands], [5] * len(hands), named)
        groups = [*(" ".join(hand) for hand in dealt), pile]
        if only:
            switches["pack"] = tuple(NAMES.index(name) for name in " ".join(groups).split())
        rules = Rules.preset(preset, **switches)
        super().__init__(
            *("mow", len(hands), order(NAMES, *groups, pack=rules.pack), starter, NAMES, rules),
            episode=episode,
            illegal=illegal,
        )
        self.actions = ACTIONS

    @property
    def seen(self) -> dict[str, Any]:
        """What seat 0 observes: it sees all that is public, the seats in their own order."""
        return self.view(0)

    @property
    def laid(self) -> set[str]:
        """The cards in the row."""
        return self.named(self.seen["row"])

    @property
    def ends(self) -> tuple[int, int] | None:
        """The leftmost and the rightmost value; nothing of an empty row."""
        left, right = (np.flatnonzero(self.seen[side]) for side in ("left_end", "right_end"))
        assert len(left) == len(right) == (len(self.laid) > 0)
        return (int(left[0]), int(right[0])) if len(left) else None

    @property
    def room(self) -> int:
        """How many latecomers the row still has room for."""
        return int(self.seen["latecomer_places"])

    @property
    def pile(self) -> list[str]:
        """The pile, next card first."""
        size = int(self.tables.record["pack_size"][0])
        return [self.names[card] for card in self.row.deck[self.row.drawn : size]]

    @property
    def supplies(self) -> list[set[str]]:
        """The cards in each seat's supply."""
        return [self.named(supply) for supply in self.seen["supply"]]

    @property
    def flies(self) -> list[int]:
        """The flies in each seat's supply."""
        return self.seen["supply_flies"].tolist()

    @property
    def totals(self) -> list[int]:
        """The flies noted for each seat in the match."""
        return self.seen["total_flies"].tolist()

    @property
    def clockwise(self) -> bool:
        return bool(self.seen["clockwise"])

    @property
    def starter(self) -> int:
        """The seat that began this round."""
        return int(self.row.starter)

    def hand(self, seat: int) -> set[str]:
        return self.cards(self.row.hand[seat])

    def named(self, bits: Any) -> set[str]:
        """Name the cards of a field of 0/1 bytes."""
        return {self.names[card] for card in np.flatnonzero(bits)}

    def play(self, *actions: str) -> Self:
        """Carry out actions, each by whoever is to decide; a text may name several."""
        return super().play(*" ".join(actions).split())

    def ordinary_turn(self) -> int:
        """Whoever is to decide lays the lowest plain card that fits, or clears and opens with it.

        Returns:
            Whose turn it was.
        """
        seat = self.turn
        if not self.legal & {*PLAIN}:
            self.play("clear")
        self.play(next(name for name in PLAIN if name in self.legal))
        return seat

    def total_is(self, *totals: int) -> Self:
        """Note these flies of earlier rounds."""
        self.row.total[: len(totals)] = totals
        return self


def after(row: str, hand: str = "", players: int = 2, pile: str = "", **settings: Any) -> Round:
    """The position in which the cards of ``row`` have been laid in that order, one a turn.

    Seat 0 began, directions were kept, and everybody has drawn after each card. Whoever is to
    decide holds ``hand``; ``pile`` are the cards to be drawn next.
    """
    laid = row.split()
    decides = len(laid) % players
    held = [[*laid[seat::players]] for seat in range(players)]
    sizes = [5 + len(cards) for cards in held]
    held[decides] += hand.split()
    held = filled(held, sizes, words(f"{row} {hand} {pile}"))
    # The first five of a seat are dealt, each later one is drawn after one of its turns.
    drawn = [held[turn % players][5 + turn // players] for turn in range(len(laid))]
    hands = [" ".join(cards[:5]) for cards in held]
    scene = Round(*hands, pile=" ".join([*drawn, pile]), **settings)
    scene.play(*("+" if card in ("+a", "+b") else card for card in laid))
    assert scene.turn == decides
    assert scene.hand(decides) == words(" ".join(held[decides][len(laid[decides::players]) :]))
    return scene


def play_at_random(tables: Any, seed: int, watch: Any = lambda: None) -> None:
    """Play all tables to their end by uniform legal actions; call ``watch`` after every step."""
    generator = np.random.default_rng(seed)
    while (live := np.flatnonzero(tables.turn >= 0)).size:
        choices = generator.random((len(live), len(ACTIONS))) * tables.masks[live]
        tables.step(choices.argmax(axis=1), live)
        watch()

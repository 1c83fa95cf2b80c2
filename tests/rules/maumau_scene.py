"""The words of Mau-Mau for test scenes: hands, the start card, the talon, actions by their cards.

An action is the card it lays. A jack goes with the suit it names, ``♠J→♥``, and so does the king
of hearts where it names one, ``♥K→♠``; ``draw`` draws or takes what a seven asks, ``end`` ends the
turn, ``mau`` calls Mau. In what is expected, ``♠J→*`` stands for all four wishes.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
import pytest

from cardenv.cards import CARDS, RANKS, SUIT_SIGNS, card_name
from cardenv.games.maumau import Rules
from cardenv.table import IllegalAction, Tables
from tests.scenes import Scene, numbers

NAMES = [card_name(card) for card in range(CARDS)]
JACKS = [f"{suit}J" for suit in SUIT_SIGNS]
ACTIONS = [
    *NAMES,
    *(f"{card}→{wish}" for card in [*JACKS, "♥K"] for wish in SUIT_SIGNS),
    *("draw", "end", "mau"),
]
FUNCTION_CARDS = [*(name for name in NAMES if name[1:] in ("7", "8", "J", "A")), "♥K"]
"""The cards that do something when they are laid."""
FILLERS = [
    *(f"{suit}{rank}" for rank in ("9", "10", "Q") for suit in SUIT_SIGNS),
    *("♦K", "♠K", "♣K"),
    *(f"{suit}{rank}" for rank in ("8", "7", "A", "J") for suit in SUIT_SIGNS),
    "♥K",
]
"""The cards that fill up a scene, in this order: those that do nothing come first."""


def words(text: str) -> set[str]:
    """Return the named actions as a set, ``♠J→*`` as four."""
    return {
        action.replace("*", suit) if "*" in action else action
        for action in text.split()
        for suit in SUIT_SIGNS
    }


def card_of(action: str) -> str:
    """Return the card that an action lays, without its wish."""
    return action.split("→")[0]


def cards(text: str) -> list[str]:
    """Return the named cards in the order of the cards, each as often as it is named."""
    return sorted(text.split(), key=NAMES.index)


def spare_cards(used: Sequence[str], named: set[str], pack: Sequence[int], decks: int) -> list[str]:
    """Return what is left of the pack without the used cards; what is named anywhere comes last."""
    left = Counter({NAMES[card]: decks for card in pack}) - Counter(used)
    return sorted(left.elements(), key=lambda name: (name in named, FILLERS.index(name)))


class Round(Scene):
    """A table of Mau-Mau: hands by seat, the start card and the talon's next cards.

    Everybody holds as many cards as the longest hand names (``hand_size`` may say otherwise, and
    it is five where no hand is named). What is not named is filled up with cards that nobody
    names, those that do nothing first. Seat 0 begins, unless a ``dealer`` is given. With ``only``,
    there are no other cards than these.
    """

    def __init__(
        self,
        *hands: str,
        top: str = "",
        talon: str = "",
        decks: int = 1,
        only: bool = False,
        dealer: int | None = None,
        preset: str = "standard",
        episode: str = "round",
        illegal: str = "raise",
        **switches: Any,
    ) -> None:
        size = switches.setdefault("hand_size", max(len(hand.split()) for hand in hands) or 5)
        told = " ".join([*hands, top, talon]).split()
        spare = iter(spare_cards(told, {*told}, range(CARDS), decks))
        groups = [[*hand.split()] for hand in [*hands, top]]
        for group, full in zip(groups, [*[size] * len(hands), 1], strict=True):
            group += [next(spare) for _ in range(full - len(group))]
        front = [*(name for group in groups for name in group), *talon.split()]
        if only:
            switches["pack"] = tuple(sorted(numbers(NAMES, " ".join({*front}))))
        rules = Rules.preset(preset, decks=decks, **switches)
        deck = [*front, *spare_cards(front, {*told}, rules.pack, decks)]
        assert not only or len(deck) == len(front), "with two packs, name each card twice"
        super().__init__(
            *("maumau", len(hands), numbers(NAMES, " ".join(deck))),
            *(len(hands) - 1 if dealer is None else dealer, NAMES, rules),
            episode=episode,
            illegal=illegal,
        )
        self.actions = ACTIONS

    # --- What lies open -----------------------------------------------------------------------

    @property
    def seen(self) -> dict[str, Any]:
        """What seat 0 observes: it sees all that is public, the seats in their own order."""
        return self.view(0)

    @property
    def top(self) -> str:
        """The card on top of the discarded ones."""
        return _one_of(SUIT_SIGNS, self.seen["top_suit"]) + _one_of(RANKS, self.seen["top_rank"])

    @property
    def suit(self) -> str:
        """The suit that is to be matched."""
        return _one_of(SUIT_SIGNS, self.seen["suit_in_force"])

    @property
    def wish(self) -> str | None:
        """The suit that is wished, if one is."""
        return self.suit if self.seen["wish"] else None

    @property
    def open_draws(self) -> int:
        """How many cards open sevens ask for."""
        return int(self.seen["open_draws"])

    @property
    def sizes(self) -> list[int]:
        """How many cards each seat holds."""
        return self.seen["hand_size"].tolist()

    @property
    def discarded(self) -> list[str]:
        """What lies below the top card, in the order of the cards."""
        return _as_often(self.seen["discarded"])

    @property
    def mau(self) -> list[int]:
        """The seats that hold one card or have called Mau in this turn."""
        return np.flatnonzero(self.seen["mau"]).tolist()

    @property
    def points(self) -> list[int]:
        """The points noted for each seat in the match."""
        return self.seen["points"].tolist()

    def drew(self, seat: int) -> str:
        """What was in force when a seat last drew, as the next seat knows it, such as ``♥9``."""
        players = self.tables.players
        view = self.view((seat + 1) % players)
        suits, ranks = (
            [signs[place] for place in np.flatnonzero(view[field][players - 1])]
            for field, signs in (("drew_suit", SUIT_SIGNS), ("drew_rank", RANKS))
        )
        return "".join([*suits, *ranks])

    # --- What lies hidden ---------------------------------------------------------------------

    @property
    def talon(self) -> list[str]:
        """The talon, next card first."""
        size = int(self.tables.record["pack_size"][0])
        return [self.names[card] for card in self.row.deck[self.row.drawn : size]]

    @property
    def hands(self) -> list[list[str]]:
        """Every seat's hand."""
        return [self.hand(seat) for seat in range(self.tables.players)]

    def hand(self, seat: int) -> list[str]:
        """A seat's hand in the order of the cards, as it sees it itself."""
        return _as_often(self.view(seat)["hand"])

    # --- Play ---------------------------------------------------------------------------------

    def play(self, *actions: str) -> Self:
        """Carry out actions, each by whoever is to decide; a text may name several."""
        return super().play(*" ".join(actions).split())

    def all_draw(self, times: int) -> list[int]:
        """Let whoever is to decide draw, so many times; return who that was, one by one."""
        seats = []
        for _ in range(times):
            seats.append(self.turn)
            self.play("draw")
        return seats

    def refuses(self, action: str | int) -> bool:
        """Try an action, which must be refused and change nothing."""
        number = self.actions.index(action) if isinstance(action, str) else action
        before = self.bytes()
        with pytest.raises(IllegalAction):
            self.tables.step_one(0, number)
        return self.bytes() == before

    def points_are(self, *points: int) -> Self:
        """Note these points of earlier rounds."""
        self.row.points[: len(points)] = points
        return self


def _one_of(signs: Sequence[str], flags: Any) -> str:
    """Return the sign whose flag is set: exactly one."""
    (place,) = np.flatnonzero(flags)
    return signs[place]


def _as_often(counts: Any) -> list[str]:
    """Name each card as often as it is counted."""
    return [name for name, times in zip(NAMES, counts, strict=True) for _ in range(times)]


def wished(suit: str, hand: str, *others: str, jack: str = "♠J", **settings: Any) -> Round:
    """The position in which seat 0 has laid a jack, has named a suit, and seat 1 is to decide."""
    settings.setdefault("hand_size", max(2, *(len(held.split()) for held in (hand, *others))))
    return Round(jack, hand, *others, **settings).play(f"{jack}→{suit}")


def play_at_random(
    tables: Tables,
    seed: int,
    steps: int | None = None,
    watch: Callable[[Any, Any], None] = lambda live, actions: None,
) -> None:
    """Play all tables by uniform legal actions to their end, or for so many steps.

    ``watch`` gets the tables that have just moved and their actions.
    """
    generator = np.random.default_rng(seed)
    while (live := np.flatnonzero(tables.turn >= 0)).size and steps != 0:
        assert tables.masks[live].any(axis=1).all(), "somebody is asked and has no legal action"
        choices = generator.random((len(live), len(ACTIONS))) * tables.masks[live]
        actions = choices.argmax(axis=1)
        tables.step(actions, live)
        watch(live, actions)
        steps = None if steps is None else steps - 1

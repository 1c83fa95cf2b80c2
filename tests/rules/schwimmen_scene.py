"""The words of 31 for test scenes: hands, the dealer's second pile, the talon, swaps by card."""

from typing import Any, Self

from cardenv.cards import CARDS, card_name
from cardenv.games.schwimmen import Rules
from tests.scenes import Scene, numbers, order

NAMES = [card_name(card) for card in range(CARDS)]
WEAK_HANDS = (
    *("♦7 ♥8 ♠J", "♥7 ♠8 ♣J", "♠7 ♣8 ♦J", "♣7 ♦8 ♥J", "♦9 ♥10 ♠Q"),
    *("♥9 ♠10 ♣Q", "♠9 ♣10 ♦Q", "♣9 ♦10 ♥Q", "♦K ♥A ♠K"),
)
"""Hands for up to nine seats, worth 10 each (the last one 11), far from 31 and from 7-8-9."""
WEAK_PILE = "♣K ♦A ♥K"


def cards(text: str) -> set[str]:
    """Return the named cards as a set."""
    return {NAMES[card] for card in numbers(NAMES, text)}


class Round(Scene):
    """A table of 31: hands by seat, the second pile, and the talon's next cards.

    ``switches`` are those of ``Rules``; ``last`` are the cards at the bottom of the talon.
    """

    def __init__(
        self,
        *hands: str,
        pile: str,
        talon: str = "",
        last: str = "",
        dealer: int = 0,
        episode: str = "round",
        preset: str = "standard",
        illegal: str = "raise",
        **switches: Any,
    ) -> None:
        rules = Rules.preset(preset, **switches)
        deck = order(NAMES, *hands, pile, talon, pack=rules.pack, last=last)
        super().__init__(
            *("schwimmen", len(hands), deck, dealer, NAMES, rules),
            episode=episode,
            illegal=illegal,
        )

    @property
    def middle(self) -> set[str]:
        return self.cards(self.row.middle)

    @property
    def gone(self) -> set[str]:
        return self.cards(self.row.gone)

    @property
    def talon(self) -> list[str]:
        """The talon, next card first."""
        size = int(self.tables.record["pack_size"][0])
        return [self.names[card] for card in self.row.deck[self.row.drawn : size]]

    @property
    def lives(self) -> list[int]:
        return [int(lives) for lives in self.row.lives[: self.tables.players]]

    @property
    def alive(self) -> list[int]:
        return [s for s in range(self.tables.players) if int(self.row.alive) >> s & 1]

    def hand(self, seat: int) -> set[str]:
        return self.cards(self.row.hand[seat])

    def value(self, seat: int) -> float:
        """The value of a seat's hand in points, as the seat sees it."""
        return float(self.view(seat)["hand_value"]) / 2

    def swap(self, given: str, taken: str) -> Self:
        """The deciding seat gives one card of its hand for one of the middle."""
        hand = [name for name in NAMES if name in self.hand(self.turn)]
        middle = [name for name in NAMES if name in self.middle]
        own, other = hand.index(given) + 1, middle.index(taken) + 1
        return self.play(f"swap hand {own} for middle {other}")


def weak_round(players: int, dealer: int = 0, **settings: Any) -> Round:
    """A round in which nobody holds or can easily get a 31, after the dealer has kept his hand."""
    settings = {"pile": WEAK_PILE, **settings}
    return Round(*WEAK_HANDS[:players], dealer=dealer, **settings).play("keep")

"""What a file of this folder states, and the words it is written in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cardenv.cards import cards_in
from cardenv.table import Tables

SEATS = 4
"""Seats of every game's ``position``."""


@dataclass(frozen=True)
class Fact:
    """Something public: how to change it alone in a row, and the fields that may tell of it."""

    change: Callable[[Any], None]
    fields: set[str]


@dataclass(frozen=True)
class Picture:
    """A table dealt from ``deck``, and what ``viewer`` sees after each group of actions."""

    deck: Sequence[int]
    players: int
    first: int
    viewer: str
    steps: Sequence[tuple[Sequence[str], Sequence[str]]]
    """Names of actions, and then the lines of the text."""


class Particulars(Protocol):
    """What tests of promises must know of a game."""

    GAME: str
    TITLE: str
    """The first word of every picture."""
    SHORT: Mapping[str, Any]
    """Switches that make a match a few rounds long."""
    DEFAULTS: Mapping[str, Any]
    """Every switch as the rules' text has it, the pack included."""
    EPISODE: str
    """What the text tells, a ``round`` or a ``match``."""
    ALL_CAN_LOSE: bool
    """Whether two players can lose a round both."""
    LEAVE_EARLY: bool
    """Whether a seat can be out of a match that goes on."""
    FORCED: bool
    """Whether a decision can have a single legal action."""
    SKIPPED: Mapping[int, tuple[int, int]]
    """By players: of 2000 rounds among greedy ones, how many end before a seat's first decision."""
    PICTURES: Sequence[Picture]
    SAME_TO_ALL: Sequence[tuple[Sequence[int], Sequence[int]]]
    """Decks and actions after which two players have seen the same, though the deals differ."""
    KINDS: frozenset[str]
    """The kinds of position that random play has to come to."""
    HANDS: Sequence[str]
    """The field of the hands, and with two packs that of the cards held twice."""
    UNSEEN: Sequence[str]
    """Fields of cards that nobody has seen, besides hands and deck."""
    SECRETS: Mapping[str, int]
    """Numbers that the deciding seat alone knows, and how many values each has."""
    PUBLIC: Mapping[str, Fact]
    """Every public fact of ``position``."""
    OWN: set[str]
    """The fields that tell of the own hand."""
    CONSTANT: set[str]
    """The fields that are the same all the time at a table."""

    def card_name(self, card: int) -> str:
        """The face of a card in pictures."""

    def kinds(self, row: Any) -> set[str]:
        """The kinds of position that a row is of."""

    def open_cards(self, row: Any) -> list[int]:
        """The cards that everybody has seen and that are in no hand."""

    def pictured(self, row: Any) -> list[int]:
        """Those of them that a picture shows."""

    def known(self, row: Any, seat: int) -> list[int]:
        """The cards that everybody knows to be in the seat's hand."""

    def seat_fields(self, row: Any, seat: int) -> dict[str, Any]:
        """What everybody observes of a seat: a count or truth, or a set of cards."""

    def seen_by_the_next(
        self, before: Mapping[str, Any], action: int, after: Mapping[str, Any], place: int
    ) -> bool:
        """Assert that who decides next observes the action.

        Args:
            before: what the acting seat observed.
            action: what it did.
            after: what the next to decide observes.
            place: the acting seat, as the next to decide numbers it.

        Returns:
            Whether it was one of the actions that change the cards on the table.
        """

    def position(self) -> Tables:
        """A table of ``SEATS`` in which every public fact can be changed alone."""

    def exchanged(self, seat: int) -> tuple[int, int]:
        """A card of the seat's hand there, and one of no hand; all of ``OWN`` tells of either."""


def held(particulars: Particulars, row: Any, seat: int) -> list[int]:
    """Return the cards in a seat's hand, equal ones as often as they are there."""
    return [card for name in particulars.HANDS for card in cards_in(getattr(row, name)[seat])]


def give(particulars: Particulars, row: Any, seat: int, cards: Sequence[int]) -> None:
    """Let a seat hold these cards and no others."""
    for place, name in enumerate(particulars.HANDS):
        held = {card for card in cards if cards.count(card) > place}
        getattr(row, name)[seat] = bits([*held])


def bits(cards: Sequence[int]) -> int:
    """Return cards (or seats) as a bit set."""
    return sum(1 << int(card) for card in cards)


def set_to(name: str, value: Any) -> Callable[[Any], None]:
    """Return a change of one field."""

    def change(row: Any) -> None:
        assert getattr(row, name) != value
        setattr(row, name, value)

    return change


def change_at(name: str, seat: int, change_value: Callable[[int], int]) -> Callable[[Any], None]:
    """Return a change of one seat's entry of a field."""

    def change(row: Any) -> None:
        getattr(row, name)[seat] = change_value(int(getattr(row, name)[seat]))

    return change


def toggle(name: str, *cards_or_seats: int) -> Callable[[Any], None]:
    """Return a change of a bit set: who is in it leaves it, who is not joins it."""

    def change(row: Any) -> None:
        setattr(row, name, int(getattr(row, name)) ^ bits([*cards_or_seats]))

    return change


def fact_of_each_seat(
    words: str, name: str, change_value: Callable[[int, int], int], fields: set[str]
) -> dict[str, Fact]:
    """Return a fact for each seat; ``change_value`` takes the seat and its entry of the field."""
    return {
        f"{words} of seat {seat}": Fact(
            change_at(name, seat, lambda value, seat=seat: change_value(seat, value)), fields
        )
        for seat in range(SEATS)
    }

"""What there is to see at a table, in words and places, before anything draws it.

A game's ``describe`` fills a ``Scene`` as one seat sees it, or with all cards open; ``draw`` turns
it into a picture. Neither knows the other's trade.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

INTERNATIONAL, GERMAN = LETTERS = ("international", "german")
"""How jacks and queens are written: J and Q, or B (Bube) and D (Dame)."""

_GERMAN_RANKS = {"J": "B", "Q": "D"}
_SUITED_RANK = re.compile(r"([♦♥♠♣])([JQ])(?![A-Za-z])")


@dataclass(frozen=True)
class Card:
    """A card's face, or its back.

    Attributes:
        rank: what is written on it, such as ``10``, ``K`` or ``(7)``.
        suit: one of ``♦♥♠♣``, or nothing.
        marks: how many small marks it shows, such as the flies of Mow.
        hidden: whether the viewer sees its back; then it has none of the others.
    """

    rank: str
    suit: str = ""
    marks: int = 0
    hidden: bool = False

    def face(self, letters: str = INTERNATIONAL) -> str:
        """Return the card as text: ``♥K``, a star a mark as in ``12**``, ``▒▒`` for a back."""
        return "▒▒" if self.hidden else lettered(self.suit + self.rank, letters) + "*" * self.marks

    def __str__(self) -> str:
        return self.face()


HIDDEN = Card("", hidden=True)
"""A card that the viewer cannot see."""


@dataclass(frozen=True)
class Zone:
    """A place with cards.

    Attributes:
        title: whose or what it is, such as ``seat 2`` or ``middle``.
        cards: the cards in order; ``HIDDEN`` for one that the viewer cannot see.
        notes: short facts beside it, such as ``2 lives``.
        seat: the seat it belongs to, or -1 for the table's own places.
        active: whether this seat is to decide.
        heap: cards that lie face down in one heap, of which a picture shows the top one.
    """

    title: str
    cards: tuple[Card, ...]
    notes: tuple[str, ...] = ()
    seat: int = -1
    active: bool = False
    heap: int = 0


@dataclass(frozen=True)
class Scene:
    """A whole table: a heading and its zones, seats in clockwise order.

    Attributes:
        heading: the game, the round and what is to be decided.
        zones: the places, from the top of a text to its bottom.
        viewer: the seat whose view it is, or -1 if all cards lie open.
    """

    heading: str
    zones: tuple[Zone, ...]
    viewer: int = -1


def captioned(scene: Scene, names: Sequence[str], scores: Sequence[float]) -> Scene:
    """Return a scene that says at each seat who sits there and, once there is any, the score."""

    def notes(zone: Zone) -> tuple[str, ...]:
        score = [f"score {scores[zone.seat]:+.3f}"] if any(scores) else []
        return (names[zone.seat], *score, *zone.notes)

    zones = [zone if zone.seat < 0 else replace(zone, notes=notes(zone)) for zone in scene.zones]
    return replace(scene, zones=tuple(zones))


def suited(name: str) -> Card:
    """Return the card of a name such as ``♥10``: a suit sign and what is written on it."""
    return Card(name[1:], name[0])


def lettered(text: str, letters: str) -> str:
    """Return a text with the ranks behind suit signs in other letters: ``♥J`` as ``♥B``.

    Raises:
        ValueError: ``letters`` is none of ``LETTERS``.
    """
    if letters == INTERNATIONAL:
        return text
    if letters != GERMAN:
        words = " or ".join(map(repr, LETTERS))
        raise ValueError(f"letters={letters!r} is not possible; give {words}.")
    return _SUITED_RANK.sub(lambda found: found[1] + _GERMAN_RANKS[found[2]], text)


def counted(number: Any, one: str, many: str = "") -> str:
    """Return a number with its noun: ``1 fly``, ``2 flies``."""
    return f"{number} {one if number == 1 else many or one + 's'}"

"""What there is to see at a table, in words and places, before anything draws it.

A game's ``describe`` fills a ``Scene`` as one seat sees it, or with all cards open; ``draw`` turns
it into a picture. Neither knows the other's trade.
"""

from dataclasses import dataclass
from typing import Any

HIDDEN = "▒▒"
"""The face of a card that the viewer cannot see."""


def counted(number: Any, one: str, many: str = "") -> str:
    """Return a number with its noun: ``1 fly``, ``2 flies``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


@dataclass(frozen=True)
class Zone:
    """A place with cards.

    Attributes:
        title: whose or what it is, such as ``seat 2`` or ``middle``.
        cards: faces in order; ``HIDDEN`` for a card the viewer cannot see.
        notes: short facts beside it, such as ``2 lives``.
        seat: the seat it belongs to, or -1 for the table's own places.
        active: whether this seat is to decide.
    """

    title: str
    cards: tuple[str, ...]
    notes: tuple[str, ...] = ()
    seat: int = -1
    active: bool = False


@dataclass(frozen=True)
class Scene:
    """A whole table: a heading and its zones, from the top of a picture to its bottom."""

    heading: str
    zones: tuple[Zone, ...]

"""A scene as text for a terminal."""

import os
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cardenv.scene import INTERNATIONAL, Card, Scene, Zone, lettered

CARDS_A_LINE = 10
"""More cards than this in one place go on in the next line."""

_RED, _DIM, _BOLD, _PLAIN = "\x1b[31m", "\x1b[2m", "\x1b[1m", "\x1b[0m"
_RED_FACE = re.compile(r"[♦♥](?:10|[\dA-Z](?![A-Za-z]))?")


def ansi(
    scene: Scene, colour: bool = False, letters: str = INTERNATIONAL, width: int | None = None
) -> str:
    """Return a scene as aligned text: a heading, then a line a place (a few for many cards).

    The seat that is to decide is marked with ``▸``.

    Args:
        scene: what there is to see.
        colour: whether red suits are red, backs dim and the deciding seat bold, by ANSI escapes;
            see ``terminal_has_colour``.
        letters: one of ``cardenv.scene.LETTERS``.
        width: letters in a line; what is said of a place goes below it where it would be more.

    Raises:
        ValueError: there are no such letters.
    """
    said = {zone: lettered(", ".join(zone.notes), letters) for zone in scene.zones}
    columns = _columns(scene, said, letters, width)
    lines = [_painted(lettered(scene.heading, letters), colour, _BOLD)]
    for zone in scene.zones:
        lines += _lines_of(zone, said[zone], columns, colour, letters)
    return "\n".join(lines)


@dataclass(frozen=True)
class _Columns:
    """Widths in letters: the titles', a card's, the whole line's; and numbers of cards.

    Attributes:
        most: cards in a line at most.
        longest: cards in the longest line that has room for notes behind it.
    """

    margin: int
    face: int
    width: int | None
    most: int = CARDS_A_LINE
    longest: int = 0

    def has_room(self, cards: int, notes: str) -> bool:
        """Tell whether notes have room behind so many cards."""
        whole = self.margin + cards * self.face + 1 + len(notes)
        return self.width is None or whole <= self.width


def _columns(scene: Scene, said: Mapping[Zone, str], letters: str, width: int | None) -> _Columns:
    faces = [card.face(letters) for zone in scene.zones for card in zone.cards]
    face = max(map(len, faces), default=0) + 1
    margin = max((len(zone.title) for zone in scene.zones), default=0) + 4
    most = CARDS_A_LINE if width is None else max(1, min(CARDS_A_LINE, (width - margin) // face))
    columns = _Columns(margin, face, width, most)
    lengths = [min(len(zone.cards), most) for zone in scene.zones]
    with_room = [
        length
        for zone, length in zip(scene.zones, lengths, strict=True)
        if columns.has_room(length, said[zone])
    ]
    return replace(columns, longest=max(with_room, default=0))


def _lines_of(
    zone: Zone, notes: str, columns: _Columns, colour: bool, letters: str
) -> Iterator[str]:
    """Yield a place's lines; notes without room behind the cards go below them."""
    rows = [*rows_of(zone, columns.most)]
    is_beside = columns.has_room(max(columns.longest, len(rows[0])), notes)
    head, tail = f"{'▸' if zone.active else ' '} {zone.title}", notes if is_beside else ""
    for row in rows:
        cards = "".join(f"{_face(card, colour, letters, columns.face - 1)} " for card in row)
        gap = " " * (columns.face * (columns.longest - len(row)))
        title = _painted(head, colour and zone.active, _BOLD)
        title += " " * (columns.margin - 2 - len(head))
        yield f"{title}  {cards}{gap} {_reddened(tail, colour)}".rstrip()
        head = tail = ""
    if not is_beside and columns.width is not None:
        for line in textwrap.wrap(notes, max(10, columns.width - columns.margin)):
            yield " " * columns.margin + _reddened(line, colour)


def terminal_has_colour(stream: Any = None) -> bool:
    """Tell whether a stream (standard output) is a terminal that shows colours.

    It does not if the user has set NO_COLOR (see https://no-color.org).
    """
    stream = sys.stdout if stream is None else stream
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(stream.isatty())


def rows_of(zone: Zone, most: int = CARDS_A_LINE) -> Iterator[tuple[Card, ...]]:
    """Split a place's cards into lines; a place without cards has one empty line."""
    for start in range(0, max(1, len(zone.cards)), most):
        yield zone.cards[start : start + most]


def _face(card: Card, colour: bool, letters: str, width: int) -> str:
    """Return a card, padded to a width that escapes do not count for."""
    face = card.face(letters)
    painted = _painted(face, colour, _DIM) if card.hidden else _reddened(face, colour)
    return painted + " " * (width - len(face))


def _reddened(text: str, colour: bool) -> str:
    return _RED_FACE.sub(lambda found: _painted(found[0], colour, _RED), text)


def _painted(text: str, colour: bool, paint: str) -> str:
    return f"{paint}{text}{_PLAIN}" if colour and text.strip() else text

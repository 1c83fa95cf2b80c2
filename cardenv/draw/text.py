"""A scene as text for a terminal."""

import os
import re
import sys
import textwrap
from collections.abc import Iterator
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
    faces = [card.face(letters) for zone in scene.zones for card in zone.cards]
    face_width = max(map(len, faces), default=0) + 1
    margin = max((len(zone.title) for zone in scene.zones), default=0) + 4
    most = CARDS_A_LINE
    if width is not None:
        most = max(1, min(most, (width - margin) // face_width))
    said = {zone: lettered(", ".join(zone.notes), letters) for zone in scene.zones}

    def has_room(zone: Zone, cards: int) -> bool:
        return width is None or margin + cards * face_width + 1 + len(said[zone]) <= width

    rows = {zone: [*rows_of(zone, most)] for zone in scene.zones}
    first = {zone: len(rows[zone][0]) for zone in scene.zones}
    lengths = [max(map(len, rows[zone])) for zone in scene.zones if has_room(zone, first[zone])]
    longest = max(lengths, default=0)
    lines = [_painted(lettered(scene.heading, letters), colour, _BOLD)]
    for zone in scene.zones:
        head = f"{'▸' if zone.active else ' '} {zone.title}"
        below = not has_room(zone, max(longest, first[zone]))
        tail = "" if below else said[zone]
        for row in rows[zone]:
            cards = "".join(f"{_face(card, colour, letters, face_width - 1)} " for card in row)
            gap = " " * (face_width * (longest - len(row)))
            title = _painted(head, colour and zone.active, _BOLD)
            title += " " * (margin - 2 - len(head))
            lines.append(f"{title}  {cards}{gap} {_reddened(tail, colour)}".rstrip())
            head = tail = ""
        if below and width is not None:
            notes = textwrap.wrap(said[zone], max(10, width - margin))
            lines += [" " * margin + _reddened(note, colour) for note in notes]
    return "\n".join(lines)


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

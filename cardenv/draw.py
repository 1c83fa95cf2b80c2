"""A scene as a picture. Knows no game: everything to be seen is in the ``Scene``."""

from collections.abc import Iterator

from cardenv.scene import Scene, Zone

CARDS_A_LINE = 10
"""More cards than this in one place go on in the next line."""


def ansi(scene: Scene) -> str:
    """Return a scene as aligned text: a heading, then a line a place (a few for many cards).

    The seat that is to decide is marked with ``▸``.
    """
    face_width = max((len(face) for zone in scene.zones for face in zone.cards), default=0)
    title_width = max((len(zone.title) for zone in scene.zones), default=0)
    most_cards = max((len(row) for zone in scene.zones for row in rows_of(zone)), default=0)
    cards_width = most_cards * (face_width + 1)
    lines = [scene.heading]
    for zone in scene.zones:
        head, tail = f"{'▸' if zone.active else ' '} {zone.title}", ", ".join(zone.notes)
        for row in rows_of(zone):
            cards = "".join(f"{face:<{face_width}} " for face in row)
            lines.append(f"{head:<{title_width + 2}}  {cards:<{cards_width}} {tail}".rstrip())
            head = tail = ""
    return "\n".join(lines)


def rows_of(zone: Zone) -> Iterator[tuple[str, ...]]:
    """Split a place's cards into lines; a place without cards has one empty line."""
    for start in range(0, max(1, len(zone.cards)), CARDS_A_LINE):
        yield zone.cards[start : start + CARDS_A_LINE]

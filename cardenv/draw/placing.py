"""A scene as rectangles, words and signs with coordinates, which every kind of picture is made of.

Seats sit round the table clockwise, the viewer (or seat 0) at the bottom; the table's own places
lie between them. Cards are as large as their place allows. Coordinates are those of a canvas at
least 800 wide and 600 high, whatever the size of the picture.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cardenv.draw.measures import Box, text_width
from cardenv.draw.shapes import FLY, SIGNS, TURN
from cardenv.scene import HIDDEN, INTERNATIONAL, Card, Scene, Zone, lettered

CANVAS_WIDTH, CANVAS_HEIGHT = 800.0, 600.0
MARGIN, GAP = 8.0, 3.0
HEADING_SIZE, TITLE_SIZE, LINE = 17.0, 15.0, 1.3
NOTE_SIZES = (13.0, 12.0, 11.0, 10.0, 9.0, 8.0)
MOST_TEXT = 0.4
"""The share of a place's height that its words may take before they become smaller."""
CARD_RATIO, LARGEST_CARD, LARGE_CARD = 1.4, 62.0, 52.0

FELT, SEAT_PANEL, TABLE_PANEL, EDGE, TO_DECIDE = (
    *("#17563c", "#1f6b4c", "#124a33", "#2f7d5c", "#ffd54a"),
)
LIGHT, PALE, LIGHT_RED = "#ffffff", "#d6e9df", "#ff9c9c"
PAPER, CARD_EDGE, BLACK, RED, BACK, BACK_EDGE, MARK = (
    *("#fffef8", "#8a8a80", "#1a1a1a", "#c3102a", "#2b4c8c", "#c9d6ee", "#4a3a2a"),
)
RED_SUITS = "♦♥"

_SIGNS_IN_TEXT = re.compile("([" + "".join(sign for sign in SIGNS if len(sign) == 1) + "])")


@dataclass(frozen=True)
class Rectangle:
    """A filled rectangle with round corners and an edge."""

    box: Box
    fill: str
    edge: str
    radius: float
    thickness: float = 1.0


@dataclass(frozen=True)
class Sign:
    """One of ``SIGNS`` in a square with its top left at (x, y)."""

    name: str
    x: float
    y: float
    size: float
    fill: str


@dataclass(frozen=True)
class Words:
    """Text from ``x`` on its baseline ``y``, ``width`` wide."""

    text: str
    x: float
    y: float
    width: float
    size: float
    fill: str


Part = Rectangle | Sign | Words
TABLE, PANEL, CARD, TEXT = "table", "panel", "card", "text"


@dataclass(frozen=True)
class Block:
    """Parts that belong together: the table, a place's panel, one card or one line of text."""

    kind: str
    name: str
    box: Box
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Placement:
    """A whole picture: blocks from the lowest to the uppermost on a canvas."""

    width: float
    height: float
    blocks: tuple[Block, ...]


def place(scene: Scene, width: int, height: int, letters: str = INTERNATIONAL) -> Placement:
    """Place a scene on a canvas of the proportions of a picture ``width`` by ``height`` pixels."""
    scale = min(width / CANVAS_WIDTH, height / CANVAS_HEIGHT)
    canvas = Box(0, 0, width / scale, height / scale)
    inside = canvas.inset(MARGIN)
    heading, below = inside.split_top(HEADING_SIZE * LINE + GAP)
    blocks = [Block(TABLE, "", canvas, (Rectangle(canvas, FELT, FELT, 0),))]
    blocks += _line(scene.heading, heading, HEADING_SIZE, LIGHT, letters)
    for zone, box in _seated(scene, below):
        blocks += _place_zone(zone, box, letters)
    return Placement(canvas.width, canvas.height, tuple(blocks))


# --- Where each place is --------------------------------------------------------------------------


def _seated(scene: Scene, box: Box) -> Iterator[tuple[Zone, Box]]:
    """Yield every zone with its box: seats round the table, the rest in the middle."""
    seats = [zone for zone in scene.zones if zone.seat >= 0]
    first = next((place for place, zone in enumerate(seats) if zone.seat == scene.viewer), 0)
    seats = [*seats[first:], *seats[:first]]
    bottom, side, top = sides_of(len(seats))
    bands = [share for share, there in ((0.31, top), (0.38, True), (0.31, bottom)) if there]
    rows = box.rows(bands, MARGIN)
    middle = rows[1 if top else 0]
    left_of_viewer = (bottom - 1) // 2
    places: list[Box] = []
    if bottom:
        below = rows[-1].columns([1] * bottom, MARGIN)
        places = [below[column] for column in range(left_of_viewer, -1, -1)]
    if side:
        left, middle, right = middle.columns([0.24, 0.52, 0.24], MARGIN)
        places.append(left)
    if top:
        places += rows[0].columns([1] * top, MARGIN)
    if side:
        places.append(right)
    if bottom:
        places += below[:left_of_viewer:-1]
    yield from zip(seats, places, strict=True)
    yield from _in_the_middle([zone for zone in scene.zones if zone.seat < 0], middle)


def sides_of(seats: int) -> tuple[int, int, int]:
    """Return how many seats sit at the bottom, at each of the two sides, and at the top."""
    side = 1 if seats >= 4 else 0
    bottom = 1 if seats < 7 else (seats - 1) // 2
    bottom = min(bottom, seats)
    return bottom, side, seats - bottom - 2 * side


def _in_the_middle(zones: Sequence[Zone], box: Box) -> Iterator[tuple[Zone, Box]]:
    """Yield the table's own zones in the lines that let the smallest card be largest."""
    ways = [list(zip(zones, boxes, strict=True)) for boxes in _ways_to_share(zones, box)]
    if ways:
        yield from max(ways, key=lambda way: min(_card_width(*each) for each in way))


def _ways_to_share(zones: Sequence[Zone], box: Box) -> Iterator[list[Box]]:
    """Yield boxes for the zones, in order: with all in one line, and with ever more lines."""
    for size in range(len(zones), 0, -1):
        groups = [zones[start : start + size] for start in range(0, len(zones), size)]
        boxes: list[Box] = []
        for group, row in zip(groups, box.rows([1] * len(groups), MARGIN), strict=True):
            boxes += row.columns([3 if len(zone.cards) > 1 else 1 for zone in group], MARGIN)
        yield boxes


# --- A place --------------------------------------------------------------------------------------


def _place_zone(zone: Zone, box: Box, letters: str) -> Iterator[Block]:
    seated = zone.seat >= 0
    edge, thickness = (TO_DECIDE, 3.0) if zone.active else (EDGE, 1.0)
    panel = Rectangle(box, SEAT_PANEL if seated else TABLE_PANEL, edge, 6, thickness)
    yield Block(PANEL, zone.title, box, (panel,))
    inside = box.inset(MARGIN)
    text_height = 0.0
    for text, x, y, size, fill in _lines_of(zone, inside, letters):
        line = Box(inside.x + x, inside.y + y, inside.width - x, size * LINE)
        text_height = max(text_height, y + size * LINE)
        yield from _line(text, line, size, fill, letters)
    _, space = inside.split_top(text_height + GAP)
    cards = zone.cards or (HIDDEN,) * min(1, zone.heap)
    for card, place in zip(cards, _card_boxes(len(cards), space), strict=True):
        yield _place_card(card, place, letters)


def _card_width(zone: Zone, box: Box) -> float:
    """Return how wide a zone's cards become in a box."""
    inside = box.inset(MARGIN)
    lines = _lines_of(zone, inside, INTERNATIONAL)
    _, space = inside.split_top(max(y + size * LINE for _, _, y, size, _ in lines) + GAP)
    return _best_grid(max(1, len(zone.cards)), space)[0]


def _lines_of(zone: Zone, box: Box, letters: str) -> list[tuple[str, float, float, float, str]]:
    """Return a zone's words as lines: text, left, top (both in the box), size and colour."""
    title = f"{TURN} {zone.title}" if zone.active else zone.title
    title_size = min(TITLE_SIZE, TITLE_SIZE * box.width / max(1.0, text_width(title, TITLE_SIZE)))
    first = (title, 0.0, 0.0, title_size, TO_DECIDE if zone.active else LIGHT)
    if not zone.notes:
        return [first]
    notes = [lettered(note, letters) for note in zone.notes]
    beside = text_width(title, TITLE_SIZE) + 12
    if beside + text_width(", ".join(notes), NOTE_SIZES[0]) <= box.width:
        drop = TITLE_SIZE - NOTE_SIZES[0]
        return [first, (", ".join(notes), beside, drop, NOTE_SIZES[0], PALE)]
    for size in NOTE_SIZES:
        lines = _wrapped(notes, box.width, size)
        height = TITLE_SIZE * LINE + len(lines) * size * LINE
        widest = max(text_width(line, size) for line in lines)
        if widest <= box.width and height <= MOST_TEXT * box.height:
            break
    size *= min(1.0, box.width / widest)
    tops = [TITLE_SIZE * LINE + number * size * LINE for number in range(len(lines))]
    return [
        first,
        *((line, 0.0, top, size, PALE) for line, top in zip(lines, tops, strict=True)),
    ]


def _wrapped(notes: Sequence[str], width: float, size: float) -> list[str]:
    """Return notes in lines, as many in each as there is room for."""
    lines = [notes[0]]
    for note in notes[1:]:
        if text_width(f"{lines[-1]}, {note}", size) <= width:
            lines[-1] += f", {note}"
        else:
            lines.append(note)
    return lines


def _line(text: str, box: Box, size: float, fill: str, letters: str) -> Iterator[Block]:
    """Yield one line of text, in which signs are drawn; it shrinks to the width of its box."""
    text = lettered(text, letters)
    if not text.strip():
        return
    size *= min(1.0, box.width / text_width(text, size))
    x, baseline = box.x, box.y + size
    parts: list[Part] = []
    for run in _SIGNS_IN_TEXT.split(text):
        width = text_width(run, size)
        if run in SIGNS:
            colour = LIGHT_RED if run in RED_SUITS else fill
            parts.append(Sign(run, x + 0.05 * size, baseline - 0.78 * size, 0.8 * size, colour))
        elif run.strip():
            before = text_width(run, size) - text_width(run.lstrip(), size)
            bare = run.strip()
            parts.append(Words(bare, x + before, baseline, text_width(bare, size), size, fill))
        x += width
    yield Block(TEXT, text, Box(box.x, box.y, x - box.x, size * LINE), tuple(parts))


# --- Cards ----------------------------------------------------------------------------------------


def _card_boxes(count: int, space: Box) -> Iterator[Box]:
    """Yield a box for each of so many cards, in lines, in the middle of a space."""
    width, columns = _best_grid(count, space)
    height, lines = width * CARD_RATIO, math.ceil(count / columns)
    top = space.y + (space.height - lines * (height + GAP) + GAP) / 2
    left = space.x + (space.width - columns * (width + GAP) + GAP) / 2
    for number in range(count):
        line, column = divmod(number, columns)
        yield Box(left + column * (width + GAP), top + line * (height + GAP), width, height)


def _best_grid(count: int, space: Box) -> tuple[float, int]:
    """Return how wide so many cards can be in a space, and how many a line.

    It is the fewest lines in which the cards are large, and if they cannot be, as large as can be.
    """
    grids = []
    for lines in range(1, max(1, count) + 1):
        columns = max(1, math.ceil(count / lines))
        across = (space.width + GAP) / columns - GAP
        down = ((space.height + GAP) / lines - GAP) / CARD_RATIO
        grids.append((min(across, down, LARGEST_CARD), columns))
    enough = min(LARGE_CARD, max(width for width, _ in grids))
    return next(grid for grid in grids if grid[0] >= enough)


def _place_card(card: Card, box: Box, letters: str) -> Block:
    parts = _back(box) if card.hidden else _front(card, box, letters)
    name = "face down" if card.hidden else card.face(letters)
    return Block(CARD, name, box, tuple(parts))


def _back(box: Box) -> Iterator[Part]:
    unit = box.width
    yield Rectangle(box, BACK, CARD_EDGE, 0.1 * unit)
    yield Rectangle(box.inset(0.12 * unit), BACK, BACK_EDGE, 0.05 * unit)
    yield Sign("♦", box.x + 0.3 * unit, box.y + 0.5 * unit, 0.4 * unit, BACK_EDGE)


def _front(card: Card, box: Box, letters: str) -> Iterator[Part]:
    """Yield the paper, what is written on it, and below that its suit or its marks."""
    unit, colour = box.width, RED if card.suit and card.suit in RED_SUITS else BLACK
    yield Rectangle(box, PAPER, CARD_EDGE, 0.1 * unit)
    face = lettered(card.suit + card.rank, letters).removeprefix(card.suit)
    size = min(0.6 * unit, 0.9 * unit / max(0.01, text_width(face, 1.0)))
    width = text_width(face, size)
    if face:
        left, baseline = box.x + (unit - width) / 2, box.y + 0.58 * unit
        yield Words(face, left, baseline, width, size, colour)
    if card.suit:
        yield Sign(card.suit, box.x + 0.21 * unit, box.y + 0.7 * unit, 0.58 * unit, colour)
    yield from _marks(card.marks, box)


def _marks(count: int, box: Box) -> Iterator[Part]:
    """Yield marks below what is written on a card, up to three in a line."""
    lines = math.ceil(count / 3)
    pitch = box.width * min(0.31, 0.64 / max(1, lines))
    for number in range(count):
        line, column = divmod(number, 3)
        left = (box.width - min(3, count - 3 * line) * pitch) / 2 + column * pitch
        top = 0.71 * box.width + line * pitch
        yield Sign(FLY, box.x + left + 0.07 * pitch, box.y + top, 0.86 * pitch, MARK)

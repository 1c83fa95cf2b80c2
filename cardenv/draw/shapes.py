"""Signs that fonts may lack, as closed paths in a square from (0, 0) at the top left to (1, 1).

A path is a list of commands as SVG has them: ``M`` and ``L`` with a point, ``C`` with three points
(a cubic curve), ``Z`` to close it. A sign is the union of its closed paths.
"""

import math
from collections.abc import Sequence
from functools import cache

Point = tuple[float, float]
Path = tuple[tuple[str, tuple[float, ...]], ...]

FLY, TURN = "fly", "▸"
STEPS_A_CURVE = 10
_ROUND = 0.5523
"""How far a curve's handles reach, as a share of the radius, to make a quarter of a circle."""


def path(text: str) -> Path:
    """Read a path such as ``M .5 0 L 1 1 Z``."""
    commands: list[tuple[str, tuple[float, ...]]] = []
    for word in text.split():
        if word.isalpha():
            commands.append((word, ()))
        else:
            name, numbers = commands[-1]
            commands[-1] = (name, (*numbers, float(word)))
    return tuple(commands)


def ellipse(x: float, y: float, width: float, height: float) -> Path:
    """Return an ellipse around (x, y) with these radii."""
    across, down = width * _ROUND, height * _ROUND
    return (
        ("M", (x + width, y)),
        ("C", (x + width, y + down, x + across, y + height, x, y + height)),
        ("C", (x - across, y + height, x - width, y + down, x - width, y)),
        ("C", (x - width, y - down, x - across, y - height, x, y - height)),
        ("C", (x + across, y - height, x + width, y - down, x + width, y)),
        ("Z", ()),
    )


def circling_arrow(clockwise: bool) -> Path:
    """Return an arrow that runs most of the way round a circle."""
    radius, thickness, start, way = 0.34, 0.07, -60, 290
    angles = [math.radians(start + way * step / 24) for step in range(25)]
    ring = [
        (0.5 + (radius + side) * math.cos(angle), 0.52 + (radius + side) * math.sin(angle))
        for side, order in ((thickness, angles), (-thickness, angles[::-1]))
        for angle in order
    ]
    end = angles[-1]
    tip = [
        (0.5 + r * math.cos(end + turn), 0.52 + r * math.sin(end + turn))
        for r, turn in ((radius + 0.2, 0.0), (radius, 0.75), (radius - 0.2, 0.0))
    ]
    points = [*ring[:25], *tip, *ring[25:]]
    if not clockwise:
        points = [(1 - x, y) for x, y in points]
    return (("M", points[0]), *(("L", point) for point in points[1:]), ("Z", ()))


SIGNS: dict[str, tuple[Path, ...]] = {
    "♦": (path("M .5 0 C .6 .2 .74 .37 .9 .5 C .74 .63 .6 .8 .5 1 "
               "C .4 .8 .26 .63 .1 .5 C .26 .37 .4 .2 .5 0 Z"),),
    "♥": (path("M .5 .98 C .42 .8 .03 .58 .03 .29 C .03 .12 .16 .03 .28 .03 "
               "C .39 .03 .47 .1 .5 .21 C .53 .1 .61 .03 .72 .03 "
               "C .84 .03 .97 .12 .97 .29 C .97 .58 .58 .8 .5 .98 Z"),),
    "♠": (path("M .5 .02 C .58 .18 .96 .41 .96 .65 C .96 .8 .84 .86 .74 .86 "
               "C .65 .86 .58 .82 .54 .75 C .55 .85 .59 .93 .67 .98 L .33 .98 "
               "C .41 .93 .45 .85 .46 .75 C .42 .82 .35 .86 .26 .86 "
               "C .16 .86 .04 .8 .04 .65 C .04 .41 .42 .18 .5 .02 Z"),),
    "♣": (
        ellipse(0.5, 0.25, 0.22, 0.22),
        ellipse(0.25, 0.6, 0.22, 0.22),
        ellipse(0.75, 0.6, 0.22, 0.22),
        path("M .44 .35 L .56 .35 L .54 .7 C .55 .85 .59 .93 .67 .98 L .33 .98 "
             "C .41 .93 .45 .85 .46 .7 Z"),
    ),
    FLY: (
        ellipse(0.5, 0.65, 0.13, 0.3),
        ellipse(0.5, 0.22, 0.13, 0.13),
        path("M .44 .48 C .3 .2 .06 .12 .02 .3 C -.02 .5 .24 .58 .44 .48 Z"),
        path("M .56 .48 C .7 .2 .94 .12 .98 .3 C 1.02 .5 .76 .58 .56 .48 Z"),
    ),
    TURN: (path("M .15 .08 L .9 .5 L .15 .92 Z"),),
    "→": (path("M .04 .44 L .6 .44 L .6 .22 L .96 .5 L .6 .78 L .6 .56 L .04 .56 Z"),),
    "↻": (circling_arrow(clockwise=True),),
    "↺": (circling_arrow(clockwise=False),),
}  # fmt: skip
"""Every sign by the character that stands for it in a text, and the mark on cards."""


@cache
def outlines(sign: str) -> tuple[tuple[Point, ...], ...]:
    """Return a sign's closed paths as polygons."""
    return tuple(tuple(_flattened(each)) for each in SIGNS[sign])


def _flattened(commands: Path) -> Sequence[Point]:
    points: list[Point] = []
    for name, numbers in commands:
        if name == "C":
            points += [_on_curve(points[-1], numbers, at) for at in range(1, STEPS_A_CURVE + 1)]
        elif name != "Z":
            points.append((numbers[0], numbers[1]))
    return points


def _on_curve(start: Point, numbers: tuple[float, ...], step: int) -> Point:
    """Return a point of the cubic Bezier curve from ``start``."""
    t = step / STEPS_A_CURVE
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    x = sum(w * v for w, v in zip(weights, (start[0], *numbers[0::2]), strict=True))
    y = sum(w * v for w, v in zip(weights, (start[1], *numbers[1::2]), strict=True))
    return x, y

"""How large a picture may be, and the words for what it needs but is not there."""

import operator
from typing import Any

WIDTH, HEIGHT = 800, 600
SMALLEST, LARGEST = 160, 8192


class MissingLibrary(ImportError):
    """A picture needs a library that is not installed."""


def checked_size(width: Any, height: Any) -> tuple[int, int]:
    """Return a picture's size in pixels as two ``int``.

    Raises:
        ValueError: it is no size that a picture can have.
    """
    try:
        size = operator.index(width), operator.index(height)
    except TypeError:
        size = (0, 0)
    if not all(SMALLEST <= length <= LARGEST for length in size):
        raise ValueError(
            f"a picture cannot be {width!r} by {height!r} pixels; "
            f"give whole numbers from {SMALLEST} to {LARGEST}."
        )
    return size

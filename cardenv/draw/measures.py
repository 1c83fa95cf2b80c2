"""Boxes, and how wide a text is, without a font at hand."""

from collections.abc import Sequence
from dataclasses import dataclass

from cardenv.draw.shapes import SIGNS

_WIDTHS = {
    0.18: "'",
    0.22: " ,.:;",
    0.25: "ijl!|",
    0.29: "If-",
    0.32: "()[]{}/\\`t",
    0.34: 'r"',
    0.49: "szx",
    0.53: "vyck_?",
    0.56: "aJe*",
    0.59: "0123456789#$+<=>LY^~EFSZo",
    0.62: "PhnuKbpRTdgq",
    0.66: "BVXA&",
    0.74: "UCDGNHOQ%",
    0.80: "w",
    0.88: "m@M",
    0.97: "W",
}
"""Widths of characters as shares of the text's size, none less than Pillow's own font has."""
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_WIDTH_OF |= dict.fromkeys(SIGNS, 0.9)
_ANY_OTHER = 0.75


@dataclass(frozen=True)
class Box:
    """A rectangle by its top left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    def inset(self, margin: float) -> "Box":
        """Return what is left within a margin on all sides."""
        return Box(
            self.x + margin,
            self.y + margin,
            max(0.0, self.width - 2 * margin),
            max(0.0, self.height - 2 * margin),
        )

    def split_top(self, height: float) -> tuple["Box", "Box"]:
        """Return the uppermost part of this height, and the rest."""
        height = min(height, self.height)
        return (
            Box(self.x, self.y, self.width, height),
            Box(self.x, self.y + height, self.width, self.height - height),
        )

    def columns(self, shares: Sequence[float], gap: float) -> list["Box"]:
        """Return parts side by side, as wide as their shares, with gaps between them."""
        return [
            Box(self.x + at, self.y, size, self.height)
            for at, size in _shared(self.width, shares, gap)
        ]

    def rows(self, shares: Sequence[float], gap: float) -> list["Box"]:
        """Return parts below each other, as high as their shares, with gaps between them."""
        return [
            Box(self.x, self.y + at, self.width, size)
            for at, size in _shared(self.height, shares, gap)
        ]

    def meets(self, other: "Box") -> bool:
        """Tell whether two boxes have more than an edge in common."""
        return (
            min(self.x + self.width, other.x + other.width) - max(self.x, other.x) > 1e-6
            and min(self.y + self.height, other.y + other.height) - max(self.y, other.y) > 1e-6
        )

    def holds(self, other: "Box") -> bool:
        """Tell whether another box lies within this one."""
        return (
            other.x >= self.x - 1e-6
            and other.y >= self.y - 1e-6
            and other.x + other.width <= self.x + self.width + 1e-6
            and other.y + other.height <= self.y + self.height + 1e-6
        )


def text_width(text: str, size: float) -> float:
    """Return the width of a text of a size, signs included."""
    return size * sum(_WIDTH_OF.get(letter, _ANY_OTHER) for letter in text)


def _shared(length: float, shares: Sequence[float], gap: float) -> list[tuple[float, float]]:
    """Return each part's beginning and length."""
    unit = (length - gap * (len(shares) - 1)) / max(1e-9, sum(shares))
    at, parts = 0.0, []
    for share in shares:
        parts.append((at, share * unit))
        at += share * unit + gap
    return parts

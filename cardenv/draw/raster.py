"""A scene as an array of pixels, drawn by Pillow; no screen and no font file is needed."""

import unicodedata
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.draw.placing import Part, Placement, Rectangle, Sign, Words, place
from cardenv.draw.shapes import outlines
from cardenv.draw.size import HEIGHT, WIDTH, MissingLibrary, checked_size
from cardenv.scene import INTERNATIONAL, Scene

FINER = 3
"""Shapes are drawn so many times larger and then made smaller, for smooth edges."""


def rgb(
    scene: Scene, width: int = WIDTH, height: int = HEIGHT, letters: str = INTERNATIONAL
) -> NDArray[np.uint8]:
    """Return a scene as pixels: uint8 ``[height, width, 3]``, a new array.

    Args:
        scene: what there is to see.
        width: width in pixels; the picture fills it at any proportions.
        height: height in pixels.
        letters: one of ``cardenv.scene.LETTERS``.

    Raises:
        ValueError: there are no such letters, or the size is too small or too large.
        MissingLibrary: Pillow is not installed.
    """
    width, height = checked_size(width, height)
    require_pillow()
    return np.array(_drawn(place(scene, width, height, letters), width, height), np.uint8)


def require_pillow() -> None:
    """Do nothing if Pillow is there.

    Raises:
        MissingLibrary: it is not, or is too old to have a font of its own.
    """
    try:
        import PIL
    except ImportError:
        raise MissingLibrary(_NEEDED) from None
    if tuple(map(int, PIL.__version__.split(".")[:2])) < (10, 1):
        raise MissingLibrary(_NEEDED)


_NEEDED = "pictures of pixels need Pillow 10.1 or newer; run: pip install 'pillow>=10.1'"


def _drawn(placement: Placement, width: int, height: int) -> Any:
    """Return a Pillow image: all shapes first, in fine pixels, then all words."""
    from PIL import Image, ImageDraw

    scale = width / placement.width
    parts = [part for block in placement.blocks for part in block.parts]
    image = Image.new("RGB", (width * FINER, height * FINER))
    canvas = ImageDraw.Draw(image)
    for part in parts:
        _draw_shape(canvas, part, scale * FINER)
    image = image.reduce(FINER)
    canvas = ImageDraw.Draw(image)
    for part in parts:
        if isinstance(part, Words):
            _draw_words(canvas, part, scale)
    return image


def _draw_shape(canvas: Any, part: Part, scale: float) -> None:
    if isinstance(part, Rectangle):
        box = part.box
        corners = (box.x, box.y, box.x + box.width, box.y + box.height)
        canvas.rounded_rectangle(
            [corner * scale for corner in corners],
            part.radius * scale,
            part.fill,
            part.edge,
            max(1, round(part.thickness * scale)),
        )
    elif isinstance(part, Sign):
        for outline in outlines(part.name):
            points = [
                ((part.x + x * part.size) * scale, (part.y + y * part.size) * scale)
                for x, y in outline
            ]
            canvas.polygon(points, part.fill)


def _draw_words(canvas: Any, words: Words, scale: float) -> None:
    """Draw words in the middle of their width, which the font itself may not fill."""
    font = _font(round(words.size * scale * 4) / 4)
    text = _written(words.text)
    left = words.x * scale + (words.width * scale - font.getlength(text)) / 2
    canvas.text((left, words.y * scale), text, words.fill, font, anchor="ls")


@cache
def _font(size: float) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _written(text: str) -> str:
    """Return a text in the letters that Pillow's own font has: ``a`` for ``ä``."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()

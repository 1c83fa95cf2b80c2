"""A scene as a picture. Knows no game: everything to be seen is in the ``Scene``.

``ansi`` makes text for a terminal, ``svg`` a document for browsers and notebooks, ``rgb`` an array
of pixels. The last two draw the same ``placing`` of the same rectangles, words and signs.
"""

from cardenv.draw.raster import rgb
from cardenv.draw.size import MissingLibrary
from cardenv.draw.text import ansi, terminal_has_colour
from cardenv.draw.vector import svg

__all__ = ["MissingLibrary", "ansi", "rgb", "svg", "terminal_has_colour"]

"""What ``render`` returns in each mode; the same for all environments."""

from collections.abc import Sequence
from typing import Any

from cardenv.draw import ansi, rgb, svg
from cardenv.draw.raster import require_pillow
from cardenv.draw.size import HEIGHT, LARGEST, SMALLEST, WIDTH, checked_size
from cardenv.draw.window import Window, require_pygame
from cardenv.rules import RulesError
from cardenv.scene import INTERNATIONAL, LETTERS, Scene
from cardenv.table import NotStarted

ANSI, RGB_ARRAY, HUMAN, SVG = MODES = ("ansi", "rgb_array", "human", "svg")
"""Text, pixels (uint8 ``[height, width, 3]``), a window, and a document for browsers."""
DEFAULT_SIZE = (WIDTH, HEIGHT)


class Pictures:
    """Makes pictures of scenes in one mode.

    Args:
        mode: one of ``MODES``, or None for no pictures besides those of a notebook.
        title: what is written above a window.
        letters: ``"international"`` (J, Q) or ``"german"`` (B, D).
        colour: whether text has colours, by ANSI escapes.
        size: width and height in pixels.

    Raises:
        RulesError: a setting is not possible.
        MissingLibrary: the mode needs a library that is not installed.
    """

    def __init__(
        self,
        mode: str | None,
        title: str,
        letters: str = INTERNATIONAL,
        colour: bool = False,
        size: Sequence[int] = DEFAULT_SIZE,
    ) -> None:
        self.mode = one_of("render_mode", mode, (None, *MODES))
        self.letters = one_of("render_letters", letters, LETTERS)
        self.colour = bool(one_of("render_colour", colour, (False, True)))
        self.size = _checked(size)
        if mode == RGB_ARRAY:
            require_pillow()
        elif mode == HUMAN:
            require_pygame()
        self._window = Window(title, *self.size, self.letters)
        self._closed = False

    def reopen(self) -> None:
        """Make pictures again after ``close``."""
        self._closed = False

    def render(self, scene: Scene, seconds: float) -> Any:
        """Return a scene as the mode has it: ``str``, uint8 ``[height, width, 3]`` or None.

        Args:
            scene: what there is to see.
            seconds: how long a window shows it before the game goes on.

        Raises:
            NotStarted: the environment was closed.
            NoScreen: no window can be opened here.
        """
        if self._closed:
            raise NotStarted("the environment was closed; call reset() before render().")
        if self.mode == ANSI:
            return ansi(scene, self.colour, self.letters)
        if self.mode == SVG:
            return self.svg(scene)
        if self.mode == RGB_ARRAY:
            return rgb(scene, *self.size, self.letters)
        if self.mode == HUMAN:
            self._window.show(scene, seconds)
        return None

    def show(self, scene: Scene, seconds: float) -> None:
        """Show a scene if there is a window for it."""
        if self.mode == HUMAN and not self._closed:
            self._window.show(scene, seconds)

    def svg(self, scene: Scene) -> str:
        """Return a scene as notebooks show it, whatever the mode."""
        return svg(scene, *self.size, self.letters)

    def close(self) -> None:
        """Close the window, if there is one; a second time does nothing."""
        self._window.close()
        self._closed = True


def one_of(name: str, value: Any, allowed: Sequence[Any]) -> Any:
    """Return a setting's value if it is one of those allowed.

    Raises:
        RulesError: it is not.
    """
    if value not in allowed:
        words = ", ".join(map(repr, allowed))
        raise RulesError(f"{name}={value!r} is not possible; give one of {words}.")
    return value


def _checked(size: Any) -> tuple[int, int]:
    try:
        width, height = size
        return checked_size(width, height)
    except (TypeError, ValueError):
        raise RulesError(
            f"render_size={size!r} is not possible; give a width and a height in pixels, "
            f"each from {SMALLEST} to {LARGEST}."
        ) from None

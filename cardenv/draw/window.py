"""A window that shows scenes one after the other, by pygame."""

import os
from typing import Any, ClassVar

from cardenv.draw.raster import require_pillow, rgb
from cardenv.draw.size import HEIGHT, WIDTH, MissingLibrary
from cardenv.scene import INTERNATIONAL, Scene

LONGEST_NAP = 20
"""Milliseconds between looks at what the window's user does."""


class NoScreen(RuntimeError):
    """There is no screen on which a window could be opened."""


class Window:
    """A window, opened when it first has something to show.

    Who closes it by hand sees no more pictures, and the game goes on. pygame has one window a
    process, so several environments show their tables in the same one.

    Args:
        title: what is written above it.
        width: width in pixels.
        height: height in pixels.
        letters: one of ``cardenv.scene.LETTERS``.
    """

    _shown: ClassVar["tuple[Window, Scene] | None"] = None
    """What the one window there is shows, and whose."""

    def __init__(
        self, title: str, width: int = WIDTH, height: int = HEIGHT, letters: str = INTERNATIONAL
    ) -> None:
        self.title, self.width, self.height, self.letters = title, width, height, letters
        self.dismissed = False

    def show(self, scene: Scene, seconds: float = 0.0) -> None:
        """Show a scene, and wait so long unless it is shown already.

        Raises:
            NoScreen: no window can be opened here.
        """
        if self.dismissed:
            return
        pygame = _pygame()
        surface = self._surface(pygame)
        if Window._shown == (self, scene):
            seconds = 0.0
        else:
            pixels = rgb(scene, self.width, self.height, self.letters)
            picture = pygame.image.frombuffer(pixels.tobytes(), (self.width, self.height), "RGB")
            pygame.display.set_caption(self.title)
            surface.blit(picture, (0, 0))
            pygame.display.flip()
            Window._shown = (self, scene)
        self._attend(pygame, seconds)

    def close(self) -> None:
        """Close the window if it shows this one's picture; ``show`` opens it again."""
        if Window._shown is not None and Window._shown[0] is self:
            Window._shown = None
            _pygame().display.quit()

    def _surface(self, pygame: Any) -> Any:
        """Return what is drawn on; the window is opened if it is not open."""
        surface = pygame.display.get_surface() if pygame.display.get_init() else None
        if surface is None or surface.get_size() != (self.width, self.height):
            Window._shown = None
            try:
                pygame.display.init()
                surface = pygame.display.set_mode((self.width, self.height))
            except pygame.error as error:
                raise NoScreen(
                    f"no window can be opened here ({error}); render_mode='rgb_array' needs none."
                ) from None
        return surface

    def _attend(self, pygame: Any, seconds: float) -> None:
        """Answer the window system for so long, at least once."""
        left = round(1000 * seconds)
        while True:
            if any(event.type == pygame.QUIT for event in pygame.event.get()):
                self.dismissed = True
                self.close()
            if left <= 0 or self.dismissed:
                return
            pygame.time.wait(min(left, LONGEST_NAP))
            left -= LONGEST_NAP


def require_pygame() -> None:
    """Do nothing if what a window needs is there.

    Raises:
        MissingLibrary: pygame or Pillow is not installed.
    """
    require_pillow()
    _pygame()


def _pygame() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        raise MissingLibrary("a window needs pygame; run: pip install pygame") from None
    return pygame

"""The table on the screen, as wide as there is room for it."""

from typing import Any

from rich.text import Text
from textual.widgets import Static

from cardenv import draw
from cardenv.scene import Scene


class TableView(Static):
    """A table as text; it is drawn anew when its width changes."""

    DEFAULT_CSS = """
    TableView { padding: 0 1; height: auto; max-height: 70%; border: round $primary; }
    TableView { overflow-y: auto; }
    """

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self._scene: Scene | None = None
        self._drawn_for = 0

    def show(self, scene: Scene) -> None:
        """Show a scene."""
        self._scene = scene
        self._draw()

    def on_resize(self) -> None:
        """Draw anew for another width."""
        if self.content_size.width != self._drawn_for:
            self._draw()

    def _draw(self) -> None:
        self._drawn_for = self.content_size.width
        if self._scene is not None and self._drawn_for:
            text = draw.ansi(self._scene, colour=True, width=self._drawn_for)
            self.update(Text.from_ansi(text))

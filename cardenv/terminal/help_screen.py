"""A screen with text over another one."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Static


class TextScreen(ModalScreen[None]):
    """Text to be scrolled through, until a key closes it."""

    CSS = "TextScreen > VerticalScroll { padding: 1 2; background: $surface; }"
    BINDINGS: ClassVar[list[BindingType]] = [("escape,question_mark,q", "dismiss", "back")]

    def __init__(self, text: Text) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Return the text in a scrolling frame."""
        with VerticalScroll():
            yield Static(self._text, id="text")
        yield Footer()

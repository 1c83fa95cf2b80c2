"""A screen with the rules over another one."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Markdown, Static

from cardenv.games import Game
from cardenv.help import rules_page
from cardenv.rules import GameRules
from cardenv.terminal import panels


class HelpScreen(ModalScreen[None]):
    """The rules of a game, in short and in full, to be scrolled through until a key closes it.

    Args:
        game: the game.
        rules: its rules at the table.
    """

    CSS = "HelpScreen > VerticalScroll { padding: 1 2; background: $surface; }"
    BINDINGS: ClassVar[list[BindingType]] = [("escape,question_mark,q", "dismiss", "back")]

    def __init__(self, game: Game, rules: GameRules) -> None:
        super().__init__()
        self._short, self._page = panels.rules_in_short(game, rules), rules_page(game)

    def compose(self) -> ComposeResult:
        """Return the text in a scrolling frame."""
        with VerticalScroll():
            yield Static(self._short, id="text")
            yield Markdown(self._page, id="page", open_links=False)
        yield Footer()

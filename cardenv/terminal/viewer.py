"""Replays in the terminal: step through games, and see what agents would have done."""

from collections.abc import Sequence
from contextlib import suppress
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Footer, Input, Static

from cardenv import games
from cardenv.advice import Advice, advise
from cardenv.narration import Event, step_and_tell
from cardenv.players import AnyPlayer, PlayerError, player_for
from cardenv.replay import Deal, Replay, of_table, scores_of
from cardenv.scene import captioned
from cardenv.table import Tables
from cardenv.terminal import panels
from cardenv.terminal.help_screen import HelpScreen
from cardenv.terminal.table_view import TableView
from cardenv.terminal.thinking import Thinker

OPEN = -1


class ReplayApp(App[None]):
    """Steps through games.

    Args:
        replays: the games of a file.
        number: the place of the first one shown.
        move: the move it is shown after.
        view: a seat, or -1 for open hands.
        advisers: names of agents whose choices can be shown, in turn.
    """

    TITLE = "cardenv"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = ""  # or the hidden input would take the keys
    CSS = """
    Screen { overflow: hidden; }
    #below { height: 1fr; }
    #told, #advice { padding: 0 1; border: round $panel; width: 2fr; height: 100%; }
    #advice { width: 3fr; }
    #move { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "forth"),
        Binding("left", "step(-1)", "back"),
        Binding("home", "go(0)", "start", show=False),
        Binding("end", "go(1000000000)", "end", show=False),
        Binding("down", "another_game(1)", "next game"),
        Binding("up", "another_game(-1)", "game before", show=False),
        Binding("g", "ask_move", "go to move"),
        Binding("escape", "close_move", show=False),
        Binding("o", "next_view", "hands"),
        Binding("pagedown", "scroll(1)", "scroll", show=False),
        Binding("pageup", "scroll(-1)", "scroll", show=False),
        Binding("a", "next_adviser", "agent"),
        Binding("question_mark", "help", "rules"),
        Binding("q,ctrl+q", "quit", "leave"),
    ]

    def __init__(
        self,
        replays: Sequence[Replay],
        number: int = 0,
        move: int = 0,
        view: int = OPEN,
        advisers: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self.replays, self.number, self.move, self.view = replays, number, move, view
        self.advisers = [*advisers]
        self.loaded: dict[tuple[str, Replay], AnyPlayer] = {}
        self._advice = Thinker(self, self._adviser_failed)

    @property
    def replay(self) -> Replay:
        """The game that is shown."""
        return self.replays[self.number]

    def compose(self) -> ComposeResult:
        """Return the table, who sits there, the last move and what an agent would do."""
        yield TableView(id="table")
        with Horizontal(id="below"):
            with VerticalScroll(id="told", can_focus=False):
                yield Static(id="events")
            with VerticalScroll(id="advice", can_focus=False):
                yield Static(id="words")
        asked = Input(id="move", type="integer", placeholder="go to move ...", disabled=True)
        asked.max_length = 9
        yield asked
        yield Footer()

    def on_mount(self) -> None:
        """Show the first position."""
        self.show()

    def show(self) -> None:
        """Write everything that is to be seen anew."""
        replay = self.replay
        self.view = min(self.view, replay.players - 1)
        event, tables = last_event(replay, self.move, self.view)
        scene = tables.describe(0, self.view)
        scene = captioned(scene, replay.agents, scores_of(tables))
        self.query_one("#table", TableView).show(scene)
        view = "open hands" if self.view == OPEN else f"as seat {self.view} sees it"
        game = f"game {self.number + 1} of {len(self.replays)}"
        title = f" · {replay.title}" if replay.title else ""
        border = f"{game}{title} · move {self.move} of {len(replay)} · {view}"
        self.query_one("#table").border_title = panels.literally(border)
        told = panels.events([] if event is None else [event], replay.agents)
        self.query_one("#told").border_title = "the last move"
        self.query_one("#events", Static).update(told)
        self._show_adviser(tables)

    def _show_adviser(self, tables: Tables) -> None:
        turn, words = int(tables.turn[0]), ""
        if not self.advisers:
            words = "give --agents to see what they would do"
        elif turn >= 0 and self.view in (OPEN, turn):
            asked = self._asked()
            words = f"{asked[0]} is thinking ..."
            self._advice.ask(
                lambda: self.ask_adviser(asked[0], tables),
                lambda found: self.show_advice(asked, found, tables),
            )
        elif turn >= 0:  # what an agent would do tells of the hand that it sees
            words = "hands are closed: only the seat that is to decide can ask"
        self.query_one("#advice").border_title = "what an agent would do"
        self.query_one("#words", Static).update(Text(words))

    # --- Agents -----------------------------------------------------------------------------------

    def _asked(self) -> tuple[str, int, int, int]:
        """Return what advice is for: the agent, the game, the move and who looks."""
        return self.advisers[0], self.number, self.move, self.view

    def ask_adviser(self, name: str, tables: Tables) -> Advice | str:
        """Return what an agent would do, or why it cannot sit at this table."""
        try:
            kind = of_table(tables, Deal(0), ())
            if (name, kind) not in self.loaded:
                self.loaded[name, kind] = player_for(name, tables)
            return advise(self.loaded[name, kind], tables)
        except PlayerError as error:
            return str(error)

    def show_advice(
        self, asked: tuple[str, int, int, int], found: Advice | str, tables: Tables
    ) -> None:
        """Show what an agent would do, unless something else is shown meanwhile."""
        if asked != self._asked():
            return
        words = self.query_one("#words", Static)
        if isinstance(found, str):
            words.update(Text(found))
            return
        legal = [int(action) for action in tables.masks[0].nonzero()[0]]
        text = panels.advice(found, tables.game.action_names, legal)
        if self.move < len(self.replay):
            played = tables.game.action_names[self.replay.actions[self.move]]
            text.append(f"\nplayed was: {played}")
        words.update(text)

    def _adviser_failed(self, words: str) -> None:
        self.query_one("#words", Static).update(Text(f"the agent has failed: {words}"))

    # --- Keys -------------------------------------------------------------------------------------

    def action_step(self, moves: int) -> None:
        """Go some moves forth or back."""
        self.action_go(self.move + moves)

    def action_go(self, move: int) -> None:
        """Go to a move; beyond the ends, to the last one there is."""
        self.move = max(0, min(move, len(self.replay)))
        self.show()

    def action_another_game(self, step: int) -> None:
        """Show another game of the file from its start."""
        number = max(0, min(self.number + step, len(self.replays) - 1))
        if number != self.number:
            self.number, self.move = number, 0
            self.show()

    def action_next_view(self) -> None:
        """Show open hands, then what each seat sees, and so on."""
        self.view = OPEN if self.view == self.replay.players - 1 else self.view + 1
        self.show()

    def action_next_adviser(self) -> None:
        """Ask the next agent."""
        if self.advisers:
            self.advisers.append(self.advisers.pop(0))
            self.show()

    def action_scroll(self, pages: int) -> None:
        """Scroll what an agent would do, where there is no room for all of it."""
        advice = self.query_one("#advice", VerticalScroll)
        advice.scroll_page_down() if pages > 0 else advice.scroll_page_up()

    def action_ask_move(self) -> None:
        """Ask for the number of a move."""
        asked = self.query_one("#move", Input)
        asked.display, asked.disabled, asked.value = True, False, ""
        asked.focus()

    def action_close_move(self) -> None:
        """Ask for no number any more."""
        asked = self.query_one("#move", Input)
        asked.display, asked.disabled = False, True
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the move that was typed."""
        self.action_close_move()
        with suppress(ValueError):
            self.action_go(int(event.value))

    def action_help(self) -> None:
        """Show the rules."""
        self.push_screen(HelpScreen(games.get(self.replay.game), self.replay.rules))


def last_event(replay: Replay, move: int, view: int) -> tuple[Event | None, Tables]:
    """Return what a viewer has seen of the last of so many moves, and the table after them."""
    if move == 0:
        return None, replay.position(0)
    tables = replay.position(move - 1)
    return step_and_tell(tables, replay.actions[move - 1], view), tables

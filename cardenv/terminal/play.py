"""A person plays against agents in the terminal."""

import asyncio
import dataclasses
import signal
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, OptionList, Static

from cardenv import games, replay
from cardenv.advice import Advice, advise
from cardenv.players import AnyPlayer
from cardenv.replay import Replay
from cardenv.scene import captioned, counted
from cardenv.table import IllegalAction
from cardenv.terminal import panels
from cardenv.terminal.help_screen import HelpScreen
from cardenv.terminal.session import Session
from cardenv.terminal.table_view import TableView
from cardenv.terminal.thinking import Thinker

AGAIN, LEAVE = "another game", "leave"


class Actions(OptionList):
    """The list of actions. Paging in a list without any height is an error of the library's."""

    def action_page_up(self) -> None:
        """Go up by what is to be seen."""
        with suppress(KeyError):
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        """Go down by what is to be seen."""
        with suppress(KeyError):
            super().action_page_down()  # type: ignore[no-untyped-call]


class PlayApp(App[None]):
    """One seat is a person's, the others are agents'.

    Args:
        start: the first game before any action, with everybody's names; the ones after it have the
            next numbers of tables under its seed.
        person: the person's seat.
        players: the agents, by their seats.
        adviser: who is asked for advice.
        practice: whether decisions may be taken back.
        file: where each game played is added, if anywhere.
    """

    TITLE = "cardenv"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { overflow: hidden; }
    #told { padding: 0 1; border: round $panel; height: 1fr; min-height: 4; }
    #below { height: 1fr; }
    #actions { width: 1fr; height: 100%; }
    #beside { width: 2fr; }
    #advice { padding: 0 1; border: round $panel; height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "rules"),
        Binding("space", "advice", "advice"),
        Binding("backspace", "undo", "take back"),
        Binding("ctrl+q", "quit", "leave", priority=True),
    ]

    def __init__(
        self,
        start: Replay,
        person: int,
        players: Mapping[int, AnyPlayer],
        adviser: AnyPlayer,
        practice: bool = False,
        file: Path | None = None,
    ) -> None:
        super().__init__()
        self.start, self.person, self.players = start, person, players
        self.adviser, self.practice, self.file = adviser, practice, file
        self.game = games.get(start.game)
        self.session = Session(start, person, players)
        self.games_over, self.total = 0, 0.0
        self.unsaved: dict[int, Replay] = {}
        self._has_tried_to_leave = self._has_left = False
        self._agents = Thinker(self, self._agent_failed)
        self._advice = Thinker(self, self._adviser_failed)

    # --- The screen -------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Return the table, who sits there, what has happened, actions and advice."""
        yield TableView(id="table")
        with Horizontal(id="below"):
            yield Actions(id="actions")
            with Vertical(id="beside"):
                with VerticalScroll(id="told"):
                    yield Static(id="events")
                with VerticalScroll(id="advice"):
                    yield Static(id="words")
        yield Footer()

    def on_mount(self) -> None:
        """Show the table, and let whoever is to decide do so."""
        self.query_one("#told").border_title = "since your last decision"
        adviser = panels.literally(self.adviser.name)
        self.query_one("#advice").border_title = f"advice of {adviser} (space)"
        self.query_one(OptionList).focus()
        self._leave_when_told()
        self.go_on()

    def show(self) -> None:
        """Write everything that is to be seen anew."""
        session = self.session
        scene = session.tables.describe(0, -1 if session.turn < 0 else self.person)
        scene = captioned(scene, session.start.agents, session.scores())
        self.query_one("#table", TableView).show(scene)
        self.query_one("#table").border_title = self._whose_turn()
        told = panels.events(session.since_last_decision(), session.start.agents)
        self.query_one("#events", Static).update(told)
        self.query_one("#told", VerticalScroll).scroll_end(animate=False)
        self.query_one("#words", Static).update("")
        self._show_actions(session.turn < 0)

    def _whose_turn(self) -> str:
        session = self.session
        if session.turn < 0:
            played = counted(self.games_over, "game")
            return f"over; your score of {played}: {self.total:+.3f}"
        if session.is_persons_turn:
            return "your turn"
        name = panels.literally(session.start.agents[session.turn])
        return f"seat {session.turn}, {name}, is thinking ..."

    def _show_actions(self, over: bool) -> None:
        actions = self.query_one(OptionList)
        actions.clear_options()
        if over:
            names = [AGAIN, LEAVE]
        else:
            mine = self.session.legal if self.session.is_persons_turn else []
            names = [self.game.action_names[action] for action in mine]
        actions.add_options([Text(line) for line in panels.labelled(names)])
        if names:
            actions.highlighted = 0

    # --- Playing ----------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Show the table; let an agent think if it is to decide, and keep a game that is over."""
        if self.session.turn < 0:
            self.games_over += 1
            self.total += self.session.scores()[self.person]
            self.keep()
            self.save()
        self.show()
        if self.session.turn >= 0 and not self.session.is_persons_turn:
            self._agents.ask(self.session.choice_of_agent, self.carry_out)

    def carry_out(self, action: int) -> None:
        """Carry out an action, of whoever is to decide."""
        try:
            self.session.act(action)
        except IllegalAction as error:
            self._agent_failed(str(error))
        else:
            self._has_tried_to_leave = False
            self.go_on()

    def _agent_failed(self, words: str) -> None:
        """Say that the agent who is to decide cannot: here the game ends."""
        seat = self.session.turn
        name = panels.literally(self.session.start.agents[seat])
        title = f"seat {seat}, {name}, has failed; leave with ctrl+q"
        self.query_one("#table").border_title = title
        self.notify(words, title="the agent has failed", severity="error", markup=False, timeout=60)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take the action that was chosen with the arrows, by its key or by a click."""
        self.choose(event.option_index)

    def on_key(self, event: events.Key) -> None:
        """Take the action with this key, if there is one."""
        if isinstance(self.screen, HelpScreen):  # it hides the table, but not the app from keys
            return
        place = panels.LABELS.find(event.character) if event.character else -1
        if 0 <= place < self.query_one(OptionList).option_count:
            event.stop()
            self.choose(place)

    def choose(self, place: int) -> None:
        """Take the choice at a place of the list."""
        session = self.session
        if session.turn < 0:
            self.another_game() if place == 0 else self.leave()
        elif session.is_persons_turn and place < len(session.legal):
            self.carry_out(session.legal[place])

    def another_game(self) -> None:
        """Deal the next game."""
        deal = dataclasses.replace(self.start.deal, table=self.start.deal.table + 1)
        self.start = dataclasses.replace(self.start, deal=deal)
        self.session = Session(self.start, self.person, self.players)
        self.go_on()

    # --- Leaving and saving -----------------------------------------------------------------------

    def keep(self) -> None:
        """Keep the game for the file, as far as it is played; one without a decision is none."""
        if self.session.actions:
            self.unsaved[self.session.start.deal.table] = self.session.replay()

    def save(self) -> bool:
        """Add what is kept to the file, if there is one; return whether nothing is left."""
        try:
            self._add_to_file()
        except OSError as error:
            self.notify(
                f"{self.file}: {error.strerror}; a game is not saved. Make room: leaving tries it "
                "again, and leaving twice goes without it.",
                severity="error",
                markup=False,
            )
            return False
        return True

    def _add_to_file(self) -> None:
        while self.file is not None and self.unsaved:
            first = min(self.unsaved)
            replay.append(self.file, self.unsaved[first])
            del self.unsaved[first]

    async def action_quit(self) -> None:
        """Leave."""
        self.leave()

    def leave(self, at_once: bool = False) -> None:
        """Leave with everything saved; where that cannot be, leave ``at_once`` or the second time.

        The session goes on for a moment after leaving, so nothing is saved from then on.
        """
        if self._has_left:
            return
        if self.session.turn >= 0:  # one that is over is kept already
            self.keep()
        if self.save() or at_once or self._has_tried_to_leave:
            self._has_left = True
            self.exit()
        self._has_tried_to_leave = True

    def rescue(self) -> None:
        """Save what an error that ended the screen has left unsaved.

        Raises:
            OSError: the file cannot be written.
        """
        if not self._has_left:
            self.keep()
            self._add_to_file()

    def _leave_when_told(self) -> None:
        """Save and leave when the terminal is closed, or the process is asked to end."""
        if threading.current_thread() is not threading.main_thread():
            return  # signals reach the main thread alone
        loop = asyncio.get_running_loop()
        with suppress(NotImplementedError, AttributeError):  # Windows handles none, and has no HUP
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                loop.add_signal_handler(number, self.leave, True)

    # --- Keys -------------------------------------------------------------------------------------

    def action_help(self) -> None:
        """Show the rules."""
        self.push_screen(HelpScreen(self.game, self.start.rules))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Tell whether a key does anything: without practice no decision is taken back."""
        return self.practice or action != "undo"

    def action_undo(self) -> None:
        """Take back the last own decision."""
        if not self.session.is_persons_turn:
            self.notify("decisions are taken back when it is your turn.")
        elif not self.session.undo():
            self.notify("there is no decision of yours to take back.")
        else:
            self.show()

    def action_advice(self) -> None:
        """Ask for advice."""
        if not self.session.is_persons_turn:
            self.notify("advice is given when it is your turn.")
            return
        self.query_one("#words", Static).update(Text(f"{self.adviser.name} is thinking ..."))
        asked = self.session.replay()
        self._advice.ask(
            lambda: advise(self.adviser, asked.position()),
            lambda given: self.show_advice(asked, given),
        )

    def show_advice(self, asked: Replay, given: Advice) -> None:
        """Show advice, unless the game has gone on, or back, meanwhile."""
        if asked == self.session.replay():
            words = panels.advice(given, self.game.action_names, self.session.legal)
            self.query_one("#words", Static).update(words)

    def _adviser_failed(self, words: str) -> None:
        self.query_one("#words", Static).update(Text(f"{self.adviser.name} has failed: {words}"))

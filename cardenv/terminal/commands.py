"""The commands of ``python -m cardenv``: one dataclass of settings each."""

import secrets
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

from cardenv import games, replay
from cardenv.advice import advise
from cardenv.commandline import SettingsError, check_writable, run
from cardenv.draw import MissingLibrary
from cardenv.players import AnyPlayer, player_for
from cardenv.replay import Deal
from cardenv.rules import RulesError
from cardenv.scene import counted
from cardenv.table import Tables

SMALLEST_SECONDS, LARGEST_SECONDS = 0.02, 60.0


@dataclass
class Play:
    """Play a game against agents in the terminal."""

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(help=f"{games.in_words()}.")]
    agents: tuple[str, ...] = ("expert", "greedy", "greedy")
    """Who sits at the other seats, clockwise from yours: random, a heuristic such as greedy or
    expert, champion, a search such as mc:200, or the folder of a training run."""
    seat: int = 0
    """Your seat."""
    episode: Literal["round", "match"] = "round"
    """A single round, or a whole match."""
    rules: tuple[str, ...] = ("standard",)
    """A preset of rules, then single switches as name=value; a wrong one lists what there is."""
    history: int = 0
    """Events that observations end with, for agents trained with so many."""
    max_players: int | None = None
    """Seats that observations are laid out for, for agents trained so."""
    practice: bool = False
    """Let backspace take your last decision back."""
    adviser: str | None = None
    """Who is asked for advice with the space bar; the first of the agents by default."""
    seed: int | None = None
    """The cards follow from it; drawn by default."""
    save_games: Path | None = None
    """Add each game to this file; python -m cardenv replay shows it."""

    def main(self) -> int | None:
        """Play until the person leaves."""
        from cardenv.terminal.play import PlayApp

        players = len(self.agents) + 1
        tables = Tables(
            self.game,
            1,
            players,
            rules=games.get(self.game).rules.from_words(self.rules),
            episode=self.episode,
            max_players=self.max_players,
            history=self.history,
        )
        if not 0 <= self.seat < players:
            raise SettingsError(f"seat={self.seat} is not there; give 0 to {players - 1}.")
        loaded = {name: player_for(name, tables) for name in dict.fromkeys(self.agents)}
        adviser = player_for(self.agents[0] if self.adviser is None else self.adviser, tables)
        if self.save_games is not None:
            check_games_file(self.save_games)
        seats = [(self.seat + place) % players for place in range(1, players)]
        sitting = dict(zip(seats, self.agents, strict=True))
        names = [sitting.get(seat, "you") for seat in range(players)]
        seed = secrets.randbits(32) if self.seed is None else self.seed
        tables.seed(seed)
        check_terminal()
        warm_up([*loaded.values(), adviser], tables)
        start = replay.of_table(tables, Deal(seed), names)
        agents = {seat: loaded[name] for seat, name in sitting.items()}
        app = PlayApp(start, self.seat, agents, adviser, self.practice, self.save_games)
        app.run()
        app.rescue()
        return app.return_code


@dataclass
class Replay:
    """Step through the games of a file, or export one as pictures."""

    file: tyro.conf.Positional[Path]
    """What --save-games has written."""
    game: int = 1
    """The number of the game in the file, from 1."""
    move: int = 0
    """Begin after so many moves, pictures too."""
    view: int = -1
    """The seat whose view is shown; -1 for open hands."""
    agents: tuple[str, ...] = ()
    """Show what these would do: random, a heuristic such as expert, champion, a search such as
    mc:200, or the folder of a training run."""
    svg: Path | None = None
    """Write a picture of every position to this folder, and show nothing."""
    gif: Path | None = None
    """Write an animation to this file, and show nothing."""
    width: int = 800
    """Width of these pictures in pixels."""
    height: int = 600
    """Their height."""
    seconds: float = 1.0
    """How long the animation shows each position."""

    def main(self) -> int | None:
        """Export, or show until the viewer is left."""
        found = replay.load(self.file)
        if not 1 <= self.game <= len(found):
            raise SettingsError(
                f"game={self.game} is not there; {self.file} holds games 1 to {len(found)}."
            )
        chosen = found[self.game - 1]
        if not -1 <= self.view < chosen.players:
            raise SettingsError(
                f"view={self.view} is no seat; give 0 to {chosen.players - 1}, or -1 for all hands."
            )
        if not 0 <= self.move <= len(chosen):
            raise SettingsError(f"move={self.move} is not there; give 0 to {len(chosen)}.")
        if self.svg is not None or self.gif is not None:
            self.export(chosen)
            return None
        loaded = [player_for(name, chosen.position(0)) for name in self.agents]
        check_terminal()
        warm_up(loaded, chosen.position(0))
        from cardenv.terminal.viewer import ReplayApp

        app = ReplayApp(found, self.game - 1, self.move, self.view, self.agents)
        app.run()
        return app.return_code

    def export(self, chosen: replay.Replay) -> None:
        """Write the pictures that were asked for, and say where they are."""
        from cardenv.terminal.export import scenes, write_gif, write_svgs

        if self.agents:
            raise SettingsError("pictures show no agents; leave --agents out, or --svg and --gif.")
        if self.gif is not None:
            check_writable(self.gif)
        if not SMALLEST_SECONDS <= self.seconds <= LARGEST_SECONDS:
            raise SettingsError(
                f"seconds={self.seconds} is not possible; give {SMALLEST_SECONDS} to "
                f"{LARGEST_SECONDS:g}."
            )
        size = (self.width, self.height)
        try:
            if self.svg is not None:
                positions = scenes(chosen, self.view, self.move)
                frames = write_svgs(positions, self.svg, *size)
                print(f"{counted(frames, 'picture')} in {self.svg}")
            if self.gif is not None:
                positions = scenes(chosen, self.view, self.move)
                frames = write_gif(positions, self.gif, *size, self.seconds)
                print(f"{counted(frames, 'picture')} in {self.gif}")
        except RulesError:
            raise
        except (ValueError, MissingLibrary) as error:
            raise SettingsError(str(error)) from None


@dataclass
class Check:
    """Check in random play what games and their environments promise."""

    game: tyro.conf.Positional[tuple[str, ...]] = ()
    """Which; all by default."""
    games: int = 12
    """Random games at every kind of table."""
    seed: int = 0
    """The seed of the first."""

    def main(self) -> int | None:
        """Check each game and print its report; the status is 1 if a promise is broken."""
        from cardenv import selfcheck

        reports = []
        for name in [games.get(name).name for name in self.game or games.names()]:
            with progress_bar() as progress:
                task = progress.add_task(f"checking {name}", total=None)

                def look(done: int, total: int, words: str, task: Any = task) -> None:
                    progress.update(task, completed=done, total=total, description=words)

                reports.append(selfcheck.run(name, games=self.games, seed=self.seed, progress=look))
            print("\n".join(reports[-1].lines()))
        return 0 if all(report.ok for report in reports) else 1


def progress_bar() -> Any:
    """Return a progress bar on stderr."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    is_seen = sys.stdout is not None and sys.stderr is not None and console.is_terminal
    return Progress(*columns, console=console, transient=True, disable=not is_seen)


def check_games_file(path: Path) -> None:
    """Raise an error, before the game, where games could not be added to a file.

    Raises:
        ReplayError: it is damaged, or no file of games.
        SettingsError: it cannot be written.
    """
    check_writable(path)
    if path.exists() and path.stat().st_size:
        replay.load(path)


def warm_up(players: Iterable[AnyPlayer], tables: Tables) -> None:
    """Have each player decide once at a table dealt for it.

    What the first decision compiles is announced while there is no screen yet that would hide it.
    """
    tables.reset(seed=0)
    for player in players:
        with suppress(Exception):  # the screen says what is wrong, once it matters
            advise(player, tables)


def check_terminal() -> None:
    """Raise ``SettingsError`` unless somebody can see a screen and press keys."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # the screen is drawn on the last
    if not all(stream is not None and stream.isatty() for stream in streams):
        raise SettingsError("this needs a terminal; start it in one, without a pipe.")


def main() -> None:
    """Carry out the command that was given, and end the process with its status."""
    commands: Any = Play | Replay | Check
    run(commands, lambda command: command.main())

"""What experiments share: settings of the table, provenance, progress, files."""

import csv
import dataclasses
import io
import json
import os
import platform
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Literal

try:
    import tyro
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        Task,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
    )
except ModuleNotFoundError as missing:
    raise SystemExit(
        f"error: experiments need {missing.name}; install cardenv with its extra: "
        "pip install -e '.[train]'"
    ) from None

from cardenv import games
from cardenv.commandline import (
    INTERRUPTED,
    SettingsError,
    check_writable,
    module_name,
    parse,
    run,
)
from cardenv.files import replacing
from cardenv.rules import GameRules
from cardenv.table import Tables

__all__ = ["INTERRUPTED", "SettingsError", "check_writable", "parse", "run"]

PACKAGES = (
    *("cardenv", "numpy", "numba", "scipy", "gymnasium", "pettingzoo"),
    *("torch", "stable-baselines3", "sb3-contrib", "evalica"),
)


SECONDS_BETWEEN_LINES = 30.0
"""How often it is told how far long work is, where no bar can be drawn."""


@dataclass
class TableSettings:
    """The table that a command plays at."""

    game: Annotated[str, tyro.conf.arg(help=f"The game: {games.in_words()}.")] = games.names()[0]
    players: int = 4
    """Number of players."""
    max_players: int | None = None
    """Lay observations out for so many seats: an agent trained so can play at smaller tables, and
    is evaluated with the same number."""
    history: int = 0
    """Let observations end with the last so many events of the round, at most 255: agents trained
    so can use who did what, and are evaluated with as many or more."""
    rules: tuple[str, ...] = ("standard",)
    """A preset of rules, then single switches as name=value; a wrong one lists what there is."""
    episode: Literal["round", "match"] = "round"
    """What is played and scored: single rounds or whole matches."""
    seed: int = 1
    """Every deal and every choice follows from it."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where networks are trained; agents that only play run on the CPU."""

    def __post_init__(self) -> None:
        """Take a path that a program gives as text."""
        if isinstance(out := getattr(self, "out", None), str):
            vars(self)["out"] = Path(out)

    def tables(self, count: int) -> Tables:
        """Return so many tables of this kind, not yet dealt."""
        rules: GameRules = games.get(self.game).rules.from_words(self.rules)
        return Tables(
            self.game,
            count,
            self.players,
            rules=rules,
            episode=self.episode,
            max_players=self.max_players,
            history=self.history,
        )


def provenance(settings: Any) -> dict[str, Any]:
    """Return what a result file says of its making: versions, settings, command, machine."""
    return {
        "settings": plain(dataclasses.asdict(settings)),
        "versions": {name: _version(name) for name in PACKAGES}
        | {"python": platform.python_version()},
        "command": shlex.join(["python", "-m", module_name(), *sys.argv[1:]]),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: paths as text, tuples as lists."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return str(value) if isinstance(value, Path) else value


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def write_json(path: Path, value: Any) -> None:
    """Write JSON that people can read, whole or not at all."""
    write_text(path, json.dumps(plain(value), indent=2, ensure_ascii=False) + "\n")


def write_csv(path: Path, rows: Iterable[Iterable[Any]]) -> None:
    """Write a table, its headings first, whole or not at all."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    write_text(path, text.getvalue())


def give_report(
    report: dict[str, Any],
    as_json: bool,
    out: Path | None,
    show: Callable[[dict[str, Any], Console], None],
) -> None:
    """Print a result, as JSON or as ``show`` does, and write it if a file was asked for."""
    if out is not None:
        write_json(out, report)
    if as_json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        show(report, Console())


def check_folder(path: Path) -> None:
    """Raise ``SettingsError`` unless files can be written into this folder, made if missing."""
    if path.exists() and not path.is_dir():
        raise SettingsError(f"{path} is a file; give a folder, new or of your own, as --out.")
    check_writable(path / "a file")


class TellingProgress(Progress):
    """A progress bar that, where it cannot be drawn, is told in a line now and then."""

    _told = 0.0

    def update(self, task_id: TaskID, *args: Any, **more: Any) -> None:
        """Take over how far a task is."""
        super().update(task_id, *args, **more)
        self._tell(self._tasks[task_id])

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Take over that a task has gone on."""
        super().advance(task_id, advance)
        self._tell(self._tasks[task_id])

    def _tell(self, task: Task) -> None:
        if self._told == 0.0:
            self._told = time.monotonic()
        if not self.console.is_terminal and time.monotonic() - self._told > SECONDS_BETWEEN_LINES:
            self._told = time.monotonic()
            done = f"{task.completed:,.0f}" + (f" of {task.total:,.0f}" if task.total else "")
            left = task.time_remaining
            end = "" if left is None else f", {timedelta(seconds=round(left))} left"
            self.console.print(f"{task.description}: {done}{end}", highlight=False)


def progress_bar() -> Progress:
    """Return a progress bar on stderr with the time left."""
    return TellingProgress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


@contextmanager
def stop_on_signal(words: str) -> Iterator[Callable[[], bool]]:
    """Yield what a first Ctrl-C makes true; a second one ends at once.

    Args:
        words: said at the first.
    """
    asked: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)
        Console(stderr=True).print(words)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False  # signals reach the main thread alone
        return
    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(asked)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

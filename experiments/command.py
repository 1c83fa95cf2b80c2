"""What all commands share: settings of the table, errors as one line, provenance, progress."""

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
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from decimal import Decimal
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Literal, TypeVar

try:
    import tyro
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )
    from tyro.constructors import (
        ConstructorRegistry,
        PrimitiveConstructorSpec,
        PrimitiveTypeInfo,
    )
except ModuleNotFoundError as missing:
    raise SystemExit(
        f"error: experiments need {missing.name}; install cardenv with its extra: "
        "pip install -e '.[train]'"
    ) from None

from cardenv import games
from cardenv.players import PlayerError
from cardenv.rules import GameRules, RulesError
from cardenv.table import Tables

S = TypeVar("S")

INTERRUPTED = 130
LARGEST = 10**18
"""Whole numbers on the command line are smaller; 1e999999999 would fill the memory."""
PACKAGES = (
    *("cardenv", "numpy", "numba", "scipy", "gymnasium", "pettingzoo"),
    *("torch", "stable-baselines3", "sb3-contrib", "evalica"),
)


class SettingsError(ValueError):
    """A command's settings cannot be carried out."""


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


def run(settings: type[S], main: Callable[[S], int | None]) -> None:
    """Parse the command line, run ``main``, and end the process with its status.

    A wrong word, and whatever else the user can put right, gets one line and status 2.
    """
    try:
        status = main(parse(settings, sys.argv[1:])) or 0
        sys.stdout.flush()
    except (PlayerError, RulesError, SettingsError) as error:
        print(f"error: {error}", file=sys.stderr)
        status = 2
    except BrokenPipeError:  # who reads our output has seen enough, as in `... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except OSError as error:
        print(f"error: {error.filename or 'a file'}: {error.strerror}.", file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        print("stopped.", file=sys.stderr)
        status = INTERRUPTED
    sys.exit(status)


def parse(settings: type[S], words: list[str]) -> S:
    """Turn command-line words into settings.

    Raises:
        SettingsError: a word is wrong; the parser's message, as one line.
        SystemExit: ``--help`` was asked for and printed.
    """
    printed = io.StringIO()
    try:
        with redirect_stderr(printed), redirect_stdout(printed):
            prog = f"python -m {_module()}"
            return tyro.cli(settings, args=words, prog=prog, registry=_WHOLE_NUMBERS)
    except SystemExit as end:
        if not end.code:
            print(printed.getvalue(), end="")
            raise
        raise SettingsError(_one_line(printed.getvalue())) from None


_WHOLE_NUMBERS = ConstructorRegistry()


@_WHOLE_NUMBERS.primitive_rule
def _integers(kind: PrimitiveTypeInfo) -> PrimitiveConstructorSpec[int] | None:
    """Let every setting that is a whole number be given as 100000, 100_000 or 1e5."""
    if kind.type is not int:
        return None
    return PrimitiveConstructorSpec(
        nargs=1,
        metavar="INT",
        instance_from_str=lambda words: whole_number(words[0]),
        is_instance=lambda value: isinstance(value, int),
        str_from_instance=lambda value: [str(value)],
    )


def whole_number(word: str) -> int:
    """Return the number that a word such as 100000, 100_000 or 1e5 stands for.

    Raises:
        ValueError: it stands for none.
    """
    try:
        number = Decimal(word)
    except ArithmeticError:
        number = Decimal("NaN")
    if not number.is_finite() or not -LARGEST < number < LARGEST or number % 1:
        raise ValueError(f"{word!r} is no whole number; give one such as 100000 or 1e5")
    return int(number)


def _module() -> str:
    """Return the module that was started, such as ``experiments.train``."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return spec.name if spec else Path(sys.argv[0]).stem


def _one_line(message: str) -> str:
    """Return what a parser's message says is wrong, without its frame and its second thoughts."""
    parts: list[list[str]] = [[]]
    for line in message.splitlines():
        if line.strip("-─ "):
            parts[-1] += line.split()
        else:
            parts.append([])
    said = " ".join(parts[1] if len(parts) > 1 else parts[0])
    return f"{said.removesuffix('.')}; --help lists what there is."


def provenance(settings: Any) -> dict[str, Any]:
    """Return what a result file says of its making: versions, settings, command, machine."""
    return {
        "settings": plain(dataclasses.asdict(settings)),
        "versions": {name: _version(name) for name in PACKAGES}
        | {"python": platform.python_version()},
        "command": shlex.join(["python", "-m", _module(), *sys.argv[1:]]),
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
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".tmp")
    unfinished.write_text(text)
    unfinished.replace(path)


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


def check_writable(path: Path) -> None:
    """Raise ``SettingsError`` unless a file can be written here, before work is done for it."""
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise SettingsError(
            f"{path} cannot be written ({folder} is no folder that takes files, or {path.name} is "
            "a folder); give the path of a file in a folder of your own."
        )


def check_folder(path: Path) -> None:
    """Raise ``SettingsError`` unless files can be written into this folder, made if missing."""
    if path.exists() and not path.is_dir():
        raise SettingsError(f"{path} is a file; give a folder, new or of your own, as --out.")
    check_writable(path / "a file")


def progress_bar() -> Progress:
    """Return a progress bar on stderr with the time left."""
    return Progress(
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

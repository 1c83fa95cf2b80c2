"""Command lines: a dataclass of settings becomes a command, and what is wrong becomes one line."""

import io
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

import tyro
from tyro.constructors import (
    ConstructorRegistry,
    PrimitiveConstructorSpec,
    PrimitiveTypeInfo,
)

from cardenv.players import PlayerError
from cardenv.replay import ReplayError
from cardenv.rules import RulesError

S = TypeVar("S")

INTERRUPTED = 130
LARGEST = 10**18
"""Whole numbers on the command line are smaller; 1e999999999 would fill the memory."""

PYTORCHS_MEMORY_ERROR = "DefaultCPUAllocator"
"""What PyTorch's message names where it got no memory; the error has no type of its own."""


class SettingsError(ValueError):
    """A command's settings cannot be carried out."""


def run(settings: type[S], main: Callable[[S], int | None]) -> None:
    """Parse the command line, run ``main``, and end the process with its status.

    A wrong word, and whatever else the user can put right, gets one line and status 2.
    """
    try:
        status = main(parse(settings, sys.argv[1:])) or 0
        if sys.stdout is not None:  # a closed one takes nothing
            sys.stdout.flush()
    except (PlayerError, ReplayError, RulesError, SettingsError) as error:
        print(f"error: {error}", file=sys.stderr)
        status = 2
    except BrokenPipeError:  # who reads our output has seen enough, as in `... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except OSError as error:
        print(f"error: {_of_file(error)}", file=sys.stderr)
        status = 2
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError) and PYTORCHS_MEMORY_ERROR not in str(error):
            raise
        print(
            "error: these settings need more memory than there is; give smaller ones.",
            file=sys.stderr,
        )
        status = 2
    except KeyboardInterrupt:
        print("stopped.", file=sys.stderr)
        status = INTERRUPTED
    sys.exit(status)


def _of_file(error: OSError) -> str:
    """Return what is wrong with a file, and what can be done about it."""
    what = f"{error.filename or 'a file'}: {error.strerror or error}"
    for kind, advice in _ADVICE.items():
        if isinstance(error, kind):
            return f"{what}; {advice}."
    return f"{what}; make room on the disk, or give another place."


_ADVICE: dict[type[OSError], str] = {
    FileNotFoundError: "give the path of one that is there",
    IsADirectoryError: "give a file, not a folder",
    NotADirectoryError: "a file stands where a folder was expected; give another path",
    FileExistsError: "a file stands where a folder was expected; give another path",
    PermissionError: "change its permissions, or give another path",
}


def parse(settings: type[S], words: list[str]) -> S:
    """Turn command-line words into settings.

    Raises:
        SettingsError: a word is wrong; the parser's message, as one line.
        SystemExit: ``--help`` was asked for and printed.
    """
    printed = io.StringIO()
    try:
        with redirect_stderr(printed), redirect_stdout(printed):
            prog = f"python -m {module_name()}"
            return tyro.cli(settings, args=words, prog=prog, registry=_WHOLE_NUMBERS)
    except SystemExit as end:
        if not end.code:
            print(printed.getvalue(), end="")
            raise
        raise SettingsError(_one_line(printed.getvalue())) from None


def check_writable(path: Path) -> None:
    """Raise ``SettingsError`` unless a file can be written here, before work is done for it."""
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    taken = path.is_dir() or (path.exists() and not os.access(path, os.W_OK))
    if taken or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise SettingsError(
            f"{path} cannot be written ({folder} is no folder that takes files, or {path.name} is "
            "a folder or protected); give the path of a file in a folder of your own."
        )


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


def module_name() -> str:
    """Return the module that was started, such as ``experiments.train``."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return spec.name.removesuffix(".__main__") if spec else Path(sys.argv[0]).stem


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

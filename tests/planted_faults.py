"""Plant one fault for each rule in a copy of the game, and see that the tests find it.

    python -m tests.planted_faults [game] [--jobs 2] [--only S31-23 ...]

For each fault the tests that name its rule run first, then all tests of ``tests/rules``; they run
as plain Python, which needs no compiling. The exit status is 1 if a fault survives, or if its
place in the game's file is not found (then the fault must be written anew).
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.faults import FAULTS

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("cardenv", "agents", "tests", "pyproject.toml")
SECONDS = 180
"""A fault may make a game endless: a run so long has found it too."""


@dataclass(frozen=True)
class Result:
    """What became of a fault."""

    name: str
    found_by: str

    @property
    def found(self) -> bool:
        return self.found_by != ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant every fault, print who found it, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("games", nargs="*", default=list(FAULTS), help="games to plant faults in")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    parser.add_argument("--only", nargs="+", default=[], help="names of faults")
    options = parser.parse_args(arguments)
    survivors = 0
    for game in options.games:
        survivors += plant_all(game, options.jobs, options.only)
    return int(survivors > 0)


def plant_all(game: str, jobs: int, only: Sequence[str]) -> int:
    """Plant a game's faults; return how many survived."""
    faults = {name: fault for name, fault in FAULTS[game].items() if not only or name in only}
    for name, (old, _) in faults.items():
        places = source_of(game, ROOT).read_text().count(old)
        if places != 1:
            raise SystemExit(f"{game}, {name}: the text {old!r} is there {places} times, not once.")
    if failed := first_failure_without_fault(game):
        raise SystemExit(f"{game}: the tests must pass before a fault is planted; {failed}")
    with ThreadPoolExecutor(jobs) as pool:
        results = pool.map(lambda name: plant(game, name, *faults[name]), faults)
        survivors = [report(result) for result in results].count(False)
    print(f"{game}: {len(faults)} faults planted, {survivors} survived", flush=True)
    return survivors


def report(result: Result) -> bool:
    """Print one line; return whether the fault was found."""
    print(f"{result.name:42} {result.found_by or 'SURVIVED'}", flush=True)
    return result.found


def plant(game: str, name: str, old: str, new: str) -> Result:
    """Plant one fault and run the tests until one fails."""
    with tempfile.TemporaryDirectory() as folder:
        copy_to(Path(folder))
        source = source_of(game, Path(folder))
        source.write_text(source.read_text().replace(old, new))
        named = naming_tests(name)
        found_by = (named and first_failure(folder, named)) or first_failure(folder, rules_of(game))
    return Result(name, found_by)


def first_failure_without_fault(game: str) -> str:
    """Run the tests on a copy as it is: it must be the copy that runs, and it must pass."""
    with tempfile.TemporaryDirectory() as folder:
        copy_to(Path(folder))
        command = [sys.executable, "-c", "import cardenv, tests; print(cardenv.__file__)"]
        where = subprocess.run(command, **settings(folder)).stdout
        if not where.startswith(os.path.realpath(folder)) and not where.startswith(folder):
            return f"the copy in {folder} is not what runs, but {where}"
        return first_failure(folder, rules_of(game))


def first_failure(folder: str, tests: Sequence[str]) -> str:
    """Run tests in a copy; return the first that fails, or an empty string."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not bulk", *tests]
    try:
        done = subprocess.run(command, timeout=SECONDS, **settings(folder))
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS} s"
    if done.returncode == 0:
        return ""
    failures = re.findall(r"^(?:FAILED|ERROR) \S*?::(.+?)(?: - |$)", done.stdout, re.MULTILINE)
    if done.returncode != 1 or not failures:
        raise SystemExit(f"the tests did not run:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return str(failures[0])


def settings(folder: str) -> dict[str, object]:
    """How to run a process on a copy."""
    environment = {
        **os.environ,
        "PYTHONPATH": folder,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return {"cwd": folder, "env": environment, "capture_output": True, "text": True}


def copy_to(folder: Path) -> None:
    """Copy what the tests need."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, folder / name)


def source_of(game: str, root: Path) -> Path:
    """Return the game's file."""
    return root / "cardenv" / "games" / f"{game}.py"


def rules_of(game: str) -> list[str]:
    """Return the files of the game's rule tests."""
    return sorted(str(path.relative_to(ROOT)) for path in rule_test_files() if game in path.name)


def naming_tests(name: str) -> list[str]:
    """Return the tests whose names hold a rule's id, as pytest wants them."""
    if not (match := re.fullmatch(r"([A-Z0-9]+)-(\d+)", name)):
        return []
    pattern = rf"def (test_(?:[a-z0-9]+_)*{match[1]}[_]?0*{match[2]}(?:[^0-9(]\w*)?)\("
    return [
        f"{path.relative_to(ROOT)}::{test}"
        for path in sorted(rule_test_files())
        for test in re.findall(pattern, path.read_text(), re.IGNORECASE)
    ]


def rule_test_files() -> list[Path]:
    """Return all files of rule tests."""
    return list((ROOT / "tests" / "rules").glob("test_*.py"))


if __name__ == "__main__":
    sys.exit(main())

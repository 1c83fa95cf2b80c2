"""No index lies beyond its field: compiled code does not look, and writes into what comes next."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cardenv.compiling import JIT
from cardenv.selfcheck.resampling import resampled
from cardenv.selfcheck.setting import BrokenPromise, NotChecked, Setting, going_on, positions, told

PROMISE = "no function reads or writes beyond a field, as the same games in plain Python show"
GAMES, MOST_MOVES = 2, 500
"""What is played of each kind of table: plain Python is slow."""


def check(settings: Sequence[Setting]) -> None:
    """Play some games as plain Python, in which an index beyond a field is an error.

    Where code is compiled, another process does so, since this one may not survive the fault.
    """
    found = _elsewhere(settings) if JIT else fault_of(settings)
    if found is not None:
        place, what = found
        raise settings[place].broken("bounds", what)


def fault_of(settings: Sequence[Setting]) -> tuple[int, str] | None:
    """Return which kind of table cannot be played, and why; ``None`` if all can."""
    for place, setting in enumerate(settings):
        try:
            _play_all(replace(setting, games=GAMES))
        except BrokenPromise:  # the check of that promise tells more of it
            continue
        except Exception as error:
            return place, f"as plain Python it fails: {told(error)}"
    return None


def _play_all(setting: Setting) -> None:
    """Call every function of the game at positions of random play."""
    tables = setting.dealt()
    for move, live in positions(setting, tables):
        if move > MOST_MOVES:
            return
        tables.states()
        for seat in range(setting.players):
            seats = np.full(live.size, seat)
            tables.observe(seats, live)
            resampled(tables, going_on(tables), seats, move)


def _elsewhere(settings: Sequence[Setting]) -> tuple[int, str] | None:
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    done = subprocess.run(
        [sys.executable, "-m", __name__],
        input=pickle.dumps(settings),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths},
        capture_output=True,
    )
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise NotChecked(f"another process cannot play it: {''.join(last)}")
    found = json.loads(done.stdout.splitlines()[-1])
    return None if found is None else (int(found[0]), str(found[1]))


if __name__ == "__main__":
    print(json.dumps(fault_of(pickle.load(sys.stdin.buffer))))

"""What games do, as digests: equal digests in two processes mean equal games.

    python -m tests.trace schwimmen 2000 > digests.json
    python -m tests.trace schwimmen 2000 5 > digests.json

plays about so many episodes over all settings of the game's adapter (``tests/twins``) and prints,
for each setting, a digest after every step; the second, at tables that keep so many events. Every
fifth step there are two more: of rows with what is hidden drawn anew, and of the whole states.
"""

import dataclasses
import hashlib
import json
import random
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from cardenv.table import Tables
from tests.lockstep import Setting, drawn_actions
from tests.twins import ADAPTERS


def small_settings(game: str, episodes: int = 1) -> list[Setting]:
    """Every setting of a game with fewer games each, about ``episodes`` together."""
    settings = ADAPTERS[game].settings()
    each = -(-episodes // len(settings))
    return [dataclasses.replace(s, seeds=s.seeds[: max(1, each)]) for s in settings]


def digests(game: str, settings: Sequence[Setting], history: int = 0) -> list[list[str]]:
    """Play all games of each setting; return its digests, one after the deal and every step."""
    return [trace(tables_of(game, setting, history), setting) for setting in settings]


def tables_of(game: str, setting: Setting, history: int = 0) -> Tables:
    """Return the setting's tables, just dealt."""
    tables = Tables(
        *(game, len(setting.seeds), setting.players),
        rules=setting.rules,
        episode=setting.episode,
        history=history,
    )
    tables.seed(list(setting.seeds))
    tables.reset()
    return tables


def trace(tables: Tables, setting: Setting) -> list[str]:
    """Play tables to their end; return a digest of everything after the deal and every step."""
    found = [digest(tables)]
    while (live := np.flatnonzero(tables.turn >= 0)).size:
        tables.step(drawn_actions(tables, live, setting.weights), live)
        found.append(digest(tables))
        if len(found) % 5 == 0:
            found += [digest_resampled(tables), _digest([tables.states()])]
    seats = [tables.observe(np.full(tables.count, seat)) for seat in range(setting.players)]
    return [*found, _digest([*seats, tables.states()])]


def digest(tables: Tables) -> str:
    """Digest every field of the rows, and what the deciding seats are given."""
    fields = [tables.rows[name] for name in tables.rows.dtype.names]
    return _digest([*fields, tables.observations, tables.masks])


def digest_resampled(tables: Tables) -> str:
    """Digest copies of the rows in which all that the deciding seats cannot know is drawn anew."""
    rows = tables.rows.copy()
    tables.kernels.resample(rows, tables.record, np.maximum(tables.turn, 0), tables.play_keys())
    return _digest([rows[name] for name in rows.dtype.names])


def _digest(arrays: Sequence[Any]) -> str:
    together = hashlib.sha256()
    for array in arrays:
        together.update(np.ascontiguousarray(array).tobytes())
    return together.hexdigest()[:12]


def main(game: str, episodes: int, history: int = 0) -> None:
    """Print the digests as JSON, after the global generators have been put out of order."""
    random.seed()
    np.random.seed(random.randrange(2**32))
    json.dump(digests(game, small_settings(game, episodes), history), sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))

"""Rules written by hand, one module a game, found by the game's name.

A heuristic is a compiled function ``(observation, mask, key) -> action`` of one row: uint8
``[size]``, int8 ``[actions]``, uint64. A module lists its heuristics in ``HEURISTICS``.
"""

import functools
import importlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.compiling import bind, cached
from cardenv.games import Game
from cardenv.players import PlayerError
from cardenv.table import Tables


def _module(game: Game) -> ModuleType | None:
    name = f"{__name__}.{game.name}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def names(game: Game) -> list[str]:
    """Return the names of the game's heuristics.

    Raises:
        PlayerError: the game's module lists none.
    """
    module = _module(game)
    if module and not hasattr(module, "HEURISTICS"):
        raise PlayerError(
            f"{module.__file__} lists no heuristics; let it end with "
            'HEURISTICS = {"name": function}.'
        )
    return list(module.HEURISTICS) if module else []


def choose(observation: Any, mask: Any, key: Any) -> int:
    """Stand for the heuristic that a kernel is bound to."""
    raise RuntimeError("rows are played only as _kernel(game, name) binds them.")


def act_rows(observations: Any, masks: Any, keys: Any, actions: Any) -> None:
    """Write the choice for every row to ``actions``."""
    for i in range(actions.size):
        actions[i] = choose(observations[i], masks[i], keys[i])


@functools.cache
def _kernel(game: Game, name: str) -> Callable[..., None]:
    module = _module(game)
    assert module is not None
    bound = bind(act_rows, f"{game.name}_{name}", {"choose": module.HEURISTICS[name]})
    own = [Path(str(module.__file__)), *Path(__file__).parent.glob("*.py")]
    return cached(bound, {*game.sources, *own})


class Heuristic:
    """A game's heuristic as a batched player."""

    def __init__(self, game: Game, name: str) -> None:
        self.game = game
        self.name = name

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        keys: NDArray[np.uint64],
    ) -> NDArray[np.int64]:
        """Choose by the heuristic (see ``cardenv.players.Player.act`` for shapes).

        Raises:
            PlayerError: the observations are not of this game's size, or not as it stores them.
        """
        layout = self.game.layout
        seats, rest = divmod(observations.shape[1] - layout.shared_size, layout.seat_size)
        if observations.dtype != np.uint8 or seats < 2 or rest:
            raise PlayerError(
                f"agent {self.name!r} was given observations of {observations.shape[1]} "
                f"{observations.dtype}; give those of {self.game.name}'s tables, as uint8."
            )
        actions = np.empty(len(keys), np.int64)
        _kernel(self.game, self.name)(
            np.ascontiguousarray(observations),
            np.ascontiguousarray(masks, np.int8),
            np.ascontiguousarray(keys, np.uint64),
            actions,
        )
        return actions

    def check(self, tables: Tables) -> None:
        """Raise ``PlayerError`` at tables of another game."""
        if tables.game != self.game:
            raise PlayerError(
                f"agent {self.name!r} plays {self.game.name}, not {tables.game.name}; "
                f"load it with game={tables.game.name!r}."
            )

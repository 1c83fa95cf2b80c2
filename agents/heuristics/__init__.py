"""Rules written by hand, one module a game, found by the game's name.

A module lists its heuristics in ``HEURISTICS``: policies (see ``agents.policies``) by their names.
Beside it, ``<game>_belief`` may tell search which sampled deals to believe by ``is_credible``: a
compiled function ``(row, rules, seat) -> bool`` that says whether the others, if they play
sensibly, would have done with these hands what the seat has seen of them.
"""

import importlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from cardenv.compiling import compiled
from cardenv.games import Game
from cardenv.players import PlayerError


def _module(name: str) -> ModuleType | None:
    name = f"{__name__}.{name}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def functions(game: Game) -> dict[str, Callable[..., Any]]:
    """Return the game's heuristics by their names.

    Raises:
        PlayerError: the game's module lists none.
    """
    module = _module(game.name)
    if module and not hasattr(module, "HEURISTICS"):
        raise PlayerError(
            f"{module.__file__} lists no heuristics; let it end with "
            'HEURISTICS = {"name": function}.'
        )
    return dict(module.HEURISTICS) if module else {}


def credibility(game: Game) -> Callable[..., Any]:
    """Return the game's ``is_credible``, or one that believes everything."""
    module = _module(f"{game.name}_belief")
    return module.is_credible if module else believe


@compiled
def believe(row: Any, rules: Any, seat: int) -> bool:
    """Believe any deal."""
    return True


def sources(game: Game) -> list[Path]:
    """Return the files whose change must recompile the game's heuristics."""
    module = _module(game.name)
    return [Path(str(module.__file__)), *Path(__file__).parent.glob("*.py")] if module else []

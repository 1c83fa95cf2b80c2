"""The games there are: a new one is one file in this folder and one line here."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from cardenv.layout import Layout
from cardenv.rules import GameRules, RulesError

MODULES = ("cardenv.games.schwimmen",)
"""The shipped games' modules, loaded when one is first asked for."""

PARTS = (
    *("NAME", "ALIASES", "VERSION", "MAX_PLAYERS", "DEFAULT_EPISODE", "FIRST_SEAT"),
    *("ACTION_NAMES", "Rules", "STATE", "LAYOUT"),
    *("STATE_LAYOUT", "deal", "legal", "step", "observe", "observe_state", "resample", "describe"),
)
"""What a game's module must define."""

_games: dict[str, "Game"] = {}


@dataclass(frozen=True)
class Game:
    """A game's module under fixed names; equal modules give equal games, pickled by name."""

    module: ModuleType

    @property
    def name(self) -> str:
        """The game's name in files, ids and on the command line."""
        name: str = self.module.NAME
        return name

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names the command line takes."""
        aliases: tuple[str, ...] = self.module.ALIASES
        return aliases

    @property
    def version(self) -> int:
        """The ``N`` of ``_vN``: rises when observation, actions or rules change."""
        version: int = self.module.VERSION
        return version

    @property
    def default_episode(self) -> str:
        """``"match"`` or ``"round"``: what the game's text tells."""
        episode: str = self.module.DEFAULT_EPISODE
        return episode

    @property
    def first_seat(self) -> str:
        """What the game calls the seat that a reset may name, such as ``dealer``."""
        first_seat: str = self.module.FIRST_SEAT
        return first_seat

    @property
    def action_names(self) -> tuple[str, ...]:
        """A word for each action number."""
        names: tuple[str, ...] = self.module.ACTION_NAMES
        return names

    @property
    def rules(self) -> type[GameRules]:
        """The class of the game's rules."""
        rules: type[GameRules] = self.module.Rules
        return rules

    @property
    def state(self) -> np.dtype[Any]:
        """The structured dtype of a row."""
        state: np.dtype[Any] = self.module.STATE
        return state

    @property
    def layout(self) -> Layout:
        """The layout of what a seat observes."""
        layout: Layout = self.module.LAYOUT
        return layout

    @property
    def state_layout(self) -> Layout:
        """The layout of the whole state."""
        layout: Layout = self.module.STATE_LAYOUT
        return layout

    def function(self, name: str) -> Callable[..., Any]:
        """Return one of the game's functions over a row."""
        function: Callable[..., Any] = getattr(self.module, name)
        return function

    @property
    def sources(self) -> tuple[Path, ...]:
        """The files the game's compiled code depends on, beside cardenv's own."""
        return (Path(str(self.module.__file__)),)

    def __reduce__(self) -> tuple[Callable[[str], "Game"], tuple[str]]:
        return _from_module_name, (self.module.__name__,)


def register(module: ModuleType) -> Game:
    """Make a game's module known by its name and aliases; return it as a game.

    Raises:
        ValueError: the module lacks a part that a game has, or its name is taken.
    """
    missing = [part for part in PARTS if not hasattr(module, part)]
    if missing:
        raise ValueError(f"{module.__name__} is no game: it does not define {', '.join(missing)}.")
    game = Game(module)
    for name in (game.name, *game.aliases):
        if _games.get(name, game).module.__name__ != module.__name__:
            raise ValueError(
                f"{module.__name__} wants the name {name!r}, which "
                f"{_games[name].module.__name__} has; give it another NAME or other ALIASES."
            )
    for name in (game.name, *game.aliases):
        _games[name] = game
    return game


def get(name: "str | Game") -> Game:
    """Return the game of that name or alias.

    Raises:
        RulesError: no game has that name; the sentence lists those there are.
    """
    if isinstance(name, Game):
        return name
    _load_shipped()
    if name not in _games:
        known = [" or ".join((game, *_games[game].aliases)) for game in names()]
        raise RulesError(f"{name!r} is no game; there are {', '.join(known)}.")
    return _games[name]


def names() -> list[str]:
    """Return the names of all games, without aliases."""
    _load_shipped()
    return list(dict.fromkeys(game.name for game in _games.values()))


def _load_shipped() -> None:
    for module in MODULES:
        register(importlib.import_module(module))


def _from_module_name(module: str) -> Game:
    return register(importlib.import_module(module))

"""The games there are: a new one is one file in this folder and one line here."""

import importlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from cardenv.figures import COMMON_FIGURES, Figure
from cardenv.layout import Event, Layout
from cardenv.rules import GameRules, RulesError
from cardenv.seats import COMMON_TALLIES

MODULES = ("cardenv.games.schwimmen", "cardenv.games.mow", "cardenv.games.maumau")
"""The shipped games' modules, loaded when one is first asked for; commands play the first one."""

PARTS = (
    *("NAME", "TITLE", "ALIASES", "VERSION", "MAX_PLAYERS", "DEFAULT_EPISODE", "FIRST_SEAT"),
    *("ACTION_NAMES", "Rules", "TALLIES", "STATE", "LAYOUT", "EVENT", "STATE_LAYOUT", "FIGURES"),
    *("deal", "legal", "step", "glance", "witness", "observe", "observe_state", "resample"),
    "describe",
)
"""What a game's module must define; what it may define besides, ``cardenv.selfcheck`` says."""

MOST_ACTIONS = 63
_games: dict[str, "Game"] = {}


class Game:
    """A game's module under fixed names, pickled by the module's name.

    Games are equal if their functions are the same: a module reloaded after a change is another.

    Attributes:
        name: the game's name in files, ids and on the command line.
        title: what people read, such as ``Mau-Mau``.
        aliases: other names the command line takes.
        version: the ``N`` of ``_vN``: rises when observation, actions or rules change.
        default_episode: ``"match"`` or ``"round"``: what the game's text tells.
        first_seat: what the game calls the seat that a reset may name, such as ``dealer``.
        action_names: a word for each action number.
        rules: the class of the game's rules.
        state: the structured dtype of a row.
        event: what a decision shows, beside who decided and what.
        layout: the layout of what a seat observes.
        state_layout: the layout of the whole state.
        tallies: what a row's ``tally`` counts of each seat; what all games count comes first.
        figures: what a table of results shows of these; what all games show comes first.
        sources: the files the compiled code depends on, beside cardenv's own.
    """

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.name: str = module.NAME
        self.title: str = module.TITLE
        self.aliases: tuple[str, ...] = module.ALIASES
        self.version: int = module.VERSION
        self.default_episode: str = module.DEFAULT_EPISODE
        self.first_seat: str = module.FIRST_SEAT
        self.action_names: tuple[str, ...] = module.ACTION_NAMES
        self.rules: type[GameRules] = module.Rules
        self.state: np.dtype[Any] = module.STATE
        self.event: Event = module.EVENT
        fields = self.event.fields(self.rules.MAX_PLAYERS, len(self.action_names))
        self.layout: Layout = replace(module.LAYOUT, event=fields)
        self.state_layout: Layout = module.STATE_LAYOUT
        self.tallies: tuple[str, ...] = (*COMMON_TALLIES, *module.TALLIES)
        self.figures: tuple[Figure, ...] = (*COMMON_FIGURES, *module.FIGURES)
        self.sources = (Path(str(module.__file__)),)
        self._functions = tuple(getattr(module, part) for part in PARTS if part.islower())

    def function(self, name: str) -> Callable[..., Any]:
        """Return one of the game's functions over a row."""
        function: Callable[..., Any] = getattr(self.module, name)
        return function

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._functions == other._functions

    def __hash__(self) -> int:
        return hash(self._functions)

    def __reduce__(self) -> tuple[Callable[[str], "Game"], tuple[str]]:
        return _from_module_name, (self.module.__name__,)


def register(module: ModuleType) -> Game:
    """Make a game's module known by its name and aliases; return it as a game.

    A module that was changed and reloaded is registered anew, and compiled anew when next played.

    Raises:
        ValueError: the module lacks a part that a game has, one is not possible, or its name is
            taken.
    """
    missing = [part for part in PARTS if not hasattr(module, part)]
    if missing:
        raise ValueError(f"{module.__name__} is no game: it does not define {', '.join(missing)}.")
    game = Game(module)
    if not re.fullmatch("[a-z][a-z0-9_]*", game.name):
        raise ValueError(
            f"NAME={game.name!r} is not possible; give small letters, digits and underscores."
        )
    if not isinstance(game.aliases, tuple):
        raise ValueError(f"ALIASES={game.aliases!r} is no tuple; give (), or names in one.")
    if not 1 <= len(game.action_names) <= MOST_ACTIONS:
        raise ValueError(
            f"{game.name} has {len(game.action_names)} actions; give 1 to {MOST_ACTIONS}, "
            "since legal actions are kept as bits."
        )
    places = game.state["tally"].shape[-1]
    if places != len(game.tallies):
        raise ValueError(
            f"{game.name} has TALLIES={module.TALLIES!r}, but STATE has places for "
            f"{places - len(COMMON_TALLIES)}; make it with state(..., tallies=TALLIES)."
        )
    for figure in game.figures:
        if unknown := sorted({*figure.of, *figure.per} - {*game.tallies}):
            raise ValueError(
                f"the figure {figure.name!r} is made of {unknown[0]!r}, which {game.name} does not "
                f"count; there are {', '.join(game.tallies)}."
            )
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
        raise RulesError(f"{name!r} is no game; there are {in_words()}.")
    return _games[name]


def names() -> list[str]:
    """Return the names of all games, without aliases."""
    _load_shipped()
    return list(dict.fromkeys(game.name for game in _games.values()))


def in_words() -> str:
    """Return the names of all games with their aliases, as a sentence takes them."""
    return ", ".join(" or ".join((game, *_games[game].aliases)) for game in names())


def _load_shipped() -> None:
    for module in MODULES:
        register(importlib.import_module(module))


def _from_module_name(module: str) -> Game:
    return register(importlib.import_module(module))

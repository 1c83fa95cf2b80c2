"""cardenv: reinforcement-learning environments for German card games."""

from importlib.metadata import version
from types import ModuleType

from cardenv import games
from cardenv.envs.registration import register_gymnasium
from cardenv.games import Game

__version__ = version("cardenv")
__all__ = ["__version__", "register"]


def register(module: ModuleType) -> Game:
    """Make a game's module known everywhere by its name: to tables, Gymnasium and experiments.

    Raises:
        ValueError: the module lacks a part that a game has, or its name is taken.
    """
    game = games.register(module)
    register_gymnasium(game)
    return game


for _name in games.names():
    register_gymnasium(games.get(_name))

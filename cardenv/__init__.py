"""cardenv: reinforcement-learning environments for German card games."""

from importlib.metadata import version

from cardenv.games import register

__version__ = version("cardenv")
__all__ = ["__version__", "register"]

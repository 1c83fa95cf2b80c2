"""Gymnasium ids: every game gets one, ``cardenv/<Name>-v<N>``.

A fresh worker process that knows only the id takes ``cardenv:cardenv/<Name>-v<N>``, which imports
cardenv first.
"""

import gymnasium

from cardenv.games import Game


def gymnasium_id(game: Game) -> str:
    """Return the game's id, such as ``cardenv/Schwimmen-v0``."""
    return f"cardenv/{game.name.capitalize()}-v{game.version}"


def register_gymnasium(game: Game) -> None:
    """Make ``gymnasium.make`` and ``gymnasium.make_vec`` know the game."""
    if gymnasium_id(game) not in gymnasium.registry:
        gymnasium.register(
            gymnasium_id(game),
            entry_point="cardenv.envs.gymnasium:LearnerEnv",
            vector_entry_point="cardenv.envs.gymnasium:LearnerVectorEnv",
            kwargs={"game": game.name},
        )

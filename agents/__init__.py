"""Players for cardenv's games: random, heuristics, search, and learned ones from run folders."""

import os
import re
from collections.abc import Callable
from pathlib import Path

from agents import champion, policies, search
from agents.champion import Champion
from agents.learned import Learned
from cardenv import games
from cardenv.games import Game
from cardenv.players import AnyPlayer, PlayerError

__all__ = ["load", "names", "register"]

_registered: dict[str, Callable[[Game], AnyPlayer]] = {}


def register(name: str, make: Callable[[Game], AnyPlayer]) -> None:
    """Make an agent of one's own known by a name, wherever this process takes names.

    What experiments keep of an agent they keep for its ``fingerprint``, or its name where it has
    none: give it one that changes with what it plays.

    Args:
        name: letters, digits, blanks, dots, dashes and underscores. Given again, it is the new one.
        make: returns the agent for a game (see ``cardenv.players``).

    Raises:
        PlayerError: the name is not possible, or has a meaning already.
    """
    shipped = {each for game in games.names() for each in names(game)} | {champion.NAME}
    if not re.fullmatch(r"[\w .-]*\w[\w .-]*", name) or name in shipped:
        raise PlayerError(
            f"an agent cannot be registered as {name!r}; give letters, digits, blanks, dots, "
            f"dashes and underscores, and none of {', '.join(sorted(shipped))}."
        )
    _registered[name] = make


def names(game: str | Game) -> list[str]:
    """Return the names that ``load`` knows for any table of a game: those of its policies."""
    return policies.names(games.get(game))


def load(word: str | Path, game: str | Game, *, sample: bool = False) -> AnyPlayer:
    """Return the player that a word stands for; the command line takes the same words.

    Args:
        word: what ``register`` was given, ``random``, a heuristic of the game such as ``greedy``, a
            search such as ``mc:200`` or ``ismcts:20ms:greedy`` (see ``agents.search``),
            ``champion`` for the trained agent that is shipped (see ``agents.champion``), or the
            folder of a training run.
        game: the game to be played.
        sample: let a trained agent draw its actions instead of taking the likeliest.

    Raises:
        PlayerError: the word is none of these; the sentence lists what there is.
    """
    found = games.get(game)
    if not isinstance(word, str | Path):
        raise PlayerError(
            f"{word!r} is no agent's name; give {', '.join(names(found))}, or a folder."
        )
    if word in _registered:
        return _registered[str(word)](found)
    if word in policies.names(found):
        return policies.Policy(found, str(word))
    if word == champion.NAME:
        return Champion(found, sample)
    if search.is_search(str(word)) and not os.path.isdir(word):
        return search.from_word(str(word), found)
    if os.path.isdir(word):  # unlike Path.is_dir, false for a name too long to be one
        return Learned.load(Path(word), sample)
    raise PlayerError(
        f"there is no agent {str(word)!r}; give {', '.join(names(found))}, {champion.NAME}, "
        f"a search such as {search.EXAMPLES}, or the folder of a training run."
    )

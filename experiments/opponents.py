"""Opponents of a learner in training, from words of the command line."""

import math

import agents
from agents.learned import Learned
from agents.search import KINDS
from cardenv.players import AnyPlayer, PlayerError, player_for
from cardenv.table import Tables
from experiments.command import SettingsError
from experiments.pool import Chair
from experiments.stopwatch import Stopwatch


def opponent_weights(words: tuple[str, ...]) -> dict[str, float]:
    """Return the weight of each opponent; a word is a name, or a name and ``:weight``.

    Raises:
        SettingsError: there is no word, a name stands twice, or a weight is wrong.
    """
    weights: dict[str, float] = {}
    for word in words:
        name, weight = _split_weight(word)
        if name in weights:
            raise SettingsError(f"opponents names {name!r} twice; give it one weight.")
        if not 0 <= weight < math.inf:
            raise SettingsError(
                f"opponents gives {name!r} the weight {weight}; give 0 or more, such as {name}:0.5."
            )
        weights[name] = weight
    if not weights:
        raise SettingsError("no opponents were given; name one or more after --opponents.")
    if not any(weights.values()):
        raise SettingsError("opponents have no weight at all; give one of them more than 0.")
    if sum(weights.values()) == math.inf:
        raise SettingsError("opponents have weights of too large a sum; give smaller numbers.")
    return weights


def _split_weight(word: str) -> tuple[str, float]:
    """Return a name and its weight; the number in ``mc:200`` is none."""
    name, colon, text = word.rpartition(":")
    if not colon or name in KINDS:
        return word, 1.0
    try:
        return name, float(text)
    except ValueError:
        return word, 1.0


def load(setting: str, name: str, table: Tables, sample: bool) -> AnyPlayer:
    """Return the agent that a setting names, fit for the table.

    Raises:
        SettingsError: there is none; the sentence names the setting.
    """
    try:
        return player_for(agents.load(name, table.game, sample=sample), table)
    except PlayerError as error:
        raise SettingsError(f"{setting}: {error}") from None


def seated(name: str, table: Tables, sample: bool, thinking: Stopwatch) -> AnyPlayer:
    """Return an opponent fit for the table; networks sit on a chair, where their time is taken.

    Raises:
        SettingsError: there is none of that name.
    """
    found = load("opponents", name, table, sample)
    return Chair(name, found, thinking) if isinstance(found, Learned) else found

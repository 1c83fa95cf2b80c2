"""A game's figures of play, and of matches who won them, each with its interval."""

from typing import Any

import numpy as np

from cardenv.games import Game
from experiments.deals import Played
from experiments.intervals import ratio_interval

MATCHES = {
    "matches won": "share of the matches that it came first in, alone or tied",
    "matches lost": "share of the matches that it did not come first in",
}


def meanings(game: Game, episode: str) -> dict[str, str]:
    """Return what each figure of an episode, ``"round"`` or ``"match"``, means, by its name."""
    found = {figure.name: figure.meaning for figure in game.figures}
    return found | (MATCHES if episode == "match" else {})


def figures_of(
    played: Played, place: int, game: Game, episode: str, confidence: float
) -> dict[str, dict[str, float] | None]:
    """Return an agent's figures, by their names.

    Args:
        played: two deals or more.
        place: the agent's, one that is watched.
        game: whose figures (``Game.figures``).
        episode: ``"round"`` or ``"match"``.
        confidence: level of the intervals.

    Returns:
        ``value``, ``low`` and ``high`` end of each figure, or ``None`` where there was nothing to
        divide by.
    """
    tallies = played.tallies_of(place)
    parts: dict[str, tuple[Any, Any, float]] = {
        figure.name: (*figure.parts(tallies, game.tallies), figure.scale) for figure in game.figures
    }
    if episode == "match":
        lost, every = played.lost_by(place), np.ones(len(played))
        share = 1 / len(played.lineup.columns_of(place))
        won_and_lost = ((1 - lost, every, share), (lost, every, share))
        parts |= dict(zip(MATCHES, won_and_lost, strict=True))
    found = {}
    for name, (above, below, unit) in parts.items():
        interval = ratio_interval(above, below, confidence, unit)
        found[name] = interval and dict(zip(("value", "low", "high"), interval, strict=True))
    return found

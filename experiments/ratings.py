"""Ratings: one number an agent, from games between pairs, with intervals over deals.

A rating is Bradley and Terry's, on Elo's scale: 400 points between two agents are odds of 10 to 1,
so A is expected to get ``1 / (1 + 10 ** ((B - A) / 400))`` of the points in games against B, where
a win is a point and a tie half a point for each. The mean of all ratings is 0; only differences
have a meaning, and only at tables such as those played.

All games are weighed at once, so neither their order nor that of the agents matters, unlike with
Elo's own way to update. A table of several seats is a game between every two of them; such games
are not independent, nor are those of one deal, and so intervals come from drawing whole deals anew.

Where an agent has won, or lost, all its games against others, no rating is finite. Each pair
therefore gets one tied game on top, half a point for each, which keeps every rating finite and is
hardly felt otherwise. Such agents are at least as far apart as the ratings then say, however narrow
their intervals, and ``linked`` tells them.

Sources: Bradley and Terry (1952), "Rank analysis of incomplete block designs"; Newman (2023),
"Efficient computation of rankings from pairwise comparisons"; Efron (1979), "Bootstrap methods";
Omidshafiei and others (2019), "alpha-Rank: multi-agent evaluation by evolution".
"""

from importlib.util import find_spec

import evalica
import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from experiments.command import SettingsError

POINTS_PER_TENFOLD = 400
"""Elo's scale: so many points make odds ten times as good."""
TIED_GAME = 0.5
"""The points that each of a pair gets on top."""
RESAMPLES = 1000
TOLERANCE, MOST_STEPS = 1e-12, 10_000
TIE = 1e-9
"""Scores nearer than this are equal but for their last digits."""


# --- Games between pairs --------------------------------------------------------------------------


def points_between(
    scores: NDArray[np.float64], seated: NDArray[np.int64], agents: int
) -> NDArray[np.float64]:
    """Return who got how many points against whom, by who scored more at a table.

    Args:
        scores: float64 ``[deals, places, tables]`` of each deal's tables.
        seated: int64 ``[deals, places]``, the agent that holds a place at all tables of the deal.
        agents: how many there are; copies of one do not play against each other.

    Returns:
        float64 ``[deals, agents, agents]``: the row's points in games against the column.
    """
    deals, places, tables = scores.shape
    points = np.zeros((deals, agents, agents))
    deal = np.arange(deals)
    for one in range(places):
        for other in range(one):
            ahead = scores[:, one] - scores[:, other]
            won = (ahead > TIE).sum(axis=1) + (np.abs(ahead) <= TIE).sum(axis=1) / 2
            a, b = seated[:, one], seated[:, other]
            points[deal, a, b] += won
            points[deal, b, a] += tables - won
    points[:, np.arange(agents), np.arange(agents)] = 0
    return points


def linked(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return which agents the games alone give ratings that compare: equal numbers for those.

    Two agents are linked where each is ahead of the other by some chain of games won or tied.

    Args:
        points: float64 ``[agents, agents]``, the row's against the column.

    Returns:
        int64 ``[agents]``, the number of each one's group.
    """
    _, groups = connected_components(points > 0, directed=True, connection="strong")
    return np.asarray(groups, np.int64)


# --- Ratings --------------------------------------------------------------------------------------


def rate(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return every agent's rating (see the module).

    Args:
        points: float64 ``[agents, agents]``, the row's in games against the column; at least two
            agents.

    Returns:
        float64 ``[agents]``, points on Elo's scale with a mean of 0.
    """
    count = len(points)
    row, column = np.nonzero(~np.eye(count, dtype=np.bool_))
    found = evalica.bradley_terry(
        row.tolist(),
        column.tolist(),
        [evalica.Winner.X] * len(row),
        weights=(points[row, column] + TIED_GAME).tolist(),
        tolerance=TOLERANCE,
        limit=MOST_STEPS,
    )
    strengths = found.scores.sort_index().to_numpy()
    ratings = POINTS_PER_TENFOLD * np.log10(strengths)
    centred: NDArray[np.float64] = ratings - ratings.mean()
    return centred


def resampled(
    points: NDArray[np.float64], seed: int, resamples: int = RESAMPLES
) -> NDArray[np.float64]:
    """Return the ratings that as many deals, drawn from those played, would have given.

    Args:
        points: float64 ``[deals, agents, agents]``.
        seed: of the draws.
        resamples: how often.

    Returns:
        float64 ``[resamples, agents]``; quantiles of a column bound an agent's interval.
    """
    deals, count, _ = points.shape
    flat = points.reshape(deals, -1)
    generator = np.random.default_rng(seed)
    ratings = np.empty((resamples, count))
    for place in range(resamples):
        times = np.bincount(generator.integers(deals, size=deals), minlength=deals)
        ratings[place] = rate((times @ flat).reshape(count, count))
    return ratings


# --- alpha-rank -----------------------------------------------------------------------------------


def check_alpha_rank(players: int) -> None:
    """Raise ``SettingsError`` where alpha-rank cannot be computed, before anything is played."""
    if players != 2:
        raise SettingsError(
            f"alpha_rank takes 2 players, not {players}: for more it needs the scores of every "
            "mixture of agents at a table."
        )
    if find_spec("open_spiel") is None:
        raise SettingsError(
            "--alpha-rank needs what is not installed here: pip install open_spiel."
        )


def alpha_rank(payoffs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each agent's share of alpha-rank's stationary distribution, by OpenSpiel.

    It is the share of time that a population, in which better agents take over, is made of this
    agent; a cycle of agents that beat each other shares it. In the limit of strong selection that
    is taken here only who beats whom matters, not by how much, and chance in the scores is left
    out.

    Args:
        payoffs: float64 ``[agents, agents]``, the row's score against the column in a symmetric
            game of two players.

    Returns:
        float64 ``[agents]``, which sum to 1.
    """
    from open_spiel.python.egt import alpharank

    _, _, shares, _, _ = alpharank.compute([payoffs], use_inf_alpha=True)
    return np.asarray(shares, np.float64)

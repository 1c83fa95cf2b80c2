"""Players of Mow by rules: the yardstick ``greedy`` and the strongest rules found, ``expert``.

``expert`` weighs every legal action by what it would leave behind (``mow_features``): the flies
shed and those in hand, how many own cards could still be laid, how likely those who come next must
clear, and what a clear costs. The weights (``mow_weights``) differ by what is left of the pile and
by the number of players. Between two, once the pile is gone, it looks ahead (``mow_endgame``).
"""

from typing import Any

import numpy as np

from agents.heuristics import mow_weights as table
from agents.heuristics.mow_endgame import best_at_the_end, is_open
from agents.heuristics.mow_features import write_features
from agents.heuristics.mow_sight import MIDDLE_VALUE, Sight, hand_size, see
from cardenv.cards import NONE
from cardenv.compiling import compiled
from cardenv.games.mow import CLEAR, EDGE_0, FLIES_ON, LAYOUT, VALUE

_DISTANCE, _MUST_OPEN = LAYOUT.offset("distance"), LAYOUT.offset("must_open")

# --- greedy -------------------------------------------------------------------------------------


@compiled
def greedy(observation: Any, mask: Any, key: Any) -> int:
    """Play the yardstick: the smallest step, or nearest to 8; else a special; else clear."""
    best, shortest = -1, 99
    for card in range(EDGE_0):
        if mask[card]:
            step = step_of(observation, card)
            if step < shortest or (step == shortest and FLIES_ON[card] > FLIES_ON[best]):
                best, shortest = card, step
    return best if best >= 0 else lowest_legal(mask, EDGE_0)


@compiled
def step_of(observation: Any, card: int) -> Any:
    """Return a plain card's distance from its end of the row, or from 8 to open with it."""
    if observation[_MUST_OPEN]:
        return abs(np.int64(VALUE[card]) - MIDDLE_VALUE)
    return np.int64(observation[_DISTANCE + card])


@compiled
def lowest_legal(mask: Any, first: int) -> int:
    """Return the lowest legal action from ``first`` on; ``keep`` comes before ``reverse``."""
    action = first
    while action < CLEAR and not mask[action]:
        action += 1
    return action


# --- expert -------------------------------------------------------------------------------------


@compiled
def situation(sight: Sight) -> int:
    """Return which weights apply: by what is left of the pile, and apart for an empty row."""
    opening = sight.values == NONE
    if sight.pile > 18:
        phase = table.EARLY
    elif sight.pile > 3 * sight.players:
        phase = table.MIDDLE
    elif sight.pile > sight.players:
        phase = table.LATE
    elif sight.pile > 0 or opening:
        phase = table.LAST_CARDS
    else:
        phase = table.NO_PILE if hand_size(sight.observation, 0) > 3 else table.FEW_IN_HAND
    return phase + table.OPENING if opening else phase


@compiled
def expert(observation: Any, mask: Any, key: Any) -> int:
    """Search where both hands are open, else take the action of the highest score."""
    sight = see(observation)
    if is_open(sight):
        return best_at_the_end(sight, mask)
    here = situation(sight)
    features = np.zeros(table.FEATURES)
    best, best_score = -1, 0.0
    for action in range(mask.size):
        if mask[action]:
            features[:] = 0.0
            write_features(sight, action, features)
            score = 0.0
            for feature in range(table.FEATURES):
                score += features[feature] * table.WEIGHTS[sight.players - 2, here, feature]
            if best < 0 or score > best_score:
                best, best_score = action, score
    return best


HEURISTICS = {"greedy": greedy, "expert": expert}

"""Players of Mau-Mau by rules: the yardstick ``greedy`` and the strongest rules found, ``expert``.

``expert`` wins at once where a chain of own cards does. Else it plans its turn to the end, over all
cards that let it go on, and weighs what each turn would leave behind (``maumau_features``): what
the hand left could be laid on next and in how many turns, how likely those who come next can lay a
card, and whom a card hits. The weights (``maumau_weights``) differ by the size of the own hand, by
that of the smallest other one, and by the number of players.
"""

from typing import Any

import numpy as np

from agents.heuristics import maumau_weights as table
from agents.heuristics.maumau_features import left, weighed
from agents.heuristics.maumau_sight import Sight, goes_on, see, starters
from cardenv.cards import NONE, ONE, RANKS_PER_SUIT, gather, holds, lowest, singleton
from cardenv.compiling import compiled
from cardenv.games.maumau import (
    ACE,
    CALL_MAU,
    CARD_OF,
    DRAW,
    END,
    JACK,
    LAY_JACK,
    LAYOUT,
    OF_SUIT,
    POINTS,
)

_HAND = LAYOUT.offset("hand")

LARGE_HAND = 8
"""With more cards than this, none is drawn if one can be laid, and no turn planned to its end."""
WIN = 1e9
LONGEST_TURN = 64**3
"""Turns from this number on have four actions and are not planned further."""
MOST_WAITING = 256
"""More turns than ever wait to be looked at: every longer one takes at most 49 places."""

WORTH = np.array(
    [-1 if card % RANKS_PER_SUIT == JACK else POINTS[card % RANKS_PER_SUIT] for card in CARD_OF]
)
"""How gladly ``greedy`` takes each action that lays a card: by its points, and a jack last."""

# --- greedy -------------------------------------------------------------------------------------


@compiled
def greedy(observation: Any, mask: Any, key: Any) -> int:
    """Play the yardstick: call Mau; lay the most points, jacks last; else draw, take or end."""
    if mask[CALL_MAU]:
        return CALL_MAU
    best = -1
    for action in range(DRAW):
        if mask[action] and (best < 0 or WORTH[action] > WORTH[best]):
            best = action
    if best < 0:
        return DRAW if mask[DRAW] else END
    return best if best < LAY_JACK else best_wish(observation, mask, best)


@compiled
def best_wish(observation: Any, mask: Any, action: int) -> int:
    """Return the action that lays the same card and wishes the suit held most of besides it."""
    best, most = action, -1
    for wish in range(4):
        other = (action & ~3) + wish
        if mask[other]:
            held = held_of(observation, wish) - (CARD_OF[action] // RANKS_PER_SUIT == wish)
            if held > most:
                best, most = other, held
    return best


@compiled
def held_of(observation: Any, suit: int) -> int:
    """Return how many own cards are of a suit."""
    held = 0
    for rank in range(RANKS_PER_SUIT):
        held += observation[_HAND + RANKS_PER_SUIT * suit + rank]
    return held


# --- expert -------------------------------------------------------------------------------------


@compiled
def situation(sight: Sight) -> int:
    """Return which weights apply: by the own hand and by the smallest other one."""
    danger = min(sight.danger, 3) - 1
    if sight.open_draws > 0:
        return table.OPEN_SEVEN + danger
    return 3 * min(max(sight.size - 2, 0), 4) + danger


@compiled
def is_sound(sight: Sight, action: int) -> bool:
    """Tell whether an action is worth a look.

    It must not name a suit of which nothing is held, nor add to a large hand that could be smaller:
    two who do that might never end.
    """
    if action == DRAW:
        return sight.open_draws > 0 or sight.size <= LARGE_HAND
    if not LAY_JACK <= action < DRAW:
        return True
    card = singleton(CARD_OF[action])
    return sight.hand & ~(card & ~sight.hand_twice) & OF_SUIT[action & 3] != NONE


@compiled
def winning(sight: Sight, mask: Any) -> int:
    """Return the action that begins to lay the whole hand in one go, or -1."""
    first = starters(sight.hand, sight.hand_twice, sight.players)
    if first != NONE:
        for action in range(DRAW):
            own_suit = action < LAY_JACK or action & 3 == CARD_OF[action] // RANKS_PER_SUIT
            if mask[action] and own_suit and holds(first, CARD_OF[action]):
                return action
    return -1


@compiled
def score_of(sight: Sight, action: int, here: int) -> float:
    """Return the score of a turn that ends with an action."""
    if action < DRAW and sight.size == 1:
        return WIN
    row = table.SITUATIONS * (min(sight.players, 5) - 2) + here
    return weighed(sight, action, row)


# A turn is a number: its actions, the first one lowest, each one higher by 1 in six bits.


@compiled
def first_turns(sight: Sight, actions: Any, turns: Any) -> int:
    """Write the turns that are one action so far to ``turns``; return how many there are."""
    waiting = 0
    while actions != NONE:
        action = lowest(actions)
        if is_sound(sight, action):
            turns[waiting] = action + 1
            waiting += 1
        actions &= actions - ONE
    return waiting


@compiled
def last_of(sight: Sight, turn: int) -> Any:
    """Return what the seat sees before the last action of a turn, and that action."""
    while turn >= 64:
        sight = left(sight, (turn & 63) - 1)
        turn >>= 6
    return sight, turn - 1


@compiled
def may_go_on(sight: Sight, action: int, turn: int) -> bool:
    """Tell whether a turn may have one more action.

    A turn goes on after an ace, and between two players where the other one sits out, as long as
    something fits.
    """
    if action >= DRAW or turn >= LONGEST_TURN or not goes_on(int(CARD_OF[action]), sight.players):
        return False
    after = left(sight, action)
    return after.hand & after.fitting != NONE


@compiled
def longer_turns(sight: Sight, action: int, turn: int, turns: Any, waiting: int) -> int:
    """Add the turns that go on with one more action; return how many are waiting then."""
    after = left(sight, action)
    cards = after.hand & after.fitting
    shift = 6
    while turn >> shift:
        shift += 6
    if CARD_OF[action] % RANKS_PER_SUIT == ACE:
        turns[waiting] = turn + (END + 1 << shift)
        waiting += 1
    while cards != NONE:
        card = lowest(cards)
        if card % RANKS_PER_SUIT != JACK:
            turns[waiting] = turn + (card + 1 << shift)
            waiting += 1
        else:
            for wish in range(4):
                jack = LAY_JACK + 4 * (card // RANKS_PER_SUIT) + wish
                if is_sound(after, jack):
                    turns[waiting] = turn + (jack + 1 << shift)
                    waiting += 1
        cards &= cards - ONE
    return waiting


@compiled
def best_scored(sight: Sight, actions: Any) -> int:
    """Return the action that begins the turn of the highest score."""
    here, turns = situation(sight), np.empty(MOST_WAITING, np.int64)
    waiting, best, best_score = first_turns(sight, actions, turns), -1, 0.0
    while waiting > 0:
        waiting -= 1
        turn = turns[waiting]
        now, action = last_of(sight, turn)
        if sight.size <= LARGE_HAND and may_go_on(now, action, turn):
            waiting = longer_turns(now, action, turn, turns, waiting)
        else:
            score = score_of(now, action, here)
            if best < 0 or score > best_score:
                best, best_score = (turn & 63) - 1, score
    return best


@compiled
def expert(observation: Any, mask: Any, key: Any) -> int:
    """Call Mau; win if possible; else begin the turn of the highest score."""
    actions = gather(mask, 0, mask.size)
    if holds(actions, CALL_MAU):
        return CALL_MAU
    if actions & (actions - ONE) == NONE:
        return lowest(actions)
    sight = see(observation)
    action = winning(sight, mask)
    return action if action >= 0 else best_scored(sight, actions)


HEURISTICS = {"greedy": greedy, "expert": expert}

"""Players of 31 by rules: the yardstick ``greedy`` and the strongest rules found, ``expert``.

``expert`` weighs every legal action by what it would leave behind: the own hand's value and its
chances, the middle for those who come next, what is known of their hands, and the risk of being
lowest. The weights differ by situation (see ``schwimmen_weights``) and by players still in.
"""

from typing import Any, NamedTuple

import numpy as np

from agents.heuristics import schwimmen_weights as table
from cardenv.cards import NONE, ONE, count, gather
from cardenv.compiling import compiled
from cardenv.games.schwimmen import (
    CHANGE,
    KEEP,
    LAY_DOWN,
    LAYOUT,
    PASS,
    REDRAW,
    STOP,
    SUIT_VALUE,
    SWAP_ALL,
    THIRTY_ONE,
    THREE_OF_A_KIND,
)

_HAND, _MIDDLE, _GONE = (LAYOUT.offset(name) for name in ("hand", "middle", "gone"))
_HAND_VALUE, _EXCHANGE_VALUES = LAYOUT.offset("hand_value"), LAYOUT.offset("exchange_values")
_PASSES = LAYOUT.offset("passes")
_KNOWN, _IN, _DEALER = (LAYOUT.offset(name) for name in ("known", "in", "dealer"))
_STOPPED, _TO_HAVE_TURN, _LAP = (LAYOUT.offset(name) for name in ("stopped", "to_have_turn", "lap"))
_SHARED_SIZE, _SEAT_SIZE = LAYOUT.shared_size, LAYOUT.seat_size

# --- greedy -------------------------------------------------------------------------------------

GREEDY_KEEPS, GREEDY_STOPS = 2 * 19, 2 * 26


@compiled
def greedy(observation: Any, mask: Any, key: Any) -> int:
    """Play the yardstick: keep 19, stop at 26, else the best exchange by value, else pass."""
    if mask[KEEP]:
        return KEEP if observation[_HAND_VALUE] >= GREEDY_KEEPS else CHANGE
    if mask[LAY_DOWN]:
        return LAY_DOWN
    if mask[STOP] and observation[_HAND_VALUE] >= GREEDY_STOPS:
        return STOP
    return best_exchange(observation)


@compiled
def best_exchange(observation: Any) -> int:
    """Return the exchange of highest value (ties: the lowest), or pass if none improves."""
    best, best_value = PASS, observation[_HAND_VALUE]
    for action in range(SWAP_ALL + 1):
        if observation[_EXCHANGE_VALUES + action] > best_value:
            best, best_value = action, observation[_EXCHANGE_VALUES + action]
    return best


# --- Cards --------------------------------------------------------------------------------------

_BYTE, _ALL_CARDS = np.uint64(0xFF), np.uint64(0xFFFFFFFF)
_ACE, _TENS = 0x80, 0x78
_POINTS = SUIT_VALUE.astype(np.int64)
_SIZE = np.array([ranks.bit_count() for ranks in range(256)])
_LOWEST_POINTS = _POINTS[[ranks & -ranks for ranks in range(256)]]
_HIGHEST_RANK = np.array([1 << ranks.bit_length() >> 1 for ranks in range(256)])


@compiled
def suit(cards: Any, number: int) -> Any:
    """Return the set of ranks of one suit."""
    return np.int64((cards >> np.uint64(8 * number)) & _BYTE)


@compiled
def twice(cards: Any) -> int:
    """Return the set of ranks that occur twice or more."""
    once, again = 0, 0
    for number in range(4):
        again |= once & suit(cards, number)
        once |= suit(cards, number)
    return again


@compiled
def worth(cards: Any) -> int:
    """Return the value of one to three cards in half-points."""
    best, all_ranks = 0, 0
    for number in range(4):
        ranks = suit(cards, number)
        best = max(best, _POINTS[ranks])
        all_ranks |= ranks
    if _SIZE[all_ranks] == 1 and count(cards) == 3:
        return THIRTY_ONE if all_ranks == _ACE else THREE_OF_A_KIND
    return best


@compiled
def one_card(cards: Any, index: int) -> Any:
    """Return the set of the ``index``-th lowest card."""
    for _ in range(index):
        cards &= cards - ONE
    return cards & (~cards + ONE)


@compiled
def best_take(hand: Any, middle: Any) -> Any:
    """Return the best value of a hand, or of its known part, after one exchange, and the card."""
    best, best_card = worth(hand), NONE
    for number in range(4):
        card = _HIGHEST_RANK[suit(middle, number)]
        ranks = suit(hand, number)
        value = _POINTS[ranks] + _POINTS[card] - (_SIZE[ranks] == 3) * _LOWEST_POINTS[ranks]
        if card and value > best:
            best, best_card = value, np.uint64(card) << np.uint64(8 * number)
    if best < THREE_OF_A_KIND and twice(hand):
        for number in range(4):
            card = twice(hand) & suit(middle, number)
            if card:
                best, best_card = THREE_OF_A_KIND, np.uint64(card) << np.uint64(8 * number)
    return best, best_card


@compiled
def potential(hand: Any, value: int, unseen: Any) -> float:
    """Return how much a hand gains on average by one card drawn from the unseen."""
    gain = 0
    pair = twice(hand)
    for number in range(4):
        cards, ranks = suit(unseen, number), suit(hand, number)
        base = _POINTS[ranks] - (_SIZE[ranks] == 3) * _LOWEST_POINTS[ranks] - value
        gain += max(0, base + 22) * (cards >> 7) + max(0, base + 14) * (cards & 1)
        gain += max(0, base + 18) * (cards >> 2 & 1) + max(0, base + 16) * (cards >> 1 & 1)
        gain += max(0, base + 20) * _SIZE[cards & _TENS]
        gain += (THREE_OF_A_KIND - value) * _SIZE[cards & pair]
    return gain / max(count(unseen), 1)


# --- Opponents ----------------------------------------------------------------------------------


class Sight(NamedTuple):
    """What the deciding seat sees; arrays have a place for everybody still in, the own first."""

    hand: Any
    middle: Any
    unseen: Any
    passes: Any
    players: Any
    dealer: Any  # his place
    stopped: Any  # whether somebody has
    after: Any  # how many have a turn after this one, once somebody has stopped
    known: Any
    laps: Any
    roles: Any


@compiled
def see(observation: Any) -> Sight:
    """Read an observation."""
    known, laps, roles = np.zeros(9, np.uint64), np.zeros(9, np.int64), np.zeros(9, np.int64)
    hand, middle = gather(observation, _HAND, 32), gather(observation, _MIDDLE, 32)
    unseen = _ALL_CARDS & ~(hand | middle | gather(observation, _GONE, 32))
    players, dealer, stopped, after = 0, 0, False, 0
    for start in range(0, observation.size - _SHARED_SIZE, _SEAT_SIZE):
        if observation[start + _IN]:
            known[players] = gather(observation, start + _KNOWN, 32)
            unseen &= ~known[players]
            laps[players] = observation[start + _LAP]
            roles[players] = role_at(observation, start)
            stopped |= roles[players] == table.STOPPER
            after += players > 0 and roles[players] == table.TO_HAVE_TURN
            dealer = players if observation[start + _DEALER] else dealer
            players += 1
    if not stopped:
        roles[:] = table.BEFORE_STOP
    passes = np.int64(observation[_PASSES])
    return Sight(hand, middle, unseen, passes, players, dealer, stopped, after, known, laps, roles)


@compiled
def role_at(observation: Any, start: int) -> int:
    """Return the part of the seat whose block begins at ``start`` in the lap after a stop."""
    if observation[start + _STOPPED]:
        return table.STOPPER
    return table.TO_HAVE_TURN if observation[start + _TO_HAVE_TURN] else table.HAD_LAST_TURN


@compiled
def expect(outlook: Any, role: int, lap: int, known: Any, middle: Any) -> Any:
    """Return an opponent's expected half-points and the scale of their logistic curve.

    ``middle`` is what a player finds who comes next, and nothing for one whose turn is further off.
    """
    cards, value = count(known), float(worth(known))
    if cards < 3:
        expected = outlook[11 * role + min(lap, 4)] + outlook[11 * role + 5 + cards]
        expected += outlook[11 * role + 8 + cards] * value
        return max(expected, value), table.SPREAD_TO_LOGISTIC * outlook[44 + 3 * role + cards]
    if role != table.TO_HAVE_TURN:
        return value, 1.5
    if middle == NONE:
        return value + 3.0, 3.0
    return float(max(best_take(known, middle)[0], worth(middle))), 1.5


@compiled
def above(value: float, other: float, scale: float) -> float:
    """Return the probability that a hand expected at ``other`` is above ``value``."""
    return 1.0 / (1.0 + np.exp((value - other) / scale))


@compiled
def middle_after_reply(known: Any, middle: Any) -> Any:
    """Return what the next player makes of the middle, as far as his hand is known."""
    reached, card = best_take(known, middle)
    if count(known) == 3 and worth(middle) > reached:
        return known
    if known == NONE or card == NONE:
        return middle
    if count(known) < 3:
        return middle & ~card
    return (middle & ~card) | least_needed(known, card)


@compiled
def least_needed(hand: Any, card: Any) -> Any:
    """Return the card of a hand whose exchange for ``card`` gives the highest value."""
    best, best_given = 0, NONE
    for index in range(3):
        given = one_card(hand, index)
        value = worth((hand & ~given) | card)
        if value > best:
            best, best_given = value, given
    return best_given


# --- Features of what an action leaves behind ---------------------------------------------------


@compiled
def write_worth(value: int, out: Any) -> None:
    """Share a value between the two knots around it."""
    value = min(max(value, table.KNOTS[0]), table.KNOTS[-1])
    place = 0
    while value > table.KNOTS[place + 1]:
        place += 1
    out[place + 1] = (value - table.KNOTS[place]) / (table.KNOTS[place + 1] - table.KNOTS[place])
    out[place] = 1.0 - out[place + 1]


@compiled
def write_middle(value: int, hand: Any, middle: Any, out: Any) -> None:
    """Describe the middle that is left: for the own next turn, and for anybody's."""
    middle_value = worth(middle)
    out[table.REACH] = (best_take(hand, middle)[0] - value) / 4.0
    out[table.MIDDLE_VALUE] = (middle_value - 36) / 10.0
    out[table.MIDDLE_HIGH] = max(middle_value - 44, 0) / 10.0
    out[table.MIDDLE_ABOVE] = max(middle_value - value, 0) / 10.0
    out[table.MIDDLE_PAIR] = twice(middle) != 0
    points, suits = 0, 0
    for number in range(4):
        points += _POINTS[suit(middle, number)]
        suits += suit(middle, number) != 0
        out[table.MIDDLE_ACES] += suit(middle, number) >> 7
    out[table.MIDDLE_SUM] = (points - 54) / 4.0
    out[table.MIDDLE_SUITS] = suits - 2.0


@compiled
def write_others(value: int, known: Any, players: int, middle: Any, out: Any) -> None:
    """Describe what the middle gives to the known cards of the next player and the others."""
    before, reached = worth(known[1]), best_take(known[1], middle)[0]
    out[table.NEXT_GAINS] = (reached - before) / 10.0 if before > 0 else 0.0
    out[table.NEXT_HIGH] = max(reached - 44, 0) / 10.0
    if count(known[1]) == 3:
        reached = max(reached, worth(middle))
        out[table.NEXT_ABOVE], out[table.NEXT_BELOW] = reached > value, reached < value
    for place in range(2, players):
        out[table.OTHERS_HIGH] += max(best_take(known[place], middle)[0] - 44, 0) / 10.0


@compiled
def write_risk(sight: Sight, action: int, value: int, middle: Any, outlook: Any, out: Any) -> Any:
    """Describe how likely the hand is the lowest; return what to expect of the next player."""
    risk, weakest, next_one = 1.0, 99.0, (0.0, 1.0)
    for place in range(1, sight.players):
        role = table.TO_HAVE_TURN if action == STOP else sight.roles[place]
        found = middle if place == 1 else NONE
        other, scale = expect(outlook, role, sight.laps[place], sight.known[place], found)
        next_one = (other, scale) if place == 1 else next_one
        risk *= above(value, other, scale)
        weakest = min(weakest, other)
    out[table.RISK] = risk
    out[table.LOG_RISK] = np.log(risk + 1e-4) / 2.0
    out[table.ABOVE_WEAKEST] = max(value - weakest, 0.0) / 10.0
    out[table.BELOW_WEAKEST] = max(weakest - value, 0.0) / 10.0
    out[table.RISK_POTENTIAL] = risk * out[table.POTENTIAL]
    return next_one


@compiled
def write_reply(
    value: int, hand: Any, middle: Any, known: Any, expected: float, scale: float, out: Any
) -> None:
    """Look a reply ahead: what the next player will have, and what is then left to take."""
    mine, his = value, expected
    if middle != NONE:
        left = middle_after_reply(known, middle)
        his = max(his, float(best_take(known, middle)[0]))
        if count(known) == 3:
            his = max(his, float(worth(middle)))
        mine = best_take(hand, left)[0]
        if count(left) == 3:
            mine = max(mine, worth(left))
    out[table.REPLIED_REACH] = (mine - value) / 4.0
    out[table.REPLIED_BELOW] = above(value, his, scale)
    out[table.REPLIED_RISK] = above(mine, his, scale)
    if count(known) == 3:
        out[table.REPLIED_LEAD] = min(max((value - his) / 10.0, -1.5), 1.5)
        out[table.REPLIED_LEAD_AFTER] = min(max((mine - his) / 10.0, -1.5), 1.5)
    out[table.NEXT_STRONG] = max(his - 52, 0.0) / 5.0
    out[table.NEXT_STRONGER] = out[table.NEXT_STRONG] if his > value else 0.0
    out[table.REPLIED_PRODUCT] = out[table.REPLIED_RISK] * out[table.RISK]


# --- expert -------------------------------------------------------------------------------------


@compiled
def situation(sight: Sight, action: int) -> int:
    """Return which weights an action is judged by."""
    if action == KEEP:
        return table.DEAL
    if action == STOP:
        return table.STOP_EARLY if sight.laps[0] <= 1 else table.STOP_LATE
    if action == REDRAW:
        return table.REDRAW_LAST if sight.stopped else table.REDRAW_TURN
    if sight.stopped:
        return table.LAST_ONE if sight.after <= 1 else table.LAST_MORE
    return min(sight.laps[0], table.LATER)


@compiled
def left_behind(hand: Any, middle: Any, action: int) -> Any:
    """Return hand and middle after an action, and the cards that changed hands."""
    if action == KEEP:  # the other pile comes to the middle; the weights take the own one for it
        return hand, hand, NONE, NONE
    if action == SWAP_ALL:
        return middle, hand, hand, middle
    if action > SWAP_ALL:
        return hand, middle, NONE, NONE
    given, taken = one_card(hand, action // 3), one_card(middle, action % 3)
    return (hand & ~given) | taken, (middle & ~taken) | given, given, taken


@compiled
def write_turn(sight: Sight, action: int, here: int, value: int, out: Any) -> None:
    """Describe the turn itself: its tempo, and whether it passes or takes everything."""
    lap = sight.laps[0]
    pace = sight.players - 1 - sight.dealer if here == table.FIRST else min(lap, 8) - 3
    out[table.TEMPO] = pace * (value - 46) / 40.0
    out[table.PASSES], out[table.SWAPS_ALL] = action == PASS, action == SWAP_ALL
    if here == table.LATER and action == PASS:
        out[table.LATE_PASS] = (min(lap, 12) - 3) / 5.0


@compiled
def write_features(sight: Sight, action: int, value: int, outlook: Any, out: Any) -> None:
    """Describe what an action leaves behind, of which the value is known already."""
    here = situation(sight, action)
    write_worth(value, out)
    if action <= PASS and (value >= THIRTY_ONE or (sight.stopped and sight.after == 0)):
        return  # a 31, or the round's last turn: nothing but the value counts
    hand, middle, given, taken = left_behind(sight.hand, sight.middle, action)
    write_turn(sight, action, here, value, out)
    out[table.POTENTIAL] = potential(hand, value, sight.unseen) / 4.0
    out[table.SHOWN] = count((sight.known[0] & ~given) | taken) / 3.0
    if action == PASS and sight.passes >= sight.players - 1 and not sight.stopped:
        out[table.REFRESHES], middle = 1.0, NONE
    else:
        write_middle(value, hand, middle, out)
        write_others(value, sight.known, sight.players, middle, out)
    expected, scale = write_risk(sight, action, value, middle, outlook, out)
    if here <= table.LATER:
        write_reply(value, hand, middle, sight.known[1], expected, scale, out)


@compiled
def write_scores(observation: Any, mask: Any, scores: Any) -> Any:
    """Write the score of every legal action, 0 for a change of piles; tell whether to mix."""
    sight = see(observation)
    row = min(sight.players, 6) - 2
    features = np.zeros(table.FEATURES)
    for action in range(mask.size):
        if mask[action] and action != CHANGE:
            at = _EXCHANGE_VALUES + action if action <= SWAP_ALL else _HAND_VALUE
            features[:] = 0.0
            write_features(sight, action, int(observation[at]), table.OUTLOOKS[row], features)
            here = situation(sight, action)
            for feature in range(table.FEATURES):
                scores[action] += features[feature] * table.WEIGHTS[row, here, feature]
    return not sight.stopped and sight.laps[0] >= table.MIXES_FROM_LAP


@compiled
def best_scored(scores: Any, mask: Any) -> int:
    """Return the legal action of the highest score (ties: the lowest)."""
    choice = -1
    for action in range(mask.size):
        if mask[action] and (choice < 0 or scores[action] > scores[choice]):
            choice = action
    return choice


@compiled
def draw(scores: Any, mask: Any, key: Any) -> int:
    """Draw a legal action by softmax."""
    highest, total = scores[best_scored(scores, mask)], 0.0
    for action in range(mask.size):
        scores[action] = np.exp((scores[action] - highest) / table.MIXING) if mask[action] else 0.0
        total += scores[action]
    wanted = float(key >> np.uint64(11)) / 2.0**53 * total
    choice = -1
    for action in range(mask.size):
        if mask[action] and (choice < 0 or wanted >= 0.0):
            choice = action
        wanted -= scores[action]
    return choice


@compiled
def expert(observation: Any, mask: Any, key: Any) -> int:
    """Lay down a 31, else take the action of the highest score; in long rounds, mix them."""
    if mask[LAY_DOWN]:
        return LAY_DOWN
    scores = np.zeros(mask.size)
    if write_scores(observation, mask, scores):
        return draw(scores, mask, key)
    return best_scored(scores, mask)


HEURISTICS = {"greedy": greedy, "expert": expert}

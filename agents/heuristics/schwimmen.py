"""Players of 31 by rules: the yardstick ``greedy`` and the strongest rules found, ``expert``.

``expert`` weighs every legal action by what it would leave behind: the own hand's value and its
chances, the middle for those who come next, what is known of their hands, and the risk of being
lowest. The weights differ by situation (see ``schwimmen_weights``) and by players still in.
"""

from typing import Any, NamedTuple

import numpy as np

from agents.heuristics import schwimmen_weights as table
from agents.heuristics.schwimmen_weights import WEIGHTS, WORTH
from cardenv.cards import NONE, ONE, count, gather
from cardenv.compiling import compiled
from cardenv.games.schwimmen import (
    CHANGE,
    KEEP,
    LAY_DOWN,
    LAYOUT,
    MAX_PLAYERS,
    PASS,
    REDRAW,
    STOP,
    SUIT_VALUE,
    SWAP_ALL,
    THIRTY_ONE,
    THREE_OF_A_KIND,
    ranks_of,
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

_BYTE, _ALL_CARDS, _ACES = np.uint64(0xFF), np.uint64(0xFFFFFFFF), np.uint64(0x80808080)
_8, _16 = np.uint64(8), np.uint64(16)
_ACE = 0x80
_NOBODY = (NONE,) * (MAX_PLAYERS - 2)

# For each of the 256 sets of one suit's ranks:
_POINTS = SUIT_VALUE.astype(np.int64)
_LOWEST = _POINTS[[ranks & -ranks for ranks in range(256)]]
_KEPT = np.array(
    [_POINTS[ranks] - (ranks.bit_count() == 3) * _LOWEST[ranks] for ranks in range(256)]
)
"""What is left of it where another card comes in: a hand of three gives its lowest."""
_HIGHEST_RANK = np.array([1 << ranks.bit_length() >> 1 for ranks in range(256)])
_HIGHEST = _POINTS[_HIGHEST_RANK]

NO_GAIN = 22
_ABOVE = np.maximum(_POINTS[1 << np.arange(8)] - np.arange(NO_GAIN + 1)[:, None], 0)
_GAIN = (_ABOVE @ (np.arange(256) >> np.arange(8)[:, None] & 1)).astype(np.int16)
"""How far the cards of a set are above a number of half-points, added up; none is above an ace."""


@compiled
def suit(cards: Any, number: int) -> Any:
    """Return the set of ranks of one suit."""
    return np.int64((cards >> np.uint64(8 * number)) & _BYTE)


@compiled
def twice(cards: Any) -> Any:
    """Return the set of ranks that occur twice or more."""
    in_both, in_either = cards & cards >> _8, cards | cards >> _8  # of two suits each
    return (in_both | in_both >> _16 | (in_either & in_either >> _16)) & _BYTE


@compiled
def worth(cards: Any) -> int:
    """Return the value of one to three cards in half-points."""
    ranks = ranks_of(cards)
    if ranks & (ranks - ONE) == NONE and count(cards) == 3:
        return THIRTY_ONE if ranks == _ACE else THREE_OF_A_KIND
    best = 0
    for number in range(4):
        best = max(best, _POINTS[suit(cards, number)])
    return best


@compiled
def one_card(cards: Any, index: int) -> Any:
    """Return the set of the ``index``-th lowest card."""
    for _ in range(index):
        cards &= cards - ONE
    return cards & (~cards + ONE)


class Hand(NamedTuple):
    """A hand, or its known part."""

    cards: Any
    size: Any
    worth: Any
    pairs: Any  # the set of ranks held twice


@compiled
def hand_of(cards: Any) -> Hand:
    """Return a hand of some cards."""
    return Hand(cards, count(cards), worth(cards), twice(cards))


@compiled
def best_take(hand: Hand, middle: Any) -> Any:
    """Return the best value of a hand after one exchange, and the card of the middle for it."""
    best, best_card = hand.worth, NONE
    for number in range(4):
        ranks = suit(middle, number)
        value = _KEPT[suit(hand.cards, number)] + _HIGHEST[ranks]
        if value > best:
            best, best_card = value, np.uint64(_HIGHEST_RANK[ranks]) << np.uint64(8 * number)
    if hand.pairs != NONE and best < THREE_OF_A_KIND:
        for number in range(4):
            card = hand.pairs << np.uint64(8 * number) & middle
            if card != NONE:
                best, best_card = THREE_OF_A_KIND, card
    return best, best_card


@compiled
def potential(hand: Hand, value: int, unseen: Any, unseen_size: int) -> float:
    """Return how much a hand gains on average by one card drawn from the unseen."""
    gain = 0
    for number in range(4):
        needed = value - _KEPT[suit(hand.cards, number)]
        gain += int(_GAIN[min(needed, NO_GAIN), suit(unseen, number)])
    if hand.pairs != NONE:
        for number in range(4):
            thirds = hand.pairs << np.uint64(8 * number) & unseen
            gain += (THREE_OF_A_KIND - value) * count(thirds)
    return gain / unseen_size


# --- Opponents ----------------------------------------------------------------------------------


class Sight(NamedTuple):
    """What the deciding seat sees."""

    hand: Any
    middle: Any
    unseen: Any
    unseen_size: Any
    players: Any  # still in
    row: Any  # of the weights: by their number
    passes: Any
    dealer: Any  # his place among those still in, the own first
    stopped: Any  # whether somebody has
    after: Any  # how many have a turn after this one, once somebody has stopped
    lap: Any  # the own one
    shown: Any  # own cards that everybody knows
    next: Any  # the known cards of the next player
    others: Any  # what is known of the others, where that is two cards or more, last


@compiled
def see(observation: Any) -> Sight:
    """Read an observation."""
    hand, middle = gather(observation, _HAND, 32), gather(observation, _MIDDLE, 32)
    unseen = _ALL_CARDS & ~(hand | middle | gather(observation, _GONE, 32))
    players, dealer, stopped, after = 0, 0, False, 0
    shown, following, others = NONE, NONE, _NOBODY
    for start in range(0, observation.size - _SHARED_SIZE, _SEAT_SIZE):
        if observation[start + _IN]:
            known, role = gather(observation, start + _KNOWN, 32), role_at(observation, start)
            unseen &= ~known
            if players == 0:
                shown = known
            elif players == 1:
                following = known
            elif known & (known - ONE) != NONE:
                others = others[1:] + (known,)  # noqa: RUF005 - Numba knows no other
            stopped |= role == table.STOPPER
            after += players > 0 and role == table.TO_HAVE_TURN
            dealer = players if observation[start + _DEALER] else dealer
            players += 1
    return Sight(
        hand,
        middle,
        unseen,
        max(count(unseen), 1),
        players,
        min(players, 6) - 2,
        np.int64(observation[_PASSES]),
        dealer,
        stopped,
        after,
        np.int64(observation[_LAP]),
        shown,
        hand_of(following),
        others,
    )


@compiled
def role_at(observation: Any, start: int) -> int:
    """Return the part of the seat whose block begins at ``start`` in the lap after a stop."""
    if observation[start + _STOPPED]:
        return table.STOPPER
    return table.TO_HAVE_TURN if observation[start + _TO_HAVE_TURN] else table.HAD_LAST_TURN


CERTAIN = 1.5
"""The scale of the curve of a hand that is known."""


class Guess(NamedTuple):
    """What a hand is expected to be worth: the middle of a logistic curve, in half-points."""

    value: Any
    scale: Any


class Others(NamedTuple):
    """What is expected of the other hands."""

    next: Guess
    replies: Any  # whether the next player is all known, and takes of what he finds
    weakest: Any  # expected half-points of the lowest hand but his


@compiled
def expect(row: int, role: int, lap: Any, known: Hand) -> Guess:
    """Return what to expect of an opponent's hand, whatever he finds in the middle."""
    worth_known = float(known.worth)
    if known.size == 3:
        if role == table.TO_HAVE_TURN:
            return Guess(worth_known + 3.0, 3.0)
        return Guess(worth_known, CERTAIN)
    expected = table.OUTLOOKS[row, 11 * role + min(lap, 4)]
    expected += table.OUTLOOKS[row, 11 * role + 5 + known.size]
    expected += table.OUTLOOKS[row, 11 * role + 8 + known.size] * worth_known
    spread = table.OUTLOOKS[row, 44 + 3 * role + known.size]
    return Guess(max(expected, worth_known), table.SPREAD_TO_LOGISTIC * spread)


@compiled
def above(value: int, other: Guess) -> float:
    """Return the probability that another hand is above a value."""
    return 1.0 / (1.0 + np.exp((value - other.value) / other.scale))


@compiled
def expect_others(observation: Any, sight: Sight, stop: bool, chances: Any) -> Others:
    """Return what to expect of the others, with or without a stop by this action.

    ``chances`` gets for each action up to ``STOP`` the probabilities that they are above it.
    """
    following, replies, weakest = Guess(0.0, 1.0), False, 99.0
    place = 0
    for start in range(0, observation.size - _SHARED_SIZE, _SEAT_SIZE):
        if observation[start + _IN]:
            if place > 0:
                role = table.BEFORE_STOP
                if stop:
                    role = table.TO_HAVE_TURN
                elif sight.stopped:
                    role = role_at(observation, start)
                known = hand_of(gather(observation, start + _KNOWN, 32))
                guess = expect(sight.row, role, np.int64(observation[start + _LAP]), known)
                if place == 1:
                    following = guess
                    replies = known.size == 3 and role == table.TO_HAVE_TURN
                else:
                    weakest = min(weakest, guess.value)
                for action in range(STOP if stop else first_action(sight), STOP + stop):
                    chances[action, place] = above(value_after(observation, action), guess)
            place += 1
    return Others(following, replies, weakest)


@compiled
def first_action(sight: Sight) -> int:
    """Return the lowest action there is: the dealer who chooses a pile finds no middle."""
    return PASS if sight.middle == NONE else 0


@compiled
def value_after(observation: Any, action: int) -> int:
    """Return the own value in half-points after an action."""
    return int(observation[_EXCHANGE_VALUES + action if action <= SWAP_ALL else _HAND_VALUE])


class Left(NamedTuple):
    """What an action leaves behind."""

    action: Any
    value: Any  # of the own hand in half-points, by the table's rules
    hand: Hand
    middle: Hand  # no cards if a new one comes
    shown: Any  # own cards that everybody knows


class Reply(NamedTuple):
    """What the next player may take, as far as his hand is known."""

    take: Any  # best value of his known cards after one exchange
    card: Any  # the one he takes for it
    reached: Any  # the same value, or that of all three cards
    his: Guess  # what to expect of his hand then


@compiled
def reply_to(left: Left, sight: Sight, others: Others) -> Reply:
    """Return what the next player makes of the middle."""
    known, middle, his = sight.next, left.middle, others.next
    if known.cards == NONE or middle.cards == NONE:  # a single card is below any expectation
        return Reply(0, NONE, 0, his)
    take, card = best_take(known, middle.cards)
    reached = max(take, middle.worth) if known.size == 3 else take
    if others.replies:
        his = Guess(float(reached), CERTAIN)
    elif reached > his.value:
        his = Guess(float(reached), his.scale)
    return Reply(take, card, reached, his)


@compiled
def after_reply(known: Hand, reply: Reply, middle: Hand) -> Any:
    """Return what the next player leaves of the middle, as far as his hand is known."""
    if known.size == 3 and middle.worth > reply.take:
        return known.cards
    if reply.card == NONE:
        return middle.cards
    if known.size < 3:
        return middle.cards & ~reply.card
    return (middle.cards & ~reply.card) | least_needed(known.cards, reply.card)


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


# --- What an action leaves behind, and its score --------------------------------------------------


@compiled
def leave(sight: Sight, action: int, value: int) -> Left:
    """Return what an action leaves behind."""
    hand, middle, given, taken = exchange(sight.hand, sight.middle, action)
    if refreshes(sight, action):
        middle = NONE
    own = Hand(hand, 3, min(value, THIRTY_ONE), twice(hand))
    return Left(action, value, own, hand_of(middle), (sight.shown & ~given) | taken)


@compiled
def exchange(hand: Any, middle: Any, action: int) -> Any:
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
def refreshes(sight: Sight, action: int) -> bool:
    """Tell whether an action is the pass that brings a new middle."""
    return action == PASS and sight.passes >= sight.players - 1 and not sight.stopped


@compiled
def situation(sight: Sight, action: int) -> int:
    """Return which weights an action is judged by."""
    if action == KEEP:
        return table.DEAL
    if action == STOP:
        return table.STOP_EARLY if sight.lap <= 1 else table.STOP_LATE
    if action == REDRAW:
        return table.REDRAW_LAST if sight.stopped else table.REDRAW_TURN
    if sight.stopped:
        return table.LAST_ONE if sight.after <= 1 else table.LAST_MORE
    return min(sight.lap, table.LATER)


# The features are added in their order, so that every score is the same to the last bit.


@compiled
def with_turn(
    score: float, at: int, here: int, sight: Sight, left: Left, drawing: float, reach: int
) -> float:
    """Add the chances of the hand, the tempo, and whether the turn passes or takes everything."""
    score += WEIGHTS[at, table.POTENTIAL] * drawing
    score += WEIGHTS[at, table.REACH] * ((reach - left.value) / 4.0)
    score += WEIGHTS[at, table.TEMPO] * (pace(sight, here) * (left.value - 46) / 40.0)
    if left.action == PASS:
        score += WEIGHTS[at, table.PASSES]
        if left.middle.cards == NONE:
            score += WEIGHTS[at, table.REFRESHES]
    if left.action == SWAP_ALL:
        score += WEIGHTS[at, table.SWAPS_ALL]
    return score


@compiled
def pace(sight: Sight, here: int) -> int:
    """Return how far on the round is: by turns before the next own one, or by laps."""
    if here == table.FIRST:
        return sight.players - 1 - sight.dealer
    return min(sight.lap, 8) - 3


@compiled
def with_middle(score: float, at: int, middle: Hand) -> float:
    """Add what lies in the middle."""
    points = 0
    for number in range(4):
        points += _POINTS[suit(middle.cards, number)]
    score += WEIGHTS[at, table.MIDDLE_VALUE] * ((middle.worth - 36) / 10.0)
    score += WEIGHTS[at, table.MIDDLE_SUM] * ((points - 54) / 4.0)
    score += WEIGHTS[at, table.MIDDLE_ACES] * count(middle.cards & _ACES)
    score += WEIGHTS[at, table.MIDDLE_HIGH] * (max(middle.worth - 44, 0) / 10.0)
    return score + WEIGHTS[at, table.MIDDLE_PAIR] * (middle.pairs != NONE)


@compiled
def with_risk(score: float, at: int, risk: float, lead: float) -> float:
    """Add how likely the hand is the lowest, and how far it is above the weakest other."""
    score += WEIGHTS[at, table.RISK] * risk
    score += WEIGHTS[at, table.LOG_RISK] * (np.log(risk + 1e-4) / 2.0)
    return score + WEIGHTS[at, table.ABOVE_WEAKEST] * (max(lead, 0.0) / 10.0)


@compiled
def with_others(score: float, at: int, sight: Sight, left: Left, reply: Reply) -> float:
    """Add what the middle gives to the known cards of the next player and of the others."""
    known = sight.next
    if known.cards != NONE:
        score += WEIGHTS[at, table.NEXT_GAINS] * ((reply.take - known.worth) / 10.0)
        score += WEIGHTS[at, table.NEXT_HIGH] * (max(reply.take - 44, 0) / 10.0)
    if known.size == 3:
        score += WEIGHTS[at, table.NEXT_ABOVE] * (reply.reached > left.value)
        score += WEIGHTS[at, table.NEXT_BELOW] * (reply.reached < left.value)
    if sight.others[-1] != NONE:
        score += WEIGHTS[at, table.OTHERS_HIGH] * others_high(sight, left.middle.cards)
    return score


@compiled
def others_high(sight: Sight, middle: Any) -> float:
    """Return how far above 44 the others' known cards get, in units of 10."""
    high = 0.0
    for cards in sight.others:
        if cards != NONE:
            high += max(best_take(hand_of(cards), middle)[0] - 44, 0) / 10.0
    return high


@compiled
def suits_of(cards: Any) -> int:
    """Return how many suits there are among cards."""
    suits = 0
    for number in range(4):
        suits += suit(cards, number) != 0
    return suits


@compiled
def best_of_rest(hand: Hand, reach: int, middle: Any, rest: Any) -> int:
    """Return the best value after the next player's reply; ``reach`` is that before it."""
    if rest != middle:
        reach = best_take(hand, rest)[0]
    return max(reach, worth(rest)) if count(rest) == 3 else reach


@compiled
def with_reply(
    score: float, at: int, value: int, mine: int, his: Guess, is_known: bool, risk: float
) -> float:
    """Add what the next player will have, and what is then left to take."""
    replied_below = above(value, his)
    replied_risk = replied_below if mine == value else above(mine, his)
    score += WEIGHTS[at, table.REPLIED_REACH] * ((mine - value) / 4.0)
    score += WEIGHTS[at, table.REPLIED_BELOW] * replied_below
    score += WEIGHTS[at, table.REPLIED_RISK] * replied_risk
    if is_known:
        lead, lead_after = (value - his.value) / 10.0, (mine - his.value) / 10.0
        score += WEIGHTS[at, table.REPLIED_LEAD] * min(max(lead, -1.5), 1.5)
        score += WEIGHTS[at, table.REPLIED_LEAD_AFTER] * min(max(lead_after, -1.5), 1.5)
    strong = max(his.value - 52, 0.0) / 5.0
    score += WEIGHTS[at, table.NEXT_STRONG] * strong
    if his.value > value:
        score += WEIGHTS[at, table.NEXT_STRONGER] * strong
    return score + WEIGHTS[at, table.REPLIED_PRODUCT] * (replied_risk * risk)


@compiled
def score_of(
    sight: Sight, left: Left, here: int, others: Others, reply: Reply, risk: float
) -> float:
    """Return the score of an action by what it leaves behind."""
    at = sight.row * table.SITUATIONS + here
    value, hand, middle = left.value, left.hand, left.middle
    drawing = potential(hand, value, sight.unseen, sight.unseen_size) / 4.0
    reach = value if middle.cards == NONE else best_take(hand, middle.cards)[0]
    now = reply.his if others.replies else others.next
    lead = value - min(others.weakest, now.value)
    score = with_turn(WORTH[at, value], at, here, sight, left, drawing, reach)
    if middle.cards != NONE:
        score = with_middle(score, at, middle)
    score = with_risk(score, at, risk, lead)
    if middle.cards != NONE:
        score = with_others(score, at, sight, left, reply)
        score += WEIGHTS[at, table.MIDDLE_ABOVE] * (max(middle.worth - value, 0) / 10.0)
    score += WEIGHTS[at, table.SHOWN] * (count(left.shown) / 3.0)
    if middle.cards != NONE:
        score += WEIGHTS[at, table.MIDDLE_SUITS] * (suits_of(middle.cards) - 2.0)
    score += WEIGHTS[at, table.BELOW_WEAKEST] * (max(-lead, 0.0) / 10.0)
    score += WEIGHTS[at, table.RISK_POTENTIAL] * (risk * drawing)
    if here <= table.LATER:
        rest = after_reply(sight.next, reply, middle)
        mine = best_of_rest(hand, reach, middle.cards, rest)
        score = with_reply(score, at, value, mine, reply.his, sight.next.size == 3, risk)
        if left.action == PASS and here == table.LATER:
            score += WEIGHTS[at, table.LATE_PASS] * ((min(sight.lap, 12) - 3) / 5.0)
    return score


@compiled
def only_value_counts(sight: Sight, action: int, value: int) -> bool:
    """Tell whether nothing but the value counts: with a 31, and in the round's last turn."""
    return action <= PASS and (value >= THIRTY_ONE or (sight.stopped and sight.after == 0))


# --- expert -------------------------------------------------------------------------------------


@compiled
def write_scores(observation: Any, mask: Any, scores: Any, chances: Any) -> Any:
    """Write the score of every legal action, 0 for a change of piles; tell whether to mix.

    Args:
        observation: what the seat sees.
        mask: its legal actions.
        scores: float64 ``[actions]``, written.
        chances: float64 ``[STOP + 1, players]``, a buffer.
    """
    sight = see(observation)
    for stop in range(1 + mask[STOP]):  # what the others may still do depends on it
        others = expect_others(observation, sight, stop == 1, chances)
        for action in range(mask.size):
            if mask[action] and action != CHANGE and (action == STOP) == (stop == 1):
                value, here = value_after(observation, action), situation(sight, action)
                score = WORTH[sight.row * table.SITUATIONS + here, value]
                if not only_value_counts(sight, action, value):
                    left = leave(sight, action, value)
                    reply = reply_to(left, sight, others)
                    at = action if action <= STOP else PASS
                    risk = above(value, reply.his) if others.replies else chances[at, 1]
                    for place in range(2, sight.players):
                        risk *= chances[at, place]
                    score = score_of(sight, left, here, others, reply, risk)
                scores[action] = score
    if mask[CHANGE]:
        scores[CHANGE] = 0.0
    return not sight.stopped and sight.lap >= table.MIXES_FROM_LAP


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
    scores, chances = np.empty(mask.size), np.empty((STOP + 1, MAX_PLAYERS))
    if write_scores(observation, mask, scores, chances):
        return draw(scores, mask, key)
    return best_scored(scores, mask)


HEURISTICS = {"greedy": greedy, "expert": expert}

"""What a player of Mau-Mau sees, and what may be laid on what: the ground of ``expert``.

Which switches a table plays is not seen. Where they matter, the default rules are assumed; a plan
that would need another one is not made.
"""

from typing import Any, NamedTuple

import numpy as np

from cardenv.cards import CARDS, NONE, ONE, RANKS_PER_SUIT, count, gather, holds, lowest, singleton
from cardenv.compiling import compiled
from cardenv.games.maumau import (
    ACE,
    EIGHT,
    JACKS,
    KING_OF_HEARTS,
    LAYOUT,
    MAX_PLAYERS,
    OF_RANK,
    OF_SUIT,
)

_HAND, _DISCARDED, _TALON = (LAYOUT.offset(name) for name in ("hand", "discarded", "talon"))
_TOP_SUIT, _TOP_RANK = LAYOUT.offset("top_suit"), LAYOUT.offset("top_rank")
_SUIT_IN_FORCE, _WISH = LAYOUT.offset("suit_in_force"), LAYOUT.offset("wish")
_OPEN_DRAWS = LAYOUT.offset("open_draws")
_DREW, _SEATED, _HAND_SIZE = (LAYOUT.offset(name) for name in ("drew_suit", "seated", "hand_size"))
_SHARED_SIZE, _SEAT_SIZE = LAYOUT.shared_size, LAYOUT.seat_size

_EVERY_SUIT, _RANKS = np.uint64(0x01010101), np.uint64(0xFF)
_ALL = np.uint64((1 << CARDS) - 1)
_4, _8, _16, _24 = (np.uint64(n) for n in (4, 8, 16, 24))
_SKIPPING = OF_RANK[EIGHT] | singleton(KING_OF_HEARTS)
"""Between two players, who lays one of these is next himself."""
MOST_IN_CHAIN = 5
DREW_FACTS = 12
_ABOVE_FACTS, _FACTS = np.uint64(DREW_FACTS), np.uint64((1 << DREW_FACTS) - 1)
_NOBODY = (NONE,) * (MAX_PLAYERS - 1)


class Sight(NamedTuple):
    """What the deciding seat sees; a set with ``twice`` holds those there twice."""

    players: Any
    size: Any  # of the own hand
    danger: Any  # size of the smallest other hand
    seats: Any  # the others in turn: what each drew on, and the size of the hand above that
    hand: Any
    hand_twice: Any
    unseen: Any  # in other hands or in the talon
    unseen_twice: Any
    fitting: Any  # what may be laid now, an open seven aside
    suit: Any  # in force
    open_draws: Any
    laid: Any  # cards in the turn that is planned, kings of hearts among them
    kings: Any


@compiled
def see(observation: Any) -> Sight:
    """Read an observation."""
    size = size_at(observation, 0)
    players, cards, danger, seats = 1, np.int64(observation[_TALON]) + 1 + size, 2 * CARDS, _NOBODY
    for place in range((observation.size - _SHARED_SIZE) // _SEAT_SIZE - 1, 0, -1):
        if observation[_SEATED + place * _SEAT_SIZE]:
            others_size = size_at(observation, place)
            players, cards, danger = players + 1, cards + others_size, min(danger, others_size)
            seats = (seat_at(observation, place),) + seats[:-1]  # noqa: RUF005 - for Numba
    hand = hand_twice = seen = seen_twice = NONE
    top = RANKS_PER_SUIT * one_of(observation, _TOP_SUIT) + one_of(observation, _TOP_RANK)
    for card in range(CARDS):
        held, discarded = observation[_HAND + card], observation[_DISCARDED + card]
        cards += discarded
        known = held + discarded + (card == top)
        hand |= np.uint64(held > 0) << np.uint64(card)
        hand_twice |= np.uint64(held > 1) << np.uint64(card)
        seen |= np.uint64(known > 0) << np.uint64(card)
        seen_twice |= np.uint64(known > 1) << np.uint64(card)
    two_packs = cards > CARDS
    suit = one_of(observation, _SUIT_IN_FORCE)
    return Sight(
        players,
        size,
        danger,
        seats,
        hand,
        hand_twice,
        _ALL & ~(seen_twice if two_packs else seen),
        _ALL & ~seen if two_packs else NONE,
        (OF_SUIT[suit] if observation[_WISH] else fitting_on(top)) | JACKS,
        suit,
        np.int64(observation[_OPEN_DRAWS]),
        0,
        0,
    )


@compiled
def one_of(observation: Any, offset: int) -> int:
    """Return the place of the byte that is 1."""
    place = 0
    while place < RANKS_PER_SUIT - 1 and not observation[offset + place]:
        place += 1
    return place


@compiled
def size_at(observation: Any, place: int) -> Any:
    """Return how many cards the seat so many places on holds."""
    return np.int64(observation[_HAND_SIZE + place * _SEAT_SIZE])


@compiled
def seat_at(observation: Any, place: int) -> Any:
    """Return what is known of the seat so many places on, as ``Sight.seats`` keeps it.

    It is a number, since a sight that held arrays would count references at every step.
    """
    size = np.uint64(observation[_HAND_SIZE + place * _SEAT_SIZE])
    return gather(observation, _DREW + place * _SEAT_SIZE, DREW_FACTS) | size << _ABOVE_FACTS


@compiled
def size_of(seat: Any) -> Any:
    """Return how many cards a seat holds."""
    return np.int64(seat >> _ABOVE_FACTS)


@compiled
def many(cards: Any, twice: Any) -> int:
    """Return how many cards there are."""
    return count(cards) + count(twice)


# --- What may be laid on what ---------------------------------------------------------------------


@compiled
def fitting_on(card: int) -> Any:
    """Return what fits on a card that names nothing."""
    return OF_SUIT[card // RANKS_PER_SUIT] | OF_RANK[card % RANKS_PER_SUIT] | JACKS


@compiled
def tops_for(hand: Any) -> Any:
    """Return the cards on which some card of a hand fits."""
    if hand & JACKS != NONE:
        return _ALL
    tops = NONE
    for suit in OF_SUIT:
        if hand & suit != NONE:
            tops |= suit
    ranks = (hand | hand >> _8 | hand >> _16 | hand >> _24) & _RANKS
    return tops | ranks * _EVERY_SUIT


@compiled
def goes_on(card: int, players: int) -> bool:
    """Tell whether who lays a card is surely to lay the next one: an ace, and more between two."""
    rank = card % RANKS_PER_SUIT
    return rank == ACE or (players == 2 and (rank == EIGHT or card == KING_OF_HEARTS))


@compiled
def starters(hand: Any, twice: Any, players: int) -> Any:
    """Return the cards from which on the whole hand can be laid one after the other, in one go.

    All but the last must let their player go on.
    """
    stopping = ~(OF_RANK[ACE] | (_SKIPPING if players == 2 else NONE))
    if many(hand & stopping, twice & stopping) > 1 or many(hand, twice) > MOST_IN_CHAIN:
        return NONE
    if hand & (hand - ONE) == NONE and twice == NONE:
        return hand
    return starters_of_chains(hand, twice, players)


@compiled
def starters_of_chains(hand: Any, twice: Any, players: int) -> Any:
    """Return the same of a hand that may be a chain.

    After the king of hearts only a heart or a jack is sure to fit: he may name a suit.
    """
    cards, size = np.empty(MOST_IN_CHAIN, np.int64), 0
    while hand != NONE:
        card = lowest(hand)
        for _ in range(2 if holds(twice, card) else 1):
            cards[size] = card
            size += 1
        hand &= hand - ONE
    ways = np.zeros(1 << MOST_IN_CHAIN, np.uint64)  # per set of places in ``cards``: the starters
    for places in range(1, 1 << size):
        for place in range(size):
            if places >> place & 1:
                card, rest = cards[place], places & ~(1 << place)
                if rest == 0 or (goes_on(card, players) and ways[rest] & after(card) != NONE):
                    ways[places] |= singleton(card)
    return ways[(1 << size) - 1]


@compiled
def after(card: int) -> Any:
    """Return what is sure to fit on a card."""
    if card == KING_OF_HEARTS:
        return OF_SUIT[KING_OF_HEARTS // RANKS_PER_SUIT] | JACKS
    return fitting_on(card)


# --- What others may hold -------------------------------------------------------------------------


@compiled
def lacking(seat: Any) -> Any:
    """Return the cards that a seat did not hold when it last drew, as far as it told."""
    facts = seat & _FACTS
    if facts == NONE:
        return NONE
    cards = (facts >> _4) * _EVERY_SUIT | JACKS
    for suit in range(4):
        if holds(facts, suit):
            cards |= OF_SUIT[suit]
    return cards


@compiled
def none_of(sight: Sight, seat: Any, wanted: Any) -> float:
    """Return the probability that a seat's hand has none of the wanted cards.

    Who drew lacked some cards then, and has drawn one since.
    """
    size, lacks = size_of(seat), lacking(seat)
    none = 1.0
    if lacks != NONE:
        none = 1.0 - drawn_from(sight, wanted, NONE)
        size -= 1
    possible = many(sight.unseen & ~lacks, sight.unseen_twice & ~lacks)
    fitting = many(sight.unseen & ~lacks & wanted, sight.unseen_twice & ~lacks & wanted)
    for drawn in range(min(size, possible)):
        none *= max(possible - drawn - fitting, 0) / (possible - drawn)
    return none


@compiled
def drawn_from(sight: Sight, wanted: Any, among: Any) -> float:
    """Return the share of wanted cards among the unseen ones, or among some of them."""
    among = sight.unseen if among == NONE else sight.unseen & among
    twice = sight.unseen_twice & among
    return many(among & wanted, twice & wanted) / max(many(among, twice), 1)

"""What a turn of Mau-Mau leaves behind, as the numbers that ``maumau_weights`` weighs."""

from typing import Any, NamedTuple

from agents.heuristics import maumau_weights as table
from agents.heuristics.maumau_sight import (
    Sight,
    drawn_from,
    fitting_on,
    goes_on,
    many,
    none_of,
    size_of,
    starters,
    tops_for,
)
from agents.heuristics.maumau_weights import WEIGHTS
from cardenv.cards import NONE, ONE, RANKS_PER_SUIT, count, holds, lowest, singleton
from cardenv.compiling import compiled
from cardenv.games.maumau import (
    ACE,
    CARD_OF,
    DRAW,
    EIGHT,
    END,
    JACK,
    JACKS,
    KING_DRAWS,
    KING_OF_HEARTS,
    LAY_JACK,
    OF_RANK,
    OF_SUIT,
    SEVEN,
    SEVENS,
)


@compiled
def left(sight: Sight, action: int) -> Sight:
    """Return what the seat sees once it has laid a card, as if the turn went on."""
    card = int(CARD_OF[action])
    gone = singleton(card)
    names_suit = action >= LAY_JACK
    suit = action & 3 if names_suit else card // RANKS_PER_SUIT
    return Sight(
        sight.players,
        sight.size - 1,
        sight.danger,
        sight.seats,
        sight.hand & ~(gone & ~sight.hand_twice),
        sight.hand_twice & ~gone,
        sight.unseen,
        sight.unseen_twice,
        OF_SUIT[suit] | JACKS if names_suit else fitting_on(card),
        suit,
        sight.open_draws,
        sight.laid + 1,
        sight.kings + (card == KING_OF_HEARTS),
    )


# The features are added in their order, so that every score is the same to the last bit.


@compiled
def weighed(sight: Sight, action: int, row: int) -> float:
    """Return the score of what a turn leaves behind that ends with an action.

    Args:
        sight: what the seat sees before that action.
        action: its number.
        row: that of the weights.
    """
    if action < DRAW:
        sight = left(sight, action)
    finishing = starters(sight.hand, sight.hand_twice, sight.players)
    finishes = finishing & sight.fitting != NONE
    score = with_hand(0.0, row, sight, links_of(sight), finishing)
    score, gives = with_action(score, row, sight, action, finishes)
    return with_others(score, row, sight, action, gives, finishes)


# --- The hand that is left ------------------------------------------------------------------------


class Links(NamedTuple):
    """How the cards left, jacks aside, fit on each other."""

    turns: Any  # that they take at least
    pairs: Any  # that fit on each other
    lonely: Any  # cards that fit on no other one
    lonely_stops: Any  # those that end a turn
    path: Any  # whether something fits now, and something else on that
    mean_reach: Any  # on how many of the possible next tops a card fits, over the cards


@compiled
def links_of(sight: Sight) -> Links:
    """Return how the cards left fit on each other."""
    cards, turns = sight.hand & ~JACKS, many(sight.hand & JACKS, sight.hand_twice & JACKS)
    pairs, lonely, lonely_stops, path, mean_reach = 0, 0, 0, False, 0.0
    while cards != NONE:
        card = lowest(cards)
        others = (sight.hand ^ singleton(card)) | (sight.hand_twice & singleton(card))
        links = count(others & fitting_on(card) & ~JACKS)
        pairs += links
        lonely += links == 0
        if not goes_on(card, sight.players):
            turns += 1 + holds(sight.hand_twice, card)
            lonely_stops += links == 0
        path |= holds(sight.fitting, card) and others & fitting_on(card) != NONE
        mean_reach += drawn_from(sight, tops_for(singleton(card)), sight.fitting)
        cards &= cards - ONE
    return Links(turns, pairs, lonely, lonely_stops, path, mean_reach)


@compiled
def with_hand(score: float, row: int, sight: Sight, links: Links, finishing: Any) -> float:
    """Add the hand that is left, by itself and against what the next tops may be."""
    hand, twice, suit, fitting = sight.hand, sight.hand_twice, sight.suit, sight.fitting
    if sight.size <= 3:
        score += WEIGHTS[row, table.LEFT_1 + sight.size - 1]
    if links.turns <= 3:
        score += WEIGHTS[row, table.TURNS_1 + max(links.turns, 1) - 1]
    score += WEIGHTS[row, table.LONELY_STOP] * links.lonely_stops
    score += WEIGHTS[row, table.SHED] * sight.laid
    jacks = many(hand & JACKS, twice & JACKS)
    score += WEIGHTS[row, table.JACKS] * min(jacks, 1)
    score += WEIGHTS[row, table.MORE_JACKS] * max(jacks - 1, 0)
    score += WEIGHTS[row, table.ACES] * many(hand & OF_RANK[ACE], twice & OF_RANK[ACE])
    score += WEIGHTS[row, table.SEVENS] * many(hand & SEVENS, twice & SEVENS)
    score += WEIGHTS[row, table.EIGHTS] * many(hand & OF_RANK[EIGHT], twice & OF_RANK[EIGHT])
    score += WEIGHTS[row, table.KING_HELD] * holds(hand, KING_OF_HEARTS)
    plain = hand & ~JACKS
    score += WEIGHTS[row, table.SUITS] * suits_of(plain)
    score += WEIGHTS[row, table.LINKS] * (links.pairs / 4.0)
    score += WEIGHTS[row, table.LONELY] * links.lonely
    held = held_of(sight)
    score += WEIGHTS[row, table.HELD] * min(held, 1)
    score += WEIGHTS[row, table.MORE_HELD] * (max(held - 1, 0) / 2.0)
    score += WEIGHTS[row, table.STRANDED] * (hand & fitting == NONE)
    score += WEIGHTS[row, table.PLAIN_STRANDED] * (plain & fitting == NONE)
    score += WEIGHTS[row, table.PATH] * links.path
    score += WEIGHTS[row, table.UNSEEN_SUIT] * drawn_from(sight, OF_SUIT[suit], NONE)
    score = with_reach(score, row, sight, tops_for(hand), links)
    return with_finish(score, row, sight, finishing) if finishing != NONE else score


@compiled
def held_of(sight: Sight) -> int:
    """Return how many kinds of card of the suit in force are left, jacks aside."""
    return count(sight.hand & ~JACKS & OF_SUIT[sight.suit])


@compiled
def suits_of(cards: Any) -> int:
    """Return how many suits there are among cards."""
    suits = 0
    for suit in range(4):
        suits += cards & OF_SUIT[suit] != NONE
    return suits


@compiled
def with_reach(score: float, row: int, sight: Sight, tops: Any, links: Links) -> float:
    """Add on which of the possible next tops something fits."""
    plain_tops = tops_for(sight.hand & ~JACKS)
    score += WEIGHTS[row, table.REACH] * drawn_from(sight, tops, sight.fitting)
    score += WEIGHTS[row, table.REACH_ANY] * drawn_from(sight, tops, NONE)
    score += WEIGHTS[row, table.PLAIN_REACH] * drawn_from(sight, plain_tops, sight.fitting)
    return score + WEIGHTS[row, table.MEAN_REACH] * links.mean_reach


@compiled
def with_finish(score: float, row: int, sight: Sight, finishing: Any) -> float:
    """Add on which of them the whole hand fits, beginning with one of some cards."""
    tops = tops_for(finishing)
    score += WEIGHTS[row, table.CAN_FINISH]
    score += WEIGHTS[row, table.FINISH_REACH] * drawn_from(sight, tops, sight.fitting)
    score += WEIGHTS[row, table.FINISH_REACH_ANY] * drawn_from(sight, tops, NONE)
    return score + WEIGHTS[row, table.FINISH_FITS] * (finishing & sight.fitting != NONE)


# --- The action itself ----------------------------------------------------------------------------


@compiled
def with_action(score: float, row: int, sight: Sight, action: int, finishes: Any) -> Any:
    """Add what an action is; return how many pairs of cards it gives to the next player, too."""
    gives = KING_DRAWS / 2.0 * sight.kings
    if action == END:
        return score + WEIGHTS[row, table.ENDS], gives
    if action == DRAW:
        return with_draw(score, row, sight), gives
    rank = int(CARD_OF[action]) % RANKS_PER_SUIT
    if rank == JACK:
        return with_jack(score, row, held_of(sight)), gives
    taken = none_of(sight, sight.seats[0], SEVENS) if rank == SEVEN else 0.0
    goes_on_with = taken if rank == SEVEN else 1.0
    if rank == SEVEN:
        score += WEIGHTS[row, table.LAYS_SEVEN]
    elif rank == EIGHT:
        score += WEIGHTS[row, table.LAYS_EIGHT]
    elif rank == ACE:
        score += WEIGHTS[row, table.LAYS_ACE]
    elif CARD_OF[action] == KING_OF_HEARTS:
        score += WEIGHTS[row, table.LAYS_KING]
    if rank == ACE or (sight.players == 2 and is_attack(int(CARD_OF[action]))):
        score = with_going_on(score, row, sight, goes_on_with, finishes)
    if rank == SEVEN:
        pairs = (sight.open_draws + 2) / 2.0
        score = with_counter(score, row, sight, (1.0 - taken) * pairs)
        gives += taken * pairs
    return score, gives


@compiled
def is_attack(card: int) -> bool:
    """Tell whether who comes next must draw or sit out."""
    rank = card % RANKS_PER_SUIT
    return rank == SEVEN or rank == EIGHT or card == KING_OF_HEARTS


@compiled
def with_draw(score: float, row: int, sight: Sight) -> float:
    """Add a draw, or what is taken for an open seven."""
    if sight.open_draws == 0:
        score += WEIGHTS[row, table.DRAWS]
        if sight.hand & JACKS != NONE:
            score += WEIGHTS[row, table.DRAWS_WITH_JACK]
    return score + WEIGHTS[row, table.TAKES] * (sight.open_draws / 4.0)


@compiled
def with_jack(score: float, row: int, held: int) -> float:
    """Add a jack, which names a suit of which some cards are held."""
    score += WEIGHTS[row, table.LAYS_JACK]
    return score + WEIGHTS[row, table.JACK_HELD] * (min(held, 1) + max(held - 1, 0) / 2.0)


@compiled
def with_going_on(score: float, row: int, sight: Sight, probability: float, finishes: Any) -> float:
    """Add whether the seat itself can lay the next card, and win so."""
    fits = sight.hand & sight.fitting != NONE
    score += WEIGHTS[row, table.GOES_ON] * (probability * fits)
    score += WEIGHTS[row, table.GOES_ON_FINISH] * (probability * finishes)
    return score + WEIGHTS[row, table.CANNOT_GO_ON] * (probability * (not fits))


@compiled
def with_counter(score: float, row: int, sight: Sight, pairs: float) -> float:
    """Add how many pairs of cards come back on average if the next player counters a seven."""
    score += WEIGHTS[row, table.COUNTERED] * pairs
    if sight.hand & SEVENS != NONE:
        score += WEIGHTS[row, table.COUNTERED_WITH_SEVEN] * pairs
    return score


# --- Those who come next --------------------------------------------------------------------------


@compiled
def with_others(
    score: float, row: int, sight: Sight, action: int, gives: float, finishes: Any
) -> float:
    """Add how likely those who come next can lay a card, and whether it would be their last."""
    score += WEIGHTS[row, table.GIVES_TO_1 + min(size_of(sight.seats[0]), 3) - 1] * gives
    card = int(CARD_OF[action]) if action < DRAW else -1
    skips = card >= 0 and sight.players > 2 and is_attack(card) and card % RANKS_PER_SUIT != SEVEN
    first = 2 if skips else 1
    fits_first = SEVENS if card >= 0 and card % RANKS_PER_SUIT == SEVEN else sight.fitting
    stuck, second_wins = 1.0, 0.0
    for place, seat in enumerate(sight.seats, 1):
        if first <= place < sight.players:
            none = none_of(sight, seat, fits_first if place == first else sight.fitting)
            if place == first + 1 and size_of(seat) == 1:
                second_wins = stuck * (1.0 - none)
            stuck *= none
            if place == first:
                score += WEIGHTS[row, table.NEXT_STUCK] * stuck
                if size_of(seat) <= 2:
                    score += WEIGHTS[row, table.NEXT_STUCK_1 + size_of(seat) - 1] * stuck
    score += WEIGHTS[row, table.SECOND_WINS] * second_wins
    score += WEIGHTS[row, table.ALL_STUCK] * stuck
    score += WEIGHTS[row, table.ALL_STUCK_FITS] * (stuck * (sight.hand & sight.fitting != NONE))
    return score + WEIGHTS[row, table.ALL_STUCK_FINISH] * (stuck * finishes)

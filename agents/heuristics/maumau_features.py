"""What a turn of Mau-Mau leaves behind, as the numbers that ``maumau_weights`` weighs."""

from typing import Any

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
def write_features(sight: Sight, action: int, out: Any) -> None:
    """Describe what a turn leaves behind that ends with an action; ``out`` holds zeros before.

    Args:
        sight: what the seat sees before that action.
        action: its number.
        out: the features.
    """
    if action < DRAW:
        sight = left(sight, action)
    write_hand(sight, out)
    out[table.SHED] = sight.laid
    size = size_of(sight.observation, 1)
    gives = KING_DRAWS / 2.0 * sight.kings
    first, fits_first, second = 1, sight.fitting, 2
    if action == END:
        out[table.ENDS] = 1.0
    elif action == DRAW:
        write_draw(sight, out)
    else:
        card = int(CARD_OF[action])
        rank = card % RANKS_PER_SUIT
        skips = rank == EIGHT or card == KING_OF_HEARTS
        out[table.LAYS_EIGHT] = rank == EIGHT
        out[table.LAYS_KING] = card == KING_OF_HEARTS
        out[table.LAYS_ACE] = rank == ACE
        if rank == JACK:
            out[table.LAYS_JACK] = 1.0
            out[table.JACK_HELD] = out[table.HELD] + out[table.MORE_HELD]
        elif rank == SEVEN:
            taken = none_of(sight, 1, SEVENS)
            gives += write_seven(sight, taken, out)
            fits_first = SEVENS
        elif rank == ACE or (skips and sight.players == 2):
            write_going_on(sight, 1.0, out)
        elif skips:
            first, second = 2, 3
    out[table.GIVES_TO_1 + min(size, 3) - 1] = gives
    write_others(sight, first, fits_first, second, out)


@compiled
def write_draw(sight: Sight, out: Any) -> None:
    """Describe a draw, or what is taken for an open seven."""
    ordinary = sight.open_draws == 0
    out[table.TAKES] = sight.open_draws / 4.0
    out[table.DRAWS] = ordinary
    out[table.DRAWS_WITH_JACK] = ordinary and sight.hand & JACKS != NONE


@compiled
def write_seven(sight: Sight, taken: float, out: Any) -> float:
    """Describe a seven; return how many pairs of cards it gives to the next player on average."""
    pairs = (sight.open_draws + 2) / 2.0
    out[table.LAYS_SEVEN] = 1.0
    out[table.COUNTERED] = (1.0 - taken) * pairs
    if out[table.SEVENS] > 0:
        out[table.COUNTERED_WITH_SEVEN] = (1.0 - taken) * pairs
    if sight.players == 2:
        write_going_on(sight, taken, out)
    return taken * pairs


@compiled
def write_going_on(sight: Sight, probability: float, out: Any) -> None:
    """Tell whether the seat itself can lay the next card, and win so."""
    fits = sight.hand & sight.fitting != NONE
    out[table.GOES_ON] = probability * fits
    out[table.GOES_ON_FINISH] = probability * out[table.FINISH_FITS]
    out[table.CANNOT_GO_ON] = probability * (not fits)


@compiled
def left(sight: Sight, action: int) -> Sight:
    """Return what the seat sees once it has laid a card, as if the turn went on."""
    card = int(CARD_OF[action])
    gone = singleton(card)
    names_suit = action >= LAY_JACK
    suit = action & 3 if names_suit else card // RANKS_PER_SUIT
    return Sight(
        sight.observation,
        sight.players,
        sight.size - 1,
        sight.danger,
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


@compiled
def write_others(sight: Sight, first: int, fits_first: Any, second: int, out: Any) -> None:
    """Tell how likely those who come next can lay a card, and whether it would be their last.

    Args:
        sight: what the seat sees.
        first: the place of who is next.
        fits_first: what he may lay.
        second: the place of who comes after him, if anybody does.
        out: the features.
    """
    size = size_of(sight.observation, first)
    stuck = 1.0
    for place in range(first, sight.players):
        none = none_of(sight, place, fits_first if place == first else sight.fitting)
        if place == second and size_of(sight.observation, place) == 1:
            out[table.SECOND_WINS] = stuck * (1.0 - none)
        stuck *= none
        if place == first:
            out[table.NEXT_STUCK] = stuck
            if size <= 2:
                out[table.NEXT_STUCK_1 + size - 1] = stuck
    out[table.ALL_STUCK] = stuck
    out[table.ALL_STUCK_FITS] = stuck * (sight.hand & sight.fitting != NONE)
    out[table.ALL_STUCK_FINISH] = stuck * out[table.FINISH_FITS]


@compiled
def write_hand(sight: Sight, out: Any) -> None:
    """Describe the hand that is left, by itself and against what the next tops may be."""
    hand, twice, suit, fitting = sight.hand, sight.hand_twice, sight.suit, sight.fitting
    if sight.size <= 3:
        out[table.LEFT_1 + sight.size - 1] = 1.0
    jacks = many(hand & JACKS, twice & JACKS)
    out[table.JACKS], out[table.MORE_JACKS] = min(jacks, 1), max(jacks - 1, 0)
    out[table.ACES] = many(hand & OF_RANK[ACE], twice & OF_RANK[ACE])
    out[table.SEVENS] = many(hand & SEVENS, twice & SEVENS)
    out[table.EIGHTS] = many(hand & OF_RANK[EIGHT], twice & OF_RANK[EIGHT])
    out[table.KING_HELD] = holds(hand, KING_OF_HEARTS)
    plain = hand & ~JACKS
    held = count(plain & OF_SUIT[suit])
    out[table.HELD], out[table.MORE_HELD] = min(held, 1), max(held - 1, 0) / 2.0
    for each in range(4):
        out[table.SUITS] += plain & OF_SUIT[each] != NONE
    out[table.STRANDED] = hand & fitting == NONE
    out[table.PLAIN_STRANDED] = plain & fitting == NONE
    out[table.UNSEEN_SUIT] = drawn_from(sight, OF_SUIT[suit], NONE)
    write_links(sight, fitting, out)
    write_reach(sight, fitting, out)


@compiled
def write_links(sight: Sight, fitting: Any, out: Any) -> None:
    """Tell how the cards left fit on each other."""
    cards, turns = sight.hand & ~JACKS, many(sight.hand & JACKS, sight.hand_twice & JACKS)
    while cards != NONE:
        card = lowest(cards)
        others = (sight.hand ^ singleton(card)) | (sight.hand_twice & singleton(card))
        links = count(others & fitting_on(card) & ~JACKS)
        out[table.LINKS] += links / 4.0
        out[table.LONELY] += links == 0
        if not goes_on(card, sight.players):
            turns += 1 + holds(sight.hand_twice, card)
            out[table.LONELY_STOP] += links == 0
        if holds(fitting, card) and others & fitting_on(card) != NONE:
            out[table.PATH] = 1.0
        out[table.MEAN_REACH] += drawn_from(sight, tops_for(singleton(card)), fitting)
        cards &= cards - ONE
    if turns <= 3:
        out[table.TURNS_1 + max(turns, 1) - 1] = 1.0


@compiled
def write_reach(sight: Sight, fitting: Any, out: Any) -> None:
    """Tell on which of the possible next tops something fits, and on which the whole hand does."""
    tops = tops_for(sight.hand)
    out[table.REACH] = drawn_from(sight, tops, fitting)
    out[table.REACH_ANY] = drawn_from(sight, tops, NONE)
    out[table.PLAIN_REACH] = drawn_from(sight, tops_for(sight.hand & ~JACKS), fitting)
    finishing = starters(sight.hand, sight.hand_twice, sight.players)
    if finishing != NONE:
        tops = tops_for(finishing)
        out[table.CAN_FINISH] = 1.0
        out[table.FINISH_REACH] = drawn_from(sight, tops, fitting)
        out[table.FINISH_REACH_ANY] = drawn_from(sight, tops, NONE)
        out[table.FINISH_FITS] = finishing & fitting != NONE

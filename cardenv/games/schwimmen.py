"""The rules of 31 (Schwimmen), as functions over one row.

Hands and the middle are sets of cards, so "slot i" is always the i-th lowest card. Values are
integers in half-points (30.5 is 61). The ids in the docstrings are those of the rules' text;
``switch=...`` names what a table may play differently.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from cardenv.cards import (
    CARDS,
    DECK,
    NONE,
    SEAT,
    WORLD,
    below,
    card_name,
    cards_in,
    count,
    derive,
    holds,
    lay_out,
    lowest,
    lowest_bit,
    set_of,
    singleton,
    slot,
    spread,
    stack,
)
from cardenv.compiling import compiled
from cardenv.figures import Figure
from cardenv.layout import Event, Field, Layout
from cardenv.rules import REWARD_MATCH, REWARD_ROUNDS, GameRules, switch
from cardenv.scene import HIDDEN, Card, Scene, Zone, suited
from cardenv.seats import (
    all_seats,
    clockwise,
    count_round,
    pay_first_place,
    pay_the_rest,
    state,
    tally_places,
)

NAME = "schwimmen"
TITLE = "31"
ALIASES = ("31",)
VERSION = 0
MAX_PLAYERS = 9
DEFAULT_EPISODE = "match"
FIRST_SEAT = "dealer"

SWAP_ALL, PASS, STOP, LAY_DOWN, HOLD, KEEP, CHANGE, REDRAW = range(9, 17)
ACTION_NAMES = (
    *(f"swap hand {i + 1} for middle {j + 1}" for i in range(3) for j in range(3)),
    *("swap all", "pass", "stop", "lay down", "hold", "keep", "change", "redraw 7-8-9"),
)

DEALER_CHOICE, DEALT_31, TURN, EXCHANGED_31, OVER = range(5)
PHASES = ("dealer's choice", "dealt 31", "turn", "exchanged to 31", "over")

STOP_AFTER_ALL, STOP_AFTER_OTHERS, STOP_AFTER_NONE = range(3)
REVEAL_AUTO, REVEAL_CHOICE = range(2)
REDRAW_ANY, REDRAW_SAME_SUIT, REDRAW_OFF = range(3)
ALL_OUT_REPLAY, ALL_OUT_DRAW = range(2)

THREE_OF_A_KIND = 61
THIRTY_ONE = 62
HIGHEST_VALUE = 66


@dataclass(frozen=True)
class Rules(GameRules):
    """The switches of 31; the defaults are those of the original text (preset ``standard``)."""

    PACK_SIZE: ClassVar[int] = CARDS
    MIN_PLAYERS: ClassVar[int] = 2
    MAX_PLAYERS: ClassVar[int] = MAX_PLAYERS
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "standard": {},
        "letter": {"reveal": "choice"},
        "common": {"aces_value": 33, "fire": True},
    }

    lives: int = switch(3, range(0, 10), "S31-2: lives of each player")
    aces_value: int = switch(31, (31, 32, 33), "S31-15: worth of three aces when hands compare")
    stop_after: str = switch(
        "all", ("all", "others", "none"), "S31-23: who must have had a turn before a stop"
    )
    reveal: str = switch("auto", ("auto", "choice"), "S31-27: whether laying down 31 is a decision")
    redraw789: str = switch(
        "any", ("any", "same_suit", "off"), "S31-30: which 7-8-9 in the middle may be replaced"
    )
    max_laps: int = switch(50, range(1, 201), "turns each, after which the round is scored")
    all_out: str = switch(
        "replay", ("replay", "draw"), "what follows when a round would put out everyone still in"
    )
    fire: bool = switch(False, (False, True), "three aces laid down cost everyone else a life")

    def cards_needed(self, players: int) -> int:
        """Three for each player and three for the middle."""
        return 3 * (players + 1)


TALLIES = ("final_half_points", "stops", "stop_laps", "lay_downs")
FINAL_HALF_POINTS, STOPS, STOP_LAPS, LAY_DOWNS = tally_places(TALLIES)

STATE = state(
    MAX_PLAYERS,
    # The round
    ("phase", "i1"),
    ("dealer", "i1"),
    ("hand", "u8", MAX_PLAYERS),
    ("known", "u8", MAX_PLAYERS),
    ("middle", "u8"),
    ("second_pile", "u8"),
    ("gone", "u8"),
    ("deck", "u1", CARDS),
    ("drawn", "i1"),
    ("laps", "u1", MAX_PLAYERS),
    ("passes", "i1"),
    ("stopper", "i1"),
    ("to_have_turn", "u8"),
    ("had_turn", "u8"),
    # The match
    ("lives", "i1", MAX_PLAYERS),
    ("alive", "u8"),
    tallies=TALLIES,
)

LAYOUT = Layout(
    shared=(
        Field("hand", CARDS, "own cards"),
        Field("middle", CARDS, "cards in the middle"),
        Field("gone", CARDS, "cards that left the game face up"),
        Field("hand_slots", 36, "three own cards in ascending order, each suit (4) and rank (8)"),
        Field("middle_slots", 36, "the middle's cards likewise"),
        Field("phase", len(PHASES), "one of " + ", ".join(PHASES)),
        Field("own_lap", 4, "turns the observer has completed: 0, 1, 2, or more"),
        Field("hand_value", 1, "value of the own hand in half-points", HIGHEST_VALUE),
        Field("middle_value", 1, "value of the middle in half-points", HIGHEST_VALUE),
        Field("exchange_values", 10, "own value in half-points after actions 0-9", HIGHEST_VALUE),
        Field("talon", 1, "cards left in the talon", CARDS),
        Field("passes", 1, "passes in a row", MAX_PLAYERS),
    ),
    seat=(
        Field("known", CARDS, "cards publicly known to be in this seat's hand"),
        Field("lives", 1, "lives left", lambda rules: max(1, rules.lives)),
        Field("in", 1, "still in the match"),
        Field("dealer", 1, "deals this round"),
        Field("deciding", 1, "is to decide"),
        Field("stopped", 1, "has said stop"),
        Field("to_have_turn", 1, "still has a turn after the stop"),
        Field("lap", 1, "turns completed in this round", lambda rules: rules.max_laps + 1),
    ),
)
EVENT = Event(
    draws=Field("draws", 1, "cards that who decided took unseen: three by a change", 3),
    seen=(
        Field("came", CARDS, "cards that came into the middle"),
        Field("left", CARDS, "cards that left it"),
    ),
    drawn=Field("drawn", CARDS, "the cards taken unseen, if by the observer"),
)
STATE_LAYOUT = Layout(
    shared=(
        Field("position", CARDS, "per card: its place in the talon from 1, else 0", CARDS),
        Field("second_pile", CARDS, "the dealer's pile that nobody has looked at"),
        *(field for field in LAYOUT.shared if field.name in ("middle", "gone", "phase")),
        *(field for field in LAYOUT.shared if field.name in ("talon", "passes")),
    ),
    seat=(Field("cards", CARDS, "this seat's hand"), *LAYOUT.seat),
)
"""Layout of the whole state, seats in absolute order."""

FIGURES = (
    Figure(
        "final hand value",
        "points in hand at the end of a round",
        ("final_half_points",),
        ("rounds",),
        scale=0.5,
    ),
    Figure("stops", "share of the rounds that it stopped", ("stops",), ("rounds",)),
    Figure("lap of the stop", "turns it has completed with the stop", ("stop_laps",), ("stops",)),
    Figure("lay-downs", "share of the rounds that it laid down 31 in", ("lay_downs",), ("rounds",)),
)

_HAND, _MIDDLE, _GONE = (LAYOUT.offset(name) for name in ("hand", "middle", "gone"))
_HAND_SLOTS, _MIDDLE_SLOTS = LAYOUT.offset("hand_slots"), LAYOUT.offset("middle_slots")
_PHASE, _OWN_LAP = LAYOUT.offset("phase"), LAYOUT.offset("own_lap")
_HAND_VALUE, _MIDDLE_VALUE = LAYOUT.offset("hand_value"), LAYOUT.offset("middle_value")
_EXCHANGE_VALUES = LAYOUT.offset("exchange_values")
_TALON, _PASSES = LAYOUT.offset("talon"), LAYOUT.offset("passes")
_SEATS, _SEAT_SIZE = LAYOUT.shared_size, LAYOUT.seat_size
_STATE_MIDDLE, _STATE_GONE = STATE_LAYOUT.offset("middle"), STATE_LAYOUT.offset("gone")
_STATE_PHASE, _STATE_PILE = STATE_LAYOUT.offset("phase"), STATE_LAYOUT.offset("second_pile")
_STATE_TALON, _STATE_PASSES = STATE_LAYOUT.offset("talon"), STATE_LAYOUT.offset("passes")
_STATE_SEATS, _STATE_SEAT_SIZE = STATE_LAYOUT.shared_size, STATE_LAYOUT.seat_size

# Half-points of the cards of one suit, for each of the 256 sets of ranks (S31-8, S31-9, S31-10).
_HALF_POINTS = (14, 16, 18, 20, 20, 20, 20, 22)
SUIT_VALUE = np.array(
    [sum(_HALF_POINTS[rank] for rank in cards_in(ranks)) for ranks in range(256)], np.uint8
)
_BYTE, _ACE, _SEVEN_EIGHT_NINE = np.uint64(255), np.uint64(128), np.uint64(7)
_SUITS = np.uint64(24)
_SUIT_1, _SUIT_2, _SUIT_3 = np.uint64(8), np.uint64(16), np.uint64(24)


# --- Values -------------------------------------------------------------------------------------


@compiled
def value(cards: Any, rules: Any) -> int:
    """S31-11, S31-12: only one suit's cards add up, the best; S31-14, S31-15: three of a rank."""
    ranks = ranks_of(cards)
    if ranks & (ranks - np.uint64(1)) == NONE and count(cards) == 3:
        return value_of_three(ranks, rules)
    return suit_value(cards)


@compiled
def value_of_three(ranks: Any, rules: Any) -> int:
    """S31-14, S31-15: what three cards are worth that have but one rank."""
    return 2 * rules.aces_value if ranks == _ACE else THREE_OF_A_KIND


@compiled
def suit_value(cards: Any) -> int:
    """S31-11, S31-12: only one suit's cards add up, the best."""
    return max(
        max(SUIT_VALUE[cards & _BYTE], SUIT_VALUE[(cards >> _SUIT_1) & _BYTE]),
        max(SUIT_VALUE[(cards >> _SUIT_2) & _BYTE], SUIT_VALUE[(cards >> _SUIT_3) & _BYTE]),
    )


@compiled
def ranks_of(cards: Any) -> Any:
    """Return the set of ranks that occur among the cards."""
    return (cards | cards >> _SUIT_1 | cards >> _SUIT_2 | cards >> _SUIT_3) & _BYTE


@compiled
def is_31(cards: Any, rules: Any) -> bool:
    """S31-15, S31-24: 31 in one suit and three aces are what a player lays down."""
    return value(cards, rules) >= THIRTY_ONE


@compiled
def is_789(cards: Any, rules: Any) -> bool:
    """S31-30: a seven, an eight and a nine (switch=redraw789)."""
    if rules.redraw789 == REDRAW_OFF or ranks_of(cards) != _SEVEN_EIGHT_NINE:
        return False
    one_suit = cards >> np.uint64(lowest(cards)) == _SEVEN_EIGHT_NINE
    return one_suit or rules.redraw789 == REDRAW_ANY


# --- Dealing ------------------------------------------------------------------------------------


@compiled
def deal(row: Any, rules: Any, key: Any, deck: Any, first: int) -> None:
    """S31-2: start an episode; the first dealer is drawn unless ``first`` names him.

    Args:
        row: a row of zeros.
        rules: the table's record.
        key: generator key of the episode.
        deck: uint8 order of the first round's pack, or empty to shuffle.
        first: seat of the first dealer, or -1.
    """
    row.key = key
    row.alive = all_seats(rules.players)
    for seat in range(rules.players):
        row.lives[seat] = rules.lives
    row.dealer = first if first >= 0 else below(derive(key, SEAT, 0), rules.players)
    deal_round(row, rules, deck)


@compiled
def deal_round(row: Any, rules: Any, deck: Any) -> None:
    """S31-1, S31-3: three cards to each who is in, a second pile to the dealer, his choice next."""
    stack(row.deck, rules.pack, deck, derive(row.key, DECK, row.rounds))
    row.drawn = 0
    for seat in range(rules.players):
        row.hand[seat] = draw_three(row) if holds(row.alive, seat) else NONE
        row.known[seat] = NONE
        row.laps[seat] = 0
    row.second_pile = draw_three(row)
    row.middle = NONE
    row.gone = NONE
    row.passes = 0
    row.stopper = -1
    row.to_have_turn = NONE
    row.had_turn = NONE
    row.phase = DEALER_CHOICE
    row.turn = row.dealer


@compiled
def draw_three(row: Any) -> Any:
    """Take the next three cards of the deck."""
    cards = NONE
    for _ in range(3):
        cards |= singleton(row.deck[row.drawn])
        row.drawn += 1
    return cards


@compiled
def public_phase(row: Any) -> int:
    """Return what everybody waits for, ``OVER`` once nobody decides any more."""
    return OVER if row.turn < 0 else int(row.phase)


@compiled
def talon_size(row: Any, rules: Any) -> int:
    """Return how many cards the talon still holds."""
    return rules.pack_size - row.drawn


# --- Decisions ----------------------------------------------------------------------------------


@compiled
def legal(row: Any, rules: Any) -> Any:
    """S31-17: the deciding seat's actions, as a set; empty once the episode is over."""
    if row.turn < 0:
        return NONE
    if row.phase == TURN:
        return turn_actions(row, rules)
    if row.phase == DEALER_CHOICE:
        return singleton(KEEP) | singleton(CHANGE)
    return singleton(LAY_DOWN) | singleton(HOLD)


@compiled
def turn_actions(row: Any, rules: Any) -> Any:
    """S31-18, S31-19, S31-20: swap one or all, or pass; perhaps stop, perhaps redraw."""
    actions = singleton(PASS + 1) - np.uint64(1)
    if may_stop(row, rules):
        actions |= singleton(STOP)
    if is_789(row.middle, rules) and talon_size(row, rules) >= 3:
        actions |= singleton(REDRAW)
    return actions


@compiled
def may_stop(row: Any, rules: Any) -> bool:
    """S31-23: only once everyone has had a turn (switch=stop_after); S31-31: only once a round."""
    if row.stopper >= 0:
        return False
    if rules.stop_after == STOP_AFTER_NONE:
        return True
    waiting = row.alive & ~row.had_turn
    if rules.stop_after == STOP_AFTER_OTHERS:
        waiting &= ~singleton(row.turn)
    return waiting == NONE


@compiled
def step(row: Any, rules: Any, action: int) -> None:
    """Carry out a legal action of the deciding seat, up to the next decision of anybody."""
    if action == KEEP or action == CHANGE:
        choose_pile(row, rules, action)
    elif action < PASS:
        exchange(row, rules, action)
    elif action == PASS:
        row.passes += 1
        end_turn(row, rules)
    elif action == STOP:
        stop(row, rules)
    elif action == REDRAW:
        replace_middle(row)
    elif action == LAY_DOWN:
        lay_down(row, rules)
    else:
        end_round(row, singleton(row.turn))  # S31-27: who holds a 31 has lost, he alone
    if row.phase == OVER:
        settle(row, rules)


@compiled
def choose_pile(row: Any, rules: Any, action: int) -> None:
    """S31-4, S31-5, S31-6: the dealer keeps the pile he looked at, or takes the other unseen."""
    row.middle = row.second_pile
    if action == CHANGE:
        row.middle = row.hand[row.dealer]
        row.hand[row.dealer] = row.second_pile
    row.second_pile = NONE
    open_round(row, rules)


@compiled
def open_round(row: Any, rules: Any) -> None:
    """S31-16, S31-26: whoever was dealt 31 shows it, dealer last; else the dealer's left begins."""
    row.phase = TURN
    seat = row.dealer
    for _ in range(count(row.alive)):
        seat = next_seat(row, rules, seat)
        if is_31(row.hand[seat], rules):
            row.turn = seat
            show_31(row, rules, DEALT_31)
            return
    row.turn = next_seat(row, rules, row.dealer)


@compiled
def exchange(row: Any, rules: Any, action: int) -> None:
    """S31-18, S31-19: one hand card for one of the middle, or all three for all three."""
    given, taken = exchanged_cards(row.hand[row.turn], row.middle, action)
    row.hand[row.turn] = (row.hand[row.turn] & ~given) | taken
    row.known[row.turn] = (row.known[row.turn] & ~given) | taken
    row.middle = (row.middle & ~taken) | given
    row.passes = 0
    if is_31(row.hand[row.turn], rules):
        show_31(row, rules, EXCHANGED_31)
    else:
        end_turn(row, rules)


@compiled
def exchanged_cards(hand: Any, middle: Any, action: int) -> Any:
    """Return the set that leaves the hand and the set that leaves the middle, by action 0-9."""
    if action == SWAP_ALL:
        return hand, middle
    return singleton(slot(hand, action // 3)), singleton(slot(middle, action % 3))


@compiled
def show_31(row: Any, rules: Any, phase: int) -> None:
    """S31-27: a 31 is laid down at once, or its holder is asked (switch=reveal)."""
    if rules.reveal == REVEAL_AUTO:
        lay_down(row, rules)
    else:
        row.phase = phase


@compiled
def stop(row: Any, rules: Any) -> None:
    """S31-21, S31-22, S31-31: instead of an exchange; everybody else has one more turn."""
    row.tally[row.turn, STOPS] += 1
    row.tally[row.turn, STOP_LAPS] += row.laps[row.turn] + 1  # the stop completes a turn
    row.stopper = row.turn
    row.to_have_turn = row.alive
    row.passes = 0
    end_turn(row, rules)


@compiled
def replace_middle(row: Any) -> None:
    """S31-29, S31-30: the middle leaves the game, three cards from the talon replace it."""
    row.gone |= row.middle
    row.middle = draw_three(row)
    row.passes = 0


@compiled
def end_turn(row: Any, rules: Any) -> None:
    """Complete the turn, then end the round, refresh the middle, or go on to the next seat."""
    row.laps[row.turn] += 1
    row.had_turn |= singleton(row.turn)
    row.to_have_turn &= ~singleton(row.turn)
    row.phase = TURN
    if is_last_turn(row, rules):
        end_round(row, lowest_hands(row, rules))
        return
    if row.stopper < 0 and all_passed(row):  # S31-29
        replace_middle(row)
    row.turn = next_seat(row, rules, row.turn)


@compiled
def is_last_turn(row: Any, rules: Any) -> bool:
    """S31-32: after a stop the last one's; else by the most laps, or with no new middle to come."""
    if row.stopper >= 0:
        return row.to_have_turn == NONE
    return laps_are_up(row, rules) or (all_passed(row) and talon_size(row, rules) < 3)


@compiled
def all_passed(row: Any) -> bool:
    """S31-29: all players still in have passed one after another."""
    return row.passes == count(row.alive)


@compiled
def laps_are_up(row: Any, rules: Any) -> bool:
    """Tell whether everyone who is in has completed the most turns a round may have."""
    for seat in range(rules.players):
        if holds(row.alive, seat) and row.laps[seat] < rules.max_laps:
            return False
    return True


@compiled
def next_seat(row: Any, rules: Any, seat: int) -> int:
    """S31-16: round the table, among those who are in."""
    while True:
        seat = clockwise(seat, 1, rules.players)
        if holds(row.alive, seat):
            return seat


# --- The end of a round -------------------------------------------------------------------------


@compiled
def lay_down(row: Any, rules: Any) -> None:
    """S31-24, S31-25: the round ends at once and is scored (switch=fire: three aces burn)."""
    row.tally[row.turn, LAY_DOWNS] += 1
    if rules.fire and ranks_of(row.hand[row.turn]) == _ACE:
        end_round(row, row.alive & ~singleton(row.turn))
    else:
        end_round(row, lowest_hands(row, rules))


@compiled
def end_round(row: Any, losers: Any) -> None:
    """Say who loses a life; ``step`` settles the round when everything else is done."""
    row.lost = losers
    row.phase = OVER


@compiled
def lowest_hands(row: Any, rules: Any) -> Any:
    """S31-34, S31-35: the lowest value loses a life; ties all lose one."""
    lowest_value = HIGHEST_VALUE + 1
    losers = NONE
    for seat in range(rules.players):
        if holds(row.alive, seat):
            hand_value = value(row.hand[seat], rules)
            if hand_value < lowest_value:
                lowest_value = hand_value
                losers = NONE
            if hand_value == lowest_value:
                losers |= singleton(seat)
    return losers


@compiled
def settle(row: Any, rules: Any) -> None:
    """Take the losers' lives, pay, and end the episode or deal the next round."""
    losers = row.lost
    all_out = rules.match and losers == row.alive and swimmers(row, rules) == row.alive
    winners = count_hands(row, rules, row.alive & ~losers)
    count_round(row, rules, row.alive, winners, NONE if all_out else losers)
    if not rules.match:
        pay_round(row, rules, losers)
        take_lives(row, rules, losers)
        end_episode(row)
        return
    if all_out:
        everyone_out(row, rules)
        return
    if rules.reward == REWARD_ROUNDS:
        pay_round(row, rules, losers)
    out = losers & swimmers(row, rules)
    take_lives(row, rules, losers)
    put_out(row, rules, out)
    if count(row.alive) == 1:
        end_match(row, rules)  # S31-38: the last one in wins the match
    else:
        row.dealer = next_seat(row, rules, row.dealer)
        deal_round(row, rules, row.deck[:0])


@compiled
def count_hands(row: Any, rules: Any, contenders: Any) -> Any:
    """Count what everyone's hand is worth; return the contenders with the highest, who win.

    Contenders are all whose hand has not lost. So nobody wins a round in which all hands are equal,
    also where it would put out everyone and therefore takes no life: that one nobody loses either.
    """
    highest_value, winners = -1, NONE
    for seat in range(rules.players):
        if holds(row.alive, seat):
            hand_value = value(row.hand[seat], rules)
            row.tally[seat, FINAL_HALF_POINTS] += hand_value
            if holds(contenders, seat) and hand_value > highest_value:
                highest_value, winners = hand_value, NONE
            if holds(contenders, seat) and hand_value == highest_value:
                winners |= singleton(seat)
    return winners


@compiled
def swimmers(row: Any, rules: Any) -> Any:
    """S31-36: those who are in with no life left."""
    seats = NONE
    for seat in range(rules.players):
        if holds(row.alive, seat) and row.lives[seat] == 0:
            seats |= singleton(seat)
    return seats


@compiled
def take_lives(row: Any, rules: Any, losers: Any) -> None:
    """S31-34, S31-36: one life each, as long as there is one."""
    for seat in range(rules.players):
        if holds(losers, seat) and row.lives[seat] > 0:
            row.lives[seat] -= 1


@compiled
def put_out(row: Any, rules: Any, out: Any) -> None:
    """S31-37, S31-38: a swimmer who loses once more is out; the rest plays on."""
    row.alive &= ~out
    row.left |= out
    if rules.reward == REWARD_MATCH and out != NONE:
        pay_the_rest(row, rules, out)


@compiled
def everyone_out(row: Any, rules: Any) -> None:
    """A round that would put out everyone: dealt again, or first place shared (switch=all_out)."""
    if rules.all_out == ALL_OUT_REPLAY:
        deal_round(row, rules, row.deck[:0])
        return
    end_match(row, rules)


@compiled
def end_match(row: Any, rules: Any) -> None:
    """Those who are still in come first; whoever has left has lost."""
    if rules.reward == REWARD_MATCH:
        pay_first_place(row, rules, row.alive)
    row.lost = row.left
    end_episode(row)


@compiled
def pay_round(row: Any, rules: Any, losers: Any) -> None:
    """Give everyone who was dealt in the mean number of lives lost, less his own."""
    mean = count(losers) / count(row.alive)
    for seat in range(rules.players):
        if holds(row.alive, seat):
            row.score[seat] += mean - (1.0 if holds(losers, seat) else 0.0)
    row.payouts += 1


@compiled
def end_episode(row: Any) -> None:
    """Leave the table as it lies: nobody decides any more."""
    row.turn = -1


# --- What a decision shows ----------------------------------------------------------------------


@compiled
def glance(row: Any, rules: Any, action: int) -> Any:
    """Return what ``witness`` must know of the row before an action: the middle."""
    return row.middle


@compiled
def witness(row: Any, rules: Any, seat: int, action: int, before: Any, sets: Any) -> int:
    """Note what came into the middle and what left it, and the pile that a dealer took unseen.

    Which slot of a hand a card comes from tells of the cards beside it, so nobody sees that: every
    swap of one card looks like the first.
    """
    sets[0] = row.middle & ~before
    sets[1] = before & ~row.middle
    if action == CHANGE:
        sets[2] = row.hand[seat]
    return 0 if action < SWAP_ALL else action


# --- What a seat knows --------------------------------------------------------------------------


@compiled
def observe(row: Any, rules: Any, seat: int, out: Any) -> None:
    """Write what a seat knows to ``out`` (uint8, zeros before), as ``LAYOUT`` says."""
    hand = row.hand[seat]
    spread(hand, CARDS, out, _HAND)
    spread(row.middle, CARDS, out, _MIDDLE)
    if row.gone != NONE:
        spread(row.gone, CARDS, out, _GONE)
    write_slots(hand, out, _HAND_SLOTS)
    write_slots(row.middle, out, _MIDDLE_SLOTS)
    out[_PHASE + public_phase(row)] = 1
    out[_OWN_LAP + min(int(row.laps[seat]), 3)] = 1
    out[_HAND_VALUE] = value(hand, rules)
    out[_MIDDLE_VALUE] = value(row.middle, rules)
    if hand != NONE and row.middle != NONE:
        write_exchange_values(hand, row.middle, rules, out)
    out[_TALON] = talon_size(row, rules)
    out[_PASSES] = row.passes
    for place in range(rules.players):
        other = clockwise(seat, place, rules.players)
        write_seat(row, other, out, _SEATS + place * _SEAT_SIZE)


@compiled
def write_slots(cards: Any, out: Any, offset: int) -> None:
    """Write each card's suit and rank as categories, in ascending order of the cards."""
    while cards != NONE:
        card = lowest(cards)
        out[offset + (card >> 3)] = 1
        out[offset + 4 + (card & 7)] = 1
        cards &= cards - np.uint64(1)
        offset += 12


@compiled
def write_exchange_values(hand: Any, middle: Any, rules: Any, out: Any) -> None:
    """Write the value that the hand would have after each of the actions 0-9."""
    given = hand
    for i in range(3):
        kept = hand ^ lowest_bit(given)
        write_values_of(kept, middle, rules, out, _EXCHANGE_VALUES + 3 * i)
        given &= given - np.uint64(1)
    out[_EXCHANGE_VALUES + SWAP_ALL] = value(middle, rules)


@compiled
def write_values_of(kept: Any, middle: Any, rules: Any, out: Any, offset: int) -> None:
    """Write the value of two kept cards with each of the middle's: only its suit gains by it."""
    kept_value, pair = suit_value(kept), ranks_of(kept)
    for j in range(3):
        taken = lowest(middle)
        suit = np.uint64(taken) & _SUITS
        suits_value = SUIT_VALUE[((kept | lowest_bit(middle)) >> suit) & _BYTE]
        if pair == singleton(taken & 7):
            out[offset + j] = value_of_three(pair, rules)
        else:
            out[offset + j] = max(kept_value, suits_value)
        middle &= middle - np.uint64(1)


@compiled
def write_seat(row: Any, seat: int, out: Any, offset: int) -> None:
    """Write what everybody knows of a seat to its block."""
    spread(row.known[seat], CARDS, out, offset)
    offset += CARDS
    out[offset] = row.lives[seat]
    out[offset + 1] = holds(row.alive, seat)
    out[offset + 2] = row.dealer == seat
    out[offset + 3] = row.turn == seat
    out[offset + 4] = row.stopper == seat
    out[offset + 5] = holds(row.to_have_turn, seat)
    out[offset + 6] = row.laps[seat]


@compiled
def observe_state(row: Any, rules: Any, out: Any) -> None:
    """Write the whole state to ``out`` (uint8, zeros before), as ``STATE_LAYOUT`` says."""
    for place in range(row.drawn, rules.pack_size):
        out[row.deck[place]] = place - row.drawn + 1
    spread(row.second_pile, CARDS, out, _STATE_PILE)
    spread(row.middle, CARDS, out, _STATE_MIDDLE)
    spread(row.gone, CARDS, out, _STATE_GONE)
    out[_STATE_PHASE + public_phase(row)] = 1
    out[_STATE_TALON] = talon_size(row, rules)
    out[_STATE_PASSES] = row.passes
    for seat in range(rules.players):
        block = _STATE_SEATS + seat * _STATE_SEAT_SIZE
        spread(row.hand[seat], CARDS, out, block)
        write_seat(row, seat, out, block + CARDS)


@compiled
def resample(row: Any, rules: Any, seat: int, key: Any) -> None:
    """Draw what the seat cannot know anew: uniform over all deals that fit what it has seen.

    Cards known to be in a hand stay there, every count stays, and the row gets ``key`` for its
    future. Deals in which somebody would have had to show a 31, or could not be the one who was
    asked about his, are drawn again: the true deal fits, so one is found.
    """
    attempt = 0
    while True:
        redistribute(row, rules, seat, derive(key, WORLD, attempt))
        if fits_what_was_shown(row, rules, seat):
            break
        attempt += 1
    row.key = key
    row.tally[:, :] = 0  # it may count what the seat has not seen


@compiled
def redistribute(row: Any, rules: Any, seat: int, key: Any) -> None:
    """Shuffle all cards the seat cannot place, and give each hidden place as many as it had."""
    hidden = rules.pack & ~(row.hand[seat] | row.middle | row.gone)
    for other in range(rules.players):
        hidden &= ~row.known[other]
    place = rules.pack_size - count(hidden)
    lay_out(row.deck, rules.pack & ~hidden)  # where it lay would tell what was dealt to whom
    stack(row.deck[place:], hidden, row.deck[:0], key)
    for other in range(rules.players):
        if other != seat:
            unknown = count(row.hand[other] & ~row.known[other])
            row.hand[other] = row.known[other] | set_of(row.deck[place : place + unknown])
            place += unknown
    if row.phase == DEALER_CHOICE:
        row.second_pile = set_of(row.deck[place : place + 3])


@compiled
def fits_what_was_shown(row: Any, rules: Any, seat: int) -> bool:
    """S31-26: nobody but who is being asked holds a 31; after the deal, nobody asked before him."""
    if row.phase == DEALER_CHOICE or row.turn < 0:
        return True
    asked = row.turn if row.phase != TURN else -1
    other = row.dealer
    for _ in range(count(row.alive)):
        other = next_seat(row, rules, other)
        if other != seat and is_31(row.hand[other], rules) != (other == asked):
            return False
        if other == asked and row.phase == DEALT_31:
            break
    return True


def every_card(row: Any, rules: Any) -> list[int]:
    """Return every card, wherever it lies, as often as it is there; for the self-check."""
    sets = (*row["hand"], row["second_pile"], row["middle"], row["gone"])
    talon = row["deck"][row["drawn"] : rules["pack_size"]]
    return [*(card for cards in sets for card in cards_in(cards)), *talon.tolist()]


def describe(row: Any, rules: Any, seat: int) -> Scene:
    """Put the table into words as ``seat`` sees it, or with all cards open for ``seat=-1``."""
    talon = f"{rules.pack_size - row.drawn} in the talon"
    zones = [_describe_seat(row, other, seat) for other in range(rules.players)]
    passes = (f"{row.passes} passed in a row",) if row.passes else ()
    middle = Zone("middle", _faces(row.middle), (talon, *passes))
    pile = _faces(row.second_pile) if seat == -1 else (HIDDEN,) * 3
    pile_zones = (Zone("second pile", pile),) if row.second_pile else ()
    gone = (Zone("gone", _faces(row.gone)),) if row.gone else ()
    over = row.turn < 0
    heading = f"{TITLE}, round {row.rounds + (not over)}: {PHASES[OVER if over else row.phase]}"
    return Scene(heading, (*zones, middle, *pile_zones, *gone), seat)


def _describe_seat(row: Any, seat: int, viewer: int) -> Zone:
    """Return one seat's cards and notes; the viewer's own are open, others' as far as known."""
    open_cards = row.hand[seat] if viewer in (seat, -1) else row.known[seat]
    hidden = int(row.hand[seat]).bit_count() - int(open_cards).bit_count()
    notes = [f"{row.lives[seat]} lives" if row.lives[seat] != 1 else "1 life"]
    if row.lives[seat] == 0:
        notes = ["swims"] if seat in cards_in(row.alive) else ["out"]
    notes += ["deals"] if row.dealer == seat else []
    notes += ["stopped"] if row.stopper == seat else []
    notes += ["still to play"] if seat in cards_in(row.to_have_turn) else []
    faces = (*_faces(open_cards), *([HIDDEN] * hidden))
    return Zone(f"seat {seat}", faces, tuple(notes), seat, bool(row.turn == seat))


def _faces(cards: Any) -> tuple[Card, ...]:
    return tuple(suited(card_name(card)) for card in cards_in(cards))

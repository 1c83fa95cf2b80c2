"""The rules of Mow, as functions over one row.

"Row" is both the record of a table and the row of cards in its middle; here the cards are what is
``laid``. The ids in the docstrings are those of the rules' text; ``switch=...`` names what a table
may play differently.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from cardenv.cards import (
    DECK,
    NONE,
    SEAT,
    WORLD,
    below,
    cards_in,
    count,
    derive,
    holds,
    lay_out,
    lowest,
    set_of,
    singleton,
    slot,
    spread,
    stack,
)
from cardenv.compiling import compiled
from cardenv.figures import Figure
from cardenv.layout import Event, Field, Layout
from cardenv.rules import REWARD_ROUNDS, GameRules, RulesError, switch
from cardenv.scene import HIDDEN, Card, Scene, Zone, counted
from cardenv.seats import (
    all_seats,
    clockwise,
    count_round,
    end_match,
    seats_with,
    state,
    tally_places,
)

NAME = "mow"
TITLE = "Mow"
ALIASES: tuple[str, ...] = ()
VERSION = 0
MAX_PLAYERS = 5
DEFAULT_EPISODE = "match"
FIRST_SEAT = "starter"

# MOW-2, MOW-3, MOW-4: outer values are rarer, some cards show flies, the last six are special.
VALUES = (*range(1, 16), *range(2, 15), *range(3, 14), 7, 8, 9, 0, 16, 7, 9, -1, -1)
"""Each card's value; -1 for a latecomer, which has none."""
FLIES = (*[0] * 15, *[1] * 13, *[2] * 11, *[3] * 3, *[5] * 6)
"""Each card's flies, 74 together."""
CARDS, ALL_FLIES = len(VALUES), sum(FLIES)
HAND_SIZE = 5
LOWEST, HIGHEST = 0, 16
EDGE_0, EDGE_16, COVERER_7, COVERER_9, LATECOMER, SECOND_LATECOMER = range(42, 48)

# An action below CLEAR is a card, or a special card laid with the direction reversed.
REVERSED, CLEAR = 47, 52
SPECIAL_ACTIONS = 5


def card_name(card: int) -> str:
    """Return a card's value and a star a fly: ``12**``; a coverer is ``(7)``, a latecomer ``+``."""
    value = f"{VALUES[card]}" if VALUES[card] >= 0 else "+"
    return (f"({value})" if card in (COVERER_7, COVERER_9) else value) + "*" * FLIES[card]


ACTION_NAMES = (
    *(f"lay {card_name(card)}" for card in range(EDGE_0)),
    *(f"lay {card_name(card)}, keep direction" for card in range(EDGE_0, SECOND_LATECOMER)),
    *(f"lay {card_name(card)}, reverse" for card in range(EDGE_0, SECOND_LATECOMER)),
    "clear",
)

LATECOMER_CAPACITY, LATECOMER_ONE_PER_GAP, LATECOMER_UNLIMITED = range(3)
STARTER_MOST_FLIES, STARTER_ROTATE, STARTER_RANDOM = range(3)


@dataclass(frozen=True)
class Rules(GameRules):
    """The switches of Mow; the defaults are those of the original text (preset ``standard``)."""

    PACK_SIZE: ClassVar[int] = CARDS
    MIN_PLAYERS: ClassVar[int] = 2
    MAX_PLAYERS: ClassVar[int] = MAX_PLAYERS
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "standard": {},
        "letter": {},
        "common": {},
    }

    latecomer: str = switch(
        "capacity",
        ("capacity", "one_per_gap", "unlimited"),
        "MOW-24: how many latecomers a gap between two cards has room for",
    )
    voluntary_clear: bool = switch(
        True, (True, False), "MOW-30: the row may be cleared although a card fits"
    )
    next_starter: str = switch(
        "most_flies", ("most_flies", "rotate", "random"), "who begins a later round of a match"
    )
    target: int = switch(100, range(1, 182), "MOW-34: flies that end the match")

    def __post_init__(self) -> None:
        """Refuse a pack without flies beside what all games refuse."""
        super().__post_init__()
        if not any(FLIES[card] for card in self.pack):
            raise RulesError(
                "pack has no card with flies, so that nobody could ever lose; "
                "give at least one of the cards from 15 on."
            )

    def cards_needed(self, players: int) -> int:
        """MOW-8: five for each player."""
        return HAND_SIZE * players


TALLIES = ("hand_flies", "forced_flies", "voluntary_flies", "forced_clears", "voluntary_clears")
HAND_FLIES, FORCED_FLIES, VOLUNTARY_FLIES, FORCED_CLEARS, VOLUNTARY_CLEARS = tally_places(TALLIES)

STATE = state(
    MAX_PLAYERS,
    # The round
    ("starter", "i1"),
    ("direction", "i1"),
    ("hand", "u8", MAX_PLAYERS),
    ("supply", "u8", MAX_PLAYERS),
    ("flies", "u1", MAX_PLAYERS),
    ("laid", "u8"),
    ("values", "u8"),
    ("left_end", "i1"),
    ("right_end", "i1"),
    ("laid_flies", "u1"),
    ("deck", "u1", CARDS),
    ("drawn", "i1"),
    # The match
    ("total", "u1", MAX_PLAYERS),
    tallies=TALLIES,
)

LAYOUT = Layout(
    shared=(
        Field("hand", CARDS, "own cards"),
        Field("row", CARDS, "cards in the row"),
        Field("distance", COVERER_7, "per own card that fits: from its end of the row", HIGHEST),
        Field("left_end", HIGHEST + 1, "the leftmost value, one of 0-16; nothing: an empty row"),
        Field("right_end", HIGHEST + 1, "the rightmost value likewise"),
        Field("latecomer_places", 1, "latecomers the row has room for (unlimited: 1)", HIGHEST - 1),
        Field("row_flies", 1, "flies in the row", ALL_FLIES),
        Field("must_open", 1, "whoever is to decide opens the row"),
        Field("clockwise", 1, "the direction of play"),
        Field("pile", 1, "cards left in the pile", CARDS),
    ),
    seat=(
        Field("supply", CARDS, "cards this seat has cleared"),
        Field("supply_flies", 1, "flies on them", ALL_FLIES),
        Field("total_flies", 1, "flies noted in the match", lambda rules: rules.target + 73),
        Field("hand_size", 1, "cards in hand", HAND_SIZE),
        Field("deciding", 1, "is to decide"),
        Field("seated", 1, "somebody sits here: what is padded with has nobody"),
    ),
)
EVENT = Event(
    draws=Field("draws", 1, "cards drawn by who decided"),
    seen=(Field("cards", CARDS, "the card laid, or the row that was cleared"),),
    drawn=Field("drawn", CARDS, "the card drawn, if by the observer"),
)
STATE_LAYOUT = Layout(
    shared=(
        Field("position", CARDS, "per card: its place in the pile from 1, else 0", CARDS),
        *(field for field in LAYOUT.shared if field.name not in ("hand", "distance")),
    ),
    seat=(
        Field("cards", CARDS, "this seat's hand"),
        Field("starter", 1, "began this round"),
        *LAYOUT.seat,
    ),
)
"""Layout of the whole state, seats in absolute order."""

FIGURES = (
    Figure("flies in hand", "flies in hand at the end of a round", ("hand_flies",), ("rounds",)),
    Figure(
        "flies, forced",
        "flies a round from clears with no card in hand that fits",
        ("forced_flies",),
        ("rounds",),
    ),
    Figure(
        "flies, voluntary",
        "flies a round from clears although a card fits",
        ("voluntary_flies",),
        ("rounds",),
    ),
    Figure(
        "clears, forced",
        "clears a round with no card in hand that fits",
        ("forced_clears",),
        ("rounds",),
    ),
    Figure(
        "clears, voluntary",
        "clears a round although a card fits",
        ("voluntary_clears",),
        ("rounds",),
    ),
)

_HAND, _DISTANCE = LAYOUT.offset("hand"), LAYOUT.offset("distance")
_ROW, _STATE_ROW = LAYOUT.offset("row"), STATE_LAYOUT.offset("row")
_ENDS, _STATE_ENDS = LAYOUT.offset("left_end"), STATE_LAYOUT.offset("left_end")
# From the left end on, both layouts have the same fields.
_RIGHT_END, _PLACES, _ROW_FLIES, _MUST_OPEN, _CLOCKWISE, _PILE = (
    LAYOUT.offset(name) - _ENDS
    for name in (
        *("right_end", "latecomer_places", "row_flies"),
        *("must_open", "clockwise", "pile"),
    )
)
_SEATS, _SEAT_SIZE = LAYOUT.shared_size, LAYOUT.seat_size
_STATE_SEATS, _STATE_SEAT_SIZE = STATE_LAYOUT.shared_size, STATE_LAYOUT.seat_size

VALUE, FLIES_ON = np.array(VALUES, np.int8), np.array(FLIES, np.uint8)


def _cards_where(wanted: Any) -> np.uint64:
    """Return the set of cards that may lie at an end of the row and whose value is wanted."""
    return np.uint64(sum(1 << card for card in range(COVERER_7) if wanted(VALUES[card])))


# An empty row has its left end above 16 and its right end at 16, so that everything goes left.
EMPTY_LEFT_END, EMPTY_RIGHT_END = HIGHEST + 1, HIGHEST
LOWER_THAN = np.array(
    [_cards_where(lambda v, end=end: v < end) for end in range(EMPTY_LEFT_END + 1)]
)
HIGHER_THAN = np.array([_cards_where(lambda v, end=end: v > end) for end in range(HIGHEST + 1)])
LATECOMERS = np.uint64(0b11 << LATECOMER)
SPECIALS = np.uint64(0b11111 << EDGE_0)
WITH_FLIES = tuple(
    (flies, np.uint64(sum(1 << card for card in range(CARDS) if FLIES[card] == flies)))
    for flies in (1, 2, 3, 5)
)


# --- Dealing ------------------------------------------------------------------------------------


@compiled
def deal(row: Any, rules: Any, key: Any, deck: Any, first: int) -> None:
    """MOW-7: start an episode; the first starter is drawn unless ``first`` names him.

    Args:
        row: a row of zeros.
        rules: the table's record.
        key: generator key of the episode.
        deck: uint8 order of the first round's pack, or empty to shuffle.
        first: seat of the first starter, or -1.
    """
    row.key = key
    row.starter = first if first >= 0 else drawn_starter(row, all_seats(rules.players))
    deal_round(row, rules, deck)


@compiled
def deal_round(row: Any, rules: Any, deck: Any) -> None:
    """MOW-8, MOW-9, MOW-10: shuffle, five cards each, the rest is the pile; clockwise at first."""
    stack(row.deck, rules.pack, deck, derive(row.key, DECK, row.rounds))
    row.drawn = 0
    for seat in range(rules.players):
        row.hand[seat] = set_of(row.deck[row.drawn : row.drawn + HAND_SIZE])
        row.drawn += HAND_SIZE
        row.supply[seat] = NONE
        row.flies[seat] = 0
    empty_row(row)
    row.direction = 1
    row.turn = row.starter


@compiled
def empty_row(row: Any) -> None:
    """Leave no card in the row."""
    row.laid = NONE
    row.values = NONE
    row.left_end = EMPTY_LEFT_END
    row.right_end = EMPTY_RIGHT_END
    row.laid_flies = 0


@compiled
def next_starter(row: Any, rules: Any) -> int:
    """Say who begins the next round (switch=next_starter)."""
    if rules.next_starter == STARTER_ROTATE:
        return clockwise(row.starter, 1, rules.players)
    if rules.next_starter == STARTER_RANDOM:
        return drawn_starter(row, all_seats(rules.players))
    return drawn_starter(row, most_flies(row.total, rules))


@compiled
def drawn_starter(row: Any, seats: Any) -> int:
    """Draw one of the seats, by a key of this round."""
    return slot(seats, below(derive(row.key, SEAT, row.rounds), count(seats)))


# --- Decisions ----------------------------------------------------------------------------------


@compiled
def legal(row: Any, rules: Any) -> Any:
    """MOW-13, MOW-14: lay a card that fits, or clear; empty once the episode is over."""
    if row.turn < 0:
        return NONE
    cards = row.hand[row.turn] & fitting(row, rules)
    actions = actions_with(cards, rules)
    if row.laid != NONE and (cards == NONE or rules.voluntary_clear):  # MOW-30
        actions |= singleton(CLEAR)
    return actions


@compiled
def fitting(row: Any, rules: Any) -> Any:
    """Return all cards that the row has a place for.

    MOW-15, MOW-16: below the leftmost value, or above the rightmost. MOW-18, MOW-19, MOW-20: so
    also 0 and 16, and nothing goes beyond them. An empty row takes whatever has a value of its own.
    """
    cards = LOWER_THAN[row.left_end] | HIGHER_THAN[row.right_end]
    if holds(row.values, 7):  # MOW-21, MOW-22: the only place of a coverer
        cards |= singleton(COVERER_7)
    if holds(row.values, 9):
        cards |= singleton(COVERER_9)
    if latecomer_places(row, rules) > 0:
        cards |= LATECOMERS
    return cards


@compiled
def latecomer_places(row: Any, rules: Any) -> int:
    """MOW-23, MOW-24: room for latecomers between cards that differ by two (switch=latecomer)."""
    if rules.latecomer == LATECOMER_ONE_PER_GAP:
        stretches = count(row.values & ~(row.values << np.uint64(1)))
        return max(0, stretches - 1 - count(row.laid & LATECOMERS))
    missing_values = row.right_end - row.left_end + 1 - count(row.values)
    if rules.latecomer == LATECOMER_UNLIMITED:
        return min(1, missing_values)
    return missing_values - count(row.laid & LATECOMERS)


@compiled
def actions_with(cards: Any, rules: Any) -> Any:
    """MOW-25: each card is an action, a special two; but two players have no other direction."""
    second = cards & singleton(SECOND_LATECOMER)
    actions = (cards ^ second) | second >> np.uint64(1)
    if rules.players > 2:
        actions |= (actions & SPECIALS) << np.uint64(SPECIAL_ACTIONS)
    return actions


@compiled
def step(row: Any, rules: Any, action: int) -> None:
    """Carry out a legal action of the deciding seat, up to the next decision of anybody."""
    if action == CLEAR:
        clear(row, rules)
    else:
        lay(row, card_of(row.hand[row.turn], action))
        if action >= REVERSED:  # MOW-11, MOW-25
            row.direction = -row.direction
        draw(row, rules)
        row.turn = next_seat(row, rules)


@compiled
def card_of(hand: Any, action: int) -> int:
    """Return the card that an action lays; of two latecomers the lower id."""
    card = action - SPECIAL_ACTIONS if action >= REVERSED else action
    return lowest(hand & LATECOMERS) if card == LATECOMER else card


@compiled
def lay(row: Any, card: int) -> None:
    """MOW-12, MOW-15, MOW-16: a card goes from the hand to the row; MOW-22: specials keep ends."""
    row.hand[row.turn] ^= singleton(card)
    if card < COVERER_7:
        row.left_end = VALUE[card] if row.laid == NONE else min(row.left_end, VALUE[card])
        row.right_end = VALUE[card] if row.laid == NONE else max(row.right_end, VALUE[card])
        row.values |= singleton(VALUE[card])
    row.laid |= singleton(card)
    row.laid_flies += FLIES_ON[card]


@compiled
def draw(row: Any, rules: Any) -> None:
    """MOW-12, MOW-17: one card from the pile, if there is one left; MOW-31: else go on without."""
    if pile_size(row, rules) > 0:
        row.hand[row.turn] |= singleton(row.deck[row.drawn])
        row.drawn += 1


@compiled
def pile_size(row: Any, rules: Any) -> int:
    """Return how many cards the pile still holds."""
    return rules.pack_size - row.drawn


@compiled
def next_seat(row: Any, rules: Any) -> int:
    """MOW-10, MOW-11, MOW-25: the neighbour in the direction of play."""
    places = 1 if row.direction > 0 else rules.players - 1
    return clockwise(row.turn, places, rules.players)


@compiled
def clear(row: Any, rules: Any) -> None:
    """MOW-26, MOW-27: the row goes to the supply; MOW-28, MOW-29: its player opens a new one."""
    count_clear(row, rules)
    row.supply[row.turn] |= row.laid
    row.flies[row.turn] += row.laid_flies
    empty_row(row)
    if pile_size(row, rules) == 0:  # MOW-31
        end_round(row, rules)


@compiled
def count_clear(row: Any, rules: Any) -> None:
    """MOW-30: a clear is forced if no card in hand fits, and voluntary otherwise."""
    forced = row.hand[row.turn] & fitting(row, rules) == NONE
    row.tally[row.turn, FORCED_CLEARS if forced else VOLUNTARY_CLEARS] += 1
    row.tally[row.turn, FORCED_FLIES if forced else VOLUNTARY_FLIES] += row.laid_flies


# --- The end of a round -------------------------------------------------------------------------


@compiled
def end_round(row: Any, rules: Any) -> None:
    """MOW-32, MOW-33: hands go to the supplies, flies are noted; pay, deal anew or end."""
    for seat in range(rules.players):
        hand_flies = flies_in(row.hand[seat])
        row.tally[seat, HAND_FLIES] += hand_flies
        row.flies[seat] += hand_flies
        row.supply[seat] |= row.hand[seat]
        row.hand[seat] = NONE
        row.total[seat] += row.flies[seat]
    winners, losers = fewest_flies(row.flies, rules), most_flies(row.flies, rules)
    count_round(row, rules, all_seats(rules.players), winners, losers)
    if not rules.match or rules.reward == REWARD_ROUNDS:
        pay_round(row, rules)
    if not rules.match:
        row.turn = -1
    elif max(row.total) >= rules.target:  # MOW-34
        end_match(row, rules, fewest_flies(row.total, rules))  # MOW-35: ties share
    else:
        row.starter = next_starter(row, rules)
        deal_round(row, rules, row.deck[:0])


@compiled
def flies_in(cards: Any) -> int:
    """MOW-3: the flies that a set of cards shows."""
    flies = 0
    for each, shown in WITH_FLIES:
        flies += each * count(cards & shown)
    return flies


@compiled
def most_flies(flies: Any, rules: Any) -> Any:
    """Return the set of seats with the most flies."""
    return seats_with(flies, max(flies[: rules.players]), rules.players)


@compiled
def fewest_flies(flies: Any, rules: Any) -> Any:
    """Return the set of seats with the fewest flies."""
    return seats_with(flies, min(flies[: rules.players]), rules.players)


@compiled
def pay_round(row: Any, rules: Any) -> None:
    """MOW-1, MOW-5: the mean of all flies less the own, as a share of the pack's flies."""
    all_flies = flies_in(rules.pack)
    for seat in range(rules.players):
        row.score[seat] += (all_flies / rules.players - row.flies[seat]) / all_flies
    row.payouts += 1


# --- What a decision shows ----------------------------------------------------------------------


@compiled
def glance(row: Any, rules: Any, action: int) -> Any:
    """Return what ``witness`` must know of the row before an action: the row of cards, the hand."""
    return row.laid, row.hand[row.turn]


@compiled
def witness(row: Any, rules: Any, seat: int, action: int, before: Any, sets: Any) -> int:
    """Note the card laid or the cards cleared, and the one drawn; an action is seen as it is."""
    laid, hand = before
    sets[0] = row.laid ^ laid
    sets[1] = row.hand[seat] & ~hand
    return action


# --- What a seat knows --------------------------------------------------------------------------


@compiled
def observe(row: Any, rules: Any, seat: int, out: Any) -> None:
    """Write what a seat knows to ``out`` (uint8, zeros before), as ``LAYOUT`` says."""
    spread(row.hand[seat], CARDS, out, _HAND)
    spread(row.laid, CARDS, out, _ROW)
    write_distances(row, row.hand[seat], out)
    write_row(row, rules, out, _ENDS)
    for place in range(rules.players):
        other = clockwise(seat, place, rules.players)
        write_seat(row, other, out, _SEATS + place * _SEAT_SIZE)


@compiled
def write_distances(row: Any, hand: Any, out: Any) -> None:
    """Write how far from its end of the row each card would lie that fits there; 1 is next to it.

    In an empty row nothing is far from anything: all are 0.
    """
    if row.laid == NONE:
        return
    cards = hand & (LOWER_THAN[row.left_end] | HIGHER_THAN[row.right_end])
    while cards != NONE:
        card = lowest(cards)
        out[_DISTANCE + card] = max(row.left_end - VALUE[card], VALUE[card] - row.right_end)
        cards &= cards - np.uint64(1)


@compiled
def write_row(row: Any, rules: Any, out: Any, offset: int) -> None:
    """Write the ends of the row and the counts that everybody sees, from ``left_end`` on."""
    if row.laid != NONE:
        out[offset + int(row.left_end)] = 1
        out[offset + _RIGHT_END + int(row.right_end)] = 1
    out[offset + _PLACES] = latecomer_places(row, rules)
    out[offset + _ROW_FLIES] = row.laid_flies
    out[offset + _MUST_OPEN] = row.laid == NONE and row.turn >= 0
    out[offset + _CLOCKWISE] = row.direction > 0
    out[offset + _PILE] = pile_size(row, rules)


@compiled
def write_seat(row: Any, seat: int, out: Any, offset: int) -> None:
    """Write what everybody knows of a seat to its block."""
    spread(row.supply[seat], CARDS, out, offset)
    offset += CARDS
    out[offset] = row.flies[seat]
    out[offset + 1] = row.total[seat]
    out[offset + 2] = count(row.hand[seat])
    out[offset + 3] = row.turn == seat
    out[offset + 4] = 1


@compiled
def observe_state(row: Any, rules: Any, out: Any) -> None:
    """Write the whole state to ``out`` (uint8, zeros before), as ``STATE_LAYOUT`` says."""
    for place in range(row.drawn, rules.pack_size):
        out[row.deck[place]] = place - row.drawn + 1
    spread(row.laid, CARDS, out, _STATE_ROW)
    write_row(row, rules, out, _STATE_ENDS)
    for seat in range(rules.players):
        block = _STATE_SEATS + seat * _STATE_SEAT_SIZE
        spread(row.hand[seat], CARDS, out, block)
        out[block + CARDS] = row.starter == seat
        write_seat(row, seat, out, block + CARDS + 1)


@compiled
def resample(row: Any, rules: Any, seat: int, key: Any) -> None:
    """Draw what the seat cannot know anew: the others' hands and the pile, uniformly.

    The row and all supplies are public, every count stays, and the row gets ``key`` for its future.
    """
    hidden = rules.pack & ~(row.hand[seat] | row.laid)
    for other in range(rules.players):
        hidden &= ~row.supply[other]
    place = rules.pack_size - count(hidden)
    lay_out(row.deck, rules.pack & ~hidden)  # where it lay would tell what was dealt to whom
    stack(row.deck[place:], hidden, row.deck[:0], derive(key, WORLD, 0))
    for other in range(rules.players):
        if other != seat:
            size = count(row.hand[other])
            row.hand[other] = set_of(row.deck[place : place + size])
            place += size
    row.key = key
    row.tally[:, :] = 0  # it may count what the seat has not seen


def every_card(row: Any, rules: Any) -> list[int]:
    """Return every card, wherever it lies, as often as it is there; for the self-check."""
    sets = (*row["hand"], *row["supply"], row["laid"])
    pile = row["deck"][row["drawn"] : rules["pack_size"]]
    return [*(card for cards in sets for card in cards_in(cards)), *pile.tolist()]


def describe(row: Any, rules: Any, seat: int) -> Scene:
    """Put the table into words as ``seat`` sees it, or with all cards open for ``seat=-1``."""
    zones = [_describe_seat(row, rules, other, seat) for other in range(rules.players)]
    left = int(rules.pack_size - row.drawn)
    pile = Zone("pile", (), (counted(left, "card"),), heap=left)
    over = row.turn < 0
    arrow = "↻ clockwise" if row.direction > 0 else "↺ anticlockwise"
    heading = f"{TITLE}, round {row.rounds + (not over)}: {'over' if over else arrow}"
    return Scene(heading, (*zones, _describe_row(row, rules), pile), seat)


def _describe_seat(row: Any, rules: Any, seat: int, viewer: int) -> Zone:
    """Return one seat's cards and notes; only the viewer's own are open."""
    cards = sorted(cards_in(row.hand[seat]), key=lambda card: (VALUES[card], card))
    faces = tuple(_face(card) if viewer in (seat, -1) else HIDDEN for card in cards)
    notes = [f"{counted(row.flies[seat], 'fly', 'flies')} in the supply"]
    notes += [f"{row.total[seat]} in the match"] if rules.match and row.rounds else []
    notes += ["opens"] if row.turn == seat and not row.laid else []
    return Zone(f"seat {seat}", faces, tuple(notes), seat, bool(row.turn == seat))


def _describe_row(row: Any, rules: Any) -> Zone:
    """Return the row from left to right, with what its ends and gaps take."""
    if not row.laid:
        return Zone("row", ())
    room = int(latecomer_places(row, rules))
    unlimited = rules.latecomer == LATECOMER_UNLIMITED
    takes = "latecomers" if unlimited else counted(room, "latecomer")
    notes = [
        f"left below {row.left_end}" if row.left_end > LOWEST else "left blocked",
        f"right above {row.right_end}" if row.right_end < HIGHEST else "right blocked",
        counted(row.laid_flies, "fly", "flies"),
        *([f"room for {takes}"] if room else []),
    ]
    cards = _from_left_to_right(row, rules)
    return Zone("row", tuple(_face(card) for card in cards), tuple(notes))


def _face(card: int) -> Card:
    return Card(card_name(card).rstrip("*"), marks=FLIES[card])


def _from_left_to_right(row: Any, rules: Any) -> list[int]:
    """Return the row's cards by value, a coverer after what it covers.

    Which gap a latecomer lies in is nobody's choice: here the first ones that have room.
    """
    most = {LATECOMER_ONE_PER_GAP: 1, LATECOMER_CAPACITY: HIGHEST}.get(int(rules.latecomer))
    late = cards_in(row.laid & LATECOMERS)
    cards = sorted(set(cards_in(row.laid)) - set(late), key=lambda card: (VALUES[card], card))
    ordered: list[int] = []
    for card, following in zip(cards, [*cards[1:], cards[-1]], strict=True):
        ordered.append(card)
        room = max(0, VALUES[following] - VALUES[card] - 1)
        taken = late[: min(room, most)] if most else late[: room * len(late)]
        ordered += taken
        late = late[len(taken) :]
    return ordered

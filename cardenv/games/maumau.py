"""The rules of Mau-Mau, as functions over one row.

Two packs hold every card twice, so cards are kept as two sets: those there at all, and in a field
``..._twice`` those of them there twice. The ids in the docstrings are those of the rules' text;
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
    RANKS,
    RANKS_PER_SUIT,
    SEAT,
    SUIT_SIGNS,
    SUITS,
    TALON,
    WORLD,
    below,
    card_name,
    cards_in,
    count,
    derive,
    holds,
    lowest,
    shuffle,
    singleton,
    spread,
    stack,
)
from cardenv.compiling import compiled
from cardenv.figures import Figure
from cardenv.layout import Event, Field, Layout
from cardenv.rules import REWARD_ROUNDS, GameRules, RulesError, switch
from cardenv.scene import HIDDEN, Scene, Zone, counted, suited
from cardenv.seats import (
    all_seats,
    clockwise,
    count_round,
    end_match,
    pay_first_place,
    pay_the_rest,
    seats_with,
    state,
    tally_places,
)

NAME = "maumau"
TITLE = "Mau-Mau"
ALIASES = ("mau-mau",)
VERSION = 0
MAX_PLAYERS = 10
PLAYERS_OF_ONE_PACK = 5
DEFAULT_EPISODE = "round"
FIRST_SEAT = "dealer"

SEVEN, EIGHT, JACK, ACE = 0, 1, 4, 7
KING_OF_HEARTS = 14
KING_DRAWS = 3
POINTS = (7, 8, 9, 10, 20, 10, 10, 11)
"""The points of each rank that is left in hand."""
ALL_POINTS = len(SUITS) * sum(POINTS)
MOST_POINTS_SHOWN = 255

# An action below 32 lays that card; jacks are laid by four actions each, one a wish.
LAY_JACK, LAY_KING, DRAW, END, CALL_MAU = 32, 48, 52, 53, 54


def _wish(card: int) -> tuple[str, ...]:
    return tuple(f"lay {card_name(card)}, wish {sign}" for sign in SUIT_SIGNS)


ACTION_NAMES = (
    *(f"lay {card_name(card)}" for card in range(CARDS)),
    *(name for suit in range(len(SUITS)) for name in _wish(RANKS_PER_SUIT * suit + JACK)),
    *_wish(KING_OF_HEARTS),
    *("draw", "end turn", "call Mau"),
)

MAU_AUTO, MAU_ACTION = range(2)
AFTER_DRAW_NONE, AFTER_DRAW_DRAWN, AFTER_DRAW_ANY = range(3)
START_NEUTRAL, START_ACTIVE = range(2)
SCORING_WIN, SCORING_POINTS = range(2)

NEW_TURN, WENT_ON_AFTER_ACE, WENT_ON_AFTER_DRAW = range(3)


@dataclass(frozen=True)
class Rules(GameRules):
    """The switches of Mau-Mau; the defaults are the original text's (preset ``standard``)."""

    PACK_SIZE: ClassVar[int] = CARDS
    MIN_PLAYERS: ClassVar[int] = 2
    MAX_PLAYERS: ClassVar[int] = MAX_PLAYERS
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "standard": {},
        "letter": {"mau_call": "action"},
        "common": {"jack_on_jack": False, "play_after_draw": "drawn"},
    }

    decks: int = switch(1, (1, 2), "MAU-23: packs in play; more than five players need two")
    hand_size: int = switch(5, range(1, 32), "MAU-2: cards dealt to each")
    mau_call: str = switch(
        "auto", ("auto", "action"), "MAU-10: whether calling Mau before the last card is a decision"
    )
    mau_penalty: int = switch(2, range(0, 11), "MAU-11: cards drawn by who forgot to call Mau")
    seven_draw: int = switch(2, range(1, 11), "MAU-13: cards that each seven makes draw")
    play_after_draw: str = switch(
        "none", ("none", "drawn", "any"), "MAU-22: what may still be laid after drawing"
    )
    king_wish: bool = switch(False, (False, True), "MAU-24: the king of hearts names a suit too")
    actions_wild: bool = switch(
        False, (False, True), "MAU-25: 7, 8, J, A and ♥K may be laid on anything"
    )
    jack_on_jack: bool = switch(True, (True, False), "MAU-18: a jack may be laid on a jack")
    start_card: str = switch(
        "neutral", ("neutral", "active"), "whether a 7, 8 or ♥K turned up at first has its effect"
    )
    scoring: str = switch("win", ("win", "points"), "what the reward of a round is made of")
    target: int = switch(101, range(1, 256), "points that end the match")
    max_turns: int = switch(1000, range(1, 10_001), "turns after which the fewest cards win")

    @property
    def cards(self) -> tuple[int, ...]:
        """MAU-1, MAU-23: each card once, or twice with two packs."""
        return tuple(sorted(self.pack * self.decks))

    @property
    def most_players(self) -> int:
        """MAU-1, MAU-23: five with one pack."""
        return PLAYERS_OF_ONE_PACK if self.decks == 1 else MAX_PLAYERS

    @property
    def other_remedies(self) -> str:
        """MAU-2, MAU-23: smaller hands, or a second pack."""
        return (
            ", a smaller hand_size, or decks=2" if self.decks == 1 else ", or a smaller hand_size"
        )

    def cards_needed(self, players: int) -> int:
        """MAU-2, MAU-3: a hand for each and the start card."""
        return players * self.hand_size + 1

    def check_players(self, players: int) -> None:
        """Refuse what all games refuse; name the second pack where it would help."""
        if self.decks == 1 and players in range(PLAYERS_OF_ONE_PACK + 1, MAX_PLAYERS + 1):
            raise RulesError(
                f"players={players} is not possible; this game takes {self.MIN_PLAYERS} to "
                f"{PLAYERS_OF_ONE_PACK} with one pack, and up to {MAX_PLAYERS} with decks=2."
            )
        super().check_players(players)


TALLIES = ("turns_to_win", "cards_left", "points_left")
TURNS_TO_WIN, CARDS_LEFT, POINTS_LEFT = tally_places(TALLIES)

STATE = state(
    MAX_PLAYERS,
    # The round
    ("dealer", "i1"),
    ("hand", "u8", MAX_PLAYERS),
    ("hand_twice", "u8", MAX_PLAYERS),
    ("top", "i1"),
    ("in_force", "u2"),  # a bit for the suit (0-3) and one for the rank (4-11): none under a wish
    ("fitting", "u8"),
    ("discarded", "u8"),
    ("discarded_twice", "u8"),
    ("deck", "u1", 2 * CARDS),
    ("drawn", "i1"),
    ("reshuffles", "u2"),
    ("open_draws", "u1"),
    ("went_on", "u1"),
    ("drawn_card", "i1"),
    ("called", "u1"),
    ("drew", "u2", MAX_PLAYERS),  # what was in force at each seat's last ordinary draw
    ("turns", "u2"),
    ("winners", "u8"),
    # The match
    ("points", "u2", MAX_PLAYERS),
    tallies=TALLIES,
)


def _packs(rules: Rules) -> int:
    return rules.decks


def _cards(rules: Rules) -> int:
    return len(rules.cards)


LAYOUT = Layout(
    shared=(
        Field("hand", CARDS, "own cards, how many of each", _packs),
        Field("discarded", CARDS, "laid since the last reshuffle, the top card apart", _packs),
        Field("top_suit", 4, "suit of the top card"),
        Field("top_rank", 8, "its rank"),
        Field("suit_in_force", 4, "suit that the next card is to match, or else the top rank"),
        Field("wish", 1, "that suit was wished, so that no rank matches"),
        Field("after_ace", 1, "whoever is to decide goes on after an ace"),
        Field("after_draw", 1, "whoever is to decide goes on after a draw"),
        Field(
            "open_draws",
            1,
            "cards to be taken for sevens just laid, unless countered",
            _cards,
        ),
        Field("talon", 1, "cards left in the talon", _cards),
    ),
    seat=(
        Field("drew_suit", 4, "suit it had to match when it last chose to draw, until it lays"),
        Field("drew_rank", 8, "rank it had to match then; none under a wish"),
        Field("mau", 1, "holds one card, or has called Mau this turn"),
        Field("deciding", 1, "is to decide"),
        Field("seated", 1, "somebody sits here: what is padded with has nobody"),
        Field("hand_size", 1, "cards in hand", _cards),
        Field("points", 1, "points noted in the match, 255 for more", MOST_POINTS_SHOWN),
    ),
)
EVENT = Event(
    draws=Field("draws", 2, "cards drawn by who decided, and by the next seat", _cards),
    seen=(Field("shuffled", CARDS, "discarded cards that became the talon, how many", _packs),),
    drawn=Field("drawn", CARDS, "the cards drawn, if by the observer, how many of each", _packs),
)
STATE_LAYOUT = Layout(
    shared=(
        Field("position", CARDS, "per card: its place in the talon, 1 drawn next; else 0", _cards),
        Field("second_position", CARDS, "likewise where the talon holds a card twice", _cards),
        Field("turns_left", 1, "turns before the round ends, 255 for more", 255),
        *(field for field in LAYOUT.shared if field.name != "hand"),
    ),
    seat=(
        Field("cards", CARDS, "this seat's hand, how many of each", _packs),
        Field("dealer", 1, "deals this round"),
        Field("drawn_card", CARDS, "the card it has just drawn and may lay"),
        *LAYOUT.seat,
    ),
)
"""Layout of the whole state, seats in absolute order."""

FIGURES = (
    Figure(
        "turns to finish",
        "turns at the table, of anybody, in a round that it won",
        ("turns_to_win",),
        ("rounds_won",),
    ),
    Figure(
        "cards left", "cards in hand at the end of a lost round", ("cards_left",), ("rounds_lost",)
    ),
    Figure(
        "points left",
        "points in hand at the end of a lost round",
        ("points_left",),
        ("rounds_lost",),
    ),
)

_HAND, _DISCARDED = LAYOUT.offset("hand"), LAYOUT.offset("discarded")
_TURNS_LEFT, _STATE_DISCARDED = (
    STATE_LAYOUT.offset("turns_left"),
    STATE_LAYOUT.offset("discarded"),
)
# From the discarded cards on, both layouts have the same fields.
_TOP, _OPEN_DRAWS, _TALON = (
    LAYOUT.offset(name) - _DISCARDED for name in ("top_suit", "open_draws", "talon")
)
_TABLE_TRUTHS = _OPEN_DRAWS - _TOP
_SEATS, _SEAT_SIZE = LAYOUT.shared_size, LAYOUT.seat_size
_SEAT_TRUTHS, _POINTS = (
    LAYOUT.offset(name) - LAYOUT.offset("drew_suit") for name in ("hand_size", "points")
)
_STATE_SEATS, _STATE_SEAT_SIZE = STATE_LAYOUT.shared_size, STATE_LAYOUT.seat_size


def _set(cards: Any) -> np.uint64:
    return np.uint64(sum(1 << card for card in cards))


OF_SUIT = np.array([_set(range(8 * suit, 8 * suit + 8)) for suit in range(len(SUITS))])
OF_RANK = np.array([_set(range(rank, CARDS, 8)) for rank in range(RANKS_PER_SUIT)])
SEVENS, JACKS = OF_RANK[SEVEN], OF_RANK[JACK]
FUNCTION_CARDS = OF_RANK[SEVEN] | OF_RANK[EIGHT] | JACKS | OF_RANK[ACE] | _set([KING_OF_HEARTS])
WISHES_OF_JACK = np.array([np.uint64(0b1111 << (LAY_JACK + 4 * suit)) for suit in range(4)])
OWN_SUIT_OF_JACK = np.array([np.uint64(1 << (LAY_JACK + 5 * suit)) for suit in range(4)])
WISHES_OF_KING, OWN_SUIT_OF_KING = np.uint64(0b1111 << LAY_KING), np.uint64(1 << (LAY_KING + 1))

CARD_OF = np.array(
    [
        *range(CARDS),
        *(8 * suit + JACK for suit in range(4) for _ in range(4)),
        *[KING_OF_HEARTS] * 4,
    ],
    np.int8,
)
"""The card that each action below ``DRAW`` lays."""


# --- Dealing ------------------------------------------------------------------------------------


@compiled
def deal(row: Any, rules: Any, key: Any, deck: Any, first: int) -> None:
    """Start an episode; the first dealer is drawn unless ``first`` names him.

    Args:
        row: a row of zeros.
        rules: the table's record.
        key: generator key of the episode.
        deck: uint8 order of the first round's cards, or empty to shuffle.
        first: seat of the first dealer, or -1.
    """
    row.key = key
    row.dealer = first if first >= 0 else below(derive(key, SEAT, 0), rules.players)
    deal_round(row, rules, deck)


@compiled
def deal_round(row: Any, rules: Any, deck: Any) -> None:
    """MAU-2, MAU-3: shuffle, a hand each, the next card is turned up, the rest is the talon."""
    twice = rules.pack if rules.decks == 2 else NONE
    stack(row.deck, rules.pack, deck, derive(row.key, DECK, row.rounds), twice)
    row.drawn = 0
    for seat in range(rules.players):
        row.hand[seat] = row.hand_twice[seat] = NONE
        row.drew[seat] = 0
        for _ in range(rules.hand_size):
            take_next(row, seat)
    row.discarded = row.discarded_twice = NONE
    put_on_top(row, rules, row.deck[row.drawn], False, 0)
    row.drawn += 1
    row.reshuffles = row.turns = row.open_draws = 0
    row.winners = NONE
    places = 1
    row.turn = row.dealer
    if rules.start_card == START_ACTIVE:
        places = act_on_next(row, rules, row.top)
    row.turn = clockwise(row.dealer, places, rules.players)


# --- Decisions ----------------------------------------------------------------------------------


@compiled
def legal(row: Any, rules: Any) -> Any:
    """MAU-5, MAU-9: lay a card that fits or draw; after an ace or a draw, lay or end the turn."""
    if row.turn < 0:
        return NONE
    cards = playable(row, rules)
    actions = actions_with(cards, hand_size(row, row.turn) == 1, rules)
    actions |= singleton(DRAW if row.went_on == NEW_TURN else END)
    if may_call_mau(row, rules, cards):
        actions |= singleton(CALL_MAU)
    return actions


@compiled
def playable(row: Any, rules: Any) -> Any:
    """Return the cards that the deciding seat may lay."""
    hand = row.hand[row.turn]
    if row.open_draws > 0:  # MAU-14: nothing but another seven
        return hand & SEVENS
    if row.went_on == WENT_ON_AFTER_DRAW and rules.play_after_draw == AFTER_DRAW_DRAWN:  # MAU-22
        hand &= singleton(row.drawn_card)
    return hand & row.fitting


@compiled
def actions_with(cards: Any, last: bool, rules: Any) -> Any:
    """MAU-19, MAU-24: each card is an action, a card that names a suit four.

    The last card names nothing: only its own suit is there.
    """
    actions = cards & ~JACKS
    for suit in range(4):
        wishes = OWN_SUIT_OF_JACK[suit] if last else WISHES_OF_JACK[suit]
        actions |= wishes * (cards >> np.uint64(8 * suit + JACK) & np.uint64(1))
    if rules.king_wish and holds(cards, KING_OF_HEARTS):
        actions ^= singleton(KING_OF_HEARTS)
        actions |= OWN_SUIT_OF_KING if last else WISHES_OF_KING
    return actions


@compiled
def may_call_mau(row: Any, rules: Any, cards: Any) -> bool:
    """MAU-10: with two cards in hand, one of which can be laid (switch=mau_call)."""
    return (
        rules.mau_call == MAU_ACTION
        and not row.called
        and cards != NONE
        and hand_size(row, row.turn) == 2
    )


@compiled
def step(row: Any, rules: Any, action: int) -> None:
    """Carry out a legal action of the deciding seat, up to the next decision of anybody."""
    if action == CALL_MAU:
        row.called = True
    elif action == END:
        end_turn(row, rules, 1)
    elif action == DRAW:
        draw_or_take(row, rules)
    else:
        lay(row, rules, action)
    if row.winners != NONE:
        end_round(row, rules)


@compiled
def lay(row: Any, rules: Any, action: int) -> None:
    """MAU-5, MAU-6, MAU-7: a card goes from the hand to the top, and does what it does."""
    seat, card = row.turn, int(CARD_OF[action])
    bury_top(row)
    take_out(row, seat, card)
    row.drew[seat] = 0
    names_suit = action >= LAY_JACK and row.hand[seat] != NONE
    put_on_top(row, rules, card, names_suit, action & 3)
    if row.hand[seat] == NONE:  # MAU-4: the last card has no effect
        row.winners = singleton(seat)
        return
    if rules.mau_call == MAU_ACTION and not row.called and hand_size(row, seat) == 1:  # MAU-11
        draw(row, rules, seat, rules.mau_penalty)
    if rank_of(card) == ACE:
        go_on(row, rules, WENT_ON_AFTER_ACE)
    else:
        end_turn(row, rules, act_on_next(row, rules, card))


@compiled
def bury_top(row: Any) -> None:
    """The top card is one of the discarded from now on."""
    card = singleton(row.top)
    row.discarded_twice |= row.discarded & card
    row.discarded |= card


@compiled
def take_out(row: Any, seat: int, card: int) -> None:
    """One card of that kind leaves the hand."""
    gone = singleton(card)
    row.hand[seat] ^= gone & ~row.hand_twice[seat]
    row.hand_twice[seat] &= ~gone


@compiled
def put_on_top(row: Any, rules: Any, card: int, names_suit: bool, wish: int) -> None:
    """Lay a card open and say what fits on it.

    MAU-5: its suit or its rank. MAU-19, MAU-24: a suit that was named alone. MAU-18: a jack always,
    but not on a jack with ``jack_on_jack=False``. MAU-25: function cards with ``actions_wild``.
    """
    row.top = card
    suit, rank = suit_of(card), rank_of(card)
    if names_suit:
        row.in_force = 1 << wish
        fitting = OF_SUIT[wish]
    else:
        row.in_force = 1 << suit | 16 << rank
        fitting = OF_SUIT[suit] | OF_RANK[rank]
    if rules.actions_wild:
        fitting |= FUNCTION_CARDS
    if rules.jack_on_jack or rank != JACK:
        row.fitting = fitting | JACKS
    else:
        row.fitting = fitting & ~JACKS


@compiled
def suit_of(card: int) -> int:
    """Return a card's suit."""
    return int(card) // RANKS_PER_SUIT


@compiled
def rank_of(card: int) -> int:
    """Return a card's rank."""
    return int(card) % RANKS_PER_SUIT


@compiled
def act_on_next(row: Any, rules: Any, card: int) -> int:
    """Let a card act on the next seat; return how many places the turn goes on."""
    rank = rank_of(card)
    if rank == SEVEN:  # MAU-13, MAU-14, MAU-15
        # A penalty may bring sevens of the chain back, but nobody can draw more than there is.
        row.open_draws = min(row.open_draws + rules.seven_draw, rules.pack_size)
    elif card == KING_OF_HEARTS:  # MAU-20, MAU-21
        draw(row, rules, clockwise(row.turn, 1, rules.players), KING_DRAWS)
    return 2 if rank == EIGHT or card == KING_OF_HEARTS else 1  # MAU-16


@compiled
def go_on(row: Any, rules: Any, how: int) -> None:
    """MAU-17, MAU-22: the same seat decides again if anything fits; else its turn ends."""
    row.went_on = how
    if playable(row, rules) == NONE:
        end_turn(row, rules, 1)


@compiled
def end_turn(row: Any, rules: Any, places: int) -> None:
    """Give the turn to who is so many places on, unless it was the last one of the round."""
    row.went_on = NEW_TURN
    row.called = False
    row.turns += 1
    if row.turns >= rules.max_turns:
        row.winners = fewest_cards(row, rules)
    else:
        row.turn = clockwise(row.turn, places, rules.players)


@compiled
def fewest_cards(row: Any, rules: Any) -> Any:
    """Return the set of seats with the fewest cards in hand (switch=max_turns)."""
    fewest, seats = 2 * CARDS, NONE
    for seat in range(rules.players):
        size = hand_size(row, seat)
        if size < fewest:
            fewest, seats = size, NONE
        if size == fewest:
            seats |= singleton(seat)
    return seats


# --- Drawing ------------------------------------------------------------------------------------


@compiled
def draw_or_take(row: Any, rules: Any) -> None:
    """MAU-8, MAU-9: draw one and remember what was in force; MAU-13: or take what a seven asks."""
    row.called = False
    if row.open_draws > 0:
        draw(row, rules, row.turn, row.open_draws)
        row.open_draws = 0
        end_turn(row, rules, 1)
        return
    row.drew[row.turn] = row.in_force
    drawn = draw(row, rules, row.turn, 1)
    if rules.play_after_draw == AFTER_DRAW_NONE or drawn == 0:
        end_turn(row, rules, 1)
    else:
        row.drawn_card = row.deck[row.drawn - 1]
        go_on(row, rules, WENT_ON_AFTER_DRAW)


@compiled
def draw(row: Any, rules: Any, seat: int, number: int) -> int:
    """Draw so many cards, or as many as there are; return how many those were."""
    for drawn in range(number):
        if talon_size(row, rules) == 0:
            if row.discarded == NONE:
                return drawn
            reshuffle(row, rules)
        take_next(row, seat)
    return number


@compiled
def take_next(row: Any, seat: int) -> None:
    """The talon's next card goes to a hand."""
    card = singleton(row.deck[row.drawn])
    row.drawn += 1
    row.hand_twice[seat] |= row.hand[seat] & card
    row.hand[seat] |= card


@compiled
def reshuffle(row: Any, rules: Any) -> None:
    """All discarded cards but the top one become the talon; it ends where the deck ended."""
    key = derive(derive(row.key, TALON, row.rounds), TALON, row.reshuffles)
    row.reshuffles += 1
    row.drawn = rules.pack_size - count(row.discarded) - count(row.discarded_twice)
    stack(row.deck[row.drawn :], row.discarded, row.deck[:0], key, row.discarded_twice)
    row.discarded = row.discarded_twice = NONE


@compiled
def talon_size(row: Any, rules: Any) -> int:
    """Return how many cards the talon still holds."""
    return rules.pack_size - row.drawn


@compiled
def hand_size(row: Any, seat: int) -> int:
    """Return how many cards a seat holds."""
    return count(row.hand[seat]) + count(row.hand_twice[seat])


# --- The end of a round -------------------------------------------------------------------------


@compiled
def end_round(row: Any, rules: Any) -> None:
    """Note the points left in hand; pay, deal anew or end."""
    row.went_on = NEW_TURN
    row.called = False
    everybody = all_seats(rules.players)
    count_round(row, rules, everybody, row.winners, everybody & ~row.winners)
    count_hands(row, rules)
    if not rules.match or rules.reward == REWARD_ROUNDS:
        pay_round(row, rules)
    if not rules.match:
        row.turn = -1
        return
    for seat in range(rules.players):
        row.points[seat] += points_in(row, seat)
    if max(row.points) >= rules.target:
        end_match(row, rules, fewest_points(row, rules))
    else:
        row.dealer = clockwise(row.dealer, 1, rules.players)
        deal_round(row, rules, row.deck[:0])


@compiled
def count_hands(row: Any, rules: Any) -> None:
    """Count how long the winners' round was, and what the losers have left in hand."""
    for seat in range(rules.players):
        if holds(row.winners, seat):
            row.tally[seat, TURNS_TO_WIN] += turns_played(row, rules)
        else:
            row.tally[seat, CARDS_LEFT] += hand_size(row, seat)
            row.tally[seat, POINTS_LEFT] += points_in(row, seat)


@compiled
def turns_played(row: Any, rules: Any) -> int:
    """Return the turns of a round that has ended; the one that a last card ended counts too."""
    return min(row.turns + 1, rules.max_turns)


@compiled
def points_in(row: Any, seat: int) -> int:
    """Return the points left in a hand."""
    points = 0
    for rank in range(RANKS_PER_SUIT):
        of_rank = OF_RANK[rank]
        points += POINTS[rank] * (
            count(row.hand[seat] & of_rank) + count(row.hand_twice[seat] & of_rank)
        )
    return points


@compiled
def pay_round(row: Any, rules: Any) -> None:
    """MAU-4: pay first place, or by the points that are left in hand (switch=scoring)."""
    if rules.scoring == SCORING_WIN:
        pay_first_place(row, rules, row.winners)
        pay_the_rest(row, rules, row.lost)
        return
    total = 0
    for seat in range(rules.players):
        total += points_in(row, seat)
    for seat in range(rules.players):
        row.score[seat] += (total / rules.players - points_in(row, seat)) / 100
    row.payouts += 1


@compiled
def fewest_points(row: Any, rules: Any) -> Any:
    """Return the set of seats with the fewest points in the match, who win it; ties share."""
    return seats_with(row.points, min(row.points[: rules.players]), rules.players)


# --- What a decision shows ----------------------------------------------------------------------


@compiled
def glance(row: Any, rules: Any, action: int) -> Any:
    """Return what ``witness`` must know of the row before an action.

    Returns:
        The hands of who decides and of the next seat, and the discarded cards, each as two sets and
        as it would be without any draw; and the number of reshuffles.
    """
    seat = row.turn
    after = clockwise(seat, 1, rules.players)
    hand, hand_twice = row.hand[seat], row.hand_twice[seat]
    discarded, discarded_twice = row.discarded, row.discarded_twice
    if action < DRAW:
        laid, top = singleton(CARD_OF[action]), singleton(row.top)
        hand, hand_twice = hand & ~(laid & ~hand_twice), hand_twice & ~laid
        discarded, discarded_twice = discarded | top, discarded_twice | discarded & top
    return (
        (hand, hand_twice),
        (row.hand[after], row.hand_twice[after]),
        (discarded, discarded_twice),
        row.reshuffles,
    )


@compiled
def witness(row: Any, rules: Any, seat: int, action: int, before: Any, sets: Any) -> int:
    """Note the cards of a reshuffle, and what two seats have drawn; an action is seen as it is."""
    hand, next_hand, discarded, reshuffles = before
    if row.reshuffles != reshuffles:
        sets[0] = both_sets(discarded[0], discarded[1])
    sets[1] = gained(row, seat, hand)
    sets[2] = gained(row, clockwise(seat, 1, rules.players), next_hand)
    return action


@compiled
def gained(row: Any, seat: int, before: Any) -> Any:
    """Return the cards that a seat holds and did not hold before."""
    first, second = row.hand[seat] & ~before[0], row.hand_twice[seat] & ~before[1]
    return both_sets(first | second, first & second)


@compiled
def both_sets(cards: Any, twice: Any) -> Any:
    """Return cards in one word: from bit 32 on, those that are there twice."""
    return cards | twice << np.uint64(32)


# --- What a seat knows --------------------------------------------------------------------------


@compiled
def observe(row: Any, rules: Any, seat: int, out: Any) -> None:
    """Write what a seat knows to ``out`` (uint8, zeros before), as ``LAYOUT`` says."""
    spread_counts(row.hand[seat], row.hand_twice[seat], out, _HAND)
    write_table(row, rules, out, _DISCARDED)
    for place in range(rules.players):
        other = clockwise(seat, place, rules.players)
        write_seat(row, other, out, _SEATS + place * _SEAT_SIZE)


@compiled
def spread_counts(cards: Any, twice: Any, out: Any, offset: int) -> None:
    """Write how many there are of each card."""
    spread(cards, CARDS, out, offset)
    while twice != NONE:
        out[offset + lowest(twice)] = 2
        twice &= twice - np.uint64(1)


@compiled
def write_table(row: Any, rules: Any, out: Any, offset: int) -> None:
    """Write what everybody sees on the table, from ``discarded`` on."""
    spread_counts(row.discarded, row.discarded_twice, out, offset)
    truths = 1 << suit_of(row.top) | 16 << rank_of(row.top)
    truths |= (int(row.in_force) & 15) << 12 | int(row.in_force < 16) << 16
    goes_on = row.went_on * int(row.turn >= 0)
    truths |= int(goes_on == WENT_ON_AFTER_ACE) << 17
    truths |= int(goes_on == WENT_ON_AFTER_DRAW) << 18
    spread(np.uint64(truths), _TABLE_TRUTHS, out, offset + _TOP)
    out[offset + _OPEN_DRAWS] = row.open_draws
    out[offset + _TALON] = talon_size(row, rules)


@compiled
def write_seat(row: Any, seat: int, out: Any, offset: int) -> None:
    """Write what everybody knows of a seat to its block."""
    size = hand_size(row, seat)
    deciding = row.turn == seat
    mau = size == 1 or (deciding and row.called)
    truths = int(row.drew[seat]) | int(mau) << 12 | int(deciding) << 13 | 1 << 14
    spread(np.uint64(truths), _SEAT_TRUTHS, out, offset)
    out[offset + _SEAT_TRUTHS] = size
    out[offset + _POINTS] = min(row.points[seat], MOST_POINTS_SHOWN)


@compiled
def observe_state(row: Any, rules: Any, out: Any) -> None:
    """Write the whole state to ``out`` (uint8, zeros before), as ``STATE_LAYOUT`` says."""
    for place in range(row.drawn, rules.pack_size):
        card = row.deck[place]
        out[card if out[card] == 0 else CARDS + card] = place - row.drawn + 1
    out[_TURNS_LEFT] = min(rules.max_turns - row.turns, 255)
    write_table(row, rules, out, _STATE_DISCARDED)
    for seat in range(rules.players):
        block = _STATE_SEATS + seat * _STATE_SEAT_SIZE
        spread_counts(row.hand[seat], row.hand_twice[seat], out, block)
        out[block + CARDS] = row.dealer == seat
        if row.turn == seat and row.went_on == WENT_ON_AFTER_DRAW:
            out[block + CARDS + 1 + int(row.drawn_card)] = 1
        write_seat(row, seat, out, block + 2 * CARDS + 1)


@compiled
def resample(row: Any, rules: Any, seat: int, key: Any) -> None:
    """Draw what the seat cannot know anew: uniform over all deals that fit what it observes.

    Every count stays, and the row gets ``key`` for its future. Who is asked after an ace or a draw,
    or has called Mau, can lay a card: deals in which he could not are drawn again. The true deal
    fits, so one is found. What an observation does not hold is forgotten: that somebody's turn
    ended by itself, or which cards went into a new talon.
    """
    place = lay_out_hidden(row, rules, seat)
    attempt = 0
    while True:
        shuffle(row.deck[place:], rules.pack_size - place, derive(key, WORLD, attempt))
        deal_hidden(row, rules, seat, place)
        if row.turn < 0 or seat == row.turn or fits_what_was_asked(row, rules):
            break
        attempt += 1
    row.key = key
    row.tally[:, :] = 0  # it may count what the seat has not seen


@compiled
def lay_out_hidden(row: Any, rules: Any, seat: int) -> int:
    """Lay the cards the seat cannot place at the end of the deck, in ascending order.

    Returns:
        Where they begin. What lay before is gone: it would tell what was dealt to whom.
    """
    place = rules.pack_size
    for card in range(CARDS - 1, -1, -1):
        hidden = rules.decks if holds(rules.pack, card) else 0
        hidden -= number_of(card, row.hand[seat], row.hand_twice[seat])
        hidden -= number_of(card, row.discarded, row.discarded_twice) + int(row.top == card)
        for _ in range(hidden):
            place -= 1
            row.deck[place] = card
    row.deck[:place] = 0
    return place


@compiled
def number_of(card: int, cards: Any, twice: Any) -> int:
    """Return how many there are of a card."""
    return int(holds(cards, card)) + int(holds(twice, card))


@compiled
def deal_hidden(row: Any, rules: Any, seat: int, place: int) -> None:
    """Give every other seat as many of the cards from ``place`` on as it had; the rest is talon.

    What somebody else has just drawn is the first card of his.
    """
    if row.turn != seat or row.went_on != WENT_ON_AFTER_DRAW:
        row.drawn_card = 0
    row.drawn = place
    for other in range(rules.players):
        if other != seat:
            if other == row.turn and row.went_on == WENT_ON_AFTER_DRAW:
                row.drawn_card = row.deck[row.drawn]
            size = hand_size(row, other)
            row.hand[other] = row.hand_twice[other] = NONE
            for _ in range(size):
                take_next(row, other)


@compiled
def fits_what_was_asked(row: Any, rules: Any) -> bool:
    """MAU-10, MAU-17, MAU-22: who goes on, or has called Mau, has a card to lay."""
    return (row.went_on == NEW_TURN and not row.called) or playable(row, rules) != NONE


def every_card(row: Any, rules: Any) -> list[int]:
    """Return every card, wherever it lies, as often as it is there; for the self-check."""
    sets = (*row["hand"], *row["hand_twice"], row["discarded"], row["discarded_twice"])
    talon = row["deck"][row["drawn"] : rules["pack_size"]]
    return [*(card for cards in sets for card in cards_in(cards)), *talon.tolist(), int(row["top"])]


def describe(row: Any, rules: Any, seat: int) -> Scene:
    """Put the table into words as ``seat`` sees it, or with all cards open for ``seat=-1``."""
    zones = [_describe_seat(row, rules, other, seat) for other in range(rules.players)]
    left = int(talon_size(row, rules))
    talon = Zone("talon", (), (counted(left, "card"),), heap=left)
    over = row.turn < 0
    heading = f"{TITLE}, round {row.rounds + (not over)}: {_phase(row)}"
    return Scene(heading, (*zones, _describe_discard(row), talon), seat)


def _phase(row: Any) -> str:
    """Return what is to be decided, in a few words."""
    if row.turn < 0:
        return "over"
    if row.open_draws:
        return f"a seven, or take {row.open_draws}"
    return {
        NEW_TURN: "turn",
        WENT_ON_AFTER_ACE: "goes on after an ace",
        WENT_ON_AFTER_DRAW: "goes on after a draw",
    }[int(row.went_on)]


def _describe_seat(row: Any, rules: Any, seat: int, viewer: int) -> Zone:
    """Return one seat's cards and notes; only the viewer's own are open."""
    cards = sorted([*cards_in(row.hand[seat]), *cards_in(row.hand_twice[seat])])
    faces = tuple(suited(card_name(card)) if viewer in (seat, -1) else HIDDEN for card in cards)
    mau = len(cards) == 1 or (row.turn == seat and row.called)
    notes = [counted(row.points[seat], "point")] if rules.match else []
    notes += ["deals"] if row.dealer == seat else []
    notes += ["Mau"] if mau else []
    drew_on = _in_words(row.drew[seat])
    notes += [f"drew on {drew_on}"] if drew_on else []
    return Zone(f"seat {seat}", faces, tuple(notes), seat, bool(row.turn == seat))


def _describe_discard(row: Any) -> Zone:
    """Return the top card, what was named with it, and how many cards lie below."""
    below_top = int(row.discarded).bit_count() + int(row.discarded_twice).bit_count()
    wish = [f"{_in_words(row.in_force)} is wished"] if row.in_force < 16 else []
    notes = (*wish, f"{counted(below_top, 'card')} below")
    return Zone("discard", (suited(card_name(int(row.top))),), notes)


def _in_words(in_force: Any) -> str:
    """Return a suit and rank in force, such as ``♥9``; under a wish the suit alone."""
    suits = [SUIT_SIGNS[suit] for suit in cards_in(int(in_force) & 15)]
    return "".join([*suits, *(RANKS[rank] for rank in cards_in(int(in_force) >> 4))])

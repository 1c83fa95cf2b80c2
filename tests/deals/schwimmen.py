"""The deals of 31: known cards stay, and nobody holds a 31 that he would have had to show."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.cards import cards_in
from cardenv.games.schwimmen import DEALER_CHOICE, DEALT_31, EXCHANGED_31, PHASES, TURN, Rules
from cardenv.rules import GameRules
from tests.deals.form import (
    FEW_DEALS,
    Deal,
    Position,
    Tables,
    View,
    as_bytes,
    cards_of,
    dealt,
    talon_of,
)
from tests.lockstep import Setting
from tests.reference.schwimmen import is_31

GAME = "schwimmen"
WEIGHTS = 1.0
POINTS = np.array([7, 8, 9, 10, 10, 10, 10, 11])
ACE = 7

_TENS = (3, 4, 5, 6, 7, 11, 12, 15, 23, 31)
TABLES: Tables = (
    (2, {}, "round", "random"),
    (2, {}, "round", "expert"),
    (4, {}, "round", "expert"),
    (4, {"reveal": "choice"}, "round", "random"),
    (9, {}, "round", "expert"),
    (9, {"reveal": "choice"}, "round", "greedy"),
    (9, {"stop_after": "none", "fire": True, "aces_value": 33}, "round", "random"),
    (5, {"lives": 1}, "match", "greedy"),
    (3, {"reveal": "choice", "pack": (*_TENS, 0, 8, 16, 24)}, "round", "random"),
    (2, {"reveal": "choice", "lives": 0, "pack": _TENS}, "match", "random"),
)


def _rules(more: Sequence[int] = (), **switches: Any) -> Rules:
    """Rules for a pack in which a hand is often a 31."""
    return Rules(pack=(*_TENS, *more), **switches)


def _is(phase: int) -> Any:
    return lambda rows: rows["phase"] == phase


def _knows(number: int) -> Any:
    """Who is to decide holds so many known cards."""

    def wanted(rows: Any) -> Any:
        known = np.bitwise_count(rows["known"])[np.arange(len(rows)), rows["turn"]]
        return (rows["phase"] == TURN) & (known == number)

    return wanted


def _two_dealt(rows: Any) -> Any:
    """Two hold a 31 after the deal; only the first of them has been asked."""
    return (rows["phase"] == DEALT_31) & (are_31(rows["hand"][:, :3]).sum(axis=1) == 2)


def _left(rows: Any) -> Any:
    return (rows["phase"] == TURN) & (rows["gone"] != 0)


_CHOICE = _rules((0, 8, 16), reveal="choice")
SMALL = {
    "the dealer chooses": Position(2, _rules(), _is(DEALER_CHOICE)),
    "the dealer looks": Position(2, _rules(), _is(DEALER_CHOICE), observer=0),
    "nothing is known": Position(2, _rules([0]), _is(TURN), excluding=True),
    "nothing is known, few deals": Position(2, _rules(), _is(TURN), 1, FEW_DEALS, excluding=True),
    "who looks is to decide": Position(2, _rules([0]), _is(TURN), 0, excluding=True),
    "a card is known": Position(2, _rules([0]), _knows(1), 1, FEW_DEALS, excluding=True),
    "two cards are known": Position(2, _rules([0, 8]), _knows(2), excluding=True),
    "three players": Position(3, _rules([0, 8, 16]), _knows(1), excluding=True),
    "cards have left": Position(
        2, _rules([0, 8, 16, 24]), _left, excluding=True, weights=(*[0.05] * 10, *[1] * 7)
    ),
    "a 31 was dealt": Position(3, _CHOICE, _is(DEALT_31)),
    "a 31 was dealt, seen by another": Position(3, _CHOICE, _is(DEALT_31), observer=2),
    "two 31 were dealt": Position(3, _CHOICE, _two_dealt, observer=0),
    "a 31 was dealt to who looks": Position(3, _CHOICE, _is(DEALT_31), observer=0),
    "exchanged to 31": Position(3, _CHOICE, _is(EXCHANGED_31)),
    "exchanged to 31, two players": Position(2, _rules([0], reveal="choice"), _is(EXCHANGED_31)),
}

# Without aces nobody can hold a 31, so nothing is impossible.
_NO_ACES = Rules(pack=tuple(card for card in range(32) if card % 8 != ACE))
LARGE = {
    "nine, before the dealer's choice": Position(9, Rules(), _is(DEALER_CHOICE), most_deals=0),
    "two, before the dealer's choice": Position(2, Rules(), _is(DEALER_CHOICE), 0, 0),
    "eight, known cards": Position(8, _NO_ACES, _knows(2), 1, 0),
    "three, known cards": Position(3, _NO_ACES, _knows(1), 2, 0),
}


def hidden(view: View, rules: GameRules) -> list[int]:
    open_cards = view["middle"] + view["gone"] + view["known"].max(axis=0)
    seen = {*cards_of(view["hand"]), *cards_of(open_cards)}
    return [card for card in rules.pack if card not in seen]


def sizes(view: View) -> list[int]:
    unknown: list[int] = (3 * view["in"] - view["known"].sum(axis=1)).tolist()
    return unknown[1:]


def possible_deals(view: View, rules: GameRules) -> Counter[Deal]:
    known = [cards_of(cards) for cards in view["known"]]
    pile_size = 3 * view["phase"][DEALER_CHOICE]
    counts: Counter[Deal] = Counter()
    for *hands, pile, talon in dealt(hidden(view, rules), [*sizes(view), pile_size]):
        pairs = zip(known[1:], hands, strict=True)
        others = [tuple(sorted((*there, *hand))) for there, hand in pairs]
        if _fits([cards_of(view["hand"]), *others], view):
            counts[(*others, tuple(sorted(pile)), talon)] += 1
    return counts


def _fits(hands: Sequence[Sequence[int]], view: View) -> bool:
    """S31-26, S31-27: a 31 is shown from the dealer's left on; who is asked about his has one."""
    phase = PHASES[view["phase"].argmax()]
    if phase == "dealer's choice":
        return True
    dealer, asked = (int(view[name].argmax()) for name in ("dealer", "deciding"))
    places = [(dealer + 1 + k) % len(hands) for k in range(len(hands))]
    if phase == "turn":
        return not any(is_31(hands[place]) for place in places)
    if phase == "dealt 31":
        without = places[: places.index(asked)]
    else:
        without = [place for place in places if place != asked]
    return is_31(hands[asked]) and not any(is_31(hands[place]) for place in without)


def deal_of(row: Any, seat: int, players: int, size: int) -> Deal:
    others = [(seat + place) % players for place in range(1, players)]
    hands = [tuple(cards_in(row["hand"][other])) for other in others]
    return (*hands, tuple(cards_in(row["second_pile"])), talon_of(row, size))


def check_possible(rows: Any, masks: NDArray[Any], setting: Setting) -> None:
    """S31-26: nobody but who is asked holds a 31, after the deal nobody asked before him."""
    seats, asked = np.arange(setting.players), rows["turn"].astype(int)
    holds = are_31(rows["hand"][:, : setting.players])
    is_asked = np.isin(rows["phase"], (DEALT_31, EXCHANGED_31))
    assert holds[is_asked, asked[is_asked]].all()
    order = (seats - rows["dealer"][:, None] - 1) % setting.players
    of_asked = order[np.arange(len(rows)), asked]
    before = (rows["phase"] == DEALT_31)[:, None] & (order < of_asked[:, None])
    others = (rows["phase"] == EXCHANGED_31)[:, None] & (seats != asked[:, None])
    assert not (holds & (before | others | (rows["phase"] == TURN)[:, None])).any()


def are_31(hands: Any) -> Any:
    """Return of each of the sets ``[..., seats]`` whether it is 31 in one suit, or three aces."""
    cards = as_bytes(hands)[..., :32].reshape(*hands.shape, 4, 8)
    return ((cards * POINTS).sum(axis=-1) == 31).any(axis=-1) | (cards[..., ACE].sum(axis=-1) == 3)

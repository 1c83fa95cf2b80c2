"""The deals of Mow: nothing is known of what is hidden but how many cards lie where."""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.cards import cards_in
from cardenv.games.mow import CARDS, CLEAR, Rules
from cardenv.rules import GameRules
from tests.deals.form import FEW_DEALS, Deal, Position, Tables, View, cards_of, dealt, talon_of
from tests.lockstep import Setting

GAME = "mow"
WEIGHTS = 1.0
TABLES: Tables = (
    (2, {}, "round", "random"),
    (2, {"latecomer": "unlimited"}, "round", "greedy"),
    (3, {}, "round", "expert"),
    (4, {}, "round", "expert"),
    (4, {"latecomer": "one_per_gap", "voluntary_clear": False}, "round", "random"),
    (5, {}, "round", "expert"),
    (5, {}, "round", "greedy"),
    (5, {"target": 40}, "match", "random"),
    (2, {"pack": tuple(range(36, 48))}, "round", "random"),
    (3, {"target": 40, "next_starter": "random"}, "match", "greedy"),
)

_OF_TWO = Rules(pack=(3, 4, 5, 6, 7, 8, 9, 20, 29, 39, 42, 44))
_OF_TWO_AND_MORE = Rules(pack=(*_OF_TWO.pack, 46, 47))
_OF_THREE = Rules(pack=(*range(15), 16, 20, 27, 42))
_LONG_ROWS = (*[1.0] * CLEAR, 0.1)


def _has_supply(rows: Any) -> Any:
    return (rows["laid"] != 0) & (rows["supply"] != 0).any(axis=1)


def _without_pile(rows: Any) -> Any:
    return _has_supply(rows) & (rows["drawn"] == len(_OF_THREE.pack))


SMALL = {
    "just dealt": Position(2, _OF_TWO, lambda rows: rows["moves"] == 0),
    "a supply, a row and a pile": Position(2, _OF_TWO_AND_MORE, _has_supply),
    "who looks is to decide": Position(2, _OF_TWO_AND_MORE, _has_supply, observer=0),
    "two hands and no pile": Position(3, _OF_THREE, _without_pile, weights=_LONG_ROWS),
    "two short hands": Position(3, _OF_THREE, _without_pile, 2, FEW_DEALS, weights=_LONG_ROWS),
    "a hand and one card": Position(2, _OF_TWO, lambda rows: rows["moves"] == 1, 1, FEW_DEALS),
}
LARGE = {
    "two": Position(2, Rules(), lambda rows: rows["moves"] == 9, most_deals=0),
    "five": Position(5, Rules(), lambda rows: _has_supply(rows) & (rows["moves"] == 9), 2, 0),
}


def hidden(view: View, rules: GameRules) -> list[int]:
    seen = {*cards_of(view["hand"]), *cards_of(view["row"]), *cards_of(view["supply"].sum(axis=0))}
    return [card for card in rules.pack if card not in seen]


def sizes(view: View) -> list[int]:
    held: list[int] = view["hand_size"].tolist()
    return held[1:]


def possible_deals(view: View, rules: GameRules) -> Counter[Deal]:
    return Counter(
        (*(tuple(sorted(hand)) for hand in hands), pile)
        for *hands, pile in dealt(hidden(view, rules), sizes(view))
    )


def deal_of(row: Any, seat: int, players: int, size: int) -> Deal:
    others = [(seat + place) % players for place in range(1, players)]
    return (*(tuple(cards_in(row["hand"][other])) for other in others), talon_of(row, size))


def check_possible(rows: Any, masks: NDArray[Any], setting: Setting) -> None:
    """MOW-28: who is to open a row holds a card for it; nobody holds more than is in play."""
    assert masks[rows["laid"] == 0, :CLEAR].any(axis=1).all()
    assert (np.bitwise_count(rows["hand"]).sum(axis=1) <= CARDS).all()

"""The deals of Mau-Mau: who goes on after an ace or a draw, or has called Mau, can lay a card."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.cards import cards_in
from cardenv.games.maumau import (
    ACTION_NAMES,
    CALL_MAU,
    DRAW,
    END,
    NEW_TURN,
    WENT_ON_AFTER_ACE,
    WENT_ON_AFTER_DRAW,
    Rules,
)
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
from tests.reference import maumau as twin

GAME = "maumau"
WEIGHTS = tuple(
    {DRAW: 0.05, END: 0.1, CALL_MAU: 5.0}.get(action, 1.0) for action in range(len(ACTION_NAMES))
)
_LETTER_AND_MORE = {"mau_call": "action", "king_wish": True, "play_after_draw": "any"}
TABLES: Tables = (
    (2, {}, "round", "random"),
    (2, {"play_after_draw": "drawn"}, "round", "expert"),
    (4, {"mau_call": "action"}, "round", "expert"),
    (4, {"play_after_draw": "any", "start_card": "active"}, "round", "random"),
    (5, {}, "round", "expert"),
    (5, {"jack_on_jack": False, "play_after_draw": "drawn"}, "round", "greedy"),
    (10, {"decks": 2, "mau_call": "action"}, "round", "greedy"),
    (10, {"decks": 2, "play_after_draw": "drawn", "actions_wild": True}, "round", "random"),
    (4, {"decks": 2, "hand_size": 3, **_LETTER_AND_MORE}, "round", "random"),
    (3, {"target": 40, "play_after_draw": "any"}, "match", "greedy"),
)


def _goes_on(how: int) -> Any:
    return lambda rows: rows["went_on"] == how


def _wished(rows: Any) -> Any:
    return rows["in_force"] < 16


def _called(rows: Any) -> Any:
    return rows["called"] != 0


def _twice(rows: Any) -> Any:
    """Somebody holds two equal cards, and no one goes on."""
    return (rows["hand_twice"] != 0).any(axis=1) & (rows["went_on"] == NEW_TURN)


_PACK = (0, 2, 4, 7, 10, 12, 14, 15, 18, 23)
_SEVENS = (0, 8, 16, 24, 4, 7, 12, 14, 15, 23)
_TWO_PACKS = (0, 2, 4, 7, 10, 15)


def _one(**switches: Any) -> Rules:
    return Rules(**{"pack": _PACK, "hand_size": 3, "target": 255, **switches})


def _two(**switches: Any) -> Rules:
    return Rules(pack=_TWO_PACKS, decks=2, hand_size=2, target=255, **switches)


SMALL = {
    "a new turn": Position(2, _one(), _goes_on(NEW_TURN)),
    "a wish": Position(2, _one(king_wish=True), _wished, observer=0),
    "few deals": Position(2, _one(), lambda rows: rows["moves"] > 0, most_deals=FEW_DEALS),
    "after an ace": Position(2, _one(), _goes_on(WENT_ON_AFTER_ACE)),
    "after an ace, few deals": Position(2, _one(), _goes_on(WENT_ON_AFTER_ACE), 1, FEW_DEALS),
    "after the own ace": Position(2, _one(), _goes_on(WENT_ON_AFTER_ACE), observer=0),
    "the drawn card fits": Position(
        2, _one(play_after_draw="drawn", jack_on_jack=False), _goes_on(WENT_ON_AFTER_DRAW)
    ),
    "a card fits after a draw": Position(
        3, _one(play_after_draw="any"), _goes_on(WENT_ON_AFTER_DRAW)
    ),
    "any function card fits": Position(
        2, _one(play_after_draw="any", actions_wild=True), _goes_on(WENT_ON_AFTER_DRAW)
    ),
    "called Mau": Position(2, _one(mau_call="action"), _called),
    "called Mau on a seven": Position(
        *(2, _one(pack=_SEVENS, mau_call="action")),
        lambda rows: _called(rows) & (rows["open_draws"] > 0),
    ),
    "two packs": Position(3, _two(), _twice, unequal=True),
    "two packs, few deals": Position(2, _two(), _goes_on(NEW_TURN), 0, FEW_DEALS, unequal=True),
    "two packs, after an ace": Position(3, _two(), _goes_on(WENT_ON_AFTER_ACE), 2, unequal=True),
    "two packs, the drawn card fits": Position(
        2, _two(play_after_draw="drawn"), _goes_on(WENT_ON_AFTER_DRAW)
    ),
    "two packs, called Mau": Position(2, _two(mau_call="action"), _called),
}
LARGE = {
    "two": Position(2, Rules(target=255), lambda rows: rows["moves"] == 7, most_deals=0),
    "five": Position(
        5, Rules(target=255), lambda rows: (rows["moves"] > 7) & _goes_on(NEW_TURN)(rows), 3, 0
    ),
    "ten, two packs": Position(
        10,
        Rules(decks=2, target=255),
        lambda rows: (rows["moves"] > 7) & _twice(rows),
        most_deals=0,
    ),
}


def hidden(view: View, rules: GameRules) -> list[int]:
    seen = Counter([*cards_of(view["hand"]), *cards_of(view["discarded"]), _top(view)])
    return sorted((Counter(rules.cards) - seen).elements())


def _top(view: View) -> int:
    return int(8 * view["top_suit"].argmax() + view["top_rank"].argmax())


def sizes(view: View) -> list[int]:
    held: list[int] = view["hand_size"].tolist()
    return held[1:]


def possible_deals(view: View, rules: GameRules) -> Counter[Deal]:
    asked = int(view["deciding"].argmax())
    counts: Counter[Deal] = Counter()
    for *hands, talon in dealt(hidden(view, rules), sizes(view)):
        drawn = hands[asked - 1][0] if asked and view["after_draw"] else None
        if not asked or _fits(hands[asked - 1], drawn, asked, view, rules):
            counts[(*(tuple(sorted(hand)) for hand in hands), drawn, talon)] += 1
    return counts


def _fits(hand: Sequence[int], drawn: int | None, asked: int, view: View, rules: Any) -> bool:
    """MAU-10, MAU-17, MAU-22: one card can be laid, or after a draw perhaps the drawn one."""
    called = view["mau"][asked] and len(hand) > 1
    if not (view["after_ace"] or view["after_draw"] or called):
        return True
    only_drawn = drawn is not None and rules.play_after_draw == "drawn"
    return any(can_be_laid(card, view, rules) for card in ([drawn] if only_drawn else hand))


def can_be_laid(card: Any, view: View, rules: Any) -> bool:
    """MAU-5, MAU-14, MAU-18, MAU-19, MAU-25: whether a card fits on what everybody sees."""
    if view["open_draws"]:
        return twin.is_seven(card)
    if twin.is_jack(card):
        return bool(rules.jack_on_jack or not twin.is_jack(_top(view)))
    if rules.actions_wild and twin.is_function_card(card):
        return True
    same_rank = twin.rank_of(card) == view["top_rank"].argmax() and not view["wish"]
    return bool(twin.suit_of(card) == view["suit_in_force"].argmax() or same_rank)


def deal_of(row: Any, seat: int, players: int, size: int) -> Deal:
    hands = [
        tuple(sorted([*cards_in(row["hand"][other]), *cards_in(row["hand_twice"][other])]))
        for other in ((seat + place) % players for place in range(1, players))
    ]
    drew = row["went_on"] == WENT_ON_AFTER_DRAW and row["turn"] != seat
    return (*hands, int(row["drawn_card"]) if drew else None, talon_of(row, size))


def check_possible(rows: Any, masks: NDArray[Any], setting: Setting) -> None:
    """MAU-10, MAU-17, MAU-22: who goes on, or has called, can lay a card; he holds what he drew."""
    goes_on = (rows["went_on"] != NEW_TURN) | (rows["called"] != 0)
    assert masks[goes_on, :DRAW].any(axis=1).all()
    drew = rows[rows["went_on"] == WENT_ON_AFTER_DRAW]
    hands = as_bytes(drew["hand"][np.arange(len(drew)), drew["turn"].astype(int)])
    assert hands[np.arange(len(drew)), drew["drawn_card"].astype(int)].all()

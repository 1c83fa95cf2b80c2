"""Mau-Mau and its twin: the settings they are compared in, and facts as observations."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.cards import CARDS, NONE, TALON, derive, stack
from cardenv.games.maumau import (
    ACTION_NAMES,
    CALL_MAU,
    DRAW,
    END,
    KING_OF_HEARTS,
    LAY_JACK,
    MOST_POINTS_SHOWN,
    Rules,
)
from tests.events import Witness
from tests.lockstep import Setting, covering, is_possible, with_seeds
from tests.reference import maumau as twin
from tests.twins.encoding import as_bits, as_counts, marked, one_hot, turned

GAME = "maumau"

TO_BE_SEEN = frozenset(
    {
        *("a seven countered", "a chain of four sevens", "five sevens or more"),
        *("reshuffled in the middle of a draw", "fewer cards than asked", "nothing to draw"),
        *("a second reshuffle", "ace on ace", "an ace on which nothing fits"),
        *("a wish", "a wish of the own suit", "a jack on a wish", "a wish of the king"),
        *("a jack on a jack", "a jack refused on a jack", "a function card on anything"),
        *("the last card a jack", "the last card a seven", "the last card an eight"),
        *("the last card an ace", "the last card the king of hearts", "the last card on a seven"),
        *("took three", "took what a seven asks", "drew though something fits"),
        *("laid the drawn card", "laid another card after a draw", "nothing fits after a draw"),
        *("ended after an ace", "ended after a draw", "called Mau", "drew after a call"),
        *("forgot Mau", "forgot Mau with an ace", "forgot Mau with a king of hearts"),
        *("an active seven", "an active eight", "an active king", "a start jack"),
        *("eight between two", "king of hearts between two", "most turns", "most turns, tied"),
        *("the last turn's king", "two equal cards in hand", "no talon from the deal on"),
        *("two at the target", "shared first place", "a match of one round"),
        *("a match of six rounds", "more points than are shown"),
    }
)


class Watched(Witness, twin.MauMau):
    """The twin, noting in ``seen`` what happens."""

    def __init__(self, *args: Any) -> None:
        self.seen: set[str] = set()
        self._chain = 0
        super().__init__(*args)
        self._note("no talon from the deal on", not self._talon)

    def _note(self, event: str, happened: bool = True) -> None:
        if happened:
            self.seen.add(event)

    def _turn_start_card(self) -> int:
        active = self._rules.start_card == "active"
        self._note("an active seven", active and twin.is_seven(self._top))
        self._note("an active eight", active and twin.is_eight(self._top))
        self._note("an active king", active and twin.is_king_of_hearts(self._top))
        self._note("a start jack", twin.is_jack(self._top))
        self._chain = 0
        return super()._turn_start_card()

    def step(self, action: int) -> None:
        held = self._hands[self._current]
        self._note("two equal cards in hand", len(set(held)) < len(held))
        self._note("ended after an ace", action == END and self._after_ace)
        self._note("ended after a draw", action == END and self._drawn is not None)
        super().step(action)

    def _lay(self, seat: int, card: int, wish: int | None) -> None:
        hand, others = self._hands[seat], len(self._hands[seat]) > 1
        beneath, wished = self._top, self._wish is not None
        after_draw, drawn = self._drawn is not None, self._drawn
        self._note("a jack on a wish", wished and twin.is_jack(card))
        self._note("a jack on a jack", twin.is_jack(beneath) and twin.is_jack(card))
        self._note("ace on ace", self._after_ace and twin.is_ace(card))
        self._note("laid the drawn card", after_draw and card == drawn)
        self._note("laid another card after a draw", after_draw and card != drawn)
        wild = self._rules.actions_wild and not twin.is_jack(card) and not self._matches(card)
        self._note("a function card on anything", wild and not self._open_draws)
        self._note("a wish", wish is not None and others)
        self._note("a wish of the own suit", others and wish == twin.suit_of(card))
        king = twin.is_king_of_hearts(card)
        self._note("a wish of the king", wish is not None and others and king)
        for word, is_it in LAST_CARDS.items():
            self._note(f"the last card {word}", len(hand) == 1 and is_it(card))
        self._note("the last card on a seven", len(hand) == 1 and self._open_draws > 0)
        self._note("eight between two", others and self._players == 2 and twin.is_eight(card))
        self._note("king of hearts between two", others and self._players == 2 and king)
        last_turn = self._turns + 1 >= self._rules.max_turns
        self._note("the last turn's king", others and king and last_turn)
        super()._lay(seat, card, wish)

    def _jack_fits(self) -> bool:
        fits = super()._jack_fits()
        self._note("a jack refused on a jack", not fits)
        return fits

    def _seven(self) -> None:
        self._chain = self._chain + 1 if self._open_draws else 1
        self._note("a seven countered", self._chain == 2)
        self._note("a chain of four sevens", self._chain == 4)
        self._note("five sevens or more", self._chain > 4)
        super()._seven()

    def _ace(self, seat: int) -> None:
        turns = self._turns
        super()._ace(seat)
        self._note("an ace on which nothing fits", self._turns != turns)

    def _king(self, victim: int) -> None:
        super()._king(victim)
        self._note("took three")

    def _call(self, seat: int) -> None:
        super()._call(seat)
        self._note("called Mau")

    def _penalty(self, seat: int) -> None:
        self._note("forgot Mau")
        self._note("forgot Mau with an ace", twin.is_ace(self._top))
        self._note("forgot Mau with a king of hearts", twin.is_king_of_hearts(self._top))
        super()._penalty(seat)

    def _ordinary_draw(self, seat: int) -> None:
        self._note("drew though something fits", bool(self._playable(seat)))
        turns, may_go_on = self._turns, self._rules.play_after_draw != "none"
        super()._ordinary_draw(seat)
        self._note("nothing fits after a draw", may_go_on and self._turns != turns)

    def _take_open(self, seat: int) -> None:
        self._note("took what a seven asks")
        super()._take_open(seat)

    def _draw(self, seat: int, number: int) -> list[int]:
        self._note("drew after a call", self._called and seat == self._current)
        talon, reshuffles = len(self._talon), self._reshuffles
        cards = super()._draw(seat, number)
        self._hide(seat, cards)
        reshuffled = self._reshuffles > reshuffles
        self._note("reshuffled in the middle of a draw", reshuffled and 0 < talon < number)
        self._note("a second reshuffle", reshuffled and reshuffles > 0)
        self._note("fewer cards than asked", 0 < len(cards) < number)
        self._note("nothing to draw", number > 0 and not cards)
        return cards

    def _reshuffle(self) -> None:
        self._show("shuffled", self._discarded)
        super()._reshuffle()

    def _with_fewest_cards(self) -> list[int]:
        seats = super()._with_fewest_cards()
        self._note("most turns" if len(seats) == 1 else "most turns, tied")
        return seats

    def _end_match(self) -> None:
        at_target = [total for total in self._totals if total >= self._rules.target]
        self._note("two at the target", len(at_target) > 1)
        self._note("shared first place", self._totals.count(min(self._totals)) > 1)
        self._note("a match of one round", self._round == 0)
        self._note("a match of six rounds", self._round >= 5)
        self._note("more points than are shown", max(self._totals) > MOST_POINTS_SHOWN)
        super()._end_match()


LAST_CARDS: dict[str, Callable[[int], bool]] = {
    "a jack": twin.is_jack,
    "a seven": twin.is_seven,
    "an eight": twin.is_eight,
    "an ace": twin.is_ace,
    "the king of hearts": twin.is_king_of_hearts,
}


def new_twin(setting: Setting, deck: Callable[[int], Sequence[int]], row: Any) -> Watched:
    """Return the twin of a row that has just been dealt; it is told how talons are shuffled."""
    switches = setting.rules.to_dict()
    switches["pack"] = setting.rules.pack
    switches["reward"] = {"match": "game", "rounds": "rounds"}[switches["reward"]]
    rules = twin.TwinRules(**switches)
    key = row["key"].copy()

    def talon(number: int, index: int, cards: Sequence[int]) -> Sequence[int]:
        """The new talon as the game lays it, also where the row shows the next round already."""
        order = np.zeros(len(cards), np.uint8)
        twice = as_bits([card for card in set(cards) if cards.count(card) == 2])
        of_round = np.uint64(derive(key, TALON, number))
        shuffled = np.uint64(derive(of_round, TALON, index))
        stack(order, np.uint64(as_bits([*{*cards}])), order[:0], shuffled, np.uint64(twice))
        return order.tolist()

    dealer = int(row["dealer"])
    return Watched(setting.players, rules, setting.episode, deck, lambda: dealer, talon)


def round_number(row: Any) -> int:
    return int(row["rounds"])


def lenient_at_the_end(setting: Setting) -> set[str]:
    """Return no field: the twin says how all of them end."""
    return set()


def check_cards(rows: NDArray[Any], setting: Setting) -> None:
    """Assert that every card is in one place, in two packs each of the two."""
    cards, size = setting.rules.cards, len(setting.rules.cards)
    places = np.arange(rows["deck"].shape[1])
    in_talon = (places >= rows["drawn"][:, None]) & (places < size)
    there = np.arange(CARDS) == rows["top"][:, None]
    there = there + per_row(in_talon.nonzero()[0], rows["deck"][in_talon], len(rows))
    for name in ("hand", "hand_twice"):
        assert not rows[name][:, setting.players :].any()
        there += as_bytes(rows[name][:, : setting.players]).sum(axis=1, dtype=np.int64)
    there += as_bytes(rows["discarded"]) + as_bytes(rows["discarded_twice"])
    assert (there == np.bincount(cards, minlength=CARDS)).all()
    for name in ("hand", "discarded"):
        assert not (rows[f"{name}_twice"] & ~rows[name]).any()
    going_on = rows["turn"] >= 0
    assert (rows["hand"][going_on][:, : setting.players] != NONE).all()
    assert not rows["points"][:, setting.players :].any()


def as_bytes(sets: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return sets of cards ``[...]`` as zeros and ones ``[..., 32]``."""
    low_bytes = np.ascontiguousarray(sets)[..., None].view(np.uint8)[..., : CARDS // 8]
    return np.unpackbits(low_bytes, axis=-1, bitorder="little")


def per_row(row: NDArray[Any], card: NDArray[Any], rows: int) -> NDArray[np.int64]:
    """Count pairs of a row and a card: ``[rows, 32]``."""
    counts = np.bincount(row * CARDS + card, minlength=rows * CARDS)
    return counts.reshape(rows, CARDS)


def most_score(setting: Setting) -> float:
    """Return what an episode can pay at most: with points, all that can be left in hand."""
    if setting.rules.reward == "rounds":
        return np.inf
    points = setting.rules.scoring == "points" and setting.episode == "round"
    return twin.points_of(setting.rules.cards) / 100 if points else 1


def most_decisions(setting: Setting) -> int:
    """Return how many decisions a round has at most, unless penalties bring aces back again."""
    return setting.rules.max_turns * 4 + len(setting.rules.cards)


# --- Facts as observations ------------------------------------------------------------------------


def expected(
    setting: Setting, facts: list[dict[str, Any]], seats: list[int], view: dict[str, Any]
) -> None:
    """Write what seats should observe: every field of the layout, from the facts alone."""
    for name in ("hand", "discarded"):
        view[name][:] = as_counts([fact[name] for fact in facts], CARDS)
    view["top_suit"][:] = one_hot([twin.suit_of(fact["top"]) for fact in facts], 4)
    view["top_rank"][:] = one_hot([twin.rank_of(fact["top"]) for fact in facts], 8)
    view["suit_in_force"][:] = one_hot([fact["suit"] for fact in facts], 4)
    for name in ("wish", "after_ace", "after_draw", "talon"):
        view[name][:] = [fact[name] for fact in facts]
    cards = len(setting.rules.cards)  # the twin counts on, though nobody can draw more
    view["open_draws"][:] = [min(fact["open_draws"], cards) for fact in facts]
    _expected_of_seats(facts, np.array(seats), view)


def _expected_of_seats(
    facts: list[dict[str, Any]], seats: NDArray[Any], view: dict[str, Any]
) -> None:
    """Write the fields of every seat, own seat first and clockwise from there."""
    players = view["hand_size"].shape[1]
    for field, length in (("drew_suit", 4), ("drew_rank", 8)):
        drew = one_hot([each for fact in facts for each in fact[field]], length)
        view[field][:] = turned(drew.reshape(len(facts), players, length), seats)
    view["mau"][:] = turned([fact["mau"] for fact in facts], seats)
    view["hand_size"][:] = turned([fact["hand_sizes"] for fact in facts], seats)
    points = np.minimum([fact["points"] for fact in facts], MOST_POINTS_SHOWN)
    view["points"][:] = turned(points, seats)
    view["seated"][:] = 1
    view["deciding"][:] = turned(marked([f["current"] for f in facts], players), seats)


# --- Settings -------------------------------------------------------------------------------------


def pack_of(kind: str, players: int, hand_size: int, decks: int) -> tuple[int, ...]:
    """Return a pack by its kind: how many cards more than are dealt, and which come first."""
    ordinary = [card for card in range(CARDS) if not twin.is_function_card(card)]
    functions = [card for card in range(CARDS) if twin.is_function_card(card)]
    cards, talon = {
        "full": (range(CARDS), 2 * CARDS),
        "no talon": ([*functions, *ordinary], 0),
        "tight": ([*functions, *ordinary], 4),
        "ordinary": ([*ordinary, *functions], 8),
    }[kind]
    return tuple(cards)[: -(-(players * hand_size + 1 + talon) // decks)]


STYLES: dict[str, dict[str, float]] = {
    "uniform": {},
    "laying": {"draw": 0.05, "end": 0.1, "call": 5},
    "functions": {"function": 20, "draw": 0.2},
    "drawing": {"draw": 5, "call": 5},
}
"""Weights of the actions beside 1: of function cards, of draws, ends and calls."""

FACTORS: dict[str, Sequence[Any]] = {
    "players": range(2, 11),
    "decks": (1, 2),
    "pack": ("full", "no talon", "tight", "ordinary"),
    "hand_size": (1, 2, 5, 7),
    "mau_call": ("auto", "action"),
    "mau_penalty": (0, 2, 10),
    "seven_draw": (1, 2, 10),
    "play_after_draw": ("none", "drawn", "any"),
    "king_wish": (False, True),
    "actions_wild": (False, True),
    "start_card": ("neutral", "active"),
    "jack_on_jack": (True, False),
    "scoring": ("win", "points"),
    "target": (1, 60, 101, 255),
    "max_turns": (1, 10, 30),
    "reward": ("match", "rounds"),
    "episode": ("round", "match"),
    "style": tuple(STYLES),
}

ROUNDS, MATCHES = 20_000, 500


def settings() -> list[Setting]:
    """Every pair of switches, packs, styles and numbers of players, and the default rules."""
    rows = covering(
        FACTORS,
        possible=lambda row: is_possible(lambda: _rules(row).check_players(row["players"])),
    )
    rows += [
        {"players": players, "episode": episode, "style": "laying"}
        for players in range(2, 6)
        for episode in ("round", "match")
    ]
    return [_setting(row, seeds) for row, seeds in with_seeds(rows, ROUNDS, MATCHES)]


def preset_settings(game_count: dict[str, int]) -> list[Setting]:
    """Every preset and number of players, played uniformly at random; two packs from six on."""
    rows = [
        {"players": players, "episode": episode, "style": "uniform", "max_turns": 60}
        | {"decks": 1 if players <= 5 else 2, **preset}
        for preset in Rules.PRESETS.values()
        for players in (2, 3, 5, 8)
        for episode in ("round", "match")
    ]
    return [_setting(row, range(game_count[row["episode"]])) for row in rows]


def _rules(row: dict[str, Any]) -> Rules:
    switches = {k: v for k, v in row.items() if k not in ("players", "episode", "style", "pack")}
    hand_size, decks = row.get("hand_size", 5), row.get("decks", 1)
    return Rules(
        pack=pack_of(row.get("pack", "full"), row["players"], hand_size, decks), **switches
    )


def _setting(row: dict[str, Any], seeds: range) -> Setting:
    style = STYLES[row["style"]]
    kinds = ["function" if twin.is_function_card(card) else "card" for card in range(CARDS)]
    kinds += ["function"] * (DRAW - LAY_JACK)
    kinds += ["draw", "end", "call"]
    assert (len(kinds), kinds[KING_OF_HEARTS]) == (len(ACTION_NAMES), "function")
    assert (kinds[END], kinds[CALL_MAU]) == ("end", "call")
    weights = tuple(style.get(kind, 1.0) for kind in kinds)
    return Setting(row["players"], _rules(row), row["episode"], row["style"], weights, seeds)

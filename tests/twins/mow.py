"""Mow and its twin: the settings they are compared in, and facts as observations."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.games.mow import ACTION_NAMES, CARDS, CLEAR, EDGE_0, FLIES, VALUES, Rules
from tests.events import Witness
from tests.lockstep import Setting, covering, with_seeds
from tests.reference import mow as twin
from tests.twins.encoding import as_bits, as_sets, marked, one_hot, turned

GAME = "mow"

TO_BE_SEEN = frozenset(
    {
        *("opened with 0", "opened with 16", "opened in the other direction"),
        *("left end blocked", "right end blocked", "reversed", "reversed back"),
        *("coverer on an end", "coverer between", "both coverers with an 8 between"),
        *("one latecomer", "two latecomers in one gap", "two latecomers in two gaps"),
        *("the second latecomer alone", "forced clear", "free clear", "clear with an empty hand"),
        *("clear with one card in the pile", "clear without a pile", "pile emptied after a clear"),
        *("no pile from the deal on", "two at the target", "shared first place"),
        *("starter drawn among the most flies", "starter: most_flies", "starter: rotate"),
        *("starter: random", "a match of one round", "a match of six rounds"),
    }
)


class Watched(Witness, twin.Mow):
    """The twin, noting in ``seen`` what happens."""

    def __init__(self, *args: Any) -> None:
        self.seen: set[str] = set()
        self._cleared = False
        super().__init__(*args)
        self._note("no pile from the deal on", not self._pile)

    def _note(self, event: str, happened: bool = True) -> None:
        if happened:
            self.seen.add(event)

    def step(self, action: int) -> None:
        cleared, self._cleared = self._cleared, action == CLEAR
        full = bool(self._pile)
        super().step(action)
        self._note("pile emptied after a clear", cleared and full and not self._pile)

    def _lay(self, seat: int, card: int, reverse: bool) -> None:
        self._show("cards", [card])
        super()._lay(seat, card, reverse)

    def _draw(self, seat: int) -> int | None:
        card = super()._draw(seat)
        self._hide(seat, [] if card is None else [card])
        return card

    def _open(self, seat: int, card: int) -> None:
        super()._open(seat, card)
        self._note("opened with 0", card == twin.EDGE_0)
        self._note("opened with 16", card == twin.EDGE_16)

    def _extend(self, seat: int, card: int) -> None:
        super()._extend(seat, card)
        self._note("left end blocked", card == twin.EDGE_0)
        self._note("right end blocked", card == twin.EDGE_16)

    def _choose_direction(self, seat: int, reverse: bool) -> None:
        self._note("opened in the other direction", reverse and len(self._row) == 1)
        self._note("reversed" if self._clockwise else "reversed back", reverse)
        super()._choose_direction(seat, reverse)

    def _cover(self, seat: int, card: int) -> None:
        super()._cover(seat, card)
        at_an_end = twin.value_of(card) in (self._left_end(), self._right_end())
        self._note("coverer on an end" if at_an_end else "coverer between")
        covered = [twin.value_of(place.card) for place in self._row if place.coverers]
        values = [twin.value_of(place.card) for place in self._row]
        self._note("both coverers with an 8 between", covered == [7, 9] and 8 in values)

    def _lay_latecomer(self, seat: int, card: int) -> None:
        self._note("the second latecomer alone", card == max(twin.LATECOMERS))
        super()._lay_latecomer(seat, card)
        late = sorted(len(place.latecomers) for place in self._row)
        self._note("one latecomer", sum(late) == 1)
        self._note("two latecomers in one gap", late[-1] == 2)
        self._note("two latecomers in two gaps", late[-1] == 1 and sum(late) == 2)

    def _clear(self, seat: int) -> None:
        fits = any(self._fits(card) for card in self._hands[seat])
        self._note("free clear" if fits else "forced clear")
        self._note("clear with an empty hand", not self._hands[seat])
        self._note("clear with one card in the pile", len(self._pile) == 1)
        self._note("clear without a pile", not self._pile)
        self._show("cards", self._row_cards())
        super()._clear(seat)

    def _next_starter(self) -> int:
        if self._rounds:
            self._note(f"starter: {self._rules.next_starter}")
            drawn = self._rules.next_starter == "most_flies" and len(self._starter_candidates()) > 1
            self._note("starter drawn among the most flies", drawn)
        return super()._next_starter()

    def _end_match(self) -> None:
        at_target = [total for total in self._totals if total >= self._rules.target]
        self._note("two at the target", len(at_target) > 1)
        self._note("shared first place", self._totals.count(min(self._totals)) > 1)
        self._note("a match of one round", self._rounds == 1)
        self._note("a match of six rounds", self._rounds >= 6)
        super()._end_match()


def new_twin(setting: Setting, deck: Callable[[int], Sequence[int]], row: Any) -> Watched:
    """Return the twin of a row that has just been dealt, and that it is told the starters of."""
    switches = setting.rules.to_dict()
    switches["pack"] = setting.rules.pack
    switches["reward"] = {"match": "game", "rounds": "rounds"}[switches["reward"]]
    rules = twin.TwinRules(**switches)
    return Watched(setting.players, rules, setting.episode, deck, lambda *_: int(row["starter"]))


def round_number(row: Any) -> int:
    return int(row["rounds"])


def lenient_at_the_end(setting: Setting) -> set[str]:
    """Return no field: the rules say how all of them end."""
    return set()


def check_cards(rows: NDArray[Any], setting: Setting) -> None:
    """Assert that every card of the pack is in one place, every place as full as it must be."""
    hands, supplies = (rows[name][:, : setting.players] for name in ("hand", "supply"))
    size = len(setting.rules.pack)
    in_pile = (np.arange(CARDS) >= rows["drawn"][:, None]) & (np.arange(CARDS) < size)
    pile = (in_pile * (np.uint64(1) << rows["deck"].astype(np.uint64))).sum(axis=1)
    everywhere = np.stack([*hands.T, *supplies.T, rows["laid"], pile.astype(np.uint64)])
    assert (np.bitwise_count(everywhere).sum(axis=0) == size).all()
    assert (np.bitwise_or.reduce(everywhere) == as_bits(setting.rules.pack)).all()
    going_on = rows["turn"] >= 0
    dealt = np.bitwise_count(hands)
    assert (dealt <= twin.HAND_SIZE).all()
    full = going_on & (rows["drawn"] < size)
    assert (dealt[full] == twin.HAND_SIZE).all()
    assert not dealt[~going_on].any()
    for name in ("hand", "supply", "flies", "total"):
        assert not rows[name][:, setting.players :].any()
    flies = sum(FLIES[card] * (supplies >> np.uint64(card) & np.uint64(1)) for card in range(CARDS))
    assert (rows["flies"][:, : setting.players] == flies).all()
    noted = rows["total"].sum(axis=1) / sum(FLIES[card] for card in setting.rules.pack)
    assert (noted == rows["rounds"]).all()


def most_score(setting: Setting) -> float:
    """Return what an episode can pay at most."""
    return np.inf if setting.rules.reward == "rounds" else 1


def most_decisions(setting: Setting) -> int:
    """Return how many decisions a round can have: every card laid once, and cleared alone."""
    return 2 * len(setting.rules.pack) + 1


# --- Facts as observations ------------------------------------------------------------------------


def expected(
    setting: Setting, facts: list[dict[str, Any]], seats: list[int], view: dict[str, Any]
) -> None:
    """Write what seats should observe: every field of the layout, from the facts alone."""
    for name in ("hand", "row"):
        view[name][:] = as_sets([fact[name] for fact in facts], CARDS)
    view["distance"][:] = [distances(fact) for fact in facts]
    for name in ("left_end", "right_end"):
        view[name][:] = one_hot([fact[name] for fact in facts], 17)
    for name in ("latecomer_places", "row_flies", "must_open", "clockwise", "pile"):
        view[name][:] = [fact[name] for fact in facts]
    _expected_of_seats(facts, np.array(seats), view)


def distances(fact: dict[str, Any]) -> list[int]:
    """Return for each card that has a value of its own how far from an end of the row it fits."""
    found = [0] * (EDGE_0 + 2)
    for card in fact["hand"]:
        if fact["row"] and card < len(found):
            if VALUES[card] < fact["left_end"] and not fact["left_blocked"]:
                found[card] = fact["left_end"] - VALUES[card]
            elif VALUES[card] > fact["right_end"] and not fact["right_blocked"]:
                found[card] = VALUES[card] - fact["right_end"]
    return found


def _expected_of_seats(
    facts: list[dict[str, Any]], seats: NDArray[Any], view: dict[str, Any]
) -> None:
    """Write the fields of every seat, own seat first and clockwise from there."""
    players = view["hand_size"].shape[1]
    supplies = as_sets([cards for fact in facts for cards in fact["supplies"]], CARDS)
    view["supply"][:] = turned(supplies.reshape(len(facts), players, CARDS), seats)
    for field, fact in (("supply_flies",) * 2, ("total_flies",) * 2, ("hand_size", "hand_sizes")):
        view[field][:] = turned([f[fact] for f in facts], seats)
    view["seated"][:] = 1
    view["deciding"][:] = turned(marked([f["current"] for f in facts], players), seats)


# --- Settings -------------------------------------------------------------------------------------

SPECIALS = tuple(range(EDGE_0, CARDS))
MIDDLE = tuple(card for card in range(EDGE_0) if 6 <= VALUES[card] <= 10)
OTHERS = tuple(card for card in range(EDGE_0) if card not in MIDDLE)


def pack_of(kind: str, players: int) -> tuple[int, ...]:
    """Return a pack by its kind: how many cards more than are dealt, and which come first."""
    cards, pile = {
        "full": ((), 0),
        "no pile": (SPECIALS + MIDDLE + OTHERS, 0),
        "tight": (SPECIALS + MIDDLE + OTHERS, 3),
        "plain": (OTHERS + MIDDLE, 6),
        "wide": (SPECIALS + OTHERS + MIDDLE, 8),
    }[kind]
    return cards[: 5 * players + pile]


STYLES: dict[str, dict[str, float]] = {
    "uniform": {},
    "long rows": {"clear": 0.02},
    "specials": {"special": 20, "clear": 0.1},
    "clearing": {"clear": 5},
}
"""Weights of the actions beside 1: of the special cards, and of clearing."""

FACTORS: dict[str, Sequence[Any]] = {
    "players": range(2, 6),
    "pack": ("full", "no pile", "tight", "plain", "wide"),
    "latecomer": ("capacity", "one_per_gap", "unlimited"),
    "voluntary_clear": (True, False),
    "next_starter": ("most_flies", "rotate", "random"),
    "target": (1, 30, 100, 181),
    "reward": ("match", "rounds"),
    "episode": ("round", "match"),
    "style": tuple(STYLES),
}

ROUNDS, MATCHES = 20_000, 500

RARE: list[dict[str, Any]] = [
    {"players": players, "pack": pack, "episode": "match", "style": "long rows", "target": target}
    for players, pack, target in ((2, "wide", 20), (3, "no pile", 20), (2, "tight", 40))
] + [
    {"players": 2, "pack": "no pile", "episode": "round", "style": "long rows"}
    | {"latecomer": "unlimited", "voluntary_clear": False}
]
"""Tables at which the rare events of ``TO_BE_SEEN`` are frequent."""


def settings() -> list[Setting]:
    """Every pair of switches, packs, styles and numbers of players, and the default rules."""
    rows = covering(FACTORS) + RARE
    rows += [
        {"players": players, "episode": episode, "style": style}
        for players, style in zip(range(2, 6), STYLES, strict=True)
        for episode in ("round", "match")
    ]
    return [_setting(row, seeds) for row, seeds in with_seeds(rows, ROUNDS, MATCHES)]


def preset_settings(game_count: dict[str, int]) -> list[Setting]:
    """Every number of players, played uniformly at random; all presets are the same rules."""
    rows = [
        {"players": players, "episode": episode, "style": "uniform"}
        for players in range(2, 6)
        for episode in ("round", "match")
    ]
    return [_setting(row, range(game_count[row["episode"]])) for row in rows]


def _setting(row: dict[str, Any], seeds: range) -> Setting:
    switches = {k: v for k, v in row.items() if k not in ("players", "episode", "style", "pack")}
    pack = pack_of(row.get("pack", "full"), row["players"])
    rules = Rules(pack=pack, **switches)
    style = STYLES[row["style"]]
    kinds = ["special"] * len(ACTION_NAMES)
    kinds[:EDGE_0], kinds[CLEAR] = ["plain"] * EDGE_0, "clear"
    weights = tuple(style.get(kind, 1.0) for kind in kinds)
    return Setting(row["players"], rules, row["episode"], row["style"], weights, seeds)

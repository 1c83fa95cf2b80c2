"""31 and its twin: the settings they are compared in, and facts as observations."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.games.schwimmen import ACTION_NAMES, PHASES, Rules
from tests.events import Witness
from tests.lockstep import Setting, covering, with_seeds
from tests.reference import schwimmen as twin
from tests.twins.encoding import as_bits, as_sets, marked, one_hot, turned

GAME = "schwimmen"

PHASE_NAMES = {
    "dealer": "dealer's choice",
    "deal31": "dealt 31",
    "turn": "turn",
    "exchange31": "exchanged to 31",
    "over": "over",
}

TO_BE_SEEN = frozenset(
    {
        *("laid down: dealt, by itself", "laid down: dealt, asked", "held: dealt"),
        *("laid down: exchanged, by itself", "laid down: exchanged, asked", "held: exchanged"),
        *("laid down after a stop", "held after a stop", "fire"),
        *("compared after a stop", "compared at the cap", "compared with too short a talon"),
        *("new middle, all passed", "new middle, redraw", "new middle, redraw after a stop"),
        *("stop in the first lap", "stop at the cap", "redraw twice in a turn"),
        *("two put out at once", "one put out", "last one in", "all out: replay", "all out: draw"),
    }
)


class Watched(Witness, twin.Schwimmen):
    """The twin, noting in ``seen`` what happens."""

    def __init__(self, *args: Any) -> None:
        self.seen: set[str] = set()
        self._redrawn = False
        super().__init__(*args)

    def step(self, action: int) -> None:
        redrawn, self._redrawn = self._redrawn, action == twin.REDRAW
        if redrawn and self._redrawn:
            self.seen.add("redraw twice in a turn")
        super().step(action)

    def _as_seen(self, action: int) -> int:
        """Return the first swap for every swap of one card: nobody sees a slot of a hand."""
        return 0 if action < twin.SWAP_ALL else action

    def _dealers_choice(self, action: int) -> None:
        piles = {twin.KEEP: self._second_pile, twin.CHANGE: self._hands[self._dealer]}
        self._show("came", piles[action])
        if action == twin.CHANGE:
            self._hide(self._dealer, self._second_pile)
        super()._dealers_choice(action)

    def _swap_one(self, seat: int, hand_slot: int, middle_slot: int) -> None:
        self._show("came", [self._hands[seat][hand_slot]])
        self._show("left", [self._middle[middle_slot]])
        super()._swap_one(seat, hand_slot, middle_slot)

    def _swap_all(self, seat: int) -> None:
        self._show("came", self._hands[seat])
        self._show("left", self._middle)
        super()._swap_all(seat)

    def _new_middle(self) -> None:
        self._show("left", self._middle)
        super()._new_middle()
        self._show("came", self._middle)

    def _lay_down(self, seat: int) -> None:
        asked = "asked" if self._rules.reveal == "choice" else "by itself"
        self.seen.add(f"laid down: {self._origin()}, {asked}")
        if self._stopped is not None:
            self.seen.add("laid down after a stop")
        if self._rules.fire and twin.is_three_aces(self._hands[seat]):
            self.seen.add("fire")
        super()._lay_down(seat)

    def _hold(self, seat: int) -> None:
        self.seen.add(f"held: {self._origin()}")
        if self._stopped is not None:
            self.seen.add("held after a stop")
        super()._hold(seat)

    def _origin(self) -> str:
        return "dealt" if self._phase in ("dealer", "deal31") else "exchanged"

    def _stop(self, seat: int) -> None:
        if self._laps[seat] == 0:
            self.seen.add("stop in the first lap")
        if self._laps[seat] == self._rules.max_laps - 1:
            self.seen.add("stop at the cap")
        super()._stop(seat)

    def _go_on(self, seat: int) -> None:
        if self._stopped is not None:
            reason = "compared after a stop" if not any(self._to_have_turn) else ""
        elif self._all_at_the_cap():
            reason = "compared at the cap"
        elif self._passes == len(self._seats_in()):
            short = len(self._talon) < 3
            reason = "compared with too short a talon" if short else "new middle, all passed"
        else:
            reason = ""
        self.seen.update([reason] if reason else [])
        super()._go_on(seat)

    def _redraw(self) -> None:
        self.seen.add("new middle, redraw" + " after a stop" * (self._stopped is not None))
        super()._redraw()

    def _take_lives(self, losers: list[int]) -> list[int]:
        out = super()._take_lives(losers)
        if out and self._episode == "match":
            self.seen.add("one put out" if len(out) == 1 else "two put out at once")
        return out

    def _play_on(self) -> None:
        if len(self._seats_in()) == 1:
            self.seen.add("last one in")
        super()._play_on()

    def _all_out(self) -> None:
        self.seen.add(f"all out: {self._rules.all_out}")
        super()._all_out()


def new_twin(setting: Setting, deck: Callable[[int], Sequence[int]], row: Any) -> Watched:
    """Return the twin of a row that has just been dealt."""
    switches = setting.rules.to_dict()
    switches["pack"] = setting.rules.pack
    switches["reward"] = {"match": "game", "rounds": "rounds"}[switches["reward"]]
    rules = twin.TwinRules(**switches)
    return Watched(setting.players, rules, setting.episode, deck, int(row["dealer"]))


def round_number(row: Any) -> int:
    return int(row["rounds"])


def lenient_at_the_end(setting: Setting) -> set[str]:
    """Return the fields of which the rules do not say how they end, when nobody decides any more.

    The twin counts the exchange by which a 31 is laid down (or held) as a completed turn and takes
    it off those still to come; the game ends the round before it counts. In a single round without
    lives the twin calls the loser out, the game leaves him in, since no match follows.
    """
    return {"lap", "own_lap", "to_have_turn"} | ({"in"} if setting.episode == "round" else set())


def check_cards(rows: NDArray[Any], setting: Setting) -> None:
    """Assert that every card of the pack is in one place, and every place as full as it must be."""
    alive = (rows["alive"][:, None] >> np.arange(setting.players, dtype=np.uint64)) & np.uint64(1)
    hands = rows["hand"][:, : setting.players]
    places = np.arange(32) - rows["drawn"][:, None]
    in_talon = (places >= 0) & (np.arange(32) < len(setting.rules.pack))
    talon = (in_talon * (np.uint64(1) << rows["deck"].astype(np.uint64))).sum(axis=1)
    talon = talon.astype(np.uint64)
    table = [rows[name] for name in ("second_pile", "middle", "gone")]
    everywhere = np.stack([*hands.T, *table, talon])
    assert (np.bitwise_count(everywhere).sum(axis=0) == len(setting.rules.pack)).all()
    assert (np.bitwise_or.reduce(everywhere) == as_bits(setting.rules.pack)).all()
    dealt = np.bitwise_count(hands)
    going_on = rows["turn"] >= 0
    assert (dealt[going_on] == 3 * alive[going_on]).all()
    assert np.isin(dealt, (0, 3)).all()
    choosing = rows["phase"] == 0
    assert (np.bitwise_count(rows["second_pile"]) == 3 * choosing).all()
    assert (np.bitwise_count(rows["middle"]) == 3 * ~choosing).all()
    assert (rows["known"][:, : setting.players] & ~hands == 0).all()
    assert (rows["hand"][:, setting.players :] == 0).all()


def most_score(setting: Setting) -> float:
    """Return what an episode can pay at most."""
    return np.inf if setting.rules.reward == "rounds" else 1


def most_decisions(setting: Setting) -> int:
    """Return how many decisions a round can have: the choice, laps, redraws, and one about a 31."""
    redraws = (len(setting.rules.pack) - 3 * (setting.players + 1)) // 3
    return 2 + setting.players * (setting.rules.max_laps + 1) + redraws


# --- Facts as observations ------------------------------------------------------------------------


def expected(
    setting: Setting, facts: list[dict[str, Any]], seats: list[int], view: dict[str, Any]
) -> None:
    """Write what seats should observe: every field of the layout, from the facts alone."""
    aces_value: int = setting.rules.aces_value
    hands, middles = (three_cards(facts, name) for name in ("hand", "middle"))
    for name in ("hand", "middle", "gone"):
        view[name][:] = as_sets([fact[name] for fact in facts], 32)
    view["hand_slots"][:] = as_slots(hands)
    view["middle_slots"][:] = as_slots(middles)
    view["phase"][:] = one_hot([PHASES.index(PHASE_NAMES[f["phase"]]) for f in facts], 5)
    view["own_lap"][:] = one_hot(
        [min(3, f["laps"][s]) for f, s in zip(facts, seats, strict=True)], 4
    )
    view["hand_value"][:] = [fact["hand_value"] for fact in facts]
    view["middle_value"][:] = values_of(middles, aces_value)
    view["exchange_values"][:] = exchange_values(hands, middles, aces_value)
    for name in ("talon", "passes"):
        view[name][:] = [fact[name] for fact in facts]
    _expected_of_seats(facts, np.array(seats), view)


def _expected_of_seats(
    facts: list[dict[str, Any]], seats: NDArray[Any], view: dict[str, Any]
) -> None:
    """Write the fields of every seat, own seat first and clockwise from there."""
    players = view["lives"].shape[1]
    known = as_sets([cards for fact in facts for cards in fact["known"]], 32)
    view["known"][:] = turned(known.reshape(len(facts), players, 32), seats)
    for field, fact in (("lives", "lives"), ("in", "in"), ("to_have_turn",) * 2, ("lap", "laps")):
        view[field][:] = turned([f[fact] for f in facts], seats)
    for field, fact in (("dealer", "dealer"), ("deciding", "current"), ("stopped", "stopped")):
        view[field][:] = turned(marked([f[fact] for f in facts], players), seats)


def three_cards(facts: list[dict[str, Any]], name: str) -> NDArray[np.int64]:
    """Return ``[k, 3]`` cards in ascending order, -1 where there are none."""
    return np.array([fact[name] or (-1, -1, -1) for fact in facts])


def as_slots(cards: NDArray[Any]) -> NDArray[np.uint8]:
    """Return ``[k, 36]``: for each card its suit as one of 4 and its rank as one of 8."""
    suits = np.arange(4) == (cards // 8)[..., None]
    ranks = (np.arange(8) == (cards % 8)[..., None]) & (cards >= 0)[..., None]
    return np.concatenate([suits, ranks], axis=2).reshape(len(cards), 36)


@cache
def value_table(aces_value: int) -> NDArray[np.uint8]:
    """Return the twin's value of three cards in any order; 0 where one is missing (-1)."""
    table = np.zeros((33, 33, 33), np.uint8)
    for hand in permutations(range(32), 3):
        table[hand] = twin.value_of(hand, aces_value)
    return table


def values_of(cards: NDArray[Any], aces_value: int) -> NDArray[np.uint8]:
    values: NDArray[np.uint8] = value_table(aces_value)[tuple(np.moveaxis(cards, -1, 0))]
    return values


def exchange_values(hands: NDArray[Any], middles: NDArray[Any], aces_value: int) -> NDArray[Any]:
    """Return ``[k, 10]``: the value after each of the nine swaps of one, and the swap of all."""
    after = np.repeat(hands[:, None], 10, axis=1)
    for action in range(9):
        after[:, action, action // 3] = middles[:, action % 3]
    after[:, 9] = middles
    both = (hands[:, 0] >= 0) & (middles[:, 0] >= 0)
    return values_of(after, aces_value) * both[:, None]


# --- Settings -------------------------------------------------------------------------------------

LOW = tuple(8 * suit + rank for rank in (0, 1, 2) for suit in range(4))
ACES = tuple(8 * suit + rank for rank in (7, 6, 5) for suit in range(4))
OTHERS = tuple(card for card in range(32) if card not in LOW and card not in ACES)
TENS = tuple(8 * suit + rank for rank in (3, 4, 5, 6) for suit in range(4))


def pack_of(kind: str, players: int) -> tuple[int, ...]:
    """Return a pack by its kind: how large, and which cards are frequent in it."""
    needed = 3 * (players + 1)
    cards, size = {
        "full": ((), 0),
        "tight": (OTHERS + LOW + ACES, needed + 2),
        "sevens": (LOW + OTHERS + ACES, needed + 7),
        "aces": (ACES + LOW + OTHERS, needed + 4),
        "low": (LOW, needed + 3),
        "tens": (TENS + LOW, needed + 4),
    }[kind]
    return cards[:size]


STYLES: dict[str, dict[str, float]] = {
    "uniform": {},
    "passing": {"swap": 0.02, "pass": 4, "stop": 0.02, "redraw": 1},
    "swapping": {"stop": 0, "pass": 0.2, "redraw": 20},
    "slow": {"stop": 0.1},
    "redrawing": {"stop": 10, "redraw": 10, "swap": 0.3},
}
"""Weights of the actions beside 1, by the first word of their names."""

FACTORS: dict[str, Sequence[Any]] = {
    "players": range(2, 10),
    "pack": ("full", "tight", "sevens", "aces"),
    "lives": (0, 1, 2, 3),
    "aces_value": (31, 32, 33),
    "stop_after": ("all", "others", "none"),
    "reveal": ("auto", "choice"),
    "redraw789": ("any", "same_suit", "off"),
    "max_laps": (1, 2, 3, 50),
    "all_out": ("replay", "draw"),
    "fire": (False, True),
    "reward": ("match", "rounds"),
    "episode": ("round", "match"),
    "style": ("uniform", "passing", "swapping", "slow"),
}

ROUNDS, MATCHES = 20_000, 500


RARE: list[dict[str, Any]] = [
    {"players": 2, "pack": "sevens", "episode": "round", "style": "swapping"},
    {"players": 2, "pack": "low", "episode": "match", "style": "redrawing"}
    | {"stop_after": "none"},
    {"players": 2, "pack": "aces", "episode": "match", "style": "uniform", "stop_after": "none"}
    | {"reveal": "choice", "fire": True},
    {"players": 2, "pack": "tens", "episode": "match", "style": "passing", "lives": 0},
    {"players": 2, "pack": "tens", "episode": "match", "style": "passing", "lives": 0}
    | {"all_out": "draw"},
]
"""Tables at which the rare events of ``TO_BE_SEEN`` are frequent."""


def settings() -> list[Setting]:
    """Every pair of switches, packs, styles and numbers of players, and every preset."""
    rows = covering(FACTORS) + RARE
    rows += [
        {"preset": preset, "players": players, "episode": episode, "style": style}
        for preset in Rules.PRESETS
        for players, style in ((2, "uniform"), (4, "slow"), (6, "passing"), (9, "uniform"))
        for episode in ("round", "match")
    ]
    return [_setting(row, seeds) for row, seeds in with_seeds(rows, ROUNDS, MATCHES)]


def preset_settings(game_count: dict[str, int]) -> list[Setting]:
    """Every preset with every number of players, played uniformly at random."""
    rows = [
        {"preset": preset, "players": players, "episode": episode, "style": "uniform"}
        for preset in Rules.PRESETS
        for players in range(2, 10)
        for episode in ("round", "match")
    ]
    return [_setting(row, range(game_count[row["episode"]])) for row in rows]


def _setting(row: dict[str, Any], seeds: range) -> Setting:
    switches = {k: v for k, v in row.items() if k not in ("players", "episode", "style", "pack")}
    preset = switches.pop("preset", "standard")
    pack = pack_of(row.get("pack", "full"), row["players"])
    rules = Rules.preset(preset, pack=pack, **switches)
    style = STYLES[row["style"]]
    weights = tuple(style.get(name.split()[0], 1.0) for name in ACTION_NAMES)
    return Setting(row["players"], rules, row["episode"], row["style"], weights, seeds)

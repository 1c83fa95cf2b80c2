"""Mau-Mau against OpenSpiel's crazy_eights: equal legal sets at every decision of the rules shared.

Both games are played side by side. Ours deals and draws by its own deck, theirs is given the same
cards at its chance nodes; the random choice of each decision is carried out in both. Seat to act,
legal actions, end and winner must agree, and so must the pile that a reshuffle brings back.

=====================  =======================  ====================================================
rule                   ours                     theirs
=====================  =======================  ====================================================
next draws two         7, ``seven_draw=2``      2
countered, adding up   a seven on an open one   a two on an open one
next sits out          8                        Q
laid on anything       J, ``jack_on_jack``      8
a suit is named        with the jack            a decision of its own
plain ranks            9, 10, Q, K              9, 10, J, K
drawing                one, at any time         ``max_draw_cards=1``
after drawing          any card or the end:     any card or a pass
                       ``play_after_draw=any``
start card             ``start_card=active``    acts as if the dealer had laid it
pile becomes talon     when a card is wanted    when the last card is drawn (``reshuffle``)
=====================  =======================  ====================================================

Left out, and how:

- Our ace (one more card) and our king of hearts (draw three) have no like: not in our ``pack``.
- Their 3 to 7, ace (turns round) and king of hearts have no like: laid before the games begin. Our
  start card is the last card of that opening, so it acts in both. What was laid so comes back with
  their first reshuffle, is never drawn, and keeps their talon from running out again. So
- the comparison of a game ends where our talon is reshuffled for a second time, and
- where a card is drawn that was laid after their reshuffle and before ours.
- With nothing at all left to draw they end a game after passes all round, and ours goes on: hands
  here are so small that it does not come to that.
- Our turn ends by itself when nothing fits after a draw: their only action, pass, is taken then.
- Our last jack names its own suit, their last eight nothing.
- Drawing several before laying, and what the cards left in hand cost, are theirs alone; Mau,
  ``play_after_draw="drawn"``, ``jack_on_jack=False``, ``king_wish`` and ``actions_wild`` are ours.

Games whose comparison ends early are not counted among the games that ``Setting`` demands.
"""

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel
import pytest
from numpy.typing import NDArray

from cardenv.cards import cards_in
from cardenv.games import maumau
from cardenv.games.maumau import (
    CARD_OF,
    DRAW,
    EIGHT,
    END,
    JACK,
    LAY_JACK,
    SEVEN,
    WENT_ON_AFTER_DRAW,
)
from cardenv.table import Tables
from tests.lockstep import Difference, drawn_actions

PACK = tuple(card for card in range(32) if card % 8 != maumau.ACE and card != maumau.KING_OF_HEARTS)

# Their card is 4 * rank + suit, of suits CDHS and ranks 23456789TJQKA.
PEER_SUITS = (1, 2, 3, 0)
"""Their suit for each of ours."""
PEER_RANKS = (0, 10, 7, 8, 6, 9, 11)
"""Their rank for each of ours up to the king."""
PEER_EIGHT, PEER_ACE = 6, 12
PEER_CARD = {card: 4 * PEER_RANKS[card % 8] + PEER_SUITS[card // 8] for card in PACK}
FOREIGN = tuple(sorted(set(range(52)) - set(PEER_CARD.values())))
"""Their cards without a like of ours, ascending."""
PEER_DRAW, PASS, NOMINATE, DECIDE_DEALER = 52, 53, 54, 52
NOMINATIONS = [NOMINATE + suit for suit in range(4)]


def _our_actions(card: int, last: bool) -> int:
    """Return the set of our actions that lay a card: a jack has four unless it is the last card."""
    suit, rank = divmod(card, 8)
    if rank != JACK:
        return 1 << card
    return 1 << (LAY_JACK + 5 * suit) if last else 0b1111 << (LAY_JACK + 4 * suit)


OUR_ACTIONS = {
    last: {PEER_DRAW: 1 << DRAW, PASS: 1 << END}
    | {PEER_CARD[card]: _our_actions(card, last) for card in PACK}
    for last in (False, True)
}
"""The set of our actions for each of theirs, by whether the seat holds one card."""
ACTIONS = len(maumau.ACTION_NAMES)
POWERS = 1 << np.arange(ACTIONS, dtype=np.int64)
UNKNOWN = 1 << ACTIONS
"""An action of theirs that none of ours is like."""


@dataclass(frozen=True)
class Setting:
    """A kind of table, and how many games are played at it.

    Attributes:
        hand_size: 7 at most for two players, 5 at most for more.
        begun: games that are dealt.
        whole: how many of them, at least, are compared up to their end.
        drawing: weight of drawing among the legal actions, each of the others weighing 1.
    """

    players: int
    hand_size: int
    begun: int
    whole: int
    drawing: float = 0.1

    @property
    def decks(self) -> int:
        """Packs in play, as many as they take."""
        return 2 if self.players > 5 else 1

    @property
    def peer_hand_size(self) -> int:
        """Cards that they deal to each."""
        return 7 if self.players == 2 else 5

    def tables(self) -> Tables:
        """Return our tables."""
        rules = maumau.Rules(
            pack=PACK,
            decks=self.decks,
            hand_size=self.hand_size,
            play_after_draw="any",
            start_card="active",
            max_turns=10_000,
        )
        return Tables("maumau", self.begun, self.players, rules=rules, episode="round")

    def peer(self) -> Any:
        """Return their game."""
        parameters = {
            "players": self.players,
            "max_draw_cards": 1,
            "max_turns": 1_000_000,
            "use_special_cards": True,
            "reshuffle": True,
        }
        return pyspiel.load_game("crazy_eights", parameters)


SETTINGS = (
    Setting(2, 7, 2000, 1500),
    Setting(2, 4, 2500, 800, drawing=1),
    Setting(3, 5, 2600, 1800),
    Setting(3, 3, 2600, 900, drawing=1),
    Setting(4, 5, 2000, 750),
    Setting(4, 4, 2600, 1700),
    Setting(5, 3, 2200, 1700),
    Setting(6, 5, 1200, 1100),
    Setting(8, 4, 1200, 1000, drawing=0.2),
    Setting(10, 4, 1500, 1000),
)
SHARED = (
    *("skip", "open seven", "two taken", "four taken", "six or more taken"),
    *("wish", "wish met", "jack on a wish"),
    *("drawn", "laid after a draw", "ended after a draw", "nothing fits after a draw"),
    *("reshuffle of one pile", "reshuffle of more"),
)
"""What has to happen at every kind of table, more than once."""


# --- Their opening: all cards without a like of ours are laid -------------------------------------


@dataclass(frozen=True)
class Opening:
    """How their foreign cards are laid one after another, for a dealer in seat 0.

    Attributes:
        start: the card turned up.
        turns: seat, card, and whether the card is dealt to that seat or drawn by it.
        last_seat: whose turn it is then; it lays what is our start card.
    """

    start: int
    turns: tuple[tuple[int, int, bool], ...]
    last_seat: int


@functools.cache
def opening(setting: Setting, last_suit: int) -> Opening:
    """Return an opening that ends with a card of a suit (theirs).

    Suit by suit, up and down the ranks in turn, each card fits on the one before.
    """
    suits = [suit for suit in range(4) if suit != last_suit] + [last_suit]
    chain = [
        card
        for place, suit in enumerate(suits)
        for card in sorted((c for c in FOREIGN if c % 4 == suit), reverse=place % 2 == 1)
        for _ in range(setting.decks)
    ]
    to_deal = Counter(dict.fromkeys(range(setting.players), _spare(setting)))
    turns, seat, direction = [], 1, 1
    for card in chain[1:]:
        turns.append((seat, card, to_deal[seat] > 0))
        to_deal[seat] -= 1
        direction *= -1 if card // 4 == PEER_ACE else 1
        seat = (seat + direction) % setting.players
    assert max(to_deal.values()) <= 0, (
        "every place of a hand that we leave empty is laid in between"
    )
    return Opening(chain[0], tuple(turns), seat)


def _spare(setting: Setting) -> int:
    """Return how many cards more they deal to each than we do."""
    return setting.peer_hand_size - setting.hand_size


def opened(setting: Setting, peer: Any, deck: Sequence[int], dealer: int) -> Any:
    """Return their state where hands, top card, talon and turn are those of our deal."""
    size = setting.hand_size
    top = PEER_CARD[deck[size * setting.players]]
    way = opening(setting, top % 4)
    shift = (dealer - way.last_seat) % setting.players
    hands = [
        [PEER_CARD[card] for card in deck[size * seat : size * (seat + 1)]]
        for seat in range(setting.players)
    ]
    for seat, card, dealt in way.turns:
        if dealt:
            hands[(seat + shift) % setting.players].append(card)
    state = peer.new_initial_state()
    for action in _opening_actions(setting, way, hands, shift, top):
        state.apply_action_with_legality_check(action)
    return state


def _opening_actions(
    setting: Setting, way: Opening, hands: list[list[int]], shift: int, top: int
) -> list[int]:
    """Return all actions, of chance too, up to the first decision to be compared."""
    seats = [(shift + 1 + place) % setting.players for place in range(setting.players)]
    actions = [DECIDE_DEALER + shift]
    actions += [hands[seat][place] for place in range(setting.peer_hand_size) for seat in seats]
    actions.append(way.start)
    for _, card, dealt in (*way.turns, (0, top, False)):
        actions += [card] if dealt else [PEER_DRAW, card, card]
    return [*actions, NOMINATE + top % 4] if top // 4 == PEER_EIGHT else actions


# --- Side by side ---------------------------------------------------------------------------------


class SideBySide:
    """Tables of ours, and a state of theirs beside each."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.tables = setting.tables()
        generator = np.random.default_rng([setting.players, setting.hand_size])
        cards = np.array(self.tables.rules.cards)
        decks = generator.permuted(np.tile(cards, (setting.begun, 1)), axis=1)
        dealers = generator.integers(setting.players, size=setting.begun)
        self.tables.reset(seed=1, deck=decks, first=dealers)
        peer = setting.peer()
        self.states = [
            opened(setting, peer, deck, dealer)
            for deck, dealer in zip(decks.tolist(), dealers.tolist(), strict=True)
        ]
        self.weights = [setting.drawing if action == DRAW else 1.0 for action in range(ACTIONS)]
        self.actions: list[list[int]] = [[] for _ in self.states]
        self.piles: list[Counter[int]] = [Counter() for _ in self.states]
        """Our pile as it lay at the last draw from a talon that was not empty."""
        self.late: list[Counter[int]] = [Counter() for _ in self.states]
        """Cards of our talon that are in their pile."""
        self.live = np.arange(setting.begun)
        self.seen: Counter[str] = Counter()

    def play(self) -> Counter[str]:
        """Play all games to where their comparison ends; return how often each thing was seen."""
        self.compare()
        while self.live.size:
            self.step()
            self.compare()
        return self.seen

    def compare(self) -> None:
        """Demand that both games ask the same seat for one of the same actions."""
        rows = self.tables.rows[self.live]
        seats = rows["turn"]
        legal = self.tables.masks[self.live].astype(np.int64) @ POWERS
        tables = [OUR_ACTIONS[one] for one in (hand_sizes(rows, seats) == 1).tolist()]
        for game, seat, ours, table in zip(
            self.live.tolist(), seats.tolist(), legal.tolist(), tables, strict=True
        ):
            state = self.states[game]
            theirs = sum(table.get(action, UNKNOWN) for action in state.legal_actions())
            if theirs != ours or state.current_player() != seat:
                raise self.difference(game, f"seat {seat} may {named(ours)}", named(theirs))
        self.seen["decision"] += len(rows)

    def step(self) -> None:
        """Take one decision in every game; leave those that are over or cannot be compared on."""
        actions = drawn_actions(self.tables, self.live, self.weights)
        before = self.tables.rows[self.live]
        self.tables.step(actions, self.live)
        after = self.tables.rows[self.live]
        kept = np.array(
            [
                self.follow(game, action, before[place], after[place])
                for place, (game, action) in enumerate(
                    zip(self.live.tolist(), actions.tolist(), strict=True)
                )
            ]
        )
        self.watch(actions[kept], before[kept], after[kept])
        self.live = self.live[kept]
        over = self.tables.turn[self.live] < 0
        for game in self.live[over].tolist():
            self.compare_end(game)
        self.live = self.live[~over]

    def follow(self, game: int, action: int, before: Any, after: Any) -> bool:
        """Carry our action out in theirs; return whether the two can be compared on."""
        self.actions[game].append(action)
        state = self.states[game]
        if action == DRAW:
            return self.follow_draw(game, before, after)
        if action == END:
            state.apply_action(PASS)
            return True
        state.apply_action(PEER_CARD[int(CARD_OF[action])])
        if action >= LAY_JACK and not state.is_terminal():
            if state.legal_actions() != NOMINATIONS:
                raise self.difference(game, "names any suit", state.legal_actions())
            state.apply_action(NOMINATE + PEER_SUITS[action % 4])
        return True

    def follow_draw(self, game: int, before: Any, after: Any) -> bool:
        """Let theirs draw what ours has drawn, and pass if nothing else is left to do."""
        drawn, fresh = drawn_cards(before, after, self.tables.rules.cards)
        if after["reshuffles"] > 1:
            self.seen["ended by a second reshuffle"] += 1
            return False
        if drawn:
            self.piles[game] = pile_of(before)
        state = self.states[game]
        state.apply_action(PEER_DRAW)
        for place, card in enumerate((*drawn, *fresh)):
            if place == len(drawn):
                self.compare_piles(game, before)
            if PEER_CARD[card] not in state.legal_actions() and self.late[game][card]:
                self.seen["ended by a card laid between the reshuffles"] += 1
                return False
            if not state.is_chance_node() or PEER_CARD[card] not in state.legal_actions():
                raise self.difference(game, f"draws {drawn} and {fresh}", f"not number {place}")
            state.apply_action(PEER_CARD[card])
        if state.is_chance_node():
            raise self.difference(game, f"draws {drawn} and {fresh}", "more")
        if state.legal_actions() == [PASS]:
            state.apply_action(PASS)
        return True

    def compare_piles(self, game: int, before: Any) -> None:
        """Demand that theirs has reshuffled what ours had in its pile when the talon ran out."""
        chances = dict(self.states[game].chance_outcomes())
        of_one = chances[FOREIGN[0]] / self.setting.decks
        theirs = Counter({card: round(chances.get(PEER_CARD[card], 0) / of_one) for card in PACK})
        if theirs != self.piles[game]:
            raise self.difference(game, f"reshuffles {self.piles[game]}", theirs)
        self.late[game] = pile_of(before) - self.piles[game]
        self.seen["reshuffle of more" if self.late[game] else "reshuffle of one pile"] += 1

    def compare_end(self, game: int) -> None:
        """Demand that theirs is over too, won by the same seat."""
        state = self.states[game]
        winner = int(self.tables.score[game].argmax())
        returns = state.returns() if state.is_terminal() else []
        if [seat for seat, paid in enumerate(returns) if paid == 0] != [winner]:
            raise self.difference(game, f"won by seat {winner}", returns or "goes on")
        self.seen["whole game"] += 1

    def watch(self, actions: NDArray[Any], before: NDArray[Any], after: NDArray[Any]) -> None:
        """Count what has happened, so that a test can demand it."""
        goes_on = after["turn"] >= 0
        laid, drawn = actions < DRAW, (actions == DRAW) & (before["open_draws"] == 0)
        rank = np.where(laid, CARD_OF[np.minimum(actions, DRAW - 1)] % 8, -1)
        taken = np.where(actions == DRAW, before["open_draws"], 0)
        wished, went_on = before["in_force"] < 16, before["went_on"]
        happened = {
            "skip": goes_on & (rank == EIGHT),
            "open seven": goes_on & (rank == SEVEN),
            "two taken": taken == 2,
            "four taken": taken == 4,
            "six or more taken": taken >= 6,
            "wish": goes_on & (rank == JACK),
            "wish met": wished & laid & (rank != JACK),
            "jack on a wish": wished & (rank == JACK),
            "drawn": drawn,
            "laid after a draw": laid & (went_on == WENT_ON_AFTER_DRAW),
            "ended after a draw": actions == END,
            "nothing fits after a draw": drawn & (after["went_on"] != WENT_ON_AFTER_DRAW),
        }
        for name, where in happened.items():
            self.seen[name] += int(where.sum())

    def difference(self, game: int, ours: Any, theirs: Any) -> Difference:
        """Describe a difference so that it can be played again."""
        names = [maumau.ACTION_NAMES[action] for action in self.actions[game]]
        return Difference(
            f"{self.setting}, game {game}\nafter {len(names)} actions: {names}\n"
            f"ours: {ours}\ntheirs: {theirs}\n{self.states[game]}"
        )


def named(actions: int) -> list[str]:
    """Return the names of a set of our actions, and of one that we do not have."""
    return [name for k, name in enumerate((*maumau.ACTION_NAMES, "?")) if actions >> k & 1]


def hand_sizes(rows: NDArray[Any], seats: Any) -> NDArray[Any]:
    """Return how many cards a seat of each row holds."""
    places = np.arange(len(rows))
    return sum(np.bitwise_count(rows[name][places, seats]) for name in ("hand", "hand_twice"))


def drawn_cards(before: Any, after: Any, pack: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return what the seat to act has drawn: from the talon as it lay, and after a reshuffle."""
    seat = before["turn"]
    had, has = (
        sum(int(row[name][seat]).bit_count() for name in ("hand", "hand_twice"))
        for row in (before, after)
    )
    talon = before["deck"][before["drawn"] : len(pack)].tolist()
    drawn = talon[: has - had]
    fresh = has - had - len(drawn)
    return drawn, after["deck"][after["drawn"] - fresh : after["drawn"]].tolist()


def pile_of(row: Any) -> Counter[int]:
    """Return our cards below the top one, how many of each."""
    return Counter([*cards_in(row["discarded"]), *cards_in(row["discarded_twice"])])


# --- The tests ------------------------------------------------------------------------------------


def test_the_games_to_be_compared_are_many_at_all_numbers_of_players():
    assert sum(setting.whole for setting in SETTINGS) >= 10_000
    assert {setting.players for setting in SETTINGS} >= {2, 3, 4, 5, maumau.MAX_PLAYERS}


@pytest.mark.bulk
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda s: f"{s.players}p-{s.hand_size}-cards")
def test_legal_sets_are_those_of_the_peer_at_every_decision(setting):
    seen = SideBySide(setting).play()
    assert seen["whole game"] >= setting.whole, seen
    ended = sum(count for name, count in seen.items() if name.startswith("ended by"))
    assert seen["whole game"] + ended == setting.begun
    for name in SHARED:
        assert seen[name] >= 100, (name, seen)

"""Mow, written a second time: plain, slow and literal.

This file is the judge in comparisons. It follows the numbered rules (MOW-n) one function at a
time and shares no code with the game it is compared with.

Cards are numbered 0 to 47: plain cards 0-41, the edge cards 0 and 16 are 42 and 43, the coverers
7 and 9 are 44 and 45, the two latecomers 46 and 47. Actions 0-41 lay that plain card, 42-46 lay
0, 16, coverer 7, coverer 9, a latecomer and keep the direction, 47-51 the same and reverse it,
52 clears.

MOW-1, MOW-5: the aim is to collect few flies; those in the own supply are minus points. Only the
counting at the end of a round and of a match speaks of that; the rest is up to the players.

Readings
--------
Where the rules leave something open, this file does the following.

The row
 1. The row is a list from left to right of the cards laid at an end or to open. A coverer lies on
    one of them, a latecomer in the gap to the right of one of them. Neither is a neighbour of
    anything: gaps are between the numbers of this list, and a coverer changes none of them.
 2. A card goes to the left end if it is lower than the leftmost value, to the right end if it is
    higher than the rightmost. It can never do both. With one card in the row both ends are its
    value, so an equal value fits nowhere.
 3. The left side is blocked when the leftmost card is the edge card 0, the right side when the
    rightmost is the edge card 16, whether it was added or opened the row. A row opened by 0 still
    grows to the right (also by 16), one opened by 16 to the left (also by 0).
 4. Values in the row are all different, so there is at most one card that a coverer fits on. A
    pack has one coverer of each value, so nothing is covered twice. A coverer that lies with its
    card does not make a second 7 or 9.
 5. Latecomers lie in the leftmost gap that has room. The row grows at its ends only, so gaps never
    change once they are there, and it never matters for later which gap it was.
 6. ``latecomer="unlimited"`` never counts the latecomers that lie there already.
 7. Who holds both latecomers lays 46, who holds only 47 lays that one; the action is the same.

Turns
 8. Who opens takes whatever may open: plain cards, 0 and 16. Who must open always holds five cards
    (a round goes on after a clear only with a pile, and with a pile every turn was refilled), and
    only four cards of a pack cannot open.
 9. "No hand card fits" counts every card, coverers and latecomers too. With an empty hand no card
    fits. ``voluntary_clear=False`` also holds with an empty pile.
10. The end of a turn, in this order: the card lies, its player has kept or reversed the direction,
    he draws if there is a pile, the next seat in the direction of now is asked. Two players: the
    direction stays clockwise for good, and the other seat is next.
11. A clear with a pile is no end of the turn: the same seat is asked at once to open, and draws
    only after that. A clear draws nothing itself, so the pile he found is the pile he opens with.
12. With a pack of exactly five cards for each player the pile is empty from the start: nobody
    draws, the first clear ends the round.

Ends
13. A round ends at the first clear with an empty pile. The row goes to the supply of the player
    who cleared; then everybody, he too, puts the hand into the own supply.
14. A round pays (mean flies - own flies) / the flies in the pack. ``reward`` changes nothing in
    ``episode="round"``, and neither do ``target`` and ``next_starter``.
15. ``reward="rounds"`` in a match pays every round, the last one too, and nothing for the match.
16. "100 or more" is the match total of any one seat. Several may be there at once. The fewest flies
    of all seats in the match total win.
17. "The last round's starter" is the seat that opened it, not the one that ended it.
18. Supplies, row and direction start afresh with each round; only the totals and the starter go
    over to the next one. The direction is clockwise at every round's start.
19. When the episode is over everything shows the last round as it ended: no hands, no row, no
    pile, all cards in the supplies, the direction as it was, the totals with that round.
20. A pack without flies is refused for a single round as well: its reward would be divided by 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

EDGE_0 = 42
EDGE_16 = 43
COVERER_7 = 44
COVERER_9 = 45
LATECOMER = 46
OTHER_LATECOMER = 47

COVERERS = (COVERER_7, COVERER_9)
LATECOMERS = (LATECOMER, OTHER_LATECOMER)

REVERSE = 5
CLEAR = 52

HAND_SIZE = 5


@dataclass(frozen=True)
class TwinRules:
    """The switches of Mow, in the words of the rules; the defaults are `standard`."""

    latecomer: str = "capacity"
    voluntary_clear: bool = True
    next_starter: str = "most_flies"
    target: int = 100
    pack: tuple[int, ...] = tuple(range(48))
    reward: str = "game"


@dataclass
class Place:
    """One card of the row, what covers it, and the latecomers in the gap to the right of it."""

    card: int
    coverers: list[int] = field(default_factory=list)
    latecomers: list[int] = field(default_factory=list)


def is_plain(card: int) -> bool:
    """MOW-2, MOW-6: the cards that are not special."""
    return 0 <= card <= 41


def is_special(card: int) -> bool:
    """MOW-6: edge cards, coverers and latecomers."""
    return not is_plain(card)


def value_of(card: int) -> int:
    """MOW-2, MOW-3: the number on a card; the outer ones are rarer.

    MOW-18: the edge cards are 0 and 16. MOW-21: the coverers are 7 and 9. MOW-23: a latecomer has
    none.
    """
    if 0 <= card <= 14:
        return 1 + card
    if 15 <= card <= 27:
        return 2 + (card - 15)
    if 28 <= card <= 38:
        return 3 + (card - 28)
    if 39 <= card <= 41:
        return 7 + (card - 39)
    if card == EDGE_0:
        return 0
    if card == EDGE_16:
        return 16
    if card == COVERER_7:
        return 7
    if card == COVERER_9:
        return 9
    raise ValueError(f"card {card} has no value")


def flies_of(card: int) -> int:
    """MOW-4: some cards show flies, the special ones five each."""
    if 0 <= card <= 14:
        return 0
    if 15 <= card <= 27:
        return 1
    if 28 <= card <= 38:
        return 2
    if 39 <= card <= 41:
        return 3
    if 42 <= card <= 47:
        return 5
    raise ValueError(f"{card} is no card")


def flies_in(cards: Sequence[int]) -> int:
    """MOW-4, MOW-33: the flies on these cards together."""
    return sum(flies_of(card) for card in cards)


def may_open(card: int) -> bool:
    """MOW-12, MOW-28: plain cards and 0 and 16 may open a row; the other specials may not."""
    return card not in COVERERS and card not in LATECOMERS


def action_of(card: int, reverse: bool) -> int:
    """The number of the action that lays this card; MOW-25: a special one keeps or reverses."""
    if is_plain(card):
        return card
    kept = LATECOMER if card in LATECOMERS else card
    return kept + REVERSE if reverse else kept


def share(tied: int, players: int) -> float:
    """MOW-35: first place for one is 1; for several it is shared."""
    return (1.0 - (tied - 1) / (players - 1)) / tied


def check_settings(players: int, rules: TwinRules, episode: str) -> None:
    """Refuse impossible settings (MOW-8: five cards each; MOW-34: a match needs flies to end)."""
    if not 2 <= players <= 5:
        raise ValueError("Mow is for 2 to 5 players")
    if len(set(rules.pack)) != len(rules.pack) or not set(rules.pack) <= set(range(48)):
        raise ValueError("the pack is a subset of the 48 cards")
    if len(rules.pack) < HAND_SIZE * players:
        raise ValueError("the pack is too small for the players")
    if flies_in(rules.pack) == 0:
        raise ValueError("the pack has no flies")
    if rules.target < 1:
        raise ValueError("target must be 1 or more")
    words = (
        (rules.latecomer, ("capacity", "one_per_gap", "unlimited")),
        (rules.next_starter, ("most_flies", "rotate", "random")),
        (rules.reward, ("game", "rounds")),
        (episode, ("round", "match")),
    )
    for word, allowed in words:
        if word not in allowed:
            raise ValueError(f"{word!r} is not one of {allowed}")


class Mow:
    """One episode of Mow: a round or a match."""

    def __init__(
        self,
        players: int,
        rules: TwinRules,
        episode: str,
        deck: Callable[[int], Sequence[int]],
        starter: Callable[[int, list[int]], int],
    ) -> None:
        """MOW-7: a game of several rounds begins without flies; the first deal is made."""
        check_settings(players, rules, episode)
        self._players = players
        self._rules = rules
        self._episode = episode
        self._deck = deck
        self._ask_starter = starter
        self._rounds = 0
        self._starter = 0
        self._totals = [0] * players
        self._rewards = [0.0] * players
        self._over = False
        # The round; `_deal` fills all of this.
        self._hands: list[list[int]] = []
        self._supplies: list[list[int]] = []
        self._pile: list[int] = []
        self._row: list[Place] = []
        self._clockwise = True
        self._current = 0
        self._deal()

    # ------------------------------------------------------------------ what can be asked

    def current_player(self) -> int | None:
        """The seat that decides next, or None when the episode is over."""
        return None if self._over else self._current

    def is_over(self) -> bool:
        """Whether the episode is over."""
        return self._over

    def rewards(self) -> list[float]:
        """Every seat's rewards of the episode so far, added up."""
        return list(self._rewards)

    def legal_actions(self) -> list[int]:
        """MOW-13, MOW-14: what the current seat may do, in ascending order."""
        if self._over:
            return []
        actions = self._laying_actions(self._current)
        if self._may_clear(self._current):
            actions.append(CLEAR)
        assert actions, "somebody is asked and can do nothing"
        return actions

    def facts(self, seat: int) -> dict[str, Any]:
        """All that this seat knows; seats are absolute."""
        return {
            "hand": sorted(self._hands[seat]),
            "row": sorted(self._row_cards()),
            "left_end": self._left_end() if self._row else None,
            "right_end": self._right_end() if self._row else None,
            "left_blocked": self._left_blocked(),
            "right_blocked": self._right_blocked(),
            "latecomer_places": self._latecomer_places(),
            "row_flies": flies_in(self._row_cards()),
            "supplies": [sorted(supply) for supply in self._supplies],
            "supply_flies": [flies_in(supply) for supply in self._supplies],
            "hand_sizes": [len(hand) for hand in self._hands],
            "pile": len(self._pile),
            "clockwise": self._clockwise,
            "total_flies": list(self._totals),
            "must_open": not self._over and self._must_open(),
            "current": self.current_player(),
            "rounds": self._rounds,
        }

    # ------------------------------------------------------------------ deal

    def _deal(self) -> None:
        """MOW-7, MOW-8, MOW-9: all cards shuffled, five each, the rest is the face-down pile.

        The lowest seat's five come first; the pile's next card is its first. MOW-10: the round
        starts clockwise.
        """
        order = list(self._deck(self._rounds))
        if sorted(order) != sorted(self._rules.pack):
            raise ValueError("the deck order is not a permutation of the pack")
        self._hands = []
        for _ in range(self._players):
            self._hands.append(sorted(order[:HAND_SIZE]))
            order = order[HAND_SIZE:]
        self._pile = order
        self._supplies = [[] for _ in range(self._players)]
        self._row = []
        self._clockwise = True
        self._starter = self._next_starter()
        self._current = self._starter

    def _next_starter(self) -> int:
        """MOW-12: the first player; chance draws him among those who can be.

        Round 0: anybody. Later: those with the most flies in the match, or the seat after the
        last round's starter, or anybody.
        """
        candidates = self._starter_candidates()
        drawn = self._ask_starter(self._rounds, list(candidates))
        if drawn not in candidates:
            raise ValueError(f"seat {drawn} cannot start, only one of {candidates}")
        return drawn

    def _starter_candidates(self) -> list[int]:
        """MOW-12: the seats that may be drawn as the first player, ascending."""
        if self._rounds == 0 or self._rules.next_starter == "random":
            return list(range(self._players))
        if self._rules.next_starter == "rotate":
            return [(self._starter + 1) % self._players]
        most = max(self._totals)
        return [seat for seat in range(self._players) if self._totals[seat] == most]

    # ------------------------------------------------------------------ the row

    def _row_cards(self) -> list[int]:
        """All cards that lie in the row, from left to right."""
        cards = []
        for place in self._row:
            cards.append(place.card)
            cards += place.coverers
            cards += place.latecomers
        return cards

    def _left_end(self) -> int:
        """MOW-15: the leftmost value."""
        return value_of(self._row[0].card)

    def _right_end(self) -> int:
        """MOW-16: the rightmost value."""
        return value_of(self._row[-1].card)

    def _left_blocked(self) -> bool:
        """MOW-18, MOW-19: the 0 lies at the left end; nothing can be added there."""
        return bool(self._row) and self._row[0].card == EDGE_0

    def _right_blocked(self) -> bool:
        """MOW-18, MOW-20: the 16 lies at the right end; nothing can be added there."""
        return bool(self._row) and self._row[-1].card == EDGE_16

    def _fits_left(self, card: int) -> bool:
        """MOW-15, MOW-19: lower than the leftmost value, and that side is not blocked."""
        return not self._left_blocked() and value_of(card) < self._left_end()

    def _fits_right(self, card: int) -> bool:
        """MOW-16, MOW-20: higher than the rightmost value, and that side is not blocked."""
        return not self._right_blocked() and value_of(card) > self._right_end()

    def _places_to_cover(self, card: int) -> list[Place]:
        """MOW-21, MOW-22: the uncovered plain cards of the coverer's own value in the row."""
        return [
            place
            for place in self._row
            if is_plain(place.card)
            and value_of(place.card) == value_of(card)
            and not place.coverers
        ]

    def _room_in_gap(self, left: Place, right: Place) -> int:
        """MOW-23, MOW-24: how many more latecomers go between these two neighbours."""
        difference = value_of(right.card) - value_of(left.card)
        if difference < 2:
            return 0
        if self._rules.latecomer == "unlimited":
            return 1
        if self._rules.latecomer == "one_per_gap":
            return 1 - len(left.latecomers)
        return difference - 1 - len(left.latecomers)

    def _gaps_with_room(self) -> list[Place]:
        """MOW-23, MOW-24: the cards to the left of the gaps that have room, from left to right."""
        return [
            left
            for left, right in zip(self._row, self._row[1:], strict=False)
            if self._room_in_gap(left, right) > 0
        ]

    def _latecomer_places(self) -> int:
        """MOW-23, MOW-24: the places that are free for latecomers.

        ``"unlimited"`` has no number of places: 1 says that one may be laid. For ``"capacity"``
        the sum over the gaps is checked against the formula in the rules.
        """
        if self._rules.latecomer == "unlimited":
            return 1 if self._gaps_with_room() else 0
        room = 0
        for left, right in zip(self._row, self._row[1:], strict=False):
            room += self._room_in_gap(left, right)
        if self._rules.latecomer == "capacity" and self._row:
            cards = self._row_cards()
            values = {value_of(card) for card in cards if card not in LATECOMERS}
            late = [card for card in cards if card in LATECOMERS]
            width = self._right_end() - self._left_end() + 1
            assert room == width - len(values) - len(late), "the closed formula disagrees"
        return room

    # ------------------------------------------------------------------ what is legal

    def _must_open(self) -> bool:
        """MOW-12, MOW-28: there is no row, so the current seat opens one."""
        return not self._row

    def _fits(self, card: int) -> bool:
        """MOW-14: whether this card can be laid now.

        MOW-12, MOW-28: to open. MOW-15, MOW-16, MOW-18: at an end. MOW-21, MOW-22: a coverer only
        on its value. MOW-23, MOW-24: a latecomer only in a gap.
        """
        if self._must_open():
            return may_open(card)
        if card in COVERERS:
            return len(self._places_to_cover(card)) > 0
        if card in LATECOMERS:
            return len(self._gaps_with_room()) > 0
        return self._fits_left(card) or self._fits_right(card)

    def _may_reverse(self) -> bool:
        """MOW-25: reversing says nothing with two players, so it is not legal there."""
        return self._players > 2

    def _laying_actions(self, seat: int) -> list[int]:
        """MOW-12, MOW-14, MOW-25, MOW-28: the actions that lay a card of this hand, ascending."""
        actions = set()
        for card in self._hands[seat]:
            if not self._fits(card):
                continue
            actions.add(action_of(card, reverse=False))
            if is_special(card) and self._may_reverse():
                actions.add(action_of(card, reverse=True))
        return sorted(actions)

    def _may_clear(self, seat: int) -> bool:
        """MOW-30: a must when nothing fits, otherwise free; never on an empty row."""
        if self._must_open():
            return False
        if not any(self._fits(card) for card in self._hands[seat]):
            return True
        return self._rules.voluntary_clear

    # ------------------------------------------------------------------ turns

    def step(self, action: int) -> None:
        """MOW-13: take one decision and go on to the next one of anybody."""
        if action not in self.legal_actions():
            raise ValueError(f"action {action} is not legal")
        seat = self._current
        if action == CLEAR:
            self._clear(seat)
        else:
            reverse = action >= LATECOMER + 1
            kept = action - REVERSE if reverse else action
            self._lay(seat, self._card_for(seat, kept), reverse)

    def _card_for(self, seat: int, action: int) -> int:
        """The card that this action lays; of two latecomers the lower id first."""
        if action == LATECOMER:
            return min(card for card in self._hands[seat] if card in LATECOMERS)
        return action

    def _lay(self, seat: int, card: int, reverse: bool) -> None:
        """MOW-12, MOW-14, MOW-17, MOW-25, MOW-28, MOW-29: a card, the direction, a draw, the next.

        An opening by the first player, one after a clear and a card added to the row all end the
        turn in the same way.
        """
        self._hands[seat].remove(card)
        if self._must_open():
            self._open(seat, card)
        elif card in COVERERS:
            self._cover(seat, card)
        elif card in LATECOMERS:
            self._lay_latecomer(seat, card)
        else:
            self._extend(seat, card)
        if is_special(card):
            self._choose_direction(seat, reverse)
        self._draw(seat)
        self._current = self._next_seat(seat)

    def _open(self, seat: int, card: int) -> None:
        """MOW-12, MOW-28: the card is the whole row."""
        self._row = [Place(card)]

    def _extend(self, seat: int, card: int) -> None:
        """MOW-15, MOW-16, MOW-18: to the left end if it is lower, to the right end if higher."""
        if self._fits_left(card):
            self._row.insert(0, Place(card))
        else:
            self._row.append(Place(card))

    def _cover(self, seat: int, card: int) -> None:
        """MOW-21, MOW-22: onto the plain card of its own value; no end changes."""
        (place,) = self._places_to_cover(card)
        place.coverers.append(card)

    def _lay_latecomer(self, seat: int, card: int) -> None:
        """MOW-23, MOW-24: into a gap; the leftmost one with room, which is not a choice."""
        self._gaps_with_room()[0].latecomers.append(card)

    def _choose_direction(self, seat: int, reverse: bool) -> None:
        """MOW-11, MOW-25: after every special card its player keeps or reverses the direction."""
        if reverse:
            self._clockwise = not self._clockwise

    def _draw(self, seat: int) -> int | None:
        """MOW-12, MOW-17, MOW-29: draw one card if there is one left.

        MOW-31: without a pile play goes on. Returns the card drawn.
        """
        if not self._pile:
            return None
        card = self._pile[0]
        self._pile = self._pile[1:]
        self._hands[seat] = sorted([*self._hands[seat], card])
        return card

    def _next_seat(self, seat: int) -> int:
        """MOW-10, MOW-11, MOW-17, MOW-25: the next player in the direction of now."""
        if self._clockwise:
            return (seat + 1) % self._players
        return (seat - 1) % self._players

    def _clear(self, seat: int) -> None:
        """MOW-26, MOW-27: the whole row goes to the supply.

        MOW-28: then he opens a new row, so the same seat stays to be asked. MOW-31, MOW-32:
        without a pile the round ends at once instead.
        """
        self._supplies[seat] += self._row_cards()
        self._row = []
        if not self._pile:
            self._end_round()

    # ------------------------------------------------------------------ ends

    def _end_round(self) -> None:
        """MOW-32, MOW-33: hands go to the supplies, flies are counted and noted.

        MOW-7, MOW-34: then the match ends, or the next round is dealt.
        """
        flies = self._count_flies()
        self._rounds += 1
        for seat in range(self._players):
            self._totals[seat] += flies[seat]
        if self._episode == "round":
            self._pay_round(flies)
            self._over = True
            return
        if self._rules.reward == "rounds":
            self._pay_round(flies)
        if max(self._totals) >= self._rules.target:
            self._end_match()
        else:
            self._deal()

    def _count_flies(self) -> list[int]:
        """MOW-1, MOW-5, MOW-27, MOW-32, MOW-33: each hand into the own supply; flies per seat."""
        for seat in range(self._players):
            self._supplies[seat] += self._hands[seat]
            self._hands[seat] = []
        return [flies_in(supply) for supply in self._supplies]

    def _pay_round(self, flies: list[int]) -> None:
        """MOW-1, MOW-5, MOW-33: the mean flies minus the own, over the flies in the pack."""
        mean = sum(flies) / self._players
        for seat in range(self._players):
            self._rewards[seat] += (mean - flies[seat]) / flies_in(self._rules.pack)

    def _end_match(self) -> None:
        """MOW-34, MOW-35: the fewest flies win; ties share the first place."""
        self._over = True
        if self._rules.reward == "rounds":
            return
        fewest = min(self._totals)
        winners = [seat for seat in range(self._players) if self._totals[seat] == fewest]
        for seat in range(self._players):
            if seat in winners:
                self._rewards[seat] += share(len(winners), self._players)
            else:
                self._rewards[seat] -= 1.0 / (self._players - 1)

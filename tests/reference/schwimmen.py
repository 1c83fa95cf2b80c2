"""31 (Schwimmen), written a second time: plain, slow and literal.

This file is the judge in comparisons. It follows the numbered rules (S31-n) one function at a
time and shares no code with the game it is compared with.

Cards are ``8 * suit + rank``, suits diamonds, hearts, spades, clubs, ranks 7 8 9 10 J Q K A.
Values are integers in half-points (30.5 is 61).

S31-7, S31-13: the aim is the most points with three cards, reached by exchanging. S31-33 (take
away what others collect) is advice to players, so nothing here implements it.

Readings
--------
Where the rules leave something open, this file does the following.

The deal
 1. Each round has at least one decision, the dealer's choice; it is asked whatever he holds. A
    dealer with 31 in his own block may change it away: then he has not kept it, and nothing is
    lost. If he keeps it he comes last among the players with 31.
 2. Changing or keeping makes no card of the dealer's hand publicly known: known is only what was
    taken from the middle, and the dealer's new pile never lay there.
 3. Until the choice the second pile is a place of its own: not the middle, not the talon. The
    talon counts only what is left behind it and does not change by the choice.
 4. During the dealer's choice every seat knows its own block, the dealer too; nobody knows the
    second pile.
 5. Turns completed, passes, the stop, the known cards and the cards that left the game all start
    afresh with each deal.

31
 6. A dealt 31 is handled before the first turn and is no turn. With ``reveal="auto"`` the first
    player with 31 from the dealer's left lays down; with ``"choice"`` he is asked, and either
    answer ends the round, so nobody after him is ever asked.
 7. "31" for laying down is a suit sum of 31, or three aces whatever ``aces_value`` is. As each 31
    is settled at once, nobody ever comes to a turn holding one.
 8. A lay-down ends the round at once, in the lap after a stop too: whoever still had a turn to
    come loses it. All hands are then compared; so all with the lowest value lose a life, be it 31
    and be it the one who laid down (two players with 31 each: both lose one; a suit 31 against
    three aces with ``aces_value=33``: the one with the suit loses).
 9. ``hold``, on the deal or after an exchange, ends the round at once; the holder alone loses a
    life, no hands are compared, and it never burns.
10. ``fire`` also holds for three aces that are laid down automatically. Everyone else, also
    somebody with a suit 31, loses one life. Three aces in a hand that nobody laid down do not burn.
11. An exchange that makes 31 under ``reveal="choice"`` is not yet a completed turn: while he is
    asked, his lap is not counted and he still has his turn after a stop; the passes are at 0
    already, and the exchanged cards are publicly known already. His answer completes the turn.

Turns
12. A seat's lap counts completed exchanges, passes and stops. A redraw is no turn.
13. Under ``stop_after`` "all" and "others" the turns of this round count.
14. Passes are counted in the lap after a stop too, but there they can never reach the number of
    players still in, and there is no refresh anyway.
15. A redraw sets the passes to 0; a pass in the same turn is then the first in a row.
16. After each completed turn, in this order: a lap after a stop is under way: the round is scored
    if nobody is left to have a turn, else the next seat goes on; otherwise the cap of
    ``max_laps`` is checked; then, if all players still in have passed in a row, the middle is
    refreshed, or the round is scored with fewer than three cards in the talon. A stop that is the
    last player's ``max_laps``-th turn therefore still gets its lap.
17. A refresh is no turn; the seat left of the last one who passed goes on.
18. 7-8-9 is one card of each rank. The cards that replace it may be 7-8-9 again and may be
    redrawn again.
19. A card that was taken from the middle stops being known when it is given back; it is in the
    middle then, where all see it. A known card taken later by somebody else is known in his hand.

Scoring, lives, match
20. Who loses a life at 0 is out; the lives shown for him stay at 0 (never negative).
21. In ``episode="round"`` everybody starts with ``lives``; the reward counts the lives lost in
    that round, a last one at 0 as well; ``all_out`` and ``reward`` change nothing.
22. In a match n, in -1/(n-1), is the number of seats at the start of the match. Several out in
    the same round get -1/(n-1) each, also when that round ends the match. With two players the
    first one out ends the match: -1 and +1.
23. "Would put out everyone still in" means that each of them is at 0 and loses a life. Replay:
    no lives, no rewards, and the same dealer deals the next deck. Draw: the k players who were
    still in stay in and share first place, (1 - (k-1)/(n-1))/k each; nobody pays.
24. ``reward="rounds"`` in a match: each scored round pays the round's reward to the seats dealt
    in; who is out gets 0 from then on, and there is no bonus for the match. A round that would
    put out everyone pays 0 either way.
25. The deal passes to the next seat clockwise that is still in after the round was scored.
26. When the episode is over, everything shows the last round as it ended; a seat put out by that
    very round still has its cards before it. Laying down shows the hand, but does not change the
    list of cards known from the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

SWAP_ALL = 9
PASS = 10
STOP = 11
LAY_DOWN = 12
HOLD = 13
KEEP = 14
CHANGE = 15
REDRAW = 16

ACE = 7
POINTS = (7, 8, 9, 10, 10, 10, 10, 11)


@dataclass(frozen=True)
class TwinRules:
    """The switches of 31, in the words of the rules; the defaults are `standard`."""

    lives: int = 3
    aces_value: int = 31
    stop_after: str = "all"
    reveal: str = "auto"
    redraw789: str = "any"
    max_laps: int = 50
    all_out: str = "replay"
    fire: bool = False
    pack: tuple[int, ...] = tuple(range(32))
    reward: str = "game"


def suit_of(card: int) -> int:
    """S31-1: eight cards in each of four suits."""
    return card // 8


def rank_of(card: int) -> int:
    """S31-1: 7 8 9 10 J Q K A are 0 to 7."""
    return card % 8


def points_of(card: int) -> int:
    """S31-8, S31-9, S31-10: 7 to 10 their number; J, Q, K ten; the ace eleven."""
    return POINTS[rank_of(card)]


def suit_points(hand: Sequence[int]) -> int:
    """S31-11, S31-12: only cards of one suit add up, and the best suit counts."""
    sums = [0, 0, 0, 0]
    for card in hand:
        sums[suit_of(card)] += points_of(card)
    return max(sums)


def is_three_of_a_rank(hand: Sequence[int]) -> bool:
    """S31-14: three cards of one rank."""
    return len(hand) == 3 and len({rank_of(card) for card in hand}) == 1


def is_three_aces(hand: Sequence[int]) -> bool:
    """S31-15: three aces."""
    return is_three_of_a_rank(hand) and rank_of(hand[0]) == ACE


def value_of(hand: Sequence[int], aces_value: int) -> int:
    """S31-11, S31-12, S31-14, S31-15: the value for comparing, in half-points.

    Three aces are `aces_value`, three of another rank 30.5, all else the best suit.
    """
    if is_three_aces(hand):
        return 2 * aces_value
    if is_three_of_a_rank(hand):
        return 61
    return 2 * suit_points(hand)


def is_31(hand: Sequence[int]) -> bool:
    """S31-15, S31-24: worth laying down; three aces always are, whatever they compare as."""
    return is_three_aces(hand) or suit_points(hand) == 31


def is_789(cards: Sequence[int], redraw789: str) -> bool:
    """S31-30: a 7, an 8 and a 9, of any suits or of the same suit."""
    if redraw789 == "off":
        return False
    if sorted(rank_of(card) for card in cards) != [0, 1, 2]:
        return False
    return redraw789 == "any" or len({suit_of(card) for card in cards}) == 1


def check_settings(players: int, rules: TwinRules, episode: str, dealer: int) -> None:
    """Refuse impossible settings (S31-1, S31-2: 2-9 players, 3(n+1) cards at least)."""
    if not 2 <= players <= 9:
        raise ValueError("31 is for 2 to 9 players")
    if len(set(rules.pack)) != len(rules.pack) or not set(rules.pack) <= set(range(32)):
        raise ValueError("the pack is a subset of the 32 cards")
    if 3 * (players + 1) > len(rules.pack):
        raise ValueError("the pack is too small for the players")
    if rules.lives < 0 or rules.max_laps < 1:
        raise ValueError("lives must be 0 or more, max_laps 1 or more")
    if rules.aces_value not in (31, 32, 33):
        raise ValueError("aces_value is 31, 32 or 33")
    words = (
        (rules.stop_after, ("all", "others", "none")),
        (rules.reveal, ("auto", "choice")),
        (rules.redraw789, ("any", "same_suit", "off")),
        (rules.all_out, ("replay", "draw")),
        (rules.reward, ("game", "rounds")),
        (episode, ("round", "match")),
    )
    for word, allowed in words:
        if word not in allowed:
            raise ValueError(f"{word!r} is not one of {allowed}")
    if not 0 <= dealer < players:
        raise ValueError("the dealer is no seat")


class Schwimmen:
    """One episode of 31: a round or a match."""

    def __init__(
        self,
        players: int,
        rules: TwinRules,
        episode: str,
        deck: Callable[[int], Sequence[int]],
        dealer: int,
    ) -> None:
        """S31-2: everybody starts in, with the same number of lives; the first deal is made."""
        check_settings(players, rules, episode, dealer)
        self._players = players
        self._rules = rules
        self._episode = episode
        self._deck = deck
        self._dealer = dealer
        self._deals = 0
        self._lives = [rules.lives] * players
        self._in = [True] * players
        self._rewards = [0.0] * players
        # The round; `_deal` fills all of this.
        self._hands: list[list[int]] = []
        self._known: list[set[int]] = []
        self._second_pile: list[int] = []
        self._middle: list[int] = []
        self._talon: list[int] = []
        self._gone: list[int] = []
        self._laps: list[int] = []
        self._to_have_turn: list[bool] = []
        self._passes = 0
        self._stopped: int | None = None
        self._phase = "dealer"
        self._current: int | None = None
        self._deal()

    # ------------------------------------------------------------------ what can be asked

    def current_player(self) -> int | None:
        """The seat that decides next, or None when the episode is over."""
        return self._current

    def is_over(self) -> bool:
        """Whether the episode is over."""
        return self._phase == "over"

    def rewards(self) -> list[float]:
        """Every seat's rewards of the episode so far, added up."""
        return list(self._rewards)

    def legal_actions(self) -> list[int]:
        """S31-4, S31-17, S31-27: what the current seat may do, in ascending order."""
        if self._current is None:
            return []
        if self._phase == "dealer":
            return [KEEP, CHANGE]
        if self._phase in ("deal31", "exchange31"):
            return [LAY_DOWN, HOLD]
        actions = [*range(9), SWAP_ALL, PASS]
        if self._may_stop(self._current):
            actions.append(STOP)
        if self._may_redraw():
            actions.append(REDRAW)
        return actions

    def facts(self, seat: int) -> dict[str, object]:
        """All that this seat knows; seats are absolute."""
        return {
            "hand": sorted(self._hands[seat]),
            "hand_value": value_of(self._hands[seat], self._rules.aces_value),
            "middle": sorted(self._middle),
            "known": [sorted(cards) for cards in self._known],
            "gone": sorted(self._gone),
            "talon": len(self._talon),
            "lives": list(self._lives),
            "in": list(self._in),
            "stopped": self._stopped,
            "to_have_turn": list(self._to_have_turn),
            "passes": self._passes,
            "laps": list(self._laps),
            "dealer": self._dealer,
            "phase": self._phase,
            "current": self._current,
        }

    def cards_in_play(self) -> dict[str, list[int]]:
        """Every place a card can be; together they are the pack, each card once."""
        places = {f"hand {seat}": list(self._hands[seat]) for seat in range(self._players)}
        places["second pile"] = list(self._second_pile)
        places["middle"] = list(self._middle)
        places["talon"] = list(self._talon)
        places["gone"] = list(self._gone)
        return places

    # ------------------------------------------------------------------ seats

    def _seats_in(self) -> list[int]:
        """The seats still in, ascending."""
        return [seat for seat in range(self._players) if self._in[seat]]

    def _next_in(self, seat: int) -> int:
        """S31-16, S31-28: the next seat clockwise that is still in."""
        seat = (seat + 1) % self._players
        while not self._in[seat]:
            seat = (seat + 1) % self._players
        return seat

    def _from_dealers_left(self) -> list[int]:
        """S31-16: the seats still in, from the dealer's left on, the dealer last."""
        order = [self._next_in(self._dealer)]
        while order[-1] != self._dealer:
            order.append(self._next_in(order[-1]))
        return order

    # ------------------------------------------------------------------ deal

    def _deal(self) -> None:
        """S31-1, S31-3: three cards each, the lowest seat in first, then the second pile.

        The rest is the talon, next card first. S31-4: the dealer is asked first.
        """
        order = list(self._deck(self._deals))
        self._deals += 1
        if sorted(order) != sorted(self._rules.pack):
            raise ValueError("the deck order is not a permutation of the pack")
        self._hands = [[] for _ in range(self._players)]
        for seat in self._seats_in():
            self._hands[seat] = sorted(order[:3])
            order = order[3:]
        self._second_pile = sorted(order[:3])
        self._talon = order[3:]
        self._middle = []
        self._gone = []
        self._known = [set() for _ in range(self._players)]
        self._laps = [0] * self._players
        self._to_have_turn = [False] * self._players
        self._passes = 0
        self._stopped = None
        self._phase = "dealer"
        self._current = self._dealer

    def _dealers_choice(self, action: int) -> None:
        """S31-4: keep the pile he looked at or change; not a turn.

        S31-5: kept, the other pile goes to the middle. S31-6: changed, the pile he looked at goes
        to the middle and the other is his hand.
        """
        if action == KEEP:
            self._middle = self._second_pile
        else:
            self._middle = self._hands[self._dealer]
            self._hands[self._dealer] = self._second_pile
        self._second_pile = []
        self._look_for_dealt_31()

    def _look_for_dealt_31(self) -> None:
        """S31-26, S31-27: after the dealer's choice, the first with 31 from the dealer's left.

        He lays down by himself or is asked. Without any 31 the first turn comes.
        """
        for seat in self._from_dealers_left():
            if is_31(self._hands[seat]):
                if self._rules.reveal == "auto":
                    self._lay_down(seat)
                else:
                    self._phase = "deal31"
                    self._current = seat
                return
        self._begin_turn(self._next_in(self._dealer))

    # ------------------------------------------------------------------ turns

    def step(self, action: int) -> None:
        """S31-17: take one decision and go on to the next one of anybody."""
        seat = self._current
        if seat is None or action not in self.legal_actions():
            raise ValueError(f"action {action} is not legal")
        if self._phase == "dealer":
            self._dealers_choice(action)
        elif self._phase in ("deal31", "exchange31"):
            self._answer_31(seat, action)
        elif action == REDRAW:
            self._redraw()
        elif action == STOP:
            self._stop(seat)
        elif action == PASS:
            self._pass(seat)
        elif action == SWAP_ALL:
            self._swap_all(seat)
        else:
            self._swap_one(seat, action // 3, action % 3)

    def _begin_turn(self, seat: int) -> None:
        """S31-16, S31-28: this seat's turn begins."""
        self._phase = "turn"
        self._current = seat

    def _swap_one(self, seat: int, hand_slot: int, middle_slot: int) -> None:
        """S31-18: one hand card against one middle card.

        Hand and middle stay sorted. The card taken is publicly known; the one given no longer.
        """
        hand, middle = self._hands[seat], self._middle
        given, taken = hand[hand_slot], middle[middle_slot]
        self._hands[seat] = sorted([*(card for card in hand if card != given), taken])
        self._middle = sorted([*(card for card in middle if card != taken), given])
        self._known[seat].discard(given)
        self._known[seat].add(taken)
        self._after_exchange(seat)

    def _swap_all(self, seat: int) -> None:
        """S31-19: the whole hand against the whole middle; the new hand is publicly known."""
        self._hands[seat], self._middle = self._middle, self._hands[seat]
        self._known[seat] = set(self._hands[seat])
        self._after_exchange(seat)

    def _after_exchange(self, seat: int) -> None:
        """S31-24, S31-25, S31-26, S31-27: right after an exchange a 31 is laid down, or asked for.

        This holds in the lap after a stop too. Otherwise the turn is complete.
        """
        self._passes = 0
        if not is_31(self._hands[seat]):
            self._count_turn(seat)
            self._go_on(seat)
        elif self._rules.reveal == "auto":
            self._count_turn(seat)
            self._lay_down(seat)
        else:
            self._phase = "exchange31"

    def _answer_31(self, seat: int, action: int) -> None:
        """S31-27: lay down or hold; after an exchange the answer completes the turn."""
        if self._phase == "exchange31":
            self._count_turn(seat)
        if action == LAY_DOWN:
            self._lay_down(seat)
        else:
            self._hold(seat)

    def _pass(self, seat: int) -> None:
        """S31-20: do nothing."""
        self._passes += 1
        self._count_turn(seat)
        self._go_on(seat)

    def _may_stop(self, seat: int) -> bool:
        """S31-21, S31-22, S31-23: whether stop is legal; S31-31, S31-32: never a second one."""
        if self._stopped is not None:
            return False
        if self._rules.stop_after == "none":
            return True
        others_done = all(self._laps[other] > 0 for other in self._seats_in() if other != seat)
        if self._rules.stop_after == "others":
            return others_done
        return others_done and self._laps[seat] > 0

    def _stop(self, seat: int) -> None:
        """S31-21, S31-22, S31-31: a turn of its own; everybody else gets one more turn."""
        self._passes = 0
        self._count_turn(seat)
        self._stopped = seat
        for other in self._seats_in():
            self._to_have_turn[other] = other != seat
        self._go_on(seat)

    def _may_redraw(self) -> bool:
        """S31-30: 7-8-9 lies in the middle and three cards are left; after a stop too."""
        return is_789(self._middle, self._rules.redraw789) and len(self._talon) >= 3

    def _redraw(self) -> None:
        """S31-30: three new cards for the 7-8-9; the same seat still has its turn."""
        self._new_middle()

    def _new_middle(self) -> None:
        """S31-29, S31-30: the middle leaves the game, three from the talon replace it."""
        self._gone += self._middle
        self._middle = sorted(self._talon[:3])
        self._talon = self._talon[3:]
        self._passes = 0

    def _count_turn(self, seat: int) -> None:
        """S31-23, S31-31: this seat has completed a turn."""
        self._laps[seat] += 1
        self._to_have_turn[seat] = False

    def _go_on(self, seat: int) -> None:
        """S31-28, S31-29, S31-31, S31-32: after a completed turn.

        In the lap after a stop only that lap counts. Otherwise first the cap of turns, then, if
        all have passed in a row, the refresh (or the scoring, if the talon is too short).
        """
        if self._stopped is not None:
            if not any(self._to_have_turn):
                self._compare()
                return
        elif self._all_at_the_cap():
            self._compare()
            return
        elif self._passes == len(self._seats_in()):
            if len(self._talon) < 3:
                self._compare()
                return
            self._new_middle()
        self._begin_turn(self._next_in(seat))

    def _all_at_the_cap(self) -> bool:
        """The cap (no number of its own): all still in have completed `max_laps` turns."""
        return all(self._laps[seat] >= self._rules.max_laps for seat in self._seats_in())

    # ------------------------------------------------------------------ ends of a round

    def _lay_down(self, seat: int) -> None:
        """S31-24, S31-25: the round ends at once and is scored.

        With `fire` three aces laid down cost everyone else a life (S31-15).
        """
        if self._rules.fire and is_three_aces(self._hands[seat]):
            self._score([other for other in self._seats_in() if other != seat])
        else:
            self._compare()

    def _hold(self, seat: int) -> None:
        """S31-27: 31 must not be kept; the round ends and the holder alone loses a life."""
        self._score([seat])

    def _compare(self) -> None:
        """S31-34, S31-35: the lowest value loses a life; ties all lose one."""
        values = {s: value_of(self._hands[s], self._rules.aces_value) for s in self._seats_in()}
        lowest = min(values.values())
        self._score([seat for seat, value in values.items() if value == lowest])

    def _score(self, losers: list[int]) -> None:
        """S31-34 to S31-38: the losers each lose a life, and the match goes on or ends."""
        if self._episode == "round":
            self._pay_round(losers)
            self._take_lives(losers)
            self._end()
        elif self._would_be_out(losers) == self._seats_in():
            self._all_out()
        else:
            if self._rules.reward == "rounds":
                self._pay_round(losers)
            put_out = self._take_lives(losers)
            if self._rules.reward == "game":
                self._pay_put_out(put_out)
            self._play_on()

    def _pay_round(self, losers: list[int]) -> None:
        """S31-34: the mean number of lives lost over the seats dealt in, minus the own."""
        dealt_in = self._seats_in()
        mean = len(losers) / len(dealt_in)
        for seat in dealt_in:
            self._rewards[seat] += mean - (1.0 if seat in losers else 0.0)

    def _would_be_out(self, losers: list[int]) -> list[int]:
        """S31-36, S31-37: the losers who were swimming."""
        return [seat for seat in losers if self._lives[seat] == 0]

    def _take_lives(self, losers: list[int]) -> list[int]:
        """S31-36, S31-37: at 0 a player swims; losing once more he is out.

        Returns the seats put out.
        """
        put_out = self._would_be_out(losers)
        for seat in losers:
            if seat in put_out:
                self._in[seat] = False
            else:
                self._lives[seat] -= 1
        return put_out

    def _pay_put_out(self, put_out: list[int]) -> None:
        """S31-37: who is out of the match gets -1/(n-1) on the step that puts him out."""
        for seat in put_out:
            self._rewards[seat] -= 1.0 / (self._players - 1)

    def _play_on(self) -> None:
        """S31-38: the rest plays on, the deal passes clockwise; the last one in wins the match."""
        seats = self._seats_in()
        if len(seats) == 1:
            if self._rules.reward == "game":
                self._rewards[seats[0]] += 1.0
            self._end()
        else:
            self._dealer = self._next_in(self._dealer)
            self._deal()

    def _all_out(self) -> None:
        """S31-38: the round would put out everyone still in.

        "replay": nobody pays and the same dealer deals again. "draw": all share first place.
        """
        if self._rules.all_out == "replay":
            self._deal()
            return
        winners = self._seats_in()
        tied = len(winners)
        if self._rules.reward == "game":
            for seat in winners:
                self._rewards[seat] += (1.0 - (tied - 1) / (self._players - 1)) / tied
        self._end()

    def _end(self) -> None:
        """S31-38: nothing more to decide."""
        self._phase = "over"
        self._current = None

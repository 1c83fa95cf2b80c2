"""Mau-Mau, written a second time: plain, slow and literal.

This file is the judge in comparisons. It follows the numbered rules (MAU-n) one function at a
time and shares no code with the game it is compared with.

Cards are ``8 * suit + rank``, suits diamonds, hearts, spades, clubs, ranks 7 8 9 10 J Q K A; the
king of hearts is 14. Actions 0-31 lay that card, but a jack is laid by ``32 + 4 * suit + wish``
and, with ``king_wish``, the king of hearts by ``48 + wish``; 52 draws, or takes what an open seven
asks; 53 ends the turn; 54 calls Mau.

MAU-4: the aim is to get rid of all cards first. Only the end of a round speaks of that; the rest
is up to the players. MAU-12 announces the function cards; each of them has a method of its own.

Readings
--------
Where the rules leave something open, this file does the following.

What fits
 1. With ``jack_on_jack=False`` a jack never lies on a jack: not on a start jack, not in the suit
    that was wished, not with ``actions_wild``. On any other card, a king of hearts with a wish
    too, a jack always lies (unless a seven is open).
 2. Under a wish a card fits by the wished suit alone (or is a jack that may lie there); the rank
    of the card below never counts. So the second pack's king of hearts does not fit on a king of
    hearts that wished another suit. A wish for the own suit of the jack or the king is a wish all
    the same: a king does not fit on a king of hearts that wished hearts, unless it is hearts.
 3. A start card names nothing: own suit and rank count, also for a jack, and for an active king of
    hearts with ``king_wish``.
 4. ``actions_wild`` also holds after an ace, under a wish, and after a draw (with "drawn" for the
    drawn card only). The king of hearts is the only king it speaks of.
 5. While a seven is open the suit in force is that of the seven; nothing is matched against it
    before the seven is settled. Once it is settled, its own suit and rank count.

The turn
 6. What an ace lets its player lay is any card of the hand that fits, also when the ace itself was
    laid after a draw with "drawn". From then on he is going on after an ace, no longer after a
    draw. A draw then stays illegal until the turn ends.
 7. "Nothing fits" after an ace is looked at once the penalty for a forgotten Mau is drawn, so a
    card of the penalty may be laid.
 8. "Nothing fits" after a draw with "drawn" means the drawn card. Two equal cards share an action,
    so whoever holds the drawn card twice lays one of them; which one never matters.
 9. Taking for an open seven is no draw in the sense of ``play_after_draw``; nothing is laid after.
10. A draw with nothing to come ends the turn at once, even if a card of the hand fits. As a draw
    it counts for what is known of the seat (``drew_suit``, ``drew_rank``).
11. After an eight or a king of hearts with two players, the same player's new turn is a turn of
    its own in every way: drawing is legal again, a call is over, and ``max_turns`` counts two.

Mau
12. "Can lay one" is meant as things stand: a seven while one is open, the drawn card after a draw
    with "drawn". The call is legal at any point of the turn: after an ace, after a draw, under an
    open seven; and once the call was ended by a draw, it may be made again.
13. The card laid is on top before the penalty is drawn, so a reshuffle for the penalty leaves it
    lying and takes in what was below. For a penalty too, too few cards means what there is.
14. Who lays the last card never owes a call. Nobody owes one for being dealt a single card.
15. ``mau`` tells of a call only in the turn in which it was made; otherwise of one card in hand.
    With "auto" nobody calls, and it tells of one card in hand.

Start card
16. An active eight or king of hearts makes the seat left of the dealer sit out: the next seat has
    the first turn, with two players the dealer. Sitting out is no turn. An active seven leaves the
    first turn to the seat left of the dealer, who may counter.

Talon
17. Cards are drawn one by one; at each, an empty talon is first made anew of all discards but the
    top one, if there are any. A talon that becomes empty by a draw stays so until a card is wanted.
18. The reshuffles of a round are counted from 0, whatever draw they serve.

Ends
19. ``max_turns`` counts the turns of the round. It is looked at when a turn has ended, after all
    effects of its card; a turn that ends with the last card wins all the same.
20. When a round has ended, no turn is under way: no call, no ace, no draw to go on from. The rest
    stays as it was: an open seven that nobody took is still shown, with ``max_turns`` and also when
    the last card was a seven on an open one (its own effect is void, so it adds nothing). A wish
    ends with the last card laid, which names nothing; at ``max_turns`` it stays.
21. Points are noted for all hands, whoever wins; at ``max_turns`` the winners note theirs too.
    In ``episode="round"`` nothing is noted, and ``target`` and ``reward`` change nothing.
22. ``scoring`` changes what a round pays, nothing else: not what a match pays with
    ``reward="game"``. ``reward="rounds"`` pays every round, the last one too, and nothing for the
    match.
23. "101 or more" is the total of any one seat; then the fewest points of all seats win.
24. When a match goes on, everything starts afresh with the deal but the points; the next seat
    clockwise deals. When the episode is over everything shows the last round as it ended.

Settings
25. A seven that asks for no card would not be one: ``seven_draw`` is at least 1. A penalty of 0 is
    allowed. With a pack of exactly n * hand_size + 1 cards the talon is empty from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

KING_OF_HEARTS = 14

SEVEN = 0
EIGHT = 1
JACK = 4
ACE = 7

SUITS = (0, 1, 2, 3)

JACKS_FROM = 32
KINGS_FROM = 48
DRAW = 52
END_TURN = 53
CALL_MAU = 54

KING_DRAW = 3
POINTS = (7, 8, 9, 10, 20, 10, 10, 11)


@dataclass(frozen=True)
class TwinRules:
    """The switches of Mau-Mau, in the words of the rules; the defaults are `standard`."""

    hand_size: int = 5
    decks: int = 1
    mau_call: str = "auto"
    mau_penalty: int = 2
    seven_draw: int = 2
    play_after_draw: str = "none"
    king_wish: bool = False
    actions_wild: bool = False
    start_card: str = "neutral"
    jack_on_jack: bool = True
    scoring: str = "win"
    target: int = 101
    max_turns: int = 1000
    pack: tuple[int, ...] = tuple(range(32))
    reward: str = "game"


def suit_of(card: int) -> int:
    """MAU-1: eight cards in each of four suits."""
    return card // 8


def rank_of(card: int) -> int:
    """MAU-1: 7 8 9 10 J Q K A are 0 to 7."""
    return card % 8


def is_seven(card: int) -> bool:
    """MAU-13: a seven."""
    return rank_of(card) == SEVEN


def is_eight(card: int) -> bool:
    """MAU-16: an eight."""
    return rank_of(card) == EIGHT


def is_ace(card: int) -> bool:
    """MAU-17: an ace."""
    return rank_of(card) == ACE


def is_jack(card: int) -> bool:
    """MAU-18: a jack."""
    return rank_of(card) == JACK


def is_king_of_hearts(card: int) -> bool:
    """MAU-20: the king of hearts."""
    return card == KING_OF_HEARTS


def is_function_card(card: int) -> bool:
    """MAU-12, MAU-25: 7, 8, J, A and the king of hearts."""
    return (
        is_seven(card) or is_eight(card) or is_jack(card) or is_ace(card) or is_king_of_hearts(card)
    )


def points_of(cards: Sequence[int]) -> int:
    """What cards left in hand count: 7-10 their number, J 20, Q and K 10, A 11."""
    return sum(POINTS[rank_of(card)] for card in cards)


def all_cards(rules: TwinRules) -> list[int]:
    """MAU-1, MAU-23: the pack, once or twice; sorted."""
    return sorted(list(rules.pack) * rules.decks)


def share(tied: int, players: int) -> float:
    """First place for one is 1; for several it is shared."""
    return (1.0 - (tied - 1) / (players - 1)) / tied


def action_of(card: int, wish: int | None) -> int:
    """The number of the action that lays this card and, MAU-19, MAU-24, wishes that suit."""
    if wish is None:
        return card
    if is_jack(card):
        return JACKS_FROM + 4 * suit_of(card) + wish
    return KINGS_FROM + wish


def card_of(action: int) -> int:
    """The card that this action lays."""
    if action < JACKS_FROM:
        return action
    if action < KINGS_FROM:
        return 8 * ((action - JACKS_FROM) // 4) + JACK
    return KING_OF_HEARTS


def wish_of(action: int) -> int | None:
    """MAU-19, MAU-24: the suit that this action names."""
    if action < JACKS_FROM:
        return None
    if action < KINGS_FROM:
        return (action - JACKS_FROM) % 4
    return action - KINGS_FROM


def check_settings(players: int, rules: TwinRules, episode: str) -> None:
    """Refuse impossible settings (MAU-1, MAU-23: 2-5 players with one pack, 2-10 with two)."""
    if rules.decks not in (1, 2):
        raise ValueError("Mau-Mau is played with one pack or two")
    if not 2 <= players <= 5 * rules.decks:
        raise ValueError("Mau-Mau is for 2 to 5 players, with two packs for 2 to 10")
    if len(set(rules.pack)) != len(rules.pack) or not set(rules.pack) <= set(range(32)):
        raise ValueError("the pack is a subset of the 32 cards")
    if rules.hand_size < 1:
        raise ValueError("hand_size must be 1 or more")
    if players * rules.hand_size + 1 > len(all_cards(rules)):
        raise ValueError("the pack is too small for the players")
    if rules.mau_penalty < 0:
        raise ValueError("mau_penalty must be 0 or more")
    if rules.seven_draw < 1 or rules.target < 1 or rules.max_turns < 1:
        raise ValueError("seven_draw, target and max_turns must be 1 or more")
    words = (
        (rules.mau_call, ("auto", "action")),
        (rules.play_after_draw, ("none", "drawn", "any")),
        (rules.start_card, ("neutral", "active")),
        (rules.scoring, ("win", "points")),
        (rules.reward, ("game", "rounds")),
        (episode, ("round", "match")),
    )
    for word, allowed in words:
        if word not in allowed:
            raise ValueError(f"{word!r} is not one of {allowed}")


class MauMau:
    """One episode of Mau-Mau: a round or a match."""

    def __init__(
        self,
        players: int,
        rules: TwinRules,
        episode: str,
        deck: Callable[[int], Sequence[int]],
        first_dealer: Callable[[], int],
        talon: Callable[[int, int, Sequence[int]], Sequence[int]],
    ) -> None:
        """MAU-1, MAU-23: the first dealer is drawn and the first deal made.

        Args:
            players: number of seats.
            rules: the switches.
            episode: "round" or "match".
            deck: all cards of a round in the order dealt, by the number of the round.
            first_dealer: the seat of the first dealer.
            talon: the order of a new talon, next card first, by the number of the round, the
                number of the reshuffle in it, and the sorted cards that go into it.
        """
        check_settings(players, rules, episode)
        self._players = players
        self._rules = rules
        self._episode = episode
        self._deck = deck
        self._ask_talon = talon
        self._round = 0
        self._dealer = first_dealer()
        if not 0 <= self._dealer < players:
            raise ValueError("the dealer is no seat")
        self._totals = [0] * players
        self._rewards = [0.0] * players
        self._over = False
        # The round; `_deal` fills all of this.
        self._hands: list[list[int]] = []
        self._talon: list[int] = []
        self._discarded: list[int] = []
        self._top = 0
        self._wish: int | None = None
        self._open_draws = 0
        self._reshuffles = 0
        self._turns = 0
        self._drew_suit: list[int | None] = []
        self._drew_rank: list[int | None] = []
        # The turn; `_begin_turn` fills all of this.
        self._current = 0
        self._called = False
        self._after_ace = False
        self._drawn: int | None = None
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
        """MAU-5 to MAU-9: what the current seat may do, in ascending order."""
        if self._over:
            return []
        seat = self._current
        actions = []
        for card in self._playable(seat):
            actions += self._ways_to_lay(seat, card)
        if self._may_draw():
            actions.append(DRAW)
        if self._may_end_turn():
            actions.append(END_TURN)
        if self._may_call(seat):
            actions.append(CALL_MAU)
        assert actions, "somebody is asked and can do nothing"
        return sorted(actions)

    def facts(self, seat: int) -> dict[str, Any]:
        """All that this seat knows; seats are absolute."""
        return {
            "hand": sorted(self._hands[seat]),
            "top": self._top,
            "suit": self._suit_in_force(),
            "wish": self._wish is not None,
            "discarded": sorted(self._discarded),
            "open_draws": self._open_draws,
            "hand_sizes": [len(hand) for hand in self._hands],
            "talon": len(self._talon),
            "mau": [self._has_said_mau(other) for other in range(self._players)],
            "after_ace": self._after_ace,
            "after_draw": self._drawn is not None,
            "drew_suit": list(self._drew_suit),
            "drew_rank": list(self._drew_rank),
            "points": list(self._totals),
            "current": self.current_player(),
            "dealer": self._dealer,
        }

    def cards_in_play(self) -> dict[str, list[int]]:
        """Every place a card can be; together they are all cards of the one pack or of both."""
        places = {f"hand {seat}": list(self._hands[seat]) for seat in range(self._players)}
        places["talon"] = list(self._talon)
        places["discarded"] = list(self._discarded)
        places["top"] = [self._top]
        return places

    def _has_said_mau(self, seat: int) -> bool:
        """MAU-10: has called Mau this turn, or holds exactly one card."""
        if self._called and seat == self._current:
            return True
        return len(self._hands[seat]) == 1

    # ------------------------------------------------------------------ deal

    def _next(self, seat: int) -> int:
        """The next seat clockwise."""
        return (seat + 1) % self._players

    def _deal(self) -> None:
        """MAU-2, MAU-3: five cards each, the next card is turned up, the rest is the talon.

        The lowest seat's hand comes first; the talon's next card is its first.
        """
        order = list(self._deck(self._round))
        if sorted(order) != all_cards(self._rules):
            raise ValueError("the deck order is not a permutation of the cards")
        self._hands = []
        for _ in range(self._players):
            self._hands.append(order[: self._rules.hand_size])
            order = order[self._rules.hand_size :]
        self._top = order[0]
        self._talon = order[1:]
        self._discarded = []
        self._wish = None
        self._open_draws = 0
        self._reshuffles = 0
        self._turns = 0
        self._drew_suit = [None] * self._players
        self._drew_rank = [None] * self._players
        self._begin_turn(self._turn_start_card())

    def _turn_start_card(self) -> int:
        """MAU-3: what the start card does; return the seat that has the first turn.

        That is the seat left of the dealer. If the start card is "active", MAU-13: a seven is
        open for him; MAU-16: an eight makes him sit out; MAU-20: the king of hearts makes him take
        three and sit out. An ace, a jack, and all else does nothing.
        """
        left = self._next(self._dealer)
        if self._rules.start_card == "neutral":
            return left
        if is_seven(self._top):
            self._seven()
            return left
        if is_eight(self._top):
            return self._next(left)
        if is_king_of_hearts(self._top):
            self._king(left)
            return self._next(left)
        return left

    # ------------------------------------------------------------------ what fits

    def _suit_in_force(self) -> int:
        """MAU-6, MAU-19, MAU-24: the suit wished, else the top card's own."""
        return suit_of(self._top) if self._wish is None else self._wish

    def _rank_in_force(self) -> int | None:
        """MAU-6: the top card's rank; under a wish there is none."""
        return rank_of(self._top) if self._wish is None else None

    def _fits(self, card: int) -> bool:
        """MAU-5, MAU-6, MAU-7: whether this card may be laid on what lies there.

        MAU-14: an open seven takes a seven only. MAU-18: a jack has its own rule. MAU-25: with
        `actions_wild` function cards match everything.
        """
        if self._open_draws > 0:
            return is_seven(card)
        if is_jack(card):
            return self._jack_fits()
        if self._rules.actions_wild and is_function_card(card):
            return True
        return self._matches(card)

    def _jack_fits(self) -> bool:
        """MAU-18: on anything; with `jack_on_jack=False` not on a jack."""
        return self._rules.jack_on_jack or not is_jack(self._top)

    def _matches(self, card: int) -> bool:
        """MAU-6: the suit or the rank in force; MAU-19, MAU-24: under a wish the suit alone."""
        if suit_of(card) == self._suit_in_force():
            return True
        return rank_of(card) == self._rank_in_force()

    def _playable(self, seat: int) -> list[int]:
        """MAU-5, MAU-22: the kinds of cards that this seat may lay now.

        After a draw with `play_after_draw="drawn"` only the drawn one.
        """
        cards = {card for card in self._hands[seat] if self._fits(card)}
        if self._drawn is not None and self._rules.play_after_draw == "drawn":
            cards &= {self._drawn}
        return sorted(cards)

    def _ways_to_lay(self, seat: int, card: int) -> list[int]:
        """MAU-19, MAU-24: the actions that lay this card, one for each suit it may name.

        As the last card it names nothing, and only its own suit is legal as the wish.
        """
        if not self._names_a_suit(card):
            return [action_of(card, None)]
        if len(self._hands[seat]) == 1:
            return [action_of(card, suit_of(card))]
        return [action_of(card, suit) for suit in SUITS]

    def _names_a_suit(self, card: int) -> bool:
        """MAU-19: a jack; MAU-24: with `king_wish` the king of hearts."""
        return is_jack(card) or (self._rules.king_wish and is_king_of_hearts(card))

    # ------------------------------------------------------------------ turns

    def _begin_turn(self, seat: int) -> None:
        """MAU-5: this seat's turn begins."""
        self._current = seat
        self._leave_turn()

    def _leave_turn(self) -> None:
        """MAU-10, MAU-17, MAU-22: a call, an ace and a draw do not outlast the turn."""
        self._called = False
        self._after_ace = False
        self._drawn = None

    def step(self, action: int) -> None:
        """MAU-5: take one decision and go on to the next one of anybody."""
        if action not in self.legal_actions():
            raise ValueError(f"action {action} is not legal")
        seat = self._current
        if action == CALL_MAU:
            self._call(seat)
        elif action == END_TURN:
            self._end_turn(seat)
        elif action == DRAW and self._open_draws > 0:
            self._take_open(seat)
        elif action == DRAW:
            self._ordinary_draw(seat)
        else:
            self._lay(seat, card_of(action), wish_of(action))

    def _end_turn(self, seat: int, next_sits_out: bool = False) -> None:
        """MAU-5: the next seat has a turn; MAU-16, MAU-20: or sits out, and the one after has it.

        With two players that is the same player again. After `max_turns` turns the round ends.
        """
        self._turns += 1
        if self._turns >= self._rules.max_turns:
            self._end_round(self._with_fewest_cards())
            return
        following = self._next(seat)
        if next_sits_out:
            following = self._next(following)
        self._begin_turn(following)

    def _may_end_turn(self) -> bool:
        """MAU-17, MAU-22: ending is a decision only after an ace or after a draw."""
        return self._after_ace or self._drawn is not None

    # ------------------------------------------------------------------ laying

    def _lay(self, seat: int, card: int, wish: int | None) -> None:
        """MAU-5: a card goes from the hand to the top; then comes what follows from it.

        MAU-4: the last card wins at once, its effect is void and it names nothing. MAU-11: the
        penalty for a forgotten Mau is drawn before the effect.
        """
        self._hands[seat].remove(card)
        self._discarded.append(self._top)
        self._top = card
        self._wish = None
        self._drew_suit[seat] = None
        self._drew_rank[seat] = None
        if not self._hands[seat]:
            self._end_round([seat])
            return
        self._wish = wish
        if self._has_forgotten_mau(seat):
            self._penalty(seat)
        self._effect(seat, card)

    def _effect(self, seat: int, card: int) -> None:
        """MAU-12 to MAU-21: what the card does; all but an ace end the turn."""
        if is_ace(card):
            self._ace(seat)
        elif is_seven(card):
            self._seven()
            self._end_turn(seat)
        elif is_eight(card):
            self._eight(seat)
        elif is_king_of_hearts(card):
            self._king(self._next(seat))
            self._end_turn(seat, next_sits_out=True)
        else:
            self._end_turn(seat)

    def _seven(self) -> None:
        """MAU-13, MAU-14, MAU-15: the next player takes two, or four and so on, or counters."""
        self._open_draws += self._rules.seven_draw

    def _eight(self, seat: int) -> None:
        """MAU-16: the next player sits out."""
        self._end_turn(seat, next_sits_out=True)

    def _ace(self, seat: int) -> None:
        """MAU-17: its player may lay one more card; when nothing fits the turn ends by itself."""
        self._after_ace = True
        self._drawn = None
        if not self._playable(seat):
            self._end_turn(seat)

    def _king(self, victim: int) -> None:
        """MAU-20, MAU-21: the next player takes three at once; he cannot counter."""
        self._draw(victim, KING_DRAW)

    # ------------------------------------------------------------------ Mau

    def _may_call(self, seat: int) -> bool:
        """MAU-10: who holds exactly two cards and can lay one may call Mau first."""
        return (
            self._rules.mau_call == "action"
            and not self._called
            and len(self._hands[seat]) == 2
            and bool(self._playable(seat))
        )

    def _call(self, seat: int) -> None:
        """MAU-10: the call; the same seat goes on."""
        assert seat == self._current
        self._called = True

    def _has_forgotten_mau(self, seat: int) -> bool:
        """MAU-10, MAU-11: has just laid down to one card without the call."""
        return self._rules.mau_call == "action" and len(self._hands[seat]) == 1 and not self._called

    def _penalty(self, seat: int) -> None:
        """MAU-11: who has forgotten the call takes two."""
        self._draw(seat, self._rules.mau_penalty)

    # ------------------------------------------------------------------ drawing

    def _may_draw(self) -> bool:
        """MAU-8, MAU-9: always, also when one could lay; MAU-17, MAU-22: not going on in a turn.

        MAU-13: what an open seven asks is taken by the same action.
        """
        return not self._after_ace and self._drawn is None

    def _ordinary_draw(self, seat: int) -> None:
        """MAU-8, MAU-9: draw one.

        MAU-22: then he may still lay, if something fits. If nothing came the turn passes.
        """
        self._drew_suit[seat] = self._suit_in_force()
        self._drew_rank[seat] = self._rank_in_force()
        cards = self._draw(seat, 1)
        if not cards or self._rules.play_after_draw == "none":
            self._end_turn(seat)
            return
        self._drawn = cards[0]
        if not self._playable(seat):
            self._end_turn(seat)

    def _take_open(self, seat: int) -> None:
        """MAU-13, MAU-15: take what the open seven asks, lay nothing; the seven is settled."""
        number = self._open_draws
        self._open_draws = 0
        self._draw(seat, number)
        self._end_turn(seat)

    def _draw(self, seat: int, number: int) -> list[int]:
        """MAU-8, MAU-11, MAU-13, MAU-20: up to so many cards from the talon; return them.

        MAU-10: a call of this seat ends with any draw.
        """
        if seat == self._current:
            self._called = False
        cards: list[int] = []
        while len(cards) < number:
            if not self._talon and self._discarded:
                self._reshuffle()
            if not self._talon:
                break
            cards.append(self._talon.pop(0))
        self._hands[seat] += cards
        return cards

    def _reshuffle(self) -> None:
        """MAU-8: a card is wanted and the talon is empty: the discards are the new talon.

        The top card stays.
        """
        assert not self._talon
        cards = sorted(self._discarded)
        order = list(self._ask_talon(self._round, self._reshuffles, tuple(cards)))
        assert sorted(order) == cards, "the new talon is not a permutation of the discards"
        self._talon = order
        self._discarded = []
        self._reshuffles += 1

    # ------------------------------------------------------------------ ends

    def _with_fewest_cards(self) -> list[int]:
        """The end at `max_turns`: the seats with the fewest cards in hand."""
        fewest = min(len(hand) for hand in self._hands)
        return [seat for seat in range(self._players) if len(self._hands[seat]) == fewest]

    def _end_round(self, winners: list[int]) -> None:
        """MAU-4: first out ends the round; in a match the points are noted and it goes on."""
        self._leave_turn()
        points = [points_of(hand) for hand in self._hands]
        if self._episode == "round":
            self._pay_round(winners, points)
            self._over = True
            return
        for seat in range(self._players):
            self._totals[seat] += points[seat]
        if self._rules.reward == "rounds":
            self._pay_round(winners, points)
        if max(self._totals) >= self._rules.target:
            self._end_match()
        else:
            self._round += 1
            self._dealer = self._next(self._dealer)
            self._deal()

    def _pay_round(self, winners: list[int], points: list[int]) -> None:
        """MAU-4: the winner is paid; with `scoring="points"` the points left in hand count."""
        if self._rules.scoring == "win":
            self._pay_winners(winners)
            return
        mean = sum(points) / self._players
        for seat in range(self._players):
            self._rewards[seat] += (mean - points[seat]) / 100

    def _end_match(self) -> None:
        """Somebody has `target` points or more: the fewest win, ties share the first place."""
        self._over = True
        if self._rules.reward == "rounds":
            return
        fewest = min(self._totals)
        self._pay_winners([s for s in range(self._players) if self._totals[s] == fewest])

    def _pay_winners(self, winners: list[int]) -> None:
        """First place to the winners, -1/(n-1) to each of the others."""
        for seat in range(self._players):
            if seat in winners:
                self._rewards[seat] += share(len(winners), self._players)
            else:
                self._rewards[seat] -= 1.0 / (self._players - 1)

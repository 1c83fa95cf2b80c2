"""Mau-Mau: sevens: what they ask for, countering, taking, and a talon that is too short for it."""

from typing import Any

import pytest

from tests.rules.maumau_scene import Round, cards, words

SEVENS = ["♦7", "♥7", "♠7", "♣7"]
several = pytest.mark.parametrize("players", range(2, 6))
AFTER_DRAW = ("none", "drawn", "any")


def chain(length: int, players: int, **settings: Any) -> Round:
    """Seven upon seven has been laid, one by each seat in turn; the next seat is to decide.

    Nobody else holds a seven, and each holds five cards.
    """
    hands = [""] * players
    for place, seven in enumerate(SEVENS[:length]):
        hands[place % players] += f" {seven}"
    scene = Round(*hands, top="♦10", hand_size=5, **settings).play(*SEVENS[:length])
    assert scene.turn == length % players
    return scene


def test_sevens_that_a_penalty_brings_back_ask_for_no_more_than_there_are_cards():
    """Nobody calls Mau: each last seven but one is paid for with sevens that lie already."""
    scene = Round(
        *("♦7 ♥7 ♠7", "♦7 ♥7 ♠7"), top="♣7", talon="♣7", only=True, decks=2, preset="letter"
    )
    asked = []
    for _ in range(30):
        scene.play(min(scene.legal & {*SEVENS}))
        asked.append(scene.open_draws)
        if scene.over:
            break
    assert asked[:4] == [2, 4, 6, 8]
    assert max(asked) == len(SEVENS) * 2


# --- Taking ---------------------------------------------------------------------------------------


@several
def test_mau_13_the_next_player_takes_two_and_lays_nothing(players):
    """He holds a diamond, which would fit."""
    hands = ["♦7 ♦9 ♣9", "♦10 ♦Q ♦A", *[""] * (players - 2)]
    scene = Round(*hands, top="♦K", talon="♠8 ♥A ♣10").play("♦7")
    assert (scene.turn, scene.open_draws) == (1, 2)
    assert scene.legal == {"draw"}
    scene.play("draw")
    assert scene.hand(1) == cards("♦10 ♦Q ♦A ♠8 ♥A")
    assert scene.talon[0] == "♣10"
    assert (scene.turn, scene.open_draws) == (2 % players, 0)
    assert scene.sizes == [2, 5, *[3] * (players - 2)]


@several
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_mau_13_mau_15_taking_gives_exactly_what_is_asked_and_nobody_else_pays(length, players):
    """No ordinary card comes on top, and the next seat owes nothing."""
    scene = chain(length, players)
    taker, before, talon = scene.turn, scene.sizes, len(scene.talon)
    assert scene.open_draws == 2 * length
    scene.play("draw")
    after = list(before)
    after[taker] += 2 * length
    if talon >= 2 * length:
        assert len(scene.talon) == talon - 2 * length
    assert scene.sizes == after
    assert scene.open_draws == 0
    assert scene.turn == (taker + 1) % players
    scene.play("draw")
    after[(taker + 1) % players] += 1
    assert scene.sizes == after


@pytest.mark.parametrize("play_after_draw", AFTER_DRAW)
def test_mau_13_nothing_is_laid_after_taking_whatever_may_be_laid_after_drawing(play_after_draw):
    settings = {"talon": "♦8 ♦9", "play_after_draw": play_after_draw}
    scene = Round("♦7 ♣9", "♦10 ♦Q", "", top="♦K", **settings).play("♦7", "draw")
    assert scene.hand(1) == cards("♦10 ♦Q ♦8 ♦9")
    assert scene.turn == 2


def test_mau_13_a_later_seven_asks_for_two_again():
    scene = Round("♦7 ♥9 ♥7", "♥10 ♠9 ♠8", top="♦K", talon="♣9 ♣10 ♦9")
    scene.play("♦7", "draw", "♥7")
    assert scene.open_draws == 2
    assert scene.play("draw").sizes == [1, 3 + 2 + 2]


def test_after_a_seven_is_taken_its_own_suit_and_rank_count():
    scene = Round("♦7 ♣9", "♠9 ♠10", "♦9 ♥7 ♣10", top="♦K").play("♦7", "draw")
    assert (scene.top, scene.suit, scene.wish) == ("♦7", "♦", None)
    assert scene.legal == words("♦9 ♥7 draw")


@pytest.mark.parametrize("seven_draw", [1, 2, 3, 10])
@pytest.mark.parametrize("length", [1, 2])
def test_mau_13_mau_15_how_many_each_seven_asks_for_is_a_switch(seven_draw, length):
    scene = chain(length, 2, seven_draw=seven_draw)
    taker = scene.turn
    size = scene.sizes[taker]
    assert scene.open_draws == length * seven_draw
    assert scene.play("draw").sizes[taker] == size + length * seven_draw


# --- Countering -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seven", SEVENS[1:])
def test_mau_14_he_may_counter_with_a_seven_of_any_suit(seven):
    scene = Round("♦7 ♣9", f"{seven} ♦9", "", top="♦K").play("♦7")
    assert scene.legal == words(f"{seven} draw")
    scene.play(seven)
    assert (scene.turn, scene.open_draws) == (2, 4)
    assert scene.sizes == [1, 1, 2]


def test_mau_14_he_need_not_counter():
    scene = Round("♦7 ♣9", "♥7 ♦9", "", top="♦K", talon="♠8 ♥A").play("♦7", "draw")
    assert scene.hand(1) == cards("♥7 ♦9 ♠8 ♥A")
    assert (scene.turn, scene.open_draws) == (2, 0)


@pytest.mark.parametrize("play_after_draw", AFTER_DRAW)
@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("mau_call", ["auto", "action"])
def test_an_open_seven_leaves_sevens_or_taking_by_every_switch(play_after_draw, wild, mau_call):
    """No jack, no king of hearts, no other card of its suit, no ordinary draw, no end."""
    switches = {"actions_wild": wild, "king_wish": wild, "mau_call": mau_call}
    switches["play_after_draw"] = play_after_draw
    hand = "♦8 ♦J ♥K ♦A ♦9"
    scene = Round("♦7 ♣9 ♣10", f"{hand} ♥7 ♠7", top="♦K", **switches).play("♦7")
    assert scene.legal == words("♥7 ♠7 draw")
    scene = Round("♦7 ♣9 ♣10", hand, top="♦K", **switches).play("♦7")
    assert scene.legal == {"draw"}


@several
def test_mau_15_each_counter_makes_it_two_more(players):
    """In the end there is none left, and the seat after the last seven takes eight."""
    for length in (1, 2, 3, 4):
        scene = chain(length, players)
        assert scene.open_draws == 2 * length
        assert scene.top == SEVENS[length - 1]
        assert scene.legal == {"draw"}


def test_mau_15_with_two_players_the_chain_comes_back():
    scene = Round("♦7 ♠7 ♣9", "♥7 ♣7 ♣10", top="♦K").play("♦7", "♥7")
    assert (scene.turn, scene.open_draws) == (0, 4)
    assert scene.legal == words("♠7 draw")
    scene.play("♠7")
    assert (scene.turn, scene.open_draws) == (1, 6)


@pytest.mark.parametrize("play_after_draw", ["drawn", "any"])
def test_mau_13_a_seven_laid_after_a_draw_asks_for_two(play_after_draw):
    settings = {"talon": "♦7 ♣8", "play_after_draw": play_after_draw}
    scene = Round("♣9 ♣10", "♠9 ♠10", top="♦K", **settings).play("draw", "♦7")
    assert (scene.turn, scene.open_draws) == (1, 2)


# --- The talon is too short -----------------------------------------------------------------------


def test_mau_15_four_sevens_and_a_reshuffle_in_the_middle_of_the_draw():
    """Five players: six cards are in the talon; the start card and three sevens come back."""
    scene = chain(4, 5)
    assert len(scene.talon) == 6
    assert scene.discarded == cards("♦10 ♦7 ♥7 ♠7")
    six = scene.talon
    scene.play("draw")
    assert scene.sizes[4] == 5 + 8
    came_back = cards("♦10 ♦7 ♥7 ♠7")
    again = [card for card in came_back if card in scene.hand(4)]
    assert {*six} <= {*scene.hand(4)}
    assert len(again) == 2
    assert cards(" ".join([*again, *scene.talon])) == came_back
    assert (scene.top, scene.discarded) == ("♣7", [])
    assert (scene.turn, scene.open_draws) == (0, 0)


def test_taking_settles_a_seven_however_few_cards_come():
    """One is in the talon, the start card comes back; four were asked for."""
    scene = Round("♦7 ♣9", "♥7 ♦9", "♠9 ♠10", top="♦K", talon="♣K", only=True)
    scene.play("♦7", "♥7")
    assert scene.open_draws == 4
    scene.play("draw")
    assert scene.hand(2) == cards("♠9 ♠10 ♣K ♦K ♦7")
    assert (scene.turn, scene.open_draws, scene.talon, scene.discarded) == (0, 0, [], [])
    assert scene.legal == {"draw"}


def test_taking_settles_a_seven_when_no_card_comes():
    """The start card is the seven itself, and there is no talon."""
    settings = {"top": "♦7", "only": True, "start_card": "active"}
    scene = Round("♣9 ♣10", "♦9 ♠10", **settings)
    assert (scene.open_draws, scene.talon, scene.discarded) == (2, [], [])
    assert scene.legal == {"draw"}
    scene.play("draw")
    assert scene.hand(0) == cards("♣9 ♣10")
    assert (scene.turn, scene.open_draws) == (1, 0)
    assert scene.legal == words("♦9 draw")


@pytest.mark.parametrize("play_after_draw", ["drawn", "any"])
def test_taking_nothing_ends_the_turn_too_whatever_may_be_laid(play_after_draw):
    settings = {"top": "♦7", "only": True, "start_card": "active"}
    scene = Round("♦9 ♣10", "♦Q ♠10", play_after_draw=play_after_draw, **settings)
    assert scene.play("draw").turn == 1

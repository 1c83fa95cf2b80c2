"""Mau-Mau: calling Mau before the last card but one is laid, and forgetting to."""

from typing import Any

import pytest

from tests.rules.maumau_scene import Round, cards, words

several = pytest.mark.parametrize("players", range(2, 6))


def calling(*hands: str, **settings: Any) -> Round:
    """A round in which calling Mau is a decision."""
    return Round(*hands, mau_call="action", **settings)


# --- Called for him by default --------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["standard", "common"])
@pytest.mark.parametrize("card", ["♥9", "♥7", "♥8", "♥A", "♥J→♠", "♥K"])
def test_mau_10_mau_is_called_for_him_by_default(preset, card):
    scene = Round(f"{card.split('→')[0]} ♦10", "", "", top="♥Q", preset=preset)
    assert "mau" not in scene.legal
    assert scene.refuses("mau")
    scene.play(card)
    assert scene.hand(0) == ["♦10"]
    assert scene.mau == [0]


# --- Who may call ---------------------------------------------------------------------------------


@several
@pytest.mark.parametrize("preset", ["letter", "standard"])
def test_mau_10_with_two_cards_one_of_which_fits_he_may_call_mau_and_then_lays(preset, players):
    switches = {} if preset == "letter" else {"mau_call": "action"}
    hands = ["♥9 ♦10", *[""] * (players - 1)]
    scene = Round(*hands, top="♥Q", preset=preset, **switches)
    assert scene.legal == words("♥9 draw mau")
    assert scene.mau == []
    scene.play("mau")
    assert scene.turn == 0
    assert scene.mau == [0]
    assert scene.legal == words("♥9 draw")  # once is enough
    scene.play("♥9")
    assert scene.hand(0) == ["♦10"]
    assert (scene.turn, scene.mau) == (1, [0])


@pytest.mark.parametrize(
    ("hand", "may_call"),
    [
        *(("♥9", False), ("♥9 ♦10", True), ("♥9 ♥10", True), ("♥9 ♥10 ♥8", False)),
        *(("♥9 ♥10 ♥8 ♥A", False), ("♠9 ♦10", False), ("♠J ♦10", True), ("♦Q ♦10", True)),
    ],
)
def test_mau_10_only_who_holds_two_cards_and_can_lay_one_may_call(hand, may_call):
    assert ("mau" in calling(hand, "", top="♥Q").legal) == may_call


def test_mau_10_under_an_open_seven_a_seven_is_what_can_be_laid():
    scene = calling("♥7 ♦10 ♠9", "♠7 ♥9", top="♥Q", hand_size=3, talon="♥10").play("♥7")
    assert scene.legal == words("♠7 draw")  # three cards
    scene = calling("♥7 ♦10", "♠7 ♥9", top="♥Q").play("mau", "♥7")
    assert scene.legal == words("♠7 draw mau")
    scene.play("mau", "♠7")
    assert scene.sizes == [1, 1]
    assert scene.open_draws == 4
    scene = calling("♥7 ♦10", "♥8 ♥9", top="♥Q").play("mau", "♥7")
    assert scene.legal == {"draw"}


@pytest.mark.parametrize(
    ("play_after_draw", "drawn", "may_call"),
    [
        *(("drawn", "♥9", True), ("any", "♥9", True), ("any", "♣9", True)),
        *(("drawn", "♣9", False), ("none", "♥9", False)),
    ],
)
def test_mau_10_after_a_draw_he_may_call_before_he_lays(play_after_draw, drawn, may_call):
    """He holds a fitting card and draws another one: two in hand."""
    settings = {"hand_size": 1, "talon": drawn, "play_after_draw": play_after_draw}
    scene = calling("♥10", "", top="♥Q", **settings).play("draw")
    assert (scene.turn == 0 and "mau" in scene.legal) == may_call
    if may_call:
        scene.play("mau", "♥9" if drawn == "♥9" else "♥10")
        assert (scene.sizes[0], scene.turn) == (1, 1)


def test_mau_10_after_an_ace_he_may_call_before_he_lays_one_more():
    scene = calling("♥A ♥9 ♦10", "", top="♥Q").play("♥A")
    assert scene.legal == words("♥9 end mau")
    scene.play("mau", "♥9")
    assert scene.hand(0) == ["♦10"]


# --- Forgetting -----------------------------------------------------------------------------------


@several
def test_mau_11_who_forgets_to_call_draws_two_at_once(players):
    hands = ["♥9 ♦10", *[""] * (players - 1)]
    scene = calling(*hands, top="♥Q", talon="♣9 ♣10 ♣Q").play("♥9")
    assert scene.hand(0) == cards("♦10 ♣9 ♣10")
    assert scene.talon[0] == "♣Q"
    assert (scene.turn, scene.top, scene.mau) == (1, "♥9", [])


@pytest.mark.parametrize("penalty", [0, 1, 2, 5, 10])
def test_mau_11_how_many_he_draws_is_a_switch(penalty):
    scene = calling("♥9 ♦10", "", top="♥Q", mau_penalty=penalty).play("♥9")
    assert scene.sizes == [1 + penalty, 2]
    assert scene.turn == 1


def test_mau_11_it_is_too_late_once_the_card_lies():
    scene = calling("♥9 ♦10", "♥10 ♥8", top="♥Q").play("♥9")
    assert scene.turn == 1
    assert scene.sizes == [3, 2]


def test_mau_11_two_cards_left_need_no_call_and_the_last_card_none_either():
    assert calling("♥9 ♦10 ♦9", "", top="♥Q").play("♥9").sizes == [2, 3]
    assert calling("♥9", "", top="♥Q").play("♥9").over


def test_mau_11_the_penalty_comes_with_an_ace_too_and_before_he_lays_one_more():
    """The card he draws as a penalty may be laid; so he does not win."""
    scene = calling("♥A ♥9", "", top="♥Q", talon="♥10 ♣10").play("♥A")
    assert scene.hand(0) == cards("♥9 ♥10 ♣10")
    assert (scene.turn, scene.legal) == (0, words("♥9 ♥10 end"))
    scene.play("♥10")
    assert (scene.turn, scene.sizes) == (1, [2, 2])


def test_mau_11_with_an_ace_only_the_penalty_may_fit():
    """Whether anything fits is looked at once the penalty is drawn."""
    scene = calling("♥A ♠9", "", top="♥Q", talon="♥10 ♣10").play("♥A")
    assert (scene.turn, scene.legal) == (0, words("♥10 end"))


def test_mau_10_mau_17_who_calls_with_an_ace_may_win_with_the_next_card():
    scene = calling("♥A ♥9", "", top="♥Q").play("mau", "♥A")
    assert scene.legal == words("♥9 end")
    assert scene.play("♥9").over


def test_mau_10_mau_17_a_call_holds_over_ace_on_ace():
    scene = calling("♥A ♠A ♠9", "", top="♥Q").play("♥A", "mau", "♠A", "♠9")
    assert scene.over
    assert scene.scores == [1, -1]


def test_mau_11_the_penalty_comes_before_the_king_of_hearts_makes_draw():
    scene = calling("♥K ♦10", "", "", top="♥Q", talon="♣9 ♣10 ♥9 ♥10 ♦Q").play("♥K")
    assert scene.hand(0) == cards("♦10 ♣9 ♣10")
    assert {*scene.hand(1)} >= {"♥9", "♥10", "♦Q"}
    assert scene.sizes == [3, 5, 2]


def test_mau_11_a_seven_laid_without_a_call_still_asks_the_next_for_two():
    scene = calling("♥7 ♦10", "", top="♥Q", talon="♣9 ♣10 ♠9 ♠10").play("♥7")
    assert scene.hand(0) == cards("♦10 ♣9 ♣10")
    assert scene.open_draws == 2
    assert {*scene.play("draw").hand(1)} >= {"♠9", "♠10"}


def test_mau_11_an_eight_and_a_jack_laid_without_a_call_keep_their_effect():
    scene = calling("♥8 ♦10", "", "", top="♥Q").play("♥8")
    assert (scene.turn, scene.sizes) == (2, [3, 2, 2])
    scene = calling("♥J ♦10", "", "", top="♥Q").play("♥J→♠")
    assert (scene.turn, scene.wish, scene.sizes) == (1, "♠", [3, 2, 2])


@pytest.mark.parametrize(("talon", "drawn"), [("♣9 ♣10", 2), ("♣9", 2), ("", 1)])
def test_mau_11_the_penalty_is_what_there_is_and_the_card_just_laid_stays(talon, drawn):
    """Without a talon only the start card comes back."""
    scene = calling("♥9 ♦10", "♥10 ♥8", top="♥Q", talon=talon, only=True).play("♥9")
    assert scene.sizes == [1 + drawn, 2]
    assert scene.top == "♥9"


# --- Calling and then doing something else --------------------------------------------------------


def test_mau_10_after_a_call_he_may_still_draw_and_the_call_is_over():
    """He has three then; when he comes to lay the last but one, he must call again."""
    scene = calling("♥9 ♥10", "♠8 ♣Q", top="♥Q", talon="♦10 ♦9 ♣10 ♣9")
    scene.play("mau", "draw")
    assert scene.turn == 1
    assert scene.mau == []
    scene.play("draw", "♥9", "draw")
    assert (scene.turn, scene.hand(0)) == (0, cards("♥10 ♦10"))
    scene.play("♥10")
    assert scene.sizes[0] == 1 + 2


@pytest.mark.parametrize("play_after_draw", ["drawn", "any"])
def test_mau_10_a_draw_ends_the_call_also_where_he_may_lay_the_drawn_card(play_after_draw):
    settings = {"talon": "♥8 ♥10", "play_after_draw": play_after_draw}
    scene = calling("♥9 ♦10", "", "", top="♥Q", **settings).play("mau", "draw")
    assert scene.turn == 0
    assert scene.mau == []
    assert "mau" not in scene.legal  # three cards


@pytest.mark.parametrize("play_after_draw", ["none", "drawn", "any"])
def test_mau_10_a_draw_that_brings_nothing_ends_the_call_too(play_after_draw):
    settings = {"only": True, "play_after_draw": play_after_draw}
    scene = calling("♥9 ♦10", "♠9 ♠10", top="♥Q", **settings).play("mau", "draw")
    assert (scene.turn, scene.mau, scene.sizes) == (1, [], [2, 2])
    scene.play("draw", "♥9")
    assert scene.sizes == [2, 2]  # a penalty of the one card there is


def test_mau_10_taking_what_a_seven_asks_ends_the_call_too():
    scene = calling("♥7 ♦10", "♠7 ♥9", "♥8 ♦9", top="♥Q").play("mau", "♥7", "mau")
    assert scene.mau == [0, 1]
    scene.play("draw")
    assert (scene.turn, scene.mau, scene.sizes) == (2, [0], [1, 4, 2])
    assert "mau" in scene.legal


def test_mau_10_a_call_ends_with_the_turn():
    """Seat 0 calls after an ace and ends; in its next turn it must call again."""
    scene = calling("♥A ♥9 ♦10", "♥10 ♠9 ♠8", top="♥Q").play("♥A", "mau")
    assert scene.mau == [0]
    assert scene.legal == words("♥9 end")
    scene.play("end")
    assert (scene.turn, scene.mau) == (1, [])
    scene.play("draw")
    assert "mau" in scene.legal
    scene.play("♥9")
    assert scene.sizes[0] == 1 + 2


def test_mau_10_a_call_of_one_is_none_of_the_next():
    scene = calling("♥9 ♦10", "♥10 ♠9", top="♥Q").play("mau", "♥9")
    assert scene.mau == [0]
    assert "mau" in scene.legal
    scene.play("♥10")
    assert scene.sizes == [1, 1 + 2]


def test_mau_10_with_two_players_the_turn_after_an_eight_is_a_new_one():
    """A call of the turn before does not count in it."""
    settings = {"talon": "♥10 ♣9", "play_after_draw": "any"}
    scene = calling("♥8 ♥9", "", top="♥Q", **settings).play("mau", "♥8")
    assert (scene.turn, scene.mau) == (0, [0])  # he holds one card
    scene.play("draw")
    assert (scene.turn, scene.mau) == (0, [])
    assert scene.legal == words("♥9 ♥10 end mau")
    assert scene.play("♥9").sizes[0] == 1 + 2


def test_mau_10_everybody_knows_who_has_called():
    scene = calling("♥9 ♦10", "", "", top="♥Q").play("mau")
    views = [scene.view(seat)["mau"].tolist() for seat in range(3)]
    assert views == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]


def test_mau_10_who_draws_again_holds_one_card_no_longer():
    scene = Round("♥9 ♦10", "♥10 ♠9", top="♥Q").play("♥9", "draw")
    assert scene.mau == [0]
    assert scene.play("draw").mau == []

"""Mau-Mau: drawing, laying after a draw, and the talon that comes back from the discarded cards."""

import numpy as np
import pytest

from cardenv.table import Tables
from tests.rules.maumau_scene import ACTIONS, NAMES, Round, cards, words
from tests.scenes import numbers

several = pytest.mark.parametrize("players", range(2, 6))
AFTER_DRAW = ("none", "drawn", "any")
every_after_draw = pytest.mark.parametrize("play_after_draw", AFTER_DRAW)
laying_after_draw = pytest.mark.parametrize("play_after_draw", ["drawn", "any"])

# --- Drawing one ----------------------------------------------------------------------------------


@several
def test_mau_8_who_has_no_matching_card_draws_one(players):
    """He has no choice, and then the next seat is to decide."""
    scene = Round("♠9 ♦10", *[""] * (players - 1), top="♥Q", talon="♣8 ♣9")
    assert scene.legal == {"draw"}
    scene.play("draw")
    assert scene.hand(0) == cards("♠9 ♦10 ♣8")
    assert scene.talon[0] == "♣9"
    assert scene.turn == 1
    assert (scene.top, scene.discarded) == ("♥Q", [])


@several
def test_mau_9_drawing_is_allowed_although_a_card_fits(players):
    scene = Round("♥9 ♥10", *[""] * (players - 1), top="♥Q", talon="♣8")
    assert scene.legal == words("♥9 ♥10 draw")
    scene.play("draw")
    assert scene.hand(0) == cards("♥9 ♥10 ♣8")
    assert scene.turn == 1


# --- Laying after a draw --------------------------------------------------------------------------


@pytest.mark.parametrize("drawn", ["♥8", "♥J", "♥K", "♠Q"])
def test_mau_22_by_default_nothing_is_laid_after_a_draw_though_it_fits(drawn):
    scene = Round("♥9 ♦10", "", top="♥Q", talon=drawn).play("draw")
    assert scene.turn == 1
    assert drawn in scene.hand(0)


@pytest.mark.parametrize(
    ("drawn", "fits"), [("♥8", "♥8"), ("♠Q", "♠Q"), ("♥K", "♥K"), ("♠J", "♠J→*"), ("♥7", "♥7")]
)
def test_mau_22_the_drawn_card_alone_may_be_laid_if_it_fits(drawn, fits):
    """Or the turn ended; the other cards of his that fit stay in hand, and he draws no second."""
    scene = Round("♥9 ♥A", "", top="♥Q", talon=drawn, play_after_draw="drawn").play("draw")
    assert scene.turn == 0
    assert scene.seen["after_draw"]
    assert scene.legal == words(f"{fits} end")
    assert scene.refuses("draw")
    ended = scene.play("end")
    assert ended.turn == 1
    assert ended.hand(0) == cards(f"♥9 ♥A {drawn}")
    assert not ended.seen["after_draw"]


def test_mau_22_a_drawn_card_that_does_not_fit_ends_the_turn_by_itself():
    settings = {"talon": "♠8", "play_after_draw": "drawn"}
    scene = Round("♥9 ♥A", "", top="♥Q", **settings).play("draw")
    assert scene.turn == 1
    assert scene.hand(0) == cards("♥9 ♥A ♠8")


@pytest.mark.parametrize(("drawn", "legal"), [("♠8", "♥9 ♥A end"), ("♥8", "♥8 ♥9 ♥A end")])
def test_mau_22_any_card_may_be_laid_by_the_switch(drawn, legal):
    settings = {"talon": drawn, "play_after_draw": "any"}
    scene = Round("♥9 ♥A ♠10", "", top="♥Q", **settings).play("draw")
    assert scene.turn == 0
    assert scene.legal == words(legal)
    assert scene.refuses("draw")


def test_mau_22_when_no_card_fits_the_turn_ends_by_itself():
    settings = {"talon": "♠8", "play_after_draw": "any"}
    assert Round("♦9 ♠10", "", top="♥Q", **settings).play("draw").turn == 1


@laying_after_draw
def test_mau_22_the_card_laid_after_a_draw_has_its_effect(play_after_draw):
    def drawn(card: str, action: str) -> Round:
        settings = {"talon": card, "play_after_draw": play_after_draw}
        return Round("♦9 ♠10", "", "", top="♥Q", **settings).play("draw", action)

    assert (drawn("♥7", "♥7").turn, drawn("♥7", "♥7").open_draws) == (1, 2)
    assert drawn("♥8", "♥8").turn == 2
    assert drawn("♠J", "♠J→♦").wish == "♦"
    assert drawn("♥K", "♥K").sizes == [2, 5, 2]
    assert drawn("♥9", "♥9").turn == 1


@laying_after_draw
def test_mau_17_mau_22_after_a_drawn_ace_any_fitting_card_may_follow_and_no_draw(play_after_draw):
    settings = {"talon": "♥A", "play_after_draw": play_after_draw}
    scene = Round("♥9 ♠10 ♥10", "", top="♥Q", **settings).play("draw", "♥A")
    assert (scene.seen["after_ace"], scene.seen["after_draw"]) == (1, 0)
    assert scene.legal == words("♥9 ♥10 end")


@every_after_draw
def test_mau_22_a_draw_of_one_player_is_none_of_the_next(play_after_draw):
    """Seat 1 must draw or lay before it may end anything."""
    settings = {"talon": "♥8 ♣8", "play_after_draw": play_after_draw}
    scene = Round("♥9 ♠10", "♥10 ♠9", top="♥Q", **settings).play("draw")
    if play_after_draw != "none":
        scene.play("end")
    assert scene.turn == 1
    assert scene.legal == words("♥10 draw")


@laying_after_draw
def test_mau_22_the_card_drawn_in_an_earlier_turn_is_like_any_other(play_after_draw):
    settings = {"talon": "♥8 ♠8 ♥10", "play_after_draw": play_after_draw}
    scene = Round("♠9 ♦9", "♣9 ♦10", top="♥Q", **settings).play("draw", "end", "draw")
    assert scene.turn == 0
    assert scene.play("draw").legal == words(
        "♥10 end" if play_after_draw == "drawn" else "♥8 ♥10 end"
    )


def test_mau_22_the_preset_of_today_lays_the_drawn_card():
    scene = Round("♥9 ♥A", "", top="♥Q", talon="♥8", preset="common").play("draw")
    assert scene.legal == words("♥8 end")
    for preset in ("standard", "letter"):
        assert Round("♥9 ♥A", "", top="♥Q", talon="♥8", preset=preset).play("draw").turn == 1


@laying_after_draw
def test_mau_22_the_last_card_may_be_one_that_was_held_before_or_the_drawn_one(play_after_draw):
    settings = {"hand_size": 1, "talon": "♥A", "play_after_draw": play_after_draw}
    scene = Round("♥9", "", top="♥Q", **settings).play("draw", "♥A", "♥9")
    assert scene.over


# --- The talon comes back -------------------------------------------------------------------------


DEALT = "♥9 ♥10 ♠9 ♠8 ♥Q ♥8 ♦9 ♦8 ♥A"
"""Two hands of four and the start card; there are no other cards."""
LAID = ("♥9", "♥Q", "♥10")
BELOW = cards("♥9 ♥A ♥Q")
"""What lies below the ♥10 once ``LAID`` are laid."""


def without_talon() -> Round:
    """The position in which the talon is empty and three cards lie below; seat 1 is to decide."""
    scene = Round("♥9 ♥10 ♠9 ♠8", "♥Q ♥8 ♦9 ♦8", top="♥A", only=True).play(*LAID)
    assert (scene.turn, scene.talon, scene.top, scene.discarded) == (1, [], "♥10", BELOW)
    return scene


def orders_of_the_new_talon(reshuffles: int = 0, rounds: int = 0) -> np.ndarray:
    """That position at many tables, after so many rounds and reshuffles: who draws gets which card?

    Returns:
        The two cards that are left in each table's talon, int ``[tables, 2]``.
    """
    tables = Tables("maumau", 180, 2, rules=without_talon().tables.rules)
    tables.reset(seed=3, deck=numbers(NAMES, DEALT), first=1)
    for action in LAID:
        tables.step(np.full(180, ACTIONS.index(action)))
    tables.rows["reshuffles"], tables.rows["rounds"] = reshuffles, rounds
    tables.step(np.full(180, ACTIONS.index("draw")))
    return tables.rows["deck"][:, 7:9].astype(int)


def test_the_discarded_cards_come_back_only_when_a_card_is_wanted():
    scene = Round("♥9 ♠9", "♥10 ♠8", top="♥Q", talon="♦9", only=True).play("♥9", "draw")
    assert scene.talon == []  # the last card was drawn, and nobody wants one yet
    assert scene.discarded == ["♥Q"]
    scene.play("♠9")
    assert scene.over
    scene = Round("♥9 ♠8", "♥10 ♠10", top="♥Q", talon="♦9", only=True).play("♥9", "draw", "draw")
    assert scene.hand(0) == cards("♠8 ♥Q")
    assert (scene.top, scene.talon, scene.discarded) == ("♥9", [], [])


def test_all_discarded_cards_but_the_top_one_come_back():
    scene = without_talon().play("draw")
    drawn = [card for card in scene.hand(1) if card in BELOW]
    assert len(drawn) == 1
    assert cards(" ".join([*drawn, *scene.talon])) == BELOW
    assert (scene.top, scene.suit, scene.discarded) == ("♥10", "♥", [])


def test_what_is_laid_after_the_talon_came_back_is_discarded_anew():
    assert without_talon().play("draw", "draw", "♥8").discarded == ["♥10"]


def test_the_discarded_cards_are_shuffled():
    orders, times = np.unique(orders_of_the_new_talon(), axis=0, return_counts=True)
    assert len(orders) == 6
    assert times.min() > 12  # 30 expected


@pytest.mark.parametrize("later", [{"reshuffles": 1}, {"rounds": 1}])
def test_each_new_talon_of_a_round_and_of_a_match_has_an_order_of_its_own(later):
    same = (orders_of_the_new_talon() == orders_of_the_new_talon(**later)).all(axis=1)
    assert same.mean() < 0.4  # one in six expected


def test_a_wish_is_kept_when_the_discarded_cards_come_back():
    scene = Round("♠J ♠9", "♥10 ♦10", top="♥Q", only=True).play("♠J→♥")
    assert scene.talon == []
    scene.play("draw")
    assert scene.hand(1) == cards("♥10 ♦10 ♥Q")
    assert (scene.top, scene.wish) == ("♠J", "♥")


# --- Nothing to draw ------------------------------------------------------------------------------


@several
@every_after_draw
def test_drawing_stays_legal_when_nothing_can_be_drawn_and_the_turn_passes(
    players, play_after_draw
):
    """Also where a card of his fits and might be laid after a draw."""
    fitting = ["♥9", "♥10", "♥A", "♥8", "♥7"][:players]
    scene = Round(*fitting, top="♥Q", only=True, play_after_draw=play_after_draw)
    assert (scene.talon, scene.discarded) == ([], [])
    assert scene.legal == words("♥9 draw")
    order = [seat % players for seat in range(2 * players)]
    assert scene.all_draw(2 * players) == order
    assert scene.hands == [[card] for card in fitting]


def test_a_wish_holds_when_nobody_can_follow_and_nothing_can_be_drawn():
    scene = Round("♠J ♠9", "♣10 ♦10", top="♣Q", only=True).play("♠J→♥")
    assert scene.all_draw(6) == [1, 0, 1, 0, 1, 0]
    assert scene.wish == "♥"
    assert scene.sizes == [1, 3]  # the ♣Q came back, and that was all

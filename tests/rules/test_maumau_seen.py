"""Mau-Mau: what everybody sees: the table, the last draws of others, who is going on."""

from typing import Any

import pytest

from tests.rules.maumau_scene import Round, cards

every_seat = pytest.mark.parametrize("viewer", range(3))


@every_seat
def test_everybody_sees_the_same_table(viewer):
    """The top card, the wish, what lies below, the open draws, the talon and the hands' sizes."""
    scene = Round("♥9 ♠J ♦9", "♥10 ♣9 ♣8", "♥Q ♥7 ♠9", top="♥8").play("♥9", "♥10", "♥7")
    view = scene.view(viewer)
    own = {name: view[name].tolist() for name in ("discarded", "top_suit", "top_rank")}
    assert own == {name: scene.seen[name].tolist() for name in own}
    assert (scene.top, scene.discarded) == ("♥7", cards("♥8 ♥9 ♥10"))
    assert view["open_draws"] == 2
    assert view["talon"] == 22
    assert view["hand_size"].tolist() == [2] * 3
    assert not view["wish"]
    scene.play("draw", "draw", "draw", "♠J→♣")
    assert scene.view(viewer)["wish"]
    assert scene.view(viewer)["suit_in_force"].tolist() == [0, 0, 0, 1]
    assert scene.view(viewer)["top_suit"].tolist() == [0, 0, 1, 0]


@every_seat
def test_everybody_sees_who_decides_and_whether_he_goes_on(viewer):
    scene = Round("♥A ♥9 ♦9", "", "", top="♥8", talon="♥10", play_after_draw="any").play("♥A")
    view = scene.view(viewer)
    assert view["deciding"].tolist() == [int((viewer + place) % 3 == 0) for place in range(3)]
    assert (view["after_ace"], view["after_draw"]) == (1, 0)
    scene.play("end", "draw")
    view = scene.view(viewer)
    assert view["deciding"].tolist() == [int((viewer + place) % 3 == 1) for place in range(3)]
    assert (view["after_ace"], view["after_draw"]) == (0, 1)


# --- The last ordinary draw of others -------------------------------------------------------------


def drew(*actions: str, seat: int = 0, **settings: Any) -> str:
    """What the others know of a seat's last draw, once these actions are carried out."""
    hands = ("♠J ♥K ♥7 ♦9", "♠7 ♦Q ♣9 ♦10", "♣7 ♥Q ♥9 ♣8")
    return Round(*hands, top="♥8", talon="♣A ♣10", **settings).play(*actions).drew(seat)


def test_nothing_is_known_of_who_has_not_drawn():
    assert drew() == ""
    assert drew("♥7") == ""


def test_a_draw_tells_suit_and_rank_in_force():
    assert drew("draw") == "♥8"
    assert drew("draw", "draw", "♥9", seat=1) == "♥8"


def test_under_a_wish_a_draw_tells_the_suit_alone():
    assert drew("♠J→♦", "draw", seat=1) == "♦"
    assert drew("♠J→♠", "draw", seat=1) == "♠"


def test_it_is_known_until_he_lays_a_card_whatever_others_lay():
    assert drew("draw", "draw", "♥9") == "♥8"
    assert drew("draw", "draw", "♥9", "♥7") == ""
    assert drew("draw", "draw", "♥9", "♠J→♦") == ""


def test_a_later_draw_takes_its_place():
    assert drew("draw", "draw", "♥9", "draw") == "♥9"
    assert drew("draw", "draw", "♥Q", "draw") == "♥Q"


def test_taking_what_sevens_ask_is_no_such_draw():
    """It neither tells anything nor makes forget an earlier draw."""
    assert drew("♥7", "draw", seat=1) == ""
    scene = Round("♥9 ♥7 ♦9", "♠8 ♣9 ♣10", top="♥8").play("♥9", "draw", "♥7", "draw")
    assert scene.drew(1) == "♥9"


def test_drawing_for_a_king_of_hearts_is_no_such_draw():
    assert drew("♥K", seat=1) == ""
    scene = Round("♥9 ♥K ♦9", "♠8 ♣9 ♣10", top="♥8").play("♥9", "draw", "♥K")
    assert scene.drew(1) == "♥9"


def test_a_penalty_is_no_such_draw():
    scene = Round("♥9 ♦9", "", "", top="♥8", mau_call="action").play("♥9")
    assert scene.sizes[0] == 3
    assert scene.drew(0) == ""


def test_laying_the_drawn_card_makes_forget_the_draw():
    settings = {"top": "♥8", "talon": "♥10", "play_after_draw": "drawn"}
    scene = Round("♦9 ♣9", "", "", **settings).play("draw")
    assert scene.drew(0) == "♥8"
    assert Round("♦9 ♣9", "", "", **settings).play("draw", "end").drew(0) == "♥8"
    assert scene.play("♥10").drew(0) == ""


def test_the_end_of_a_turn_after_an_ace_is_no_draw():
    assert Round("♥A ♥9 ♦9", "", "", top="♥8").play("♥A", "end").drew(0) == ""

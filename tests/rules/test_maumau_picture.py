"""The words beside the cards in a picture of Mau-Mau."""

from typing import Any

import pytest

from tests.rules.maumau_scene import Round


def notes(scene: Round, title: str, viewer: int = -1) -> tuple[str, ...]:
    """Return the notes beside a seat's cards, the discarded ones or the talon."""
    (zone,) = (zone for zone in scene.tables.describe(0, viewer).zones if zone.title == title)
    return tuple(zone.notes)


def faces(scene: Round, title: str) -> tuple[str, ...]:
    """Return the faces of a zone, all cards open."""
    (zone,) = (zone for zone in scene.tables.describe(0, -1).zones if zone.title == title)
    return tuple(map(str, zone.cards))


@pytest.mark.parametrize(
    ("hands", "actions", "switches", "heading"),
    [
        (("♥9 ♦9", ""), "", {}, "Mau-Mau, round 1: turn"),
        (("♥A ♥9 ♦9", ""), "♥A", {}, "Mau-Mau, round 1: goes on after an ace"),
        (
            *(("♥9 ♦9", ""), "draw", {"talon": "♥8", "play_after_draw": "any"}),
            "Mau-Mau, round 1: goes on after a draw",
        ),
        (("♥7 ♦9", "♠7 ♦10"), "♥7", {}, "Mau-Mau, round 1: a seven, or take 2"),
        (("♥7 ♦9", "♠7 ♦10"), "♥7 ♠7", {}, "Mau-Mau, round 1: a seven, or take 4"),
        (("♥9", ""), "♥9", {}, "Mau-Mau, round 1: over"),
        (("♥9", ""), "♥9", {"episode": "match"}, "Mau-Mau, round 2: turn"),
    ],
)
def test_the_heading_tells_what_is_to_be_decided(hands, actions, switches, heading):
    scene = Round(*hands, top="♥Q", **switches).play(actions)
    assert scene.tables.describe(0, -1).heading == heading


def test_a_wish_is_told_and_how_many_cards_lie_below():
    scene = Round("♠J ♦9", "♥9 ♦10", top="♥Q")
    assert notes(scene, "discard") == ("0 cards below",)
    scene.play("♠J→♦")
    assert faces(scene, "discard") == ("♠J",)
    assert notes(scene, "discard") == ("♦ is wished", "1 card below")
    scene.play("♦10")
    assert notes(scene, "discard") == ("2 cards below",)


def test_a_start_jack_is_no_wish():
    assert notes(Round("♥9", "", top="♠J"), "discard") == ("0 cards below",)


def test_equal_cards_are_shown_and_counted_each():
    scene = Round("♥9 ♥9 ♦10", "♥10 ♥Q ♣9", top="♥Q", decks=2)
    assert faces(scene, "seat 0") == ("♦10", "♥9", "♥9")
    scene.play("♥9", "♥Q", "♥9")
    assert notes(scene, "discard") == ("3 cards below",)
    assert notes(scene, "talon") == ("57 cards",)


def told(*actions: str, **settings: Any) -> tuple[str, ...]:
    """What stands beside seat 0, who does not deal, as seat 1 sees it."""
    scene = Round("♥9 ♦9 ♥7", "♥10 ♥A ♣8", top="♥8", talon="♣9", **settings).play(*actions)
    return notes(scene, "seat 0", viewer=1)


def test_the_last_draw_of_a_seat_is_told_until_it_lays_a_card():
    assert told() == ()
    assert told("draw") == ("drew on ♥8",)
    assert told("draw", "♥10", "♥9") == ()


def test_a_draw_under_a_wish_tells_the_suit_alone():
    scene = Round("♠J ♦9", "♥9 ♦10", top="♥Q").play("♠J→♣", "draw")
    assert "drew on ♣" in notes(scene, "seat 1", viewer=0)


def test_the_last_card_and_a_call_are_told():
    scene = Round("♥9 ♦9", "", top="♥8", mau_call="action")
    assert notes(scene, "seat 0") == ()
    scene.play("mau")
    assert notes(scene, "seat 0") == ("Mau",)
    scene.play("♥9", "draw")
    assert notes(scene, "seat 0") == ("Mau",)
    assert notes(scene, "seat 1")[0] == "deals"


def test_points_are_told_in_a_match_alone():
    scene = Round("♥9", "♥10", top="♥8", episode="match").points_are(1, 20)
    assert notes(scene, "seat 0")[0] == "1 point"
    assert notes(scene, "seat 1")[0] == "20 points"
    assert not any("point" in note for note in notes(Round("♥9", "", top="♥8"), "seat 0"))

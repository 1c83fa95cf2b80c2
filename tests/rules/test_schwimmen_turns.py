"""31: what a turn is, exchanging, passing, stopping, new cards in the middle."""

import numpy as np
import pytest

from cardenv.table import IllegalAction
from tests.rules.schwimmen_scene import NAMES, WEAK_HANDS, WEAK_PILE, Round, cards, weak_round

SWAPS = [f"swap hand {i} for middle {j}" for i in (1, 2, 3) for j in (1, 2, 3)]
TURN = {*SWAPS, "swap all", "pass"}


def test_s31_17_a_turn_is_exactly_one_action():
    for action in TURN:
        scene = weak_round(3)
        assert scene.legal == TURN
        scene.play(action)
        assert scene.turn == 2
        assert scene.view(1)["lap"].tolist() == [1, 0, 0]
        assert scene.legal == TURN


def test_s31_17_nobody_may_lay_down_hold_keep_or_change_on_an_ordinary_turn():
    scene = weak_round(2)
    for action in ("lay down", "hold", "keep", "change", "stop", "redraw 7-8-9"):
        with pytest.raises(IllegalAction):
            scene.play(action)


@pytest.mark.parametrize("hand_slot", [0, 1, 2])
@pytest.mark.parametrize("middle_slot", [0, 1, 2])
def test_s31_18_one_hand_card_for_one_middle_card(hand_slot, middle_slot):
    scene = Round("♦7 ♦8 ♠9", "♥7 ♠8 ♣9", pile="♣10 ♦J ♥Q").play("keep")
    hand, middle = ["♥7", "♠8", "♣9"], ["♦J", "♥Q", "♣10"]  # both in ascending order
    scene.play(f"swap hand {hand_slot + 1} for middle {middle_slot + 1}")
    given, taken = hand[hand_slot], middle[middle_slot]
    assert scene.hand(1) == {*hand, taken} - {given}
    assert scene.middle == {*middle, given} - {taken}
    assert scene.hand(0) == cards("♦7 ♦8 ♠9")
    assert scene.gone == set()


def test_s31_19_all_three_for_all_three_and_back():
    scene = Round("♦7 ♦8 ♠9", "♥7 ♠8 ♣9", pile="♣10 ♦J ♥Q").play("keep", "swap all")
    assert scene.hand(1) == cards("♣10 ♦J ♥Q")
    assert scene.middle == cards("♥7 ♠8 ♣9")
    scene.play("pass", "swap all")
    assert scene.hand(1) == cards("♥7 ♠8 ♣9")
    assert scene.middle == cards("♣10 ♦J ♥Q")


def test_s31_18_s31_19_no_action_exchanges_two_cards():
    before = weak_round(2)
    for action in TURN:
        scene = weak_round(2).play(action)
        changed = len(scene.hand(1) - before.hand(1))
        assert changed == {"swap all": 3, "pass": 0}.get(action, 1)
        assert changed == len(scene.middle - before.middle)


def test_s31_18_slots_follow_the_cards_order_whatever_the_history():
    scene = Round("♦7 ♦8 ♠9", "♥7 ♠8 ♣9", pile="♣10 ♦J ♥Q").play("keep")
    scene.swap("♣9", "♦J")
    scene.play("pass")
    view = scene.view(1)
    for name, expected in (("hand_slots", "♦J ♥7 ♠8"), ("middle_slots", "♥Q ♣9 ♣10")):
        slots = view[name].reshape(3, 12)
        found = [8 * int(s[:4].argmax()) + int(s[4:].argmax()) for s in slots]
        assert [NAMES[card] for card in found] == expected.split()
        assert slots.sum() == 6


def test_s31_20_a_pass_changes_no_card():
    scene = weak_round(3)
    before = ([scene.hand(s) for s in range(3)], scene.middle, scene.talon)
    scene.play("pass")
    assert ([scene.hand(s) for s in range(3)], scene.middle, scene.talon) == before
    assert scene.view(0)["passes"] == 1
    assert not scene.view(0)["known"].any()


# --- Stop -----------------------------------------------------------------------------------------


def stopping_seats(players: int, laps: int = 2, **settings: object) -> list[tuple[int, int]]:
    """Who may stop, as (lap, seat), while all swap one card after the other."""
    scene = weak_round(players, **settings)
    found = []
    for _ in range(laps * players):
        if "stop" in scene.legal:
            found.append((int(scene.row.laps[scene.turn]), scene.turn))
        scene.play("swap hand 1 for middle 1")
    return found


@pytest.mark.parametrize("players", range(2, 10))
def test_s31_23_stop_once_every_player_has_had_a_turn(players):
    assert stopping_seats(players) == [(1, (1 + k) % players) for k in range(players)]


@pytest.mark.parametrize("players", range(2, 10))
def test_s31_23_stop_once_everyone_else_has_had_a_turn(players):
    """``stop_after="others"``: the dealer, last in the first lap, may already stop there."""
    second_lap = [(1, (1 + k) % players) for k in range(players)]
    assert stopping_seats(players, stop_after="others") == [(0, 0), *second_lap]


def test_s31_23_stop_at_any_time_by_the_switch():
    assert len(stopping_seats(4, stop_after="none")) == 8


def test_s31_23_a_stop_counts_as_a_turn_and_a_redraw_does_not():
    scene = Round("♦10 ♥J ♠Q", "♥10 ♠J ♣Q", pile="♦7 ♥8 ♠9", talon="♠7 ♥9 ♦8").play("keep")
    scene.play("redraw 7-8-9")
    assert scene.view(0)["lap"].tolist() == [0, 0]
    assert "stop" not in scene.legal
    scene.play("pass", "swap hand 1 for middle 1", "stop")
    assert scene.view(0)["lap"].tolist() == [1, 2]


def test_s31_21_stop_is_a_turn_of_its_own_that_exchanges_nothing():
    scene = weak_round(3, stop_after="none")
    before = ([scene.hand(s) for s in range(3)], scene.middle)
    scene.play("stop")
    assert ([scene.hand(s) for s in range(3)], scene.middle) == before
    assert scene.turn == 2
    assert scene.view(2)["stopped"].tolist() == [0, 0, 1]
    assert scene.view(2)["lap"].tolist() == [0, 0, 1]


@pytest.mark.parametrize("exchange", [*SWAPS, "swap all"])
def test_s31_22_who_exchanges_cannot_stop_in_the_same_turn(exchange):
    scene = weak_round(3, stop_after="none").play(exchange)
    assert scene.turn == 2  # the next seat: no decision is left to the first
    scene = weak_round(3, stop_after="none").play("stop")
    assert scene.turn == 2  # nor an exchange after the stop


@pytest.mark.parametrize("players", range(2, 10))
@pytest.mark.parametrize("action", ["pass", "swap hand 1 for middle 1"])
def test_s31_31_after_a_stop_everybody_else_has_exactly_one_more_turn(players, action):
    scene = weak_round(players, stop_after="none").play("stop")
    seats = []
    while not scene.over:
        to_come = [(2 + k) % players for k in range(len(seats), players - 1)]
        waiting = np.roll(scene.view(0)["to_have_turn"], 0)
        assert set(np.flatnonzero(waiting)) == set(to_come)
        seats.append(scene.turn)
        scene.play(action)
    assert seats == [(2 + k) % players for k in range(players - 1)]


def test_s31_31_who_passed_before_the_stop_has_his_turn_too():
    scene = weak_round(3).play("swap hand 1 for middle 1", "pass", "pass", "stop")
    assert scene.turn == 2
    scene.play("pass")
    assert scene.turn == 0
    scene.play("pass")
    assert scene.over


def test_s31_31_no_second_stop():
    scene = weak_round(3, stop_after="none").play("stop")
    assert scene.legal == TURN
    assert scene.play("pass").legal == TURN


def test_s31_31_s31_29_no_new_middle_in_the_lap_after_a_stop():
    scene = weak_round(3, stop_after="none").play("pass", "stop")
    middle = scene.middle
    scene.play("pass")
    assert scene.view(0)["passes"] == 1  # a stop sets the passes in a row back to 0
    assert scene.middle == middle
    scene.play("pass")
    assert scene.over
    assert scene.middle == middle


def test_s31_32_then_the_round_is_scored():
    hands = ("♦7 ♦8 ♥9", "♥10 ♥J ♠Q")  # 15 for the dealer, 20 for who stops
    settings = {"pile": "♣7 ♠8 ♦J", "stop_after": "none"}
    scene = Round(*hands, **settings).play("keep", "stop", "pass")
    assert scene.over
    assert scene.scores == pytest.approx([-0.5, 0.5])
    scene = Round(*hands, **settings).play("keep", "stop").swap("♥9", "♦J")  # 25 now
    assert scene.over
    assert scene.scores == pytest.approx([0.5, -0.5])


# --- New cards in the middle ----------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 9))
def test_s31_29_all_pass_replaces_the_middle(players):
    scene = weak_round(players)
    old, new = scene.middle, scene.talon[:3]
    rest = scene.talon[3:]
    scene.play(*["pass"] * (players - 1))
    assert scene.middle == old
    scene.play("pass")
    assert scene.middle == set(new)
    assert scene.gone == old
    assert scene.talon == rest
    assert scene.turn == 1  # the next seat goes on
    assert scene.view(1)["passes"] == 0
    assert scene.view(1)["lap"].tolist() == [1] * players
    assert scene.view(1)["gone"].sum() == 3


def test_s31_29_the_passes_must_be_one_after_another_but_may_begin_anywhere():
    scene = weak_round(3).play("pass", "pass", "swap hand 1 for middle 1", "pass", "pass")
    assert scene.gone == set()
    scene.play("pass")
    assert len(scene.gone) == 3
    assert scene.turn == 1


@pytest.mark.parametrize("passes", [1, 2])
def test_the_passes_in_a_row_start_again_after_an_exchange_and_a_redraw(passes):
    scene = weak_round(3).play(*["pass"] * passes, "swap all")
    assert scene.view(0)["passes"] == 0
    hands = ("♦10 ♥J ♠Q", "♥10 ♠J ♣Q", "♠10 ♣J ♦Q")
    scene = Round(*hands, pile="♦7 ♥8 ♠9").play("keep", *["pass"] * passes)
    assert scene.view(0)["passes"] == passes
    assert scene.play("redraw 7-8-9").view(0)["passes"] == 0
    assert scene.play("pass").view(0)["passes"] == 1


@pytest.mark.parametrize("left", range(6))
def test_s31_29_all_pass_with_few_cards_in_the_talon(left):
    """Three left: they become the middle. Fewer: the round is scored."""
    pack = tuple(range(9 + left))  # two hands and a middle, and what is left
    hands = ("♦7 ♦8 ♦9", "♦10 ♦J ♥7")
    scene = Round(*hands, pile="♦Q ♦K ♦A", pack=pack, redraw789="off").play("keep")
    talon = scene.talon
    assert len(talon) == left
    scene.play("pass", "pass")
    if left < 3:
        assert scene.over
        assert scene.gone == set()
        assert scene.scores == pytest.approx([0.5, -0.5])  # 24 against 20
    else:
        assert not scene.over
        assert scene.middle == set(talon[:3])
        assert scene.gone == cards("♦Q ♦K ♦A")
        assert scene.talon == talon[3:]
        scene.play("pass", "pass")
        assert scene.over


@pytest.mark.parametrize(
    ("redraw789", "middle", "possible"),
    [
        *(("any", "♦7 ♥8 ♠9", True), ("any", "♠7 ♠8 ♠9", True), ("any", "♦7 ♥7 ♠9", False)),
        *(("any", "♦8 ♥9 ♠10", False), ("any", "♥7 ♥8 ♥10", False)),
        *(("same_suit", "♦7 ♥8 ♠9", False), ("same_suit", "♠7 ♠8 ♠9", True)),
        *(("same_suit", "♣7 ♣8 ♣9", True), ("same_suit", "♥7 ♥8 ♠9", False)),
        *(("off", "♦7 ♥8 ♠9", False), ("off", "♠7 ♠8 ♠9", False)),
    ],
)
def test_s31_30_a_7_8_9_in_the_middle_may_be_replaced(redraw789, middle, possible):
    scene = Round("♦J ♥Q ♣K", "♣J ♦Q ♥K", pile=middle, redraw789=redraw789).play("keep")
    assert ("redraw 7-8-9" in scene.legal) == possible


def test_s31_30_the_old_middle_leaves_and_the_turn_goes_on():
    scene = Round("♦J ♥Q ♣K", "♣J ♦Q ♥K", pile="♦7 ♥8 ♠9", talon="♠A ♠K ♣7 ♦8").play("keep")
    scene.play("redraw 7-8-9")
    assert scene.middle == cards("♠A ♠K ♣7")
    assert scene.gone == cards("♦7 ♥8 ♠9")
    assert scene.talon[0] == "♦8"
    assert scene.turn == 1
    assert scene.legal == TURN  # any action may follow
    assert scene.play("swap hand 1 for middle 1").turn == 0


def test_s31_30_the_redraw_is_free_and_repeatable():
    scene = Round("♦J ♥Q ♣K", "♣J ♦Q ♥K", pile="♦7 ♥8 ♠9", talon="♥7 ♠8 ♦9 ♠A ♠K ♣7").play("keep")
    assert scene.legal == TURN | {"redraw 7-8-9"}
    scene.play("redraw 7-8-9")
    assert "redraw 7-8-9" in scene.legal
    scene.play("redraw 7-8-9")
    assert scene.middle == cards("♠A ♠K ♣7")
    assert scene.gone == cards("♦7 ♥8 ♠9 ♥7 ♠8 ♦9")
    assert scene.turn == 1


@pytest.mark.parametrize("left", range(5))
def test_s31_30_a_redraw_needs_three_cards_in_the_talon(left):
    pack = (0, 1, 2, *range(18, 24 + left))  # the low diamonds, spades from 9 on, clubs
    scene = Round("♠9 ♠10 ♠J", "♠Q ♠K ♠A", pile="♦7 ♦8 ♦9", pack=pack)
    assert len(scene.talon) == left
    scene = Round("♠9 ♠10 ♠A", "♠J ♠Q ♠K", pile="♦7 ♦8 ♦9", pack=pack, reveal="choice").play("keep")
    assert ("redraw 7-8-9" in scene.legal) == (left >= 3)


def test_s31_30_a_redraw_is_possible_in_the_lap_after_a_stop():
    scene = Round("♦J ♥Q ♣K", "♣J ♦Q ♥K", pile="♦7 ♥8 ♠9", talon="♠A ♠K ♣7", stop_after="none")
    scene.play("keep", "stop")
    assert scene.legal == TURN | {"redraw 7-8-9"}
    scene.play("redraw 7-8-9")
    assert (scene.turn, scene.over) == (0, False)
    assert scene.legal == TURN
    assert scene.play("pass").over


# --- The cap of laps ------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("max_laps", [1, 2, 3])
def test_the_round_is_scored_once_everyone_has_had_max_laps_turns(players, max_laps):
    scene = weak_round(players, max_laps=max_laps)
    turns = 0
    while not scene.over:
        scene.play("swap hand 1 for middle 1" if turns % 2 else "swap hand 3 for middle 3")
        turns += 1
    assert turns == players * max_laps


def test_fifty_laps_by_default():
    scene = weak_round(2)
    turns = 0
    while not scene.over:
        scene.play("swap hand 1 for middle 1")
        turns += 1
    assert turns == 100


def test_the_cap_comes_before_a_new_middle():
    scene = weak_round(3, max_laps=1).play("pass", "pass", "pass")
    assert scene.over
    assert scene.gone == set()


def test_the_cap_never_cuts_the_lap_after_a_stop():
    scene = weak_round(3, max_laps=1, stop_after="others").play(*["swap hand 1 for middle 1"] * 2)
    assert scene.turn == 0
    scene.play("stop")
    assert not scene.over
    scene.play("pass", "pass")
    assert scene.over
    assert scene.view(0)["lap"].tolist() == [1, 2, 2]


# --- What everybody knows -------------------------------------------------------------------------


def test_s31_33_cards_taken_from_the_middle_are_known_to_all():
    """Whoever wants to take away what others collect can see what that is."""
    scene = Round("♦J ♥Q ♣8", "♣J ♦Q ♥K", "♥7 ♥8 ♠10", pile="♠A ♠K ♣7", talon="♥9").play("keep")
    scene.swap("♣J", "♠K")
    for seat in range(3):
        known = scene.view(seat)["known"]
        assert {NAMES[c] for c in np.flatnonzero(known[(1 - seat) % 3])} == {"♠K"}
        assert known.sum() == 1
    assert "♠A" in scene.middle
    scene.swap("♥7", "♠A")  # taken away
    assert scene.middle == cards("♥7 ♣J ♣7")
    assert scene.cards(scene.row.known[2]) == {"♠A"}


def test_s31_33_a_card_given_back_is_known_no_longer():
    scene = Round("♦J ♥Q ♣8", "♣J ♦Q ♥K", pile="♠A ♠K ♣7").play("keep")
    scene.swap("♣J", "♠K").play("pass")
    scene.swap("♠K", "♣J")
    assert scene.cards(scene.row.known[1]) == {"♣J"}
    scene.play("pass", "swap all")
    assert scene.cards(scene.row.known[1]) == scene.hand(1) == cards("♠A ♠K ♣7")
    assert scene.cards(scene.row.known[0]) == set()


def test_what_was_known_is_forgotten_with_the_next_deal():
    scene = weak_round(3, stop_after="none", episode="match").play(
        "swap all", "stop", "pass", "pass"
    )
    view = scene.view(0)
    assert view["phase"].argmax() == 0
    for name in ("known", "gone", "lap", "passes", "stopped", "to_have_turn", "middle"):
        assert not np.any(view[name]), name


# --- Refused actions ------------------------------------------------------------------------------


def test_a_refused_action_leaves_the_table_as_it_was():
    scenes = {
        "stop before everyone had a turn": (weak_round(3), "stop"),
        "second stop": (weak_round(3, stop_after="none").play("stop"), "stop"),
        "redraw without 7-8-9": (weak_round(3), "redraw 7-8-9"),
        "lay down without 31": (weak_round(3), "lay down"),
        "choice after the choice": (weak_round(3), "keep"),
        "pass instead of the choice": (Round(*WEAK_HANDS[:2], pile=WEAK_PILE), "pass"),
    }
    for what, (scene, action) in scenes.items():
        before = scene.bytes()
        with pytest.raises(IllegalAction, match="not legal"):
            scene.play(action)
        assert scene.bytes() == before, what
        for number in (-1, 17, 63, 64, 1 << 40):
            with pytest.raises(IllegalAction):
                scene.tables.step_one(0, number)
        assert scene.bytes() == before, what


def test_a_finished_table_takes_no_action():
    scene = weak_round(2, max_laps=1).play("pass", "pass")
    assert scene.over
    before = scene.bytes()
    for action in range(17):
        with pytest.raises(IllegalAction, match="over"):
            scene.tables.step_one(0, action)
    assert scene.bytes() == before

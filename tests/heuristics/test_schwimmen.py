"""31: ``greedy`` is the yardstick clause by clause, and the expert knows what a 31 is."""

import numpy as np
import pytest

from cardenv.games.schwimmen import PASS, REDRAW, STOP, Rules
from cardenv.table import Tables
from tests.heuristics.choosing import acts, choice
from tests.rules.schwimmen_scene import Round

# --- The yardstick ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("♠K ♠9 ♥J", "keep"),  # 19
        ("♠K ♠8 ♥J", "change"),  # 18
        ("♦7 ♥7 ♠7", "keep"),  # 30.5
        ("♠A ♥K ♦Q", "change"),  # 11
    ],
)
def test_greedy_keeps_a_hand_of_19(hand: str, expected: str) -> None:
    assert choice("greedy", Round(hand, "♣7 ♣8 ♦9", pile="♥8 ♣Q ♦A")) == expected


@pytest.mark.parametrize(
    ("hand", "middle", "expected"),
    [
        ("♠K ♠8 ♥J", "♠9 ♣Q ♦A", "swap hand 1 for middle 2"),  # 27 by ♥J for ♠9
        ("♠K ♠8 ♥J", "♥9 ♣Q ♦7", "swap hand 2 for middle 2"),  # 19 by ♠8 for ♥9
        ("♠7 ♠8 ♥J", "♥9 ♥Q ♥7", "swap all"),  # 26
        ("♦K ♥K ♠8", "♣8 ♣K ♦9", "swap hand 3 for middle 3"),  # 30.5
        ("♠K ♠Q ♥7", "♥8 ♥9 ♣7", "pass"),  # 20, nothing gains
        ("♦10 ♦J ♥9", "♥10 ♣Q ♠K", "pass"),  # 20 again is no gain
    ],
)
def test_greedy_takes_the_best_exchange(hand: str, middle: str, expected: str) -> None:
    scene = Round("♣9 ♦8 ♣10", hand, pile=middle).play("keep")
    assert scene.turn == 1
    assert choice("greedy", scene) == expected


def test_greedy_takes_the_lowest_action_of_equal_exchanges() -> None:
    scene = Round("♣9 ♦8 ♣7", "♦K ♥8 ♥9", pile="♦J ♦Q ♠7").play("keep")
    # 20 points: ♥8 or ♥9 (hand 2, 3) for ♦J or ♦Q (middle 1, 2); the lowest action is the first.
    assert choice("greedy", scene) == "swap hand 2 for middle 1"


def test_greedy_stops_at_26_once_it_may() -> None:
    scene = Round("♣9 ♦8 ♣7", "♠K ♠9 ♠7", pile="♥7 ♥8 ♣Q").play("keep")
    assert scene.value(1) == 26
    assert choice("greedy", scene) == "pass", "stop is not legal in the first lap"
    scene.play("pass", "pass")
    assert choice("greedy", scene) == "stop"


def test_greedy_exchanges_below_26_and_after_a_stop() -> None:
    below = Round("♣9 ♦8 ♣7", "♠10 ♠8 ♠7", pile="♠9 ♥8 ♣Q", stop_after="none").play("keep")
    assert "stop" in below.legal
    assert choice("greedy", below) == "swap hand 1 for middle 2"
    late = Round("♣9 ♦8 ♣7", "♠K ♠9 ♠8", pile="♥7 ♥8 ♣Q", stop_after="none").play("keep")
    assert choice("greedy", late) == "stop"
    late.play("stop")
    assert choice("greedy", late) != "stop"


@pytest.mark.parametrize("name", ["greedy", "expert"])
def test_a_31_is_laid_down(name: str) -> None:
    scene = Round("♣9 ♦8 ♣7", "♠K ♠A ♠Q", pile="♥7 ♥8 ♣Q", reveal="choice").play("keep")
    assert scene.turn == 1
    assert choice(name, scene) == "lay down"


def test_greedy_never_redraws() -> None:
    scene = Round("♣9 ♦8 ♣10", "♠K ♠Q ♥J", pile="♦7 ♥8 ♦9").play("keep")
    assert "redraw 7-8-9" in scene.legal
    assert choice("greedy", scene) == "pass"
    tables = Tables("31", 2000, 4, episode="round")
    tables.reset(seed=2)
    could = 0
    while (which := np.flatnonzero(tables.turn >= 0)).size:
        could += int(tables.masks[which, REDRAW].sum())
        actions = acts("greedy", tables, which)
        assert not (actions == REDRAW).any()
        tables.step(actions, which)
    assert could > 20


# --- The expert ---------------------------------------------------------------------------------


def test_the_expert_takes_a_31_and_the_most_in_the_last_turn() -> None:
    scene = Round("♣9 ♦8 ♣7", "♠K ♠A ♥J", pile="♠Q ♥8 ♦9").play("keep")
    assert choice("expert", scene) == "swap hand 1 for middle 3"
    last = Round("♣9 ♦8 ♣7", "♠K ♠8 ♥J", pile="♠Q ♠9 ♦A", stop_after="none").play("keep", "stop")
    assert last.turn == 0
    assert choice("expert", last) == choice("greedy", last)


def test_the_expert_uses_every_action() -> None:
    used = set()
    for players in (2, 3, 5):
        tables = Tables("31", 2000, players, rules=Rules(reveal="choice"), episode="round")
        tables.reset(seed=4)
        while (which := np.flatnonzero(tables.turn >= 0)).size:
            actions = acts("expert", tables, which)
            used |= set(actions.tolist())
            tables.step(actions, which)
    assert {PASS, STOP, REDRAW} < used
    assert len(used) == 16, "all but hold"

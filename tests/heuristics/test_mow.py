"""Mow: ``greedy`` is the yardstick clause by clause, and the expert uses all it may do."""

import numpy as np
import pytest

from cardenv.games.mow import ACTION_NAMES, CARDS, CLEAR, EDGE_0, REVERSED
from cardenv.table import Tables
from tests.heuristics.choosing import acts, choice
from tests.rules.mow_scene import Round, after

# --- The yardstick ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("1 3 5 13 15", "5"),  # 1 to the left
        ("1 3 12 14 15", "12"),  # 2 to the right
        ("1 3 5 13** 14*", "5"),  # flies count only between equal steps
        ("1 7 8 9 15", "1"),  # as far as 15; nothing else fits
        ("2 13** 7 8 9", "13**"),  # 4 to the left, 3 to the right
    ],
)
def test_greedy_lays_the_card_with_the_smallest_step(hand: str, expected: str) -> None:
    assert choice("greedy", after("6 10", hand)) == expected


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("4 12* 7 8 9", "12*"),
        ("4** 12* 7 8 9", "4**"),
        ("5 5* 5** 11 11*", "5**"),
        ("11 11** 7 8 9", "11**"),
    ],
)
def test_greedy_prefers_more_flies_between_equal_steps(hand: str, expected: str) -> None:
    assert choice("greedy", after("6 10", hand)) == expected


@pytest.mark.parametrize(
    ("hand", "expected"),
    [("11 5 7 8 9", "5"), ("12* 4* 7 8 9", "4*"), ("13** 3** 7 8 9", "3**")],
)
def test_greedy_takes_the_lower_card_if_steps_and_flies_are_equal(hand: str, expected: str) -> None:
    assert choice("greedy", after("6 10", hand)) == expected


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("1 5 8 9*** 12**", "8"),
        ("1 4 6 11** 15", "6"),  # 2 below
        ("1 4 10 12** 15", "10"),  # 2 above
        ("7 9* 8* 8** 8***", "8***"),
        ("6 10* 1 2 15", "10*"),  # as near: more flies
        ("10* 6* 1 2 15", "6*"),  # as many flies: the lower card
        ("0 16 15 (7) (9)", "15"),  # any plain card before the edges
        ("0 16 +a +b (9)", "0"),
        ("16 +a +b (7) (9)", "16"),
    ],
)
def test_greedy_opens_near_8(hand: str, expected: str) -> None:
    assert choice("greedy", Round(hand, "", "")) == expected


@pytest.mark.parametrize(
    ("row", "hand", "expected"),
    [
        ("7 9 12", "0 16 15 8 10", "15"),  # a plain card however far
        ("7 9 12", "0 16 (7) (9) +a", "0"),
        ("7 9 12", "8 16 (7) (9) +a", "16"),
        ("7 9 12", "8 8* (7) (9) +a", "(7)"),
        ("7 9 12", "8 8* 10 (9) +a", "(9)"),
        ("7 9 12", "8 8* 10 10* +b", "+"),
        ("8 9 10", "8* 8** 9* (7) +b", "clear"),  # no 7, no gap
        ("7 9 12", "8 8* 10 10* 11", "clear"),
    ],
)
def test_greedy_lays_a_special_only_if_no_plain_card_fits(
    row: str, hand: str, expected: str
) -> None:
    """The lowest action, with the direction kept; a clear only if nothing fits at all."""
    scene = after(row, hand, players=3)
    if expected in ("0", "16", "(7)", "(9)", "+"):
        assert f"{expected}↺" in scene.legal
    assert choice("greedy", scene) == expected


def test_greedy_clears_only_if_forced_and_never_reverses() -> None:
    tables = Tables("mow", 500, 4, episode="round")
    tables.reset(seed=2)
    clears = specials = 0
    while (which := np.flatnonzero(tables.turn >= 0)).size:
        actions = acts("greedy", tables, which)
        masks = tables.masks[which]
        assert (masks[actions == CLEAR].sum(axis=1) == 1).all()
        special = (actions >= EDGE_0) & (actions < CLEAR)
        assert not masks[special, :EDGE_0].any()
        assert not ((actions >= REVERSED) & (actions < CLEAR)).any()
        clears += int((actions == CLEAR).sum())
        specials += int(special.sum())
        tables.step(actions, which)
    assert clears > 1000
    assert specials > 500


# --- The expert ---------------------------------------------------------------------------------


def outcome(tables: Tables, action: int) -> int:
    """Return seat 0's flies at the end of a round of two if both play their best from here on."""
    before = tables.state_dict()
    tables.step_one(0, action)
    turn, result = int(tables.turn[0]), int(tables.row(0).flies[0])
    if turn >= 0:
        outcomes = [outcome(tables, int(each)) for each in np.flatnonzero(tables.masks[0])]
        result = max(outcomes) if turn else min(outcomes)
    tables.load_state_dict(before)
    return result


def test_the_expert_plays_the_end_between_two_perfectly() -> None:
    """Without a pile each knows the other's cards; a look at every possible course agrees."""
    choices = 0
    for seed in range(60):
        tables = Tables("mow", 1, 2, episode="round")
        tables.reset(seed=seed)
        late = 2 + seed % 3  # cards laid without a pile
        while tables.turn[0] >= 0 and CARDS - tables.row(0).drawn + late > 0:
            late -= tables.row(0).drawn == CARDS
            tables.step(acts("greedy", tables, np.arange(1)))
        legal = np.flatnonzero(tables.masks[0])
        if tables.turn[0] >= 0 and len(legal) > 1:
            sign = -1 if tables.turn[0] else 1
            outcomes = {int(action): sign * outcome(tables, int(action)) for action in legal}
            chosen = int(acts("expert", tables, np.arange(1))[0])
            assert outcomes[chosen] == min(outcomes.values()), f"seed {seed}"
            choices += min(outcomes.values()) < max(outcomes.values())
    assert choices > 10


def test_the_expert_uses_every_action() -> None:
    used, free_clears = set(), 0
    for players in (2, 3, 5):
        tables = Tables("mow", 1000, players, episode="round")
        tables.reset(seed=4)
        while (which := np.flatnonzero(tables.turn >= 0)).size:
            actions = acts("expert", tables, which)
            used |= set(actions.tolist())
            free_clears += int((tables.masks[which][actions == CLEAR].sum(axis=1) > 1).sum())
            tables.step(actions, which)
    assert used == set(range(len(ACTION_NAMES)))
    assert free_clears > 1000

"""Mow: the rounds of a match, who begins them, and the end of a match."""

from typing import Any

import numpy as np
import pytest

from cardenv.games.mow import Rules
from cardenv.table import Tables
from tests.rules.mow_scene import ACTIONS, PLAIN, Round, after, play_at_random

FOUR_NONE_FIVE = ("1 10* 11* 12* 13*", "2 3 4 5 6", "7 8 9 0 10")
"""Seat 0 lays the 1 and seat 1 clears it: 4, 0 and 5 flies, without one in the row."""
FOUR_ONE_FIVE = ("1 10* 11* 12* 13*", "2 3 4* 5 6", "7 8 9 0 10")
FOURTH_HAND = "11 12 13 14 15"


def match(*hands: str, totals: tuple[int, ...] = (), **settings: Any) -> Round:
    """A match at a round without a pile, so that the first clear ends it."""
    return Round(*hands, episode="match", only=True, **settings).total_is(*totals)


def play_round(scene: Round) -> Round:
    """Who begins lays his lowest plain card, and the next one clears it."""
    before = int(scene.row.rounds)
    scene.play(next(name for name in PLAIN if name in scene.legal), "clear")
    assert scene.row.rounds == before + 1
    return scene


# --- Rounds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 6))
def test_mow_7_a_match_is_several_rounds_each_with_a_deal_of_its_own(players):
    tables = Tables("mow", 6, players)
    tables.reset(seed=players)
    decks = [tables.rows["deck"].copy()]
    rounds = tables.rows["rounds"].copy()

    def watch() -> None:
        new = (tables.rows["rounds"] > rounds) & (tables.turn >= 0)
        rounds[:] = tables.rows["rounds"]
        if not new.any():
            return
        state = tables.state_layout.view(tables.states())
        assert (state["cards"][new].sum(axis=2) == 5).all()
        assert (state["pile"][new] == 48 - 5 * players).all()
        assert (state["total_flies"][new].sum(axis=1) == 74 * rounds[new]).all()
        for empty in ("row", "supply", "supply_flies", "row_flies", "latecomer_places"):
            assert not state[empty][new].any(), empty
        assert state["clockwise"][new].all()
        assert state["must_open"][new].all()
        assert (np.sort(tables.rows["deck"][new], axis=1) == np.arange(48)).all()
        decks.append(tables.rows["deck"][new])

    play_at_random(tables, players, watch)
    dealt = np.concatenate(decks)
    assert len(dealt) > 6
    assert len(np.unique(dealt, axis=0)) == len(dealt)


def test_mow_7_mow_33_the_flies_of_the_rounds_are_noted_one_after_the_other():
    scene = play_round(match(*FOUR_NONE_FIVE))
    assert not scene.over
    assert scene.totals == [4, 0, 5]
    assert scene.flies == [0, 0, 0]
    assert sum(play_round(scene).totals) == 18


def test_the_direction_is_clockwise_again_in_each_round():
    hands = ("0 1 2 3 4*", "5 6 7 8 9", "10 11 12 13 14")
    scene = match(*hands, next_starter="rotate").play("0↺")
    assert not scene.clockwise
    assert scene.turn == 2
    scene.play("clear")
    assert scene.clockwise
    assert [scene.ordinary_turn() for _ in range(2)] == [1, 2]


# --- Who begins -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("totals", "starter"),
    [
        *(((0, 0, 0), 2), ((10, 30, 20), 1), ((30, 10, 10), 0), ((10, 10, 30), 2)),
        ((20, 10, 18), 0),  # 24 against 23, though seat 2 has more of this round
        ((0, 6, 0), 1),  # 6 against 5, though he has none of this round
    ],
)
def test_who_has_the_most_flies_in_the_match_begins_the_next_round(totals, starter):
    for first in range(3):
        hands = np.roll(np.array(FOUR_NONE_FIVE), first).tolist()
        scene = match(*hands, totals=tuple(np.roll(totals, first).tolist()), starter=first)
        play_round(scene)
        assert scene.turn == scene.starter == (starter + first) % 3


@pytest.mark.parametrize("first", range(4))
def test_the_starter_rotates_by_the_switch(first):
    """Clockwise from who began the last round, whoever has the most flies or has ended it."""
    hands = (*FOUR_NONE_FIVE, FOURTH_HAND)
    scene = match(*hands, totals=(0, 0, 0, 60), starter=first, next_starter="rotate")
    begun = []
    for _ in range(3):
        play_round(scene)
        assert scene.turn == scene.starter
        begun.append(scene.starter)
    assert begun == [(first + place) % 4 for place in (1, 2, 3)]


def test_the_starter_rotates_clockwise_whatever_the_direction():
    hands = ("0 1 2 3 4*", "5 6 7 8 9", "10 11 12 13 14")
    assert match(*hands, next_starter="rotate").play("0↺", "clear").starter == 1


def next_starters(totals: tuple[int, ...], count: int = 600, **switches: Any) -> list[int]:
    """How often each of three seats begins the second round, over many tables."""
    scene = match(*FOUR_NONE_FIVE, **switches)
    tables = Tables("mow", count, 3, rules=scene.tables.rules)
    tables.reset(seed=9, deck=scene.row.deck[:15], first=0)
    tables.rows["total"][:, :3] = totals
    for action in ("1", "clear"):
        tables.step(np.full(count, ACTIONS.index(action)))
    assert (tables.rows["rounds"] == 1).all()
    return np.bincount(tables.turn, minlength=3).tolist()


@pytest.mark.parametrize(
    ("totals", "most"),
    [
        ((26, 30, 20), {0, 1}),
        ((31, 10, 30), {0, 2}),
        ((0, 30, 25), {1, 2}),
        ((10, 14, 9), {0, 1, 2}),
    ],
)
def test_ties_for_the_most_flies_are_drawn_evenly(totals, most):
    counts = next_starters(totals)
    # 300 or 200 expected, standard deviation 12.
    for seat in range(3):
        expected = 600 / len(most) if seat in most else 0
        assert abs(counts[seat] - expected) <= 60 * (seat in most)


def test_any_seat_may_begin_by_the_switch_whatever_the_flies():
    counts = next_starters((0, 60, 0), next_starter="random")
    assert np.abs(np.array(counts) - 200).max() < 60


def test_the_draws_of_two_rounds_are_two_draws():
    """Who begins the second round does not follow from who began the first."""
    scene = match(*FOUR_NONE_FIVE, next_starter="random")
    tables = Tables("mow", 900, 3, rules=scene.tables.rules)
    tables.reset(seed=9, deck=scene.row.deck[:15])
    first = tables.turn.copy()
    tables.step(tables.masks.argmax(axis=1))
    tables.step(np.full(900, ACTIONS.index("clear")))
    assert (tables.rows["rounds"] == 1).all()
    pairs = np.bincount(3 * first.astype(int) + tables.turn, minlength=9)
    assert np.abs(pairs - 100).max() < 60


# --- The end of a match ---------------------------------------------------------------------------


@pytest.mark.parametrize("target", [1, 50, 99, 100, 101, 181])
def test_mow_34_the_match_ends_when_somebody_has_as_many_flies_as_the_target(target):
    """Seat 2 gets 5 flies, so that it reaches the target exactly or misses it by one."""
    if target > 5:
        missed = play_round(match(*FOUR_NONE_FIVE, totals=(0, 0, target - 6), target=target))
        assert not missed.over
        assert missed.totals == [4, 0, target - 1]
        assert missed.seen["must_open"]
    reached = match(*FOUR_NONE_FIVE, totals=(0, 0, max(0, target - 5)), target=target)
    assert play_round(reached).over
    assert reached.totals == [4, 0, max(target, 5)]


@pytest.mark.parametrize("preset", ["standard", "letter", "common"])
@pytest.mark.parametrize("seat", range(3))
def test_mow_34_a_hundred_by_default_whoever_has_them(preset, seat):
    gets = (4, 0, 5)[seat]
    totals = [0, 0, 0]
    totals[seat] = 99 - gets
    assert not play_round(match(*FOUR_NONE_FIVE, totals=tuple(totals), preset=preset)).over
    totals[seat] = 100 - gets
    scene = play_round(match(*FOUR_NONE_FIVE, totals=tuple(totals), preset=preset))
    assert scene.over
    assert scene.totals[seat] == 100


def test_mow_34_it_ends_at_the_end_of_a_round_only():
    scene = after("8 5* 12** 0 +a", hand="1 2 3 4 6", episode="match").total_is(99, 99)
    scene.play("clear")
    assert scene.flies == [0, 13]
    assert not scene.over


def test_mow_34_a_total_far_beyond_the_target_is_noted_whole():
    hands = ("1 2 3 4 5", "16 0 (7) (9) +a")
    scene = play_round(match(*hands, totals=(0, 180), target=181))
    assert scene.over
    assert scene.totals == [0, 205]


@pytest.mark.parametrize(
    ("hands", "totals", "final", "scores"),
    [
        (FOUR_NONE_FIVE, (96, 50, 40), [100, 50, 45], [-1 / 2, -1 / 2, 1]),
        (FOUR_NONE_FIVE, (20, 50, 95), [24, 50, 100], [1, -1 / 2, -1 / 2]),
        # Two have 100 at once; the third has fewer.
        (FOUR_NONE_FIVE, (96, 50, 95), [100, 50, 100], [-1 / 2, 1, -1 / 2]),
        (FOUR_NONE_FIVE, (99, 98, 99), [103, 98, 104], [-1 / 2, 1, -1 / 2]),
        # All have 100 and more.
        (FOUR_ONE_FIVE, (99, 99, 99), [103, 100, 104], [-1 / 2, 1, -1 / 2]),
        (FOUR_ONE_FIVE[:2], (97, 99), [101, 100], [-1, 1]),
        (FOUR_ONE_FIVE[:2], (96, 50), [100, 51], [-1, 1]),
        ((*FOUR_NONE_FIVE, FOURTH_HAND), (0, 99, 99, 99), [4, 99, 104, 99], [1, *[-1 / 3] * 3]),
    ],
)
def test_mow_35_the_fewest_flies_win(hands, totals, final, scores):
    scene = play_round(match(*hands, totals=totals))
    assert scene.over
    assert scene.totals == final
    assert scene.scores == pytest.approx(scores)


@pytest.mark.parametrize(
    ("hands", "totals", "final", "scores"),
    [
        # k tied winners of n get (1 - (k-1)/(n-1)) / k each, the others -1/(n-1).
        (FOUR_NONE_FIVE, (96, 60, 55), [100, 60, 60], [-1 / 2, 1 / 4, 1 / 4]),
        (FOUR_NONE_FIVE, (56, 60, 95), [60, 60, 100], [1 / 4, 1 / 4, -1 / 2]),
        (FOUR_ONE_FIVE, (96, 99, 95), [100, 100, 100], [0, 0, 0]),
        (FOUR_ONE_FIVE[:2], (96, 99), [100, 100], [0, 0]),
        (
            *((*FOUR_NONE_FIVE, FOURTH_HAND), (96, 60, 55, 61), [100, 60, 60, 61]),
            [-1 / 3, 1 / 3, 1 / 3, -1 / 3],
        ),
        (
            *((*FOUR_NONE_FIVE, FOURTH_HAND), (96, 60, 55, 60), [100, 60, 60, 60]),
            [-1 / 3, 1 / 9, 1 / 9, 1 / 9],
        ),
    ],
)
def test_mow_35_ties_for_the_fewest_flies_share_the_win(hands, totals, final, scores):
    scene = play_round(match(*hands, totals=totals))
    assert scene.over
    assert scene.totals == final
    assert scene.scores == pytest.approx(scores)


def test_after_a_match_nothing_is_dealt():
    scene = play_round(match(*FOUR_NONE_FIVE, totals=(96, 50, 40)))
    assert [scene.hand(seat) for seat in range(3)] == [set()] * 3
    assert scene.flies == [4, 0, 5]
    assert not scene.seen["must_open"]
    assert scene.tables.masks.all()


@pytest.mark.parametrize("players", range(2, 6))
def test_mow_34_mow_35_whole_matches_by_an_independent_count(players):
    tables = Tables("mow", 6, players)
    tables.reset(seed=20 + players)
    history = [np.zeros((6, players), int)]

    def watch() -> None:
        view = tables.state_layout.view(tables.states())
        if (view["total_flies"] != history[-1]).any():
            history.append(view["total_flies"].astype(int))

    play_at_random(tables, players, watch)
    final = history[-1]
    assert (final.sum(axis=1) == 74 * tables.rows["rounds"]).all()
    for table in range(6):
        notes = [totals[table] for totals in history]
        before = [totals for totals in notes if not np.array_equal(totals, final[table])]
        assert max(totals.max() for totals in before) < 100 <= final[table].max()
        first = final[table] == final[table].min()
        k = first.sum()
        share = (1 - (k - 1) / (players - 1)) / k
        assert tables.score[table] == pytest.approx(np.where(first, share, -1 / (players - 1)))


# --- Rewards of a match ---------------------------------------------------------------------------


def test_reward_match_pays_nothing_before_the_end():
    scene = play_round(match(*FOUR_NONE_FIVE))
    assert scene.scores == [0, 0, 0]
    assert play_round(scene).scores == [0, 0, 0]


def test_reward_rounds_pays_every_round_and_no_place():
    # 4, 0 and 5 flies of 9: the mean is 3.
    scene = play_round(match(*FOUR_NONE_FIVE, reward="rounds"))
    assert not scene.over
    assert scene.scores == pytest.approx([-1 / 9, 3 / 9, -2 / 9])
    play_round(scene)
    assert scene.scores == pytest.approx([(6 - total) / 9 for total in scene.totals])
    scene = play_round(match(*FOUR_NONE_FIVE, totals=(96, 50, 40), reward="rounds"))
    assert scene.over
    assert scene.scores == pytest.approx([-1 / 9, 3 / 9, -2 / 9])


def test_reward_rounds_pays_shares_of_the_whole_packs_74_flies():
    tables = Tables("mow", 4, 3, rules=Rules(reward="rounds"))
    tables.reset(seed=11)
    play_at_random(tables, 11)
    totals = tables.state_layout.view(tables.states())["total_flies"].astype(int)
    rounds = tables.rows["rounds"][:, None]
    assert (rounds > 1).any()
    assert tables.score == pytest.approx((74 / 3 * rounds - totals) / 74)

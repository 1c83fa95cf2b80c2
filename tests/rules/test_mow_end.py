"""Mow: hands go to the supplies, flies are counted, and what a round pays."""

import itertools

import numpy as np
import pytest

from cardenv.games.mow import Rules
from cardenv.table import Tables
from tests.rules.mow_scene import Round, after, flies, play_at_random, words

THREE_HANDS = ("8 2* 0 3 4", "9 3** 6 7 5", "10 16 1 11 12")


# --- Counting -------------------------------------------------------------------------------------


def test_mow_32_everyone_puts_the_hand_into_his_own_supply():
    scene = Round(*THREE_HANDS, only=True).play("8", "9", "clear")
    assert scene.over
    assert scene.supplies == [
        words("2* 0 3 4"),
        words("3** 6 7 5"),
        words("8 9 10 16 1 11 12"),  # who clears, beside the row, his hand too
    ]
    assert scene.seen["hand_size"].tolist() == [0, 0, 0]


def test_mow_33_then_the_flies_are_counted_and_noted():
    scene = Round(*THREE_HANDS, only=True).play("8", "9", "clear")
    assert scene.flies == scene.totals == [1 + 5, 2, 5]


def test_mow_27_mow_33_flies_in_the_cleared_row_and_in_hands_count_alike():
    hands = ("8* 2 3 (7) 4", "9** 7*** 10 11 12", "+b 16 1 13* 14*")
    scene = Round(*hands, only=True).play("8*", "9**", "13*", "clear")
    # Seat 0 gets 8*, 9** and 13* with the row, and keeps the coverer.
    assert scene.flies == [4 + 5, 3, 5 + 5 + 1]
    assert [flies(" ".join(supply)) for supply in scene.supplies] == [9, 3, 11]


def test_mow_33_every_number_of_flies_is_counted_in_hands_and_in_the_row():
    """One hand for each number of flies that a card can show, and a row of one of each."""
    hands = ("8 2 3 4 5", "9* 10* 2* 3* 4*", "10** 11** 3** 4** 5**", "7*** 8*** 9*** 11 12")
    scene = Round(*hands, "16 0 (7) (9) +b", only=True)
    scene.play("8", "9*", "10**", "7***", "16", "clear")
    # Seat 0 clears 0 + 1 + 2 + 3 + 5 flies.
    assert scene.flies == [11, 4, 8, 6, 20]


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("latecomer", ["capacity", "one_per_gap", "unlimited"])
def test_mow_33_the_flies_of_a_round_add_up_to_74(players, latecomer):
    """At any time the supplies, the row, the hands and the pile show all of them."""
    tables = Tables("mow", 8, players, rules=Rules(latecomer=latecomer), episode="round")
    tables.reset(seed=players)
    shown = np.array([0] * 15 + [1] * 13 + [2] * 11 + [3] * 3 + [5] * 6)

    def count_all() -> None:
        state = tables.state_layout.view(tables.states())
        assert (state["supply"] @ shown == state["supply_flies"]).all()
        assert (state["row"] @ shown == state["row_flies"]).all()
        everywhere = state["supply"].sum(axis=1) + state["row"] + state["cards"].sum(axis=1)
        assert (everywhere + (state["position"] > 0) == 1).all()

    play_at_random(tables, players, count_all)
    noted = tables.state_layout.view(tables.states())["total_flies"]
    assert (noted.sum(axis=1) == 74).all()
    assert (noted.max(axis=1) > noted.min(axis=1)).any()


@pytest.mark.parametrize(
    ("pack", "total"),
    [
        *((range(12, 24), 9), ((*range(11), 15), 1), ((*range(10), 46, 47), 10)),
        *((range(20, 48), 8 + 22 + 9 + 30), (range(5, 40, 3), 4 + 4 * 2)),
    ],
)
def test_mow_33_the_flies_of_a_small_pack_add_up_to_what_it_shows(pack, total):
    tables = Tables("mow", 8, 2, rules=Rules(pack=tuple(pack)), episode="round")
    tables.reset(seed=8)
    play_at_random(tables, 8)
    own = tables.state_layout.view(tables.states())["supply_flies"].astype(int)
    assert (own.sum(axis=1) == total).all()
    assert tables.score == pytest.approx((total / 2 - own) / total)


# --- What a round pays ----------------------------------------------------------------------------


def test_mow_1_mow_5_flies_are_minus_points():
    """The share of the pack's flies that one has less than the mean of all."""
    scene = Round(*THREE_HANDS, only=True).play("8", "9", "clear")
    # 6, 2 and 5 flies of 13: the mean is 13/3.
    assert scene.scores == pytest.approx([-5 / 39, 7 / 39, -2 / 39])
    assert sum(scene.scores) == pytest.approx(0)


@pytest.mark.parametrize("players", range(2, 6))
def test_mow_1_mow_5_the_fewer_flies_the_better(players):
    tables = Tables("mow", 20, players, episode="round")
    tables.reset(seed=6)
    play_at_random(tables, 6)
    own = tables.state_layout.view(tables.states())["supply_flies"].astype(int)
    assert tables.score == pytest.approx((74 / players - own) / 74)
    for one, other in itertools.permutations(range(players), 2):
        fewer = own[:, one] < own[:, other]
        assert fewer.any()
        assert (tables.score[fewer, one] > tables.score[fewer, other]).all()


def test_nothing_is_paid_before_the_round_ends():
    scene = Round("8 1 2 3 4", "9* 12* 7* 5 6", pile="10 11 13", only=True)
    scene.play("8", "9*", "clear")
    assert scene.scores == [0, 0]
    scene.play("10", "12*", "clear")
    assert scene.over
    # Seat 0 has cleared 9* and then 12*, seat 1 has 7* in hand.
    assert scene.scores == pytest.approx([(1.5 - 2) / 3, (1.5 - 1) / 3])


@pytest.mark.parametrize(
    "switches",
    [{"reward": "rounds"}, {"target": 1}, {"next_starter": "random"}, {"next_starter": "rotate"}],
)
def test_a_single_round_does_not_depend_on_the_switches_of_a_match(switches):
    scene = Round(*THREE_HANDS, only=True, **switches).play("8", "9", "clear")
    assert scene.over
    assert scene.flies == [6, 2, 5]
    assert scene.scores == pytest.approx([-5 / 39, 7 / 39, -2 / 39])


def test_the_table_stays_to_be_seen_after_the_end():
    scene = Round(*THREE_HANDS, only=True).play("8", "9", "clear")
    view = scene.view(1)
    assert view["supply_flies"].tolist() == [2, 5, 6]
    assert not view["hand"].any()
    assert not view["deciding"].any()
    assert not view["must_open"]
    assert scene.tables.masks.all()
    assert not scene.tables.observations.any()


# --- Seats ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 6))
def test_every_seat_may_clear_and_end_the_round(players):
    """Whoever clears with an empty pile ends it, wherever he sits."""
    for starter in range(players):
        hands = ["1 2 3 4 5*", "6 7 8 9 10", "11 12 13 14 15", "6* 7* 8* 9* 10*"]
        hands = [*hands, "2* 3* 4* 11* 12*"][:players]
        scene = Round(*hands, starter=starter, only=True)
        first = hands[starter].split()[0]
        scene.play(first, "clear")
        assert scene.over
        assert first in scene.supplies[(starter + 1) % players]


def test_after_is_what_it_says():
    """The scenes of other files rest on it."""
    scene = after("8 5 12 13", hand="1 2 3", players=3, pile="15 14")
    assert scene.turn == 1
    assert scene.laid == words("8 5 12 13")
    assert scene.hand(1) == words("1 2 3 11 2*")  # 4 6 7 9 10 have gone to seat 0
    assert scene.pile[:2] == ["15", "14"]

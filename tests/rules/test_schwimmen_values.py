"""31: the pack, what hands are worth, and who pays."""

import itertools

import numpy as np
import pytest

from cardenv.games.schwimmen import Rules
from cardenv.table import Tables
from tests.rules.schwimmen_scene import NAMES, Round, cards

SUITS = "♦♥♠♣"


def hand_value(hand: str, **switches: object) -> float:
    """The value of a hand, as its holder sees it right after the deal."""
    others = [name for name in NAMES if name not in hand.split()]
    return Round(hand, " ".join(others[:3]), pile=" ".join(others[3:6]), **switches).value(0)


def test_s31_1_the_pack_is_seven_to_ace_in_four_suits():
    scene = Round("♦7 ♦8 ♦9", "♥7 ♥8 ♥9", pile="♠7 ♠8 ♠9")
    dealt = scene.hand(0) | scene.hand(1) | scene.cards(scene.row.second_pile) | set(scene.talon)
    ranks = ("7", "8", "9", "10", "J", "Q", "K", "A")
    assert dealt == {suit + rank for suit in SUITS for rank in ranks}
    assert len(NAMES) == 32
    assert NAMES[0] == "♦7"
    assert NAMES[14] == "♥K"
    assert NAMES[31] == "♣A"


@pytest.mark.parametrize(("rank", "points"), [("7", 7), ("8", 8), ("9", 9), ("10", 10)])
@pytest.mark.parametrize("suit", SUITS)
def test_s31_8_sevens_to_tens_count_their_number(suit, rank, points):
    second, third = [other for other in SUITS if other != suit][:2]
    assert hand_value(f"{suit}A {suit}{rank} {second}7") == 11 + points
    if rank != "7":
        assert hand_value(f"{suit}{rank} {second}7 {third}7") == points


@pytest.mark.parametrize("rank", ["J", "Q", "K"])
@pytest.mark.parametrize("suit", SUITS)
def test_s31_9_jack_queen_and_king_count_ten(suit, rank):
    other = "♥" if suit != "♥" else "♠"
    assert hand_value(f"{suit}{rank} {suit}7 {other}7") == 17
    assert hand_value(f"{suit}{rank} {suit}A {other}7") == 21


@pytest.mark.parametrize("suit", SUITS)
def test_s31_10_an_ace_counts_eleven(suit):
    other = "♥" if suit != "♥" else "♠"
    assert hand_value(f"{suit}A {suit}7 {other}7") == 18
    assert hand_value(f"{suit}A {other}7 {other}8") == 15


def test_s31_11_only_cards_of_one_suit_add_up_and_the_best_suit_counts():
    assert hand_value("♦7 ♥8 ♠9") == 9
    assert hand_value("♣10 ♦A ♣8") == 18
    assert hand_value("♦A ♥7 ♥8") == 15
    assert hand_value("♦A ♥7 ♠7") == 11
    assert hand_value("♣8 ♣9 ♣10") == 27


def test_s31_12_the_texts_own_examples():
    assert hand_value("♠K ♠8 ♥J") == 18
    assert hand_value("♠K ♠8 ♠J") == 28


@pytest.mark.parametrize("rank", ["7", "8", "9", "10", "J", "Q", "K"])
@pytest.mark.parametrize("missing", SUITS)
def test_s31_14_three_of_one_rank_are_30_and_a_half(rank, missing):
    assert hand_value(" ".join(suit + rank for suit in SUITS if suit != missing)) == 30.5


def test_s31_14_a_pair_is_not_three_of_a_rank():
    assert hand_value("♠7 ♥7 ♦8") == 8
    assert hand_value("♠K ♥K ♠8") == 18


def test_s31_14_three_of_a_rank_beat_30_and_lose_to_31():
    thirty = Round("♠10 ♠J ♠Q", "♥7 ♠7 ♣7", pile="♦9 ♥10 ♣J", stop_after="none")
    assert thirty.play("keep", "stop", "pass").scores == pytest.approx([-0.5, 0.5])
    thirty_one = Round("♠10 ♠J ♠A", "♥7 ♠7 ♣7", pile="♦9 ♥10 ♣J")
    assert thirty_one.play("keep").scores == pytest.approx([0.5, -0.5])


@pytest.mark.parametrize("missing", SUITS)
@pytest.mark.parametrize("aces_value", [31, 32, 33])
def test_s31_15_three_aces_count_as_the_switch_says(missing, aces_value):
    aces = " ".join(suit + "A" for suit in SUITS if suit != missing)
    assert hand_value(aces, aces_value=aces_value) == aces_value


def test_s31_15_three_aces_are_31_by_default_and_laid_down_at_once():
    scene = Round("♦7 ♦8 ♥9", "♥A ♠A ♣A", pile="♦9 ♥10 ♣J").play("keep")
    assert scene.over
    assert scene.scores == pytest.approx([-0.5, 0.5])


@pytest.mark.parametrize("aces_value", [31, 32, 33])
def test_s31_15_three_aces_against_a_suit_of_31(aces_value):
    scene = Round("♣7 ♦8 ♥9", "♥A ♠A ♣A", "♦A ♦K ♦Q", pile="♦9 ♥10 ♣J", aces_value=aces_value)
    scene.play("keep")
    assert scene.scores == pytest.approx([1 / 3 - 1, 1 / 3, 1 / 3])
    scene = Round("♥A ♠A ♣A", "♦A ♦K ♦Q", pile="♦9 ♥10 ♣J", aces_value=aces_value).play("keep")
    assert scene.scores == pytest.approx([0, 0] if aces_value == 31 else [0.5, -0.5])


def test_s31_7_s31_13_the_higher_hand_never_does_worse():
    """The aim of the game: with more points in hand one is never paid less."""
    tables = Tables("schwimmen", 500, 4, episode="round")
    tables.reset(seed=6)
    generator = np.random.default_rng(6)
    while (live := np.flatnonzero(tables.turn >= 0)).size:
        choices = generator.random((len(live), 17)) * tables.masks[live]
        tables.step(choices.argmax(axis=1), live)
    values = np.stack([tables.observe(np.full(500, s)) for s in range(4)], axis=1)
    values = tables.layout.view(values)["hand_value"].astype(int)
    for a, b in itertools.permutations(range(4), 2):
        better = values[:, a] > values[:, b]
        assert better.sum() > 100
        assert (tables.score[better, a] >= tables.score[better, b]).all()


@pytest.mark.bulk
def test_every_hand_of_three_has_the_value_the_rules_give_it():
    """All 4960 hands and the three worths of three aces, counted afresh."""
    hands = list(itertools.combinations(range(32), 3))
    for aces_value in (31, 32, 33):
        tables = Tables("schwimmen", len(hands), 2, rules=Rules(aces_value=aces_value))
        tables.reset(seed=1, deck=[[*hand, *set(range(32)) - set(hand)] for hand in hands])
        views = tables.layout.view(tables.observe(np.zeros(len(hands), int)))
        assert views["hand_value"].tolist() == [half_points(hand, aces_value) for hand in hands]


def half_points(hand, aces_value):
    ranks = {card % 8 for card in hand}
    if len(ranks) == 1:
        return 2 * aces_value if ranks == {7} else 61
    points = (7, 8, 9, 10, 10, 10, 10, 11)
    return 2 * max(sum(points[c % 8] for c in hand if c // 8 == suit) for suit in range(4))


def test_the_values_of_all_exchanges_are_observed():
    scene = Round("♦7 ♦8 ♥9", "♥7 ♥8 ♠9", pile="♦9 ♥10 ♣J").play("keep")
    assert scene.turn == 1
    view = scene.view(1)
    # Hand ♥7 ♥8 ♠9, middle ♦9 ♥10 ♣J; actions 0-8 by hand slot and middle slot, 9 swaps all.
    assert (view["exchange_values"] / 2).tolist() == [9, 18, 10, 9, 17, 10, 15, 25, 15, 10]
    assert view["middle_value"] == 20
    assert cards("♦9 ♥10 ♣J") == scene.middle

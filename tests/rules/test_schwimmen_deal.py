"""31: the deal, the dealer's choice, who begins, and a 31 in the deal."""

import numpy as np
import pytest

from cardenv.games.schwimmen import Rules
from cardenv.table import Tables
from tests.rules.schwimmen_scene import NAMES, WEAK_HANDS, WEAK_PILE, Round, cards, weak_round

TURN = {f"swap hand {i} for middle {j}" for i in (1, 2, 3) for j in (1, 2, 3)}
TURN |= {"swap all", "pass"}
MATCH = {"episode": "match"}


@pytest.mark.parametrize("lives", range(10))
@pytest.mark.parametrize("episode", ["round", "match"])
def test_s31_2_everybody_has_as_many_lives_as_the_switch_says(lives, episode):
    scene = weak_round(4, lives=lives, episode=episode)
    assert scene.lives == [lives] * 4
    assert scene.alive == [0, 1, 2, 3]
    assert scene.view(2)["lives"].tolist() == [lives] * 4


def test_s31_2_three_lives_by_default():
    assert weak_round(2).lives == [3, 3]


@pytest.mark.parametrize("players", range(2, 10))
def test_s31_3_three_cards_each_and_a_second_pile_for_the_dealer(players):
    dealer = players - 2
    deck = list(np.random.default_rng(players).permutation(32))
    tables = Tables("schwimmen", 1, players)
    tables.reset(deck=deck, first=dealer)
    row = tables.row(0)
    blocks = [sum(1 << int(card) for card in deck[i : i + 3]) for i in range(0, 32, 3)]
    assert row.hand[:players].tolist() == blocks[:players]
    assert int(row.second_pile) == blocks[players]
    assert row.deck[row.drawn : 32].tolist() == deck[3 * players + 3 :]
    assert (int(row.middle), int(row.gone)) == (0, 0)
    assert tables.layout.view(tables.observations[0])["talon"] == 32 - 3 * players - 3


def test_s31_3_only_who_is_in_is_dealt_cards():
    """The lowest living seat gets the first block, and so on."""
    scene = Round(
        "♦7 ♥8 ♠9", "♣7 ♦8 ♥9", "♦A ♦K ♦Q", "♣10 ♦J ♥Q", pile="♣K ♣8 ♥A", lives=0, **MATCH
    )
    scene.play("keep")  # Seat 2 lays down at once; seats 0 and 1 hold 9 each and are out.
    assert scene.alive == [2, 3]
    deck = [scene.names[card] for card in scene.row.deck]
    assert [scene.hand(seat) for seat in range(4)] == [set(), set(), {*deck[:3]}, {*deck[3:6]}]
    assert scene.cards(scene.row.second_pile) == {*deck[6:9]}
    assert scene.talon == deck[9:]


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_s31_4_the_dealer_chooses_between_two_piles(dealer):
    scene = Round(*WEAK_HANDS[:3], pile=WEAK_PILE, dealer=dealer)
    assert scene.turn == dealer
    assert scene.legal == {"keep", "change"}
    view = scene.view(dealer)
    assert view["phase"].tolist() == [1, 0, 0, 0, 0]
    assert view["dealer"].tolist() == [1, 0, 0]


def test_s31_4_the_dealer_looks_at_one_pile_only():
    """No seat's observation depends on the second pile before the choice."""
    pictures = []
    for pile, talon in ((WEAK_PILE, "♠A ♠K ♠Q"), ("♠A ♠K ♠Q", WEAK_PILE)):
        scene = Round(*WEAK_HANDS[:3], pile=pile, talon=talon)
        pictures.append([scene.tables.observe(np.array([seat])).tolist() for seat in range(3)])
        assert [
            card for card, is_in in zip(NAMES, scene.view(0)["hand"], strict=True) if is_in
        ] == [*("♦7", "♥8", "♠J")]
    assert pictures[0] == pictures[1]


def test_s31_5_kept_the_other_pile_goes_face_up_to_the_middle():
    scene = Round("♦7 ♥8 ♠9", "♥7 ♠8 ♣9", pile="♣10 ♦J ♥Q").play("keep")
    assert scene.hand(0) == cards("♦7 ♥8 ♠9")
    assert scene.middle == cards("♣10 ♦J ♥Q")
    assert int(scene.row.second_pile) == 0
    assert scene.view(1)["middle"].sum() == 3


def test_s31_6_changed_the_pile_he_looked_at_goes_to_the_middle():
    scene = Round("♦7 ♥8 ♠9", "♥7 ♠8 ♣9", pile="♣10 ♦J ♥Q").play("change")
    assert scene.hand(0) == cards("♣10 ♦J ♥Q")
    assert scene.middle == cards("♦7 ♥8 ♠9")
    assert int(scene.row.second_pile) == 0
    assert not scene.view(1)["known"].any()  # unseen before: nobody knows the new hand
    assert scene.hand(1) == cards("♥7 ♠8 ♣9")


@pytest.mark.parametrize("choice", ["keep", "change"])
def test_the_dealers_choice_is_no_turn_and_takes_nothing_from_the_talon(choice):
    scene = Round(*WEAK_HANDS[:3], pile=WEAK_PILE, dealer=1)
    talon = scene.talon
    scene.play(choice)
    assert scene.talon == talon
    assert scene.view(1)["lap"].tolist() == [0, 0, 0]
    assert scene.view(1)["passes"] == 0


@pytest.mark.parametrize("players", range(2, 10))
def test_s31_16_s31_28_the_dealers_left_begins_and_it_goes_round_the_table(players):
    for dealer in range(players):
        scene = weak_round(players, dealer=dealer)
        seats = []
        for _ in range(2 * players):
            seats.append(scene.turn)
            # A pass by everybody would change the middle, so the first seat swaps.
            scene.play("swap hand 1 for middle 1" if len(seats) % players == 1 else "pass")
        assert seats == [(dealer + 1 + k) % players for k in range(2 * players)]


def test_s31_16_who_is_out_is_passed_over():
    scene = Round(
        "♦7 ♥8 ♠9", "♦A ♦K ♦Q", "♣7 ♦8 ♥9", "♣10 ♦J ♥Q", pile="♣K ♣8 ♥A", lives=0, **MATCH
    )
    scene.play("keep")
    assert scene.alive == [1, 3]
    assert scene.turn == 1  # the deal has passed from seat 0 to the next who is in
    scene.play("keep")
    assert scene.turn == 3
    scene.play("pass")
    assert scene.turn == 1


@pytest.mark.bulk
def test_the_first_dealer_is_drawn_evenly():
    for players in (2, 5, 9):
        tables = Tables("schwimmen", 9000, players)
        tables.reset(seed=5)
        counts = np.bincount(tables.rows["dealer"], minlength=players)
        assert np.abs(counts - 9000 / players).max() < 6 * np.sqrt(9000 / players)
        assert (tables.turn == tables.rows["dealer"]).all()


def test_the_deal_passes_clockwise_among_those_who_are_in():
    scene = Round(*WEAK_HANDS[:4], pile=WEAK_PILE, dealer=2, stop_after="none", **MATCH)
    dealers = []
    for _ in range(5):
        dealers.append(int(scene.row.dealer))
        before = scene.row.rounds
        scene.play("keep")
        while scene.row.rounds == before:
            scene.play("stop" if "stop" in scene.legal else "pass")
    assert dealers == [2, 3, 0, 1, 2]


def test_each_round_of_a_match_uses_the_whole_pack_in_a_new_order():
    scene = weak_round(2, stop_after="none", **MATCH)
    first = scene.row.deck.tolist()
    scene.play("stop", "pass")
    assert sorted(scene.row.deck.tolist()) == list(range(32))
    assert scene.row.deck.tolist() != first
    assert len(scene.talon) == 32 - 9


# --- A 31 in the deal -----------------------------------------------------------------------------


@pytest.mark.parametrize("hand", ["♠A ♠K ♠Q", "♠A ♠10 ♠J", "♦A ♥A ♣A"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_s31_24_s31_26_a_dealt_31_ends_the_round_at_once(hand, seat):
    hands = ["♦7 ♥8 ♠9", "♥7 ♠8 ♣9", "♣7 ♦8 ♥9"]
    hands[seat] = hand
    scene = Round(*hands, pile="♣10 ♦J ♥Q").play("keep")
    assert scene.over
    assert scene.scores == pytest.approx([2 / 3 if s == seat else -1 / 3 for s in range(3)])
    assert scene.view(0)["lap"].tolist() == [0, 0, 0]


def test_s31_26_a_31_in_the_dealt_hand_waits_for_the_dealers_choice():
    scene = Round("♦7 ♥8 ♠9", "♠A ♠K ♠Q", pile="♣10 ♦J ♥Q")
    assert scene.turn == 0
    assert scene.legal == {"keep", "change"}


def test_s31_26_a_dealer_may_change_his_31_away():
    scene = Round("♠A ♠K ♠Q", "♦7 ♥8 ♠9", pile="♣10 ♦J ♥Q").play("change")
    assert not scene.over
    assert scene.turn == 1
    assert scene.middle == cards("♠A ♠K ♠Q")


def test_s31_26_a_31_in_the_second_pile_is_laid_down_after_the_change():
    scene = Round("♦7 ♥8 ♠9", "♥7 ♠8 ♣9", pile="♠A ♠K ♠Q").play("change")
    assert scene.over
    assert scene.scores == pytest.approx([0.5, -0.5])
    assert not Round("♦7 ♥8 ♠9", "♥7 ♠8 ♣9", pile="♠A ♠K ♠Q").play("keep").over


@pytest.mark.parametrize("dealer", range(4))
def test_s31_26_dealt_31s_come_from_the_dealers_left_the_dealer_last(dealer):
    hands = ("♦A ♦K ♦Q", "♥A ♥K ♥Q", "♠A ♠K ♠Q", "♣A ♣K ♣Q")
    scene = Round(*hands, pile="♣10 ♦J ♥8", dealer=dealer, reveal="choice").play("keep")
    assert scene.turn == (dealer + 1) % 4
    assert scene.legal == {"lay down", "hold"}
    assert scene.view(0)["phase"].tolist() == [0, 1, 0, 0, 0]
    scene = Round("♦7 ♥8 ♠9", "♠A ♠K ♠Q", "♣7 ♦8 ♥9", pile="♣10 ♦J ♥Q", dealer=1, reveal="choice")
    assert scene.play("keep").turn == 1


def test_several_dealt_31s_are_compared_as_usual():
    scene = Round("♦A ♦K ♦Q", "♥A ♥K ♥Q", "♣7 ♦8 ♥9", pile="♣10 ♦J ♥8").play("keep")
    assert scene.scores == pytest.approx([1 / 3, 1 / 3, -2 / 3])
    scene = Round("♦A ♦K ♦Q", "♥A ♥K ♥Q", pile="♣10 ♦J ♥8").play("keep")
    assert scene.over
    assert scene.scores == pytest.approx([0, 0])
    assert scene.lives == [2, 2]


def test_a_31_in_the_middle_does_nothing_by_itself():
    scene = Round("♦7 ♥8 ♠9", "♥7 ♠8 ♣9", pile="♠A ♠K ♠Q").play("keep")
    assert scene.turn == 1
    assert scene.legal == TURN
    assert scene.play("swap all").over
    assert scene.scores == pytest.approx([-0.5, 0.5])


def test_presets_are_the_published_ones():
    assert Rules.preset("standard") == Rules()
    assert Rules.preset("letter") == Rules(reveal="choice")
    assert Rules.preset("common") == Rules(aces_value=33, fire=True)

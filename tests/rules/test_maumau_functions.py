"""Mau-Mau: eights, aces, jacks and the king of hearts; and what they do as the last card."""

import pytest

from cardenv.cards import SUIT_SIGNS
from tests.rules.maumau_scene import JACKS, Round, card_of, cards, words

several = pytest.mark.parametrize("players", range(2, 6))
three_and_more = pytest.mark.parametrize("players", range(3, 6))


@pytest.mark.parametrize("card", ["♥7", "♥8", "♥A", "♥J→♥", "♥K"])
def test_mau_12_some_cards_speed_things_up_or_slow_them_down(card):
    """The seven asks, the eight and the king skip, the ace goes on, the jack names."""
    plain = Round("♥9 ♦9 ♥Q", "", "", top="♥10").play("♥9")
    special = Round(f"{card_of(card)} ♦9 ♥Q", "", "", top="♥10").play(card)
    positions = [(s.turn, s.open_draws, s.wish, s.sizes) for s in (plain, special)]
    assert positions[0] == (1, 0, None, [2, 3, 3])
    assert positions[1] != positions[0]


@pytest.mark.parametrize("card", ["♥9", "♥10", "♥Q", "♦K", "♠K", "♣K"])
@several
def test_mau_12_all_other_cards_do_nothing(card, players):
    top = f"{card[0]}A"
    scene = Round(f"{card} ♦9", *[""] * (players - 1), top=top).play(card)
    assert (scene.turn, scene.open_draws, scene.wish) == (1, 0, None)
    assert scene.sizes == [1, *[2] * (players - 1)]


# --- Eights ---------------------------------------------------------------------------------------


@three_and_more
@pytest.mark.parametrize("eight", [f"{suit}8" for suit in SUIT_SIGNS])
def test_mau_16_after_an_eight_the_next_player_sits_out(eight, players):
    for begins in range(players):
        hands = [""] * players
        hands[begins] = f"{eight} ♦9"
        scene = Round(*hands, top=f"{eight[0]}10", dealer=(begins - 1) % players).play(eight)
        assert scene.turn == (begins + 2) % players
        assert scene.sizes == [2 - (seat == begins) for seat in range(players)]
        assert scene.open_draws == 0


@three_and_more
def test_mau_16_eight_on_eight_makes_the_next_one_sit_out(players):
    hands = ["♥8 ♦9", "", "♠8 ♦10", "", ""][:players]
    scene = Round(*hands, top="♥10").play("♥8", "♠8")
    assert scene.turn == 4 % players


@three_and_more
def test_mau_16_who_sat_out_has_his_next_turn_as_usual(players):
    scene = Round("♥8 ♦9", *[""] * (players - 1), top="♥10").play("♥8")
    order = [seat % players for seat in range(2, players + 2)]
    assert scene.all_draw(players) == order


@pytest.mark.parametrize("begins", [0, 1])
def test_mau_16_with_two_players_the_same_player_goes_on_with_a_new_turn(begins):
    """He may draw, and there is nothing to end."""
    hands = ["♥9 ♥10 ♥Q"] * 2
    hands[begins] = "♠8 ♥8 ♣9"
    scene = Round(*hands, top="♠10", dealer=1 - begins).play("♠8")
    assert scene.turn == begins
    assert scene.legal == words("♥8 draw")
    scene.play("♥8")
    assert scene.turn == begins
    assert scene.legal == {"draw"}
    assert scene.play("draw").turn == 1 - begins


@pytest.mark.parametrize("play_after_draw", ["drawn", "any"])
def test_mau_16_with_two_players_the_new_turn_may_draw_again(play_after_draw):
    settings = {"talon": "♠8 ♠9", "play_after_draw": play_after_draw}
    scene = Round("♥9 ♥10", "", top="♠10", **settings).play("draw", "♠8")
    assert scene.turn == 0
    assert scene.legal == {"draw"}
    assert scene.play("draw").legal == words("♠9 end")


# --- The king of hearts ---------------------------------------------------------------------------


@several
@pytest.mark.parametrize("king_wish", [False, True])
def test_mau_20_the_next_player_takes_three_at_once_and_does_not_play(players, king_wish):
    """He holds hearts, which would fit, and is not asked."""
    hands = ["♥K ♦9", "♥9 ♥10", *[""] * (players - 2)]
    scene = Round(*hands, top="♥Q", talon="♣9 ♣10 ♣Q ♣A", king_wish=king_wish)
    scene.play("♥K→♦" if king_wish else "♥K")
    assert scene.hand(1) == cards("♥9 ♥10 ♣9 ♣10 ♣Q")
    assert scene.sizes == [1, 5, *[2] * (players - 2)]
    assert scene.turn == 2 % players
    assert scene.open_draws == 0
    assert scene.talon[0] == "♣A"


def test_mau_21_there_is_no_countering_with_a_seven():
    scene = Round("♥K ♦9", "♥7 ♦7", "♠7 ♣7", top="♥Q").play("♥K")
    assert scene.sizes == [1, 5, 2]
    assert scene.turn == 2
    assert scene.legal == {"draw"}  # no seven asks for anything


def test_mau_20_with_two_players_the_same_player_goes_on_with_a_new_turn():
    scene = Round("♥K ♥8 ♠9", "♥9 ♥10 ♦9", top="♥Q", talon="♣9 ♣10 ♣Q ♣A").play("♥K")
    assert scene.turn == 0
    assert scene.legal == words("♥8 draw")
    assert scene.hand(1) == cards("♥9 ♥10 ♦9 ♣9 ♣10 ♣Q")
    scene.play("♥8")
    assert scene.turn == 0
    assert scene.play("draw").turn == 1


def test_mau_24_with_two_players_the_king_names_a_suit_for_its_own_player():
    scene = Round("♥K ♠9 ♥9", "", top="♥Q", king_wish=True).play("♥K→♠")
    assert scene.turn == 0
    assert scene.legal == words("♠9 draw")


@pytest.mark.parametrize(("talon", "comes"), [("♣9 ♣10", "♣9 ♣10 ♥Q"), ("♣9", "♣9 ♥Q"), ("", "♥Q")])
def test_mau_20_the_king_makes_draw_what_there_is_and_takes_the_discarded_cards_back(talon, comes):
    """Below the king lies the start card."""
    scene = Round("♥K ♦9", "♥9 ♥10", "♠9 ♥8", top="♥Q", talon=talon, only=True).play("♥K")
    assert scene.hand(1) == cards(f"♥9 ♥10 {comes}")
    assert (scene.turn, scene.top, scene.discarded, scene.talon) == (2, "♥K", [], [])
    assert scene.legal == words("♥8 draw")


def test_mau_20_a_wish_of_the_king_is_kept_when_the_discarded_cards_are_shuffled():
    settings = {"top": "♥Q", "king_wish": True, "only": True}
    scene = Round("♥K ♦9", "♥9 ♥10", "♠9 ♥8", **settings).play("♥K→♠")
    assert (scene.top, scene.wish) == ("♥K", "♠")
    assert scene.legal == words("♠9 draw")


# --- Aces -----------------------------------------------------------------------------------------


@several
def test_mau_17_the_ace_lets_its_player_lay_one_more_card_or_end(players):
    """The card must match; drawing is not legal."""
    hand = "♥A ♥9 ♥10 ♠9 ♣J"
    hands = [hand, *[""] * (players - 1)]
    scene = Round(*hands, top="♥Q").play("♥A")
    assert scene.turn == 0
    assert scene.seen["after_ace"]
    assert scene.legal == words("♥9 ♥10 ♣J→* end")
    assert scene.refuses("draw")
    scene.play("♥9")
    assert scene.turn == 1
    assert not scene.seen["after_ace"]
    ended = Round(*hands, top="♥Q").play("♥A", "end")
    assert ended.turn == 1
    assert ended.hand(0) == cards("♥9 ♥10 ♠9 ♣J")
    assert (ended.top, ended.suit) == ("♥A", "♥")


def test_mau_17_one_more_card_and_no_second():
    scene = Round("♥A ♥9 ♥10", "", top="♥Q").play("♥A", "♥9")
    assert scene.turn == 1
    assert "end" not in scene.legal


def test_mau_17_ace_on_ace_goes_on():
    scene = Round("♥A ♠A ♦A ♦9 ♠10", "", top="♥Q").play("♥A")
    assert scene.legal == words("♠A ♦A end")
    scene.play("♠A")
    assert (scene.turn, scene.legal) == (0, words("♦A ♠10 end"))
    scene.play("♦A")
    assert (scene.turn, scene.legal) == (0, words("♦9 end"))
    assert scene.play("♦9").turn == 1


@several
def test_mau_17_when_nothing_fits_after_an_ace_the_turn_ends_by_itself(players):
    scene = Round("♥A ♠9 ♦10", *[""] * (players - 1), top="♥Q").play("♥A")
    assert scene.turn == 1
    assert scene.sizes[0] == 2
    assert not scene.seen["after_ace"]
    assert "draw" in scene.legal
    assert "end" not in scene.legal


def test_mau_17_after_the_second_ace_it_ends_by_itself_too():
    assert Round("♥A ♠A ♦9", "", top="♥Q").play("♥A", "♠A").turn == 1


@pytest.mark.parametrize(
    ("more", "position"),
    [
        *(("♥7", (1, 2, None, [1, 3, 3])), ("♥8", (2, 0, None, [1, 3, 3]))),
        *(("♥K", (2, 0, None, [1, 6, 3])), ("♠J→♦", (1, 0, "♦", [1, 3, 3]))),
    ],
)
def test_mau_17_the_card_after_an_ace_has_its_effect(more, position):
    """Who is next, what a seven asks, what is wished, and how many cards each holds."""
    scene = Round(f"♥A {card_of(more)} ♣9", "", "", top="♥Q").play("♥A", more)
    assert (scene.turn, scene.open_draws, scene.wish, scene.sizes) == position


def test_mau_17_another_players_ace_gives_the_next_one_nothing():
    scene = Round("♥A ♥9", "♥10 ♥8 ♣9", top="♥Q").play("♥A", "end")
    assert scene.legal == words("♥10 ♥8 draw")
    assert scene.play("♥10").turn == 0


def test_mau_17_an_ace_under_a_wish_is_matched_by_its_own_suit_and_rank():
    hands = ("♠J ♣8 ♣10 ♣K", "♥A ♥9 ♦A ♠9")
    scene = Round(*hands, top="♠Q").play("♠J→♥", "♥A")
    assert (scene.turn, scene.wish) == (1, None)
    assert scene.legal == words("♥9 ♦A end")


# --- Jacks ----------------------------------------------------------------------------------------


@several
@pytest.mark.parametrize("wish", SUIT_SIGNS)
@pytest.mark.parametrize("jack", JACKS)
def test_mau_19_its_player_names_the_suit_and_the_next_seat_is_to_follow(jack, wish, players):
    scene = Round(f"{jack} ♦9", *[""] * (players - 1), top="♣10").play(f"{jack}→{wish}")
    assert (scene.turn, scene.top, scene.suit, scene.wish) == (1, jack, wish, wish)
    assert scene.sizes == [1, *[2] * (players - 1)]
    assert jack not in scene.hand(0)


def test_mau_19_all_four_suits_are_there_to_be_named():
    scene = Round("♠J ♥J", "", top="♣10")
    assert scene.legal == words("♠J→* ♥J→* draw")


# --- The last card --------------------------------------------------------------------------------


@several
@pytest.mark.parametrize("card", ["♥9", "♥7", "♥8", "♥A", "♥J→♥", "♥K"])
def test_mau_4_the_last_card_wins_at_once_and_its_effect_is_void(card, players):
    """Nobody draws, nobody is asked, and nothing is left open."""
    scene = Round(card_of(card), *[""] * (players - 1), top="♥10", hand_size=1).play(card)
    assert scene.over
    assert scene.scores == pytest.approx([1, *[-1 / (players - 1)] * (players - 1)])
    assert scene.sizes == [0, *[1] * (players - 1)]
    assert (scene.top, scene.wish, scene.open_draws) == (card_of(card), None, 0)
    assert not scene.seen["after_ace"]


def test_a_last_jack_names_nothing():
    """Only its own suit is legal as the wish, and it is no wish."""
    for jack in JACKS:
        scene = Round(jack, "", top="♣10")
        assert scene.legal == {f"{jack}→{jack[0]}", "draw"}
        scene.play(f"{jack}→{jack[0]}")
        assert scene.over
        assert (scene.suit, scene.wish) == (jack[0], None)


def test_mau_24_a_last_king_of_hearts_names_nothing():
    scene = Round("♥K", "", "", top="♥10", king_wish=True)
    assert scene.legal == words("♥K→♥ draw")
    scene.play("♥K→♥")
    assert scene.over
    assert scene.wish is None
    assert scene.sizes == [0, 1, 1]
    assert Round("♥K", "", top="♥10").legal == words("♥K draw")


def test_a_jack_that_is_not_the_last_card_names_any_suit():
    assert Round("♠J ♣9", "", top="♦10").legal == words("♠J→* draw")


def test_mau_17_ace_on_ace_on_ace_to_the_end_wins():
    scene = Round("♥A ♠A ♦A", "", "", top="♥Q").play("♥A", "♠A")
    assert (scene.turn, scene.legal) == (0, words("♦A end"))
    scene.play("♦A")
    assert scene.over
    assert scene.scores == [1, -1 / 2, -1 / 2]


@pytest.mark.parametrize("last", ["♥7", "♥8", "♥K", "♥10", "♥J→♥"])
def test_mau_4_mau_17_the_last_card_may_come_after_an_ace(last):
    scene = Round(f"♥A {card_of(last)}", "", "", top="♥Q").play("♥A", last)
    assert scene.over
    assert scene.sizes == [0, 2, 2]


def test_a_last_jack_after_an_ace_names_nothing_either():
    scene = Round("♥A ♠J", "", "", top="♥Q").play("♥A")
    assert scene.legal == words("♠J→♠ end")


def test_mau_4_a_last_seven_on_an_open_seven_wins_and_nobody_takes():
    scene = Round("♦9 ♦7", "♦10 ♥7", "", top="♦K", talon="♣9").play("draw", "♦10", "draw", "♦7")
    assert (scene.turn, scene.open_draws) == (1, 2)
    scene.play("♥7")
    assert scene.over
    assert scene.scores == [-1 / 2, 1, -1 / 2]
    assert scene.sizes == [2, 0, 3]

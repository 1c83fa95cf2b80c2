"""Mau-Mau with two packs: equal cards, eight sevens, two kings of hearts, up to ten players."""

import pytest

from tests.rules.maumau_scene import NAMES, Round, cards, words

more_than_five = pytest.mark.parametrize("players", range(6, 11))

# --- Each card is there twice ---------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 11))
def test_mau_23_each_card_is_there_twice(players):
    scene = Round(*[""] * players, decks=2)
    held = [card for hand in scene.hands for card in hand]
    everywhere = cards(" ".join([*held, scene.top, *scene.talon]))
    assert everywhere == [card for card in NAMES for _ in range(2)]
    assert scene.sizes == [5] * players


def test_mau_23_equal_cards_share_an_action_and_one_of_them_is_laid():
    scene = Round("♥9 ♥9 ♠10", "", top="♥Q", decks=2)
    assert scene.seen["hand"].max() == 2
    assert scene.legal == words("♥9 draw")
    scene.play("♥9")
    assert scene.hand(0) == cards("♥9 ♠10")
    assert (scene.top, scene.turn, scene.sizes) == ("♥9", 1, [2, 3])


def test_mau_23_a_card_lies_on_its_equal():
    scene = Round("♥9 ♠10", "♥9 ♣10", top="♥Q", decks=2).play("♥9")
    assert scene.legal == words("♥9 draw")
    scene.play("♥9")
    assert (scene.top, scene.discarded) == ("♥9", ["♥9", "♥Q"])


def test_mau_23_both_of_equal_cards_are_seen_among_the_discarded():
    scene = Round("♥9 ♥A ♦A", "♥9 ♥8 ♦8", top="♥Q", decks=2).play("♥9", "♥9", "♥A", "end")
    assert scene.discarded == cards("♥9 ♥9 ♥Q")


def test_mau_23_drawing_the_equal_of_a_card_in_hand_gives_two_of_it():
    scene = Round("♥9 ♠10", "", top="♥Q", talon="♠10", decks=2).play("draw")
    assert scene.hand(0) == cards("♥9 ♠10 ♠10")
    assert scene.sizes[0] == 3


def test_mau_22_mau_23_the_drawn_card_may_be_laid_though_he_holds_its_equal():
    settings = {"talon": "♥9", "decks": 2, "play_after_draw": "drawn"}
    scene = Round("♥9 ♥10", "", top="♥Q", **settings).play("draw")
    assert scene.legal == words("♥9 end")
    assert scene.play("♥9").hand(0) == cards("♥9 ♥10")


def test_mau_23_the_last_two_cards_may_be_equal():
    """The first of them is not the last card: it wins nothing, and a jack names any suit."""
    scene = Round("♥9 ♥9", "", top="♥Q", decks=2).play("♥9")
    assert not scene.over
    assert scene.hand(0) == ["♥9"]
    scene.play("draw", "♥9")
    assert scene.over
    scene = Round("♠J ♠J", "", top="♥Q", decks=2)
    assert scene.legal == words("♠J→* draw")
    scene.play("♠J→♥", "draw")
    assert scene.legal == words("♠J→♠ draw")


def test_mau_10_mau_23_two_equal_cards_are_two_cards_for_the_call():
    settings = {"top": "♥Q", "decks": 2, "mau_call": "action", "talon": "♣9 ♣10"}
    scene = Round("♥9 ♥9", "", **settings)
    assert scene.legal == words("♥9 draw mau")
    assert scene.play("♥9").hand(0) == cards("♥9 ♣9 ♣10")
    scene = Round("♥9 ♥9 ♥10", "", **settings)
    assert "mau" not in scene.legal


def test_mau_17_mau_23_an_ace_lies_on_its_equal_and_goes_on():
    scene = Round("♥A ♥A ♠9", "", top="♥Q", decks=2).play("♥A")
    assert scene.legal == words("♥A end")
    assert scene.play("♥A").turn == 1  # nothing fits any more


# --- Two kings of hearts --------------------------------------------------------------------------


def test_mau_20_mau_23_a_king_of_hearts_on_a_king_of_hearts():
    """Each makes the seat after its player draw three and sit out."""
    scene = Round("♥K ♦9", "", "♥K ♦10", "", top="♥Q", decks=2).play("♥K")
    assert (scene.turn, scene.sizes) == (2, [1, 5, 2, 2])
    assert scene.legal == words("♥K draw")
    scene.play("♥K")
    assert (scene.turn, scene.sizes) == (0, [1, 5, 1, 5])


def test_mau_20_mau_23_one_player_may_hold_both():
    scene = Round("♥K ♥K ♦9", "", top="♥Q", decks=2).play("♥K")
    assert (scene.turn, scene.sizes) == (0, [2, 6])
    scene.play("♥K")
    assert (scene.turn, scene.sizes) == (0, [1, 9])


@pytest.mark.parametrize(("wish", "fits"), [("♦", False), ("♠", False), ("♣", False), ("♥", True)])
def test_mau_23_mau_24_the_other_king_of_hearts_follows_a_wish_for_hearts_alone(wish, fits):
    settings = {"top": "♥Q", "decks": 2, "king_wish": True}
    scene = Round("♥K ♦10", "", "♥K ♠Q", **settings).play(f"♥K→{wish}")
    assert scene.turn == 2
    assert ("♥K→♦" in scene.legal) == fits


def test_mau_23_mau_25_at_any_time_it_goes_under_any_wish():
    settings = {"top": "♥Q", "decks": 2, "king_wish": True, "actions_wild": True}
    scene = Round("♥K ♦10", "", "♥K ♠Q", **settings).play("♥K→♣")
    assert scene.legal == words("♥K→* draw")


def test_mau_23_mau_24_two_kings_of_hearts_are_not_a_last_one():
    scene = Round("♥K ♥K", "", "", top="♥Q", decks=2, king_wish=True)
    assert scene.legal == words("♥K→* draw")


# --- Jacks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("jack_on_jack", [True, False])
def test_mau_18_mau_23_a_jack_on_its_equal_is_a_jack_on_a_jack(jack_on_jack):
    settings = {"top": "♠J", "decks": 2, "jack_on_jack": jack_on_jack}
    scene = Round("♠J ♠9", "", **settings)
    assert scene.legal == words("♠J→* ♠9 draw" if jack_on_jack else "♠9 draw")


# --- Eight sevens ---------------------------------------------------------------------------------

EIGHT_SEVENS = ["♦7", "♦7", "♥7", "♥7", "♠7", "♠7", "♣7", "♣7"]


@pytest.mark.parametrize("players", range(2, 11))
@pytest.mark.parametrize("length", [5, 8])
def test_mau_15_mau_23_a_chain_of_up_to_eight_sevens(players, length):
    hands = [""] * players
    for place, seven in enumerate(EIGHT_SEVENS):
        hands[place % players] += f" {seven}"
    scene = Round(*hands, top="♦10", hand_size=5, decks=2).play(*EIGHT_SEVENS[:length])
    taker = length % players
    assert (scene.turn, scene.open_draws) == (taker, 2 * length)
    before = scene.sizes
    scene.play("draw")
    before[taker] += 2 * length
    assert scene.sizes == before
    assert (scene.turn, scene.open_draws) == ((taker + 1) % players, 0)


def test_mau_15_mau_23_eight_sevens_and_the_talon_comes_back_in_the_middle_of_the_draw():
    """Ten players leave 13 cards; the start card and seven sevens come back, three are drawn."""
    hands = [*EIGHT_SEVENS, "", ""]
    scene = Round(*hands, top="♦10", hand_size=5, decks=2).play(*EIGHT_SEVENS)
    thirteen, held = scene.talon, scene.hand(8)
    assert len(thirteen) == 13
    came_back = cards(" ".join(["♦10", *EIGHT_SEVENS[:7]]))
    assert scene.discarded == came_back
    scene.play("draw")
    assert scene.sizes[8] == 5 + 16
    drawn = scene.hand(8)
    for card in [*held, *thirteen]:
        drawn.remove(card)
    assert len(drawn) == 3
    assert cards(" ".join([*drawn, *scene.talon])) == came_back
    assert (scene.top, scene.discarded, scene.turn) == ("♣7", [], 9)


# --- The talon comes back -------------------------------------------------------------------------


def test_mau_23_equal_cards_come_back_both_and_the_top_ones_equal_too():
    hands = ("♥9 ♥10 ♥8", "♥9 ♥10 ♥8")
    scene = Round(*hands, top="♥Q", talon="♥Q", decks=2, only=True).play("♥9", "♥9", "♥10", "♥10")
    assert (scene.top, scene.discarded) == ("♥10", cards("♥9 ♥9 ♥10 ♥Q"))
    scene.play("draw", "draw")
    assert scene.hand(0) == cards("♥8 ♥Q")
    (drawn,) = (card for card in scene.hand(1) if card != "♥8")
    assert cards(" ".join([drawn, *scene.talon])) == cards("♥9 ♥9 ♥10 ♥Q")
    assert (scene.top, scene.discarded) == ("♥10", [])


# --- More than five players -----------------------------------------------------------------------


@more_than_five
def test_mau_23_play_goes_round_all_of_them(players):
    scene = Round(*[""] * players, decks=2)
    assert scene.all_draw(players) == [*range(players)]
    assert scene.sizes == [6] * players
    assert scene.all_draw(players) == [*range(players)]


@more_than_five
def test_mau_16_mau_20_mau_23_skipping_goes_on_from_seat_to_seat(players):
    hands = [""] * players
    hands[players - 2], hands[0] = "♥8 ♦9", "♥K ♦10"
    scene = Round(*hands, top="♥Q", decks=2, dealer=players - 3).play("♥8")
    assert scene.turn == 0
    scene.play("♥K")
    assert scene.turn == 2
    assert scene.sizes[1] == 5


@more_than_five
def test_mau_4_mau_23_one_wins_and_the_others_share_the_loss(players):
    scene = Round("♥9", *[""] * (players - 1), top="♥Q", decks=2).play("♥9")
    assert scene.scores == pytest.approx([1, *[-1 / (players - 1)] * (players - 1)])

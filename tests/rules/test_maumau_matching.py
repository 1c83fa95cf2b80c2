"""Mau-Mau: what fits on what: suit and rank, jacks, wishes, and function cards by the switch."""

import pytest

from cardenv.cards import SUIT_SIGNS
from tests.rules.maumau_scene import FUNCTION_CARDS, JACKS, NAMES, Round, card_of, wished, words

PLAIN = [name for name in NAMES if name not in FUNCTION_CARDS]


def laid_by(hand: list[str], top: str, **switches: object) -> set[str]:
    """Return which cards of the whole hand may be laid on the start card ``top``."""
    scene = Round(" ".join(hand), "", top=top, **switches)
    return {card_of(action) for action in scene.legal - {"draw"}}


def all_that_fit(top: str, **switches: object) -> set[str]:
    """Return which of all other cards may be laid on a start card: three hands hold them."""
    others = [name for name in NAMES if name != top]
    hands = (others[:15], others[15:30], others[16:])
    return set.union(*(laid_by(hand, top, **switches) for hand in hands))


# --- Suit and rank --------------------------------------------------------------------------------


@pytest.mark.parametrize("top", NAMES)
def test_mau_5_a_card_matches_the_suit_or_the_rank_of_the_top_card(top):
    same = {name for name in NAMES if name[0] == top[0] or name[1:] == top[1:]}
    assert all_that_fit(top) == {*same, *JACKS} - {top}


def test_mau_6_on_the_nine_of_hearts_any_heart_or_any_nine():
    scene = Round("♥7 ♥8 ♥10 ♥Q ♥K ♥A ♦9 ♠9 ♣9 ♠10 ♣A ♦K", "", top="♥9")
    assert scene.legal == words("♥7 ♥8 ♥10 ♥Q ♥K ♥A ♦9 ♠9 ♣9 draw")


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("card", ["♥9", "♥Q", "♠10"])
def test_mau_7_only_one_card_a_turn(card, players):
    """The others of his would fit, too, but the next seat is to decide."""
    hand = "♥9 ♥Q ♠10"
    scene = Round(hand, *[""] * (players - 1), top="♥10").play(card)
    assert scene.turn == 1
    assert scene.top == card
    assert scene.sizes == [2, *[3] * (players - 1)]
    assert {*scene.hand(0)} == {*hand.split()} - {card}


@pytest.mark.parametrize("players", range(2, 6))
def test_mau_7_the_card_that_was_laid_is_the_one_to_be_matched(players):
    """Suit and rank change from card to card; the cards before count no longer."""
    hands = ["♥9 ♥10", "♠9 ♥Q", *[""] * (players - 2)]
    scene = Round(*hands, top="♥K").play("♥9", "♠9", *["draw"] * (players - 2))
    assert scene.turn == 0
    assert scene.legal == {"draw"}  # the ♥10 fitted the ♥9 and no longer fits
    assert scene.discarded == ["♥9", "♥K"]


def test_a_card_that_he_does_not_hold_is_refused():
    scene = Round("♥9 ♠10", "♥8 ♥Q", top="♥K")
    assert all(scene.refuses(card) for card in ("♥8", "♥Q", "♥K", "♥A"))


def test_a_card_that_does_not_fit_is_refused():
    scene = Round("♥9 ♠10", "♥8 ♥Q", top="♥K")
    assert scene.refuses("♠10")


# --- Numbers that stay unused ---------------------------------------------------------------------


@pytest.mark.parametrize("jack", JACKS)
def test_mau_19_a_jack_is_laid_together_with_its_wish_and_never_without(jack):
    """Nobody can be asked, skipped or thrown out between a jack and its wish."""
    scene = Round(f"{jack} ♥9", "", top="♥10")
    assert scene.refuses(jack)
    scene.play(f"{jack}→♠")
    assert (scene.turn, scene.wish) == (1, "♠")


def test_mau_24_the_king_of_hearts_is_one_action_or_four():
    hand, top = "♥K ♥9", "♥10"
    named = words("♥K→*")
    scene = Round(hand, "", top=top)
    assert scene.legal == words("♥K ♥9 draw")
    assert all(scene.refuses(action) for action in named)
    scene = Round(hand, "", top=top, king_wish=True)
    assert scene.legal == named | words("♥9 draw")
    assert scene.refuses("♥K")


@pytest.mark.parametrize("action", [-1, 55, 56, 1000])
def test_what_is_no_action_is_refused(action):
    assert Round("♥K ♥9", "", top="♥10").refuses(action)


# --- Jacks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("top", [name for name in NAMES if name not in JACKS])
@pytest.mark.parametrize("jack_on_jack", [True, False])
def test_mau_18_a_jack_goes_on_anything_but_perhaps_a_jack(top, jack_on_jack):
    scene = Round(" ".join(JACKS), "", top=top, jack_on_jack=jack_on_jack)
    assert scene.legal == words("♦J→* ♥J→* ♠J→* ♣J→* draw")


@pytest.mark.parametrize("top", JACKS)
def test_mau_18_a_jack_goes_on_a_jack_by_the_switch(top):
    hand = [jack for jack in JACKS if jack != top]
    assert laid_by(hand, top) == {*hand}
    assert laid_by(hand, top, jack_on_jack=False) == set()


def test_mau_18_a_jack_goes_under_any_wish_but_perhaps_on_a_jack():
    for suit in SUIT_SIGNS:
        hand = "♥J ♣10"
        assert words("♥J→*") <= wished(suit, hand).legal
        assert not words("♥J→*") & wished(suit, hand, jack_on_jack=False).legal


def test_mau_18_no_jack_on_a_jack_even_in_the_suit_that_is_wished():
    scene = wished("♥", "♥J ♥9 ♠J", jack="♦J", jack_on_jack=False)
    assert scene.legal == words("♥9 draw")


# --- Wishes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("suit", SUIT_SIGNS)
@pytest.mark.parametrize("jack", JACKS)
def test_mau_19_the_wish_alone_is_matched(jack, suit):
    """Neither the jack's own suit counts nor the suit that lay before."""
    hand = [f"{each}{rank}" for each in SUIT_SIGNS for rank in ("9", "A")]
    scene = wished(suit, " ".join(hand), jack=jack, top="♣10")
    assert (scene.top, scene.suit, scene.wish) == (jack, suit, suit)
    assert scene.legal == words(f"{suit}9 {suit}A draw")


@pytest.mark.parametrize("players", range(2, 6))
def test_a_wish_holds_while_everybody_draws(players):
    """Nobody has a heart or a jack, and nobody draws one, three times round."""
    scene = Round("♠J ♣8", *[""] * (players - 1), top="♣10", talon="♦9 ♠9 ♣9", hand_size=2)
    scene.play("♠J→♥")
    for _ in range(2 * players):
        scene.play("draw")
        assert (scene.top, scene.wish) == ("♠J", "♥")
        hand = scene.hand(scene.turn)
        assert scene.legal == {*(name for name in hand if name[0] == "♥"), "draw"}


def test_a_wish_holds_over_a_draw_of_a_card_that_may_still_be_laid():
    settings = {"talon": "♥9", "play_after_draw": "any"}
    scene = wished("♥", "♣10 ♣9", **settings).play("draw")
    assert scene.wish == "♥"
    assert scene.legal == words("♥9 end")
    scene.play("end")
    assert scene.wish == "♥"


def test_a_wish_ends_with_the_next_card():
    """Its own suit and rank count."""
    scene = wished("♥", "♥9 ♣Q", "♦9 ♥10 ♠A").play("♥9")
    assert (scene.top, scene.suit, scene.wish) == ("♥9", "♥", None)
    assert scene.legal == words("♦9 ♥10 draw")


@pytest.mark.parametrize("suit", SUIT_SIGNS)
def test_a_wish_ends_with_another_jack_and_its_wish(suit):
    scene = wished("♥", "♣J ♣Q ♣10", "♦9 ♥9 ♠9 ♣9").play(f"♣J→{suit}")
    assert (scene.top, scene.wish) == ("♣J", suit)
    assert scene.legal == words(f"{suit}9 draw")


def test_a_wish_for_the_jacks_own_suit_is_a_wish_too():
    scene = wished("♠", "♠9 ♥9 ♥J", jack="♠J", jack_on_jack=False)
    assert (scene.suit, scene.wish) == ("♠", "♠")
    assert scene.legal == words("♠9 draw")


# --- After a function card its own suit and rank count --------------------------------------------


@pytest.mark.parametrize("switches", [{}, {"king_wish": True}, {"actions_wild": False}])
def test_after_an_eight_its_own_suit_and_rank_count(switches):
    scene = Round("♥8 ♦10", "", "♥9 ♣8 ♠J ♠10", top="♥10", **switches).play("♥8")
    assert (scene.turn, scene.suit, scene.wish) == (2, "♥", None)
    assert scene.legal == words("♥9 ♣8 ♠J→* draw")


@pytest.mark.parametrize("switches", [{}, {"king_wish": True}, {"actions_wild": False}])
def test_after_an_ace_its_own_suit_and_rank_count(switches):
    scene = Round("♥A ♥9", "♥Q ♣A ♠J ♠9", top="♥K", **switches).play("♥A", "end")
    assert (scene.turn, scene.suit, scene.wish) == (1, "♥", None)
    assert scene.legal == words("♥Q ♣A ♠J→* draw")


def test_mau_24_a_king_of_hearts_that_named_nothing_is_matched_by_hearts_and_kings():
    scene = Round("♥K ♦10", "", "♥9 ♣K ♠J ♠10", top="♥10").play("♥K")
    assert (scene.suit, scene.wish) == ("♥", None)
    assert scene.legal == words("♥9 ♣K ♠J→* draw")


# --- The king of hearts may name a suit -----------------------------------------------------------


@pytest.mark.parametrize("suit", SUIT_SIGNS)
def test_mau_24_the_wish_of_the_king_of_hearts_is_matched_by_the_suit_or_a_jack(suit):
    """Not by other kings, not even where the wish is hearts."""
    hand = "♦9 ♥9 ♠9 ♣9 ♦K ♠K ♣K ♣J"
    scene = Round("♥K ♦10", "", hand, top="♥10", king_wish=True).play(f"♥K→{suit}")
    assert (scene.turn, scene.top, scene.wish) == (2, "♥K", suit)
    kings = {f"{suit}K"} - {"♥K"}
    assert scene.legal == words(f"{suit}9 ♣J→* draw") | kings


def test_mau_24_a_jack_goes_on_the_kings_wish_also_where_none_goes_on_a_jack():
    scene = Round("♥K ♦10", "", "♣J ♠9", top="♥10", king_wish=True, jack_on_jack=False)
    assert scene.play("♥K→♦").legal == words("♣J→* draw")


@pytest.mark.parametrize("preset", ["standard", "letter", "common"])
def test_mau_24_the_king_of_hearts_names_nothing_by_default(preset):
    scene = Round("♥K ♦Q ♦9", "", top="♥10", preset=preset)
    assert scene.legal == words("♥K draw")


# --- Function cards at any time -------------------------------------------------------------------


@pytest.mark.parametrize("top", PLAIN)
def test_mau_25_function_cards_go_on_anything_by_the_switch(top):
    """7, 8, J, A and the king of hearts; of the others those that match."""
    same = {name for name in NAMES if name[0] == top[0] or name[1:] == top[1:]}
    assert all_that_fit(top, actions_wild=True) == {*same, *FUNCTION_CARDS} - {top}


@pytest.mark.parametrize("preset", ["standard", "letter", "common"])
def test_mau_25_function_cards_must_match_by_default(preset):
    scene = Round("♥7 ♠8 ♦A ♥K ♦Q", "", top="♣10", preset=preset)
    assert scene.legal == {"draw"}


def test_mau_25_the_king_of_hearts_is_the_only_king_at_any_time():
    scene = Round("♦K ♥K ♠K ♦Q", "", top="♣10", actions_wild=True)
    assert scene.legal == words("♥K draw")
    scene = Round("♦K ♥K ♠K ♦Q", "", top="♣10", actions_wild=True, king_wish=True)
    assert scene.legal == words("♥K→* draw")


def test_mau_25_function_cards_go_under_a_wish_too():
    scene = wished("♣", "♥7 ♠8 ♦A ♥K ♦Q ♥J", jack="♠J", actions_wild=True)
    assert scene.legal == words("♥7 ♠8 ♦A ♥K ♥J→* draw")


def test_mau_25_function_cards_go_on_an_ace_of_ones_own_too():
    scene = Round("♦A ♥7 ♠8 ♥K ♠9 ♣10", "", top="♦10", actions_wild=True).play("♦A")
    assert scene.legal == words("♥7 ♠8 ♥K end")


@pytest.mark.parametrize("play_after_draw", ["drawn", "any"])
def test_mau_25_a_drawn_function_card_fits_whatever_it_is(play_after_draw):
    settings = {"actions_wild": True, "play_after_draw": play_after_draw}
    scene = Round("♦9 ♥9", "", top="♣10", talon="♠8", **settings).play("draw")
    assert scene.legal == words("♠8 end")


def test_mau_25_an_open_seven_still_takes_a_seven_only():
    scene = Round("♣7 ♦9", "♥7 ♠8 ♦A ♥K ♦J ♣9", top="♣10", actions_wild=True).play("♣7")
    assert scene.legal == words("♥7 draw")


def test_mau_25_no_jack_on_a_jack_still_holds():
    scene = wished("♣", "♥J ♠8 ♣9", jack="♠J", actions_wild=True, jack_on_jack=False)
    assert scene.legal == words("♠8 ♣9 draw")
    assert laid_by(["♦J", "♥7"], "♥J", actions_wild=True, jack_on_jack=False) == {"♥7"}


def test_mau_25_function_cards_keep_their_effects():
    scene = Round("♥7 ♦9", "", top="♣10", actions_wild=True).play("♥7")
    assert (scene.turn, scene.open_draws, scene.suit) == (1, 2, "♥")

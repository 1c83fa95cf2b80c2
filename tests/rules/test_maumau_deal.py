"""Mau-Mau: the pack, the deal, the start card, who begins; and settings that cannot be."""

from typing import Any

import numpy as np
import pytest

from cardenv.games.maumau import ACTION_NAMES, Rules
from cardenv.rules import RulesError
from cardenv.table import Tables
from tests.rules.maumau_scene import ACTIONS, JACKS, NAMES, Round, cards, words

every_start_card = pytest.mark.parametrize("card", NAMES)
one_pack = pytest.mark.parametrize("players", range(2, 6))

# --- The pack and the players ---------------------------------------------------------------------


@one_pack
def test_mau_1_two_to_five_players_have_32_cards_each_of_them_once(players):
    scene = Round(*[""] * players)
    held = [card for hand in scene.hands for card in hand]
    assert cards(" ".join([*held, scene.top, *scene.talon])) == NAMES


@pytest.mark.parametrize("players", [0, 1, 6, 7, 10, 11])
def test_mau_1_mau_23_fewer_than_two_and_more_than_five_are_refused_with_one_pack(players):
    with pytest.raises(RulesError, match=f"players={players}.* 2 to 5"):
        Tables("maumau", 1, players)


@pytest.mark.parametrize("players", [6, 10])
def test_mau_23_a_second_pack_is_never_added_silently_but_named(players):
    with pytest.raises(RulesError, match="decks=2"):
        Tables("maumau", 1, players)


@pytest.mark.parametrize("players", range(2, 11))
def test_mau_23_a_second_pack_takes_two_to_ten_players(players):
    tables = Tables("maumau", 1, players, rules=Rules(decks=2))
    tables.reset(seed=1)
    assert tables.layout.view(tables.observations[0])["talon"] == 64 - 5 * players - 1


@pytest.mark.parametrize("players", [0, 1, 11, 12])
def test_mau_23_two_packs_take_no_more_than_ten(players):
    with pytest.raises(RulesError, match=f"players={players}.* 2 to 10"):
        Tables("maumau", 1, players, rules=Rules(decks=2))


def test_actions_have_the_numbers_that_the_rules_give_them():
    assert len(ACTION_NAMES) == len(ACTIONS) == 55
    assert ACTION_NAMES[:32] == tuple(f"lay {name}" for name in NAMES)
    jacks = tuple(f"lay {jack}, wish {wish}" for jack in JACKS for wish in "♦♥♠♣")
    assert ACTION_NAMES[32:48] == jacks
    assert ACTION_NAMES[48:52] == tuple(f"lay ♥K, wish {wish}" for wish in "♦♥♠♣")
    assert ACTION_NAMES[52:] == ("draw", "end turn", "call Mau")


# --- The deal -------------------------------------------------------------------------------------


@one_pack
def test_mau_2_mau_3_five_each_the_next_is_turned_up_and_the_rest_is_the_talon(players):
    deck = np.random.default_rng(players).permutation(32).tolist()
    tables = Tables("maumau", 1, players)
    tables.reset(deck=deck, first=0)
    view = [tables.layout.view(tables.observe(np.array([s]))[0]) for s in range(players)]
    for seat in range(players):
        block = deck[5 * seat : 5 * seat + 5]
        assert np.flatnonzero(view[seat]["hand"]).tolist() == sorted(block)
        assert view[seat]["hand_size"].tolist() == [5] * players
    suit, rank = divmod(deck[5 * players], 8)
    assert view[0]["top_suit"].argmax() == suit
    assert view[0]["top_rank"].argmax() == rank
    assert view[0]["talon"] == 32 - 5 * players - 1
    row = tables.row(0)
    assert row.deck[row.drawn : 32].tolist() == deck[5 * players + 1 :]
    for empty in ("discarded", "wish", "open_draws", "after_ace", "after_draw", "mau", "points"):
        assert not view[0][empty].any(), empty


@pytest.mark.parametrize("decks", [1, 2])
@one_pack
def test_mau_2_mau_3_any_hand_size_that_leaves_a_start_card(players, decks):
    """The most cards that can be dealt take all but one or few; one more each is refused."""
    most = min(31, (32 * decks - 1) // players)
    for size in range(1, most + 1):
        scene = Round(*[""] * players, decks=decks, hand_size=size)
        assert scene.sizes == [size] * players
        assert len(scene.talon) == scene.seen["talon"] == 32 * decks - players * size - 1
        assert scene.legal >= {"draw"}
    with pytest.raises(RulesError):
        Tables("maumau", 1, players, rules=Rules(decks=decks, hand_size=most + 1))


@pytest.mark.parametrize(("players", "decks"), [(2, 1), (3, 1), (5, 1), (2, 2), (10, 2)])
def test_mau_2_a_pack_too_small_for_the_hands_and_a_start_card_is_refused(players, decks):
    """``n * hand_size + 1`` cards are enough."""
    for size in (1, 2, 3):
        enough = -(-(players * size + 1) // decks)
        rules = Rules(pack=tuple(range(enough)), decks=decks, hand_size=size)
        tables = Tables("maumau", 1, players, rules=rules)
        tables.reset(seed=1)
        assert (tables.layout.view(tables.observations)["hand_size"] == size).all()
        few = {"pack": tuple(range(enough - 1)), "decks": decks, "hand_size": size}
        with pytest.raises(
            RulesError, match=f"too few for players={players}; .* a smaller hand_size"
        ):
            Tables("maumau", 1, players, rules=Rules(**few))


@pytest.mark.parametrize("decks", [1, 2])
def test_a_small_pack_deals_and_shuffles_no_other_cards(decks):
    pack = (*range(0, 32, 2), 3, 5)
    tables = Tables("maumau", 40, 3, rules=Rules(pack=pack, decks=decks))
    tables.reset(seed=7)
    size = decks * len(pack)
    decks_dealt = tables.rows["deck"][:, :size]
    assert (np.sort(decks_dealt, axis=1) == np.sort(np.repeat(pack, decks))).all()
    assert len(np.unique(decks_dealt, axis=0)) == 40
    assert (tables.layout.view(tables.observations)["talon"] == size - 16).all()


# --- Who begins -----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 11))
def test_the_seat_left_of_the_dealer_begins_and_play_goes_clockwise(players):
    for dealer in range(players):
        scene = Round(*[""] * players, decks=2, dealer=dealer)
        order = [(dealer + place) % players for place in range(1, players + 1)]
        assert scene.all_draw(2 * players) == [*order, *order]


@pytest.mark.bulk
@one_pack
def test_the_first_dealer_is_drawn_evenly(players):
    tables = Tables("maumau", 6000, players)
    tables.reset(seed=5)
    counts = np.bincount(tables.rows["dealer"], minlength=players)
    assert np.abs(counts - 6000 / players).max() < 6 * np.sqrt(6000 / players)
    assert (tables.turn == (tables.rows["dealer"] + 1) % players).all()


# --- The start card -------------------------------------------------------------------------------


def started(card: str, players: int, **switches: Any) -> tuple[Round, int]:
    """A deal with this start card, by any dealer; and the seat left of him."""
    dealer = NAMES.index(card) % players
    scene = Round(*[""] * players, top=card, dealer=dealer, **switches)
    return scene, (dealer + 1) % players


@one_pack
@every_start_card
def test_a_neutral_start_card_has_no_effect(card, players):
    """Left of the dealer begins, with its suit and rank to be matched, whatever it is."""
    scene, left = started(card, players)
    assert scene.turn == left
    assert scene.sizes == [5] * players
    assert (scene.top, scene.suit, scene.wish, scene.open_draws) == (card, card[0], None, 0)
    fitting = {name for name in scene.hand(left) if name[0] == card[0] or name[1:] == card[1:]}
    assert scene.legal == {*fitting, "draw"}  # nobody holds a jack


@one_pack
@every_start_card
@pytest.mark.parametrize("king_wish", [False, True])
def test_an_active_start_card_acts_on_the_seat_left_of_the_dealer(card, players, king_wish):
    scene, left = started(card, players, start_card="active", king_wish=king_wish)
    after_left = (left + 1) % players
    sizes = [5] * players
    if card == "♥K":
        sizes[left] = 8
    assert scene.turn == (after_left if card[1:] == "8" or card == "♥K" else left)
    assert scene.sizes == sizes
    assert scene.open_draws == (2 if card[1:] == "7" else 0)
    assert (scene.top, scene.suit, scene.wish) == (card, card[0], None)  # it names nothing
    assert scene.legal >= {"draw"}
    assert not scene.seen["after_ace"]
    assert "end" not in scene.legal


def test_an_active_seven_is_taken_or_countered():
    scene = Round("♥7 ♦8 ♦J", "", "", top="♦7", talon="♣9 ♣10", start_card="active")
    assert scene.legal == words("♥7 draw")
    scene.play("draw")
    assert scene.hand(0) == cards("♥7 ♦8 ♦J ♣9 ♣10")
    assert scene.turn == 1
    countered = Round("♥7 ♦8 ♦J", "", "", top="♦7", start_card="active").play("♥7")
    assert (countered.turn, countered.open_draws) == (1, 4)


def test_an_active_eight_passes_over_the_seat_left_of_the_dealer():
    scene = Round("♦9", "♦10", "♦Q", top="♦8", start_card="active")
    assert scene.all_draw(3) == [1, 2, 0]


def test_an_active_king_of_hearts_makes_draw_three_at_once():
    scene = Round("♥9", "♥10", "", top="♥K", talon="♣9 ♣10 ♣Q", start_card="active")
    assert scene.hand(0) == cards("♥9 ♣9 ♣10 ♣Q")
    assert scene.turn == 1
    assert scene.legal == words("♥10 draw")


def test_an_active_king_of_hearts_makes_draw_what_there_is():
    settings = {"top": "♥K", "start_card": "active", "only": True}
    assert Round("♥9", "♥10", talon="♣9", **settings).hand(0) == cards("♥9 ♣9")
    assert Round("♥9", "♥10", **settings).hand(0) == ["♥9"]


@pytest.mark.parametrize("card", ["♦8", "♥K"])
def test_with_two_players_the_dealer_begins_after_an_active_eight_or_king(card):
    for dealer in (0, 1):
        assert Round("", "", top=card, dealer=dealer, start_card="active").turn == dealer


@pytest.mark.parametrize("start_card", ["neutral", "active"])
def test_a_start_jack_counts_as_its_own_suit_and_lets_jacks_lie_on_it_by_the_switch(start_card):
    settings = {"top": "♦J", "start_card": start_card}
    hand = "♦9 ♠9 ♠J ♣K"
    assert Round(hand, "", **settings).legal == words("♦9 ♠J→* draw")
    assert Round(hand, "", jack_on_jack=False, **settings).legal == words("♦9 draw")


def test_the_start_card_acts_in_every_round_of_a_match():
    """There are no other cards than sevens, or than eights."""
    settings = {"only": True, "episode": "match", "start_card": "active"}
    scene = Round("♦7", "♥7", top="♠7", **settings).play("♦7")
    assert (scene.row.rounds, scene.turn, scene.open_draws) == (1, 1, 2)
    scene = Round("♦8", "♥8", top="♠8", dealer=0, **settings).play("♦8")
    assert (scene.row.rounds, scene.row.dealer, scene.turn) == (1, 1, 1)


# --- Presets and what cannot be -------------------------------------------------------------------


def test_defaults_are_the_published_ones():
    assert Rules() == Rules(
        decks=1,
        hand_size=5,
        mau_call="auto",
        mau_penalty=2,
        seven_draw=2,
        play_after_draw="none",
        king_wish=False,
        actions_wild=False,
        jack_on_jack=True,
        start_card="neutral",
        scoring="win",
        target=101,
        max_turns=1000,
        reward="match",
        pack=tuple(range(32)),
    )
    assert Tables("maumau", 1, 2).episode == "round"


def test_presets_are_the_published_ones():
    assert Rules.preset("standard") == Rules()
    assert Rules.preset("letter") == Rules(mau_call="action")
    assert Rules.preset("common") == Rules(jack_on_jack=False, play_after_draw="drawn")


@pytest.mark.parametrize(
    "switch",
    [
        *({"decks": 0}, {"decks": 3}, {"decks": True}, {"hand_size": 0}, {"hand_size": 5.0}),
        *({"mau_call": "never"}, {"mau_penalty": -1}, {"seven_draw": 0}, {"seven_draw": "2"}),
        *({"play_after_draw": "all"}, {"play_after_draw": None}, {"king_wish": 1}),
        *({"actions_wild": "yes"}, {"jack_on_jack": 0}, {"start_card": "wild"}),
        *({"scoring": "cards"}, {"target": 0}, {"max_turns": 0}, {"reward": "round"}),
    ],
)
def test_values_that_cannot_be_are_refused(switch):
    with pytest.raises(RulesError, match=next(iter(switch))):
        Rules(**switch)


# --- The scenes themselves ------------------------------------------------------------------------


def test_a_scene_is_what_it_says():
    """The scenes of all files rest on it."""
    scene = Round("♠K ♥7", "♣8", top="♦A", talon="♣J ♠7")
    assert scene.hands == [["♥7", "♠K"], ["♦9", "♣8"]]
    assert (scene.turn, scene.top, scene.talon[:3]) == (0, "♦A", ["♣J", "♠7", "♥9"])
    assert len(scene.talon) == 27
    twice = Round("♠K ♠K", "♠J", top="♦A", talon="♠J ♦A", decks=2)
    assert twice.hands == [["♠K", "♠K"], ["♦9", "♠J"]]
    assert cards(" ".join([*twice.talon, "♠K ♠K ♦9 ♠J ♦A"])) == cards(" ".join([*NAMES, *NAMES]))
    assert Round("♠K", "♣8", top="♦A", talon="♣J", only=True).talon == ["♣J"]

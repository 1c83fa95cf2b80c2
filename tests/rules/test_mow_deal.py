"""Mow: the pack, the deal, who begins, opening the first row; and settings that cannot be."""

from collections import Counter

import numpy as np
import pytest

from cardenv.games.mow import ACTION_NAMES, Rules
from cardenv.rules import RulesError
from cardenv.table import Tables
from tests.rules.mow_scene import ACTIONS, NAMES, Round, after, in_order, words

PACK = [
    *zip(range(15), range(1, 16), [0] * 15, strict=True),
    *zip(range(15, 28), range(2, 15), [1] * 13, strict=True),
    *zip(range(28, 39), range(3, 14), [2] * 11, strict=True),
    *zip(range(39, 42), (7, 8, 9), [3] * 3, strict=True),
    *[(42, 0, 5), (43, 16, 5)],
]
"""Card, value and flies of every card that can open a row."""


def opened_with(card: int) -> Round:
    """A round of which this card is the first in the row."""
    return Round(NAMES[card], "").play(NAMES[card])


# --- The pack -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 6))
def test_mow_2_there_are_48_cards(players):
    scene = Round(*[""] * players)
    hands = [scene.hand(seat) for seat in range(players)]
    dealt = [*scene.pile, *(card for hand in hands for card in hand)]
    assert len(dealt) == 48
    assert sorted(dealt) == sorted(NAMES)


@pytest.mark.parametrize(("card", "value", "flies"), PACK)
def test_mow_2_mow_4_each_card_has_its_value_and_its_flies(card, value, flies):
    scene = opened_with(card)
    assert np.flatnonzero(scene.seen["row"]).tolist() == [card]
    assert scene.ends == (value, value)
    assert scene.seen["row_flies"] == flies


def test_mow_3_outer_values_are_rarer():
    values = Counter(opened_with(card).ends[0] for card in range(42))
    assert values == {
        **dict.fromkeys([1, 15], 1),
        **dict.fromkeys([2, 14], 2),
        **dict.fromkeys([3, 4, 5, 6, 10, 11, 12, 13], 3),
        **dict.fromkeys([7, 8, 9], 4),
    }


@pytest.mark.parametrize("special", in_order("(7) (9) +a +b"))
def test_mow_4_coverers_and_latecomers_show_five_flies_each(special):
    scene = after("7 9", hand=special)
    assert scene.seen["row_flies"] == 0
    scene.play(special.rstrip("ab"))
    assert scene.laid == {"7", "9", special}
    assert scene.seen["row_flies"] == 5


def test_mow_4_all_cards_show_74_flies_together():
    flies = [int(opened_with(card).seen["row_flies"]) for card in range(44)]
    assert sum(flies) + 4 * 5 == 74


def test_mow_6_six_cards_are_special():
    """A special card is one that leaves its player a choice of the direction."""
    scene = after("7 9", hand="0 16 (7) (9) +a", players=3)
    assert scene.legal == words("0 0↺ 16 16↺ (7) (7)↺ (9) (9)↺ + +↺ clear")
    scene = after("7 9", hand="1 2* 3** 10 15", players=3)
    assert scene.legal == words("1 2* 3** 10 15 clear")


def test_actions_have_the_numbers_that_the_rules_give_them():
    assert len(ACTION_NAMES) == len(ACTIONS) == 53
    plain = {0: "1", 14: "15", 15: "2*", 27: "14*", 28: "3**", 38: "13**", 39: "7***", 41: "9***"}
    assert {number: ACTION_NAMES[number] for number in plain} == {
        number: f"lay {name}" for number, name in plain.items()
    }
    specials = ("0*****", "16*****", "(7)*****", "(9)*****", "+*****")
    assert ACTION_NAMES[42:] == (
        *(f"lay {name}, keep direction" for name in specials),
        *(f"lay {name}, reverse" for name in specials),
        "clear",
    )


# --- The deal -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 6))
def test_mow_8_mow_9_five_cards_each_and_the_rest_is_the_pile(players):
    deck = np.random.default_rng(players).permutation(48).tolist()
    tables = Tables("mow", 1, players)
    tables.reset(deck=deck, first=players - 1)
    row = tables.row(0)
    blocks = [sum(1 << card for card in deck[i : i + 5]) for i in range(0, 5 * players, 5)]
    assert row.hand[:players].tolist() == blocks
    assert row.deck[row.drawn : 48].tolist() == deck[5 * players :]
    view = tables.layout.view(tables.observations[0])
    assert view["pile"] == 48 - 5 * players
    assert view["hand_size"].tolist() == [5] * players
    assert np.flatnonzero(view["hand"]).tolist() == sorted(deck[5 * players - 5 : 5 * players])
    for empty in ("row", "left_end", "right_end", "row_flies", "supply", "supply_flies"):
        assert not view[empty].any(), empty


@pytest.mark.parametrize("players", range(2, 6))
def test_mow_10_play_starts_clockwise(players):
    for starter in range(players):
        scene = Round(*["5 6 7 8 9", "", "", "", ""][:players], starter=starter)
        assert scene.clockwise
        seats = [scene.ordinary_turn() for _ in range(3 * players)]
        assert seats == [(starter + turn) % players for turn in range(3 * players)]


@pytest.mark.bulk
@pytest.mark.parametrize("next_starter", ["most_flies", "rotate", "random"])
def test_the_first_starter_is_drawn_evenly(next_starter):
    for players in range(2, 6):
        tables = Tables("mow", 9000, players, rules=Rules(next_starter=next_starter))
        tables.reset(seed=5)
        counts = np.bincount(tables.rows["starter"], minlength=players)
        assert np.abs(counts - 9000 / players).max() < 6 * np.sqrt(9000 / players)
        assert (tables.turn == tables.rows["starter"]).all()


# --- Opening the first row ------------------------------------------------------------------------


def test_mow_12_the_first_player_lays_a_card_and_draws_one():
    scene = Round("2 4* 6** 8*** 15", "", "", starter=0, pile="10 11")
    assert scene.seen["must_open"]
    assert scene.legal == words("2 4* 6** 8*** 15")  # nothing to clear
    scene.play("6**")
    assert scene.laid == {"6**"}
    assert scene.ends == (6, 6)
    assert scene.hand(0) == words("2 4* 8*** 15 10")
    assert scene.pile[0] == "11"
    assert scene.turn == 1
    assert not scene.seen["must_open"]


def test_edges_may_open_a_row_and_coverers_and_latecomers_may_not():
    assert Round("8 0 16 (7) +a", "", "").legal == words("8 0 0↺ 16 16↺")
    assert Round("7 9** (7) (9) +b", "", "").legal == words("7 9**")
    assert Round("0 16 (9) +a +b", "").legal == words("0 16")


def test_who_must_open_always_has_a_card():
    assert Round("(7) (9) +a +b 5*", "", "").legal == {"5*"}
    assert Round("(7) (9) +a +b 16", "").legal == {"16"}


@pytest.mark.parametrize(
    ("edge", "ends", "fit"),
    [("0", (0, 0), "1 8* 15 16 clear"), ("16", (16, 16), "1 8* 15 0 clear")],
)
def test_mow_18_a_row_opened_by_an_edge_grows_on_its_other_side_only(edge, ends, fit):
    other = {"0": "16", "16": "0"}[edge]
    scene = Round(edge, f"1 8* 15 {other} (7)", starter=0).play(edge)
    assert scene.ends == ends
    assert scene.legal == words(fit)
    scene.play("8*")
    assert scene.ends == ((0, 8) if edge == "0" else (8, 16))


@pytest.mark.parametrize("edge", ["0", "16"])
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("starter", [0, 1, 2])
def test_mow_25_who_opens_with_an_edge_may_turn_the_direction(edge, players, starter):
    hands = [""] * players
    hands[starter] = edge
    for action, towards in ((edge, 1), (edge + "↺", -1)):
        scene = Round(*hands, starter=starter, pile="12* 13*").play(action)
        assert scene.turn == (starter + towards) % players
        assert scene.clockwise == (towards == 1)
        assert scene.hand(starter) >= {"12*"}  # the choice is over, and he has drawn one
        assert scene.pile[0] == "13*"


def test_mow_25_the_direction_is_chosen_before_the_refill():
    """Laying and turning are one action: what he will draw is not to be seen before."""
    scenes = [Round("0 1 2 3 4", "", "", pile=pile) for pile in ("12* 13*", "13* 12*")]
    for seat in range(3):
        seen = [scene.tables.observe(np.array([seat])).tolist() for scene in scenes]
        assert seen[0] == seen[1]
    assert [scene.play("0↺").hand(0) - words("1 2 3 4") for scene in scenes] == [{"12*"}, {"13*"}]


# --- Presets and what cannot be -------------------------------------------------------------------


def test_presets_and_defaults_are_the_published_ones():
    rules = Rules(
        latecomer="capacity",
        voluntary_clear=True,
        next_starter="most_flies",
        target=100,
        reward="match",
        pack=tuple(range(48)),
    )
    for preset in ("standard", "letter", "common"):
        assert Rules.preset(preset) == rules == Rules()
    assert Tables("mow", 1, 2).episode == "match"


@pytest.mark.parametrize("players", range(2, 6))
def test_a_pack_of_fewer_than_five_cards_a_player_is_refused(players):
    fitting = Rules(pack=tuple(range(12, 12 + 5 * players)))
    assert Tables("mow", 1, players, rules=fitting).record["pack_size"] == 5 * players
    with pytest.raises(RulesError, match=f"too few for players={players}"):
        Tables("mow", 1, players, rules=Rules(pack=tuple(range(12, 11 + 5 * players))))


@pytest.mark.parametrize("pack", [range(15), range(10), range(2, 14)])
def test_a_pack_without_flies_is_refused(pack):
    with pytest.raises(RulesError, match="flies"):
        Rules(pack=tuple(pack))
    assert Rules(pack=(*pack, 15))


@pytest.mark.parametrize("players", [0, 1, 6, 9])
def test_fewer_than_two_players_and_more_than_five_are_refused(players):
    with pytest.raises(RulesError, match=f"players={players}.* 2 to 5"):
        Tables("mow", 1, players)


@pytest.mark.parametrize(
    "switch",
    [
        *({"target": 0}, {"target": 182}, {"target": -1}, {"target": 100.0}, {"target": True}),
        *({"latecomer": "one"}, {"latecomer": 0}, {"next_starter": "fewest_flies"}),
        *({"voluntary_clear": 1}, {"voluntary_clear": "no"}, {"reward": "round"}),
        *({"pack": (*range(12), 48)}, {"pack": (*range(40), 39)}),
    ],
)
def test_values_that_cannot_be_are_refused(switch):
    with pytest.raises(RulesError, match=next(iter(switch))):
        Rules(**switch)


@pytest.mark.parametrize("players", range(2, 6))
def test_a_small_pack_deals_and_shuffles_no_other_cards(players):
    pack = (*range(0, 40, 2), 40, 41, 43, 45, 46, 47)
    tables = Tables("mow", 50, players, rules=Rules(pack=pack))
    tables.reset(seed=7)
    assert (np.sort(tables.rows["deck"][:, : len(pack)], axis=1) == np.array(pack)).all()
    assert len(np.unique(tables.rows["deck"], axis=0)) == 50
    view = tables.layout.view(tables.observations)
    assert (view["pile"] == len(pack) - 5 * players).all()
    assert (view["hand"].sum(axis=1) == 5).all()

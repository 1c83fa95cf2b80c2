"""Every setting that cannot be is refused with a sentence that says what can; nothing moves."""

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from cardenv import games
from cardenv.games.schwimmen import Rules
from cardenv.rules import RulesError
from cardenv.table import Tables

ODD_VALUES = (
    None,
    "",
    "no",
    "ALL",
    -1,
    1000,
    1.0,
    2.5,
    float("nan"),
    True,
    b"all",
    (),
    [3],
    {},
    ...,
)


def switches_of(game: str) -> list[Any]:
    return [f for f in dataclasses.fields(games.get(game).rules) if f.name != "pack"]


EVERY_SWITCH = [
    pytest.param(game, switch, id=f"{game}-{switch.name}")
    for game in games.names()
    for switch in switches_of(game)
]


def allowed(switch: Any, value: Any) -> bool:
    """Whether a value is allowed and of the switch's own type: ``True`` is no 1."""
    return type(value) is type(switch.default) and value in switch.metadata["allowed"]


@pytest.mark.parametrize(("game", "switch"), EVERY_SWITCH)
def test_every_value_a_switch_does_not_allow_is_refused(game, switch):
    for value in ODD_VALUES:
        if allowed(switch, value):
            continue
        with pytest.raises(RulesError) as caught:
            games.get(game).rules(**{switch.name: value})
        message = str(caught.value)
        assert f"{switch.name}={value!r}" in message
        values = switch.metadata["allowed"]
        if isinstance(values, range):
            assert f"from {values[0]} to {values[-1]}" in message
        else:
            assert all(repr(each) in message for each in values)


@pytest.mark.parametrize(("game", "switch"), EVERY_SWITCH)
def test_every_value_a_switch_allows_is_taken_and_reaches_the_record(game, switch):
    codes = []
    for value in switch.metadata["allowed"]:
        rules = games.get(game).rules(**{switch.name: value})
        assert getattr(rules, switch.name) == value
        codes.append(int(rules.record(rules.MIN_PLAYERS, "round")[switch.name][0]))
    assert len(set(codes)) == len(codes)
    edges = switch.metadata["allowed"]
    if isinstance(edges, range):
        for outside in (edges[0] - 1, edges[-1] + 1):
            with pytest.raises(RulesError, match=switch.name):
                games.get(game).rules(**{switch.name: outside})


@pytest.mark.parametrize("game", games.names())
def test_numpy_integers_are_whole_numbers_too(game):
    for switch in switches_of(game):
        if type(switch.default) is int:
            rules = games.get(game).rules(**{switch.name: np.int64(switch.default)})
            assert rules == games.get(game).rules()
            assert json.dumps(rules.to_dict()) == json.dumps(games.get(game).rules().to_dict())


@pytest.mark.parametrize("game", games.names())
def test_unknown_switches_are_refused_and_rules_cannot_be_changed(game):
    with pytest.raises(TypeError, match="stop_aftr"):
        games.get(game).rules(stop_aftr="all")
    with pytest.raises(dataclasses.FrozenInstanceError):
        games.get(game).rules().reward = "rounds"


@pytest.mark.parametrize("game", games.names())
def test_rules_go_through_json(game):
    rules_class = games.get(game).rules
    for preset in rules_class.PRESETS:
        rules = rules_class.preset(preset)
        assert rules_class(**json.loads(json.dumps(rules.to_dict()))) == rules


# --- Words ----------------------------------------------------------------------------------------


def test_rules_from_words():
    assert Rules.from_words([]) == Rules()
    assert Rules.from_words(["letter"]) == Rules(reveal="choice")
    assert Rules.from_words(["common", "aces_value=31"]) == Rules(fire=True)
    assert Rules.from_words(["lives=0", "fire=true", "stop_after=none"]) == Rules(
        lives=0, fire=True, stop_after="none"
    )
    assert Rules.from_words(["fire=False"]) == Rules()
    assert Rules.from_words(["pack=8,7,6,5,4,3,2,1,0"]) == Rules(pack=tuple(range(9)))
    assert Rules.from_words(["reward=rounds"]) == Rules(reward="rounds")
    assert Rules.of("common") == Rules.of(["common"]) == Rules(aces_value=33, fire=True)
    assert Rules.of(None) == Rules()


@pytest.mark.parametrize("switch", switches_of("schwimmen"), ids=lambda switch: switch.name)
def test_words_reach_every_value_of_every_switch(switch):
    for value in switch.metadata["allowed"]:
        rules = Rules.from_words([f"{switch.name}={value}"])
        assert getattr(rules, switch.name) == value


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("strict", "'strict' is no preset of rules; there are standard, letter, common"),
        ("", "'' is no preset"),
        ("Letter", "'Letter' is no preset"),
        ("live=2", "'live' is no switch of these rules; there are pack, reward, lives"),
        ("=2", "'' is no switch"),
        ("lives=", "lives='' is not possible; allowed is a whole number from 0 to 9"),
        ("lives=two", "lives='two' is not possible"),
        ("lives=2.0", "lives='2.0' is not possible"),
        ("lives=10", "lives=10 is not possible"),
        ("fire=1", "fire='1' is not possible; allowed is False or True"),
        ("fire=yes", "fire='yes' is not possible"),
        (
            "stop_after=All",
            "stop_after='All' is not possible; allowed is 'all' or 'others'",
        ),
        ("pack=all", "pack='all' is not a list of cards"),
        ("pack=", "pack='' is not a list of cards"),
        ("pack=1,2,3", "pack has 3 cards, too few for players=2"),
    ],
)
def test_wrong_words_get_one_sentence(word, said):
    with pytest.raises(RulesError) as caught:
        Rules.from_words([word])
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rules", [3, {"lives": 2}, object(), b"letter", True, [3]])
def test_what_is_no_rules_is_refused(rules):
    with pytest.raises(RulesError, match="not rules of this game; give"):
        Tables("schwimmen", 1, 2, rules=rules)


# --- Pack and players -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pack", "said"),
    [
        ((0, 1, 2, 3, 4, 5, 6, 7, 7), "names a card twice"),
        (
            (0, 1, 2, 3, 4, 5, 6, 7, 32),
            "pack holds 32; a card of this game is a number from 0",
        ),
        ((0, 1, 2, 3, 4, 5, 6, 7, -1), "pack holds -1"),
        ((0, 1, 2, 3, 4, 5, 6, 7, 8.0), "pack holds 8.0; cards are whole numbers"),
        ((0, 1, 2, 3, 4, 5, 6, 7, True), "pack holds True"),
        ((0, 1, 2, 3, 4, 5, 6, 7, "8"), "pack holds '8'"),
        (tuple(range(8)), "pack has 8 cards, too few for players=2; give at least 9 cards"),
        ("012345678", "is not a list of cards"),
        (9, "is not a list of cards"),
        (None, "is not a list of cards"),
    ],
)
def test_wrong_packs_are_refused(pack, said):
    with pytest.raises(RulesError) as caught:
        Rules(pack=pack)
    assert said in str(caught.value)


def test_a_pack_may_come_in_any_order_and_as_a_list():
    assert Rules(pack=[9, 3, 5, 1, 0, 2, 4, 8, 7]).pack == (0, 1, 2, 3, 4, 5, 7, 8, 9)
    assert Rules(pack=range(12)).pack == tuple(range(12))
    assert Rules().pack == tuple(range(32))


@pytest.mark.parametrize("size", range(9, 33))
@pytest.mark.parametrize("players", range(1, 13))
def test_too_small_a_pack_is_refused_at_once_and_any_other_can_be_played(size, players):
    """Never an error later, from a deal or a step."""
    rules = Rules(pack=tuple(range(size)), max_laps=2)
    if players not in range(2, 10) or 3 * (players + 1) > size:
        with pytest.raises(RulesError, match=f"players={players}"):
            Tables("schwimmen", 1, players, rules=rules)
        return
    tables = Tables("schwimmen", 50, players, rules=rules, episode="round")
    tables.reset(seed=size)
    while (live := np.flatnonzero(tables.turn >= 0)).size:
        tables.step(tables.masks[live].argmax(axis=1), live)
    assert (tables.rows["rounds"] == 1).all()


@pytest.mark.parametrize("players", [0, 1, 10, -2, 2.0, "4", None, True, [4]])
def test_impossible_numbers_of_players_are_refused(players):
    with pytest.raises(RulesError, match=r"players=.*2 to 9"):
        Tables("schwimmen", 1, players)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"episode": "game"}, "episode='game' is not possible; give one of ('round', 'match')"),
        ({"illegal": "ignore"}, "illegal='ignore' is not possible; give one of ('raise', 'lose')"),
        ({"max_players": 3}, "max_players=3 is not possible for players=4; give 4 to 9"),
        ({"max_players": 10}, "max_players=10 is not possible for players=4; give 4 to 9"),
    ],
)
def test_impossible_settings_of_tables_are_refused(settings, said):
    with pytest.raises(RulesError) as caught:
        Tables("schwimmen", 1, 4, **settings)
    assert said in str(caught.value)


@pytest.mark.parametrize("count", [0, -1])
def test_there_is_at_least_one_table(count):
    with pytest.raises(RulesError, match=f"count={count} tables are not possible"):
        Tables("schwimmen", count, 4)


def test_unknown_games_are_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"'skat' is no game; there are .*schwimmen"):
        Tables("skat", 1, 4)


# --- Deck, first seat, seed -----------------------------------------------------------------------

FULL = list(range(32))


def contents(tables: Tables) -> list[Any]:
    """All that the tables hold, and what they would deal next."""
    arrays = [tables.rows[name] for name in tables.rows.dtype.names]
    arrays += [tables.observations, tables.masks, tables._seeds, tables._numbers, tables._episodes]
    return [array.tolist() for array in arrays]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"deck": FULL[:-1]}, "is not an order of the pack; give each of its 32 cards once"),
        ({"deck": [*FULL[:-1], 0]}, "is not an order of the pack"),
        ({"deck": [*FULL[:-1], 32]}, "is not an order of the pack"),
        ({"deck": [*FULL, 0]}, "is not an order of the pack"),
        ({"deck": [float(card) for card in FULL]}, "is not an order of the pack"),
        ({"deck": []}, "is not an order of the pack"),
        ({"deck": [FULL, FULL]}, "2 decks were given for 3 tables; give 1 or 3"),
        ({"deck": [FULL, FULL, [*FULL[:-1], 0]]}, "is not an order of the pack"),
        ({"first": 4}, "seat 4 is not at this table; give a seat from 0 to 3"),
        ({"first": -1}, "seat -1 is not at this table"),
        ({"first": 1.0}, "seat 1.0 is not at this table"),
        ({"first": "1"}, "seat '1' is not at this table"),
        ({"first": [0, 1, 4]}, "is not at this table"),
        ({"seed": -1}, "seed=-1 is not possible; give a whole number from 0 to 2**64 - 1"),
        ({"seed": 2**64}, "is not possible"),
        ({"seed": 1.0}, "seed=1.0 is not possible"),
        ({"seed": "7"}, "seed='7' is not possible"),
        ({"seed": True}, "seed=True is not possible"),
        ({"seed": [1, 2]}, "2 seeds were given for 3 tables; give one a table"),
        ({"seed": [1, 2, -3]}, "seed=-3 is not possible"),
        ({"seed": 5, "deck": FULL[1:]}, "is not an order of the pack"),
        ({"seed": 5, "first": 9}, "is not at this table"),
    ],
)
def test_a_wrong_reset_is_refused_and_changes_nothing(wrong, said):
    tables = Tables("schwimmen", 3, 4)
    tables.reset(seed=1)
    tables.step(np.array([14, 15, 14]))
    before = contents(tables)
    with pytest.raises(ValueError, match=r"\w") as caught:
        tables.reset(**wrong)
    assert said in str(caught.value)
    assert contents(tables) == before


def test_a_deck_of_a_small_pack_is_an_order_of_that_pack():
    pack = tuple(range(3, 15))
    tables = Tables("schwimmen", 1, 2, rules=Rules(pack=pack))
    tables.reset(deck=pack[::-1], first=1)
    assert tables.row(0).deck[:12].tolist() == list(pack[::-1])
    with pytest.raises(ValueError, match="its 12 cards once"):
        tables.reset(deck=range(12))


def test_before_the_first_reset_one_is_told_to_reset():
    tables = Tables("schwimmen", 2, 4)
    with pytest.raises(ValueError, match=r"no episode has begun; call reset\(\) first"):
        tables.step(np.array([0, 0]))
    with pytest.raises(ValueError, match=r"no episode has begun; call reset\(\) first"):
        tables.step_one(0, 0)

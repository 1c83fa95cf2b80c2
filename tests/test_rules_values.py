"""Every setting that cannot be is refused with a sentence that says what can; nothing moves."""

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from cardenv import games
from cardenv.rules import RulesError
from cardenv.table import Tables
from tests.cases import GAMES, every_game, last_cards, players_of, spread, switches_of
from tests.lockstep import is_possible

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


EVERY_SWITCH = [
    pytest.param(game, switch, id=f"{game}-{switch.name}")
    for game in GAMES
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
    for value in possible_values(game, switch):
        rules = games.get(game).rules(**{switch.name: value})
        assert getattr(rules, switch.name) == value
        codes.append(int(rules.record(rules.MIN_PLAYERS, "round")[switch.name][0]))
    assert len(set(codes)) == len(codes)
    edges = switch.metadata["allowed"]
    if isinstance(edges, range):
        for outside in (edges[0] - 1, edges[-1] + 1):
            with pytest.raises(RulesError, match=switch.name):
                games.get(game).rules(**{switch.name: outside})


@every_game
def test_numpy_integers_are_whole_numbers_too(game):
    for switch in switches_of(game):
        if type(switch.default) is int:
            rules = games.get(game).rules(**{switch.name: np.int64(switch.default)})
            assert rules == games.get(game).rules()
            assert json.dumps(rules.to_dict()) == json.dumps(games.get(game).rules().to_dict())


@every_game
def test_unknown_switches_are_refused_and_rules_cannot_be_changed(game):
    with pytest.raises(TypeError, match="stop_aftr"):
        games.get(game).rules(stop_aftr="all")
    with pytest.raises(dataclasses.FrozenInstanceError):
        games.get(game).rules().reward = "rounds"


@every_game
def test_rules_go_through_json(game):
    rules_class = games.get(game).rules
    for preset in rules_class.PRESETS:
        rules = rules_class.preset(preset)
        assert rules_class(**json.loads(json.dumps(rules.to_dict()))) == rules


# --- Words ----------------------------------------------------------------------------------------


@every_game
def test_a_preset_is_the_standard_with_some_switches_changed(game):
    rules = games.get(game).rules
    assert list(rules.PRESETS) == ["standard", "letter", "common"]
    assert rules.from_words([]) == rules.of(None) == rules.from_words(["standard"]) == rules()
    for name, changes in rules.PRESETS.items():
        assert rules.from_words([name]) == rules.of(name) == rules.of([name]) == rules(**changes)
        assert rules.preset(name, reward="rounds") == rules(**{**changes, "reward": "rounds"})


@every_game
def test_words_behind_a_preset_change_single_switches_and_the_last_one_counts(game):
    rules = games.get(game).rules
    for preset, changes in rules.PRESETS.items():
        for switch in switches_of(game):
            values = possible_values(game, switch)
            for value in (*values[:2], values[-1]):
                first = f"{switch.name}={values[0]}"
                made = rules.from_words([preset, first, f"{switch.name}={value}"])
                assert made == rules(**{**changes, switch.name: value})
    with pytest.raises(RulesError, match="'letter' stands behind 'reward=rounds'"):
        rules.from_words(["reward=rounds", "letter"])


def possible_values(game, switch):
    """Return the values of a switch that go with the defaults of all others."""
    rules, allowed = games.get(game).rules, switch.metadata["allowed"]
    values = [v for v in allowed if is_possible(lambda value=v: rules(**{switch.name: value}))]
    assert len(values) > len(allowed) / 3
    return values


@pytest.mark.parametrize(("game", "switch"), EVERY_SWITCH)
def test_words_reach_every_value_of_a_switch(game, switch):
    for value in possible_values(game, switch):
        words = {str(value), str(value).lower()} if isinstance(value, bool) else {str(value)}
        for word in words:
            rules = games.get(game).rules.from_words([f"{switch.name}={word}"])
            assert getattr(rules, switch.name) == value
            assert type(getattr(rules, switch.name)) is type(switch.default)


@every_game
def test_words_name_a_pack(game):
    pack = last_cards(game, 2, more=3)
    word = ",".join(str(card) for card in reversed(pack))
    assert games.get(game).rules.from_words([f"pack={word}"]).pack == pack


WRONG_WORDS = (
    ("strict", "'strict' is no preset of rules; there are standard, letter, common"),
    ("", "'' is no preset"),
    ("Letter", "'Letter' is no preset"),
    ("rewards=match", "'rewards' is no switch of these rules; there are pack, reward, "),
    ("=2", "'' is no switch"),
    ("reward=Match", "reward='Match' is not possible; allowed is 'match' or 'rounds'"),
    ("pack=all", "pack='all' is not a list of cards"),
    ("pack=", "pack='' is not a list of cards"),
    ("pack=1,2,3", "pack has 3 cards, too few for players=2"),
)


def one_sentence(game, word):
    """Return what is said of a wrong word."""
    with pytest.raises(RulesError) as caught:
        games.get(game).rules.from_words([word])
    assert "\n" not in str(caught.value)
    return str(caught.value)


@spread(case=WRONG_WORDS)
def test_wrong_words_get_one_sentence(game, case):
    word, said = case
    assert said in one_sentence(game, word)


@pytest.mark.parametrize(("game", "switch"), EVERY_SWITCH)
def test_wrong_words_for_a_switch_get_its_values(game, switch):
    allowed = switch.metadata["allowed"]
    wrong = {bool: ("1", "yes", "tru"), int: ("two", "2.0", "", "1e9"), str: ("ALL", "", "0")}
    for text in wrong[type(switch.default)]:
        said = one_sentence(game, f"{switch.name}={text}")
        assert f"{switch.name}={text!r} is not possible; allowed is " in said
        if isinstance(allowed, range):
            assert f"a whole number from {allowed[0]} to {allowed[-1]}" in said
        else:
            assert " or ".join(repr(value) for value in allowed) in said
    if isinstance(allowed, range):
        outside = allowed[-1] + 1
        assert f"{switch.name}={outside} is not" in one_sentence(game, f"{switch.name}={outside}")


@spread(rules=(3, {"reward": "match"}, object(), b"letter", True, [3]))
def test_what_is_no_rules_is_refused(game, rules):
    with pytest.raises(RulesError, match="not rules of this game; give"):
        Tables(game, 1, 2, rules=rules)


# --- Pack and players -----------------------------------------------------------------------------


@every_game
def test_wrong_packs_are_refused(game):
    rules = games.get(game).rules
    least = rules().cards_needed(rules.MIN_PLAYERS)
    pack = last_cards(game, rules.MIN_PLAYERS)
    a_number_from = f"a card of this game is a number from 0 to {rules.PACK_SIZE - 1}"
    for wrong, said in (
        ((*pack, pack[0]), "names a card twice"),
        ((*pack, rules.PACK_SIZE), f"pack holds {rules.PACK_SIZE}; {a_number_from}"),
        ((*pack, -1), f"pack holds -1; {a_number_from}"),
        ((*pack, 8.0), "pack holds 8.0; cards are whole numbers"),
        ((*pack, True), "pack holds True"),
        ((*pack, "8"), "pack holds '8'"),
        (
            pack[1:],
            f"pack has {least - 1} cards, too few for players=2; give at least {least} cards",
        ),
        ("012345678", "is not a list of cards"),
        (9, "is not a list of cards"),
        (None, "is not a list of cards"),
    ):
        with pytest.raises(RulesError) as caught:
            rules(pack=wrong)
        assert said in str(caught.value)


@every_game
def test_a_pack_may_come_in_any_order_and_as_a_list(game):
    rules, pack = games.get(game).rules, last_cards(game, 2, more=2)
    order = np.random.default_rng(1).permutation(pack).tolist()
    assert rules(pack=order).pack == rules(pack=tuple(order)).pack == pack
    assert rules(pack=np.array(order).tolist()).pack == pack
    assert rules(pack=range(pack[0], pack[-1] + 1)).pack == pack
    assert rules().pack == tuple(range(rules.PACK_SIZE))


@every_game
def test_too_small_a_pack_is_refused_at_once_and_any_other_can_be_played(game):
    """Never an error later, from a deal or a step."""
    rules_class = games.get(game).rules
    low, _, high = players_of(game)
    largest = rules_class.PACK_SIZE
    for size in range(len(last_cards(game, low)), largest + 1):
        rules = rules_class(pack=tuple(range(largest - size, largest)))
        for players in range(low - 1, high + 3):
            if not low <= players <= high or rules.cards_needed(players) > size:
                with pytest.raises(RulesError, match=f"players={players}"):
                    Tables(game, 1, players, rules=rules)
                continue
            tables = Tables(game, 20, players, rules=rules, episode="round")
            tables.reset(seed=size)
            generator = np.random.default_rng(size)
            while (live := np.flatnonzero(tables.turn >= 0)).size:
                masks = tables.masks[live]
                tables.step((generator.random(masks.shape) * masks).argmax(axis=1), live)
            assert (tables.rows["rounds"] == 1).all()


@spread(number=(0, 1, -2, 2.0, "4", None, True, [4], 10**9))
def test_impossible_numbers_of_players_are_refused(game, number):
    low, _, high = players_of(game)
    with pytest.raises(RulesError, match=f"players=.*{low} to {high}"):
        Tables(game, 1, number)


@every_game
def test_impossible_settings_of_tables_are_refused(game):
    _, _, most = players_of(game)
    padding = f"is not possible for players=4; give 4 to {most}"
    for settings, said in (
        ({"episode": "game"}, "episode='game' is not possible; give one of ('round', 'match')"),
        ({"illegal": "ignore"}, "illegal='ignore' is not possible; give one of ('raise', 'lose')"),
        ({"max_players": 3}, f"max_players=3 {padding}"),
        ({"max_players": most + 1}, f"max_players={most + 1} {padding}"),
    ):
        with pytest.raises(RulesError) as caught:
            Tables(game, 1, 4, **settings)
        assert said in str(caught.value)


@spread(count=(0, -1))
def test_there_is_at_least_one_table(game, count):
    with pytest.raises(RulesError, match=f"count={count} tables are not possible"):
        Tables(game, count, 4)


def test_unknown_games_are_refused_with_those_there_are():
    with pytest.raises(ValueError, match="'skat' is no game; there are ") as caught:
        Tables("skat", 1, 4)
    for game in GAMES:
        assert " or ".join((game, *games.get(game).aliases)) in str(caught.value)


# --- Deck, first seat, seed -----------------------------------------------------------------------


def contents(tables: Tables) -> list[Any]:
    """All that the tables hold, and what they would deal next."""
    arrays = [tables.rows[name] for name in tables.rows.dtype.names]
    arrays += [tables.observations, tables.masks, tables._seeds, tables._numbers, tables._episodes]
    return [array.tolist() for array in arrays]


@every_game
def test_a_wrong_reset_is_refused_and_changes_nothing(game):
    size = games.get(game).rules.PACK_SIZE
    full = list(range(size))
    no_order = f"is not an order of the pack; give each of its {size} cards once"
    tables = Tables(game, 3, 4)
    tables.reset(seed=1)
    tables.step(tables.masks.argmax(axis=1))
    before = contents(tables)
    for wrong, said in (
        ({"deck": full[:-1]}, no_order),
        ({"deck": [*full[:-1], 0]}, no_order),
        ({"deck": [*full[:-1], size]}, no_order),
        ({"deck": [*full, 0]}, no_order),
        ({"deck": [float(card) for card in full]}, no_order),
        ({"deck": []}, no_order),
        ({"deck": [full, full]}, "2 decks were given for 3 tables; give 1 or 3"),
        ({"deck": [full, full, [*full[:-1], 0]]}, no_order),
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
        ({"seed": 5, "deck": full[1:]}, no_order),
        ({"seed": 5, "first": 9}, "is not at this table"),
    ):
        with pytest.raises(ValueError, match=r"\w") as caught:
            tables.reset(**wrong)
        assert said in str(caught.value)
        unchanged = contents(tables) == before
        assert unchanged, f"a reset with {list(wrong)} was refused and yet changed something"


@every_game
def test_a_deck_of_a_small_pack_is_an_order_of_that_pack(game):
    pack = last_cards(game, 2, more=2)
    tables = Tables(game, 1, 2, rules=games.get(game).rules(pack=pack))
    tables.reset(deck=pack[::-1], first=1)
    assert tables.row(0).deck[: len(pack)].tolist() == list(pack[::-1])
    with pytest.raises(ValueError, match=f"its {len(pack)} cards once"):
        tables.reset(deck=range(len(pack)))


@every_game
def test_before_the_first_reset_one_is_told_to_reset(game):
    tables = Tables(game, 2, 4)
    with pytest.raises(ValueError, match=r"no episode has begun; call reset\(\) first"):
        tables.step(np.array([0, 0]))
    with pytest.raises(ValueError, match=r"no episode has begun; call reset\(\) first"):
        tables.step_one(0, 0)

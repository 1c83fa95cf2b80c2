"""Promises of tables themselves: what is refused, and what no key gives away."""

import numpy as np
import pytest

from cardenv.cards import PLAY, derive_keys
from cardenv.table import IllegalAction, NotStarted, Tables

MASK = 2**64 - 1
GOLDEN, MIX_1, MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def unshift(word, shift):
    """Invert ``word ^= word >> shift``."""
    result = word
    for _ in range(64 // shift + 1):
        result = word ^ (result >> shift)
    return result


def unmix(word):
    """Invert the generator's output function."""
    word = unshift(word, 31) * pow(MIX_2, -1, 2**64) & MASK
    word = unshift(word, 27) * pow(MIX_1, -1, 2**64) & MASK
    return unshift(word, 30)


def key_behind(key, moves):
    """Return the key that ``derive`` made this one from, if nothing seals it."""
    step = unmix((unmix(key) - GOLDEN * (moves + 1)) & MASK)
    return (step - GOLDEN * (PLAY + 1)) & MASK


def test_a_players_key_does_not_lead_back_to_the_deal():
    tables = Tables("31", 50, 4, episode="round")
    tables.reset(seed=1)
    keys = tables.rows["key"]
    bare = derive_keys(keys, PLAY, tables.rows["moves"])
    assert [key_behind(int(key), 0) for key in bare] == keys.tolist()  # the way back exists ...
    given = tables.play_keys()
    found = {key_behind(int(key), 0) for key in given}
    assert not found & set(keys.tolist())  # ... but not from what players are given
    assert len(np.unique(given)) == 50


def test_nothing_is_seen_or_played_before_a_reset():
    tables = Tables("31", 2, 3)
    for ask in (
        lambda: tables.play_randomly(1),
        lambda: tables.observe(np.array([0, 0])),
        tables.states,
        lambda: tables.describe(0, 0),
    ):
        with pytest.raises(NotStarted, match=r"call reset\(\) first"):
            ask()
    with pytest.raises(IllegalAction, match=r"call reset\(\) first"):
        tables.step(np.array([0, 0]))


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("rules", ["standard", ["all_out=draw", "lives=0"]])
def test_random_play_deals_anew_where_an_episode_is_over(episode, rules):
    tables = Tables("31", 300, 3, episode=episode, rules=rules)
    tables.reset(seed=1)
    ended = 0
    for _ in range(400):
        over = tables.turn < 0
        keys = tables.rows["key"].copy()
        moves = tables.rows["moves"].copy()
        counted = tables.play_randomly(1)
        assert (tables.rows["key"][over] != keys[over]).all()
        assert (tables.rows["moves"][over] == 1).all()
        assert (tables.rows["moves"][~over] == moves[~over] + 1).all()
        assert counted == (tables.turn < 0).sum()
        ended += counted
    assert ended > 300


@pytest.mark.parametrize("which", [[-1], [3], [0.0], [True], [[0]]])
def test_wrong_numbers_of_tables_are_refused(which):
    tables = Tables("31", 3, 2)
    tables.reset(seed=1)
    before = tables.rows.copy()
    which = np.array(which)
    for ask in (
        lambda: tables.step(np.full(len(which), 14), which),
        lambda: tables.reset(which),
        lambda: tables.observe(np.zeros(len(which), int), which),
        lambda: tables.states(which),
    ):
        with pytest.raises(ValueError, match="which="):
            ask()
    for table in (-1, 3):
        with pytest.raises(ValueError, match="there is no table"):
            tables.step_one(table, 14)
        with pytest.raises(ValueError, match="there is no table"):
            tables.describe(table, 0)
    assert (tables.rows == before).all()


def test_a_table_moves_once_but_may_be_looked_at_by_several_seats():
    tables = Tables("31", 3, 2)
    tables.reset(seed=1)
    twice = np.array([1, 0, 1])
    for ask in (lambda: tables.step(np.full(3, 14), twice), lambda: tables.reset(twice)):
        with pytest.raises(ValueError, match="table 1 twice"):
            ask()
    assert tables.observe(np.array([0, 0, 1]), twice).shape[0] == 3


@pytest.mark.parametrize("seats", [[2, 0, 0], [-1, 0, 0], [0, 0]])
def test_wrong_seats_are_refused(seats):
    tables = Tables("31", 3, 2)
    tables.reset(seed=1)
    with pytest.raises(ValueError, match="seats="):
        tables.observe(np.array(seats))


def test_a_state_of_other_tables_is_refused_and_changes_nothing():
    tables, other = Tables("31", 4, 2), Tables("31", 1, 2)
    tables.reset(seed=1)
    other.reset(seed=2)
    before = tables.rows.copy()
    for state in (other.state_dict(), {}):
        with pytest.raises(ValueError, match="does not fit"):
            tables.load_state_dict(state)
    assert (tables.rows == before).all()

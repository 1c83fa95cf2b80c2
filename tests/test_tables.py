"""Promises of tables themselves: what is refused, what no key gives away, no seat is special."""

import numpy as np
import pytest

from cardenv import games
from cardenv.cards import PLAY, derive_keys
from cardenv.table import IllegalAction, NotStarted, Tables
from tests.cases import every_game, every_kind_of_table, spread

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


@every_game
def test_a_players_key_does_not_lead_back_to_the_deal(game):
    tables = Tables(game, 50, 4, episode="round")
    tables.reset(seed=1)
    keys = tables.rows["key"]
    bare = derive_keys(keys, PLAY, tables.rows["moves"])
    assert [key_behind(int(key), 0) for key in bare] == keys.tolist()  # the way back exists ...
    given = tables.play_keys()
    found = {key_behind(int(key), 0) for key in given}
    assert not found & set(keys.tolist())  # ... but not from what players are given
    assert len(np.unique(given)) == 50


@every_game
def test_nothing_is_seen_or_played_before_a_reset(game):
    tables = Tables(game, 2, 3)
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


@every_kind_of_table
def test_random_play_deals_anew_where_an_episode_is_over(table):
    tables = Tables(table.game, 300, table.players, episode=table.episode, rules=table.rules)
    tables.reset(seed=1)
    ended = steps = 0
    while ended < 300:
        over = tables.turn < 0
        keys = tables.rows["key"].copy()
        moves = tables.rows["moves"].copy()
        counted = tables.play_randomly(1)
        assert (tables.rows["key"][over] != keys[over]).all()
        assert (tables.rows["moves"][over] == 1).all()
        assert (tables.rows["moves"][~over] == moves[~over] + 1).all()
        assert counted == (tables.turn < 0).sum()
        sums = tables.score[tables.turn < 0].sum(axis=1)
        assert np.abs(sums).max(initial=0) < 1e-9
        ended += counted
        steps += 1
        assert steps < 20_000, "an episode does not end"


@spread(which=((-1,), (3,), (0.0,), (True,), ((0,),)))
def test_wrong_numbers_of_tables_are_refused(game, which):
    tables = Tables(game, 3, 2)
    tables.reset(seed=1)
    before, legal = tables.rows.copy(), int(tables.masks[0].argmax())
    which = np.array(which)
    for ask in (
        lambda: tables.step(np.full(len(which), legal), which),
        lambda: tables.reset(which),
        lambda: tables.observe(np.zeros(len(which), int), which),
        lambda: tables.states(which),
    ):
        with pytest.raises(ValueError, match="which="):
            ask()
    for table in (-1, 3):
        with pytest.raises(ValueError, match="there is no table"):
            tables.step_one(table, legal)
        with pytest.raises(ValueError, match="there is no table"):
            tables.describe(table, 0)
    assert (tables.rows == before).all()


@every_game
def test_a_table_moves_once_but_may_be_looked_at_by_several_seats(game):
    tables = Tables(game, 3, 2)
    tables.reset(seed=1)
    twice = np.array([1, 0, 1])
    actions = tables.masks[twice].argmax(axis=1)
    for ask in (lambda: tables.step(actions, twice), lambda: tables.reset(twice)):
        with pytest.raises(ValueError, match="table 1 twice"):
            ask()
    assert tables.observe(np.array([0, 0, 1]), twice).shape[0] == 3


@spread(seats=((2, 0, 0), (-1, 0, 0), (0, 0)))
def test_wrong_seats_are_refused(game, seats):
    tables = Tables(game, 3, 2)
    tables.reset(seed=1)
    with pytest.raises(ValueError, match="seats="):
        tables.observe(np.array(seats))


@every_game
def test_a_state_of_other_tables_is_refused_and_changes_nothing(game):
    tables = Tables(game, 4, 2)
    tables.reset(seed=1)
    others = [Tables(game, 1, 2), Tables(game, 4, 3)]
    others += [Tables(other, 4, 2) for other in games.names() if other != game]
    before = tables.rows.copy()
    for other in others:
        other.reset(seed=2)
    for state in (*(other.state_dict() for other in others), {}):
        with pytest.raises(ValueError, match="does not fit"):
            tables.load_state_dict(state)
    assert (tables.rows == before).all()


# --- Seats ----------------------------------------------------------------------------------------


@spread("players", rules=("standard", "letter", "common"))
def test_turning_the_seats_round_turns_everything_round(game, players, rules):
    """The same hands one seat further, and the same choices: the same scores one seat further."""
    first_seat, pack = games.get(game).first_seat, games.get(game).rules.PACK_SIZE
    generator = np.random.default_rng(players)
    for _ in range(30):
        deck = generator.permutation(pack)
        tables = Tables(game, players, players, rules=rules, episode="round")
        tables.reset(deck=deck)
        size = int(tables.rows["hand"][0, 0]).bit_count()
        hands = deck[: players * size].reshape(players, size)
        decks = [
            [*np.roll(hands, turned, axis=0).ravel(), *deck[players * size :]]
            for turned in range(players)
        ]
        tables.reset(seed=[1] * players, deck=decks, first=np.arange(players))
        assert tables.rows[first_seat].tolist() == list(range(players))
        while tables.turn[0] >= 0:
            assert len({mask.tobytes() for mask in tables.masks}) == 1
            assert len({seen.tobytes() for seen in tables.observations}) == 1
            assert ((tables.turn - tables.turn[0]) % players).tolist() == list(range(players))
            action = generator.choice(np.flatnonzero(tables.masks[0]))
            tables.step(np.full(players, action))
        assert (tables.turn < 0).all()
        for turned in range(players):
            assert np.allclose(tables.score[turned], np.roll(tables.score[0], turned), atol=1e-12)


@spread("players", "episode")
def test_every_seat_gets_to_decide_and_to_win(game, players, episode):
    tables = Tables(game, 200, players, episode=episode)
    tables.reset(seed=1)
    deciding = np.zeros((200, players), bool)
    generator = np.random.default_rng(players)
    while (live := np.flatnonzero(tables.turn >= 0)).size:
        deciding[live, tables.turn[live]] = True
        masks = tables.masks[live]
        tables.step((generator.random(masks.shape) * masks).argmax(axis=1), live)
    assert deciding.any(axis=0).all()
    assert (tables.score > 0).any(axis=0).all()
    assert (tables.score < 0).any(axis=0).all()


@every_game
@pytest.mark.parametrize("first", [[0, 1], [[0], [1], [0], [1]]])
def test_first_seats_are_one_or_one_a_table(game, first):
    tables = Tables(game, 4, 2)
    tables.reset(seed=1, first=1)
    tables.reset(seed=1, first=[0, 1, 0, 1])
    with pytest.raises(ValueError, match="give one seat, or one for each of 4 tables"):
        tables.reset(first=first)


@every_game
def test_the_whole_state_tells_who_was_named_first(game):
    tables = Tables(game, 3, 3)
    tables.reset(seed=1, first=[0, 1, 2])
    view = tables.state_layout.view(tables.states())
    assert (view[games.get(game).first_seat] == np.eye(3)).all()

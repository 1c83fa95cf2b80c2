"""Compiled policies play exactly what they choose when they are asked one decision at a time."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

import agents
from agents.policies import play_to_the_end
from cardenv import games
from cardenv.players import AnyPlayer, choose
from cardenv.table import Tables
from tests.cases import EPISODES, every_game, short_rules, spread

COUNT = 60
UNLIKELY = 0.001
MIXES = {
    "random": ("random",),
    "expert": ("expert",),
    "all": ("random", "greedy", "expert"),
    "an outsider": ("outsider", "expert", "random"),
    "outsiders": ("outsider",),
}
RULES = ("standard", "letter", "common")


class Outsider:
    """A player that is no policy: the last legal action, or by its key the first."""

    name = "outsider"

    def act(self, observations: Any, masks: Any, keys: Any) -> NDArray[np.int64]:
        last: NDArray[np.int64] = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return np.where(keys % np.uint64(3) == 0, last, masks.argmax(axis=1))

    def check(self, tables: Tables) -> None:
        """Sit anywhere."""


def player(word: str, game: str) -> AnyPlayer:
    return Outsider() if word == "outsider" else agents.load(word, game)


def tables_of(game: str, players: int, episode: str, rules: Any = None) -> Tables:
    rules = short_rules(game) if episode == "match" else rules
    tables = Tables(game, COUNT, players, rules=rules, episode=episode)
    tables.reset(seed=players)
    return tables


def play_by_asking(players: list[AnyPlayer], seating: Any, tables: Tables) -> int:
    """Play every table to its end, all that wait at a time; return how many decisions that took."""
    decisions = 0
    while (live := np.flatnonzero(tables.turn >= 0)).size:
        tables.step(choose(players, seating[live, tables.turn[live]], tables, live), live)
        decisions += live.size
    return decisions


def assert_equal_tables(one: Tables, other: Tables) -> None:
    for name in one.rows.dtype.names:
        assert np.array_equal(one.rows[name], other.rows[name]), name
    assert np.array_equal(one.score, other.score)
    assert np.array_equal(one.observations, other.observations)
    assert np.array_equal(one.masks, other.masks)


@spread(mix=tuple(MIXES), seats=(2, 4), rules=RULES, episode=EPISODES)
def test_playing_on_in_compiled_code_is_asking_the_players_wave_by_wave(
    game: str, mix: str, seats: int, rules: str, episode: str
) -> None:
    players = [player(word, game) for word in MIXES[mix]]
    seating = np.random.default_rng(1).integers(len(players), size=(COUNT, seats))
    compiled, asked = (tables_of(game, seats, episode, rules) for _ in range(2))
    for tables in (compiled, asked):  # some tables have just been dealt, some are under way
        for _ in range(6):
            live = np.flatnonzero((tables.turn >= 0) & (np.arange(COUNT) % 3 > 0))
            tables.step(tables.masks[live].argmax(axis=1), live)
    expected = play_by_asking(players, seating, asked)
    assert play_to_the_end(players, seating, compiled) == expected
    assert (compiled.turn < 0).all()
    assert_equal_tables(compiled, asked)


@every_game
def test_tables_that_are_over_stay_as_they_are(game: str) -> None:
    tables, seating = tables_of(game, 3, "round"), np.zeros((COUNT, 3), np.int64)
    play_to_the_end([player("expert", game)], seating, tables)
    before = tables.state_dict()
    assert play_to_the_end([player("expert", game)], seating, tables) == 0
    assert all(np.array_equal(before[name], now) for name, now in tables.state_dict().items())


@every_game
def test_a_table_plays_the_same_alone_as_among_others(game: str) -> None:
    """Where outsiders are asked in between, tables wait for one another."""
    players = [player(word, game) for word in ("outsider", "expert")]
    seating = np.tile([0, 1, 1], (COUNT, 1))
    together = tables_of(game, 3, "round")
    play_to_the_end(players, seating, together)
    for table in range(0, COUNT, 13):
        alone = Tables(game, 1, 3, episode="round")
        alone.seed(3, np.array([table]))
        alone.reset()
        play_to_the_end(players, seating[:1], alone)
        assert np.array_equal(alone.score[0], together.score[table])
        assert alone.rows["moves"][0] == together.rows["moves"][table]


@every_game
@pytest.mark.bulk
def test_random_takes_every_legal_action_equally_often(game: str) -> None:
    actions = len(games.get(game).action_names)
    tables = Tables(game, 1, 3)
    tables.reset(seed=1)
    generator = np.random.default_rng(1)
    for legal in (2, 3, actions // 2, actions):
        mask = np.zeros(actions, np.int8)
        mask[generator.choice(actions, legal, replace=False)] = 1
        keys = generator.integers(2**64, size=2000 * legal, dtype=np.uint64)
        rows = (len(keys), 1)
        chosen = agents.load("random", game).act(
            np.tile(tables.observations, rows), np.tile(mask, rows), keys
        )
        times = np.bincount(chosen, minlength=actions)
        assert not times[mask == 0].any()
        assert chisquare(times[mask == 1]).pvalue > UNLIKELY


@every_game
def test_random_looks_at_nothing_but_what_is_legal(game: str) -> None:
    tables = tables_of(game, 4, "round")
    keys = tables.play_keys()
    expected = agents.load("random", game).act(tables.observations, tables.masks, keys)
    found = agents.load("random", game).act(tables.observations * 0, tables.masks, keys)
    assert np.array_equal(found, expected)

"""Heuristics of every game: always legal, a function of what is seen alone, and strong enough.

What a game's ``greedy`` does exactly is tested in ``tests/heuristics``.
"""

from typing import Any

import numpy as np
import pytest

import agents
from agents import heuristics, policies
from cardenv import games
from cardenv.players import Player, PlayerError
from cardenv.table import Tables
from experiments.evaluate import Settings, measure
from tests.cases import EPISODES, GAMES, Table, every_game, every_kind_of_table, players_of
from tests.heuristics.choosing import acts

COUNT = 20
LADDER = (("expert", "greedy", 3000), ("greedy", "random", 500))
"""Who must beat whom, and on how many deals."""

every_heuristic = pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in GAMES for name in policies.names(games.get(game))]
)


def play_out(tables: Tables, player: Player) -> None:
    """Play all tables to the end; ``Tables.step`` refuses an action that is not legal."""
    while (which := np.flatnonzero(tables.turn >= 0)).size:
        actions = player.act(
            tables.observations[which], tables.masks[which], tables.play_keys(which)
        )
        tables.step(actions, which)


def positions(game: str, players: int, **settings: Any) -> Tables:
    """Return tables at all stages of rounds that the expert plays."""
    tables = Tables(game, 400, players, episode="round", **settings)
    tables.reset(seed=11)
    player = agents.load("expert", game)
    stages = 5 * players + 10
    for step in range(stages):
        moving = np.flatnonzero((tables.turn >= 0) & (np.arange(400) % stages > step))
        if moving.size:
            keys = tables.play_keys(moving)
            tables.step(player.act(tables.observations[moving], tables.masks[moving], keys), moving)
    return tables


# --- Legal everywhere ---------------------------------------------------------------------------


@every_game
def test_there_are_a_yardstick_and_an_expert(game: str) -> None:
    assert list(heuristics.functions(games.get(game))) == ["greedy", "expert"]


@every_kind_of_table
@pytest.mark.parametrize("name", ["greedy", "expert"])
def test_every_choice_is_legal_with_every_switch(table: Table, name: str) -> None:
    for seats in {table.players, table.rules.most_players}:
        tables = Tables(
            *(table.game, COUNT, table.players),
            rules=table.rules,
            episode=table.episode,
            max_players=seats,
        )
        tables.reset(seed=seats)
        play_out(tables, agents.load(name, table.game))
        assert (tables.turn < 0).all()
        assert np.allclose(tables.score.sum(axis=1), 0)


@every_game
@pytest.mark.parametrize("episode", EPISODES)
def test_padding_changes_no_choice(game: str, episode: str) -> None:
    fewest, some, most = players_of(game)
    for players in (fewest, some):
        plain, padded = (
            Tables(game, 200, players, episode=episode, max_players=seats)
            for seats in (players, most)
        )
        for tables in (plain, padded):
            tables.reset(seed=5)
            play_out(tables, agents.load("expert", game))
        assert np.array_equal(plain.score, padded.score)
        assert np.array_equal(plain.rows["moves"], padded.rows["moves"])


# --- Strength -----------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_expert_beats_greedy_and_greedy_beats_random(game: str, players: int) -> None:
    """Score of a round as one seat among the others, with the deal as the unit."""
    settings = Settings(game=game, players=players)
    for better, worse, deals in LADDER:
        agent, among = agents.load(better, game), agents.load(worse, game)
        low_end = measure(agent, among, settings, deals, seed=9).interval(0.99)[1]
        assert low_end > 0, f"{better} among {worse}"


# --- What a choice depends on -------------------------------------------------------------------


@every_heuristic
def test_a_choice_is_the_same_alone_and_anywhere_in_a_batch(game: str, name: str) -> None:
    for players in players_of(game):
        tables = positions(game, players)
        which = np.flatnonzero(tables.turn >= 0)
        together = acts(name, tables, which)
        order = np.random.default_rng(1).permutation(which.size)
        assert np.array_equal(acts(name, tables, which[order]), together[order])
        alone = [acts(name, tables, which[i : i + 1])[0] for i in range(0, which.size, 7)]
        assert np.array_equal(alone, together[::7])


@every_heuristic
def test_a_choice_does_not_change_with_hidden_cards(game: str, name: str) -> None:
    for players in players_of(game):
        tables = positions(game, players)
        which = np.flatnonzero(tables.turn >= 0)
        keys = tables.play_keys(which)
        player = agents.load(name, game)
        before = player.act(tables.observations[which], tables.masks[which], keys)
        rows = tables.rows[which]
        seats = rows["turn"].astype(np.int64)
        hands = rows["hand"].copy()
        tables.kernels.resample(rows, tables.record, seats, keys)
        assert (rows["hand"] != hands).any(), "nothing was resampled"
        tables.rows[which] = rows
        seen = tables.observe(seats, which)
        assert np.array_equal(player.act(seen, tables.masks[which], keys), before)


@every_game
def test_a_name_of_no_heuristic_is_refused(game: str) -> None:
    with pytest.raises(PlayerError, match="there is no agent"):
        agents.load("gredy", game)


def test_a_heuristic_refuses_another_game() -> None:
    for game in GAMES:
        for other in set(GAMES) - {game}:
            with pytest.raises(PlayerError, match=f"plays {game}, not {other}"):
                agents.load("greedy", game).check(Tables(other, 1, 3))


@every_heuristic
def test_observations_of_another_kind_are_refused(game: str, name: str) -> None:
    """Compiled code would read numbers of other sizes, or past the end, without noticing."""
    tables = Tables(game, 20, 3, episode="round")
    tables.reset(seed=1)
    player, keys = agents.load(name, game), tables.play_keys()
    for wrong in (
        tables.observations.astype(np.int64),
        tables.layout.scaled(tables.observations),
        tables.observations[:, :60],
        tables.observations[:, :-1],
    ):
        with pytest.raises(PlayerError, match=f"give those of {game}'s tables, as uint8"):
            player.act(wrong, tables.masks, keys)
    strided = np.asfortranarray(tables.observations)
    expected = player.act(tables.observations, tables.masks, keys)
    found = player.act(strided, tables.masks.astype(np.int64), keys.astype(np.int64))
    assert (found == expected).all()

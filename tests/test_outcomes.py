"""Promises of outcomes: what every action would come to if a policy played on."""

import copy

import numpy as np
import pytest

from agents import policies
from agents.outcomes import outcomes_of
from agents.policies import Policy, play_to_the_end
from cardenv.table import Tables
from tests.cases import GAMES, PAYMENTS, short_rules, spread


def positions(game, players, count=24, **settings):
    """Yield tables, none of them over, further on in an episode each time."""
    tables = Tables(game, count, players, **settings)
    tables.reset(seed=players)
    generator = np.random.default_rng(players)
    for _ in range(6):
        tables.reset(np.flatnonzero(tables.turn < 0))
        yield tables
        tables.step((generator.random(tables.masks.shape) * tables.masks).argmax(axis=1))


@spread("players", payment=PAYMENTS)
def test_an_outcome_is_what_the_policy_makes_of_the_position_after_the_action(
    game, players, payment
):
    episode, reward = payment
    settings = {"episode": episode, "rules": short_rules(game, reward=reward)}
    paid = False
    for tables in positions(game, players, **settings):
        if (tables.turn < 0).any():
            continue
        policy = Policy(tables.game, policies.names(tables.game)[-1])
        outcomes = outcomes_of(tables, policy.number, tables.masks)
        for table in range(3):
            seat = tables.turn[table]
            for action in np.flatnonzero(tables.masks[table]):
                after = copy.deepcopy(tables)
                after.step(np.array([action]), np.array([table]))
                after.rows["turn"][np.arange(tables.count) != table] = -1
                play_to_the_end([policy], np.zeros((tables.count, players), np.int64), after)
                gained = after.score[table, seat] - tables.score[table, seat]
                assert outcomes[table, action] == pytest.approx(gained, abs=1e-6)
                paid |= bool(gained)
    assert paid


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("history", [0, 5])
def test_trying_changes_no_table_and_gives_0_to_what_is_not_tried(game, history):
    generator = np.random.default_rng(1)
    for tables in positions(game, 3, episode="round", history=history):
        if (tables.turn < 0).any():
            continue
        before = tables.state_dict()
        tries = (generator.random(tables.masks.shape) < 0.5).astype(np.int8)
        some = outcomes_of(tables, policies.RANDOM, tries)
        every = outcomes_of(tables, policies.RANDOM, tables.masks, cores=3)
        for name, array in tables.state_dict().items():
            assert np.array_equal(array, before[name])
        assert np.array_equal(some, every * tries)
        assert (every[tables.masks == 0] == 0).all()
        assert every.any()

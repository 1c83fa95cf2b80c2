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
    """Yield tables with an episode under way, further on each time."""
    tables = Tables(game, count, players, **settings)
    tables.reset(seed=players)
    generator = np.random.default_rng(players)
    for _ in range(6):
        live = np.flatnonzero(tables.turn >= 0)
        yield tables, live
        actions = (generator.random(tables.masks.shape) * tables.masks).argmax(axis=1)
        tables.step(actions[live], live)


@spread("players", payment=PAYMENTS)
def test_an_outcome_is_what_the_policy_makes_of_the_position_after_the_action(
    game, players, payment
):
    episode, reward = payment
    settings = {"episode": episode, "rules": short_rules(game, reward=reward)}
    paid = False
    for tables, live in positions(game, players, **settings):
        policy = Policy(tables.game, policies.names(tables.game)[-1])
        outcomes = outcomes_of(tables, policy.number, live)
        for place, table in enumerate(live):
            seat = tables.turn[table]
            for action in np.flatnonzero(tables.masks[table]):
                after = copy.deepcopy(tables)
                after.step(np.array([action]), np.array([table]))
                after.rows["turn"][np.arange(tables.count) != table] = -1
                play_to_the_end([policy], np.zeros((tables.count, players), np.int64), after)
                gained = after.score[table, seat] - tables.score[table, seat]
                assert outcomes[place, action] == pytest.approx(gained, abs=1e-6)
                paid |= bool(gained)
            if place == 2:
                break
    assert paid


@pytest.mark.parametrize("game", GAMES)
def test_trying_actions_changes_no_table_and_gives_0_to_what_is_not_legal(game):
    for tables, live in positions(game, 3, episode="round"):
        before = tables.state_dict()
        outcomes = outcomes_of(tables, policies.RANDOM, live)
        for name, array in tables.state_dict().items():
            assert np.array_equal(array, before[name])
        assert (outcomes[tables.masks[live] == 0] == 0).all()
        assert outcomes.shape == (len(live), tables.masks.shape[1])

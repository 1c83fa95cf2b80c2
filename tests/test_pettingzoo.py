"""PettingZoo's own tests, wrappers and conversions, as they are, for every game."""

import itertools
import sys
import types
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.performance_benchmark import performance_benchmark
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils import turn_based_aec_to_parallel
from pettingzoo.utils.conversions import aec_to_parallel
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from cardenv import games
from tests.cases import EPISODES, GAMES, every_game, maker, players_of, short_rules, spread
from tests.playing import first_masked, next_action, play_out, same, whole_state

EVERY_TABLE = [
    pytest.param(game, players, episode, id=f"{game}-{players}-{episode}")
    for game in GAMES
    for players in players_of(game)
    for episode in EPISODES
]
every_table = pytest.mark.parametrize(("game", "players", "episode"), EVERY_TABLE)
every_maker = pytest.mark.parametrize("make", ["env", "raw_env"])

EXPECTED_WARNINGS = (
    # PettingZoo wants arrays except from a list of names of its own, though its documentation asks
    # games with masks for dictionaries.
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
)


@pytest.fixture
def warnings_are_errors() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", message)
        yield


# --- PettingZoo's own tests -----------------------------------------------------------------------


@every_maker
@every_table
@pytest.mark.usefixtures("warnings_are_errors")
def test_pettingzoos_api_test(make: str, game: str, players: int, episode: str) -> None:
    api_test(maker(game, make)(num_players=players, episode=episode), num_cycles=1000)


@every_maker
@every_table
@pytest.mark.usefixtures("warnings_are_errors")
def test_pettingzoos_seed_test(make: str, game: str, players: int, episode: str) -> None:
    seed_test(lambda: maker(game, make)(num_players=players, episode=episode), num_cycles=500)


@every_maker
@every_table
@pytest.mark.usefixtures("warnings_are_errors")
def test_pettingzoos_state_test(make: str, game: str, players: int, episode: str) -> None:
    # It samples without masks, which only a table that lets offenders lose can be asked to bear.
    env = maker(game, make)(num_players=players, episode=episode, illegal="lose")
    check_state_space(env)
    for seed in range(20):
        check_state(env, 100, seed)


@every_table
@pytest.mark.usefixtures("warnings_are_errors")
def test_pettingzoos_parallel_test_on_its_turn_based_conversion(
    game: str, players: int, episode: str
) -> None:
    env = maker(game, "env")(num_players=players, episode=episode, rules=short_rules(game))
    parallel_api_test(turn_based_aec_to_parallel(env), num_cycles=1000)


@spread("make", "episode")
def test_pettingzoos_performance_benchmark(
    game: str, make: Any, episode: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    # It plays for five seconds by the clock; by this one, through two hundred looks at it.
    clock = types.SimpleNamespace(time=itertools.count(0, 5 / 200).__next__)
    monkeypatch.setattr(sys.modules[performance_benchmark.__module__], "time", clock)
    performance_benchmark(make(episode=episode))
    assert "turns per second" in capsys.readouterr().out


# --- What the documentation says ------------------------------------------------------------------


@every_game
def test_the_signature_of_the_documentation_works(game: str) -> None:
    rules = games.get(game).rules
    make = maker(game, "env")
    env = make(num_players=2, episode="match", rules=short_rules(game), render_mode=None)
    env.reset(seed=1)
    play_out(env, np.random.default_rng(0))
    assert str(env) == env.metadata["name"] == f"{game}_v{games.get(game).version}"
    for preset in rules.PRESETS:
        assert maker(game)(rules=preset)._tables.rules == rules.preset(preset)
    assert maker(game)(rules=["reward=rounds"])._tables.rules == rules(reward="rounds")
    assert maker(game)()._tables.episode == games.get(game).default_episode
    assert len(make().possible_agents) == 4


# --- Conversions and wrappers ---------------------------------------------------------------------


@every_game
def test_the_environment_says_that_it_is_not_parallel(game: str) -> None:
    env = maker(game, "env")()
    assert env.metadata["is_parallelizable"] is False
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(env)


@spread("episode")
def test_pettingzoos_turn_based_conversion_plays_the_same_games(game: str, episode: str) -> None:
    settings = {"num_players": 4, "rules": short_rules(game), "episode": episode}
    direct = maker(game, "env")(**settings)
    converted = turn_based_aec_to_parallel(maker(game, "env")(**settings))
    rng = np.random.default_rng(1)
    for seed in range(100):
        direct.reset(seed=seed)
        observations, infos = converted.reset(seed=seed)
        totals = dict.fromkeys(direct.agents, 0.0)
        converted_totals = dict.fromkeys(direct.agents, 0.0)
        while direct.agents:
            agent = direct.agent_selection
            assert agent == converted.aec_env.agent_selection
            assert same(observations, {a: direct.observe(a) for a in observations})
            totals[agent] += direct.last()[1]
            action = next_action(direct, rng)
            direct.step(action)
            while direct.agents and direct.terminations[direct.agent_selection]:
                totals[direct.agent_selection] += direct.last()[1]
                direct.step(None)
            actions = {other: action if other == agent else None for other in converted.agents}
            observations, rewards, _, _, infos = converted.step(actions)
            for other, reward in rewards.items():
                converted_totals[other] += reward
            assert converted.agents == direct.agents
            assert set(infos) >= set(converted.agents)
        assert totals == pytest.approx(converted_totals)


@every_game
def test_pettingzoos_wrapper_for_illegal_actions_works_on_top(game: str) -> None:
    env = TerminateIllegalWrapper(maker(game)(num_players=3), illegal_reward=-5)
    env.reset(seed=1)
    env.step(first_masked(env))
    assert sorted(env.rewards.values()) == [-5.0, 0, 0]
    for _ in env.agent_iter():
        assert env.last()[2]
        env.step(None)
    env.reset(seed=2)
    play_out(env, np.random.default_rng(1))


@every_game
def test_gymnasiums_sampling_takes_the_mask(game: str) -> None:
    env = maker(game, "env")(num_players=3)
    env.reset(seed=1)
    for agent in env.agent_iter(400):
        observation, _, terminated, _, _ = env.last()
        space = env.action_space(agent)
        assert isinstance(space, gymnasium.spaces.Discrete)
        env.step(None if terminated else space.sample(observation["action_mask"]))
    assert env.possible_agents == ["player_0", "player_1", "player_2"]


@every_game
def test_two_environments_do_not_share_anything(game: str) -> None:
    one, other = maker(game, "env")(num_players=3), maker(game, "env")(num_players=3)
    one.reset(seed=1)
    other.reset(seed=2)
    before = whole_state(other)
    play_out(one, np.random.default_rng(1))
    assert whole_state(other) == before
    assert one.possible_agents is not other.possible_agents

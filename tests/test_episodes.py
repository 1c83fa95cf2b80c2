"""An episode of the PettingZoo environment, from before its reset to its last dead step."""

from typing import Any

import numpy as np
import pytest

from cardenv import games
from cardenv.table import IllegalAction, NotStarted
from tests.cases import GAMES, PAYMENTS, every_game, maker, players_of, short_rules, spread
from tests.particulars import PARTICULARS
from tests.playing import first_legal, first_masked, next_action, play_out, whole_state

# --- Before the first reset -----------------------------------------------------------------------

TOO_EARLY = {
    "step": lambda env: env.step(0),
    "step None": lambda env: env.step(None),
    "last": lambda env: env.last(),
    "observe": lambda env: env.observe("player_0"),
    "state": lambda env: env.state(),
    "render": lambda env: env.render(),
    "agent_iter": lambda env: list(env.agent_iter()),
}
NOT_YET = (
    *("agents", "num_agents", "agent_selection", "rewards"),
    *("terminations", "truncations", "infos"),
)


@spread("make", call=tuple(TOO_EARLY))
def test_every_call_before_reset_raises_one_clear_error(game: str, make: Any, call: str) -> None:
    with pytest.raises(NotStarted, match=r"call reset\(\) first") as caught:
        TOO_EARLY[call](make(render_mode="ansi"))
    assert type(caught.value) is NotStarted


@spread("make", name=NOT_YET)
def test_every_attribute_before_reset_raises_the_same_error(
    game: str, make: Any, name: str
) -> None:
    env = make()
    with pytest.raises(NotStarted, match=rf"'{name}'.* call reset\(\) first"):
        getattr(env, name)
    assert not hasattr(env, name)
    env.reset(seed=1)
    assert hasattr(env, name)


@spread("make")
def test_spaces_are_there_before_reset_and_stay_the_same_objects(game: str, make: Any) -> None:
    env = make(num_players=3)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    before = [(env.observation_space(a), env.action_space(a)) for a in env.possible_agents]
    env.reset(seed=1)
    play_out(env, np.random.default_rng(1))
    for agent, (observation_space, action_space) in zip(env.possible_agents, before, strict=True):
        assert env.observation_space(agent) is observation_space
        assert env.action_space(agent) is action_space
    assert len({id(action_space) for _, action_space in before}) == 3, "a seed would be shared"


@every_game
def test_an_unknown_agent_is_named_with_those_there_are(game: str) -> None:
    env = maker(game, "env")(num_players=2)
    env.reset(seed=1)
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(ValueError, match=r"'player_2' is no agent .* player_0, player_1"):
            ask("player_2")


# --- Rewards --------------------------------------------------------------------------------------


@spread("players", payment=PAYMENTS)
def test_the_rewards_of_last_add_up_to_the_final_payoff(
    game: str, players: int, payment: tuple[str, str]
) -> None:
    episode, reward = payment
    rules = short_rules(game, reward=reward)
    env = maker(game)(num_players=players, episode=episode, rules=rules)
    rng = np.random.default_rng(players)
    winners = set()
    env.reset(seed=players)
    for _ in range(60):
        shown = dict.fromkeys(env.agents, 0.0)

        def add_rewards(shown: dict[str, float] = shown) -> None:
            for agent, reward in env.rewards.items():
                shown[agent] += reward

        totals = play_out(env, rng, add_rewards)
        score = env._tables.score[0]
        assert shown == pytest.approx(totals), "a reward stood in env.rewards for two steps"
        assert list(totals.values()) == pytest.approx(score.tolist(), abs=1e-12)
        assert sum(totals.values()) == pytest.approx(0, abs=1e-12)
        winners |= {agent for agent in totals if totals[agent] > 0}
        env.reset()
        assert set(env._cumulative_rewards.values()) == set(env.rewards.values()) == {0.0}
    assert winners == set(env.possible_agents), "not every seat has won once"


@spread("players")
def test_rewards_right_after_the_winning_step_are_the_payoffs(game: str, players: int) -> None:
    env = maker(game)(num_players=players, episode="round")
    rng = np.random.default_rng(1)
    for seed in range(30):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            assert not any(env.rewards.values())
            env.step(next_action(env, rng))
        assert list(env.rewards.values()) == env._tables.score[0].tolist()
        assert set(env.terminations.values()) == {True}
        env.step(None)
        assert not any(env.rewards.values()), "a payoff shown twice is counted twice"


# --- Ends and dead steps --------------------------------------------------------------------------


@spread("players", "episode")
def test_every_dictionary_names_the_agents_there_are_at_every_step(
    game: str, players: int, episode: str
) -> None:
    env = maker(game)(num_players=players, episode=episode, rules=short_rules(game))
    rng = np.random.default_rng(players)
    for seed in range(10):
        env.reset(seed=seed)
        while env.agents:
            dicts = (env.rewards, env.terminations, env.truncations, env.infos)
            assert all(list(each) == env.agents for each in dicts)
            assert not any(env.truncations.values())
            if any(env.terminations.values()):
                assert env.terminations[env.agent_selection], "the dead step first"
            else:
                assert env.agent_selection == f"player_{env._tables.turn[0]}"
            env.step(next_action(env, rng))
        assert env._tables.turn[0] == -1


@pytest.mark.parametrize("game", [game for game in GAMES if PARTICULARS[game].LEAVE_EARLY])
def test_agents_that_finish_at_different_times_leave_the_cycle_in_order(game: str) -> None:
    env = maker(game)(num_players=players_of(game)[1], episode="match", rules=short_rules(game))
    rng = np.random.default_rng(5)
    seen: dict[str, int] = {"one early": 0, "two at once": 0, "two in successive steps": 0}
    for seed in range(150):
        env.reset(seed=seed)
        out_in_last_step = 0
        while env.agents:
            if env.terminations[env.agent_selection]:
                env.step(None)
                continue
            env.step(next_action(env, rng))
            out = sum(env.terminations.values())
            if out < len(env.agents):
                seen["one early"] += out == 1
                seen["two at once"] += out == 2
                seen["two in successive steps"] += bool(out and out_in_last_step)
            out_in_last_step = out
    assert all(seen.values()), f"a case never came up: {seen}"


@every_game
def test_an_episode_goes_on_until_no_agent_is_left(game: str) -> None:
    # Who resets as soon as any agent has terminated would cut every match short.
    players = players_of(game)[1]
    env = maker(game)(num_players=players, episode="match", rules=short_rules(game))
    env.reset(seed=4)
    rng = np.random.default_rng(4)
    leavers: list[int] = []
    while env.agents:
        if env.terminations[env.agent_selection]:
            leavers.append(env._tables.rows["moves"][0])
        env.step(next_action(env, rng))
    assert len(leavers) == players
    assert (len(set(leavers)) > 1) == PARTICULARS[game].LEAVE_EARLY
    assert env._tables.turn[0] == -1


INTERRUPTIONS = ("in play", "at a dead step", "among the last dead steps", "after the end")


@spread("make", "players")
def test_three_episodes_on_one_object_with_resets_at_any_time(
    game: str, make: Any, players: int
) -> None:
    env = make(num_players=players, episode="match", rules=short_rules(game))
    names = [f"player_{seat}" for seat in range(players)]
    rng = np.random.default_rng(2)
    for interruption in INTERRUPTIONS:
        env.reset(seed=3)
        assert env.agents == env.possible_agents == names
        assert env.agents is not env.possible_agents
        while env.agents:
            dead = sum(env.terminations.values())
            if interruption == "in play" and env.unwrapped._tables.rows["moves"][0] == 3:
                break
            if interruption == "at a dead step" and dead:
                break
            if interruption == "among the last dead steps" and dead and len(env.agents) == 1:
                break
            env.step(next_action(env, rng))
        assert env.possible_agents == names
        assert bool(env.agents) == (interruption != "after the end")


@spread("make")
def test_after_the_last_dead_step_there_is_nothing_but_reset(game: str, make: Any) -> None:
    env = make(num_players=2, episode="round")
    env.reset(seed=1)
    play_out(env, np.random.default_rng(1))
    assert env.agents == []
    assert list(env.agent_iter()) == []
    with pytest.raises(NotStarted, match=r"call reset\(\) first"):
        env.last()
    if make is maker(game):
        with pytest.raises(IllegalAction, match=r"is over; call reset\(\)"):
            env.step(None)
    else:
        env.step(None)  # PettingZoo's guard warns in its log and does nothing
    assert env.agents == []


@spread("make")
def test_a_dead_step_takes_none_and_a_live_one_does_not(game: str, make: Any) -> None:
    env = make(num_players=2, episode="round")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="None is for agents that have terminated"):
        env.step(None)
    rng = np.random.default_rng(1)
    while not any(env.terminations.values()):
        env.step(next_action(env, rng))
    before = whole_state(env)
    with pytest.raises(IllegalAction, match="only action is None; 3 was given"):
        env.step(3)
    assert whole_state(env) == before


# --- An illegal action that loses -----------------------------------------------------------------


@spread("episode", "players", which=("masked", "below", "above", "far above"))
def test_an_illegal_action_loses_where_the_table_says_so(
    game: str, episode: str, players: int, which: str
) -> None:
    env = maker(game)(num_players=players, episode=episode, illegal="lose")
    env.reset(seed=2, options={games.get(game).first_seat: 1})
    env.step(first_legal(env))
    offender = env.agent_selection
    size = len(games.get(game).action_names)
    env.step({"masked": first_masked(env), "below": -1, "above": size, "far above": 2**70}[which])
    expected = dict.fromkeys(env.possible_agents, 1 / (players - 1)) | {offender: -1.0}
    assert env.rewards == pytest.approx(expected)
    assert set(env.terminations.values()) == {True}
    assert set(env.truncations.values()) == {False}
    assert list(env.infos.values()) == [{"illegal_action_by": offender}] * players
    assert play_out(env, np.random.default_rng(0)) == pytest.approx(expected)


@every_game
def test_legal_play_is_the_same_where_an_illegal_action_would_lose(game: str) -> None:
    games_played = []
    for illegal in ("raise", "lose"):
        env = maker(game)(num_players=4, illegal=illegal)
        env.reset(seed=8)
        states: list[str] = []
        play_out(env, np.random.default_rng(8), lambda: states.append(whole_state(env)))  # noqa: B023
        games_played.append(states)
    assert games_played[0] == games_played[1]

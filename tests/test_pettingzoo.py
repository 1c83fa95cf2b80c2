"""What PettingZoo's users rely on: its own tests, and what they leave open."""

import copy
import pickle
import re
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils import turn_based_aec_to_parallel
from pettingzoo.utils.conversions import aec_to_parallel
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from cardenv import schwimmen_v0
from cardenv.cards import cards_in
from cardenv.games.schwimmen import KEEP, PASS, STOP, Rules
from cardenv.rules import RulesError
from cardenv.table import IllegalAction, NotStarted, Tables
from tests.playing import next_action, play_out, random_action, same, whole_state

EPISODES = ("round", "match")
PLAYERS = (2, 4, 9)
MAKERS = (schwimmen_v0.env, schwimmen_v0.raw_env)

every_table = pytest.mark.parametrize("players", PLAYERS)
every_episode = pytest.mark.parametrize("episode", EPISODES)
every_maker = pytest.mark.parametrize("make", MAKERS)

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
@every_episode
@every_table
@pytest.mark.usefixtures("warnings_are_errors")
def test_pettingzoos_api_test(make: Any, episode: str, players: int) -> None:
    api_test(make(num_players=players, episode=episode), num_cycles=1000)


@every_maker
@every_episode
@every_table
@pytest.mark.usefixtures("warnings_are_errors")
def test_pettingzoos_seed_test(make: Any, episode: str, players: int) -> None:
    seed_test(lambda: make(num_players=players, episode=episode), num_cycles=500)


@every_maker
@every_episode
@every_table
@pytest.mark.usefixtures("warnings_are_errors")
def test_pettingzoos_state_test(make: Any, episode: str, players: int) -> None:
    # It samples without masks, which only a table that lets offenders lose can be asked to bear.
    env = make(num_players=players, episode=episode, illegal="lose")
    check_state_space(env)
    for seed in range(20):
        check_state(env, 100, seed)


def test_the_signature_of_the_documentation_works() -> None:
    env = schwimmen_v0.env(num_players=3, episode="match", rules=Rules(lives=1), render_mode=None)
    env.reset(seed=1)
    play_out(env, np.random.default_rng(0))
    assert str(env) == env.metadata["name"] == "schwimmen_v0"
    assert schwimmen_v0.raw_env(rules="letter").unwrapped._tables.rules.reveal == "choice"
    assert schwimmen_v0.raw_env(rules=["lives=2"])._tables.rules.lives == 2
    assert schwimmen_v0.raw_env()._tables.episode == "match"
    assert len(schwimmen_v0.env().possible_agents) == 4


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
NOT_YET = ("agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations")


@every_maker
@pytest.mark.parametrize("call", TOO_EARLY)
def test_every_call_before_reset_raises_one_clear_error(make: Any, call: str) -> None:
    with pytest.raises(NotStarted, match=r"call reset\(\) first") as caught:
        TOO_EARLY[call](make(render_mode="ansi"))
    assert type(caught.value) is NotStarted


@every_maker
@pytest.mark.parametrize("name", [*NOT_YET, "infos"])
def test_every_attribute_before_reset_raises_the_same_error(make: Any, name: str) -> None:
    env = make()
    with pytest.raises(NotStarted, match=rf"'{name}'.* call reset\(\) first"):
        getattr(env, name)
    assert not hasattr(env, name)
    env.reset(seed=1)
    assert hasattr(env, name)


@every_maker
def test_spaces_are_there_before_reset_and_stay_the_same_objects(make: Any) -> None:
    env = make(num_players=3)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    before = [(env.observation_space(a), env.action_space(a)) for a in env.possible_agents]
    env.reset(seed=1)
    play_out(env, np.random.default_rng(1))
    for agent, (observation_space, action_space) in zip(env.possible_agents, before, strict=True):
        assert env.observation_space(agent) is observation_space
        assert env.action_space(agent) is action_space
    assert len({id(action_space) for _, action_space in before}) == 3, "a seed would be shared"


def test_an_unknown_agent_is_named_with_those_there_are() -> None:
    env = schwimmen_v0.env(num_players=2)
    env.reset(seed=1)
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(ValueError, match=r"'player_2' is no agent .* player_0, player_1"):
            ask("player_2")


# --- Rewards, ends and dead steps -----------------------------------------------------------------


@every_episode
@pytest.mark.parametrize("reward", ["match", "rounds"])
@pytest.mark.parametrize("players", [2, 3, 5, 9])
def test_the_rewards_of_last_add_up_to_the_final_payoff(
    episode: str, reward: str, players: int
) -> None:
    env = schwimmen_v0.raw_env(
        num_players=players, episode=episode, rules=Rules(lives=1, reward=reward)
    )
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


@every_table
def test_rewards_right_after_the_winning_step_are_the_payoffs(players: int) -> None:
    env = schwimmen_v0.raw_env(num_players=players, episode="round")
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


def test_agents_that_finish_at_different_times_leave_the_cycle_in_order() -> None:
    env = schwimmen_v0.raw_env(num_players=6, episode="match", rules=Rules(lives=0))
    rng = np.random.default_rng(5)
    seen: dict[str, int] = {"one early": 0, "two at once": 0, "two in successive steps": 0}
    for seed in range(150):
        env.reset(seed=seed)
        out_in_last_step = 0
        while env.agents:
            dicts = (env.rewards, env.terminations, env.truncations, env.infos)
            assert all(list(each) == env.agents for each in dicts)
            if any(env.terminations.values()):
                assert env.terminations[env.agent_selection], "the dead step first"
                env.step(None)
                continue
            assert env.agent_selection == f"player_{env._tables.turn[0]}"
            env.step(next_action(env, rng))
            out = sum(env.terminations.values())
            if out < len(env.agents):
                seen["one early"] += out == 1
                seen["two at once"] += out == 2
                seen["two in successive steps"] += bool(out and out_in_last_step)
            out_in_last_step = out
    assert all(seen.values()), f"a case never came up: {seen}"


@every_maker
def test_three_episodes_on_one_object_with_resets_at_any_time(make: Any) -> None:
    env = make(num_players=4, episode="match", rules=Rules(lives=0))
    names = [f"player_{seat}" for seat in range(4)]
    rng = np.random.default_rng(2)
    for interruption in ("in play", "at a dead step", "among the last dead steps", "after the end"):
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


@every_maker
def test_after_the_last_dead_step_there_is_nothing_but_reset(make: Any) -> None:
    env = make(num_players=2, episode="round")
    env.reset(seed=1)
    play_out(env, np.random.default_rng(1))
    assert env.agents == []
    assert list(env.agent_iter()) == []
    with pytest.raises(NotStarted, match=r"call reset\(\) first"):
        env.last()
    if make is schwimmen_v0.raw_env:
        with pytest.raises(IllegalAction, match=r"is over; call reset\(\)"):
            env.step(None)
    else:
        env.step(None)  # PettingZoo's guard warns in its log and does nothing
    assert env.agents == []


def test_an_episode_goes_on_until_no_agent_is_left() -> None:
    # Who resets as soon as any agent has terminated would cut every match short.
    env = schwimmen_v0.raw_env(num_players=5, episode="match", rules=Rules(lives=0))
    env.reset(seed=4)
    rng = np.random.default_rng(4)
    leavers: list[int] = []
    while env.agents:
        if env.terminations[env.agent_selection]:
            leavers.append(env._tables.rows["moves"][0])
        env.step(next_action(env, rng))
    assert len(leavers) == 5
    assert len(set(leavers)) > 1
    assert env._tables.turn[0] == -1


@every_maker
def test_a_dead_step_takes_none_and_a_live_one_does_not(make: Any) -> None:
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


# --- Actions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("illegal", ["raise", "lose"])
@pytest.mark.parametrize(
    "action",
    [None, True, False, np.bool_(True), 9.0, np.float64(9), float("nan"), "9", [9], np.array(9.0)],
)
@every_maker
def test_what_is_no_whole_number_is_refused_in_one_way(
    make: Any, illegal: str, action: Any
) -> None:
    env = make(num_players=3, illegal=illegal)
    env.reset(seed=1)
    env.step(KEEP)
    before = whole_state(env)
    with pytest.raises(IllegalAction, match="no whole number; give one from 0 to 16"):
        env.step(action)
    assert whole_state(env) == before


@pytest.mark.parametrize("players", [2, 9])
def test_every_masked_action_is_refused_and_changes_nothing(players: int) -> None:
    env = schwimmen_v0.raw_env(num_players=players, rules="letter")
    rng = np.random.default_rng(7)
    for seed in range(15):
        env.reset(seed=seed)
        for _ in range(12):
            observation, *_ = env.last()
            before = whole_state(env)
            masked = np.flatnonzero(observation["action_mask"] == 0)
            for action in [*masked, -1, 17, 18, 63, 64, -(2**63), 2**63 - 1, 2**80, -(2**80)]:
                seat = env._tables.turn[0]
                with pytest.raises(IllegalAction, match=rf"not legal for seat {seat}; legal are"):
                    env.step(action)
                assert whole_state(env) == before
            env.step(random_action(observation["action_mask"], rng))
            if any(env.terminations.values()):
                break


def test_every_kind_of_whole_number_does_the_same() -> None:
    import torch

    kinds = [int, np.int64, np.int8, np.uint8, np.int32, np.array, torch.tensor]
    after = []
    for kind in kinds:
        env = schwimmen_v0.env(num_players=3)
        env.reset(seed=3)
        env.step(kind(KEEP))
        env.step(kind(5))
        after.append(whole_state(env))
    assert len(set(after)) == 1
    env = schwimmen_v0.env(num_players=3)
    env.reset(seed=3)
    for action in (torch.tensor(True), torch.tensor(9.0), torch.tensor([9, 9]), np.array(True)):
        with pytest.raises(IllegalAction, match="no whole number"):
            env.step(action)


def test_a_second_action_is_the_next_agents_and_not_applied_to_the_first() -> None:
    env = schwimmen_v0.raw_env(num_players=4)
    env.reset(seed=1, options={"dealer": 0})
    env.step(KEEP)
    tables = env._tables
    assert env.agent_selection == "player_1"
    hand = int(tables.rows["hand"][0, 1])
    env.step(0)
    once = int(tables.rows["hand"][0, 1])
    env.step(0)
    assert once != hand
    assert int(tables.rows["hand"][0, 1]) == once
    assert tables.rows["laps"][0].tolist()[:4] == [0, 1, 1, 0]


@every_episode
@pytest.mark.parametrize("players", [2, 3, 9])
def test_an_illegal_action_loses_where_the_table_says_so(episode: str, players: int) -> None:
    for action in (STOP, 16, -1, 17, 2**70):
        env = schwimmen_v0.raw_env(num_players=players, episode=episode, illegal="lose")
        env.reset(seed=2, options={"dealer": 1})
        env.step(KEEP)
        offender = env.agent_selection
        env.step(action)
        expected = dict.fromkeys(env.possible_agents, 1 / (players - 1)) | {offender: -1.0}
        assert env.rewards == pytest.approx(expected)
        assert set(env.terminations.values()) == {True}
        assert set(env.truncations.values()) == {False}
        assert list(env.infos.values()) == [{"illegal_action_by": offender}] * players
        assert play_out(env, np.random.default_rng(0)) == pytest.approx(expected)


def test_legal_play_is_the_same_where_an_illegal_action_would_lose() -> None:
    games = []
    for illegal in ("raise", "lose"):
        env = schwimmen_v0.raw_env(num_players=4, illegal=illegal)
        env.reset(seed=8)
        states: list[bytes] = []
        play_out(env, np.random.default_rng(8), lambda: states.append(whole_state(env)))  # noqa: B023
        games.append(states)
    assert games[0] == games[1]


def test_pettingzoos_wrapper_for_illegal_actions_works_on_top() -> None:
    env = TerminateIllegalWrapper(schwimmen_v0.raw_env(num_players=3), illegal_reward=-5)
    env.reset(seed=1)
    env.last()
    env.step(STOP)
    assert sorted(env.rewards.values()) == [-5.0, 0, 0]
    for _ in env.agent_iter():
        assert env.last()[2]
        env.step(None)
    env.reset(seed=2)
    play_out(env, np.random.default_rng(1))


# --- Observations ---------------------------------------------------------------------------------


@every_episode
@every_table
def test_every_agent_observes_its_own_hand_and_seats_from_its_own(
    episode: str, players: int
) -> None:
    env = schwimmen_v0.raw_env(num_players=players, episode=episode, rules=Rules(lives=1))
    rng = np.random.default_rng(3)

    def check() -> None:
        row = env._tables.row(0)
        for seat, agent in enumerate(env.possible_agents):
            view = env.layout.view(env.observe(agent)["observation"])
            assert np.flatnonzero(view["hand"]).tolist() == cards_in(row.hand[seat])
            clockwise = [(seat + place) % players for place in range(players)]
            assert view["lap"].tolist() == [row.laps[other] for other in clockwise]
            assert view["lives"].tolist() == [row.lives[other] for other in clockwise]
            assert view["dealer"].tolist() == [other == row.dealer for other in clockwise]
            for place, other in enumerate(clockwise):
                assert np.flatnonzero(view["known"][place]).tolist() == cards_in(row.known[other])

    for seed in range(3):
        env.reset(seed=seed)
        check()
        play_out(env, rng, check)


def test_the_next_agent_sees_what_was_just_played() -> None:
    env = schwimmen_v0.raw_env(num_players=3, episode="round")
    rng = np.random.default_rng(9)
    swaps = 0
    for seed in range(200):
        env.reset(seed=seed)
        env.step(next_action(env, rng))
        while env.agents and not any(env.terminations.values()):
            actor = int(env._tables.turn[0])
            before = env.layout.view(env.last()[0]["observation"])
            action = next_action(env, rng)
            env.step(action)
            if action is None or action > PASS or any(env.terminations.values()):
                continue
            after = env.layout.view(env.last()[0]["observation"])
            place = (actor - int(env._tables.turn[0])) % 3
            if action == PASS:
                assert after["passes"] == (before["passes"] + 1) % 3, "the third opens new cards"
                continue
            taken = before["middle"] & ~after["middle"]
            given = after["middle"] & ~before["middle"]
            assert taken.any()
            assert np.array_equal(before["hand"] & given, given)
            assert np.array_equal(after["known"][place] & taken, taken)
            swaps += 1
    assert swaps > 200


@every_maker
@every_episode
def test_any_agent_can_be_observed_at_any_time(make: Any, episode: str) -> None:
    env = make(num_players=5, episode=episode, rules=Rules(lives=0))
    rng = np.random.default_rng(1)
    layout = env.layout

    def check() -> None:
        tables = env.unwrapped._tables
        for seat, agent in enumerate(env.possible_agents):
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            expected = tables.masks[0] if seat == tables.turn[0] else np.zeros(17, np.int8)
            assert np.array_equal(observation["action_mask"], expected)
            view = layout.view(observation["observation"])
            out = int(tables.rows["left"][0]) >> seat & 1
            assert view["in"][0] == (not out)
            if out and tables.turn[0] >= 0 and tables.rows["moves"][0]:
                assert view["hand"].any() == bool(tables.rows["hand"][0, seat])
            assert view["phase"][4] == (tables.turn[0] < 0)

    for seed in range(10):
        env.reset(seed=seed)
        check()
        play_out(env, rng, check)
        assert env.agents == []
        check()


def test_an_observation_depends_on_what_was_to_be_seen_alone() -> None:
    # The dealer keeps pile A, B goes open; or he looks at B, changes and gets A: the table looks
    # the same to everybody else, so what they observe may not differ.
    hands, pile_a, pile_b = [0, 9, 18], [1, 10, 19], [2, 11, 20]
    rest = [card for card in range(32) if card not in hands + pile_a + pile_b]
    views = []
    for deck, choice in (
        (pile_a + hands + pile_b + rest, KEEP),
        (pile_b + hands + pile_a + rest, KEEP + 1),
    ):
        env = schwimmen_v0.raw_env(num_players=2)
        env.reset(seed=1, options={"deck": deck, "dealer": 0})
        env.step(choice)
        views.append([env.observe(agent) for agent in env.agents])
    assert same(*views)


# --- Masks ----------------------------------------------------------------------------------------


def test_masks_at_reset_allow_exactly_what_the_table_accepts() -> None:
    players, actions = 4, 17
    rules = Rules(reveal="choice", stop_after="none")
    env = schwimmen_v0.raw_env(num_players=players, rules=rules)
    trials = Tables("31", actions, players, rules=rules)
    for seed in range(2000):
        env.reset(seed=seed)
        mask = env.last()[0]["action_mask"]
        trials.reset(seed=[seed] * actions)
        for action in range(actions):
            accepted = True
            try:
                trials.step_one(action, action)
            except IllegalAction:
                accepted = False
            assert mask[action] == accepted


@every_table
def test_who_is_to_act_always_has_an_action(players: int) -> None:
    env = schwimmen_v0.raw_env(num_players=players, rules=Rules(lives=1))
    rng = np.random.default_rng(players)
    env.reset(seed=players)
    for _ in range(5000):
        if not env.agents:
            env.reset()
        observation, _, terminated, _, _ = env.last()
        assert observation["action_mask"].any() == (not terminated)
        env.step(None if terminated else random_action(observation["action_mask"], rng))


def test_a_random_player_does_not_take_an_empty_mask_for_action_0() -> None:
    with pytest.raises(AssertionError, match="no legal action"):
        random_action(np.zeros(17, np.int8), np.random.default_rng(0))


# --- Spaces and documentation ---------------------------------------------------------------------


def test_spaces_flatten_in_the_order_of_the_observations_keys() -> None:
    env = schwimmen_v0.raw_env(num_players=4)
    space = env.observation_space("player_0")
    assert isinstance(space, spaces.Dict)
    restored = pickle.loads(pickle.dumps(space))
    assert space == restored
    actions = env.action_space("player_0").n
    rng = np.random.default_rng(0)
    env.reset(seed=1)
    for _ in range(500):
        if not env.agents:
            env.reset()
        observation = env.last()[0]
        assert list(observation) == list(space.keys()) == list(restored.keys())
        flat = spaces.flatten(space, observation)
        assert np.array_equal(flat[:actions], observation["action_mask"])
        assert np.array_equal(flat[actions:], observation["observation"])
        assert same(dict(spaces.unflatten(restored, flat)), observation)
        env.step(next_action(env, rng))


@every_table
def test_the_documented_table_is_where_the_bytes_are(players: int) -> None:
    env = schwimmen_v0.raw_env(num_players=players)
    env.reset(seed=1)
    for _ in range(30):
        env.step(next_action(env, np.random.default_rng(1)))
    observation = env.observe("player_0")["observation"]
    view, written = env.layout.view(observation), 0
    for place, name, length, scale, meaning in env.layout.table():
        found = re.match(r"(\d+)(?:-(\d+))?(?: \(\+(\d+) a seat\))?$", place)
        assert found, place
        start, seat_step = int(found[1]), int(found[3] or 0)
        assert int(found[2] or start) - start + 1 == length
        for seat in range(players if seat_step else 1):
            part = slice(start + seat * seat_step, start + seat * seat_step + length)
            shown = view[name][seat] if seat_step else view[name]
            assert np.array_equal(np.atleast_1d(shown), observation[part])
            assert set(env.layout.high[part].tolist()) == {scale}
            written += length
        assert meaning
    assert written == observation.size == env.observation_space("player_0")["observation"].shape[0]


def test_padding_to_more_seats_keeps_every_offset() -> None:
    narrow = schwimmen_v0.raw_env(num_players=3)
    wide = schwimmen_v0.raw_env(num_players=3, max_players=9)
    assert wide.possible_agents == narrow.possible_agents
    rng = np.random.default_rng(1)
    narrow.reset(seed=5)
    wide.reset(seed=5)
    while narrow.agents:
        small, large = narrow.last()[0], wide.last()[0]
        size = small["observation"].size
        assert np.array_equal(small["observation"], large["observation"][:size])
        assert not large["observation"][size:].any()
        action = next_action(narrow, rng)
        narrow.step(action)
        wide.step(action)
    assert wide.agents == []
    assert wide.observation_space("player_0") == schwimmen_v0.raw_env(
        num_players=9
    ).observation_space("player_0")


def test_default_rules_are_those_of_the_text() -> None:
    rules = schwimmen_v0.raw_env()._tables.rules
    assert rules == Rules(
        lives=3,
        aces_value=31,
        stop_after="all",
        reveal="auto",
        redraw789="any",
        max_laps=50,
        all_out="replay",
        fire=False,
        reward="match",
        pack=tuple(range(32)),
    )


# --- Reset's options ----------------------------------------------------------------------------


def test_a_position_can_be_built_and_later_rounds_are_shuffled() -> None:
    env = schwimmen_v0.raw_env(num_players=2, episode="match")
    deck = list(range(32))[::-1]
    env.reset(seed=3, options={"deck": deck, "dealer": 1})
    view = env.layout.view(env.observe("player_0")["observation"])
    assert np.flatnonzero(view["hand"]).tolist() == [29, 30, 31]
    assert env.agent_selection == "player_1"
    env.reset()
    assert env._tables.rows["deck"][0].tolist() != deck


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"starter": 1}, "options has 'starter'; a reset of schwimmen takes 'deck' and 'dealer'"),
        ({"deck": [1, 2, 3]}, "not an order of the pack"),
        ({"deck": [0] * 32}, "give each of its 32 cards once"),
        ({"dealer": 4}, "seat 4 is not at this table; give a seat from 0 to 3"),
        ({"dealer": -1}, "seat -1 is not at this table"),
        ({"dealer": "north"}, "seat 'north' is not at this table"),
    ],
)
@every_maker
def test_an_impossible_option_is_refused_and_play_goes_on(
    make: Any, options: dict[str, Any], sentence: str
) -> None:
    env = make(num_players=4)
    env.reset(seed=1)
    env.step(KEEP)
    before = whole_state(env)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        env.reset(options=options)
    with pytest.raises(ValueError, match="whole number from 0"):
        env.reset(seed=-1)
    assert whole_state(env) == before
    env.step(PASS)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"num_players": 1}, "players=1 is not possible; this game takes 2 to 9"),
        ({"num_players": 10}, "players=10 is not possible"),
        ({"num_players": 2.0}, "players=2.0 is not a whole number"),
        ({"num_players": True}, "players=True is not a whole number"),
        ({"episode": "hand"}, "episode='hand' is not possible"),
        ({"render_mode": "gif"}, "render_mode='gif' is not possible; give one of None, 'ansi'"),
        ({"render_view": "player_7"}, "render_view='player_7' is not possible"),
        ({"max_players": 3}, "max_players=3 is not possible for players=4"),
        ({"illegal": "ignore"}, "illegal='ignore' is not possible"),
        ({"rules": "house"}, "'house' is no preset of rules"),
        ({"rules": 7}, "rules=7 are not rules of this game"),
    ],
)
@every_maker
def test_an_impossible_setting_is_refused_at_construction(
    make: Any, settings: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(RulesError, match=re.escape(sentence)):
        make(**settings)


# --- Conversions ----------------------------------------------------------------------------------


def test_the_environment_says_that_it_is_not_parallel() -> None:
    env = schwimmen_v0.env()
    assert env.metadata["is_parallelizable"] is False
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(env)


def test_pettingzoos_turn_based_conversion_plays_the_same_games() -> None:
    direct = schwimmen_v0.env(num_players=4, rules=["lives=0"])
    converted = turn_based_aec_to_parallel(schwimmen_v0.env(num_players=4, rules=["lives=0"]))
    rng = np.random.default_rng(1)
    for seed in range(200):
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


# --- Where a user mixes things ------------------------------------------------------------------


def test_two_environments_do_not_share_anything() -> None:
    one, other = schwimmen_v0.env(num_players=3), schwimmen_v0.env(num_players=3)
    one.reset(seed=1)
    other.reset(seed=2)
    before = whole_state(other)
    play_out(one, np.random.default_rng(1))
    assert whole_state(other) == before
    assert one.possible_agents is not other.possible_agents


def test_gymnasiums_sampling_takes_the_mask() -> None:
    env = schwimmen_v0.env(num_players=3)
    env.reset(seed=1)
    for agent in env.agent_iter(400):
        observation, _, terminated, _, _ = env.last()
        space = env.action_space(agent)
        assert isinstance(space, gymnasium.spaces.Discrete)
        env.step(None if terminated else space.sample(observation["action_mask"]))
    assert copy.copy(env.possible_agents) == ["player_0", "player_1", "player_2"]

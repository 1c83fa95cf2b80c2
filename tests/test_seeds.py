"""Same seed, same game: alone or in any batch, in any process, whatever other generators do."""

import hashlib
import os
import pickle
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from cardenv import schwimmen_v0
from cardenv.games.schwimmen import Rules
from cardenv.table import Tables
from tests.playing import next_action, play_out, same

EPISODES = 50


def trajectory(env: Any, seed: int, episodes: int) -> list[Any]:
    """Record all that is handed out over some episodes of seeded random play."""
    rng = np.random.default_rng(seed)
    record: list[Any] = []
    env.reset(seed=seed)
    for episode in range(episodes):
        if episode:
            env.reset()
        while env.agents:
            action = next_action(env, rng)
            record.append((env.agent_selection, *env.last(), dict(env.rewards), env.state()))
            env.step(action)
            record.append((action, dict(env.rewards), dict(env.terminations), env.truncations))
    return record


def digest(record: list[Any]) -> str:
    """Return a hash of a trajectory that a second process can compare with its own."""
    total = hashlib.sha256()
    for entry in record:
        for part in entry:
            arrays = part.values() if isinstance(part, dict) else (part,)
            for value in arrays:
                is_array = isinstance(value, np.ndarray)
                total.update(value.tobytes() if is_array else repr(value).encode())
    return total.hexdigest()


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("make", [schwimmen_v0.env, schwimmen_v0.raw_env])
def test_equal_seeds_give_equal_trajectories_to_the_end(make: Any, episode: str) -> None:
    settings = {"num_players": 4, "episode": episode, "rules": Rules(lives=0)}
    once = trajectory(make(**settings), 11, EPISODES)
    again = trajectory(make(**settings), 11, EPISODES)
    other = trajectory(make(**settings), 12, EPISODES)
    assert same(once, again)
    assert not same(once, other)


def test_reset_with_a_seed_forgets_what_was_before() -> None:
    env = schwimmen_v0.raw_env(num_players=3)
    first = trajectory(env, 5, 3)
    trajectory(env, 6, 2)
    env.step(next_action(env, np.random.default_rng(0))) if env.agents else env.reset()
    assert same(trajectory(env, 5, 3), first)


SCRIPT = """
from cardenv import schwimmen_v0
from tests.test_seeds import EPISODES, digest, trajectory
for episode in ("round", "match"):
    env = schwimmen_v0.env(num_players=5, episode=episode)
    print(digest(trajectory(env, 2**40 + 3, EPISODES)))
"""


def test_two_processes_play_the_same_whatever_their_hash_seeds() -> None:
    outputs = set()
    for hash_seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        outputs.add(run.stdout)
    assert len(outputs) == 1
    here = [
        digest(trajectory(schwimmen_v0.env(num_players=5, episode=episode), 2**40 + 3, EPISODES))
        for episode in ("round", "match")
    ]
    assert outputs.pop().split() == here


def decks(env: Any, *seeds: int | None) -> list[bytes]:
    """Return the deal after each of some resets."""
    dealt = []
    for seed in seeds:
        env.reset(seed=seed)
        dealt.append(env.state().tobytes())
    return dealt


@pytest.mark.parametrize("make", [schwimmen_v0.env, schwimmen_v0.raw_env])
def test_one_seed_fixes_all_later_resets(make: Any) -> None:
    first = decks(make(), 7, None, None)
    assert first == decks(make(), 7, None, None)
    assert len(set(first)) == 3, "later episodes differ from the first and from each other"
    env = make()
    env.reset(seed=7)
    play_out(env, np.random.default_rng(1))
    env.reset()
    assert env.state().tobytes() == first[1], "how an episode is played does not move the next"


def test_without_a_seed_every_environment_plays_something_else() -> None:
    dealt = []
    for _ in range(16):
        env = schwimmen_v0.env()
        dealt.append(tuple(decks(env, *[None] * 5)))
    flat = [deck for deal in dealt for deck in deal]
    assert len(set(flat)) == len(flat)


def test_one_seed_gives_every_table_and_every_episode_its_own_deals() -> None:
    def deals() -> list[bytes]:
        tables, states = Tables("31", 16, 4), []
        for episode in range(5):
            tables.reset(seed=3 if episode == 0 else None)
            states += [state.tobytes() for state in tables.states()]
        return states

    assert deals() == deals()
    assert len(set(deals())) == 16 * 5


@pytest.mark.parametrize("index", [0, 1, 6])
@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("players", [2, 4, 9])
def test_a_table_of_a_batch_plays_what_the_environment_plays_alone(
    players: int, episode: str, index: int
) -> None:
    env = schwimmen_v0.raw_env(num_players=players, episode=episode)
    tables = Tables("31", 7, players, episode=episode)
    seeds = [100 + number for number in range(7)]
    seeds[index] = 42
    rng = np.random.default_rng(index)
    for first in (True, False, False):
        env.reset(seed=42 if first else None)
        tables.reset(seed=seeds if first else None)
        while tables.turn[index] >= 0:
            seat = env.possible_agents.index(env.agent_selection)
            if env.terminations[env.agent_selection]:
                env.step(None)
                continue
            assert tables.turn[index] == seat
            observation = env.last()[0]
            assert np.array_equal(observation["observation"], tables.observations[index])
            assert np.array_equal(observation["action_mask"], tables.masks[index])
            actions = [int(rng.choice(np.flatnonzero(mask))) for mask in tables.masks]
            before = tables.score[index].copy()
            env.step(actions[index])
            playing = np.flatnonzero(tables.turn >= 0)
            tables.step(np.array(actions)[playing], playing)
            paid = tables.score[index] - before
            assert list(env.rewards.values()) == pytest.approx(
                [paid[env.possible_agents.index(agent)] for agent in env.rewards]
            )
        assert all(env.terminations.values())
        play_out(env, rng)


def test_other_generators_neither_matter_nor_are_touched() -> None:
    def global_state() -> bytes:
        return pickle.dumps((random.getstate(), np.random.get_state()))

    def play(poison: int) -> str:
        random.seed(poison)
        np.random.seed(poison)
        env = schwimmen_v0.env(num_players=4, render_mode="ansi")
        before = global_state()
        result = digest(trajectory(env, 9, 5))
        env.reset()
        env.render()
        assert global_state() == before
        return result

    assert len({play(poison) for poison in (0, 1, 12345)}) == 1


def test_seeded_action_spaces_make_gymnasiums_sampling_repeatable() -> None:
    def play() -> list[int]:
        env = schwimmen_v0.env(num_players=3)
        env.reset(seed=4)
        for seat, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(50 + seat)
        actions = []
        for agent in env.agent_iter(300):
            observation, _, terminated, _, _ = env.last()
            mask = observation["action_mask"]
            action = None if terminated else int(env.action_space(agent).sample(mask))
            actions.append(-1 if action is None else action)
            env.step(action)
        return actions

    assert play() == play()


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1, np.int64(5), np.uint8(5)])
def test_every_whole_number_of_64_bits_is_a_seed(seed: Any) -> None:
    assert decks(schwimmen_v0.env(), seed) == decks(schwimmen_v0.raw_env(), int(seed))


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True])
def test_anything_else_is_refused(seed: Any) -> None:
    env = schwimmen_v0.env()
    with pytest.raises(ValueError, match=r"seed=.* is not possible; give a whole number"):
        env.reset(seed=seed)

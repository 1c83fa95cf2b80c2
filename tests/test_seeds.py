"""Same seed, same game, in any process (in any batch: ``cardenv.selfcheck`` sees to that)."""

import hashlib
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from cardenv.table import Tables
from tests.cases import EPISODES, GAMES, every_game, maker, short_rules, spread
from tests.playing import next_action, play_out, same


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


@spread("make", "episode")
def test_equal_seeds_give_equal_trajectories_to_the_end(game: str, make: Any, episode: str) -> None:
    settings = {"num_players": 4, "episode": episode, "rules": short_rules(game)}
    once = trajectory(make(**settings), 11, 50)
    again = trajectory(make(**settings), 11, 50)
    other = trajectory(make(**settings), 12, 50)
    assert same(once, again)
    assert not same(once, other)


@every_game
def test_reset_with_a_seed_forgets_what_was_before(game: str) -> None:
    env = maker(game)(num_players=3)
    first = trajectory(env, 5, 3)
    trajectory(env, 6, 2)
    env.step(next_action(env, np.random.default_rng(0))) if env.agents else env.reset()
    assert same(trajectory(env, 5, 3), first)


SCRIPT = """
from tests.test_seeds import digests_of_every_game
print(*digests_of_every_game())
"""


def digests_of_every_game() -> list[str]:
    """Return a digest of long random play for each game and kind of episode."""
    return [
        digest(trajectory(maker(game, "env")(num_players=5, episode=episode), 2**40 + 3, 25))
        for game in GAMES
        for episode in EPISODES
    ]


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
    assert outputs.pop().split() == digests_of_every_game()


def decks(env: Any, *seeds: int | None) -> list[bytes]:
    """Return the deal after each of some resets."""
    dealt = []
    for seed in seeds:
        env.reset(seed=seed)
        dealt.append(env.state().tobytes())
    return dealt


@spread("make")
def test_one_seed_fixes_all_later_resets(game: str, make: Any) -> None:
    first = decks(make(), 7, None, None)
    assert first == decks(make(), 7, None, None)
    assert len(set(first)) == 3, "later episodes differ from the first and from each other"
    env = make()
    env.reset(seed=7)
    play_out(env, np.random.default_rng(1))
    env.reset()
    assert env.state().tobytes() == first[1], "how an episode is played does not move the next"


@every_game
def test_without_a_seed_every_environment_plays_something_else(game: str) -> None:
    dealt = []
    for _ in range(16):
        env = maker(game, "env")()
        dealt.append(tuple(decks(env, *[None] * 5)))
    flat = [deck for deal in dealt for deck in deal]
    assert len(set(flat)) == len(flat)


@every_game
def test_seeded_action_spaces_make_gymnasiums_sampling_repeatable(game: str) -> None:
    def play() -> list[int]:
        env = maker(game, "env")(num_players=3)
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


@spread(seed=(0, 1, 2**63, 2**64 - 1, np.int64(5), np.uint8(5)))
def test_every_whole_number_of_64_bits_is_a_seed(game: str, seed: Any) -> None:
    assert decks(maker(game, "env")(), seed) == decks(maker(game)(), int(seed))


@spread(seed=(-1, 2**64, 1.0, "1", True))
def test_anything_else_is_refused(game: str, seed: Any) -> None:
    env = maker(game, "env")()
    with pytest.raises(ValueError, match=r"seed=.* is not possible; give a whole number"):
        env.reset(seed=seed)


@every_game
def test_what_players_choose_shifts_no_later_deal_of_a_match(game: str) -> None:
    """However a match is played, its n-th round is dealt from the same deck."""
    dealt: dict[int, set[bytes]] = {}
    for style in range(2):
        tables = Tables(game, 100, 4, episode="match")
        tables.reset(seed=[7] * tables.count)
        rng = np.random.default_rng(style)
        last_round = np.full(tables.count, -1)
        while (live := np.flatnonzero(tables.turn >= 0)).size:
            rounds = tables.rows["rounds"].astype(int)
            for table in live[rounds[live] > last_round[live]]:
                deck = tables.rows["deck"][table].tobytes()
                dealt.setdefault(rounds[table], set()).add(deck)
            last_round = rounds
            masks = tables.masks[live]
            tables.step((rng.random(masks.shape) * masks).argmax(axis=1), live)
    moved = [number for number, decks in dealt.items() if len(decks) > 1]
    assert not moved, "a choice has moved the deal of these rounds"
    assert len(dealt) > 2
    assert len(set.union(*dealt.values())) == len(dealt), "every round has a deal of its own"

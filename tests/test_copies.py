"""Copies of environments go on exactly as they would, and nothing handed out changes afterwards.

Of tables, ``cardenv.selfcheck`` says so.
"""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.cases import players_of, short_rules, spread
from tests.playing import next_action, play_out, same, whole_state

COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "a copy's copy": lambda thing: copy.deepcopy(pickle.loads(pickle.dumps(thing, protocol=2))),
}


def played(env: Any, rng: np.random.Generator, episodes: int) -> list[Any]:
    """Record everything from here through the next episodes."""
    record: list[Any] = []
    for _ in range(episodes):
        play_out(
            env, rng, lambda: record.append((whole_state(env), env.state(), dict(env.rewards)))
        )
        env.reset()
        record.append((whole_state(env), env.last()))
    return record


@spread("make", "episode", how=tuple(COPIES))
def test_a_copied_environment_goes_on_identically(
    game: str, make: Any, episode: str, how: str
) -> None:
    rng = np.random.default_rng(1)
    env = make(num_players=5, episode=episode, rules=short_rules(game), render_mode="ansi")
    stops = {"in play": 0, "dead step": 0, "over": 0}
    env.reset(seed=1)
    for _ in range(150):
        twin = COPIES[how](env)
        assert whole_state(twin) == whole_state(env)
        assert twin.render() == env.render()
        before, kind = whole_state(env), "in play"
        if not env.agents or env.terminations[env.agent_selection]:
            kind = "dead step" if env.agents else "over"
        stops[kind] += 1
        # The copy first: it must neither follow the original nor lead it.
        ahead = played(twin, np.random.default_rng(2), 1)
        assert whole_state(env) == before
        assert same(ahead, played(COPIES[how](env), np.random.default_rng(2), 1))
        if kind == "over":
            env.reset()
        else:
            env.step(next_action(env, rng))
    assert all(stops.values()), stops
    original = played(env, np.random.default_rng(3), 3)
    assert not same(original, played(env, np.random.default_rng(3), 3))


@spread("make", how=tuple(COPIES))
def test_a_copy_goes_on_as_the_original_does(game: str, make: Any, how: str) -> None:
    env = make(num_players=4)
    env.reset(seed=4)
    for _ in range(6):
        env.step(next_action(env, np.random.default_rng(0)))
    twin = COPIES[how](env)
    assert same(played(env, np.random.default_rng(2), 4), played(twin, np.random.default_rng(2), 4))


@spread("make", how=tuple(COPIES))
def test_an_environment_can_be_copied_before_its_first_reset(
    game: str, make: Any, how: str
) -> None:
    most = players_of(game)[2]
    env = make(num_players=2, rules="letter", max_players=most, illegal="lose")
    twin = COPIES[how](env)
    for each in (env, twin):
        each.reset(seed=3)
    assert same(played(env, np.random.default_rng(1), 2), played(twin, np.random.default_rng(1), 2))


@spread("make")
def test_a_pickle_goes_on_in_another_process(game: str, make: Any, tmp_path: Any) -> None:
    env = make(num_players=3)
    env.reset(seed=8)
    for _ in range(5):
        env.step(next_action(env, np.random.default_rng(0)))
    (tmp_path / "env").write_bytes(pickle.dumps(env))
    script = (
        "import pickle, sys, numpy as np\n"
        "from tests.test_copies import played\n"
        "env = pickle.load(open(sys.argv[1] + '/env', 'rb'))\n"
        "pickle.dump(played(env, np.random.default_rng(1), 2), open(sys.argv[1] + '/out', 'wb'))\n"
    )
    run = subprocess.run([sys.executable, "-c", script, tmp_path], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    elsewhere = pickle.loads((tmp_path / "out").read_bytes())
    assert same(elsewhere, played(env, np.random.default_rng(1), 2))


# --- No live buffers ----------------------------------------------------------------------------

HANDED_OUT: dict[str, Callable[[Any], Any]] = {
    "last": lambda env: env.last() if env.agents else None,
    "observe": lambda env: [env.observe(agent) for agent in env.possible_agents],
    "state": lambda env: env.state(),
    "render": lambda env: env.render(),
    "agents": lambda env: env.agents,
    "rewards": lambda env: env.rewards,
    "terminations": lambda env: env.terminations,
    "truncations": lambda env: env.truncations,
    "infos": lambda env: env.infos,
}


@spread("make", "episode", what=tuple(HANDED_OUT))
def test_what_was_handed_out_never_changes(game: str, make: Any, episode: str, what: str) -> None:
    env = make(num_players=4, episode=episode, rules=short_rules(game), render_mode="ansi")
    rng = np.random.default_rng(7)
    kept: list[tuple[Any, Any]] = []

    def keep() -> None:
        given = HANDED_OUT[what](env)
        kept.append((given, copy.deepcopy(given)))

    for seed in range(4):
        env.reset(seed=seed)
        keep()
        play_out(env, rng, keep)
    for given, as_it_was in kept:
        assert same(given, as_it_was)


@spread("make")
def test_what_a_user_writes_into_what_was_handed_out_changes_nothing(game: str, make: Any) -> None:
    spoiled, clean = make(num_players=3), make(num_players=3)
    for env in (spoiled, clean):
        env.reset(seed=6)
    rng = np.random.default_rng(6)
    while clean.agents:
        action = next_action(clean, rng)
        for agent in spoiled.possible_agents:
            observation = spoiled.observe(agent)
            observation["observation"][:] = 9
            observation["action_mask"][:] = 1
        spoiled.state()[:] = 0
        spoiled.last()[0]["action_mask"][:] = 1
        spoiled.last()[4]["note"] = "as PettingZoo's conversion leaves one"
        assert same(spoiled.last()[0], clean.last()[0])
        alive = not spoiled.terminations[spoiled.agent_selection]
        for env in (spoiled, clean):
            env.step(action)
        if alive:
            assert whole_state(spoiled) == whole_state(clean)

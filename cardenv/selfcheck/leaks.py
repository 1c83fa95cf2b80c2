"""Nothing that a seat is given depends on what it cannot know."""

from typing import Any

import numpy as np

from cardenv.selfcheck.resampling import redraw, require_same_view, resampled
from cardenv.selfcheck.setting import Setting, look_again, play_environment, positions

PROMISE = "what a seat is given, pictures included, is the same whatever it cannot know"


def check(setting: Setting) -> None:
    """Draw anew what seats cannot know, and look at what they are given before and after."""
    tables, scratch = setting.dealt(), setting.tables()
    for move, live in positions(setting, tables):
        acting = tables.turn[live].astype(np.int64)
        for seats in (acting, (acting + 1 + move % (setting.players - 1)) % setting.players):
            drawn = resampled(tables, live, seats, move)
            require_same_view(setting, scratch, drawn, live, move)
            _check_key(setting, scratch, drawn, live, move)
    _check_pettingzoo(setting)


def _check_key(setting: Setting, scratch: Any, drawn: Any, live: Any, move: int) -> None:
    """The generator's key alone, from which every later deal follows, is not to be seen."""
    drawn.after = drawn.before.copy()
    drawn.after["key"] ^= np.uint64(0x5DEECE66D)
    require_same_view(setting, scratch, drawn, live, move)


def _check_pettingzoo(setting: Setting) -> None:
    """Observations, masks and pictures of PettingZoo's agents."""
    env = setting.environment(render_mode="ansi")
    for move in play_environment(setting, env):
        kept = env._tables.rows.copy()
        for seat, agent in enumerate(env.possible_agents):
            before = given_to(env, agent)
            redraw(env._tables, env._tables.rows, np.array([seat]), move)
            look_again(env._tables)
            after = given_to(env, agent)
            env._tables.rows[:] = kept
            look_again(env._tables)
            for name in before:
                if before[name] != after[name]:
                    what = f"the {name} given to {agent} tells of what it cannot know"
                    raise setting.broken("leaks", what, table=0, move=move, seat=seat)


def given_to(env: Any, agent: str) -> dict[str, bytes]:
    """Return what PettingZoo's environment (``render_mode="ansi"``) gives an agent, as bytes."""
    observation = env.observe(agent)
    env.render_view = agent
    scene = env._tables.describe(0, env.possible_agents.index(agent))
    flags = (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards)
    return {
        "observation": observation["observation"].tobytes(),
        "mask": observation["action_mask"].tobytes(),
        "picture": str(env.render()).encode(),
        "scene": repr(scene).encode(),  # of which every other picture is made
        "flags": repr([each.get(agent) for each in flags]).encode(),
        "agents": repr((env.agents, env.agent_selection)).encode(),
    }

"""Masks say which actions are taken: those, no others, and to the acting seat alone."""

from typing import Any

import numpy as np

from cardenv.envs.learner import LearnerTables
from cardenv.selfcheck.setting import (
    Setting,
    draw_legal,
    going_on,
    legal_actions,
    play_environment,
    positions,
    same_rows,
)
from cardenv.table import IllegalAction, Tables

PROMISE = "masks allow what is legal, to the acting seat alone; all else raises and moves nothing"
OUTSIDE = (-1, 63, 2**40)


def check(setting: Setting) -> None:
    """Compare every mask with the rules, and try actions of all numbers."""
    tables = setting.dealt()
    for move, live in positions(setting, tables):
        _check_masks(setting, tables, live, move)
        _try_everything(setting, tables, int(live[move % live.size]), move)
    for table in range(setting.games):
        if not tables.masks[table].all():
            what = "the mask of a table that is over is not all ones"
            raise setting.broken("masks", what, table=table)
        if tables.observations[table].any():
            what = "the observation of a table that is over is not all zeros"
            raise setting.broken("masks", what, table=table)
    _check_batch(setting)
    _check_pettingzoo(setting)
    _check_learner(setting)


def _check_masks(setting: Setting, tables: Tables, live: Any, move: int) -> None:
    """The masks are what the rules say, and nobody who has left is asked."""
    turn = tables.turn[live]
    legal = legal_actions(tables, tables.rows[live])
    for table in live[(tables.masks[live] != legal).any(axis=1)]:
        what, seat = "the mask is not what the rules say is legal", int(tables.turn[table])
        raise setting.broken("masks", what, table=int(table), move=move, seat=seat)
    left = tables.rows["left"][live] >> turn.astype(np.uint64) & np.uint64(1)
    for table in live[left != 0]:
        what, seat = "a seat that the episode is over for is to decide", int(tables.turn[table])
        raise setting.broken("masks", what, table=int(table), move=move, seat=seat)


def _try_everything(setting: Setting, tables: Tables, table: int, move: int) -> None:
    """Try every action at a position: the illegal ones move nothing, the legal ones are taken."""
    kept, mask = tables.rows.copy(), tables.masks[table].copy()
    seen = (tables.observations.copy(), tables.masks.copy())
    seat = int(tables.turn[table])
    for action in (*range(len(mask)), *OUTSIDE):
        legal = action in range(len(mask)) and bool(mask[action])
        try:
            tables.step_one(table, action)
        except IllegalAction as refused:
            if legal:
                what = f"action {action} is refused although the mask allows it: {refused}"
                raise setting.broken("masks", what, table=table, move=move, seat=seat) from refused
        else:
            if not legal:
                what = f"illegal action {action} is taken, with no error"
                raise setting.broken("masks", what, table=table, move=move, seat=seat)
        moved = not same_rows(tables.rows, kept).all()
        if moved != legal:
            what = f"action {action} " + ("changes nothing" if legal else "is refused and changes")
            raise setting.broken("masks", what, table=table, move=move, seat=seat)
        if moved:
            tables.rows[:] = kept
            tables.observations[:], tables.masks[:] = seen


def _check_batch(setting: Setting) -> None:
    """One illegal action stops a whole batch."""
    tables = setting.dealt()
    live = going_on(tables)
    refusing = [table for table in live if not tables.masks[table].all()]
    if not refusing:
        return
    actions = tables.masks[live].argmax(axis=1)
    actions[np.flatnonzero(live == refusing[-1])] = tables.masks[refusing[-1]].argmin()
    before = tables.rows.copy()
    try:
        tables.step(actions, live)
    except IllegalAction:
        pass
    else:
        what = "a batch with an illegal action is taken, with no error"
        raise setting.broken("masks", what, table=int(refusing[-1]), move=0)
    if not same_rows(before, tables.rows).all():
        raise setting.broken("masks", "a batch is refused and some of its tables move", move=0)


def _check_pettingzoo(setting: Setting) -> None:
    """PettingZoo's environment gives the mask to the acting agent, and refuses illegal actions."""
    env = setting.environment()
    for move in play_environment(setting, env):
        selected, legal = env.agent_selection, legal_actions(env._tables, env._tables.rows)[0]
        for seat, agent in enumerate(env.possible_agents):
            mask = env.observe(agent)["action_mask"]
            if not np.array_equal(mask, legal if agent == selected else np.zeros_like(legal)):
                what = f"{agent} is given a wrong mask while {selected} is to act"
                raise setting.broken("masks", what, table=0, move=move, seat=seat)
        for action in (*np.flatnonzero(legal == 0)[:3].tolist(), *OUTSIDE):
            _check_refused(setting, env, action, move)


def _check_refused(setting: Setting, env: Any, action: int, move: int) -> None:
    before, selected = env._tables.rows.copy(), env.agent_selection
    what = f"PettingZoo's step takes illegal action {action}, with no error"
    try:
        env.step(action)
    except IllegalAction:
        what = f"PettingZoo's step refuses action {action} and something changes"
        if selected == env.agent_selection and same_rows(before, env._tables.rows).all():
            return
    raise setting.broken("masks", what, table=0, move=move, seat=env._seats[selected])


def _check_learner(setting: Setting) -> None:
    """The learner's masks are those of its own decisions, and it cannot do anything else."""
    learner = LearnerTables(setting.game, count=setting.games, **setting.learner)
    learner.reset(seed=setting.seeds)
    for move in range(8):
        live = np.flatnonzero(~learner.ended)
        if not live.size:
            return
        wrong = live[learner.tables.turn[live] != learner.seats[live]]
        for table in wrong:
            what, seat = "the learner is asked when another is to decide", int(learner.seats[table])
            raise setting.broken("masks", what, table=int(table), move=move, seat=seat)
        masks = learner.masks[live]
        if not np.array_equal(masks, legal_actions(learner.tables, learner.tables.rows[live])):
            what = "the learner's mask is not what is legal for it"
            raise setting.broken("masks", what, move=move)
        actions = masks.argmin(axis=1)
        before = learner.tables.rows.copy()
        if not masks.all():
            try:
                learner.step(actions, live)
            except IllegalAction:
                pass
            else:
                raise setting.broken("masks", "the learner takes an illegal action", move=move)
            if not same_rows(before, learner.tables.rows).all():
                what = "the learner's illegal action is refused and something changes"
                raise setting.broken("masks", what, move=move)
        learner.step(draw_legal(masks, learner.tables.play_keys(live)), live)

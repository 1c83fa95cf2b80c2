"""Rewards are finite, sum to what the game declares, and reach the learner they belong to."""

from typing import Any

import numpy as np

from cardenv.envs.learner import LearnerTables
from cardenv.rules import REWARD_ROUNDS
from cardenv.selfcheck.setting import MOST_DECISIONS, Setting, draw_legal, play
from cardenv.table import Tables

PROMISE = "rewards are finite, sum to zero or as declared, and a learner's steps sum to its score"
CLOSE = 1e-9


def check(setting: Setting) -> None:
    """Play every game to its end, and look at every score on the way."""
    tables = setting.dealt()
    scores, payouts = tables.rows["score"].copy(), tables.rows["payouts"].copy()
    for move, _live in play(setting, tables):
        _check_scores(setting, tables, scores, payouts, move)
        scores, payouts = tables.rows["score"].copy(), tables.rows["payouts"].copy()
    _check_scores(setting, tables, scores, payouts, None)
    _check_sums(setting, tables)
    _check_ranks(setting, tables)
    _check_learner(setting)


def _check_scores(
    setting: Setting, tables: Tables, scores: Any, payouts: Any, move: int | None
) -> None:
    """Scores are finite, those who sit there have all of them, and a change is announced."""
    now = tables.rows["score"]
    faults = {
        "a score is no finite number": ~np.isfinite(now),
        "a seat is paid at which nobody sits": now[:, setting.players :] != 0,
        "a score changes and row.payouts does not say so": (now != scores)
        & (tables.rows["payouts"] == payouts)[:, None],
    }
    for what, found in faults.items():
        for table, seat in np.argwhere(found):
            seat += setting.players if found.shape[1] < now.shape[1] else 0
            raise setting.broken("rewards", what, table=int(table), move=move, seat=int(seat))


def _check_sums(setting: Setting, tables: Tables) -> None:
    total = getattr(setting.game.module, "SCORES_SUM_TO", 0.0)
    if total is None:
        return
    sums = tables.score.sum(axis=1)
    for table in np.flatnonzero(np.abs(sums - total) > CLOSE):
        what = f"the scores of an episode sum to {sums[table]:g}, not to {total:g}"
        raise setting.broken("rewards", what, table=int(table))


def _check_ranks(setting: Setting, tables: Tables) -> None:
    """Who has lost has no more than who has not, where one result is what was paid."""
    rounds = tables.record["reward"][0] == REWARD_ROUNDS and tables.record["match"][0]
    for table in range(0 if rounds else setting.games):
        seats = np.arange(setting.players, dtype=np.uint64)
        lost = tables.rows["lost"][table] >> seats & np.uint64(1) != 0
        score = tables.score[table]
        if lost.any() and not lost.all() and score[lost].max() > score[~lost].min() + CLOSE:
            seat = int(np.flatnonzero(lost)[score[lost].argmax()])
            what = "a seat that has lost has a higher score than one that has not"
            raise setting.broken("rewards", what, table=table, seat=seat)


def _check_learner(setting: Setting) -> None:
    """What a learner's steps give is its score of the episode, in whichever seat it sits."""
    for seat in range(setting.players):
        learner = LearnerTables(
            setting.game, count=setting.games, learner_seat=seat, **setting.learner
        )
        learner.reset(seed=setting.seeds)
        sums = np.zeros(setting.games)
        for _ in range(MOST_DECISIONS):
            live = np.flatnonzero(~learner.ended)
            if not live.size:
                break
            actions = draw_legal(learner.masks[live], learner.tables.play_keys(live))
            sums[live] += learner.step(actions, live)
        else:
            raise setting.broken("episodes", "a learner's episode does not end", seat=seat)
        for table in np.flatnonzero(np.abs(sums - learner.tables.score[:, seat]) > CLOSE):
            score = learner.tables.score[table, seat]
            what = f"a learner's rewards sum to {sums[table]:g}, its score is {score:g}"
            raise setting.broken("rewards", what, table=int(table), seat=seat)

"""Episodes end, and what is over stays as it is until it is dealt anew."""

import numpy as np

from cardenv.selfcheck.setting import Setting, play, play_environment, same_rows
from cardenv.table import IllegalAction

PROMISE = "every episode ends, for every agent, and then stays as it is until the next deal"


def check(setting: Setting) -> None:
    """Play every game to its end, three episodes in a row, at tables and through PettingZoo."""
    tables = setting.dealt()
    for _ in range(3):
        for move, _live in play(setting, tables):
            wrong = np.flatnonzero(tables.turn >= setting.players)
            if wrong.size:
                what = f"seat {tables.turn[wrong[0]]} is to decide, and there is none"
                raise setting.broken("episodes", what, table=int(wrong[0]), move=move)
        _check_it_is_over(setting)
        tables.reset()
        if (tables.rows["moves"] != 0).any():
            raise setting.broken("episodes", "a new episode begins with decisions taken")
    for _ in play_environment(setting, setting.environment()):
        pass


def _check_it_is_over(setting: Setting) -> None:
    """Try every action at a table that is over."""
    tables = setting.dealt()
    for _ in play(setting, tables):
        pass
    before = tables.rows.copy()
    for action in range(tables.masks.shape[1]):
        try:
            tables.step_one(0, action)
        except IllegalAction:
            continue
        what = f"action {action} is taken although the episode is over"
        raise setting.broken("episodes", what, table=0)
    if not same_rows(before, tables.rows).all():
        raise setting.broken("episodes", "an episode that is over changes", table=0)

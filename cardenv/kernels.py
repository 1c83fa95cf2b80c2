"""Compiled loops over rows, written once for all games.

The functions here call ``deal``, ``legal``, ``step``, ``observe``, ``observe_state`` and
``resample`` by name; ``kernels_of`` binds those names to one game's functions, which keep events
if they are to (see ``cardenv.history``), ``ACTIONS`` to how many actions the game has, and compiles
the result. Every loop takes the rows, the table's rules as a record of shape ``[1]``, and arrays.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardenv.cards import (
    EPISODE,
    NONE,
    ONE,
    PLAY,
    derive,
    drawn_from,
    holds,
    singleton,
    spread,
    table_key,
)
from cardenv.compiling import (
    announce_compiling,
    bind,
    cached,
    compiled,
    is_compiled,
    unbound,
    uncounted,
)
from cardenv.games import Game
from cardenv.history import name_of, parts_of

BLOCK = 64
"""Random play takes so many tables at a time, few enough to stay in the cache from step to step."""

ACTIONS = 0
deal = legal = step = observe = observe_state = resample = unbound

_SHUFFLED = np.zeros(0, np.uint8)


def look(row: Any, rules: Any, observation: Any, mask: Any) -> Any:
    """Write the deciding seat's observation and mask; return its legal actions as a set.

    A finished row is seen by nobody: zeros, and a mask of ones, since one of zeros would turn a
    softmax into NaN.
    """
    for i in range(observation.size):  # several times as fast as assigning to a slice
        observation[i] = 0
    if row.turn < 0:
        mask[:] = 1
        return NONE
    observe(row, rules, row.turn, observation)
    actions = legal(row, rules)
    spread(actions, ACTIONS, mask, 0)  # of a length that the compiler knows
    return actions


def is_legal(row: Any, rules: Any, action: int) -> bool:
    """Tell whether the deciding seat may take this action."""
    return 0 <= action < 64 and holds(legal(row, rules), action)


def forfeit(row: Any, rules: Any) -> None:
    """End the episode for an illegal action: -1 for the offender, 1/(n-1) for each of the others.

    Where some have left with a loss already, those who are still in share what makes the sum zero.
    """
    others, owed = -1, 1.0
    for seat in range(rules.players):
        owed -= row.score[seat]
        if not holds(row.left, seat):
            others += 1
    for seat in range(rules.players):
        if seat == row.turn:
            row.score[seat] -= 1.0
        elif not holds(row.left, seat):
            row.score[seat] += owed / others
    row.payouts += 1
    row.lost = singleton(row.turn)
    row.turn = -1


def reset_rows(
    rows: Any,
    rules: Any,
    which: Any,
    blank: Any,
    seeds: Any,
    numbers: Any,
    episodes: Any,
    decks: Any,
    firsts: Any,
    observations: Any,
    masks: Any,
) -> None:
    """Deal the next episode at the tables ``which``; ``decks`` has a row a table, or an empty row.

    ``seeds``, ``numbers`` and ``episodes`` are those of ``table_keys``, of all tables.
    """
    observations, masks = uncounted(observations), uncounted(masks)
    for k in range(which.size):
        i = which[k]
        rows[i] = blank[0]
        key = table_key(seeds[i], numbers[i], episodes[i])
        episodes[i] += ONE
        deal(rows[i], rules[0], key, decks[min(k, decks.shape[0] - 1)], firsts[k])
        look(rows[i], rules[0], observations[i], masks[i])


def step_rows(
    rows: Any, rules: Any, which: Any, actions: Any, lose: bool, observations: Any, masks: Any
) -> int:
    """Check every action, then carry all out; return the place of one that is refused, or -1."""
    observations, masks = uncounted(observations), uncounted(masks)
    for k in range(which.size):
        row = rows[which[k]]
        if row.turn < 0 or not (lose or is_legal(row, rules[0], actions[k])):
            return k
    for k in range(which.size):
        row = rows[which[k]]
        if not lose or is_legal(row, rules[0], actions[k]):
            step(row, rules[0], actions[k])
        else:
            forfeit(row, rules[0])
        row.moves += 1
        look(row, rules[0], observations[which[k]], masks[which[k]])
    return -1


def random_rows(
    rows: Any, rules: Any, steps: int, blank: Any, observations: Any, masks: Any
) -> int:
    """Play ``steps`` uniform legal actions at every table, dealing anew where one is over.

    Returns:
        How many episodes ended.
    """
    observations, masks = uncounted(observations), uncounted(masks)
    episodes = 0
    actions = np.empty(rows.size, np.uint64)
    for i in range(rows.size):
        actions[i] = legal(rows[i], rules[0])
    for begin in range(0, rows.size, BLOCK):
        for _ in range(steps):
            for i in range(begin, min(begin + BLOCK, rows.size)):
                row = rows[i]
                if row.turn < 0:
                    key = derive(row.key, EPISODE, row.moves)
                    rows[i] = blank[0]
                    deal(row, rules[0], key, _SHUFFLED, -1)
                    actions[i] = legal(row, rules[0])
                word = derive(row.key, PLAY, row.moves)
                step(row, rules[0], drawn_from(actions[i], word))
                row.moves += 1
                episodes += row.turn < 0
                actions[i] = look(row, rules[0], observations[i], masks[i])
    return episodes


def observe_rows(rows: Any, rules: Any, which: Any, seats: Any, observations: Any) -> None:
    """Write what ``seats[k]`` knows at table ``which[k]`` to ``observations[k]``."""
    observations = uncounted(observations)
    for k in range(which.size):
        for i in range(observations.shape[1]):
            observations[k, i] = 0
        observe(rows[which[k]], rules[0], seats[k], observations[k])


def observe_states(rows: Any, rules: Any, which: Any, states: Any) -> None:
    """Write the whole state of table ``which[k]`` to ``states[k]``."""
    for k in range(which.size):
        states[k, :] = 0
        observe_state(rows[which[k]], rules[0], states[k])


def resample_rows(rows: Any, rules: Any, seats: Any, keys: Any) -> None:
    """Draw anew, at every row, what ``seats[k]`` cannot know."""
    for k in range(rows.size):
        resample(rows[k], rules[0], seats[k], keys[k])


@dataclass(frozen=True)
class Kernels:
    """One game's compiled loops; the arguments are those of the functions above."""

    reset: Callable[..., None]
    step: Callable[..., int]
    random: Callable[..., int]
    observe: Callable[..., None]
    observe_state: Callable[..., None]
    resample: Callable[..., None]


def looking(game: Game, parts: Mapping[str, Any]) -> Callable[..., Any]:
    """Return ``look``, compiled for a game; ``parts`` has its ``legal`` and ``observe``."""
    return compiled(bind(look, game.name, {**parts, "ACTIONS": len(game.action_names)}))


@functools.cache
def kernels_of(game: Game, history: int = 0) -> Kernels:
    """Return a game's kernels for rows that keep so many events.

    They are compiled at their first call or read from the cache.
    """
    name = name_of(game, history)
    if not is_compiled(name, game.sources):
        announce_compiling(f"{game.name} with {history} events" if history else game.name)
    functions = parts_of(game, history)
    functions["look"] = looking(game, functions)
    for helper in (is_legal, forfeit):
        functions[helper.__name__] = compiled(bind(helper, name, functions))

    def loop(template: Callable[..., Any]) -> Callable[..., Any]:
        return cached(bind(template, name, functions), game.sources)

    return Kernels(
        loop(reset_rows),
        loop(step_rows),
        loop(random_rows),
        loop(observe_rows),
        loop(observe_states),
        loop(resample_rows),
    )

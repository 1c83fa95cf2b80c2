"""What an agent would do at a table: its choice, and whatever it can say about it.

Beside ``act`` or ``act_at``, an agent may have ``probabilities(observations, masks)``, its policy
as float ``[n, actions]``; ``value(observations, masks)``, what it expects to score from here on, as
float ``[n]``; and, as searches have, ``think(tables, which)`` with ``choices``, ``values`` and
``weights``.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.players import AnyPlayer, ask
from cardenv.table import Tables

PROBABILITY, VALUE, TRIED = "probability", "value", "tried"
"""What columns may be named: the policy's, the expected score, the share of a search's samples."""


@dataclass(frozen=True)
class Advice:
    """What an agent makes of a position.

    Attributes:
        agent: its name.
        choice: the action it takes.
        columns: what it says of each action, by a heading: float64 ``[actions]``, nan for nothing.
        value: what it expects the deciding seat to score from here on, if it says.
    """

    agent: str
    choice: int
    columns: dict[str, NDArray[np.float64]]
    value: float | None


def advise(player: AnyPlayer, tables: Tables) -> Advice:
    """Ask a player about the first table, at which somebody is to decide; it does not change.

    A search may take a while.
    """
    which = np.zeros(1, np.int64)
    asked: Any = player
    if hasattr(asked, "think"):
        return _thought(player.name, asked.think(tables, which))
    observations, masks = tables.observations[which], tables.masks[which]
    columns, value = {}, None
    if hasattr(asked, "probabilities"):
        columns[PROBABILITY] = np.asarray(asked.probabilities(observations, masks)[0], np.float64)
    if hasattr(asked, "value"):
        value = float(asked.value(observations, masks)[0])
    return Advice(player.name, int(ask(player, tables, which)[0]), columns, value)


def _thought(agent: str, thought: Any) -> Advice:
    choice, weights = int(thought.choices[0]), thought.weights[0]
    columns = {VALUE: thought.values[0]}
    if len({*weights[weights > 0]}) > 1:  # else every action was tried alike
        columns[TRIED] = weights
    value = float(thought.values[0, choice])
    return Advice(agent, choice, columns, None if np.isnan(value) else value)

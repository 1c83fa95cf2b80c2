"""Games to look at: a lineup's first deals once more, with every action noted.

What agents choose follows from a table's keys, so these are the games that were measured; only a
search with a budget of time may choose otherwise.
"""

import dataclasses
from collections.abc import Mapping

import numpy as np

from cardenv import replay
from cardenv.players import AnyPlayer, choose
from cardenv.replay import Deal, Replay
from experiments.command import SettingsError, TableSettings
from experiments.lineups import FIRST_DEAL, Lineup

FILE = "games.jsonl"


def check_save_games(save_games: int) -> None:
    """Raise ``SettingsError`` for a negative number of games."""
    if save_games < 0:
        raise SettingsError(f"save_games={save_games} is not possible; give 0 or more.")


def record_games(
    agents: Mapping[str, AnyPlayer],
    lineup: Lineup,
    settings: TableSettings,
    games: int,
    title: str = "",
    seed: int | None = None,
) -> list[Replay]:
    """Play a lineup's first deals, each in the next of its patterns, and return the games.

    Args:
        agents: by name, in the order that the lineup's numbers count; each must fit the table.
        lineup: who sits where.
        settings: the table, and by default the seed.
        games: how many.
        title: what the games are to say of themselves.
        seed: of the deals.
    """
    if not games:
        return []
    seed = settings.seed if seed is None else seed
    deals, patterns = np.arange(games), len(lineup.seating)
    seating = lineup.seating_of(deals)[deals, deals % patterns]
    tables = settings.tables(games)
    tables.seed(seed, FIRST_DEAL + deals)
    tables.reset()
    actions: list[list[int]] = [[] for _ in range(games)]
    players, names = [*agents.values()], [*agents]
    while (live := np.flatnonzero(tables.turn >= 0)).size:
        chosen = choose(players, seating[live, tables.turn[live]], tables, live)
        for table, action in zip(live, chosen, strict=True):
            actions[table].append(int(action))
        tables.step(chosen, live)
    return [
        dataclasses.replace(
            replay.of_table(
                tables,
                Deal(seed, FIRST_DEAL + deal),
                [names[number] for number in seating[deal]],
                title,
            ),
            actions=tuple(actions[deal]),
            scores=tuple(tables.score[deal].tolist()),
        )
        for deal in range(games)
    ]

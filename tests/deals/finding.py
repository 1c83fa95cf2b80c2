"""Rows to be resampled: drawn from whole games, or one of a kind that is looked for."""

import math
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.players import player_for
from cardenv.table import Tables
from tests.deals.form import Deal, Deals, Position, View
from tests.lockstep import drawn_actions

MOST_MOVES, GAMES_SEARCHED = 60, 400
ORDERS_OF_A_DEAL, MOST_ORDERS = 60, 5040
"""More orders of the unseen cards are not counted through, fewer where few deals are wanted."""


def rows_of_all_depths(tables: Tables, play: str) -> Any:
    """Play one game at every table; return a row of each, every decision of it equally likely."""
    player = player_for(play, tables)
    generator = np.random.default_rng(0)
    rows = tables.rows.copy()
    depth = 0
    while (live := np.flatnonzero(tables.turn >= 0)).size and depth < 300:
        depth += 1
        chosen = live[generator.random(live.size) * depth < 1]
        rows[chosen] = tables.rows[chosen]
        keys = tables.play_keys(live)
        tables.step(player.act(tables.observations[live], tables.masks[live], keys), live)
    return rows


def find(deals: Deals, position: Position, episode: str = "match") -> tuple[Any, int, View]:
    """Return a row of the kind that is looked for, the seat that looks, and what it observes."""
    tables = searched(deals.GAME, position, episode)
    weights = np.broadcast_to(position.weights, tables.masks.shape[1])
    for _ in range(MOST_MOVES):
        live = np.flatnonzero(tables.turn >= 0)
        for table in live[position.wanted(tables.rows[live])]:
            seat = int(tables.turn[table] + position.observer) % position.players
            view = tables.layout.view(tables.observe(np.array([seat]), np.array([table]))[0])
            if has_wanted_number(deals, position, view):
                return tables.rows[table : table + 1].copy(), seat, view
        tables.step(drawn_actions(tables, live, list(weights)), live)
    raise AssertionError("no such position is found")


def searched(game: str, position: Position, episode: str) -> Tables:
    """Return tables of the position's kind, just dealt."""
    tables = Tables(game, GAMES_SEARCHED, position.players, rules=position.rules, episode=episode)
    tables.reset(seed=5)
    return tables


def has_wanted_number(deals: Deals, position: Position, view: View) -> bool:
    """Tell whether there are some deals, and no more than are wanted, if that is to be counted."""
    if not position.most_deals:
        return True
    orders = math.factorial(len(deals.hidden(view, position.rules)))
    if orders > min(MOST_ORDERS, ORDERS_OF_A_DEAL * position.most_deals):
        return False
    possible = deals.possible_deals(view, position.rules)
    if position.unequal and len(set(possible.values())) == 1:
        return False
    if position.excluding and possible.total() == orders:
        return False
    return 3 <= len(possible) <= position.most_deals


def samples_of(
    deals: Deals, position: Position, row: Any, seat: int, number: int, seed: int = 0
) -> Tables:
    """Return tables that hold so many samples of a row."""
    tables = Tables(deals.GAME, number, position.players, rules=position.rules, episode="match")
    tables.reset(seed=1)
    tables.rows[:] = row
    resample(tables, np.full(number, seat), seed)
    return tables


def resample(tables: Tables, seats: NDArray[Any], seed: int = 0) -> None:
    """Draw anew at every table what its seat cannot know."""
    keys = np.random.default_rng(seed).integers(2**64, size=tables.count, dtype=np.uint64)
    tables.kernels.resample(tables.rows, tables.record, seats, keys)


def counted(deals: Deals, tables: Tables, seat: int) -> tuple[Counter[Deal], NDArray[np.int64]]:
    """Count the deals of samples of one row.

    Returns:
        How often each deal is there; and for each table the number of its deal.
    """
    size, rows = len(tables.rules.cards), tables.rows
    names = {"hand", "hand_twice", "second_pile", "drawn_card"} & set(rows.dtype.fields or ())
    visible = [_bytes(rows[name]) for name in sorted(names)]
    visible.append(rows["deck"][:, int(rows["drawn"][0]) : size])
    _, first, which = np.unique(
        _digests(np.concatenate(visible, axis=1)), return_index=True, return_inverse=True
    )
    found = [deals.deal_of(tables.rows[k], seat, tables.players, size) for k in first]
    numbers = {deal: number for number, deal in enumerate(dict.fromkeys(found))}
    of_table = np.array([numbers[deal] for deal in found])[which]
    times = np.bincount(of_table, minlength=len(numbers)).tolist()
    return Counter(dict(zip(numbers, times, strict=True))), of_table


def _bytes(field: Any) -> NDArray[np.uint8]:
    return np.ascontiguousarray(field).reshape(len(field), -1).view(np.uint8)


def _digests(rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return a number for each row of bytes; those of two that differ are hardly ever equal."""
    factors = np.random.default_rng(0).integers(2**64, size=rows.shape[1], dtype=np.uint64)
    digests: NDArray[np.uint64] = (rows * factors).sum(axis=1, dtype=np.uint64)
    return digests

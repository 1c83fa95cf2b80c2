"""A resampled row is a possible deal, shows its seat the same, and says nothing of the true one."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from cardenv.table import Tables
from tests.particulars import PARTICULARS
from tests.test_conservation import positions
from tests.twins import ADAPTERS

DRAWN_ANEW = {"key", "hand", "hand_twice", "deck", "second_pile", "drawn_card"}
"""The fields that may change; of all others everybody knows the content."""

SETTINGS = [
    pytest.param(game, setting, id=f"{game}-{number}-{setting.players}p-{setting.episode}")
    for game, adapter in ADAPTERS.items()
    for number, setting in enumerate(adapter.settings())
    if number % 3 == 0
]


def some_positions(game: str, setting: Any) -> tuple[Tables, Any]:
    """Return tables at all depths of a game, and a seat of each."""
    tables = positions(game, dataclasses.replace(setting, seeds=setting.seeds[:40]))
    return tables, np.random.default_rng(1).integers(tables.players, size=tables.count)


def hand_sizes(game: str, rows: Any) -> Any:
    """Return how many cards each seat of each row holds."""
    return sum(np.bitwise_count(rows[name]) for name in PARTICULARS[game].HANDS)


def resampled(tables: Tables, rows: Any, seats: Any, key: int) -> Any:
    """Return copies of the rows in which what their seats cannot know is drawn anew."""
    rows = rows.copy()
    keys = np.arange(tables.count, dtype=np.uint64) + np.uint64(key * 1000)
    tables.kernels.resample(rows, tables.record, seats, keys)
    return rows


@pytest.mark.parametrize(("game", "setting"), SETTINGS)
def test_every_card_is_in_one_place_and_whatever_is_public_stays(game, setting):
    tables, seats = some_positions(game, setting)
    rows = resampled(tables, tables.rows, seats, 1)
    ADAPTERS[game].check_cards(rows, setting)
    for name in set(rows.dtype.names) - DRAWN_ANEW:
        assert np.array_equal(rows[name], tables.rows[name]), name
    sizes, before = (hand_sizes(game, each) for each in (rows, tables.rows))
    assert np.array_equal(sizes, before)
    seen = tables.observe(seats)
    tables.rows[:] = rows
    assert np.array_equal(tables.observe(seats), seen)


@pytest.mark.parametrize(("game", "setting"), SETTINGS)
def test_two_deals_that_a_seat_cannot_tell_apart_become_the_same_to_the_last_byte(game, setting):
    """So no trace of the true deal is left, neither in the order of cards that are dealt."""
    tables, seats = some_positions(game, setting)
    one, other = (resampled(tables, tables.rows, seats, key) for key in (1, 2))
    assert (one["deck"] != other["deck"]).any()
    final = [resampled(tables, rows, seats, 3) for rows in (tables.rows, one, other)]
    for name in tables.rows.dtype.names:
        assert np.array_equal(final[0][name], final[1][name]), name
        assert np.array_equal(final[0][name], final[2][name]), name

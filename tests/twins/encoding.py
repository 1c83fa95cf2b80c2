"""Facts of a twin as bytes of an observation: sets, categories, and what is told of every seat."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def as_bits(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def as_sets(cards: Sequence[Sequence[int]], length: int) -> NDArray[np.uint8]:
    """Return sets of cards as bytes 0 or 1, ``[len(cards), length]``."""
    words = np.array([as_bits(each) for each in cards], "<u8")[:, None].view(np.uint8)
    return np.unpackbits(words, axis=1, bitorder="little")[:, :length]


def one_hot(values: list[int | None], length: int) -> NDArray[np.bool_]:
    """Return ``[len(values), length]`` with one true a row, none for ``None``."""
    numbers = np.array([-1 if value is None else value for value in values])
    return np.arange(length) == numbers[:, None]


marked = one_hot
"""A fact that names one seat, or none, as a truth for every seat."""


def turned(values: Any, seats: NDArray[Any]) -> NDArray[Any]:
    """Turn ``values[k, seat, ...]`` so that row ``k`` begins with seat ``seats[k]``, clockwise."""
    values = np.asarray(values)
    places = (seats[:, None] + np.arange(values.shape[1])) % values.shape[1]
    result: NDArray[Any] = values[np.arange(len(values))[:, None], places]
    return result


def as_counts(cards: Sequence[Sequence[int]], length: int) -> NDArray[np.intp]:
    """Return how often each card is among some: ``[len(cards), length]``."""
    counts = np.zeros((len(cards), length), np.intp)
    for row, each in zip(counts, cards, strict=True):
        np.add.at(row, list(each), 1)
    return counts

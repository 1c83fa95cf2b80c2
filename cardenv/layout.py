"""Named fields on a flat ``uint8`` observation.

A layout has shared fields first and then one block a seat, own seat first and clockwise from there.
So every offset is the same for every number of seats, and compiled code holds it as a constant.
"""

import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.compiling import cached

Scale = int | Callable[[Any], int]


def scale_rows(observations: Any, factors: Any, out: Any) -> None:
    """Write each byte times its factor, at most 1, to ``out``: ``[n, size]`` from ``[n, size]``."""
    for i in range(observations.shape[0]):
        for j in range(observations.shape[1]):
            out[i, j] = min(observations[i, j] * factors[j], np.float32(1))


@functools.cache
def _scale_loop() -> Callable[..., None]:
    """Return the loop compiled, several times as fast as NumPy's passes over the whole array."""
    return cached(scale_rows, ())


@dataclass(frozen=True)
class Field:
    """One named block of bytes.

    Attributes:
        name: the key in ``Layout.view``.
        length: bytes; 1 for a count, more for a set or a category.
        meaning: what the bytes say, for the documentation.
        scale: the largest value, as a number or as a function of the rules. 1 marks 0/1 bytes.
    """

    name: str
    length: int
    meaning: str
    scale: Scale = 1


@dataclass(frozen=True)
class Layout:
    """All fields of an observation, before the number of seats is known."""

    shared: tuple[Field, ...]
    seat: tuple[Field, ...]

    @property
    def shared_size(self) -> int:
        """Bytes before the first seat's block."""
        return sum(field.length for field in self.shared)

    @property
    def seat_size(self) -> int:
        """Bytes of one seat's block."""
        return sum(field.length for field in self.seat)

    def offset(self, name: str) -> int:
        """Return where a field begins; for a seat's field, in the first seat's block."""
        position = 0
        for field in (*self.shared, *self.seat):
            if field.name == name:
                return position
            position += field.length
        raise KeyError(f"the layout has no field {name!r}; it has {', '.join(self.names)}")

    @property
    def names(self) -> list[str]:
        """Every field's name, in order."""
        return [field.name for field in (*self.shared, *self.seat)]

    def sized(self, seats: int, rules: Any) -> "SizedLayout":
        """Fix the number of seats and, by the rules, the scales."""
        return SizedLayout(self, seats, rules)


class SizedLayout(Mapping[str, Field]):
    """A layout for a number of seats: sizes, scales, and views of observations by name."""

    def __init__(self, layout: Layout, seats: int, rules: Any) -> None:
        self._scales = {
            field.name: field.scale(rules) if callable(field.scale) else field.scale
            for field in (*layout.shared, *layout.seat)
        }
        shared, seat = (
            tuple(replace(field, scale=self._scales[field.name]) for field in fields)
            for fields in (layout.shared, layout.seat)
        )
        # Scales as numbers: a function among them could not be pickled.
        self.layout = Layout(shared, seat)
        self.seats = seats
        self.size = layout.shared_size + seats * layout.seat_size
        self._fields = {field.name: field for field in (*shared, *seat)}
        blocks = [*shared, *(list(seat) * seats)]
        self.high: NDArray[np.uint8] = np.concatenate(
            [np.full(field.length, self._scales[field.name], np.uint8) for field in blocks]
        )
        """uint8 ``[size]``: the largest value of each byte."""
        self._factors = np.float32(1) / self.high.astype(np.float32)

    def __getitem__(self, name: str) -> Field:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def view(self, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return each field as a view of ``observation[..., size]``.

        A shared field has shape ``[..., length]``, a seat's field ``[..., seats, length]``; a field
        of length 1 loses its last axis.
        """
        shared = observation[..., : self.layout.shared_size]
        blocks = observation[..., self.layout.shared_size :]
        blocks = blocks.reshape(*observation.shape[:-1], self.seats, self.layout.seat_size)
        views: dict[str, NDArray[Any]] = {}
        for part, fields in ((shared, self.layout.shared), (blocks, self.layout.seat)):
            start = 0
            for field in fields:
                view = part[..., start : start + field.length]
                views[field.name] = view[..., 0] if field.length == 1 else view
                start += field.length
        return views

    def scaled(self, observation: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return a copy with every value divided by its scale, so that all lie in 0..1.

        Args:
            observation: uint8 ``[..., size]``.

        Returns:
            float32 ``[..., size]``.
        """
        rows = np.ascontiguousarray(observation).reshape(-1, self.size)
        result = np.empty(rows.shape, np.float32)
        _scale_loop()(rows, self._factors, result)
        return result.reshape(observation.shape)

    def digest(self) -> str:
        """Return a short hash of names, lengths, scales and seats: equal layouts, equal digests."""
        words = [(name, field.length, self._scales[name]) for name, field in self.items()]
        return hashlib.sha256(repr((self.seats, words)).encode()).hexdigest()[:16]

    def table(self) -> list[tuple[str, str, int, int, str]]:
        """Return a row a field for the documentation: bytes, name, length, scale, meaning."""
        rows = []
        for name, field in self.items():
            start = self.layout.offset(name)
            place = f"{start}" if field.length == 1 else f"{start}-{start + field.length - 1}"
            if field in self.layout.seat:
                place += f" (+{self.layout.seat_size} a seat)"
            rows.append((place, name, field.length, self._scales[name], field.meaning))
        return rows

"""Named fields on a flat ``uint8`` observation.

A layout has shared fields first and then one block a seat, own seat first and clockwise from there.
So every offset is the same for every number of seats, and compiled code holds it as a constant. A
history comes last, one block an event, the newest first.
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
class Event:
    """What a game's decisions show beside who decided and what.

    Attributes:
        draws: how many cards were drawn unseen by others: by who decided, and by as many seats from
            there on clockwise as the field is long.
        seen: sets that everybody sees, of at most 64 members. A row keeps each as a word; of up to
            32 cards that may be there twice, the word holds from bit 32 on those that are.
        drawn: the cards drawn, as the seat sees them that drew them.
    """

    draws: Field
    seen: tuple[Field, ...]
    drawn: Field

    def fields(self, seats: int, actions: int) -> tuple[Field, ...]:
        """Return all fields of an event, for a game of so many seats and actions at most."""
        decision = (
            Field("seat", seats, "who decided: the observer, or how far from it clockwise"),
            Field("action", actions, "what was decided, as everybody sees it"),
        )
        fields = (*decision, self.draws, *self.seen, self.drawn)
        return tuple(replace(field, name=f"event_{field.name}") for field in fields)


@dataclass(frozen=True)
class Layout:
    """All fields of an observation, before the numbers of seats and events are known."""

    shared: tuple[Field, ...]
    seat: tuple[Field, ...]
    event: tuple[Field, ...] = ()

    @property
    def shared_size(self) -> int:
        """Bytes before the first seat's block."""
        return sum(field.length for field in self.shared)

    @property
    def seat_size(self) -> int:
        """Bytes of one seat's block."""
        return sum(field.length for field in self.seat)

    @property
    def event_size(self) -> int:
        """Bytes of one event's block."""
        return sum(field.length for field in self.event)

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
        """The name of every field but an event's, in order."""
        return [field.name for field in (*self.shared, *self.seat)]

    def sized(self, seats: int, rules: Any, history: int = 0) -> "SizedLayout":
        """Fix the numbers of seats and of events and, by the rules, the scales."""
        return SizedLayout(self, seats, rules, history)


class SizedLayout(Mapping[str, Field]):
    """A layout for numbers of seats and events: sizes, scales, views of observations by name.

    Attributes:
        base_size: bytes before the history.
        size: all bytes.
    """

    def __init__(self, layout: Layout, seats: int, rules: Any, history: int = 0) -> None:
        parts = (layout.shared, layout.seat, layout.event if history else ())
        self._scales = {
            field.name: field.scale(rules) if callable(field.scale) else field.scale
            for fields in parts
            for field in fields
        }
        shared, seat, event = (
            tuple(replace(field, scale=self._scales[field.name]) for field in fields)
            for fields in parts
        )
        # Scales as numbers: a function among them could not be pickled.
        self.layout = Layout(shared, seat, event)
        self.seats, self.history = seats, history
        self.base_size = layout.shared_size + seats * layout.seat_size
        self.size = self.base_size + history * self.layout.event_size
        self._fields = {field.name: field for field in (*shared, *seat, *event)}
        blocks = [*shared, *(seat * seats), *(event * history)]
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

        A shared field has shape ``[..., length]``, a seat's field ``[..., seats, length]``, an
        event's field ``[..., history, length]``; a field of length 1 loses its last axis.
        """
        views: dict[str, NDArray[Any]] = {}
        for start, each, times, fields in self._blocks():
            size = sum(field.length for field in fields)
            blocks = observation[..., start : start + times * size]
            if each:
                blocks = blocks.reshape(*observation.shape[:-1], times, size)
            place = 0
            for field in fields:
                view = blocks[..., place : place + field.length]
                views[field.name] = view[..., 0] if field.length == 1 else view
                place += field.length
        return views

    def _blocks(self) -> list[tuple[int, str, int, tuple[Field, ...]]]:
        """Return where blocks of one kind begin, what each is of, their number and fields."""
        blocks = [
            (0, "", 1, self.layout.shared),
            (self.layout.shared_size, "a seat", self.seats, self.layout.seat),
            (self.base_size, "an event", self.history, self.layout.event),
        ]
        return blocks if self.history else blocks[:2]

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
        """Return a short hash of names, lengths, scales, seats and events.

        Equal layouts have equal digests.
        """
        words = [(name, field.length, self._scales[name]) for name, field in self.items()]
        numbers = (self.seats, self.history) if self.history else (self.seats,)
        return hashlib.sha256(repr((*numbers, words)).encode()).hexdigest()[:16]

    def table(self) -> list[tuple[str, str, int, int, str]]:
        """Return a row a field for the documentation: bytes, name, length, scale, meaning."""
        rows = []
        for start, each, _, fields in self._blocks():
            size = sum(field.length for field in fields)
            for field in fields:
                place = f"{start}" if field.length == 1 else f"{start}-{start + field.length - 1}"
                place += f" (+{size} {each})" if each else ""
                rows.append(
                    (place, field.name, field.length, self._scales[field.name], field.meaning)
                )
                start += field.length
        return rows

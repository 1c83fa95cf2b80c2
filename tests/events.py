"""What a twin says that its decisions have shown, and that as fields of an observation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass
class Witnessed:
    """What one decision has shown.

    Attributes:
        seat: who decided.
        action: what was decided, as everybody sees it.
        shown: cards that everybody sees, by the name of the field that tells of them.
        drawn: cards drawn unseen by others, by the seat that drew them.
    """

    seat: int
    action: int
    shown: dict[str, list[int]] = field(default_factory=dict)
    drawn: dict[int, list[int]] = field(default_factory=dict)


class Witness:
    """A twin that keeps what the decisions of its round have shown, the newest last."""

    def step(self: Any, action: int) -> None:
        self.events.append(Witnessed(self.current_player(), self._as_seen(action)))
        super().step(action)

    def _deal(self: Any) -> None:
        self.events: list[Witnessed] = []
        super()._deal()

    def _as_seen(self, action: int) -> int:
        """Return an action as everybody sees it."""
        return action

    def _show(self, name: str, cards: Iterable[int]) -> None:
        """Note cards that everybody sees, unless it is the deal that shows them."""
        if self.events:
            self.events[-1].shown.setdefault(name, []).extend(cards)

    def _hide(self, seat: int, cards: Iterable[int]) -> None:
        """Note cards that a seat draws unseen by others, unless it is the deal that makes it."""
        if self.events:
            self.events[-1].drawn.setdefault(seat, []).extend(cards)


def write_events(
    events: Sequence[Witnessed], seat: int, players: int, view: Mapping[str, NDArray[Any]], row: int
) -> None:
    """Write what a seat observes of the last events of a round, the newest first.

    Args:
        events: those of the round, the newest last.
        seat: who observes.
        players: how many there are.
        view: fields of observations, zeros.
        row: the number of the observation.
    """
    newest_first = events[::-1][: view["event_seat"].shape[1]]
    for age, event in enumerate(newest_first):
        view["event_seat"][row, age, (event.seat - seat) % players] = 1
        view["event_action"][row, age, event.action] = 1
        draws = view["event_draws"][row, age : age + 1].reshape(-1)
        for drawer, cards in event.drawn.items():
            draws[(drawer - event.seat) % players] = len(cards)
        for name, cards in event.shown.items():
            np.add.at(view[f"event_{name}"][row, age], cards, 1)
        np.add.at(view["event_drawn"][row, age], event.drawn.get(seat, []), 1)

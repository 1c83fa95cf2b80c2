"""What a decision shows a viewer, in words: who did what, and what has changed on the table.

Nothing hidden gets into the words. An action is named as everybody sees it, which may be less than
its number says (see ``witness`` in ``cardenv.history``), and what has changed is read off the two
scenes that the viewer saw, before and after.
"""

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardenv.compiling import bind, cached, unbound
from cardenv.games import Game
from cardenv.scene import HIDDEN, Scene, Zone
from cardenv.table import Tables

glance = witness = unbound


@dataclass(frozen=True)
class Event:
    """What a viewer has seen of one decision.

    Attributes:
        seat: who decided.
        action: what, as everybody sees it; the own decisions of a viewer as they are.
        changes: what has changed, place by place, such as ``middle +♦9 −♥K``.
    """

    seat: int
    action: str
    changes: tuple[str, ...]

    def __str__(self) -> str:
        return "; ".join((f"seat {self.seat}: {self.action}", *self.changes))


def step_and_tell(tables: Tables, action: int, viewer: int) -> Event:
    """Carry out an action at the first table, and tell what a viewer has seen of it.

    Args:
        tables: one table; it moves.
        action: the deciding seat's.
        viewer: a seat, or -1 for one who sees all cards.

    Raises:
        IllegalAction: the action is not legal; the table is as it was.
    """
    seat, rounds = int(tables.turn[0]), int(tables.rows["rounds"][0])
    before = tables.describe(0, viewer)
    tables.step_one(0, action)
    after = tables.describe(0, viewer)
    over = int(tables.turn[0]) < 0
    dealt = not over and int(tables.rows["rounds"][0]) != rounds
    names = tables.game.action_names if viewer in (seat, -1) else public_names(tables.game)
    changes = [*(_notes(before, after) if dealt else changes_between(before, after))]
    ending = [f"round {rounds + 1} is over, the next one is dealt"] * dealt
    ending += ["the game is over"] * over
    return Event(seat, names[action], (*changes, *ending))


def changes_between(before: Scene, after: Scene) -> Iterator[str]:
    """Yield what differs between two scenes of one viewer, a place at a time."""
    for old, new in _pairs(before, after):
        was, now = Counter(map(str, old.cards)), Counter(map(str, new.cards))
        words = [*_signed("+", now - was), *_signed("−", was - now)]
        if words:
            yield " ".join((new.title, *words))
    yield from _notes(before, after)


def _notes(before: Scene, after: Scene) -> Iterator[str]:
    """Yield what is newly said of each seat; what is said of the table's places counts cards."""
    for old, new in _pairs(before, after):
        said = [note for note in new.notes if note not in old.notes]
        if said and new.seat >= 0:
            yield f"{new.title}: {', '.join(said)}"


def _pairs(before: Scene, after: Scene) -> Iterator[tuple[Zone, Zone]]:
    """Yield each place as it was and as it is; one that is not there has no cards."""
    old = {zone.title: zone for zone in before.zones}
    new = {zone.title: zone for zone in after.zones}
    for title in dict.fromkeys((*old, *new)):
        nothing = Zone(title, ())
        yield old.get(title, nothing), new.get(title, nothing)


def _signed(sign: str, cards: Counter[str]) -> Iterator[str]:
    """Yield cards with a sign, those that the viewer cannot see as a number."""
    hidden = cards.pop(str(HIDDEN), 0)
    yield from (f"{sign}{face}" for face in cards.elements())
    if hidden:
        yield f"{sign}{hidden} unseen"


# --- Actions as everybody sees them ---------------------------------------------------------------


@functools.cache
def public_names(game: Game) -> tuple[str, ...]:
    """Return a word for each action as everybody sees it.

    Actions that look alike have one name: what theirs have in common, with ``?`` for the rest.
    """
    codes = _codes(game)
    names = game.action_names
    return tuple(
        _in_common([name for name, other in zip(names, codes, strict=True) if other == code])
        for code in codes
    )


def _in_common(names: Sequence[str]) -> str:
    words = [name.split() for name in names]
    if len({len(each) for each in words}) > 1:
        return " or ".join(names)
    places = zip(*words, strict=True)
    return " ".join(place[0] if len(set(place)) == 1 else "?" for place in places)


def _codes(game: Game) -> list[int]:
    """Return the action that everybody sees for each: that depends on its number alone."""
    tables = Tables(game, 1, game.rules.MIN_PLAYERS)
    tables.reset(seed=0)
    codes = np.zeros(len(game.action_names), np.int64)
    sets = np.zeros(len(game.event.seen) + game.event.draws.length, np.uint64)
    parts = {part: game.function(part) for part in ("glance", "witness")}
    cached(bind(look_alike, game.name, parts), game.sources)(
        tables.rows, tables.record, sets, codes
    )
    return [int(code) for code in codes]


def look_alike(rows: Any, rules: Any, sets: Any, codes: Any) -> None:
    """Write what each action of the first row's seat is seen as (bound to a game)."""
    row = rows[0]
    for action in range(codes.size):
        before = glance(row, rules[0], action)
        codes[action] = witness(row, rules[0], row.turn, action, before, sets)

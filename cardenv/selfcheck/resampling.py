"""Resampling keeps what a seat knows, draws the rest anew, and leaves no trace of the true deal."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.selfcheck.cards import declares_cards
from cardenv.selfcheck.setting import Setting, legal_actions, look_again, play, positions, same_rows
from cardenv.table import Tables

PROMISE = "a resampled table shows its seat the same, is possible, and forgets the true deal"
PUBLIC = ("turn", "moves", "score", "payouts", "left", "lost", "rounds")
"""Fields of every game's row that everybody knows."""


@dataclass
class Resampled:
    """Rows before and after what seats cannot know was drawn anew.

    Attributes:
        before: the rows ``[k]``, copies.
        after: the same, resampled.
        seats: int64 ``[k]``, who looks at each.
    """

    before: NDArray[Any]
    after: NDArray[Any]
    seats: NDArray[np.int64]


def check(setting: Setting) -> None:
    """Resample positions of random play for every seat in turn, and play samples to their ends."""
    tables, scratch = setting.dealt(), setting.tables()
    untold = dict.fromkeys(range(setting.players), True)
    for move, live in positions(setting, tables):
        kept = tables.rows.copy()
        drawn = resampled(tables, live, (live + move) % setting.players, move)
        if not same_rows(kept, tables.rows).all():
            raise setting.broken("resampling", "resampling a copy changes its source", move=move)
        require_same_view(setting, scratch, drawn, live, move)
        _check_public(setting, drawn, live, move)
        if declares_cards(setting):
            for place, table in enumerate(live):
                _check_cards(setting, tables, drawn, place, int(table), move)
        _check_forgets(setting, tables, drawn, live, move)
        _note_what_others_see(setting, scratch, drawn, untold)
    whole_pack = len(setting.rules.pack) == setting.rules.PACK_SIZE  # of a small one all is known
    for seat in [seat for seat, same in untold.items() if same and whole_pack]:
        what = "what this seat sees is never drawn anew, whoever else looks: it is no secret"
        raise setting.broken("resampling", what, seat=seat)
    _play_samples(setting)


def resampled(tables: Tables, live: NDArray[Any], seats: NDArray[Any], key: int) -> Resampled:
    """Resample copies of some tables' rows, each for a seat, under keys made from ``key``."""
    before, after = tables.rows[live].copy(), tables.rows[live].copy()
    seats = np.ascontiguousarray(seats, np.int64)
    redraw(tables, after, seats, key)
    return Resampled(before, after, seats)


def redraw(tables: Tables, rows: NDArray[Any], seats: NDArray[np.int64], key: int) -> None:
    """Resample rows in place."""
    keys = np.arange(len(rows), dtype=np.uint64) + np.uint64(1_000_003 * (key + 1))
    tables.kernels.resample(rows, tables.record, seats, keys)


def seen(scratch: Tables, rows: NDArray[Any], seats: NDArray[Any]) -> NDArray[np.uint8]:
    """Return what seats observe of rows: uint8 ``[k, size]``; ``scratch`` is written to."""
    which = np.arange(len(rows))
    scratch.rows[which] = rows
    scratch._started = True
    observed: NDArray[np.uint8] = scratch.observe(seats, which)
    return observed


def require_same_view(
    setting: Setting, scratch: Tables, drawn: Resampled, live: NDArray[Any], move: int
) -> None:
    """Raise ``BrokenPromise`` unless each seat observes, and may do, the same as before.

    Where the seat's own block of the whole state has changed too, resampling has touched what the
    seat knows. Otherwise what it is given tells of what it cannot know.
    """
    before, after = (seen(scratch, rows, drawn.seats) for rows in (drawn.before, drawn.after))
    differs = (before != after).any(axis=1)
    legal = np.array([_legal_differs(scratch, drawn, place) for place in range(len(live))])
    own = _own_blocks_differ(scratch, drawn)
    for place in np.flatnonzero(differs | legal):
        where = {"table": int(live[place]), "move": move, "seat": int(drawn.seats[place])}
        if own[place]:
            what = "resampling changes what the seat knows, such as its own cards"
            raise setting.broken("resampling", what, **where)
        views = [scratch.layout.view(each[place]) for each in (before, after)]
        names = [name for name in views[0] if not np.array_equal(views[0][name], views[1][name])]
        shown = f"what the seat observes ({', '.join(names)})" if names else "the seat's mask"
        raise setting.broken("leaks", f"{shown} tells of what it cannot know", **where)


def _own_blocks_differ(scratch: Tables, drawn: Resampled) -> NDArray[np.bool_]:
    """Tell for each row whether the seat's own block of the whole state has changed."""
    which = np.arange(len(drawn.seats))
    layout = scratch.state_layout.layout
    start, size = layout.shared_size, layout.seat_size
    columns = start + drawn.seats[:, None] * size + np.arange(size)
    blocks = []
    for rows in (drawn.before, drawn.after):
        scratch.rows[which] = rows
        blocks.append(np.take_along_axis(scratch.states(which), columns, axis=1))
    differ: NDArray[np.bool_] = (blocks[0] != blocks[1]).any(axis=1)
    return differ


def _legal_differs(scratch: Tables, drawn: Resampled, place: int) -> bool:
    if drawn.before["turn"][place] != drawn.seats[place]:
        return False
    one, other = (legal_actions(scratch, rows[[place]]) for rows in (drawn.before, drawn.after))
    return not np.array_equal(one, other)


def _check_public(setting: Setting, drawn: Resampled, live: NDArray[Any], move: int) -> None:
    for name in PUBLIC:
        same = (drawn.before[name] == drawn.after[name]).reshape(len(live), -1).all(axis=1)
        for place in np.flatnonzero(~same):
            what, seat = f"resampling changes row.{name}, which is public", int(drawn.seats[place])
            raise setting.broken("resampling", what, table=int(live[place]), move=move, seat=seat)
    for place in np.flatnonzero(drawn.before["key"] == drawn.after["key"]):
        what = "resampling keeps row.key, from which the true future can be computed"
        seat = int(drawn.seats[place])
        raise setting.broken("resampling", what, table=int(live[place]), move=move, seat=seat)


def _check_cards(
    setting: Setting, tables: Tables, drawn: Resampled, place: int, table: int, move: int
) -> None:
    found, true = (
        sorted(setting.game.function("every_card")(rows[place], tables.record[0]))
        for rows in (drawn.after, drawn.before)
    )
    if found != true:
        what, seat = "resampling makes cards appear or vanish", int(drawn.seats[place])
        raise setting.broken("resampling", what, table=table, move=move, seat=seat)


def _check_forgets(
    setting: Setting, tables: Tables, drawn: Resampled, live: NDArray[Any], move: int
) -> None:
    """Two deals that the seat cannot tell apart become the same under the same key."""
    one, other = drawn.before.copy(), drawn.after.copy()
    for rows in (one, other):
        redraw(tables, rows, drawn.seats, move + 7)
    for place in np.flatnonzero(~same_rows(one, other)):
        names = [
            n for n in one.dtype.names or () if not np.array_equal(one[n][place], other[n][place])
        ]
        what = f"a resampled row tells of the true deal, in {', '.join(names)}"
        seat = int(drawn.seats[place])
        raise setting.broken("resampling", what, table=int(live[place]), move=move, seat=seat)


def _note_what_others_see(
    setting: Setting, scratch: Tables, drawn: Resampled, untold: dict[int, bool]
) -> None:
    """Note of each seat whether what it sees was drawn anew where another looked."""
    for seat in [seat for seat, same in untold.items() if same]:
        seats = np.full(len(drawn.seats), seat)
        views = [seen(scratch, rows, seats) for rows in (drawn.before, drawn.after)]
        changed = (views[0] != views[1]).any(axis=1) & (drawn.seats != seat)
        untold[seat] = not changed.any()


def _play_samples(setting: Setting) -> None:
    """Samples are possible positions: they can be played to their ends."""
    for depth in (0, 3):
        tables = setting.dealt()
        for move, live in play(setting, tables):
            if move == depth:
                seats = (live + depth) % setting.players
                tables.rows[live] = resampled(tables, live, seats, depth).after
                look_again(tables)

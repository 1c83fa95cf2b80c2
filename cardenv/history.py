"""Memory: the last events of a round, kept in a table's rows and shown in its observations.

An event is what one decision has shown. A game says what that is by ``EVENT`` and two functions.
``glance`` is called before an action is carried out and returns what is to be remembered of the row
as it was; ``witness`` is called afterwards, given that, writes the event's sets and returns the
action as everybody sees it. Whatever steps, observes or resamples rows calls what ``parts_of``
returns, and so keeps events without knowing of them.

A row keeps the last events as a ring: event ``n`` of a round lies at place ``n`` modulo the number
of places. A round begins with none.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.cards import NONE, count, lowest, spread
from cardenv.compiling import bind, compiled, unbound
from cardenv.games import Game
from cardenv.seats import clockwise

MOST_EVENTS = 255

glance = witness = step = observe = resample = unbound
forget = note = write_event = write_set = unbound
# Numbers that are bound like these functions: the ring's places, and where an event has what.
PLACES = EVENT_SIZE = ACTION = DRAWS = SETS = DRAWERS = 0
LENGTHS: tuple[int, ...] = ()
"""Bytes of each set that everybody sees, and of the cards drawn."""


def state_of(game: Game, history: int) -> np.dtype[Any]:
    """Return the dtype of a row that keeps so many events; without any it is the game's own.

    Before the game's fields comes ``events`` (in this round so far). Behind them come, of each
    event kept, ``event_seat``, ``event_action``, ``event_draws`` (``[drawers]``), ``event_sets``: a
    word for each set of ``EVENT.seen``, then one for the cards of each drawer.
    """
    if not history:
        return game.state
    drawers = game.event.draws.length
    return np.dtype(
        [
            # First: Numba lets code for rows run on longer ones that begin alike, with a warning.
            ("events", "i4"),
            *((name, game.state[name]) for name in game.state.names or ()),
            *(("event_seat", "i1", history), ("event_action", "i1", history)),
            ("event_draws", "u1", (history, drawers)),
            ("event_sets", "u8", (history, len(game.event.seen) + drawers)),
        ],
        align=True,
    )


def without_events(rows: NDArray[Any], game: Game) -> NDArray[Any]:
    """Return copies of rows as a table without a history has them."""
    plain = np.zeros(len(rows), game.state)
    for name in game.state.names or ():
        plain[name] = rows[name]
    return plain


# --- Functions over a row, bound to a game and a number of events ---------------------------------


def step_and_note(row: Any, rules: Any, action: int) -> None:
    """Carry out an action and note what it has shown; forget all once a new round is dealt."""
    seat, rounds = int(row.turn), row.rounds
    before = glance(row, rules, action)
    step(row, rules, action)
    if row.rounds != rounds and row.turn >= 0:
        forget(row)
    else:
        note(row, rules, seat, action, before)


def forget_events(row: Any) -> None:
    """Leave no trace of any event."""
    row.events = 0
    row.event_seat[:] = 0
    row.event_action[:] = 0
    row.event_draws[:, :] = 0
    row.event_sets[:, :] = NONE


def note_event(row: Any, rules: Any, seat: int, action: int, before: Any) -> None:
    """Note an event in the place of the oldest."""
    place = row.events % PLACES
    sets = row.event_sets[place]
    for i in range(sets.size):
        sets[i] = NONE
    row.event_seat[place] = seat
    row.event_action[place] = witness(row, rules, seat, action, before, sets)
    for drawer in range(DRAWERS):
        row.event_draws[place, drawer] = count(sets[len(LENGTHS) - 1 + drawer])
    row.events += 1


def observe_with_events(row: Any, rules: Any, seat: int, out: Any) -> None:
    """Write what a seat knows to ``out``, and at its end the last events, the newest first."""
    observe(row, rules, seat, out)
    begin, newest = out.size - PLACES * EVENT_SIZE, int(row.events) - 1
    for age in range(min(newest + 1, PLACES)):
        write_event(row, rules, (newest - age) % PLACES, seat, out, begin + age * EVENT_SIZE)


def write_event_at(row: Any, rules: Any, place: int, seat: int, out: Any, begin: int) -> None:
    """Write one event as a seat saw it: of the cards drawn, its own."""
    decider = int(row.event_seat[place])
    out[begin + clockwise(decider, rules.players - seat, rules.players)] = 1
    out[begin + ACTION + int(row.event_action[place])] = 1
    sets, offset = row.event_sets[place], begin + SETS
    for i in range(len(LENGTHS) - 1):
        write_set(sets[i], LENGTHS[i], out, offset)
        offset += LENGTHS[i]
    for drawer in range(DRAWERS):
        out[begin + DRAWS + drawer] = row.event_draws[place, drawer]
        if clockwise(decider, drawer, rules.players) == seat:
            write_set(sets[len(LENGTHS) - 1 + drawer], LENGTHS[-1], out, offset)


def write_cards(cards: Any, length: int, out: Any, offset: int) -> None:
    """Write a set, or with at most 32 kinds of cards how many there are of each."""
    spread(cards, length, out, offset)
    if length <= 32:
        twice = cards >> np.uint64(32)
        while twice != NONE:
            out[offset + lowest(twice)] = 2
            twice &= twice - np.uint64(1)


def resample_and_forget(row: Any, rules: Any, seat: int, key: Any) -> None:
    """Draw what a seat cannot know anew; what others drew is not noted any more."""
    resample(row, rules, seat, key)
    for place in range(min(int(row.events), PLACES)):
        for drawer in range(DRAWERS):
            if clockwise(int(row.event_seat[place]), drawer, rules.players) != seat:
                row.event_sets[place, len(LENGTHS) - 1 + drawer] = NONE


def parts_of(game: Game, history: int) -> dict[str, Callable[..., Any]]:
    """Return the functions over a row that keeps so many events, by the names that loops call."""
    parts = {
        name: game.function(name)
        for name in ("deal", "legal", "step", "observe", "observe_state", "resample")
    }
    if not history:
        return parts
    name = name_of(game, history)
    bound = {**parts, **_numbers(game, history)}
    bound |= {part: game.function(part) for part in ("glance", "witness")}
    helpers: dict[str, Callable[..., Any]] = {
        "forget": forget_events,
        "note": note_event,
        "write_set": write_cards,
        "write_event": write_event_at,
    }
    for part, template in helpers.items():
        bound[part] = compiled(bind(template, name, bound))
    around: dict[str, Callable[..., Any]] = {
        "step": step_and_note,
        "observe": observe_with_events,
        "resample": resample_and_forget,
    }
    return parts | {
        part: compiled(bind(template, name, bound)) for part, template in around.items()
    }


def name_of(game: Game, history: int) -> str:
    """Return what compiled code is named by for rows that keep so many events."""
    return f"{game.name}_history{history}" if history else game.name


def _numbers(game: Game, history: int) -> dict[str, Any]:
    """Return the numbers that the functions above take for constants."""
    sets = (*game.event.seen, game.event.drawn)
    action = game.rules.MAX_PLAYERS
    draws = action + len(game.action_names)
    return {
        "PLACES": history,
        "EVENT_SIZE": game.layout.event_size,
        "ACTION": action,
        "DRAWS": draws,
        "SETS": draws + game.event.draws.length,
        "DRAWERS": game.event.draws.length,
        "LENGTHS": tuple(field.length for field in sets),
    }

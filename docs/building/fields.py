"""Tables of what observations, states and events hold, made of their layouts."""

from building.markdown import code, table
from cardenv.layout import Layout, SizedLayout
from cardenv.table import Tables

HEADS = ("bytes", "field", "length", "scale", "meaning")


def sizes(tables: Tables) -> str:
    """Return how long an observation is, for any number of players."""
    layout = tables.game.layout
    return f"{layout.shared_size} + {layout.seat_size} bytes a player"


def observation_words(tables: Tables) -> str:
    """Return what is to be known of an observation's size and order."""
    layout = tables.game.layout
    return (
        f"A flat `uint8` array: {layout.shared_size} bytes that all tables have, then "
        f"{layout.seat_size} for each seat, the observer's own first and clockwise from there: "
        f"{tables.layout.base_size} bytes with {tables.players} players. "
        "`layout.view(observation)` has each field by its name. A scale of 1 marks bytes that are "
        "0 or 1; any other is the largest value, here by the default rules, and what `float32` "
        "observations are divided by."
    )


def event_words(layout: Layout) -> str:
    """Return what a history adds, and how much."""
    return (
        f"`history=K` appends the last K decisions of the round, the newest first, "
        f"{layout.event_size} bytes each; places within one event:"
    )


def field_table(layout: SizedLayout) -> str:
    """Return a row a field, events apart."""
    events = {field.name for field in layout.layout.event}
    rows = [row for row in layout.table() if row[1] not in events]
    return table(HEADS, [(place, code(name), *rest) for place, name, *rest in rows])


def event_table(layout: SizedLayout) -> str:
    """Return a row a field of one event."""
    rows, start = [], 0
    for field in layout.layout.event:
        end = start + field.length - 1
        place = f"{start}" if start == end else f"{start}-{end}"
        rows.append((place, code(field.name), field.length, field.scale, field.meaning))
        start = end + 1
    return table(HEADS, rows)

"""The picture of a row of Mow: from left to right, as the rules let it lie."""

import pytest

from cardenv.games.mow import Rules
from cardenv.table import Tables
from tests.rules.mow_scene import NAMES
from tests.scenes import numbers


def pictured(laid, **switches):
    """Return the faces of the row, the special cards without their five stars, and its notes."""
    tables = Tables("mow", 1, 2, rules=Rules(**switches))
    tables.reset(seed=1)
    row, cards = tables.row(0), numbers(NAMES, laid)
    values = sorted(int(name.strip("*")) for name in laid.split() if name.strip("*").isdigit())
    row.laid, row.values = sum(1 << card for card in cards), sum(1 << value for value in values)
    row.left_end, row.right_end = values[0], values[-1]
    (zone,) = (zone for zone in tables.describe(0, -1).zones if zone.title == "row")
    return " ".join(str(card).removesuffix("*****") for card in zone.cards), zone.notes


@pytest.mark.parametrize(
    ("latecomer", "laid", "shown"),
    [
        ("capacity", "3 9* 7** (7)", "3 7** (7) 9*"),
        ("capacity", "3 5 8* +a +b", "3 + 5 + 8*"),
        ("capacity", "3 6 8* +a +b", "3 + + 6 8*"),
        ("one_per_gap", "3 6 8* +a +b", "3 + 6 + 8*"),
        ("one_per_gap", "3 4 8* +a", "3 4 + 8*"),
        ("unlimited", "3 5 8* +a +b", "3 + + 5 8*"),
        ("unlimited", "3 4 6 +a +b", "3 4 + + 6"),
        ("capacity", "8 0 16", "0 8 16"),
    ],
)
def test_a_row_is_shown_in_order_with_latecomers_where_they_may_lie(latecomer, laid, shown):
    assert pictured(laid, latecomer=latecomer)[0] == shown


def test_the_notes_tell_ends_flies_and_room():
    assert pictured("3 7**")[1][:2] == ("left below 3", "right above 7")
    assert "room for 3 latecomers" in pictured("3 7**")[1]
    assert "room for 1 latecomer" in pictured("3 7**", latecomer="one_per_gap")[1]
    assert "room for latecomers" in pictured("3 7**", latecomer="unlimited")[1]
    assert not any("room" in note for note in pictured("3 4")[1])
    assert pictured("8 0 16")[1][:2] == ("left blocked", "right blocked")

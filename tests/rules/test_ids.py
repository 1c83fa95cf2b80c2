"""Every rule has a test that names it, and a fault that the tests must find."""

import re

import pytest

from tests.faults import FAULTS
from tests.planted_faults import ROOT, rule_test_files, source_of

RULES = {"schwimmen": ("S31", 38), "mow": ("MOW", 35), "maumau": ("MAU", 25)}
"""For each game the prefix of its rules' ids, and how many there are."""

EVERY_ID = [
    pytest.param(game, f"{prefix}-{number}", id=f"{prefix}-{number}")
    for game, (prefix, last) in RULES.items()
    for number in range(1, last + 1)
]


@pytest.mark.parametrize(("game", "rule"), EVERY_ID)
def test_every_rule_is_named_by_a_test_and_has_a_fault(game, rule):
    prefix, number = rule.split("-")
    pattern = rf"def test_([a-z0-9]+_)*{prefix}[_]?0*{number}([^0-9]|$)"
    text = "\n".join(path.read_text() for path in rule_test_files())
    assert re.search(pattern, text, re.IGNORECASE)
    assert rule in FAULTS[game]


@pytest.mark.parametrize("game", FAULTS)
def test_every_fault_fits_the_games_file(game):
    """``tests/planted_faults.py`` replaces each text, which must be there once."""
    source = source_of(game, ROOT).read_text()
    for name, (old, new) in FAULTS[game].items():
        assert source.count(old) == 1, name
        assert old != new, name

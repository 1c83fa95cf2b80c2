"""A game from outside: what a registered module must be, and that a changed one is played anew."""

import importlib
import sys
import types

import numpy as np
import pytest

import cardenv
from cardenv import games
from cardenv.table import Tables
from tests.cases import every_game, players_of
from tests.high_card import SOURCE


def module_with(**parts):
    """Return a module like a shipped game's, with some parts replaced."""
    shipped = games.get(games.names()[0]).module
    module = types.ModuleType("a_module_of_its_own")
    vars(module).update({name: getattr(shipped, name) for name in games.PARTS})
    vars(module).update({"NAME": "its_own", "ALIASES": (), "__file__": __file__, **parts})
    return module


@every_game
def test_pictures_are_headed_by_the_games_title(game):
    tables = Tables(game, 1, players_of(game)[1])
    tables.reset(seed=1)
    assert tables.describe(0, -1).heading.split(",")[0] == games.get(game).title


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"NAME": "Mow"}, "NAME='Mow' is not possible"),
        ({"NAME": "high card"}, "small letters"),
        ({"NAME": "high.card"}, "small letters"),
        ({"NAME": "mow"}, "which cardenv.games.mow has"),
        ({"ALIASES": ("31",)}, "which cardenv.games.schwimmen has"),
        ({"ALIASES": ("hc")}, "is no tuple"),
        ({"ACTION_NAMES": ("pass",) * 64}, "64 actions; give 1 to 63"),
    ],
)
def test_a_module_that_cannot_be_a_game_is_refused_and_leaves_no_trace(parts, said):
    names = games.names()
    with pytest.raises(ValueError, match=r"^[^\n]+$") as caught:
        cardenv.register(module_with(**parts))
    assert said in str(caught.value)
    assert games.names() == names


def test_a_module_that_lacks_a_part_is_told_which():
    with pytest.raises(ValueError, match=r"is no game: it does not define .*ACTION_NAMES, .*deal"):
        cardenv.register(types.ModuleType("empty"))


def test_a_game_that_was_changed_and_reloaded_is_played_by_its_new_rules(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(games, "_games", dict(games._games))
    path = tmp_path / "edited_card.py"
    path.write_text(SOURCE.replace('"high_card"', '"edited_card"'))
    module = importlib.import_module("edited_card")

    def share_of_wins_by_the_highest_card():
        tables = Tables("edited_card", 200, 2)
        tables.reset(seed=1)
        for _ in range(2):
            tables.step(np.zeros(200, np.int64))
        cards = tables.rows["card"][:, :2]
        return ((cards[:, 0] > cards[:, 1]) == (tables.score[:, 0] > 0)).mean()

    cardenv.register(module)
    assert share_of_wins_by_the_highest_card() == 1
    path.write_text(path.read_text().replace("row.card[seat] > row", "row.card[seat] < row"))
    cardenv.register(importlib.reload(module))
    assert share_of_wins_by_the_highest_card() == 0


@every_game
@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint64, int])
def test_seats_may_be_counted_in_any_integer_type(game, kind):
    _, _, most = players_of(game)
    plain = Tables(game, 20, 3, max_players=most)
    other = Tables(game, kind(20), kind(3), max_players=kind(most))
    for tables in (plain, other):
        tables.reset(seed=1)
        tables.play_randomly(20)
    assert np.array_equal(plain.observations, other.observations)
    assert other.observations.shape == (20, plain.layout.size)

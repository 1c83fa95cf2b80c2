"""Promises of the trained agents that are shipped, and of the command that makes them."""

import json

import numpy as np
import pytest

import agents
from agents import champion
from agents.champion import Champion, folder_of
from agents.learned import Learned
from cardenv import games
from cardenv.players import PlayerError
from cardenv.table import Tables
from experiments import champions
from experiments.command import SettingsError, TableSettings
from experiments.evaluate import measure
from tests.cases import GAMES


def card_of(game, players):
    return json.loads((folder_of(games.get(game), players) / champion.CARD).read_text())


def measured(game, players, name, deals, seed):
    settings = TableSettings(game=game, players=players, seed=seed)
    return measure(agents.load("champion", game), agents.load(name, game), settings, deals)


def test_a_game_without_a_champion_says_how_to_train_one(tmp_path, monkeypatch):
    monkeypatch.setattr(champion, "FOLDER", tmp_path)
    with pytest.raises(PlayerError, match=r"has no champion; train an agent"):
        agents.load("champion", GAMES[0])


# --- Making them ----------------------------------------------------------------------------------


def quick(tmp_path, **settings):
    """Return settings that make champions in seconds, though no strong ones."""
    return champions.Settings(
        **{"games": (GAMES[1],), "players": (2,), "out": tmp_path / "made"}
        | {"steps": 20_000, "deals": 30}
        | settings
    )


def test_a_champion_is_made_measured_and_shipped(tmp_path, monkeypatch):
    monkeypatch.setattr(champion, "FOLDER", tmp_path / "shipped")
    assert champions.main(quick(tmp_path, ship=True)) is None
    game = games.get(GAMES[1])
    shipped = Champion(game)
    card = card_of(game, 2)
    assert shipped.fingerprint == card["fingerprint"]
    seed = card["settings"]["seed"] + champions.MEASURED_SEED
    again = measured(game.name, 2, "expert", 30, seed).interval(champions.CONFIDENCE)
    assert list(again) == pytest.approx(card["figures"]["score among expert"])
    assert "--steps 20000" in card["trained_with"]


def test_a_champion_whose_weights_were_changed_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(champion, "FOLDER", tmp_path / "shipped")
    champions.main(quick(tmp_path, ship=True))
    game = games.get(GAMES[1])
    changed = Learned.load(folder_of(game, 2))
    changed.network.biases[0][0] += 1
    changed.save(folder_of(game, 2), np.float16)
    with pytest.raises(PlayerError, match=r"is not the one that its card\.json tells of"):
        agents.load("champion", game)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"players": 3}, "with 2 players, not 3"),
        ({"players": 2, "episode": "match"}, "episode"),
        ({"players": 2, "max_players": 4}, "seats"),
    ],
)
def test_a_champion_is_refused_where_it_was_not_trained_for(table, words, tmp_path, monkeypatch):
    monkeypatch.setattr(champion, "FOLDER", tmp_path / "shipped")
    champions.main(quick(tmp_path, ship=True))
    tables = Tables(GAMES[1], 1, **{"episode": "round", **table})
    with pytest.raises(PlayerError, match=words):
        agents.load("champion", GAMES[1]).check(tables)


@pytest.mark.parametrize("history", [0, 2])
def test_a_champion_plays_at_tables_with_and_without_a_history(history, tmp_path, monkeypatch):
    monkeypatch.setattr(champion, "FOLDER", tmp_path / "shipped")
    champions.main(quick(tmp_path, ship=True))
    tables = Tables(GAMES[1], 8, 2, episode="round", history=history)
    tables.reset(seed=1)
    player = agents.load("champion", GAMES[1])
    player.check(tables)
    actions = player.act(tables.observations, tables.masks, tables.play_keys())
    assert tables.masks[np.arange(8), actions].all()


def test_a_champion_that_is_finished_is_not_made_again(tmp_path, monkeypatch):
    champions.main(quick(tmp_path))
    monkeypatch.setattr(champions.improve, "train", lambda *_: pytest.fail("trained again"))
    champions.main(quick(tmp_path))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"players": (1,)}, "players=1 is not possible"),
        ({"deals": 1}, "deals"),
        ({"steps": 0}, "steps"),
    ],
)
def test_what_cannot_be_carried_out_is_said_before_training(wrong, words, tmp_path):
    with pytest.raises(SettingsError, match=words):
        champions.main(quick(tmp_path, **wrong))

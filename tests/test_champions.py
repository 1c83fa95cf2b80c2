"""Promises of the trained agents that are shipped, and of the command that makes them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import agents
from agents import champion
from agents.champion import Champion, folder_of, players_of
from agents.learned import Learned
from cardenv import games
from cardenv.players import PlayerError
from cardenv.table import Tables
from experiments import champions
from experiments.command import SettingsError, TableSettings
from experiments.evaluate import measure
from tests.cases import GAMES

CORE_SECONDS = 2 * 20 * 60
"""Processor time that training a champion may take: two cores for 20 minutes."""
SHIPPED = [(game, players) for game in GAMES for players in players_of(games.get(game))]
every_champion = pytest.mark.parametrize(("game", "players"), SHIPPED)


def card_of(game, players):
    return json.loads((folder_of(games.get(game), players) / champion.CARD).read_text())


def test_every_game_has_a_champion_for_two_and_one_for_four():
    assert {(game, players) for game in GAMES for players in (2, 4)} <= {*SHIPPED}


@every_champion
def test_a_champions_card_says_that_it_beats_every_heuristic(game, players):
    figures = card_of(game, players)["figures"]
    assert figures["confidence"] == 0.99
    heuristics = [name for name in agents.names(game) if name != "random"]
    for name in heuristics:
        mean, low, high = figures[f"score among {name}"]
        assert 0 < low <= mean <= high, name


@every_champion
def test_a_champions_card_says_how_it_was_made(game, players):
    card = card_of(game, players)
    assert card["trained_with"].startswith("python -m experiments.")
    assert card["training_seconds"] * card["settings"]["cores"] <= CORE_SECONDS
    assert card["versions"]["torch"]
    assert card["settings"]["seed"] >= 0
    size = sum(path.stat().st_size for path in folder_of(games.get(game), players).iterdir())
    assert size < 1_000_000


def measured(game, players, name, deals, seed):
    settings = TableSettings(game=game, players=players, seed=seed)
    return measure(agents.load("champion", game), agents.load(name, game), settings, deals)


@every_champion
def test_a_champion_is_at_least_as_good_as_the_expert_on_deals_of_this_test(game, players):
    assert measured(game, players, "expert", 300, seed=2024).interval(0.999).high > 0
    assert measured(game, players, "greedy", 300, seed=2024).interval(0.99).low > 0


@pytest.mark.slow
@every_champion
def test_a_champions_figures_come_out_again(game, players):
    card = card_of(game, players)
    seed = card["settings"]["seed"] + champions.MEASURED_SEED
    for name in agents.names(game):
        if name != "random":
            again = measured(game, players, name, card["figures"]["deals"], seed)
            kept = card["figures"][f"score among {name}"]
            assert list(again.interval(card["figures"]["confidence"])) == pytest.approx(kept)


@pytest.mark.parametrize("game", GAMES)
def test_a_champion_plays_without_pytorch(game):
    program = (
        "import sys; sys.modules['torch'] = None; import numpy as np, agents; "
        "from cardenv.table import Tables; "
        f"tables = Tables({game!r}, 4, 2, episode='round'); tables.reset(seed=1); "
        f"player = agents.load('champion', {game!r}); player.check(tables); "
        "actions = player.act(tables.observations, tables.masks, tables.play_keys()); "
        "print(tables.masks[np.arange(4), actions].all())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"players": 3}, "with 2 or 4 players, not 3"),
        ({"players": 2, "episode": "match"}, "episode"),
        ({"players": 2, "max_players": 4}, "seats"),
    ],
)
def test_a_champion_is_refused_where_it_was_not_trained_for(game, table, words):
    tables = Tables(game, 1, **{"episode": "round", **table})
    with pytest.raises(PlayerError, match=words):
        agents.load("champion", game).check(tables)


@every_champion
@pytest.mark.parametrize("history", [0, 5])
def test_a_champion_plays_at_tables_with_and_without_a_history(game, players, history):
    tables = Tables(game, 8, players, episode="round", history=history)
    tables.reset(seed=1)
    player = agents.load("champion", game)
    player.check(tables)
    actions = player.act(tables.observations, tables.masks, tables.play_keys())
    assert tables.masks[np.arange(8), actions].all()


def test_a_champion_whose_weights_were_changed_is_refused(tmp_path, monkeypatch):
    game = games.get(GAMES[0])
    shutil.copytree(champion.FOLDER, tmp_path / "champions")
    monkeypatch.setattr(champion, "FOLDER", tmp_path / "champions")
    changed = Learned.load(folder_of(game, 2))
    changed.network.biases[0][0] += 1
    changed.save(folder_of(game, 2), np.float16)
    with pytest.raises(PlayerError, match=r"is not the one that its card\.json tells of"):
        agents.load("champion", game)


@pytest.mark.parametrize("name", ["2.bak", "4", "x", "copy_of_2"])
def test_other_folders_beside_the_champions_do_no_harm(name, tmp_path, monkeypatch):
    game = games.get(GAMES[0])
    shutil.copytree(folder_of(game, 2), tmp_path / f"{game.name}_2")
    if name == "4":
        (tmp_path / f"{game.name}_4").mkdir()
    else:
        shutil.copytree(folder_of(game, 2), tmp_path / f"{game.name}_{name}")
    monkeypatch.setattr(champion, "FOLDER", tmp_path)
    assert players_of(game) == [2]
    agents.load("champion", game.name)


@pytest.mark.parametrize("text", ["[1]", "{", "{}", '"fingerprint"'])
def test_a_champion_whose_card_was_damaged_is_refused(text, tmp_path, monkeypatch):
    game = games.get(GAMES[0])
    shutil.copytree(folder_of(game, 2), tmp_path / f"{game.name}_2")
    (tmp_path / f"{game.name}_2" / champion.CARD).write_text(text)
    monkeypatch.setattr(champion, "FOLDER", tmp_path)
    with pytest.raises(PlayerError, match=r"is not the one that its card\.json tells of"):
        agents.load("champion", game.name)


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
    card = card_of(game, 2)
    assert Champion(game).fingerprint.startswith(card["fingerprint"])
    seed = card["settings"]["seed"] + champions.MEASURED_SEED
    again = measured(game.name, 2, "expert", 30, seed).interval(champions.CONFIDENCE)
    assert list(again) == pytest.approx(card["figures"]["score among expert"])
    assert "--steps 20000" in card["trained_with"]


def test_a_champion_that_is_finished_is_not_made_again(tmp_path, monkeypatch):
    champions.main(quick(tmp_path))
    monkeypatch.setattr(champions.improve, "train", lambda *_: pytest.fail("trained again"))
    shown = []
    monkeypatch.setattr(champions, "print_cards", lambda cards, _: shown.extend(cards))
    champions.main(quick(tmp_path))
    assert len(shown) == 1


@pytest.mark.parametrize("change", [{"seed": 99}, {"steps": 30_000}, {"deals": 31}])
def test_a_champion_made_in_another_way_is_not_taken_for_the_one_asked_for(change, tmp_path):
    champions.main(quick(tmp_path))
    with pytest.raises(SettingsError, match=r"was begun with|holds a champion made with"):
        champions.main(quick(tmp_path, **change))


def test_a_shipped_champion_is_made_anew_by_its_own_recipe(tmp_path, monkeypatch):
    monkeypatch.setattr(champion, "FOLDER", tmp_path / "shipped")
    champions.main(quick(tmp_path, ship=True))
    path = folder_of(games.get(GAMES[1]), 2) / champion.CARD
    card = json.loads(path.read_text())
    card["settings"] |= {"layers": [32], "averaged": 7}
    path.write_text(json.dumps(card))
    training = champions.recipe(quick(tmp_path / "anew"), GAMES[1], 2)
    assert (training.layers, training.averaged) == ((32,), 7)


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


@every_champion
def test_the_documents_show_what_the_cards_say(game, players):
    text = (Path(__file__).parent.parent / "docs/learning.md").read_text()
    text = text[: text.index("## Against search")]
    card = card_of(game, players)
    (row,) = (line for line in text.splitlines() if line.startswith(title(game, players)))
    mean, low, high = card["figures"]["score among expert"]
    among_greedy = card["figures"]["score among greedy"][0]
    shown = [f"{mean:+.4f}", f"{low:+.4f} to {high:+.4f}", f"{among_greedy:+.4f}"]
    assert [cell.strip() for cell in row.split("|")[2:5]] == shown
    minutes = card["training_seconds"] / 60
    assert abs(float(row.split("|")[5].removesuffix("min |").split()[0]) - minutes) <= 0.5


def title(game, players):
    """Return how a champion's row begins."""
    spelled = {"schwimmen": "31", "mow": "Mow", "maumau": "Mau-Mau"}[game]
    return f"| {spelled}, {players} players |"

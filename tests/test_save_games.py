"""Games that experiments keep are those that were measured, each once."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardenv import replay
from cardenv.players import player_for
from experiments import evaluate
from experiments.command import SettingsError, TableSettings
from experiments.deals import Deals
from experiments.evaluate import Settings
from experiments.lineups import FIRST_DEAL, one_among
from experiments.recording import FILE, record_games
from tests.cases import GAMES, every_game


@every_game
def test_recorded_games_score_what_was_measured(game: str) -> None:
    settings = TableSettings(game=game, players=3, seed=4)
    table = settings.tables(1)
    players = {name: player_for(name, table) for name in ("greedy", "random")}
    lineup = one_among(0, 1, 3)
    deals = Deals(settings, players, {"greedy": lineup}, cores=1)
    deals.play(5)
    measured = deals.played("greedy").scores
    games = record_games(players, lineup, settings, 5, "a title")
    for number, found in enumerate(games):
        seat = number % 3
        assert found.agents == tuple("greedy" if each == seat else "random" for each in range(3))
        assert found.deal.table == FIRST_DEAL + number
        column = np.flatnonzero((lineup.columns[0] == seat) & (lineup.columns[1] == seat))[0]
        assert found.scores[seat] == measured[number, column]
        assert found.title == "a title"
        assert replay.from_line(replay.to_line(found)) == found


def settings(out: Path | None, **more: Any) -> Settings:
    small = {"game": GAMES[0], "players": 2, "deals": 30, "cores": 1}
    agents = {"agents": ("greedy", "random"), "among": "random"}
    return Settings(out=out, **{**small, **agents, **more})


def test_evaluate_keeps_the_first_games_of_every_agent_and_none_twice(tmp_path: Path) -> None:
    for _ in range(2):  # the second time goes on with the deals there
        evaluate.evaluate(settings(tmp_path, save_games=3))
    games = replay.load(tmp_path / FILE)
    assert [each.title for each in games] == [
        *["greedy among random"] * 3,
        *["random among random"] * 3,
    ]
    assert [each.deal.table - FIRST_DEAL for each in games] == [0, 1, 2, 0, 1, 2]


def test_evaluate_keeps_none_unless_asked_and_no_more_than_were_played(tmp_path: Path) -> None:
    evaluate.evaluate(settings(tmp_path / "none"))
    assert not (tmp_path / "none" / FILE).exists()
    evaluate.evaluate(settings(tmp_path / "all", save_games=1000, agents=("greedy",)))
    assert len(replay.load(tmp_path / "all" / FILE)) == 30


@pytest.mark.parametrize("games", [-1, 5])
def test_games_that_cannot_be_kept_are_refused(games: int) -> None:
    with pytest.raises(SettingsError, match=r"save_games=.*; "):
        evaluate.evaluate(settings(None, save_games=games))


def test_a_resumed_run_keeps_each_game_once(tmp_path: Path) -> None:
    train = pytest.importorskip("experiments.train")

    def run(out: Path, resume: bool = False) -> Any:
        return train.Settings(
            game=GAMES[0],
            players=2,
            opponents=("random",),
            yardstick="random",
            steps=96,
            out=out,
            resume=resume,
            measure_every=32,
            measure_deals=30,
            num_envs=4,
            rollout=8,
            minibatch=16,
            epochs=1,
            layers=(8,),
            save_games=2,
        )

    train.train(run(tmp_path / "whole"))
    with pytest.raises(train.Stopped):
        train.train(run(tmp_path / "halves"), lambda steps: steps >= 32)
    train.train(run(tmp_path / "halves", resume=True))
    whole, halves = (replay.load(tmp_path / name / FILE) for name in ("whole", "halves"))
    assert [each.title for each in whole] == [
        f"after {steps} steps" for steps in (0, 32, 64, 96) for _ in range(2)
    ]
    assert {each.deal.table for each in whole} == {FIRST_DEAL, FIRST_DEAL + 1}
    assert all(str(tmp_path / "whole") in each.agents for each in whole)
    as_played = [(each.title, each.actions, each.scores) for each in whole]
    assert [(each.title, each.actions, each.scores) for each in halves] == as_played
    assert json.loads((tmp_path / "whole" / "checkpoint.json").read_text())["games"]

"""Agents of one's own take part by a name, as those that are shipped do."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents
from cardenv.players import PlayerError
from cardenv.table import Tables
from experiments import evaluate, tournament
from tests.cases import every_game


class FirstLegal:
    """The first legal action, and so no good player."""

    name = "first legal"

    def act(self, observations: Any, masks: Any, keys: Any) -> Any:
        return masks.argmax(axis=1)

    def check(self, tables: Tables) -> None:
        pass


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "_registered", {})


@every_game
def test_a_registered_agent_is_compared_by_its_name(game: str, tmp_path: Path) -> None:
    agents.register("first legal", lambda game: FirstLegal())
    settings = evaluate.Settings(
        game=game, players=2, agents=("first legal", "expert"), deals=60, out=tmp_path, save_games=2
    )
    report = evaluate.evaluate(settings)
    rows = {row["name"]: row for row in report["agents"]}
    alone = evaluate.measure(FirstLegal(), agents.load("greedy", game), settings, 60)
    assert rows["first legal"]["score"] == pytest.approx(alone.scores.mean())
    assert {report["differences"][0]["a"], report["differences"][0]["b"]} == {*rows}
    assert "first legal" in (tmp_path / "games.jsonl").read_text()


def test_a_registered_agent_plays_in_tournaments_and_environments() -> None:
    agents.register("first legal", lambda game: FirstLegal())
    names = ("first legal", "random")
    report = tournament.tournament(tournament.Settings(game="mow", agents=names, deals=30))
    assert {row["agent"] for row in report["agents"]} == {*names}
    tables = Tables("mow", 4, 2)
    tables.reset(seed=1)
    actions = agents.load("first legal", "mow").act(tables.observations, tables.masks, None)
    assert np.array_equal(actions, tables.masks.argmax(axis=1))


def test_the_last_agent_of_a_name_is_the_one_that_plays() -> None:
    made: list[str] = []
    for number in ("one", "two"):
        agents.register("mine", lambda game, number=number: made.append(number) or FirstLegal())
    agents.load("mine", "31")
    assert made == ["two"]


@pytest.mark.parametrize(
    "name", ["", " ", "greedy", "champion", "random", "mc:200", "runs/x", "a\nb", "..", "expert"]
)
def test_a_name_that_has_a_meaning_is_refused(name: str) -> None:
    with pytest.raises(PlayerError, match=r"^an agent cannot be registered as [^\n]+$"):
        agents.register(name, lambda game: FirstLegal())

"""Promises of the command that sets two trainers side by side; no test asserts a time."""

import json

import pytest

from experiments import training_speed
from experiments.command import SettingsError
from experiments.training_speed import LEAN, MASKABLE, Settings
from tests.cases import GAMES


def quick(**settings):
    return Settings(
        **{"num_envs": 8, "rollout": 8, "minibatch": 32, "epochs": 1, "layers": (8,)}
        | {"updates": 1, "repeats": 1, "players": 2}
        | settings
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_trainer_is_measured_with_what_its_time_goes_into(game, tmp_path):
    training_speed.main(quick(game=game, out=tmp_path / "speed.json"))
    report = json.loads((tmp_path / "speed.json").read_text())
    assert {MASKABLE, LEAN} < report["decisions_per_second"].keys()
    assert report["times_as_fast_as_maskable"][MASKABLE] == 1
    assert all(rate > 0 for rate in report["decisions_per_second"].values())
    for shares in report["shares_of_time"].values():
        assert 0 < sum(shares.values()) <= 1.01
    assert {"settings", "versions", "command"} <= report.keys()


@pytest.mark.parametrize("wrong", [{"updates": 0}, {"layers": ()}, {"minibatch": 0}])
def test_what_cannot_be_measured_is_said_in_a_sentence(wrong):
    with pytest.raises(SettingsError, match="not possible"):
        training_speed.measure(quick(**wrong))

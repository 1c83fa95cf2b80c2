"""Promises of the command that sets two trainers side by side; no test asserts a time."""

import json

import pytest

from experiments import selfplay, train, training_speed
from experiments.command import SettingsError, parse
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


def nothing_may_be_built(*_):
    raise AssertionError("a trainer was built first")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"updates": 0}, "not possible"),
        ({"layers": ()}, "not possible"),
        ({"minibatch": 1}, "minibatch=1 is not possible; give 2 or more"),
        ({"players": 1}, "players=1 is not possible; give 2 or more"),
        ({"num_envs": 1, "rollout": 1}, "give more of either"),
        ({"opponent": "self"}, "opponent='self' is not possible.*give a heuristic"),
        ({"opponent": "pool:2"}, "opponent='pool:2' is not possible.*give a heuristic"),
    ],
)
def test_what_cannot_be_measured_is_said_in_a_sentence(wrong, words, monkeypatch):
    monkeypatch.setattr(training_speed, "maskable", nothing_may_be_built)
    with pytest.raises(SettingsError, match=words):
        training_speed.measure(quick(**wrong))


def test_a_result_that_cannot_be_written_is_refused_before_measuring(tmp_path, monkeypatch):
    monkeypatch.setattr(training_speed, "maskable", nothing_may_be_built)
    (tmp_path / "file").touch()
    for out in (tmp_path, tmp_path / "file" / "speed.json"):
        with pytest.raises(SettingsError, match="cannot be written"):
            training_speed.main(quick(out=out))


def test_rollouts_of_one_wave_are_measured_too():
    report = training_speed.measure(quick(rollout=1))
    assert all(rate > 0 for rate in report["decisions_per_second"].values())


def test_every_trainer_is_measured_on_the_cpu(tmp_path):
    for kind in (train.Settings, selfplay.Settings):
        assert training_speed._alike(kind, quick(), tmp_path).device == "cpu"
    with pytest.raises(SettingsError, match="--device"):
        parse(Settings, ["--device", "cuda"])

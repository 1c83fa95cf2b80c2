"""Promises of the monitors of a training run: each fault that is planted is told, and no other."""

import json
import sys

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from agents.learned import Learned
from cardenv.envs.sb3 import LearnerVecEnv
from experiments import health, train
from experiments.command import run
from experiments.health import Health, NotFinite, check_finite
from experiments.training_env import TrainingEnv
from tests.cases import every_game
from tests.test_training import settings

NAN, INFINITE = float("nan"), float("inf")


# --- The monitors alone ---------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [NAN, INFINITE, np.array([0.0, -INFINITE]), torch.tensor([NAN])])
def test_what_is_no_finite_number_is_named_with_its_step(wrong):
    check_finite(7, loss=1.0, weights=np.zeros(3))
    with pytest.raises(NotFinite, match=r"as value loss held .* after 1,234 steps"):
        check_finite(1234, weights=np.zeros(3), value_loss=wrong)


def test_missing_episodes_are_told_once_and_again_after_one_has_finished():
    watch = Health(steps=10**9, tables=512)
    limit = health.DECISIONS_A_TABLE * 512
    assert watch.episodes(limit - 1, 0) is None
    assert "no episode has finished" in watch.episodes(limit, 0)
    assert watch.episodes(2 * limit, 0) is None
    assert watch.episodes(3 * limit, 1) is None
    assert watch.episodes(4 * limit - 1, 1) is None
    assert "no episode has finished" in watch.episodes(4 * limit, 1)


def test_few_tables_are_given_longer_and_a_resumed_run_counts_from_where_it_goes_on():
    assert Health(10**9, tables=1).episodes(health.FEWEST_DECISIONS - 1, 0) is None
    assert Health(10**9, tables=1).episodes(health.FEWEST_DECISIONS, 0)
    resumed = Health(10**9, tables=1, began=5000)
    assert resumed.episodes(health.FEWEST_DECISIONS, 0) is None
    assert resumed.episodes(health.FEWEST_DECISIONS + 5000, 0)


def test_episodes_before_the_watch_are_no_progress():
    resumed = Health(10**9, tables=1, began=5000, finished=7)
    assert resumed.episodes(6000, 7) is None
    assert resumed.episodes(health.FEWEST_DECISIONS + 5000, 7)
    assert resumed.episodes(health.FEWEST_DECISIONS + 5001, 8) is None


def test_entropy_is_watched_in_the_first_tenth_alone_and_told_once():
    low, high = 0.9 * health.COLLAPSED * 2.0, 1.1 * health.COLLAPSED * 2.0
    watch = Health(steps=1000, tables=4)
    assert watch.entropy(100, high, 2.0) is None
    assert watch.entropy(101, low, 2.0) is None
    assert watch.entropy(0, 0.0, 0.0) is None  # no decision had a choice
    assert "uniform policy's entropy" in watch.entropy(100, low, 2.0)
    assert watch.entropy(100, low, 2.0) is None


# --- Faults planted into training -----------------------------------------------------------------


def step_with(change, after=0, owner=TrainingEnv):
    """Return a ``step_wait`` that changes what the owner's own returned."""
    original, calls = owner.step_wait, []

    def step_wait(self):
        calls.append(1)
        given = original(self)
        return change(*given) if len(calls) > after else given

    return step_wait


def wrong_observations(observations, rewards, dones, infos):
    observations[3, 5] = NAN
    return observations, rewards, dones, infos


def wrong_rewards(observations, rewards, dones, infos):
    rewards[3] = INFINITE
    return observations, rewards, dones, infos


def nothing_ends(observations, rewards, dones, infos):
    return observations, rewards, np.zeros_like(dones), [{} for _ in infos]


def update_with(fault, after):
    """Return an update of the network that goes wrong after some have gone well."""
    original, calls = MaskablePPO.train, []

    def update(self):
        calls.append(1)
        original(self)
        if len(calls) > after:
            fault(self)

    return update


def wrong_weights(model):
    with torch.no_grad():
        model.policy.value_net.weight[0, 0] = NAN


def wrong_loss(model):
    model.logger.record("train/value_loss", INFINITE)


FAULTS = {
    "observations": (TrainingEnv, "step_wait", step_with, wrong_observations, 40),
    "rewards": (TrainingEnv, "step_wait", step_with, wrong_rewards, 40),
    "weights": (MaskablePPO, "train", update_with, wrong_weights, 2),
    "value loss": (MaskablePPO, "train", update_with, wrong_loss, 2),
    "weights at the end": (MaskablePPO, "train", update_with, wrong_weights, 3),
}


@pytest.mark.parametrize("where", FAULTS)
def test_a_run_that_leaves_the_numbers_ends_and_keeps_its_last_good_checkpoint(
    tmp_path, monkeypatch, where
):
    owner, name, plant, fault, after = FAULTS[where]
    planned = settings(tmp_path / "run")
    with monkeypatch.context() as planted:
        planted.setattr(owner, name, plant(fault, after=after))
        with pytest.raises(NotFinite) as caught:
            train.train(planned)
    said = str(caught.value)
    assert f"as {where.removesuffix(' at the end')} held" in said
    assert f"{planned.out} keeps the checkpoint of 512 steps." in said
    assert json.loads((planned.out / "checkpoint.json").read_text())["steps"] == 512
    kept = Learned.load(planned.out)  # which refuses what is not finite
    train.train(settings(tmp_path / "short", steps=1024), lambda steps: False)
    resumed = train.train(settings(planned.out, resume=True))
    assert not np.array_equal(kept.network.weights[0], resumed.network.weights[0])
    whole = Learned.load(tmp_path / "short")
    assert np.array_equal(whole.network.weights[0], resumed.network.weights[0])


def test_a_command_that_leaves_the_numbers_says_so_in_one_line_and_fails(
    tmp_path, monkeypatch, capsys
):
    words = ["--out", str(tmp_path / "run"), "--steps", "1024", "--num-envs", "16"]
    words += ["--minibatch", "64", "--layers", "16", "--measure-deals", "30"]
    monkeypatch.setattr(sys, "argv", ["train", *words])
    monkeypatch.setattr(TrainingEnv, "step_wait", step_with(wrong_rewards, after=20))
    with pytest.raises(SystemExit) as ended:
        run(train.Settings, train.main)
    assert ended.value.code == 2
    errors = [line for line in capsys.readouterr().err.splitlines() if "error: " in line]
    assert len(errors) == 1
    assert "rewards held a value that is no finite number" in errors[0]


@every_game
def test_healthy_runs_are_not_warned_about_and_collapsed_ones_are(tmp_path, monkeypatch, game):
    train.train(settings(tmp_path / "healthy", game=game))
    assert warnings_of(tmp_path / "healthy") == []
    original = train.make_model

    def stubborn(*arguments):
        model = original(*arguments)
        with torch.no_grad():
            model.policy.action_net.weight *= 1e5
        return model

    monkeypatch.setattr(train, "make_model", stubborn)
    train.train(settings(tmp_path / "collapsed", game=game, steps=256))
    (warning,) = warnings_of(tmp_path / "collapsed")
    assert warning.startswith("after 0 of 256 steps the policy has 0.")


def test_a_run_without_an_end_of_episodes_is_warned_about(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(health, "DECISIONS_A_TABLE", 20)
    monkeypatch.setattr(health, "FEWEST_DECISIONS", 0)
    train.train(settings(tmp_path / "ending", steps=512))
    assert warnings_of(tmp_path / "ending") == []
    monkeypatch.setattr(LearnerVecEnv, "step_wait", step_with(nothing_ends, owner=LearnerVecEnv))
    train.train(settings(tmp_path / "endless", steps=512))
    (warning,) = warnings_of(tmp_path / "endless")
    assert "no episode has finished in the last 512 decisions at 16 tables" in warning
    assert f"warning: {warning}" in capsys.readouterr().err.replace("\n", " ")


def warnings_of(folder):
    return json.loads((folder / train.REPORT).read_text())["warnings"]

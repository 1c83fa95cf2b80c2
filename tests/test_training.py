"""Promises of training: exact resume, masks everywhere, runs that say what they are."""

import csv
import functools
import json
import signal
import subprocess
import sys
import time

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import SubprocVecEnv, VecMonitor

import agents
from agents.learned import Learned
from cardenv import games
from cardenv.envs.registration import gymnasium_id
from cardenv.envs.sb3 import LearnerVecEnv
from cardenv.players import PlayerError, player_for
from cardenv.table import Tables
from experiments import train
from experiments.command import SettingsError
from experiments.curve import CURVE
from tests.cases import GAMES, every_game, players_of, spread

STEPS = 4 * 16 * 16


def settings(out, **changes):
    """Return a run of four small rollouts."""
    small = {
        "steps": STEPS,
        "opponents": ("greedy", "random:2"),
        "num_envs": 16,
        "rollout": 16,
        "minibatch": 64,
        "layers": (32, 32),
        "measure_every": 512,
        "measure_deals": 30,
    }
    return train.Settings(out=out, **(small | changes))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """One uninterrupted run, for the tests that only look at it."""
    out = tmp_path_factory.mktemp("runs") / "whole"
    return train.train(settings(out))


def weights(folder):
    with np.load(folder / "policy.npz") as arrays:
        return {name: arrays[name] for name in arrays.files}


@pytest.mark.parametrize("stop_at", [256, 512, 768])
@pytest.mark.parametrize("episode", ["round", "match"])
def test_a_resumed_run_gives_the_same_weights_as_an_uninterrupted_one(tmp_path, stop_at, episode):
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    train.train(settings(whole, episode=episode))
    with pytest.raises(train.Stopped):
        train.train(settings(halves, episode=episode), lambda steps: steps >= stop_at)
    checkpoint = json.loads((halves / "checkpoint.json").read_text())
    assert checkpoint["steps"] == stop_at
    np.random.seed(1)  # what happens in between must not matter
    torch.manual_seed(1)
    train.train(settings(halves, episode=episode, resume=True))
    for name, array in weights(whole).items():
        assert np.array_equal(array, weights(halves)[name]), name
    untimed = [[row[:1] + row[2:] for row in curve(folder)] for folder in (whole, halves)]
    assert untimed[0] == untimed[1]


def curve(folder):
    with (folder / "curve.csv").open() as file:
        return list(csv.reader(file))


def test_measuring_does_not_disturb_training(tmp_path, finished):
    train.train(settings(tmp_path / "often", measure_every=1, measure_deals=40))
    for name, array in weights(tmp_path / "often").items():
        assert np.array_equal(array, weights(finished_folder(finished))[name]), name


def finished_folder(learned):
    from pathlib import Path

    return Path(learned.name)


def test_a_run_says_what_it_is(finished):
    folder = finished_folder(finished)
    made = json.loads((folder / "settings.json").read_text())
    assert made["settings"]["seed"] == 1
    assert made["settings"]["steps"] == STEPS
    assert made["versions"]["torch"].startswith("2.")
    assert "cardenv" in made["versions"]
    assert made["command"].startswith("python -m")
    description = json.loads((folder / "policy.json").read_text())
    assert description["rules"]["lives"] == 3
    assert description["episode"] == "round"
    header, *rows = curve(folder)
    assert header == list(CURVE)
    assert [int(row[0]) for row in rows] == [0, 512, 1024]
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert list((folder / "tensorboard").rglob("events.*"))


def test_a_loaded_agent_plays_as_the_model_that_was_saved(finished):
    """Not as a fresh one: the network without PyTorch gives the model's own choices."""
    folder = finished_folder(finished)
    model = MaskablePPO.load(next(folder.glob("checkpoint-*")) / "model.zip", device="cpu")
    tables = Tables("31", 500, 4, episode="round")
    tables.reset(seed=77)
    tables.step(np.full(500, 14))
    live = np.flatnonzero(tables.turn >= 0)
    seen, masks = tables.observations[live], tables.masks[live]
    loaded = agents.load(folder, "31")
    chosen = loaded.act(seen, masks, tables.play_keys(live))
    expected, _ = model.predict(
        tables.layout.scaled(seen), action_masks=masks.astype(bool), deterministic=True
    )
    assert (chosen == expected).mean() > 0.998  # a tie may fall otherwise by rounding
    with torch.no_grad():
        distribution = model.policy.get_distribution(
            torch.from_numpy(tables.layout.scaled(seen)), torch.from_numpy(masks.astype(bool))
        )
    assert np.allclose(
        loaded.probabilities(seen, masks), distribution.distribution.probs.numpy(), atol=1e-5
    )
    fresh = train.network_of(train.make_model(settings(folder), train.make_env(settings(folder))))
    assert not np.allclose(fresh.weights[0], loaded.network.weights[0])


@spread(sample=(False, True))
def test_an_untrained_network_never_plays_an_illegal_action(tmp_path, game, sample):
    run = settings(tmp_path / "fresh", game=game)
    env = train.make_env(run)
    tables = Tables(game, 1000, 4, episode="round")
    network = train.network_of(train.make_model(run, env))
    player = Learned("fresh", network, train.describe_training(tables), sample)
    tables.reset(seed=5)
    live = np.arange(1000)
    while live.size:
        seen, masks = tables.observations[live], tables.masks[live]
        assert (player.probabilities(seen, masks)[masks == 0] == 0).all()
        tables.step(player.act(seen, masks, tables.play_keys(live)), live)  # raises if illegal
        live = live[tables.turn[live] >= 0]


def test_sampled_actions_have_the_policys_probabilities(finished):
    tables = Tables("31", 1, 4, episode="round")
    tables.reset(seed=3)
    tables.step(np.array([14]))
    many = 20_000
    seen, masks = (np.repeat(array, many, axis=0) for array in (tables.observations, tables.masks))
    player = Learned.load(finished_folder(finished), sample=True)
    keys = np.random.default_rng(0).integers(0, 2**64, many, np.uint64)
    share = np.bincount(player.act(seen, masks, keys), minlength=17) / many
    assert np.abs(share - player.probabilities(seen[:1], masks[:1])[0]).max() < 0.015


def test_an_agent_is_refused_at_tables_it_was_not_trained_for(finished):
    for changes in (
        {"players": 3},
        {"players": 4, "episode": "match"},
        {"players": 4, "rules": ["lives=2"]},
        {"players": 4, "max_players": 6},
    ):
        players = changes.pop("players")
        tables = Tables("31", 1, players, **({"episode": "round"} | changes))
        with pytest.raises(PlayerError, match="was trained with"):
            finished.check(tables)


@every_game
def test_an_agent_of_another_game_is_refused(finished, game):
    folder, trained = finished_folder(finished), finished.description["game"]
    tables = Tables(game, 1, 4, episode="round")
    if trained == game:
        assert player_for(str(folder), tables).description == finished.description
        return
    with pytest.raises(PlayerError, match=f"was trained with game='{trained}', .* '{game}'"):
        player_for(str(folder), tables)


@every_game
def test_every_game_can_be_learned_and_the_command_to_evaluate_it_names_agents_there_are(
    tmp_path, game
):
    run = settings(tmp_path / "run", game=game, steps=512)
    learned = train.train(run)
    assert learned.description["game"] == game
    words = train.evaluation_command(run, run.yardstick).split()
    named = words[words.index("--agents") + 1 :]
    tables = run.tables(1)
    assert len(named) > 1
    for name in named:
        player_for(agents.load(name, game), tables)


@every_game
def test_one_policy_plays_smaller_tables_when_laid_out_for_more_seats(tmp_path, game):
    low, some, most = players_of(game)
    run = settings(tmp_path / "padded", game=game, steps=256, players=some, max_players=most)
    learned = train.train(run)
    for players in (low, some, most):
        tables = Tables(game, 8, players, episode="round", max_players=most)
        learned.check(tables)
        with pytest.raises(PlayerError, match=f"for {most} seats, here they are for {low}"):
            learned.check(Tables(game, 8, low, episode="round"))
        tables.reset(seed=1)
        tables.step(learned.act(tables.observations, tables.masks, tables.play_keys()))


@pytest.mark.parametrize(
    "damage",
    ["missing", "cut", "text", "list", "history", "rules", "shapes", "few", "nan"],
)
def test_a_damaged_agent_is_refused_with_what_to_do(tmp_path, finished, damage):
    finished.save(tmp_path)
    path = tmp_path / "policy.npz"
    if damage == "missing":
        path.unlink()
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:100])
    elif damage in ("text", "list"):
        (tmp_path / "policy.json").write_text({"text": "{", "list": "[]"}[damage])
    elif damage in ("history", "rules"):
        described = json.loads((tmp_path / "policy.json").read_text())
        (tmp_path / "policy.json").write_text(json.dumps(described | {damage: [None]}))
    elif damage in ("few", "nan"):
        arrays = weights(tmp_path)
        if damage == "few":  # a network of 3 outputs must not be read past its end
            arrays["weight_2"], arrays["bias_2"] = arrays["weight_2"][:, :3], arrays["bias_2"][:3]
        else:
            arrays["weight_1"] = arrays["weight_1"] * np.float32(np.nan)
        np.savez(path, **arrays)
    else:
        np.savez(path, weight_0=np.zeros((3, 2), np.float32), bias_0=np.zeros(2, np.float32))
    with pytest.raises(PlayerError, match=r"give the folder|train it again"):
        agents.load(tmp_path, "31")


def test_a_run_is_not_overwritten_nor_resumed_with_other_settings(tmp_path, finished):
    folder = finished_folder(finished)
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    with pytest.raises(SettingsError, match="already holds a run"):
        train.train(settings(folder))
    with pytest.raises(SettingsError, match="was begun with entropy"):
        train.train(settings(folder, resume=True, entropy=0.5))
    with pytest.raises(SettingsError, match="holds no checkpoint"):
        train.train(settings(tmp_path / "nothing", resume=True))
    assert before == {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_run_stopped_before_its_first_checkpoint_can_be_started_again(tmp_path):
    out = tmp_path / "run"
    (out / "checkpoint-0").mkdir(parents=True)
    (out / "settings.json").write_text("{")
    learned = train.train(settings(out, steps=256, seed=3))
    train.train(settings(tmp_path / "other", steps=256, seed=3))
    for name, array in weights(out).items():
        assert np.array_equal(array, weights(tmp_path / "other")[name])
    assert learned.name == str(out)


def test_a_resume_compares_with_the_settings_in_the_checkpoint(tmp_path):
    out = tmp_path / "run"
    train.train(settings(out, steps=256))
    (out / "settings.json").unlink()
    with pytest.raises(SettingsError, match="was begun with rules"):
        train.train(settings(out, steps=512, resume=True, rules=("letter",)))


def test_a_wrong_setting_leaves_no_folder(tmp_path):
    for wrong in (
        {"yardstick": "nobody"},
        {"learning_rate": float("nan")},
        {"gamma": 2.0},
        {"clip": -1.0},
        {"threads": -1},
        {"num_envs": 1, "rollout": 1},
        {"seed": 2**32},
    ):
        with pytest.raises((SettingsError, PlayerError)):
            train.train(settings(tmp_path / "run", **wrong))
    assert not (tmp_path / "run").exists()


def test_even_the_shortest_run_learns_something(tmp_path):
    run = settings(tmp_path / "run", steps=256)
    learned = train.train(run)
    fresh = train.network_of(train.make_model(run, train.make_env(run)))
    assert not np.array_equal(learned.network.weights[1], fresh.weights[1])


def test_a_damaged_checkpoint_is_refused_with_what_to_do(tmp_path):
    out = tmp_path / "run"
    train.train(settings(out, steps=256))
    model = next(out.glob("checkpoint-*")) / "model.zip"
    model.write_bytes(model.read_bytes()[:200])
    with pytest.raises(SettingsError, match="cannot be read"):
        train.train(settings(out, resume=True))


def test_only_the_runs_own_checkpoints_are_removed(tmp_path):
    own = tmp_path / "run/checkpoint-best/notes.txt"
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    (tmp_path / "run/checkpoint-7").write_text("a file")
    train.train(settings(tmp_path / "run", steps=512, measure_every=256))
    assert own.read_text() == "mine"
    assert (tmp_path / "run/checkpoint-7").read_text() == "a file"
    assert len([*(tmp_path / "run").glob("checkpoint-*/model.zip")]) == 1


def test_a_checkpoint_that_nothing_names_is_not_taken_for_a_new_one(tmp_path):
    """As a run leaves it that is killed before ``checkpoint.json`` names the newest one."""
    out = tmp_path / "run"
    train.train(settings(out, steps=256))
    train.train(settings(tmp_path / "other", steps=512, seed=9))
    (tmp_path / "other/checkpoint-512").rename(out / "checkpoint-512")
    learned = train.train(settings(out, steps=512, resume=True))
    train.train(settings(tmp_path / "whole", steps=512))
    newest = MaskablePPO.load(out / "checkpoint-512/model.zip")
    for kept, own in zip(train.network_of(newest).weights, learned.network.weights, strict=True):
        assert np.array_equal(kept, own)


def test_a_run_goes_on_under_another_name_of_its_game(tmp_path):
    train.train(settings(tmp_path / "run", game="31", steps=256))
    train.train(settings(tmp_path / "run", game="schwimmen", steps=512, resume=True))
    with pytest.raises(SettingsError, match="was begun with game"):
        train.train(settings(tmp_path / "run", game="mow", steps=512, resume=True))


def test_a_resumed_run_that_is_complete_stays_as_it_is(tmp_path):
    out = tmp_path / "run"
    train.train(settings(out, steps=256))
    before = weights(out)
    train.train(settings(out, steps=256, resume=True))
    for name, array in weights(out).items():
        assert np.array_equal(array, before[name])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("greedy",), {"greedy": 1}),
        (("greedy:0.7", "runs/x:0.3"), {"greedy": 0.7, "runs/x": 0.3}),
        (("C:\\runs",), {"C:\\runs": 1}),
        (("mc:20", "mc:5:greedy:0.5"), {"mc:20": 1, "mc:5:greedy": 0.5}),
    ],
)
def test_opponents_are_words_with_weights(words, expected):
    assert train.opponent_weights(words) == expected


def test_ctrl_c_ends_between_rollouts_with_everything_saved(tmp_path):
    """A real process, interrupted from outside, goes on with the same command and --resume."""
    out = tmp_path / "run"
    command = [sys.executable, "-m", "experiments.train", "--out", str(out), "--steps", "4000000"]
    command += ["--num-envs", "16", "--rollout", "16", "--minibatch", "64", "--layers", "16"]
    command += ["--measure-every", "1000", "--measure-deals", "30"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not (out / "checkpoint.json").exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--resume" in said
    assert "Traceback" not in said
    steps = json.loads((out / "checkpoint.json").read_text())["steps"]
    done = subprocess.run(
        [*command, "--resume", "--steps", str(steps + 512)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads((out / "checkpoint.json").read_text())["steps"] >= steps + 512


# --- What Stable-Baselines3 brings ---------------------------------------------------------------


def make(game):
    """Build the single environment; importable, as workers need it."""
    opponents = ["greedy"] * 3
    return gymnasium.make(gymnasium_id(games.get(game)), opponents=opponents, episode="round")


@every_game
def test_masked_evaluation_and_its_callback_play_no_illegal_action(game):
    env = VecMonitor(LearnerVecEnv(game, 8, ["greedy"] * 3, episode="round"))
    evaluation = VecMonitor(LearnerVecEnv(game, 4, ["greedy"] * 3, episode="round"))
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=128, seed=1, device="cpu")
    callback = MaskableEvalCallback(evaluation, eval_freq=125, n_eval_episodes=20, verbose=0)
    model.learn(5000, callback)
    assert np.isfinite(callback.last_mean_reward)
    mean, deviation = evaluate_policy(model, evaluation, 50, use_masking=True)
    assert -1 <= mean <= 1
    assert deviation > 0
    single, _ = evaluate_policy(model, make(game), 10, use_masking=True)
    assert -1 <= single <= 1


METHODS = ("fork", "forkserver", "spawn")
EVERY_METHOD = [
    (METHODS[place % len(METHODS)], GAMES[place % len(GAMES)])
    for place in range(max(len(METHODS), len(GAMES)))
]
"""Each way to start workers with some game, and each game with some way."""


@pytest.mark.parametrize(("method", "game"), EVERY_METHOD)
def test_masks_cross_processes(method, game):
    env = SubprocVecEnv([functools.partial(make, game) for _ in range(2)], start_method=method)
    try:
        model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=64, seed=1, device="cpu")
        model.learn(512)
    finally:
        env.close()


@every_game
def test_an_id_builds_in_a_fresh_process(game):
    program = (
        f"import gymnasium; env = gymnasium.make('cardenv:{gymnasium_id(games.get(game))}', "
        "opponents=['greedy']); print(env.reset(seed=1)[0].shape[0])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == Tables(game, 1, 2).layout.size


@spread(scale=(1e-3, 1.0, 1e4), legal=(1, 2, "all"))
def test_masked_distributions_stay_finite(game, scale, legal):
    """With the real number of actions: no simplex error, no NaN in losses or gradients."""
    size = len(games.get(game).action_names)
    legal = size if legal == "all" else legal
    torch.distributions.Distribution.set_default_validate_args(False)
    torch.manual_seed(0)
    logits = (torch.randn(256, size) * scale).requires_grad_()
    mask = torch.zeros(256, size, dtype=torch.bool)
    mask[:, :legal] = True
    distribution = MaskableCategorical(logits=logits, masks=mask)
    assert (distribution.probs[~mask] == 0).all()
    assert torch.allclose(distribution.probs.sum(1), torch.ones(256))
    actions = distribution.sample((400,))
    assert (actions < legal).all()
    (distribution.log_prob(actions[0]).mean() + distribution.entropy().mean()).backward()
    assert torch.isfinite(logits.grad).all()

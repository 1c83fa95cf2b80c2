"""Promises of self-play: who sits at the tables, whom results are counted for, exact resume."""

import json

import numpy as np
import pytest
import torch

from agents.network import Network
from experiments import train
from experiments.command import SettingsError
from experiments.keeping import fingerprint
from experiments.pool import FREE, POOL, SELF, Pool, blank
from experiments.stopwatch import Stopwatch
from tests.cases import every_game, strongest
from tests.test_training import curve, settings, weights

MIXTURE = ("self:0.5", "pool:0.3")


def pool_of(size=3, sampling="prioritised", floor=0.3, tables=8):
    table = settings("nowhere").tables(1)
    return Pool(blank(table, (4,), True), size, sampling, floor, (tables, 4), Stopwatch())


def environment(**changes):
    """Return a training environment whose opponents are known networks, not yet reset."""
    planned = settings("nowhere", **changes)
    env = train.make_env(planned)
    env.pool.follow(train.network_of(train.make_model(planned, env)))
    return env


def another(network, seed):
    """Return a network of the same sizes with other weights."""
    sizes, parameters = network.flat()
    drawn = np.random.default_rng(seed).normal(size=parameters.size).astype(np.float32)
    return Network.from_flat(sizes, drawn)


# --- Exactness ------------------------------------------------------------------------------------


@pytest.mark.parametrize("stop_at", [256, 768])
@every_game
def test_a_resumed_run_has_the_weights_the_curve_and_the_pool_of_an_uninterrupted_one(
    tmp_path, game, stop_at
):
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    own = {
        "game": game,
        "episode": "match" if stop_at == 256 else "round",
        "opponents": (*MIXTURE, f"{strongest(game)}:0.2"),
        "snapshot_every": 256,
        "pool_size": 2,  # so that one goes
    }
    train.train(settings(whole, **own))
    with pytest.raises(train.Stopped):
        train.train(settings(halves, **own), lambda steps: steps >= stop_at)
    np.random.seed(1)  # what happens in between must not matter
    torch.manual_seed(1)
    train.train(settings(halves, **own, resume=True))
    for name, array in weights(whole).items():
        assert np.array_equal(array, weights(halves)[name]), name
    untimed = [[row[:1] + row[2:] for row in curve(folder)] for folder in (whole, halves)]
    assert untimed[0] == untimed[1]
    states = [state_of(folder) for folder in (whole, halves)]
    assert states[0].keys() == states[1].keys()
    assert any(name.startswith("pool.") for name in states[0])
    for name, array in states[0].items():
        assert np.array_equal(array, states[1][name]), name
    reports = [json.loads((folder / train.REPORT).read_text()) for folder in (whole, halves)]
    assert reports[0]["snapshots"] == reports[1]["snapshots"]
    assert [each["steps"] for each in reports[0]["snapshots"]][-1] == 1024


def state_of(folder):
    with np.load(next(folder.glob("checkpoint-*")) / "state.npz") as arrays:
        return {name: arrays[name] for name in arrays.files}


def test_a_pool_cannot_change_when_a_run_goes_on(tmp_path):
    out = tmp_path / "run"
    train.train(settings(out, steps=256, opponents=MIXTURE))
    with pytest.raises(SettingsError, match="was begun with pool_size=10"):
        train.train(settings(out, steps=512, opponents=MIXTURE, pool_size=3, resume=True))


def test_snapshots_are_networks_that_the_run_had(tmp_path):
    """The newest of them is the final policy, the oldest one that was saved on the way."""
    own = {"opponents": MIXTURE, "snapshot_every": 256}
    with pytest.raises(train.Stopped):
        train.train(settings(tmp_path / "part", **own), lambda steps: steps >= 256)
    train.train(settings(tmp_path / "whole", **own))
    state = state_of(tmp_path / "whole")
    assert state["pool.taken"].tolist()[:4] == [256, 512, 768, 1024]
    assert (state["pool.taken"][4:] == FREE).all()
    for place, folder in ((0, "part"), (3, "whole")):
        saved = weights(tmp_path / folder)
        layers = range(len(saved) // 2)
        flat = [saved[f"{kind}_{k}"].ravel() for k in layers for kind in ("weight", "bias")]
        assert np.array_equal(state["pool.parameters"][place], np.concatenate(flat))


# --- Who sits at the tables -----------------------------------------------------------------------


def test_until_there_is_a_snapshot_the_newest_network_plays_for_the_pool():
    env = environment(opponents=("self:0.2", "pool:0.3", "greedy:0.5"))
    assert env.pool.mixture({SELF: 0.2, POOL: 0.3})[env.pool.newest] == 0.5
    env.pool.take(100, env.learner)
    mixture = env.pool.mixture({SELF: 0.2, POOL: 0.3})
    assert mixture[env.pool.newest] == 0.2
    assert mixture[env.pool.snapshots[0]] == pytest.approx(0.3)
    assert sum(mixture.values()) == pytest.approx(0.5)


@every_game
def test_opponents_sit_at_the_tables_as_often_as_their_weights_and_the_shares_say(game):
    env = environment(game=game, num_envs=2000, opponents=("self:1", "pool:2", "random:1"))
    for steps in (1, 2, 3):
        env.pool.take(steps, env.learner)
    env.pool.wins[:3], env.pool.losses[:3] = (30, 10, 10), (10, 10, 30)
    env.weigh()
    env.learner.reset(seed=1)
    playing = env.learner.playing
    met = {player.name: (playing == k).sum() / 6000 for k, player in enumerate(env.learner.players)}
    shares = env.pool.shares()
    assert met["random"] == pytest.approx(0.25, abs=0.02)
    assert met[SELF] == pytest.approx(0.25, abs=0.02)
    for place, share in enumerate(shares):
        assert met[f"pool {place}"] == pytest.approx(share / 2, abs=0.02)
    assert (shares[3:] == 0).all()
    assert shares[0] < shares[1] < shares[2]


def test_shares_favour_the_hard_but_leave_none_out():
    pool = pool_of(size=4, floor=0.2)
    pool.taken[:3], pool.wins[:3], pool.losses[:3] = (1, 2, 3), (998, 49, 0), (0, 49, 0)
    beaten = np.array([0.999, 0.5, 0.5])
    expected = 0.2 / 3 + 0.8 * (1 - beaten) ** 2 / ((1 - beaten) ** 2).sum()
    assert pool.shares() == pytest.approx([*expected, 0])
    pool.sampling = "uniform"
    assert pool.shares() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_the_snapshot_that_is_beaten_most_surely_goes_of_equals_the_oldest():
    env = environment(opponents=MIXTURE, pool_size=3)
    pool = env.pool
    for steps in (10, 20, 30):
        pool.take(steps, env.learner)
    assert pool.taken.tolist() == [10, 20, 30]
    pool.wins[:], pool.losses[:] = (5, 9, 5), (5, 1, 5)
    pool.take(40, env.learner)
    assert pool.taken.tolist() == [10, 40, 30]
    assert pool.wins.tolist() == [2.5, 0, 2.5]
    pool.take(50, env.learner)
    assert pool.taken.tolist() == [50, 40, 30]


@pytest.mark.parametrize("sample", [False, True])
def test_the_learners_own_networks_draw_their_actions_as_the_setting_says(sample):
    env = environment(opponents=MIXTURE, sample_opponents=sample)
    env.pool.take(1, env.learner)
    assert env.pool.newest.learned.sample is sample
    assert env.pool.snapshots[0].learned.sample is sample


@every_game
def test_self_is_the_network_it_follows_and_is_never_taken_for_an_earlier_one(game):
    env = environment(game=game, opponents=MIXTURE)
    env.reset()
    tables, newest = env.learner.tables, env.pool.newest
    asked = tables.observations, tables.masks, tables.play_keys()
    env.pool.take(1, env.learner)
    snapshot, before = env.pool.snapshots[0], fingerprint(newest)
    assert fingerprint(snapshot) == before
    chosen = newest.act(*asked)
    env.pool.follow(another(newest.learned.network, 1))
    assert fingerprint(newest) != before
    assert fingerprint(snapshot) == before
    assert (newest.act(*asked) != chosen).any()
    assert np.array_equal(snapshot.act(*asked), chosen)


# --- Whom results are counted for -----------------------------------------------------------------


@every_game
def test_results_are_counted_for_every_snapshot_at_the_table_and_for_nobody_else(game):
    env = environment(game=game, opponents=("self:0.2", "pool:0.6", "random:0.2"), num_envs=64)
    pool, learner = env.pool, env.learner
    for steps in (1, 2):
        pool.take(steps, learner)
    env.weigh()
    env.seed(1)
    env.reset()
    wins, losses = np.zeros(pool.taken.size), np.zeros(pool.taken.size)
    count = pool.count

    def recount(learner, ended):
        for table in ended:
            own = learner.tables.score[table, learner.seats[table]]
            for seat, player in enumerate(learner.playing[table]):
                if player >= 0 and learner.players[player] in pool.snapshots:
                    place = pool.snapshots.index(learner.players[player])
                    wins[place] += own > learner.tables.score[table, seat]
                    losses[place] += own < learner.tables.score[table, seat]
        count(learner, ended)

    pool.count = recount
    for _ in range(60):
        env.step(env.action_masks().argmax(axis=1))
    assert min(wins[0] + losses[0], wins[1] + losses[1]) > 5
    assert np.array_equal(wins, pool.wins)
    assert np.array_equal(losses, pool.losses)


@every_game
def test_episodes_in_which_a_snapshot_was_replaced_are_not_counted(game):
    env = environment(game=game, opponents=("pool",), pool_size=1, num_envs=64)
    pool, learner = env.pool, env.learner
    pool.take(1, learner)
    env.weigh()
    env.seed(1)
    env.reset()
    pool.take(2, learner)
    first = np.ones(64, bool)
    while first.any():
        before = pool.wins.sum() + pool.losses.sum()
        _, _, dones, _ = env.step(env.action_masks().argmax(axis=1))
        if (first | ~dones).all():  # only first episodes have ended in this step
            assert pool.wins.sum() + pool.losses.sum() == before
        first &= ~dones
    for _ in range(60):
        env.step(env.action_masks().argmax(axis=1))
    assert pool.wins.sum() + pool.losses.sum() > 0


# --- The time -------------------------------------------------------------------------------------


def test_a_run_says_how_its_time_was_spent_and_adds_up_across_a_resume(tmp_path):
    out = tmp_path / "run"
    with pytest.raises(train.Stopped):
        train.train(settings(out, opponents=MIXTURE), lambda steps: steps >= 512)
    half = json.loads((out / train.REPORT).read_text())
    train.train(settings(out, opponents=MIXTURE, resume=True))
    whole = json.loads((out / train.REPORT).read_text())
    for name, seconds in half["seconds"].items():
        assert 0 < seconds < whole["seconds"][name], name
    spent = whole["seconds"]
    assert spent["environment"] + spent["opponents"] < spent["training"]
    assert whole["share_of_environment"] == pytest.approx(
        spent["environment"] / spent["training"], abs=0.02
    )
    assert whole["steps"] == 1024
    words = train.time_spent(out)
    assert words.startswith("environment and masks took ")
    assert ", networks of opponents " in words


def test_opponents_that_are_no_networks_of_the_run_take_no_time_apart(tmp_path):
    train.train(settings(tmp_path / "run", steps=256))
    report = json.loads((tmp_path / "run" / train.REPORT).read_text())
    assert report["seconds"]["opponents"] == 0
    assert report["snapshots"] == []
    assert "networks of opponents" not in train.time_spent(tmp_path / "run")

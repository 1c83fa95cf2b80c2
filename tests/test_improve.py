"""Promises of policy improvement: a network that learns from what every action comes to."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from agents import policies
from agents.learned import Learned
from agents.network import Network
from cardenv import games
from cardenv.players import PlayerError
from cardenv.rules import RulesError
from experiments import improve
from experiments.command import SettingsError, parse
from experiments.evaluate import measure
from experiments.improve import Learner, Settings
from experiments.learning import Stopped
from tests.cases import GAMES, spread
from tests.learners import weights_of

pytestmark = pytest.mark.usefixtures("one_thread")


def quick(tmp_path, game=GAMES[0], **settings):
    """Return settings of a run that takes seconds."""
    return Settings(
        **{
            "game": game,
            "players": 3,
            "out": tmp_path / "run",
            "num_envs": 16,
            "rollout": 8,
            "minibatch": 64,
            "memory": 3,
            "epochs": 2,
            "layers": (64,),
            "steps": 800,
            "measure_every": 400,
            "measure_deals": 30,
        }
        | settings
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_network_improves_on_the_policy_it_learns_from(game, tmp_path):
    settings = quick(
        *(tmp_path, game),
        players=2,
        policy="random",
        num_envs=128,
        rollout=16,
        memory=8,
        minibatch=512,
        epochs=4,
        layers=(64,),
        learning_rate=3e-3,
        steps=50_000,
        measure_every=10**9,
    )
    learned = improve.train(settings)
    random = policies.Policy(games.get(game), "random")
    assert measure(learned, random, settings, 400, seed=99).interval(0.99).low > 0


@spread("players", policy=("random", "greedy"))
def test_a_network_that_has_learned_nothing_does_what_the_policy_does(
    game, players, policy, tmp_path
):
    learner = Learner(quick(tmp_path, game, players=players, policy=policy))
    untaught = learner.learned()
    for _ in range(10):
        tables = learner.tables
        keys = tables.play_keys()
        advice = learner.policy.act(tables.observations, tables.masks, keys)
        assert np.array_equal(untaught.act(tables.observations, tables.masks, keys), advice)
        learner.seated.step(advice)


@pytest.mark.parametrize("game", GAMES)
def test_an_agent_plays_with_the_advice_it_was_trained_with(game, tmp_path):
    settings = quick(tmp_path, game, steps=2000, learning_rate=3e-2)
    improve.train(settings)
    loaded = Learned.load(settings.out)
    learner = Learner(quick(tmp_path / "other", game))
    learner.load_state_dict(
        torch.load(settings.out / "checkpoint.pt", weights_only=True)["learner"]
    )
    tables = learner.tables
    keys = tables.play_keys()
    advice = learner.policy.act(tables.observations, tables.masks, keys)
    for trust in (0.0, learner.trust, improve.NEVER):
        learner.trust = trust
        promises = learner.promises(advice)
        wanted = np.where(promises.max(axis=1) > trust, promises.argmax(axis=1), advice)
        agent = learner.learned()
        assert np.array_equal(agent.act(tables.observations, tables.masks, keys), wanted)
    assert np.array_equal(wanted, advice)
    assert "code" in loaded.fingerprint
    other = Learned(loaded.name, loaded.network, loaded.description | {"advice": "greedy"})
    assert other.fingerprint != loaded.fingerprint


def test_an_advised_agent_takes_the_best_action_whether_it_may_draw_or_not(tmp_path):
    """What its network puts out are gains, which are no logits to draw by."""
    settings = quick(tmp_path, steps=2000)
    improve.train(settings)
    drawing, sure = (Learned.load(settings.out, sample=sample) for sample in (True, False))
    tables = settings.tables(64)
    tables.reset(seed=1)
    seen = (tables.observations, tables.masks)
    actions = sure.act(*seen, tables.play_keys())
    assert np.array_equal(drawing.act(*seen, tables.play_keys()), actions)
    probabilities = sure.probabilities(*seen)
    assert np.array_equal(probabilities.argmax(axis=1), actions)
    assert (probabilities.sum(axis=1) == 1).all()
    assert (probabilities[tables.masks == 0] == 0).all()


def test_a_mean_over_one_gradient_step_is_the_newest_network(tmp_path):
    newest, mean = (
        improve.train(quick(tmp_path / str(averaged), averaged=averaged)) for averaged in (1, 30)
    )
    again = improve.train(quick(tmp_path / "again"))
    assert np.array_equal(weights_of(newest), weights_of(again))
    learner = Learner(quick(tmp_path / "learner"))
    for _ in range(3):
        learner.collect()
        learner.learn()
    averaged = learner.averaged.module.state_dict()
    for name, weight in learner.network.state_dict().items():
        assert torch.equal(weight, averaged[name])
    assert not np.array_equal(weights_of(mean), weights_of(newest))


def test_an_agent_advised_by_nobody_known_is_refused(tmp_path):
    settings = quick(tmp_path)
    improve.train(settings)
    path = settings.out / "policy.json"
    path.write_text(path.read_text().replace('"advice": "expert"', '"advice": "mother"'))
    with pytest.raises(PlayerError, match="advised by 'mother'"):
        Learned.load(settings.out)


def test_departures_are_trusted_as_far_as_they_are_ahead():
    promised = np.array([0.5, 0.4, 0.3, 0.2, 0.1], np.float32).repeat(100)
    kept = np.array([0.3, 0.2, 0.1, -0.1, -0.2], np.float32).repeat(100)
    shuffled = np.random.default_rng(1).permutation(500)
    trust = improve.enough(promised[shuffled], kept[shuffled])
    assert trust == pytest.approx(0.2)
    assert (promised > trust).sum() == 300


def test_nothing_is_trusted_that_is_not_surely_ahead():
    generator = np.random.default_rng(1)
    promised = generator.random(1000).astype(np.float32)
    assert improve.enough(promised, np.zeros(1000, np.float32)) == improve.NEVER
    assert improve.enough(promised, np.full(1000, -1, np.float32)) == improve.NEVER
    assert improve.enough(promised, np.full(1000, 1, np.float32)) == promised.min()
    assert improve.enough(-promised, np.full(1000, 1, np.float32)) == 0


@pytest.mark.parametrize("layers", [(7, 3), (7, 5, 3), (7, 5, 6, 3)])
def test_a_bonus_is_added_to_the_output_that_the_last_inputs_name(layers):
    generator = np.random.default_rng(len(layers))
    weights = tuple(generator.normal(size=pair).astype(np.float32) for pair in pairwise(layers))
    biases = tuple(generator.normal(size=size).astype(np.float32) for size in layers[1:])
    network = Network(weights, biases)
    inputs = generator.random((20, 7)).astype(np.float32)
    inputs[:, -3:] = np.eye(3)[generator.integers(0, 3, 20)]

    def outputs(of):
        hidden = inputs
        for place, (weight, bias) in enumerate(zip(of.weights, of.biases, strict=True)):
            hidden = hidden @ weight + bias
            hidden = hidden if place == len(of.weights) - 1 else np.maximum(hidden, 0)
        return hidden

    wanted = outputs(network) + 0.7 * inputs[:, -3:]
    assert np.allclose(outputs(network.with_bonus(3, 0.7)), wanted, atol=1e-5)


@pytest.mark.parametrize("game", GAMES)
def test_gains_are_counted_from_the_policys_own_action(game, tmp_path):
    learner = Learner(quick(tmp_path, game))
    for _ in range(3):
        learner.collect()
        learner.learn()
    memory = learner.memory
    everywhere = np.arange(memory.filled)
    assert (memory.gains[everywhere, memory.advice] == 0).all()
    assert (memory.gains[~memory.tried] == 0).all()
    assert memory.tried[everywhere, memory.advice].all()
    assert (memory.tried.sum(axis=1) > 1).all()
    assert memory.gains.any()


def test_the_memory_keeps_the_newest_rollouts(tmp_path):
    learner = Learner(quick(tmp_path))
    kept = []
    for _ in range(5):
        learner.collect()
        first = (
            (learner.memory.rollouts - 1) * learner.memory.length % len(learner.memory.observations)
        )
        kept.append(learner.memory.observations[first : first + learner.memory.length].copy())
    held = learner.memory.observations.reshape(3, learner.memory.length, -1)
    assert np.array_equal(held[0], kept[3])
    assert np.array_equal(held[1], kept[4])
    assert np.array_equal(held[2], kept[2])


@pytest.mark.parametrize("game", GAMES)
def test_a_resumed_run_ends_with_the_weights_of_one_without_a_break(game, tmp_path):
    whole = improve.train(quick(tmp_path / "whole", game))
    with pytest.raises(Stopped):
        improve.train(quick(tmp_path / "halved", game), lambda steps: steps >= 500)
    resumed = improve.train(quick(tmp_path / "halved", game, resume=True))
    assert np.array_equal(weights_of(whole), weights_of(resumed))
    assert np.array_equal(
        weights_of(resumed), weights_of(Learned.load(tmp_path / "halved" / "run"))
    )


def test_the_weights_do_not_depend_on_the_number_of_cores(tmp_path):
    one, two = (
        weights_of(improve.train(quick(tmp_path / str(cores), cores=cores))) for cores in (1, 2)
    )
    assert np.array_equal(one, two)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_hopeless_is_tried_seldom(game, tmp_path):
    learner = Learner(quick(tmp_path, game, players=2, hopeless=0.2, seldom=0.0))
    tables = learner.tables
    advice = learner.policy.act(tables.observations, tables.masks, tables.play_keys())
    generator = np.random.default_rng(1)
    promises = np.where(tables.masks, generator.normal(size=tables.masks.shape), -np.inf)
    promises[np.arange(len(advice)), advice] = -np.inf
    best = promises.argmax(axis=1)
    tries = learner.worth_trying(promises.astype(np.float32), best, advice)
    for table, tried in enumerate(tries):
        wanted = {*np.flatnonzero(promises[table] > -0.2), best[table], advice[table]}
        assert {*np.flatnonzero(tried)} == wanted


def test_equal_seeds_give_equal_weights_and_others_do_not(tmp_path):
    first, again, other = (
        weights_of(improve.train(quick(tmp_path / name, seed=seed)))
        for name, seed in (("first", 1), ("again", 1), ("other", 2))
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_rules_that_never_leave_a_choice_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("experiments.selfplay_tables.MOST_SKIPPED", 20)
    rules = ("pack=0,9,18,27", "hand_size=1")
    with pytest.raises(RulesError, match="nothing to decide; give rules"):
        improve.train(quick(tmp_path, "maumau", players=2, rules=rules))
    assert not (tmp_path / "run/settings.json").exists()


def test_no_device_is_offered_as_only_the_cpu_is_used():
    assert Settings().device == "cpu"
    with pytest.raises(SettingsError, match="--device"):
        parse(Settings, ["--device", "cuda"])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"policy": "mc:200"}, "policy='mc:200' is not possible; give one of random"),
        ({"memory": 0}, "memory=0 is not possible; give 1 or more"),
        ({"exploration": 2.0}, "exploration"),
        ({"trust": -0.1}, "trust"),
        ({"weight_decay": -1.0}, "weight_decay"),
        ({"hopeless": -1.0}, "hopeless"),
        ({"seldom": 2.0}, "seldom"),
        ({"cores": 0}, "cores"),
        ({"yardsticks": ()}, "yardsticks"),
        ({"layers": ()}, "layers"),
        ({"resume": True}, "no run to go on with"),
    ],
)
def test_what_cannot_be_carried_out_is_said_before_training(wrong, words, tmp_path):
    with pytest.raises(SettingsError, match=words):
        improve.train(quick(tmp_path, **wrong))
    assert not (tmp_path / "run/policy.npz").exists()

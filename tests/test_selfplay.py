"""Promises of self-play with the lean learner."""

import json
from itertools import pairwise

import numpy as np
import pytest
import torch

from agents import policies
from agents.learned import Learned
from cardenv import games
from cardenv.players import ELSEWHERE
from cardenv.rules import RulesError
from experiments import improve, selfplay, train
from experiments.command import SettingsError, parse
from experiments.evaluate import measure
from experiments.layers import Layers, Moments, masked_log_probabilities
from experiments.learning import Stopped
from experiments.running import Run
from experiments.selfplay import Learner, Settings, advantages_of
from experiments.selfplay_tables import relative_states
from tests.cases import GAMES, PAYMENTS, spread
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
            "epochs": 1,
            "layers": (16,),
            "critic_layers": (16,),
            "steps": 600,
            "measure_every": 300,
            "measure_deals": 30,
        }
        | settings
    )


# --- Returns along each seat's own decisions ------------------------------------------------------


def rewards_told(learner, rollouts):
    """Play; yield the reward of every decision as the learner counts it, by when it was made.

    With lambda 0 and a critic that says 0, an advantage is the reward until the seat decides again.
    """
    tables, rollout = learner.tables, learner.rollout
    made = np.full((*rollout.seats.shape, 2), -1)
    wave = 0
    for _ in range(rollouts):
        learner.collect()
        for row in range(rollout.carried, len(made)):
            made[row] = np.stack([np.full(tables.count, wave), np.arange(tables.count)], axis=1)
            wave += 1
        waiting = tables.turn.astype(np.int64)
        scores = tables.score[np.arange(tables.count), waiting].astype(np.float32)
        nothing = np.zeros(tables.count, np.float32)
        values = np.zeros(rollout.valid.shape, np.float32)
        rewards, known = advantages_of(rollout, values, waiting, scores, nothing, 1.0, 0.0)
        yield {tuple(made[place]): rewards[place] for place in zip(*np.nonzero(known), strict=True)}
        rows, open_tables = np.nonzero(rollout.valid & ~known)
        made[rollout.seats[rows, open_tables], open_tables] = made[rows, open_tables]
        rollout.carry(known)


def rewards_found(learner, rollouts):
    """Play the same; return the rewards found by going through what happened from the start."""
    tables, rollout = learner.tables, learner.rollout
    rewards, newest, wave = {}, {}, 0
    for _ in range(rollouts):
        learner.collect()
        for row in range(rollout.carried, len(rollout.seats)):
            for table in range(tables.count):
                place = table, rollout.seats[row, table]
                score = rollout.scores[row, table]
                if place in newest:
                    made, before = newest[place]
                    rewards[made] = score - before
                newest[place] = (wave, table), score
                for seat in np.flatnonzero(rollout.over[row, table]):
                    if (table, seat) in newest:
                        made, before = newest.pop((table, seat))
                        rewards[made] = rollout.final[row, table, seat] - before
            wave += 1
    for table, seat in enumerate(tables.turn):  # who is asked again knows its reward too
        if (table, seat) in newest:
            made, before = newest[table, seat]
            rewards[made] = tables.score[table, seat] - before
    return rewards


@spread("players", payment=PAYMENTS)
def test_each_decision_is_learned_from_once_with_its_own_seats_reward(
    game, players, payment, tmp_path
):
    episode, reward = payment
    rules = ("standard", f"reward={reward}")
    settings = quick(tmp_path, game, players=players, episode=episode, rules=rules)
    told = {}
    for some in rewards_told(Learner(settings), 25):
        assert not told.keys() & some.keys(), "a decision was learned from twice"
        told |= some
    found = rewards_found(Learner(settings), 25)
    assert told.keys() == found.keys()
    assert any(found.values()), "nobody was ever paid"
    for made, reward_of_it in found.items():
        assert told[made] == pytest.approx(reward_of_it, abs=1e-6)


@spread("players")
def test_seats_of_heuristics_are_not_learned_from(game, players, tmp_path):
    opponents = ("self:0.5", f"{policies.names(games.get(game))[-1]}:0.5")
    learner = Learner(quick(tmp_path, game, players=players, opponents=opponents))
    seats = set()
    for _ in range(60):
        waiting = learner.tables.turn
        assert (learner.seated.seating[np.arange(16), waiting] == ELSEWHERE).all()
        assert (learner.seated.seating == ELSEWHERE).any(axis=1).all()
        seats |= {*waiting.tolist()}
        learner.seated.step(learner.choose()[0])
    assert seats == {*range(players)}
    assert (learner.seated.seating != ELSEWHERE).any()


@spread("players")
def test_a_seat_is_asked_only_where_it_has_a_choice(game, players, tmp_path):
    learner = Learner(quick(tmp_path, game, players=players))
    for _ in range(40):
        assert (learner.tables.turn >= 0).all()
        assert (learner.tables.masks.sum(axis=1) > 1).all()
        learner.seated.step(learner.choose()[0])


# --- What the networks see and say ----------------------------------------------------------------


def test_advantages_are_those_of_the_published_recursion(tmp_path):
    """Generalised advantage estimation (Schulman et al. 2016) along one seat, worked out here."""
    learner = Learner(quick(tmp_path, players=2, num_envs=1, rollout=3))
    rollout = learner.rollout
    rollout.valid[2:] = True
    rollout.seats[2:, 0] = 0, 1, 0
    rollout.scores[2:, 0] = 0, 0, 0.5
    rollout.over[:], rollout.final[:] = False, 0
    rollout.over[4, 0], rollout.final[4, 0] = True, (1, -1)
    values = np.array([[0], [0], [0.2], [0.3], [0.4]], np.float32)
    other = np.zeros(1, np.int64), np.zeros(1, np.float32), np.zeros(1, np.float32)
    advantages, known = advantages_of(rollout, values, *other, 0.9, 0.8)
    last = 1 - 0.5 - 0.4
    first = 0.5 + 0.9 * 0.4 - 0.2 + 0.9 * 0.8 * last
    assert advantages[2:, 0] == pytest.approx([first, -1 - 0.3, last])
    assert known[:, 0].tolist() == [False, False, True, True, True]


@pytest.mark.parametrize("game", GAMES)
def test_a_forbidden_action_is_never_drawn(game, tmp_path):
    learner = Learner(quick(tmp_path, game))
    for _ in range(50):
        actions, logs = learner.choose()
        assert learner.tables.masks[np.arange(16), actions].all()
        assert (logs > -20).all()
        learner.seated.step(actions)


def test_masked_probabilities_sum_to_1_and_leave_nothing_to_forbidden_actions():
    logits = torch.tensor([[1.0, 2.0, 30.0], [0.0, 0.0, -5.0]])
    masks = torch.tensor([[True, True, False], [True, False, False]])
    probabilities = masked_log_probabilities(logits, masks).exp()
    assert probabilities.sum(1).tolist() == pytest.approx([1, 1])
    assert (probabilities[~masks] == 0).all()


@spread("players")
def test_the_critic_sees_the_deciding_seat_first(game, players, tmp_path):
    learner = Learner(quick(tmp_path, game, players=players))
    tables = learner.tables
    layout = tables.state_layout
    for _ in range(5):
        seats = tables.turn.astype(np.int64)
        plain, relative = tables.states(), relative_states(tables, seats)
        for name in (field.name for field in layout.layout.seat):
            ours, theirs = layout.view(relative)[name], layout.view(plain)[name]
            for table, seat in enumerate(seats):
                order = (seat + np.arange(players)) % players
                assert np.array_equal(ours[table, :players], theirs[table, order])
        for name in (field.name for field in layout.layout.shared):
            assert np.array_equal(layout.view(relative)[name], layout.view(plain)[name])
        learner.seated.step(learner.choose()[0])


def test_standardising_is_folded_into_the_first_layer():
    inputs = torch.rand(50, 7)
    moments = Moments.of(inputs)
    layers = Layers(moments, (5, 3), gain=1.0)
    plainly = (inputs - moments.mean) / moments.deviation
    for layer in layers.linear[:-1]:
        plainly = layer(plainly).relu()
    plainly = layers.linear[-1](plainly)
    assert torch.allclose(layers(inputs), plainly, atol=1e-5)


@pytest.mark.parametrize("game", GAMES)
def test_the_agent_plays_what_the_network_says(game, tmp_path):
    learner = Learner(quick(tmp_path, game, layers=(32, 16)))
    for _ in range(5):
        learner.seated.step(learner.choose()[0])
    tables = learner.tables
    with torch.no_grad():
        logits = learner.policy(learner.inputs(tables.observations))
    masks = torch.from_numpy(tables.masks).bool()
    ours = masked_log_probabilities(logits, masks).exp().numpy()
    theirs = learner.learned().probabilities(tables.observations, tables.masks)
    assert np.allclose(ours, theirs, atol=1e-5)


# --- A run ----------------------------------------------------------------------------------------


class StopAfter:
    """Says yes from so many steps on."""

    def __init__(self, steps):
        self.steps = steps

    def __call__(self, steps):
        return steps >= self.steps


@pytest.mark.parametrize("game", GAMES)
def test_a_resumed_run_ends_with_the_weights_of_one_without_a_break(game, tmp_path):
    more = {"magnet": 0.1, "opponents": ("self:0.7", "greedy:0.3"), "teacher_steps": 200}
    whole = selfplay.train(quick(tmp_path / "whole", game, **more))
    with pytest.raises(Stopped):
        selfplay.train(quick(tmp_path / "halved", game, **more), StopAfter(300))
    resumed = selfplay.train(quick(tmp_path / "halved", game, resume=True, **more))
    assert np.array_equal(weights_of(whole), weights_of(resumed))
    scores = [
        [line.split(",")[::2] for line in (tmp_path / run / "run/curve.csv").read_text().split()]
        for run in ("whole", "halved")
    ]
    assert scores[0] == scores[1]


def test_equal_seeds_give_equal_weights_and_others_do_not(tmp_path):
    first, again, other = (
        weights_of(selfplay.train(quick(tmp_path / name, seed=seed)))
        for name, seed in (("first", 1), ("again", 1), ("other", 2))
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_the_run_can_be_loaded_and_says_how_it_was_made(tmp_path):
    settings = quick(tmp_path, yardsticks=("random", "greedy"))
    trained = selfplay.train(settings)
    loaded = Learned.load(settings.out)
    assert np.array_equal(weights_of(trained), weights_of(loaded))
    made = json.loads((settings.out / "settings.json").read_text())
    assert made["settings"]["seed"] == 1
    assert {"settings", "versions", "command"} <= made.keys()
    curve = [line.split(",") for line in (settings.out / "curve.csv").read_text().split()]
    assert {row[2] for row in curve[1:]} == {"random", "greedy"}
    assert all(float(low) <= float(score) <= float(high) for *_, score, low, high in curve[1:])
    assert (settings.out / "curve.png").stat().st_size > 5000
    assert list((settings.out / "tensorboard").iterdir())
    log = (settings.out / "training.csv").read_text().splitlines()
    assert log[0].startswith("steps,episodes,policy_loss")
    assert len(log) > 4


@pytest.mark.parametrize("game", GAMES)
def test_self_play_learns_to_beat_random(game, tmp_path):
    settings = quick(
        *(tmp_path, game),
        players=2,
        num_envs=128,
        rollout=32,
        minibatch=512,
        epochs=3,
        layers=(64,),
        critic_layers=(64,),
        steps=60_000,
        measure_every=10**9,
        yardsticks=("random",),
        measure_deals=300,
        learning_rate=3e-3,
    )
    learned = selfplay.train(settings)
    random = policies.Policy(games.get(game), "random")
    assert measure(learned, random, settings, 500, seed=99).interval(0.99).low > 0


@pytest.mark.parametrize("game", GAMES)
def test_a_taught_network_chooses_as_its_teacher_does(game, tmp_path):
    settings = quick(
        *(tmp_path, game),
        num_envs=128,
        rollout=32,
        minibatch=256,
        layers=(64,),
        teacher_steps=30_000,
        steps=30_000,
        teacher="greedy",
    )
    learner = Learner(settings)

    def agreement():
        learner.collect()
        rows = learner.rollout.seats.shape[0] - 1
        observations, masks = learner.rollout.observations[rows], learner.rollout.masks[rows]
        keys = np.zeros(len(masks), np.uint64)
        ours = learner.learned().act(observations, masks.view(np.int8), keys)
        return float((ours == learner.rollout.actions[rows]).mean())

    before = agreement()
    while learner.taught:
        learner.collect()
        learner.learn()
    learner.steps = 0  # the teacher once more
    assert agreement() > max(0.75, before + 0.2)


def test_decisions_of_the_teacher_are_not_taken_for_the_networks_own(tmp_path):
    learner = Learner(quick(tmp_path, players=4, num_envs=8, teacher_steps=10))
    while learner.taught:
        learner.collect()
        learner.learn()
    for _ in range(3):
        learner.collect()
        batch = learner.batch()
        with torch.no_grad():
            logs = masked_log_probabilities(learner.policy(batch.inputs), batch.masks)
        own = logs.gather(1, batch.actions[:, None])[:, 0]
        assert len(batch)
        assert torch.allclose(batch.log_probabilities, own, atol=1e-4)


def test_how_far_the_policy_has_moved_is_true_while_the_teacher_plays_too(tmp_path):
    def told(rate):
        steps = {"teacher_epochs": 4, "minibatch": 10**6, "teacher_steps": 10**6}
        learner = Learner(quick(tmp_path, num_envs=64, teacher_rate=rate, **steps))
        for _ in range(3):
            learner.collect()
            figures = learner.learn()
        return figures

    still = told(1e-8)
    assert still["kl"] == pytest.approx(0, abs=1e-5)
    assert still["clipped"] == 0
    moving = told(3e-3)
    assert 0 < moving["kl"] < 1
    assert 0 < moving["clipped"] < 1


def test_a_strong_magnet_holds_the_policy(tmp_path):
    def moved(magnet):
        learner = Learner(
            quick(
                *(tmp_path,),
                magnet=magnet,
                last_magnet=magnet,
                magnet_rate=0.0,
                num_envs=64,
                rollout=32,
                steps=20_000,
                learning_rate=3e-3,
            )
        )
        for _ in range(6):
            learner.collect()
            told = learner.learn()
        return (
            told["uniform_entropy"] - told["entropy"]
        )  # the magnet is the even policy of the start

    assert moved(10.0) < 0.2 * moved(0.0)


def test_settings_move_along_their_schedule(tmp_path):
    learner = Learner(quick(tmp_path, steps=1000, learning_rate=1e-2, last_learning_rate=1e-3))
    rates = []
    while learner.steps < 1000:
        done = learner.steps / 1000
        learner.collect()
        rates.append((done, learner.learn()["learning_rate"]))
    assert len(rates) > 3
    for done, rate in rates:
        assert rate == pytest.approx(1e-2 - done * 9e-3)


def test_a_run_that_leaves_the_numbers_stops_and_keeps_its_last_good_checkpoint(tmp_path):
    settings = quick(tmp_path, steps=100_000)
    with pytest.raises(Stopped):
        selfplay.train(settings, StopAfter(300))
    before = (settings.out / "checkpoint.pt").read_bytes()
    learn = Learner.learn
    calls = []

    def spoil(learner):
        calls.append(1)
        told = learn(learner)
        if len(calls) == 3:
            with torch.no_grad():
                learner.policy.linear[0].weight[0, 0] = float("nan")
        return told

    patched = pytest.MonkeyPatch()
    patched.setattr(Learner, "learn", spoil)
    patched.setattr(Run, "is_due", False)
    try:
        with pytest.raises(
            SettingsError, match=r"no finite number.* keeps the checkpoint of \d+ st"
        ):
            selfplay.train(quick(tmp_path, steps=100_000, resume=True))
    finally:
        patched.undo()
    assert (settings.out / "checkpoint.pt").read_bytes() == before
    assert np.isfinite(weights_of(Learned.load(settings.out))).all()


@pytest.mark.parametrize(
    "few",
    [
        {"game": "mow", "players": 4, "num_envs": 8, "rollout": 1},
        {"num_envs": 1, "rollout": 2},
        {"players": 9, "num_envs": 4, "rollout": 4},
    ],
    ids=str,
)
def test_rollouts_too_short_for_any_outcome_are_played_on(few, tmp_path, recwarn):
    settings = quick(tmp_path, **few, steps=60, teacher_steps=20)
    selfplay.train(settings)
    rows = [line.split(",") for line in (settings.out / "training.csv").read_text().split()][1:]
    steps = [int(row[0]) for row in rows]
    assert all(before < after for before, after in pairwise([0, *steps]))
    assert not [each for each in recwarn if "degrees of freedom" in str(each.message)]


def test_a_batch_of_one_decision_is_learned_from(tmp_path):
    learner = Learner(quick(tmp_path))
    learner.collect()
    told = learner.improve(learner.batch().part(slice(0, 1)))
    assert np.isfinite([*told.values()]).all()
    assert all(torch.isfinite(weight).all() for weight in learner.weights)


# --- Words for people -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"opponents": ("mc:200",)}, "self-play takes self"),
        ({"opponents": ("self:-1",)}, "give 0 or more"),
        ({"opponents": ("self:0",)}, "no weight at all"),
        ({"opponents": ()}, "name one or more"),
        ({"yardsticks": ()}, "name one or more after --yardsticks"),
        ({"yardsticks": ("nobody",)}, "yardsticks"),
        ({"teacher": "mc:200"}, "give one of random"),
        ({"teacher_steps": -1}, "give 0 or more"),
        ({"teacher_epochs": 0}, "give 1 or more"),
        ({"critic_layers": ()}, "critic_layers"),
        ({"magnet": -1.0}, "magnet"),
        ({"magnet_rate": 2.0}, "give 0.0 to 1.0"),
        ({"steps": 0}, "steps"),
        ({"resume": True}, "no run to go on with"),
    ],
)
def test_what_cannot_be_carried_out_is_said_before_training(wrong, words, tmp_path):
    with pytest.raises(SettingsError, match=words):
        selfplay.train(quick(tmp_path, **wrong))
    assert not (tmp_path / "run/policy.npz").exists()


def test_rules_that_never_leave_a_choice_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("experiments.selfplay_tables.MOST_SKIPPED", 20)
    rules = ("pack=0,9,18,27", "hand_size=1")
    with pytest.raises(RulesError, match="nothing to decide; give rules"):
        selfplay.train(quick(tmp_path, "maumau", players=2, rules=rules))
    assert not (tmp_path / "run/settings.json").exists()


def test_no_device_is_offered_as_only_the_cpu_is_used():
    assert Settings().device == "cpu"
    with pytest.raises(SettingsError, match="--device"):
        parse(Settings, ["--device", "cuda"])


def test_help_does_not_contradict_itself(capsys):
    with pytest.raises(SystemExit):
        parse(Settings, ["--help"])
    said = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "of the policy and of the value network" not in said
    assert "towards zero" not in said
    assert "--device" not in said


def test_a_run_is_not_written_over(tmp_path):
    selfplay.train(quick(tmp_path))
    with pytest.raises(SettingsError, match="already holds a run"):
        selfplay.train(quick(tmp_path))


def test_a_run_goes_on_with_its_own_settings_only(tmp_path):
    selfplay.train(quick(tmp_path))
    with pytest.raises(SettingsError, match="was begun with magnet"):
        selfplay.train(quick(tmp_path, magnet=0.5, resume=True))


@pytest.mark.parametrize(
    "damage",
    [
        lambda kept: b"damaged",
        lambda kept: {},
        lambda kept: [1],
        lambda kept: torch.zeros(3),
        lambda kept: kept | {"told": "{"},
        lambda kept: kept | {"told": "[]"},
        lambda kept: kept | {"learner": {}},
        lambda kept: kept | {"learner": kept["learner"] | {"arrays": {}}},
    ],
)
def test_a_damaged_checkpoint_is_refused_in_one_sentence(tmp_path, damage):
    selfplay.train(quick(tmp_path))
    path = tmp_path / "run/checkpoint.pt"
    damaged = damage(torch.load(path, weights_only=True))
    path.write_bytes(damaged) if isinstance(damaged, bytes) else torch.save(damaged, path)
    with pytest.raises(SettingsError, match="cannot be read"):
        selfplay.train(quick(tmp_path, resume=True))


def test_a_run_is_gone_on_with_by_the_trainer_that_began_it_alone(tmp_path):
    selfplay.train(quick(tmp_path))
    other = improve.Settings(out=tmp_path / "run", resume=True)
    with pytest.raises(SettingsError, match=r"is of experiments\.selfplay"):
        improve.train(other)
    with pytest.raises(SettingsError, match="already holds a run"):
        train.train(train.Settings(out=tmp_path / "run"))

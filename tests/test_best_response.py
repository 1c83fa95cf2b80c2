"""Promises of best responses: bounds that hold, one budget for all, runs that go on exactly."""

import dataclasses
import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from rich.console import Console

import agents
from agents.learned import Learned
from cardenv.players import PlayerError
from experiments import best_response, evaluate, train
from experiments.best_response import Settings, Stopped, best_responses, folder_of
from experiments.command import SettingsError
from tests.cases import GAMES, every_game, last_cards

ROLLOUT = 16 * 16
CLEARLY = 0.1


def settings(out, **changes):
    """Return a comparison of four small rollouts an agent."""
    small = {
        "agents": ("random",),
        "steps": 4 * ROLLOUT,
        "num_envs": 16,
        "rollout": 16,
        "minibatch": 64,
        "layers": (32, 32),
        "measure_every": 1024,
        "measure_deals": 30,
        "deals": 60,
        "cores": 1,
    }
    return Settings(out=out, **(small | changes))


def untimed(report):
    """Return what a report says beside its making: neither seconds, nor where and how often."""
    agents = [
        {name: value for name, value in row.items() if name not in ("seconds", "learner")}
        for row in report["agents"]
    ]
    for row, whole in zip(agents, report["agents"], strict=True):
        row["learner"] = {name: whole["learner"][name] for name in ("won", "lost", "figures")}
    made = {**report["settings"], "out": None, "resume": None}
    return {**report, "agents": agents, "settings": made, "command": None}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """One uninterrupted comparison against two agents, for the tests that only look at it."""
    run = settings(tmp_path_factory.mktemp("runs") / "whole", agents=("random", "greedy"))
    return run, best_responses(run)


# --- The bound ------------------------------------------------------------------------------------


@every_game
def test_random_is_clearly_exploited_after_few_steps(tmp_path, game):
    """With few cards, so that few steps are enough."""
    pack = ",".join(map(str, last_cards(game, 2, more=4)))
    larger = {"num_envs": 128, "minibatch": 256, "layers": (64,), "learning_rate": 3e-3}
    larger |= {"steps": 16384, "measure_every": 16384, "deals": 400}
    run = settings(tmp_path, game=game, rules=("standard", f"pack={pack}"), **larger)
    (row,) = best_responses(run)["agents"]
    assert row["lower_bound"] > CLEARLY, row
    assert row["lower_bound"] == row["low"] < row["gain"] < row["high"]


def test_a_learner_that_loses_says_nothing_but_0(tmp_path):
    (row,) = best_responses(settings(tmp_path, game="mow", agents=("greedy",), steps=1))["agents"]
    assert row["steps"] == ROLLOUT, "a rollout that is begun is finished"
    assert row["low"] < row["gain"] < row["high"] < 0
    assert row["lower_bound"] == 0


def test_the_figures_are_those_of_an_evaluation_on_the_same_deals(finished):
    run, report = finished
    for row in report["agents"]:
        table = {name: getattr(run, name) for name in ("game", "players", "rules", "episode")}
        among = evaluate.Settings(
            agents=(row["learner"]["folder"],),
            among=row["name"],
            deals=run.deals,
            seed=run.seed + 1,
            **table,
        )
        (measured,) = evaluate.evaluate(among)["agents"]
        assert [row[end] for end in ("gain", "low", "high")] == [
            measured[end] for end in ("score", "low", "high")
        ]
        learner = row["learner"]
        assert (learner["lost"], learner["figures"]) == (measured["lost"], measured["figures"])
        assert learner["won"] == measured["figures"]["rounds won"]["value"]


def test_the_gain_is_measured_on_other_deals_than_the_curve(tmp_path, monkeypatch):
    """So that who looks at the curve, to choose settings by it, still gets an unbiased gain."""
    run, seeds = settings(tmp_path, steps=1), []
    play = best_response.Deals.__init__

    def noting(self, *arguments, **named):
        play(self, *arguments, **named)
        seeds.append(self.seed)

    monkeypatch.setattr(best_response.Deals, "__init__", noting)
    best_responses(run)
    assert set(seeds) == {run.seed, run.seed + 1}
    assert seeds[-1] == run.seed + 1


def test_where_nothing_was_found_a_line_says_so(finished):
    report = json.loads(json.dumps(finished[1]))
    report["agents"][0].update(name="runs/[red]", gain=0.0)
    report["agents"][1]["gain"] = 0.1
    console = Console(record=True, width=80)
    best_response.print_report(report, console)
    text = console.export_text()
    assert text.count("this learner found nothing against runs/[red]; more --steps") == 1
    assert text.count("found nothing") == 1
    assert text.count("learner") == 5, "whose steps, gain, won and lost these are"


# --- One budget -----------------------------------------------------------------------------------


def test_every_agent_gets_the_same_budget_and_the_most_exploited_comes_first(finished):
    run, report = finished
    assert {row["name"] for row in report["agents"]} == set(run.agents)
    assert {row["steps"] for row in report["agents"]} == {run.steps}
    gains = [row["gain"] for row in report["agents"]]
    assert gains == sorted(gains, reverse=True)
    assert json.loads((run.out / "best_response.json").read_text()) == report
    assert report["mode"] is None
    assert report["versions"]["torch"].startswith("2.")
    for row in report["agents"]:
        made = json.loads((folder_of(run.out, row["name"]) / "settings.json").read_text())
        made = made["settings"]
        assert made["opponents"] == [f"{row['name']}:1.0"]
        assert made["yardstick"] == row["name"]


def test_equal_seeds_give_equal_reports_whoever_else_is_compared(tmp_path, finished):
    run, report = finished
    other = settings(tmp_path / "reversed", agents=run.agents[::-1])
    again = untimed(best_responses(other))
    again["settings"]["agents"].reverse()
    assert again == untimed(report)
    (alone,) = best_responses(settings(tmp_path / "seed", seed=5))["agents"]
    assert alone["gain"] != next(row["gain"] for row in report["agents"] if row["name"] == "random")


@pytest.mark.parametrize("sample", [False, True])
def test_a_trained_agent_is_frozen_as_it_was_asked_for(tmp_path, finished, sample, monkeypatch):
    """It takes its likeliest actions, or draws them: in training, on the curve, and at the end."""
    seen = []
    act = Learned.act

    def noting(self, *arguments):
        seen.append((self.name, self.sample))
        return act(self, *arguments)

    monkeypatch.setattr(Learned, "act", noting)
    agent = str(folder_of(finished[0].out, "greedy"))
    run = settings(tmp_path / "out", agents=(agent,), steps=1, sample=sample)
    report = best_responses(run)
    assert report["mode"] == ("sampled" if sample else "deterministic")
    assert set(seen) == {(agent, sample), (str(folder_of(run.out, agent)), False)}


def test_folders_tell_agents_apart(tmp_path):
    names = ["expert", "runs/x", "runs-x", "/runs/x", "ismcts:200", "ismcts-200", "x" * 300, "ü/x"]
    folders = [folder_of(tmp_path, name) for name in names]
    assert len(set(folders)) == len(names)
    assert folders[0] == tmp_path / "expert"
    assert all(folder.parent == tmp_path and len(folder.name) < 80 for folder in folders)


def test_an_agent_that_searches_can_be_exploited(tmp_path, monkeypatch):
    """One that gets the tables, under a name with a colon in it."""

    class First:
        name = "first:3"

        def act_at(self, tables, which):
            return tables.masks[which].argmax(axis=1)

        def check(self, tables):
            pass

    load = agents.load
    monkeypatch.setattr(
        agents,
        "load",
        lambda word, *more, **named: First() if word == First.name else load(word, *more, **named),
    )
    (row,) = best_responses(settings(tmp_path, agents=(First.name,)))["agents"]
    assert row["name"] == First.name
    assert row["low"] < row["gain"] < row["high"]


# --- Stops, and going on --------------------------------------------------------------------------


@pytest.mark.parametrize("stop_after", [3, 9])
def test_a_resumed_comparison_gives_the_report_of_an_uninterrupted_one(
    tmp_path, finished, stop_after
):
    """Wherever it was stopped: in the first learner's training, or after it."""
    run, report = finished
    halves = dataclasses.replace(run, out=tmp_path / "halves")
    asked = []

    def should_stop():
        asked.append(1)
        return len(asked) > stop_after

    with pytest.raises(Stopped):
        best_responses(halves, should_stop)
    assert not (halves.out / "best_response.json").exists()
    np.random.seed(1)  # what happens in between must not matter
    assert untimed(best_responses(dataclasses.replace(halves, resume=True))) == untimed(report)


def test_deals_stopped_halfway_are_gone_on_with(tmp_path, finished, monkeypatch):
    run, report = finished
    halves = dataclasses.replace(run, out=tmp_path / "halves")
    monkeypatch.setattr(best_response.Deals, "_first_chunk", lambda self, lineup: 7)
    stop = []
    monkeypatch.setattr(train, "train", told_when_done(train.train, stop))
    with pytest.raises(Stopped):
        best_responses(halves, lambda: bool(stop) and bool(stop.pop()))
    monkeypatch.undo()
    assert untimed(best_responses(dataclasses.replace(halves, resume=True))) == untimed(report)


def told_when_done(train_, stop):
    def training(*arguments):
        learned = train_(*arguments)
        stop.extend([True, False])
        return learned

    return training


def test_finished_learners_are_not_trained_again_and_further_agents_are_added(
    tmp_path, finished, monkeypatch
):
    run, report = finished
    fewer = dataclasses.replace(run, out=tmp_path / "out", agents=("random",))
    best_responses(fewer)
    trained = []
    monkeypatch.setattr(
        train,
        "train",
        lambda wanted, *more, train=train.train: (
            trained.append(wanted.yardstick),
            train(wanted, *more),
        ),
    )
    more = dataclasses.replace(fewer, agents=run.agents, resume=True)
    assert untimed(best_responses(more)) == untimed(report)
    assert trained == ["greedy"]
    finer = dataclasses.replace(more, deals=90, confidence=0.99, agents=("greedy",))
    (row,) = best_responses(finer)["agents"]
    assert trained == ["greedy"]
    assert row["name"] == "greedy"
    assert row["high"] - row["low"] > 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"resume": False}, "already holds a run"),
        ({"steps": 8 * ROLLOUT}, "begun with steps=1024, not 2048"),
        ({"entropy": 0.5}, "begun with entropy=0.003, not 0.5"),
        ({"game": "mow"}, "begun with game="),
        ({"sample": True}, "begun with sample=False, not True"),
        ({"seed": 2}, "begun with seed=1, not 2"),
    ],
)
def test_a_folder_of_other_settings_is_refused_and_left_alone(finished, changes, said):
    run, _ = finished
    before = files(run.out)
    with pytest.raises(SettingsError, match=said):
        best_responses(dataclasses.replace(run, **({"resume": True} | changes)))
    assert files(run.out) == before


def files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_agent_that_has_changed_since_is_refused(tmp_path, finished):
    agent = tmp_path / "agent"
    learned = Learned.load(folder_of(finished[0].out, "greedy"))
    learned.save(agent)
    run = settings(tmp_path / "out", agents=(str(agent),), steps=1)
    best_responses(run)
    learned.network.biases[0][:] += 1
    learned.save(agent)
    with pytest.raises(SettingsError, match="has changed since"):
        best_responses(dataclasses.replace(run, resume=True))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"agents": ()}, "no agents were given"),
        ({"agents": ("greedy", "./greedy")}, "names 'greedy' twice"),
        ({"agents": ("greedy", "nobody")}, "there is no agent 'nobody'"),
        ({"deals": 29}, "deals=29 are too few"),
        ({"confidence": 1.0}, "confidence=1.0 is not possible"),
        ({"cores": 0}, "cores=0"),
        ({"steps": 0}, "steps=0"),
        ({"gae_lambda": 2.0}, "gae_lambda=2.0"),
        ({"resume": True}, "holds nothing to resume"),
    ],
)
def test_a_wrong_setting_gets_a_sentence_and_leaves_no_folder(tmp_path, changes, said):
    with pytest.raises((SettingsError, PlayerError), match=said):
        best_responses(settings(tmp_path / "out", **changes))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"settings": 1, "agents": 2}'])
def test_a_folder_begun_by_nobody_knows_what_is_refused(tmp_path, text):
    (tmp_path / "settings.json").write_text(text)
    with pytest.raises(SettingsError, match="does not say how a comparison was begun"):
        best_responses(settings(tmp_path, resume=True))


def test_ctrl_c_says_how_to_go_on(tmp_path):
    """A real process, interrupted from outside, goes on with the same command and --resume."""
    out = tmp_path / "out"
    command = [sys.executable, "-m", "experiments.best_response", "--game", GAMES[0]]
    command += ["--agents", "greedy", "--num-envs", "16", "--rollout", "16", "--minibatch", "64"]
    command += ["--layers", "16", "--measure-deals", "30", "--deals", "30", "--steps", "6000"]
    command += ["--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not (out / "greedy" / "checkpoint.json").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    printed, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"go on with the same command and --resume ({out})" in said
    assert "Traceback" not in said
    assert printed == ""
    done = subprocess.run([*command, "--resume", "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads((out / "best_response.json").read_text())

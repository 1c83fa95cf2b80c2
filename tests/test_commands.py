"""Promises of the command line: help reads well, a wrong word gets one line and status 2."""

import json
import subprocess
import sys

import numpy as np
import pytest

import agents
from cardenv import games
from experiments import best_response, command, evaluate, throughput, tournament, train
from experiments.command import parse
from tests.cases import GAMES, every_game, players_of, strongest

COMMANDS = ("train", "evaluate", "best_response", "tournament", "throughput", "demo")


def run(module, *words):
    return subprocess.run(
        [sys.executable, "-m", f"experiments.{module}", *words],
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_where_no_bar_can_be_drawn_progress_is_told_in_lines(monkeypatch, capsys):
    monkeypatch.setattr(command, "SECONDS_BETWEEN_LINES", 0.0)
    with command.progress_bar() as progress:
        task = progress.add_task("working", total=2000)
        progress.update(task, completed=500)
        progress.advance(task, 500)
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "working: 500 of 2,000"
    assert said[1].startswith("working: 1,000 of 2,000")


@pytest.mark.parametrize("module", COMMANDS)
def test_help_names_every_command_and_the_common_settings(module):
    done = run(module, "--help")
    assert done.returncode == 0
    for word in ("--game", "--players", "--rules", "--episode", "--device", "--seed"):
        assert word in done.stdout
    assert f"python -m experiments.{module}" in done.stdout
    said = " ".join(done.stdout.replace("│", " ").split())
    for game in GAMES:
        for word in (game, *games.get(game).aliases):
            assert word in said, f"--game takes {word}, but --help does not say so"


@every_game
def test_the_agents_that_commands_take_by_default_are_there_for_every_game(game):
    named = {*evaluate.Settings().agents, evaluate.Settings().among}
    named |= {*tournament.Settings().agents, *best_response.Settings().agents}
    named |= {*train.Settings.opponents, train.Settings.yardstick, throughput.Settings().opponent}
    assert named <= set(agents.names(game))


@pytest.mark.parametrize(
    ("module", "words", "said"),
    [
        ("train", ["--stepz", "5"], "--stepz"),
        ("train", ["--steps", "many"], "many"),
        ("train", ["--steps", "1.5"], "'1.5' is no whole number"),
        ("train", ["--steps", "1e999999999"], "'1e999999999' is no whole number"),
        ("train", ["--steps", "0"], "steps=0"),
        ("train", ["--pool-size", "0"], "pool_size=0"),
        ("train", ["--snapshot-every", "0"], "snapshot_every=0"),
        ("train", ["--pool-floor", "2"], "pool_floor=2.0"),
        ("train", ["--pool-sampling", "best"], "prioritised"),
        ("train", ["--opponents", "nobody"], "there is no agent 'nobody'"),
        ("train", ["--opponents", "greedy", "greedy"], "twice"),
        ("train", ["--opponents", "self:2", "pool:-1"], "'pool' the weight -1.0"),
        ("train", ["--opponents", "self:nan"], "'self' the weight nan"),
        ("train", ["--opponents", "pool:0"], "no weight at all"),
        ("train", ["--opponents", "greedy:1e308", "expert:1e308"], "too large a sum"),
        ("train", ["--game", "chess"], "is no game"),
        ("train", ["--layers", "0"], "layers"),
        ("train", ["--minibatch", "1"], "minibatch"),
        *(
            ("evaluate", ["--game", game, "--players", f"{most + 1}"], f"takes 2 to {most}")
            for game in GAMES
            for _, _, most in [players_of(game)]
        ),
        ("evaluate", ["--rules", "letter", "lives=77"], "lives=77"),
        ("evaluate", ["--rules", "livez=7"], "livez"),
        ("evaluate", ["--agents", "/tmp"], "holds no trained agent"),
        ("evaluate", ["--episode", "game"], "round"),
        ("evaluate", ["--seed", "-1"], "seed=-1"),
        ("evaluate", ["--out", __file__], "is a file; give a folder"),
        ("evaluate", ["--precision", "nan"], "precision=nan"),
        ("evaluate", ["--precision", "0.1", "--deals", "100"], "were both given"),
        ("evaluate", ["--cores", "0"], "cores=0"),
        ("tournament", ["--agents", "greedy"], "takes two agents or more"),
        ("tournament", ["--agents", "greedy", "greedy"], "twice"),
        ("tournament", ["--alpha-rank"], "takes 2 players, not 4"),
        ("best_response", ["--agents", "nobody"], "there is no agent 'nobody'"),
        ("best_response", ["--deals", "3"], "deals=3 are too few"),
        ("best_response", ["--steps", "0"], "steps=0"),
        ("best_response", ["--resume"], "holds nothing to resume"),
        ("improve", ["--memory", "1e6"], "more memory than there is"),
        ("selfplay", ["--layers", "1e12"], "more memory than there is"),
        ("throughput", ["--repeats", "0"], "repeats"),
        ("throughput", ["--cores", "0"], "give numbers from 1 to"),
    ],
)
def test_a_wrong_word_gets_one_line_and_status_2(tmp_path, module, words, said):
    if module in ("train", "best_response", "improve", "selfplay"):
        words = [*words, "--out", str(tmp_path / "run")]
    done = run(module, *words)
    assert done.returncode == 2, done.stderr
    lines = [line for line in done.stderr.splitlines() if not line.startswith("cardenv: compiling")]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    assert said in lines[0]
    assert done.stdout == ""
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("words", "steps", "most", "layers"),
    [
        (["--steps", "1e5"], 100_000, None, (128, 128)),
        (["--steps", "1_000_000", "--max-players", "5"], 1_000_000, 5, (128, 128)),
        (["--steps", "2.5e6", "--layers", "1e2", "64"], 2_500_000, None, (100, 64)),
    ],
)
def test_whole_numbers_may_be_written_as_people_do(words, steps, most, layers):
    found = parse(train.Settings, words)
    assert (found.steps, found.max_players, found.layers) == (steps, most, layers)
    assert isinstance(found.steps, int)


def test_train_then_evaluate_by_the_commands_of_the_readme(tmp_path):
    out = str(tmp_path / "x")
    done = run(
        "train",
        *["--game", "31", "--players", "4", "--opponents", "greedy", "expert", "--steps", "2048"],
        *["--seed", "1", "--out", out, "--num-envs", "16", "--measure-deals", "30"],
    )
    assert done.returncode == 0, done.stderr
    words = ["--game", "31", "--players", "4", "--agents", out, "expert", "greedy", "random"]
    done = run("evaluate", *words, "--deals", "40")
    assert done.returncode == 0, done.stderr
    assert "greedy" in done.stdout
    result = tmp_path / "result"
    done = run("evaluate", *words, "--deals", "40", "--json", "--out", str(result))
    report = json.loads(done.stdout)
    assert {row["name"] for row in report["agents"]} == {out, "expert", "greedy", "random"}
    assert report["mode"] == "deterministic"
    assert json.loads((result / "evaluation.json").read_text()) == report
    drawn = run("evaluate", *words, "--deals", "40", "--json", "--sample")
    assert json.loads(drawn.stdout)["mode"] == "sampled"
    evaluation_goes_on_unless_the_agent_has_changed(words, tmp_path / "x", result)


def evaluation_goes_on_unless_the_agent_has_changed(words, trained, result):
    more = ["--deals", "50", "--json", "--out", str(result)]
    done = run("evaluate", *words, *more)
    assert json.loads(done.stdout)["deals"] == 50
    weights = trained / "policy.npz"
    with np.load(weights) as file:
        np.savez(weights, **{name: 2 * array for name, array in file.items()})
    done = run("evaluate", *words, *more)
    assert done.returncode == 2
    assert f"'{trained}', which has changed since" in done.stderr
    weights.write_text("no weights")
    done = run("evaluate", *words, *more)
    assert done.returncode == 2
    assert "cannot be read" in done.stderr


@pytest.mark.parametrize("game", GAMES[1:])
def test_evaluate_takes_any_game_with_its_rules_and_players(game):
    _, _, most = players_of(game)
    words = ["--game", game, "--players", f"{most}", "--agents", strongest(game), "random"]
    words += ["--rules", "common", "reward=rounds", "--episode", "match", "--deals", "30", "--json"]
    done = run("evaluate", *words)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["game"], report["players"]) == (game, most)
    assert [row["name"] for row in report["agents"]] == [strongest(game), "random"]


@pytest.mark.parametrize("game", GAMES[-1:])
def test_throughput_measures_everything(tmp_path, game):
    done = run(
        "throughput",
        *["--game", game, "--batches", "1", "64", "--seconds", "0.05", "--repeats", "1"],
        *["--learner-tables", "8", "--cores", "1", "--json", "--start"],
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert all(rate > 0 for rate in report["decisions_per_second"].values())
    assert len(report["decisions_per_second"]) == 10
    assert report["seconds"]["later start"] < report["seconds"]["first start"]
    assert report["versions"]["numba"]

"""Promises of evaluation: common deals, every seat, honest intervals, equal results again."""

import json
import subprocess
import sys

import numpy as np
import pytest

import agents
from cardenv import games
from cardenv.players import PlayerError
from cardenv.rules import RulesError
from experiments import evaluate
from experiments.command import SettingsError
from experiments.evaluate import Sample, Settings, measure
from tests.cases import GAMES, every_game, spread, strongest
from tests.particulars import PARTICULARS


def sample(scores):
    return Sample(scores, scores < 0, 0, 1.0)


def settings(**changes):
    return Settings(**({"deals": 60, "seed": 5} | changes))


def two_agents(game):
    """Return the game's weakest agent and its strongest."""
    return agents.load("random", game), agents.load(strongest(game), game)


@spread("players", "episode")
def test_an_agent_among_copies_of_itself_scores_exactly_zero(game, players, episode):
    _, strong = two_agents(game)
    sample = measure(strong, strong, settings(game=game, players=players, episode=episode), 40)
    assert sample.scores.shape == (40, players)
    assert np.abs(sample.scores.mean(axis=1)).max() < 1e-12


@every_game
def test_every_seat_plays_the_same_deals(game):
    """All rotations of a deal deal the same deck to the same seats: only the players change."""
    run, first_seat = settings(game=game, players=3), games.get(game).first_seat
    numbers = np.repeat(np.arange(5), 3)
    tables = run.tables(15)
    tables.seed(run.seed, numbers)
    tables.reset()
    for deal in range(5):
        rows = tables.rows[numbers == deal]
        assert len({row["deck"].tobytes() for row in rows}) == 1
        assert len(set(rows[first_seat])) == 1
    assert len({row["deck"].tobytes() for row in tables.rows}) == 5


@every_game
def test_results_are_the_same_again_and_in_any_division_of_the_deals(game, monkeypatch):
    run = settings(game=game, players=3)
    weak, strong = two_agents(game)
    whole = measure(weak, strong, run, 50)
    assert np.array_equal(whole.scores, measure(weak, strong, run, 50).scores)
    monkeypatch.setattr(evaluate, "DEALS_AT_ONCE", 7)
    parts = measure(weak, strong, run, 50)
    assert np.array_equal(whole.scores, parts.scores)
    assert whole.decisions == parts.decisions
    other = measure(weak, strong, settings(game=game, players=3, seed=6), 50)
    assert not np.array_equal(whole.scores, other.scores)


@every_game
def test_a_new_process_gives_the_same_result(game):
    command = [sys.executable, "-m", "experiments.evaluate", "--game", game]
    command += ["--agents", "random", strongest(game), "--deals", "40", "--json"]
    reports = []
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        report = json.loads(done.stdout)
        assert report.pop("decisions_per_second") > 0
        reports.append(report)
    assert reports[0] == reports[1]


def test_the_deal_is_the_unit_of_the_interval():
    """Seats of one deal are not independent: equal scores in all seats must not narrow it."""
    deals = np.random.default_rng(0).normal(size=400)
    one = sample(deals[:, None]).interval(0.95)
    four = sample(np.repeat(deals[:, None], 4, axis=1)).interval(0.95)
    assert four == pytest.approx(one)
    half = (one[2] - one[1]) / 2
    assert half == pytest.approx(1.96 * deals.std(ddof=1) / 20, rel=1e-3)


@every_game
def test_a_round_that_all_lose_counts_as_lost_for_each(game):
    """Equal hands or flies: a score of 0, and yet lost; some games have a winner always."""
    _, strong = two_agents(game)
    result = measure(strong, strong, settings(game=game, players=2), 1000)
    tied = result.scores == 0
    assert tied.any() == PARTICULARS[game].ALL_CAN_LOSE
    assert result.losses[tied].all()
    assert result.losses[result.scores < 0].all()
    assert not result.losses[result.scores > 0].any()
    match = measure(strong, strong, settings(game=game, players=3, episode="match"), 40)
    assert np.array_equal(match.losses, match.scores < 0)
    assert match.lost == pytest.approx(2 / 3, abs=0.05)


@every_game
def test_evaluation_deals_are_not_those_of_training(game):
    run = settings(game=game, players=4)
    trained = run.tables(64)
    trained.reset(seed=run.seed)
    evaluated = run.tables(64)
    evaluated.seed(run.seed, evaluate.FIRST_DEAL + np.arange(64))
    evaluated.reset()
    decks = {row["deck"].tobytes() for row in trained.rows}
    assert not decks & {row["deck"].tobytes() for row in evaluated.rows}


def test_intervals_cover_the_truth_as_often_as_they_say():
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(2000):
        _, low, high = sample(generator.normal(0.3, 1, (100, 2))).interval(0.9)
        covered += low < 0.3 < high
    assert 0.87 < covered / 2000 < 0.93


@every_game
def test_a_report_has_every_agent_and_every_ordered_pair(game):
    report = evaluate.evaluate(settings(game=game, players=3))
    assert report["game"] == game
    assert report["players"] == 3
    assert report["deals"] == 60
    assert report["settings"]["seed"] == 5
    assert {row["name"] for row in report["agents"]} == {"greedy", "expert", "random"}
    scores = [row["score"] for row in report["agents"]]
    assert scores == sorted(scores, reverse=True)
    pairs = {(row["a"], row["b"]) for row in report["differences"]}
    assert pairs == {(a, b) for a in settings().agents for b in settings().agents if a != b}
    for row in report["differences"]:
        assert row["low"] <= row["mean"] <= row["high"]
        assert 0 <= row["lost"] <= 1
    json.dumps(report)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"deals": 29}, "deals=29"),
        ({"confidence": 1.0}, "confidence"),
        ({"agents": ()}, "no agents"),
        ({"agents": ("greedy", "greedy")}, "twice"),
        ({"agents": ("nobody",)}, "there is no agent 'nobody'"),
        ({"among": "nobody"}, "there is no agent"),
        ({"players": 10}, "players=10"),
        ({"rules": ("loud",)}, "no preset"),
        ({"rules": ("reward=many",)}, "reward='many'"),
        ({"game": "chess"}, "is no game"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_bad_settings_get_a_sentence(changes, words):
    with pytest.raises((SettingsError, PlayerError, RulesError, ValueError), match=words):
        evaluate.evaluate(settings(**changes))


@pytest.mark.parametrize("other", GAMES)
@every_game
def test_an_agent_of_another_game_is_refused(game, other):
    player = agents.load(strongest(other), other)
    if other == game:
        assert measure(player, player, settings(game=game), 30).decisions > 0
        return
    with pytest.raises(PlayerError, match=f"plays {other}, not {game}"):
        measure(player, player, settings(game=game), 30)


@every_game
def test_an_agent_beats_random_players_in_every_kind_of_episode(game):
    weak, strong = two_agents(game)
    for episode, deals in (("round", 300), ("match", 100)):
        sample = measure(strong, weak, settings(game=game, players=3, episode=episode), deals)
        assert sample.interval(0.99)[1] > 0

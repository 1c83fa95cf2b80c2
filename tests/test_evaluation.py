"""Promises of evaluation: common deals, every seat, honest intervals, equal results again."""

import csv
import json
import math
import re
import signal
import subprocess
import sys
import threading
from itertools import combinations

import numpy as np
import pytest
from rich.console import Console
from scipy.stats import binom

import agents
from cardenv import games
from cardenv.cards import PLAY, derive_keys
from cardenv.players import PlayerError
from cardenv.rules import RulesError
from experiments import deals as playing
from experiments import evaluate, goal, intervals
from experiments.command import SettingsError
from experiments.comparison import StoppedTooEarly
from experiments.deals import Deals, Played
from experiments.entrants import spelled
from experiments.evaluate import Settings, measure
from experiments.intervals import Interval, deals_for, deals_to_separate, mean_interval
from experiments.keeping import FILE, Differs
from experiments.lineups import FIRST_DEAL, Lineup, one_among
from tests.cases import GAMES, every_game, players_of, spread, strongest
from tests.particulars import PARTICULARS

OF_THE_RUN = ("seconds", "decisions_per_second", "cores", "command", "settings")
"""What two reports of equal results may differ in."""


def sample(scores):
    """Return what one agent played, by its score in every seat on every deal."""
    nothing = np.zeros((len(scores), 1, 0), np.int32)
    return Played(one_among(0, 1, scores.shape[1]), scores, scores < 0, nothing)


def settings(**changes):
    usual = {} if "precision" in changes else {"deals": 60}
    return Settings(**(usual | {"seed": 5, "cores": 1} | changes))


def two_agents(game):
    """Return the game's weakest agent and its strongest."""
    return agents.load("random", game), agents.load(strongest(game), game)


def results(report):
    return {name: value for name, value in report.items() if name not in OF_THE_RUN}


def arrays_in(folder):
    with np.load(folder / FILE) as file:
        return {name: (file[name].dtype, file[name].tobytes()) for name in file.files}


def is_plausible(hits, of, share):
    """Whether so many hits are within what happens in 999 of 1000 such experiments."""
    low, high = binom.interval(0.999, of, share)
    return low <= hits <= high


class OtherChance:
    """Plays as another player does, with chance of its own: equal in strength, not in deed."""

    name = "other chance"

    def __init__(self, player):
        self.player, self.check = player, player.check

    def act(self, observations, masks, keys):
        return self.player.act(observations, masks, derive_keys(keys, PLAY, 1))


class Mistaken:
    """Plays as the game's strongest agent does, but one choice in eight is drawn."""

    name = "mistaken"

    def __init__(self, game):
        self.weak, self.strong = two_agents(game)
        self.check = self.strong.check

    def act(self, observations, masks, keys):
        mistaken = derive_keys(keys, PLAY, 2) % np.uint64(8) == 0
        weak, strong = (each.act(observations, masks, keys) for each in (self.weak, self.strong))
        return np.where(mistaken, weak, strong)


# --- Deals ----------------------------------------------------------------------------------------


@spread("players", "episode")
def test_an_agent_among_copies_of_itself_scores_exactly_zero(game, players, episode):
    _, strong = two_agents(game)
    sample = measure(strong, strong, settings(game=game, players=players, episode=episode), 40)
    assert sample.scores.shape == (40, players)
    assert np.abs(sample.scores.mean(axis=1)).max() < 1e-12


@every_game
def test_one_table_shows_an_agent_among_itself_as_all_its_seats_would(game):
    """Played once for every seat, an agent among its copies meets the same game each time."""
    run, player = settings(game=game, players=3), agents.load(strongest(game), game)
    again = agents.load(strongest(game), game)  # not taken for the same player
    once, in_turn = measure(player, player, run, 30), measure(player, again, run, 30)
    assert np.array_equal(once.scores, in_turn.scores)
    assert np.array_equal(once.lost, in_turn.lost)


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
def test_chance_in_choices_is_apart_from_the_deals(game):
    """Who draws his choices otherwise meets the same deals, and his keys tell nothing of them."""
    run = settings(game=game, players=3)
    tables = run.tables(4000)
    tables.seed(run.seed, FIRST_DEAL + np.arange(4000))
    tables.reset()
    keys, decks = tables.play_keys(), tables.rows["deck"].copy()
    assert not set(keys.tolist()) & set(tables.rows["key"].tolist())
    cards = decks[:, : 3 * 3].astype(float)
    for bits in ((keys >> np.uint64(shift)) & np.uint64(1) for shift in (0, 17, 40, 63)):
        together = [np.corrcoef(bits.astype(float), card)[0, 1] for card in cards.T]
        assert np.abs(together).max() < 4.5 / math.sqrt(4000)
    random = agents.load("random", game)
    one, other = (measure(each, random, run, 50) for each in (random, OtherChance(random)))
    assert not np.array_equal(one.scores, other.scores)
    tables.seed(run.seed, FIRST_DEAL + np.arange(4000))
    tables.reset()
    assert np.array_equal(tables.rows["deck"], decks)


@every_game
def test_evaluation_deals_are_not_those_of_training(game):
    run = settings(game=game, players=4)
    trained = run.tables(64)
    trained.reset(seed=run.seed)
    evaluated = run.tables(64)
    evaluated.seed(run.seed, FIRST_DEAL + np.arange(64))
    evaluated.reset()
    decks = {row["deck"].tobytes() for row in trained.rows}
    assert not decks & {row["deck"].tobytes() for row in evaluated.rows}


@every_game
def test_results_are_the_same_again_and_in_any_division_of_the_deals(game, monkeypatch):
    run = settings(game=game, players=3)
    weak, strong = two_agents(game)
    whole = measure(weak, strong, run, 50)
    assert np.array_equal(whole.scores, measure(weak, strong, run, 50).scores)
    monkeypatch.setattr(playing, "MOST_TABLES", 21)
    monkeypatch.setattr(playing, "FIRST_TABLES", 9)
    for cores in (1, 2, 5):
        parts = measure(weak, strong, run, 50, cores=cores)
        assert np.array_equal(whole.scores, parts.scores)
        assert np.array_equal(whole.lost, parts.lost)
    other = measure(weak, strong, settings(game=game, players=3, seed=6), 50)
    assert not np.array_equal(whole.scores, other.scores)


@every_game
def test_deals_are_the_same_whatever_was_played_before_and_beside_them(game):
    run = settings(game=game, players=3)
    players = {name: agents.load(name, game) for name in agents.names(game)}
    lineups = {name: one_among(place, 0, 3) for place, name in enumerate(players)}
    at_once = Deals(run, players, lineups, cores=2)
    assert at_once.play(70) == 70
    in_steps = Deals(run, players, {strongest(game): lineups[strongest(game)]}, cores=1)
    for deals in (3, 4, 40, 70):
        assert in_steps.play(deals) == deals
    one, other = (each.played(strongest(game)) for each in (at_once, in_steps))
    assert np.array_equal(one.scores, other.scores)
    assert np.array_equal(one.tallies, other.tallies)


@every_game
def test_a_lineup_may_seat_anybody_anywhere(game):
    """Three agents at one table, in two patterns: every seat's results are its agent's."""
    names = [agents.names(game)[0], agents.names(game)[1], strongest(game)]
    players = {f"{place} {name}": agents.load(name, game) for place, name in enumerate(names)}
    seating = np.array([[0, 1, 2, 1], [2, 2, 0, 1]])
    run = settings(game=game, players=4)
    deals = Deals(run, players, {"mixed": Lineup(seating, (2, 0))})
    deals.play(25)
    played = deals.played("mixed")
    tables = run.tables(50)
    tables.seed(run.seed, FIRST_DEAL + np.repeat(np.arange(25), 2))
    tables.reset()
    play_out(tables, [agents.load(name, game) for name in names], np.tile(seating, (25, 1)))
    scores = tables.score.reshape(25, 2, 4)
    for agent in (2, 0):
        held = seating == agent
        assert played.score_of(agent) == pytest.approx(scores[:, held].mean(axis=1))
        counts = tables.rows["tally"].reshape(25, 2, *tables.rows["tally"].shape[1:])[:, :, :4]
        assert np.array_equal(played.tallies_of(agent), counts[:, held].sum(axis=1))
    assert tables.rows["tally"].any()


def play_out(tables, players, seating):
    """Play by asking everybody in turn: no shortcut of any kind."""
    while (live := np.flatnonzero(tables.turn >= 0)).size:
        for table in live:
            player = players[seating[table, tables.turn[table]]]
            one = np.array([table])
            act = player.act(tables.observations[one], tables.masks[one], tables.play_keys(one))
            tables.step(act, one)


@every_game
def test_figures_are_those_of_a_direct_count(game):
    """Scores, losses and figures of a report, from tables played by hand; rounds and matches."""
    for episode, deals in (("round", 30), ("match", 30)):
        run = settings(
            game=game, players=3, episode=episode, deals=deals, agents=("random",), among="greedy"
        )
        [row] = evaluate.evaluate(run)["agents"]
        found, seats = games.get(game), np.tile(np.arange(3), deals)
        tables = run.tables(3 * deals)
        tables.seed(run.seed, FIRST_DEAL + np.repeat(np.arange(deals), 3))
        tables.reset()
        seating = np.where(np.arange(3) == seats[:, None], 0, 1)
        play_out(tables, [agents.load(name, game) for name in ("random", "greedy")], seating)
        mine = np.arange(3 * deals), seats
        assert row["score"] == pytest.approx(tables.score[mine].mean())
        lost = tables.rows["lost"] >> seats.astype(np.uint64) & np.uint64(1)
        assert row["lost"] == pytest.approx(lost.mean())
        counts = dict(zip(found.tallies, tables.rows["tally"][mine].sum(axis=0), strict=True))
        assert counts["rounds"] > 0
        for figure in found.figures:
            of, per = (
                sum(int(counts[name]) for name in names) for names in (figure.of, figure.per)
            )
            if per == 0:
                assert row["figures"][figure.name] is None
                continue
            value = row["figures"][figure.name]
            assert value["value"] == pytest.approx(figure.scale * of / per)
            assert value["low"] < value["value"] < value["high"]
        if episode == "match":
            assert row["figures"]["matches lost"]["value"] == pytest.approx(lost.mean())
            assert row["figures"]["matches won"]["value"] == pytest.approx(1 - lost.mean())
        assert len(row["figures"]) == len(found.figures) + 2 * (episode == "match")


@every_game
def test_a_round_that_all_lose_counts_as_lost_for_each(game):
    """Equal hands or flies: a score of 0, and yet lost; some games have a winner always."""
    _, strong = two_agents(game)
    result = measure(strong, strong, settings(game=game, players=2), 1000)
    tied = result.scores == 0
    assert tied.any() == PARTICULARS[game].ALL_CAN_LOSE
    assert result.lost[tied].all()
    assert result.lost[result.scores < 0].all()
    assert not result.lost[result.scores > 0].any()
    match = measure(strong, strong, settings(game=game, players=3, episode="match"), 40)
    assert np.array_equal(match.lost, match.scores < 0)
    assert match.lost.mean() == pytest.approx(2 / 3, abs=0.05)


# --- Intervals ------------------------------------------------------------------------------------


def test_the_deal_is_the_unit_of_the_interval():
    """Seats of one deal are not independent: equal scores in all seats must not narrow it."""
    deals = np.random.default_rng(0).normal(size=400)
    one = mean_interval(deals, 0.95)
    four = sample(np.repeat(deals[:, None], 4, axis=1)).interval(0.95)
    assert four == pytest.approx(one)
    assert one.half_width == pytest.approx(1.9659 * deals.std(ddof=1) / 20, rel=1e-4)


def test_intervals_cover_the_truth_as_often_as_they_say():
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(2000):
        _, low, high = sample(generator.normal(0.3, 1, (30, 2))).interval(0.9)
        covered += low < 0.3 < high
    assert is_plausible(covered, 2000, 0.9)


@pytest.mark.parametrize(("spread_", "precision"), [(0.7, 0.05), (1.5, 0.05), (0.9, 0.02)])
def test_two_stages_cover_as_often_as_they_say_though_the_data_say_when_to_stop(spread_, precision):
    generator = np.random.default_rng(2)
    covered, counts = 0, []
    for _ in range(1000):
        first = generator.normal(0.3, spread_, intervals.FIRST_STAGE)
        deals = deals_for(first, precision, 0.9)
        values = np.concatenate([first, generator.normal(0.3, spread_, deals - len(first))])
        found = mean_interval(values, 0.9, first)
        assert found.half_width <= precision * (1 + 1e-12)
        covered += found.low < 0.3 < found.high
        counts.append(deals)
    assert is_plausible(covered, 1000, 0.9)
    assert np.std(counts) > 0, "the number of deals is the data's"


def test_steins_number_of_deals_is_his():
    """N = ceil((t s / h)^2), with the t of 199 degrees of freedom: 1.97196."""
    first = np.random.default_rng(3).normal(0, 2, 200)
    wanted = (1.971957 * first.std(ddof=1) / 0.01) ** 2
    assert deals_for(first, 0.01, 0.95) == pytest.approx(wanted, rel=1e-5)
    assert deals_for(first, 10.0, 0.95) == 200
    assert intervals.precision_of(first, 200, 0.95) == mean_interval(first, 0.95).half_width


def test_no_difference_seen_is_no_certainty_that_there_is_none():
    """Equal on all deals: by the rule of three, 3 of them may differ by 1, in both modes."""
    for deals in (30, 200, 2000):
        zeros = np.zeros(deals)
        assert mean_interval(zeros, 0.95).half_width == pytest.approx(3.4 / deals, rel=0.06)
    assert deals_for(np.zeros(200), 0.005, 0.95) > 200
    assert mean_interval(np.zeros(900), 0.95, np.zeros(200)).half_width > 0.004


@pytest.mark.parametrize("size", [0.01, 0.3])
def test_small_differences_are_not_taken_for_rare_ones_of_1(size):
    """As in Mow, whose rounds are paid in 74ths: the deals themselves set the width."""
    values = size * np.random.default_rng(6).normal(size=60)
    assert intervals.deviation(values) == values.std(ddof=1)
    rare = size * (np.arange(60) == 7)
    assert intervals.deviation(rare) < 2.1 * rare.std(ddof=1)


@pytest.mark.parametrize("size", [0.1, 1.0])
@pytest.mark.parametrize("expected", [1, 2, 3, 5, 8, 12])
@pytest.mark.parametrize("stage", [None, 200])
def test_rare_one_sided_differences_are_covered_as_often_as_said(expected, size, stage):
    """The worst case: all that differ, differ to the same side, and there are few."""
    deals = 2000 if stage is None else 200
    generator = np.random.default_rng(expected)
    covered = 0
    for _ in range(1000):
        values = np.zeros(2000)
        values[: generator.binomial(2000, expected / deals)] = size
        generator.shuffle(values)
        basis = None if stage is None else values[:stage]
        _, low, high = mean_interval(values, 0.95, basis)
        covered += low <= size * expected / deals <= high
    assert covered >= 930


@pytest.mark.parametrize("mean", [0.5, 0.1, 0.02])
def test_deals_to_separate_are_the_fewest_whose_interval_excludes_zero(mean):
    shape = np.random.default_rng(4).normal(size=500)
    shape = (shape - shape.mean()) / shape.std(ddof=1)
    deals = deals_to_separate(mean + shape, 0.95)
    widths = [intervals.student(0.95, n) * 1.0 / math.sqrt(n) for n in (deals - 1, deals)]
    assert widths[1] < mean <= widths[0]
    assert deals_to_separate(shape * 0, 0.95) is None
    assert deals_to_separate(np.full(50, 1e-9), 0.95) is None
    assert deals_to_separate(np.full(50, 0.01), 0.95) == pytest.approx(3.4 / 0.01, rel=0.02)


def test_a_proportion_of_two_sums_is_covered_as_often_as_its_interval_says():
    generator = np.random.default_rng(5)
    covered = 0
    for _ in range(1000):
        rounds = generator.integers(2, 9, 300)  # which differ from deal to deal, as in matches
        luck = np.clip(generator.normal(0.3, 0.1, 300), 0, 1)
        won = generator.binomial(rounds, luck)
        found = intervals.ratio_interval(won.astype(float), rounds.astype(float), 0.9)
        covered += found.low < 0.3 < found.high
    assert is_plausible(covered, 1000, 0.9)
    assert intervals.ratio_interval(np.zeros(9), np.zeros(9), 0.9) is None
    never = intervals.ratio_interval(np.zeros(400), np.ones(400), 0.95)
    assert never.mean == 0
    assert never.high == pytest.approx(3.4 / 400, rel=0.05)


# --- Who is better, truly -------------------------------------------------------------------------


REPETITIONS = 100


@pytest.mark.parametrize("game", GAMES)
def test_a_known_difference_is_found_and_covered_as_often_as_the_interval_says(game):
    """The truth from 30,000 other deals; then 100 evaluations of other seeds, 100 deals each."""
    run = settings(game=game, players=3, seed=10**6)
    players = {name: agents.load(name, game) for name in ("random", "greedy")}
    lineups = {name: one_among(place, 1, 3) for place, name in enumerate(players)}

    def difference(seed, deals):
        found = Deals(run, players, lineups, seed=seed, cores=1)
        found.play(deals)
        return found.played("greedy").score_of(1) - found.played("random").score_of(0)

    truth = difference(10**6, 30_000).mean()
    found = [mean_interval(difference(seed, 100), 0.95) for seed in range(REPETITIONS)]
    assert truth > 0
    assert all(each.low > 0 for each in found)
    assert is_plausible(sum(each.low < truth < each.high for each in found), REPETITIONS, 0.95)


@pytest.mark.parametrize("game", GAMES[:1])
def test_equal_agents_are_not_told_apart_more_often_than_the_interval_says(game):
    """Random play against random play of another chance: 0 by symmetry, never on a deal."""
    run, random = settings(game=game, players=2), agents.load("random", game)
    zero_inside = 0
    for seed in range(REPETITIONS):
        found = measure(OtherChance(random), random, run, 60, seed=seed)
        _, low, high = found.interval(0.95)
        zero_inside += low < 0 < high
        assert found.scores.any()
    assert is_plausible(zero_inside, REPETITIONS, 0.95)


@pytest.mark.parametrize("game", GAMES[1:2])
def test_a_wanted_precision_is_reached_and_the_truth_covered_under_it(game):
    truth = evaluate.evaluate(settings(game=game, seed=999, deals=20_000, players=2))
    means = {(row["a"], row["b"]): row["mean"] for row in truth["differences"]}
    covered = 0
    for seed in range(REPETITIONS // 3):
        report = evaluate.evaluate(settings(game=game, seed=seed, precision=0.012, players=2))
        widths = [(row["high"] - row["low"]) / 2 for row in report["differences"]]
        assert max(widths) <= 0.012 * (1 + 1e-9)
        assert report["deals"] == report["precision"]["deals"] > intervals.FIRST_STAGE
        for row in report["differences"]:
            assert row["verdict"] == "a"
            covered += row["low"] < means[row["a"], row["b"]] < row["high"]
    # The three pairs of a seed are not independent: bounds of one pair a seed, which are wider.
    assert is_plausible(round(covered / 3), REPETITIONS // 3, 0.95)


@every_game
def test_common_deals_make_differences_of_like_agents_more_certain_than_fresh_ones(game):
    """The better the agents are alike, the more; all seats on one deal help any two of them."""
    run, players = settings(game=game, players=3), {"greedy": agents.load("greedy", game)}
    players |= {"strong": agents.load(strongest(game), game), "mistaken": Mistaken(game)}
    lineups = {name: one_among(place, 0, 3) for place, name in enumerate(players)}
    common, fresh = (Deals(run, players, lineups, seed=seed, cores=1) for seed in (5, 6))
    common.play(1500)
    fresh.play(1500)
    strong, mistaken = (common.played(name) for name in ("strong", "mistaken"))
    other = fresh.played("mistaken").score_of(2)
    found = mean_interval(strong.score_of(1) - mistaken.score_of(2), 0.95)
    unpaired = mean_interval(strong.score_of(1) - other, 0.95)
    as_many_games = math.sqrt((strong.scores.var() + mistaken.scores.var()) / 3 / 1500) * 1.96
    ratios = [found.half_width / width for width in (unpaired.half_width, as_many_games)]
    print(f"{game}: common to fresh deals {ratios[0]:.2f}, to games of their own {ratios[1]:.2f}")
    assert found.low > 0
    assert ratios[0] < 0.9
    assert ratios[1] < 0.7


@every_game
def test_an_agent_beats_random_players_in_every_kind_of_episode(game):
    weak, strong = two_agents(game)
    for episode, deals in (("round", 300), ("match", 100)):
        sample = measure(strong, weak, settings(game=game, players=3, episode=episode), deals)
        assert sample.interval(0.99)[1] > 0


# --- Reports --------------------------------------------------------------------------------------


@every_game
def test_a_new_process_gives_the_same_result_on_any_number_of_cores(game):
    command = [sys.executable, "-m", "experiments.evaluate", "--game", game]
    command += ["--agents", "random", strongest(game), "--deals", "40", "--json"]
    reports = []
    for cores in ("1", "2"):
        done = subprocess.run([*command, "--cores", cores], capture_output=True, check=True)
        reports.append(json.loads(done.stdout))
        assert reports[-1]["decisions_per_second"] > 0
        assert reports[-1]["cores"] == int(cores)
    assert results(reports[0]) == results(reports[1])


@every_game
def test_a_report_has_every_agent_and_every_pair(game):
    report = evaluate.evaluate(settings(game=game, players=3))
    assert report["game"] == game
    assert report["players"] == 3
    assert report["deals"] == 60
    assert report["stopped"] is None
    assert report["mode"] is None, "no agent here can draw its actions"
    assert report["settings"]["seed"] == 5
    assert {row["name"] for row in report["agents"]} == {"greedy", "expert", "random"}
    scores = [row["score"] for row in report["agents"]]
    assert scores == sorted(scores, reverse=True)
    names = [row["name"] for row in report["agents"]]
    pairs = [(row["a"], row["b"]) for row in report["differences"]]
    assert pairs == [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    by_name = {row["name"]: row for row in report["agents"]}
    for row in report["differences"]:
        assert row["low"] <= row["mean"] <= row["high"]
        apart = by_name[row["a"]]["score"] - by_name[row["b"]]["score"]
        assert row["mean"] == pytest.approx(apart)
        assert (row["low"] > 0) == (row["verdict"] == "a")
    greedy = by_name["greedy"]
    assert (greedy["score"], greedy["low"], greedy["high"]) == (0, 0, 0), "among its own copies"
    for row in report["agents"]:
        assert 0 <= row["lost"] <= 1
        assert set(row["figures"]) == set(report["figures"])
    json.dumps(report, allow_nan=False)


@every_game
def test_the_order_of_agents_changes_nothing(game):
    orders = (("expert", "greedy", "random"), ("random", "expert", "greedy"))
    one, other = (evaluate.evaluate(settings(game=game, agents=order)) for order in orders)
    assert results(one) == results(other)


def test_every_agent_of_a_report_can_be_the_only_one():
    alone = evaluate.evaluate(settings(agents=("greedy",)))
    assert alone["differences"] == []
    assert evaluate.evaluate(settings(agents=("greedy",), precision=0.01))["deals"] == 200


@every_game
def test_files_say_what_the_report_says(tmp_path, game):
    report = evaluate.evaluate(settings(game=game, out=tmp_path / "x" / "y"))
    folder = tmp_path / "x" / "y"
    assert json.loads((folder / "evaluation.json").read_text()) == report
    with (folder / "scores.csv").open() as file:
        scores = list(csv.DictReader(file))
    assert len(scores) == 3
    for line, row in zip(scores, report["agents"], strict=True):
        assert line["agent"] == row["name"]
        for name in ("score", "low", "high", "lost"):
            assert float(line[name]) == row[name]
        for name, figure in row["figures"].items():
            name = name.replace(", ", "_").replace(" ", "_").replace("-", "_")
            assert name.isidentifier()
            assert (float(line[name]) if line[name] else None) == (figure and figure["value"])
            assert figure is None or float(line[f"{name}_high"]) == figure["high"]
    with (folder / "differences.csv").open() as file:
        pairs = list(csv.DictReader(file))
    for line, row in zip(pairs, report["differences"], strict=True):
        assert [float(line[name]) for name in ("mean", "low", "high")] == list(row.values())[2:5]
        assert (line["a"], line["b"], line["verdict"]) == (row["a"], row["b"], row["verdict"])
    for picture in ("scores.png", "differences.png"):
        assert (folder / picture).read_bytes().startswith(b"\x89PNG")


def test_names_of_any_kind_are_drawn_and_printed(tmp_path):
    """Dollars, brackets and a hundred letters are names of folders too."""
    from experiments.charts import draw_intervals, draw_pairs

    names = ["$x$", "runs/[red]", "a" * 150, "$", "b/" * 40]
    draw_intervals(tmp_path / "s.png", [(n, Interval(0.1, 0, 0.2)) for n in names], "$t$", "m", "l")
    draw_pairs(tmp_path / "d.png", names, np.zeros((5, 5)), np.eye(5) < 0, "$t$", "l")
    report = evaluate.evaluate(settings())
    report["agents"][0]["name"] = report["differences"][0]["a"] = "runs/[red]"
    console = Console(record=True, width=200)
    evaluate.print_report(report, console)
    assert console.export_text().count("runs/[red]") == 3


def printed_for_six(names, width):
    """Return the lines of a report of six agents that play alike, on a console of a width."""
    report = evaluate.evaluate(settings(agents=("expert",)))
    [row] = report["agents"]
    report["agents"] = [row | {"name": name} for name in names]
    apart = {"mean": 0.0, "low": -0.1, "high": 0.1, "verdict": "open", "deals_to_separate": 1234}
    pairs = combinations(names, 2)
    report["differences"] = [{"a": a, "b": b, **apart} for a, b in pairs]
    console = Console(record=True, width=width)
    evaluate.print_report(report, console)
    return console.export_text()


def test_six_agents_fit_80_columns_with_every_name_and_number_in_one_piece():
    names = ["expert", "greedy", "random", "mc:200", "ismcts:200", "ismcts:1000"]
    text = printed_for_six(names, 80)
    lines = text.splitlines()
    words = {cell.strip() for line in lines for cell in re.split("[│┃]", line)}
    assert set(names) <= words
    assert max(map(len, lines)) <= 80
    assert text.count("-0.1000 to +0.1000") == 15
    assert text.count("│ rounds won ") == 2, "four agents and two"
    assert text.count("figures of one seat among greedy") == 1


def test_names_that_no_console_has_room_for_are_folded_and_not_cut():
    names = [f"{number}{'b' * 90}z" for number in range(6)]
    text = printed_for_six(names, 80)
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("-0.1000 to +0.1000") == 15
    assert text.count("│ rounds won ") == 6, "a part for each agent"
    assert text.count("z") == 6 + 2 * 15 + 6, "each name to its end"


# --- Deals that are kept --------------------------------------------------------------------------


def counting(monkeypatch):
    """Return a list that every chunk's lineup and deals are added to from now on."""
    chunks = []
    play = playing.play_deals

    def counted(players, lineup, tables, seed, deals):
        chunks.extend((len(lineup.seating), int(deal)) for deal in deals)
        return play(players, lineup, tables, seed, deals)

    monkeypatch.setattr(playing, "play_deals", counted)
    return chunks


@every_game
def test_more_deals_a_finer_precision_and_further_agents_go_on_with_what_is_there(
    tmp_path, game, monkeypatch
):
    chunks = counting(monkeypatch)
    steps = [
        ({"deals": 50, "agents": ("random",)}, 50),
        ({"deals": 50, "agents": ("random",)}, 0),
        ({"deals": 90, "agents": ("random",)}, 40),
        ({"deals": 90, "agents": ("random", "expert")}, 90),
        ({"deals": 70, "agents": ("expert",)}, 0),
        ({"precision": 1.0, "agents": ("expert", "random")}, 2 * 110),
    ]
    for changes, played in steps:
        chunks.clear()
        kept = evaluate.evaluate(settings(game=game, out=tmp_path, **changes))
        assert len(chunks) == played, changes
        chunks.clear()
        fresh = evaluate.evaluate(settings(game=game, **changes))
        assert results(kept) == results(fresh)
        assert len(chunks) == len(changes["agents"]) * fresh["deals"]
    assert evaluate.evaluate(settings(game=game, out=tmp_path, deals=200))["deals"] == 200


def test_a_finer_precision_plays_only_what_is_missing(tmp_path, monkeypatch):
    run = {"agents": ("random",), "players": 2}
    coarse = evaluate.evaluate(settings(precision=0.012, out=tmp_path, **run))
    chunks = counting(monkeypatch)
    fine = evaluate.evaluate(settings(precision=0.01, out=tmp_path, **run))
    assert len(chunks) == fine["deals"] - coarse["deals"] > 0
    assert results(fine) == results(evaluate.evaluate(settings(precision=0.01, **run)))


SCRIPT = """
import os, signal, sys
from experiments import command, deals, evaluate

play, played = deals.Deals._play_chunk, 0

def interrupted(self, *arguments):
    global played
    found = play(self, *arguments)
    played += 1
    if played == 7:
        os.kill(os.getpid(), signal.SIGINT)
    return found

deals.MOST_TABLES = 64
deals.FIRST_TABLES = 64
deals.Deals._play_chunk = interrupted
command.run(evaluate.Settings, evaluate.main)
"""


@pytest.mark.parametrize(("cores", "length"), [("1", {"deals": 500}), ("2", {"precision": 0.01})])
def test_ctrl_c_keeps_what_was_played_and_the_same_command_goes_on(tmp_path, cores, length):
    [(name, value)] = length.items()
    stopped, whole = (tmp_path / name for name in ("stopped", "whole"))
    words = [f"--{name}", f"{value}", "--players", "3", "--cores", cores, "--json"]
    words += ["--agents", "random", "greedy", "--seed", "5", "--out", str(stopped)]
    command = [sys.executable, "-c", SCRIPT, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 130, done.stderr
    assert "stopped after " in done.stderr
    assert "the same command goes on" in done.stderr
    report = json.loads(done.stdout)
    assert 30 <= report["deals"] < 200
    assert report["stopped"].startswith(f"stopped after {report['deals']} of ")
    assert ("at least 200" in report["stopped"]) == (name == "precision")
    before = arrays_in(stopped)
    command = [sys.executable, "-m", "experiments.evaluate", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    run = settings(players=3, agents=("random", "greedy"), out=whole, **length)
    assert results(json.loads(done.stdout)) == results(evaluate.evaluate(run))
    assert arrays_in(stopped) == arrays_in(whole)
    for name in ("scores_0", "scores_1"):
        assert arrays_in(whole)[name][1].startswith(before[name][1])


def test_a_second_ctrl_c_says_that_the_same_command_goes_on(tmp_path):
    first = "        os.kill(os.getpid(), signal.SIGINT)\n"
    second = "        import time; time.sleep(0.5)\n"
    script = SCRIPT.replace(first, first + second + first)
    command = [sys.executable, "-c", script, "--cores", "1", "--deals", "500", "--players", "3"]
    command += ["--agents", "random", "greedy"]
    for words, said in ((["--out", str(tmp_path)], "the same command goes on"), ([], "stopped.")):
        done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=120)
        assert done.returncode == 130, done.stderr
        assert done.stderr.rstrip().splitlines()[-1].startswith("stopped")
        assert said in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("text", [None, "{", "[]", "{}"])
def test_a_file_keeps_its_speed_where_nothing_is_played(tmp_path, text):
    file = tmp_path / "evaluation.json"
    evaluate.evaluate(settings(out=tmp_path))
    before = json.loads(file.read_text())
    if text is not None:
        file.write_text(text)
    again = evaluate.evaluate(settings(out=tmp_path))
    assert again["decisions_per_second"] is None, "of itself the command says that nothing was"
    after = json.loads(file.read_text())
    speed = ("cores", "seconds", "decisions_per_second")
    assert [after[name] for name in speed] == [(again if text else before)[name] for name in speed]


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("deterministic", "take their likeliest action"),
        ("sampled, timed", "draw their actions (--sample)\nsearches by time cannot be repeated"),
    ],
)
def test_a_mode_is_printed_in_words(mode, said):
    console = Console(record=True, width=80)
    evaluate.print_report(evaluate.evaluate(settings()) | {"mode": mode}, console)
    assert said in console.export_text()


def test_a_stop_before_there_is_anything_to_report_says_so(tmp_path):
    with pytest.raises(StoppedTooEarly, match="stopped after 0 of 60 deals; the same"):
        evaluate.evaluate(settings(out=tmp_path), lambda: True)
    with pytest.raises(StoppedTooEarly, match=r"of at least 200 deals\.$"):
        evaluate.evaluate(settings(precision=0.1), lambda: True)


class Slow:
    """Takes a while over each choice, at any number of tables."""

    name = "slow"
    asked = 0

    def act_at(self, tables, which):
        Slow.asked += which.size
        threading.Event().wait(0.005 * which.size)
        return tables.masks[which].argmax(axis=1)

    def check(self, tables):
        pass


def test_a_slow_agent_gets_small_chunks_and_is_not_waited_for_for_long(monkeypatch):
    monkeypatch.setattr(playing, "PATIENCE", 0.2)
    run, greedy = settings(players=2), agents.load("greedy", games.names()[0])
    deals = Deals(run, {"slow": Slow(), "greedy": greedy}, {"slow": one_among(0, 1, 2)}, cores=2)
    looks = []
    assert deals.play(10_000, lambda: looks.append(deals.common), lambda: len(looks) > 3) < 100
    assert deals.decisions < 5000
    done = deals.common
    deals.play(done + 1)
    assert deals.common == done + 1


def test_an_agent_that_fails_loses_nothing_that_was_played(tmp_path, monkeypatch):
    evaluate.evaluate(settings(deals=40, out=tmp_path))
    before = arrays_in(tmp_path)
    play = playing.play_deals

    def failing(players, lineup, tables, seed, deals):
        if deals[-1] >= 1000:
            raise RuntimeError("out of order")
        return play(players, lineup, tables, seed, deals)

    monkeypatch.setattr(playing, "play_deals", failing)
    with pytest.raises(RuntimeError, match="out of order"):
        evaluate.evaluate(settings(deals=2000, out=tmp_path))
    after = arrays_in(tmp_path)
    assert len(after["scores_0"][1]) > len(before["scores_0"][1])
    assert after["scores_0"][1].startswith(before["scores_0"][1])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 6}, "seed=5, not 6"),
        ({"players": 3}, "players=4, not 3"),
        ({"rules": ("letter",)}, "reveal='auto', not 'choice'"),
        ({"episode": "match"}, "episode='round', not 'match'"),
        ({"among": "expert"}, "among='greedy', not 'expert'"),
        ({"sample": True}, "sample=False, not True"),
        ({"max_players": 5}, "max_players=4, not 5"),
        ({"game": GAMES[1]}, f"game='{GAMES[0]}', not '{GAMES[1]}'"),
    ],
)
def test_deals_of_another_table_are_not_gone_on_with(tmp_path, changes, words):
    evaluate.evaluate(settings(deals=30, out=tmp_path))
    before = arrays_in(tmp_path)
    with pytest.raises(Differs, match=words):
        evaluate.evaluate(settings(deals=30, out=tmp_path, **changes))
    assert arrays_in(tmp_path) == before


def test_an_agent_that_has_changed_is_not_gone_on_with(tmp_path, monkeypatch):
    evaluate.evaluate(settings(deals=30, out=tmp_path))
    monkeypatch.setattr("experiments.keeping.fingerprint", lambda player: f"other {player.name}")
    with pytest.raises(Differs, match="'expert', which has changed since"):
        evaluate.evaluate(settings(deals=30, out=tmp_path))


def test_fingerprints_tell_weights_and_code_apart(tmp_path):
    from agents.learned import Learned, describe_training
    from agents.network import Network
    from experiments.keeping import fingerprint

    tables = settings().tables(1)
    size, actions = tables.layout.size, len(tables.game.action_names)

    def trained(weight):
        layer = np.full((size, actions), weight, np.float32)
        network = Network((layer,), (np.zeros(actions, np.float32),))
        return Learned("runs/x", network, describe_training(tables))

    assert fingerprint(trained(0.5)) == fingerprint(trained(0.5))
    assert fingerprint(trained(0.5)) != fingerprint(trained(0.25))
    for game in GAMES:
        assert fingerprint(agents.load("greedy", game)) == fingerprint(agents.load("greedy", game))
    assert len({fingerprint(agents.load("greedy", game)) for game in GAMES}) == len(GAMES)
    assert fingerprint(Slow()) == "slow"


@pytest.mark.parametrize("damage", ["cut", "text", "empty", "emptied", "arrays", "shorter"])
def test_damaged_files_get_a_sentence(tmp_path, damage):
    evaluate.evaluate(settings(deals=30, out=tmp_path))
    path = tmp_path / FILE
    content = path.read_bytes()
    with np.load(path) as file:
        arrays = dict(file)
    if damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "text":
        path.write_text("nothing\nof the kind")
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "emptied":
        np.savez(path, identity=np.array("{}"))
    elif damage == "arrays":
        np.savez(path, **{name: array for name, array in arrays.items() if name != "lost_0"})
    else:
        np.savez(path, **(arrays | {"lost_0": arrays["lost_0"][:5]}))
    damaged = path.read_bytes()
    with pytest.raises(SettingsError, match=r"cannot be read \(.+\); restore it, or remove") as got:
        evaluate.evaluate(settings(deals=30, out=tmp_path))
    assert "\n" not in str(got.value)
    assert path.read_bytes() == damaged, "what is left of it may still be of use"


# --- What cannot be done --------------------------------------------------------------------------


def test_a_precision_out_of_reach_is_refused_after_200_deals_which_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(goal, "MOST_DEALS", 300)
    with pytest.raises(SettingsError, match=r"would take [\d,]+ deals; 300, the most without"):
        evaluate.evaluate(settings(precision=0.001, out=tmp_path))
    with np.load(tmp_path / FILE) as file:
        assert len(file["scores_0"]) == 200


def test_with_a_cap_the_report_says_what_it_reached():
    report = evaluate.evaluate(settings(precision=0.001, max_deals=400))
    found = report["precision"]
    assert report["deals"] == 400
    assert report["stopped"] is None
    assert found["deals"] > 400
    widths = [(row["high"] - row["low"]) / 2 for row in report["differences"]]
    assert found["reached"] == pytest.approx(max(widths))
    assert found["wanted"] == 0.001 < found["reached"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"deals": 29}, "deals=29"),
        ({"deals": 10**15}, "1,000,000,000,000,000 deals do not fit into memory"),
        ({"deals": 10**30}, "deals do not fit into memory"),
        ({"deals": 100, "precision": 0.1}, "deals=100 and precision=0.1 were both given"),
        ({"precision": 0.0}, "precision=0.0 is not possible"),
        ({"precision": -0.1}, "precision=-0.1 is not possible"),
        ({"precision": math.nan}, "precision=nan is not possible"),
        ({"precision": math.inf}, "precision=inf is not possible"),
        ({"precision": 1e-300}, "would take more than"),
        ({"max_deals": 1000}, "max_deals=1000 goes with a precision"),
        ({"precision": 0.1, "max_deals": 199}, "max_deals=199 is too few"),
        ({"cores": 0}, "cores=0"),
        ({"confidence": 1.0}, "confidence"),
        ({"agents": ()}, "no agents"),
        ({"agents": ("greedy", "greedy")}, "twice"),
        ({"agents": ("nobody",)}, "there is no agent 'nobody'"),
        ({"agents": ("/tmp",)}, "holds no trained agent"),
        ({"among": "nobody"}, "there is no agent"),
        ({"players": 10}, "players=10"),
        ({"rules": ("loud",)}, "no preset"),
        ({"rules": ("reward=many",)}, "reward='many'"),
        ({"game": "chess"}, "is no game"),
        ({"seed": -1}, "seed=-1"),
        ({"out": __file__}, "is a file; give a folder"),
        ({"out": f"{__file__}/x"}, "cannot be written"),
    ],
)
def test_bad_settings_get_a_sentence(changes, words):
    with pytest.raises((SettingsError, PlayerError, RulesError), match=words) as got:
        evaluate.evaluate(settings(**changes))
    assert "\n" not in str(got.value)


@pytest.mark.parametrize("other", GAMES)
@every_game
def test_an_agent_of_another_game_is_refused(game, other):
    player = agents.load(strongest(other), other)
    if other == game:
        assert measure(player, player, settings(game=game), 30).scores.any()
        return
    with pytest.raises(PlayerError, match=f"plays {other}, not {game}"):
        measure(player, player, settings(game=game), 30)


@every_game
def test_the_most_players_there_are_can_be_measured(game):
    run = settings(game=game, players=players_of(game)[2], deals=30)
    assert len(evaluate.evaluate(run)["agents"]) == 3


def test_signals_are_as_before_after_a_command():
    from experiments.command import stop_on_signal

    before = signal.getsignal(signal.SIGINT)
    with stop_on_signal("stopping") as should_stop:
        signal.raise_signal(signal.SIGINT)
        assert should_stop()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_folder_with_a_heuristics_name_is_told_apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert spelled(["./expert", "./runs/x/", "expert"]) == ("expert", "runs/x", "expert")
    (tmp_path / "expert").mkdir()
    assert spelled(["./expert", "expert"]) == ("./expert", "expert")
    with pytest.raises(PlayerError, match="holds no trained agent"):
        evaluate.evaluate(Settings(agents=("./expert",), deals=30))

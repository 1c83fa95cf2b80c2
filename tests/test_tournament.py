"""Promises of tournaments: everybody meets everybody, and ratings that no order changes."""

import csv
import json
import math
import subprocess
import sys

import numpy as np
import pytest
from rich.console import Console

import agents
from cardenv import games
from cardenv.players import PlayerError
from cardenv.rules import RulesError
from experiments import deals as playing
from experiments import evaluate, ratings
from experiments import tournament as command
from experiments.command import SettingsError
from experiments.comparison import StoppedTooEarly
from experiments.keeping import FILE, Differs
from experiments.lineups import FIRST_DEAL, mixed_tables
from experiments.ratings import alpha_rank, linked, points_between, rate, resampled
from experiments.tournament import Settings, tournament
from tests.cases import GAMES, every_game, players_of, strongest
from tests.test_evaluation import arrays_in, is_plausible, play_out, results

MOST_AGENTS = 8
LONG = "runs/a-rather-long-name-of-a-folder/with-another-in-it/and-its-seed-"


def settings(**changes):
    usual = {} if "precision" in changes else {"deals": 80}
    usual |= {"game": GAMES[1], "players": 3, "seed": 5, "cores": 1}
    return Settings(**(usual | changes))


@pytest.fixture
def many(monkeypatch):
    """Return a function that names so many agents: the game's own, again and again."""
    load = agents.load

    def loaded(name, game, **more):
        return load(name.split("#")[-1], game, **more)

    def named(count, game, start=""):
        own = agents.names(game)
        return tuple(f"{start}{place}#{own[place % len(own)]}" for place in range(count))

    monkeypatch.setattr(agents, "load", loaded)
    return named


@pytest.fixture
def few_resamples(monkeypatch):
    """Speed where an interval's ends do not matter."""
    monkeypatch.setattr(
        command, "resampled", lambda points, seed: resampled(points, seed, resamples=20)
    )


def tables_of(lineup, cycles=1):
    """Return deals and tables of whole cycles: int64 ``[deals, rotations, seats]``."""
    deals = np.arange(cycles * len(lineup.combinations))
    return lineup.seating_of(deals)


# --- Who sits where -------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 10))
@pytest.mark.parametrize("count", range(2, MOST_AGENTS + 1))
def test_everybody_sits_in_every_seat_and_meets_everybody_else_equally_often(count, players):
    lineup = mixed_tables(count, players, seed=3)
    tables = tables_of(lineup)
    for deal in tables:
        for agent in np.unique(deal):
            in_seats = (deal == agent).sum(axis=0)
            assert len(set(in_seats)) == 1, "in every seat, on every deal"
    held = np.array([(tables == agent).sum(axis=2) for agent in range(count)])
    meetings = np.einsum("adr,bdr->ab", held, held)
    apart = ~np.eye(count, dtype=bool)
    assert len(set(meetings[apart])) == 1
    assert len({int(row.sum()) for row in held}) == 1
    assert held.max() - held.min() <= 1, "copies are as few as can be"


@pytest.mark.parametrize(("count", "players"), [(2, 5), (3, 2), (5, 4), (8, 3), (4, 9)])
def test_a_seating_is_its_deals_alone(count, players):
    lineup = mixed_tables(count, players, seed=3)
    whole = lineup.holders(np.arange(500))
    some = np.array([499, 3, 77, 78, 3])
    assert np.array_equal(lineup.holders(some), whole[some])
    assert not np.array_equal(mixed_tables(count, players, seed=4).holders(some), whole[some])
    cycle = len(lineup.combinations)
    kinds = np.sort(whole[: 500 // cycle * cycle], axis=1).reshape(-1, cycle, players)
    for block in kinds:
        assert len(np.unique(block, axis=0)) == cycle, "each combination once in each cycle"


def test_everybody_has_everybody_as_a_neighbour_equally_often():
    tables = mixed_tables(5, 4, seed=3).seating_of(np.arange(3000)).reshape(-1, 4)
    pairs = 5 * tables.ravel() + np.roll(tables, -1, axis=1).ravel()
    counts = np.bincount(pairs, minlength=25).reshape(5, 5)[~np.eye(5, dtype=bool)] / 4
    expected = 3000 * 4 / 20
    assert np.abs(counts - expected).max() < 4 * math.sqrt(expected)


def test_too_many_combinations_are_refused():
    with pytest.raises(SettingsError, match=r"40 agents are 273,438,880 combinations"):
        mixed_tables(40, 9, seed=1)


@every_game
def test_mixed_tables_are_played_as_everybody_in_turn_would(game):
    names = agents.names(game)
    players = [agents.load(name, game) for name in names]
    run = settings(game=game, players=4)
    lineup = mixed_tables(3, 4, run.seed)
    deals = playing.Deals(run, dict(zip(names, players, strict=True)), {"": lineup})
    deals.play(12)
    played = deals.played("")
    tables = run.tables(48)
    tables.seed(run.seed, FIRST_DEAL + np.repeat(np.arange(12), 4))
    tables.reset()
    seating = lineup.seating_of(np.arange(12))
    play_out(tables, players, seating.reshape(48, 4))
    rotation, seat, _ = lineup.columns
    assert np.array_equal(played.scores, tables.score.reshape(12, 4, 4)[:, rotation, seat])
    lost = tables.rows["lost"].reshape(12, 4)[:, rotation] >> seat.astype(np.uint64)
    assert np.array_equal(played.lost, lost & np.uint64(1) != 0)
    held = seating[:, rotation, seat].reshape(12, 4, 4)
    assert np.array_equal(held, np.repeat(lineup.holders(np.arange(12))[:, :, None], 4, axis=2))
    sums = np.zeros((12, 4))
    np.add.at(sums, (slice(None), rotation), played.scores)
    assert np.abs(sums).max() < 1e-9, "scores sum to zero over each table"


# --- Ratings --------------------------------------------------------------------------------------


def drawn_games(generator, strengths, deals, games_a_deal=3):
    """Return points of games whose odds are known, all those of a pair's deal alike."""
    count = len(strengths)
    chance = 1 / (1 + 10 ** ((strengths[None] - strengths[:, None]) / 400))
    won = generator.random((deals, count, count)) < chance
    upper = np.triu(np.ones((count, count)), 1)
    return games_a_deal * (upper * won + (upper * ~won).transpose(0, 2, 1))


def counted_by_hand(scores, seated, count):
    points = np.zeros((len(scores), count, count))
    for deal, places, tables in np.ndindex(scores.shape):
        for other in range(scores.shape[1]):
            a, b = seated[deal, places], seated[deal, other]
            if a != b:
                mine, theirs = scores[deal, places, tables], scores[deal, other, tables]
                points[deal, a, b] += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
    return points


def test_a_table_is_a_game_between_every_two_with_ties_half_each():
    generator = np.random.default_rng(0)
    scores = generator.integers(-2, 3, (30, 4, 4)).astype(float)
    for count in (3, 5):
        seated = mixed_tables(count, 4, seed=1).holders(np.arange(30))
        points = points_between(scores, seated, count)
        assert np.array_equal(points, counted_by_hand(scores, seated, count))


def test_no_order_of_games_agents_or_tied_players_changes_ratings():
    generator = np.random.default_rng(1)
    scores = generator.integers(-1, 2, (200, 4, 4)).astype(float)
    seated = mixed_tables(6, 4, seed=1).holders(np.arange(200))
    points = points_between(scores, seated, 6)
    ratings = rate(points.sum(axis=0))
    games = generator.permutation(200)
    assert np.array_equal(rate(points[games].sum(axis=0)), ratings)
    places, tables = generator.permutation(4), generator.permutation(4)
    shuffled = points_between(scores[:, places][:, :, tables], seated[:, places], 6)
    assert np.array_equal(shuffled, points), "tied players among them"
    order = generator.permutation(6)
    renumbered = points_between(scores, np.argsort(order)[seated], 6)
    assert np.abs(rate(renumbered.sum(axis=0)) - ratings[order]).max() < 1e-9


def test_ratings_are_where_points_are_as_expected_of_them():
    """Bradley and Terry's condition of the likeliest ratings, with the tied game of each pair."""
    points = drawn_games(np.random.default_rng(2), np.array([0.0, 100, 250, -80]), 300).sum(axis=0)
    ratings = rate(points)
    assert ratings.mean() == pytest.approx(0, abs=1e-9)
    expected = 1 / (1 + 10 ** ((ratings[None] - ratings[:, None]) / 400))
    with_ties = points + 0.5 * ~np.eye(4, dtype=bool)
    games_each = with_ties + with_ties.T
    assert (games_each * expected).sum(axis=1) == pytest.approx(with_ties.sum(axis=1))
    two = rate(np.array([[0.0, 100.0 - 0.5], [10 - 0.5, 0.0]]))
    assert two[0] - two[1] == pytest.approx(400), "odds of 10 to 1"


def test_known_strengths_are_within_the_interval_as_often_as_it_says():
    """Games of a deal are all alike here, so an interval over games would be far too narrow."""
    generator = np.random.default_rng(3)
    strengths = np.array([120.0, 0.0, -120.0])
    covered = np.zeros(3, int)
    for repetition in range(100):
        drawn = resampled(drawn_games(generator, strengths, 120), repetition, resamples=160)
        low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
        covered += (low < strengths) & (strengths < high)
    print(f"covered {covered} of 100")
    for hits in covered:
        assert is_plausible(hits, 100, 0.95)


def test_resamples_are_the_seeds_alone():
    points = drawn_games(np.random.default_rng(4), np.array([50.0, 0.0]), 60)
    one, again, other = (resampled(points, seed, resamples=20) for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("count", [2, 3, 8])
def test_who_always_wins_has_a_finite_rating_and_is_told_apart(count):
    above = np.triu(np.full((count, count), 5000.0), 1)
    ratings = rate(above)
    assert np.isfinite(ratings).all()
    assert (np.diff(ratings) < -100).all()
    assert len(set(linked(above))) == count
    assert np.isfinite(resampled(np.repeat(above[None], 30, axis=0), 1, resamples=5)).all()
    assert len(set(linked(above + above.T))) == 1
    ring = np.zeros((3, 3))
    ring[0, 1] = ring[1, 2] = ring[2, 0] = 1
    assert len(set(linked(ring))) == 1, "ahead by a chain of games"


def test_alpha_rank_is_openspiels():
    pytest.importorskip("open_spiel")
    ring = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]) / 10
    assert alpha_rank(ring) == pytest.approx(np.full(3, 1 / 3))
    better = alpha_rank(np.array([[0, 0.1, 0.2], [-0.1, 0, 0.1], [-0.2, -0.1, 0]]))
    assert better[0] > 0.97
    assert better.sum() == pytest.approx(1)


# --- The tournament -------------------------------------------------------------------------------


@every_game
def test_the_cross_table_is_what_evaluations_say(game, few_resamples):
    report = tournament(settings(game=game))
    pairs = {(row["a"], row["b"]): row for row in report["cross_table"]}
    names = [row["agent"] for row in report["agents"]]
    assert list(pairs) == [(a, b) for a in names for b in names if a != b]
    for among in names:
        run = evaluate.Settings(game=game, players=3, seed=5, cores=1, deals=80, among=among)
        for row in evaluate.evaluate(run)["agents"]:
            if row["name"] != among:
                found = pairs[row["name"], among]
                for ours, theirs in (("mean", "score"), ("low", "low"), ("high", "high")):
                    assert found[ours] == row[theirs]


@every_game
def test_mixed_scores_are_means_over_an_agents_seats(game, few_resamples, many):
    for count, players in ((2, 3), (4, 3)):
        names = many(count, game)
        run = settings(game=game, players=players, agents=names, deals=60)
        report = tournament(run)
        lineup = mixed_tables(count, players, run.seed)
        tables = run.tables(60 * players)
        tables.seed(run.seed, FIRST_DEAL + np.repeat(np.arange(60), players))
        tables.reset()
        seating = lineup.seating_of(np.arange(60)).reshape(-1, players)
        play_out(tables, [agents.load(name, game) for name in names], seating)
        lost = tables.rows["lost"][:, None] >> np.arange(players, dtype=np.uint64) & np.uint64(1)
        for row in report["agents"]:
            held = seating == names.index(row["agent"])
            assert row["score"] == pytest.approx(tables.score[held].mean())
            assert row["lost"] == pytest.approx(lost[held].mean())
            assert row["low"] < row["score"] < row["high"]
            assert row["rating_low"] <= row["rating_high"]


@pytest.mark.parametrize(
    ("game", "players"),
    [(game, n) for game in GAMES for n in range(players_of(game)[0], players_of(game)[2] + 1)],
)
def test_any_number_of_agents_at_any_number_of_players(game, players, few_resamples, many):
    for count in (2, 3, MOST_AGENTS) if players in players_of(game) else (4,):
        deals = max(30, -(-30 * count // players))
        run = settings(game=game, players=players, agents=many(count, game), deals=deals)
        report = tournament(run)
        assert len(report["agents"]) == count
        assert len(report["cross_table"]) == count * (count - 1)
        ranks = [row["rating"] for row in report["agents"]]
        assert ranks == sorted(ranks, reverse=True)
        assert sum(ranks) == pytest.approx(0, abs=1e-6)
        json.dumps(report, allow_nan=False)


@every_game
def test_the_order_of_agents_changes_nothing(game):
    orders = (("expert", "greedy", "random"), ("random", "./expert", "greedy"))
    one, other = (tournament(settings(game=game, agents=order)) for order in orders)
    assert results(one) == results(other)


@every_game
def test_better_agents_are_rated_higher_and_twins_alike(game, many):
    names = ("a#random", "b#random", f"c#{strongest(game)}")
    report = tournament(settings(game=game, agents=names, deals=300))
    by_name = {row["agent"]: row for row in report["agents"]}
    assert report["agents"][0]["agent"] == names[2]
    assert by_name[names[2]]["rating_low"] > by_name[names[0]]["rating_high"]
    a, b = (by_name[name] for name in names[:2])
    assert a["rating_low"] < b["rating_high"]
    assert b["rating_low"] < a["rating_high"]


def test_matches_are_rated_too(few_resamples):
    report = tournament(settings(episode="match", players=2, agents=("expert", "random")))
    assert report["agents"][0]["agent"] == "expert"


@pytest.mark.parametrize(("count", "players"), [(3, 2), (4, 3), (2, 3)])
def test_a_wanted_precision_is_reached_by_all_scores(count, players, few_resamples, many):
    run = settings(precision=0.01, players=players, agents=many(count, GAMES[1]))
    report = tournament(run)
    rows = [*report["agents"], *report["cross_table"]]
    widths = [(row["high"] - row["low"]) / 2 for row in rows]
    assert max(widths) <= 0.01 * (1 + 1e-9)
    assert report["precision"]["reached"] == pytest.approx(max(widths))
    assert report["deals"] == report["precision"]["deals"] > 200
    capped = tournament(settings(precision=0.001, max_deals=250, players=2))
    assert capped["deals"] == 250
    assert capped["precision"]["reached"] > 0.001


def test_alpha_rank_is_for_two_players():
    pytest.importorskip("open_spiel")
    report = tournament(settings(players=2, alpha_rank=True))
    shares = report["alpha_rank"]
    assert sum(shares.values()) == pytest.approx(1)
    assert max(shares, key=shares.get) == report["agents"][0]["agent"]
    console = Console(record=True, width=100)
    command.print_report(report, console)
    assert "alpha-rank: expert 0." in console.export_text()


def test_without_openspiel_alpha_rank_says_what_to_install(monkeypatch):
    monkeypatch.setattr(ratings, "find_spec", lambda name: None)
    with pytest.raises(SettingsError, match="pip install open_spiel"):
        tournament(settings(players=2, alpha_rank=True))


# --- Files ----------------------------------------------------------------------------------------


def rows_of(path):
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("count", [2, MOST_AGENTS])
def test_files_say_what_the_report_says(tmp_path, count, few_resamples, many):
    folder = tmp_path / "x" / "y"
    names = many(count, GAMES[1], start=LONG)
    report = tournament(settings(agents=names, out=folder))
    assert json.loads((folder / "tournament.json").read_text()) == report
    for file, key in (("cross_table.csv", "cross_table"), ("ratings.csv", "agents")):
        for line, row in zip(rows_of(folder / file), report[key], strict=True):
            assert line == {name: str(value) for name, value in row.items()}
    for picture in ("cross_table.png", "ratings.png"):
        assert (folder / picture).read_bytes().startswith(b"\x89PNG")
    console = Console(record=True, width=120)
    command.print_report(report, console)
    assert "at mixed tables" in console.export_text()


def test_names_of_any_kind_are_printed_and_drawn(tmp_path, few_resamples, many):
    report = tournament(settings(agents=("runs/[red]#greedy", "$x$#random"), out=tmp_path))
    report["linked"] = [["runs/[red]#greedy"], ["$x$#random"]]
    console = Console(record=True, width=200)
    command.print_report(report, console)
    text = console.export_text()
    assert text.count("[red]") == 4
    assert "lower bound" in text


def test_a_cross_table_of_many_fits_80_columns(few_resamples, many):
    report = tournament(settings(agents=many(6, GAMES[1])))
    console = Console(record=True, width=80)
    command.print_report(report, console)
    text = console.export_text()
    for row in report["cross_table"]:
        assert f"{row['mean']:+.4f} ± {(row['high'] - row['low']) / 2:.4f}" in text
    assert text.count("score of one A") == 1


def test_more_deals_and_other_agents_go_on_with_what_is_there(tmp_path, few_resamples, monkeypatch):
    played = []
    play = playing.play_deals

    def counted(players, lineup, *rest):
        played.append((lineup.is_drawn, len(rest[-1])))
        return play(players, lineup, *rest)

    monkeypatch.setattr(playing, "play_deals", counted)
    two, three = ("greedy", "random"), ("expert", "greedy", "random")
    steps = [
        (two, 40, 2 * 40, 40),
        (two, 40, 0, 0),
        (two, 50, 2 * 10, 10),
        (three, 50, 4 * 50, 50),
        (two, 30, 0, 0),
    ]
    for names, deals, pairs, mixed in steps:
        played.clear()
        kept = tournament(settings(agents=names, deals=deals, out=tmp_path))
        assert sum(count for is_mixed, count in played if not is_mixed) == pairs
        assert sum(count for is_mixed, count in played if is_mixed) == mixed
        assert results(kept) == results(tournament(settings(agents=names, deals=deals)))


def test_the_kept_file_says_who_sat_where(tmp_path, few_resamples):
    """The score of every seat of every deal, and who held it: enough for everybody's mean."""
    report = tournament(settings(out=tmp_path))
    with np.load(tmp_path / FILE) as file:
        text = json.loads(str(file["identity"]))
        place = next(n for n, each in enumerate(text["lineups"]) if "mixed" in each["label"])
        mixed, holders = text["lineups"][place], file[f"holders_{place}"]
        scores, tallies = file[f"scores_{place}"].reshape(80, 3, 3), file[f"tallies_{place}"]
    assert mixed["watched"] == ["place 0", "place 1", "place 2"]
    for row in report["agents"]:
        held = holders == mixed["agents"].index(row["agent"])
        assert scores.mean(axis=2)[held].mean() == pytest.approx(row["score"])
    rounds = games.get(GAMES[1]).tallies.index("rounds")
    assert (tallies[:, :, rounds] == 3).all()


def test_deals_drawn_otherwise_are_not_gone_on_with(tmp_path, few_resamples):
    tournament(settings(out=tmp_path))
    with np.load(tmp_path / FILE) as file:
        arrays = dict(file)
    holders = next(name for name in arrays if name.startswith("holders"))
    arrays[holders] = arrays[holders][:, ::-1]
    np.savez(tmp_path / FILE, **arrays)
    with pytest.raises(Differs, match="in another seating"):
        tournament(settings(out=tmp_path))


SCRIPT = """
import os, signal
from experiments import command, deals, tournament

play, played = deals.Deals._play_chunk, 0

def interrupted(self, *arguments):
    global played
    found = play(self, *arguments)
    played += 1
    if played == 25:
        os.kill(os.getpid(), signal.SIGINT)
    return found

deals.MOST_TABLES = 32
deals.FIRST_TABLES = 32
deals.Deals._play_chunk = interrupted
command.run(tournament.Settings, tournament.main)
"""


@pytest.mark.parametrize("length", [{"deals": 400}, {"precision": 0.03}])
def test_ctrl_c_keeps_what_was_played_and_the_same_command_goes_on(tmp_path, length):
    [(name, value)] = length.items()
    stopped, whole = tmp_path / "stopped", tmp_path / "whole"
    words = [f"--{name}", f"{value}", "--game", GAMES[1], "--players", "3", "--cores", "2"]
    words += ["--seed", "5", "--agents", "random", "greedy", "--json", "--out", str(stopped)]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 130, done.stderr
    report = json.loads(done.stdout)
    assert 30 <= report["deals"] < 200
    assert report["stopped"] in done.stderr
    assert "the same command goes on" in report["stopped"]
    assert (stopped / "ratings.png").exists()
    module = [sys.executable, "-m", "experiments.tournament", *words]
    done = subprocess.run(module, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert results(json.loads(done.stdout)) == results(
        tournament(settings(agents=("greedy", "random"), out=whole, **length))
    )
    assert arrays_in(stopped) == arrays_in(whole)


def test_a_stop_before_there_is_anything_to_report_says_so(tmp_path):
    with pytest.raises(StoppedTooEarly, match="stopped after 0 of 80 deals; the same"):
        tournament(settings(out=tmp_path), lambda: True)


# --- What cannot be done --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"agents": ("greedy",)}, "takes two agents or more; agents names 'greedy' alone"),
        ({"agents": ()}, "no agents"),
        ({"agents": ("greedy", "random", "./greedy")}, "names 'greedy' twice"),
        ({"agents": ("greedy", "nobody")}, "there is no agent 'nobody'"),
        ({"agents": ("greedy", "/tmp")}, "holds no trained agent"),
        ({"deals": 29}, "deals=29"),
        ({"deals": 100, "precision": 0.1}, "were both given"),
        ({"precision": math.nan}, "precision=nan"),
        ({"max_deals": 1000}, "goes with a precision"),
        ({"confidence": 0.0}, "confidence"),
        ({"cores": 0}, "cores=0"),
        ({"players": 10}, "players=10"),
        ({"rules": ("loud",)}, "no preset"),
        ({"game": "chess"}, "is no game"),
        ({"seed": -1}, "seed=-1"),
        ({"alpha_rank": True}, "alpha_rank takes 2 players, not 3"),
        ({"out": __file__}, "is a file; give a folder"),
    ],
)
def test_bad_settings_get_a_sentence(changes, words):
    with pytest.raises((SettingsError, PlayerError, RulesError), match=words) as got:
        tournament(settings(**changes))
    assert "\n" not in str(got.value)


@every_game
def test_an_agent_of_another_game_is_refused(game, monkeypatch):
    other = next(each for each in games.names() if each != game)
    load = agents.load
    monkeypatch.setattr(agents, "load", lambda name, _, **more: load(name, other, **more))
    with pytest.raises(PlayerError, match=f"plays {other}, not {game}"):
        tournament(settings(game=game))


def test_folders_of_other_deals_or_damaged_are_refused(tmp_path, few_resamples):
    evaluate.evaluate(evaluate.Settings(out=tmp_path / "evaluation", deals=30))
    with pytest.raises(Differs, match="among='greedy', not 'tournament'"):
        tournament(Settings(out=tmp_path / "evaluation", deals=30))
    tournament(settings(out=tmp_path / "x"))
    with pytest.raises(Differs, match="seed=5, not 6"):
        tournament(settings(out=tmp_path / "x", seed=6))
    with pytest.raises(Differs, match="among='tournament', not 'greedy'"):
        evaluate.evaluate(
            evaluate.Settings(game=GAMES[1], players=3, seed=5, deals=30, out=tmp_path / "x")
        )
    path = tmp_path / "x" / FILE
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(SettingsError, match=r"cannot be read \(.+\); restore it, or remove"):
        tournament(settings(out=tmp_path / "x"))


def test_deals_that_seat_agents_too_seldom_for_an_interval_are_refused(many):
    absent = set(range(20)) - set(mixed_tables(20, 2, seed=5).holders(np.arange(30)).ravel())
    assert absent
    with pytest.raises(SettingsError, match=r"at too few mixed tables .*; give 300 or more"):
        tournament(settings(players=2, agents=many(20, GAMES[1]), deals=30))

"""Observations that end with the last events of the round, as their seat saw them.

What an event holds is judged by the twins (``tests/test_twin.py``); here is what holds for all
games: whose events they are, when they are forgotten, what they must not tell, and when they are
perfect recall.
"""

import copy
import dataclasses
import pickle
from collections import defaultdict
from typing import Any

import gymnasium
import numpy as np
import pytest

import agents
import cardenv
from agents.learned import Learned, describe_training
from agents.network import Network
from agents.policies import play_to_the_end
from cardenv import games
from cardenv.envs.aec import TableEnv
from cardenv.envs.gymnasium import LearnerEnv, LearnerVectorEnv
from cardenv.envs.learner import LearnerTables
from cardenv.envs.sb3 import LearnerVecEnv
from cardenv.history import MOST_EVENTS
from cardenv.players import PlayerError, ask
from cardenv.rules import RulesError
from cardenv.table import Tables
from tests.cases import (
    every_game,
    every_kind_of_table,
    last_cards,
    maker,
    players_of,
    short_rules,
)
from tests.playing import next_action
from tests.test_leaks import look_again, permute_hidden

FEW, MANY = 5, 200


def history_of(tables: Tables, observations: Any) -> Any:
    """Return the events of observations: uint8 ``[n, history, event]``."""
    blocks = observations[:, tables.layout.base_size :]
    return blocks.reshape(len(observations), tables.history, tables.layout.layout.event_size)


def random_actions(tables: Tables, live: Any) -> Any:
    """Draw a legal action for each table, by its key alone."""
    return ask(agents.load("random", tables.game), tables, live)


# --- Settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("history", [-1, 256, 1.5, "3", True, None])
@every_game
def test_a_history_is_a_number_of_events_up_to_255(game: str, history: Any) -> None:
    made = (
        lambda: Tables(game, 1, 2, history=history),
        lambda: TableEnv(game, 2, history=history),
        lambda: LearnerTables(game, ["random"], history=history),
    )
    for make in made:
        with pytest.raises(RulesError, match=r"^history=.* not possible; give .* 0 to 255\.$"):
            make()


@every_game
def test_every_environment_takes_a_history(game: str) -> None:
    plain = Tables(game, 1, 3).layout
    size = plain.size + FEW * games.get(game).layout.event_size
    others = ["random"] * 2
    envs = (
        LearnerEnv(game, others, history=FEW),
        LearnerVectorEnv(game, 1, others, history=FEW),
        LearnerVecEnv(game, 1, others, history=FEW),
        gymnasium.make(f"cardenv/{game.capitalize()}-v0", opponents=others, history=FEW),
    )
    for env in envs:
        space = getattr(env, "single_observation_space", env.observation_space)
        assert space.shape == (size,)
        env.reset()
        env.close()
    env = maker(game, "env")(num_players=3, history=FEW)
    env.reset(seed=1)
    assert env.last()[0]["observation"].shape == (size,)
    assert env.layout["event_seat"].length == games.get(game).rules.MAX_PLAYERS


@every_game
def test_an_event_is_as_long_as_its_fields_and_all_have_names(game: str) -> None:
    tables = Tables(game, 7, 2, history=FEW)
    event = games.get(game).layout.event
    views = tables.layout.view(tables.observations)
    for field in event:
        more = () if field.length == 1 else (field.length,)
        assert views[field.name].shape == (7, FEW, *more)
    assert set(views) == set(games.get(game).layout.names) | {field.name for field in event}
    assert tables.layout.size == len(tables.layout.high) == tables.observations.shape[1]
    names = [name for _, name, _, _, _ in tables.layout.table()]
    assert names == list(views)
    place = tables.layout.table()[names.index("event_action")][0]
    start = tables.layout.base_size + event[0].length
    assert place.startswith(f"{start}-")
    assert place.endswith(f"(+{sum(field.length for field in event)} an event)")


@every_game
def test_without_a_history_a_layout_is_what_it_was_and_each_history_has_its_own(game: str) -> None:
    found = games.get(game)
    rules = found.rules()
    bare = dataclasses.replace(found.layout, event=())
    assert found.layout.sized(3, rules).digest() == bare.sized(3, rules).digest()
    digests = {found.layout.sized(3, rules, history).digest() for history in range(20)}
    assert len(digests) == 20


# --- A history adds and takes nothing else --------------------------------------------------------


@every_kind_of_table
def test_games_are_the_same_with_and_without_a_history(table: Any) -> None:
    plain, remembering = (
        Tables(table.game, 40, table.players, rules=table.rules, episode=table.episode, history=k)
        for k in (0, FEW)
    )
    for tables in (plain, remembering):
        tables.reset(seed=3)
    for _ in range(60):
        live = np.flatnonzero(plain.turn >= 0)
        actions = random_actions(plain, live)
        for tables in (plain, remembering):
            tables.step(actions, live)
        for name in plain.rows.dtype.names:
            assert np.array_equal(plain.rows[name], remembering.rows[name]), name
        size = plain.layout.size
        assert np.array_equal(plain.observations, remembering.observations[:, :size])
        assert np.array_equal(plain.masks, remembering.masks)
        assert np.array_equal(plain.states(), remembering.states())


@every_kind_of_table
def test_a_shorter_history_is_the_beginning_of_a_longer_one(table: Any) -> None:
    short, long = (
        Tables(table.game, 30, table.players, rules=table.rules, episode=table.episode, history=k)
        for k in (FEW, MANY)
    )
    for tables in (short, long):
        tables.reset(seed=4)
    for _ in range(60):
        live = np.flatnonzero(short.turn >= 0)
        actions = random_actions(short, live)
        for tables in (short, long):
            tables.step(actions, live)
        for seat in range(table.players):
            seen = [each.observe(np.full(30, seat)) for each in (short, long)]
            assert np.array_equal(seen[0], seen[1][:, : seen[0].shape[1]])


@every_game
def test_a_round_begins_without_events_and_each_decision_adds_one(game: str) -> None:
    tables = Tables(game, 60, 3, rules=short_rules(game), episode="match", history=FEW)
    tables.reset(seed=1)
    events, rounds, later = np.zeros(60, int), np.zeros(60, int), 0
    greedy = agents.load("greedy", game)
    for _ in range(200):
        live = np.flatnonzero(tables.turn >= 0)
        tables.step(ask(greedy, tables, live), live)
        events[live] += 1
        dealt = (tables.rows["rounds"] != rounds) & (tables.turn >= 0)
        events[dealt], rounds = 0, tables.rows["rounds"].copy()
        later += dealt.sum()
        seen = history_of(tables, tables.observe(np.zeros(60, int)))
        noted = tables.layout.view(tables.observe(np.zeros(60, int)))["event_seat"].sum(axis=2)
        expected = np.arange(FEW) < np.minimum(events, FEW)[:, None]
        assert np.array_equal(noted, expected)
        assert np.array_equal(seen.any(axis=2), expected)
    assert later > 20


@every_game
def test_an_event_names_its_seat_as_the_observer_counts(game: str) -> None:
    players = players_of(game)[1]
    tables = Tables(game, 50, players, episode="round", history=FEW)
    tables.reset(seed=1)
    for _ in range(10):
        live = np.flatnonzero(tables.turn >= 0)
        turn = tables.turn[live].astype(int)
        tables.step(random_actions(tables, live), live)
        for seat in range(players):
            view = tables.layout.view(tables.observe(np.full(len(live), seat), live))
            newest = view["event_seat"][:, 0]
            assert np.array_equal(newest.argmax(axis=1), (turn - seat) % players)


# --- Nothing that a seat has not seen -------------------------------------------------------------


@every_kind_of_table
def test_a_history_depends_on_nothing_that_its_seat_cannot_see(table: Any) -> None:
    env = maker(table.game)(**table.settings, history=FEW)
    tables, rng = env._tables, np.random.default_rng(table.players)
    env.reset(seed=table.players)
    for _ in range(100):
        if not env.agents:
            env.reset()
        seat, kept = int(rng.integers(table.players)), tables.rows.copy()
        seen = tables.observe(np.array([seat]))
        permute_hidden(tables, seat, rng)
        hide_draws(tables, seat, rng)
        assert np.array_equal(tables.observe(np.array([seat])), seen)
        key = rng.integers(2**63, size=1, dtype=np.uint64)
        tables.kernels.resample(tables.rows, tables.record, np.array([seat]), key)
        assert np.array_equal(tables.observe(np.array([seat])), seen)
        tables.rows[0] = kept[0]
        look_again(tables)
        env.step(next_action(env, rng))


def drawers_of(tables: Tables) -> Any:
    """Return who drew the cards of each event of the first table: ``[events, drawers]``."""
    row = tables.row(0)
    drawers = np.arange(row.event_draws.shape[1])
    return (row.event_seat[:, None].astype(int) + drawers) % tables.players


def hide_draws(tables: Tables, seat: int, rng: np.random.Generator) -> None:
    """Let others have drawn other cards."""
    sets = tables.row(0).event_sets
    drawn = sets[:, sets.shape[1] - tables.row(0).event_draws.shape[1] :]
    others = drawers_of(tables) != seat
    drawn[others] = rng.integers(2**31, size=others.sum())


@every_kind_of_table
def test_a_resampled_row_holds_no_draw_of_another_seat(table: Any) -> None:
    tables = Tables(table.game, 1, table.players, rules=table.rules, history=FEW)
    tables.reset(seed=2)
    for step in range(60):
        if tables.turn[0] < 0:
            tables.reset()
        seat = step % table.players
        hidden = tables.rows.copy()
        key = np.array([step], np.uint64)
        tables.kernels.resample(tables.rows, tables.record, np.array([seat]), key)
        sets = tables.row(0).event_sets
        drawn = sets[:, sets.shape[1] - tables.row(0).event_draws.shape[1] :]
        others = drawers_of(tables) != seat
        assert not drawn[others].any()
        before = hidden["event_sets"][0][:, sets.shape[1] - drawn.shape[1] :]
        assert np.array_equal(drawn[~others], before[~others])
        tables.rows[:] = hidden
        tables.step(random_actions(tables, np.array([0])))


# --- Perfect recall -------------------------------------------------------------------------------


def deals_alike(tables: Tables, number: int, rng: np.random.Generator) -> Any:
    """Return a deck for each table, so many different ones, of which two by two look alike.

    The first of two players cannot tell these: the second one's cards and the last ones change
    places, those between lie open or become his.
    """
    cards, hand = np.array(tables.rules.cards), int(tables.rows["hand"][0, 0]).bit_count()
    unseen = [*range(hand, 2 * hand), *range(2 * hand + 3, len(cards))]
    decks = np.array([rng.permutation(cards) for _ in range(number // 2)]).repeat(2, axis=0)
    for deck in decks[1::2]:
        deck[unseen] = rng.permutation(deck[unseen])
    return decks.repeat(tables.count // number, axis=0)


@pytest.mark.bulk
@every_game
def test_where_the_history_covers_the_round_it_is_perfect_recall(game: str) -> None:
    """Two courses of a round never look the same to a seat, and one never looks two ways.

    A course is all that the seat has observed since the deal, before each decision of anybody. Many
    tables play the same few deals of a small pack, so that many come to one position by two ways.
    """
    players = 2
    rules = games.get(game).rules(pack=last_cards(game, players, more=4))
    tables = Tables(game, 800, players, rules=rules, episode="round", history=MANY)
    rng = np.random.default_rng(1)
    tables.reset(seed=1)
    tables.reset(deck=deals_alike(tables, 20, rng), first=0)
    base = tables.layout.base_size
    courses: dict[tuple[int, bytes], int] = {}
    course_of: dict[bytes, int] = {}
    seen_in: dict[int, bytes] = {}
    ways: dict[bytes, set[int]] = defaultdict(set)
    hands: dict[int, set[int]] = defaultdict(set)
    course = np.full((players, tables.count), -1)
    live = np.arange(tables.count)
    for step in range(MANY):
        for seat in range(players):
            observed = tables.observe(np.full(len(live), seat), live)
            for table, seen in zip(live.tolist(), observed, strict=True):
                link = (int(course[seat, table]) * players + seat, seen[:base].tobytes())
                number = courses.setdefault(link, len(courses))
                course[seat, table] = number
                whole = bytes([seat]) + seen.tobytes()
                assert course_of.setdefault(whole, number) == number, "two courses look the same"
                assert seen_in.setdefault(number, whole) == whole, "one course looks two ways"
                ways[bytes([seat, step]) + seen[:base].tobytes()].add(number)
                hands[number].add(int(tables.rows["hand"][table, 1 - seat]))
        live = live[tables.turn[live] >= 0]
        if not live.size:
            break
        tables.step(random_actions(tables, live), live)
    assert sum(len(each) > 1 for each in ways.values()) > 20, "no position came about two ways"
    assert sum(len(each) > 1 for each in hands.values()) > 20, "no course was that of two deals"


@every_game
def test_what_is_older_than_the_history_is_forgotten(game: str) -> None:
    tables = Tables(game, 1, 2, episode="round", history=FEW)
    for seed in range(200):
        tables.reset(seed=seed)
        while tables.turn[0] >= 0 and tables.rows["events"][0] < 2 * FEW:
            tables.step(random_actions(tables, np.array([0])))
        if tables.turn[0] >= 0:
            break
    row = tables.row(0)
    assert row.events == 2 * FEW
    before = tables.observe(np.array([0]))
    row.events += FEW  # the same ring, as if more had come before
    assert np.array_equal(tables.observe(np.array([0])), before)


# --- Copies and states ----------------------------------------------------------------------------


@every_game
def test_a_table_goes_on_from_its_state_with_its_events(game: str) -> None:
    first, second = (Tables(game, 30, 3, history=FEW) for _ in range(2))
    first.reset(seed=1)
    first.play_randomly(9)
    second.load_state_dict(first.state_dict())
    third = pickle.loads(pickle.dumps(copy.deepcopy(first)))
    for tables in (first, second, third):
        tables.play_randomly(50)
    for tables in (second, third):
        assert np.array_equal(tables.observations, first.observations)
        assert np.array_equal(tables.rows["event_sets"], first.rows["event_sets"])
    assert history_of(first, first.observations).any()
    with pytest.raises(ValueError, match=r"tables\.rows must be"):
        Tables(game, 30, 3).load_state_dict(first.state_dict())


# --- Players --------------------------------------------------------------------------------------


@every_game
def test_the_size_of_observations_tells_how_many_seats_they_are_for(game: str) -> None:
    from agents.policies import _size_without_history

    found = games.get(game)
    for seats in range(2, found.rules.MAX_PLAYERS + 1):
        base = found.layout.shared_size + seats * found.layout.seat_size
        for history in range(MOST_EVENTS + 1):
            size = base + history * found.layout.event_size
            assert _size_without_history(found, size) == base
    assert _size_without_history(found, base + 1) is None


@pytest.mark.parametrize("history", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@every_game
def test_heuristics_and_search_play_as_without_a_history(game: str, history: int) -> None:
    players = players_of(game)[1]
    plain, remembering = (
        Tables(game, 60, players, episode="round", history=each) for each in (0, history)
    )
    named = [agents.load(name, game) for name in agents.names(game)]
    seating = np.arange(60 * players).reshape(60, players) % len(named)
    for tables in (plain, remembering):
        tables.reset(seed=1)
        tables.play_randomly(4)
    for player in named:
        live = np.flatnonzero(plain.turn >= 0)
        chosen = [
            player.act(each.observations[live], each.masks[live], each.play_keys(live))
            for each in (plain, remembering)
        ]
        assert np.array_equal(*chosen)
    search = agents.load("ismcts:30", game)
    some = np.flatnonzero(plain.turn >= 0)[:3]
    assert np.array_equal(search.act_at(plain, some), search.act_at(remembering, some))
    for tables in (plain, remembering):
        play_to_the_end(named, seating, tables)
    assert np.array_equal(plain.score, remembering.score)
    assert np.array_equal(plain.rows["moves"], remembering.rows["moves"])


@every_game
def test_what_heuristics_do_in_compiled_code_is_remembered(game: str) -> None:
    """A learner between them sees what tables show that are stepped one decision at a time."""
    learner = LearnerTables(game, ["greedy"] * 2, 20, episode="round", history=FEW, learner_seat=1)
    learner.reset(seed=1)
    tables = Tables(game, 20, 3, episode="round", history=FEW)
    greedy, compared = agents.load("greedy", game), 0
    tables.reset(seed=1)
    assert not learner.skipped_rounds.any()
    while True:
        while True:
            live = np.flatnonzero((tables.turn >= 0) & (tables.turn != 1))
            if not live.size:
                break
            tables.step(ask(greedy, tables, live), live)
        live = np.flatnonzero(~learner.ended)
        assert np.array_equal(tables.observations[live], learner.tables.observations[live])
        compared += history_of(tables, tables.observations[live]).any(axis=2).sum()
        if not live.size:
            break
        actions = random_actions(tables, live)
        learner.step(actions, live)
        tables.step(actions, live)
    assert compared > 100


def network_for(tables: Tables) -> Learned:
    """Return an agent with random weights, as if trained at such tables."""
    rng = np.random.default_rng(1)
    shape = (tables.layout.size, tables.masks.shape[1])
    weights = rng.normal(size=shape).astype(np.float32)
    network = Network((weights,), (np.zeros(shape[1], np.float32),))
    return Learned("remembers", network, describe_training(tables))


@pytest.mark.parametrize("trained", [0, FEW])
@every_game
def test_an_agent_plays_where_its_events_are_and_is_refused_elsewhere(
    game: str, trained: int, tmp_path: Any
) -> None:
    own, more, less = (
        Tables(game, 30, 3, history=history) for history in (trained, MANY, max(0, trained - 1))
    )
    player = network_for(own)
    player.save(tmp_path)
    player = Learned.load(tmp_path)
    for tables in (own, more):
        player.check(tables)
        tables.reset(seed=1)
        tables.play_randomly(7)
    chosen = [player.act(each.observations, each.masks, each.play_keys()) for each in (own, more)]
    assert np.array_equal(*chosen)
    if trained:
        with pytest.raises(PlayerError, match=f"history={trained}, here it is {trained - 1}"):
            player.check(less)


@every_game
def test_an_agent_that_states_no_history_was_trained_without(game: str) -> None:
    tables = Tables(game, 1, 3)
    player = network_for(tables)
    del player.description["history"]
    player.check(tables)
    player.check(Tables(game, 1, 3, history=FEW))


# --- A game from outside --------------------------------------------------------------------------


def test_the_notebooks_game_has_events(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    from tests.test_registry import SOURCE

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(games, "_games", dict(games._games))
    (tmp_path / "noted_card.py").write_text(SOURCE.replace('"high_card"', '"noted_card"'))
    cardenv.register(importlib.import_module("noted_card"))
    tables = Tables("noted_card", 1, 3, history=2)
    tables.reset(seed=1, first=0)
    swapped = int(tables.rows["card"][0, 0])
    tables.step(np.array([1]))
    drawn = int(tables.rows["card"][0, 0])
    tables.step(np.array([0]))
    for seat in range(3):
        view = tables.layout.view(tables.observe(np.array([seat]))[0])
        assert view["event_seat"].argmax(axis=1).tolist() == [(1 - seat) % 3, (0 - seat) % 3]
        assert view["event_action"].argmax(axis=1).tolist() == [0, 1]
        assert np.flatnonzero(view["event_opened"][1]).tolist() == [swapped]
        assert np.flatnonzero(view["event_drawn"][1]).tolist() == ([drawn] if seat == 0 else [])
        assert view["event_draws"].tolist() == [0, 1]

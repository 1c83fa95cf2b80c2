"""Heuristics: greedy is the fixed yardstick, the expert is always legal, and neither can cheat."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from cardenv.cards import CARDS
from cardenv.games.schwimmen import PASS, REDRAW, STOP, Rules
from cardenv.players import Player, PlayerError
from cardenv.table import Tables
from experiments.evaluate import Settings, measure
from tests.rules.schwimmen_scene import Round

GAMES = 20
NAMES = ("greedy", "expert")
OVER_20 = tuple(card for card in range(CARDS) if card % 8 > 2)
SWITCHES: tuple[dict[str, Any], ...] = (
    {},
    {"stop_after": "others"},
    {"stop_after": "none"},
    {"redraw789": "same_suit"},
    {"redraw789": "off"},
    {"reveal": "choice"},
    {"aces_value": 32},
    {"aces_value": 33, "fire": True},
    {"max_laps": 1},
    {"lives": 0, "all_out": "draw"},
    {"lives": 1, "reward": "rounds"},
    {"lives": 9},
)


def choice(name: str, scene: Round) -> str:
    """Return the name of the action that a heuristic takes for the deciding seat."""
    tables = scene.tables
    player = agents.load(name, "31")
    action = player.act(tables.observations, tables.masks, tables.play_keys())[0]
    return scene.actions[int(action)]


def play_out(tables: Tables, player: Player) -> None:
    """Play all tables to the end; ``Tables.step`` refuses an action that is not legal."""
    while (which := np.flatnonzero(tables.turn >= 0)).size:
        actions = player.act(
            tables.observations[which], tables.masks[which], tables.play_keys(which)
        )
        tables.step(actions, which)


def positions(players: int, **settings: Any) -> Tables:
    """Return tables at all stages of rounds that the expert plays."""
    tables = Tables("31", 400, players, episode="round", **settings)
    tables.reset(seed=11)
    player = agents.load("expert", "31")
    for step in range(5 * players):
        moving = np.flatnonzero((tables.turn >= 0) & (np.arange(400) % (5 * players) > step))
        if moving.size:
            keys = tables.play_keys(moving)
            tables.step(player.act(tables.observations[moving], tables.masks[moving], keys), moving)
    return tables


def acts(name: str, tables: Tables, which: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what a heuristic does at some tables."""
    keys = tables.play_keys(which)
    return agents.load(name, "31").act(tables.observations[which], tables.masks[which], keys)


# --- The yardstick ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("♠K ♠9 ♥J", "keep"),  # 19
        ("♠K ♠8 ♥J", "change"),  # 18
        ("♦7 ♥7 ♠7", "keep"),  # 30.5
        ("♠A ♥K ♦Q", "change"),  # 11
    ],
)
def test_greedy_keeps_a_hand_of_19(hand: str, expected: str) -> None:
    assert choice("greedy", Round(hand, "♣7 ♣8 ♦9", pile="♥8 ♣Q ♦A")) == expected


@pytest.mark.parametrize(
    ("hand", "middle", "expected"),
    [
        ("♠K ♠8 ♥J", "♠9 ♣Q ♦A", "swap hand 1 for middle 2"),  # 27 by ♥J for ♠9
        ("♠K ♠8 ♥J", "♥9 ♣Q ♦7", "swap hand 2 for middle 2"),  # 19 by ♠8 for ♥9
        ("♠7 ♠8 ♥J", "♥9 ♥Q ♥7", "swap all"),  # 26
        ("♦K ♥K ♠8", "♣8 ♣K ♦9", "swap hand 3 for middle 3"),  # 30.5
        ("♠K ♠Q ♥7", "♥8 ♥9 ♣7", "pass"),  # 20, nothing gains
        ("♦10 ♦J ♥9", "♥10 ♣Q ♠K", "pass"),  # 20 again is no gain
    ],
)
def test_greedy_takes_the_best_exchange(hand: str, middle: str, expected: str) -> None:
    scene = Round("♣9 ♦8 ♣10", hand, pile=middle).play("keep")
    assert scene.turn == 1
    assert choice("greedy", scene) == expected


def test_greedy_takes_the_lowest_action_of_equal_exchanges() -> None:
    scene = Round("♣9 ♦8 ♣7", "♦K ♥8 ♥9", pile="♦J ♦Q ♠7").play("keep")
    # 20 points: ♥8 or ♥9 (hand 2, 3) for ♦J or ♦Q (middle 1, 2); the lowest action is the first.
    assert choice("greedy", scene) == "swap hand 2 for middle 1"


def test_greedy_stops_at_26_once_it_may() -> None:
    scene = Round("♣9 ♦8 ♣7", "♠K ♠9 ♠7", pile="♥7 ♥8 ♣Q").play("keep")
    assert scene.value(1) == 26
    assert choice("greedy", scene) == "pass", "stop is not legal in the first lap"
    scene.play("pass", "pass")
    assert choice("greedy", scene) == "stop"


def test_greedy_exchanges_below_26_and_after_a_stop() -> None:
    below = Round("♣9 ♦8 ♣7", "♠10 ♠8 ♠7", pile="♠9 ♥8 ♣Q", stop_after="none").play("keep")
    assert "stop" in below.legal
    assert choice("greedy", below) == "swap hand 1 for middle 2"
    late = Round("♣9 ♦8 ♣7", "♠K ♠9 ♠8", pile="♥7 ♥8 ♣Q", stop_after="none").play("keep")
    assert choice("greedy", late) == "stop"
    late.play("stop")
    assert choice("greedy", late) != "stop"


@pytest.mark.parametrize("name", NAMES)
def test_a_31_is_laid_down(name: str) -> None:
    scene = Round("♣9 ♦8 ♣7", "♠K ♠A ♠Q", pile="♥7 ♥8 ♣Q", reveal="choice").play("keep")
    assert scene.turn == 1
    assert choice(name, scene) == "lay down"


def test_greedy_never_redraws() -> None:
    scene = Round("♣9 ♦8 ♣10", "♠K ♠Q ♥J", pile="♦7 ♥8 ♦9").play("keep")
    assert "redraw 7-8-9" in scene.legal
    assert choice("greedy", scene) == "pass"
    tables = Tables("31", 2000, 4, episode="round")
    tables.reset(seed=2)
    player = agents.load("greedy", "31")
    could = 0
    while (which := np.flatnonzero(tables.turn >= 0)).size:
        could += int(tables.masks[which, REDRAW].sum())
        actions = acts("greedy", tables, which)
        assert not (actions == REDRAW).any()
        tables.step(actions, which)
    assert could > 20
    assert player.name == "greedy"


# --- The expert ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 10))
@pytest.mark.parametrize("name", NAMES)
def test_every_choice_is_legal_with_every_switch(name: str, players: int) -> None:
    player = agents.load(name, "31")
    for number, switches in enumerate(SWITCHES):
        episode = "match" if number % 2 else "round"
        padded = None if number % 3 else 9
        tables = Tables(
            *("31", GAMES, players), rules=Rules(**switches), episode=episode, max_players=padded
        )
        tables.reset(seed=number)
        play_out(tables, player)
        assert (tables.turn < 0).all()
        assert np.allclose(tables.score.sum(axis=1), 0)


@pytest.mark.parametrize("name", NAMES)
def test_every_choice_is_legal_with_a_small_pack(name: str) -> None:
    rules = dataclasses.replace(Rules(), pack=OVER_20)
    tables = Tables("31", GAMES, 3, rules=rules, episode="round")
    tables.reset(seed=3)
    play_out(tables, agents.load(name, "31"))
    assert (tables.turn < 0).all()


def test_padding_changes_no_choice() -> None:
    plain, padded = (positions(3, max_players=seats) for seats in (3, 9))
    assert np.array_equal(plain.score, padded.score)
    assert np.array_equal(plain.turn, padded.turn)


def test_the_expert_takes_a_31_and_the_most_in_the_last_turn() -> None:
    scene = Round("♣9 ♦8 ♣7", "♠K ♠A ♥J", pile="♠Q ♥8 ♦9").play("keep")
    assert choice("expert", scene) == "swap hand 1 for middle 3"
    last = Round("♣9 ♦8 ♣7", "♠K ♠8 ♥J", pile="♠Q ♠9 ♦A", stop_after="none").play("keep", "stop")
    assert last.turn == 0
    assert choice("expert", last) == choice("greedy", last)


def test_expert_beats_greedy_and_greedy_beats_random() -> None:
    """Score of a round as one seat among the others, with the deal as the unit."""
    for players in (2, 3, 4, 5):
        assert low_end("expert", "greedy", players, deals=3000) > 0, f"{players} players"
        assert low_end("greedy", "random", players, deals=500) > 0, f"{players} players"


def low_end(name: str, others: str, players: int, deals: int) -> float:
    """Return the low end of the 99 % interval of one seat's score among ``others``."""
    agent, among = agents.load(name, "31"), agents.load(others, "31")
    return measure(agent, among, Settings(players=players), deals, seed=9).interval(0.99)[1]


# --- What a choice depends on -------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [2, 4, 9])
def test_a_choice_is_the_same_alone_and_anywhere_in_a_batch(name: str, players: int) -> None:
    tables = positions(players)
    which = np.flatnonzero(tables.turn >= 0)
    together = acts(name, tables, which)
    order = np.random.default_rng(1).permutation(which.size)
    assert np.array_equal(acts(name, tables, which[order]), together[order])
    alone = [acts(name, tables, which[i : i + 1])[0] for i in range(0, which.size, 7)]
    assert np.array_equal(alone, together[::7])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [2, 4, 9])
def test_a_choice_does_not_change_with_hidden_cards(name: str, players: int) -> None:
    tables = positions(players)
    which = np.flatnonzero(tables.turn >= 0)
    keys = tables.play_keys(which)
    player = agents.load(name, "31")
    before = player.act(tables.observations[which], tables.masks[which], keys)
    rows = tables.rows[which]
    seats = rows["turn"].astype(np.int64)
    hands = rows["hand"].copy()
    tables.kernels.resample(rows, tables.record, seats, keys)
    assert (rows["hand"] != hands).any(), "nothing was resampled"
    tables.rows[which] = rows
    seen = tables.observe(seats, which)
    assert np.array_equal(player.act(seen, tables.masks[which], keys), before)


def test_the_expert_uses_every_action() -> None:
    used = set()
    for players in (2, 3, 5):
        tables = Tables("31", 2000, players, rules=Rules(reveal="choice"), episode="round")
        tables.reset(seed=4)
        while (which := np.flatnonzero(tables.turn >= 0)).size:
            actions = acts("expert", tables, which)
            used |= set(actions.tolist())
            tables.step(actions, which)
    assert {PASS, STOP, REDRAW} < used
    assert len(used) == 16, "all but hold"


def test_a_heuristic_refuses_another_game() -> None:
    with pytest.raises(PlayerError, match="there is no agent"):
        agents.load("gredy", "31")

"""Mau-Mau by every combination of its switches with words or yes and no: random play goes on."""

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest

from cardenv.envs.learner import LearnerTables
from cardenv.games.maumau import Rules
from cardenv.rules import RulesError
from cardenv.table import Tables
from tests.rules.maumau_scene import ACTIONS, play_at_random

SWITCHES = {
    field.name: (1, 2) if field.name == "decks" else field.metadata["allowed"]
    for field in dataclasses.fields(Rules)
    if field.name == "decks" or isinstance(field.default, str | bool)
}
COMBINATIONS = [
    dict(zip(SWITCHES, values, strict=True)) for values in itertools.product(*SWITCHES.values())
]
DRAW, JACKS, AFTER_JACKS = (ACTIONS.index(name) for name in ("draw", "♦J→♦", "♥K→♦"))


def watched(players: int, count: int, episode: str, switches: dict[str, Any]) -> None:
    """Play a hundred steps at random: somebody is always asked, and has a legal action.

    A jack is never there without the suit it has named, and nobody draws twice in a turn.
    """
    tables = Tables("maumau", count, players, rules=Rules(**switches), episode=episode)
    tables.reset(seed=players)
    rounds, turns = tables.rows["rounds"].copy(), tables.turn.copy()

    def watch(live: Any, actions: Any) -> None:
        goes_on = (tables.turn[live] >= 0) & (tables.rows["rounds"][live] == rounds[live])
        jacks = (actions >= JACKS) & (actions < AFTER_JACKS) & goes_on
        seen = tables.layout.view(tables.observations[live[jacks]])
        assert seen["wish"].all()
        assert (seen["suit_in_force"].argmax(axis=1) == actions[jacks] & 3).all()
        drew = (actions == DRAW) & (tables.turn[live] == turns[live]) & goes_on
        assert not tables.masks[live[drew], DRAW].any()
        rounds[live], turns[live] = tables.rows["rounds"][live], tables.turn[live]

    play_at_random(tables, players, 100, watch)


def test_the_combinations_are_those_of_all_switches_with_words_or_yes_and_no():
    assert set(SWITCHES) == {
        *("reward", "decks", "mau_call", "play_after_draw", "king_wish", "actions_wild"),
        *("jack_on_jack", "start_card", "scoring"),
    }
    assert len(COMBINATIONS) == 2**8 * 3


@pytest.mark.parametrize("players", range(2, 11))
def test_each_number_of_players_always_has_a_legal_action(players):
    possible = [c for c in COMBINATIONS if c["decks"] == 2 or players <= 5]
    for switches in possible[players :: len(possible) // 3]:
        watched(players, 2, "match", switches)


@pytest.mark.bulk
@pytest.mark.parametrize("part", range(6))
def test_every_combination_always_has_a_legal_action(part):
    """Every number of players is among them, and both kinds of episode."""
    numbers = np.random.default_rng(0).permutation(len(COMBINATIONS))
    for place in range(part, len(COMBINATIONS), 6):
        switches = COMBINATIONS[numbers[place]]
        most = 10 if switches["decks"] == 2 else 5
        watched(2 + place % (most - 1), 5, ("round", "match")[place // 6 % 2], switches)


def test_a_learner_that_never_has_a_choice_is_told_so():
    """Nothing ever fits on anything: whoever plays can but draw."""
    rules = Rules(pack=(0, 9, 18), hand_size=1, max_turns=20)
    LearnerTables("maumau", ["random"], 4, rules=rules).reset(seed=1)
    with pytest.raises(RulesError, match="nothing to decide; give skip_forced=False"):
        LearnerTables("maumau", ["random"], 4, rules=rules, skip_forced=True).reset(seed=1)

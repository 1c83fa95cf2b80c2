"""What is an action and what is none; a refused one changes nothing."""

from typing import Any

import numpy as np
import pytest

from cardenv import games
from cardenv.table import IllegalAction
from tests.cases import every_game, maker, players_of, spread
from tests.playing import first_legal, next_action, random_action, whole_state

NO_NUMBERS = {
    "None": lambda legal: None,
    "a truth value": lambda legal: True,
    "NumPy's truth value": lambda legal: np.bool_(True),
    "a fraction": lambda legal: float(legal),
    "NumPy's fraction": lambda legal: np.float64(legal),
    "an array of a fraction": lambda legal: np.array(float(legal)),
    "no value": lambda legal: float("nan"),
    "text": lambda legal: str(legal),
    "a list": lambda legal: [legal],
}


@spread("make", kind=tuple(NO_NUMBERS), illegal=("raise", "lose"))
def test_what_is_no_whole_number_is_refused_in_one_way(
    game: str, make: Any, kind: str, illegal: str
) -> None:
    env = make(num_players=3, illegal=illegal)
    env.reset(seed=1)
    env.step(first_legal(env))
    action, last = NO_NUMBERS[kind](first_legal(env)), len(games.get(game).action_names) - 1
    before = whole_state(env)
    with pytest.raises(IllegalAction, match=f"no whole number; give one from 0 to {last}"):
        env.step(action)
    assert whole_state(env) == before


@spread(players=("fewest", "most"), rules=("standard", "letter", "common"))
def test_every_masked_action_is_refused_and_changes_nothing(
    game: str, players: int, rules: str
) -> None:
    env = maker(game)(num_players=players, rules=rules)
    size = len(games.get(game).action_names)
    outside = [-1, size, size + 1, 63, 64, -(2**63), 2**63 - 1, 2**80, -(2**80)]
    rng = np.random.default_rng(7)
    for seed in range(8):
        env.reset(seed=seed)
        for _ in range(12):
            observation, *_ = env.last()
            before = whole_state(env)
            for action in [*np.flatnonzero(observation["action_mask"] == 0), *outside]:
                seat = env._tables.turn[0]
                with pytest.raises(IllegalAction, match=rf"not legal for seat {seat}; legal are"):
                    env.step(action)
                assert whole_state(env) == before
            env.step(random_action(observation["action_mask"], rng))
            if any(env.terminations.values()):
                break


@every_game
def test_every_kind_of_whole_number_does_the_same(game: str) -> None:
    import torch

    kinds = [int, np.int64, np.int8, np.uint8, np.int32, np.array, torch.tensor]
    after = []
    for kind in kinds:
        env = maker(game, "env")(num_players=3)
        env.reset(seed=3)
        for _ in range(2):
            env.step(kind(first_legal(env)))
        after.append(whole_state(env))
    assert len(set(after)) == 1
    legal = first_legal(env)
    wrong = (torch.tensor(True), torch.tensor(float(legal)), torch.tensor([legal, legal]))
    for action in (*wrong, np.array(True)):
        with pytest.raises(IllegalAction, match="no whole number"):
            env.step(action)
    assert whole_state(env) == after[0]


@every_game
def test_a_second_action_is_the_next_agents_and_not_applied_to_the_first(game: str) -> None:
    env = maker(game)(num_players=players_of(game)[1], episode="round")
    rng = np.random.default_rng(1)
    refused = accepted = 0
    for seed in range(200):
        env.reset(seed=seed)
        for _ in range(seed % 3):
            env.step(next_action(env, rng))
        first, earlier = env.agent_selection, env.last()[0]["action_mask"]
        env.step(next_action(env, rng))
        if env.agent_selection == first or any(env.terminations.values()):
            continue
        seat = env.possible_agents.index(first)
        hand = env._tables.rows["hand"][0, seat].copy()
        second = int(rng.choice(np.flatnonzero(earlier)))
        if env.last()[0]["action_mask"][second]:
            env.step(second)
            accepted += 1
        else:
            acting = env.possible_agents.index(env.agent_selection)
            with pytest.raises(IllegalAction, match=f"for seat {acting};"):
                env.step(second)
            refused += 1
        assert env._tables.rows["hand"][0, seat] == hand
    assert refused > 10
    assert accepted > 10


@every_game
def test_a_random_player_does_not_take_an_empty_mask_for_action_0(game: str) -> None:
    size = len(games.get(game).action_names)
    with pytest.raises(AssertionError, match="no legal action"):
        random_action(np.zeros(size, np.int8), np.random.default_rng(0))

"""What never breaks, whatever is played: cards, hands, masks, rewards, and that every game ends."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from cardenv.table import IllegalAction, Tables
from tests.lockstep import Setting, drawn_actions
from tests.trace import tables_of
from tests.twins import ADAPTERS

ROUNDS, MATCHES_OF_A_SETTING = 100_000, 60


def preset_settings(game: str) -> list[Setting]:
    """Every preset with every number of players, about ``ROUNDS`` rounds in all."""
    adapter = ADAPTERS[game]
    kinds = [setting.episode for setting in adapter.preset_settings({"round": 1, "match": 1})]
    rounds = -(-ROUNDS // kinds.count("round"))
    return adapter.preset_settings({"round": rounds, "match": MATCHES_OF_A_SETTING})


SETTINGS = [
    pytest.param(game, setting, id=f"{game}-{number}-{setting.players}p-{setting.episode}")
    for game in ADAPTERS
    for number, setting in enumerate(preset_settings(game))
]


@pytest.mark.parametrize(("game", "setting"), SETTINGS)
def test_cards_masks_and_rewards_hold_at_every_step_of_random_play(game, setting):
    check = ADAPTERS[game].check_cards
    tables = tables_of(game, setting)
    check(tables.rows, setting)
    steps = 0
    while (live := np.flatnonzero(tables.turn >= 0)).size:
        assert tables.masks[live].any(axis=1).all()
        acting = (tables.rows["left"][live] >> tables.turn[live].astype(np.uint64)) & np.uint64(1)
        assert not acting.any()  # nobody who is out is asked
        tables.step(drawn_actions(tables, live, setting.weights), live)
        check(tables.rows[live], setting)
        steps += 1
        assert steps < 50_000
    check_ends(game, tables, setting)


def check_ends(game: str, tables: Tables, setting: Setting) -> None:
    """Assert what holds of finished games."""
    assert tables.masks.all()
    assert not tables.observations.any()
    assert np.isfinite(tables.score).all()
    assert np.abs(tables.score.sum(axis=1)).max() < 1e-9
    assert np.abs(tables.score).max() <= ADAPTERS[game].most_score(setting)
    assert not tables.rows["score"][:, setting.players :].any()
    if setting.episode == "round":
        assert tables.rows["moves"].max() <= ADAPTERS[game].most_decisions(setting)


@pytest.mark.parametrize("game", ADAPTERS)
def test_rewards_sum_to_zero_and_cards_are_kept_by_every_switch(game):
    """The same in the twin's settings: small packs, odd styles of play, every switch."""
    for setting in ADAPTERS[game].settings():
        few = dataclasses.replace(setting, seeds=setting.seeds[:40])
        tables = tables_of(game, few)
        while (live := np.flatnonzero(tables.turn >= 0)).size:
            tables.step(drawn_actions(tables, live, few.weights), live)
            ADAPTERS[game].check_cards(tables.rows[live], few)
            assert tables.masks.any(axis=1).all()
        check_ends(game, tables, few)


@pytest.mark.parametrize("game", ADAPTERS)
def test_two_hundred_resets_deal_whole_packs(game):
    """Nothing of a game is left in the next one of the same table."""
    for setting in ADAPTERS[game].preset_settings({"round": 3, "match": 3})[::5]:
        used = tables_of(game, setting)
        for _ in range(200):
            for _ in range(3):
                live = np.flatnonzero(used.turn >= 0)
                used.step(drawn_actions(used, live, setting.weights), live)
            used.reset()
            ADAPTERS[game].check_cards(used.rows, setting)
        unused = tables_of(game, setting)
        for _ in range(200):
            unused.reset()
        assert_same_rows(used.rows, unused.rows)


def assert_same_rows(first: Any, second: Any) -> None:
    """Compare field by field; the bytes between fields mean nothing."""
    for name in first.dtype.names:
        assert np.array_equal(first[name], second[name]), name


# --- Masks ----------------------------------------------------------------------------------------


def positions(game: str, setting: Setting) -> Tables:
    """Tables of a setting, each stopped at another depth of a game."""
    tables = tables_of(game, setting)
    depths = np.random.default_rng(0).integers(25, size=tables.count)
    for depth in range(25):
        live = np.flatnonzero((tables.turn >= 0) & (depth < depths))
        if live.size:
            tables.step(drawn_actions(tables, live, setting.weights), live)
    return tables


@pytest.mark.parametrize("game", ADAPTERS)
def test_actions_of_a_wrong_shape_or_type_move_no_table(game):
    setting = ADAPTERS[game].preset_settings({"round": 20, "match": 20})[0]
    tables = tables_of(game, setting)
    actions = tables.masks.argmax(axis=1)
    before = [array.copy() for array in (tables.rows, tables.observations, tables.masks)]
    for wrong in (actions[:5], actions.astype(float), actions.astype(bool), actions[None]):
        with pytest.raises(IllegalAction, match="whole numbers of shape"):
            tables.step(wrong)
    assert_same_rows(tables.rows, before[0])
    assert np.array_equal(tables.observations, before[1])
    assert np.array_equal(tables.masks, before[2])


# --- Padding --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ADAPTERS)
def test_a_padded_observation_is_the_plain_one_and_zeros(game):
    """One policy for several numbers of players: more seats in the layout change nothing else."""
    for setting in ADAPTERS[game].preset_settings({"round": 40, "match": 10}):
        most = setting.rules.most_players
        plain = tables_of(game, setting)
        padded = Tables(
            *(game, plain.count, setting.players),
            rules=setting.rules,
            episode=setting.episode,
            max_players=most,
        )
        padded.reset(seed=list(setting.seeds))
        while (live := np.flatnonzero(plain.turn >= 0)).size:
            size = plain.layout.size
            assert np.array_equal(padded.observations[:, :size], plain.observations)
            assert not padded.observations[:, size:].any()
            assert np.array_equal(padded.masks, plain.masks)
            actions = drawn_actions(plain, live, setting.weights)
            plain.step(actions, live)
            padded.step(actions, live)
        assert np.array_equal(padded.score, plain.score)

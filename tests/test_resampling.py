"""A resampled row is a possible deal, shows its seat the same, and says nothing of the true one."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2_contingency, chisquare, norm

from cardenv import games, selfcheck
from cardenv.games.maumau import DRAW, Rules
from cardenv.table import Tables
from tests.deals import DEALS
from tests.deals.finding import counted, find, resample, rows_of_all_depths, samples_of
from tests.deals.form import Deals, Position, as_bytes, is_few
from tests.lockstep import Setting, drawn_actions
from tests.particulars import PARTICULARS
from tests.test_conservation import positions
from tests.twins import ADAPTERS

DRAWN_ANEW = {"key", "hand", "hand_twice", "deck", "second_pile", "drawn_card", "tally"}
"""The fields that may change; of all others everybody knows the content."""

SETTINGS = [
    pytest.param(game, setting, id=f"{game}-{number}-{setting.players}p-{setting.episode}")
    for game, adapter in ADAPTERS.items()
    for number, setting in enumerate(adapter.settings())
    if number % 3 == 0
]

UNLIKELY = 0.001
"""A sampler is at fault where chance alone would do what it did less often than so."""


def some_positions(game: str, setting: Any) -> tuple[Tables, Any]:
    """Return tables at all depths of a game, and a seat of each."""
    tables = positions(game, dataclasses.replace(setting, seeds=setting.seeds[:40]))
    return tables, np.random.default_rng(1).integers(tables.players, size=tables.count)


def hand_sizes(game: str, rows: Any) -> Any:
    """Return how many cards each seat of each row holds."""
    return sum(np.bitwise_count(rows[name]) for name in PARTICULARS[game].HANDS)


def resampled(tables: Tables, rows: Any, seats: Any, key: int) -> Any:
    """Return copies of the rows in which what their seats cannot know is drawn anew."""
    rows = rows.copy()
    keys = np.arange(tables.count, dtype=np.uint64) + np.uint64(key * 1000)
    tables.kernels.resample(rows, tables.record, seats, keys)
    return rows


@pytest.mark.parametrize(("game", "setting"), SETTINGS)
def test_every_card_is_in_one_place_and_whatever_is_public_stays(game, setting):
    tables, seats = some_positions(game, setting)
    rows = resampled(tables, tables.rows, seats, 1)
    ADAPTERS[game].check_cards(rows, setting)
    for name in set(rows.dtype.names) - DRAWN_ANEW:
        assert np.array_equal(rows[name], tables.rows[name]), name
    sizes, before = (hand_sizes(game, each) for each in (rows, tables.rows))
    assert np.array_equal(sizes, before)


@pytest.mark.parametrize(("game", "setting"), SETTINGS)
def test_resampling_keeps_its_promise_by_every_switch(game, setting):
    where = {"players": [setting.players], "episodes": [setting.episode], "rules": [setting.rules]}
    selfcheck.run(game, games=8, promises=["resampling"], **where).check()


# --- Every sample is possible -------------------------------------------------------------------

POSITIONS, SAMPLES_OF_EACH = 500, 20
CHECKED_EVERY = 8
TABLES = [
    pytest.param(game, number, id=f"{game}-{number}-{table[0]}p-{table[2]}-{table[3]}")
    for game, deals in DEALS.items()
    for number, table in enumerate(deals.TABLES)
]


def sampled_tables(game: str, number: int) -> tuple[Tables, Setting, Any, NDArray[np.int64]]:
    """Return samples of positions of all depths, their setting, the true rows and who looks."""
    players, switches, episode, play = DEALS[game].TABLES[number]
    tables, samples = (
        Tables(game, count, players, rules=games.get(game).rules(**switches), episode=episode)
        for count in (POSITIONS, POSITIONS * SAMPLES_OF_EACH)
    )
    for each in (tables, samples):
        each.reset(seed=number)
    samples.rows[:] = np.repeat(rows_of_all_depths(tables, play), SAMPLES_OF_EACH)
    true = samples.rows.copy()
    seats = np.random.default_rng(number).integers(players, size=samples.count)
    resample(samples, seats, number)
    weights = tuple(np.broadcast_to(DEALS[game].WEIGHTS, samples.masks.shape[1]).tolist())
    return samples, Setting(players, tables.rules, episode, play, weights, range(0)), true, seats


def write_masks(tables: Tables) -> None:
    """Write the deciding seats' legal actions, after rows have been changed from outside."""
    legal, rules = tables.game.function("legal"), tables.record[0]
    actions = np.array([legal(row, rules) for row in tables.rows], np.uint64)
    tables.masks[:] = as_bytes(actions)[:, : tables.masks.shape[1]]


@pytest.mark.bulk
@pytest.mark.parametrize(("game", "number"), TABLES)
def test_every_one_of_many_samples_is_possible_and_can_be_played_to_its_end(game, number):
    """Ten thousand samples at each of ten tables a game, of random, greedy and expert play."""
    tables, setting, true, seats = sampled_tables(game, number)
    assert (tables.turn >= 0).all()
    assert np.array_equal(hand_sizes(game, tables.rows), hand_sizes(game, true))
    seen = tables.observe(seats)
    sampled, tables.rows[:] = tables.rows.copy(), true
    assert np.array_equal(seen, tables.observe(seats))
    tables.rows[:] = sampled
    write_masks(tables)
    assert tables.masks.any(axis=1).all()
    DEALS[game].check_possible(tables.rows, tables.masks, setting)
    play_to_the_end(game, tables, setting)


def play_to_the_end(game: str, tables: Tables, setting: Setting) -> None:
    """Play randomly from where the tables stand, and look after the cards on the way."""
    ADAPTERS[game].check_cards(tables.rows, setting)
    steps, live = 0, np.arange(tables.count)
    while live.size:
        tables.step(drawn_actions(tables, live, setting.weights), live)
        assert tables.masks.any(axis=1).all()
        steps += 1
        if steps % CHECKED_EVERY == 0:
            ADAPTERS[game].check_cards(tables.rows[live], setting)
        live = live[tables.turn[live] >= 0]
    ADAPTERS[game].check_cards(tables.rows, setting)
    assert np.abs(tables.score.sum(axis=1)).max() < 1e-9


# --- Samples are uniform ------------------------------------------------------------------------

SAMPLES, MANY_SAMPLES = 30_000, 50_000


def every(kind: str, wanted: Any = lambda position: True) -> pytest.MarkDecorator:
    """Parametrise over all positions of a kind in all games."""
    return pytest.mark.parametrize(
        ("game", "name"),
        [
            pytest.param(game, name, id=f"{game}-{name}")
            for game, deals in DEALS.items()
            for name, position in getattr(deals, kind).items()
            if wanted(position)
        ],
    )


def deals_found(game: str, name: str, number: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Sample a small position; return how often each possible deal came, and its weight."""
    deals, position = DEALS[game], DEALS[game].SMALL[name]
    row, seat, view = find(deals, position)
    possible = deals.possible_deals(view, position.rules)
    seed = list(deals.SMALL).index(name)
    tables = samples_of(deals, position, row, seat, number, seed)
    found, _ = counted(deals, tables, seat)
    assert found.keys() <= possible.keys(), "an impossible deal"
    times, weights = (np.array([each[deal] for deal in possible]) for each in (found, possible))
    return times, weights


def likelihood(times: NDArray[Any], weights: NDArray[Any]) -> float:
    """Return how often chance alone would be at least as far from such weights."""
    return float(chisquare(times, weights * (times.sum() / weights.sum())).pvalue)


@pytest.mark.bulk
@every("SMALL")
def test_each_possible_deal_is_sampled_as_often_as_it_can_lie(game, name):
    times, weights = deals_found(game, name, SAMPLES)
    assert likelihood(times, weights) > UNLIKELY


@pytest.mark.bulk
@every("SMALL", is_few)
def test_a_sampler_that_draws_one_deal_a_tenth_too_seldom_would_be_found(game, name):
    times, weights = deals_found(game, name, MANY_SAMPLES)
    assert likelihood(times, weights) > UNLIKELY
    times[weights.argmax()] *= 0.9
    assert likelihood(times, weights) < UNLIKELY


@pytest.mark.bulk
@every("SMALL", lambda position: position.unequal)
def test_a_sampler_that_forgets_that_equal_cards_are_two_would_be_found(game, name):
    times, weights = deals_found(game, name, MANY_SAMPLES)
    assert likelihood(times, np.ones_like(weights)) < UNLIKELY


@pytest.mark.bulk
@every("LARGE")
def test_each_unseen_card_lies_with_a_seat_as_often_as_its_hand_is_large(game, name):
    """All cards and seats at once; of two equal cards, a hand can hold both."""
    deals, position = DEALS[game], DEALS[game].LARGE[name]
    row, seat, view = find(deals, position)
    tables = samples_of(deals, position, row, seat, SAMPLES)
    hidden = deals.hidden(view, position.rules)
    cards, times = np.unique(hidden, return_counts=True)
    sizes = np.array(deals.sizes(view))[:, None]
    expected = sizes * times / len(hidden)
    variance = expected * (1 - times / len(hidden)) * (len(hidden) - sizes) / (len(hidden) - 1)
    found = cards_held(game, tables, seat)[:, cards]
    free = variance > 0  # not where all of a hand is known
    assert (found[~free] == 0).all()
    z = (found / SAMPLES - expected)[free] / np.sqrt(variance[free] / SAMPLES)
    assert 2 * norm.sf(np.abs(z).max()) * z.size > UNLIKELY


def cards_held(game: str, tables: Tables, seat: int) -> NDArray[Any]:
    """Count in how many hands of samples each card is: ``[other seats, 64]``, clockwise."""
    others = [(seat + place) % tables.players for place in range(1, tables.players)]
    held = sum(
        as_bytes(tables.rows[name][:, others]).sum(axis=0, dtype=np.int64)
        for name in PARTICULARS[game].HANDS
    )
    return np.asarray(held)


# --- The future is another one ------------------------------------------------------------------

FUTURES = 4000


def assert_unlike(decks: NDArray[Any], true: NDArray[Any]) -> None:
    """No sample's shuffle is more like the true row's, or the next sample's, than by chance."""
    size = len(true)
    times = size / len(np.unique(true))
    variance = (times * size - times**2) / (size - 1)
    for others in (np.broadcast_to(true, decks.shape), np.roll(decks, 1, axis=0)):
        # Two shuffles agree in so many places on average as each card is there.
        z = ((decks == others).sum() - times * len(decks)) / np.sqrt(variance * len(decks))
        assert 2 * norm.sf(abs(z)) > UNLIKELY


def next_decks(tables: Tables, weights: Any) -> NDArray[np.uint8]:
    """Play every table until the next round is dealt; return the order of its cards."""
    decks = tables.rows["deck"][:, : len(tables.rules.cards)].copy()
    weights = np.broadcast_to(weights, tables.masks.shape[1])
    rounds = tables.rows["rounds"].copy()
    write_masks(tables)
    live = np.arange(tables.count)
    while live.size:
        tables.step(drawn_actions(tables, live, list(weights)), live)
        assert (tables.turn[live] >= 0).all(), "the match ended before another round"
        decks[live] = tables.rows["deck"][live, : decks.shape[1]]
        live = live[tables.rows["rounds"][live] == rounds[live]]
    return decks


def samples_and_true_row(
    deals: Deals, position: Position, row: Any, seat: int, number: int
) -> Tables:
    """Return samples of a row, and the row itself as the last of them."""
    tables = samples_of(deals, position, row, seat, number + 1)
    tables.rows[-1:] = row
    return tables


@pytest.mark.bulk
@every("LARGE")
def test_the_next_round_of_every_sample_is_another_one_than_the_true_one(game, name):
    deals, position = DEALS[game], DEALS[game].LARGE[name]
    row, seat, _ = find(deals, position)
    tables = samples_and_true_row(deals, position, row, seat, FUTURES)
    decks = next_decks(tables, deals.WEIGHTS)
    assert len(np.unique(decks, axis=0)) == len(decks)
    assert_unlike(decks[:-1], decks[-1])


@pytest.mark.bulk
@every("SMALL", is_few)
def test_the_next_round_says_nothing_of_the_sampled_deal(game, name):
    """Chance to come is drawn apart from what was drawn anew, however often that had to be."""
    deals, position = DEALS[game], DEALS[game].SMALL[name]
    row, seat, _ = find(deals, position)
    tables = samples_of(deals, position, row, seat, SAMPLES, 1)
    _, deal_of_table = counted(deals, tables, seat)
    decks = next_decks(tables, deals.WEIGHTS)
    together = np.zeros((deal_of_table.max() + 1, 64), np.int64)
    np.add.at(together, (deal_of_table, decks[:, 0]), 1)
    assert chi2_contingency(together[:, together.any(axis=0)]).pvalue > UNLIKELY


@pytest.mark.bulk
def test_the_next_talon_of_mau_mau_is_another_one_in_every_sample():
    """All draw until the talon is used up: the same cards are shuffled anew everywhere."""
    deals, rules = DEALS["maumau"], Rules()
    position = Position(3, rules, nearly_drawn, most_deals=0, weights=DEALS["maumau"].WEIGHTS)
    row, seat, _ = find(deals, position)
    tables = samples_and_true_row(deals, position, row, seat, FUTURES)
    write_masks(tables)
    while not tables.rows["reshuffles"].any():
        shuffled = int(np.bitwise_count(tables.rows["discarded"][0]))
        tables.step(np.full(tables.count, DRAW))
    assert (tables.rows["reshuffles"] == 1).all()
    talons = tables.rows["deck"][:, len(rules.cards) - shuffled : len(rules.cards)]
    assert np.array_equal(np.sort(talons[0]), np.sort(talons[-1]))
    assert_unlike(talons[:-1], talons[-1])


def nearly_drawn(rows: Any) -> Any:
    """Few cards are left in the talon, many have been laid, and none has been shuffled again."""
    laid = np.bitwise_count(rows["discarded"])
    return (rows["reshuffles"] == 0) & (rows["drawn"] >= 29) & (laid >= 9)

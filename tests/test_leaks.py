"""A seat is given exactly what it may know: no more, and no less.

No more: whatever a seat cannot see is permuted, and everything it is given stays byte for byte the
same. (``cardenv.selfcheck`` does so by what the game draws anew; here by what its rules hide.) No
less: each fact that is public, changed alone, changes what every seat observes.
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from cardenv import games
from cardenv.cards import cards_in
from cardenv.selfcheck import leaks
from cardenv.selfcheck.setting import look_again
from cardenv.table import IllegalAction, Tables
from tests.cases import (
    GAMES,
    every_game,
    every_kind_of_table,
    maker,
    players_of,
    tables_of_every_kind,
)
from tests.particulars import PARTICULARS
from tests.particulars.form import SEATS, bits, give, held
from tests.playing import next_action, row_digest

# --- No more than a seat may know ---------------------------------------------------------------


def permute_hidden(tables: Tables, seat: int, rng: np.random.Generator) -> None:
    """Deal anew everything ``seat`` cannot see, in the row itself: hands, piles, key."""
    particulars, row = PARTICULARS[tables.game.name], tables.row(0)
    others = [other for other in range(tables.players) if other != seat]
    seen = Counter([*held(particulars, row, seat), *particulars.open_cards(row)])
    seen.update(card for other in others for card in particulars.known(row, other))
    everything = Counter(tables.rules.cards)
    assert seen <= everything, "a card is in two places"
    hidden = rng.permutation([*(everything - seen).elements()]).tolist()

    def draw(count: int) -> list[int]:
        drawn = hidden[:count]
        del hidden[:count]
        return drawn

    for other in others:
        known = particulars.known(row, other)
        unknown = draw(len(held(particulars, row, other)) - len(known))
        give(particulars, row, other, [*known, *unknown])
    for place in particulars.UNSEEN:
        setattr(row, place, bits(draw(int(getattr(row, place)).bit_count())))
    for name, values in particulars.SECRETS.items():
        if row.turn != seat:
            setattr(row, name, rng.integers(values))
    assert len(hidden) == len(tables.rules.cards) - int(row.drawn), "a card is nowhere"
    dealt = [*(everything - Counter(hidden)).elements()]
    row.deck[: len(tables.rules.cards)] = [*rng.permutation(dealt), *hidden]
    row.key = rng.integers(2**63)


def given_to(env: Any, agent: str) -> dict[str, bytes]:
    """Return everything the environment gives an agent, error texts and pictures included."""
    given = leaks.given_to(env, agent)
    if agent == env.agent_selection and env.agents:
        given["last"] = repr(env.last()[1:]).encode()
        if not env.terminations[agent]:
            given["errors"] = repr(error_texts(env)).encode()
    return given


def differing(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    """Return the names under which two times something else was given."""
    return [name for name in before if before[name] != after[name]]


def error_texts(env: Any) -> list[str]:
    """Return what actions outside of the game's numbers, and some illegal ones, are answered."""
    illegal = np.flatnonzero(env._tables.masks[0] == 0)
    texts = []
    for action in (None, -1, *illegal[:2], *illegal[-2:], env._tables.masks.shape[1]):
        with pytest.raises(IllegalAction) as caught:
            env.step(action)
        texts.append(str(caught.value))
    return texts


@every_kind_of_table
def test_nothing_a_seat_is_given_depends_on_what_it_cannot_see(table: Any) -> None:
    env = maker(table.game)(**table.settings, render_mode="ansi")
    tables, rng = env._tables, np.random.default_rng(table.players)
    env.reset(seed=table.players)
    for _ in range(150):
        if not env.agents:
            env.reset()
        seat = int(rng.integers(table.players))
        if rng.random() < 0.4:
            seat = env.possible_agents.index(env.agent_selection)
        agent = env.possible_agents[seat]
        kept = tables.rows.copy()
        expected = given_to(env, agent)
        for _ in range(2):
            permute_hidden(tables, seat, rng)
            assert row_digest(tables.rows) != row_digest(kept)
            look_again(tables)
            told = differing(expected, given_to(env, agent))
            assert not told, f"{agent} can tell what it cannot see"
        tables.rows[0] = kept[0]
        look_again(tables)
        env.step(next_action(env, rng))


@every_game
def test_the_positions_of_the_leak_test_are_of_every_kind(game: str) -> None:
    kinds: Counter[str] = Counter()
    for table in tables_of_every_kind(game):
        env = maker(game)(**table.settings)
        rng = np.random.default_rng(table.players)
        env.reset(seed=table.players)
        for _ in range(150):
            if not env.agents:
                env.reset()
            kinds.update(PARTICULARS[game].kinds(env._tables.row(0)))
            env.step(next_action(env, rng))
    assert set(kinds) == PARTICULARS[game].KINDS, kinds


@every_game
def test_the_leak_test_would_find_a_leak(game: str) -> None:
    # A hidden card that the picture or the observation shows must make the comparison fail.
    env = maker(game)(num_players=3, render_mode="ansi")
    env.reset(seed=1)
    others = ("player_0", "player_1")
    before, state = [given_to(env, agent) for agent in others], env.state().tobytes()
    permute_hidden(env._tables, 0, np.random.default_rng(1))
    look_again(env._tables)
    told = [differing(old, given_to(env, agent)) for agent, old in zip(others, before, strict=True)]
    assert not told[0]
    assert {"observation", "picture"} <= set(told[1])
    changed = env.state().tobytes() != state
    assert changed


@every_game
def test_resampling_moves_every_card_that_a_seat_cannot_place(game: str) -> None:
    """Each of them is found in another place by some of many draws, the future's key among them."""
    players = players_of(game)[1]
    tables = Tables(game, 1, players, episode="round")
    tables.reset(seed=1)
    row, seat = tables.row(0).copy(), 0
    many = np.repeat(tables.rows, 400)
    keys = np.arange(1, 401, dtype=np.uint64)
    tables.kernels.resample(many, tables.record, np.full(400, seat), keys)
    assert len(np.unique(many["key"])) == 400
    assert row.key not in many["key"]
    assert (many["hand"][:, seat] == row.hand[seat]).all()
    seen = {*cards_in(row.hand[seat]), *PARTICULARS[game].open_cards(tables.row(0))}
    unseen = {*tables.rules.cards} - seen
    for other in set(range(players)) - {seat}:
        held = int(np.bitwise_or.reduce(many["hand"][:, other]))
        assert set(cards_in(held)) == unseen


# --- No less than a seat may know ---------------------------------------------------------------

EVERY_FACT = [
    pytest.param(game, fact, id=f"{game}-{fact}")
    for game in GAMES
    for fact in PARTICULARS[game].PUBLIC
]


def observed(tables: Tables, seat: int) -> dict[str, bytes]:
    view = tables.layout.view(tables.observe(np.array([seat]))[0])
    return {name: np.ascontiguousarray(field).tobytes() for name, field in view.items()}


@pytest.mark.parametrize(("game", "fact"), EVERY_FACT)
def test_every_public_fact_is_in_what_every_seat_observes(game: str, fact: str) -> None:
    for seat in range(SEATS):
        tables = PARTICULARS[game].position()
        before = observed(tables, seat)
        PARTICULARS[game].PUBLIC[fact].change(tables.row(0))
        changed = set(differing(before, observed(tables, seat)))
        assert changed, f"seat {seat} does not see {fact}"
        assert changed <= PARTICULARS[game].PUBLIC[fact].fields


@every_game
def test_the_own_hand_is_observed_by_its_seat_alone(game: str) -> None:
    for seat in range(SEATS):
        tables = PARTICULARS[game].position()
        before = [observed(tables, each) for each in range(SEATS)]
        row = tables.row(0)
        held, other = PARTICULARS[game].exchanged(seat)
        assert int(row.hand[seat]) >> held & 1
        row.hand[seat] = int(row.hand[seat]) ^ bits([held, other])
        for each in range(SEATS):
            changed = set(differing(before[each], observed(tables, each)))
            assert changed == (PARTICULARS[game].OWN if each == seat else set())


@every_game
def test_every_field_tells_of_some_fact(game: str) -> None:
    facts = PARTICULARS[game].PUBLIC.values()
    told = PARTICULARS[game].OWN.union(*(fact.fields for fact in facts))
    assert told.isdisjoint(PARTICULARS[game].CONSTANT)
    assert told | PARTICULARS[game].CONSTANT == set(games.get(game).layout.names)

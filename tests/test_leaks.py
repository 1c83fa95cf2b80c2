"""A seat is given exactly what it may know: no more, and no less.

No more: whatever a seat cannot see is permuted, and everything it is given stays byte for byte the
same. No less: each fact that is public, changed alone, changes what every seat observes.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from cardenv import schwimmen_v0
from cardenv.cards import cards_in
from cardenv.games import schwimmen
from cardenv.games.schwimmen import PHASES, Rules
from cardenv.table import IllegalAction, Tables
from tests.playing import next_action, row_bytes

RULES = {
    "standard": Rules(lives=1),
    "letter": Rules.preset("letter", lives=0, stop_after="none"),
    "common": Rules.preset("common", lives=1, redraw789="same_suit", stop_after="others"),
    "rounds": Rules(lives=1, reveal="choice", reward="rounds", all_out="draw", max_laps=2),
}

# --- No more than a seat may know ---------------------------------------------------------------


def permute_hidden(row: Any, rules: Any, seat: int, rng: np.random.Generator) -> None:
    """Deal anew everything ``seat`` cannot see, in the row itself: hands, pile, talon, key."""
    seen = int(row.hand[seat]) | int(row.middle) | int(row.gone)
    for other in range(rules.players):
        seen |= int(row.known[other])
    hidden = [int(card) for card in rng.permutation(cards_in(int(rules.pack) & ~seen))]
    for other in range(rules.players):
        unknown = int(row.hand[other]).bit_count() - int(row.known[other]).bit_count()
        if other != seat:
            row.hand[other] = int(row.known[other]) | bits(hidden[:unknown])
            del hidden[:unknown]
    if row.second_pile:
        row.second_pile = bits(hidden[:3])
        del hidden[:3]
    talon = int(rules.pack_size) - int(row.drawn)
    assert len(hidden) == talon, "a card is in two places, or in none"
    dealt = [card for card in cards_in(rules.pack) if card not in hidden]
    row.deck[: rules.pack_size] = [*rng.permutation(dealt), *hidden]
    row.key = rng.integers(2**63)


def bits(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


def look_again(tables: Tables) -> None:
    """Write the buffers of the deciding seat anew, after the row was changed by hand."""
    turn = int(tables.turn[0])
    if turn >= 0:
        tables.observations[0] = tables.observe(np.array([turn]))[0]
        actions = int(tables.game.function("legal")(tables.rows[0], tables.record[0]))
        tables.masks[0] = [actions >> action & 1 for action in range(tables.masks.shape[1])]


def given_to(env: Any, agent: str) -> list[bytes]:
    """Return everything the environment gives an agent, error texts and pictures included."""
    observation = env.observe(agent)
    env.render_view = agent
    given = [observation["observation"].tobytes(), observation["action_mask"].tobytes()]
    given.append(env.render().encode())
    flags = (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards)
    given.append(repr([each.get(agent) for each in flags]).encode())
    given.append(repr((env.agents, env.agent_selection)).encode())
    if agent == env.agent_selection and env.agents:
        given.append(repr(env.last()[1:]).encode())
        if not env.terminations[agent]:
            given += [error_text(env, action).encode() for action in (*range(-1, 18), None)]
    return given


def error_text(env: Any, action: Any) -> str:
    """Return what an illegal action is answered; legal ones are not tried."""
    if action in range(17) and env._tables.masks[0, action]:
        return ""
    with pytest.raises(IllegalAction) as caught:
        env.step(action)
    return str(caught.value)


@pytest.mark.parametrize("players", range(2, 10))
@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("preset", RULES)
def test_nothing_a_seat_is_given_depends_on_what_it_cannot_see(
    preset: str, episode: str, players: int
) -> None:
    env = schwimmen_v0.raw_env(
        num_players=players, episode=episode, rules=RULES[preset], render_mode="ansi"
    )
    tables, rng = env._tables, np.random.default_rng(players)
    rules = tables.record.view(np.recarray)[0]
    env.reset(seed=players)
    for _ in range(120):
        if not env.agents:
            env.reset()
        seat = int(rng.integers(players))
        if rng.random() < 0.4:
            seat = env.possible_agents.index(env.agent_selection)
        agent = env.possible_agents[seat]
        kept = tables.rows.copy()
        expected = given_to(env, agent)
        for _ in range(2):
            permute_hidden(tables.row(0), rules, seat, rng)
            assert row_bytes(tables.rows) != row_bytes(kept)
            look_again(tables)
            assert given_to(env, agent) == expected, f"{agent} can tell what it cannot see"
        tables.rows[0] = kept[0]
        key = rng.integers(2**63, size=1, dtype=np.uint64)
        tables.kernels.resample(tables.rows, tables.record, np.array([seat]), key)
        look_again(tables)
        assert given_to(env, agent) == expected, f"{agent} can tell a resampled deal"
        tables.rows[0] = kept[0]
        look_again(tables)
        env.step(next_action(env, rng))


def test_the_positions_of_the_leak_test_are_of_every_kind() -> None:
    kinds: Counter[str] = Counter()
    for rules in RULES.values():
        for players in (2, 5, 9):
            env = schwimmen_v0.raw_env(num_players=players, rules=rules)
            rng = np.random.default_rng(players)
            env.reset(seed=players)
            for _ in range(400):
                if not env.agents:
                    env.reset()
                row = env._tables.row(0)
                kinds[PHASES[4 if row.turn < 0 else row.phase]] += 1
                kinds["stopped"] += row.stopper >= 0
                kinds["something left the game"] += bool(row.gone)
                kinds["a card is known"] += any(row.known)
                kinds["somebody is out"] += bool(row.left) and row.turn >= 0
                env.step(next_action(env, rng))
    assert set(kinds) >= {*PHASES, "stopped", "something left the game", "somebody is out"}
    assert all(kinds.values()), kinds


def test_the_test_would_find_a_leak() -> None:
    # A hidden card that the picture or the observation shows must make the comparison fail.
    env = schwimmen_v0.raw_env(num_players=3, render_mode="ansi")
    env.reset(seed=1)
    expected, state = given_to(env, "player_0"), env.state().tobytes()
    rules = env._tables.record.view(np.recarray)[0]
    permute_hidden(env._tables.row(0), rules, 0, np.random.default_rng(1))
    look_again(env._tables)
    assert given_to(env, "player_0") == expected
    assert given_to(env, "player_1") != expected
    assert env.state().tobytes() != state


# --- No less than a seat may know ---------------------------------------------------------------


@dataclass(frozen=True)
class Fact:
    """One public fact: how to change it alone in a row, and the fields that may tell of it."""

    change: Callable[[Any], None]
    fields: set[str]


def _set(name: str, value: Any) -> Callable[[Any], None]:
    def change(row: Any) -> None:
        assert getattr(row, name) != value
        setattr(row, name, value)

    return change


def _set_at(name: str, seat: int, change_value: Callable[[int], int]) -> Callable[[Any], None]:
    def change(row: Any) -> None:
        getattr(row, name)[seat] = change_value(int(getattr(row, name)[seat]))

    return change


def _toggle(name: str, *cards_or_seats: int) -> Callable[[Any], None]:
    def change(row: Any) -> None:
        setattr(row, name, int(getattr(row, name)) ^ bits([*cards_or_seats]))

    return change


SEATS = 4
OWN = {"hand", "hand_slots", "hand_value", "exchange_values"}
MIDDLE = {"middle", "middle_slots", "middle_value", "exchange_values"}

# The position below: seats 0-3 hold 0-2, 8-10, 16-18, 24-26; in the middle lie 3, 4 and 12.
PUBLIC: dict[str, Fact] = {
    "the middle": Fact(_toggle("middle", 3, 5), MIDDLE),
    "cards that left the game": Fact(_toggle("gone", 7), {"gone"}),
    "talon size": Fact(_set("drawn", 18), {"talon"}),
    "passes in a row": Fact(_set("passes", 2), {"passes"}),
    **{
        f"cards known to be in seat {seat}'s hand": Fact(
            _set_at("known", seat, lambda known, card=8 * seat: known ^ (1 << card)), {"known"}
        )
        for seat in range(SEATS)
    },
    **{
        f"lives of seat {seat}": Fact(_set_at("lives", seat, lambda lives: lives - 1), {"lives"})
        for seat in range(SEATS)
    },
    **{f"whether seat {seat} is in": Fact(_toggle("alive", seat), {"in"}) for seat in range(SEATS)},
    "nobody stopped": Fact(_set("stopper", -1), {"stopped"}),
    **{f"seat {seat} stopped": Fact(_set("stopper", seat), {"stopped"}) for seat in (0, 1, 3)},
    **{
        f"whether seat {seat} still has a turn": Fact(
            _toggle("to_have_turn", seat), {"to_have_turn"}
        )
        for seat in range(SEATS)
    },
    **{
        f"lap of seat {seat}": Fact(_set_at("laps", seat, lambda lap: lap + 1), {"lap", "own_lap"})
        for seat in range(SEATS)
    },
    **{f"seat {seat} deals": Fact(_set("dealer", seat), {"dealer"}) for seat in (0, 1, 3)},
    **{f"seat {seat} is to decide": Fact(_set("turn", seat), {"deciding"}) for seat in (1, 2, 3)},
    **{
        f"phase {PHASES[phase]}": Fact(_set("phase", phase), {"phase"})
        for phase in (schwimmen.DEALER_CHOICE, schwimmen.DEALT_31, schwimmen.EXCHANGED_31)
    },
    "the episode is over": Fact(_set("turn", -1), {"phase", "deciding"}),
}


def position() -> Tables:
    """Build a position in which every fact can be changed alone."""
    tables = Tables("31", 1, SEATS, episode="match")
    tables.reset(seed=1)
    row = tables.row(0)
    row.phase, row.turn, row.dealer, row.stopper = schwimmen.TURN, 0, 2, 2
    for seat in range(SEATS):
        row.hand[seat] = bits([8 * seat, 8 * seat + 1, 8 * seat + 2])
        row.known[seat] = bits([8 * seat + 1])
        row.laps[seat] = 1
    row.middle, row.gone, row.second_pile = bits([3, 4, 12]), bits([20, 21, 22]), 0
    row.to_have_turn, row.passes = bits([0, 1]), 1
    return tables


def observed(tables: Tables, seat: int) -> dict[str, bytes]:
    view = tables.layout.view(tables.observe(np.array([seat]))[0])
    return {name: np.ascontiguousarray(field).tobytes() for name, field in view.items()}


@pytest.mark.parametrize("seat", range(SEATS))
@pytest.mark.parametrize("fact", PUBLIC)
def test_every_public_fact_is_in_what_every_seat_observes(fact: str, seat: int) -> None:
    tables = position()
    before = observed(tables, seat)
    PUBLIC[fact].change(tables.row(0))
    after = observed(tables, seat)
    changed = {name for name in before if before[name] != after[name]}
    assert changed, f"seat {seat} does not see {fact}"
    assert changed <= PUBLIC[fact].fields


@pytest.mark.parametrize("seat", range(SEATS))
def test_the_own_hand_and_its_value_are_observed_by_its_seat_alone(seat: int) -> None:
    tables = position()
    before = [observed(tables, each) for each in range(SEATS)]
    row = tables.row(0)
    row.hand[seat] = int(row.hand[seat]) ^ bits([8 * seat, 8 * seat + 6])
    after = [observed(tables, each) for each in range(SEATS)]
    for other in range(SEATS):
        changed = {name for name in after[other] if after[other][name] != before[other][name]}
        assert changed == (OWN if other == seat else set())


def test_every_field_tells_of_some_fact() -> None:
    told = OWN.union(*(fact.fields for fact in PUBLIC.values()))
    assert told == set(schwimmen.LAYOUT.names)

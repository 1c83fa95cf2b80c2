"""What agents observe: their own hand, seats from their own, masks, spaces, documented bytes."""

import pickle
import re
from typing import Any

import numpy as np
from gymnasium import spaces

from cardenv import games
from cardenv.cards import cards_in
from cardenv.table import Tables
from tests.cases import every_game, every_kind_of_table, maker, players_of, short_rules, spread
from tests.particulars import PARTICULARS
from tests.playing import next_action, play_out, random_action, same

# --- Observations ---------------------------------------------------------------------------------


def as_observed(field: Any, shown: Any) -> Any:
    """Return a field as a game states it: the cards of a set, or a number."""
    return np.flatnonzero(shown).tolist() if field.length > 1 else int(shown)


def as_stated(field: Any, value: Any) -> Any:
    return cards_in(value) if field.length > 1 else int(value)


@spread("players", "episode")
def test_every_agent_observes_its_own_hand_and_seats_from_its_own(
    game: str, players: int, episode: str
) -> None:
    env = maker(game)(num_players=players, episode=episode, rules=short_rules(game))
    fields = games.get(game).layout.seat
    rng = np.random.default_rng(3)

    def check() -> None:
        row = env._tables.row(0)
        stated = [PARTICULARS[game].seat_fields(row, seat) for seat in range(players)]
        assert set(stated[0]) == {field.name for field in fields}
        whole = env.state_layout.view(env.state())
        for seat, agent in enumerate(env.possible_agents):
            view = env.layout.view(env.observe(agent)["observation"])
            hand = cards_in(row.hand[seat])
            assert np.flatnonzero(view["hand"]).tolist() == hand
            assert np.flatnonzero(whole["cards"][seat]).tolist() == hand
            for field in fields:
                expected = [as_stated(field, each[field.name]) for each in stated]
                shown = [as_observed(field, each) for each in view[field.name]]
                assert shown == expected[seat:] + expected[:seat], field.name
                assert as_observed(field, whole[field.name][seat]) == expected[seat]

    for seed in range(2):
        env.reset(seed=seed)
        check()
        play_out(env, rng, check)


@every_game
def test_the_next_agent_sees_what_was_just_played(game: str) -> None:
    env = maker(game)(num_players=3, episode="round")
    rng = np.random.default_rng(9)
    seen = 0
    for seed in range(200):
        env.reset(seed=seed)
        while env.agents:
            actor = int(env._tables.turn[0])
            before = env.layout.view(env.last()[0]["observation"])
            action = next_action(env, rng)
            env.step(action)
            if any(env.terminations.values()):
                break
            after = env.layout.view(env.last()[0]["observation"])
            place = (actor - int(env._tables.turn[0])) % 3
            seen += PARTICULARS[game].seen_by_the_next(before, action, after, place)
    assert seen > 200


@spread("make", "episode", "players")
def test_any_agent_can_be_observed_at_any_time(
    game: str, make: Any, episode: str, players: int
) -> None:
    env = make(num_players=players, episode=episode, rules=short_rules(game))
    rng = np.random.default_rng(1)
    layout = env.layout

    def check() -> None:
        tables = env.unwrapped._tables
        for seat, agent in enumerate(env.possible_agents):
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            nothing = np.zeros_like(tables.masks[0])
            expected = tables.masks[0] if seat == tables.turn[0] else nothing
            assert np.array_equal(observation["action_mask"], expected)
            view = layout.view(observation["observation"])
            assert view["hand"].any() == bool(tables.rows["hand"][0, seat])
            assert view["deciding"].sum() == (tables.turn[0] >= 0)
        assert env.state_space.contains(env.state())

    for seed in range(5):
        env.reset(seed=seed)
        check()
        play_out(env, rng, check)
        assert env.agents == []
        check()


@every_kind_of_table
def test_every_byte_lies_in_its_space_whatever_is_played(table: Any) -> None:
    tables = Tables(*(table.game, 200, table.players), rules=table.rules, episode=table.episode)
    tables.reset(seed=1)
    highest = np.zeros_like(tables.layout.high)
    highest_state = np.zeros_like(tables.state_layout.high)
    for _ in range(80):
        for seat in range(table.players):
            highest = np.maximum(highest, tables.observe(np.full(200, seat)).max(axis=0))
        highest_state = np.maximum(highest_state, tables.states().max(axis=0))
        tables.play_randomly(7)
    assert (highest <= tables.layout.high).all()
    assert (highest_state <= tables.state_layout.high).all()


@every_game
def test_an_observation_depends_on_what_was_to_be_seen_alone(game: str) -> None:
    views, dealt = [], []
    for deck, actions in PARTICULARS[game].SAME_TO_ALL:
        env = maker(game)(num_players=2)
        env.reset(seed=1, options={"deck": deck, games.get(game).first_seat: 0})
        for action in actions:
            env.step(action)
        views.append([env.observe(agent) for agent in env.agents])
        dealt.append(env._tables.rows["deck"][0].tolist())
    assert dealt[0] != dealt[1]
    assert same(*views)


# --- Masks ----------------------------------------------------------------------------------------


@every_kind_of_table
def test_masks_at_reset_allow_exactly_what_the_table_accepts(table: Any) -> None:
    """Every action is tried at a table of its own; one that is not accepted loses there."""
    game = games.get(table.game)
    actions = np.arange(len(game.action_names))
    trials = Tables(
        *(game, len(actions), table.players),
        rules=table.rules,
        episode=table.episode,
        illegal="lose",
    )
    env = maker(table.game)(**table.settings)
    for seed in range(100):
        env.reset(seed=seed)
        mask = env.last()[0]["action_mask"]
        trials.reset(seed=[seed] * len(actions))
        seats = trials.turn.astype(np.int64)
        assert (seats == env._tables.turn[0]).all()
        trials.step(actions)
        lost = (trials.turn < 0) & (trials.rows["rounds"] == 0)  # none was played to its end
        assert (trials.score[actions, seats][lost] == -1).all()
        assert np.array_equal(mask == 0, lost)


@spread("players", "episode")
def test_who_is_to_act_always_has_an_action(game: str, players: int, episode: str) -> None:
    env = maker(game)(num_players=players, episode=episode, rules=short_rules(game))
    rng = np.random.default_rng(players)
    env.reset(seed=players)
    for _ in range(3000):
        if not env.agents:
            env.reset()
        observation, _, terminated, _, _ = env.last()
        assert observation["action_mask"].any() == (not terminated)
        env.step(None if terminated else random_action(observation["action_mask"], rng))


# --- Spaces and documentation ---------------------------------------------------------------------


@every_game
def test_spaces_flatten_in_the_order_of_the_observations_keys(game: str) -> None:
    env = maker(game)(num_players=4)
    space = env.observation_space("player_0")
    assert isinstance(space, spaces.Dict)
    restored = pickle.loads(pickle.dumps(space))
    assert space == restored
    actions = env.action_space("player_0").n
    rng = np.random.default_rng(0)
    env.reset(seed=1)
    for _ in range(500):
        if not env.agents:
            env.reset()
        observation = env.last()[0]
        assert list(observation) == list(space.keys()) == list(restored.keys())
        flat = spaces.flatten(space, observation)
        assert np.array_equal(flat[:actions], observation["action_mask"])
        assert np.array_equal(flat[actions:], observation["observation"])
        assert same(dict(spaces.unflatten(restored, flat)), observation)
        env.step(next_action(env, rng))


@spread("players")
def test_the_documented_table_is_where_the_bytes_are(game: str, players: int) -> None:
    env = maker(game)(num_players=players)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(30):
        env.step(next_action(env, rng))
    observation = env.observe("player_0")["observation"]
    view, written = env.layout.view(observation), 0
    for place, name, length, scale, meaning in env.layout.table():
        found = re.match(r"(\d+)(?:-(\d+))?(?: \(\+(\d+) a seat\))?$", place)
        assert found, place
        start, seat_step = int(found[1]), int(found[3] or 0)
        assert int(found[2] or start) - start + 1 == length
        for seat in range(players if seat_step else 1):
            part = slice(start + seat * seat_step, start + seat * seat_step + length)
            shown = view[name][seat] if seat_step else view[name]
            assert np.array_equal(np.atleast_1d(shown), observation[part])
            assert set(env.layout.high[part].tolist()) == {scale}
            written += length
        assert meaning
    assert written == observation.size == env.observation_space("player_0")["observation"].shape[0]


@every_game
def test_padding_to_more_seats_keeps_every_offset(game: str) -> None:
    _, players, most = players_of(game)
    narrow = maker(game)(num_players=players)
    wide = maker(game)(num_players=players, max_players=most)
    assert wide.possible_agents == narrow.possible_agents
    rng = np.random.default_rng(1)
    narrow.reset(seed=5)
    wide.reset(seed=5)
    while narrow.agents:
        small, large = narrow.last()[0], wide.last()[0]
        size = small["observation"].size
        assert np.array_equal(small["observation"], large["observation"][:size])
        assert not large["observation"][size:].any()
        action = next_action(narrow, rng)
        narrow.step(action)
        wide.step(action)
    assert wide.agents == []
    widest = maker(game)(num_players=most)
    assert wide.observation_space("player_0") == widest.observation_space("player_0")

"""What an environment can be asked for: settings, and options of a reset."""

import re
from typing import Any

import numpy as np
import pytest

from cardenv import games
from cardenv.cards import cards_in
from cardenv.rules import RulesError
from tests.cases import GAMES, every_game, maker, players_of, spread
from tests.particulars import PARTICULARS
from tests.playing import first_legal, next_action, whole_state

# --- Reset's options ------------------------------------------------------------------------------


@spread("players", "episode")
def test_a_position_can_be_built_and_later_episodes_are_shuffled(
    game: str, players: int, episode: str
) -> None:
    """Block by block from the front: the lowest seat's whole hand, then the next seat's."""
    env = maker(game)(num_players=players, episode=episode)
    deck, first = list(range(games.get(game).rules.PACK_SIZE))[::-1], players - 1
    env.reset(seed=3, options={"deck": deck, games.get(game).first_seat: first})
    hands = [cards_in(hand) for hand in env._tables.rows["hand"][0, :players]]
    for seat, hand in enumerate(hands):
        start = seat * len(hand)
        assert hand == sorted(deck[start : start + len(hand)])
    view = env.layout.view(env.observe("player_0")["observation"])
    assert np.flatnonzero(view["hand"]).tolist() == hands[0]
    assert env._tables.rows[games.get(game).first_seat][0] == first
    env.reset()
    assert env._tables.rows["deck"][0].tolist() != deck


@every_game
def test_the_options_given_hold_for_one_episode_and_the_others_are_drawn(game: str) -> None:
    env, first_seat = maker(game)(num_players=4), games.get(game).first_seat
    env.reset(seed=1, options={first_seat: 2})
    drawn = set()
    for _ in range(40):
        env.reset()
        drawn.add(int(env._tables.rows[first_seat][0]))
    assert drawn == {0, 1, 2, 3}


def options_of(game: str) -> dict[str, tuple[dict[str, Any], str]]:
    """Return impossible options by a word for each, and what is said of them."""
    size, first = games.get(game).rules.PACK_SIZE, games.get(game).first_seat
    known = f"a reset of {game} takes 'deck' and '{first}'"
    return {
        "unknown": ({"north": 1}, f"options has 'north'; {known}"),
        "no dict": ([1], f"options=[1] are no dict; {known}"),
        "too short a deck": ({"deck": [1, 2, 3]}, "not an order of the pack"),
        "a card twice": ({"deck": [0] * size}, f"give each of its {size} cards once"),
        "no such seat": ({first: 4}, "seat 4 is not at this table; give a seat from 0 to 3"),
        "a negative seat": ({first: -1}, "seat -1 is not at this table"),
        "a seat by name": ({first: "north"}, "seat 'north' is not at this table"),
        **{
            f"the first seat of {other}": (
                {games.get(other).first_seat: 1},
                f"options has '{games.get(other).first_seat}'; {known}",
            )
            for other in GAMES
            if games.get(other).first_seat != first
        },
    }


IMPOSSIBLE_OPTIONS = [
    pytest.param(game, options, sentence, id=f"{game}-{word}")
    for game in GAMES
    for word, (options, sentence) in options_of(game).items()
]


@pytest.mark.parametrize("make", ["env", "raw_env"])
@pytest.mark.parametrize(("game", "options", "sentence"), IMPOSSIBLE_OPTIONS)
def test_an_impossible_option_is_refused_and_play_goes_on(
    make: str, game: str, options: dict[str, Any], sentence: str
) -> None:
    env = maker(game, make)(num_players=4)
    env.reset(seed=1)
    env.step(first_legal(env))
    before = whole_state(env)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        env.reset(options=options)
    with pytest.raises(ValueError, match="whole number from 0"):
        env.reset(seed=-1)
    assert whole_state(env) == before
    env.step(next_action(env, np.random.default_rng(1)))


# --- Settings -------------------------------------------------------------------------------------

IMPOSSIBLE_SETTINGS = (
    ({"num_players": 2.0}, "players=2.0 is not a whole number"),
    ({"num_players": True}, "players=True is not a whole number"),
    ({"episode": "hand"}, "episode='hand' is not possible"),
    ({"render_mode": "gif"}, "render_mode='gif' is not possible; give one of None, 'ansi'"),
    ({"render_view": "player_7"}, "render_view='player_7' is not possible"),
    ({"max_players": 3}, "max_players=3 is not possible for players=4"),
    ({"illegal": "ignore"}, "illegal='ignore' is not possible"),
    ({"rules": "house"}, "'house' is no preset of rules"),
    ({"rules": 7}, "rules=7 are not rules of this game"),
)


@spread("make", case=IMPOSSIBLE_SETTINGS)
def test_an_impossible_setting_is_refused_at_construction(
    game: str, make: Any, case: tuple[dict[str, Any], str]
) -> None:
    settings, sentence = case
    with pytest.raises(RulesError, match=re.escape(sentence)):
        make(**settings)


@spread("make")
def test_too_few_and_too_many_players_are_refused_with_how_many_can_play(
    game: str, make: Any
) -> None:
    low, _, high = players_of(game)
    for players in (low - 1, high + 1):
        with pytest.raises(
            RulesError,
            match=f"players={players} is not possible; this game takes {low} to {high}",
        ):
            make(num_players=players)
    with pytest.raises(RulesError, match=f"max_players={high + 1} is not possible"):
        make(max_players=high + 1)


@pytest.mark.parametrize("other", GAMES)
@every_game
def test_rules_of_another_game_are_refused(game: str, other: str) -> None:
    rules = games.get(other).rules()
    if other == game:
        assert maker(game)(rules=rules)._tables.rules is rules
        return
    with pytest.raises(RulesError, match=rf"are not rules of this game; give .*{game}.Rules"):
        maker(game)(rules=rules)


@every_game
def test_default_rules_are_those_of_the_text(game: str) -> None:
    rules = maker(game)()._tables.rules
    assert rules.to_dict() | {"pack": rules.pack} == PARTICULARS[game].DEFAULTS
    assert maker(game)()._tables.episode == PARTICULARS[game].EPISODE

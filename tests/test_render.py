"""Pictures: every declared mode keeps its contract; text is aligned and names what lies open."""

import re
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import render_test

from cardenv import schwimmen_v0
from cardenv.cards import CARDS, card_name, cards_in
from cardenv.draw import CARDS_A_LINE, ansi
from cardenv.games.schwimmen import KEEP, STOP
from cardenv.rules import RulesError
from cardenv.scene import HIDDEN, Scene, Zone
from tests.playing import next_action, play_out

MAKERS = (schwimmen_v0.env, schwimmen_v0.raw_env)
every_maker = pytest.mark.parametrize("make", MAKERS)
CARD = re.compile("[♦♥♠♣](?:10|[789JQKA])")


def cards_shown(text: str) -> set[int]:
    """Return the cards whose faces a text names."""
    numbers = {card_name(card): card for card in range(CARDS)}
    return {numbers[face] for face in CARD.findall(text)}


# --- Modes --------------------------------------------------------------------------------------


@every_maker
@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("players", [2, 4, 9])
def test_pettingzoos_render_test(
    make: Any, episode: str, players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    render_test(
        lambda render_mode: make(num_players=players, episode=episode, render_mode=render_mode),
        custom_tests={"ansi": lambda text: text.startswith("31, round ") and "seat 0" in text},
    )
    assert capsys.readouterr().out.count("31, round ") > 5, "mode human printed nothing"


@every_maker
def test_ansi_returns_text_and_prints_nothing(
    make: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    env = make(num_players=3, render_mode="ansi")
    env.reset(seed=1)
    texts = {env.render()}
    play_out(env, np.random.default_rng(1), lambda: texts.add(env.render()))
    assert len(texts) > 5, "the picture does not follow the game"
    assert all(type(text) is str for text in texts)
    env.close()
    env.close()
    assert env.render() in texts, "nothing was released, so nothing is lost"
    assert capsys.readouterr() == ("", "")


@every_maker
def test_human_prints_what_ansi_returns_after_every_step(
    make: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    shown, expected = make(num_players=2, render_mode="human"), []
    written = make(num_players=2, render_mode="ansi")
    for env in (shown, written):
        env.reset(seed=1)
    expected.append(written.render())
    for action in (KEEP, 0):
        shown.step(action)
        written.step(action)
        expected.append(written.render())
    assert capsys.readouterr().out == "\n".join(expected) + "\n"
    assert shown.render() is None


@every_maker
@pytest.mark.parametrize("mode", ["svg", "ANSI", "", 1])
def test_a_mode_that_is_not_declared_is_refused_at_construction(make: Any, mode: Any) -> None:
    with pytest.raises(RulesError, match=r"render_mode=.* give one of None, 'ansi', 'human'"):
        make(render_mode=mode)


@every_maker
def test_without_a_mode_render_warns_and_returns_nothing(make: Any) -> None:
    env = make()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert env.render() is None


# --- What is shown ------------------------------------------------------------------------------


def test_a_whole_table_reads_as_expected() -> None:
    env = schwimmen_v0.raw_env(num_players=2, render_mode="ansi", render_view="player_0")
    deck = [*range(0, 32, 4), *(card for card in range(32) if card % 4)]
    env.reset(seed=1, options={"deck": deck, "dealer": 1})
    assert env.render() == "\n".join(
        (
            "31, round 1: dealer's choice",
            "  seat 0       ♦7 ♦J ♥7  3 lives",
            "▸ seat 1       ▒▒ ▒▒ ▒▒  3 lives, deals",
            "  middle                 23 in the talon",
            "  second pile  ▒▒ ▒▒ ▒▒",
        )
    )
    env.step(KEEP)
    env.step(0)
    env.step(0)
    env.step(STOP)
    assert env.render() == "\n".join(
        (
            "31, round 1: turn",
            "  seat 0  ♦8 ♦J ♥7  3 lives, stopped",
            "▸ seat 1  ♦7 ▒▒ ▒▒  3 lives, deals, still to play",
            "  middle  ♥J ♣7 ♣J  23 in the talon",
        )
    ), env.render()


def test_columns_stand_below_each_other() -> None:
    scene = Scene(
        "heading",
        (
            Zone("seat 0", ("♥10", "♠7"), ("one", "two"), 0, True),
            Zone("a long title", (HIDDEN,) * 3, ("three",), 1),
            Zone("many", tuple(f"♦{number % 8}" for number in range(2 * CARDS_A_LINE + 1))),
            Zone("none", (), ("four",)),
        ),
    )
    lines = ansi(scene).splitlines()
    assert lines[0] == "heading"
    assert len(lines) == 1 + 3 + 3, "21 cards take three lines"
    assert sum("many" in line for line in lines) == 1, "a title stands in the first line alone"
    first_card = {line.index(face) for line, face in zip(lines[1:4], "♥▒♦", strict=True)}
    assert len(first_card) == 1
    assert {
        line.index(note) for line in lines for note in ("one, two", "three", "four") if note in line
    } == {lines[1].index("one, two")}
    assert [line[0] for line in lines[1:]] == ["▸", " ", " ", " ", " ", " "]
    assert not any(line.endswith(" ") for line in lines)


@pytest.mark.parametrize("players", [2, 4, 9])
def test_an_agents_picture_names_only_cards_it_has_seen(players: int) -> None:
    # Over 500 rounds: the own hand, the middle, what left the game, what was taken openly.
    agents = [f"player_{seat}" for seat in range(players)]
    env = schwimmen_v0.raw_env(num_players=players, episode="round", render_mode="ansi")
    rng = np.random.default_rng(players)
    for seed in range(170):
        env.reset(seed=seed)
        while env.agents:
            row = env._tables.row(0)
            public = int(row.middle) | int(row.gone)
            for seat in range(players):
                public |= int(row.known[seat])
            seat = int(rng.integers(players))
            env.render_view = agents[seat]
            assert cards_shown(env.render()) == set(cards_in(public | int(row.hand[seat])))
            env.step(next_action(env, rng))


def test_the_open_view_shows_every_hand_and_the_acting_view_the_selected_agents() -> None:
    open_env = schwimmen_v0.raw_env(num_players=4, render_mode="ansi")
    acting = schwimmen_v0.raw_env(num_players=4, render_mode="ansi", render_view="acting")
    own = schwimmen_v0.raw_env(num_players=4, render_mode="ansi")
    rng = np.random.default_rng(1)
    for env in (open_env, acting, own):
        env.reset(seed=1)
    for _ in range(60):
        if not open_env.agents:
            break
        row = open_env._tables.row(0)
        everything = int(row.middle) | int(row.gone) | int(row.second_pile)
        for seat in range(4):
            everything |= int(row.hand[seat])
        assert cards_shown(open_env.render()) == set(cards_in(everything))
        assert HIDDEN not in open_env.render()
        own.render_view = own.agent_selection
        assert acting.render() == own.render()
        action = next_action(open_env, rng)
        for env in (open_env, acting, own):
            env.step(action)


def test_the_picture_marks_who_is_to_decide() -> None:
    env = schwimmen_v0.raw_env(num_players=3, episode="round", render_mode="ansi")
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    while not any(env.terminations.values()):
        marked = [line for line in env.render().splitlines() if line.startswith("▸")]
        assert len(marked) == 1
        assert marked[0].startswith(f"▸ seat {env._tables.turn[0]} ")
        env.step(next_action(env, rng))
    assert "▸" not in env.render()
    assert env.render().startswith("31, round 1: over")

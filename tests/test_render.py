"""Pictures: every declared mode keeps its contract; text is aligned and names what lies open."""

import warnings
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import render_test

from cardenv import games
from cardenv.cards import cards_in
from cardenv.draw import CARDS_A_LINE, ansi
from cardenv.envs.registration import gymnasium_id
from cardenv.rules import RulesError
from cardenv.scene import HIDDEN, Scene, Zone
from tests.cases import GAMES, every_game, maker, players_of, short_rules, spread
from tests.particulars import PARTICULARS
from tests.particulars.form import held
from tests.playing import first_legal, next_action, play_out

# --- Modes --------------------------------------------------------------------------------------


@spread("make", "episode", "players")
def test_pettingzoos_render_test(
    game: str, make: Any, episode: str, players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    heading = f"{PARTICULARS[game].TITLE}, round "
    render_test(
        lambda render_mode: make(num_players=players, episode=episode, render_mode=render_mode),
        custom_tests={"ansi": lambda text: text.startswith(heading) and "seat 0" in text},
    )
    assert capsys.readouterr().out.count(heading) > 5, "mode human printed nothing"


@spread("make")
def test_ansi_returns_text_and_prints_nothing(
    game: str, make: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    env = make(num_players=3, episode="round", render_mode="ansi")
    env.reset(seed=1)
    capsys.readouterr()  # a first use may say that it compiles
    texts = {env.render()}
    play_out(env, np.random.default_rng(1), lambda: texts.add(env.render()))
    assert len(texts) > 5, "the picture does not follow the game"
    assert all(type(text) is str for text in texts)
    env.close()
    env.close()
    assert env.render() in texts, "nothing was released, so nothing is lost"
    assert capsys.readouterr() == ("", "")


@every_game
def test_gymnasium_has_nothing_to_warn_of_when_it_is_asked_for_pictures(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(
            gymnasium_id(games.get(game)), opponents=["random"], render_mode="ansi"
        )
        env.reset(seed=1)
        assert "seat 0" in str(env.render())


@spread("make")
def test_human_prints_what_ansi_returns_after_every_step(
    game: str, make: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    shown, expected = make(num_players=2, render_mode="human"), []
    written = make(num_players=2, render_mode="ansi")
    for env in (shown, written):
        env.reset(seed=1)
    expected.append(written.render())
    for _ in range(5):
        action = first_legal(written)
        shown.step(action)
        written.step(action)
        expected.append(written.render())
    assert capsys.readouterr().out == "\n".join(expected) + "\n"
    assert shown.render() is None


@spread("make", mode=("svg", "ANSI", "", 1))
def test_a_mode_that_is_not_declared_is_refused_at_construction(
    game: str, make: Any, mode: Any
) -> None:
    with pytest.raises(RulesError, match=r"render_mode=.* give one of None, 'ansi', 'human'"):
        make(render_mode=mode)


@spread("make")
def test_without_a_mode_render_warns_and_returns_nothing(game: str, make: Any) -> None:
    env = make()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert env.render() is None


# --- What is shown ------------------------------------------------------------------------------

PICTURES = [
    pytest.param(game, picture, id=f"{game}-{number}")
    for game in GAMES
    for number, picture in enumerate(PARTICULARS[game].PICTURES)
]


@pytest.mark.parametrize(("game", "picture"), PICTURES)
def test_a_whole_table_reads_as_expected(game: str, picture: Any) -> None:
    env = maker(game)(num_players=picture.players, render_mode="ansi", render_view=picture.viewer)
    first_seat, actions = games.get(game).first_seat, games.get(game).action_names
    env.reset(seed=1, options={"deck": picture.deck, first_seat: picture.first})
    for played, lines in picture.steps:
        for action in played:
            env.step(actions.index(action))
        assert env.render().splitlines() == list(lines)


@every_game
def test_every_game_has_a_picture_that_its_readers_can_check(game: str) -> None:
    pictures = PARTICULARS[game].PICTURES
    assert sum(len(picture.steps) for picture in pictures) > 1


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


def faces(game: str, cards: list[int]) -> Counter[str]:
    """Return the faces of cards; some cards of a game may look alike."""
    return Counter(PARTICULARS[game].card_name(card) for card in cards)


def faces_shown(scene: Scene) -> Counter[str]:
    """Return the faces in a scene, without the hidden ones."""
    shown = Counter(face for zone in scene.zones for face in zone.cards)
    del shown[HIDDEN]
    return shown


@spread("players", "episode")
def test_an_agents_picture_names_only_cards_it_has_seen(
    game: str, players: int, episode: str
) -> None:
    """The own hand, what lies on the table, and what others took openly."""
    particulars = PARTICULARS[game]
    env = maker(game)(
        num_players=players, episode=episode, rules=short_rules(game), render_mode="ansi"
    )
    rng = np.random.default_rng(players)
    for seed in range(15):
        env.reset(seed=seed)
        while env.agents:
            row = env._tables.row(0)
            seat = int(rng.integers(players))
            cards = [*particulars.pictured(row), *held(particulars, row, seat)]
            for other in {*range(players)} - {seat}:
                cards += particulars.known(row, other)
            scene = env._tables.describe(0, seat)
            assert faces_shown(scene) == faces(game, cards)
            env.render_view = f"player_{seat}"
            assert env.render() == ansi(scene)
            env.step(next_action(env, rng))


@every_game
def test_the_open_view_shows_every_hand_and_the_acting_view_the_selected_agents(
    game: str,
) -> None:
    particulars = PARTICULARS[game]
    open_env, own = (maker(game)(num_players=4, render_mode="ansi") for _ in range(2))
    acting = maker(game)(num_players=4, render_mode="ansi", render_view="acting")
    rng = np.random.default_rng(1)
    for env in (open_env, acting, own):
        env.reset(seed=1)
    for _ in range(60):
        if not open_env.agents:
            break
        row = open_env._tables.row(0)
        everything = particulars.pictured(row)
        for seat in range(4):
            everything += held(particulars, row, seat)
        for name in particulars.UNSEEN:
            everything += cards_in(getattr(row, name))
        scene = open_env._tables.describe(0, -1)
        assert faces_shown(scene) == faces(game, everything)
        assert open_env.render() == ansi(scene)
        assert HIDDEN not in open_env.render()
        own.render_view = own.agent_selection
        assert acting.render() == own.render()
        action = next_action(open_env, rng)
        for env in (open_env, acting, own):
            env.step(action)


@spread("players")
def test_the_picture_marks_who_is_to_decide(game: str, players: int) -> None:
    env = maker(game)(num_players=players, episode="round", render_mode="ansi")
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    while not any(env.terminations.values()):
        marked = [line for line in env.render().splitlines() if line.startswith("▸")]
        assert len(marked) == 1
        assert marked[0].startswith(f"▸ seat {env._tables.turn[0]} ")
        env.step(next_action(env, rng))
    assert "▸" not in env.render()
    assert env.render().startswith(f"{PARTICULARS[game].TITLE}, round 1: over")


@every_game
def test_the_heading_counts_the_rounds_of_a_match(game: str) -> None:
    env = maker(game)(
        num_players=players_of(game)[1],
        episode="match",
        rules=short_rules(game),
        render_mode="ansi",
    )
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    numbers = []
    while env.agents:
        if env._tables.turn[0] >= 0:
            numbers.append(int(env.render().split("round ")[1].split(":")[0]))
        env.step(next_action(env, rng))
    assert numbers[0] == 1
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(1, int(env._tables.rows["rounds"][0]) + 1))
    assert max(numbers) > 1

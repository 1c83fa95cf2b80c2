"""Pictures: every declared mode keeps its contract; text is aligned and names what lies open."""

import copy
import pickle
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pygame
import pytest
from pettingzoo.test import render_test

from cardenv import games
from cardenv.cards import cards_in
from cardenv.draw import MissingLibrary, ansi, rgb, svg
from cardenv.draw.window import NoScreen, Window
from cardenv.envs.gymnasium import LearnerEnv
from cardenv.envs.registration import gymnasium_id
from cardenv.rules import RulesError
from cardenv.scene import HIDDEN, Scene
from cardenv.table import NotStarted
from tests.cases import GAMES, every_game, maker, players_of, short_rules, spread
from tests.particulars import PARTICULARS
from tests.particulars.form import held
from tests.playing import first_legal, next_action, same

# --- Modes --------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def no_screen_and_no_waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Windows are opened where nobody sees them, and nobody is given time to look."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(pygame.time, "wait", lambda milliseconds: None)
    yield
    pygame.display.quit()


def on_the_window() -> Any:
    """Return what the window shows as pixels ``[height, width, 3]``."""
    return pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)


@spread("make", "episode", "players")
def test_pettingzoos_render_test(game: str, make: Any, episode: str, players: int) -> None:
    heading = f"{PARTICULARS[game].TITLE}, round "
    render_test(
        lambda render_mode: make(
            num_players=players, episode=episode, render_mode=render_mode, render_size=(320, 240)
        ),
        custom_tests={
            "ansi": lambda text: text.startswith(heading) and "seat 0" in text,
            "svg": lambda text: text.startswith("<svg") and heading in text,
            "rgb_array": lambda pixels: pixels.shape == (240, 320, 3),
        },
    )


@spread("make", mode=("ansi", "svg", "rgb_array"))
def test_a_picture_is_returned_and_nothing_is_printed(
    game: str, make: Any, mode: str, capsys: pytest.CaptureFixture[str]
) -> None:
    env = make(num_players=3, episode="round", render_mode=mode, render_size=(320, 240))
    env.reset(seed=1)
    capsys.readouterr()  # a first use may say that it compiles
    kinds = {"ansi": str, "svg": str, "rgb_array": np.ndarray}
    pictures = set()
    rng = np.random.default_rng(1)
    for _ in range(8):
        picture = env.render()
        assert type(picture) is kinds[mode]
        assert same(picture, env.render()), "asked twice, there is the same to see"
        pictures.add(picture if mode != "rgb_array" else picture.tobytes())
        env.step(next_action(env, rng))
    assert len(pictures) > 2, "the picture does not follow the game"
    assert capsys.readouterr() == ("", "")


@spread("make", mode=("ansi", "svg", "rgb_array", "human"))
def test_after_close_there_is_no_picture_until_the_next_reset(
    game: str, make: Any, mode: str
) -> None:
    env = make(num_players=2, render_mode=mode, render_size=(320, 240))
    env.close()
    env.reset(seed=1)
    env.close()
    env.close()
    with pytest.raises(NotStarted, match=r"closed; call reset\(\) before render\(\)"):
        env.render()
    env.step(first_legal(env))
    assert not pygame.display.get_init(), "a closed window stays closed"
    env.reset(seed=1)
    assert (env.render() is None) == (mode == "human")
    other = make(num_players=2, render_mode=mode, render_size=(320, 240))
    other.reset(seed=1)
    other.render()


def learner(game: str, mode: str | None, **settings: Any) -> Any:
    """Return Gymnasium's environment, the learner in seat 0."""
    return gymnasium.make(
        gymnasium_id(games.get(game)),
        opponents=["random"],
        render_mode=mode,
        render_size=(320, 240),
        learner_seat=0,
        **settings,
    )


@every_game
@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array", "human"])
def test_gymnasium_has_nothing_to_warn_of_and_shows_what_the_learner_sees(
    game: str, mode: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = learner(game, mode)
        _, info = env.reset(seed=1)
        env.step(int(np.flatnonzero(info["action_mask"])[0]))
        scene = env.unwrapped.learner.tables.describe(0, 0)
        expected = {
            "ansi": ansi(scene),
            "svg": svg(scene, 320, 240),
            "rgb_array": rgb(scene, 320, 240),
            "human": None,
        }
        assert same(env.render(), expected[mode])
        if mode == "human":
            assert np.array_equal(on_the_window(), rgb(scene, 320, 240))
        env.close()
        env.close()
        with pytest.raises(NotStarted, match="closed; call reset"):
            env.unwrapped.render()


@spread("make")
def test_human_shows_every_reset_and_step_in_a_window(game: str, make: Any) -> None:
    shown = make(num_players=2, render_mode="human", render_size=(320, 240))
    pixels = make(num_players=2, render_mode="rgb_array", render_size=(320, 240))
    assert not pygame.display.get_init(), "the window opens at the first picture"
    for env in (shown, pixels):
        env.reset(seed=1)
    for _ in range(5):
        assert np.array_equal(on_the_window(), pixels.render())
        action = first_legal(pixels)
        for env in (shown, pixels):
            env.step(action)
    assert shown.render() is None
    assert np.array_equal(on_the_window(), pixels.render())
    assert pygame.display.get_caption()[0] == shown.metadata["name"]


@every_game
def test_environments_that_share_the_window_each_show_their_own_table(game: str) -> None:
    one, two = (
        maker(game)(num_players=players, render_mode="human", render_size=(320, 240))
        for players in (2, 3)
    )
    one.reset(seed=1)
    first = on_the_window()
    two.reset(seed=2)
    assert not np.array_equal(on_the_window(), first)
    one.render()
    assert np.array_equal(on_the_window(), first)
    two.close()
    assert np.array_equal(on_the_window(), first)
    one.close()
    assert not pygame.display.get_init()


@every_game
def test_a_window_waits_for_each_new_picture_as_long_as_its_frames_a_second_say(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[int] = []
    monkeypatch.setattr(pygame.time, "wait", waited.append)
    env = maker(game)(num_players=2, render_mode="human", render_size=(320, 240))
    env.metadata["render_fps"] = 4
    env.reset(seed=1)
    assert sum(waited) == 250
    env.render()
    assert sum(waited) == 250, "what is shown already needs no time"
    env.step(first_legal(env))
    assert sum(waited) == 500
    assert max(waited) <= 20, "the window answers while it waits"


@every_game
def test_a_game_goes_on_without_the_window_that_its_user_has_closed(game: str) -> None:
    env = maker(game)(num_players=2, render_mode="human", render_size=(320, 240))
    env.reset(seed=1)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    env.render()
    assert not pygame.display.get_init()
    env.step(first_legal(env))
    env.render()
    assert not pygame.display.get_init()
    env.close()


def test_without_a_screen_a_window_says_what_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "nonsense")
    pygame.display.quit()
    with pytest.raises(NoScreen, match="render_mode='rgb_array' needs none"):
        Window("title").show(Scene("heading", ()))


@spread("make", mode=("html", "ANSI", "", 1))
def test_a_mode_that_is_not_declared_is_refused_at_construction(
    game: str, make: Any, mode: Any
) -> None:
    words = r"render_mode=.* give one of None, 'ansi', 'rgb_array', 'human', 'svg'"
    with pytest.raises(RulesError, match=words):
        make(render_mode=mode)


@every_game
@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"render_letters": "latin"}, "render_letters='latin' .* 'international', 'german'"),
        ({"render_colour": "red"}, "render_colour='red' is not possible; give one of False, True"),
        ({"render_size": (800, 0)}, r"render_size=\(800, 0\) .* a width and a height in pixels"),
        ({"render_size": 800}, "render_size=800 is not possible; .* from 160 to 8192"),
    ],
)
def test_settings_of_pictures_are_checked_at_construction(
    game: str, setting: dict[str, Any], words: str
) -> None:
    for make in (maker(game), lambda **more: LearnerEnv(game, **more)):
        with pytest.raises(RulesError, match=words):
            make(**setting)


@every_game
@pytest.mark.parametrize(
    ("mode", "missing", "command"),
    [
        ("rgb_array", "PIL", "pip install 'pillow>=10.1'"),
        ("human", "PIL", "pip install 'pillow>=10.1'"),
        ("human", "pygame", "pip install pygame"),
    ],
)
def test_a_missing_library_is_named_at_construction_with_its_command(
    game: str, mode: str, missing: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    for make in (maker(game), lambda **more: LearnerEnv(game, **more)):
        with pytest.raises(MissingLibrary) as error:
            make(render_mode=mode)
        assert str(error.value).endswith(command)
        assert "\n" not in str(error.value)
        make(render_mode="svg").reset(seed=1)


@every_game
def test_letters_colours_and_size_reach_the_picture(game: str) -> None:
    settings = {"render_letters": "german", "render_size": (400, 300)}
    for make in (
        lambda **more: maker(game)(num_players=2, render_view="player_0", **more),
        lambda **more: LearnerEnv(game, ["random"], learner_seat=0, **more),
    ):
        text = make(render_mode="ansi", render_colour=True, **settings)
        document = make(render_mode="svg", **settings)
        pixels = make(render_mode="rgb_array", **settings)
        for env in (text, document, pixels):
            env.reset(seed=1)
        scene = text._scene()
        assert text.render() == ansi(scene, colour=True, letters="german")
        assert document.render() == svg(scene, 400, 300, "german")
        assert np.array_equal(pixels.render(), rgb(scene, 400, 300, "german"))


@spread("make")
def test_a_notebook_shows_an_environment_as_its_view_has_it(game: str, make: Any) -> None:
    env = make(num_players=3, render_view="player_1")
    assert env._repr_svg_() is None, "there is nothing to see before the first reset"
    env.reset(seed=1)
    assert env._repr_svg_() == svg(env.unwrapped._tables.describe(0, 1))
    own = learner(game, None).unwrapped
    assert own._repr_svg_() is None
    own.reset(seed=1)
    assert own._repr_svg_() == svg(own.learner.tables.describe(0, 0), 320, 240)


@every_game
def test_a_copy_of_an_environment_with_a_window_plays_on(game: str) -> None:
    env = maker(game)(num_players=2, render_mode="human", render_size=(320, 240))
    env.reset(seed=1)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.step(first_legal(other))
        env.render()


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


def faces(game: str, cards: list[int]) -> Counter[str]:
    """Return the faces of cards; some cards of a game may look alike."""
    return Counter(PARTICULARS[game].card_name(card) for card in cards)


def faces_shown(scene: Scene) -> Counter[str]:
    """Return the faces in a scene, without the hidden ones."""
    cards = [card for zone in scene.zones for card in zone.cards]
    return Counter(str(card) for card in cards if not card.hidden)


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
        assert str(HIDDEN) not in open_env.render()
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

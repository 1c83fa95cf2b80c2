"""Playing and looking at replays in a terminal, key by key, without one."""

import asyncio
import dataclasses
import os
import signal
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("textual")

from textual.pilot import Pilot
from textual.widgets import Markdown, OptionList, Static

from cardenv import draw, games, replay
from cardenv.advice import advise
from cardenv.help import how_to_play
from cardenv.players import player_for
from cardenv.replay import Deal, Replay
from cardenv.scene import captioned
from cardenv.table import Tables
from cardenv.terminal.export import scenes, write_gif, write_svgs
from cardenv.terminal.panels import LABELS, labelled
from cardenv.terminal.play import PlayApp
from cardenv.terminal.session import Session
from cardenv.terminal.viewer import ReplayApp
from tests.cases import GAMES, every_game, short_rules
from tests.playing import random_action

ROOT = Path(__file__).parent.parent
FRAME = 4  # columns beside the table
SIZE, PATIENCE = (120, 45), 60.0


class Slow:
    """Takes its first legal action, once it is allowed to."""

    name = "slow"

    def __init__(self) -> None:
        self.may_answer = False

    def act(self, observations: Any, masks: Any, keys: Any) -> Any:
        while not self.may_answer:
            time.sleep(0.01)
        return masks.argmax(axis=1)

    def check(self, tables: Tables) -> None:
        pass


class Sure(Slow):
    """Says what it thinks of each action."""

    name = "sure"

    def __init__(self) -> None:
        self.may_answer = True

    def probabilities(self, observations: Any, masks: Any) -> Any:
        return masks / masks.sum(axis=1, keepdims=True)

    def value(self, observations: Any, masks: Any) -> Any:
        return np.full(len(masks), 0.125)


def start_of(game: str, *agents: str, episode: str = "round", person: int = 0) -> Replay:
    names = [*agents[:person], "you", *agents[person:]]
    tables = Tables(game, 1, len(names), rules=short_rules(game), episode=episode)
    return replay.of_table(tables, Deal(11), names)


def session_of(start: Replay, person: int = 0) -> Session:
    table = start.position(0)
    others = {
        seat: player_for(name, table) for seat, name in enumerate(start.agents) if seat != person
    }
    return Session(start, person, others)


def app_of(start: Replay, person: int = 0, adviser: Any = "random", **more: Any) -> PlayApp:
    table = start.position(0)
    others = session_of(start, person).players
    return PlayApp(start, person, others, player_for(adviser, table), **more)


def drive(app: Any, script: Callable[[Pilot[None]], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with app.run_test(size=SIZE) as pilot:
            await script(pilot)

    asyncio.run(run())


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait until something holds on the screen."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it never came"
        await pilot.pause(0.02)
    await pilot.pause()


def text_of(app: Any, widget: str) -> str:
    return str(app.screen.query_one(widget, Static).render())


def title_of(app: Any, widget: str = "#table") -> str:
    return str(app.query_one(widget).border_title)


def waits_for_person(app: PlayApp) -> Callable[[], bool]:
    return lambda: app.session.turn < 0 or app.session.is_persons_turn


# --- A game without a screen ----------------------------------------------------------------------


def play_on(session: Session, rng: np.random.Generator, decisions: int = 10**6) -> None:
    """Let agents and a random person play on, until that person has decided so often."""
    while session.turn >= 0 and (decisions > 0 or not session.is_persons_turn):
        if session.is_persons_turn:
            decisions -= 1
            session.act(random_action(session.tables.masks[0], rng))
        else:
            session.act(session.choice_of_agent())


@every_game
def test_a_game_taken_back_and_played_on_alike_is_the_same_game(game: str) -> None:
    start = start_of(game, "greedy", "random", episode="match", person=1)
    session, rng = session_of(start, 1), np.random.default_rng(1)
    play_on(session, rng, 2)
    assert session.is_persons_turn, "choose another seed: the match is over"
    actions, events = [*session.actions], [*session.events]
    scene = session.tables.describe(0, 1)
    last = max(move for move, event in enumerate(events) if event.seat == 1)
    assert session.undo()
    assert session.actions == actions[:last]
    assert session.is_persons_turn
    session.act(actions[last])
    play_on(session, rng, 0)
    assert (session.actions, session.events) == (actions, events)
    assert session.tables.describe(0, 1) == scene


def test_nothing_is_taken_back_before_the_first_decision() -> None:
    session = session_of(start_of(GAMES[0], "random", "random", person=2), 2)
    play_on(session, np.random.default_rng(1), 0)
    actions = [*session.actions]
    assert not session.undo()
    assert session.actions == actions


@every_game
def test_what_has_happened_begins_with_the_own_last_decision(game: str) -> None:
    session, rng = session_of(start_of(game, "greedy", "greedy")), np.random.default_rng(2)
    play_on(session, rng, 2)
    told = session.since_last_decision()
    assert told[0].seat == 0
    assert all(event.seat != 0 for event in told[1:])
    assert told == session.events[len(session.events) - len(told) :]


# --- Playing --------------------------------------------------------------------------------------


@every_game
def test_a_game_is_played_by_keys_and_kept(game: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    app = app_of(start_of(game, "greedy", "random"), file=file)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, waits_for_person(app))
        decisions = 0
        while app.session.turn >= 0:
            assert title_of(app) == "your turn"
            legal, shown = app.session.legal, app.query_one(OptionList)
            assert shown.option_count == len(legal)
            place = (7 * decisions) % len(legal)
            expected = f"{LABELS[place]}  {games.get(game).action_names[legal[place]]}"
            assert str(shown.get_option_at_index(place).prompt) == expected
            before = len(app.session.actions)
            if decisions % 2:
                await pilot.press(*["down"] * place, "enter")
            else:
                await pilot.press(LABELS[place])
            await until(pilot, lambda: len(app.session.actions) > before)  # noqa: B023
            assert app.session.actions[before] == legal[place]
            await until(pilot, waits_for_person(app))
            decisions += 1
        assert title_of(app).startswith("over; your score of 1 game")
        assert "the game is over" in text_of(app, "#events")
        first = app.session.replay()
        await pilot.press("1")
        await until(pilot, lambda: app.session.replay().deal == Deal(11, 1))
        await until(pilot, waits_for_person(app))
        await pilot.press("ctrl+q")
        assert replay.load(file)[0] == first

    drive(app, script)
    kept = replay.load(file)
    assert [game.deal.table for game in kept] in ([0], [0, 1])
    assert kept[0].agents == ("you", "greedy", "random")


def test_an_agent_that_thinks_does_not_stop_the_screen() -> None:
    start, slow = start_of(GAMES[0], "slow", person=1), Slow()
    app = PlayApp(dataclasses.replace(start, deal=Deal(11, first=0)), 1, {0: slow}, slow)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.pause()
        assert title_of(app) == "seat 0, slow, is thinking ..."
        assert app.query_one(OptionList).option_count == 0
        await pilot.press("1", "backspace", "space", "question_mark")
        assert how_to_play(games.get(GAMES[0]))[:40] in text_of(app, "#text")
        await pilot.press("escape")
        assert app.session.actions == []
        slow.may_answer = True
        await until(pilot, waits_for_person(app))
        assert app.session.actions

    drive(app, script)


def test_advice_shows_choice_probabilities_and_value() -> None:
    app = app_of(start_of(GAMES[0], "random"), adviser=Sure())

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, waits_for_person(app))
        before = [*app.session.actions]
        await pilot.press("space")
        await until(pilot, lambda: "would" in text_of(app, "#words"))
        words, legal = text_of(app, "#words"), app.session.legal
        names = games.get(GAMES[0]).action_names
        assert f"sure would: {names[legal[0]]}" in words
        assert "expects to score +0.125" in words
        assert words.count(f"{1 / len(legal):.1%}") == len(legal)
        assert app.session.actions == before
        await pilot.press("1")
        await until(pilot, waits_for_person(app))
        assert text_of(app, "#words") == ""

    drive(app, script)


def test_advice_of_a_search_shows_a_value_for_each_action() -> None:
    app = app_of(start_of(GAMES[1], "random"), adviser="mc:3")

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, waits_for_person(app))
        await pilot.press("space")
        await until(pilot, lambda: "mc:3 would" in text_of(app, "#words"))
        lines = text_of(app, "#words").splitlines()
        assert "value" in lines[2]
        assert len(lines) == 3 + len(app.session.legal)

    drive(app, script)


def test_advice_for_a_position_that_is_left_is_not_shown() -> None:
    """The same number of actions does not make the same position."""
    adviser = Sure()
    app = app_of(start_of(GAMES[0], "random"), adviser=adviser, practice=True)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, waits_for_person(app))
        await pilot.press("1")
        await until(pilot, waits_for_person(app))
        asked = app.session.replay()
        adviser.may_answer = False
        await pilot.press("space")
        await pilot.press("backspace", "2")
        await until(pilot, waits_for_person(app))
        assert app.session.replay() != asked
        adviser.may_answer = True
        await pilot.pause(0.3)
        assert "would" not in text_of(app, "#words")
        app.show_advice(asked, advise(adviser, asked.position()))
        assert "would" not in text_of(app, "#words")

    drive(app, script)


class Broken(Slow):
    """Cannot decide."""

    name = "broken"

    def __init__(self, answer: Callable[[], Any]) -> None:
        self.answer = answer

    def act(self, observations: Any, masks: Any, keys: Any) -> Any:
        return self.answer()


def fails() -> Any:
    raise ZeroDivisionError("no hands")


@pytest.mark.parametrize(
    ("answer", "said"), [(fails, "ZeroDivisionError: no hands"), (lambda: [60], "is not legal")]
)
def test_an_agent_that_fails_is_told_of_and_the_game_is_kept(
    answer: Callable[[], Any], said: str, tmp_path: Path
) -> None:
    start, file = start_of(GAMES[0], "broken"), tmp_path / "games.jsonl"
    start = dataclasses.replace(start, deal=Deal(11, first=0))
    app = PlayApp(start, 0, {1: Broken(answer)}, Broken(fails), file=file)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, waits_for_person(app))
        await pilot.press("space")
        await until(pilot, lambda: "no hands" in text_of(app, "#words"))
        while app.session.is_persons_turn:
            await pilot.press("1")
            await pilot.pause()
        await until(pilot, lambda: "has failed" in title_of(app))
        assert said in next(iter(app._notifications)).message
        await pilot.press("ctrl+q")

    drive(app, script)
    assert replay.load(file) == [app.session.replay()]


def test_nobody_waits_for_thoughts_when_the_screen_is_left() -> None:
    start, slow = start_of(GAMES[0], "slow", person=1), Slow()
    app = PlayApp(dataclasses.replace(start, deal=Deal(11, first=0)), 1, {0: slow}, slow)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)

    began = time.monotonic()
    drive(app, script)
    assert time.monotonic() - began < PATIENCE
    assert not slow.may_answer
    slow.may_answer = True


def test_the_table_fits_the_screen_and_is_fitted_anew() -> None:
    app = app_of(start_of("mow", "random", "random", "random", "random"))

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, waits_for_person(app))
        for width in (120, 60, 90):
            await pilot.resize_terminal(width, 40)
            await pilot.pause()
            lines = text_of(app, "#table").splitlines()
            assert max(map(len, lines)) <= width - FRAME
            session = app.session
            scene = session.tables.describe(0, 0)
            scene = captioned(scene, session.start.agents, session.scores())
            assert text_of(app, "#table") == "\n".join(
                draw.ansi(scene, width=width - FRAME).splitlines()
            )

    drive(app, script)


def test_keys_on_the_screen_of_rules_do_not_play() -> None:
    app = app_of(start_of(GAMES[0], "random"), practice=True)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, waits_for_person(app))
        before = [*app.session.actions]
        await pilot.press("question_mark", "1", "2", "a", "enter", "space", "backspace", "escape")
        await pilot.pause()
        assert app.session.actions == before
        assert len(app.screen_stack) == 1

    drive(app, script)


@every_game
def test_the_rules_are_at_hand_in_full(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/games" / f"{game}.md").read_text(encoding="utf-8")
    app = app_of(start_of(game, "random"))

    async def script(pilot: Pilot[None]) -> None:
        for expected in (page, ""):
            await pilot.press("question_mark")
            await pilot.pause()
            assert app.screen.query_one("#page", Markdown).source == expected
            await pilot.press("end", "escape")
            monkeypatch.setattr("cardenv.help.PAGES", Path("nowhere"))

    drive(app, script)


def test_agents_go_on_behind_the_screen_of_rules() -> None:
    start, slow = start_of(GAMES[0], "slow", person=1), Slow()
    app = PlayApp(dataclasses.replace(start, deal=Deal(11, first=0)), 1, {0: slow}, slow)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        slow.may_answer = True
        await until(pilot, waits_for_person(app))
        await pilot.press("escape")
        assert title_of(app) == "your turn"
        assert app.query_one(OptionList).option_count == len(app.session.legal)

    drive(app, script)


def test_names_in_brackets_are_shown_as_they_are() -> None:
    name = "runs/[red]31[/red]"
    adviser = Sure()
    adviser.name = name
    app = app_of(start_of(GAMES[0], "random"), adviser=adviser)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, waits_for_person(app))
        shown = app.query_one("#advice")
        assert name in shown._border_title.plain
        await pilot.press("space")
        await until(pilot, lambda: f"{name} would" in text_of(app, "#words"))

    drive(app, script)


@pytest.mark.parametrize("fails", [1, 9])
def test_a_game_that_cannot_be_saved_is_told_of_and_tried_again(
    fails: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, append, tried = tmp_path / "games.jsonl", replay.append, []

    def full(path: Path, played: Replay) -> None:
        tried.append(played)
        if len(tried) <= fails:
            raise OSError(28, "No space left on device")
        append(path, played)

    monkeypatch.setattr(replay, "append", full)
    app = app_of(start_of(GAMES[0], "random"), file=file)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, waits_for_person(app))
        await pilot.press("1")
        await until(pilot, waits_for_person(app))
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert app.is_running
        assert "No space left on device" in next(iter(app._notifications)).message
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)

    drive(app, script)
    assert file.exists() == (fails == 1)
    if fails == 1:
        assert replay.load(file) == [app.session.replay()]


def test_a_closed_terminal_does_not_lose_the_game(tmp_path: Path) -> None:
    for name in ("SIGHUP", "SIGTERM", "SIGINT"):
        file = tmp_path / name
        app = app_of(start_of(GAMES[0], "random"), file=file)

        async def script(pilot: Pilot[None], app: PlayApp = app, name: str = name) -> None:
            await until(pilot, waits_for_person(app))
            await pilot.press("1")
            await until(pilot, waits_for_person(app))
            for _ in range(3):
                os.kill(os.getpid(), getattr(signal, name))
            await until(pilot, lambda: not app.is_running)
            await app.action_quit()

        drive(app, script)
        assert replay.load(file) == [app.session.replay()]


def test_leaving_by_the_list_tries_again_to_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, append, tried = tmp_path / "games.jsonl", replay.append, []

    def full_at_first(path: Path, played: Replay) -> None:
        tried.append(played)
        if len(tried) == 1:
            raise OSError(28, "No space left on device")
        append(path, played)

    monkeypatch.setattr(replay, "append", full_at_first)
    app = app_of(start_of(GAMES[0], "random"), file=file)

    async def script(pilot: Pilot[None]) -> None:
        while app.session.turn >= 0:
            await until(pilot, waits_for_person(app))
            await pilot.press("1")
        assert not file.exists()
        await pilot.press("2")
        await until(pilot, lambda: not app.is_running)

    drive(app, script)
    assert replay.load(file) == [app.session.replay()]


@pytest.mark.parametrize("size", [(20, 5), (1, 1)])
def test_any_key_on_any_screen_is_survived_and_an_error_loses_no_game(
    size: tuple[int, int], tmp_path: Path
) -> None:
    file = tmp_path / "games.jsonl"
    app = app_of(start_of("mow", "random", "random"), practice=True, file=file)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, waits_for_person(app))
        await pilot.press("1")
        await until(pilot, waits_for_person(app))
        await pilot.resize_terminal(*size)
        await pilot.press("pageup", "pagedown", "home", "end", "up", "down", "tab", "question_mark")
        await pilot.press("escape", "space", "backspace", "1")
        await until(pilot, waits_for_person(app))
        app.rescue()

    drive(app, script)
    assert replay.load(file) == [app.session.replay()]


def test_on_a_small_screen_a_full_table_shows_hand_and_actions() -> None:
    app = app_of(start_of("schwimmen", *["random"] * 8))

    async def script(pilot: Pilot[None]) -> None:
        await pilot.resize_terminal(80, 24)
        await until(pilot, waits_for_person(app))
        for widget in ("#table", "#actions", "#told"):
            shown = app.query_one(widget).region
            assert shown.height >= 4
            assert app.screen.region.contains_region(shown)
        assert app.screen.scroll_offset.y == 0

    drive(app, script)


def test_decisions_are_taken_back_in_practice_alone() -> None:
    for practice in (True, False):
        app = app_of(start_of(GAMES[0], "random"), practice=practice)

        async def script(pilot: Pilot[None], app: PlayApp = app, practice: bool = practice) -> None:
            await until(pilot, waits_for_person(app))
            before = [*app.session.actions]
            await pilot.press("1")
            await until(pilot, lambda: len(app.session.actions) > len(before))
            await until(pilot, waits_for_person(app))
            after = [*app.session.actions]
            await pilot.press("backspace")
            await pilot.pause()
            assert app.session.actions == (before if practice else after)

        drive(app, script)


def test_there_is_a_key_for_more_actions_than_letters() -> None:
    lines = labelled([str(number) for number in range(50)])
    assert len(lines) == 50
    assert [line[0] for line in lines[:35]] == [*LABELS]
    assert {line[0] for line in lines[35:]} == {" "}


# --- Replays --------------------------------------------------------------------------------------


def whole_game(game: str, seed: int = 1) -> Replay:
    session = session_of(start_of(game, "greedy", "random"))
    play_on(session, np.random.default_rng(seed))
    return session.replay()


@every_game
def test_a_replay_is_stepped_through_and_jumped_in(game: str) -> None:
    played = [whole_game(game), whole_game(game, 2)]
    app = ReplayApp(played, advisers=("greedy", "nobody"))

    async def script(pilot: Pilot[None]) -> None:
        await pilot.pause()
        assert title_of(app).startswith("game 1 of 2 · move 0 of")
        await pilot.press("right", "right", "left")
        assert app.move == 1
        assert text_of(app, "#table") == picture_of(played[0], 1, -1)
        assert f"({played[0].agents[int(played[0].position(0).turn[0])]})" in text_of(
            app, "#events"
        )
        await until(pilot, lambda: "would" in text_of(app, "#words"))
        assert "greedy would" in text_of(app, "#words")
        await pilot.press("g", "2", "enter")
        assert app.move == 2
        await pilot.press("g", "1", "escape", "end")
        assert not app.query_one("#move").display
        assert app.move == len(played[0])
        await pilot.press("right")
        assert app.move == len(played[0])
        await pilot.press("home", "o")
        assert (app.move, app.view) == (0, 0)
        assert text_of(app, "#table") == picture_of(played[0], 0, 0)
        await pilot.press("down")
        assert (app.number, app.move) == (1, 0)
        await pilot.press("o", "o", "o", "a")
        assert app.view == -1
        await until(pilot, lambda: "there is no agent 'nobody'" in text_of(app, "#words"))

    drive(app, script)


def picture_of(played: Replay, move: int, view: int) -> str:
    position = played.position(move)
    scene = captioned(position.describe(0, view), played.agents, replay.scores_of(position))
    lines = draw.ansi(scene, width=SIZE[0] - FRAME).splitlines()
    return "\n".join(lines)


def test_with_closed_hands_no_agent_tells_what_another_seat_holds() -> None:
    played = whole_game(GAMES[1])
    turn = int(played.position(0).turn[0])
    app = ReplayApp([played], view=(turn + 1) % played.players, advisers=("greedy",))

    async def script(pilot: Pilot[None]) -> None:
        await pilot.pause()
        assert "hands are closed" in text_of(app, "#words")

    drive(app, script)


def test_an_answer_that_comes_after_the_hands_were_closed_is_not_shown() -> None:
    played = whole_game(GAMES[1])
    tables = played.position(0)
    app = ReplayApp([played], advisers=("greedy",))

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "would" in text_of(app, "#words"))
        asked = app._asked()
        while app.view in (-1, int(tables.turn[0])):
            await pilot.press("o")
        app.show_advice(asked, advise(player_for("greedy", tables), tables), tables)
        assert "hands are closed" in text_of(app, "#words")

    drive(app, script)


def test_a_number_of_any_length_goes_to_a_move_that_there_is() -> None:
    played = whole_game(GAMES[0])
    app = ReplayApp([played])

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("g", *"9" * 30, "enter")
        assert app.move == len(played)
        await pilot.press("g", "+", "1", "enter")
        assert app.move == 1
        await pilot.press("g", "enter")
        assert app.move == 1

    drive(app, script)


@every_game
def test_a_replay_becomes_pictures(game: str, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    played = whole_game(game).first(3)
    assert write_svgs(scenes(played, -1), tmp_path / "frames", 400, 300) == 4
    frames = sorted((tmp_path / "frames").iterdir())
    assert [path.name for path in frames] == [f"frame-0000{number}.svg" for number in range(4)]
    assert len({path.read_text() for path in frames}) == 4
    assert "move 2, seat" in frames[2].read_text()
    last = [*scenes(whole_game(game), -1)][-1]
    scores = whole_game(game).scores
    for zone in last.zones:
        if zone.seat >= 0:
            said = whole_game(game).agents[zone.seat], f"score {scores[zone.seat]:+.3f}"
            assert zone.notes[:2] == said
    assert [*scenes(played, -1, 2)] == [*scenes(played, -1)][2:]
    assert write_gif(scenes(played, 0), tmp_path / "game.gif", 400, 300, 0.5) == 4
    with image.open(tmp_path / "game.gif") as animation:
        assert animation.size == (400, 300)
        assert animation.n_frames == 4
        assert animation.info["duration"] == 500
    assert [path.name for path in tmp_path.glob("*.gif")] == ["game.gif"]


def test_an_animation_that_fails_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = pytest.importorskip("PIL.Image")
    path = tmp_path / "game.gif"
    path.write_bytes(b"before")

    def save(self: Any, unfinished: Path, **more: Any) -> None:
        unfinished.write_bytes(b"half")
        raise OSError("the disk is full")

    monkeypatch.setattr(image.Image, "save", save)
    with pytest.raises(OSError, match="the disk is full"):
        write_gif(scenes(whole_game(GAMES[0]).first(1), 0), path, 400, 300, 0.5)
    assert [*tmp_path.iterdir()] == [path]
    assert path.read_bytes() == b"before"


# --- The rules at hand ----------------------------------------------------------------------------


@every_game
def test_how_a_game_is_played_comes_from_the_readme(game: str) -> None:
    said = how_to_play(games.get(game))
    assert said.startswith("In ")
    assert len(said.split()) > 40
    assert "**" not in said

"""The commands of ``python -m cardenv``: what they refuse, what they write, what they say."""

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("textual")

from cardenv import replay, selfcheck
from cardenv.commandline import SettingsError
from cardenv.replay import Deal
from cardenv.selfcheck import Report
from cardenv.table import Tables
from cardenv.terminal import commands
from tests.cases import GAMES


def command(monkeypatch: Any, capsys: Any, *words: str) -> tuple[int, str, str]:
    """Carry out a command here; return its status and what it printed on both streams."""
    monkeypatch.setattr(sys, "argv", ["cardenv", *words])
    with pytest.raises(SystemExit) as end:
        commands.main()
    printed = capsys.readouterr()
    return int(end.value.code or 0), printed.out, printed.err


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file of one game, two moves long."""
    tables = Tables(GAMES[0], 1, 2, episode="round")
    start = replay.of_table(tables, Deal(1, first=0), ["one", "two"])
    opening = int(np.flatnonzero(start.position().masks[0])[0])
    replay.save(tmp_path / "games.jsonl", [start.with_actions([opening])])
    return tmp_path / "games.jsonl"


PLAY = ("play", GAMES[0])
REFUSED = {
    "no such game": (("play", "bridge"), "'bridge' is no game"),
    "no such agent": ((*PLAY, "--agents", "nobody"), "there is no agent 'nobody'"),
    "no such adviser": ((*PLAY, "--adviser", "nobody"), "there is no agent 'nobody'"),
    "an adviser without a name": ((*PLAY, "--adviser", ""), "there is no agent ''"),
    "no such episode": ((*PLAY, "--episode", "evening"), "evening"),
    "a folder for games": ((*PLAY, "--save-games", "FOLDER"), "FOLDER cannot be written"),
    "games under a file": ((*PLAY, "--save-games", "FILE/games.jsonl"), "cannot be written"),
    "games nowhere": ((*PLAY, "--save-games", ""), "cannot be written"),
    "no such seat": ((*PLAY, "--seat", "4"), "seat=4 is not there; give 0 to 3"),
    "no such rule": ((*PLAY, "--rules", "lives=99"), "lives=99"),
    "too many agents": ((*PLAY, "--agents", *["random"] * 9), "players=10"),
    "nobody to play with": ((*PLAY, "--agents"), "players=1"),
    "no such seed": ((*PLAY, "--seed", "-1"), "seed=-1"),
    "no such word": ((*PLAY, "--colour", "red"), "--help lists what there is"),
    "no terminal": ((*PLAY, "--agents", "random"), "this needs a terminal"),
    "no such file": (("replay", "FOLDER/none.jsonl"), "give the path of one that is there"),
    "a folder": (("replay", "FOLDER"), "give a file, not a folder"),
    "no such number": (("replay", "FILE", "--game", "2"), "holds games 1 to 1"),
    "no such move": (("replay", "FILE", "--move", "2"), "give 0 to 1"),
    "no such move for pictures": (("replay", "FILE", "--svg", "x", "--move", "2"), "0 to 1"),
    "agents on pictures": (("replay", "FILE", "--svg", "x", "--agents", "random"), "--agents"),
    "a folder for an animation": (("replay", "FILE", "--gif", "FOLDER"), "cannot be written"),
    "an animation nowhere": (("replay", "FILE", "--gif", ""), "cannot be written"),
    "pictures into a file": (("replay", "FILE", "--svg", "FILE"), "stands where a folder"),
    "no such view": (("replay", "FILE", "--view", "2"), "give 0 to 1, or -1"),
    "no such agent to show": (("replay", "FILE", "--agents", "nobody"), "no agent 'nobody'"),
    "no terminal for a replay": (("replay", "FILE"), "this needs a terminal"),
    "no size": (("replay", "FILE", "--svg", "FOLDER/s", "--width", "0"), "0"),
    "no time": (("replay", "FILE", "--gif", "FOLDER/g.gif", "--seconds", "0"), "seconds=0.0"),
    "nothing to check": (("check", "bridge"), "'bridge' is no game"),
    "too few to check": (("check", GAMES[0], "--games", "0"), "games=0 is not possible"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused_in_one_line(
    what: str, file: Path, monkeypatch: Any, capsys: Any
) -> None:
    words, said = REFUSED[what]
    monkeypatch.chdir(file.parent)
    places = {"FILE": str(file), "FOLDER": str(file.parent)}
    for name, place in places.items():
        words = tuple(word.replace(name, place) for word in words)
        said = said.replace(name, place)
    before = sorted(file.parent.iterdir())
    status, out, err = command(monkeypatch, capsys, *words)
    assert sorted(file.parent.iterdir()) == before
    assert status == 2
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.parametrize("stream", ["stdin", "stdout", "stderr"])
@pytest.mark.parametrize("is_closed", [True, False])
def test_a_stream_that_is_no_terminal_is_refused(
    stream: str, is_closed: bool, monkeypatch: Any
) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, Terminal())
    commands.check_terminal()
    monkeypatch.setattr(sys, stream, None if is_closed else io.StringIO())
    with pytest.raises(SettingsError, match="this needs a terminal"):
        commands.check_terminal()


def test_check_without_an_output_plays_all_the_same() -> None:
    words = "import os, sys; sys.argv[1:] = ['check', 'mow', '--games', '2']; os.close(1); "
    code = words + "sys.stdout = None; from cardenv.terminal.commands import main; main()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr


def test_a_damaged_file_is_met_before_the_game(file: Path, monkeypatch: Any, capsys: Any) -> None:
    before = file.read_text() + '{"format"\n'
    file.write_text(before)
    for words in (("replay", str(file)), (*PLAY, "--save-games", str(file))):
        status, _, err = command(monkeypatch, capsys, *words)
        assert status == 2
        assert f"{file}, line 2: it is no whole line of JSON" in err
    assert file.read_text() == before


@pytest.mark.parametrize("words", [(*PLAY, "--agents", "greedy"), ("replay", "FILE")])
def test_agents_decide_once_before_the_screen_hides_what_is_compiled(
    words: tuple[str, ...], file: Path, monkeypatch: Any, capsys: Any
) -> None:
    from cardenv.terminal.play import PlayApp
    from cardenv.terminal.viewer import ReplayApp

    done: list[str] = []
    monkeypatch.setattr(commands, "check_terminal", lambda: None)
    monkeypatch.setattr(commands, "advise", lambda player, tables: done.append(player.name))
    for app in (PlayApp, ReplayApp):
        monkeypatch.setattr(app, "run", lambda app: done.append("screen"))
        monkeypatch.setattr(app, "return_code", 0)
    words = tuple(word.replace("FILE", str(file)) for word in words)
    agents = () if words[0] == "play" else ("--agents", "greedy")
    assert command(monkeypatch, capsys, *words, *agents)[0] == 0
    assert done == ["greedy"] * (2 if words[0] == "play" else 1) + ["screen"]


def test_a_replay_is_exported(file: Path, monkeypatch: Any, capsys: Any) -> None:
    pytest.importorskip("PIL")
    svg, gif = file.parent / "frames", file.parent / "game.gif"
    size = ("--width", "400", "--height", "300")
    words = ("replay", str(file), "--svg", str(svg), "--gif", str(gif), *size)
    assert command(monkeypatch, capsys, *words)[:2] == (
        0,
        f"2 pictures in {svg}\n2 pictures in {gif}\n",
    )
    frames = sorted(svg.iterdir())
    assert [path.name for path in frames] == ["frame-00000.svg", "frame-00001.svg"]
    assert gif.read_bytes().startswith(b"GIF8")
    last = frames[1].read_text()
    (svg / "frame-of-mine.svg").write_text("mine")
    assert command(monkeypatch, capsys, *words[:4], "--move", "1", *size)[:2] == (
        0,
        f"1 picture in {svg}\n",
    )
    assert sorted(path.name for path in svg.iterdir()) == ["frame-00000.svg", "frame-of-mine.svg"]
    assert frames[0].read_text() == last


@pytest.mark.parametrize("is_broken", [False, True])
def test_check_tells_by_its_status_whether_a_promise_is_broken(
    is_broken: bool, monkeypatch: Any, capsys: Any
) -> None:
    asked = []

    def check(game: str, *, games: int, seed: int, progress: Any) -> Report:
        asked.append((game, games, seed))
        progress(1, 2, "words")
        report = Report(game, ["a table"], games, seed, {"seeds": "the same again"})
        if is_broken:
            report.broken["seeds"] = selfcheck.BrokenPromise(
                "seeds", "it was not", "a table", "again()"
            )
        return report

    monkeypatch.setattr(selfcheck, "run", check)
    words = ("check", GAMES[1], "--games", "3", "--seed", "7")
    status, out, _ = command(monkeypatch, capsys, *words)
    assert asked == [(GAMES[1], 3, 7)]
    assert status == int(is_broken)
    assert ("broken" in out) == is_broken
    assert GAMES[1] in out


def test_without_the_extra_one_sentence_says_what_to_install() -> None:
    script = (
        "import sys\n"
        "from importlib import util\n"
        "found = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'textual' else found(name, *rest)\n"
        "import cardenv.__main__ as command\n"
        "command.main()\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
        timeout=120,
    )
    assert run.returncode == 1
    assert run.stderr == (
        "error: cardenv's commands need textual; install cardenv with its extra: "
        "pip install -e '.[terminal]'\n"
    )

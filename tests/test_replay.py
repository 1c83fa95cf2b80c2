"""A replay is the game that was played, and nothing else is taken for one."""

import dataclasses
import errno
import functools
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardenv import games, replay
from cardenv.replay import Deal, Replay, ReplayError
from cardenv.table import Tables
from tests.cases import GAMES, every_game, every_kind_of_table, players_of, short_rules
from tests.playing import random_action, row_digest


def played(table: Any, seed: int, deal: Deal, moves: int = 10**9) -> tuple[Replay, Tables]:
    """Play a table at random; return what its replay should be, and the table itself."""
    rng = np.random.default_rng(seed)
    tables = Tables(table.game, 1, table.players, rules=table.rules, episode=table.episode)
    tables.seed(deal.seed, np.array([deal.table]))
    tables.reset(deck=deal.deck, first=deal.first)
    start = replay.of_table(tables, deal, ["random"] * table.players)
    actions: list[int] = []
    while tables.turn[0] >= 0 and len(actions) < moves:
        actions.append(random_action(tables.masks[0], rng))
        tables.step_one(0, actions[-1])
    scores = tuple(tables.score[0].tolist())
    return dataclasses.replace(start, actions=tuple(actions), scores=scores), tables


@functools.cache
def a_game(game: str = GAMES[0], players: int = 0, **settings: Any) -> Replay:
    """Return the replay of a whole round at random."""
    players = players or players_of(game)[1]
    tables = Tables(game, 1, players, **{"episode": "round", **settings})
    return played(_like(tables), 1, Deal(5))[0]


def _like(tables: Tables) -> Any:
    return dataclasses.make_dataclass("Kind", ["game", "players", "rules", "episode"])(
        tables.game.name, tables.players, tables.rules, tables.episode
    )


def loaded(path: Path, *lines: str) -> list[Replay]:
    """Return the games of a file with these lines."""
    path.write_text("".join(line + "\n" for line in lines))
    return replay.load(path)


# --- The game again -------------------------------------------------------------------------------


@every_kind_of_table
def test_a_saved_game_is_the_game_that_was_played(table: Any, tmp_path: Path) -> None:
    made = [played(table, seed, Deal(7, seed)) for seed in range(2)]
    replay.save(tmp_path / "games.jsonl", [game for game, _ in made])
    for read, (game, tables) in zip(replay.load(tmp_path / "games.jsonl"), made, strict=True):
        assert read == game
        assert row_digest(read.position().rows) == row_digest(tables.rows)
        assert np.array_equal(read.position().masks, tables.masks)


@every_game
@pytest.mark.parametrize("seed", [0, 2**63 - 1, 2**64 - 1])
def test_a_dealt_deck_and_a_named_first_seat_are_kept(game: str, seed: int) -> None:
    kind = Tables(game, 1, players_of(game)[1], rules=short_rules(game), episode="match")
    deck = tuple(np.random.default_rng(3).permutation(kind.rules.cards).tolist())
    made, tables = played(_like(kind), 4, Deal(seed, 2**40, deck, first=1))
    read = replay.from_line(replay.to_line(made))
    assert read == made
    assert row_digest(read.position().rows) == row_digest(tables.rows)


@every_game
def test_any_move_can_be_gone_to(game: str) -> None:
    made = a_game(game)
    steps = [row_digest(tables.rows) for tables, _, _ in replay.decisions(made)]
    assert len(steps) == len(made)
    for move in (0, len(made) // 2, len(made) - 1):
        assert row_digest(made.position(move).rows) == steps[move]


@every_game
def test_a_game_broken_off_is_a_game_too(game: str) -> None:
    made = a_game(game)
    short = made.first(len(made) // 2)
    read = replay.from_line(replay.to_line(short))
    assert read == short
    assert read.position().turn[0] >= 0
    assert read.with_actions(made.actions) == made


def test_seats_and_events_of_the_observations_are_kept() -> None:
    game = GAMES[0]
    tables = Tables(game, 1, 2, episode="round", max_players=4)
    made = dataclasses.replace(replay.of_table(tables, Deal(1), ["one", "two"]), history=3)
    read = replay.from_line(replay.to_line(made))
    assert (read.max_players, read.history) == (4, 3)
    assert read.position(0).layout.size == Tables(game, 1, 2, max_players=4, history=3).layout.size


def test_games_are_added_to_a_file_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "new" / "games.jsonl"
    made = [a_game(game) for game in GAMES]
    for each in made:
        replay.append(path, each)
    assert replay.load(path) == made
    assert path.read_text().count("\n") == len(made)


def test_a_game_is_added_behind_a_line_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(replay.to_line(a_game()))
    replay.append(path, a_game())
    assert replay.load(path) == [a_game()] * 2


def test_a_file_on_a_full_disk_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.jsonl"
    replay.append(path, a_game())
    before, opened = path.read_bytes(), Path.open

    class NearlyFull:
        """Takes ten bytes of what is written, and then no more."""

        def __init__(self, file: Any) -> None:
            self.file, self.has_room = file, True

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

        def __enter__(self) -> "NearlyFull":
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()

        def write(self, line: bytes) -> int:
            if not self.has_room:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self.has_room = False
            return int(self.file.write(line[:10]))

    monkeypatch.setattr(Path, "open", lambda *args, **more: NearlyFull(opened(*args, **more)))
    with pytest.raises(OSError, match="No space left"):
        replay.append(path, a_game())
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert not [*tmp_path.glob("unfinished-*")]


def test_names_that_are_no_text_are_written_as_text(tmp_path: Path) -> None:
    tables = Tables(GAMES[0], 1, 2, episode="round")
    made = replay.of_table(tables, Deal(1), ["runs/\udcff", "\x1b[2Jb\n"], title="\ud800\u2028")
    assert made.agents == (r"runs/\udcff", r"\x1b[2Jb\n")
    replay.append(tmp_path / "games.jsonl", made)
    assert replay.load(tmp_path / "games.jsonl") == [made]


def test_names_of_any_letters_are_kept(tmp_path: Path) -> None:
    made = dataclasses.replace(a_game(players=2), agents=("Jürgen 2", "玩家"), title="♥ [red]")
    assert loaded(tmp_path / "games.jsonl", replay.to_line(made)) == [made]


# --- Nothing else ---------------------------------------------------------------------------------


def changed(**parts: Any) -> str:
    """Return the line of a game with some parts changed."""
    return json.dumps({**json.loads(replay.to_line(a_game())), **parts})


def without(part: str) -> str:
    line = json.loads(replay.to_line(a_game()))
    del line[part]
    return json.dumps(line)


def last_action_changed() -> str:
    actions = [*a_game().actions]
    return changed(actions=[*actions[:-1], 60])


RULES = games.get(GAMES[0]).rules().to_dict()
ILLEGAL = int(np.flatnonzero(a_game().position(0).masks[0] == 0)[0])
WRONG = {
    "cut off": (replay.to_line(a_game())[:-20], "no whole line of JSON"),
    "empty": ("", "no whole line of JSON"),
    "deeply nested": ("[" * 100_000, "no whole line of JSON"),
    "another file": ('{"a": 1}', "no replay of cardenv"),
    "a list": ("[]", "no replay of cardenv"),
    "another format": (changed(format=99), "format 99"),
    "another cardenv": (changed(cardenv="99.0"), "cardenv 99.0"),
    "another version of the game": (changed(version=99), "version 99"),
    "other rules": (changed(fingerprint="0" * 16), "rules of"),
    "no such game": (changed(game="bridge"), "'bridge' is no game"),
    "no such switch": (changed(rules={**RULES, "joker": 1}), "'joker' is unknown"),
    "no switches": (changed(rules={}), "is missing"),
    "a format that is a list": (changed(format=[1]), "no replay of cardenv"),
    "a number beyond all": (changed(history=10**30), "'history' is 10"),
    "a first seat beyond all": (changed(first=2**63), "seat 9223372036854775808"),
    "a name that steers terminals": (changed(agents=["\x1b[2J"] * 5), "which is no text"),
    "a name that is no text": (changed(agents=["\udcff"] * 5), r"'\udcff', which is no text"),
    "a switch out of range": (changed(rules={**RULES, "lives": 99}), "lives=99"),
    "too many players": (changed(players=99, agents=["one"] * 99), "players=99"),
    "no such episode": (changed(episode="evening"), "'evening'"),
    "a seed below zero": (changed(seed=-1), "seed=-1"),
    "a table below zero": (changed(table=-1), "'table' is -1"),
    "half a deck": (changed(deck=[1, 2, 3]), "its deck has 3 cards"),
    "a card twice": (changed(deck=[0] * 32), "not an order of the pack"),
    "a deck without end": (changed(deck=[0] * 10**5), "100000 cards"),
    "a deck of words": (changed(deck=["ace"]), "'deck' hold 'ace'"),
    "no such first seat": (changed(first=99), "seat 99"),
    "too few agents": (changed(agents=["one"]), "seats 1 agents"),
    "an agent without a name": (changed(agents=[1] * 5), "'agents' hold 1"),
    "an illegal action": (changed(actions=[ILLEGAL]), f"move 1 cannot be: action {ILLEGAL}"),
    "no action of the game": (changed(actions=[60]), "move 1 cannot be: there is no action 60"),
    "a late illegal action": (last_action_changed(), f"move {len(a_game())} cannot be"),
    "an action below zero": (changed(actions=[-1]), "there is no action -1"),
    "a huge action": (changed(actions=[2**70]), "there is no action 1180591620717411303424"),
    "an action that is a truth": (changed(actions=[True]), "'actions' hold True"),
    "an action after the end": (changed(actions=[*a_game().actions, 0]), "is over"),
    "an action left out": (changed(actions=[*a_game().actions[:-1]]), "not ["),
    "other scores": (changed(scores=[9.0] * 5), "not [9.0"),
    "scores that are none": (changed(scores=[float("nan")] * 5), "not [nan"),
    "a seat's score missing": (changed(scores=[0.0]), "not [0.0]"),
    "a word for a number": (changed(players="five"), "'players' is 'five'"),
    "a part missing": (without("actions"), "'actions' is None"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_damaged_or_foreign_line_is_refused_with_its_number(what: str, tmp_path: Path) -> None:
    line, words = WRONG[what]
    good = replay.to_line(a_game())
    with pytest.raises(ReplayError) as caught:
        loaded(tmp_path / "games.jsonl", good, line, good)
    said = str(caught.value)
    assert said.startswith(f"{tmp_path / 'games.jsonl'}, line 2: ")
    assert words in said
    assert said.endswith("; restore the line, or remove it.")
    assert "\n" not in said
    assert "Python" not in said
    assert "argument" not in said


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_bytes(replay.to_line(a_game()).encode() + b"\n\xff\xfe\n")
    with pytest.raises(ReplayError, match=r"line 2: it is no UTF-8 text"):
        replay.load(tmp_path / "games.jsonl")


def test_a_file_without_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="holds no game"):
        loaded(tmp_path / "games.jsonl")


def test_every_action_counts() -> None:
    """A replay with one other legal action is another game, or refused."""
    made = a_game()
    differing = 0
    for move, (tables, _, action) in enumerate(replay.decisions(made)):
        for other in set(np.flatnonzero(tables.masks[0]).tolist()) - {action}:
            actions = [*made.actions[:move], other, *made.actions[move + 1 :]]
            try:
                read = replay.from_line(changed(actions=actions))
            except ReplayError:
                differing += 1
            else:
                assert read.actions != made.actions
    assert differing


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    replay.save(path, [a_game()])
    before = path.read_bytes()
    with pytest.raises(AttributeError):
        replay.save(path, [a_game(), None])  # type: ignore[list-item]
    assert path.read_bytes() == before
    assert [*tmp_path.iterdir()] == [path]

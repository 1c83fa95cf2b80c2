"""Replays: rules, seed and actions are a game. Written a line a game, read with every check.

A file of replays is JSON lines: each line is one game by itself, whole or broken off, and says what
it takes to play it again: the table, the deal, and every action in order. Reading a line plays it.
An action that is not legal, or a score that is not the one noted, is refused with the line's
number, as is a line of another version.
"""

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cardenv import __version__, games
from cardenv.files import replacing
from cardenv.games import Game
from cardenv.rules import GameRules, RulesError
from cardenv.table import IllegalAction, Tables

FORMAT = 1
LARGEST, LARGEST_TABLE = 2**64 - 1, 2**63 - 1


class ReplayError(ValueError):
    """A replay cannot be read, or is not one of this version."""


@dataclass(frozen=True)
class Deal:
    """Where the cards come from.

    Attributes:
        seed: the seed that everything drawn follows from.
        table: the table's number under that seed.
        deck: the order of the first round's pack, if it was not shuffled.
        first: the seat that deals or starts the first round, if it was not drawn.
    """

    seed: int
    table: int = 0
    deck: tuple[int, ...] | None = None
    first: int | None = None


@dataclass(frozen=True)
class Replay:
    """One game at one table, as far as it was played.

    Attributes:
        game: the game's name.
        rules: its rules.
        players: seats at the table.
        episode: ``"round"`` or ``"match"``.
        deal: where the cards come from.
        agents: who sat at each seat, by name; a person has any name.
        actions: all actions in order, by whoever was to decide.
        scores: every seat's score after the last of them.
        history: events that observations end with, for agents that look at them.
        max_players: seats that observations are laid out for; as many as players by default.
        title: what a list of games says of this one beside the above.
    """

    game: str
    rules: GameRules
    players: int
    episode: str
    deal: Deal
    agents: tuple[str, ...]
    actions: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()
    history: int = 0
    max_players: int | None = None
    title: str = ""

    def __len__(self) -> int:
        return len(self.actions)

    def position(self, moves: int | None = None) -> Tables:
        """Return one table, after so many of the actions; after all by default.

        Raises:
            RulesError, ValueError: the table, or its deal, cannot be.
            IllegalAction: an action is not legal, or the game is over before it.
        """
        tables = Tables(
            self.game,
            1,
            self.players,
            rules=self.rules,
            episode=self.episode,
            max_players=self.max_players,
            history=self.history,
        )
        tables.seed(self.deal.seed, np.array([self.deal.table], np.uint64))
        tables.reset(deck=self.deal.deck, first=self.deal.first)
        for action in self.actions[:moves]:
            tables.step_one(0, action)
        return tables

    def first(self, moves: int) -> "Replay":
        """Return the same game broken off after so many actions."""
        return self.with_actions(self.actions[:moves])

    def with_actions(self, actions: Iterable[int]) -> "Replay":
        """Return the game that these actions make of the same deal, with its scores.

        Raises:
            IllegalAction: one is not legal.
        """
        played = dataclasses.replace(self, actions=tuple(actions))
        return dataclasses.replace(played, scores=scores_of(played.position()))


def of_table(tables: Tables, deal: Deal, agents: Sequence[str], title: str = "") -> Replay:
    """Return the replay of a table of this kind before the first action."""
    return Replay(
        game=tables.game.name,
        rules=tables.rules,
        players=tables.players,
        episode=tables.episode,
        deal=deal,
        agents=tuple(map(_text, agents)),
        scores=(0.0,) * tables.players,
        history=tables.history,
        max_players=None if tables.seats == tables.players else tables.seats,
        title=_text(title),
    )


def _text(name: str) -> str:
    """Return a name that every file and screen takes: what is not to be printed as its escape.

    Paths may hold bytes that are no text, and what would steer a terminal.
    """
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in name
    )


def scores_of(tables: Tables) -> tuple[float, ...]:
    """Return every seat's score at the first table."""
    return tuple(tables.score[0].tolist())


def fingerprint(game: Game, rules: GameRules) -> str:
    """Return what tells a changed game of the same name: its rules, actions, rows and layout."""
    seats = rules.MIN_PLAYERS
    parts = (
        *(game.name, game.version, game.action_names, rules.to_dict()),
        *(game.state.descr, game.layout.sized(seats, rules).digest()),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


# --- Writing --------------------------------------------------------------------------------------


def to_line(replay: Replay) -> str:
    """Return a game as one line of JSON, without the line's end."""
    game, deal = games.get(replay.game), replay.deal
    return json.dumps(
        {
            "format": FORMAT,
            "cardenv": __version__,
            "game": replay.game,
            "version": game.version,
            "fingerprint": fingerprint(game, replay.rules),
            "title": replay.title,
            "players": replay.players,
            "max_players": replay.max_players,
            "history": replay.history,
            "episode": replay.episode,
            "rules": replay.rules.to_dict(),
            "seed": deal.seed,
            "table": deal.table,
            "deck": None if deal.deck is None else [*deal.deck],
            "first": deal.first,
            "agents": [*replay.agents],
            "actions": [*replay.actions],
            "scores": [*replay.scores],
        },
        ensure_ascii=False,
    )


def save(path: Path, replays: Iterable[Replay]) -> None:
    """Write a file of games, whole or not at all."""
    with replacing(path) as unfinished:
        unfinished.write_text("".join(to_line(each) + "\n" for each in replays), encoding="utf-8")


def append(path: Path, replay: Replay) -> None:
    """Add a game to a file, which is made if it is missing.

    Raises:
        OSError: the file cannot be written; it is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    line = f"{to_line(replay)}\n".encode()
    with path.open("a+b", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            line = line if file.read(1) == b"\n" else b"\n" + line
        try:
            while line:  # a disk that is nearly full takes a part
                line = line[file.write(line) :]
        except OSError:
            file.truncate(end)
            raise


# --- Reading --------------------------------------------------------------------------------------

_KINDS: dict[str, tuple[type, ...]] = {
    "format": (int,),
    "cardenv": (str,),
    "game": (str,),
    "version": (int,),
    "fingerprint": (str,),
    "title": (str,),
    "players": (int,),
    "max_players": (int, type(None)),
    "history": (int,),
    "episode": (str,),
    "rules": (dict,),
    "seed": (int,),
    "table": (int,),
    "deck": (list, type(None)),
    "first": (int, type(None)),
    "agents": (list,),
    "actions": (list,),
    "scores": (list,),
}
"""What a line holds, and of which types JSON gives it."""
_MEMBERS = {"deck": (int,), "agents": (str,), "actions": (int,), "scores": (int, float)}


def load(path: Path) -> list[Replay]:
    """Read a file of games, and play each to see that it is one.

    Raises:
        ReplayError: a line is damaged, or of another version; the sentence has its number.
        OSError: the file cannot be opened.
    """
    replays = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            replays.append(from_line(line.decode()))
        except (ReplayError, UnicodeDecodeError) as error:
            why = str(error) if isinstance(error, ReplayError) else "it is no UTF-8 text"
            raise ReplayError(
                f"{path}, line {number}: {why}; restore the line, or remove it."
            ) from None
    if not replays:
        raise ReplayError(f"{path} holds no game; give a file that --save-games has written.")
    return replays


def from_line(line: str) -> Replay:
    """Return the game of a line, played to see that every action is legal and the scores agree.

    Raises:
        ReplayError: the line is damaged, or of another version; the sentence has no full stop.
    """
    found = _fields(line)
    try:
        game = games.get(found["game"])
        if found["version"] != game.version:
            raise ReplayError(
                f"it plays version {found['version']} of {game.name}, this is {game.version}"
            )
        replay = _replay(found, game)
        if found["fingerprint"] != fingerprint(game, replay.rules):
            raise ReplayError(f"its rules of {game.name} have changed since it was written")
        _check(replay)
    except (RulesError, ValueError) as error:
        raise ReplayError(str(error).removesuffix(".")) from None
    return replay


def _fields(line: str) -> dict[str, Any]:
    """Return what a line holds, every part there and of its type.

    Another version may hold other parts, so the version is looked at first.
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise ReplayError("it is no whole line of JSON") from None
    if not isinstance(found, dict) or any(
        type(found.get(name)) not in _KINDS[name] for name in ("format", "cardenv")
    ):
        raise ReplayError("it is no replay of cardenv")
    if found["format"] != FORMAT or found["cardenv"] != __version__:
        raise ReplayError(
            f"it was written by cardenv {found['cardenv']} in format {found['format']}, this is "
            f"cardenv {__version__}, which reads format {FORMAT}"
        )
    for name, kinds in _KINDS.items():
        value = found.get(name)
        if type(value) not in kinds or (type(value) is int and abs(value) > LARGEST):
            raise ReplayError(f"its {name!r} is {value!r}, which cannot be")
    for name, kinds in _MEMBERS.items():
        if strange := [each for each in found[name] or () if type(each) not in kinds]:
            raise ReplayError(f"its {name!r} hold {strange[0]!r}, which cannot be")
    for name in [found["title"], *found["agents"]]:
        if name != _text(name):
            raise ReplayError(f"it names {name!r}, which is no text")
    return found


def _replay(found: dict[str, Any], game: Game) -> Replay:
    deck = None if found["deck"] is None else tuple(found["deck"])
    if not 0 <= found["table"] <= LARGEST_TABLE:
        raise ReplayError(f"its 'table' is {found['table']}, which cannot be")
    return Replay(
        game=game.name,
        rules=game.rules.from_dict(found["rules"]),
        players=found["players"],
        episode=found["episode"],
        deal=Deal(found["seed"], found["table"], deck, found["first"]),
        agents=tuple(found["agents"]),
        actions=tuple(found["actions"]),
        scores=tuple(map(float, found["scores"])),
        history=found["history"],
        max_players=found["max_players"],
        title=found["title"],
    )


def _check(replay: Replay) -> None:
    """Raise ``ReplayError`` unless the game can be played and ends as it says."""
    if len(replay.agents) != replay.players:
        raise ReplayError(f"it seats {len(replay.agents)} agents and has {replay.players} players")
    deck, cards = replay.deal.deck, replay.rules.cards
    if deck is not None and len(deck) != len(cards):
        raise ReplayError(f"its deck has {len(deck)} cards, and the pack {len(cards)}")
    tables = replay.position(0)
    for move, action in enumerate(replay.actions, start=1):
        if not 0 <= action < len(tables.game.action_names):
            raise ReplayError(f"move {move} cannot be: there is no action {action}")
        try:
            tables.step_one(0, action)
        except IllegalAction as error:
            raise ReplayError(f"move {move} cannot be: {error}".removesuffix(".")) from None
    if scores_of(tables) != replay.scores:
        raise ReplayError(
            f"its actions score {[*scores_of(tables)]}, not {[*replay.scores]} as it says"
        )


def decisions(replay: Replay) -> Iterator[tuple[Tables, int, int]]:
    """Yield the table before each action, the seat to decide and the action.

    The table goes on as the iteration does; copy what is to be kept.
    """
    tables = replay.position(0)
    for action in replay.actions:
        yield tables, int(tables.turn[0]), action
        tables.step_one(0, action)

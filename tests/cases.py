"""The tables that a promise is tested at: every game, spread over players, episodes and switches.

``spread("players", "make")`` parametrises a test over every game and, for each, over few rows in
which every two values of every two factors meet.
"""

import dataclasses
import functools
import importlib
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import agents
from cardenv import games
from cardenv.rules import GameRules
from tests.lockstep import covering, is_possible
from tests.particulars import PARTICULARS

GAMES = games.names()
EPISODES = ("round", "match")
PAYMENTS = (("round", "match"), ("match", "match"), ("match", "rounds"))
"""The kinds of episode and of ``reward`` that pay differently."""
MAKERS = ("env", "raw_env")
PLAYERS = ("fewest", "some", "most")
FACTORS = {"episode": EPISODES, "players": PLAYERS, "make": MAKERS}

every_game = pytest.mark.parametrize("game", GAMES)


def spread(*names: str, **more: Sequence[Any]) -> pytest.MarkDecorator:
    """Parametrise over every game, ``FACTORS`` by name, and others by their values.

    ``players`` becomes a number of the row's game, ``make`` the game's ``env`` or ``raw_env``.
    """
    factors = {"game": GAMES, **{name: FACTORS[name] for name in names}, **more}
    # By place among the values: some are lists, and True is no 1.
    places = {name: range(len(values)) for name, values in factors.items()}
    cases = [
        _case(factors, row)
        for game in places["game"]
        for row in covering({**places, "game": (game,)})
    ]
    return pytest.mark.parametrize(tuple(factors), cases)


def _case(factors: dict[str, Sequence[Any]], places: dict[str, int]) -> Any:
    """Return one row of values, with a name made of those that have a short form."""
    values = {name: factors[name][place] for name, place in places.items()}
    if "players" in values:
        values["players"] = players_of(values["game"])[PLAYERS.index(values["players"])]
    words = [
        str(value) if isinstance(value, str | int | float) else str(places[name])
        for name, value in values.items()
    ]
    if "make" in values:
        values["make"] = maker(values["game"], values["make"])
    return pytest.param(*values.values(), id="-".join(words))


def players_of(game: str) -> tuple[int, int, int]:
    """Return the fewest players by a game's default rules, some between, and the most."""
    rules = games.get(game).rules()
    low, high = rules.MIN_PLAYERS, rules.most_players
    return low, (low + high) // 2, high


def maker(game: str, name: str = "raw_env") -> Callable[..., Any]:
    """Return ``env`` or ``raw_env`` of the game's PettingZoo module."""
    made: Callable[..., Any] = getattr(pettingzoo_module(game), name)
    return made


def pettingzoo_module(game: str) -> Any:
    """Return the game's module in PettingZoo's habit, such as ``cardenv.schwimmen_v0``."""
    return importlib.import_module(f"cardenv.{game}_v{games.get(game).version}")


def short_rules(game: str, **switches: Any) -> GameRules:
    """Return rules by which a match is a few rounds long."""
    return games.get(game).rules(**{**PARTICULARS[game].SHORT, **switches})


def opponents_of(game: str, count: int) -> list[str]:
    """Return names of opponents: all the game's agents in turn, the weakest first."""
    names = agents.names(game)
    return [names[place % len(names)] for place in range(count)]


def strongest(game: str) -> str:
    """Return the name of the game's last agent, the one with the most thought in it."""
    return agents.names(game)[-1]


# --- Switches -------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Table:
    """A kind of table: a game, its players, the episode and the switches."""

    game: str
    players: int
    episode: str
    rules: GameRules

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of an environment for such a table."""
        return {"num_players": self.players, "episode": self.episode, "rules": self.rules}


def switches_of(game: str) -> list[Any]:
    """Return the dataclass fields of a game's switches."""
    return [f for f in dataclasses.fields(games.get(game).rules) if f.name != "pack"]


def some_values(switch: Any) -> Sequence[Any]:
    """Return all values of a switch with few; the ends and the default of one with numbers."""
    allowed: Sequence[Any] = switch.metadata["allowed"]
    few = sorted({allowed[0], switch.default, allowed[-1]})
    return few if isinstance(allowed, range) else allowed


@functools.cache
def tables_of_every_kind(game: str) -> tuple[Table, ...]:
    """Return tables in which every two values meet that go together, players included.

    Every number of players is among them, both episodes, and small packs.
    """
    rules = games.get(game).rules
    rows = covering(
        {
            "players": range(rules.MIN_PLAYERS, rules.MAX_PLAYERS + 1),
            "episode": EPISODES,
            "pack": ("full", "small"),
            **{switch.name: some_values(switch) for switch in switches_of(game)},
        },
        possible=lambda row: is_possible(lambda: _table(game, **row)),
    )
    return tuple(_table(game, **row) for row in rows)


def _table(game: str, players: int, episode: str, pack: str, **switches: Any) -> Table:
    cards = last_cards(game, players, more=4) if pack == "small" else ()
    rules = games.get(game).rules(pack=cards, **switches)
    rules.check_players(players)
    return Table(game, players, episode, rules)


def last_cards(game: str, players: int, more: int = 0) -> tuple[int, ...]:
    """Return the smallest pack for so many players, and some cards more: a game's last cards."""
    rules = games.get(game).rules
    size = min(rules.PACK_SIZE, rules().cards_needed(players) + more)
    return tuple(range(rules.PACK_SIZE - size, rules.PACK_SIZE))


EVERY_KIND = [
    pytest.param(table, id=f"{game}-{number}-{table.players}p-{table.episode}")
    for game in GAMES
    for number, table in enumerate(tables_of_every_kind(game))
]
every_kind_of_table = pytest.mark.parametrize("table", EVERY_KIND)

"""What sits at a table: the player protocols, and names turned into players."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from cardenv.games import Game
from cardenv.table import Tables


@runtime_checkable
class Player(Protocol):
    """A batched, stateless player: it gets what its seat observes, and nothing else.

    A choice depends on its own row of the arguments alone, so it is the same in any batch.
    """

    name: str

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        keys: NDArray[np.uint64],
    ) -> NDArray[np.int64]:
        """Choose an action for each row.

        Args:
            observations: uint8 ``[n, size]``, as the game's layout says.
            masks: int8 ``[n, actions]``, 1 where an action is legal; at least one a row.
            keys: uint64 ``[n]``, all the chance a choice may use.

        Returns:
            int64 ``[n]``, legal actions.
        """
        ...

    def check(self, tables: Tables) -> None:
        """Raise ``PlayerError`` unless this player can sit at such tables."""
        ...


@runtime_checkable
class Searcher(Protocol):
    """A player that plays on in its head: it gets the tables themselves.

    Before it looks at a row it must draw anew what the deciding seat cannot know (``resample``).
    """

    name: str

    def act_at(self, tables: Tables, which: NDArray[np.int64]) -> NDArray[np.int64]:
        """Choose an action at each of some tables, none of which changes.

        Args:
            tables: the tables.
            which: int64 ``[k]``, numbers of tables that are not over.

        Returns:
            int64 ``[k]``, legal actions.
        """
        ...

    def check(self, tables: Tables) -> None:
        """Raise ``PlayerError`` unless this player can sit at such tables."""
        ...


AnyPlayer = Player | Searcher

ELSEWHERE = -1
"""The number of a player that compiled code cannot ask."""
NOBODY = 63
"""Stands for a seat that never leaves."""


@runtime_checkable
class CompiledPlayer(Player, Protocol):
    """A player whose turns can be played without leaving compiled code.

    All of one game share ``play_on``, which knows each by its number.
    """

    number: int

    def play_on(
        self,
        tables: Tables,
        which: NDArray[np.int64],
        seating: NDArray[np.int64],
        leaving: NDArray[np.int64],
    ) -> int:
        """Play until the episode is over, a seat that has left is watched, or others are due.

        Args:
            tables: the tables; their observations and masks are written.
            which: int64 ``[k]``, numbers of the tables.
            seating: int64 ``[k, players]``, each seat's player by number, or ``ELSEWHERE``.
            leaving: int64 ``[k]``, the seat after whose leaving play stops, or ``NOBODY``.

        Returns:
            How many decisions were made.
        """
        ...


def number_of(player: AnyPlayer) -> int:
    """Return the number of a player that compiled code can ask, else ``ELSEWHERE``."""
    return player.number if isinstance(player, CompiledPlayer) else ELSEWHERE


class PlayerError(ValueError):
    """There is no such player, or it does not play this game at this kind of table."""


def player_for(player: str | AnyPlayer, tables: Tables) -> AnyPlayer:
    """Return a player that fits the tables, from an object or a name.

    Args:
        player: a player, or what ``agents.load`` takes: ``"greedy"``, a run's folder, ...
        tables: where it is to sit.

    Raises:
        PlayerError: there is no such player, or it does not fit.
    """
    found = _load(player, tables.game) if isinstance(player, str) else player
    if not isinstance(found, Player | Searcher):
        raise PlayerError(
            f"{player!r} is no player; give a name such as 'greedy' or an object with "
            "name, act(observations, masks, keys) or act_at(tables, which), and check(tables)."
        )
    found.check(tables)
    return found


def check_game(name: str, game: Game, tables: Tables) -> None:
    """Raise ``PlayerError`` if an agent of that name plays another game than the tables'."""
    if tables.game != game:
        raise PlayerError(
            f"agent {name!r} plays {game.name}, not {tables.game.name}; "
            f"load it with game={tables.game.name!r}."
        )


def choose(
    players: Sequence[AnyPlayer],
    playing: NDArray[np.int64],
    tables: Tables,
    which: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Ask each player once, for all tables that wait for it.

    Args:
        players: who there is.
        playing: int64 ``[k]``, the place among ``players`` of whom each table waits for, or -1 to
            take the table's first legal action.
        tables: the tables.
        which: int64 ``[k]``, numbers of the tables.

    Returns:
        int64 ``[k]``, an action for each.
    """
    actions: NDArray[np.int64] = tables.masks[which].argmax(axis=1)
    keys = tables.play_keys(which)
    for place, player in enumerate(players):
        asked = np.flatnonzero(playing == place)
        if asked.size:
            actions[asked] = _ask(player, tables, which[asked], keys[asked])
    return actions


def ask(player: AnyPlayer, tables: Tables, which: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a player's choice at each of some tables that are not over: int64 ``[k]``."""
    return _ask(player, tables, which, tables.play_keys(which))


def _ask(
    player: AnyPlayer, tables: Tables, which: NDArray[np.int64], keys: NDArray[np.uint64]
) -> NDArray[np.int64]:
    if hasattr(player, "act_at"):  # isinstance takes longer than a small network thinks
        chosen: NDArray[np.int64] = player.act_at(tables, which)
        return chosen
    return player.act(tables.observations[which], tables.masks[which], keys)


def _load(name: str, game: Game) -> Any:
    # The one place where cardenv looks at the layer above it, and only when given a name.
    import agents

    if not hasattr(agents, "load"):
        raise PlayerError(
            f"the name {name!r} cannot be looked up: another package named agents, at "
            f"{list(agents.__path__)}, hides cardenv's; rename it, or give a player object."
        )
    return agents.load(name, game)

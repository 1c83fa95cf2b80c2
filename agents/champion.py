"""Champions: the trained agents that are shipped, each for one game and one number of players.

``agents/champions`` has a folder for each, such as ``mow_4``: the network and what it was trained
on, as every run's folder has them, and ``card.json``: how it was made, how strong it is, and the
fingerprint of its weights, without which it is not loaded. ``experiments.champions`` makes them.
"""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.learned import Learned
from cardenv.games import Game
from cardenv.players import PlayerError, check_game
from cardenv.table import Tables

NAME = "champion"
FOLDER = Path(__file__).with_name("champions")
CARD = "card.json"


def folder_of(game: Game, players: int) -> Path:
    """Return the folder of the champion for so many players."""
    return FOLDER / f"{game.name}_{players}"


def players_of(game: Game) -> list[int]:
    """Return the numbers of players that the game has champions for."""
    found = (card.parent.name.rpartition("_") for card in FOLDER.glob(f"*/{CARD}"))
    return sorted(int(n) for name, _, n in found if name == game.name and n.isdecimal())


class Champion:
    """A game's champions as one batched player; which of them plays, the observation's size tells.

    Args:
        game: a game that has champions.
        sample: see ``agents.learned.Learned``.

    Raises:
        PlayerError: the game has none, or a file is missing, damaged or not the one of its card.
    """

    name = NAME

    def __init__(self, game: Game, sample: bool = False) -> None:
        self.game = game
        self._for = {players: _load(game, players, sample) for players in players_of(game)}
        if not self._for:
            raise PlayerError(
                f"{game.name} has no champion; train an agent with experiments.selfplay or "
                "experiments.improve, and give its folder."
            )

    @property
    def fingerprint(self) -> str:
        """Tells apart two champions if any of their weights differ."""
        return ", ".join(each.fingerprint for each in self._for.values())

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        keys: NDArray[np.uint64],
    ) -> NDArray[np.int64]:
        """Choose by the network (see ``cardenv.players.Player.act`` for shapes).

        Raises:
            PlayerError: the observations are of no number of players that there is a champion for.
        """
        return self._for_size(observations.shape[1]).act(observations, masks, keys)

    def probabilities(
        self, observations: NDArray[np.uint8], masks: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """Return the policy: float32 ``[n, actions]``, exactly 0 where the mask is."""
        return self._for_size(observations.shape[1]).probabilities(observations, masks)

    def check(self, tables: Tables) -> None:
        """Raise ``PlayerError`` at tables that there is no champion for; say what differs."""
        check_game(self.name, self.game, tables)
        if tables.players not in self._for:
            there_are = " or ".join(map(str, self._for))
            raise PlayerError(
                f"agent {NAME!r} plays {self.game.name} with {there_are} players, not "
                f"{tables.players}; choose so many, or train an agent for this."
            )
        self._for[tables.players].check(tables)

    def _for_size(self, size: int) -> Learned:
        """Return the champion for observations of so many bytes, those of a history among them."""
        for players, found in self._for.items():
            layout = self.game.layout
            base = layout.shared_size + players * layout.seat_size
            if size >= base and (size - base) % layout.event_size == 0:
                return found
        raise PlayerError(
            f"agent {NAME!r} was given observations of {size} bytes; give those of tables of "
            f"{self.game.name} with {' or '.join(map(str, self._for))} players."
        )


def _load(game: Game, players: int, sample: bool) -> Learned:
    folder = folder_of(game, players)
    found = Learned.load(folder, sample)
    found.name = NAME
    try:
        fingerprint = json.loads((folder / CARD).read_text())["fingerprint"]
    except (OSError, ValueError, KeyError, TypeError):
        fingerprint = None
    if fingerprint != found.own_fingerprint:
        raise PlayerError(
            f"the champion in {folder} is not the one that its {CARD} tells of; restore its "
            "files, or make it anew with experiments.champions."
        )
    return found

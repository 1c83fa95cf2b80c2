"""Games of other libraries, doing the job that ours are measured at.

The job: play uniformly random legal actions and have, at each decision, the observation of the
seat to act as float32 and the mask of its legal actions in memory. No game of ours is named here:
each peer is the nearest that its library has, and any game can be set beside it.
"""

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np

from experiments.command import SettingsError
from experiments.measurement import Measurement, repeat

Look = Callable[[Any, int], list[int]]
"""Bring a seat's observation and mask into memory; return its legal actions."""


@dataclass(frozen=True)
class Peer:
    """Another library's game.

    Attributes:
        name: as figures name it.
        package: what to install.
        module: what is imported then.
        measure: takes the number of players and a seed.
    """

    name: str
    package: str
    module: str
    measure: Callable[[int, int], Measurement]


def as_lists(game: Any) -> Look:
    """Look at an OpenSpiel state through its own methods, whose lists become arrays."""

    def look(state: Any, player: int) -> list[int]:
        np.array(state.observation_tensor(player), np.float32)
        np.array(state.legal_actions_mask(player), np.int8)
        legal: list[int] = state.legal_actions()
        return legal

    return look


def in_buffers(game: Any) -> Look:
    """Look at an OpenSpiel state the fastest way: C++ fills one array, the other is set by hand.

    Bytes of a ``bytearray`` are set faster than those of the array that views it.
    """
    from open_spiel.python.observation import make_observation

    write = make_observation(game).set_from
    mask = bytearray(game.num_distinct_actions())
    nothing = bytes(len(mask))

    def look(state: Any, player: int) -> list[int]:
        write(state, player)
        legal: list[int] = state.legal_actions()
        mask[:] = nothing
        for action in legal:
            mask[action] = 1
        return legal

    return look


def crazy_eights(look_at: Callable[[Any], Look], players: int, seed: int) -> Measurement:
    """OpenSpiel's game of the same family, by the rules nearest to ours; its decisions count."""
    import pyspiel

    parameters = {
        "players": players,
        "max_draw_cards": 1,
        "max_turns": 1000,
        "use_special_cards": True,
        "reshuffle": True,
    }
    game = pyspiel.load_game("crazy_eights", parameters)
    return openspiel(game, look_at(game), seed)


def openspiel(game: Any, look: Look, seed: int) -> Measurement:
    """Play a game of OpenSpiel; all outcomes of chance are taken as equally likely.

    With several packs they are not quite, but weighing them would cost the peer half its speed.
    """
    draw = random.Random(seed).random

    def play() -> int:
        decisions = 0
        state = game.new_initial_state()
        while True:
            player = state.current_player()
            if player >= 0:
                legal = look(state, player)
                decisions += 1
            elif state.is_terminal():
                return decisions
            else:
                legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])

    return lambda seconds: repeat(play, seconds)


PEERS = (
    Peer(
        "OpenSpiel crazy_eights, written to buffers",
        "open_spiel",
        "pyspiel",
        functools.partial(crazy_eights, in_buffers),
    ),
    Peer(
        "OpenSpiel crazy_eights, lists of its state",
        "open_spiel",
        "pyspiel",
        functools.partial(crazy_eights, as_lists),
    ),
)


def measurements(players: int, seed: int) -> dict[str, Measurement]:
    """Return every peer's measurement by its name.

    Raises:
        SettingsError: a peer is not installed.
    """
    missing = sorted({peer.package for peer in PEERS if find_spec(peer.module) is None})
    if missing:
        raise SettingsError(
            f"--peers needs what is not installed here: pip install {' '.join(missing)}."
        )
    return {peer.name: peer.measure(players, seed) for peer in PEERS}


def versions() -> dict[str, str]:
    """Return the versions of the peers' packages."""
    return {peer.package: version(peer.package) for peer in PEERS}

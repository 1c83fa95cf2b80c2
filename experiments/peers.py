"""Games of other libraries, doing the job that ours are measured at.

The job: play uniformly random legal actions and have, at each decision, the observation of the
seat to act as float32 and the mask of its legal actions in memory; games of PettingZoo do what its
interface asks of ours. No game of ours is named here: each peer is the nearest that its library
has, and any game can be set beside it.
"""

import functools
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np

from experiments.measurement import Measurement, repeat

PGX_TABLES = 8192
"""Where pgx is fastest on one core; the largest batch that fits its cache."""

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
        is_batched: it stands beside our batches; else beside PettingZoo's interface to one table.
        extra: of the package that is needed too.
    """

    name: str
    package: str
    module: str
    measure: Callable[[int, int], Measurement]
    is_batched: bool = True
    extra: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether it can be measured."""
        return find_spec(self.module) is not None

    @property
    def requirement(self) -> str:
        """What pip is asked for."""
        return f"'{self.package}[{self.extra}]'" if self.extra else self.package


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


def uno(players: int, seed: int) -> Measurement:
    """RLCard's game of the same family, which has two players whatever is asked for."""
    import rlcard

    env = rlcard.make("uno", config={"seed": seed})
    draw = random.Random(seed).random
    mask = np.zeros(env.num_actions, np.int8)

    def play() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            state["obs"].astype(np.float32)
            legal = list(state["legal_actions"])
            mask[:] = 0
            mask[legal] = 1
            state, _ = env.step(legal[int(draw() * len(legal))])
            decisions += 1
        return decisions

    return lambda seconds: repeat(play, seconds)


def classic(module: str, players: int, seed: int) -> Measurement:
    """One of PettingZoo's own card and board games, without wrappers, as ours is measured."""
    env = import_module(f"pettingzoo.classic.{module}").raw_env()
    return play_aec(env, seed)


def play_aec(env: Any, seed: int, episodes: int = 20) -> Measurement:
    """PettingZoo's ``last`` and ``step``, legal actions drawn from the mask, whatever the game."""
    draws = np.random.default_rng(seed).random(4096)

    def play() -> int:
        decisions = 0
        for _ in range(episodes):
            env.reset()
            while env.agents:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated or observation is None:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(legal[int(draws[decisions & 4095] * len(legal))])
                decisions += 1
        return decisions

    env.reset(seed=seed)
    return lambda seconds: repeat(play, seconds)


def leduc(players: int, seed: int) -> Measurement:
    """The smallest card game of pgx, compiled by JAX for a whole batch, on one core."""
    with one_core():  # which JAX's threads, started here, keep to
        import jax
        import pgx
        from pgx.experimental import auto_reset

        game = pgx.make("leduc_holdem")
        follow = jax.vmap(auto_reset(game.step, game.init))

        def advance(state: Any, key: Any) -> tuple[Any, Any, Any]:
            key, draw, deal = jax.random.split(key, 3)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
            actions = jax.random.categorical(draw, logits, axis=-1)
            state = follow(state, actions, jax.random.split(deal, PGX_TABLES))
            return state, state.observation.astype(jax.numpy.float32), key

        step = jax.jit(advance)
        keys = jax.random.split(jax.random.PRNGKey(seed), PGX_TABLES)
        now = [jax.jit(jax.vmap(game.init))(keys), None, jax.random.PRNGKey(seed + 1)]

        def play() -> int:
            now[:] = jax.block_until_ready(step(now[0], now[2]))
            return PGX_TABLES

        for _ in range(3):  # compiled again where types differ from those of the first state
            play()
    return lambda seconds: repeat(play, seconds)


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this thread, and for good those that it starts in here, to one core, on Linux."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


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
    Peer("RLCard uno, 2 players", "rlcard", "rlcard", uno),
    Peer(f"pgx leduc_holdem, {PGX_TABLES} tables", "pgx", "pgx", leduc),
    *(
        Peer(
            f"PettingZoo {module.split('.')[-1]}",
            "pettingzoo",
            needed,
            functools.partial(classic, module),
            is_batched=False,
            extra="classic",
        )
        for module, needed in (
            ("connect_four.connect_four", "pygame"),
            ("tictactoe.tictactoe", "pygame"),
            ("rlcard_envs.leduc_holdem", "rlcard"),
        )
    ),
)


def measurements(players: int, seed: int) -> dict[str, Measurement]:
    """Return the measurement of every peer that is installed, by its name."""
    return {peer.name: peer.measure(players, seed) for peer in PEERS if peer.is_installed}


def missing() -> list[str]:
    """Return a sentence for each peer that is not installed."""
    return [
        f"{peer.name} is not installed; to measure it: pip install {peer.requirement}"
        for peer in PEERS
        if not peer.is_installed
    ]


def is_batched(name: str) -> bool:
    """Tell whether the peer of this name stands beside our batches, else beside our AEC."""
    return next(peer.is_batched for peer in PEERS if peer.name == name)


def versions() -> dict[str, str]:
    """Return the versions of the packages of the peers that are installed."""
    return {peer.package: version(peer.package) for peer in PEERS if peer.is_installed}

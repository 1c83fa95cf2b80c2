"""Asking heuristics: at the table of a scene, or at many tables at once."""

import numpy as np
from numpy.typing import NDArray

import agents
from cardenv.table import Tables
from tests.scenes import Scene


def choice(name: str, scene: Scene) -> str:
    """Return the name of the action that a heuristic takes for the deciding seat."""
    return scene.actions[int(acts(name, scene.tables, np.arange(1))[0])]


def acts(name: str, tables: Tables, which: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what a heuristic does at some tables."""
    keys = tables.play_keys(which)
    player = agents.load(name, tables.game)
    return player.act(tables.observations[which], tables.masks[which], keys)

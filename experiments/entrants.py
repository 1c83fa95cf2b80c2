"""Who takes part: agents by name, each loaded, checked and tried once before anything is played."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

import agents
from agents.learned import Learned
from agents.search import Search
from cardenv.players import AnyPlayer, ask, player_for
from experiments.command import SettingsError, TableSettings


def spelled(names: Iterable[str]) -> tuple[str, ...]:
    """Return names with ``./runs/x/`` written ``runs/x``, the name that files keep.

    Where a folder has an agent's name, ``./expert`` stays as it is: ``expert`` is the other one.
    """
    return tuple(
        name if len(Path(name).parts) == 1 and Path(name).is_dir() else str(Path(name))
        for name in names
    )


def same_agent(name: str, names: Sequence[str]) -> str:
    """Return the one of ``names`` that stands for the same agent as ``name``, else ``name``."""
    return next((each for each in names if _resolved(each) == _resolved(name)), name)


def check_names(names: Sequence[str]) -> None:
    """Raise ``SettingsError`` where nobody is named, or an agent twice."""
    if not all(names) or not names:
        raise SettingsError("no agents were given; name one or more after --agents.")
    places = [_resolved(name) for name in names]
    for name in names:
        if places.count(_resolved(name)) > 1:
            raise SettingsError(f"agents names {name!r} twice; name each agent once.")


def _resolved(name: str) -> str:
    """Return the same text for two ways to write one folder."""
    return str(Path(name).resolve())


def load_entrants(
    settings: TableSettings, names: Iterable[str], sample: bool
) -> dict[str, AnyPlayer]:
    """Load agents and have each choose once, so that all is checked and compiled beforehand.

    Args:
        settings: the table that they are to play at.
        names: what ``agents.load`` takes; a name that comes again is loaded once.
        sample: let trained agents draw their actions.

    Raises:
        PlayerError: there is no such agent, or it does not fit the table.
        SettingsError, RulesError: there is no such table.
    """
    players = {}
    for name in dict.fromkeys(names):
        tables = settings.tables(1)
        player = player_for(agents.load(name, tables.game, sample=sample), tables)
        tables.reset(seed=settings.seed)
        tables.step(ask(player, tables, np.arange(1)))
        players[name] = player
    return players


def mode(players: Mapping[str, AnyPlayer], sample: bool) -> str | None:
    """Return how agents choose where that is not plain from their names, in words for a report.

    Trained ones are ``"deterministic"`` or ``"sampled"``; with a search that has a budget of time,
    whose choices cannot be had again exactly, it is ``"timed"`` too.
    """
    words = []
    if any(isinstance(player, Learned) for player in players.values()):
        words.append("sampled" if sample else "deterministic")
    if any(isinstance(each, Search) and each.budget.milliseconds for each in players.values()):
        words.append("timed")
    return ", ".join(words) or None

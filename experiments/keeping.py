"""Deals kept in a file, so that the same command goes on with them.

``deals.npz`` holds ``identity``, a JSON text that says what was played and by whom, and for each
lineup of that text in turn ``scores_0``, ``lost_0``, ``tallies_0``, then ``scores_1`` ... (see
``experiments.deals.Played``). The file is replaced as a whole, so it is whole at any time.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.players import AnyPlayer
from experiments.command import SettingsError, TableSettings, plain
from experiments.deals import Deals, Lineup, Played

FILE, FORMAT = "deals.npz", 1
SECONDS_BETWEEN_SAVES = 10.0
SHARE_OF_TIME = 0.05
"""A file that takes long to write is written less often: at most this share of the time."""
ARRAYS = {"scores": np.float64, "lost": np.bool_, "tallies": np.int32}


class Differs(SettingsError):
    """The folder holds deals of another table, or of an agent that has changed since."""


# --- What deals are, and of whom ------------------------------------------------------------------


def identity_of(settings: TableSettings, seed: int, **more: Any) -> dict[str, Any]:
    """Return what deals depend on beside the agents, as JSON holds it.

    Args:
        settings: the table.
        seed: of the deals.
        more: what else a command's deals depend on.
    """
    table = settings.tables(1)
    found = {
        "game": table.game.name,
        "version": table.game.version,
        "players": table.players,
        "max_players": table.seats,
        "rules": table.rules.to_dict(),
        "episode": table.episode,
        "seed": seed,
        "tallies": table.game.tallies,
        **more,
    }
    return dict(json.loads(json.dumps(plain(found))))


def fingerprint(player: AnyPlayer) -> str:
    """Return what tells a changed agent of the same name; its name if it states nothing else."""
    return str(getattr(player, "fingerprint", player.name))


# --- The file -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Kept:
    """One lineup of the file: its agents' names instead of numbers, and its arrays."""

    seating: list[list[str]]
    watched: list[str]
    arrays: dict[str, NDArray[Any]]

    def described(self, label: str) -> dict[str, Any]:
        return {"label": label, "seating": self.seating, "watched": self.watched}


class Keeper:
    """Keeps what a ``Deals`` plays in a folder, and goes on with what the folder holds.

    Args:
        folder: made when first saved to.
        deals: takes over at once what was played before.
        agents: the agents of ``deals``, by name.
        identity: what the deals depend on (see ``identity_of``).

    Raises:
        Differs: the folder's deals are others; the sentence says in what.
        SettingsError: the file cannot be read.
    """

    def __init__(
        self,
        folder: Path,
        deals: Deals,
        agents: Mapping[str, AnyPlayer],
        identity: dict[str, Any],
    ) -> None:
        self.path = folder / FILE
        self._deals, self._identity = deals, identity
        self._prints = {name: fingerprint(player) for name, player in agents.items()}
        self._others: dict[str, _Kept] = {}
        self._saved, self._pause = time.perf_counter(), SECONDS_BETWEEN_SAVES
        if self.path.exists():
            self._take_over(*_read(self.path))

    def save(self) -> None:
        """Write all that was played."""
        began = time.perf_counter()
        kept = dict(sorted((self._others | self._own()).items()))
        text = {
            "format": FORMAT,
            "identity": self._identity,
            "agents": dict(sorted(self._prints.items())),
            "lineups": [lineup.described(label) for label, lineup in kept.items()],
        }
        arrays = {
            f"{name}_{place}": array
            for place, lineup in enumerate(kept.values())
            for name, array in lineup.arrays.items()
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_name(f"unfinished-{self.path.name}")
        with unfinished.open("wb") as file:
            np.savez(file, identity=np.array(json.dumps(text, ensure_ascii=False)), **arrays)  # type: ignore[arg-type]
        unfinished.replace(self.path)
        self._saved = time.perf_counter()
        self._pause = max(SECONDS_BETWEEN_SAVES, (self._saved - began) / SHARE_OF_TIME)

    def save_now_and_then(self) -> None:
        """Write if the last time is some seconds ago."""
        if time.perf_counter() - self._saved > self._pause:
            self.save()

    def _own(self) -> dict[str, _Kept]:
        """Return the lineups of ``deals`` that have played."""
        found = {}
        for label, lineup in self._deals.lineups.items():
            played = self._deals.played(label)
            arrays = {name: getattr(played, name) for name in ARRAYS}
            if len(played):
                found[label] = _Kept(*_in_names(lineup, self._deals.names), arrays)
        return found

    def _take_over(self, text: dict[str, Any], kept: dict[str, _Kept]) -> None:
        self._check_same(text["identity"])
        for name, before in text["agents"].items():
            if self._prints.setdefault(name, before) != before:
                raise Differs(
                    f"{self.path} holds deals of another {name!r}, which has changed since; give "
                    "another --out, or remove that file."
                )
        for label, lineup in kept.items():
            if label not in self._deals.lineups:
                self._others[label] = lineup
                continue
            own = self._deals.lineups[label]
            if (lineup.seating, lineup.watched) != _in_names(own, self._deals.names):
                raise Differs(
                    f"{self.path} holds deals of {label!r} in another seating; give another --out."
                )
            played = Played(own, **lineup.arrays)
            if not _fits(played, self._deals.played(label)):
                raise _unreadable(self.path, f"the arrays of {label!r} do not fit one another")
            self._deals.take_over(label, played)

    def _check_same(self, before: dict[str, Any]) -> None:
        for name, now in self._identity.items():
            then = before.get(name)
            if then == now:
                continue
            if isinstance(then, dict) and isinstance(now, dict):
                name = next(each for each in {**now, **then} if then.get(each) != now.get(each))
                then, now = then.get(name), now.get(name)
            raise Differs(
                f"{self.path} holds deals played with {name}={then!r}, not {now!r}; choose the "
                "same, or give another --out."
            )


def _in_names(lineup: Lineup, names: tuple[str, ...]) -> tuple[list[list[str]], list[str]]:
    """Return who sits where, and who is watched, in names."""
    seating = [[names[agent] for agent in pattern] for pattern in lineup.seating]
    return seating, [names[agent] for agent in lineup.watched]


def _fits(played: Played, empty: Played) -> bool:
    """Whether arrays from a file are as long as one another and of the right shapes."""
    return all(
        getattr(played, name).shape == (len(played), *getattr(empty, name).shape[1:])
        for name in ARRAYS
    )


def _read(path: Path) -> tuple[dict[str, Any], dict[str, _Kept]]:
    """Return the text of a file of deals, and its lineups by their labels.

    Raises:
        SettingsError: it cannot be read.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            text: dict[str, Any] = json.loads(str(file["identity"]))
            if text["format"] != FORMAT:
                raise ValueError(f"its format is {text['format']!r}, this version reads {FORMAT}")
            kept = {}
            for place, lineup in enumerate(text["lineups"]):
                arrays = {name: file[f"{name}_{place}"] for name in ARRAYS}
                if [array.dtype for array in arrays.values()] != list(ARRAYS.values()):
                    raise ValueError("an array is of another type")
                kept[str(lineup["label"])] = _Kept(lineup["seating"], lineup["watched"], arrays)
            if not isinstance(text["identity"], dict) or not isinstance(text["agents"], dict):
                raise ValueError("its text does not say what was played")
            return text, kept
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise _unreadable(path, error) from None


def _unreadable(path: Path, why: object) -> SettingsError:
    words = " ".join(str(why).split()) or type(why).__name__
    return SettingsError(
        f"{path} cannot be read ({words}); restore it, or remove it to play its deals again."
    )

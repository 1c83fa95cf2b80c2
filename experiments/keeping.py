"""Deals kept in a file, so that the same command goes on with them.

``deals.npz`` holds ``identity``, a JSON text that says what was played and by whom, and for each
lineup of that text in turn ``scores_0``, ``lost_0``, ``tallies_0``, then ``scores_1`` ... (see
``experiments.deals.Played``). A lineup's ``seating`` names the agent at each seat of each pattern.
Where the deal draws who sits down, it names places, ``holders_0`` has the number of the agent that
held each place on each deal, int64 ``[deals, places]``, and ``agents`` the names by those numbers.
The file is replaced as a whole, so it is whole at any time.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.files import replacing
from cardenv.players import AnyPlayer
from experiments.command import SettingsError, TableSettings, plain, progress_bar
from experiments.deals import Deals, Played
from experiments.lineups import Lineup

FILE, FORMAT = "deals.npz", 1
SECONDS_BETWEEN_SAVES = 10.0
SHARE_OF_TIME = 0.05
"""A file that takes long to write is written less often: at most this share of the time."""
ARRAYS: dict[str, Any] = {"scores": np.float64, "lost": np.bool_, "tallies": np.int32}
HOLDERS = "holders"
"""The array that a lineup has beside those if its deals draw who sits down."""


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
        "history": table.history,
        **more,
    }
    return dict(json.loads(json.dumps(plain(found))))


def fingerprint(player: AnyPlayer) -> str:
    """Return what tells a changed agent of the same name; its name if it states nothing else."""
    return str(getattr(player, "fingerprint", player.name))


# --- While they are played ------------------------------------------------------------------------


@contextmanager
def kept_and_shown(
    deals: Deals,
    agents: Mapping[str, AnyPlayer],
    folder: Path | None,
    identity: dict[str, Any],
    words: str,
) -> Iterator[Callable[[int], None]]:
    """Keep deals while they are played, come what may, and show how many there are.

    Args:
        deals: go on with what the folder holds.
        agents: the agents of ``deals``, by name.
        folder: where to keep them, if anywhere.
        identity: what the deals depend on (see ``identity_of``).
        words: what is being done, before the progress bar.

    Yields:
        What is to be called several times a second, with the number of deals to be played.

    Raises:
        Differs, SettingsError: the folder's deals are others, or cannot be read (see ``Keeper``).
    """
    keeper = None if folder is None else Keeper(folder, deals, agents, identity)
    try:
        with progress_bar() as progress:
            task, shown = progress.add_task(words, total=None), 0

            def look(goal: int) -> None:
                nonlocal shown
                done = sum(min(deals.done(label), goal) for label in deals.lineups)
                if goal != shown:  # what was there before says nothing of the time left
                    progress.reset(task, total=goal * len(deals.lineups), completed=done)
                    shown = goal
                progress.update(task, completed=done)
                if keeper is not None:
                    keeper.save_now_and_then()

            yield look
    finally:
        if keeper is not None:
            keeper.save()


# --- The file -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Kept:
    """One lineup of the file: what the text says of it but its label, and its arrays by name."""

    described: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


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
            "lineups": [{"label": label, **each.described} for label, each in kept.items()],
        }
        arrays = {
            f"{name}_{place}": array
            for place, lineup in enumerate(kept.values())
            for name, array in lineup.arrays.items()
        }
        identity = np.array(json.dumps(text, ensure_ascii=False))
        with replacing(self.path) as unfinished, unfinished.open("wb") as file:
            np.savez(file, identity=identity, **arrays)  # type: ignore[arg-type]
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
            if not len(played):
                continue
            arrays = {name: getattr(played, name) for name in ARRAYS}
            if lineup.is_drawn:
                arrays[HOLDERS] = lineup.holders(np.arange(len(played)))
            found[label] = _Kept(_described(lineup, self._deals.names), arrays)
        return found

    def _take_over(self, text: dict[str, Any], kept: dict[str, _Kept]) -> None:
        self._check_same({"history": 0, **text["identity"]})
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
            played = Played(own, **{name: lineup.arrays[name] for name in ARRAYS})
            same = lineup.described == _described(own, self._deals.names)
            if same and not _fits(played, self._deals.played(label)):
                raise _unreadable(self.path, f"the arrays of {label!r} do not fit one another")
            if same and own.is_drawn:
                holders = own.holders(np.arange(len(played)))
                same = np.array_equal(lineup.arrays[HOLDERS], holders)
            if not same:
                raise Differs(
                    f"{self.path} holds deals of {label!r} in another seating; give another --out."
                )
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


def _described(lineup: Lineup, names: tuple[str, ...]) -> dict[str, Any]:
    """Return who sits where, and who is watched, in names of agents, or of drawn places."""
    places = names
    if lineup.is_drawn:
        places = tuple(f"place {place}" for place in range(lineup.seating.max() + 1))
    described: dict[str, Any] = {
        "seating": [[places[place] for place in pattern] for pattern in lineup.seating],
        "watched": [places[place] for place in lineup.watched],
    }
    return described | ({"agents": list(names)} if lineup.is_drawn else {})


def _fits(played: Played, empty: Played) -> bool:
    """Whether arrays from a file are as long as one another, of the right shapes and finite."""
    return bool(np.isfinite(played.scores).all()) and all(
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
            for place, described in enumerate(text["lineups"]):
                types = ARRAYS | ({HOLDERS: np.int64} if "agents" in described else {})
                arrays = {name: file[f"{name}_{place}"] for name in types}
                if [array.dtype for array in arrays.values()] != list(types.values()):
                    raise ValueError("an array is of another type")
                kept[str(described.pop("label"))] = _Kept(described, arrays)
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

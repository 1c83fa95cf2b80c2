"""Numbered deals: agents play them in lineups, in chunks, on all cores.

A deal is a table's number under a seed, so everybody meets the same cards, and chance in an agent's
choices comes from streams apart from those of the deals. Nothing that is played depends on the
number of cores, on the size of the chunks, or on what else is played.
"""

import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.policies import play_to_the_end
from cardenv.players import ELSEWHERE, AnyPlayer, Searcher, number_of
from cardenv.table import Tables
from experiments.command import SettingsError, TableSettings
from experiments.intervals import EXACTLY_ZERO, Interval, mean_interval
from experiments.lineups import FIRST_DEAL, Lineup

SECONDS_A_CHUNK = 0.5
MOST_TABLES = 8192
"""Tables of a chunk; more of them would no longer be any faster."""
FIRST_TABLES = 256
"""Tables of the first chunk where policies play alone; a chunk of others begins with one deal."""
SECONDS_BETWEEN_LOOKS = 0.2
PATIENCE = 5.0
"""Seconds that deals under way may take to finish once a stop is asked for."""


class Interrupted(Exception):
    """A deal was left unfinished, since a stop was asked for."""


def all_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_cores(cores: int | None) -> int:
    """Return the number of cores that a setting means, all by default.

    Raises:
        SettingsError: it is less than 1.
    """
    if cores is not None and cores < 1:
        raise SettingsError(f"cores={cores} is not possible; give 1 or more.")
    return all_cores() if cores is None else cores


# --- What was played ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """What a lineup made of deals 0, 1, ...

    An agent is named by the number of its place, which is its own but at mixed tables.

    Attributes:
        lineup: who sat where.
        scores: float64 ``[deals, columns]``: the score of every seat looked at (see
            ``Lineup.columns``).
        lost: bool ``[deals, columns]``: whether the seat was among the losers (of a round by the
            game's rules; of a match: all who are not first).
        tallies: int32 ``[deals, watched, tallies]``: the game's counts (``Game.tallies``), of each
            place over all its seats.
    """

    lineup: Lineup
    scores: NDArray[np.float64]
    lost: NDArray[np.bool_]
    tallies: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.scores)

    def first(self, deals: int) -> "Played":
        """Return the first so many deals."""
        return Played(self.lineup, self.scores[:deals], self.lost[:deals], self.tallies[:deals])

    def score_of(self, place: int) -> NDArray[np.float64]:
        """Return an agent's score on each deal, the mean over its seats: float64 ``[deals]``."""
        if self.lineup.is_symmetric:  # which sums of floating-point numbers would miss by a hair
            return np.zeros(len(self))
        scores: NDArray[np.float64] = self.scores[:, self.lineup.columns_of(place)].mean(axis=1)
        return scores

    def lost_by(self, place: int) -> NDArray[np.float64]:
        """Return the share of its seats that lost on each deal: float64 ``[deals]``."""
        shares: NDArray[np.float64] = self.lost[:, self.lineup.columns_of(place)].mean(axis=1)
        return shares

    def tallies_of(self, place: int) -> NDArray[np.int32]:
        """Return an agent's counts on each deal, over its seats: int32 ``[deals, tallies]``."""
        return self.tallies[:, self.lineup.watched.index(place)]

    def interval(
        self, confidence: float, place: int | None = None, basis: int | None = None
    ) -> Interval:
        """Return an agent's mean score with its interval, exactly 0 among copies of itself.

        Args:
            confidence: level of the interval, such as 0.95.
            place: the agent's; the first that is watched by default.
            basis: of how many deals, from the first on, the deviation is taken; of all by default
                (see ``experiments.intervals.mean_interval``).
        """
        if self.lineup.is_symmetric:
            return EXACTLY_ZERO
        scores = self.score_of(self.lineup.watched[0] if place is None else place)
        return mean_interval(scores, confidence, scores[:basis])


def play_deals(
    players: Sequence[AnyPlayer],
    lineup: Lineup,
    tables: Tables,
    seed: int,
    deals: NDArray[np.int64],
) -> tuple[Played, int]:
    """Play numbered deals, each once for every pattern of a lineup.

    Args:
        players: the agents that the lineup's numbers stand for; each must fit the tables.
        lineup: who sits where.
        tables: as many tables as deals times patterns; what they hold is overwritten.
        seed: of the deals.
        deals: int64 ``[deals]``, their numbers.

    Returns:
        What was played, and how many decisions that took.
    """
    patterns, seats = lineup.seating.shape
    tables.seed(seed, FIRST_DEAL + np.repeat(deals, patterns))
    tables.reset()
    decisions = play_to_the_end(players, lineup.seating_of(deals).reshape(-1, seats), tables)
    pattern, seat, owner = lineup.columns
    at = patterns * np.arange(len(deals))[:, None] + pattern
    lost = tables.rows["lost"][at] >> seat.astype(np.uint64) & np.uint64(1) != 0
    counts = np.add.reduceat(
        tables.rows["tally"][at, seat], np.flatnonzero(np.diff(owner, prepend=-1)), axis=1
    )
    return Played(lineup, tables.score[at, seat], lost, counts), decisions


# --- Playing in chunks on cores -------------------------------------------------------------------


class Deals:
    """Deals 0, 1, ... of one kind of table, played by agents in several lineups, and kept.

    Args:
        settings: the table, and by default the seed.
        agents: by name, in the order that the lineups' numbers count; each must fit the table.
        lineups: by a label of the caller's.
        seed: of the deals.
        cores: how many chunks are played at once; all cores by default.

    Attributes:
        names: of the agents.
        decisions: made so far, by everybody.
        seconds: spent in ``play`` so far.
    """

    def __init__(
        self,
        settings: TableSettings,
        agents: Mapping[str, AnyPlayer],
        lineups: Mapping[str, Lineup],
        *,
        seed: int | None = None,
        cores: int | None = None,
    ) -> None:
        self.settings, self.lineups = settings, dict(lineups)
        self.seed = settings.seed if seed is None else seed
        self.cores = check_cores(cores)
        self.decisions, self.seconds = 0, 0.0
        self._stop = threading.Event()
        self.names = tuple(agents)
        self._players = [_stoppable(player, self._stop) for player in agents.values()]
        self._spare: dict[int, list[Tables]] = defaultdict(list)
        tallies = settings.tables(1).rows["tally"].shape[-1]
        self._tracks = {
            label: _Track(lineup, tallies, self._first_chunk(lineup))
            for label, lineup in self.lineups.items()
        }

    @property
    def common(self) -> int:
        """How many deals, from the first on, every lineup has played."""
        return min((track.done for track in self._tracks.values()), default=0)

    def done(self, label: str) -> int:
        """Return how many deals, from the first on, a lineup has played."""
        return self._tracks[label].done

    def played(self, label: str, deals: int | None = None) -> Played:
        """Return the first so many deals of a lineup, as views; all it has by default."""
        track = self._tracks[label]
        return track.played.first(track.done if deals is None else min(deals, track.done))

    def take_over(self, label: str, played: Played) -> None:
        """Go on after deals that the same agents have played before."""
        track = self._tracks[label]
        track.make_room(len(played))
        track.given = len(played)
        track.write(0, played)

    def play(
        self,
        deals: int,
        look: Callable[[], None] = lambda: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> int:
        """Play on until every lineup has this many deals.

        Who has fewest goes first, so all have nearly as many at any time.

        Args:
            deals: how many, those before included.
            look: called several times a second, to show progress or to save.
            should_stop: asked as often; after a yes only what is under way is finished. An agent
                that takes long over it is interrupted, and that chunk lost.

        Returns:
            How many deals all lineups have.

        Raises:
            SettingsError: they do not fit into memory; what was played is still there.
        """
        began = time.perf_counter()
        self._make_room(deals)
        pool = ThreadPoolExecutor(self.cores, "deals")
        try:
            self._play_with(pool, deals, look, should_stop)
        finally:
            self._stop.set()  # an error, or a second Ctrl-C, does not wait for a slow agent
            pool.shutdown(cancel_futures=True)
            self._stop.clear()
            for track in self._tracks.values():
                track.forget_lost()
            self.seconds += time.perf_counter() - began
        return self.common

    def _make_room(self, deals: int) -> None:
        try:
            for track in self._tracks.values():
                track.make_room(deals)
        except (MemoryError, ValueError):  # NumPy's for a size that no machine has
            raise SettingsError(f"{deals:,} deals do not fit into memory; give fewer.") from None

    def _play_with(
        self,
        pool: ThreadPoolExecutor,
        deals: int,
        look: Callable[[], None],
        should_stop: Callable[[], bool],
    ) -> None:
        running: dict[Future[tuple[Played, int, float]], tuple[_Track, int]] = {}
        deadline = None
        while True:
            if deadline is None and should_stop():
                deadline = time.perf_counter() + PATIENCE
            while deadline is None and len(running) < self.cores:
                track = min(self._tracks.values(), key=lambda each: each.given, default=None)
                if track is None or track.given >= deals:
                    break
                first, count = track.give(deals)
                # In a copy of this thread's context, where NumPy keeps its settings of errors.
                job = pool.submit(copy_context().run, self._play_chunk, track.lineup, first, count)
                running[job] = track, first
            if not running:
                return
            finished, _ = wait(running, SECONDS_BETWEEN_LOOKS, FIRST_COMPLETED)
            for job in finished:
                track, first = running.pop(job)
                if isinstance(error := job.exception(), Interrupted):
                    continue
                if error is not None:
                    raise error
                played, decisions, seconds = job.result()
                track.write(first, played)
                track.adapt(len(played), seconds)
                self.decisions += decisions
            look()
            if deadline is not None and time.perf_counter() > deadline:
                self._stop.set()

    def _play_chunk(self, lineup: Lineup, first: int, count: int) -> tuple[Played, int, float]:
        """Play some deals, in a thread of the pool; return them, decisions and seconds."""
        began = time.perf_counter()
        size = count * len(lineup.seating)
        spare = self._spare[size]
        tables = spare.pop() if spare else self.settings.tables(size)
        numbers = np.arange(first, first + count)
        played, decisions = play_deals(self._players, lineup, tables, self.seed, numbers)
        spare.append(tables)
        return played, decisions, time.perf_counter() - began

    def _first_chunk(self, lineup: Lineup) -> int:
        alone = all(number_of(self._players[each]) != ELSEWHERE for each in lineup.everybody)
        return max(1, FIRST_TABLES // len(lineup.seating)) if alone else 1


class _Track:
    """One lineup's deals: which are given out, which are done, and how large a chunk should be."""

    def __init__(self, lineup: Lineup, tallies: int, chunk: int) -> None:
        self.lineup = lineup
        self.given = self.done = 0
        self.chunk = chunk
        columns = len(lineup.columns[0])
        self.played = Played(
            lineup,
            np.zeros((0, columns)),
            np.zeros((0, columns), np.bool_),
            np.zeros((0, len(lineup.watched), tallies), np.int32),
        )
        self._ahead: dict[int, int] = {}

    def make_room(self, deals: int) -> None:
        """Have arrays for so many deals; memory is used as they are written."""
        before = self.played
        if len(before) >= deals:
            return
        arrays: list[NDArray[Any]] = []
        for array in (before.scores, before.lost, before.tallies):
            arrays.append(np.zeros((deals, *array.shape[1:]), array.dtype))
            arrays[-1][: self.done] = array[: self.done]
        self.played = Played(self.lineup, *arrays)

    def give(self, deals: int) -> tuple[int, int]:
        """Return the first deal of the next chunk and how many it has."""
        first = self.given
        self.given = min(first + self.chunk, deals)
        return first, self.given - first

    def write(self, first: int, part: Played) -> None:
        """Keep a chunk; chunks may come in any order."""
        place = slice(first, first + len(part))
        self.played.scores[place] = part.scores
        self.played.lost[place] = part.lost
        self.played.tallies[place] = part.tallies
        self._ahead[first] = place.stop
        while self.done in self._ahead:
            self.done = self._ahead.pop(self.done)

    def forget_lost(self) -> None:
        """Give out anew what follows a chunk that was not finished."""
        self._ahead.clear()
        self.given = self.done

    def adapt(self, deals: int, seconds: float) -> None:
        """Make the next chunk last as long as wanted: a power of 2, so that tables serve again."""
        wanted = SECONDS_A_CHUNK * deals / max(seconds, 1e-9)
        most = max(1, MOST_TABLES // len(self.lineup.seating))
        self.chunk = 1 << (max(1, min(int(wanted), most)).bit_length() - 1)


# --- Agents that can be interrupted ---------------------------------------------------------------


def _stoppable(player: AnyPlayer, stop: threading.Event) -> AnyPlayer:
    """Return a player that raises ``Interrupted`` once a stop is set; policies never take long."""
    if number_of(player) != ELSEWHERE:
        return player
    return (
        _StoppableSearcher(player, stop)
        if isinstance(player, Searcher)
        else _Stoppable(player, stop)
    )


class _Stoppable:
    def __init__(self, player: Any, stop: threading.Event) -> None:
        self.name, self.check = player.name, player.check
        self._act, self._stop = player.act, stop

    def act(self, observations: Any, masks: Any, keys: Any) -> NDArray[np.int64]:
        if self._stop.is_set():
            raise Interrupted
        actions: NDArray[np.int64] = self._act(observations, masks, keys)
        return actions


class _StoppableSearcher:
    def __init__(self, player: Any, stop: threading.Event) -> None:
        self.name, self.check = player.name, player.check
        self._act_at, self._stop = player.act_at, stop

    def act_at(self, tables: Tables, which: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = np.empty(len(which), np.int64)
        for place in range(len(which)):  # one table at a time, in this thread: cores are as asked
            if self._stop.is_set():
                raise Interrupted
            actions[place] = self._act_at(tables, which[place : place + 1])[0]
        return actions

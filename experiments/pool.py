"""Self-play: the newest network and earlier snapshots of the same run as opponents.

Snapshots are met by prioritised fictitious self-play: the more seldom the learner beats one, the
more often it sits at the table. A snapshot is beaten by a higher score in an episode and beats by
a higher one; even scores say nothing, as most seats of a round often get the same. At a table with
several snapshots the learner is compared with each. Older results fade, since the learner that had
them is gone.

Who sits where is drawn by a table's key, as for all opponents, and shares follow from results
alone; so there is no generator here, and ``state_dict`` is all that the next episode depends on.

Sources: Vinyals and others (2019), "Grandmaster level in StarCraft II using multi-agent
reinforcement learning", for prioritised fictitious self-play and its weights ``(1 - x)^2``;
Heinrich, Lanctot and Silver (2015), "Fictitious self-play in extensive-form games".
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.learned import Learned, describe_training
from agents.network import Network
from cardenv.envs.learner import LearnerTables
from cardenv.players import AnyPlayer
from cardenv.table import Tables
from experiments.stopwatch import Stopwatch

SELF, POOL = "self", "pool"
"""What opponents call the newest network and the pool of snapshots."""
UNIFORM, PRIORITISED = "uniform", "prioritised"
POWER = 2.0
"""Exponent of the weights; the higher, the more the hardest snapshots are preferred."""
FADING = 0.5
"""What results still count once another snapshot has been taken."""
FREE = -1


class Chair:
    """A player whose network may be replaced while it sits at a table.

    Its fingerprint is that of the network it has now.

    Attributes:
        name: what tables and reports call it.
        learned: who plays for it.
        watch: runs while it thinks.
    """

    def __init__(self, name: str, learned: Learned, watch: Stopwatch) -> None:
        self.name, self.learned, self.watch = name, learned, watch

    @property
    def fingerprint(self) -> str:
        """Tells apart what sits here from what sat here before, or sits elsewhere."""
        return self.learned.fingerprint

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        keys: NDArray[np.uint64],
    ) -> NDArray[np.int64]:
        """Choose by the network (see ``cardenv.players.Player.act`` for shapes)."""
        with self.watch:
            return self.learned.act(observations, masks, keys)

    def check(self, tables: Tables) -> None:
        """Raise ``PlayerError`` at tables other than those it was trained for."""
        self.learned.check(tables)


def blank(table: Tables, layers: tuple[int, ...], sample: bool) -> Learned:
    """Return an agent for such tables whose network is all zeros, until a learner's is known.

    Args:
        table: one of the tables.
        layers: widths of the hidden layers.
        sample: whether it draws its actions instead of taking the likeliest.
    """
    sizes = np.array([table.layout.size, *layers, table.masks.shape[1]])
    parameters = np.zeros((sizes[:-1] + 1) @ sizes[1:], np.float32)
    network = Network.from_flat(sizes, parameters)
    return Learned(SELF, network, describe_training(table), sample)


class Pool:
    """A run's newest network and its snapshots, as opponents of the learner.

    When all places are taken, the snapshot goes that the learner beats most surely, of equals the
    oldest. Episodes under way at its table are played on by the one that comes, and not counted.

    Attributes:
        newest: the player that is called ``self``.
        snapshots: the players that take turns as ``pool``; those at free places never sit down.
        taken: int64 ``[size]``, the steps after which a snapshot was taken, or ``FREE``.
        wins: float64 ``[size]``, how often the learner scored more, faded.
        losses: float64 ``[size]``, how often it scored less.
        latest: the steps after which the last snapshot was taken, 0 if there was none.

    Args:
        learned: the untrained learner; its name, description and sampling are those of all.
        size: the most snapshots kept.
        sampling: ``PRIORITISED``, or ``UNIFORM`` for equal shares.
        floor: the share of the pool's seats that all snapshots have evenly.
        shape: number of tables, and of seats at each.
        watch: runs while they think.
    """

    def __init__(
        self,
        learned: Learned,
        size: int,
        sampling: str,
        floor: float,
        shape: tuple[int, int],
        watch: Stopwatch,
    ) -> None:
        self.newest = Chair(SELF, learned, watch)
        self.snapshots = [Chair(f"{POOL} {place}", learned, watch) for place in range(size)]
        self.sampling, self.floor = sampling, floor
        self.taken, self.latest = np.full(size, FREE), 0
        self.wins, self.losses = np.zeros(size), np.zeros(size)
        self._replaced: NDArray[np.bool_] = np.zeros(shape, np.bool_)

    # --- Who sits at the tables -------------------------------------------------------------------

    def mixture(self, weights: Mapping[str, float]) -> dict[AnyPlayer, float]:
        """Return the weight of every player here, from those of ``SELF`` and ``POOL``.

        Until there is a snapshot, the newest network plays for the pool.
        """
        own, pool = weights.get(SELF, 0.0), weights.get(POOL, 0.0)
        if not (self.taken != FREE).any():
            own, pool = own + pool, 0.0
        shares = (pool * self.shares()).tolist()
        return {self.newest: own, **dict(zip(self.snapshots, shares, strict=True))}

    def beaten(self) -> NDArray[np.float64]:
        """Return how surely the learner beats each snapshot: float64 ``[size]``, 0.5 unmet."""
        return (self.wins + 1) / (self.wins + self.losses + 2)

    def shares(self) -> NDArray[np.float64]:
        """Return each snapshot's share of the pool's seats: float64 ``[size]``."""
        there = (self.taken != FREE).astype(float)
        weights = there if self.sampling == UNIFORM else there * (1 - self.beaten()) ** POWER
        evenly = there / max(there.sum(), 1)
        by_weight = weights / max(weights.sum(), np.finfo(float).tiny)
        shares: NDArray[np.float64] = self.floor * evenly + (1 - self.floor) * by_weight
        return shares

    # --- What changes -----------------------------------------------------------------------------

    def follow(self, network: Network) -> None:
        """Let the newest network be this one."""
        self.newest.learned = self.newest.learned.with_network(network)

    def take(self, steps: int, learner: LearnerTables) -> None:
        """Keep a snapshot of the newest network.

        Args:
            steps: after which it is taken.
            learner: the tables that the snapshots sit at.
        """
        place = self._place()
        self.wins *= FADING
        self.losses *= FADING
        self.wins[place] = self.losses[place] = 0
        self.taken[place] = self.latest = steps
        self.snapshots[place].learned = self.newest.learned
        self._replaced |= self._places(learner) == place

    def count(self, learner: LearnerTables, ended: NDArray[np.int64]) -> None:
        """Count who scored more, at tables whose episode is over.

        Args:
            learner: the tables.
            ended: int64 ``[k]``, their numbers.
        """
        places, scores = self._places(learner)[ended], learner.tables.score[ended]
        own = scores[np.arange(ended.size), learner.seats[ended], None]
        met = (places != FREE) & ~self._replaced[ended]
        self.wins += self._tally(places[met & (own > scores)])
        self.losses += self._tally(places[met & (own < scores)])
        self._replaced[ended] = False

    def _place(self) -> int:
        """Return the place for the next snapshot: a free one, or that of the one which goes."""
        free = np.flatnonzero(self.taken == FREE)
        return int(free[0]) if free.size else int(np.lexsort((self.taken, -self.beaten()))[0])

    def _places(self, learner: LearnerTables) -> NDArray[np.int64]:
        """Return which snapshot sits where: int64 ``[count, players]``, ``FREE`` if none."""
        place: dict[AnyPlayer, int] = {chair: k for k, chair in enumerate(self.snapshots)}
        of_player = [place.get(player, FREE) for player in learner.players]
        return np.array([*of_player, FREE])[learner.playing]  # -1, the learner, is the last

    def _tally(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.bincount(places, minlength=self.taken.size)

    # --- What is kept -----------------------------------------------------------------------------

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return copies of snapshots and results, by name; the newest network is the learner's."""
        parameters = [chair.learned.network.flat()[1] for chair in self.snapshots]
        return {
            "pool.taken": self.taken.copy(),
            "pool.latest": np.array(self.latest),
            "pool.wins": self.wins.copy(),
            "pool.losses": self.losses.copy(),
            "pool.replaced": self._replaced.copy(),
            "pool.parameters": np.stack(parameters),
        }

    def load_state_dict(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take over what ``state_dict`` of an equal pool returned."""
        self.taken, self.wins, self.losses, self._replaced = (
            state[f"pool.{name}"].copy() for name in ("taken", "wins", "losses", "replaced")
        )
        self.latest = int(state["pool.latest"])
        sizes, _ = self.newest.learned.network.flat()
        for chair, parameters in zip(self.snapshots, state["pool.parameters"], strict=True):
            chair.learned = chair.learned.with_network(Network.from_flat(sizes, parameters))

    def report(self) -> list[dict[str, float]]:
        """Return what there is to say of each snapshot, the oldest first."""
        columns = zip(
            self.taken, self.shares(), self.beaten(), self.wins + self.losses, strict=True
        )
        return [
            {
                "steps": int(steps),
                "share": round(float(share), 4),
                "beaten": round(float(beaten), 4),
                "results": round(float(results), 1),
            }
            for steps, share, beaten, results in sorted(columns)
            if steps != FREE
        ]

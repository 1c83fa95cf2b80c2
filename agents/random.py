"""The weakest yardstick: uniform over the legal actions, the same for every game."""

import numpy as np
from numpy.typing import NDArray

from cardenv.table import Tables


class Random:
    """Plays a uniformly drawn legal action."""

    name = "random"

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        keys: NDArray[np.uint64],
    ) -> NDArray[np.int64]:
        """Choose uniformly (see ``cardenv.players.Player.act`` for shapes)."""
        ordinals = np.cumsum(masks, axis=1, dtype=np.int64)
        if not ordinals[:, -1].all():
            raise ValueError("a mask has no legal action; ask only for tables that are not over.")
        wanted = (keys >> np.uint64(32)) * ordinals[:, -1].astype(np.uint64) >> np.uint64(32)
        choices: NDArray[np.int64] = (ordinals > wanted.astype(np.int64)[:, None]).argmax(axis=1)
        return choices

    def check(self, tables: Tables) -> None:
        """Fit any table."""

"""What draws tell of a hand: which sampled deals of Mau-Mau search believes."""

from typing import Any

import numpy as np

from agents.heuristics.maumau_sight import lacking, many
from cardenv.compiling import compiled


@compiled
def is_credible(row: Any, rules: Any, seat: int) -> bool:
    """Tell whether everybody who drew had nothing to lay, as far as it shows.

    A card that fits what was in force then may be the one that was drawn, but hardly two may.
    """
    for other in range(rules.players):
        if other != seat:
            lacked = lacking(np.uint64(row.drew[other]))
            if many(row.hand[other] & lacked, row.hand_twice[other] & lacked) > 1:
                return False
    return True

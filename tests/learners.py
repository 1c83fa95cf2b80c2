"""What tests of trainers share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.learned import Learned


def weights_of(learned: Learned) -> NDArray[Any]:
    """Return all weights of an agent in one array."""
    return np.concatenate([part.ravel() for part in learned.network.flat()])

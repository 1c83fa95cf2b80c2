"""Figures of play: what a game's rules have counted at a seat, put in proportion.

Rules count whole numbers in a row's ``tally``, under the names that ``Game.tallies`` lists. A
figure is one sum of these divided by another, so that it is right over a round, over a match and
over any number of them: add up the tallies first, and divide then.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Figure:
    """What a table of results shows of a seat: ``scale * sum(of) / sum(per)``.

    Attributes:
        name: the heading over it.
        meaning: what it says, in a phrase.
        of: names of the tallies that are counted.
        per: names of the tallies that they are put in proportion to.
        scale: what one of them is worth, in the unit of the figure.
    """

    name: str
    meaning: str
    of: tuple[str, ...]
    per: tuple[str, ...]
    scale: float = 1.0

    def parts(
        self, tally: NDArray[Any], names: tuple[str, ...]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what is to be divided by what; where the second is 0, there is no figure.

        Args:
            tally: integers ``[..., tallies]``, of seats, or sums over tables and seats.
            names: the tallies' names in their order, ``Game.tallies``.

        Returns:
            Two float64 ``[...]``: the scaled sum of ``of``, and the sum of ``per``.
        """
        above, below = (
            tally[..., [names.index(name) for name in counted]].sum(axis=-1).astype(np.float64)
            for counted in (self.of, self.per)
        )
        return self.scale * above, below


COMMON_FIGURES = (
    Figure(
        "rounds won",
        "share of the rounds dealt in that it came first in, alone or tied",
        ("rounds_won",),
        ("rounds",),
    ),
    Figure(
        "rounds lost",
        "share of the rounds dealt in that it was among the losers of",
        ("rounds_lost",),
        ("rounds",),
    ),
)
"""The figures that every game has."""

"""How many deals to play: a number, or as many as a precision takes, by Stein's two stages.

The deviations of the first 200 deals say how many it takes (see ``experiments.intervals``); the
intervals then rest on those deviations, which keeps them honest although the data said when to
stop.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.command import SettingsError
from experiments.comparison import FEWEST_DEALS, Comparison, StoppedTooEarly
from experiments.deals import Deals
from experiments.intervals import FIRST_STAGE, deals_for, precision_of
from experiments.report import in_words

USUAL_DEALS = 2000
MOST_DEALS = 1_000_000
"""The most that a precision may take without ``--max-deals``."""


class Goal:
    """How many deals are to be played, who says so, and how far it was reached.

    Args:
        settings: say a number of deals, or a precision.
        deals: what is played.
        measured: given a number of deals, all that gets an interval which a precision is of, from
            the first so many: float64 ``[deals]`` each.

    Attributes:
        deals: the number; under a precision, that of the first stage until that is played.
        needed: the number that the precision takes, once it is known.
    """

    def __init__(
        self,
        settings: Comparison,
        deals: Deals,
        measured: Callable[[int], list[NDArray[np.float64]]],
    ) -> None:
        self._settings, self._deals, self._measured = settings, deals, measured
        self.needed: int | None = None
        self.deals = settings.deals or USUAL_DEALS
        if settings.precision is not None:
            self.deals = FIRST_STAGE

    @property
    def count(self) -> int:
        """How many deals there are to report of."""
        return min(self._deals.common, self.deals)

    @property
    def basis(self) -> int:
        """How many of them the deviations are taken of: under a precision, the first stage."""
        return self.count if self._settings.precision is None else min(self.count, FIRST_STAGE)

    @property
    def stopped(self) -> str | None:
        """After how many deals it was stopped, in words, if it was."""
        if self.count == self.deals:
            return None
        first_stage = self._settings.precision is not None and self.needed is None
        of = f"at least {self.deals:,}" if first_stage else f"{self.deals:,}"
        words = f"stopped after {self.count:,} of {of} deals"
        return words + ("." if self._settings.out is None else "; the same command goes on.")

    def reach(self, look: Callable[[int], None], should_stop: Callable[[], bool]) -> None:
        """Play the deals, or as many as there is time for.

        Args:
            look: called several times a second with the number of deals to be played.
            should_stop: see ``Deals.play``.

        Raises:
            SettingsError: the precision takes more than may be played without being asked for.
            StoppedTooEarly: there are too few deals to report of.
        """
        self._play(look, should_stop)
        precision, most = self._settings.precision, self._settings.max_deals
        if precision is not None and self.count == FIRST_STAGE:
            self.needed = self._needed(precision)
            if most is None and self.needed > MOST_DEALS:
                raise SettingsError(
                    f"precision={precision:g} would take {in_words(self.needed)} deals; "
                    f"{MOST_DEALS:,}, the most without --max-deals, reach "
                    f"{self._reached(MOST_DEALS):.2g}: give a precision not below that, or "
                    "--max-deals."
                )
            self.deals = min(self.needed, most or MOST_DEALS)
            self._play(look, should_stop)
        if self.count < FEWEST_DEALS:
            raise StoppedTooEarly(self.stopped)

    def precision(self) -> dict[str, Any] | None:
        """Return what a report says of a precision: wanted, reached, and the deals it takes."""
        if self.needed is None:
            return None
        return {
            "wanted": self._settings.precision,
            "reached": self._reached(self.count),
            "deals": self.needed,
        }

    def _needed(self, precision: float) -> int:
        values, confidence = self._measured(FIRST_STAGE), self._settings.confidence
        return max((deals_for(each, precision, confidence) for each in values), default=FIRST_STAGE)

    def _reached(self, deals: int) -> float:
        """Return the half-width of the widest interval after so many deals."""
        values, confidence = self._measured(FIRST_STAGE), self._settings.confidence
        return max((precision_of(each, deals, confidence) for each in values), default=0.0)

    def _play(self, look: Callable[[int], None], should_stop: Callable[[], bool]) -> None:
        look(self.deals)
        self._deals.play(self.deals, lambda: look(self.deals), should_stop)

"""Intervals: how sure a mean, a difference or a proportion is, with the deal as the unit.

Everything here takes one number a deal. A level is that of each interval by itself, not of all
intervals of a table together.

Rare differences. Two agents may differ on few deals, perhaps on none of those played; the deviation
seen would then make an interval too narrow, or of no width. So where most deals are equal, three
more are reckoned with, each as far off as the farthest one seen (or by 1 where none was): by the
rule of three (Hanley and Lippman-Hand 1983), what was not met in n deals may still come in 3 of n.
Where most deals differ, as between agents of unlike play, nothing is added.

Sources: Student (1908), "The probable error of a mean"; Stein (1945), "A two-sample test for a
linear hypothesis whose power is independent of the variance"; Hanley and Lippman-Hand (1983), "If
nothing goes wrong, is everything all right?"; Cochran (1977), "Sampling techniques", chapter 6, for
proportions.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

FIRST_STAGE = 200
"""Deals whose deviation decides how many a wanted precision takes (Stein 1945)."""
TINIEST = 1e-100
"""A finer precision is as far out of reach, and its square would leave the numbers there are."""
RULE_OF_THREE = 3
"""Rare deals that may come although none was met."""
SMALLEST_DISTANCE = 1e-6
"""A smaller difference is none: it would take 10**12 deals to see it."""


class Interval(NamedTuple):
    """A mean, or another figure, with the ends of its interval."""

    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the distance of the ends: ``mean`` plus or minus this is the interval."""
        return (self.high - self.low) / 2

    @property
    def excludes_zero(self) -> bool:
        """Whether the figure is surely more, or surely less, than 0."""
        return self.low > 0 or self.high < 0


EXACTLY_ZERO = Interval(0.0, 0.0, 0.0)
"""What is 0 by symmetry, whatever is dealt."""


def student(confidence: float, deals: float) -> float:
    """Return how many standard errors a mean of so many deals may be off, by Student's t."""
    return float(stdtrit(deals - 1, 0.5 + confidence / 2))


def deviation(values: NDArray[np.float64], unit: float = 1.0) -> float:
    """Return the standard deviation of one deal, guarded against rare differences.

    Args:
        values: float64 ``[deals]``, two or more.
        unit: how far off a deal may be where all of these are equal.
    """
    return math.sqrt(float(values.var(ddof=1)) + unmet(values, unit) / len(values))


def unmet(values: NDArray[np.float64], unit: float = 1.0) -> float:
    """Return the sum of squares that rare deals which were not met may add (see above)."""
    steps = np.abs(values - np.median(values))
    if 2 * int((steps > SMALLEST_DISTANCE).sum()) >= len(values):
        return 0.0
    farthest = float(steps.max())
    size = farthest if farthest > SMALLEST_DISTANCE else unit
    return RULE_OF_THREE * size * size


def mean_interval(
    values: NDArray[np.float64], confidence: float, basis: NDArray[np.float64] | None = None
) -> Interval:
    """Return the mean of a number a deal, with its interval.

    Args:
        values: float64 ``[deals]``, two or more.
        confidence: level of the interval, such as 0.95.
        basis: float64 ``[deals]``, what the deviation is taken of; ``values`` by default. Where the
            number of deals was decided by the deviation of the first ones (see ``deals_for``), give
            those: it is independent of the mean, so for normal values the interval covers exactly
            as often as it says although the data said when to stop (Stein 1945).
    """
    half = precision_of(values if basis is None else basis, len(values), confidence)
    mean = float(values.mean())
    return Interval(mean, mean - half, mean + half)


def deals_for(values: NDArray[np.float64], precision: float, confidence: float) -> int:
    """Return how many deals, these included, make the interval's half-width ``precision``.

    Args:
        values: float64 ``[deals]`` of the first stage.
        precision: the half-width wanted, more than 0.
        confidence: level of the interval.
    """
    errors = student(confidence, len(values)) * deviation(values) / max(precision, TINIEST)
    return max(len(values), math.ceil(errors * errors))


def precision_of(values: NDArray[np.float64], deals: int, confidence: float) -> float:
    """Return the half-width of the interval of a mean over so many deals.

    Args:
        values: float64 ``[deals]``, two or more, what the deviation is taken of.
        deals: how many the mean is over.
        confidence: level of the interval.
    """
    return student(confidence, len(values)) * deviation(values) / math.sqrt(deals)


def deals_to_separate(values: NDArray[np.float64], confidence: float) -> int | None:
    """Return how many deals it takes until the interval excludes 0, or ``None`` if it never will.

    It takes mean and deviation as they are in these deals; where the interval still holds 0, the
    mean may be chance, and the number with it.

    Args:
        values: float64 ``[deals]``, two or more.
        confidence: level of the interval.
    """
    distance, spread = abs(float(values.mean())), float(values.std(ddof=1))
    if distance <= SMALLEST_DISTANCE * max(1.0, spread):
        return None
    rare = unmet(values)

    def enough(deals: float) -> float:
        return (student(confidence, deals) / distance) ** 2 * (spread * spread + rare / deals)

    normal = (student(confidence, math.inf) / distance) ** 2
    seen = normal * spread * spread
    deals = max(2, math.ceil((seen + math.sqrt(seen * seen + 4 * normal * rare)) / 2))
    while deals <= enough(deals):  # t is larger for fewer deals, which adds but a few
        deals += 1
    return deals


def ratio_interval(
    above: NDArray[np.float64], below: NDArray[np.float64], confidence: float, unit: float = 1.0
) -> Interval | None:
    """Return one sum divided by another, with its interval by the delta method.

    The deals' residuals ``above - ratio * below`` take the place of a mean's deviations (Cochran
    1977, equation 6.13).

    Args:
        above: float64 ``[deals]``, two or more.
        below: float64 ``[deals]``.
        confidence: level of the interval.
        unit: what one thing counted is worth in ``above``, for the guard where none was.

    Returns:
        The interval, or ``None`` where there is nothing to divide by.
    """
    total = float(below.sum())
    if total == 0:
        return None
    ratio = float(above.sum()) / total
    residuals = above - ratio * below
    deals = len(above)
    half = student(confidence, deals) * deviation(residuals, unit) * math.sqrt(deals) / total
    return Interval(ratio, ratio - half, ratio + half)

"""What a figure of speed is measured with."""

import time
from collections.abc import Callable

Measurement = Callable[[float], tuple[int, float]]
"""Run for about so many seconds; return decisions made and seconds taken."""


def repeat(play: Callable[[], int], seconds: float) -> tuple[int, float]:
    """Call ``play``, which returns the decisions it made, until so many seconds have passed."""
    decisions = 0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        decisions += play()
    return decisions, spent

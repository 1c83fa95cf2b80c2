"""What a figure of speed is measured with: on one core, and on several at once."""

import atexit
import multiprocessing
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

Measurement = Callable[[float], tuple[int, float]]
"""Run for about so many seconds; return decisions made and seconds taken."""


def repeat(play: Callable[[], int], seconds: float) -> tuple[int, float]:
    """Call ``play``, which returns the decisions it made, until so many seconds have passed."""
    decisions = 0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        decisions += play()
    return decisions, spent


def together(results: Sequence[tuple[int, float]]) -> tuple[int, float]:
    """Return what several did at once, as one result whose rate is the sum of theirs."""
    decisions = sum(made for made, _ in results)
    return decisions, decisions / sum(made / spent for made, spent in results)


def in_threads(measurements: Sequence[Measurement]) -> Measurement:
    """Measure several at once, each in a thread: compiled loops run outside Python's lock."""
    pool = ThreadPoolExecutor(len(measurements), "measuring")

    def measure(seconds: float) -> tuple[int, float]:
        running = [pool.submit(each, seconds) for each in measurements]
        return together([each.result() for each in running])

    return measure


class Processes:
    """Processes that measure at once what Python's lock would let threads do only in turn.

    They start at the first measurement, one a core, and stay until this process ends.

    Args:
        cores: how many.
        settings: what a measurement is made from there.
    """

    def __init__(self, cores: int, settings: Any) -> None:
        self.cores, self.settings = cores, settings
        self._pools: list[ProcessPoolExecutor] = []

    def measurement(self, make: Callable[[Any], Measurement]) -> Measurement:
        """Return the measurement that ``make(settings)`` is, in every process at once."""

        def measure(seconds: float) -> tuple[int, float]:
            self._start()
            self._run(make, 0.0)  # makes it there, outside the time
            return together(self._run(make, seconds))

        return measure

    def _start(self) -> None:
        if not self._pools:
            context = multiprocessing.get_context("spawn")
            self._pools = [ProcessPoolExecutor(1, context) for _ in range(self.cores)]
            for pool in self._pools:
                atexit.register(pool.shutdown)

    def _run(self, make: Callable[[Any], Measurement], seconds: float) -> list[tuple[int, float]]:
        running = [pool.submit(_measure, make, self.settings, seconds) for pool in self._pools]
        return [each.result() for each in running]


_made: dict[Callable[[Any], Measurement], Measurement] = {}


def _measure(
    make: Callable[[Any], Measurement], settings: Any, seconds: float
) -> tuple[int, float]:
    if make not in _made:
        _made[make] = make(settings)
    return _made[make](seconds)

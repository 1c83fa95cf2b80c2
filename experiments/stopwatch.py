"""Time that adds up over many short stretches."""

import time
from types import TracebackType


class Stopwatch:
    """Runs between ``start`` and ``stop``, or inside a ``with`` block.

    Attributes:
        seconds: wall time of all stretches that have ended, and of those before, if given.
    """

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self._started: float | None = None

    def start(self) -> None:
        """Begin a stretch."""
        self._started = time.perf_counter()

    def stop(self) -> None:
        """End the stretch under way, if there is one."""
        if self._started is not None:
            self.seconds += time.perf_counter() - self._started
            self._started = None

    def __enter__(self) -> None:
        """Begin a stretch."""
        self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it."""
        self.stop()

"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a path to write to, which then takes the place of ``path`` in one go.

    The folder is made if it is missing. After an error ``path`` is as it was, and nothing else is
    left.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"unfinished-{os.getpid()}-{path.name}")
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)

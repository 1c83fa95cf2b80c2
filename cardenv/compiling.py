"""Numba settings shared by every compiled function, and where compiled code is kept.

Compiled code is cached in a folder whose name is a hash of everything that shaped it: the sources
it is made from, the game's own file among them, and the Numba settings that change machine code.
Numba itself notices neither a change in a called function of another file nor a changed bounds
check.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba.config
JIT = not config.DISABLE_JIT
"""False under ``NUMBA_DISABLE_JIT=1``: the same functions then run as ordinary Python."""

SHARED_SOURCES = ("cards.py", "compiling.py", "kernels.py", "layout.py", "rules.py", "seats.py")
"""The files of cardenv that every kernel is made from, beside its own game's."""

UNUSED_AFTER_SECONDS = 30 * 24 * 3600

if not JIT:
    # The generator multiplies 64-bit words modulo 2**64 on purpose.
    np.seterr(over="ignore")


def compiled(function: F) -> F:
    """Decorate a function that kernels call: compiled into its caller, without the GIL.

    Inlining is forced: slices passed between functions that are not inlined are counted as
    references, which costs a fifth of the speed.
    """
    jit: Any = numba.njit(nogil=True, error_model="numpy", forceinline=True)
    dispatcher: F = jit(function)
    return dispatcher


def bind(
    template: Callable[..., Any], name: str, functions: dict[str, Callable[..., Any]]
) -> Callable[..., Any]:
    """Return a copy of ``template`` in which the names it calls stand for ``functions``.

    The functions become globals of the copy, since a closure over them would never hit Numba's
    cache. The copy has a qualified name of its own, since rows of two games may have equal dtypes
    and one cache entry would then serve both.
    """
    assert isinstance(template, FunctionType)
    bound = FunctionType(
        template.__code__,
        {**template.__globals__, **functions},
        template.__name__,
        template.__defaults__,
    )
    bound.__qualname__ = f"{name}_{template.__name__}"
    bound.__module__ = template.__module__
    return bound


def cached(function: Callable[..., Any], sources: Iterable[Path]) -> Callable[..., Any]:
    """Compile a bound function and keep its machine code for later processes.

    Args:
        function: what ``bind`` returned.
        sources: files outside cardenv whose change must recompile it.
    """
    if not JIT:
        return function
    dispatcher: Any = compiled(function)
    users_folder = config.CACHE_DIR
    try:
        if not users_folder:
            config.CACHE_DIR = str(cache_folder(sources))
        dispatcher.enable_caching()
    finally:
        config.CACHE_DIR = users_folder
    result: Callable[..., Any] = dispatcher
    return result


def is_compiled(name: str, sources: Iterable[Path]) -> bool:
    """Whether the cache already holds kernels of the game ``name``."""
    if not JIT:
        return True
    folder = config.CACHE_DIR or str(cache_folder(sources))
    return any(Path(folder).rglob(f"*{name}_*.nbi"))


def announce_compiling(name: str) -> None:
    """Say on stderr, once, why the first use takes a while."""
    print(f"cardenv: compiling {name} for this machine, once (up to 30 s) ...", file=sys.stderr)


def cache_folder(sources: Iterable[Path]) -> Path:
    """Return the folder for code compiled from these sources, made if it is missing."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for path in [*(here / name for name in SHARED_SOURCES), *sorted(sources)]:
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    for setting in (numba.__version__, config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT):
        digest.update(repr(setting).encode())
    parent = _cache_root()
    folder = parent / digest.hexdigest()[:16]
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        _remove_unused(parent)
    with suppress(OSError):
        os.utime(folder)
    return folder


def _cache_root() -> Path:
    """Return the user's cache folder, or a temporary one where the home is read-only."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cardenv"
    try:
        home.mkdir(parents=True, exist_ok=True)
        if os.access(home, os.W_OK):
            return home
    except OSError:
        pass
    return (
        Path(tempfile.gettempdir()) / f"cardenv-cache-{os.getuid() if hasattr(os, 'getuid') else 0}"
    )


def _remove_unused(parent: Path) -> None:
    """Delete folders of earlier sources that nobody has used for a month."""
    for folder in parent.iterdir():
        with suppress(OSError):
            if folder.is_dir() and time.time() - folder.stat().st_mtime > UNUSED_AFTER_SECONDS:
                shutil.rmtree(folder)

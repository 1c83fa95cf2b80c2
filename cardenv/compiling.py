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
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import extending
from numba.core import cgutils, types

F = TypeVar("F", bound=Callable[..., Any])

# Numba's types do not tell what its code generators take.
config: Any = numba.config
intrinsic: Any = extending.intrinsic
codegen: Any = cgutils
JIT = not config.DISABLE_JIT
"""False under ``NUMBA_DISABLE_JIT=1``: the same functions then run as ordinary Python."""
CHECKED = bool(config.BOUNDSCHECK)
"""True under ``NUMBA_BOUNDSCHECK=1``: an index past an array's end is an error."""

SHARED_SOURCES = (
    *("cards.py", "compiling.py", "history.py", "kernels.py"),
    *("layout.py", "rules.py", "seats.py"),
)
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


_BYTE, _BYTES, _BITS = ir.IntType(8), ir.VectorType(ir.IntType(8), 64), ir.IntType(64)
_TRUTHS = ir.VectorType(ir.IntType(1), 64)


@intrinsic  # type: ignore[untyped-decorator]
def bits_to_bytes(typing: Any, bits: Any, length: Any, out: Any, offset: Any) -> Any:
    """Write the lowest ``length`` of 64 bits as bytes 0 or 1 to ``out[offset:]``, all at once.

    A loop over the bits takes five times as long. Nothing checks the place.
    """
    if not _is_bytes(out):
        return None  # to Numba: no such function

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits, length, out, offset = arguments
        buffer = codegen.alloca_once(builder, _BYTES)
        builder.store(builder.zext(builder.bitcast(bits, _TRUTHS), _BYTES), buffer)
        place = _place(context, builder, signature.args[2], out, offset)
        codegen.raw_memcpy(builder, place, _as_bytes(builder, buffer), length, 1)
        return context.get_dummy_value()

    return types.void(types.uint64, types.intp, out, types.intp), generate


@intrinsic  # type: ignore[untyped-decorator]
def bytes_to_bits(typing: Any, observation: Any, offset: Any, length: Any) -> Any:
    """Read ``length`` bytes 0 or 1 of ``observation[offset:]`` as the lowest bits, all at once."""
    if not _is_bytes(observation):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        observation, offset, length = arguments
        buffer = codegen.alloca_once(builder, _BYTES)
        builder.store(ir.Constant(_BYTES, None), buffer)
        place = _place(context, builder, signature.args[0], observation, offset)
        codegen.raw_memcpy(builder, _as_bytes(builder, buffer), place, length, 1)
        return builder.bitcast(builder.trunc(builder.load(buffer), _TRUTHS), _BITS)

    return types.uint64(observation, types.intp, types.intp), generate


@intrinsic  # type: ignore[untyped-decorator]
def _without_owner(typing: Any, array: Any) -> Any:
    """Return the same array as nobody's: counting its references does nothing."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.return_type)(context, builder, arguments[0])
        view.meminfo = ir.Constant(view.meminfo.type, None)
        view.parent = ir.Constant(view.parent.type, None)
        return view._getvalue()

    return array(array), generate


@compiled
def uncounted(array: Any) -> Any:
    """Return a kernel's argument as an array whose slices are not counted as references.

    Each would be counted atomically as it is made and as it is dropped, which costs a third of
    the speed. The caller holds the array for as long as the kernel runs.
    """
    return _without_owner(array) if JIT else array


def _is_bytes(array: Any) -> bool:
    """Tell whether a type is that of an array whose elements are bytes side by side."""
    return bool(array.ndim == 1 and array.layout == "C" and array.dtype.bitwidth == 8)


def _place(context: Any, builder: Any, kind: Any, array: Any, offset: Any) -> Any:
    """Return the address of ``array[offset]``, a byte."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.gep(_as_bytes(builder, data), [offset])


def _as_bytes(builder: Any, pointer: Any) -> Any:
    return builder.bitcast(pointer, _BYTE.as_pointer())


def unbound(*_: Any) -> Any:
    """Stand for a function that a template calls and ``bind`` puts in."""
    raise RuntimeError("a template runs only as bind() has bound it to a game.")


def bind(
    template: Callable[..., Any], name: str, functions: Mapping[str, Any]
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

    It is compiled once even where others call it: they link to it instead of inlining it.

    Args:
        function: what ``bind`` returned.
        sources: files outside cardenv whose change must recompile it.
    """
    if not JIT:
        return function
    jit: Any = numba.njit(nogil=True, error_model="numpy")
    dispatcher: Any = jit(function)
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


def shared_files() -> list[Path]:
    """Return the paths of ``SHARED_SOURCES``."""
    return [Path(__file__).with_name(name) for name in SHARED_SOURCES]


def cache_folder(sources: Iterable[Path]) -> Path:
    """Return the folder for code compiled from these sources, made if it is missing."""
    digest = hashlib.sha256()
    for path in [*shared_files(), *sorted(sources)]:
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

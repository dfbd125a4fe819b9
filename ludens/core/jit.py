"""How rules and kernels are compiled, and where the compiled code is kept.

Two decorators, one rule: only functions that Python calls are `kernel`s. A kernel is
cached on disk and always takes records, whose type carries a fingerprint of the game's
sources (see `record.layout`). Everything a kernel calls is a `rule`, compiled into it.

Numba keys its cache by the file of the kernel alone, so a change elsewhere would go
unnoticed. Here the cache folder's name is a hash of the shared kernel sources, and the
record type changes with the game's own sources: whatever changes, stale code is never found.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba.core import types
from numba.core.caching import FunctionCache
from numba.core.registry import CPUDispatcher

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

__all__ = ["JIT", "cache_folder", "fingerprint", "kernel", "plain", "rule"]

JIT: bool = not numba.config.DISABLE_JIT

_PACKAGE = Path(__file__).resolve().parent.parent
_SHARED = ("core", "search", "learn")


def fingerprint(paths: Iterable[Path]) -> str:
    """Twelve hex digits that change with any of the files' names or contents."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def cache_folder() -> Path:
    """The folder of compiled kernels, in the user's cache (or `LUDENS_CACHE`)."""
    root = os.environ.get("LUDENS_CACHE")
    if not root:
        from platformdirs import user_cache_dir

        root = user_cache_dir("ludens", appauthor=False)
    shared = [path for part in _SHARED for path in (_PACKAGE / part).glob("*.py")]
    return Path(root) / f"numba-{numba.__version__}-{fingerprint(shared)}"


numba.config.CACHE_DIR = str(cache_folder())


def _widened(argument: Any) -> Any:
    """The type a rule is compiled for: int64 for every signed integer and every integer constant."""
    if isinstance(argument, types.IntegerLiteral):
        argument = argument.literal_type
    return types.int64 if argument in types.signed_domain else argument


class _Rule(CPUDispatcher):
    """A compiled function with one version for integers of all widths.

    Numba would compile a rule anew for an int8 field, an int16 field, a loop variable and every constant it is
    called with, and what that rule calls again; most of the time to compile a game would go there.
    """

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template([_widened(a) for a in args], {k: _widened(a) for k, a in kws.items()})


class _Cache(FunctionCache):
    """A kernel's compiled versions on disk, to which one process at a time adds.

    Numba numbers their files by an index that it reads, extends and writes. Two processes that compile a kernel for
    two games at the same moment would use one number twice, and one game would be played by the other's code.
    """

    def save_overload(self, sig: Any, data: Any) -> None:
        with _alone(Path(self.cache_path)):
            super().save_overload(sig, data)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Waits until no other process is within this block for the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("ab") as lock:
        if fcntl:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def rule(function: Any) -> Any:
    """Compiles a function that only other compiled functions call."""
    return _Rule(function, targetoptions={"nopython": True, "nogil": True}) if JIT else function


def kernel(function: Any) -> Any:
    """Compiles and caches a function that Python calls; it must take records."""
    compiled = numba.njit(nogil=True)(function)
    if JIT:
        compiled._cache = _Cache(function)
    return compiled


def plain(function: Any) -> Any:
    """The Python function behind a rule, for single calls that are not worth compiling.

    It must call no other rule: those would still be compiled.
    """
    return getattr(function, "py_func", function)

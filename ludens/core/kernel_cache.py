"""Compiled kernels on disk: one file each, named by what it was compiled from.

A file is written whole or not at all and never changes, so processes need no locks, and versions of the code lie side
by side. Files that were not used for long, or that do not fit, are deleted. Where nothing can be written, everything
still works, and one line says that it will compile again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import sys
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np

from ludens.core.identity import identity
from ludens.core.numba_internals import CompileResult, NumbaCache, dumps, loads

__all__ = ["FOLDER", "KernelCache", "Stored", "cache_folder", "clear", "keep", "path_for", "prune", "read", "stored"]

FOLDER = "LUDENS_CACHE"
"""The environment variable that names the folder of compiled code."""

MOST_DAYS = 60
MOST_BYTES = 1 << 30

_ENDING = ".kernel"
_log = logging.getLogger("ludens")
_VERSIONS = f"{sys.implementation.cache_tag} numba {numba.__version__} numpy {np.__version__}"


def cache_folder() -> Path:
    """The folder of compiled kernels: in the user's cache, or in `LUDENS_CACHE`."""
    root = os.environ.get(FOLDER)
    if not root:
        from platformdirs import user_cache_dir

        root = user_cache_dir("ludens", appauthor=False)
    return Path(root) / "kernels"


class KernelCache(NumbaCache):  # type: ignore[misc]
    """The compiled versions of one kernel; Numba asks it before it compiles and hands it the result."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self._enabled = True

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for these argument types, or None; a damaged file counts as none."""
        if not self._enabled:
            return None
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        data = read(path)
        if data is None:
            return None
        try:
            return CompileResult._rebuild(target_context, *loads(data))
        except Exception:  # whatever a damaged pickle raises
            _log.warning("Compiled code in %s is damaged and compiled anew.", path)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps compiled code under its identity."""
        if not self._enabled or data.library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
            return
        keep(self._path(sig, data.codegen), dumps(data._reduce()))

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Nothing is kept in memory."""

    def _path(self, sig: Any, codegen: Any) -> Path:
        arguments = sig if isinstance(sig, tuple) else sig.args
        parts = [codegen.magic_tuple(), [str(a) for a in arguments], identity(self._function, arguments)]
        return path_for(self._function, parts)


def path_for(function: Any, parts: list[Any]) -> Path:
    """The file of a function compiled from these parts, here and with these versions."""
    key = hashlib.sha256(repr([_VERSIONS, *parts]).encode()).hexdigest()[:24]
    name = re.sub(r"\W", "", function.__name__)
    return cache_folder() / f"{function.__module__}.{name}-{key}{_ENDING}"


def read(path: Path) -> bytes | None:
    """The content of a kept file, which counts as used now; None if there is none."""
    try:
        data = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    return data


def keep(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all; where that is impossible, one line says so."""
    unfinished = path.with_suffix(f".{uuid.uuid4().hex[:12]}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(data)
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True) if unfinished.exists() else None
        _say_once(error)
        return
    prune()


_told: set[str] = set()


def _say_once(error: OSError) -> None:
    folder = str(cache_folder())
    if folder not in _told:
        _told.add(folder)
        reason = error.strerror or error
        _log.warning(
            "Compiled code cannot be kept in %s (%s), so every start compiles anew; set %s to a folder of yours.",
            folder, reason, FOLDER,
        )  # fmt: skip


@dataclass(frozen=True)
class Stored:
    """One compiled kernel on disk."""

    path: Path
    size: int
    used: float  # seconds since 1970

    @property
    def kernel(self) -> str:
        """The module and name of the kernel."""
        return self.path.name.rpartition("-")[0]


def stored() -> list[Stored]:
    """What is on disk, the latest used first."""
    found = []
    for path in cache_folder().glob(f"*{_ENDING}"):
        try:
            facts = path.stat()
        except OSError:  # deleted by another process meanwhile
            continue
        found.append(Stored(path, facts.st_size, facts.st_mtime))
    return sorted(found, key=lambda kernel: -kernel.used)


_pruned_at = 0.0


def prune(most_bytes: int = MOST_BYTES, most_days: float = MOST_DAYS, every: float = 3600.0) -> int:
    """Deletes what was not used for long, then the longest unused until the rest fits; at most once an hour.

    Folders of earlier versions of this cache go too. Returns how many files were deleted.
    """
    global _pruned_at
    if time.monotonic() - _pruned_at < every and _pruned_at:
        return 0
    _pruned_at = time.monotonic()
    for old in cache_folder().parent.glob("numba-*-*"):
        shutil.rmtree(old, ignore_errors=True)
    total, deleted, oldest = 0, 0, time.time() - most_days * 86400
    for kernel in stored():
        total += kernel.size
        if total > most_bytes or kernel.used < oldest:
            kernel.path.unlink(missing_ok=True)
            deleted += 1
    return deleted


def clear() -> int:
    """Deletes all compiled code; returns how many files there were."""
    files = stored()
    for kernel in files:
        kernel.path.unlink(missing_ok=True)
    return len(files)

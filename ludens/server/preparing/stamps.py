"""Notes in the cache that a game is compiled: which kernels it needed, for which code and which machine."""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import llvmlite.binding  # type: ignore[import-untyped]
import numba
import numpy as np

import ludens
from ludens.core.kernel_cache import cache_folder

__all__ = ["is_prepared", "note"]

_COMPILED = ("core", "games", "search", "agents")  # folders whose files kernels are made of


@cache
def _key(plugins: tuple[str, ...]) -> str:
    """The code, the libraries and the machine; whoever differs in one of them prepares anew, mostly from the cache."""
    package = Path(ludens.__file__).parent
    files = [path for folder in _COMPILED for path in (package / folder).rglob("*") if path.suffix in (".py", ".json")]
    for plugin in plugins:
        found = importlib.import_module(plugin.partition(":")[0]).__file__
        files += [Path(found)] if found else []
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    versions = (sys.version, numba.__version__, np.__version__, llvmlite.binding.get_host_cpu_name())
    digest.update(repr(versions).encode())
    return digest.hexdigest()


def _path(game: str, plugins: tuple[str, ...]) -> Path:
    return cache_folder() / f"{game}-{_key(plugins)[:24]}.prepared"


def is_prepared(game: str, plugins: tuple[str, ...]) -> bool:
    """Are all kernels that this game needed still there?"""
    try:
        files = json.loads(_path(game, plugins).read_text())
    except (OSError, ValueError):
        return False
    return all((cache_folder() / name).exists() for name in files)


def note(game: str, plugins: tuple[str, ...], files: Iterable[str]) -> None:
    """Remembers that the game is compiled into these files; where nothing can be written, nothing is."""
    path = _path(game, plugins)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(sorted(files)))
        unfinished.replace(path)
    except OSError:
        return

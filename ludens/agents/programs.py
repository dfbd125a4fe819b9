"""Which program stands behind a code: one hash of an agent's modules and of the weights they read.

Two agents with the same code and the same hash play alike; a changed module, or a changed file of weights, has another
hash. Modules are followed by their imports as far as they belong to Ludens, to the agent's own package, or lie in
folders where nothing is installed. Installed libraries count by their versions, which `core.provenance` tells.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import inspect
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ludens.agents.codes import parse_code
from ludens.agents.guests import installed_origin, is_import
from ludens.core.spec import Game

__all__ = ["program_hash"]

_WEIGHTS = (".json", ".npy", ".npz", ".safetensors")
_INSTALLED = tuple(
    str(Path(folder).resolve()) for key, folder in sysconfig.get_paths().items() if key.endswith(("lib", "stdlib"))
)
_LUDENS = Path(__file__).resolve().parents[1]
_OPEN = {"ludens", "ludens.api"}  # they reach everything, and play nothing themselves


def program_hash(game: Game, code: str) -> str:
    """The hash of all that plays when this code sits down at the game."""
    kind, _ = parse_code(game, code, outside=True)
    make: Any = kind.make
    while isinstance(make, functools.partial):
        make = make.func
    origin = code.partition(":")[0] if is_import(code) else installed_origin(kind.name)
    roots = [f"ludens.games.{game.spec.name}", origin or str(getattr(inspect.unwrap(make), "__module__", ""))]
    own = {"ludens", *(root.partition(".")[0] for root in roots)}
    return _hash_of(tuple(roots), frozenset(own))


def _hash_of(roots: tuple[str, ...], own: frozenset[str]) -> str:
    found: dict[str, Path] = {}
    waiting = [*roots]
    while waiting:
        name = waiting.pop()
        if name in found or name in _OPEN:
            continue
        path = _source(name)
        if path is not None and (name.partition(".")[0] in own or not _is_installed(path)):
            found[name] = path
            waiting += _read(path, name, *_stamp(path))[1]
    digest = hashlib.sha256()
    for name, path in sorted(found.items()):
        digest.update(f"{name}\0{_read(path, name, *_stamp(path))[0]}\0".encode())
    return digest.hexdigest()[:16]


def _stamp(path: Path) -> tuple[int, int]:
    """What changes with a file, and with the weights beside it."""
    stats = [file.stat() for file in (path, *_beside(path))]
    return max(one.st_mtime_ns for one in stats), sum(one.st_size for one in stats)


def _beside(path: Path) -> list[Path]:
    """The files of weights near a module: of Ludens all where it speaks of any, elsewhere those that it names."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if not any(ending in text for ending in _WEIGHTS):
        return []
    folders = [path.parent, *(path.parent / name for name in ("data", "weights"))]
    files = [file for folder in folders if folder.is_dir() for file in folder.iterdir() if file.suffix in _WEIGHTS]
    return sorted(file for file in files if file.name in text or path.is_relative_to(_LUDENS))


@functools.lru_cache(maxsize=4096)
def _read(path: Path, name: str, *stamp: int) -> tuple[str, tuple[str, ...]]:
    """The hash of one module with its weights, and the modules that it imports."""
    text = path.read_bytes()
    digest = hashlib.sha256(text.replace(b"\r\n", b"\n"))
    for file in _beside(path):
        digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return digest.hexdigest(), ()
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    return digest.hexdigest(), tuple(dict.fromkeys(_imports(tree, package)))


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{one.name}" for one in node.names if one.name != "*")


@functools.lru_cache(maxsize=8192)
def _source(name: str) -> Path | None:
    """The file of a module; None for a name that is none, and for what is not written in Python."""
    module = sys.modules.get(name)
    origin = getattr(module, "__file__", None)
    if module is None:
        parent = name.rpartition(".")[0]
        held = sys.modules.get(parent)
        if parent and (held is None or not hasattr(held, "__path__")) and _source(parent) is None:
            return None
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, AttributeError, ValueError):
            return None
        origin = None if spec is None else spec.origin
    return Path(origin).resolve() if origin is not None and str(origin).endswith(".py") else None


def _is_installed(path: Path) -> bool:
    return "site-packages" in path.parts or any(str(path).startswith(folder) for folder in _INSTALLED)

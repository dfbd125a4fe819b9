"""What made a result: the commit, the command, the machine and the versions, so that it can be cited and repeated."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ludens.version import __version__

__all__ = ["provenance", "provenance_text", "revision"]

_LIBRARIES = ("numpy", "numba", "scipy", "torch")
_ROOT = Path(__file__).resolve().parents[2]


def provenance() -> dict[str, Any]:
    """Of the work that this process does now: begun, command, commit, dirty, machine, versions."""
    return {
        "begun": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": _command(),
        **revision(),
        "machine": _machine(),
        "versions": _versions(),
    }


@cache
def revision() -> dict[str, Any]:
    """The commit of Ludens, and whether its package differs from it; None where it has no history."""
    if not (_ROOT / ".git").exists():
        return {"commit": None, "dirty": None}
    try:
        commit, changes = (
            subprocess.run(
                ["git", "-C", str(_ROOT), *words], capture_output=True, text=True, timeout=20, check=True
            ).stdout.strip()
            for words in (("rev-parse", "HEAD"), ("status", "--porcelain", "--", "ludens"))
        )
    except (OSError, subprocess.SubprocessError):
        return {"commit": None, "dirty": None}
    return {"commit": commit, "dirty": bool(changes)}


def _command() -> str:
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]) if sys.argv and sys.argv[0] else "python"


@cache
def _machine() -> str:
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


@cache
def _versions() -> dict[str, str]:
    found = {"ludens": __version__, "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def provenance_text(told: dict[str, Any]) -> str:
    """The same in one line, without the command."""
    commit = told.get("commit")
    source = "a release without its history" if commit is None else f"commit {commit[:12]}"
    changed = " with changes that are not committed" if told.get("dirty") else ""
    versions = ", ".join(f"{name} {number}" for name, number in told["versions"].items())
    return f"{source}{changed}; {versions}; {told['machine']}; {told['begun']}"

"""What the server's own process takes, for its metrics; nothing where that cannot be known."""

from __future__ import annotations

import os
import time
from pathlib import Path

__all__ = ["descriptors", "resident", "seconds"]


def resident() -> dict[str, float]:
    """Resident bytes."""
    try:
        return {"": float(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")}
    except (OSError, ValueError):
        return {}


def seconds() -> dict[str, float]:
    """Processor time."""
    return {"": time.process_time()}


def descriptors() -> dict[str, float]:
    """Open file descriptors, and the most that may be open."""
    try:
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return {'of="open"': float(len(os.listdir("/proc/self/fd"))), 'of="most"': float(most)}
    except (ImportError, OSError):
        return {}

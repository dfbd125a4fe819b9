"""The server's own time: it begins with the clock of the machine and never jumps afterwards."""

from __future__ import annotations

import time

__all__ = ["now"]

_offset = time.time() - time.monotonic()


def now() -> float:
    """Seconds since 1970. A clock that is set anew while the server runs changes nothing here."""
    return _offset + time.monotonic()

"""File descriptors: every connection needs one, and the usual soft limit is for programs that need few."""

from __future__ import annotations

import logging

__all__ = ["raise_limit"]

_SPARE = 500  # for files, workers and the database, and for connections that are refused
_log = logging.getLogger("ludens.server")


def raise_limit(connections: int) -> int | None:
    """Raises the soft limit as far as it may be; warns if so many connections need more. Returns the limit."""
    try:
        import resource
    except ImportError:  # not on this system
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or soft < hard:
        wanted = max(soft, connections + _SPARE)
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        except (OSError, ValueError):
            soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft < connections + _SPARE:
        _log.warning("few file descriptors", extra={"facts": {"limit": soft, "wanted": connections + _SPARE}})
    return int(soft)

"""Ports for servers that a test starts, stops and starts again on the same one."""

from __future__ import annotations

import itertools
import os
import socket

__all__ = ["free_port"]

# Below the ports that the system gives to connections, and apart for every process that runs tests: whoever gets one
# keeps it, also while nobody listens there.
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_PORTS = itertools.count(20_000 + 1_000 * (_WORKER % 10) + os.getpid() % 500)


def free_port() -> int:
    """A port of this machine on which nobody listens, given once."""
    for port in _PORTS:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("unreachable")

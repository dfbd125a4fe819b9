"""Joining a Ray cluster: tournaments and the thinking of a server's agents can run there."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any

from ludens.core.errors import BadInput

__all__ = ["join_cluster", "knock"]


def join_cluster(address: str, variables: Mapping[str, str]) -> tuple[Any, bool]:
    """Ray, joined to the cluster at the address (`auto`: the one that this machine belongs to).

    Also whether it was joined just now, so that whoever did it leaves. `variables` are for the processes there.
    """
    try:
        import ray
    except ImportError as error:
        raise BadInput("A cluster needs Ray: pip install 'ludens[cluster]'.") from error
    if ray.is_initialized():
        return ray, False
    try:
        knock(address)
        ray.init(address=address, runtime_env={"env_vars": dict(variables)}, log_to_driver=False, logging_level="ERROR")
    except (OSError, ValueError, RuntimeError) as error:
        raise BadInput(f"There is no Ray cluster at {address}; start one with ray start --head.") from error
    # Whatever `log_to_driver` says, Ray prints complaints of nodes on standard output, among tables and JSON. This
    # switch of its own, the one that its debugger uses, has no public name; without it nothing but the silence is lost.
    ray._private.worker._worker_logs_enabled = False
    return ray, True


def knock(address: str) -> None:
    """Fails at once where nobody listens; Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=5).close()

"""What a connection is given to send in a round of the loop leaves in one call of the system, not in one a message."""

from __future__ import annotations

import asyncio
from typing import Any

__all__ = ["gathering"]


class _Gathering:
    """A transport of asyncio's that writes at the end of the round; all else is the transport's own."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._parts: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._parts:
            self._loop.call_soon(self._write_all)
        self._parts.append(data)

    def close(self) -> None:
        self._write_all()
        self._transport.close()

    def _write_all(self) -> None:
        parts, self._parts = self._parts, []
        if parts:
            self._transport.write(parts[0] if len(parts) == 1 else b"".join(parts))


def gathering(protocol: type[Any]) -> type[Any]:
    """The same protocol with such a transport."""

    class Gathering(protocol):  # type: ignore[misc]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(_Gathering(transport, asyncio.get_running_loop()))

    return Gathering

"""Connections before their first byte: limits of an address, and an end for those who say nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Container
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from ludens.server.encoding import encode_bytes
from ludens.server.http.errors import envelope_of
from ludens.server.http.limits import Connections, address_of
from ludens.server.refusal import Refusal
from ludens.server.settings import Settings

__all__ = ["guarded_protocol"]


def guarded_protocol(settings: Settings, connections: Connections, trusted: Container[str]) -> type[H11Protocol]:
    """Uvicorn's protocol, with the limits of a server; proxies that are trusted may open many connections."""

    class Guarded(H11Protocol):
        """Refuses in the common envelope, before anything is read."""

        _address: str | None = None  # while it is counted
        _silence: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            host = self.client[0] if self.client else "local"
            address = address_of({"client": self.client})
            try:
                connections.arrive(address, host in trusted)
            except Refusal as refusal:
                self._refuse(refusal)
                return
            self._address = address
            self._silence = self.loop.call_later(settings.idle_seconds, self._end_if_silent)

        def _refuse(self, refusal: Refusal) -> None:
            body = encode_bytes(envelope_of(refusal))
            lines = [
                "HTTP/1.1 503 Service Unavailable",
                "content-type: application/json",
                f"content-length: {len(body)}",
                f"retry-after: {refusal.details['retry_after']:.0f}",
                "connection: close",
            ]
            self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
            self.transport.close()

        def _end_if_silent(self) -> None:
            if self.cycle is None and not self.transport.is_closing():
                self.transport.close()

        def data_received(self, data: bytes) -> None:
            if self._address is not None:
                super().data_received(data)

        def handle_websocket_upgrade(self, event: Any) -> None:
            self._depart()  # from here on it is counted as a socket
            super().handle_websocket_upgrade(event)

        def connection_lost(self, exc: Exception | None) -> None:
            self._depart()
            super().connection_lost(exc)

        def _depart(self) -> None:
            if self._silence is not None:
                self._silence.cancel()
            if self._address is not None:
                connections.depart(self._address)
                self._address = None

    return Guarded

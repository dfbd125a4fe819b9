"""Connections before their first byte, while nobody reads, and the frames of sockets.

Limits of an address, an end for those who say nothing and for those who do not take what they asked for; text frames
without the general way to them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Container
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from ludens.server.encoding import encode_bytes
from ludens.server.http.errors import envelope_of
from ludens.server.http.limits import Connections, address_of
from ludens.server.refusal import Refusal
from ludens.server.settings import Settings

__all__ = ["guarded_protocol", "guarded_sockets"]

_FAREWELL = 1.0  # seconds in which whoever is refused may read why
_TEXT = 0x81  # a whole text frame (RFC 6455, 5.2)


class _Reading(asyncio.Protocol):
    """Ends a connection whose other end takes nothing for so long, though much waits for it."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    patience: float  # seconds
    _stuck: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stuck = self.loop.call_later(self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    def _stop_waiting(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None


def guarded_sockets(settings: Settings) -> type[WebSocketsSansIOProtocol]:
    """Uvicorn's WebSockets; a text to an open socket that can be written to becomes its frame at once."""

    class Sockets(_Reading, WebSocketsSansIOProtocol):
        patience = settings.idle_seconds

        async def send(self, message: Any) -> None:
            text = message.get("text")
            ready = self.handshake_complete and not self.close_sent and self.writable.is_set() and not self.disconnected
            if text is None or not ready or self.conn.state is not State.OPEN or self.conn.extensions:
                await super().send(message)
                return
            content = text.encode()
            self.transport.write(_head(len(content)) + content)

        async def run_asgi(self) -> None:
            await super().run_asgi()
            self.loop.call_later(self.patience, self.transport.abort)  # it may never take the last words

    return Sockets


def _head(length: int) -> bytes:
    """The first bytes of a text frame of a server: nothing is masked."""
    if length < 126:
        return bytes((_TEXT, length))
    if length < 1 << 16:
        return bytes((_TEXT, 126)) + length.to_bytes(2, "big")
    return bytes((_TEXT, 127)) + length.to_bytes(8, "big")


def guarded_protocol(settings: Settings, connections: Connections, trusted: Container[str]) -> type[H11Protocol]:
    """Uvicorn's protocol, with the limits of a server; proxies that are trusted may open many connections."""

    class Guarded(_Reading, H11Protocol):
        """Refuses in the common envelope, before anything is read."""

        patience = settings.idle_seconds
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
            self.transport.write_eof()
            self.loop.call_later(_FAREWELL, self.transport.close)  # at once, the answer could be lost with the request

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

"""Connections before their first byte, while nobody reads, and the frames of sockets.

Limits of an address, an end for those who say nothing and for those who do not take what they asked for; text frames
without the general way to them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Container
from http import HTTPStatus
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode, apply_mask
from websockets.protocol import State

from ludens.i18n.messages import say
from ludens.server.encoding import encode_bytes
from ludens.server.http.errors import envelope_of
from ludens.server.http.limits import Buckets, Connections, address_of
from ludens.server.refusal import Refusal
from ludens.server.settings import Settings
from ludens.server.turns import Turns

__all__ = ["WRITE_TEXT", "ends_whole", "guarded_protocol", "guarded_sockets", "text_of"]

WRITE_TEXT = "ludens.write_text"  # the extension of a socket's scope

_FAREWELL = 1.0  # seconds in which whoever is refused may read why
_TEXT = 0x81  # a whole text frame (RFC 6455, 5.2)
_MASKED = 0x80
_MOST_HEAD = 16_384  # bytes of a request before its body
_MOST_LINES = 100  # of it: each takes its time, before anybody's turn, and browsers send some twenty
_LONG = 0.001  # seconds to read what came: more than an ordinary request takes
_MOST_OWED = 5.0  # seconds that an address may have to rest, and still open connections
_PIECE = 1024  # bytes that are looked at before the next limit is: some hundred frames at most
_PART = 4096  # bytes of a request that are read before the next limit is
_MOST_PIECES = 256  # of a body, each of which takes its time: browsers send it in one, and wires in some fifty


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


def guarded_sockets(settings: Settings, buckets: Buckets) -> type[WebSocketsSansIOProtocol]:
    """Uvicorn's WebSockets; a short way for texts in whole frames, which are all but a few.

    Every other frame (a ping, a piece of a message) costs its address as much as a request: answering them takes
    time, and nobody else counts them. An application finds `write_text` among the extensions of its scope.
    """

    class Sockets(_Reading, WebSocketsSansIOProtocol):
        patience = settings.idle_seconds
        _whole = True  # what came so far ends with the end of a frame
        _turned_away = False

        def handle_connect(self, event: Any) -> None:
            super().handle_connect(event)
            if self.response.status_code == 101:
                extensions: dict[str, Any] = self.scope["extensions"]
                extensions[WRITE_TEXT] = self.write_text

        def data_received(self, data: bytes) -> None:
            if not self.handshake_complete:
                self._whole = self._whole and data.endswith(b"\r\n\r\n")
            elif self._whole:
                self._whole = ends_whole(data)
                short = self._whole and len(data) <= settings.max_body and self._takes_text()
                content = text_of(data) if short else None
                if content is not None:
                    self._take_text(content)
                    return
            for start in range(0, len(data), _PIECE):
                if self.transport.is_closing():
                    return
                super().data_received(data[start : start + _PIECE])
            if self.conn.handshake_exc is not None and not self._turned_away:
                self._turn_away()

        def _turn_away(self) -> None:
            """What was to become a socket cannot: that costs as much, and nobody else may end the connection."""
            self._turned_away = True
            try:
                buckets.charge(address_of({"client": self.client}))
            except Refusal:
                self.transport.abort()
            self.transport.close()

        def handle_events(self) -> None:
            frames = len(self.conn.events) if self.handshake_complete else 0
            try:
                if frames:
                    buckets.charge(address_of(cast("dict[str, Any]", self.scope)), frames)
            except Refusal:
                self.transport.abort()
                return
            super().handle_events()

        def _take_text(self, content: bytes) -> None:
            """Queues a text; whoever sends one after the other is not stopped and started for each."""
            if self.close_sent:
                return
            try:
                self.queue.put_nowait({"type": "websocket.receive", "text": content.decode()})
            except UnicodeDecodeError:
                self.handle_text(Frame(Opcode.TEXT, content))  # which closes
                return
            if self.queue.qsize() > 1 and not self.read_paused:
                self.read_paused = True
                self.transport.pause_reading()

        def _takes_text(self) -> bool:
            return self.conn.state is State.OPEN and self.conn.current_size is None and not self.conn.extensions

        def write_text(self, *texts: str) -> bool:
            """Writes texts as their frames at once, if the socket is open and can be written to."""
            ready = self.handshake_complete and not self.close_sent and not self.disconnected
            if not ready or not self.writable.is_set() or self.conn.state is not State.OPEN or self.conn.extensions:
                return False
            self.transport.write(b"".join([part for text in texts for part in _framed(text)]))
            return True

        async def send(self, message: Any) -> None:
            text = message.get("text")
            if text is None or not self.write_text(text):
                await super().send(message)

        async def run_asgi(self) -> None:
            await super().run_asgi()
            self.loop.call_later(self.patience, self.transport.abort)  # it may never take the last words

    return Sockets


def ends_whole(data: bytes) -> bool:
    """Do these bytes, which begin with a frame of a client, end with the end of one?"""
    start, end = 0, len(data)
    while start + 6 <= end:
        head, length = _measured(data, start)
        start += head + length
    return start == end


def text_of(data: bytes) -> bytes | None:
    """The content of whole frames, if they are one masked text of moderate length."""
    if data[0] != _TEXT or data[1] < _MASKED or data[1] == _MASKED | 127:
        return None
    head, length = _measured(data, 0)
    if head + length != len(data):
        return None
    return bytes(apply_mask(data[head:], data[head - 4 : head]))


def _measured(data: bytes, start: int) -> tuple[int, int]:
    """How many bytes the head and the content of the frame have that starts here (RFC 6455, 5.2)."""
    length, masked = data[start + 1] & 127, 4 if data[start + 1] & _MASKED else 0
    if length < 126:
        return 2 + masked, length
    more = 2 if length == 126 else 8
    return 2 + more + masked, int.from_bytes(data[start + 2 : start + 2 + more], "big")


def _framed(text: str) -> tuple[bytes, bytes]:
    """The head and the content of the frame of a text."""
    content = text.encode()
    return _head(len(content)), content


def _head(length: int) -> bytes:
    """The first bytes of a text frame of a server: nothing is masked."""
    if length < 126:
        return bytes((_TEXT, length))
    if length < 1 << 16:
        return bytes((_TEXT, 126)) + length.to_bytes(2, "big")
    return bytes((_TEXT, 127)) + length.to_bytes(8, "big")


class _Incoming(h11.Connection):
    """Reads bodies of a bounded number of pieces."""

    _pieces = 0  # of this request's body

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._pieces = 0
        elif isinstance(event, h11.Data):
            self._pieces += 1
            if self.crumbled:
                raise h11.RemoteProtocolError("too many pieces")
        return event

    @property
    def crumbled(self) -> bool:
        return self._pieces > _MOST_PIECES


def guarded_protocol(
    settings: Settings, connections: Connections, buckets: Buckets, turns: Turns, trusted: Container[str]
) -> type[H11Protocol]:
    """Uvicorn's protocol, with the limits of a server; proxies that are trusted may open many connections."""

    class Guarded(_Reading, H11Protocol):
        """Refuses in the common envelope, before anything is read."""

        patience = settings.idle_seconds
        _address: str | None = None  # while it is counted
        _silence: asyncio.TimerHandle | None = None
        _lines = 0  # of a head that is not complete
        _earlier: Any = None  # the last request that was begun when we looked

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self.conn = self._incoming = _Incoming(h11.SERVER, _MOST_HEAD)

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            host = self.client[0] if self.client else "local"
            address = address_of({"client": self.client})
            try:
                if host not in trusted and turns.owed(address) > _MOST_OWED:
                    raise Refusal("unavailable", "This address has to wait for a moment.", retry_after=_MOST_OWED)
                connections.arrive(address, host in trusted)
            except Refusal as refusal:
                self._refuse(refusal)
                return
            self._address = address
            self._silence = self.loop.call_later(settings.idle_seconds, self._end_if_silent)

        def _refuse(self, refusal: Refusal) -> None:
            body = encode_bytes(envelope_of(refusal))
            lines = [
                f"HTTP/1.1 {refusal.status} {HTTPStatus(refusal.status).phrase}",
                "content-type: application/json",
                f"content-length: {len(body)}",
                "connection: close",
            ]
            if "retry_after" in refusal.details:
                lines.append(f"retry-after: {refusal.details['retry_after']:.0f}")
            self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
            self.transport.write_eof()
            self.loop.call_later(_FAREWELL, self.transport.close)  # at once, the answer could be lost with the request

        def _end_if_silent(self) -> None:
            """Nothing was asked since we looked, or what was asked then is answered, and the next does not come."""
            if self.transport.is_closing():
                return
            if self.cycle is None or (self.cycle is self._earlier and self.cycle.response_complete):
                self.transport.close()
                return
            self._earlier = self.cycle
            self._silence = self.loop.call_later(settings.idle_seconds, self._end_if_silent)

        def data_received(self, data: bytes) -> None:
            if self._address is None:
                return
            if self.conn.their_state is h11.IDLE and not self._readable(data):
                self._depart()
                return
            began, payer = time.perf_counter(), self._address
            for start in range(0, len(data), _PART):
                super().data_received(data[start : start + _PART])
                if self._address is None:  # it was refused, or is a socket's now
                    break
            if (spent := time.perf_counter() - began) > _LONG:
                turns.spend(payer, spent)
            if self.conn.their_state is not h11.IDLE:
                self._lines = 0  # the head was complete

        def _readable(self, data: bytes) -> bool:
            """Is what came of a head short enough? h11 bounds the bytes of those that come in pieces."""
            head = data.partition(b"\r\n\r\n")[0]
            self._lines += head.count(b"\n")
            if len(head) > _MOST_HEAD:
                self._refuse(Refusal("too_large", say("The head of a request may have {n} bytes.", n=_MOST_HEAD)))
            elif self._lines > _MOST_LINES:
                self._refuse(Refusal("too_large", say("The head of a request may have {n} lines.", n=_MOST_LINES)))
            else:
                return True
            return False

        def send_400_response(self, msg: str) -> None:
            """What came is no request, or in too many pieces: a stranger pays for it, and nothing is logged."""
            refusal = Refusal("bad_request", "This is not a request.")
            if self._incoming.crumbled:
                refusal = Refusal("too_large", say("The body of a request may come in {n} pieces.", n=_MOST_PIECES))
            whose = self._address
            self._depart()
            if self.cycle is not None:  # whoever answers has nobody to answer any more
                self.cycle.disconnected = True
                self.cycle.message_event.set()
            try:
                if whose is not None:
                    buckets.charge(whose)
            except Refusal:
                self.transport.abort()
                return
            if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                self._refuse(refusal)
            else:
                self.transport.close()

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

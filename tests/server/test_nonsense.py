"""Bytes that are no requests, or hardly: whoever sends them pays, is answered once, and takes nobody's time or disk."""

from __future__ import annotations

import json
import logging
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from ludens.server.logs import set_up
from tests.server.conftest import PATIENCE, PREFIX, live_server, settings_for

CHUNKED = f"POST {PREFIX}/tables HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n".encode()
END = b"0\r\n\r\n"


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with live_server(settings_for(tmp_path)) as address:
        yield address


def answered(url: str, sent: bytes) -> tuple[int, Any]:
    """The status and the content of the answer to these bytes; (0, None) if there is none."""
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as wire:
        said = b""
        try:
            wire.sendall(sent)
            while not whole(said) and (more := wire.recv(65536)):
                said += more
        except ConnectionError:
            pass  # it has closed before it had read everything
    if not said:
        return 0, None
    head, _, body = said.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]


def whole(said: bytes) -> bool:
    """Are head and body there? They may come one after the other."""
    head, gap, body = said.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head.lower())
    return bool(gap) and length is not None and len(body) >= int(length[1])


def chunks(count: int) -> bytes:
    return b"1\r\n \r\n" * count


def test_nonsense_fills_no_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = {name: logging.getLogger(name) for name in ("ludens", "uvicorn", "alembic")}
    before = {name: (logger.handlers[:], logger.level, logger.propagate) for name, logger in kept.items()}
    try:
        set_up(as_json=True)
        with live_server(settings_for(tmp_path)) as url:
            assert b" 400 " in said_to(url, b"nonsense\r\n\r\n")
            upgrade = "connection: upgrade\r\nupgrade: h2c\r\n"
            assert answered(url, f"GET {PREFIX}/x HTTP/1.1\r\nhost: x\r\n{upgrade}\r\n".encode())[0] == 404
            spoil(url, Frame(Opcode.TEXT, b"\xff").serialize(mask=True))
            spoil(
                url,
                Frame(Opcode.TEXT, b"\xff", fin=False).serialize(mask=True)
                + Frame(Opcode.CONT, b"").serialize(mask=True),
            )
        logging.getLogger("uvicorn.error").error("the log works")
        said = capsys.readouterr().err
    finally:
        for name, (handlers, level, propagate) in before.items():
            kept[name].handlers[:] = handlers
            kept[name].setLevel(level)
            kept[name].propagate = propagate
    assert "the log works" in said
    assert "Invalid" not in said and "Unsupported" not in said and "Traceback" not in said


def spoil(url: str, frames: bytes) -> None:
    """Sends a text that is none; the socket is closed for it."""
    with connect(f"ws{url.removeprefix('http')}{PREFIX}/tables/none/socket", proxy=None) as wire:
        wire.socket.sendall(frames)
        with pytest.raises(ConnectionClosedError) as closed:
            wire.recv(PATIENCE)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1007


UPGRADE = (
    "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: "
    + "A" * 22
    + "==\r\n"
)


def upgraded(path: str, more: str = "") -> bytes:
    return f"GET {PREFIX}{path} HTTP/1.1\r\nhost: x\r\n{UPGRADE}{more}\r\n".encode()


def said_to(url: str, sent: bytes) -> bytes:
    """All that is said to these bytes until the connection is closed."""
    host, port = url.removeprefix("http://").split(":")
    said = b""
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as wire:
        wire.sendall(sent)
        while more := wire.recv(65536):
            said += more
    return said


def test_what_cannot_become_a_socket_is_closed_and_paid_for(tmp_path: Path) -> None:
    sent = [
        upgraded("/tables/none/socket", "origin: http://[x\r\n"),
        upgraded("/tables/none/socket", "origin: http://elsewhere\r\n"),
        upgraded("/nowhere"),
        upgraded("/limits"),
    ]
    with live_server(settings_for(tmp_path, rate=0.001, burst=len(sent))) as url:
        for bytes_of_it in sent:
            said = said_to(url, bytes_of_it)
            assert b" 101 " not in said and b" 500 " not in said, said
        assert answered(url, f"GET {PREFIX}/limits HTTP/1.1\r\nhost: x\r\n\r\n".encode())[0] == 429
        assert b" 429 " in said_to(url, upgraded("/nowhere"))


def test_texts_that_come_faster_than_they_are_answered_are_all_answered(url: str) -> None:
    made = httpx.post(f"{url}{PREFIX}/tables", json={"game": "pig", "seats": [{"kind": "human"}] * 2}, timeout=PATIENCE)
    table, token = made.json()["table"]["id"], made.json()["tokens"][0]["token"]
    with connect(f"ws{url.removeprefix('http')}{PREFIX}/tables/{table}/socket", proxy=None) as wire:
        wire.send(json.dumps({"type": "hello", "tokens": [token]}))
        for k in range(300):
            wire.send(json.dumps({"type": "move", "id": f"m{k}", "ply": 10_000 + k, "move": 0}))
        refused: list[str] = []
        while len(refused) < 300:
            message = json.loads(wire.recv(PATIENCE))
            if message["type"] == "refused":
                refused.append(message["id"])
    assert refused == [f"m{k}" for k in range(300)]

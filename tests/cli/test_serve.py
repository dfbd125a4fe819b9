"""Where `ludens serve` listens."""

from __future__ import annotations

import pytest

from ludens.cli import serve
from ludens.core.errors import BadInput
from ludens.server.run import listen
from tests.ports import free_port

HOST = "127.0.0.1"


def test_without_a_port_the_default_one_or_the_next_free_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    monkeypatch.setattr(serve, "DEFAULT_PORT", port)
    with serve._listen(HOST, None) as first, serve._listen(HOST, None) as second:
        assert first.getsockname()[1] == port
        assert port < second.getsockname()[1] < port + serve._NEIGHBOURS


def test_a_port_that_was_asked_for_is_not_exchanged() -> None:
    port = free_port()
    with listen(HOST, port), pytest.raises(BadInput, match=f"Port {port} of {HOST} is taken by another program"):
        serve._listen(HOST, port)

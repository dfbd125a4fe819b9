"""Turns: however many requests an address sends at once, others come in between; nothing here depends on speed."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.server.app import create_app
from ludens.server.line import Line
from ludens.server.turns import FairThreads, Turns, in_turns
from tests.server.conftest import PATIENCE, PREFIX, Player, live_server, settings_for


def burn(seconds: float) -> None:
    """Takes processor time, as describing a game does."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


async def request(name: str, order: list[str], seconds: float = 0.003) -> None:
    await asyncio.sleep(0)  # as if a body had to be read
    burn(seconds)
    order.append(name)


def test_others_come_between_the_requests_of_a_crowd() -> None:
    order: list[str] = []

    async def answer() -> None:
        turns = Turns()
        crowd = [asyncio.create_task(turns.take("crowd", request("crowd", order))) for _ in range(20)]
        await asyncio.sleep(0)
        others = [asyncio.create_task(turns.take(f"other {k}", request("other", order))) for k in range(3)]
        await asyncio.gather(*crowd, *others)

    asyncio.run(answer())
    assert order.count("crowd") == 20
    last = len(order) - 1 - order[::-1].index("other")
    assert order[:last].count("crowd") <= 4


def test_an_address_that_is_alone_never_rests() -> None:
    async def rounds(crowd: int) -> int:
        turns, gone, alone = Turns(), 0, False
        order: list[str] = []

        async def count() -> None:
            nonlocal gone
            while not alone:
                gone += 1
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        await asyncio.gather(*(turns.take("crowd", request("crowd", order)) for _ in range(crowd)))
        alone = True
        await counting
        assert len(order) == crowd
        return gone

    assert asyncio.run(rounds(50)) < 3 * 50  # a piece follows a round of the loop: nothing in between was idle


@pytest.mark.parametrize("seconds", [0.0005, 0.005, 0.05])
def test_two_addresses_get_the_same_however_many_hands_they_have(
    monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    clock = [0.0]
    used = {"many": 0.0, "one": 0.0}
    monkeypatch.setattr("ludens.server.turns.time", SimpleNamespace(perf_counter=lambda: clock[0]))

    async def answer() -> None:
        turns, enough = Turns(), 5000 * seconds

        async def hand(address: str, seconds: float) -> None:
            while sum(used.values()) < enough:
                clock[0] += seconds  # so long it works
                used[address] += seconds
                await asyncio.sleep(0)

        hands = [("many", seconds)] * 30 + [("one", 7 * seconds)]
        await asyncio.gather(*(turns.take(address, hand(address, work)) for address, work in hands))

    asyncio.run(answer())
    if seconds < 0.005:  # a round of the loop has time for ten pieces, whosever they are
        assert used["one"] > 0.1 * sum(used.values())
    else:
        assert 0.45 < used["one"] / sum(used.values()) < 0.55


def test_who_comes_back_after_a_pause_has_no_credit() -> None:
    line = Line()
    line.charge("busy", 10.0)
    line.serve("busy")

    async def called() -> list[str]:
        places = {name: line.wait(name) for name in ("busy", "back")}
        order: list[str] = []
        while line.call():
            order += [name for name, place in places.items() if place.done() and name not in order]
        return order

    assert asyncio.run(called()) == ["busy", "back"]
    assert line.owed("back") == 0.0 and line.owed("busy") == 0.0 and line.empty


def test_who_gives_up_leaves_the_line() -> None:
    async def called() -> list[bool]:
        line = Line()
        gone, left = line.wait("a"), line.wait("b")
        gone.cancel()
        return [line.call(), left.done(), line.call(), line.empty]

    assert asyncio.run(called()) == [True, True, False, True]


def test_what_waits_takes_no_time_and_what_threads_do_does(monkeypatch: pytest.MonkeyPatch) -> None:
    # A clock of this process alone: what others on the machine do is nobody's work here.
    clock = SimpleNamespace(perf_counter=time.process_time, thread_time=time.thread_time)
    monkeypatch.setattr("ludens.server.turns.time", clock)

    async def poll() -> None:
        await asyncio.sleep(0.05)

    async def look_back() -> None:
        await FairThreads(1, "test").run(burn, 0.03)

    async def paid(work: Any) -> float:
        turns = Turns()
        await turns.take("somebody", work)
        return turns._line._used["somebody"]

    assert asyncio.run(paid(poll())) < 0.03 <= asyncio.run(paid(look_back()))


def test_threads_are_shared_by_addresses_and_free_when_their_work_is_done() -> None:
    order: list[str] = []

    async def look_back() -> None:
        turns, threads = Turns(), FairThreads(1, "test")

        def work(name: str) -> None:
            burn(0.002)
            order.append(name)

        async def ask(name: str) -> None:
            await threads.run(work, name)

        crowd = [asyncio.create_task(turns.take("crowd", ask("crowd"))) for _ in range(20)]
        await asyncio.sleep(0)
        crowd[0].cancel()  # its thread works on …
        crowd[1].cancel()  # … and this one never begins
        other = asyncio.create_task(turns.take("other", ask("other")))
        await asyncio.gather(*crowd, other, return_exceptions=True)
        assert threads._free == 1

    asyncio.run(look_back())
    assert order.count("crowd") == 19 and order.index("other") <= 2


def test_what_is_begun_on_somebodys_behalf_is_paid_by_them() -> None:
    async def change() -> None:
        burn(0.02)

    async def ask() -> None:
        await asyncio.create_task(in_turns(change()))

    async def paid() -> float:
        await in_turns(change())  # on nobody's behalf: it is done all the same
        turns = Turns()
        await asyncio.create_task(turns.take("somebody", ask()))
        return turns._line._used["somebody"]

    assert asyncio.run(paid()) >= 0.02


def test_a_request_is_run_as_if_it_were_awaited() -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise BadInput("no")

    async def given_up(closed: list[str]) -> None:
        try:
            await asyncio.sleep(PATIENCE)
        except asyncio.CancelledError:
            closed.append("cancelled")
            raise

    async def run() -> list[str]:
        closed: list[str] = []
        turns = Turns()
        with pytest.raises(BadInput):
            await turns.take("a", fail())
        assert await turns.take("a", asyncio.sleep(0, "answer")) == "answer"
        task = asyncio.create_task(turns.take("a", given_up(closed)))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await turns.take("a", request("next", closed))
        return closed

    assert asyncio.run(run()) == ["cancelled", "next"]


def test_heads_of_many_lines_are_short_and_cost_more(tmp_path: Path) -> None:
    def asked(url: str, lines: int, line: bytes = b"a: b\r\n") -> bytes:
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as wire:
            wire.sendall(f"GET {PREFIX}/limits HTTP/1.1\r\nhost: x\r\n".encode() + line * lines + b"\r\n")
            return wire.recv(4096).split(b" ")[1]

    with live_server(settings_for(tmp_path, rate=0.001, burst=100.0)) as url:
        assert [asked(url, 30), asked(url, 5000), asked(url, 200)] == [b"200", b"413", b"413"]
        assert asked(url, 1, b"a: " + b"b" * 20_000 + b"\r\n") == b"413"
        assert httpx.get(f"{url}{PREFIX}/limits?" + "a&" * 200, timeout=PATIENCE).status_code == 413
        assert [asked(url, 95) for _ in range(40)].count(b"200") < 40


def test_an_address_that_owes_much_opens_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Turns, "owed", lambda self, address: 60.0 if address == "127.0.0.2" else 0.0)

    def answer(url: str, address: str) -> bytes:
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), PATIENCE, (address, 0)) as wire:
            wire.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            return wire.recv(4096)

    with live_server(settings_for(tmp_path)) as url:
        refused = answer(url, "127.0.0.2")
        assert b" 503 " in refused and b"retry-after" in refused and b'"unavailable"' in refused
        assert b" 200 " in answer(url, "127.0.0.1")


def test_installed_games_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def entry_points(group: str) -> list[Any]:
        looked.append(group)
        return []

    monkeypatch.setattr(registry, "entry_points", entry_points)
    registry._installed.cache_clear()
    try:
        for _ in range(3):
            registry.names()
            with pytest.raises(BadInput):
                registry.game("nothing of that name")
        assert looked == ["ludens.games"]
    finally:
        registry._installed.cache_clear()


def test_messages_on_sockets_and_what_they_change_are_pieces_of_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every one of them, so that others come in between as they do between requests."""
    pieces: list[str] = []
    real = Turns.piece

    def piece(turns: Turns, address: str, seconds: float) -> None:
        pieces.append(address)
        real(turns, address, seconds)

    monkeypatch.setattr(Turns, "piece", piece)
    with TestClient(create_app(settings_for(tmp_path)), client=("10.0.0.7", 1)) as client:
        player = Player(client)
        table, tokens, _ = player.make("pig", "human", "human")
        actor = player.view(table)["actor"]
        with client.websocket_connect(f"{PREFIX}/tables/{table}/socket") as wire:
            wire.send_json({"type": "hello", "tokens": [tokens[actor]]})
            while wire.receive_json()["type"] != "view":
                pass

            def cost(message: dict[str, Any], answer: str) -> int:
                before = len(pieces)
                for _ in range(10):
                    wire.send_json(message)
                for _ in range(10):
                    while wire.receive_json()["type"] != answer:
                        pass
                return len(pieces) - before

            move = {"type": "move", "id": "x", "ply": 99, "move": 1}
            assert cost({"type": "ping"}, "pong") >= 25
            assert cost(move, "refused") >= 30  # the message, what it would have changed, and the answer
    assert set(pieces) == {"10.0.0.7"}

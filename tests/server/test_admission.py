"""Foreign names, foreign pages, guessed tokens, and what is logged of them."""

from __future__ import annotations

import logging
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse

from ludens.cli.serve import secret
from ludens.core.errors import BadInput
from ludens.server import services
from ludens.server.app import create_app
from ludens.server.http.admission import names_this_server
from ludens.server.storage.writer import Storage
from tests.server.conftest import PREFIX, Player, settings_for
from tests.server.test_agents import until
from tests.server.test_time_and_disk import serve


def test_a_foreign_name_for_this_server_is_refused_everywhere(player: Player) -> None:
    foreign = {"host": "evil.example:8137"}
    paths = ("/", "/health", "/metrics", f"{PREFIX}/tables", f"{PREFIX}/games", f"{PREFIX}/admin/tables")
    for path in paths:
        refused = player.http.get(path, headers=foreign)
        assert refused.status_code == 403 and "evil.example" in refused.json()["error"]["message"]
    assert player.http.post(f"{PREFIX}/tables", json={"game": "pig"}, headers=foreign).status_code == 403
    table, _, _ = player.make("pig", "human", "human")
    socket = player.http.websocket_connect(f"{PREFIX}/tables/{table}/socket", headers=foreign)
    with pytest.raises(WebSocketDenialResponse) as denied, socket:
        pass
    assert denied.value.status_code == 403


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost:8137", True),
        ("page.localhost", True),
        ("127.0.0.1:8137", True),
        ("192.168.1.5", True),
        ("[::1]:8137", True),
        ("play.example.org", True),
        ("Play.Example.Org.:443", True),
        ("example.org", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("[::1", False),
        ("", False),
    ],
)
def test_names_of_this_server(host: str, known: bool) -> None:
    assert names_this_server(host, ("play.example.org",)) is known
    assert names_this_server(host, ("*",))


def test_pages_of_another_port_may_not_act(player: Player) -> None:
    def made(**heads: str) -> int:
        named = {name.replace("_", "-"): value for name, value in heads.items()}
        status: int = player.http.post(f"{PREFIX}/tables", json={"game": "pig"}, headers=named).status_code
        return status

    assert made(sec_fetch_site="same-site") == 403
    assert made(origin="http://testserver:3000") == 403  # a browser that does not know the other head
    assert made(origin="null") == 403
    assert made(origin="http://testserver") == 201
    assert made(sec_fetch_site="same-origin", origin="http://localhost:5173") == 201  # the page while it is developed


def test_pages_of_an_allowed_origin_may_act(tmp_path: Path) -> None:
    with TestClient(create_app(settings_for(tmp_path, origins=("https://club.example",)))) as client:
        heads = {"origin": "https://club.example", "sec-fetch-site": "cross-site"}
        assert client.post(f"{PREFIX}/tables", json={"game": "pig"}, headers=heads).status_code == 201


def test_whoever_guesses_the_administrators_token_is_slowed_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG, "ludens")
    monkeypatch.setattr(services, "FORGOTTEN", 1e-9)
    with TestClient(create_app(settings_for(tmp_path, wrong_tokens=10.0))) as client:
        player = Player(client)
        table, tokens, _ = player.make("pig", "human", "human")
        asked = [player.call("GET", "/admin/tables", f"guess{k}").status_code for k in range(6)]
        asked += [player.call("GET", f"/tables/{table}", f"guess{k}").status_code for k in range(6)]
        assert asked == [403] * 10 + [429] * 2, asked
        late = player.call("GET", "/admin/tables", "the-admin")
        assert (
            late.status_code == 429 and late.json()["error"]["retry_after"] > 1
        )  # the right one is not told from others
        assert player.call("GET", f"/tables/{table}", tokens[0]).status_code == 200  # and players notice nothing
    wrong = [record for record in caplog.records if record.msg == "wrong token"]
    assert len(wrong) == 10 and wrong[0].facts["address"] == "testclient"  # type: ignore[attr-defined]
    assert "guess" not in str([(record.msg, record.facts) for record in wrong])  # type: ignore[attr-defined]


@pytest.mark.parametrize("addresses", [True, False])
def test_requests_are_logged_with_or_without_addresses(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, addresses: bool
) -> None:
    caplog.set_level(logging.DEBUG, "ludens")
    with TestClient(create_app(settings_for(tmp_path, access_log=True, log_addresses=addresses))) as client:
        player = Player(client)
        player.call("GET", "/tables?language=cs", "secret-token")
        player.call("GET", "/tables/nowhere")
        player.call("GET", "/admin/tables", "no")
    lines: list[dict[str, Any]] = [r.facts for r in caplog.records if r.msg == "request"]  # type: ignore[attr-defined]
    assert [(line["path"], line["status"]) for line in lines] == [
        (f"{PREFIX}/tables", 200),
        (f"{PREFIX}/tables/nowhere", 404),
        (f"{PREFIX}/admin/tables", 403),
    ]
    assert ("testclient" in str([vars(record) for record in caplog.records if "ludens" in record.name])) is addresses
    assert "secret-token" not in str(lines) and "language" not in str(lines)


def test_secrets_come_from_files(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("postgresql://ludens:pass@localhost/ludens\n")
    assert secret(None, file, "--database") == "postgresql://ludens:pass@localhost/ludens"
    assert secret("given", None, "--database") == "given"
    for given, path, words in (
        ("x", file, "not both"),
        (None, tmp_path / "none", "cannot be read"),
        (None, tmp_path, "cannot be read"),
    ):
        with pytest.raises(BadInput, match=words):
            secret(given, path, "--database")
    file.write_text("two words")
    with pytest.raises(BadInput, match="one word"):
        secret(None, file, "--database")


def test_the_limit_of_descriptors_is_raised() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    program = (
        "import resource; from ludens.server.descriptors import raise_limit\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, (256, {hard}))\n"
        "print(raise_limit(4000), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    expected = 4500 if hard == resource.RLIM_INFINITY else min(4500, hard)
    assert done.stdout.split() == [str(expected)] * 2


def test_health_tells_a_database_that_may_only_be_read(tmp_path: Path) -> None:
    first = Storage(f"sqlite:///{tmp_path / 'x.sqlite3'}")
    first.open()
    assert first.trouble(0) is None
    only_read = Storage(f"sqlite:///file:{tmp_path / 'x.sqlite3'}?mode=ro&uri=true")
    assert only_read.trouble(0) == "The database may only be read."
    only_read.engine.dispose()
    first.close()


def test_a_damaged_database_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "test.sqlite3"
    with TestClient(create_app(settings_for(tmp_path))) as client:
        player = Player(client)
        for _ in range(30):
            player.make("pig", "human", "human")
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    pages = dict(connection.execute("SELECT name, rootpage FROM sqlite_master").fetchall())
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.close()
    whole = file.read_bytes()
    broken = bytearray(whole)
    broken[(pages["tables"] - 1) * size : pages["tables"] * size] = b"\xa5" * size
    file.write_bytes(bytes(broken))
    done = serve("--database", f"sqlite:///{file}")
    assert done.returncode == 2, done.stderr
    assert "cannot be read" in done.stderr and "ludens server restore" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_a_page_that_is_damaged_while_the_server_runs_is_no_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with TestClient(create_app(settings_for(tmp_path))) as client:
        player = Player(client)
        made = [player.make("pig", "human", "human")[0] for _ in range(3)]

        def damage(connection: Any) -> None:
            connection.exec_driver_sql("PRAGMA writable_schema=ON")
            connection.exec_driver_sql("UPDATE sqlite_master SET rootpage=99999 WHERE name='tables'")

        services = client.app.state.services  # type: ignore[attr-defined]
        client.portal.call(services.storage.write, damage)  # type: ignore[union-attr]
        services.storage.engine.dispose()
        answer = player.call("GET", "/tables")
        assert answer.status_code == 503 and "cannot be read" in answer.json()["error"]["message"]
        assert player.view(made[0])["ply"] == 0  # what is in memory goes on
    assert not [record for record in caplog.records if record.exc_info]


def test_a_table_that_was_made_with_a_seed_loses_it_when_people_sit_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ludens.server.preparing import preparation

    monkeypatch.setattr(preparation, "is_prepared", lambda *_: False)
    monkeypatch.setattr(preparation, "_PROGRAM", "import sys; sys.stdin.read()")  # it never gets on
    with TestClient(create_app(settings_for(tmp_path, prepare=True))) as client:
        player = Player(client)
        table, _, made = player.make("pig", "random", "random", seed=7)
        held = client.app.state.services.tables.living[table]  # type: ignore[attr-defined]
        assert held.seed == 7
        for seat in (0, 1):
            change = {"kind": "human"}
            answer = player.call("PATCH", f"/tables/{table}/seats/{seat}", made["owner_token"], json=change)
            assert answer.status_code == 200
        assert held.seed != 7 and held.agent_seed != 7
        chosen = held.seed
    with TestClient(create_app(settings_for(tmp_path))) as client:
        until(lambda: table in client.app.state.services.tables.living)  # type: ignore[attr-defined]
        assert client.app.state.services.tables.living[table].seed == chosen  # type: ignore[attr-defined]

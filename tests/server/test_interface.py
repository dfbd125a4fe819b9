"""The interface as a whole: its document, schemathesis, headers, limits, operations."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from ludens.core import registry
from ludens.server.app import create_app
from ludens.server.refusal import CODES
from tests.server.conftest import PATIENCE, PREFIX, Player, live_server, settings_for


@pytest.fixture(scope="module")
def document_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all examples of schemathesis, with some tables to be found."""
    with live_server(settings_for(tmp_path_factory.mktemp("schema"), tables=50)) as url:
        with httpx.Client(base_url=url, timeout=PATIENCE) as http:
            Player(http).make("pig", "human", "open")
            Player(http).make("duel", "human", "human")
        yield url


_CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)


def _generated(operations: list[Any], known: dict[str, Any], most: int = 15) -> None:
    """Requests of every operation, made from the document; where `real`, for things that are there."""
    for operation in operations:
        tried = 0

        @settings(
            max_examples=most, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
        )
        @given(operation.as_strategy(), st.booleans())
        def one(case: schemathesis.Case, real: bool) -> None:
            nonlocal tried
            tried += 1
            if case.query and "wait" in case.query:
                case.query["wait"] = 0
            if real:  # else every table would be an unknown one
                case.path_parameters.update({k: known[k] for k in case.path_parameters or {} if k in known})
            case.call_and_validate(checks=_CHECKS, headers={"Authorization": "Bearer the-admin"} if real else {})

        one()
        assert tried


def test_schemathesis_finds_no_server_error(document_server: str) -> None:
    schema = schemathesis.openapi.from_url(f"{document_server}{PREFIX}/openapi.json")
    operations = [found.ok() for found in schema.exclude(path_regex="/stream$").get_all_operations()]  # that is endless
    assert len(operations) > 15
    with httpx.Client(base_url=document_server, timeout=PATIENCE) as http:
        table = Player(http).get("/tables")["tables"][0]["id"]
    _generated(operations, {"table_id": table, "name": "azul"})


def test_schemathesis_finds_no_server_error_in_an_open_laboratory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # its processes do not compile
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    with live_server(settings_for(tmp_path, laboratory=tmp_path / "laboratory", laboratory_games=10)) as url:
        schema = schemathesis.openapi.from_url(f"{url}{PREFIX}/openapi.json").include(path_regex="/laboratory/")
        operations = [found.ok() for found in schema.get_all_operations()]
        assert len(operations) > 8
        with httpx.Client(base_url=url, timeout=PATIENCE) as http:
            wish = {"game": "pig", "agents": ["random", "flat:simulations=2"], "games": 4}
            begun = Player(http).call("POST", "/laboratory/tournaments", json=wish).json()
        _generated(operations, {"tournament_id": begun["id"], "number": 0}, most=10)


def test_the_document_is_complete(player: Player) -> None:
    document = player.http.get(f"{PREFIX}/openapi.json").json()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert operation["summary"], where
            refusals = {status: r for status, r in operation["responses"].items() if int(status) >= 400}
            assert "422" in refusals, where
            for refusal in refusals.values():
                shape = refusal["content"]["application/json"]["schema"]["$ref"]
                assert shape.endswith("/ErrorEnvelope"), where


def test_every_error_has_the_envelope(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "human")
    answers = [
        player.http.get(f"{PREFIX}/nowhere"),
        player.http.put(f"{PREFIX}/tables"),
        player.http.post(f"{PREFIX}/tables", content=b"{"),
        player.http.post(f"{PREFIX}/tables", content=b"[" * 10_000),
        player.http.post(f"{PREFIX}/tables", content=b"\xff\xfe"),
        player.call("GET", "/tables/UPPER"),
        player.call("GET", "/tables/nothere"),
        player.call("POST", f"/tables/{table}/moves", tokens[0], json={"id": "a b", "ply": 0, "move": 0}),
        player.call("POST", f"/tables/{table}/moves", tokens[0], json={"id": "a", "ply": -1, "move": 0}),
        player.call("GET", f"/tables/{table}/view", params={"ply": "x"}),
    ]
    for answer in answers:
        error = answer.json()["error"]
        assert CODES[error["code"]] == answer.status_code
        assert error["message"].endswith(".")


def test_games_describe_themselves(player: Player) -> None:
    games = {game["name"]: game for game in player.get("/games")}
    assert games["azul"]["players"] == [2, 3, 4]
    assert {option["name"] for option in games["azul"]["options"]} == {
        "wall",
        "first",
        "round_limit",
        "factories",
        "tiles",
    }
    assert "random" in {agent["name"] for agent in games["azul"]["agents"]}
    assert games["duel"]["hidden"]
    assert games["azul"]["seat_names"]["2"] == ["Player 1", "Player 2"]
    for game in games.values():
        alone = player.get(f"/games/{game['name']}")
        found = registry.game(game["name"])
        assert alone == {**game, "static": found.text.static_to_json(found.dtype)}


def test_every_answer_has_security_headers_and_no_cors(player: Player) -> None:
    for path in ("/health", f"{PREFIX}/games", f"{PREFIX}/nowhere", "/nowhere"):
        answer = player.http.get(path, headers={"origin": "https://elsewhere.org"})
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in answer.headers


def test_requests_too_large_or_too_many_are_refused(tmp_path: Path) -> None:
    strict = settings_for(tmp_path, max_body=2000, rate=0.001, burst=8.0)
    with TestClient(create_app(strict)) as client:
        large = client.post(f"{PREFIX}/tables", content=b"x" * 3000)
        assert (large.status_code, large.json()["error"]["code"]) == (413, "too_large")
        chunked = client.post(f"{PREFIX}/tables", content=(b"x" * 500 for _ in range(10)))
        assert (chunked.status_code, chunked.json()["error"]["code"]) == (413, "too_large")
        statuses = [client.get("/health").status_code for _ in range(10)]
        assert statuses[0] == 200
        assert statuses[-1] == 429
        assert client.get("/health").json()["error"]["code"] == "too_many"


def test_health_and_metrics(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "human")
    actor = player.view(table)["actor"]
    player.move(table, tokens[actor], player.view(table, tokens[actor]))
    health = player.http.get("/health").json()
    assert (health["status"], health["tables"]) == ("ok", 1)
    lines = player.http.get("/metrics").text.splitlines()
    assert 'ludens_moves_total{game="pig"} 1' in lines
    assert 'ludens_tables{status="running"} 1' in lines
    assert "ludens_move_seconds_count 1" in lines
    for line in lines:
        assert line.startswith("# ") or float(line.rsplit(" ", 1)[1]) >= 0


def test_logs_can_be_json() -> None:
    import json

    from ludens.server.logs import JsonFormatter

    record = logging.LogRecord("ludens.server", logging.INFO, "x", 1, "table ended", None, None)
    record.facts = {"table": "abc"}
    line = json.loads(JsonFormatter().format(record))
    assert line["message"] == "table ended"
    assert line["table"] == "abc"
    assert line["level"] == "info"


def test_the_page_is_served_with_its_own_routes(tmp_path: Path) -> None:
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<title>Ludens</title>")
    (page / "assets" / "a1.js").write_text("1")
    with TestClient(create_app(settings_for(tmp_path, static=page))) as client:
        assert "Ludens" in client.get("/").text
        assert "Ludens" in client.get("/table/k7mzp3qwxy").text
        assert "immutable" in client.get("/assets/a1.js").headers["cache-control"]
        assert client.get("/assets/none.js").status_code == 404
        assert client.get(f"{PREFIX}/nowhere").json()["error"]["code"] == "not_found"
        assert client.get("/health").json()["status"] == "ok"

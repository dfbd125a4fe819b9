"""The rules for people, and where guests find the server."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from ludens.core import registry
from ludens.server.app import create_app
from ludens.server.http.routes.network import addresses
from ludens.server.settings import Settings


@pytest.fixture
def client() -> TestClient:
    return TestClient(create_app(Settings(database="sqlite://", hosts=("testserver",))))


def test_every_game_tells_its_rules(client: TestClient) -> None:
    for name in registry.BUILT_IN:
        answer = client.get(f"/api/v1/games/{name}/rules").json()
        assert answer["page"] == registry.game(name).spec.rulebook
        assert "**" in answer["text"]
    assert client.get("/api/v1/games/chess/rules").status_code == 404


def test_pictures_of_the_rules_are_served_and_nothing_else(client: TestClient) -> None:
    picture = client.get("/api/v1/rules/images/azul-board.png")
    assert picture.headers["content-type"] == "image/png"
    assert client.get("/api/v1/rules/images/nowhere.png").status_code == 404
    assert client.get("/api/v1/rules/images/..%2Fazul.md").status_code in (404, 422)


def test_a_server_for_this_computer_names_no_address() -> None:
    assert addresses(("127.0.0.1", 8000)) == []
    assert addresses(("::1", 8000, 0, 0)) == []
    assert addresses(None) == []


def test_a_server_for_the_network_names_one() -> None:
    assert addresses(("192.168.1.20", 8000)) == ["http://192.168.1.20:8000"]
    assert all(origin.endswith(":8000") and "0.0.0.0" not in origin for origin in addresses(("0.0.0.0", 8000)))


def test_strangers_are_not_told_the_addresses_of_a_network(client: TestClient) -> None:
    client.app.state.bound = ("192.168.1.20", 8000)  # type: ignore[attr-defined]
    assert client.get("/api/v1/network").json() == {"open": True, "addresses": []}

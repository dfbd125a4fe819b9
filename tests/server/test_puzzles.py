"""Puzzles over HTTP: a list by difficulty, one in full, and nothing that the seat to act does not see."""

from __future__ import annotations

import itertools

import pytest
from fastapi.testclient import TestClient

from ludens.agents import puzzle_book
from ludens.agents.puzzle_maker import MakerSettings, make_puzzles
from ludens.core.match import Match
from ludens.core.registry import game
from ludens.server.app import create_app
from ludens.server.settings import Settings


@pytest.fixture
def client(tmp_path, monkeypatch: pytest.MonkeyPatch):
    quick = MakerSettings(simulations=40, longer=2, gap=0.02, share=0.2, lost=-1.0)
    found = make_puzzles(game("azul"), {"round_limit": 1}, quick)
    made = [puzzle for puzzle in itertools.islice(found, 60) if puzzle is not None][:1]
    puzzle_book.write_puzzles(tmp_path / "azul.json", game("azul"), made, {})
    monkeypatch.setattr(puzzle_book, "FOLDER", tmp_path)
    puzzle_book.puzzles_of.cache_clear()
    yield TestClient(create_app(Settings(database="sqlite://", hosts=("testserver",), prepare=False)))
    puzzle_book.puzzles_of.cache_clear()


def test_a_puzzle_is_listed_and_shown(client: TestClient) -> None:
    listed = client.get("/api/v1/puzzles/azul").json()
    assert listed["game"] == "azul"
    assert [entry["number"] for entry in listed["puzzles"]] == [0]
    one = client.get("/api/v1/puzzles/azul/0").json()
    (kept,) = puzzle_book.puzzles_of(game("azul"))
    match = Match.from_json(kept.match)
    assert one["seat"] == match.actor
    assert [move["id"] for move in one["legal"]] == match.legal().tolist()
    assert one["answer"]["action"] in match.legal()
    assert "seed" not in one and "log" not in one  # hidden cards and coming draws
    assert one["right"][0] == one["answer"]["action"]
    for tried in (one["answer"], one["wrong"]):
        moves = [step["move"] for step in tried["steps"] if step["move"]]
        assert [move["text"] for move in moves] == tried["line"]
        assert moves[0]["id"] == tried["action"]
        assert tried["steps"][-1]["position"] != one["position"]


def test_a_move_of_a_puzzle_is_checked(client: TestClient) -> None:
    one = client.get("/api/v1/puzzles/azul/0").json()
    fine = client.post("/api/v1/puzzles/azul/0/check", json={"move": one["legal"][0]["json"]}).json()
    assert fine == {"legal": True, "reason": None, "rules": []}
    wrong = next(a for a in range(180) if a not in [move["id"] for move in one["legal"]])
    refused = client.post("/api/v1/puzzles/azul/0/check", json={"move": wrong}).json()
    assert not refused["legal"] and refused["reason"] and refused["rules"]
    assert client.post("/api/v1/puzzles/azul/9/check", json={"move": wrong}).status_code == 404


def test_what_is_not_there_is_refused(client: TestClient) -> None:
    assert client.get("/api/v1/puzzles/catan").json()["puzzles"] == []
    assert client.get("/api/v1/puzzles/catan/0").status_code == 404
    assert client.get("/api/v1/puzzles/chess").status_code == 404
    assert client.get("/api/v1/puzzles/azul/-1").status_code == 422


def test_a_game_that_is_not_ready_is_waited_for(client: TestClient) -> None:
    cold = TestClient(create_app(Settings(database="sqlite://", hosts=("testserver",), prepare=True)))
    assert cold.get("/api/v1/puzzles/azul").json()["puzzles"]
    waiting = cold.get("/api/v1/puzzles/azul/0")
    assert waiting.status_code == 503 and "Preparing Azul" in waiting.json()["error"]["message"]

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
    yield TestClient(create_app(Settings(database="sqlite://")))
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


def test_what_is_not_there_is_refused(client: TestClient) -> None:
    assert client.get("/api/v1/puzzles/catan").json()["puzzles"] == []
    assert client.get("/api/v1/puzzles/catan/0").status_code == 404
    assert client.get("/api/v1/puzzles/chess").status_code == 404
    assert client.get("/api/v1/puzzles/azul/-1").status_code == 422

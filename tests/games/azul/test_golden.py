"""Whole games of Azul, kept as readable text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ludens.games.azul import GAME, phases
from tests.golden_writer import GOLDEN, UPDATE, compare, playthrough

GAMES: dict[str, tuple[dict[str, Any], int, tuple[str, ...]]] = {
    "two_players": ({"players": 2}, 1, ("heuristic", "random")),
    "three_players": ({"players": 3, "first": "2"}, 2, ("heuristic", "random", "heuristic")),
    "four_players": ({"players": 4, "round_limit": 4}, 3, ("heuristic", "heuristic", "random", "random")),
    "grey_wall": ({"players": 2, "wall": "grey"}, 4, ("heuristic", "random")),
}


def _deal_is_done_or_round_is_over(before: Any, after: Any) -> bool:
    dealt = before.phase == phases.DEALING and after.phase == phases.TAKING
    return dealt or before.round_number != after.round_number


@pytest.mark.parametrize("name", GAMES)
def test_the_playthrough_is_as_stored(name: str):
    options, seed, seats = GAMES[name]
    text = playthrough(GAME, options, seed, seats, _deal_is_done_or_round_is_over)
    compare(GOLDEN / "azul" / f"{name}.txt", text)


def test_a_changed_line_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "golden.txt"
    monkeypatch.setenv(UPDATE, "1")
    compare(path, "one\ntwo\n")
    monkeypatch.delenv(UPDATE)
    compare(path, "one\ntwo\n")
    with pytest.raises(AssertionError, match="line 2"):
        compare(path, "one\nthree\n")
    with pytest.raises(AssertionError, match="has 2 lines"):
        compare(path, "one\ntwo\nthree\n")
    with pytest.raises(AssertionError, match="missing"):
        compare(tmp_path / "other.txt", "one\n")

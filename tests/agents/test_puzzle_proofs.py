"""Proofs of puzzles: what is as good is not beaten, a false puzzle is found out, and a break costs nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from ludens.agents import puzzle_proof
from ludens.agents.puzzle_book import Puzzle, followed, puzzles_of
from ludens.agents.puzzle_maker import MakerSettings
from ludens.agents.puzzle_proof import ERROR, ProofSettings, Verdict, effort, prove
from ludens.core.match import Match
from ludens.core.registry import game, games
from ludens.lab import proofs

QUICK = ProofSettings(simulations=4000, champions=24, games=200)


class _Coins:
    """Results of two moves, drawn: the answer wins with this chance, the rival with that."""

    def __init__(self, answer: float, rival: float, seed: int) -> None:
        self._chances, self._rng = (answer, rival), np.random.default_rng(seed)

    def result(self, action: int, world: int) -> float:
        return 1.0 if self._rng.random() < self._chances[action] else -1.0


def _beats(answer: float, rival: float, seed: int, belief: float) -> bool:
    return puzzle_proof._beaten(cast(Any, _Coins(answer, rival, seed)), 0, 1, belief, 400)


@pytest.mark.parametrize("belief", [0.0, 0.3, 1.0])
def test_a_move_that_is_as_good_is_not_beaten(belief: float) -> None:
    wrong = sum(_beats(0.5, 0.5, seed, belief) for seed in range(1000))
    assert wrong <= 5  # one is expected at most: six have a probability below 0.001


def test_a_move_that_is_better_beats_the_other() -> None:
    assert ERROR == 0.001
    assert all(_beats(1.0, 0.0, seed, 1.0) for seed in range(20))
    assert sum(_beats(0.9, 0.4, seed, 0.4) for seed in range(50)) >= 48


def _cheapest(name: str) -> Puzzle:
    return min(puzzles_of(game(name)), key=effort)


def test_a_puzzle_that_is_right_is_proved_with_what_refutes_every_other_move() -> None:
    azul, puzzle = game("azul"), _cheapest("azul")
    verdict = prove(azul, puzzle, QUICK)
    proved = verdict.puzzle
    assert proved is not None and proved.proof is not None
    assert proved.proof.games == verdict.games > 0
    legal = set(Match.from_json(puzzle.match).legal().tolist())
    assert {proved.answer.action, proved.wrong.action, *(one.action for one in proved.others)} == legal
    assert proved.key == puzzle.key and Puzzle.from_json(proved.to_json()) == proved
    assert Verdict.from_json(verdict.to_json()) == verdict
    other = proved.others[0].action if proved.others else proved.wrong.action
    told = followed(azul, proved, other)
    assert told is not None and told["steps"][0]["move"]["id"] == other
    assert followed(azul, proved, proved.answer.action) is None


def test_a_puzzle_that_is_wrong_is_found_out() -> None:
    puzzle = _cheapest("azul")
    false = replace(puzzle, answer=puzzle.wrong, wrong=puzzle.answer)
    verdict = prove(game("azul"), false, QUICK)
    assert verdict.puzzle is None and verdict.why == "measured"


def test_a_check_goes_on_after_a_break(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    azul, notes, asked = game("azul"), tmp_path / "notes.jsonl", list[str]()
    puzzles = puzzles_of(azul)[:3]

    def verdict(_: object, puzzle: Puzzle, __: object) -> Verdict:
        asked.append(puzzle.key)
        return Verdict(puzzle.key, puzzle if len(asked) % 2 else None, "" if len(asked) % 2 else "played", 7)

    monkeypatch.setattr(proofs, "prove", verdict)
    first = list(proofs.proofs_of(azul, puzzles[:2], notes))
    with notes.open("a") as file:
        file.write('{"key": "half a li')
    again = list(proofs.proofs_of(azul, puzzles, notes))
    assert len(asked) == 3 and [one.key for one in again[:2]] == [puzzle.key for puzzle in puzzles[:2]]
    assert {one.key for one in again} == {puzzle.key for puzzle in puzzles}
    assert sorted(first, key=lambda one: one.key) == sorted(again[:2], key=lambda one: one.key)


def test_puzzles_are_made_and_proved_and_go_on_after_a_break(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    azul, notes = game("azul"), tmp_path / "made.jsonl"
    monkeypatch.setattr(proofs, "prove", lambda _, puzzle, __: Verdict(puzzle.key, puzzle, games=7))
    asked = MakerSettings(simulations=40, longer=2, gap=0.02, share=0.2, lost=-1.0)
    first = list(islice(proofs.made_and_proved(azul, {"round_limit": 1}, notes, asked), 2))
    assert any(first) and len(notes.read_text().splitlines()) == 2
    again = list(islice(proofs.made_and_proved(azul, {"round_limit": 1}, notes, asked), 3))
    assert again[:2] == first and len(notes.read_text().splitlines()) == 3
    other = list(islice(proofs.made_and_proved(azul, {"round_limit": 1}, notes, replace(asked, seed=1)), 1))
    assert other != first[:1]


@pytest.mark.parametrize("name", [found.spec.name for found in games() if puzzles_of(found)])
def test_every_puzzle_that_ships_is_proved(name: str) -> None:
    for puzzle in puzzles_of(game(name)):
        assert puzzle.proof is not None and puzzle.proof.error <= ERROR and puzzle.proof.games > 0
        tries = {puzzle.answer.action, puzzle.wrong.action, *(one.action for one in puzzle.others)}
        assert tries <= set(Match.from_json(puzzle.match).legal().tolist())

"""Proofs of many puzzles: in several processes, noted in a file one by one, so that they go on after a break."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludens.agents.puzzle_book import Puzzle
from ludens.agents.puzzle_proof import ProofSettings, Verdict, effort, prove
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.files import read_text
from ludens.core.spec import Game
from ludens.play.executors import Board, Processes, ThisProcess

__all__ = ["proofs_of"]


@dataclass(frozen=True)
class _Proving:
    """A job: puzzles to prove, by number."""

    game: str
    puzzles: dict[int, Puzzle]
    settings: ProofSettings

    def part(self, numbers: Sequence[int]) -> _Proving:
        return _Proving(self.game, {number: self.puzzles[number] for number in numbers}, self.settings)

    def do(self, number: int, board: Board) -> Verdict:
        return prove(registry.game(self.game), self.puzzles[number], self.settings)

    def ended(self, number: int, seat: int, decisions: int) -> Verdict:
        raise BadInput(f"The proof of puzzle {self.puzzles[number].key} ended two processes; is there memory enough?")


def proofs_of(
    game: Game,
    puzzles: Sequence[Puzzle],
    notes: Path | None = None,
    workers: int = 1,
    seconds: float | None = None,
    settings: ProofSettings | None = None,
) -> Iterator[Verdict]:
    """The verdicts on the puzzles, those that are noted first, then the ones that take the least time.

    Every new one is appended to the notes. After so many seconds no further puzzle is waited for.
    """
    known = {} if notes is None else _noted(notes)
    yield from (known[puzzle.key] for puzzle in puzzles if puzzle.key in known)
    waiting = dict(enumerate(sorted((puzzle for puzzle in puzzles if puzzle.key not in known), key=effort)))
    job, began = _Proving(game.spec.name, waiting, settings or ProofSettings()), time.monotonic()
    with ThisProcess() if workers == 1 else Processes(workers) as executor:
        for done in executor.share(job, list(waiting)):
            for verdict in done:
                if notes is not None:
                    with notes.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(verdict.to_json(), separators=(",", ":")) + "\n")
                yield verdict
            if seconds is not None and time.monotonic() - began > seconds:
                return


def _noted(notes: Path) -> dict[str, Verdict]:
    """What an earlier run found out; a line that it could not finish is not counted."""
    if not notes.exists():
        return {}
    found: dict[str, Verdict] = {}
    for line in read_text(notes).splitlines():
        try:
            verdict = Verdict.from_json(json.loads(line))
        except (ValueError, KeyError, TypeError):
            continue
        found[verdict.key] = verdict
    return found

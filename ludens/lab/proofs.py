"""Puzzles made and proved in several processes, noted in a file one by one, so that they go on after a break."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludens.agents.puzzle_book import Puzzle
from ludens.agents.puzzle_maker import MakerSettings, puzzles_in
from ludens.agents.puzzle_proof import ProofSettings, Verdict, effort, prove
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.files import read_text
from ludens.core.match import Match
from ludens.core.spec import Game
from ludens.play.executors import Board, Processes, ThisProcess

__all__ = ["made_and_proved", "proofs_of"]

_GAMES = 100_000  # that are looked for puzzles at the most


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
    known = _noted(notes)
    yield from (known[puzzle.key] for puzzle in puzzles if puzzle.key in known)
    waiting = dict(enumerate(sorted((puzzle for puzzle in puzzles if puzzle.key not in known), key=effort)))
    job, began = _Proving(game.spec.name, waiting, settings or ProofSettings()), time.monotonic()
    with ThisProcess() if workers == 1 else Processes(workers) as executor:
        for done in executor.share(job, list(waiting)):
            for verdict in done:
                if notes is not None:
                    _note(notes, verdict.to_json())
                yield verdict
            if seconds is not None and time.monotonic() - began > seconds:
                return


@dataclass(frozen=True)
class _Making:
    """A job: the puzzles of games of the strongest search with itself, by the number of the game."""

    game: str
    options: dict[str, Any]
    settings: MakerSettings
    proof: ProofSettings

    def part(self, numbers: Sequence[int]) -> _Making:
        return self

    def do(self, number: int, board: Board) -> tuple[int, list[Verdict]]:
        game = registry.game(self.game)
        made = puzzles_in(game, self.options, number, self.settings)
        return number, [prove(game, puzzle, self.proof) for puzzle in made if puzzle is not None]

    def ended(self, number: int, seat: int, decisions: int) -> tuple[int, list[Verdict]]:
        raise BadInput(f"The puzzles of game {number} ended two processes; is there memory enough?")


def made_and_proved(
    game: Game,
    options: Mapping[str, Any],
    notes: Path,
    settings: MakerSettings,
    workers: int = 1,
    seconds: float | None = None,
    proof: ProofSettings | None = None,
) -> Iterator[list[Verdict]]:
    """The verdicts on the puzzles of game after game, those of noted games first; a position is told once.

    Every game is noted when its puzzles are known. It goes on until the caller stops, or so many seconds are over.
    """
    asked = {"options": dict(options), **asdict(settings)}
    known, seen = _games(notes, asked), set[bytes]()

    def new(verdicts: Sequence[Verdict]) -> list[Verdict]:
        told = []
        for verdict in verdicts:
            if verdict.puzzle is not None:
                view = Match.from_json(verdict.puzzle.match).view(verdict.puzzle.seat).tobytes()
                if view in seen:
                    continue
                seen.add(view)
            told.append(verdict)
        return told

    yield from (new(verdicts) for verdicts in known.values())
    numbers = [number for number in range(len(known) + _GAMES) if number not in known]
    job, began = _Making(game.spec.name, dict(options), settings, proof or ProofSettings()), time.monotonic()
    with ThisProcess() if workers == 1 else Processes(workers) as executor:
        for done in executor.share(job, numbers):
            for number, verdicts in done:
                _note(
                    notes, {"asked": asked, "number": number, "verdicts": [verdict.to_json() for verdict in verdicts]}
                )
                yield new(verdicts)
            if seconds is not None and time.monotonic() - began > seconds:
                return


def _note(notes: Path, told: Mapping[str, Any]) -> None:
    with notes.open("a", encoding="utf-8") as file:
        file.write(json.dumps(told, separators=(",", ":")) + "\n")


def _lines(notes: Path | None) -> Iterator[dict[str, Any]]:
    """What an earlier run has noted; a line that it could not finish is not counted."""
    for line in read_text(notes).splitlines() if notes is not None and notes.exists() else ():
        with suppress(ValueError):
            yield json.loads(line)


def _noted(notes: Path | None) -> dict[str, Verdict]:
    """The verdicts of an earlier run, by the puzzle's key."""
    return {told["key"]: Verdict.from_json(told) for told in _lines(notes)}


def _games(notes: Path, asked: Mapping[str, Any]) -> dict[int, list[Verdict]]:
    """The verdicts of an earlier run that was asked for the same, by the number of the game."""
    told = [one for one in _lines(notes) if one["asked"] == asked]
    return {one["number"]: [Verdict.from_json(verdict) for verdict in one["verdicts"]] for one in told}

"""Puzzles: positions from games in which one move is far better than all others, shipped as files of JSON.

A puzzle is a match up to its position, the move to find, and what the natural wrong move runs into. What is shown of
it is the view of the seat to act, as at a table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from ludens.agents.analysis import level_weights
from ludens.agents.calibration import calibrated_result
from ludens.core import kernels, record
from ludens.core.errors import BadInput
from ludens.core.fields import Fields
from ludens.core.files import read_text, write_bytes
from ludens.core.film import seen_by
from ludens.core.match import Match, Step
from ludens.core.reasons import MOST_REASONS
from ludens.core.spec import Game
from ludens.i18n.messages import sentence
from ludens.search.winning import urgent

__all__ = [
    "DIFFICULTIES",
    "FOLDER",
    "Line",
    "Proof",
    "Puzzle",
    "Try",
    "followed",
    "puzzles_of",
    "read_puzzles",
    "refusal_in",
    "shown",
    "write_puzzles",
]


class Line:
    """Moves that follow each other from the position of a match, up to the next draw.

    The match itself stays as it is. Where the words of a line meet something that only the truth decides, such as a
    hidden pursuer, the line ends.
    """

    def __init__(self, match: Match, seat: int, words: Sequence[str]) -> None:
        self.game, self.seat = match.game, seat
        self._before = match.view(seat)
        options = match.game.show_options(match.options)
        self._match = Match.from_position(match.game, options, match.state(), match.names)  # it waits for draws
        self._start = self._match.copy()
        self._after: np.ndarray | None = None  # what the seat sees when its move is complete
        self.steps: list[dict[str, Any]] = []
        self._move: list[int] = []  # the decisions of the first whole move
        self.own: list[int] = []  # what the seat decides before anybody else does
        for text in words:
            if not self._play(text):
                break

    def first(self) -> list[int]:
        """The seat's first decision, and each later one that could come first as well and would change nothing."""
        played = self._end_of(self.own)
        own = [[action, *self.own[:place], *self.own[place + 1 :]] for place, action in enumerate(self.own)]
        return list(dict.fromkeys(order[0] for order in own if self._end_of(order) == played is not None))

    def reasons(self) -> list[dict[str, Any]]:
        """What speaks for the first move, where the game tells that."""
        if not self.game.rules.evaluations:
            return []
        weights = level_weights(self.game)
        end = self._match.view(self.seat)
        after = end if self._after is None else self._after
        told = self.game.text.reasons(self._before[0], after[0], end[0], self.seat, weights)
        legal = [int(action) for action in self._start.legal()]
        first = urgent(self.game, self._before, self.seat, self._move, legal)
        return [reason.to_json() for reason in (*first, *told)][:MOST_REASONS]

    def _end_of(self, actions: Sequence[int]) -> bytes | None:
        """What decisions of the seat lead to, one after the other; None if they are not possible."""
        trial = self._start.copy()
        for action in actions:
            if trial.actor != self.seat or action not in trial.legal():
                return None
            trial.commit(action)
        return trial.state().tobytes()

    def _play(self, text: str) -> bool:
        """Plays one move; says whether another may follow."""
        match, before = self._match, self._match.state()
        states: list[np.ndarray] = []
        try:
            action = match.parse(text)
        except BadInput:
            return False
        seen = Fields(match.view(self.seat))
        move = {"id": action, "text": text, "json": self.game.text.action_to_json(seen, action)}
        if len(self.own) == sum(step["move"] is not None for step in self.steps) and match.actor == self.seat:
            self.own.append(action)
        steps = match.commit(action, states)
        for place, (step, state) in enumerate(zip(steps, states, strict=True)):
            self.steps.append({**self._step(step, state), "move": None if place else move})
        if self._after is None:
            self._move.append(action)
            if self.game.text.completes(before[0], action, states[0][0]) or match.actor != self.seat:
                self._after = self._seen(states[0])
        return match.actor >= 0

    def _step(self, step: Step, state: np.ndarray) -> dict[str, Any]:
        events = [seen_by(event, self.seat) for event in step.events]
        return {
            "actor": step.actor if step.actor >= 0 else None,
            "events": [{**event, "sentence": self._narrated(event)} for event in events],
            "position": self.game.text.position_to_json(Fields(self._seen(state))),
        }

    def _narrated(self, event: dict[str, Any]) -> str:
        try:
            return sentence(self.game.text.narrate(event, self._match.names))
        except KeyError:
            return ""

    def _seen(self, state: np.ndarray) -> np.ndarray:
        out = record.blank(self.game.dtype)
        kernels.view_at(state, 0, self.seat, out)
        return out


FOLDER = Path(__file__).parent / "puzzles"

DIFFICULTIES = ("easy", "medium", "hard")
"""Found by a short search; by a longer one; by the longest alone."""

_FORMAT = "ludens puzzles 1"


@dataclass(frozen=True)
class Try:
    """A move of a puzzle: what it is expected to bring, and how the game would go on."""

    action: int
    result: float  # expected return of the seat to act, in [-1, 1]
    line: tuple[str, ...]  # the move and what follows, up to the next draw or unseen move

    def to_json(self) -> dict[str, Any]:
        return {"action": self.action, "result": round(self.result, 3), "line": list(self.line)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Try:
        return cls(int(data["action"]), float(data["result"]), tuple(data["line"]))


@dataclass(frozen=True)
class Proof:
    """What makes it sure that the answer is better than every other move (`puzzle_proof`)."""

    games: int  # that champions played out
    error: float  # the probability that they beat a rival for the answer which is as good


@dataclass(frozen=True)
class Puzzle:
    """One position with one good move."""

    match: Mapping[str, Any]  # a match document (`core.match`), up to the position
    seat: int  # who is to move
    difficulty: str
    answer: Try
    wrong: Try  # the move that looks best to somebody who does not look far
    gap: float  # how much better the answer is than every other move
    simulations: int  # of the search that checked it
    others: tuple[Try, ...] = ()  # every further move, and what refutes it
    proof: Proof | None = None

    @property
    def key(self) -> str:
        """A name that stays when puzzles are added, for whoever remembers which were solved."""
        return blake2b(json.dumps([self.match["seed"], self.match["log"]]).encode(), digest_size=6).hexdigest()

    def to_json(self) -> dict[str, Any]:
        tries = {"answer": self.answer.to_json(), "wrong": self.wrong.to_json()}
        return {**asdict(self), **tries, "others": [one.to_json() for one in self.others]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Puzzle:
        tries = {key: Try.from_json(data[key]) for key in ("answer", "wrong")}
        others = tuple(Try.from_json(one) for one in data.get("others", ()))
        proof = data.get("proof")
        return cls(**{**data, **tries, "others": others, "proof": None if proof is None else Proof(**proof)})


def write_puzzles(path: Path, game: Game, puzzles: Sequence[Puzzle], record: Mapping[str, Any]) -> Path:
    """Writes a file of puzzles, the easiest first, with a record of how they were made."""
    ordered = sorted(puzzles, key=lambda puzzle: (DIFFICULTIES.index(puzzle.difficulty), -puzzle.gap))
    document = {"format": _FORMAT, "game": game.spec.identity, "made": dict(record)}
    lines = ",\n".join(json.dumps(puzzle.to_json(), separators=(",", ":")) for puzzle in ordered)
    head = json.dumps(document)[:-1]
    return write_bytes(path, f'{head}, "puzzles": [\n{lines}\n]}}\n'.encode())


def read_puzzles(path: Path, game: Game) -> list[Puzzle]:
    """The puzzles of a file; one of another game or version is refused."""
    try:
        document = json.loads(read_text(path))
        if document["format"] != _FORMAT:
            raise ValueError
        identity, entries = document["game"], document["puzzles"]
        puzzles = [Puzzle.from_json(entry) for entry in entries]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(f"{path} holds no puzzles of Ludens.") from error
    if identity != game.spec.identity:
        raise BadInput(f"{path} holds puzzles of {identity}, not of {game.spec.identity}.")
    return puzzles


@lru_cache(maxsize=16)
def puzzles_of(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles of a game that ship; none where there is no file."""
    path = FOLDER / f"{game.spec.name}.json"
    return tuple(read_puzzles(path, game)) if path.is_file() else ()


def shown(game: Game, puzzle: Puzzle) -> dict[str, Any]:
    """The puzzle as a page shows it: position and moves as the seat to act sees them, and the solution."""
    match = Match.from_json(puzzle.match)
    view = match.view(puzzle.seat)
    text = game.text
    answer, wrong = (Line(match, puzzle.seat, tried.line) for tried in (puzzle.answer, puzzle.wrong))
    return {
        "game": game.spec.name,
        "options": game.show_options(match.options),
        "names": list(match.names),
        "seat": puzzle.seat,
        "difficulty": puzzle.difficulty,
        "position": text.position_to_json(view[0]),
        "legal": [
            {"id": a, "text": text.action_to_text(view[0], a), "json": text.action_to_json(view[0], a)}
            for a in match.legal().tolist()
        ],
        "right": answer.first(),
        "answer": {**_told(game, puzzle.answer, match), "steps": answer.steps, "reasons": answer.reasons()},
        "wrong": {**_told(game, puzzle.wrong, match), "steps": wrong.steps, "reasons": []},
        "gap": round(puzzle.gap, 3),
        "simulations": puzzle.simulations,
    }


def followed(game: Game, puzzle: Puzzle, action: int) -> dict[str, Any] | None:
    """A wrong move of a puzzle with what refutes it, step by step; None for one that nothing is known of."""
    tried = next((one for one in (puzzle.wrong, *puzzle.others) if one.action == action), None)
    if tried is None:
        return None
    match = Match.from_json(puzzle.match)
    return {**_told(game, tried, match), "steps": Line(match, puzzle.seat, tried.line).steps, "reasons": []}


def _told(game: Game, tried: Try, match: Match) -> dict[str, Any]:
    """A move with its result as a chance that comes true."""
    result = calibrated_result(game, tried.result, match.players)
    return {**tried.to_json(), "result": round(result, 3)}


def refusal_in(puzzle: Puzzle, move: int | str | Mapping[str, Any]) -> BadInput | None:
    """Why a move is not possible in a puzzle, told of what its seat sees; None for one that is."""
    match = Match.from_json(puzzle.match)
    try:
        match.parse(move, Fields(match.view(puzzle.seat)))
    except BadInput as error:
        return error
    return None

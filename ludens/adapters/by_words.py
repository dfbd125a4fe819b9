"""A seat for whoever speaks: views, moves and results in words, and the games played by the engine like any series."""

from __future__ import annotations

import queue
import re
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core import kernels, registry
from ludens.core.agent import Agent, Clock, Seating
from ludens.core.errors import BadInput, IllegalMove
from ludens.core.fields import Fields
from ludens.core.spec import Game
from ludens.lab.standings import load_games, standings
from ludens.play.results import ResultsFile
from ludens.play.schedule import Player, one_table
from ludens.play.tournament import check_tournament, play_tournament

__all__ = ["Client", "Table", "view_in_words"]

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,60}")
_MOST_LEGAL = 400  # moves that are listed


class _Left(BaseException):
    """The client has left its table; no fault of an agent, and nothing that an agent may catch."""


@dataclass(frozen=True)
class _Turn:
    """What the client is asked."""

    seating: Seating
    view: np.ndarray
    legal: np.ndarray


def view_in_words(game: Game, players: int, view: np.ndarray, seat: int) -> str:
    """All that a seat knows of the position, by seats from 1."""
    name = game.spec.seat_names(players)[seat]
    return f"You are seat {seat + 1} ({name}).\n{game.text.position_to_text(Fields(view))}"


class Client(Agent):
    """The player behind the table that is open in this process; `name` is what results call it."""

    def __init__(self, name: str = "client") -> None:
        if Table.open is None:
            raise BadInput(f"The client {name} plays only while it sits at a table of this process.")
        self._table = Table.open
        self._seating: Seating | None = None

    def start(self, seating: Seating) -> None:
        self._seating = seating

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        assert self._seating is not None
        return self._table.ask(_Turn(self._seating, view.copy(), legal.copy()))

    def end(self, view: np.ndarray) -> None:
        assert self._seating is not None
        self._table.tell_end(self._seating, view)


class Table:
    """A series of games of one client against agents: the engine plays in a thread and waits for the client's words."""

    open: Table | None = None

    def __init__(
        self,
        game: str,
        against: Sequence[str],
        games: int = 1,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
        seat: int | None = None,
        name: str = "client",
        results: Path | None = None,
    ) -> None:
        if not _NAME.fullmatch(name):
            raise BadInput("The name of a client is made of letters, digits, points and hyphens, 60 at most.")
        self.game = registry.game(game)
        self._player, code = name, f"{Client.__module__}:Client:name={name}"
        places = [*against]
        if not places:
            raise BadInput("Name at least one agent to play against.")
        if seat is not None and not 1 <= seat <= len(places) + 1:
            raise BadInput(f"The seat is a number from 1 to {len(places) + 1}, not {seat}.")
        places.insert((seat or 1) - 1, code)
        self._folder = None if results is not None else tempfile.TemporaryDirectory(prefix="ludens-")
        self._path = results or Path(self._folder.name if self._folder else "") / "results.db"
        plain = one_table(self.game, places, games, seed, None, options, seat is None, merged=True)
        called = (Player(name, one.code) if one.code == code else one for one in plain.players)
        self.schedule = replace(plain, players=tuple(called))
        rules = [f"{key}={value}" for key, value in (options or {}).items()]
        more = [f"seat {seat}"] if seat else []
        self._run = f"{game}: {name} against {', '.join([*against, *rules, *more, f'seed {seed}'])}"
        check_tournament(self.schedule, self._path, self._run)
        Table.close_open()
        Table.open = self
        self._asked: queue.Queue[_Turn | BaseException | None] = queue.Queue()
        self._answers: queue.Queue[int | None] = queue.Queue()
        self._ends: list[str] = []
        self._turn: _Turn | None = None
        self._over = False
        self.refused = 0  # moves that were not legal, or not understood
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    # --- the engine's side, in the thread ---

    def _play(self) -> None:
        try:
            play_tournament(self.schedule, self._path, self._run, workers=1)
        except _Left:
            return
        except BaseException as error:
            self._asked.put(error)
        else:
            self._asked.put(None)

    def ask(self, turn: _Turn) -> int:
        """Waits for the client's choice."""
        self._asked.put(turn)
        answer = self._answers.get()
        if answer is None:
            raise _Left
        return answer

    def tell_end(self, seating: Seating, view: np.ndarray) -> None:
        """Keeps what the client is told of a game that is over."""
        points, results = np.zeros(int(seating.options[0])), np.zeros(int(seating.options[0]))
        kernels.scores_at(view, 0, points)
        kernels.returns_at(view, 0, results)
        best = np.flatnonzero(np.isclose(results, results.max()))
        alone = {self.schedule.sides[seat] for seat in best} == {self.schedule.sides[seating.seat]}
        won = "You have won" if alone else "You share the first place" if seating.seat in best else "You have lost"
        told = ", ".join(f"seat {seat + 1}: {number:g}" for seat, number in enumerate(points))
        self._ends.append(
            f"The game is over. {won}. Points: {told}.\n{view_in_words(self.game, len(points), view, seating.seat)}"
        )

    # --- the client's side ---

    def wait(self) -> str:
        """What has ended since, and the view when the client is asked next; after the last game the results."""
        if self._turn is None and not self._over:
            found = self._asked.get()
            self._over = not isinstance(found, _Turn)
            if isinstance(found, BaseException):
                raise found
            self._turn = found
        ended, self._ends = self._ends, []
        return "\n\n".join([*ended, self.view() if self._turn is not None else self.results()])

    def view(self) -> str:
        """The view of the client's seat in words."""
        turn = self._asks()
        return view_in_words(self.game, int(turn.seating.options[0]), turn.view, turn.seating.seat)

    def legal(self) -> list[str]:
        """The legal moves in words."""
        turn = self._asks()
        return [self.game.text.action_to_text(Fields(turn.view), int(action)) for action in turn.legal]

    def move(self, words: str) -> str:
        """Plays a move in words, and waits until the client is asked again; what is not legal changes nothing."""
        turn = self._asks()
        seen = Fields(turn.view)
        try:
            action = int(self.game.text.action_from_text(seen, words.strip()))
            if action not in turn.legal:
                raise IllegalMove(self.game.text.refusal(seen, action), self.game.spec.rulebook)
        except BadInput:
            self.refused += 1
            raise
        self._turn = None
        self._answers.put(action)
        return self.wait()

    def _asks(self) -> _Turn:
        if self._turn is None:
            raise BadInput("No game waits for a move of yours; sit down at one.")
        return self._turn

    def standings(self) -> dict[str, Any]:
        """The results as any series has them, with the number of moves that were refused."""
        with ResultsFile(self._path) as file:
            run = file.run(self._run)
            found = standings(load_games(file, run))
        told = {"games": run.total, "run": run.name, "agents": [one.to_json() for one in found]}
        return {**told, "client": self._player, "refused": self.refused}

    def results(self) -> str:
        """The results in words."""
        told = self.standings()
        lines = [f"The series is over: {told['run']}."]
        for one in told["agents"]:
            low, high = one["interval"]
            who = "you" if one["agent"] == self._player else one["agent"]
            lines.append(
                f"{who}: won {one['win_share']:.1%} ({low:.1%} – {high:.1%}) of {one['games']}, "
                f"{one['mean_score']:.2f} points on average"
            )
        return "\n".join([*lines, f"Moves that were refused: {self.refused}."])

    @classmethod
    def close_open(cls) -> None:
        """Leaves the table that is open: the game in progress is not stored, those before are."""
        table, cls.open = cls.open, None
        if table is not None and table._thread.is_alive():
            table._answers.put(None)
            table._thread.join()

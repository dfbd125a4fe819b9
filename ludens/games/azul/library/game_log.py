"""Azul's library: the course of a game in a file, to be read by people and replayed by `AzulGame.replay` (AZ-64).

The first line that is no remark is a JSON object with the game, its options, the seed and the names.
Each further line is one action or draw: its number, then what it did in words. Lines that begin with
`#` are remarks. Nothing is kept open: every call appends whole lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from ludens.core.errors import BadInput
from ludens.core.match import Match, Step
from ludens.games.azul.library.errors import IllegalOperation

__all__ = ["GameLog", "read_game_log"]


class GameLog:
    """Writes a game to a file; without a file name it writes nothing."""

    def __init__(self, path: str | Path | None = None) -> None:
        self._path: Path | None = None
        self._match: Match | None = None
        self._line_open = False
        if path is not None:
            self.set_file(path)

    @property
    def path(self) -> Path | None:
        return self._path

    def set_file(self, path: str | Path) -> None:
        """Names the file and empties it; refused once a game is being written."""
        if self._match is not None:
            raise IllegalOperation("The log of a running game stays in its file.")
        try:
            Path(path).write_text("", encoding="utf-8")
        except OSError as error:
            raise BadInput(f"The game log {path} cannot be written: {error.strerror}.") from error
        self._path, self._line_open = Path(path), False

    def write(self, text: str) -> None:
        """Writes a remark, or a part of one; it is marked so that it does not disturb a replay."""
        marked = ""
        for index, line in enumerate(text.split("\n")):
            if index > 0:
                marked += "\n"
                self._line_open = False
            if line:
                marked += line if self._line_open else f"# {line}"
                self._line_open = True
        self._append(marked)

    def write_line(self, text: str = "") -> None:
        """Writes a remark and ends its line."""
        self.write(f"{text}\n")

    def begin(self, match: Match) -> None:
        """Writes what the game is and what has happened in it so far."""
        self._match = match
        document = match.to_json()
        header = {key: document[key] for key in ("format", "game", "options", "seed", "names")}
        self._append_lines([json.dumps(header, ensure_ascii=False)])
        self.record(match.steps())

    def record(self, steps: Iterable[Step]) -> None:
        """Writes actions and draws, one a line."""
        if self._match is None:
            raise IllegalOperation("A game log records steps after its beginning only.")
        narrate, names = self._match.game.text.narrate, self._match.names
        lines = []
        for step in steps:
            words = "; ".join(filter(None, (narrate(event, names) for event in step.events)))
            lines.append(" ".join([str(step.action), *words.split()]))  # one line, whatever the names hold
        self._append_lines(lines)

    def _append_lines(self, lines: Iterable[str]) -> None:
        ending = "\n" if self._line_open else ""
        self._line_open = False
        self._append(ending + "".join(f"{line}\n" for line in lines))

    def _append(self, text: str) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(text)


def read_game_log(path: str | Path) -> Match:
    """The match of a game log, as far as it was written; a malformed one is refused with the reason."""
    try:
        content = Path(path).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The game log {path} cannot be read.") from error
    whole = content[: content.rfind("\n") + 1]  # a line without its end was interrupted
    lines = [line for line in whole.split("\n") if line.strip() and not line.startswith("#")]
    if not lines:
        raise BadInput(f"The game log {path} holds no game.")
    try:
        document = json.loads(lines[0])
        log = [int(line.split(" ", 1)[0]) for line in lines[1:]]
    except ValueError as error:
        raise BadInput(
            f"The game log {path} is malformed: a JSON line, then lines that begin with a number."
        ) from error
    if not isinstance(document, dict):
        raise BadInput(f"The game log {path} does not begin with a JSON object.")
    return Match.from_json({**document, "log": log}, stepwise=True)

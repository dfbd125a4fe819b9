"""Scotland Yard: detectives who play by a table of Q-learning, and the file it is kept in."""

from __future__ import annotations

import base64
import json
import zlib
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ludens.core.agent import Agent, Clock, Seating
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.files import is_finite_number, read_json, write_text
from ludens.core.jit import kernel
from ludens.core.record import Array, Records
from ludens.core.renamed import TABLES, refuse_old
from ludens.core.spec import Game
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.players.heuristic import HeuristicAgent
from ludens.games.scotland_yard.players.tabular.decisions import (
    COLUMNS,
    DIRECTIONS,
    ROWS,
    SIZE,
    GridDecisions,
    joint_row,
    row_of,
    tables_of,
)
from ludens.games.scotland_yard.rules.tables import map_of
from ludens.games.scotland_yard.state import ScotlandYard

__all__ = ["FEATURES", "TableTask", "TabularAgent", "read_table", "write_table"]

FEATURES = "situations-1"
"""The version of the rows and columns; raised when they change."""
_FORMAT = "ludens-table/1"
_GAME = "scotland_yard_grid@1"
_DATA = Path(__file__).resolve().parents[2] / "data"


def write_table(path: str | Path, table: np.ndarray, facts: dict[str, Any]) -> Path:
    """Writes a table of any form: values as 16-bit integers, packed."""
    scale = float(np.abs(table).max()) / 32000 or 1.0
    packed = base64.b64encode(zlib.compress(np.round(table / scale).astype("<i2").tobytes(), 9)).decode()
    named = {"format": _FORMAT, "game": _GAME, "features": FEATURES, "form": _form_of(table)}
    document = {**named, **facts, "scale": scale, "table": packed}
    return write_text(path, json.dumps(document) + "\n")


def _form_of(table: np.ndarray) -> str:
    return next(form for form, rows in ROWS.items() if rows == len(table))


def read_table(path: str | Path) -> np.ndarray:
    """float64[rows, columns]: the table of a file or of a packaged name; anything else is refused in a sentence."""
    name = str(path)
    if not Path(name).suffix and Path(name).name == name:
        path = _DATA / f"{name}.table.json"
        if not path.exists():
            refuse_old(name, TABLES)
            raise did_you_mean(name, [p.name.removesuffix(".table.json") for p in _DATA.glob("*.table.json")], "table")
    document = read_json(path, "holds no table")
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise BadInput(f"{path} holds no table: its format is not {_FORMAT}.")
    for key, expected in (("game", _GAME), ("features", FEATURES)):
        if document.get(key) != expected:
            raise BadInput(f"The table of {path} is for {key} {document.get(key)}, not for {expected}.")
    form = str(document.get("form"))
    if form not in ROWS:
        raise BadInput(f"The form of the table of {path} must be one of {', '.join(ROWS)}, not {form!r}.")
    size = 2 * ROWS[form] * COLUMNS[form]
    try:
        inflater = zlib.decompressobj()
        data = inflater.decompress(base64.b64decode(document["table"], validate=True), size + 1)
        if len(data) != size or not is_finite_number(document["scale"]):
            raise ValueError("size or scale")
        return np.frombuffer(data, "<i2").reshape(-1, COLUMNS[form]) * float(document["scale"])
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise BadInput(f"The table of {path} is damaged.") from error


_packaged = cache(read_table)


@kernel
def choose(
    views: Records[ScotlandYard], legal: Array, table: Array, number: Array, maps: Array, turned: Array,
    directions: Array,
) -> int:  # fmt: skip
    """The legal cell with the greatest value for the pawn to move, the first of equals."""
    v = views[0]
    row, m = row_of(v, number, maps)
    best, best_value = legal[0], -np.inf
    for k in range(legal.shape[0]):
        for d in range(4):
            if legal[k] - int(v.pawn_station[v.pawn]) == directions[d] and table[row, turned[m, d]] > best_value:
                best, best_value = legal[k], table[row, turned[m, d]]
    return int(best)


@kernel
def choose_jointly(
    views: Records[ScotlandYard], table: Array, number: Array, maps: Array, turned: Array, back: Array,
    directions: Array, cells: Array,
) -> None:  # fmt: skip
    """The cells of the joint move with the greatest value, for a table of joint moves."""
    row, m, mask = joint_row(views[0], number, maps, turned, directions)
    best, best_value = 0, -np.inf
    for a in range(table.shape[1]):
        if mask >> a & 1 and table[row, a] > best_value:
            best, best_value = a, table[row, a]
    cells[0] = int(views[0].pawn_station[0]) + directions[back[m, best // 4]]
    cells[1] = int(views[0].pawn_station[1]) + directions[back[m, best % 4]]


class TabularAgent(Agent):
    """Two detectives on the 5×5 grid by a table of Q-learning; as Mr. X it evades."""

    def __init__(self, table: str = "q-learning") -> None:
        self._table = _packaged(table) if not Path(table).suffix else read_table(table)
        self._form = _form_of(self._table)
        self._situations = tables_of(self._form)
        self._fallback = HeuristicAgent(hunt="chase")
        self._cells = np.zeros(2, np.int64)

    def start(self, seating: Seating) -> None:
        board, options = map_of(seating.game.dtype), seating.options
        fitting = board.columns == SIZE and len(board.numbers) == SIZE * SIZE
        if not fitting or int(options[1]) != 2 or int(options[3]) != 3 or int(options[4]) != 1:
            raise BadInput(
                "The detectives of Q-learning are two on the 5×5 grid, see Mr. X's start and every third of his moves; "
                "choose another agent for other options."
            )
        self._fallback.start(seating)

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        if view[0].phase == phases.FLEEING:
            return self._fallback.choose(view, legal, clock)
        pawn = int(view[0].pawn)
        number, maps, turned, back = self._situations[:4]
        if COLUMNS[self._form] == 4:
            return int(choose(view, legal, self._table, number, maps, turned, DIRECTIONS))
        if pawn == 0:
            choose_jointly(view, self._table, number, maps, turned, back, DIRECTIONS, self._cells)
        return int(self._cells[pawn]) if self._cells[pawn] in legal else int(legal[0])


class TableTask:
    """What `ludens train` needs to learn such a table."""

    features_version = FEATURES
    options: ClassVar[dict[str, Any]] = {}

    def __init__(self, game: Game, options: np.ndarray, form: str, reveal: float) -> None:
        if str(form) not in ROWS:
            raise did_you_mean(form, ROWS, "form of the table")
        if int(options[1]) != 2 or int(options[3]) != 3 or int(options[4]) != 1:
            raise BadInput("The table is for two detectives who see the start and every third move (SY-47).")
        self.decisions = GridDecisions(game, options, form, reveal)

    def write(self, path: Path, table: np.ndarray, facts: dict[str, Any]) -> str:
        """Writes the table and returns the agent's code."""
        write_table(path, table, facts)
        return f"table:table={path}"

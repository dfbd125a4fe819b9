"""Games as data to learn from: every decision is a row, in shards of Parquet.

A folder holds `_dataset.json`, which tells the schedule, the columns and the record types, and shards
`part-00000.parquet` …, each of whole games. The games are those of any series, played through the one engine; a folder
that holds some of them goes on with the others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludens.agents.codes import make_agent, parse_code
from ludens.core import verbs
from ludens.core.agent import Agent, Clock, Seating, thought_of
from ludens.core.errors import BadInput
from ludens.core.extras import require
from ludens.core.files import make_folder, write_text
from ludens.core.jit import kernel
from ludens.core.record import blank
from ludens.core.rng import CHANCE_STREAM, generator
from ludens.core.settle import CHOICE, forced
from ludens.core.verbs import view
from ludens.play.engine import Played, Sink
from ludens.play.executors import Board
from ludens.play.game import play_game
from ludens.play.schedule import Schedule

__all__ = ["COLUMNS", "ParquetSink", "parquet_package", "shards_of"]

COLUMNS = {
    "game": "number of the game in its schedule",
    "ply": "number of the decision in its game, from 0",
    "seat": "who decides, from 0",
    "player": "name of the agent on that seat",
    "position": "the whole position, as the bytes of its record: what nobody at the table sees",
    "view": "the position as the seat sees it, as the bytes of the same record",
    "features": "the numbers that networks read, made of the view",
    "legal": "ids of the legal actions, ascending",
    "action": "the id that was played",
    "policy": "the agent's share of every legal action, in their order; missing where it tells none",
    "value": "the result that the agent expected for its seat, from -1 to 1; missing where it tells none",
    "result": "the result of the seat that decides, from -1 to 1",
    "results": "the results of all seats, from seat 0 on",
    "scores": "the points of all seats at the end",
}
"""The columns of a shard; `docs/research.md` has them with their types."""
_INDEX = "_dataset.json"


def parquet_package() -> tuple[Any, Any]:
    """pyarrow and its Parquet part; without them one sentence says what to install."""
    require("parquet", "Parquet")
    import pyarrow
    from pyarrow import parquet

    return pyarrow, parquet


class _Watched:
    """An agent that plays as another one, and writes down what it saw and thought."""

    def __init__(self, agent: Agent, rows: list[tuple[Any, ...]]) -> None:
        self._agent, self._rows, self._seat = agent, rows, 0

    def start(self, seating: Seating) -> None:
        self._seat = seating.seat
        self._agent.start(seating)

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        seen = view.copy()
        choice = self._agent.choose(view, legal.copy(), clock)
        thought = thought_of(self._agent)
        tell = getattr(self._agent, "policy", None)
        policy = tell() if callable(tell) and len(legal) > 1 else None
        shares = None if policy is None else np.array([policy.get(a, 0.0) for a in legal.tolist()], np.float32)
        self._rows.append((self._seat, seen, legal, int(choice), shares, None if thought is None else thought.value))
        return choice

    def end(self, view: np.ndarray) -> None:
        self._agent.end(view)


@kernel
def _positions(
    states: Any, options: Any, rng: Any, legal: Any, first_automatic: int, choices: Any, out: Any, views: Any,
    seats: Any, features: Any,
) -> None:  # fmt: skip
    """The position before every choice, and the features that its seat sees."""
    s = states[0]
    verbs.reset(s, options)
    k = 0
    while k < choices.shape[0]:
        action, _ = forced(s, rng, legal, first_automatic)
        if action == CHOICE:
            out[k] = s
            view(s, seats[k], views)
            verbs.observe(views[0], seats[k], features[k])
            action = choices[k]
            k += 1
        verbs.apply(s, action)


def _play_rows(schedule: Schedule, number: int, board: Board | None = None) -> dict[str, Any]:
    """Plays a game of the schedule and returns its columns."""
    game, options, seed = schedule.spec_game, schedule.option_array, schedule.seed_of(number)
    rows: list[tuple[Any, ...]] = []
    codes = schedule.codes(number)
    for code in codes:
        if parse_code(game, code, outside=True)[0].oracle:
            raise BadInput(f"Agent {code} sees the whole position; data are of agents that see their views.")
    agents = [_Watched(make_agent(game, code, outside=True), rows) for code in codes]
    outcome = play_game(game, options, agents, seed)
    n = len(rows)
    seats = np.array([row[0] for row in rows], np.int64)
    positions, features = blank(game.dtype, n), np.zeros((n, game.spec.observation_size(options)), np.float32)
    legal, choices = np.zeros(game.spec.actions, np.int64), np.array(outcome.choices, np.int64)
    _positions(
        blank(game.dtype), options, generator(seed, CHANCE_STREAM), legal, game.spec.first_automatic, choices,
        positions, blank(game.dtype), seats, features,
    )  # fmt: skip
    names = [schedule.players[player].name for player in schedule.at_seats(number)]
    return {
        "game": [number] * n,
        "ply": list(range(n)),
        "seat": seats.tolist(),
        "player": [names[seat] for seat in seats],
        "position": [positions[k : k + 1].tobytes() for k in range(n)],
        "view": [row[1].tobytes() for row in rows],
        "features": features,
        "legal": [row[2] for row in rows],
        "action": [row[3] for row in rows],
        "policy": [row[4] for row in rows],
        "value": [row[5] for row in rows],
        "result": [outcome.returns[seat] for seat in seats],
        "results": [list(outcome.returns)] * n,
        "scores": [list(outcome.scores)] * n,
    }


def _refused(schedule: Schedule, number: int, seat: int, decisions: int) -> dict[str, Any]:
    raise BadInput(f"Game {number} ended its process twice, the second time after {decisions} choices.")


def shards_of(folder: str | Path) -> list[Path]:
    """The shards of a folder, in order; a folder without any is refused."""
    found = sorted(Path(folder).expanduser().glob("part-*.parquet"))
    if not found:
        raise BadInput(f"{folder} holds no data: there is no part-*.parquet in it.")
    return found


class ParquetSink(Sink[dict[str, Any]]):
    """Writes games into a folder, `rows` decisions a shard at least."""

    play = staticmethod(_play_rows)
    ended = staticmethod(_refused)

    def __init__(self, folder: str | Path, schedule: Schedule, rows: int = 50_000) -> None:
        self._pyarrow, self._parquet = parquet_package()
        if rows < 1:
            raise BadInput(f"A shard has at least 1 row, not {rows}.")
        self.folder, self._rows = make_folder(folder), rows
        self._games: list[dict[str, Any]] = []
        self._held = self.written = 0
        self._schema = self._schema_of(schedule)
        index = self.folder / _INDEX
        told = self._told(schedule)
        if index.exists():
            known = json.loads(index.read_text(encoding="utf-8"))
            if known.get("schedule") != json.loads(json.dumps(told["schedule"])):
                raise BadInput(f"{folder} holds data of another series; give another folder.")
        write_text(index, json.dumps(told, indent=1, ensure_ascii=False) + "\n")

    def _told(self, schedule: Schedule) -> dict[str, Any]:
        game, options = schedule.spec_game, schedule.option_array
        blocks = [{"name": one.name, "shape": list(one.shape), "help": one.help} for one in game.spec.blocks(options)]
        return {
            "format": "ludens-dataset/1",
            "schedule": schedule.to_json(),
            "columns": COLUMNS,
            "actions": game.spec.actions,
            "features": {"version": game.spec.features_version, "blocks": blocks},
            "record": [[name, str(game.dtype[name])] for name in game.dtype.names or ()],
            "record_bytes": game.dtype.itemsize,
        }

    def _schema_of(self, schedule: Schedule) -> Any:
        arrow, game = self._pyarrow, schedule.spec_game
        size = game.spec.observation_size(schedule.option_array)
        types = {
            "game": arrow.int64(),
            "ply": arrow.int32(),
            "seat": arrow.int8(),
            "player": arrow.dictionary(arrow.int32(), arrow.string()),
            "position": arrow.binary(game.dtype.itemsize),
            "view": arrow.binary(game.dtype.itemsize),
            "features": arrow.list_(arrow.float32(), size),
            "legal": arrow.list_(arrow.int32()),
            "action": arrow.int32(),
            "policy": arrow.list_(arrow.float32()),
            "value": arrow.float32(),
            "result": arrow.float32(),
            "results": arrow.list_(arrow.float32()),
            "scores": arrow.list_(arrow.float32()),
        }
        about = {"ludens": json.dumps(schedule.to_json())}
        return arrow.schema([arrow.field(name, types[name]) for name in COLUMNS], metadata=about)

    def missing(self, schedule: Schedule) -> Sequence[int]:
        known: set[int] = set()
        for path in sorted(self.folder.glob("part-*.parquet")):
            known.update(self._parquet.read_table(path, columns=["game"])["game"].to_pylist())
        return [number for number in range(schedule.total) if number not in known]

    def add(self, games: Sequence[Played[dict[str, Any]]]) -> None:
        for one in games:
            self._games.append(one.kept)
            self._held += len(one.kept["game"])
        if self._held >= self._rows:
            self._write()

    def close(self) -> None:
        if self._games:
            self._write()

    def _write(self) -> None:
        arrow = self._pyarrow
        columns = []
        for name in COLUMNS:
            parts = [one[name] for one in self._games]
            if name == "features":
                whole = np.concatenate(parts)
                flat = arrow.array(whole.ravel())
                columns.append(arrow.FixedSizeListArray.from_arrays(flat, whole.shape[1]))
                continue
            kind = self._schema.field(name).type
            values = [value for part in parts for value in part]
            columns.append(
                arrow.array(values).dictionary_encode() if name == "player" else arrow.array(values, type=kind)
            )
        table = arrow.Table.from_arrays(columns, schema=self._schema)
        taken = [int(path.stem.rpartition("-")[2]) for path in self.folder.glob("part-*.parquet")]
        path = self.folder / f"part-{max(taken, default=-1) + 1:05d}.parquet"
        part = self.folder / f".{path.name}.part"
        try:
            self._parquet.write_table(table, part, compression="zstd")
            part.replace(path)
        except OSError as error:
            raise BadInput(f"Cannot write {path}: {error.strerror or error}.") from error
        self.written += self._held
        self._games, self._held = [], 0

"""Scotland Yard: maps as data, checked when they are loaded (SY-16, SY-17)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from ludens.core.errors import BadInput, did_you_mean
from ludens.games.scotland_yard.state import MAX_PAWNS, MAX_STATIONS

__all__ = [
    "FERRY",
    "TRANSPORTS",
    "StationMap",
    "grid_map",
    "load_map",
    "london",
    "parse_map",
]

TRANSPORTS = ("taxi", "bus", "underground", "ferry")
FERRY = 3

_LONDON_FILE = Path(__file__).parent.parent / "data" / "london.json"
_LONDON_FERRIES = ((108, 115), (115, 157), (157, 194))


@dataclass(frozen=True)
class StationMap:
    """A checked map. Stations are counted from 0 inside and carry their printed numbers in `numbers`."""

    name: str
    numbers: tuple[int, ...]  # printed number of every station, ascending
    places: tuple[tuple[float, float], ...]  # x to the right, y downwards
    connections: tuple[tuple[int, int, int], ...]  # (station, station, transport), each once
    detective_starts: tuple[int, ...]  # stations of the detectives' cards
    mr_x_starts: tuple[int, ...]  # stations of Mr. X's cards
    columns: int = 0  # of a rectangular grid; 0 for a map

    def index(self, number: int) -> int:
        """The station with this printed number; an unknown one is refused."""
        try:
            return self.numbers.index(number)
        except ValueError:
            low, high = self.numbers[0], self.numbers[-1]
            raise BadInput(f"There is no station {number}; stations are numbered from {low} to {high}.") from None

    @cached_property
    def extent(self) -> tuple[float, float]:
        """The largest x and y, at least 1."""
        return max(1.0, *(x for x, _ in self.places)), max(1.0, *(y for _, y in self.places))

    @property
    def digest(self) -> str:
        """Eight hex digits that change with anything the rules read from the map."""
        content = (self.numbers, self.connections, self.detective_starts, self.mr_x_starts)
        return hashlib.sha256(repr(content).encode()).hexdigest()[:8]


def london(variant: str | None = None) -> StationMap:
    """The London board of the current edition, or a variant such as `classic_1983`."""
    board = load_map(_LONDON_FILE, variant)
    ferries = sorted((board.numbers[a], board.numbers[b]) for a, b, kind in board.connections if kind == FERRY)
    if tuple(ferries) != _LONDON_FERRIES:
        raise BadInput("The London board has exactly the ferries 108–115, 115–157 and 157–194 (SY-16).")
    return board


def grid_map(rows: int = 5, columns: int = 5) -> StationMap:
    """A grid of cells joined by taxi, numbered row by row from 1; all cells are start cells (SY-4, SY-6)."""
    stations = [{"id": r * columns + c + 1, "x": c, "y": r} for r in range(rows) for c in range(columns)]
    right = [[i, i + 1, "taxi"] for i in range(1, rows * columns) if i % columns]
    down = [[i, i + columns, "taxi"] for i in range(1, (rows - 1) * columns + 1)]
    cells = [station["id"] for station in stations]
    document = {
        "meta": {"name": f"grid {rows}×{columns}"},
        "stations": stations,
        "connections": right + down,
        "detective_starts": cells,
        "mrx_starts": cells,
    }
    return parse_map(document, columns=columns)


def load_map(path: str | Path, variant: str | None = None) -> StationMap:
    """Reads a map file; what is missing or wrong in it is named in the error."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"The map file {Path(path).name} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise BadInput(f"The map file {Path(path).name} is not JSON: {error}.") from error
    return parse_map(document, variant)


def parse_map(document: Any, variant: str | None = None, columns: int = 0) -> StationMap:
    """The board of a map document; raises BadInput with the first thing that is malformed (SY-16)."""
    if not isinstance(document, Mapping):
        raise BadInput("A map is a JSON object with stations, connections and start cards.")
    for key in ("stations", "connections", "detective_starts", "mrx_starts"):
        if not isinstance(document.get(key), list) or not document[key]:
            raise BadInput(f"The map needs a list {key!r} that is not empty.")
    stations = sorted((_station(entry) for entry in document["stations"]), key=lambda station: station[0])
    numbers = tuple(number for number, _, _ in stations)
    for before, after in pairwise(numbers):
        if before == after:
            raise BadInput(f"Station {after} is listed twice; ids are unique (SY-16).")
    if len(numbers) > MAX_STATIONS:
        raise BadInput(f"A map has at most {MAX_STATIONS} stations, not {len(numbers)}.")
    connections, starts = document["connections"], (document["detective_starts"], document["mrx_starts"])
    if variant is not None:
        connections, starts = _vary(document, variant)
    index = {number: i for i, number in enumerate(numbers)}
    lines = _connections(connections, index)
    _check_taxi(lines, numbers)
    detectives = _starts(starts[0], index, "detective_starts")
    mr_x = _starts(starts[1], index, "mrx_starts")
    if len(detectives) < MAX_PAWNS:
        raise BadInput(f"detective_starts needs at least {MAX_PAWNS} stations, not {len(detectives)}.")
    if set(mr_x) <= set(detectives) and len(mr_x) <= MAX_PAWNS:
        raise BadInput("mrx_starts needs a station that the detectives cannot all occupy.")
    meta = document.get("meta")
    name = str(meta.get("name", "map")) if isinstance(meta, Mapping) else "map"
    return StationMap(name, numbers, tuple((x, y) for _, x, y in stations), lines, detectives, mr_x, columns)


def _station(entry: Any) -> tuple[int, float, float]:
    if not isinstance(entry, Mapping) or not {"id", "x", "y"} <= set(entry):
        raise BadInput(f"A station is an object with id, x and y, not {entry!r}.")
    number, x, y = entry["id"], entry["x"], entry["y"]
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise BadInput(f"The id of a station is a whole number, not {number!r}.")
    for value in (x, y):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadInput(f"Station {number} needs numbers for x and y, not {value!r}.")
    return number, float(x), float(y)


def _vary(document: Mapping[str, Any], variant: str) -> tuple[list[Any], tuple[list[Any], list[Any]]]:
    """Connections and the two decks of start cards of a variant of the map."""
    variants = document.get("variants")
    if not isinstance(variants, Mapping) or variant not in variants:
        raise did_you_mean(variant, variants if isinstance(variants, Mapping) else (), "variant of the map")
    change = variants[variant]
    if not isinstance(change, Mapping):
        raise BadInput(f"Variant {variant} of the map is an object with add, remove and common_starts.")
    connections = [line for line in document["connections"] if line not in change.get("remove", [])]
    connections += change.get("add", [])
    common = change.get("common_starts")  # one deck for all players: the same cards in both
    decks = (common, common) if common else (document["detective_starts"], document["mrx_starts"])
    return connections, decks


def _connections(entries: Any, index: Mapping[int, int]) -> tuple[tuple[int, int, int], ...]:
    found: set[tuple[int, int, int]] = set()
    for entry in entries:
        if not isinstance(entry, list | tuple) or len(entry) != 3:
            raise BadInput(f"A connection is a list [station, station, transport], not {entry!r}.")
        a, b, kind = entry
        for number in (a, b):
            if isinstance(number, bool) or not isinstance(number, int) or number not in index:
                raise BadInput(f"Connection {list(entry)} names a station that is not on the map: {number!r}.")
        if kind not in TRANSPORTS:
            raise BadInput(f"Connection {list(entry)} needs one of {', '.join(TRANSPORTS)}, not {kind!r}.")
        if a == b:
            raise BadInput(f"Connection {list(entry)} joins a station with itself (SY-16).")
        line = (index[min(a, b)], index[max(a, b)], TRANSPORTS.index(kind))
        if line in found:
            raise BadInput(f"Connection {list(entry)} is listed twice; each is listed once (SY-16).")
        found.add(line)
    return tuple(sorted(found))


def _check_taxi(lines: tuple[tuple[int, int, int], ...], numbers: tuple[int, ...]) -> None:
    """Every station has a taxi, and taxis alone reach every station (SY-16, SY-18)."""
    joined: dict[int, set[int]] = {i: set() for i in range(len(numbers))}
    for a, b, kind in lines:
        if kind == 0:
            joined[a].add(b)
            joined[b].add(a)
    lonely = [numbers[i] for i, others in joined.items() if not others]
    if lonely:
        raise BadInput(f"Station {lonely[0]} has no taxi connection; every station has one (SY-16).")
    reached, frontier = {0}, [0]
    while frontier:
        for other in joined[frontier.pop()] - reached:
            reached.add(other)
            frontier.append(other)
    apart = [numbers[i] for i in joined if i not in reached]
    if apart:
        raise BadInput(f"Taxis do not join station {apart[0]} with station {numbers[0]}; they must (SY-16).")


def _starts(entries: Any, index: Mapping[int, int], key: str) -> tuple[int, ...]:
    found: list[int] = []
    for number in entries:
        if isinstance(number, bool) or not isinstance(number, int) or number not in index:
            raise BadInput(f"{key} names a station that is not on the map: {number!r}.")
        if index[number] in found:
            raise BadInput(f"{key} names station {number} twice.")
        found.append(index[number])
    return tuple(sorted(found))

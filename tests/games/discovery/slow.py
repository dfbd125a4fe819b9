"""An independent reading of the rules: flood fill over the map, from the tile data alone.

Nothing is shared with the engine.

Positions are (x, y), x eastwards, y northwards; a segment on the map is (position, number on its tile).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import ludens.games.discovery as package

DATA = Path(package.__file__).parent / "data" / "standard.json"
SIDES = "NESW"
STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
KINDS: dict[str, dict[str, Any]] = {tile["id"]: tile for tile in json.loads(DATA.read_text())["tiles"]}
NAMES = list(KINDS)

Place = tuple[int, int]
Segment = tuple[Place, int]


def printed(side: str, turns: int) -> str:
    """The printed side that lies on a side of the map after clockwise quarter turns."""
    return SIDES[(SIDES.index(side) - turns) % 4]


def opposite(side: str) -> str:
    return SIDES[(SIDES.index(side) + 2) % 4]


@dataclass(frozen=True)
class SlowRegion:
    """A connected area found by flood fill."""

    terrain: str
    segments: frozenset[Segment]
    size: int
    faces: tuple[Place, ...]  # the empty cell behind every open side, with repetitions
    cities: frozenset[tuple[Place, int]]
    beside: frozenset[tuple[Place, int]]  # cities on adjoining grasslands

    def as_if(self, closed: bool) -> int:
        """The table of CD-21."""
        if self.terrain == "grassland":
            return self.size * (2 if closed else 1)
        if self.terrain == "mountains":
            return len(self.cities | self.beside) * (2 if closed else 1)
        return len(self.cities) + (self.size if closed else 0)

    def now(self, small: str) -> int:
        """CD-18 with the reading of CD-22."""
        if self.size == 2 and small == "closed":
            return self.as_if(True)
        if self.size <= 2 and small == "open":
            return self.as_if(False)
        return self.as_if(not self.faces)

    def at_end(self, small: str, final: str) -> int:
        """CD-23."""
        return self.now(small) if final == "actual" else self.as_if(final == "closed")


class SlowMap:
    """Placed tiles only; everything else is found anew."""

    def __init__(self, tiles: Iterable[tuple[str, int, int, int]]) -> None:
        self.tiles = {(x, y): (name, turns) for name, x, y, turns in tiles}
        self._on_side: dict[tuple[Place, str], int] = {}
        for place, (name, turns) in self.tiles.items():
            for number, region in enumerate(KINDS[name]["regions"]):
                for edge in region["edges"]:
                    side = SIDES[(SIDES.index(edge) + turns) % 4]
                    self._on_side[place, side] = number

    def segments(self) -> list[Segment]:
        return [(place, n) for place, (name, _) in self.tiles.items() for n in range(len(KINDS[name]["regions"]))]

    def regions(self) -> list[SlowRegion]:
        home: dict[Segment, int] = {}
        areas: list[list[Segment]] = []
        faces: list[list[Place]] = []
        for start in self.segments():
            if start in home:
                continue
            area, open_cells, waiting = [], [], [start]
            home[start] = len(areas)
            while waiting:
                place, number = waiting.pop()
                area.append((place, number))
                for side, (dx, dy) in STEPS.items():
                    if self._on_side[place, side] != number:
                        continue
                    there = (place[0] + dx, place[1] + dy)
                    if there not in self.tiles:
                        open_cells.append(there)
                        continue
                    other = (there, self._on_side[there, opposite(side)])
                    if other not in home:
                        home[other] = len(areas)
                        waiting.append(other)
            areas.append(area)
            faces.append(open_cells)
        cities = [self._cities(area) for area in areas]
        found = []
        for k, area in enumerate(areas):
            terrain = KINDS[self.tiles[area[0][0]][0]]["regions"][area[0][1]]["type"]
            beside = frozenset(city for g in self._grasslands(area, home) for city in cities[g])
            size = len({place for place, _ in area})
            found.append(SlowRegion(terrain, frozenset(area), size, tuple(faces[k]), cities[k], beside))
        return found

    def _cities(self, area: list[Segment]) -> frozenset[tuple[Place, int]]:
        return frozenset(
            (place, c)
            for place, number in area
            for c, city in enumerate(KINDS[self.tiles[place][0]]["cities"])
            if number in city
        )

    def _grasslands(self, area: list[Segment], home: dict[Segment, int]) -> set[int]:
        found = set()
        for place, number in area:
            tile = KINDS[self.tiles[place][0]]
            for pair in tile["adjacent"]:
                if number in pair:
                    other = pair[0] if pair[1] == number else pair[1]
                    if tile["regions"][other]["type"] == "grassland":
                        found.add(home[place, other])
        return found

    @cached_property
    def frontier(self) -> set[Place]:
        around = {(x + dx, y + dy) for x, y in self.tiles for dx, dy in STEPS.values()}
        return around - set(self.tiles)

    def fits(self, name: str, place: Place, turns: int) -> bool:
        """CD-8 on an empty cell."""
        for side, (dx, dy) in STEPS.items():
            other = self.tiles.get((place[0] + dx, place[1] + dy))
            if other is not None:
                mine = KINDS[name]["edges"][SIDES.index(printed(side, turns))]
                theirs = KINDS[other[0]]["edges"][SIDES.index(printed(opposite(side), other[1]))]
                if mine != theirs:
                    return False
        return place in self.frontier

    def placements(self, name: str) -> set[tuple[Place, int]]:
        return {(place, turns) for place in self.frontier for turns in range(4) if self.fits(name, place, turns)}

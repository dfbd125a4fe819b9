"""The heuristics of CD-33 … CD-51 written out slowly over the slow reader's regions."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

import numpy as np

from ludens.games.discovery.text import lookup
from tests.games.discovery.slow import KINDS, NAMES, SlowMap, SlowRegion
from tests.games.discovery.table import slow_map

CONSTANTS = {  # CD-50, by terrain: aV bV cV aM bM cM aN bN cN
    "mountains": (0, 0, 0, 1, 1, 1, 1, 1, 1),
    "grassland": (1, 1, 1, 0, 0, 0, 0, 0, 0),
    "sea": (0, 1, 1, 1, 0, 1, 0, 0, 0),
}


def standing(worth: list[float], p: int) -> float:
    """CD-34."""
    others = [x for q, x in enumerate(worth) if q != p]
    rank = 1 + sum(x > worth[p] for x in others)
    gap = worth[p] - (max(others) if rank == 1 else min(x for x in others if x > worth[p]))
    return len(worth) - rank + gap / 1000


def city_share(counts: dict[str, int], terrain: str) -> float:
    """CD-51."""
    found = total = 0
    for name, copies in counts.items():
        tile = KINDS[name]
        for k, region in enumerate(tile["regions"]):
            if region["type"] == terrain:
                total += copies
                found += copies * any(k in city for city in tile["cities"])
    return found / total if total else 0.0


@dataclass
class Reader:
    """A position, read slowly, with everything the potential needs."""

    state: np.ndarray
    cities_of_deck: bool = False

    def __post_init__(self) -> None:
        s = self.state[0]
        self.players = int(s.players)
        self.map: SlowMap = slow_map(self.state)
        self.regions = self.map.regions()
        self.home = {segment: region for region in self.regions for segment in region.segments}
        self.deck = {NAMES[k]: int(n) for k, n in enumerate(s.deck) if n}
        self.left = sum(self.deck.values())
        self.own_turns = self.left // self.players
        places = list(self.map.tiles)
        self.followers: list[list[SlowRegion]] = [[] for _ in range(self.players)]
        for seat, _, piece in lookup.followers(s):
            tile, segment = lookup.place_of(s, piece)
            self.followers[seat].append(self.home[places[tile], segment])
        self.scores = [int(x) for x in s.score[: self.players]]
        whole = {name: tile["count"] for name, tile in KINDS.items()}
        self._fitting: dict[tuple[int, int], frozenset[str]] = {}
        self.h = {t: city_share(self.deck if self.cities_of_deck else whole, t) for t in CONSTANTS}

    def fitting(self, cell: tuple[int, int]) -> frozenset[str]:
        """The kinds of tiles in the deck that fit on the cell in some rotation."""
        if cell not in self._fitting:
            names = (name for name in self.deck if any(self.map.fits(name, cell, turns) for turns in range(4)))
            self._fitting[cell] = frozenset(names)
        return self._fitting[cell]

    def share(self, cell: tuple[int, int]) -> float:
        """K_j / K of CD-44."""
        return sum(self.deck[name] for name in self.fitting(cell)) / self.left if self.left else 0.0

    def reach(self, cells: set[tuple[int, int]]) -> float:
        """CD-47, CD-48."""
        return sum(1 - (1 - self.share(cell)) ** self.own_turns for cell in cells) if self.left else 0.0

    def p(self, region: SlowRegion) -> float:
        """CD-45."""
        cells = set(region.faces)
        return math.prod(self.share(cell) for cell in cells) ** (1 / len(cells)) if cells and self.left else 0.0

    def beside(self, region: SlowRegion) -> set[tuple[int, int]]:
        """The open coordinates of all grasslands beside the region, once each."""
        found = set()
        for place, number in region.segments:
            tile = KINDS[self.map.tiles[place][0]]
            for a, b in tile["adjacent"]:
                other = b if a == number else a if b == number else None
                if other is not None and tile["regions"][other]["type"] == "grassland":
                    found |= set(self.home[place, other].faces)
        return found

    def phi(self, region: SlowRegion, constants: dict[str, tuple] = CONSTANTS) -> float:
        """CD-42, CD-43, CD-46."""
        cells = set(region.faces)
        k, p = self.own_turns, self.p(region)
        closing = 0.0
        if cells:
            closing = sum(math.comb(k, j) * p**j * (1 - p) ** (k - j) for j in range(len(cells), k + 1))
        sure = 1 if not cells and region.size >= 3 else 0
        av, bv, cv, am, bm, cm, an, bn, cn = constants[region.terrain]
        growth = self.reach(cells)
        h = self.h[region.terrain]
        beside = len(region.beside - region.cities)
        return (
            (av + bv * (sure + closing)) * (region.size + cv * growth)
            + (am + bm * (sure + closing)) * (len(region.cities) + cm * growth * h)
            + (an + bn * (sure + closing)) * (beside + cn * self.reach(self.beside(region)) * self.h["grassland"])
        )

    def weight(self, region: SlowRegion, weighting: str) -> float:
        """CD-40."""
        if weighting == "plain":
            return self.phi(region)
        if weighting == "geometric":
            return self.phi(region) * self.p(region)
        fitting = sum(self.deck[name] for name in frozenset().union(*map(self.fitting, region.faces)))
        return self.phi(region) * fitting / self.left if self.left else 0.0

    def greedy(self, p: int) -> float:
        """CD-33."""
        worth = [self.scores[q] + sum(r.now("open") for r in self.followers[q]) for q in range(self.players)]
        return standing([float(x) for x in worth], p)

    def potential(self, p: int, weighting: str = "fit") -> float:
        """CD-37 … CD-39."""
        pot = [self.scores[q] + sum(self.phi(r) for r in self.followers[q]) for q in range(self.players)]
        occupied = {id(r) for standing_on in self.followers for r in standing_on}
        heap = [-self.weight(r, weighting) for r in self.regions if r.faces and id(r) not in occupied]
        heapq.heapify(heap)
        free = [4 - len(standing_on) for standing_on in self.followers]
        steps, mover = self.left, (p + 1) % self.players
        while steps > 0 and heap:
            if free[mover] > 0:
                free[mover] -= 1
                pot[mover] -= heapq.heappop(heap)
            else:
                free[mover] += 1
            steps -= 1
            mover = (mover + 1) % self.players
        return standing(pot, p)

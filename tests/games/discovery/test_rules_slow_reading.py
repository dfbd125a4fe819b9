"""The engine agrees with the slow reader after every action of random games, 2–5 players, all readings of the rules."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.rng import CHANCE_STREAM, POLICY, generator
from ludens.games.discovery import GAME
from ludens.games.discovery.rules.tiles import PERIOD, TERRAINS
from ludens.games.discovery.state import DRAWING, FIRST_FOLLOWER, FOLLOWER, OVER, PASS, PLACING
from ludens.games.discovery.text import lookup
from tests.games.discovery.slow import NAMES, SlowMap, SlowRegion
from tests.games.discovery.table import slow_map

READINGS = list(itertools.product(("discard", "return"), ("open", "closed"), ("open", "closed", "actual")))


class Shadow:
    """The same game kept by hand: followers and points from slow regions alone."""

    def __init__(self, players: int, small: str, final: str) -> None:
        self.small, self.final = small, final
        self.points = [0] * players
        self.followers: list[list[tuple]] = [[] for _ in range(players)]  # segments, oldest first
        self.map = SlowMap([])
        self.home: dict[tuple, SlowRegion] = {}

    def read(self, state: np.ndarray) -> None:
        self.map = slow_map(state)
        self.home = {segment: region for region in self.map.regions() for segment in region.segments}

    def act(self, seat: int, action: int, state: np.ndarray) -> None:
        if action == PASS:
            return
        if action >= FIRST_FOLLOWER:
            segment = self.followers[seat].pop(action - FIRST_FOLLOWER)
            self.points[seat] += self.home[segment].now(self.small)
            return
        last = int(state["placed"][0]) - 1
        place = (int(state["tile_x"][0, last]), int(state["tile_y"][0, last]))
        segment = (place, action - (FIRST_FOLLOWER - 5))
        assert len(self.followers[seat]) < 4
        assert all(self.home[segment] is not self.home[f] for standing in self.followers for f in standing)
        self.followers[seat].append(segment)

    def finish(self) -> None:
        for seat, standing in enumerate(self.followers):
            self.points[seat] += sum(self.home[f].at_end(self.small, self.final) for f in standing)
            standing.clear()


def compare_map(state: np.ndarray, shadow: Shadow) -> None:
    """Partition into regions, sizes, open ends, cities, frontier."""
    s = state[0]
    numbers: dict[int, SlowRegion] = {}
    tile_piece = state["tile_piece"][0].tolist()
    piece_region = state["piece_region"][0].tolist()
    tiles = {place: tile for tile, place in enumerate(shadow.map.tiles)}
    for (place, number), region in shadow.home.items():
        engine = piece_region[tile_piece[tiles[place]] + number]
        assert numbers.setdefault(engine, region) is region
    assert len(numbers) == len({id(region) for region in numbers.values()})
    sizes, ends = state["region_tiles"][0].tolist(), state["region_ends"][0].tolist()
    cities = state["region_cities"][0].tolist()
    for number, region in numbers.items():
        assert sizes[number] == region.size
        assert ends[number] == len(region.faces)
        assert cities[number].bit_count() == len(region.cities)
    cells = lookup.cells(s)
    assert set(cells) == shadow.map.frontier
    assert len(set(cells)) == len(cells) <= 2 * len(tiles) + 2


def compare_points(state: np.ndarray, shadow: Shadow) -> None:
    """Every region's worth now and at the end, as words and pages show it."""
    for region in lookup.regions(state[0]):
        tile, segment = region.pieces[0]
        place = (int(state["tile_x"][0, tile]), int(state["tile_y"][0, tile]))
        slow = shadow.home[place, segment]
        assert TERRAINS[region.terrain] == slow.terrain
        assert len(region.pieces) == len(slow.segments)
        assert region.points == slow.now(shadow.small)
        assert region.final_points == slow.at_end(shadow.small, shadow.final)
        assert region.cities == len(slow.cities)
        if slow.terrain == "mountains":
            assert region.cities_beside == len(slow.beside - slow.cities)


def compare_placements(state: np.ndarray, legal: list[int], shadow: Shadow) -> None:
    kind = int(state["hand"][0])
    cells = lookup.cells(state[0])
    period = int(PERIOD[kind])
    engine = {(cells[a // 4], turns) for a in legal for turns in range(a % 4, 4, period)}
    assert engine == shadow.map.placements(NAMES[kind])


def check_game(players: int, seed: int, thorough: bool) -> None:
    unplaceable, small, final = READINGS[seed % len(READINGS)]
    options = {"unplaceable_tile": unplaceable, "small_region_scoring": small, "final_scoring": final}
    state = record.blank(GAME.dtype)
    kernels.reset_at(state, 0, GAME.options({"players": players, **options}))
    finished = state.copy()
    legal, log = np.zeros(GAME.spec.actions, np.int64), np.zeros(4000, np.int64)
    length = kernels.random_game(finished, generator(seed, CHANCE_STREAM), generator(seed, POLICY), legal, log)
    shadow = Shadow(players, small, final)
    shadow.read(state)
    for action in log[:length].tolist():
        phase, seat = int(state["phase"][0]), int(state["current"][0])
        before = state.copy()
        if phase == PLACING and thorough:
            compare_placements(state, legal[: kernels.legal_at(state, 0, legal)].tolist(), shadow)
        kernels.apply_at(state, 0, action)
        after = int(state["phase"][0])
        if phase == PLACING:
            shadow.read(state)
            compare_map(state, shadow)
            if thorough:
                compare_points(state, shadow)
        elif phase == FOLLOWER:
            shadow.act(seat, action, before)
            if after == OVER:
                shadow.finish()
        elif phase == DRAWING:
            assert (after == PLACING) == bool(shadow.map.placements(NAMES[action]))
            if after == OVER:
                shadow.finish()
        assert state["score"][0, :players].tolist() == shadow.points
        assert state["follower_count"][0, :players].tolist() == [len(standing) for standing in shadow.followers]
    assert int(state["phase"][0]) == OVER
    assert state.tobytes() == finished.tobytes()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_agree_after_every_action(players: int) -> None:
    for seed in range(50):
        check_game(players, 1000 * players + seed, thorough=seed < 5)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_thousands_of_random_games_agree_after_every_action(players: int) -> None:
    for seed in range(1000):
        check_game(players, 100_000 * players + seed, thorough=seed % 20 == 0)

"""The potential heuristic against its slow reading: CD-37 … CD-52."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ludens.core.jit import plain
from ludens.core.rng import AGENT, generator
from ludens.games.discovery.players import potential
from ludens.games.discovery.players.settings import (
    CONSTANTS,
    FIT,
    GEOMETRIC,
    PLAIN,
    POTENTIAL,
    blank_workspace,
    city_share,
    constant_names,
    make_settings,
)
from ludens.games.discovery.rules.tiles import TERRAINS
from ludens.games.discovery.state import DRAWING, FOLLOWER, MAX_PIECES
from ludens.games.discovery.text import lookup
from tests.games.discovery import entries, slow_heuristics
from tests.games.discovery.positions import positions
from tests.games.discovery.slow_heuristics import Reader
from tests.games.discovery.table import Table

WEIGHTINGS = {"fit": FIT, "geometric": GEOMETRIC, "plain": PLAIN}


def potentials(state: np.ndarray, settings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    phi, weight = np.zeros(MAX_PIECES), np.zeros(MAX_PIECES)
    entries.potentials_at(state, 0, settings, blank_workspace(), phi, weight)
    return phi, weight


def value_of(state: np.ndarray, settings: np.ndarray, p: int) -> float:
    return float(entries.value_at(state, 0, settings, blank_workspace(), p, generator(0, AGENT)))


def slow_of(state: np.ndarray, reader: Reader, region: lookup.Region) -> slow_heuristics.SlowRegion:
    tile, segment = region.pieces[0]
    return reader.home[(int(state["tile_x"][0, tile]), int(state["tile_y"][0, tile])), segment]


def some_positions(every: int = 12) -> list[np.ndarray]:
    return [
        state
        for players, seed in ((2, 50), (3, 51), (5, 52))
        for phase in (DRAWING, FOLLOWER)
        for state in positions(players, seed, phase, every)
    ]


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_cd_37_the_simulated_future(weighting: str) -> None:
    """Also CD-38 (as many steps as deck tiles) and CD-39 (seat order, additions to the player concerned)."""
    settings = make_settings(POTENTIAL, weighting=WEIGHTINGS[weighting])
    for state in some_positions(20):
        reader = Reader(state)
        for p in range(reader.players):
            assert value_of(state, settings, p) == pytest.approx(reader.potential(p, weighting), abs=1e-9)


def test_cd_38_cd_39_steps_alternate_until_the_deck_is_used_up() -> None:
    """One tile left: only the next player still gets a region."""
    table = Table(players=3)
    table.turn("D10", 1, 0)
    table.empty_deck(["D03"])
    settings = make_settings(POTENTIAL, weighting=PLAIN)
    phi, _ = potentials(table.state, settings)
    best = max(phi[r.number] for r in lookup.regions(table.s) if not r.closed)
    mover = 0
    assert value_of(table.state, settings, mover) == pytest.approx(3 - 2 - best / 1000)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_cd_40_weights_of_occupiable_regions(weighting: str) -> None:
    settings = make_settings(POTENTIAL, weighting=WEIGHTINGS[weighting])
    for state in some_positions(30):
        _, weight = potentials(state, settings)
        reader = Reader(state)
        for region in lookup.regions(state[0]):
            if not region.closed:
                slow = reader.weight(slow_of(state, reader, region), weighting)
                assert weight[region.number] == pytest.approx(slow, abs=1e-9)


def test_cd_41_a_tile_beside_an_open_coordinate_changes_the_potential() -> None:
    """Its own cells are the same, but fewer tiles fit there."""
    table = Table()
    table.turn("D10", 1, 0)  # grassland east, looking at 2,0
    before = potentials(table.state, make_settings(POTENTIAL))[0][table.region(1, 0, 1).number]
    deck = table.s.deck.copy()
    table.turn("D66", 1, 1)
    table.turn("D25", 2, 1, 1)  # now 2,0 has a northern neighbour, too
    table.state["deck"][0], table.state["deck_left"][0] = deck, deck.sum()
    after = potentials(table.state, make_settings(POTENTIAL))[0][table.region(1, 0, 1).number]
    assert after < before


@pytest.mark.parametrize("cities_of_deck", [False, True])
def test_cd_42_phi_of_every_region(cities_of_deck: bool) -> None:
    """With CD-43 … CD-48: the slow reading writes every symbol out."""
    settings = make_settings(POTENTIAL, cities_of_deck=cities_of_deck)
    for state in some_positions():
        phi, _ = potentials(state, settings)
        reader = Reader(state, cities_of_deck)
        for region in lookup.regions(state[0]):
            assert phi[region.number] == pytest.approx(reader.phi(slow_of(state, reader, region)), abs=1e-9)


def test_cd_42_any_constants() -> None:
    rng = np.random.default_rng(5)
    constants = rng.uniform(-1, 2, CONSTANTS.shape)
    slow = {name: tuple(constants[i, j, t] for i in range(3) for j in range(3)) for t, name in enumerate(TERRAINS)}
    settings = make_settings(POTENTIAL, constants=constants)
    for state in some_positions(40):
        phi, _ = potentials(state, settings)
        reader = Reader(state)
        for region in lookup.regions(state[0]):
            assert phi[region.number] == pytest.approx(reader.phi(slow_of(state, reader, region), slow), abs=1e-9)


def test_cd_43_only_closed_regions_of_three_tiles_are_sure() -> None:
    table = Table()
    table.turn("D10", 1, 0)
    table.turn("D10", 2, 0, 2)
    small = table.region(1, 0, 1)
    phi, _ = potentials(table.state, make_settings(POTENTIAL))
    assert small.closed
    assert phi[small.number] == pytest.approx(small.size)


def test_cd_44_cd_45_fitting_tiles_of_a_cell_and_their_geometric_mean() -> None:
    table = Table()
    reader = Reader(table.state)
    grassland = reader.home[(0, 0), 1]
    fitting = sum(n for name, n in reader.deck.items() if "grassland" in slow_heuristics.KINDS[name]["edges"])
    assert reader.p(grassland) == pytest.approx(fitting / 83)
    mountain = reader.home[(0, 0), 0]
    either = sum(n for name, n in reader.deck.items() if "mountains" in slow_heuristics.KINDS[name]["edges"])
    assert reader.p(mountain) == pytest.approx(either / 83)
    _, weight = potentials(table.state, make_settings(POTENTIAL, weighting=GEOMETRIC))
    number = table.region(0, 0, 1).number
    assert weight[number] == pytest.approx(reader.phi(grassland) * fitting / 83)


@pytest.mark.parametrize(("wanted", "trials", "p"), [(0, 5, 0.3), (1, 1, 0.5), (3, 41, 0.2), (7, 6, 0.9), (6, 6, 0.9)])
def test_cd_46_the_chance_of_closing(wanted: int, trials: int, p: float) -> None:
    expected = sum(math.comb(trials, j) * p**j * (1 - p) ** (trials - j) for j in range(wanted, trials + 1))
    assert plain(potential.at_least)(wanted, trials, p) == pytest.approx(expected, abs=1e-12)
    assert plain(potential.at_least)(1, trials, 0.0) == 0.0
    assert plain(potential.at_least)(wanted, trials, 1.0) == (1.0 if wanted <= trials else 0.0)


def test_cd_47_cd_48_growth_of_a_region_and_beside_it() -> None:
    """A closed mountain does not grow, but the grassland beside it may."""
    table = Table()
    table.turn("D03", -1, 0)
    table.turn("D03", 1, 0, 2)
    mountain = table.region(0, 0, 0)
    reader = Reader(table.state)
    slow = slow_of(table.state, reader, mountain)
    assert mountain.closed
    assert reader.reach(set(slow.faces)) == 0
    assert reader.reach(reader.beside(slow)) > 0
    phi, _ = potentials(table.state, make_settings(POTENTIAL))
    grown = 2 * (1 + reader.reach(reader.beside(slow)) * city_share(1))
    assert phi[mountain.number] == pytest.approx(grown)


def test_cd_49_cd_52_with_an_empty_deck_the_potential_is_the_score() -> None:
    for state in some_positions(25):
        state["deck"][0], state["deck_left"][0] = 0, 0
        phi, weight = potentials(state, make_settings(POTENTIAL))
        assert not weight.any()
        for region in lookup.regions(state[0]):
            assert phi[region.number] == pytest.approx(region.points)


def test_cd_50_constants_follow_the_table() -> None:
    names = constant_names()
    assert len(names) == 27
    for t, terrain in enumerate(TERRAINS):
        flat = [CONSTANTS[names[f"{role}{component}_{terrain}"]] for component in "VMN" for role in "abc"]
        assert tuple(flat) == slow_heuristics.CONSTANTS[terrain]
        assert CONSTANTS[:, :, t].ravel().tolist() == flat


def test_cd_51_city_chances_come_from_the_tiles() -> None:
    whole = {name: tile["count"] for name, tile in slow_heuristics.KINDS.items()}
    for t, terrain in enumerate(TERRAINS):
        assert city_share(t) == pytest.approx(slow_heuristics.city_share(whole, terrain))
        assert 0 < city_share(t) < 1


def test_cd_52_identities() -> None:
    settings = make_settings(POTENTIAL)
    met = set()
    for seed in range(4):
        for state in positions(2, 80 + seed, FOLLOWER, every=10):
            phi, _ = potentials(state, settings)
            reader = Reader(state)
            for region in lookup.regions(state[0]):
                slow = slow_of(state, reader, region)
                assert phi[region.number] >= region.points - 1e-9
                if not region.closed:
                    continue
                if slow.terrain != "mountains" and region.size >= 3:
                    met.add("large")
                    assert phi[region.number] == pytest.approx(region.points)
                if region.size <= 2 and not reader.beside(slow):
                    met.add("small")
                    assert phi[region.number] == pytest.approx(slow.as_if(False))
                if slow.terrain == "mountains" and region.size >= 3 and not reader.beside(slow):
                    met.add("mountain")
                    assert phi[region.number] == pytest.approx(2 * len(slow.cities | slow.beside))
    assert {"large", "small"} <= met

"""The Discovery: the settings of the one-step players and their workspace, as records that kernels take."""

from __future__ import annotations

import numpy as np

from ludens.core.record import Record, blank, float64, int64, layout
from ludens.games.discovery.rules.tiles import SEGMENT_CITIES, TERRAINS, TILE_SET
from ludens.games.discovery.state import MAX_CELLS, MAX_PIECES, MAX_PLAYERS

__all__ = [
    "COMPONENTS",
    "CONSTANTS",
    "FIT",
    "GEOMETRIC",
    "GREEDY",
    "PLAIN",
    "POTENTIAL",
    "RANDOM",
    "ROLES",
    "SETTINGS_RECORD",
    "WEIGHTINGS",
    "WORKSPACE_RECORD",
    "Settings",
    "Workspace",
    "blank_workspace",
    "city_share",
    "constant_names",
    "make_settings",
]

RANDOM, GREEDY, POTENTIAL = range(3)  # the heuristics
FIT, GEOMETRIC, PLAIN = range(3)  # how the weight of an occupiable region is normalised (CD-40): q, p, 1

WEIGHTINGS = ("fit", "geometric", "plain")  # their names

# CD-50: [V, M, N: size, own cities, cities beside][a, b, c][mountains, grassland, sea].
CONSTANTS = np.array(
    [
        [[0, 1, 0], [0, 1, 1], [0, 1, 1]],
        [[1, 0, 1], [1, 0, 0], [1, 0, 1]],
        [[1, 0, 0], [1, 0, 0], [1, 0, 0]],
    ],
    np.float64,
)

COMPONENTS = {"V": "size", "M": "own cities", "N": "cities on adjoining grasslands"}
ROLES = {"a": "weight when open", "b": "additional weight when closed", "c": "weight of expected growth"}


class Settings(Record):
    """What the players are told once."""

    heuristic = int64()  # RANDOM, GREEDY or POTENTIAL
    random_ties = int64()  # 1: any of the equally good moves; 0: the first (CD-31)
    terminal_aware = int64()  # 1: with an empty deck followers are worth their final score (CD-35)
    weighting = int64()  # FIT, GEOMETRIC or PLAIN
    cities_of_deck = int64()  # 1: h_t over the deck; 0: over the tile set (CD-51)
    city_chance = float64(len(TERRAINS))  # h_t over the tile set
    constants = float64(3, 3, len(TERRAINS))
    shift = float64(4, len(TERRAINS))  # A of CD-68, for i, p^U, p^R and p^N
    scale = float64(4, len(TERRAINS))  # B of CD-68


class Workspace(Record):
    """What they work out in a position."""

    worth = float64(MAX_PLAYERS)  # every player's points with placed followers counted in
    future = float64(MAX_PLAYERS)  # the same at the end of the simulated future (CD-37)
    free = int64(MAX_PLAYERS)  # free followers in the simulated future
    stay = float64(MAX_PIECES)  # by region: what a follower is worth if it stays
    weight = float64(MAX_PIECES)  # by region: w(r) of CD-40
    ranking = int64(MAX_PIECES)  # occupiable regions, heaviest first
    ranked = int64()  # how many
    open_cells = int64(MAX_PIECES)  # by region: |I| of CD-44
    share_product = float64(MAX_PIECES)  # by region: product of K_j / K
    reach_sum = float64(MAX_PIECES)  # by region: p^R of CD-47
    first_cell = int64(MAX_PIECES)  # by region: its cells chained through `link_after`, or -1
    cell_of_link = int64(4 * MAX_CELLS)
    link_after = int64(4 * MAX_CELLS)
    shared_cells = int64(MAX_CELLS)  # cells that several grasslands look into
    shared = int64()  # how many
    seen = int64(MAX_PIECES)  # by grassland: stamp of the region that has counted it
    stamp = int64()
    fitting = int64(256)  # by code of a cell: K_j, or -1 when not yet counted
    reach = float64(256)  # by code of a cell: 1 - (1 - K_j / K)^k
    city_chance = float64(len(TERRAINS))  # h_t in use


SETTINGS_RECORD, WORKSPACE_RECORD = layout("one-step settings", Settings), layout("one-step workspace", Workspace)


def blank_workspace() -> np.ndarray:
    return blank(WORKSPACE_RECORD)


def city_share(terrain: int) -> float:
    """h_t: the share of segments of a terrain that have a city, over the tile set (CD-51)."""
    found = total = 0
    for kind, scheme in enumerate(TILE_SET):
        for segment, own in enumerate(scheme.terrain):
            if own == terrain:
                total += scheme.copies
                found += scheme.copies * bool(SEGMENT_CITIES[kind, segment])
    return found / total


def constant_names() -> dict[str, tuple[int, int, int]]:
    """Names such as `aV_sea` and where they stand in `CONSTANTS` (CD-42, CD-50)."""
    return {
        f"{role}{component}_{terrain}": (i, j, t)
        for i, component in enumerate(COMPONENTS)
        for j, role in enumerate(ROLES)
        for t, terrain in enumerate(TERRAINS)
    }


def make_settings(
    heuristic: int, random_ties: bool = False, terminal_aware: bool = False, weighting: int = FIT,
    cities_of_deck: bool = False, constants: np.ndarray = CONSTANTS, shift: np.ndarray | float = 0.0,
    scale: np.ndarray | float = 1.0,
) -> np.ndarray:  # fmt: skip
    """An array of one settings record."""
    settings = blank(SETTINGS_RECORD)
    settings["heuristic"] = heuristic
    settings["random_ties"] = random_ties
    settings["terminal_aware"] = terminal_aware
    settings["weighting"] = weighting
    settings["cities_of_deck"] = cities_of_deck
    settings["city_chance"] = [city_share(terrain) for terrain in range(len(TERRAINS))]
    settings["constants"] = constants
    settings["shift"] = shift
    settings["scale"] = scale
    return settings

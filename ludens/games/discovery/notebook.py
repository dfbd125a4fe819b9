"""The Discovery: the scratch page and the settings of the heuristic players, as records that kernels take."""

from __future__ import annotations

import numpy as np

from ludens.games.discovery.state import MAX_CELLS, MAX_PIECES, MAX_PLAYERS
from ludens.games.discovery.tiles import SEGMENT_CITIES, TERRAINS, TILE_SET

__all__ = [
    "CONSTANTS",
    "FIT",
    "GEOMETRIC",
    "GREEDY",
    "NOTEBOOK",
    "PLAIN",
    "POTENTIAL",
    "RANDOM",
    "SETTINGS",
    "blank_notebook",
    "city_share",
    "make_settings",
]

RANDOM, GREEDY, POTENTIAL = range(3)  # the heuristics
FIT, GEOMETRIC, PLAIN = range(3)  # how the weight of an occupiable region is normalised (CD-40): q, p, 1

# CD-50: [V, M, N: size, own cities, cities beside][a, b, c][mountains, grassland, sea].
CONSTANTS = np.array(
    [
        [[0, 1, 0], [0, 1, 1], [0, 1, 1]],
        [[1, 0, 1], [1, 0, 0], [1, 0, 1]],
        [[1, 0, 0], [1, 0, 0], [1, 0, 0]],
    ],
    np.float64,
)

SETTINGS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("heuristic", "i8"),  # RANDOM, GREEDY or POTENTIAL
                ("random_ties", "i8"),  # 1: any of the equally good moves; 0: the first (CD-31)
                ("terminal_aware", "i8"),  # 1: with an empty deck followers are worth their final score (CD-35)
                ("weighting", "i8"),  # FIT, GEOMETRIC or PLAIN
                ("cities_of_deck", "i8"),  # 1: h_t over the deck; 0: over the tile set (CD-51)
                ("city_chance", "f8", (len(TERRAINS),)),  # h_t over the tile set
                ("constants", "f8", (3, 3, len(TERRAINS))),
            ],
            align=True,
        ),
    )
)

NOTEBOOK = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("worth", "f8", (MAX_PLAYERS,)),  # every player's points with placed followers counted in
                ("future", "f8", (MAX_PLAYERS,)),  # the same at the end of the simulated future (CD-37)
                ("free", "i8", (MAX_PLAYERS,)),  # free followers in the simulated future
                ("stay", "f8", (MAX_PIECES,)),  # by region: what a follower is worth if it stays
                ("weight", "f8", (MAX_PIECES,)),  # by region: w(r) of CD-40
                ("ranking", "i8", (MAX_PIECES,)),  # occupiable regions, heaviest first
                ("ranked", "i8"),  # how many
                ("open_cells", "i8", (MAX_PIECES,)),  # by region: |I| of CD-44
                ("share_product", "f8", (MAX_PIECES,)),  # by region: product of K_j / K
                ("reach_sum", "f8", (MAX_PIECES,)),  # by region: p^R of CD-47
                ("first_cell", "i8", (MAX_PIECES,)),  # by region: its cells chained through `cell_after`, or -1
                ("cell_of_link", "i8", (4 * MAX_CELLS,)),
                ("link_after", "i8", (4 * MAX_CELLS,)),
                ("shared_cells", "i8", (MAX_CELLS,)),  # cells that several grasslands look into
                ("shared", "i8"),  # how many
                ("seen", "i8", (MAX_PIECES,)),  # by grassland: stamp of the region that has counted it
                ("stamp", "i8"),
                ("fitting", "i8", (256,)),  # by code of a cell: K_j, or -1 when not yet counted
                ("reach", "f8", (256,)),  # by code of a cell: 1 - (1 - K_j / K)^k
                ("city_chance", "f8", (len(TERRAINS),)),  # h_t in use
            ],
            align=True,
        ),
    )
)


def blank_notebook() -> np.ndarray:
    return np.zeros(1, NOTEBOOK)


def city_share(terrain: int) -> float:
    """h_t: the share of segments of a terrain that have a city, over the tile set (CD-51)."""
    found = total = 0
    for kind, scheme in enumerate(TILE_SET):
        for segment, own in enumerate(scheme.terrain):
            if own == terrain:
                total += scheme.copies
                found += scheme.copies * bool(SEGMENT_CITIES[kind, segment])
    return found / total


def make_settings(
    heuristic: int,
    random_ties: bool = False,
    terminal_aware: bool = False,
    weighting: int = FIT,
    cities_of_deck: bool = False,
    constants: np.ndarray = CONSTANTS,
) -> np.ndarray:
    """An array of one settings record."""
    settings = np.zeros(1, SETTINGS)
    settings["heuristic"] = heuristic
    settings["random_ties"] = random_ties
    settings["terminal_aware"] = terminal_aware
    settings["weighting"] = weighting
    settings["cities_of_deck"] = cities_of_deck
    settings["city_chance"] = [city_share(terrain) for terrain in range(len(TERRAINS))]
    settings["constants"] = constants
    return settings

"""The Discovery: the settings of the one-step players, as a record that kernels take."""

from __future__ import annotations

import numpy as np

from ludens.games.discovery.rules.tiles import SEGMENT_CITIES, TERRAINS, TILE_SET

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
    "SETTINGS",
    "WEIGHTINGS",
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
                ("shift", "f8", (4, len(TERRAINS))),  # A of CD-68, for i, p^U, p^R and p^N
                ("scale", "f8", (4, len(TERRAINS))),  # B of CD-68
            ],
            align=True,
        ),
    )
)


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
    heuristic: int,
    random_ties: bool = False,
    terminal_aware: bool = False,
    weighting: int = FIT,
    cities_of_deck: bool = False,
    constants: np.ndarray = CONSTANTS,
    shift: np.ndarray | float = 0.0,
    scale: np.ndarray | float = 1.0,
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
    settings["shift"] = shift
    settings["scale"] = scale
    return settings

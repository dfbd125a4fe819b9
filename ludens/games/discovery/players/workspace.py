"""The Discovery: the workspace of the one-step players, a record that kernels take."""

from __future__ import annotations

import numpy as np

from ludens.games.discovery.rules.tiles import TERRAINS
from ludens.games.discovery.state import MAX_CELLS, MAX_PIECES, MAX_PLAYERS

__all__ = ["WORKSPACE", "blank_workspace"]

WORKSPACE = np.dtype(
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


def blank_workspace() -> np.ndarray:
    return np.zeros(1, WORKSPACE)

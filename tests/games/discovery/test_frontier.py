"""What tiles end beside a cell, read slowly from the tiles."""

from __future__ import annotations

import numpy as np

from ludens.core.jit import plain
from ludens.games.discovery import frontier
from ludens.games.discovery.rules.tiles import NOTHING_ASKED, SIDE_SEGMENT, fitting_turns
from ludens.games.discovery.state import KINDS


def sides_ended(kind: int, code: int) -> int:
    """Bit d: the tile fits so that what it shows on side d reaches no side beside which nothing lies."""
    found = 0
    for turns in range(4):
        if plain(fitting_turns)(kind, code) >> turns & 1:
            shown = [int(SIDE_SEGMENT[kind, side - turns & 3]) for side in range(4)]
            asked = [code >> 2 * side & 3 != NOTHING_ASKED for side in range(4)]
            going_on = {segment for segment, known in zip(shown, asked, strict=True) if not known}
            found |= sum(1 << side for side in range(4) if asked[side] and shown[side] not in going_on)
    return found


def test_the_table_of_what_tiles_end_is_that_of_the_tiles() -> None:
    rng = np.random.default_rng(1)
    for kind, code in zip(rng.integers(0, KINDS, 2000).tolist(), rng.integers(0, 256, 2000).tolist(), strict=True):
        assert frontier._ENDED[kind, code] == sides_ended(kind, code)


def test_a_tile_that_ends_a_side_fits() -> None:
    assert (frontier._FITS[:, None] + 1e-6 >= frontier._ENDS).all()
    assert frontier._ENDS.max() > 0.1

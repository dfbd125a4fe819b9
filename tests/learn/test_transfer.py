"""A network begins with what another learnt: the same inputs have the same weights, wherever they stand."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core.errors import BadInput
from ludens.core.registry import game
from ludens.core.spec import split
from ludens.networks.network import Network, untrained
from ludens.networks.rows import rows_layout
from ludens.networks.transfer import transferred


def _azul(players: int, seed: int) -> Network:
    found = game("azul")
    return untrained(found, found.options({"players": players}), width=16, blocks=1, seed=seed)


def _by_block(name: str, players: int, weights: np.ndarray, without: str = "") -> dict[str, np.ndarray]:
    found = game(name)
    blocks = [block for block in found.spec.blocks(found.options({"players": players})) if block.name != without]
    return split(weights.T, blocks)


def test_inputs_are_matched_by_what_they_stand_for() -> None:
    azul = game("azul")
    start, fresh = _azul(2, seed=1), _azul(4, seed=2)
    found = transferred(fresh, start, azul, azul.options({"players": 4}))
    old = _by_block("azul", 2, start.arrays["input.weight"])
    new = _by_block("azul", 4, found.arrays["input.weight"])
    for name in ("centre", "bag", "lid", "floors", "tiling"):
        assert np.array_equal(old[name], new[name])
    for name, rows in (("factories", 5), ("walls", 2), ("lines", 2), ("boards", 2)):
        assert np.array_equal(old[name], new[name][:, :rows])  # of the first factories and players
        assert not new[name][:, rows:].any()  # the others play no part yet
    assert np.array_equal(found.arrays["policy.weight"], start.arrays["policy.weight"])
    assert np.array_equal(found.arrays["value.weight"], fresh.arrays["value.weight"])  # four seats, not two


def test_columns_of_a_shared_table_are_matched_by_their_names() -> None:
    discovery = game("discovery")
    networks = {}
    for players in (2, 5):
        options = discovery.options({"players": players})
        layout = rows_layout(discovery, options, "cells", 4, width=16, blocks=1, row_width=16)
        networks[players] = untrained(discovery, options, layout=layout, seed=players)
    start, fresh = networks[2], networks[5]
    found = transferred(fresh, start, discovery, discovery.options({"players": 5})).arrays
    old, new = start.arrays["rows.weight"], found["rows.weight"]
    assert np.array_equal(old[:3], new[:3])
    for side in range(4):  # five columns of the region, then one a player
        before, after = old[3 + 7 * side : 10 + 7 * side], new[3 + 10 * side : 13 + 10 * side]
        assert np.array_equal(before, after[:7]) and not after[7:].any()
    for name in ("input.weight", "context.weight"):
        placed, at_first = (
            _by_block("discovery", n, w, "cells")["placed"] for n, w in ((5, found[name]), (2, start.arrays[name]))
        )
        assert np.array_equal(at_first[..., :7], placed[..., :7])  # the region and two players
        assert np.array_equal(at_first[..., 7:], placed[..., 10:]) and not placed[..., 7:10].any()  # its points


def test_a_network_that_cannot_be_the_beginning_is_refused() -> None:
    azul, catan = game("azul"), game("catan")
    options = azul.options({})
    with pytest.raises(BadInput, match="another width"):
        transferred(untrained(azul, options, width=32), _azul(2, 1), azul, options)
    with pytest.raises(BadInput, match="not for azul"):
        transferred(_azul(2, 1), untrained(catan, catan.options({}), width=16), azul, options)

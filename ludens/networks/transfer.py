"""Weight transfer: what one network learnt as the beginning of another: for more players, other rules, or once more.

Inputs are matched by what they stand for (`Block.labels`), not by where they stand: the boards of the first players are
the same inputs whether two play or four. Inputs that the first network did not have begin with weights of zero, so that
the second plays at first as if they were not there. All other arrays are taken where they have the same shape.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.networks.network import Network
from ludens.networks.rows import RowsLayout

__all__ = ["transferred"]

_BY_INPUT = ("input.weight", "context.weight")  # a row an input, those of the shared table left out
_BY_COLUMN = "rows.weight"  # a row a column of the shared table


def transferred(fresh: Network, start: Network, game: Game, options: np.ndarray) -> Network:
    """The fresh network, for these options, with what fits of another of the same game, architecture and width."""
    if (start.game, start.features) != (fresh.game, fresh.features):
        raise BadInput(f"The network to begin with is for {start.game}, not for {fresh.game} with the same features.")
    if type(start.layout) is not type(fresh.layout) or start.layout.width != fresh.layout.width:
        raise BadInput("The network to begin with has another architecture or another width than the run's.")
    covered = {name: values[0] for name, values in start.options.items()}
    old = _labels(start, game, game.options({**game.spec.tournament, **covered}))
    new = _labels(fresh, game, options)
    taken = dict[str, np.ndarray]()
    for name, array in fresh.arrays.items():
        if name in (*_BY_INPUT, _BY_COLUMN):
            which = "columns" if name == _BY_COLUMN else "inputs"
            taken[name] = _matched(start.arrays[name], old[which], new[which])
        elif name in start.arrays and start.arrays[name].shape == array.shape:
            taken[name] = start.arrays[name]
    return replace(fresh, arrays={**fresh.arrays, **taken})


def _labels(network: Network, game: Game, options: np.ndarray) -> dict[str, list[tuple[Any, ...]]]:
    """What the inputs of a network stand for, and the columns of the table that it is shared over."""
    found: dict[str, list[tuple[Any, ...]]] = {"inputs": [], "columns": []}
    begin = 0
    for block in game.spec.blocks(options):
        if isinstance(network.layout, RowsLayout) and begin == network.layout.begin:
            found["columns"] = block.labels()[: network.layout.columns]
        else:
            found["inputs"] += [(block.name, *label) for label in block.labels()]
        begin += block.size
    return found


def _matched(rows: np.ndarray, old: list[tuple[Any, ...]], new: list[tuple[Any, ...]]) -> np.ndarray:
    """The rows of the old labels in the order of the new ones; zeros for those that are new."""
    places = {label: place for place, label in enumerate(old)}
    found = np.zeros((len(new), *rows.shape[1:]), rows.dtype)
    for place, label in enumerate(new):
        if label in places:
            found[place] = rows[places[label]]
    return found

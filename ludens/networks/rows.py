"""A network that is shared over the rows of a table within the features, such as the cells beside a map.

    known = rows(row) + context(other features); known += mix(relu(known))    the same for every row
    trunk = input(other features) + pool(mean of relu(known), largest of relu(known))
    an action that belongs to a row: slots(relu(known + back(relu(trunk)))), one output a slot
    all other actions: from the trunk, as in every network

Rows of zeros stand for nothing: they are not mixed, and left out of mean and largest. Rows may stand in any order: what
is learnt of one is known of all. Action `first_action + slots * r + t` belongs to slot t of row r, such as turn t of a
tile in cell r.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.networks.layout import Layout, Shapes

__all__ = ["RowsLayout", "rows_layout"]


@dataclass(frozen=True, kw_only=True)
class RowsLayout(Layout):
    """A small network for every row, pooled into the trunk."""

    architecture = "rows"
    largest: ClassVar[dict[str, int]] = {
        **Layout.largest,
        "begin": 1 << 20,
        "rows": 4096,
        "columns": 4096,
        "row_width": 1024,
        "first_action": 1 << 16,
        "slots": 64,
    }
    may_be_zero: ClassVar[set[str]] = {*Layout.may_be_zero, "begin", "first_action"}

    begin: int  # where the table begins in the features
    rows: int
    columns: int
    row_width: int = 64
    first_action: int = 0
    slots: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        size, of_rows = self.rows * self.columns, self.rows * self.slots
        if self.begin + size > self.inputs or size == self.inputs:
            raise BadInput("The table of a rows network must lie within its inputs, beside others.")
        if self.first_action + of_rows > self.actions or of_rows == self.actions:
            raise BadInput("The actions of a rows network's table must lie within its actions, beside others.")

    def shapes(self) -> Shapes:
        others, width, small = self.inputs - self.rows * self.columns, self.width, self.row_width
        return self._trunk_and_heads(others, self.actions - self.rows * self.slots) | {
            "rows.weight": (self.columns, small),
            "rows.bias": (small,),
            "context.weight": (others, small),
            "mix.weight": (small, small),
            "mix.bias": (small,),
            "pool.weight": (2 * small, width),
            "back.weight": (width, small),
            "slots.weight": (self.slots, small),
            "slots.bias": (self.slots,),
        }


def rows_layout(
    game: Game, options: np.ndarray, block: str, slots: int, first_action: int = 0, **sizes: Any
) -> RowsLayout:
    """The layout over a named block of the game's features, which must be a table."""
    spec, begin = game.spec, 0
    for part in spec.blocks(options):
        if part.name == block and len(part.shape) > 1:
            return RowsLayout(
                inputs=spec.observation_size(options),
                actions=spec.actions,
                seats=int(options[0]),
                begin=begin,
                rows=part.shape[0],
                columns=part.size // part.shape[0],
                first_action=first_action,
                slots=slots,
                **sizes,
            )
        begin += part.size
    raise BadInput(f"The features of {spec.name} have no table named {block}.")

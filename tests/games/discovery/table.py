"""A table to set up positions at: tiles are drawn and placed by name, through the rules only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ludens.core import kernels, record
from ludens.games.discovery import GAME
from ludens.games.discovery.state import FIRST_FOLLOWER, FIRST_REGION, PASS
from ludens.games.discovery.text import lookup
from tests.games.discovery.slow import NAMES, SlowMap

__all__ = ["Table", "slow_map"]


def slow_map(state: np.ndarray) -> SlowMap:
    """The placed tiles of a record as the slow reader knows them."""
    count = int(state["placed"][0])
    columns = [state[name][0][:count].tolist() for name in ("tile_kind", "tile_x", "tile_y", "tile_turns")]
    return SlowMap((NAMES[kind], x, y, turns) for kind, x, y, turns in zip(*columns, strict=True))


class Table:
    """A game under full control: `turn` draws a named tile, places it and moves a follower."""

    def __init__(self, **options: Any) -> None:
        self.options = GAME.options(options)
        self.state = record.blank(GAME.dtype)
        kernels.reset_at(self.state, 0, self.options)

    @property
    def s(self) -> Any:
        return self.state[0]

    def legal(self) -> list[int]:
        out = np.zeros(GAME.spec.actions, np.int64)
        return out[: kernels.legal_at(self.state, 0, out)].tolist()

    def actor(self) -> int:
        return int(kernels.actor_at(self.state, 0))

    def apply(self, action: int) -> None:
        kernels.apply_at(self.state, 0, action)

    def draw(self, name: str) -> None:
        self.apply(NAMES.index(name))

    def place(self, x: int, y: int, turns: int = 0) -> None:
        cell = lookup.cell_index(self.s, x, y)
        assert cell is not None, "not beside the map"
        assert 4 * cell + turns in self.legal(), "the terrains do not agree"
        self.apply(4 * cell + turns)

    def follower(self, segment: int) -> None:
        assert FIRST_REGION + segment in self.legal()
        self.apply(FIRST_REGION + segment)

    def remove(self, number: int) -> None:
        assert FIRST_FOLLOWER + number in self.legal()
        self.apply(FIRST_FOLLOWER + number)

    def skip(self) -> None:
        self.apply(PASS)

    def turn(self, name: str, x: int, y: int, turns: int = 0, follower: int | None = None) -> None:
        """A whole turn: with a follower on a segment, or pass."""
        self.draw(name)
        self.place(x, y, turns)
        if follower is None:
            self.skip()
        else:
            self.follower(follower)

    def empty_deck(self, keep: Iterable[str] = ()) -> None:
        """Takes all tiles but the named ones out of the game, so that the end is near."""
        self.state["deck"][0] = 0
        for name in keep:
            self.state["deck"][0][NAMES.index(name)] += 1
        self.state["deck_left"][0] = self.state["deck"][0].sum()

    def scores(self) -> list[int]:
        return self.state["score"][0, : int(self.s.players)].tolist()

    def region(self, x: int, y: int, segment: int) -> lookup.Region:
        tile = lookup.tile_at(self.s, x, y)
        assert tile is not None
        return lookup.region_at(self.s, lookup.piece_number(self.s, tile, segment))

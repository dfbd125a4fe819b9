"""Scotland Yard: the players of the thesis on the grid (SY-34 … SY-42)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.agent import Agent, Clock, Seating
from ludens.core.errors import BadInput
from ludens.core.published import Matchup, Published
from ludens.core.rng import pick
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.players import thesis_alphabeta
from ludens.games.scotland_yard.rules.possible import possible_stations

__all__ = ["PUBLISHED", "ThesisAgent"]


class ThesisAgent(Agent):
    """Alpha-beta on either side of the grid game with two detectives.

    As the detectives it searches when Mr. X is seen and follows the best line, assumed replies included,
    until he is seen again (SY-34); if the line ends before, it assumes the possible cell farthest from the
    nearest detective and searches the rounds left (SY-35). As Mr. X it searches anew on every move (SY-41).

    version: evaluation v1 … v4 of the detectives; mr_x_version: the one Mr. X negates. depth: n; depth_unit:
    "round" or "ply" (SY-36). win_weight: "n" or "n_plus_1" (SY-39). reward: r. x_eval: "neg_v4" or "threat"
    with the cost c (SY-42). ties: the "first" best move in the order they are tried, or a "random" one; order:
    that of "cells", or up, down, right, left as the "thesis" lists them; distance: "manhattan" or "euclid" (SY-72).
    """

    def __init__(
        self,
        version: int = 4,
        mr_x_version: int = 4,
        depth: int = 3,
        depth_unit: str = "round",
        win_weight: str = "n",
        reward: int = 50,
        x_eval: str = "neg_v4",
        threat_cost: int = 2,
        ties: str = "first",
        order: str = "cells",
        distance: str = "manhattan",
    ) -> None:
        self._settings = thesis_alphabeta.Settings(
            version,
            depth,
            int(depth_unit == "ply"),
            reward,
            int(win_weight == "n_plus_1"),
            int(x_eval == "threat"),
            threat_cost,
        )
        self._mr_x_settings = self._settings._replace(version=mr_x_version)
        self._random_ties = ties == "random"
        self._order, self._distance = order, distance
        self._line: dict[int, tuple[int, int, int, int]] = {}  # moves of Mr. X so far -> cells, then steps
        self._steps = (-1, -1)

    def start(self, seating: Seating) -> None:
        if int(seating.options[1]) != 2:
            raise BadInput("The thesis' players are for two detectives (SY-5); choose another agent or detectives=2.")
        self._rng = seating.generator()
        self._hunt, self._flee = (
            thesis_alphabeta.new_search(seating.game.dtype, settings, self._order, self._distance)
            for settings in (self._settings, self._mr_x_settings)
        )
        self._line = {}

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        v = view[0]
        if v.phase == phases.FLEEING:
            self._shuffle(self._flee)
            thesis_alphabeta.flee(
                view, self._flee, thesis_alphabeta.plies_of(self._mr_x_settings, self._mr_x_settings.depth)
            )
            return int(self._flee.line[0, 0])
        if v.pawn == 0 or self._steps[0] != v.pawn_target[0]:
            self._steps = self._joint_step(view)
        step = self._steps[int(v.pawn)]
        return step if step in legal else int(legal[0])

    def _joint_step(self, view: np.ndarray) -> tuple[int, int]:
        """The detectives' next pair of cells: by the kept line, or by a new search."""
        v = view[0]
        moves = int(v.moves)
        here = (int(v.pawn_station[0]), int(v.pawn_station[1]))
        kept = self._line.get(moves)
        if v.seen_move == v.moves:
            kept = self._search(view, int(v.seen_station), self._settings.depth)
        elif kept is None or kept[:2] != here:
            kept = self._search(view, self._farthest(view), self._rounds_to_reveal(view))
        return kept[2], kept[3]

    def _search(self, view: np.ndarray, mr_x: int, depth: int) -> tuple[int, int, int, int]:
        """Plans from an assumed cell of Mr. X and keeps the line; returns its first entry."""
        v = view[0]
        moves, cells = int(v.moves), self._hunt.order.shape[0]
        self._shuffle(self._hunt)
        depth = min(depth, self._settings.depth)
        thesis_alphabeta.plan(view, self._hunt, mr_x, thesis_alphabeta.plies_of(self._settings, depth))
        self._line = {}
        here = (int(v.pawn_station[0]), int(v.pawn_station[1]))
        for k in range(0, int(self._hunt.length[0]), 2):  # every other move of the line is an assumed reply
            steps = divmod(int(self._hunt.line[0, k]), cells)
            self._line[moves + k // 2] = (*here, *steps)
            here = steps
        return self._line[moves]

    def _farthest(self, view: np.ndarray) -> int:
        """The possible cell farthest from the nearest detective, ties at random (SY-35)."""
        v = view[0]
        near = self._hunt.distance[[int(v.pawn_station[0]), int(v.pawn_station[1])]].min(axis=0)
        possible = possible_stations(v)
        farthest = max(near[cell] for cell in possible)
        candidates = [cell for cell in possible if near[cell] == farthest]
        return candidates[pick(self._rng, len(candidates))]

    def _rounds_to_reveal(self, view: np.ndarray) -> int:
        """Detectives' moves from now on until Mr. X is seen again, at least one."""
        v = view[0]
        left = 1
        while left < self._settings.depth and not (int(v.reveal_moves) >> (int(v.moves) + left)) & 1:
            left += 1
        return left

    def _shuffle(self, search: thesis_alphabeta.Search) -> None:
        """With random ties the neighbours of every cell are tried in a new random order."""
        if not self._random_ties:
            return
        for cell, count in enumerate(search.degree):
            for k in range(int(count) - 1, 0, -1):
                other = pick(self._rng, k + 1)
                row = search.order[cell]
                row[k], row[other] = row[other], row[k]


def _matchups() -> tuple[Matchup, ...]:
    """The lines of the printed table, which the reports of experiments read too."""
    printed = tomllib.loads((Path(__file__).parents[1] / "data" / "thesis.toml").read_text(encoding="utf-8"))
    figures = {(figure["what"], figure["player"]): figure["mean"] for figure in printed["figure"]}
    names = [name for what, name in figures if what == "share"]
    return tuple(Matchup(name, ("v4", name), figures["share", name], figures["length", name]) for name in names)


_UNITS: dict[str, Callable[[Any], int]] = {
    "rounds": lambda last: int(last.round_number),
    "plies": lambda last: int(last.round_number) + int(last.moves),  # of the detectives and of Mr. X
}

PUBLISHED = {
    "thesis": Published(
        title="table SY-43",
        source="A. Tulušák, Strategic Game with Uncertainty, Brno 2020, 100 games each",
        side=1,
        counted="games that the detectives win against Mr. X with v4",
        unit="rounds",
        units=_UNITS,
        matchups=_matchups(),
        parameters={"order": thesis_alphabeta.ORDERS, "distance": thesis_alphabeta.DISTANCES},
        reading={"max_rounds": "10", "order": "thesis", "distance": "manhattan", "unit": "plies"},  # A of SY-72
    )
}
"""What the thesis printed, for `ludens arena --table`."""

"""The Discovery: the learning potential player, PL of the thesis (CD-67 … CD-77).

It plays as the potential player does, notes the arguments of Φ of the regions on the board after its own tile, and
after the game moves its coefficients so that Φ comes nearer to what these regions scored in the end.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ludens.core.agent import Clock, Seating
from ludens.core.jit import kernel
from ludens.core.record import Array, Records
from ludens.core.rng import pick
from ludens.games.discovery.players.coefficients import (
    ANY,
    COEFFICIENTS,
    DEFAULT,
    SAMPLE,
    descend,
    pick_set,
    read_sets,
    settings_of,
    write_sets,
)
from ludens.games.discovery.players.one_step import OneStepAgent
from ludens.games.discovery.players.potential import begin_decision, potential_inputs, survey
from ludens.games.discovery.players.settings import Settings, Workspace
from ludens.games.discovery.rules.scoring import points_now, terrain_of
from ludens.games.discovery.state import PLACING, Discovery

__all__ = ["LearningAgent", "add_targets", "note_regions"]

_ROOM = 400  # regions of a board
_TARGET = SAMPLE - 1


@kernel
def note_regions(
    views: Records[Discovery], settings: Records[Settings], workspace: Records[Workspace], out: Array
) -> int:
    """Samples of all regions that Φ is asked about here: occupied ones and those to be had; returns how many."""
    s = views[0]
    begin_decision(s, settings[0], workspace[0])
    survey(s, workspace[0])
    n = 0
    for region in range(s.pieces):
        if s.piece_region[region] != region or n == out.shape[0]:
            continue
        if s.region_followers[region] > 0 or s.region_ends[region] > 0:
            out[n, 0] = region  # the piece by which the region will be found at the end (CD-71)
            out[n, 1] = terrain_of(s, region)
            potential_inputs(s, workspace[0], region, out[n, 2:])
            n += 1
    return n


@kernel
def add_targets(views: Records[Discovery], samples: Array) -> None:
    """What the region of every sample scores on the final board (CD-71)."""
    s = views[0]
    for k in range(samples.shape[0]):
        samples[k, _TARGET] = points_now(s, int(s.piece_region[int(samples[k, 0])]))


class LearningAgent(OneStepAgent):
    """The potential player with learned coefficients; with `save` or `learn` it goes on learning after every game.

    `load` and `save` are files, or for loading a packaged name; `{seat}` in them stands for the seat (from 0), so
    that every seat can have a file of its own, and `against` names the opponent whose set is used (CD-76). A file to
    be saved that is there already is where it goes on.
    """

    def __init__(
        self,
        load: str = "",
        save: str = "",
        against: str = ANY,
        rate: float = 0.005,
        iterations: int = 50,
        least: float = 1e-3,
        clip: float = 10.0,
        normalising: str = "terrain",
        start: str = "default",
        coefficients: np.ndarray | None = None,
    ) -> None:
        super().__init__(settings_of(DEFAULT))
        self._load, self._save, self._against, self._begin = load, save, against, start
        self._descent = {"rate": rate, "iterations": iterations, "least": least, "clip": clip}
        self._shared = normalising == "shared"
        self._given = coefficients
        self.learns = bool(save) or coefficients is not None
        self.coefficients = DEFAULT.copy()
        self.games, self.loss = 0, float("nan")
        self._room = np.zeros((_ROOM, SAMPLE))
        if load and "{seat}" not in load:
            read_sets(load)  # a bad file is refused before the game

    def start(self, seating: Seating) -> None:
        super().start(seating)
        self._seat = seating.seat
        self._sets: dict[str, np.ndarray] = {}
        source, target = (path.replace("{seat}", str(self._seat)) for path in (self._load, self._save))
        self._target = target
        if target and Path(target).exists():
            source = target
        if self._given is not None:
            self.coefficients = self._given
        elif source:
            self._sets, facts = read_sets(source)
            self.games = int(facts.get("games", 0))
            self.coefficients = pick_set(self._sets, self._against, self._seat)
        elif self._begin == "random":  # CD-75: values from [-1, 2]
            draws = [pick(self._rng, 1 << 24) / (1 << 24) for _ in range(COEFFICIENTS)]
            self.coefficients = 3.0 * np.array(draws) - 1.0
        self._settings = settings_of(self.coefficients)
        self._samples: list[np.ndarray] = []

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        if self.learns and view["phase"][0] != PLACING:
            n = note_regions(view, self._settings, self._workspace, self._room)
            self._samples.append(self._room[:n].copy())
        return super().choose(view, legal, clock)

    def end(self, view: np.ndarray) -> None:
        super().end(view)
        if not self.learns or not self._samples:
            return
        samples = np.concatenate(self._samples)
        self._samples = []
        add_targets(view, samples)
        learned, self.loss = descend(self.coefficients, samples, shared=self._shared, **self._descent)  # type: ignore[arg-type]
        self.coefficients[:] = learned
        self.games += 1
        if self._target:
            self._sets[f"{self._against}/{self._seat}"] = self.coefficients
            write_sets(self._target, self._sets, {"rate": self._descent["rate"], "games": self.games})

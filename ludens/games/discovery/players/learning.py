"""The Discovery: the learning potential player, PL of the thesis (CD-67 … CD-77).

It plays as the potential player does, notes the arguments of Φ of the regions on the board after its own tile, and
after the game moves its coefficients so that Φ comes nearer to what these regions scored in the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ludens.core import kernels
from ludens.core.agent import Clock, Seating
from ludens.core.errors import did_you_mean
from ludens.core.jit import kernel
from ludens.core.record import Array, Records, blank
from ludens.core.rng import CHANCE_STREAM, POLICY, generator, pick
from ludens.core.spec import Game
from ludens.games.discovery.players.coefficients import (
    ANY,
    COEFFICIENTS,
    DEFAULT,
    FEATURES,
    SAMPLE,
    descend,
    pick_set,
    read_sets,
    settings_of,
    write_sets,
)
from ludens.games.discovery.players.one_step import ROOM, OneStepAgent, one_step_game
from ludens.games.discovery.players.potential import begin_decision, potential_inputs, survey
from ludens.games.discovery.players.settings import (
    GREEDY,
    POTENTIAL,
    RANDOM,
    Settings,
    Workspace,
    blank_workspace,
    make_settings,
)
from ludens.games.discovery.rules.scoring import points_now, terrain_of
from ludens.games.discovery.state import PLACING, Discovery

__all__ = ["LearningAgent", "PotentialTask", "add_targets", "note_regions"]

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


_RIVALS = {
    "random-turn": RANDOM,
    "H-Rnd": RANDOM,
    "greedy": GREEDY,
    "H-Gr": GREEDY,
    "potential": POTENTIAL,
    "H-Pot": POTENTIAL,
}


class PotentialTask:
    """Agents that learn, files of what they learned, and the worth of coefficients in compiled games."""

    features_version = FEATURES
    options: ClassVar[dict[str, Any]] = {"players": 2}
    """Unless the training says otherwise."""
    default = DEFAULT

    def __init__(self, game: Game, options: np.ndarray) -> None:
        self._game, self._options = game, options
        self.players = int(options[0])

    def agent(self, coefficients: np.ndarray, **settings: Any) -> LearningAgent:
        """An agent that learns these coefficients in place."""
        return LearningAgent(coefficients=coefficients, **settings)

    def write(self, path: Path, sets: dict[str, np.ndarray], facts: dict[str, Any]) -> str:
        """Writes the sets, with the mean of every seat as that for any opponent, and returns the agent's code."""
        for seat in range(self.players):
            own = [values for name, values in sets.items() if name.endswith(f"/{seat}")]
            if own:
                sets = {**sets, f"{ANY}/{seat}": np.mean(own, axis=0)}
        write_sets(path, sets, facts)
        return f"learning:load={path}"

    def leads(self, coefficients: np.ndarray, opponents: Sequence[str], games: int, seed: int) -> np.ndarray:
        """Points by which a player with these coefficients leads its best opponent, game by game, seats in turn."""
        for name in opponents:
            if name not in _RIVALS:
                raise did_you_mean(name, _RIVALS, "opponent whose games are compiled")
        own, found = settings_of(coefficients), np.zeros(games)
        state, workspace, scratch = blank(self._game.dtype), blank_workspace(), blank(self._game.dtype)
        legal, options = np.zeros(self._game.spec.actions, np.int64), np.zeros(ROOM, np.int64)
        for index in range(games):
            seat = index % self.players
            rival = make_settings(_RIVALS[opponents[index // self.players % len(opponents)]])
            settings = np.concatenate([own if p == seat else rival for p in range(self.players)])
            state[:] = blank(self._game.dtype)
            kernels.reset_at(state, 0, self._options)
            rngs = np.stack([generator(seed + index, POLICY, p) for p in range(self.players)])
            one_step_game(
                state, settings, workspace, scratch, legal, options, generator(seed + index, CHANCE_STREAM), rngs
            )
            points = state["score"][0, : self.players].astype(float)
            found[index] = points[seat] - np.delete(points, seat).max()
        return found

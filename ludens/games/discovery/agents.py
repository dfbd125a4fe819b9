"""The Discovery: its one-step players with a heuristic (CD-30 … CD-52), the thesis' names, and levels of search."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.agent import AgentKind, Clock, Level, Parameter, Seating
from ludens.core.record import blank
from ludens.games.discovery.notebook import (
    CONSTANTS,
    GREEDY,
    POTENTIAL,
    RANDOM,
    blank_notebook,
    make_settings,
)
from ludens.games.discovery.onestep import ROOM, choose_turn
from ludens.games.discovery.state import DTYPE, PLACING
from ludens.games.discovery.tiles import TERRAINS

__all__ = ["KINDS", "OneStepAgent", "constant_names", "make_greedy", "make_potential", "make_random_turn"]

_WEIGHTINGS = ("fit", "geometric", "plain")
_COMPONENTS = {"V": "size", "M": "own cities", "N": "cities on adjoining grasslands"}
_ROLES = {"a": "weight when open", "b": "additional weight when closed", "c": "weight of expected growth"}


class OneStepAgent:
    """Tries every tile with every follower move, places the best tile and keeps the follower move for then.

    Without a kept move (another hand placed the tile, or the game was resumed) the follower
    move is chosen from the view alone, by the same values.
    """

    def __init__(self, settings: np.ndarray) -> None:
        self._settings = settings
        self._notes = blank_notebook()
        self._scratch = blank(DTYPE)
        self._options = np.zeros(ROOM, np.int64)
        self._plan = np.zeros(2, np.int64)
        self._kept: tuple[int, ...] | None = None

    def start(self, seating: Seating) -> None:
        self._rng = seating.generator()
        self._kept = None

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        if view["phase"][0] != PLACING:
            kept, self._kept = self._kept, None
            if kept is not None and kept[:-1] == _last_tile(view) and kept[-1] in legal:
                return kept[-1]
        choose_turn(view, legal, self._settings, self._notes, self._scratch, self._options, self._rng, self._plan)
        tile, follower = int(self._plan[0]), int(self._plan[1])
        if tile < 0:
            return follower
        self._kept = (int(view["placed"][0]) + 1, int(view["cell_key"][0, tile >> 2]), tile & 3, follower)
        return tile

    def end(self, view: np.ndarray) -> None:
        self._kept = None


def _last_tile(view: np.ndarray) -> tuple[int, ...]:
    """(tiles on the map, cell of the last one, its turns): by this a plan knows that its tile was placed."""
    count = int(view["placed"][0])
    x, y, turns = (int(view[name][0, count - 1]) for name in ("tile_x", "tile_y", "tile_turns"))
    return count, 256 * y + x, turns


def make_random_turn() -> OneStepAgent:
    return OneStepAgent(make_settings(RANDOM))


def make_greedy(ties: str = "first", terminal_aware: str = "off") -> OneStepAgent:
    return OneStepAgent(make_settings(GREEDY, ties == "random", terminal_aware == "on"))


def constant_names() -> dict[str, tuple[int, int, int]]:
    """Names such as `aV_sea` and where they stand in `CONSTANTS` (CD-42, CD-50)."""
    return {
        f"{role}{component}_{terrain}": (i, j, t)
        for i, component in enumerate(_COMPONENTS)
        for j, role in enumerate(_ROLES)
        for t, terrain in enumerate(TERRAINS)
    }


def make_potential(
    ties: str = "first",
    terminal_aware: str = "off",
    weighting: str = "fit",
    cities: str = "set",
    **constants: float,
) -> OneStepAgent:
    values = CONSTANTS.copy()
    places = constant_names()
    for name, number in constants.items():
        values[places[name]] = number
    settings = make_settings(
        POTENTIAL,
        ties == "random",
        terminal_aware == "on",
        _WEIGHTINGS.index(weighting),
        cities == "deck",
        values,
    )
    return OneStepAgent(settings)


def _constant_parameters() -> tuple[Parameter, ...]:
    found = []
    for name, (i, j, t) in constant_names().items():
        role, component = list(_ROLES.values())[j], list(_COMPONENTS.values())[i]
        help_text = f"{role} of {component}, {TERRAINS[t]} (CD-50)"
        found.append(Parameter(name, help_text, float(CONSTANTS[i, j, t]), _finite, low=-1000, high=1000))
    return tuple(found)


def _finite(text: str) -> Any:
    number = float(text)
    if not np.isfinite(number):
        raise ValueError(text)
    return number


_TIES = Parameter("ties", "which of equally good moves to take (CD-31)", "first", str, ("first", "random"))
_TERMINAL = Parameter(
    "terminal_aware", "value followers by the final scoring once the deck is empty (CD-35)", "off", str, ("off", "on")
)

KINDS = {
    "random-turn": AgentKind(
        "random-turn", "picks uniformly among whole turns, tile and follower together", make_random_turn
    ),
    "greedy": AgentKind(
        "greedy", "best rank, then largest lead, counting what followers are worth now", make_greedy, (_TIES, _TERMINAL)
    ),
    "potential": AgentKind(
        "potential",
        "best rank by what regions may still earn, with a simulation of who will occupy them",
        make_potential,
        (
            _TIES,
            _TERMINAL,
            Parameter(
                "weighting",
                "chance by which regions to be had are weighted: a fitting tile, the geometric mean, none (CD-40)",
                "fit",
                str,
                _WEIGHTINGS,
            ),
            Parameter("cities", "city chance h over the tile set or the deck (CD-51)", "set", str, ("set", "deck")),
            *_constant_parameters(),
        ),
    ),
    # The players of the thesis under their own names (CD-116, CD-117).
    "H-Rnd": Level("H-Rnd", "the thesis' random player: uniform among whole turns (CD-32)", "random-turn"),
    "H-Gr": Level("H-Gr", "the thesis' greedy player: one turn, rank and lead as they are now (CD-33)", "greedy"),
    "H-Pot": Level("H-Pot", "the thesis' potential player: one turn, what regions may earn (CD-37)", "potential"),
    "MC": Level(
        "MC",
        "the thesis' Monte Carlo prediction: 1000 simulations under the greedy policy (CD-65, CD-117)",
        "montecarlo:simulations=1000,gamma=0.8,limit=0.05,span=2,evaluation=greedy",
    ),
    "Ex-2": Level(
        "Ex-2",
        "the thesis' expectiminimax: two whole turns ahead, greedy values, no pruning (CD-58, CD-61)",
        "expectimax:depth=2,unit=turns,pruning=off,evaluation=greedy",
    ),
    "easy": Level("easy", "tree search, a tenth of a second a move", "mcts:seconds=0.1,depth=2"),
    "medium": Level("medium", "tree search, half a second a move on two cores", "mcts:seconds=0.5,depth=2,threads=2"),
    "hard": Level("hard", "tree search, two seconds a move on two cores", "mcts:seconds=2,depth=2,threads=2"),
}

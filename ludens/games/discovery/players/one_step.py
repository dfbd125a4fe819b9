"""The Discovery: the player that looks one turn ahead, tile and follower together (CD-30, CD-31)."""

from __future__ import annotations

import numpy as np

from ludens.core.agent import Clock, Seating
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records, blank
from ludens.core.rng import below, next_event
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.discovery.players.heuristics import prepare, value_after
from ludens.games.discovery.players.potential import begin_decision
from ludens.games.discovery.players.settings import (
    CONSTANTS,
    GREEDY,
    POTENTIAL,
    RANDOM,
    WEIGHTINGS,
    Settings,
    Workspace,
    blank_workspace,
    constant_names,
    make_settings,
)
from ludens.games.discovery.rules.deck import draw
from ludens.games.discovery.rules.followers import follower_actions
from ludens.games.discovery.rules.verbs import actor, apply, legal, place_tile
from ludens.games.discovery.state import DTYPE, PLACING, Discovery

__all__ = [
    "ROOM",
    "OneStepAgent",
    "best_turn",
    "choose_turn",
    "make_greedy",
    "make_potential",
    "make_random_turn",
    "one_step_game",
]

ROOM = 16  # follower moves: at most five regions, four followers and pass

_WORST = -1e300


@rule
def best_turn(
    s: Discovery, moves: Array, settings: Settings, workspace: Workspace, scratch: Records[Discovery],
    options: Array, rng: Array, plan: Array,
) -> None:  # fmt: skip
    """plan[0] = the best of the tile moves, plan[1] = the follower move that goes with it.

    When the tile is placed already, plan[0] is -1. Cells, turns and follower moves are tried in
    ascending order and the first of equal values stays (CD-31), or any of them with random ties.
    `scratch` is an array of one record, `options` an integer array of `ROOM`.
    """
    begin_decision(s, settings, workspace)
    p = int(s.current)
    best = _WORST
    ties = 0
    count = moves.shape[0] if s.phase == PLACING else 1
    for k in range(count):
        tile = -1
        scratch[0] = s
        w = scratch[0]
        if s.phase == PLACING:
            tile = moves[k]
            place_tile(w, tile)
        prepare(w, settings, workspace)
        n = follower_actions(w, options)
        for j in range(n):
            worth = value_after(w, settings, workspace, p, options[j], rng)
            if worth > best:
                best = worth
                ties = 1
                plan[0] = tile
                plan[1] = options[j]
            elif worth == best and settings.random_ties:
                ties += 1
                if below(rng, ties) == 0:
                    plan[0] = tile
                    plan[1] = options[j]


@kernel
def choose_turn(
    views: Records[Discovery], moves: Array, settings: Records[Settings], workspace: Records[Workspace],
    scratch: Records[Discovery], options: Array, rng: Array, plan: Array,
) -> None:  # fmt: skip
    """`best_turn` for Python, on views[0]."""
    best_turn(views[0], moves, settings[0], workspace[0], scratch, options, rng, plan)


@kernel
def one_step_game(
    states: Records[Discovery], settings: Records[Settings], workspace: Records[Workspace],
    scratch: Records[Discovery], legal_ids: Array, options: Array, chance_rng: Array, rngs: Array,
) -> None:  # fmt: skip
    """Plays states[0] to its end; seat p follows settings[p] and draws from rngs[p].

    Chance reads its stream as a match does, so equal seeds give equal draws.
    """
    s = states[0]
    plan = options[ROOM - 2 :]
    while True:
        who = actor(s)
        if who == TERMINAL:
            break
        if who == CHANCE:
            outcome = draw(s, chance_rng)
            next_event(chance_rng)
            apply(s, outcome)
        else:
            n = legal(s, legal_ids)
            best_turn(s, legal_ids[:n], settings[who], workspace[0], scratch, options, rngs[who], plan)
            follower = plan[1]
            apply(s, plan[0])
            apply(s, follower)


# --- the agent ----------------------------------------------------------------------------


class OneStepAgent:
    """Tries every tile with every follower move, places the best tile and keeps the follower move for then.

    Without a kept move (another hand placed the tile, or the game was resumed) the follower
    move is chosen from the view alone, by the same values.
    """

    def __init__(self, settings: np.ndarray) -> None:
        self._settings = settings
        self._workspace = blank_workspace()
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
        choose_turn(view, legal, self._settings, self._workspace, self._scratch, self._options, self._rng, self._plan)
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
        WEIGHTINGS.index(weighting),
        cities == "deck",
        values,
    )
    return OneStepAgent(settings)

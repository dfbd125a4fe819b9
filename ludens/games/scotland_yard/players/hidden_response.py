"""Scotland Yard: Mr. X's exact best response to detectives on the grid, over all information sets.

Detectives do not see Mr. X between two showings, so an agent that draws nothing walks one way from every showing on,
whatever he does. He knows that way: his best response is a backward induction over the cells where he may be, period
after period. Agents are asked only where he can come to.

An agent is asked anew at every showing; what it remembers from before is not part of the attack. Of one that draws its
moves the way asked for is a sample: `Response.drawn` tells in what part of the positions another seed answered
otherwise, and only games that are played say then what the response is worth.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ludens.core import kernels
from ludens.core.agent import Agent, Clock
from ludens.core.exact import Equilibrium, ExactResponse
from ludens.core.jit import kernel
from ludens.core.record import blank
from ludens.core.spec import Game
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.players.hidden_solution import Periods, periods_of, solve_hidden
from ludens.games.scotland_yard.rules.maps import StationMap, grid_map
from ludens.games.scotland_yard.rules.possible import possible_stations
from ludens.games.scotland_yard.state import TAXI

__all__ = ["GridExact", "Response", "best_response", "played_against"]

_CHECKED = 200  # showings a period at which a second seed is asked


@dataclass(frozen=True)
class Response:
    """What Mr. X gets, and the way that he counts on."""

    chain: Periods
    wins: np.ndarray  # float64[start]: 1 where he escapes, by the ways asked for
    asked: int  # showings from which the agent was asked
    drawn: float  # part of those asked twice at which another seed went another way
    ways: np.ndarray  # int16[period, cell, cell, cell, round, 2]: the detectives after each of their steps
    caught: np.ndarray  # float64[period, cell, cell, cell, round, cell]: 1 where he will be, from the cell he flees to

    def flee(self, period: int, root: tuple[int, int, int], step: int, legal: np.ndarray) -> int:
        """His move after the detectives' step number `step` since the showing; cells are the ids of moves."""
        return int(legal[int(np.argmin(self.caught[(period, *root, step)][legal]))])


class _Walk:
    """Records at a showing, for an agent of the detectives to walk on from."""

    def __init__(self, game: Game, options: np.ndarray, chain: Periods) -> None:
        self._game, self._options, self._chain = game, options, chain
        self._state, self._view = blank(game.dtype), blank(game.dtype)
        self._legal = np.zeros(game.spec.actions, np.int64)

    def way(self, agent: Agent, a: int, b: int, x: int, period: int) -> list[tuple[int, int]]:
        """The detectives' cells after each of their steps, up to the end or the next showing."""
        state, s = self._state, self._state[0]
        state[:] = np.zeros((), self._game.dtype)
        kernels.reset_at(state, 0, self._options)
        for cell in (a, b, x):
            kernels.apply_at(state, 0, cell)
        moves = sum(self._chain.lengths[:period])
        s.round_number, s.moves, s.seen_move = moves + 1, moves, moves
        s.log_ticket[:moves] = TAXI
        for shown in range(int(self._options[3]), moves + 1, int(self._options[3])):
            s.log_station[shown - 1] = x  # what older showings told is forgotten
        found = []
        for _ in range(self._chain.lengths[period]):
            steps = []
            for pawn in range(2):
                kernels.view_at(state, 0, 1, self._view)
                n = kernels.legal_at(state, 0, self._legal)
                steps.append(int(agent.choose(self._view.copy(), self._legal[:n].copy(), Clock())))
                if pawn == 1:
                    self._hide(steps)
                kernels.apply_at(state, 0, steps[-1])
            found.append((steps[0], steps[1]))
            if s.phase == phases.OVER:
                break
            n = kernels.legal_at(state, 0, self._legal)
            kernels.apply_at(state, 0, int(self._legal[0]))
        return found

    def _hide(self, steps: list[int]) -> None:
        """Mr. X is where he is not taken now, if there is such a cell: nobody sees which."""
        s, near = self._state[0], self._chain.neighbours
        if s.seen_move == s.moves:
            return
        for cell in possible_stations(s):
            if cell not in steps and any(to >= 0 and to not in steps for to in near[cell]):
                s.mr_x_station = cell
                return


@kernel
def _look_back(
    roots: np.ndarray, ways: np.ndarray, length: int, last: bool, neighbours: np.ndarray, degree: np.ndarray,
    after: np.ndarray, values: np.ndarray, caught: np.ndarray,
) -> None:  # fmt: skip
    """Backward induction over a period: the chance to be caught from every root, and from every cell fled to."""
    cells = degree.shape[0]
    for r in range(roots.shape[0]):
        a, b, x = roots[r, 0], roots[r, 1], roots[r, 2]
        way, told = ways[a, b, x], caught[a, b, x]
        for step in range(length - 1, -1, -1):
            c, d = way[step, 0], way[step, 1]
            for to in range(cells):  # where he flees to after this step
                if step == length - 1:
                    told[step, to] = 0.0 if last else after[c, d, to]
                elif way[step + 1, 0] < 0:
                    told[step, to] = 1.0
                else:
                    told[step, to] = _standing(to, step + 1, way, told, neighbours, degree)
        values[a, b, x] = _standing(x, 0, way, told, neighbours, degree)


@kernel
def _standing(
    y: int, step: int, way: np.ndarray, told: np.ndarray, neighbours: np.ndarray, degree: np.ndarray
) -> float:
    """The chance to be caught of one who stands in y when the detectives make this step."""
    c, d, least = way[step, 0], way[step, 1], 1.0
    if c < 0 or y in (c, d):
        return 1.0
    for i in range(degree[y]):
        to = neighbours[y, i]
        if to != c and to != d:
            least = min(least, told[step, to])
    return least


def best_response(
    game: Game,
    options: np.ndarray,
    seat: Callable[[int], Agent],
    board: StationMap | None = None,
    starts: np.ndarray | None = None,
    report: Callable[[int, int], None] = lambda done, all: None,
) -> Response:
    """His best response from these starts, or all; `seat` makes an agent of a seed that has sat down as detectives."""
    chain = periods_of(board or grid_map(), options)
    starts = chain.starts if starts is None else starts
    walk, cells, longest = _Walk(game, options, chain), chain.cells, max(chain.lengths)
    shape = (len(chain.lengths), cells, cells, cells)
    ways = np.full((*shape, longest, 2), -1, np.int16)
    caught = np.ones((*shape, longest, cells))
    levels: list[np.ndarray] = []
    roots, asked, twice, drawn = np.unique(starts, axis=0), 0, 0, 0
    for period, length in enumerate(chain.lengths):
        levels.append(roots)
        following = np.zeros((cells,) * 3, np.bool_)
        agent, other = seat(0), seat(1)
        for k, (a, b, x) in enumerate(roots.tolist()):
            way = walk.way(agent, a, b, x, period)
            asked += 1
            if k % max(1, len(roots) // _CHECKED) == 0:
                twice += 1
                drawn += walk.way(other, a, b, x, period) != way
            ways[period, a, b, x, : len(way)] = way
            if len(way) == length:
                _follow(x, way, chain, following)
        roots = np.argwhere(following)
        report(period + 1, len(chain.lengths))
    after = np.ones((cells,) * 3)
    for period in range(len(chain.lengths) - 1, -1, -1):
        values = np.ones((cells,) * 3)
        _look_back(
            levels[period], ways[period], chain.lengths[period], period == len(chain.lengths) - 1, chain.neighbours,
            chain.degree, after, values, caught[period],
        )  # fmt: skip
        after = values
    a, b, x = starts.T
    return Response(chain, 1 - after[a, b, x], asked, drawn / max(1, twice), ways, caught)


def _follow(x: int, way: list[tuple[int, int]], chain: Periods, following: np.ndarray) -> None:
    """Notes where he can show himself at the end of the way."""
    here = {x}
    for step in way:
        here = {
            int(to)
            for cell in here - set(step)
            for to in chain.neighbours[cell]
            if to >= 0 and to not in step
        }  # fmt: skip
    for to in here:
        following[(*way[-1], to)] = True


def played_against(
    game: Game, options: np.ndarray, response: Response, seat: Callable[[int], Agent], start: tuple[int, int, int],
    seed: int,
) -> bool:  # fmt: skip
    """Does he escape in a real game from this start, against an agent of this seed? He counts on the ways he knows."""
    state, view = blank(game.dtype), blank(game.dtype)
    s, legal = state[0], np.zeros(game.spec.actions, np.int64)
    kernels.reset_at(state, 0, options)
    for cell in start:
        kernels.apply_at(state, 0, cell)
    agent, period, step, root = seat(seed), 0, 0, start
    while s.phase != phases.OVER:
        n = kernels.legal_at(state, 0, legal)
        if kernels.actor_at(state, 0) == 1:
            kernels.view_at(state, 0, 1, view)
            kernels.apply_at(state, 0, int(agent.choose(view.copy(), legal[:n].copy(), Clock())))
            continue
        kernels.apply_at(state, 0, response.flee(period, root, step, legal[:n]))
        step += 1
        if step == response.chain.lengths[period]:
            root, period, step = (int(s.pawn_station[0]), int(s.pawn_station[1]), int(s.mr_x_station)), period + 1, 0
    out = np.zeros(2)
    kernels.returns_at(state, 0, out)
    return bool(out[0] > 0)


class GridExact:
    """What `Game.exact` offers for the grid: Mr. X against an agent, and the equilibrium."""

    def __init__(self, board: StationMap) -> None:
        self._board = board

    def responses(
        self, game: Game, options: np.ndarray, seat: Callable[[int, int], Agent], starts: int, seed: int,
        report: Callable[[int, int], None],
    ) -> list[ExactResponse]:  # fmt: skip
        chain = periods_of(self._board, options)
        whole = not 0 < starts < len(chain.starts)
        chosen = chain.starts
        if not whole:
            chosen = chosen[np.sort(np.random.default_rng(seed).choice(len(chosen), starts, replace=False))]
        found = best_response(game, options, lambda own: seat(1, own), self._board, chosen, report)
        won = int(found.wins.sum())
        if found.drawn:
            won = sum(
                played_against(game, options, found, lambda own: seat(1, own), (int(a), int(b), int(x)), 2 + k)
                for k, (a, b, x) in enumerate(chosen)
            )
        return [ExactResponse(0, won, len(chosen), whole and not found.drawn, found.asked, found.drawn)]

    def equilibrium(
        self, options: np.ndarray, iterations: int, tolerance: float, threads: int, report: Callable[[int, int], None]
    ) -> Equilibrium:
        begun, curve = time.perf_counter(), []
        low = high = 0.0
        for power in range(16):
            rounds = min(iterations, 4**power)
            low, high = solve_hidden(self._board, options, rounds, tolerance, threads, report).mean(
                periods_of(self._board, options).starts
            )
            curve.append((rounds, 2 * max(0.0, high - low)))
            if rounds == iterations or high - low <= tolerance:
                break
        return Equilibrium(1, low, min(1.0, high), tuple(curve), time.perf_counter() - begun)

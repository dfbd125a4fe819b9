"""Catan: the board is laid out, on the variable one by chance events one after another (CA-5, CA-6).

Order of the events: the terrain of hexes 0 … 18; then either the corner where the spiral of tokens
starts, or (tokens at random) the hexes of 6, 6, 8, 8 and the tokens of the other hexes; then the
kinds of harbours 0 … 8. Random tokens are uniform over all layouts without neighbours among
6 and 8: each red token weighs a hex by the number of ways to place the remaining red ones.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.rng import below, drawn
from ludens.core.verbs import chance_of_counts
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.island import bits, lowest
from ludens.games.catan.state import DESERT, HARBOURS, HEXES, NOBODY, Catan

__all__ = ["apply_setup", "chance_of_setup", "draw_setup", "lay_beginner_board", "start_variable_board"]

_REDS = 4  # the tokens 6, 6, 8, 8
_CORNERS = 6


@rule
def lay_beginner_board(s: Catan) -> None:
    for h in range(HEXES):
        s.terrain[h] = island.BEGINNER_TERRAIN[h]
        if island.BEGINNER_TERRAIN[h] == DESERT:
            s.robber = h
    for h in range(HEXES):
        if island.BEGINNER_NUMBERS[h] > 0:
            _put_token(s, h, island.BEGINNER_NUMBERS[h])
    for k in range(HARBOURS):
        s.harbour[k] = island.BEGINNER_HARBOURS[k]
    s.phase = phases.PLACE_SETTLEMENT


@rule
def start_variable_board(s: Catan) -> None:
    for t in range(island.TERRAIN_SUPPLY.shape[0]):
        s.supply[t] = island.TERRAIN_SUPPLY[t]
    s.phase = phases.TERRAIN_DEAL


@rule
def _put_token(s: Catan, h: int, number: int) -> None:
    s.number[h] = number
    if s.sources[number, 0] == NOBODY:
        s.sources[number, 0] = h
    else:
        s.sources[number, 1] = h


# --- the events ---------------------------------------------------------------------------


@rule
def _red_hexes(s: Catan) -> int:
    """The hexes where the next red token may lie: no token yet, no desert, no red neighbour."""
    free = (1 << HEXES) - 1
    for h in range(HEXES):
        if s.terrain[h] == DESERT:
            free &= ~(1 << h)
        elif s.number[h] > 0:
            free &= ~(1 << h | island.HEX_NEIGHBOUR_BITS[h])
    return free


@rule
def _ways_for_two(free: int) -> int:
    """Ordered ways to place two tokens on hexes of the set that are no neighbours."""
    ways = 0
    rest = free
    while rest != 0:
        h = lowest(rest)
        rest &= rest - 1
        ways += bits(free & ~(1 << h | island.HEX_NEIGHBOUR_BITS[h]))
    return ways


@rule
def _ways_for_three(free: int) -> int:
    ways = 0
    rest = free
    while rest != 0:
        h = lowest(rest)
        rest &= rest - 1
        ways += _ways_for_two(free & ~(1 << h | island.HEX_NEIGHBOUR_BITS[h]))
    return ways


@rule
def _ways_after(free: int, h: int, more: int) -> int:
    """Ordered ways to place `more` further red tokens once one lies on hex h."""
    left = free & ~(1 << h | island.HEX_NEIGHBOUR_BITS[h])
    if more == 0:
        return 1
    if more == 1:
        return bits(left)
    if more == 2:
        return _ways_for_two(left)
    return _ways_for_three(left)


@rule
def chance_of_setup(s: Catan, outcomes: Array, weights: Array) -> int:
    if s.phase == phases.SPIRAL:
        for corner in range(_CORNERS):
            outcomes[corner] = corner
            weights[corner] = 1.0 / _CORNERS
        return _CORNERS
    if s.phase != phases.RED_DEAL:
        return chance_of_counts(s.supply, outcomes, weights)
    n, total = 0, 0
    free = _red_hexes(s)
    more = _REDS - 1 - int(s.dealt)
    for h in range(HEXES):
        if free >> h & 1:
            ways = _ways_after(free, h, more)
            if ways > 0:
                outcomes[n] = h
                weights[n] = ways
                total += ways
                n += 1
    for k in range(n):
        weights[k] /= total
    return n


@rule
def draw_setup(s: Catan, rng: Array) -> int:
    if s.phase == phases.SPIRAL:
        return below(rng, _CORNERS)
    if s.phase == phases.RED_DEAL:
        return _draw_red(s, rng)
    total = 0
    for k in range(s.supply.shape[0]):
        total += int(s.supply[k])
    return drawn(rng, s.supply, total)


@rule
def _draw_red(s: Catan, rng: Array) -> int:
    free = _red_hexes(s)
    more = _REDS - 1 - int(s.dealt)
    total = 0
    for h in range(HEXES):
        if free >> h & 1:
            total += _ways_after(free, h, more)
    ticket = below(rng, total)
    h = 0
    while True:
        if free >> h & 1:
            ways = _ways_after(free, h, more)
            if ticket < ways:
                return h
            ticket -= ways
        h += 1


@rule
def apply_setup(s: Catan, outcome: int) -> None:
    phase = int(s.phase)
    if phase == phases.TERRAIN_DEAL:
        s.terrain[s.dealt] = outcome
        if outcome == DESERT:
            s.robber = s.dealt  # CA-2
        s.supply[outcome] -= 1
        s.dealt += 1
        if s.dealt == HEXES:
            s.dealt = 0
            s.phase = phases.SPIRAL if s.spiral else phases.RED_DEAL
    elif phase == phases.SPIRAL:
        _lay_spiral(s, outcome)
        _start_harbours(s)
    elif phase == phases.RED_DEAL:
        _put_token(s, outcome, 6 if s.dealt < 2 else 8)
        s.dealt += 1
        if s.dealt == _REDS:
            for number in range(13):
                s.supply[number] = 0 if number == 6 or number == 8 else island.TOKEN_SUPPLY[number]
            s.dealt = _next_bare_hex(s, 0)
            s.phase = phases.TOKEN_DEAL
    elif phase == phases.TOKEN_DEAL:
        _put_token(s, int(s.dealt), outcome)
        s.supply[outcome] -= 1
        s.dealt = _next_bare_hex(s, int(s.dealt) + 1)
        if s.dealt == HEXES:
            _start_harbours(s)
    else:
        s.harbour[s.dealt] = outcome
        s.supply[outcome] -= 1
        s.dealt += 1
        if s.dealt == HARBOURS:
            s.dealt = 0
            s.phase = phases.PLACE_SETTLEMENT


@rule
def _next_bare_hex(s: Catan, start: int) -> int:
    """The first hex from here on that still needs a token, or HEXES."""
    h = start
    while h < HEXES and (s.number[h] > 0 or s.terrain[h] == DESERT):
        h += 1
    return h


@rule
def _lay_spiral(s: Catan, corner: int) -> None:
    token = 0
    for k in range(HEXES):
        h = island.SPIRALS[corner, k]
        if s.terrain[h] != DESERT:
            _put_token(s, h, island.TOKEN_ORDER[token])
            token += 1


@rule
def _start_harbours(s: Catan) -> None:
    for k in range(island.HARBOUR_SUPPLY.shape[0]):
        s.supply[k] = island.HARBOUR_SUPPLY[k]
    s.dealt = 0
    s.phase = phases.HARBOUR_DEAL

"""Azul: the rules, verb by verb (`ludens.core.verbs` holds the contract of each)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.rng import below, drawn
from ludens.core.verbs import CHANCE, TERMINAL, chance_of_counts
from ludens.games.azul import phases
from ludens.games.azul.rules.rounds import begin_round, complete_rows, deal, factories_of
from ludens.games.azul.rules.taking import legal_takes, take
from ludens.games.azul.rules.tiling import full_line, tiling_step
from ludens.games.azul.rules.wall import wall_columns
from ludens.games.azul.state import EMPTY, FIRST_COLUMN, FLOOR_ROOM, NOBODY, SIZE, STEP, Azul
from ludens.games.results import share_victory

__all__ = ["actor", "apply", "chance", "draw", "legal", "reset", "returns", "scores"]


@rule
def reset(s: Azul, options: Array) -> None:
    """options: players, grey, first (0 random, else seat + 1), round_limit, factories (0 usual), tiles (a colour)."""
    players = options[0]
    s.players = players
    s.factories = factories_of(players, options[4])  # AZ-4
    s.grey = options[1]
    s.round_limit = options[3]
    s.round_number = 1
    s.marker = NOBODY
    for colour in range(SIZE):
        s.bag[colour] = options[5]
    for p in range(s.wall.shape[0]):
        s.floor_count[p] = 0
        for r in range(SIZE):
            s.line_colour[p, r] = EMPTY
            for c in range(SIZE):
                s.wall[p, r, c] = EMPTY
        for k in range(FLOOR_ROOM):
            s.floor[p, k] = EMPTY
    if options[2] == 0:
        s.phase = phases.START  # AZ-8: the first seat is drawn
    else:
        begin_round(s, options[2] - 1)


@rule
def actor(s: Azul) -> int:
    if s.phase == phases.TAKING or s.phase == phases.PLACING:
        return int(s.current)
    if s.phase == phases.OVER:
        return TERMINAL
    return CHANCE


@rule
def chance(s: Azul, outcomes: Array, weights: Array) -> int:
    if s.phase == phases.START:
        for seat in range(s.players):
            outcomes[seat] = seat
            weights[seat] = 1.0 / int(s.players)
        return int(s.players)
    if s.phase != phases.DEALING:
        return 0
    return chance_of_counts(s.bag, outcomes, weights)


@rule
def draw(s: Azul, rng: Array) -> int:
    if s.phase == phases.START:
        return below(rng, int(s.players))
    total = 0
    for colour in range(SIZE):
        total += int(s.bag[colour])
    return drawn(rng, s.bag, total)


@rule
def legal(s: Azul, out: Array) -> int:
    if s.phase == phases.TAKING:
        return legal_takes(s, out)
    if s.phase != phases.PLACING:
        return 0
    n = 0
    if s.grey:
        line = full_line(s, s.current)
        if line >= 0:
            n = wall_columns(s, s.current, line, s.line_colour[s.current, line], out)
    if n <= 1:  # nothing to choose: AZ-27 on the fixed wall, AZ-39, or only the floor is left
        out[0] = STEP
        return 1
    for k in range(n):
        out[k] += FIRST_COLUMN
    return n


@rule
def apply(s: Azul, a: int) -> None:
    if s.phase == phases.TAKING:
        take(s, a // 30, a // 6 % 5, a % 6)
    elif s.phase == phases.PLACING:
        tiling_step(s, a)
    elif s.phase == phases.DEALING:
        deal(s, a)
    else:
        begin_round(s, a)


@rule
def scores(s: Azul, out: Array) -> None:
    for p in range(s.players):
        out[p] = s.score[p]


@rule
def returns(s: Azul, out: Array) -> None:
    """The winner has 1, the others share -1; several winners share the victory (AZ-35)."""
    players = int(s.players)
    for p in range(players):
        out[p] = 0.0
    if s.phase != phases.OVER:
        return
    best = 0
    for p in range(players):
        out[p] = int(s.score[p]) * 8 + complete_rows(s, p)
        best = max(best, int(out[p]))
    for p in range(players):
        out[p] = 1.0 if out[p] == best else 0.0
    share_victory(out, players)

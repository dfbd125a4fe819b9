"""Azul: the rules, verb by verb (`ludens.core.verbs` holds the contract of each)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.rng import below
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.azul.rules.dealing import begin_round, deal, factories_of
from ludens.games.azul.rules.ending import complete_rows
from ludens.games.azul.rules.taking import legal_takes, take
from ludens.games.azul.rules.tiling import full_line, tiling_step
from ludens.games.azul.rules.wall import wall_columns
from ludens.games.azul.state import (
    DEALING,
    EMPTY,
    FIRST_COLUMN,
    FLOOR_ROOM,
    NOBODY,
    OVER,
    PLACING,
    SIZE,
    START,
    STEP,
    TAKING,
    Azul,
)

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
        s.phase = START  # AZ-8: the first seat is drawn
    else:
        begin_round(s, options[2] - 1)


@rule
def actor(s: Azul) -> int:
    if s.phase == TAKING or s.phase == PLACING:
        return int(s.current)
    if s.phase == OVER:
        return TERMINAL
    return CHANCE


@rule
def chance(s: Azul, outcomes: Array, weights: Array) -> int:
    if s.phase == START:
        for seat in range(s.players):
            outcomes[seat] = seat
            weights[seat] = 1.0 / int(s.players)
        return int(s.players)
    if s.phase != DEALING:
        return 0
    total = 0
    for colour in range(SIZE):
        total += int(s.bag[colour])
    n = 0
    for colour in range(SIZE):
        if s.bag[colour] > 0:
            outcomes[n] = colour
            weights[n] = int(s.bag[colour]) / total
            n += 1
    return n


@rule
def draw(s: Azul, rng: Array) -> int:
    if s.phase == START:
        return below(rng, int(s.players))
    total = 0
    for colour in range(SIZE):
        total += int(s.bag[colour])
    ticket = below(rng, total)
    colour = 0
    while ticket >= s.bag[colour]:
        ticket -= int(s.bag[colour])
        colour += 1
    return colour


@rule
def legal(s: Azul, out: Array) -> int:
    if s.phase == TAKING:
        return legal_takes(s, out)
    if s.phase != PLACING:
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
    if s.phase == TAKING:
        take(s, a // 30, a // 6 % 5, a % 6)
    elif s.phase == PLACING:
        tiling_step(s, a)
    elif s.phase == DEALING:
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
    if s.phase != OVER:
        return
    best = -1
    for p in range(players):
        best = max(best, int(s.score[p]) * 8 + complete_rows(s, p))
    winners = 0
    for p in range(players):
        if int(s.score[p]) * 8 + complete_rows(s, p) == best:
            winners += 1
    for p in range(players):
        share = 0.0
        if int(s.score[p]) * 8 + complete_rows(s, p) == best:
            share = 1.0 / winners
        out[p] = (players * share - 1.0) / (players - 1)

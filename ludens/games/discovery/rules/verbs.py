"""The Discovery: the turn and its end, verb by verb. Numbers such as CD-10 are those of docs/rules/discovery.md."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.discovery.rules.deck import take_from_deck
from ludens.games.discovery.rules.followers import follower_actions, move_follower, take_follower
from ludens.games.discovery.rules.map import cell_x, cell_y, lay_tile, take_cell
from ludens.games.discovery.rules.scoring import final_points
from ludens.games.discovery.rules.tiles import COPIES, START_KIND, fitting_turns
from ludens.games.discovery.state import (
    DRAWING,
    FOLLOWER,
    FOLLOWERS,
    KINDS,
    NOTHING,
    OVER,
    PLACING,
    Discovery,
)

__all__ = [
    "actor",
    "apply",
    "legal",
    "place_tile",
    "reset",
    "returns",
    "scores",
]


@rule
def reset(s: Discovery, options: Array) -> None:
    """options: players, unplaceable_tile, small_region_scoring, final_scoring. The start tile lies (CD-3)."""
    s.players = options[0]
    s.unplaceable = options[1]
    s.small_regions = options[2]
    s.final_scoring = options[3]
    s.hand = NOTHING
    for p in range(s.follower.shape[0]):
        for k in range(FOLLOWERS):
            s.follower[p, k] = NOTHING
    left = 0
    for kind in range(KINDS):
        s.deck[kind] = COPIES[kind]
        left += int(COPIES[kind])
    s.deck[START_KIND] -= 1
    s.deck_left = left - 1
    lay_tile(s, START_KIND, 0, 0, 0, 0)
    s.phase = DRAWING


@rule
def actor(s: Discovery) -> int:
    if s.phase == PLACING or s.phase == FOLLOWER:
        return int(s.current)
    if s.phase == OVER:
        return TERMINAL
    return CHANCE


# --- the two decisions of a turn ----------------------------------------------------------


@rule
def legal(s: Discovery, out: Array) -> int:
    if s.phase == PLACING:
        return _tile_actions(s, out)
    if s.phase == FOLLOWER:
        return follower_actions(s, out)
    return 0


@rule
def _tile_actions(s: Discovery, out: Array) -> int:
    """Cell by cell, turn by turn: wherever the terrains agree (CD-8)."""
    kind = int(s.hand)
    n = 0
    for cell in range(s.cells):
        fitting = fitting_turns(kind, int(s.cell_code[cell]))
        for turns in range(4):
            if fitting >> turns & 1:
                out[n] = 4 * cell + turns
                n += 1
    return n


@rule
def apply(s: Discovery, a: int) -> None:
    if s.phase == DRAWING:
        take_from_deck(s, a)
        if s.phase == DRAWING and s.deck_left == 0:  # no remaining tile can be placed (CD-9)
            _finish(s)
    elif s.phase == PLACING:
        place_tile(s, a)
    else:
        move_follower(s, a)
        _end_turn(s)


@rule
def place_tile(s: Discovery, a: int) -> None:
    """The tile in hand goes to a cell of the frontier (CD-8)."""
    cell = a >> 2
    key = int(s.cell_key[cell])
    around = int(s.cell_tiles[cell])
    kind = int(s.hand)
    take_cell(s, cell)
    lay_tile(s, kind, cell_x(key), cell_y(key), a & 3, around)
    s.hand = NOTHING
    s.phase = FOLLOWER


@rule
def _end_turn(s: Discovery) -> None:
    if s.deck_left == 0:
        _finish(s)
    else:
        s.current = (int(s.current) + 1) % int(s.players)
        s.phase = DRAWING


@rule
def _finish(s: Discovery) -> None:
    """Final scoring: every follower still on the map is taken back and scored (CD-12)."""
    for p in range(s.players):
        while s.follower_count[p] > 0:
            k = int(s.follower_count[p]) - 1
            s.score[p] += final_points(s, int(s.piece_region[s.follower[p, k]]))
            take_follower(s, p, k)
    s.phase = OVER


# --- results ------------------------------------------------------------------------------


@rule
def scores(s: Discovery, out: Array) -> None:
    for p in range(s.players):
        out[p] = int(s.score[p])


@rule
def returns(s: Discovery, out: Array) -> None:
    """The player with most points has 1, the others share -1; equal ones share the victory (CD-12)."""
    players = int(s.players)
    for p in range(players):
        out[p] = 0.0
    if s.phase != OVER:
        return
    best = -1
    for p in range(players):
        best = max(best, int(s.score[p]))
    winners = 0
    for p in range(players):
        if s.score[p] == best:
            winners += 1
    for p in range(players):
        share = 0.0
        if s.score[p] == best:
            share = 1.0 / winners
        out[p] = (players * share - 1.0) / (players - 1)

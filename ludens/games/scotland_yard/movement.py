"""Scotland Yard: who can go where (SY-4, SY-7, SY-23, SY-27)."""

from __future__ import annotations

from typing import Any

from ludens.core.jit import rule
from ludens.games.scotland_yard.state import WORD_BITS, WORDS, tables

__all__ = [
    "count_flights",
    "mr_x_can_leave",
    "occupied",
    "others_can_follow",
    "owner",
    "pawn_can_move",
    "pawn_has_ride",
    "target_is_taken",
]


@rule
def owner(s: Any, pawn: int) -> int:
    """The seat that moves the pawn: pawns are dealt out to the controllers in turn (SY-15)."""
    return 1 + pawn % (int(s.players) - 1)


@rule
def occupied(s: Any, station: int) -> bool:
    """Does a detective stand there?"""
    for pawn in range(s.detectives):
        if s.pawn_station[pawn] == station:
            return True
    return False


@rule
def mr_x_can_leave(s: Any, station: int) -> bool:
    """Would Mr. X have a move from this station, with his tickets? (SY-28)"""
    board = tables(s)
    for ticket in range(board.targets.shape[0]):
        if s.mr_x_tickets[ticket] != 0:
            for k in range(board.degree[ticket, station]):
                if not occupied(s, board.targets[ticket, station, k]):
                    return True
    return False


@rule
def count_flights(s: Any, station: int) -> int:
    """How many moves, as pairs of ticket and target, Mr. X would have from this station."""
    board = tables(s)
    n = 0
    for ticket in range(board.targets.shape[0]):
        if s.mr_x_tickets[ticket] != 0:
            for k in range(board.degree[ticket, station]):
                if not occupied(s, board.targets[ticket, station, k]):
                    n += 1
    return n


@rule
def pawn_has_ride(s: Any, pawn: int) -> bool:
    """Has the pawn a ticket that is of use at its station? Without one it leaves the game (SY-27)."""
    board = tables(s)
    station = s.pawn_station[pawn]
    for ticket in range(min(3, board.targets.shape[0])):
        if s.pawn_tickets[pawn, ticket] != 0 and board.degree[ticket, station] > 0:
            return True
    return False


@rule
def pawn_can_move(s: Any, pawn: int) -> bool:
    """Can the pawn ride to a station free of other detectives? (SY-23)"""
    board = tables(s)
    station = s.pawn_station[pawn]
    for ticket in range(min(3, board.targets.shape[0])):
        if s.pawn_tickets[pawn, ticket] != 0:
            for k in range(board.degree[ticket, station]):
                if not occupied(s, board.targets[ticket, station, k]):
                    return True
    return False


# --- pawns that step together (SY-7) ------------------------------------------------------


@rule
def target_is_taken(s: Any, pawn: int, target: int) -> bool:
    """Has an earlier pawn chosen this cell as its step?"""
    for other in range(pawn):
        if s.pawn_target[other] == target:
            return True
    return False


@rule
def others_can_follow(s: Any, pawn: int, target: int) -> bool:
    """Would all later pawns still find different cells to step to, after this step?

    Every piece must move (SY-4). By Hall's theorem that is so if any group of later pawns
    has at least as many open cells around it as it has pawns.
    """
    board = tables(s)
    later = int(s.detectives) - pawn - 1
    fewest = 99
    for other in range(pawn + 1, s.detectives):
        here = s.pawn_station[other]
        exits = 0
        for k in range(board.degree[0, here]):
            cell = board.targets[0, here, k]
            if cell != target and not target_is_taken(s, pawn, cell):
                exits += 1
        fewest = min(fewest, exits)
    if fewest >= later:
        return True
    for group in range(1, 1 << later):
        pawns = 0
        cells = 0
        for word in range(WORDS):
            around = 0
            for bit in range(later):
                if (group >> bit) & 1:
                    around |= int(board.masks[0, s.pawn_station[pawn + 1 + bit], word])
                    if word == 0:
                        pawns += 1
            cells += _count_open(s, pawn, target, around, word)
        if cells < pawns:
            return False
    return True


@rule
def _count_open(s: Any, pawn: int, target: int, around: int, word: int) -> int:
    """How many cells of one word of a set are neither the target nor taken."""
    cell = word * WORD_BITS
    n = 0
    while around:
        if around & 1 and cell != target and not target_is_taken(s, pawn, cell):
            n += 1
        around >>= 1
        cell += 1
    return n

"""Scotland Yard: who can go where (SY-4, SY-7, SY-23, SY-27)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.scotland_yard.rules.action_ids import double_action, pass_action
from ludens.games.scotland_yard.rules.tables import MR_X_DECK, tables
from ludens.games.scotland_yard.state import DOUBLE, NOWHERE, WORD_BITS, WORDS, ScotlandYard

__all__ = [
    "any_pawn_can_move",
    "can_double_from",
    "can_hunt",
    "count_flights",
    "legal_flights",
    "legal_rides",
    "legal_steps",
    "may_double",
    "may_ride",
    "may_start",
    "mr_x_can_leave",
    "occupied",
    "others_can_follow",
    "owner",
    "pawn_can_move",
    "pawn_has_ride",
    "target_is_taken",
]


@rule
def owner(s: ScotlandYard, pawn: int) -> int:
    """The seat that moves the pawn: pawns are dealt out to the controllers in turn (SY-15)."""
    return 1 + pawn % (int(s.players) - 1)


@rule
def occupied(s: ScotlandYard, station: int) -> bool:
    """Does a detective stand there?"""
    for pawn in range(s.detectives):
        if s.pawn_station[pawn] == station:
            return True
    return False


@rule
def _beside(s: ScotlandYard, station: int) -> bool:
    """Is a detective one ride away, or there?"""
    board = tables(s)
    row = int(board.row[board.degree.shape[0] - 1, station])
    for pawn in range(s.detectives):
        here = int(s.pawn_station[pawn])
        if here == station or (here != NOWHERE and board.masks[row, here // WORD_BITS] >> (here % WORD_BITS) & 1):
            return True
    return False


@rule
def _apart(s: ScotlandYard, station: int) -> bool:
    """Can no detective catch Mr. X with a first move, if he starts there and, going first, takes any one ride?"""
    if _beside(s, station):
        return False
    if s.detectives_first:
        return True
    board = tables(s)
    any_ticket = board.degree.shape[0] - 1
    row = int(board.row[any_ticket, station])
    for k in range(board.degree[any_ticket, station]):
        if _beside(s, int(board.targets[row, k])):
            return False
    return True


@rule
def may_start(s: ScotlandYard, deck: int, station: int) -> bool:
    """Is the start card still in the deck? Mr. X's may have to lie apart, as long as he has such a card."""
    if occupied(s, station):
        return False
    if deck != MR_X_DECK or not s.starts_apart or _apart(s, station):
        return True
    board = tables(s)
    for k in range(board.cards[deck]):
        if _apart(s, int(board.starts[deck, k])):
            return False
    return True


@rule
def _has_way(s: ScotlandYard, ticket: int, station: int) -> bool:
    """Is a station free of detectives one ride away for this ticket?"""
    board = tables(s)
    row = int(board.row[ticket, station])
    for k in range(board.degree[ticket, station]):
        if not occupied(s, board.targets[row, k]):
            return True
    return False


@rule
def mr_x_can_leave(s: ScotlandYard, station: int) -> bool:
    """Would Mr. X have a move from this station, with his tickets? (SY-28)"""
    board = tables(s)
    for ticket in range(board.degree.shape[0]):
        if s.mr_x_tickets[ticket] != 0 and _has_way(s, ticket, station):
            return True
    return False


@rule
def may_ride(s: ScotlandYard, ticket: int, target: int) -> bool:
    """May whoever is on move ride to this neighbouring station, for a ticket at hand? (SY-7, SY-23, SY-26)"""
    if occupied(s, target):
        return False
    return s.double_left != 2 or _leaves_second_leg(s, ticket, target)


@rule
def _leaves_second_leg(s: ScotlandYard, ticket: int, target: int) -> bool:
    """After a first leg there for this ticket, has Mr. X a second one with the tickets left? (SY-26)"""
    if s.mr_x_tickets[ticket] != 1:
        return True  # he can at least go back the way he came
    board = tables(s)
    for other in range(board.degree.shape[0]):
        if other != ticket and s.mr_x_tickets[other] != 0 and _has_way(s, other, target):
            return True
    return False


@rule
def can_double_from(s: ScotlandYard, station: int) -> bool:
    """Are there two legs of a double move from this station, with Mr. X's tickets? (SY-26)"""
    board = tables(s)
    for ticket in range(board.degree.shape[0]):
        if s.mr_x_tickets[ticket] != 0:
            row = int(board.row[ticket, station])
            for k in range(board.degree[ticket, station]):
                target = int(board.targets[row, k])
                if not occupied(s, target) and _leaves_second_leg(s, ticket, target):
                    return True
    return False


@rule
def count_flights(s: ScotlandYard, station: int) -> int:
    """How many moves, as pairs of ticket and target, Mr. X would have from this station."""
    board = tables(s)
    n = 0
    for ticket in range(board.degree.shape[0]):
        if s.mr_x_tickets[ticket] != 0:
            row = int(board.row[ticket, station])
            for k in range(board.degree[ticket, station]):
                if may_ride(s, ticket, int(board.targets[row, k])):
                    n += 1
    return n


@rule
def pawn_has_ride(s: ScotlandYard, pawn: int) -> bool:
    """Has the pawn a ticket that is of use at its station? Without one it leaves the game or stays for good (SY-27)."""
    board = tables(s)
    station = s.pawn_station[pawn]
    for ticket in range(min(3, board.degree.shape[0])):
        if s.pawn_tickets[pawn, ticket] != 0 and board.degree[ticket, station] > 0:
            return True
    return False


@rule
def pawn_can_move(s: ScotlandYard, pawn: int) -> bool:
    """Can the pawn ride to a station free of other detectives? (SY-23)"""
    board = tables(s)
    station = s.pawn_station[pawn]
    for ticket in range(min(3, board.degree.shape[0])):
        if s.pawn_tickets[pawn, ticket] != 0 and _has_way(s, ticket, station):
            return True
    return False


@rule
def can_hunt(s: ScotlandYard, pawn: int) -> bool:
    """Is the pawn on the board and not stuck there for good?"""
    return s.pawn_station[pawn] != NOWHERE and (s.stuck_stay == 0 or pawn_has_ride(s, pawn))


@rule
def any_pawn_can_move(s: ScotlandYard) -> bool:
    """Can any detective move? If not, none ever will: nobody makes room, and tickets do not come back (SY-28)."""
    for pawn in range(s.detectives):
        if s.pawn_station[pawn] != NOWHERE and pawn_can_move(s, pawn):
            return True
    return False


# --- pawns that step together (SY-7) ------------------------------------------------------


@rule
def target_is_taken(s: ScotlandYard, pawn: int, target: int) -> bool:
    """Has an earlier pawn chosen this cell as its step?"""
    for other in range(pawn):
        if s.pawn_target[other] == target:
            return True
    return False


@rule
def others_can_follow(s: ScotlandYard, pawn: int, target: int) -> bool:
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
        row = int(board.row[0, here])
        for k in range(board.degree[0, here]):
            cell = board.targets[row, k]
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
                    around |= int(board.masks[board.row[0, s.pawn_station[pawn + 1 + bit]], word])
                    if word == 0:
                        pawns += 1
            cells += _count_open(s, pawn, target, around, word)
        if cells < pawns:
            return False
    return True


@rule
def _count_open(s: ScotlandYard, pawn: int, target: int, around: int, word: int) -> int:
    """How many cells of one word of a set are neither the target nor taken."""
    cell = word * WORD_BITS
    n = 0
    while around:
        if around & 1 and cell != target and not target_is_taken(s, pawn, cell):
            n += 1
        around >>= 1
        cell += 1
    return n


# --- the legal rides -----------------------------------------------------------------------


@rule
def may_double(s: ScotlandYard) -> bool:
    """May Mr. X announce a double move now? One a round, both legs exist, both entries fit the log (SY-26, SY-29)."""
    if s.mr_x_tickets[DOUBLE] == 0 or s.double_left > 0:
        return False
    if s.max_moves > 0 and int(s.moves) + 2 > s.max_moves:
        return False
    return can_double_from(s, int(s.mr_x_station))


@rule
def _write_rides(s: ScotlandYard, ticket: int, here: int, out: Array, n: int) -> int:
    """Appends the rides from a station that this ticket pays to out[:n]."""
    board = tables(s)
    row = int(board.row[ticket, here])
    for k in range(board.degree[ticket, here]):
        target = int(board.targets[row, k])
        if may_ride(s, ticket, target):
            out[n] = ticket * board.degree.shape[1] + target
            n += 1
    return n


@rule
def legal_flights(s: ScotlandYard, out: Array) -> int:
    """Any ticket he has to a station free of detectives, a first leg only if a second can follow (SY-23 … SY-26)."""
    n = 0
    for ticket in range(tables(s).degree.shape[0]):
        if s.mr_x_tickets[ticket] != 0:
            n = _write_rides(s, ticket, int(s.mr_x_station), out, n)
    if may_double(s):
        out[n] = double_action(s)
        n += 1
    return n


@rule
def legal_rides(s: ScotlandYard, out: Array) -> int:
    """Any ticket the pawn has to a station free of other detectives; a blocked pawn passes (SY-23, SY-27)."""
    n = 0
    for ticket in range(min(3, tables(s).degree.shape[0])):
        if s.pawn_tickets[s.pawn, ticket] != 0:
            n = _write_rides(s, ticket, int(s.pawn_station[s.pawn]), out, n)
    if n == 0:
        out[0] = pass_action(s)
        n = 1
    return n


@rule
def legal_steps(s: ScotlandYard, out: Array) -> int:
    """Any neighbouring cell that no other pawn steps to and that leaves the later pawns one each (SY-7)."""
    board = tables(s)
    pawn = int(s.pawn)
    here = int(s.pawn_station[pawn])
    n = 0
    row = int(board.row[0, here])
    for k in range(board.degree[0, here]):
        target = int(board.targets[row, k])
        if not target_is_taken(s, pawn, target) and others_can_follow(s, pawn, target):
            out[n] = target
            n += 1
    return n

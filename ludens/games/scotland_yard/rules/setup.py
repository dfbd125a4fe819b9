"""Scotland Yard: how a game begins, on a map and on the grid: tickets, then start cards (SY-6, SY-19 … SY-21)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.rng import below
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.movement import may_start
from ludens.games.scotland_yard.rules.tables import DETECTIVES_DECK, MR_X_DECK, tables
from ludens.games.scotland_yard.state import (
    BLACK,
    BUS,
    DOUBLE,
    HIDDEN,
    MAX_PAWNS,
    NEVER,
    NOWHERE,
    TAXI,
    UNDERGROUND,
    UNLIMITED,
    ScotlandYard,
)

__all__ = ["chance", "draw", "reset_grid", "reset_london"]

_REVEALS = (1 << 3) | (1 << 8) | (1 << 13) | (1 << 18) | (1 << 24)  # SY-25


@rule
def reset_london(s: ScotlandYard, options: Array) -> None:
    """options: players, detectives, edition (1 classic), bobbies, max_rounds, max_moves, belief, stuck, starts."""
    s.classic = options[2]
    s.bobbies = options[3]
    s.max_rounds = options[4]
    s.max_moves = options[5]
    s.keeps_weights = options[6]
    s.stuck_stay = options[7]
    s.starts_apart = options[8]
    s.reveal_moves = _REVEALS
    _clear_table(s, options[0], options[1])
    taxis = 10 if s.classic else 11  # SY-19, SY-20
    for pawn in range(s.detectives):
        plain_clothes = pawn < int(s.detectives) - int(s.bobbies)
        s.pawn_tickets[pawn, TAXI] = taxis if plain_clothes else UNLIMITED
        s.pawn_tickets[pawn, BUS] = 8 if plain_clothes else UNLIMITED
        s.pawn_tickets[pawn, UNDERGROUND] = 4 if plain_clothes else UNLIMITED
    s.mr_x_tickets[TAXI] = 4 if s.classic else UNLIMITED
    s.mr_x_tickets[BUS] = 3 if s.classic else UNLIMITED
    s.mr_x_tickets[UNDERGROUND] = 3 if s.classic else UNLIMITED
    s.mr_x_tickets[BLACK] = int(s.detectives) - int(s.bobbies) if s.classic else 5
    s.mr_x_tickets[DOUBLE] = 2


@rule
def reset_grid(s: ScotlandYard, options: Array) -> None:
    """options: players, detectives, max_rounds, reveal_every, start_visible, belief (1 weights), starts (1 apart)."""
    s.together = 1
    s.detectives_first = 1
    s.max_rounds = options[2]
    s.start_visible = options[4]
    s.keeps_weights = options[5]
    s.starts_apart = options[6]
    moves = 0
    for move in range(options[3], 61, options[3]):
        moves |= 1 << move
    s.reveal_moves = moves
    _clear_table(s, options[0], options[1])
    for pawn in range(s.detectives):
        s.pawn_tickets[pawn, TAXI] = UNLIMITED
    s.mr_x_tickets[TAXI] = UNLIMITED


@rule
def _clear_table(s: ScotlandYard, players: int, detectives: int) -> None:
    s.players = players
    s.detectives = detectives
    s.phase = phases.PLACING
    s.round_number = 1
    s.mr_x_station = NOWHERE
    s.seen_station = NOWHERE
    s.seen_move = NEVER
    for pawn in range(MAX_PAWNS):
        s.pawn_station[pawn] = NOWHERE
        s.pawn_target[pawn] = NOWHERE
        s.pawn_left[pawn] = NOWHERE
    for k in range(s.log_station.shape[0]):
        s.log_ticket[k] = HIDDEN
        s.log_station[k] = HIDDEN


# --- chance: start cards, the detectives' first, then Mr. X's (SY-6, SY-21) -----------------


@rule
def _deck(s: ScotlandYard) -> int:
    """Which deck the next card is drawn from; cards of occupied stations are out of it."""
    return DETECTIVES_DECK if s.pawn < s.detectives else MR_X_DECK


@rule
def _cards_left(s: ScotlandYard, deck: int) -> int:
    board = tables(s)
    n = 0
    for k in range(board.cards[deck]):
        if may_start(s, deck, int(board.starts[deck, k])):
            n += 1
    return n


@rule
def chance(s: ScotlandYard, outcomes: Array, weights: Array) -> int:
    if s.phase != phases.PLACING:
        return 0
    board = tables(s)
    deck = _deck(s)
    left = _cards_left(s, deck)
    n = 0
    for k in range(board.cards[deck]):
        if may_start(s, deck, int(board.starts[deck, k])):
            outcomes[n] = board.starts[deck, k]
            weights[n] = 1.0 / left
            n += 1
    return n


@rule
def draw(s: ScotlandYard, rng: Array) -> int:
    board = tables(s)
    deck = _deck(s)
    left = below(rng, _cards_left(s, deck))
    k = 0
    while True:
        if may_start(s, deck, int(board.starts[deck, k])):
            if left == 0:
                return int(board.starts[deck, k])
            left -= 1
        k += 1

"""Catan: a turn begins, goes on and ends, and somebody wins (CA-11, CA-19)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.games.catan import phases
from ludens.games.catan.state import KINDS, NOBODY, VICTORY_CARD, Catan

__all__ = ["begin_turn", "check_victory", "end_turn", "following", "resume_turn"]


@rule
def following(seat: int, players: int) -> int:
    """The next seat round the table."""
    return seat + 1 if seat + 1 < players else 0


@rule
def begin_turn(s: Catan) -> None:
    s.rolled = 0
    s.die[0] = 0
    s.die[1] = 0
    s.card_played = 0
    s.has_built = 0
    s.offers_made = 0
    s.fresh_count = 0
    for k in range(KINDS):
        s.fresh[k] = 0
    s.phase = phases.BEFORE_ROLL
    check_victory(s)  # CA-19: points that came on another's turn


@rule
def resume_turn(s: Catan) -> None:
    """Back to what the active player may do, after a card, the robber or a build."""
    if s.phase != phases.OVER:
        s.phase = phases.MAIN if s.rolled else phases.BEFORE_ROLL


@rule
def end_turn(s: Catan) -> None:
    """The next player's turn begins, or the turn limit ends the game."""
    if s.turn_limit > 0 and s.turn_number >= s.turn_limit:
        s.cut_off = 1
        s.phase = phases.OVER
        return
    s.turn_number += 1
    s.current = following(int(s.current), int(s.players))
    begin_turn(s)


@rule
def check_victory(s: Catan) -> None:
    """The active player wins with enough points, hidden ones included (CA-19)."""
    if s.turn_number == 0:
        return
    p = int(s.current)
    needed = int(s.goal) - int(s.visible[p])
    if s.cards[p, VICTORY_CARD] >= needed:
        s.winner = p
        s.phase = phases.OVER
        s.victim = NOBODY
    else:
        s.most_victory[p] = needed - 1  # everybody sees that the game goes on

"""Scotland Yard: the phases of a game, which say what happens next, and how a game ended."""

from __future__ import annotations

PHASES = ("placing", "fleeing", "choosing", "moving", "over")
PLACING = 0  # start cards are drawn: detectives openly, then Mr. X
FLEEING = 1  # Mr. X moves
CHOOSING = 2  # a controller chooses which of its pawns moves next
MOVING = 3  # the chosen pawn moves
OVER = 4

ENDINGS = (None, "caught", "stuck", "escaped", "exhausted")
RUNNING = 0
CAUGHT = 1  # detectives win: a detective stands on Mr. X's station (SY-8a, SY-28)
STUCK = 2  # detectives win: Mr. X has no move to a free station (SY-8b, SY-28)
ESCAPED = 3  # Mr. X wins: not caught by the end of the last round (SY-9, SY-28)
EXHAUSTED = 4  # Mr. X wins: no detective can move any more (SY-28)

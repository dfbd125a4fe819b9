"""Catan: the phases of a game, which say what happens next. Those up to LAST_CHANCE are chance nodes."""

from __future__ import annotations

PHASES = (
    "terrain",
    "spiral",
    "red tokens",
    "tokens",
    "harbours",
    "dice",
    "theft",
    "card",
    "first settlements",
    "first roads",
    "before the roll",
    "main",
    "discard",
    "robber",
    "victim",
    "free roads",
    "plenty",
    "offer",
    "answer",
    "counter-offer",
    "partner",
    "over",
)
(
    TERRAIN_DEAL,  # the next hex gets its terrain
    SPIRAL,  # the corner where the tokens start
    RED_DEAL,  # the next 6 or 8 of random tokens
    TOKEN_DEAL,  # the other random tokens, hex by hex
    HARBOUR_DEAL,  # the next harbour gets its kind
    DICE,
    THEFT,  # which card is stolen
    DEAL,  # a development card is drawn
    PLACE_SETTLEMENT,
    PLACE_ROAD,
    BEFORE_ROLL,
    MAIN,
    DISCARDING,
    ROBBING,  # the robber moves
    VICTIMISING,  # whom to rob
    FREE_ROADS,
    PLENTY,
    OFFERING,  # the active player puts an offer together
    ANSWER,
    COUNTERING,  # the asked player puts a counter-offer together
    PARTNERING,  # the active player chooses among the willing
    OVER,
) = range(22)
LAST_CHANCE = DEAL

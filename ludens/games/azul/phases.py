"""Azul: the phases of a game, which say what happens next. START and DEALING are chance nodes."""

from __future__ import annotations

PHASES = ("start", "dealing", "taking", "placing", "over")
START, DEALING, TAKING, PLACING, OVER = range(5)

"""The address of whoever is being answered, for what is logged of wrong tokens and for turns at the threads."""

from __future__ import annotations

from contextvars import ContextVar

__all__ = ["NOBODY", "asking"]

NOBODY = "-"
asking: ContextVar[str] = ContextVar("asking", default=NOBODY)
"""The address of the client of this request or connection."""

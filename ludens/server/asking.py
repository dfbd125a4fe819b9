"""The address of whoever is being answered, for what is counted and logged of wrong tokens."""

from __future__ import annotations

from contextvars import ContextVar

__all__ = ["asking"]

asking: ContextVar[str] = ContextVar("asking", default="-")
"""The address of the client of this request or connection."""

"""Refusals: what the server does not do, as a word for programs and a sentence for people."""

from __future__ import annotations

from typing import Any

__all__ = ["CODES", "Refusal"]

CODES = {
    "bad_request": 422,
    "unauthorised": 401,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "stale_move": 409,
    "not_your_turn": 409,
    "illegal_move": 422,
    "wrong_status": 409,
    "seat_taken": 409,
    "too_slow": 408,
    "too_large": 413,
    "too_many": 429,
    "hints_off": 403,
    "laboratory_off": 403,
    "not_readable": 409,
    "unavailable": 503,
    "internal": 500,
}
"""Every error code with its HTTP status."""


_SOON = 1.0  # seconds until whoever was refused for the moment may come again, where nobody knows better


class Refusal(Exception):
    """A request that is refused with a code and a sentence; `details` join them in the answer."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.status = CODES[code]
        self.message = message
        self.details = {"retry_after": _SOON, **details} if self.status in (429, 503) else details

"""Azul's library: what it refuses (AZ-63)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.errors import BadInput

__all__ = ["IllegalOperation", "checked"]


class IllegalOperation(BadInput):
    """A call in the wrong phase, an id out of range or a misused part; nothing has changed (AZ-63)."""


def checked(value: Any, count: int, what: str) -> int:
    """The value as an id in 0 … count - 1; anything else is refused."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 0 <= value < count:
        raise IllegalOperation(f"{what} must be a whole number from 0 to {count - 1}, not {value!r}.")
    return int(value)

"""A record as a plain object, for the games' words.

Reading a field of a NumPy record costs two microseconds, of a plain object a thirtieth, and a
description of a position reads hundreds. The words of a game read fields by name and index, and the record's
type where several games share them, so they cannot tell the difference.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Fields"]


class _Field:
    """One field: found in the record when it is first read, then kept by the object that asked."""

    def __init__(self, name: str, single: bool) -> None:
        self._name = name
        self._single = single

    def __get__(self, fields: Fields, kind: type) -> Any:
        values = fields._states[self._name]
        found = fields.__dict__[self._name] = values.item() if self._single else values[0]
        return found


class Fields:
    """The fields of the first record of an array, by name, and the type of the record; the array must not change."""

    _states: np.ndarray
    dtype: np.dtype

    def __new__(cls, states: np.ndarray) -> Fields:
        found = object.__new__(_KINDS.get(states.dtype) or _kind_of(states.dtype))
        found._states, found.dtype = states, states.dtype
        return found


_KINDS: dict[np.dtype, type[Fields]] = {}


def _kind_of(dtype: np.dtype) -> type[Fields]:
    """The class of objects for the records of a type, made once."""
    fields = {name: _Field(name, not dtype[name].shape) for name in dtype.names or ()}
    _KINDS[dtype] = type("Fields", (Fields,), fields)
    return _KINDS[dtype]

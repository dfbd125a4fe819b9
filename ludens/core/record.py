"""A position is one fixed-size record: its layout, bytes, hash and JSON."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ludens.core.errors import BadInput

__all__ = ["blank", "copied", "digest", "from_bytes", "from_json", "layout", "to_bytes", "to_json"]

_PADDING = "padding"

Field = tuple[str, str] | tuple[str, str, tuple[int, ...]]


def layout(name: str, fields: list[Field]) -> np.dtype:
    """The dtype of a game's record.

    The name becomes part of the type (as the title of the first field), so that two games never share one.
    Fields are signed integers: Numba turns `uint8 + int64` into a float. They are stored widest first and filled
    up to whole words: a gap would hold bytes that no copy is bound to keep, and bytes are compared and hashed.
    """
    for field in fields:
        if np.dtype(field[1]).kind != "i":
            raise TypeError(f"field {field[0]} of {name}: use signed integers, not {field[1]}")
        if hasattr(np.record, field[0]):
            raise TypeError(f"field {field[0]} of {name}: NumPy records have an attribute of that name")
    widest_first = sorted(fields, key=lambda field: -np.dtype(field[1]).itemsize)
    spare = -np.dtype([tuple(field) for field in widest_first]).itemsize % np.dtype(widest_first[0][1]).itemsize
    if spare:
        widest_first.append((_PADDING, "i1", (spare,)))
    first = ((name, widest_first[0][0]), *widest_first[0][1:])
    plain = np.dtype([first, *widest_first[1:]], align=True)
    return np.dtype((np.record, plain))


def _names(dtype: np.dtype) -> list[str]:
    return [name for name in dtype.names or () if name != _PADDING]


def blank(dtype: np.dtype, count: int = 1) -> np.ndarray:
    """An array of `count` zeroed records."""
    return np.zeros(count, dtype)


def copied(states: np.ndarray) -> np.ndarray:
    """A copy of the record(s), by their bytes: NumPy would copy field by field, which takes fifteen times as long."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def to_bytes(states: np.ndarray) -> bytes:
    """The bytes of the record(s)."""
    return states.tobytes()


def from_bytes(dtype: np.dtype, data: bytes) -> np.ndarray:
    """The inverse of `to_bytes`; the data must be whole records."""
    if not data or len(data) % dtype.itemsize:
        raise BadInput(f"A position of this game has {dtype.itemsize} bytes, not {len(data)}.")
    return np.frombuffer(data, dtype).copy()


def digest(states: np.ndarray) -> str:
    """A short hash of the record's bytes, equal on every machine of the same byte order."""
    return hashlib.blake2b(states.tobytes(), digest_size=8).hexdigest()


def to_json(states: np.ndarray) -> dict[str, Any]:
    """The first record as plain numbers and lists, field by field."""
    return {name: states[name][0].tolist() for name in _names(states.dtype)}


def from_json(dtype: np.dtype, data: dict[str, Any]) -> np.ndarray:
    """The inverse of `to_json`; a missing, unknown or ill-shaped field is refused by name."""
    names = set(_names(dtype))
    if not isinstance(data, dict) or set(data) != names:
        wrong = sorted(names ^ set(data)) if isinstance(data, dict) else ["everything"]
        raise BadInput(f"A saved position must have exactly the game's fields; wrong: {', '.join(wrong)}.")
    states = blank(dtype)
    for name, value in data.items():
        target = states[name][0]
        try:
            values = np.asarray(value, dtype=np.int64)
        except (TypeError, ValueError, OverflowError) as error:
            raise BadInput(f"Field {name} of the saved position must hold whole numbers.") from error
        if values.shape != np.shape(target):
            raise BadInput(f"Field {name} of the saved position must have the shape {np.shape(target)}.")
        info = np.iinfo(np.asarray(target).dtype)
        if values.size and (values.min() < info.min or values.max() > info.max):
            raise BadInput(f"Field {name} of the saved position is out of range.")
        states[name][0] = values
    return states

"""Named arrays in one file of the safetensors format: a length, a header in JSON, and the numbers.

Playing needs no more than this reader; nothing in such a file can be run. It is strict: what it does not know in every
detail is refused, and nothing is loaded.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.files import read_bytes, write_bytes

__all__ = ["LARGEST_FILE", "read_arrays", "write_arrays"]

LARGEST_FILE = 1 << 28
"""Bytes of a file beyond which it is not read: no network that plays is near it."""

_LARGEST_HEADER = 1 << 20
_TYPES: dict[str, np.dtype] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}
_NAMES = {"float32": "F32", "float16": "F16"}
_METADATA = "__metadata__"


def write_arrays(path: str | Path, arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> Path:
    """Writes float32 and float16 arrays; the file is whole or left as it was."""
    header: dict[str, Any] = {_METADATA: dict(metadata)}
    parts, end = [], 0
    for name, array in sorted(arrays.items(), key=lambda item: (-item[1].itemsize, item[0])):
        data = np.ascontiguousarray(array).astype(_TYPES[_NAMES[array.dtype.name]], copy=False).tobytes()
        header[name] = {
            "dtype": _NAMES[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [end, end + len(data)],
        }
        parts.append(data)
        end += len(data)
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return write_bytes(path, struct.pack("<Q", len(text)) + text + b"".join(parts))


def read_arrays(path: str | Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The arrays of a file, as float32, and its metadata; anything but a sound file is refused in a sentence."""
    data = read_bytes(path, LARGEST_FILE)
    header, start = _header(path, data)
    metadata = header.pop(_METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise _refusal(path, "its metadata are no texts")
    arrays: dict[str, np.ndarray] = {}
    end = 0
    for name, entry in sorted(header.items(), key=lambda item: _begin(path, *item)):
        dtype, shape, (low, high) = _TYPES[entry["dtype"]], entry["shape"], entry["data_offsets"]
        if low != end or high - low != math.prod(shape) * dtype.itemsize:
            raise _refusal(path, f"array {name!r} does not stand where the header says")
        end = high
        if start + end > len(data):
            raise BadInput(f"{path} is cut off: {start + end - len(data)} bytes or more of its weights are missing.")
        array = np.frombuffer(data, dtype, math.prod(shape), start + low).reshape(shape).astype(np.float32)
        if not np.isfinite(array).all():
            raise BadInput(f"The weights in {path} are damaged: array {name!r} holds numbers that are not finite.")
        arrays[name] = array
    if start + end != len(data):
        raise _refusal(path, f"{len(data) - start - end} bytes at its end belong to no array")
    return arrays, metadata


def _refusal(path: str | Path, why: str) -> BadInput:
    return BadInput(f"{path} is no safetensors file that can be read: {why}.")


def _header(path: str | Path, data: bytes) -> tuple[dict[str, Any], int]:
    """The header of the file and where the numbers begin."""
    if len(data) < 8:
        raise _refusal(path, "it is too short")
    (length,) = struct.unpack_from("<Q", data)
    if length > _LARGEST_HEADER:
        raise _refusal(path, "its header would be larger than a mebibyte")
    if 8 + length > len(data):
        raise _refusal(path, "its header is cut off")
    try:
        header = json.loads(data[8 : 8 + length].decode("utf-8"), object_pairs_hook=_without_repetition)
    except (ValueError, RecursionError) as error:
        raise _refusal(path, "its header is not JSON") from error
    if not isinstance(header, dict):
        raise _refusal(path, "its header is no list of arrays")
    return header, 8 + length


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _begin(path: str | Path, name: str, entry: Any) -> tuple[int, int]:
    """Where an array begins and ends; an entry that is not of the form is refused."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise _refusal(path, f"array {name!r} is not described by type, shape and place")
    if not isinstance(entry["dtype"], str) or entry["dtype"] not in _TYPES:
        raise _refusal(path, f"array {name!r} holds neither float32 nor float16")
    shape, offsets = entry["shape"], entry["data_offsets"]
    sound = all(isinstance(part, list) and all(type(k) is int and 0 <= k <= 1 << 40 for k in part)
                for part in (shape, offsets))  # fmt: skip
    if not sound or len(offsets) != 2 or len(shape) > 8:
        raise _refusal(path, f"the shape or the place of array {name!r} is no list of sizes")
    return offsets[0], offsets[1]

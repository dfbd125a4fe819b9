"""JSON as it leaves the server: compact, and never anything that cannot be sent as UTF-8."""

from __future__ import annotations

import json
from typing import Any

import orjson

__all__ = ["encode", "encode_bytes"]


def encode_bytes(content: Any) -> bytes:
    """Compact JSON; what a client sent may be repeated in it, half of a surrogate pair included."""
    try:
        return orjson.dumps(content, option=orjson.OPT_NON_STR_KEYS)
    except TypeError:  # a lone surrogate, or a number beyond 64 bits
        return json.dumps(content, separators=(",", ":"), allow_nan=False).encode()


def encode(content: Any) -> str:
    """The same as text, for the messages of sockets."""
    return encode_bytes(content).decode()

"""JSON as it leaves the server: compact, and never anything that cannot be sent as UTF-8."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["encode"]


def encode(content: Any) -> str:
    """Compact JSON; what a client sent may be repeated in it, half of a surrogate pair included."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return json.dumps(content, separators=(",", ":"), allow_nan=False)
    return text

"""JSON from files that anybody may have written: what is none is refused in a sentence."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from ludens.core.errors import BadInput
from ludens.core.files import read_text

__all__ = ["is_finite_number", "read_json"]


def read_json(path: str | Path, what: str) -> Any:
    """The JSON of a file; `what`, such as "holds no weights", begins the complaint about any other."""
    text = read_text(path)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} {what}: it is not JSON, or it is cut off.") from error


def is_finite_number(value: Any) -> bool:
    """Is this a number that a float can hold? Truth values are none."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False

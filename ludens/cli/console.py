"""What all commands share: the two consoles, JSON output, options written as key=value."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ludens.core.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from ludens.core.spec import Option

__all__ = [
    "HELP_JSON",
    "HELP_OPTION",
    "describe_option",
    "error_console",
    "output_console",
    "parse_pairs",
    "print_json",
    "reference",
]

_ENDLESS = 1 << 20  # lines

HELP_JSON = "Print one JSON document instead of text."
HELP_OPTION = "An option of the game as key=value; may be repeated."


def output_console() -> Console:
    """The console for results, on standard output; what is no terminal has room for everything."""
    from rich.console import Console

    return Console(highlight=False, height=None if sys.stdout.isatty() else _ENDLESS)


def error_console() -> Console:
    """The console for progress and complaints, on standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def print_json(document: Any) -> None:
    """Prints exactly one JSON document on standard output; numbers that JSON does not know are null."""
    json.dump(_known(document), sys.stdout, indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")


def _known(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _known(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_known(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def parse_pairs(pairs: Sequence[str]) -> dict[str, str]:
    """The options written as key=value; one that is written otherwise or twice is refused."""
    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals or not value:
            raise BadInput(f"Option {pair!r} must read key=value.")
        if key in found:
            raise BadInput(f"Option {key} is given twice.")
        found[key] = value
    return found


def reference(error: BadInput) -> str:
    """Where the rules stand that a refusal rests on, in a few words; empty if it cites none."""
    if not error.rules:
        return ""
    page = f" (docs/rules/{error.rulebook}.md)" if error.rulebook else ""
    return f"see rule{'s' if len(error.rules) > 1 else ''} {', '.join(error.rules)}{page}"


def describe_option(option: Option) -> str:
    """An option as it is written, its meaning and its default."""
    values = "|".join(option.choices) if option.choices else f"{option.low}…{option.high}"
    return f"{option.name}={values}  {option.help} (default {option.show(option.default)})"

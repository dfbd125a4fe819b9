"""Errors meant for people: one sentence that says what was wrong and what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from ludens.i18n.citations import cited

__all__ = ["BadInput", "IllegalMove", "checked_index", "did_you_mean"]


class BadInput(ValueError):
    """A request that cannot be carried out; nothing has changed.

    Its text is the sentence for people. Numbers of rules that the sentence cites in brackets are taken out of it
    and stand in `rules`; `rulebook` names the page of `docs/rules/` that explains them, where it is known.
    """

    def __init__(self, sentence: str = "", rulebook: str = "") -> None:
        found = cited(sentence)
        super().__init__(found.sentence)
        self.rules: tuple[str, ...] = found.rules
        self.rulebook = rulebook


class IllegalMove(BadInput):
    """A move that the rules forbid; `rules` are the numbers of the rules that do."""


def checked_index(value: object, count: int, what: str, first: int = 0) -> int:
    """The value if it is one of 0 … count - 1; people are told of numbers from `first` on."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        shown = value + first if isinstance(value, int) and not isinstance(value, bool) else repr(value)
        raise BadInput(f"{what} must be a whole number from {first} to {count - 1 + first}, not {shown}.")
    return value


def did_you_mean(wrong: str, known: Iterable[str], what: str) -> BadInput:
    """The error for an unknown name, with the nearest known ones (or all of them)."""
    names = sorted(known)
    close = difflib.get_close_matches(wrong, names, n=3, cutoff=0.5)
    if close:
        hint = f"did you mean {' or '.join(close)}?"
    elif names:
        hint = f"known: {', '.join(names)}."
    else:
        hint = "none is known."
    return BadInput(f"Unknown {what} {wrong!r}; {hint}")

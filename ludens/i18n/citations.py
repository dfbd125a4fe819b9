"""Sentences that cite rules: the sentence is for people, the numbers are for links.

Rules, refusals and reasons are written as "The robber must move to another hex first (CA-13)." in the games;
what leaves for people is the sentence without the code, and beside it the numbers it cites. Every number has
its paragraph in `docs/rules/`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ludens.i18n.messages import Message

__all__ = ["Cited", "cited"]

_NUMBER = r"[A-Z]{2}-\d+"
_CITATION = re.compile(rf"\s*\(({_NUMBER}(?:(?:, | and | … ){_NUMBER})*)\)")


class Cited(NamedTuple):
    """A sentence and the numbers of the rules that stand behind it."""

    sentence: str
    rules: tuple[str, ...]


def cited(text: str) -> Cited:
    """Takes the numbers in brackets out of a sentence: "Roll first (CA-11)." becomes "Roll first." and CA-11."""
    rules = [number for group in _CITATION.findall(text) for number in re.findall(_NUMBER, group)]
    sentence: str = _CITATION.sub("", text)
    if isinstance(text, Message):
        sentence = Message(_CITATION.sub("", text.template), text.places)
    return Cited(sentence, tuple(dict.fromkeys(rules)))

"""Sentences made of a template and what stands in its places: English text that can be said in another language.

`say("{who} starts", who="Anna")` is the string "Anna starts" wherever a string is wanted. Whoever sends it to a reader
of another language asks `ludens.i18n.catalogue.translated` for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any

__all__ = ["Message", "joined", "recognised", "say", "sentence"]

_PLACE = re.compile(r"\{(\w+)\}")


class Message(str):
    """An English sentence that knows how it was made."""

    __slots__ = ("places", "template")
    template: str
    places: Mapping[str, Any]

    def __new__(cls, template: str, places: Mapping[str, Any]) -> Message:
        if places:
            pattern, names = _pattern(template)
            said = super().__new__(cls, pattern % tuple([places[name] for name in names]))
        else:
            said = super().__new__(cls, template)
        said.template, said.places = template, places
        return said

    def __str__(self) -> str:
        return self  # so that the text of an error is still the sentence that was given to it

    def __reduce__(self) -> tuple[Any, ...]:
        return Message, (self.template, dict(self.places))


@lru_cache(maxsize=1024)
def _pieces(template: str) -> list[str]:
    """The template cut at its places: every second piece is the name of one."""
    return _PLACE.split(template)


@lru_cache(maxsize=1024)
def _pattern(template: str) -> tuple[str, list[str]]:
    """The template for Python's `%`, and the names of its places in their order."""
    pieces = _pieces(template)
    return "%s".join(piece.replace("%", "%%") for piece in pieces[::2]), pieces[1::2]


def say(template: str, /, **places: Any) -> Message:
    """The sentence of an English template; `{name}` is where `name` stands."""
    return Message(template, places)


def sentence(text: str) -> Message:
    """A sentence without places, whatever it is made of; one that knows how it was made stays as it is."""
    return text if isinstance(text, Message) else Message(text, {})


def joined(parts: Sequence[str], between: str = ", ") -> str:
    """Several things one after the other, each of which can be said in another language."""
    return reduce(lambda a, b: say("{a}" + between + "{b}", a=a, b=b), parts) if parts else ""


def recognised(text: str, *templates: str) -> str:
    """A sentence that was stored as text, as one of these templates made it; else the text itself."""
    for template in templates:
        pattern = "".join(f"(?P<{p}>.+)" if k % 2 else re.escape(p) for k, p in enumerate(_pieces(template)))
        if found := re.fullmatch(pattern, text):
            return Message(template, found.groupdict())
    return text

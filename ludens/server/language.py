"""The language of whoever is answered: of a request, or of the connection that a message goes to."""

from __future__ import annotations

import re
from contextvars import ContextVar

from starlette.types import Scope

from ludens.i18n.catalogue import ENGLISH, LANGUAGES, preferred

__all__ = ["answered_in", "language_of"]

_ASKED = re.compile(rb"(?:^|&)language=([a-z]{2})(?:&|$)")

answered_in: ContextVar[str] = ContextVar("answered_in", default=ENGLISH)
"""The language of the request that is being answered."""


def language_of(scope: Scope) -> str:
    """The language that the address asks for (`?language=cs`), or the header `Accept-Language`; else English."""
    asked = _ASKED.search(scope.get("query_string", b""))
    if asked and (language := asked[1].decode()) in LANGUAGES:
        return language
    wishes = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
    return preferred(wishes.decode("latin-1"))

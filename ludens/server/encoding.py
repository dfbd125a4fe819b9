"""JSON as it leaves the server: compact, in the language of its reader, always what can be sent as UTF-8."""

from __future__ import annotations

import json
from typing import Any

import orjson

from ludens.i18n.catalogue import ENGLISH, translated
from ludens.i18n.messages import Message
from ludens.server.language import answered_in

__all__ = ["encode", "encode_bytes", "encoded"]


def encode_bytes(content: Any, language: str | None = None) -> bytes:
    """Compact JSON in a language, or in that of the request that is being answered.

    What a client sent may be repeated in it, half of a surrogate pair included.
    """
    language = answered_in.get() if language is None else language
    if language != ENGLISH:
        content = _in_language(content, language)
    try:
        return orjson.dumps(content)
    except TypeError:  # keys that are numbers, which take it twice as long, are few
        return _encode_all(content)


def _encode_all(content: Any) -> bytes:
    try:
        return orjson.dumps(content, option=orjson.OPT_NON_STR_KEYS)
    except TypeError:  # a lone surrogate, or a number beyond 64 bits
        return json.dumps(content, separators=(",", ":"), allow_nan=False).encode()


def encode(content: Any, language: str | None = None) -> str:
    """The same as text, for the messages of sockets."""
    return encode_bytes(content, language).decode()


def encoded(content: Any, language: str | None = None) -> orjson.Fragment:
    """The same as a part of something that is encoded later."""
    return orjson.Fragment(encode_bytes(content, language))


def _in_language(content: Any, language: str) -> Any:
    """The content with every sentence said in the language."""
    if isinstance(content, Message):
        return translated(content, language)
    if isinstance(content, dict):
        return {key: _in_language(value, language) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_in_language(value, language) for value in content]
    return content

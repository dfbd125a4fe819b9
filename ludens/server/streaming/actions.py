"""The moves of the seat to act, in words; where these never change they are made and encoded once for all tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import orjson

from ludens.core.fields import Fields
from ludens.core.words import Words
from ludens.server.encoding import encode_bytes
from ludens.server.tables.table import Table

__all__ = ["encoded_actions", "told_actions"]

_KEPT = 64  # kinds of tables (a game with its options) whose words are kept


def _fixed(table: Table) -> bool:
    return table.game.text.actions_are_fixed


@lru_cache(_KEPT)
def _known(text: Words, options: bytes) -> dict[int, dict[str, Any]]:
    """What was told of the actions of such tables, by id."""
    return {}


@lru_cache(_KEPT)
def _known_json(text: Words, options: bytes, language: str) -> dict[int, bytes]:
    """The same as JSON of a language."""
    return {}


def told_actions(table: Table, ids: Sequence[int], seen: Fields) -> list[dict[str, Any]]:
    """The actions of these ids in the words of whoever sees the record."""
    text = table.game.text
    if not _fixed(table):
        return [_told(text, seen, a) for a in ids]
    known = _known(text, table.options.tobytes())
    for a in ids:
        if a not in known:
            known[a] = _told(text, seen, a)
    return [known[a] for a in ids]


def encoded_actions(table: Table, told: list[dict[str, Any]], language: str) -> list[dict[str, Any]] | orjson.Fragment:
    """What `told_actions` gave, as JSON where that is known already."""
    if not _fixed(table):
        return told
    known = _known_json(table.game.text, table.options.tobytes(), language)
    for action in told:
        if action["id"] not in known:
            known[action["id"]] = encode_bytes(action, language)
    return orjson.Fragment(b"[%b]" % b",".join([known[action["id"]] for action in told]))


def _told(text: Words, seen: Fields, a: int) -> dict[str, Any]:
    return {"id": a, "text": text.action_to_text(seen, a), "json": text.action_to_json(seen, a)}

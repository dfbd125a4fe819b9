"""Other languages: catalogues of sentences beside this file, by their English templates.

A catalogue `CODE.json` has for every template its translation, with the same places. Where the words depend on a
number there is one for every plural that the language has: `{"one": …, "few": …, "other": …}`, chosen by the place
`n` or by the one that `"of"` names. `{place:4}` is a word that is looked up in the catalogue, in that form (its case).
Citations of rules are no part of the templates: they stand in the sentence of every language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from ludens.i18n.citations import cited
from ludens.i18n.messages import Message

__all__ = ["ENGLISH", "LANGUAGES", "catalogue", "preferred", "translated"]

ENGLISH = "en"
LANGUAGES = (ENGLISH, "cs", "sk", "de")
_FOLDER = Path(__file__).parent
_LETTER = re.compile(r"[^\W\d_]")
_PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")


@lru_cache
def catalogue(language: str) -> Mapping[str, Any]:
    """All that can be said in a language, by the English words."""
    if language == ENGLISH:
        return {}
    found: dict[str, Any] = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return found


def translated(text: str, language: str) -> str:
    """A sentence in another language; one that the language has no words for stays English."""
    if language == ENGLISH:
        return text
    template, places = (text.template, text.places) if isinstance(text, Message) else (text, {})
    sentence, rules = cited(template)
    entry = catalogue(language).get(sentence)
    if entry is None and places and not _LETTER.search(_PLACE.sub("", sentence)):
        entry = sentence  # places alone: "{a}, {b}"
    if entry is None:
        return text
    if not isinstance(entry, str):
        number = places.get(entry.get("of", "n"))
        entry = entry.get(_plural(language, number), entry["other"])

    def value(place: re.Match[str]) -> str:
        name, form = place.groups()
        given = places[name]
        if form:
            return _word(str(given), form, language)
        return translated(given, language) if isinstance(given, Message) else str(given)

    said = _PLACE.sub(value, entry)
    if not rules:
        return said
    citation = f" ({', '.join(rules)})"
    return f"{said[:-1]}{citation}{said[-1]}" if said.endswith((".", "!", "?")) else said + citation


def _word(word: str, form: str, language: str) -> str:
    """A word in one of its forms."""
    entry = catalogue(language).get(word, word)
    return str(entry if isinstance(entry, str) else entry.get(form, entry["other"]))


def _plural(language: str, number: Any) -> str:
    """The plural of a whole number, by the rules of Unicode's CLDR."""
    if not isinstance(number, int):
        return "other"
    if number == 1:
        return "one"
    return "few" if language in ("cs", "sk") and 2 <= number <= 4 else "other"


def preferred(wishes: str) -> str:
    """The first language that we speak of a header `Accept-Language`; English if there is none."""
    ranked: list[tuple[float, str]] = []
    for wish in wishes.split(",")[:20]:
        name, _, quality = wish.strip().partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=")) if quality else 1.0
        except ValueError:
            continue
        ranked.append((-weight, name.lower().partition("-")[0]))
    return next((code for _, code in sorted(ranked, key=lambda wish: wish[0]) if code in LANGUAGES), ENGLISH)

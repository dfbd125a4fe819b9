"""Games from outside: a document with moves and draws, in ids or words, becomes a match."""

from __future__ import annotations

from typing import Any

from ludens.core import registry
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.inputs import check_result
from ludens.core.match import FORMAT, Match

__all__ = ["import_match"]

_KEYS = ("game", "options", "players", "names", "position", "log", "seed", "result", "chance", "format", "comment")


def import_match(document: Any) -> Match:
    """The match that a document describes; what is wrong in it is named.

    `game` is a name or `name@version`, `options` are settings by name, `log` is a list of moves (ids, texts or JSON
    forms) and draws (ids or texts) in their order. Further keys are `players`, `names`, `position` (what the game
    began with, instead of the set-up), `seed` (for draws after the log), `result` (compared with the end that the
    log leads to) and `comment`.

    >>> match = import_match({"game": "scotland_yard_grid", "log": ["detective 1 starts at a1"]})
    >>> match.chance, match.log
    ('recorded', [0])
    """
    if not isinstance(document, dict):
        raise BadInput("A game to import is a JSON object with game, options and log.")
    for key in document:
        if key not in _KEYS:
            raise did_you_mean(str(key), _KEYS, "key of a game to import")
    missing = [key for key in ("game", "log") if key not in document]
    if missing:
        raise BadInput(f"The game to import lacks {' and '.join(missing)}.")
    if document.get("format", FORMAT) != FORMAT:
        raise BadInput(f"The format of a game to import is {FORMAT}, if it is given, not {document['format']!r}.")
    name, log, options = document["game"], document["log"], document.get("options") or {}
    if not isinstance(name, str):
        raise BadInput(f"The game is given by its name, not as {name!r}.")
    if not isinstance(log, list):
        raise BadInput("The log must be a list of moves and draws.")
    if not isinstance(options, dict):
        raise BadInput("The options must be an object of names and values.")
    if "players" in document:
        options = {**options, "players": document["players"]}
    game = registry.identified(name) if "@" in name else registry.game(name)
    match = Match.recorded(
        game, options, log, document.get("names"), seed=document.get("seed"), position=document.get("position")
    )
    check_result(document.get("result"), match.over, match.scores(), match.returns())
    return match

"""Finding games by name. A game is one line in `BUILT_IN`, an entry point, or a `register` call."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from ludens.core.errors import BadInput, did_you_mean
from ludens.core.spec import Game

__all__ = ["BUILT_IN", "game", "games", "identified", "names", "register"]

BUILT_IN: dict[str, str] = {
    "azul": "ludens.games.azul:GAME",
    "discovery": "ludens.games.discovery:GAME",
    "catan": "ludens.games.catan:GAME",
    "scotland_yard": "ludens.games.scotland_yard:LONDON",
    "scotland_yard_grid": "ludens.games.scotland_yard:GRID",
}
"""Name -> where its `Game` object is; imported when first asked for."""

_loaded: dict[str, Game] = {}


def register(new: Game) -> Game:
    """Adds a game from outside the package; the name must be free."""
    if new.spec.name in names() and game(new.spec.name) is not new:
        raise BadInput(f"A game named {new.spec.name} is registered already.")
    _loaded[new.spec.name] = new
    return new


@cache
def _installed() -> dict[str, EntryPoint]:
    """The games of other packages; looking through all that is installed takes milliseconds, so it is done once."""
    return {point.name: point for point in reversed(tuple(entry_points(group="ludens.games")))}


def names() -> list[str]:
    """All known games: the built-in ones, then installed ones, then registered ones."""
    return list(dict.fromkeys([*BUILT_IN, *_installed(), *_loaded]))


def game(name: str) -> Game:
    """The game of that name; an unknown one lists the nearest."""
    if name in _loaded:
        return _loaded[name]
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        found: Game = getattr(import_module(module), attribute)
    else:
        if name not in _installed():
            raise did_you_mean(name, names(), "game")
        found = _installed()[name].load()
    _loaded[name] = found
    return found


def games() -> list[Game]:
    """All games, loaded."""
    return [game(name) for name in names()]


def identified(identity: str) -> Game:
    """The game for `name@version`; a version that it neither is nor reads is refused by name."""
    name, _, version = str(identity).partition("@")
    found = game(name)
    if identity not in (found.spec.identity, *(f"{name}@{older}" for older in found.spec.reads)):
        given = f"version {version}" if version else "no version"
        raise BadInput(f"This was made with {name}, {given}; here is {found.spec.identity}, which cannot read it.")
    return found

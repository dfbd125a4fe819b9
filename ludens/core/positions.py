"""Positions from outside: what a game can check before somebody plays on from them, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ludens.core import kernels, record
from ludens.core.errors import BadInput
from ludens.core.notation import LONGEST, build, numbers
from ludens.core.record import Position
from ludens.core.registry import game as game_named
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL, UNKNOWN

__all__ = ["checked_position", "is_notation", "position_from_notation", "position_to_notation", "possible_if"]

_HEAD = re.compile(r"([a-z_]+)/(\d+):([^;]*)(?:;(.*))?", re.DOTALL)


def checked_position(game: Game, options: np.ndarray, position: Mapping[str, Any] | np.ndarray) -> np.ndarray:
    """The full state that a position gives, as an array of one record; an impossible one is refused.

    A position is an array of one record or its fields as `record.to_json` writes them. The game's own
    `check_position` looks at it before any rule does: rules assume that what they are given can happen, and compiled
    ones would read and write beside their arrays where it cannot.
    """
    state = _read(game, position)
    players = int(state["players"][0])
    if players != int(options[0]):
        raise BadInput(f"The position is one of {players} players, but the options say {int(options[0])}.")
    if game.spec.hidden:
        unknown = [name for name in state.dtype.names or () if (np.asarray(state[name]) == UNKNOWN).any()]
        if unknown:
            raise BadInput(
                f"The position does not say what is hidden ({', '.join(unknown)} hold {UNKNOWN}): "
                f"a game can be played on only with full information, hidden cards and places too."
            )
    if game.check_position is not None:
        reason = game.check_position(state[0], _begun(game, options)[0])
        if reason:
            raise BadInput(f"The position is not possible: {reason}.", game.spec.rulebook)
    _check_next(game, state, players)
    return state


def position_to_notation(game: Game, options: np.ndarray, position: np.ndarray) -> str:
    """The text of a position (an array of one record) of a game with these options.

    What comes back from it plays on alike; fields that no rule reads any more are empty.
    """
    notation = game.text.notation()
    usual, begun = game.show_options(game.options()), _begun(game, options)
    position = position.copy()
    notation.tidy(position[0])
    chosen = {name: value for name, value in game.show_options(options).items() if value != usual[name]}
    given = {
        part.name: text
        for part in notation.parts
        if not part.follows and (text := part.write(position[0])) != part.write(begun[0])
    }
    following = build(notation, begun, given)
    for part in notation.parts:
        if part.follows and (text := part.write(position[0])) != part.write(following[0]):
            given[part.name] = text
    following = build(notation, begun, given)
    for name in position.dtype.names or ():
        if not np.array_equal(position[name], following[name]):
            given[f".{name}"] = numbers(name, name).write(position[0])
    parts = "".join(f";{name}={text}" for name, text in given.items())
    return f"{game.spec.name}/{notation.version}:{','.join(f'{name}={value}' for name, value in chosen.items())}{parts}"


def position_from_notation(text: str) -> tuple[Game, np.ndarray, np.ndarray]:
    """The game, its options and the position that a text gives; one that cannot be is refused with the reason."""
    found = _HEAD.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if found is None:
        raise BadInput("A position is written as game/version:options;part=…;part=…, for example azul/1:players=2.")
    name, version, chosen, parts = found.groups()
    game = game_named(name)
    notation = game.text.notation()
    if int(version) != notation.version:
        raise BadInput(f"Positions of {game.spec.title} are written in version {notation.version}, not {version}.")
    options = game.options(_pairs(chosen, ","))
    state = build(notation, _begun(game, options), _pairs(parts or "", ";"))
    return game, options, checked_position(game, options, state)


def is_notation(text: str) -> bool:
    """Does the text look like a position in one line, and not like the name of a file?"""
    return _HEAD.fullmatch(text.strip()[:LONGEST]) is not None


def possible_if(
    limits: Mapping[str, tuple[int, int]], options: tuple[str, ...], faults: Callable[[Any, Any], Iterator[str]]
) -> Callable[[Any, Any], str | None]:
    """A `check_position`: why a record cannot be a position of the game that begins with another record, or None.

    `limits` are the least and the largest number of the fields with these names, `options` the fields that hold the
    rules in force and never change, `faults` tells what else is wrong; it is asked last and may count on both.
    """

    def check(s: Position, begun: Position) -> str | None:
        for names, (low, high) in limits.items():
            for name in names.split():
                numbers = np.asarray(s[name])
                if numbers.min() < low or numbers.max() > high:
                    return f"{name} holds numbers from {low} to {high}"
        for name in options:
            if not np.array_equal(s[name], begun[name]):
                return f"{name} is not what the options say"
        return next(faults(s, begun), None)

    return check


def _read(game: Game, position: Mapping[str, Any] | np.ndarray) -> np.ndarray:
    if isinstance(position, np.ndarray):
        if position.dtype != game.dtype or position.shape != (1,):
            raise BadInput(f"A position of {game.spec.name} is an array of one record of its type.")
        return position.copy()
    return record.from_json(game.dtype, dict(position) if isinstance(position, Mapping) else position)


def _check_next(game: Game, state: np.ndarray, players: int) -> None:
    """Somebody has a move, something can be drawn, or the game is over."""
    who = int(kernels.actor_at(state, 0))
    if who == TERMINAL:
        return
    if who == CHANCE:
        outcomes, weights = np.zeros(game.spec.outcomes, np.int64), np.zeros(game.spec.outcomes)
        n = int(kernels.chance_at(state, 0, outcomes, weights))
        if n == 0 or abs(weights[:n].sum() - 1.0) > 1e-6:
            raise BadInput("The position is not possible: a draw comes next, but nothing is left to draw.")
        return
    if not 0 <= who < players:
        raise BadInput(f"The position is not possible: seat {who} is to act, and there are {players} players.")
    if int(kernels.legal_at(state, 0, np.zeros(game.spec.actions, np.int64))) == 0:
        raise BadInput(f"The position is not possible: seat {who} is to act, but has no move.")


def _begun(game: Game, options: np.ndarray) -> np.ndarray:
    begun = record.blank(game.dtype)
    kernels.reset_at(begun, 0, options)
    return begun


def _pairs(text: str, between: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for pair in filter(None, text.split(between)):
        name, equals, value = pair.partition("=")
        if not equals or name in pairs:
            raise BadInput(f"'{pair[:40]}' is not a part of a position, or its name stands there twice.")
        pairs[name] = value
    return pairs

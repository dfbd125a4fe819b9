"""Azul as a library of objects, for front ends, agents and experiments of one's own (AZ-41 … AZ-72).

    >>> from ludens.games.azul.library import AzulGame, Position
    >>> game = AzulGame(names=["Ada", "Ben"], seed=7, first=0)
    >>> game.start()
    >>> later = game.after(game.valid_moves()[0])
    >>> later.names[later.current], Position.decode(game.encode()).bag.total
    ('Ben', 80)

`AzulGame` is a running game: it tells its listeners and agents when it waits, and is played by `move` and `tile`.
`Position` is all that can be read off one moment of it, and what a move would make of it. `Player`, `PatternLine`,
`Factory`, `Centre`, `Tiles`, `TileGroup` and `Move` are its parts. `encode`, `decode` and `next_state` turn
positions into vectors, and play on vectors. `IllegalOperation` is raised for every misuse; nothing has changed then.

The guide is `docs/azul_library.md`; colours, seats, lines, rows and columns are counted from 0.
"""

from __future__ import annotations

from ludens.games.azul.library.errors import IllegalOperation
from ludens.games.azul.library.game import AzulGame, Listener, Notice, Topic
from ludens.games.azul.library.game_log import GameLog
from ludens.games.azul.library.moves import ACTIONS, NO_MOVE, Move, action_index, action_mask, move_at
from ludens.games.azul.library.player import PatternLine, Player
from ludens.games.azul.library.position import WALL_PATTERN, Phase, Position
from ludens.games.azul.library.tiles import Centre, Factory, TileGroup, Tiles
from ludens.games.azul.library.vector import (
    BOARD_LENGTH,
    decode,
    decode_centre,
    decode_factory,
    decode_line,
    decode_player,
    encode,
    encode_centre,
    encode_factory,
    encode_line,
    encode_sources,
    next_state,
    own_part,
    vector_length,
)
from ludens.games.azul.state import COLOURS, EMPTY, FLOOR, MARKER, NOBODY

__all__ = [
    "ACTIONS",
    "BOARD_LENGTH",
    "COLOURS",
    "EMPTY",
    "FLOOR",
    "MARKER",
    "NOBODY",
    "NO_MOVE",
    "WALL_PATTERN",
    "AzulGame",
    "Centre",
    "Factory",
    "GameLog",
    "IllegalOperation",
    "Listener",
    "Move",
    "Notice",
    "PatternLine",
    "Phase",
    "Player",
    "Position",
    "TileGroup",
    "Tiles",
    "Topic",
    "action_index",
    "action_mask",
    "decode",
    "decode_centre",
    "decode_factory",
    "decode_line",
    "decode_player",
    "encode",
    "encode_centre",
    "encode_factory",
    "encode_line",
    "encode_sources",
    "move_at",
    "next_state",
    "own_part",
    "vector_length",
]

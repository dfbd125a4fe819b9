"""Azul's library: what can be read off a position, and what a move would make of it (AZ-45, AZ-47, AZ-50 … AZ-55)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import numpy as np

from ludens.core import kernels
from ludens.core.agent import Agent, Clock, Seating
from ludens.core.jit import plain
from ludens.games.azul import GAME, phases
from ludens.games.azul.library.errors import IllegalOperation, checked
from ludens.games.azul.library.moves import Move, action_index, action_mask, move_at
from ludens.games.azul.library.player import Player
from ludens.games.azul.library.tiles import Centre, Factory, Tiles
from ludens.games.azul.library.vector import decode, encode, encode_sources
from ludens.games.azul.rules.wall import wall_column
from ludens.games.azul.state import NOBODY, SIZE
from ludens.games.azul.text.actions import action_to_text
from ludens.games.azul.text.position import open_columns
from ludens.games.azul.text.refusals import refusal

__all__ = ["WALL_PATTERN", "Phase", "Position"]


class Phase(Enum):
    """What a game waits for (AZ-10)."""

    TAKING = "taking"
    PLACING = "placing"
    OVER = "game over"


_PHASES = {phases.TAKING: Phase.TAKING, phases.PLACING: Phase.PLACING, phases.OVER: Phase.OVER}
_wall_column = plain(wall_column)

WALL_PATTERN: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted(range(SIZE), key=lambda colour: _wall_column(row, colour))) for row in range(SIZE)
)
"""The colours of the fixed wall, row by row (AZ-6)."""


class Position:
    """A position of Azul, to be read only.

    Seats, rows, columns, lines and colours are counted from 0.
    """

    def __init__(self, states: np.ndarray, names: Sequence[str] | None = None) -> None:
        """`states` is an array of one record, which nobody changes any more."""
        self._states = states
        players = int(states["players"][0])
        self.names = tuple(names) if names is not None else GAME.spec.seat_names(players)

    @staticmethod
    def decode(
        vector: Sequence[int] | np.ndarray, grey: bool = False, lid: Tiles | Sequence[int] | None = None
    ) -> Position:
        """The position told by a compact vector, its observer on seat 0 and to act (AZ-70).

        Tiles that the vector does not show are in the bag, but for those that `lid` counts.
        """
        return Position(decode(vector, grey, lid))

    # --- the table ---------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        number = int(self._states["phase"][0])
        if number not in _PHASES:
            raise IllegalOperation("The game has not begun; call start() first.")
        return _PHASES[number]

    @property
    def current(self) -> int:
        """The seat to act, NOBODY after the end."""
        return NOBODY if self.phase is Phase.OVER else int(self._states["current"][0])

    @property
    def round_number(self) -> int:
        """Counted from 1."""
        return int(self._states["round_number"][0])

    @property
    def grey(self) -> bool:
        """Is the wall the grey one, where its owner chooses columns? (AZ-37)"""
        return bool(self._states["grey"][0])

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(Player(self._states, seat, name) for seat, name in enumerate(self.names))

    @property
    def factories(self) -> tuple[Factory, ...]:
        return tuple(Factory(tuple(counts)) for counts in self._states["sources"][0, : self._centre_id].tolist())

    @property
    def centre(self) -> Centre:
        counts = self._states["sources"][0, self._centre_id].tolist()
        return Centre(tuple(counts), self.marker_taken)

    @property
    def marker_taken(self) -> bool:
        """Has somebody taken the first-player marker from the centre this round?"""
        return bool(self._states["marker"][0] != NOBODY)

    @property
    def bag(self) -> Tiles:
        """A copy of what is in the bag."""
        return Tiles.of(self._states["bag"][0])

    @property
    def lid(self) -> Tiles:
        """A copy of what is in the lid, where used tiles wait."""
        return Tiles.of(self._states["lid"][0])

    @property
    def wall_pattern(self) -> tuple[tuple[int, ...], ...]:
        """The colours of the fixed wall, row by row."""
        return WALL_PATTERN

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, several if they share the victory; none before the end (AZ-35)."""
        if self.phase is not Phase.OVER:
            return ()
        returns = np.zeros(len(self.names))
        kernels.returns_at(self._states, 0, returns)
        return tuple(int(seat) for seat in np.flatnonzero(returns == returns.max()))

    @staticmethod
    def wall_column(row: int, colour: int) -> int:
        """The column of a colour in a row of the fixed wall (AZ-54)."""
        return _wall_column(checked(row, SIZE, "A row"), checked(colour, SIZE, "A colour"))

    # --- moves -------------------------------------------------------------------------

    def valid_moves(self) -> list[Move]:
        """All legal taking moves of the player to act; none while tiling and at the end (AZ-50)."""
        return [move_at(int(index)) for index in np.flatnonzero(self.action_mask())]

    def can_move(self, move: Move) -> bool:
        """Is this taking move legal now? Refused when no taking move is due (AZ-47, AZ-63)."""
        return bool(self.action_mask()[self._action(move)])

    def action_mask(self) -> np.ndarray:
        """`bool[300]` over the indices of `action_index` (AZ-67)."""
        return action_mask(self._states)

    def describe(self, move: Move) -> str:
        """The move in the words of the game, for example `2 blue 3` or `centre red floor`."""
        return action_to_text(self._states[0], action_index(move))

    def after(self, move: Move) -> Position:
        """The position after a taking move, before any tiling; this one stays as it is (AZ-53)."""
        action = self._action(move)
        if not self.action_mask()[action]:
            raise IllegalOperation(refusal(self._states[0], action))
        states = self._states.copy()
        kernels.apply_at(states, 0, action)
        return Position(states, self.names)

    def open_columns(self) -> list[int]:
        """Where the next tile of the player to act may stand; empty if the step places no tile (AZ-38, AZ-39)."""
        self._require(Phase.PLACING)
        return open_columns(self._states[0])

    def ask(self, agent: Agent, seed: int = 0) -> Move:
        """The taking move that an agent would make here for the player to act; nothing is played."""
        self._require(Phase.TAKING)
        wall, round_limit = "grey" if self.grey else "coloured", int(self._states["round_limit"][0])
        options = GAME.options({"players": len(self.names), "wall": wall, "round_limit": round_limit})
        agent.start(Seating(GAME, options, self.current, seed))
        return move_at(int(agent.choose(self.state(), np.flatnonzero(self.action_mask()), Clock())))

    # --- numbers -----------------------------------------------------------------------

    def state(self) -> np.ndarray:
        """A copy of the record, in an array of one: what every seat sees, and what searches and batches take."""
        return self._states.copy()

    def encode(self, seat: int | None = None, others: bool = True) -> np.ndarray:
        """The compact vector seen from a seat, by default the one to act (AZ-51, AZ-70, AZ-72)."""
        return encode(self._states, self.current if seat is None else seat, others)

    def encode_sources(self) -> list[int]:
        """The factories and the centre as integers (AZ-55)."""
        return encode_sources(self._states)

    def features(self, seat: int | None = None) -> np.ndarray:
        """The feature vector for networks, seen from a seat, by default the one to act (AZ-71)."""
        seat = self.current if seat is None else checked(seat, len(self.names), "A seat")
        options = np.array([len(self.names), int(self.grey), 0, 0, self._centre_id, 0], np.int64)
        out = np.zeros(GAME.spec.observation_size(options), np.float32)
        kernels.observe_at(self._states, 0, seat, out)
        return out

    # --- inside ------------------------------------------------------------------------

    @property
    def _centre_id(self) -> int:
        return int(self._states["factories"][0])

    def _require(self, phase: Phase) -> None:
        if self.phase is not phase:
            raise IllegalOperation(f"This belongs to the phase {phase.value!r}, but now it is {self.phase.value!r}.")

    def _action(self, move: Move) -> int:
        """The index of a move that could be made in this phase on this table."""
        self._require(Phase.TAKING)
        if not isinstance(move, Move):
            raise IllegalOperation(f"A move is a Move of colour, source and destination, not {move!r}.")
        checked(move.source, self._centre_id + 1, "The source of a move")
        return action_index(move)

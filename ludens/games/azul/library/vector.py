"""Azul's library: positions as vectors of whole numbers, and back (AZ-51 … AZ-53, AZ-55, AZ-70, AZ-72).

The compact vector of a position, from the point of view of an observer:

    F numbers      each factory: its tiles of colour t times 5^t, summed
    2 numbers      the centre, likewise with 21^t; then 1 if the marker is still there, else 0
    39 a player    score; starts-next flag; 5 pattern lines (0, or 1 + 5·colour + count - 1);
                   25 wall cells row by row (0, or 1 + colour);
                   7 floor places (0, 1 + colour, or 6 for the marker)

Players follow in turn order from the observer on; without the other boards only the observer does.
Bag, lid, phase, the kind of wall and the seat to act are outside the vector; `decode` says how it restores them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludens.core import kernels
from ludens.core.jit import kernel, plain, rule
from ludens.core.record import Array, Records, blank
from ludens.games.azul import phases
from ludens.games.azul.library.errors import IllegalOperation, checked
from ludens.games.azul.library.moves import Move, action_index, action_mask
from ludens.games.azul.library.player import PatternLine, Player
from ludens.games.azul.library.tiles import Centre, Factory, Tiles
from ludens.games.azul.state import (
    COLOURS,
    DTYPE,
    EMPTY,
    FACTORY_ROOM,
    FLOOR_ROOM,
    MARKER,
    MAX_PLAYERS,
    NOBODY,
    SIZE,
    TILES_PER_COLOUR,
    Azul,
)
from ludens.games.azul.text.refusals import refusal

__all__ = [
    "BOARD_LENGTH",
    "decode",
    "decode_centre",
    "decode_factory",
    "decode_line",
    "decode_player",
    "encode",
    "encode_centre",
    "encode_factory",
    "encode_into",
    "encode_line",
    "encode_sources",
    "next_state",
    "own_part",
    "vector_length",
]

BOARD_LENGTH = 2 + SIZE + SIZE * SIZE + FLOOR_ROOM
"""Numbers a player board."""

_FACTORY_BASE = FACTORY_ROOM + 1
_CENTRE_BASE = TILES_PER_COLOUR + 1


# --- encoding -----------------------------------------------------------------------------


@rule
def _pack(counts: Array | tuple[int, ...], base: int) -> int:
    code = 0
    for colour in range(SIZE - 1, -1, -1):
        code = code * base + int(counts[colour])
    return code


@rule
def _line_code(colour: int, count: int) -> int:
    return 0 if count == 0 else SIZE * colour + count


@rule
def encode_into(s: Azul, seat: int, others: bool, out: Array) -> int:
    """Writes the compact vector of s, seen from the seat, into out; returns its length (AZ-70)."""
    centre = int(s.factories)
    for factory in range(centre):
        out[factory] = _pack(s.sources[factory], _FACTORY_BASE)
    out[centre] = _pack(s.sources[centre], _CENTRE_BASE)
    out[centre + 1] = 1 if s.marker == NOBODY else 0
    k = centre + 2
    players = int(s.players)
    for offset in range(players if others else 1):
        p = (seat + offset) % players
        out[k] = s.score[p]
        out[k + 1] = 1 if s.marker == p else 0
        k += 2
        for line in range(SIZE):
            out[k] = _line_code(int(s.line_colour[p, line]), int(s.line_count[p, line]))
            k += 1
        for r in range(SIZE):
            for c in range(SIZE):
                out[k] = int(s.wall[p, r, c]) + 1  # EMPTY is -1
                k += 1
        for place in range(FLOOR_ROOM):
            out[k] = int(s.floor[p, place]) + 1  # the MARKER, 5, becomes 6
            k += 1
    return k


@kernel
def _encode_first(states: Records[Azul], seat: int, others: bool, out: Array) -> int:
    return encode_into(states[0], seat, others, out)


def vector_length(players: int, others: bool = True) -> int:
    """The length of a vector: 85, 126, 167 for 2, 3, 4 players; 46, 48, 50 without the other boards."""
    return 2 * players + 1 + 2 + BOARD_LENGTH * (players if others else 1)


def encode(states: np.ndarray, seat: int, others: bool = True) -> np.ndarray:
    """The compact vector of states[0] from the point of view of the seat; `others` as in AZ-72."""
    players = int(states["players"][0])
    out = np.zeros(vector_length(players, others), np.int64)
    _encode_first(states, checked(seat, players, "A seat"), others, out)
    return out


def encode_sources(states: np.ndarray) -> list[int]:
    """The factories, the centre and its marker flag: the beginning of every vector (AZ-55)."""
    numbers: list[int] = encode(states, 0, others=False)[:-BOARD_LENGTH].tolist()
    return numbers


def encode_factory(factory: Factory) -> int:
    """The code of a factory's tiles (AZ-55)."""
    return plain(_pack)(factory.counts, _FACTORY_BASE)


def encode_centre(centre: Centre) -> tuple[int, int]:
    """The code of the tiles, then 1 if the marker is still there."""
    return plain(_pack)(centre.counts, _CENTRE_BASE), int(not centre.taken_from)


def encode_line(line: PatternLine) -> int:
    """The code of a pattern line's colour and tiles (AZ-55)."""
    return plain(_line_code)(line.colour, line.count)


# --- decoding -----------------------------------------------------------------------------


def _unpack(code: int, base: int, what: str) -> tuple[int, ...]:
    code = checked(code, base**SIZE, what)
    return tuple(code // base**colour % base for colour in range(SIZE))


def decode_factory(code: int) -> Factory:
    """The inverse of `encode_factory`."""
    return Factory(_unpack(code, _FACTORY_BASE, "The code of a factory"))


def decode_centre(code: int, marker: int) -> Centre:
    """The inverse of `encode_centre`."""
    counts = _unpack(code, _CENTRE_BASE, "The code of the centre")
    return Centre(counts, not checked(marker, 2, "The flag of the marker"))


def decode_line(code: int, capacity: int) -> PatternLine:
    """The inverse of `encode_line` for a line of this capacity."""
    code = checked(code, SIZE * SIZE + 1, "The code of a pattern line")
    colour, count = divmod(code - 1, SIZE)
    return PatternLine(capacity, colour, count + 1) if code else PatternLine(capacity)


def own_part(vector: Sequence[int] | np.ndarray) -> np.ndarray:
    """The 39 numbers of the observer's board in a vector (AZ-52)."""
    numbers, players, _ = _checked_vector(vector)
    start = 2 * players + 3
    return numbers[start : start + BOARD_LENGTH].copy()


def decode_player(part: Sequence[int] | np.ndarray, grey: bool = False, name: str = "Player 1") -> Player:
    """The player whose board is `part`, on the kind of wall given (AZ-52)."""
    numbers = _whole_numbers(part)
    if len(numbers) != BOARD_LENGTH:
        raise IllegalOperation(f"The part of a player has {BOARD_LENGTH} numbers, not {len(numbers)}.")
    states = _empty_table(2, grey)
    if _decode_board(states[0], 0, numbers):
        states["marker"] = 0
    return Player(states, 0, name)


def decode(
    vector: Sequence[int] | np.ndarray, grey: bool = False, lid: Tiles | Sequence[int] | None = None
) -> np.ndarray:
    """An array of one record with all that the vector tells, the observer on seat 0.

    What the vector does not tell: the observer is to act, in a first round, and boards left out of the
    vector are empty. A tile that is not seen in the vector is in the bag, unless `lid`, a number for each
    colour, says that it waits in the lid: a look at the table cannot tell them apart (AZ-9, AZ-12). More
    tiles of a colour than there are, on the table or in the lid, are refused.
    """
    numbers, players, boards = _checked_vector(vector)
    states = _empty_table(players, grey)
    s: Azul = states[0]
    factories = int(s.factories)
    for index in range(factories):
        s.sources[index] = decode_factory(numbers[index]).counts
    centre = decode_centre(numbers[factories], numbers[factories + 1])
    s.sources[factories] = centre.counts
    s.tiles_left = s.sources.sum()
    s.phase = phases.TAKING if s.tiles_left else phases.PLACING
    holders = [p for p in range(boards) if _decode_board(s, p, numbers[factories + 2 + BOARD_LENGTH * p :])]
    if len(holders) > int(centre.taken_from) or (centre.taken_from and not holders and boards == players):
        raise IllegalOperation("The marker is either in the centre or with one player.")
    if centre.taken_from:
        s.marker = holders[0] if holders else 1  # a board left out has it: the next one stands for all of them
    _fill_bag_and_lid(s, lid)
    return states


def _fill_bag_and_lid(s: Azul, lid: Tiles | Sequence[int] | None) -> None:
    """Puts the tiles that are neither in the sources nor on the boards into the lid, as given, and the bag."""
    counts = (0,) * SIZE if lid is None else lid.counts if isinstance(lid, Tiles) else tuple(lid)
    if len(counts) != SIZE:
        raise IllegalOperation(f"The tiles in the lid are counted in {SIZE} colours, not {len(counts)}.")
    for colour, name in enumerate(COLOURS):
        on_boards = np.sum(s.line_count[s.line_colour == colour]) + np.sum(s.wall == colour) + np.sum(s.floor == colour)
        unseen = TILES_PER_COLOUR - int(np.sum(s.sources[:, colour]) + on_boards)
        if unseen < 0:
            raise IllegalOperation(
                f"There are {TILES_PER_COLOUR} {name} tiles, but this position shows {TILES_PER_COLOUR - unseen}."
            )
        s.lid[colour] = checked(counts[colour], unseen + 1, f"The number of {name} tiles in the lid")
        s.bag[colour] = unseen - s.lid[colour]


def _checked_vector(vector: Sequence[int] | np.ndarray) -> tuple[np.ndarray, int, int]:
    """The numbers, the number of players and the number of boards in the vector."""
    numbers = _whole_numbers(vector)
    for players in range(2, MAX_PLAYERS + 1):
        for boards in (1, players):
            if len(numbers) == vector_length(players, boards == players):
                return numbers, players, boards
    raise IllegalOperation(f"No position is encoded in {len(numbers)} numbers.")


def _whole_numbers(values: Sequence[int] | np.ndarray) -> np.ndarray:
    numbers = np.asarray(values)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise IllegalOperation("An encoded position is a list of whole numbers.")
    return numbers.astype(np.int64)


def _empty_table(players: int, grey: bool) -> np.ndarray:
    """The table before a game, with no tile in the bag."""
    states = blank(DTYPE)
    kernels.reset_at(states, 0, np.array([players, int(grey), 1, 0, 0, TILES_PER_COLOUR], np.int64))
    states["bag"] = 0
    states["phase"] = phases.PLACING
    states["dealt"] = FACTORY_ROOM * int(states["factories"][0])
    return states


def _decode_board(s: Azul, p: int, numbers: np.ndarray) -> bool:
    """Fills player p's board from its 39 numbers; returns whether the player has the marker."""
    s.score[p] = checked(numbers[0], np.iinfo(np.int16).max + 1, "A score")
    has_marker = checked(numbers[1], 2, "A starts-next flag")
    for index, code in enumerate(numbers[2 : 2 + SIZE]):
        line = decode_line(code, index + 1)
        s.line_colour[p, index], s.line_count[p, index] = line.colour, line.count
    cells = numbers[2 + SIZE : BOARD_LENGTH - FLOOR_ROOM]
    for k, code in enumerate(cells):
        s.wall[p, k // SIZE, k % SIZE] = checked(code, SIZE + 1, "The code of a wall cell") + EMPTY
    places = numbers[BOARD_LENGTH - FLOOR_ROOM : BOARD_LENGTH]
    for k, code in enumerate(places):
        s.floor[p, k] = checked(code, MARKER + 2, "The code of a floor place") + EMPTY
    used = int(np.count_nonzero(places))
    if places[used:].any():
        raise IllegalOperation("The floor is filled from the left, without gaps.")
    s.floor_count[p] = used
    return bool(has_marker)


# --- playing on vectors -------------------------------------------------------------------


def next_state(vector: Sequence[int] | np.ndarray, move: Move) -> np.ndarray:
    """The vector after a taking move of its observer, from the same point of view (AZ-53).

    A pure function. After the last taking move of a round it gives the empty factories, before
    any tiling and without new tiles. An illegal move is refused with the reason.
    """
    # Taking follows the same rules on both walls; those of the grey one suit any wall (AZ-22).
    states = decode(vector, grey=True)
    action = action_index(move)
    if not action_mask(states)[action]:
        raise IllegalOperation(refusal(states[0], action))
    kernels.apply_at(states, 0, action)
    return encode(states, 0, others=len(vector) == vector_length(int(states["players"][0])))

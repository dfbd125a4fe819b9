"""Positions from outside: every position of a game is taken, and one in which a number was changed is refused.

Compiled rules count on what is checked here: they would read and write beside their arrays.
"""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.core.rng import CHANCE_STREAM, POLICY, below, generator
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.catan.rules import island
from tests.conformance.cases import Case, over_cases
from tests.conformance.test_recorded import options_of, play_randomly, some_match

_POSITIONS = 150  # of a game; longer ones are looked at now and then
# What a position may hold anything in: what is left of thefts that are decided, of regions that were joined, and gaps.
_FREE = {
    "catan": {"thief", "robbed", "stolen", "could", "cleared_kind", "cleared_after", "monopolist", "before", "least"},
    "discovery": {"region_followers"},
}


@over_cases
def test_every_position_of_a_game_is_possible(case: Case) -> None:
    if case.game.check_position is None:
        pytest.skip("this game checks nothing")
    begun = record.blank(case.game.dtype)
    kernels.reset_at(begun, 0, case.values)
    state, legal = begun.copy(), np.zeros(case.game.spec.actions, np.int64)
    chance, choices = generator(71, CHANCE_STREAM), generator(71, POLICY)
    for ply in range(3000):
        if ply < _POSITIONS // 2 or ply % 20 == 0:
            assert case.game.check_position(state[0], begun[0]) is None
        actor = kernels.actor_at(state, 0)
        if actor == TERMINAL:
            assert case.game.check_position(state[0], begun[0]) is None
            return
        if actor == CHANCE:
            action = kernels.draw_at(state, 0, chance)
        else:
            action = legal[below(choices, kernels.legal_at(state, 0, legal))]
        kernels.apply_at(state, 0, action)


@over_cases
def test_no_number_can_be_just_anything(case: Case) -> None:
    if case.game.check_position is None:
        pytest.skip("this game checks nothing")
    good = some_match(case, 58).state()
    Match.from_position(case.game, options_of(case), good)
    for name in case.game.dtype.names or ():
        if name in _FREE.get(case.game.spec.name, ()) or name == "padding":
            continue
        span = np.iinfo(case.game.dtype[name].base)
        for wrong in (span.min, span.max):
            spoiled = good.copy()
            spoiled[name].reshape(-1)[0] = wrong
            with pytest.raises(BadInput, match=r"^[^\n]*\.$"):
                Match.from_position(case.game, options_of(case), spoiled)


def _changed(state: np.ndarray, changes: dict[str, tuple[tuple[int, ...], int]]) -> np.ndarray:
    spoiled = state.copy()
    for name, (place, value) in changes.items():
        spoiled[name][(0, *place)] = value
    return spoiled


@pytest.mark.parametrize(
    ("game", "moves", "changes", "words"),
    [
        ("azul", 4, {"bag": ((2,), 0)}, "there are 20 red tiles, not"),  # AZ-3
        ("azul", 0, {"line_colour": ((0, 0), 1), "line_count": ((0, 0), 2)}, "has room for 1 tiles"),  # AZ-5
        ("azul", 0, {"wall": ((1, 0, 0), 3)}, "the place of another colour"),  # AZ-6
        ("azul", 0, {"floor": ((0, 1), 3), "floor_count": ((0,), 1)}, "filled from the left"),
        ("azul", 0, {"tiles_left": ((), 3)}, "tiles_left counts"),
        ("discovery", 6, {"deck": ((4,), 9)}, "not the tiles of the box"),  # CD-2
        ("discovery", 6, {"tile_x": ((1,), 9)}, "tile 2 does not fit"),  # CD-8
        ("discovery", 6, {"piece_next": ((0,), 3)}, "piece_next does not follow"),
        ("discovery", 6, {"region_ends": ((0,), 77)}, "region_ends does not follow"),
        ("catan", 40, {"bank": ((3,), 18)}, "19 cards of every resource"),  # CA-10
        ("catan", 40, {"deck": ((0,), 3)}, "development cards in the deck"),  # CA-9
        ("catan", 40, {"robber": ((), -1)}, "the robber stands on a hex"),
        ("catan", 40, {"number": ((0,), 6)}, "tokens of the island"),  # CA-4
        ("catan", 40, {"army_holder": ((), 1)}, "has not earned the card"),  # CA-17
        ("catan", 40, {"visible": ((0,), 9)}, "visible counts"),
        ("scotland_yard", 8, {"moves": ((), 21)}, "Mr. X has made"),
        ("scotland_yard", 8, {"mr_x_tickets": ((3,), 9)}, "more tickets than he can have"),  # SY-19
        ("scotland_yard", 8, {"pawn_station": ((0,), -1)}, "is on the board, or has left it"),  # SY-27
        ("scotland_yard", 8, {"possible": ((0,), 0)}, "Mr. X is not where he may be"),  # SY-62
        ("scotland_yard_grid", 3, {"pawn_station": ((0,), 99)}, "pawn_station holds numbers"),
    ],
)
def test_what_is_wrong_is_said(game: str, moves: int, changes: dict, words: str) -> None:
    match = Match(game, {}, seed=5)
    play_randomly(match, 5, moves)
    with pytest.raises(BadInput, match=words):
        Match.from_position(game, {}, _changed(match.state(), changes))


@pytest.mark.parametrize("game", ["catan", "scotland_yard"])
def test_two_pieces_on_one_place_are_refused(game: str) -> None:
    match = Match(game, {}, seed=6)
    play_randomly(match, 6, 6)
    spoiled = match.state()
    if game == "catan":
        vertex = int(np.flatnonzero(spoiled["building"][0] >= 0)[0])
        spoiled["building"][0, island.VERTEX_NEIGHBOURS[vertex, 0]] = 0
        words = "two buildings stand side by side"
    else:
        spoiled["pawn_station"][0, 1] = spoiled["pawn_station"][0, 0]
        words = "two detectives share a station"
    with pytest.raises(BadInput, match=words):
        Match.from_position(game, {}, spoiled)

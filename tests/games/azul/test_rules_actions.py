"""AZ-65 … AZ-68: the action space of taking, its mask, and the default chooser of columns."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core.errors import IllegalMove
from ludens.core.match import Match
from ludens.core.rng import generator, pick
from ludens.games.azul import GAME, phases
from ludens.games.azul.library import action_mask
from ludens.games.azul.players.heuristic import HeuristicAgent
from ludens.games.azul.state import FIRST_COLUMN, FLOOR, STEP
from ludens.games.azul.text.actions import join, split
from tests.games.azul.positions import EMPTY_WALL, Board, Table, placing, take, taking
from tests.games.azul.sitting import choice


def test_az_65_three_hundred_taking_actions():
    assert FIRST_COLUMN == 10 * 5 * 6 == 300
    assert (STEP, GAME.spec.actions) == (305, 306)
    triples = {split(action) for action in range(300)}
    assert triples == {(source, colour, line) for source in range(10) for colour in range(5) for line in range(6)}


def test_az_66_index_of_an_action_in_both_directions():
    assert join(0, 0, 0) == 0
    assert join(9, 4, FLOOR) == 299
    assert join(2, 3, 1) == 2 * 30 + 3 * 6 + 1
    for action in range(300):
        source, colour, destination = split(action)
        assert action == source * 30 + colour * 6 + destination
        assert join(source, colour, destination) == action


@pytest.mark.parametrize(("players", "limit"), [(2, 180), (3, 240), (4, 300)])
def test_az_66_ids_of_fewer_players_stay_below_their_limit(players: int, limit: int):
    table = taking(["BYRK"] * (2 * players + 1), centre="W", players=players)
    assert max(table.legal()) == take("centre", "W", FLOOR, players) == limit - 1
    assert all(a < limit for a in table.legal())


def _mask_from_the_rules(table: Table) -> np.ndarray:
    """Every triple tried against AZ-15, AZ-19 … AZ-24, without the engine's list."""
    s, seat = table.s, table.actor
    mask = np.zeros(300, bool)
    for action in range(300):
        source, colour, line = action // 30, action % 30 // 6, action % 6
        if source > s.factories or not s.sources[source, colour]:
            continue
        if line == 5:
            mask[action] = True
            continue
        count, held = int(s.line_count[seat, line]), int(s.line_colour[seat, line])
        mask[action] = count <= line and (count == 0 or held == colour) and colour not in s.wall[seat, line]
    return mask


@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_az_67_the_mask_agrees_with_the_list(players: int, wall: str):
    match = Match(GAME, {"players": players, "wall": wall, "round_limit": 20}, seed=players)
    rng = generator(players, 77)
    decisions = 0
    while not match.over:
        legal = match.legal()
        table = Table(match.state())
        if table.phase == phases.TAKING:
            decisions += 1
            mask = action_mask(table.states)
            assert mask.shape == (300,)
            assert np.flatnonzero(mask).tolist() == legal.tolist()
            assert (mask == _mask_from_the_rules(table)).all()
        match.play(int(legal[pick(rng, len(legal))]))
    assert decisions > 40


def test_az_67_what_the_mask_forbids_is_refused_and_changes_nothing():
    match = Match(GAME, {"first": "1"}, seed=5)
    match.play(int(match.legal()[0]))
    legal = set(match.legal().tolist())
    before, log = match.state(), list(match.log)
    for action in range(GAME.spec.actions):
        if action in legal:
            assert match.parse(action) == action
        else:
            with pytest.raises(IllegalMove, match=r"^[^(]*\.$") as refused:
                match.play(action)
            assert all(rule.startswith("AZ-") for rule in refused.value.rules)
            assert refused.value.rules
    assert match.state().tobytes() == before.tobytes()
    assert match.log == log


def test_az_68_tiling_leaves_no_choice_in_the_basic_game():
    table = placing([Board(lines=["B", "YY", "RRR", "KKKK", "WWWWW"]), Board(lines=["B", "", "", "", ""])])
    for _ in range(6):
        assert table.legal() == [STEP]
        table.step()


def _column_for_two_blues(*wall: str) -> int:
    """The heuristic's column for line 1 on a grey wall."""
    table = placing([Board(lines=["", "BB", "", "", ""], wall=wall)], wall="grey")
    return choice(table, HeuristicAgent()) - FIRST_COLUMN


def test_az_68_the_default_column_is_the_one_with_most_points():
    assert _column_for_two_blues("R....", "YK...", "....R", ".....", ".....") == 2, "3 across; in column 4 2 down"
    assert _column_for_two_blues("R....", "Y....", "....R", "....K", ".....") == 4, "2 across; in column 4 3 down"
    assert _column_for_two_blues("...R.", "..K..", "...Y.", ".....", ".....") == 3, "2 across and 3 down"


def test_az_68_ties_go_to_the_smallest_column():
    assert _column_for_two_blues(*EMPTY_WALL) == 0
    assert _column_for_two_blues("B....", ".....", ".R...", "...R.", ".....") == 1, "blue is in column 0 already"
    assert _column_for_two_blues(".....", ".....", "..R.K", ".....", ".....") == 2


def test_az_68_the_forced_step_is_played_as_it_is():
    wall = ["B....", ".B...", "..YRK", ".....", "....."]
    table = placing([Board(lines=["", "", "BBB", "", ""], wall=wall)], wall="grey")
    assert choice(table, HeuristicAgent()) == STEP

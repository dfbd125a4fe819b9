"""The grid game, rule by rule (SY-3 … SY-14, SY-67)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.errors import BadInput, IllegalMove
from ludens.core.match import Match
from ludens.core.verbs import CHANCE, TERMINAL, UNKNOWN
from ludens.games.scotland_yard import GRID, phases
from ludens.games.scotland_yard.rules.maps import grid_map
from ludens.games.scotland_yard.rules.possible import possible_stations
from ludens.games.scotland_yard.rules.tables import neighbours, tables_of
from ludens.games.scotland_yard.terminal import render
from tests.games.scotland_yard.setups import Table, cell, random_play

BOARD = tables_of(GRID.dtype)


def grid(first: str, second: str, mr_x: str, **options: object) -> Table:
    return Table(GRID, [cell(first) + 1, cell(second) + 1], cell(mr_x) + 1, **options)


def test_sy_3_detectives_are_one_side_with_one_utility_and_the_game_is_zero_sum() -> None:
    assert GRID.spec.sides(2) == (0, 1)
    table = grid("b3", "e5", "c3")
    table.play("c3", "e4")
    assert table.returns() == [-1.0, 1.0]


def test_sy_4_sy_67_exits_are_two_in_corners_three_on_borders_four_inside() -> None:
    exits = Counter(BOARD.degree[0].tolist())
    assert exits == {2: 4, 3: 12, 4: 9}
    assert BOARD.degree[0].mean() == 3.2
    for row in range(5):
        for column in range(5):
            inner = (0 < row < 4) + (0 < column < 4)
            assert BOARD.degree[0, row * 5 + column] == 2 + inner


def test_sy_4_no_passing_and_no_wrap_around() -> None:
    table = grid("a1", "e5", "c3")
    assert table.moves() == ["b1", "a2"]
    assert "pass" not in table.moves()


def joint_moves(table: Table) -> list[tuple[int, int]]:
    found = []
    for first in table.legal():
        after = record.blank(GRID.dtype)
        after[:] = table.state
        kernels.apply_at(after, 0, first)
        out = np.zeros(GRID.spec.actions, np.int64)
        found += [(first, int(second)) for second in out[: kernels.legal_at(after, 0, out)]]
    return found


def test_sy_5_sy_7_sy_67_between_4_and_16_joint_moves_and_never_two_on_a_cell() -> None:
    counts = set()
    for first, second in permutations(range(25), 2):
        mr_x = next(c for c in range(25) if c not in (first, second))
        moves = joint_moves(Table(GRID, [first + 1, second + 1], mr_x + 1))
        near = [set(neighbours(GRID.dtype, 0, c)) for c in (first, second)]
        assert set(moves) == {(a, b) for a in near[0] for b in near[1] if a != b}
        counts.add(len(moves))
    assert (min(counts), max(counts)) == (4, 16)


def test_sy_6_three_different_random_cells_and_detectives_move_first() -> None:
    starts = set()
    for seed in range(200):
        match = Match(GRID, seed=seed)
        s = match.state()[0]
        cells = (int(s.pawn_station[0]), int(s.pawn_station[1]), int(s.mr_x_station))
        assert len(set(cells)) == 3
        assert match.actor == 1
        starts.add(cells)
    assert len(starts) > 190
    state = record.blank(GRID.dtype)
    kernels.reset_at(state, 0, GRID.options())
    outcomes, weights = np.zeros(25, np.int64), np.zeros(25)
    for left in (25, 24, 23):
        assert kernels.actor_at(state, 0) == CHANCE
        assert kernels.chance_at(state, 0, outcomes, weights) == left
        kernels.apply_at(state, 0, int(outcomes[0]))


def test_sy_7_both_step_at_once_and_may_swap_places() -> None:
    table = grid("b2", "c2", "e5")
    table.play("c2")
    assert int(table.s.pawn_station[0]) == cell("b2"), "the first step waits for the second"
    table.play("b2")
    assert [int(c) for c in table.s.pawn_station[:2]] == [cell("c2"), cell("b2")]


def test_sy_7_two_detectives_may_not_step_onto_one_cell() -> None:
    table = grid("b2", "d2", "e5")
    table.play("c2")
    assert "c2" not in table.moves()
    assert "Another detective steps to c2" in GRID.text.refusal(table.s, cell("c2"))
    assert "(SY-7)" in GRID.text.refusal(table.s, cell("c2"))


def test_sy_7_mr_x_steps_onto_free_cells_only() -> None:
    table = grid("b2", "d1", "c3")
    table.play("b3", "d2")
    assert table.moves() == ["c2", "d3", "c4"]
    assert GRID.text.refusal(table.s, cell("b3")).endswith("(SY-7).")


def test_sy_8_a_capture_ends_the_game_at_once() -> None:
    table = grid("b3", "e5", "c3")
    table.play("c3", "e4")
    assert table.actor == TERMINAL
    assert table.s.ending == phases.CAUGHT
    assert table.legal() == []


def test_sy_8_the_second_detective_learns_nothing_from_the_first_step() -> None:
    table = grid("b3", "e5", "c3")
    before = table.view(1)
    table.play("c3")
    assert table.actor == 1, "the step is made together with the second one"
    assert table.view(1)["possible"].tolist() == before["possible"].tolist()


def test_sy_8_sy_67_mr_x_without_a_move_loses_in_8_ordered_placements() -> None:
    stuck = 0
    for first, second, mr_x in permutations(range(25), 3):
        near = set(neighbours(GRID.dtype, 0, mr_x))
        stuck += near <= {first, second}
    assert stuck == 8
    table = grid("c1", "a3", "a1")
    table.play("b1", "a2")
    assert table.s.ending == phases.STUCK
    assert table.returns() == [-1.0, 1.0]


def test_sy_9_mr_x_wins_when_not_caught_within_20_rounds() -> None:
    lengths = []
    for seed in range(200):
        for _, _, after in random_play(GRID, seed):
            assert after["round_number"][0] <= 20
        if after["ending"][0] == phases.ESCAPED:
            assert after["moves"][0] == 20
            assert after["round_number"][0] == 20
        lengths.append(int(after["moves"][0]))
    assert max(lengths) == 20


def test_sy_9_the_limit_is_an_option() -> None:
    table = grid("a1", "a3", "e5", max_rounds=2)
    table.play("b1", "b3", "e4", "a1", "a3")
    assert table.s.phase == phases.FLEEING
    table.play("e5")
    assert table.s.ending == phases.ESCAPED
    assert table.returns() == [1.0, -1.0]


def test_sy_10_sy_67_he_is_revealed_after_every_third_of_his_moves() -> None:
    for seed in range(50):
        for before, _, after in random_play(GRID, seed):
            s = after[0]
            if before["phase"][0] == phases.FLEEING and s.ending == 0:
                since = int(s.moves) - int(s.seen_move)
                assert since == int(s.moves) % 3
                assert (int(s.log_station[int(s.moves) - 1]) >= 0) == (since == 0)
                if since == 0:
                    assert s.seen_station == s.mr_x_station


def test_sy_10_the_start_is_visible_unless_switched_off() -> None:
    table = grid("a1", "a3", "e5")
    assert table.view(1)["mr_x_station"][0] == cell("e5")
    hidden = grid("a1", "a3", "e5", start_visible="off")
    assert hidden.view(1)["mr_x_station"][0] == UNKNOWN
    assert len(hidden.possible()) == 23


def test_sy_11_counts_of_states() -> None:
    assert 25**3 == 15625
    assert sum(1 for _ in permutations(range(25), 3)) == 13800
    assert 25**3 * 3 == 46875


def test_sy_12_sy_67_the_detectives_never_see_the_cell_unless_t_is_0() -> None:
    for seed in range(100):
        for _, _, after in random_play(GRID, seed):
            s = after[0]
            if s.phase == 0:
                continue
            view = record.blank(GRID.dtype)
            kernels.view_at(after, 0, 1, view)
            shown = int(view["mr_x_station"][0])
            if s.ending or s.moves == s.seen_move:
                assert shown == s.mr_x_station
            else:
                assert shown == UNKNOWN


def test_sy_12_states_that_differ_in_the_hidden_cell_alone_look_the_same() -> None:
    table = grid("a1", "a3", "e4")
    table.play("b1", "b3", "e5")
    views = []
    for hidden in table.possible():
        table.state["mr_x_station"][0] = hidden - 1
        features = np.zeros(GRID.spec.observation_size(GRID.options()), np.float32)
        view = table.view(1)
        kernels.observe_at(view, 0, 1, features)
        views.append(view.tobytes() + features.tobytes())
    assert len(views) == 3
    assert len(set(views)) == 1


def test_sy_13_text_display() -> None:
    table = grid("a1", "c2", "e5")
    assert GRID.text.position_to_text(table.view(1)[0]).splitlines()[1:] == [
        "1 . . . .",
        ". . 2 . .",
        ". . . . .",
        ". . . . .",
        ". . . . X",
    ]
    table.play("b1", "c3", "d5")
    assert GRID.text.position_to_text(table.view(1)[0]).splitlines()[1:] == [
        ". 1 . . .",
        ". . . . .",
        ". . 2 . .",
        ". . . . .",
        ". . . . -",
    ]
    assert GRID.text.position_to_text(table.view(0)[0]).splitlines()[5] == ". . . X -"


def test_sy_13_colours() -> None:
    def ink(table: Table, mark: str) -> str:
        shown: Any = render(table.view(1)[0], 1, ("Mr. X", "Detectives"))
        drawn = next(part for part in shown.renderables if mark in str(part))
        return next(str(span.style) for span in drawn.spans if drawn.plain[span.start : span.end] == mark)

    table = grid("a1", "a3", "e5")
    assert "green" in ink(table, "X")
    table.play("b1", "b3", "d5")
    assert "yellow" in ink(table, "-")
    table.play("a1", "a3", "e5")
    assert "red" in ink(table, "-")


def test_sy_14_a_persons_moves_are_validated_for_either_side() -> None:
    match = Match(GRID, seed=3)
    before = match.state().tobytes()
    with pytest.raises(BadInput, match="c3"):
        match.play("somewhere")
    with pytest.raises(IllegalMove, match="turn"):
        match.play(int(match.legal()[0]), seat=0)
    assert match.state().tobytes() == before
    match.play(match.text(int(match.legal()[0])))
    match.play(match.text(int(match.legal()[0])))
    s = match.state()[0]
    if not match.over:
        here = int(s.mr_x_station)
        wrong = next(c for c in range(25) if abs(c // 5 - here // 5) + abs(c % 5 - here % 5) > 1)
        with pytest.raises(IllegalMove) as refused:
            match.play(wrong)
        assert "SY-4" in refused.value.rules


def test_sy_4_steps_in_words() -> None:
    table = grid("a1", "c3", "e5")
    assert GRID.text.action_from_text(table.s, "right") == cell("b1")
    assert GRID.text.action_from_text(table.s, "down") == cell("a2")
    with pytest.raises(IllegalMove, match="leaves the board"):
        GRID.text.action_from_text(table.s, "up")


def test_sy_5_any_number_of_detectives_as_an_option() -> None:
    for detectives in (1, 3, 4, 5):
        for seed in range(20):
            for before, _, after in random_play(GRID, seed, detectives=detectives):
                cells = [int(c) for c in after["pawn_station"][0] if c >= 0]
                assert len(set(cells)) == len(cells)
            assert after["ending"][0] > 0


def test_sy_4_up_to_five_detectives_always_have_a_joint_step() -> None:
    """Hall's condition holds for every placement, so that no piece is ever left without a step."""
    near = [set(neighbours(GRID.dtype, 0, c)) for c in range(25)]
    for size in range(1, 6):
        for group in combinations(range(25), size):
            assert len(set().union(*(near[c] for c in group))) >= size


def test_sy_4_a_step_that_would_strand_a_later_piece_is_refused() -> None:
    """Three pieces around a corner: the one in the corner needs an exit that the others leave free."""
    table = Table(GRID, [cell("b2") + 1, cell("c1") + 1, cell("a1") + 1], cell("e5") + 1)
    table.play("a2")
    assert "b1" not in table.moves()
    assert "every piece must move (SY-4)" in GRID.text.refusal(table.s, cell("b1"))


def test_sy_9_sy_67_a_game_never_exceeds_its_declared_length() -> None:
    longest = GRID.spec.longest(GRID.options())
    assert longest is not None
    assert max(sum(1 for _ in random_play(GRID, seed)) for seed in range(100)) <= longest


def test_the_grid_is_the_same_board_as_a_map_of_taxis() -> None:
    board = grid_map()
    assert len(board.connections) == 40
    assert {kind for _, _, kind in board.connections} == {0}


def test_sy_6_with_starts_apart_mr_x_is_never_caught_before_his_first_move() -> None:
    apart = {BOARD.targets[BOARD.row[0, cell("c3")]].tolist()[k] for k in range(4)} | {cell("c3")}
    state = record.blank(GRID.dtype)
    kernels.reset_at(state, 0, GRID.options({"starts": "apart", "start_visible": "off", "detectives": 1}))
    kernels.apply_at(state, 0, cell("c3"))
    outcomes, weights = np.zeros(GRID.spec.outcomes, np.int64), np.zeros(GRID.spec.outcomes)
    n = int(kernels.chance_at(state, 0, outcomes, weights))
    assert set(outcomes[:n].tolist()) == set(range(25)) - apart
    assert weights[:n].sum() == pytest.approx(1)
    kernels.apply_at(state, 0, cell("a1"))
    assert set(possible_stations(state[0])) == set(range(25)) - apart  # and the detectives know the rule
    for seed in range(30):
        match = Match(GRID, {"starts": "apart", "detectives": 2}, seed)
        while not match.over and match.actor != 0:
            match.play(int(match.legal()[-1]))
        assert match.actor == 0

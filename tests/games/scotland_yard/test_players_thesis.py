"""The alpha-beta players of the thesis (SY-31 … SY-43, SY-68, SY-69)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.agent import Clock, Seating
from ludens.core.errors import BadInput
from ludens.games.scotland_yard import GRID, LONDON, phases
from ludens.games.scotland_yard.players import thesis_alphabeta
from ludens.games.scotland_yard.players.thesis_alphabeta import Settings, new_search, plan, plies_of
from ludens.games.scotland_yard.players.thesis_players import ThesisAgent
from ludens.games.scotland_yard.rules.distances import distances
from ludens.games.scotland_yard.rules.maps import grid_map
from ludens.lab.published_tables import play_again, published_table
from tests.games.scotland_yard.explicit_trees import Node, alpha_beta, grow, minimax
from tests.games.scotland_yard.setups import Table, cell

DISTANCE = distances(GRID.dtype)
EUCLID = np.array([[math.dist(divmod(a, 5), divmod(b, 5)) for b in range(25)] for a in range(25)])
D = {"manhattan": DISTANCE, "euclid": EUCLID}
UP_DOWN_RIGHT_LEFT = (-5, 5, 1, -1)
STEPS: dict[str, tuple[int, ...]] = {"cells": (), "thesis": UP_DOWN_RIGHT_LEFT}
READINGS = [("cells", "manhattan"), ("thesis", "manhattan"), ("cells", "euclid"), ("thesis", "euclid")]


def placed(first: int, second: int, mr_x: int) -> np.ndarray:
    return Table(GRID, [first + 1, second + 1], mr_x + 1).state


def placements(count: int, seed: int) -> list[tuple[int, int, int]]:
    rng = np.random.default_rng(seed)
    return [tuple(int(c) for c in rng.choice(25, 3, replace=False)) for _ in range(count)]  # type: ignore[misc]


def f(version: int, h: int, near_1: float, near_2: float, n: int = 3, reward: int = 50, late: int = 0) -> float:
    """SY-37 once more, as the table reads."""
    if 0 in (near_1, near_2):
        other = near_1 + near_2
        return (n + late - h) * reward - {1: 0, 2: h * other, 3: other, 4: other}[version]
    low, high = min(near_1, near_2), max(near_1, near_2)
    return {1: -(h * near_1 + h * near_2), 2: -h * low, 3: -low, 4: -low - high / 2}[version]


def detectives_f(settings: Settings, distance: str = "manhattan") -> Callable[[Node, int], float]:
    def evaluate(node: Node, ply: int) -> float:
        h = ply + 1 if settings.plies else ply // 2 + 1
        near_1, near_2 = (float(D[distance][node.mr_x, a]) for a in node.detectives)
        return f(settings.version, h, near_1, near_2, settings.depth, settings.reward, settings.late_win)

    return evaluate


def threat_f(settings: Settings, distance: str = "manhattan") -> Callable[[Node, int], float]:
    """SY-42 once more: distance less c for every next cell on which he can be caught."""

    def evaluate(node: Node, ply: int) -> float:
        h = ply // 2 + 1
        near = [float(D[distance][node.mr_x, a]) for a in node.detectives]
        if 0 in near:
            return -settings.reward * (settings.depth + 1 - h)
        cells = [c for c in range(25) if DISTANCE[node.mr_x, c] == 1 and c not in node.detectives]
        caught = sum(any(DISTANCE[c, a] == 1 for a in node.detectives) for c in cells)
        return min(near) + max(near) / 2 - settings.threat_cost * caught

    return evaluate


# --- the algorithm ------------------------------------------------------------------------


def branch(*parts: object) -> Node:
    """A tree of numbers: leaves are numbers, inner nodes are tuples."""
    node = Node()
    for part in parts:
        child = branch(*part) if isinstance(part, tuple) else Node(value=float(part))  # type: ignore[arg-type]
        child.parent = node
        node.children.append(child)
    return node


def test_sy_31_the_tree_of_the_specification() -> None:
    root = branch(((3, 8, 5), (9, 7, 1), (2, 4)))
    first = root.children[0]
    assert alpha_beta(root) == 4
    eight, nine, last = first.children
    assert eight.alpha == 8
    assert nine.children[0].visited
    assert not nine.children[1].visited, "α 9 ≥ β 8: the second stops after its leaf 9"
    assert last.alpha == 4
    assert first.beta == 4
    assert root.alpha == 4
    assert root.best is first
    assert first.best is last


def test_sy_32_nodes_carry_their_data() -> None:
    root = grow(grid_map(), Node((0, 12), 20), 2, detectives_f(Settings()))
    alpha_beta(root)
    child = root.best
    assert child is not None
    assert child.parent is root
    assert (child.depth, child.detectives_to_move, child.mr_x) == (1, False, 20)
    assert child.detectives in {c.detectives for c in root.children}
    assert root.alpha >= child.beta or root.alpha == child.beta


@pytest.mark.parametrize(("order", "distance"), READINGS)
@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_sy_31_sy_68_sy_72_alpha_beta_equals_minimax_for_the_detectives(
    version: int, order: str, distance: str
) -> None:
    """250 positions a version, 1000 in all, two rounds deep; the best line is the tree's own. 30 in other readings."""
    settings = Settings(version=version, depth=2)
    search = new_search(GRID.dtype, settings, order, distance)
    evaluate = detectives_f(settings, distance)
    for first, second, mr_x in placements(250 if (order, distance) == READINGS[0] else 30, version):
        root = grow(grid_map(), Node((first, second), mr_x), 4, evaluate, STEPS[order])
        value = minimax(root)
        assert plan(placed(first, second, mr_x), search, mr_x, 4) == value
        assert alpha_beta(root) == value
        node, line = root, search.line[0, : search.length[0]]
        for k, move in enumerate(line):
            assert node.best is not None
            node = node.best
            expected = node.detectives[0] * 25 + node.detectives[1] if k % 2 == 0 else node.mr_x
            assert move == expected
        assert node.value == value, "the line's leaf has the exact value"


@pytest.mark.parametrize(("order", "distance"), READINGS)
@pytest.mark.parametrize("threat", [0, 1])
def test_sy_31_sy_68_sy_72_alpha_beta_equals_minimax_for_mr_x(threat: int, order: str, distance: str) -> None:
    settings = Settings(depth=2, threat=threat)
    search = new_search(GRID.dtype, settings, order, distance)
    evaluate = detectives_f(settings, distance)
    for first, second, mr_x in placements(100, 9):
        root = Node((first, second), mr_x, detectives_to_move=False)
        sign = (lambda node, ply: -evaluate(node, ply)) if not threat else threat_f(settings, distance)
        grow(grid_map(), root, 4, sign, STEPS[order])
        if not root.children:
            continue
        assert thesis_alphabeta.flee(placed(first, second, mr_x), search, 4) == minimax(root)
        alpha_beta(root)
        assert root.best is not None
        assert search.line[0, 0] == root.best.mr_x


def test_sy_36_three_plies_as_an_option() -> None:
    settings = Settings(depth=3, plies=1)
    assert plies_of(settings, 3) == 3
    assert plies_of(Settings(), 3) == 6
    search = new_search(GRID.dtype, settings)
    for first, second, mr_x in placements(100, 4):
        root = grow(grid_map(), Node((first, second), mr_x), 3, detectives_f(settings))
        assert plan(placed(first, second, mr_x), search, mr_x, 3) == minimax(root)


# --- the evaluation -----------------------------------------------------------------------


FREE_PATH = [(1, 2, 4), (1, 3, 5), (2, 2, 4), (2, 3, 3), (3, 2, 2), (3, 1, 3)]
CAPTURE_PATH = [(1, 2, 4), (1, 1, 5), (2, 0, 4)]


def path_value(version: int, path: list[tuple[int, int, int]], **options: int) -> float:
    numbers = np.array(Settings(version=version, **options), np.int64)
    return sum(float(thesis_alphabeta.detectives_node(numbers, h, d_1, d_2)) for h, d_1, d_2 in path)


@pytest.mark.parametrize(("version", "free", "captured"), [(1, -62, 38), (2, -24, 39), (3, -13, 43), (4, -23.5, 38.5)])
def test_sy_37_sy_40_test_vectors(version: int, free: float, captured: float) -> None:
    assert path_value(version, FREE_PATH) == free
    assert path_value(version, CAPTURE_PATH) == captured


def test_sy_37_distances_are_manhattan() -> None:
    for a in range(25):
        for b in range(25):
            assert DISTANCE[a, b] == abs(a // 5 - b // 5) + abs(a % 5 - b % 5)


def test_sy_38_v3_does_not_weigh_depth_and_v4_counts_the_farther_half() -> None:
    assert path_value(3, [(1, 2, 4)]) == path_value(3, [(3, 2, 4)])
    assert path_value(2, [(3, 2, 4)]) == 3 * path_value(2, [(1, 2, 4)])
    assert path_value(4, [(1, 2, 4)]) - path_value(4, [(1, 2, 2)]) == -1


def test_sy_39_a_capture_in_round_3_earns_nothing_unless_asked_for() -> None:
    assert path_value(1, [(3, 0, 4)]) == 0
    assert path_value(1, [(3, 0, 4)], late_win=1) == 50


# --- the detectives' plan -----------------------------------------------------------------


def seated(seat: int, **parameters: object) -> ThesisAgent:
    agent = ThesisAgent(**parameters)  # type: ignore[arg-type]
    agent.start(Seating(GRID, GRID.options(), seat, 7))
    return agent


def joint(agent: ThesisAgent, table: Table) -> list[int]:
    """Both steps of the detectives, played."""
    steps = []
    for _ in range(2):
        action = agent.choose(table.view(1), np.array(table.legal()), Clock())
        kernels.apply_at(table.state, 0, action)
        steps.append(action)
    return steps


def test_sy_34_one_tree_serves_three_moves() -> None:
    agent = seated(1)
    table = Table(GRID, [cell("a1") + 1, cell("e1") + 1], cell("c5") + 1)
    search = new_search(GRID.dtype, Settings())
    plan(table.view(1), search, cell("c5"), 6)
    line = search.line[0, : search.length[0]].tolist()
    assert len(line) == 6
    for k, flight in ((0, "b5"), (2, "c5"), (4, "d5")):
        assert joint(agent, table) == list(divmod(line[k], 25))
        table.play(flight if flight in table.moves() else table.moves()[0])


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_sy_68_between_reveals_play_does_not_depend_on_his_real_moves(version: int) -> None:
    for number, (first, second, mr_x) in enumerate(placements(40, 20 + version)):
        played = set()
        for choice in (0, -1):
            agent = seated(1, version=version)
            table = Table(GRID, [first + 1, second + 1], mr_x + 1)
            steps: list[int] = []
            while table.s.moves < 3 and not table.s.ending:
                steps += joint(agent, table)
                if table.s.phase == phases.FLEEING:
                    table.play(table.moves()[choice])
            played.add(tuple(steps))
        shortest = min(map(len, played))
        assert len({steps[:shortest] for steps in played}) == 1, number


def test_sy_35_after_an_assumed_capture_it_takes_the_farthest_possible_cell() -> None:
    """The line ends in a capture; he was elsewhere, so the search goes on from the set of possible cells."""
    agent = seated(1)
    table = Table(GRID, [cell("b3") + 1, cell("d3") + 1], cell("c1") + 1)
    steps = joint(agent, table)
    assert len(agent._line) <= 3
    table.play(table.moves()[-1])
    while not table.s.ending and table.s.moves < 3:
        before = table.state.copy()
        near = np.minimum(DISTANCE[before["pawn_station"][0, 0]], DISTANCE[before["pawn_station"][0, 1]])
        farthest = agent._farthest(table.view(1))
        assert near[farthest] == max(near[c - 1] for c in table.possible())
        steps += joint(agent, table)
        if not table.s.ending:
            table.play(table.moves()[-1])
    assert len(steps) >= 4


def test_sy_35_a_line_that_is_lost_is_searched_anew() -> None:
    """A player who takes over in the middle of an interval plays on from the possible cells."""
    table = Table(GRID, [cell("a1") + 1, cell("e1") + 1], cell("c5") + 1)
    joint(seated(1), table)
    table.play(table.moves()[0])
    newcomer = seated(1)
    assert all(step in range(25) for step in joint(newcomer, table))
    assert table.actor == 0


def test_sy_41_mr_x_searches_anew_with_real_positions() -> None:
    agent = seated(0)
    search = new_search(GRID.dtype, Settings())
    for first, second, mr_x in placements(30, 3):
        table = Table(GRID, [first + 1, second + 1], mr_x + 1)
        while table.actor == 1:
            kernels.apply_at(table.state, 0, table.legal()[0])
        if table.s.ending:
            continue
        thesis_alphabeta.flee(table.state, search, 6)
        assert agent.choose(table.view(0), np.array(table.legal()), Clock()) == search.line[0, 0]


def test_sy_33_sy_42_mr_x_uses_v4_whatever_the_detectives_use() -> None:
    table = Table(GRID, [cell("a1") + 1, cell("c2") + 1], cell("d4") + 1)
    table.play("b1", "c3")
    choices = {
        seated(0, version=version).choose(table.view(0), np.array(table.legal()), Clock()) for version in (1, 2, 3, 4)
    }
    assert len(choices) == 1


def test_sy_5_the_thesis_players_are_for_two_detectives() -> None:
    with pytest.raises(BadInput, match="two detectives"):
        ThesisAgent().start(Seating(GRID, GRID.options({"detectives": 3}), 1, 1))


# --- results ------------------------------------------------------------------------------


def test_sy_43_sy_69_the_arena_plays_the_table_of_the_thesis_reproducibly() -> None:
    """100 games a version: v2 ≤ v3 < v4 within sampling error, as printed."""
    table = published_table(GRID, "thesis")
    assert [(c.name, c.share, c.length) for c in table.matchups] == [
        ("v1", 0.92, 5.8),
        ("v2", 0.65, 6.4),
        ("v3", 0.74, 6.3),
        ("v4", 0.89, 6.7),
    ]
    lines = {matchup.name: play_again(GRID, matchup, table, 100, workers=1) for matchup in table.matchups}
    assert play_again(GRID, table.matchups[1], table, 100, workers=1) == lines["v2"]
    error = 2 * (0.25 / 100) ** 0.5
    assert lines["v2"].share <= lines["v3"].share + error
    assert lines["v3"].share < lines["v4"].share
    assert lines["v1"].share > lines["v2"].share
    for line in lines.values():
        assert line.interval[0] <= line.share <= line.interval[1]
        assert line.length is not None and 1 <= line.length <= 20


def test_sy_72_the_table_has_a_reading_that_options_change() -> None:
    table = published_table(GRID, "thesis")
    fitted, options = table.read({})
    assert options == {"max_rounds": "10"}
    assert (fitted.unit, table.unit) == ("plies", "rounds")
    assert fitted.matchups[1].agents == ("v4:order=thesis,distance=manhattan", "v2:order=thesis,distance=manhattan")
    other, options = table.read({"max_rounds": 20, "unit": "rounds", "order": "cells", "start_visible": "off"})
    assert options == {"max_rounds": 20, "start_visible": "off"}
    assert other.matchups[0].agents[1] == "v1:order=cells,distance=manhattan"
    last = Table(GRID, [cell("a1") + 1, cell("e1") + 1], cell("c5") + 1)
    last.play("b1", "e2", "b5", "b2", "e3")
    assert (other.length(last.s), fitted.length(last.s)) == (2, 3)
    with pytest.raises(BadInput, match="Option unit of the table must be one of rounds, plies, not 'days'"):
        table.read({"unit": "days"})


def test_sy_72_on_a_map_without_rows_only_cells_have_an_order() -> None:
    with pytest.raises(BadInput, match="need a grid"):
        new_search(LONDON.dtype, Settings(), "thesis")


def test_a_v4_decision_takes_less_than_5_ms() -> None:
    """The mean over random positions, in CPU time; both sides."""
    search = new_search(GRID.dtype, Settings())
    states = [(placed(*cells), cells[2]) for cells in placements(100, 11)]
    plan(states[0][0], search, states[0][1], 6)
    thesis_alphabeta.flee(states[0][0], search, 6)
    start = time.process_time()
    for state, mr_x in states:
        plan(state, search, mr_x, 6)
    middle = time.process_time()
    for state, _ in states:
        thesis_alphabeta.flee(state, search, 6)
    assert (middle - start) / 100 < 0.005
    assert (time.process_time() - middle) / 100 < 0.005


def test_records_of_the_searches_are_left_alone() -> None:
    state = placed(0, 12, 20)
    before = state.tobytes()
    plan(state, new_search(GRID.dtype, Settings()), 20, 6)
    assert state.tobytes() == before
    assert record.digest(state)

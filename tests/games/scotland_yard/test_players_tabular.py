"""Q-learning on the grid: symmetries, rows, rewards, files and what was learned (SY-46 … SY-60, SY-70)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ludens.agents.codes import make_agent
from ludens.core.agent import Clock, Seating
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.games.scotland_yard import GRID
from ludens.games.scotland_yard.players.tabular.agent import TableTask, read_table, write_table
from ludens.games.scotland_yard.players.tabular.decisions import (
    CELLS,
    COLUMNS,
    ROWS,
    GridDecisions,
    cell_maps,
    replies,
    symmetries,
)
from ludens.lab.series import run
from ludens.learn.tabular import QSettings, learn_game
from ludens.play.game import play_game


def orbit_count(reflections: bool, swap: bool) -> int:
    """Classes of triples (detective, detective, Mr. X) under rotations, reflections and a swap of the detectives."""
    maps = cell_maps(reflections)
    first, second, seen = np.unravel_index(np.arange(CELLS**3), (CELLS,) * 3)
    codes = [np.ravel_multi_index((m[first], m[second], m[seen]), (CELLS,) * 3) for m in maps]
    if swap:
        codes += [np.ravel_multi_index((m[second], m[first], m[seen]), (CELLS,) * 3) for m in maps]
    return len(np.unique(np.min(codes, axis=0)))


def test_sy_57_the_classes_are_the_orbits_of_the_rotations() -> None:
    printed = np.array([[1, 2, 5, 3, 1], [3, 4, 6, 4, 2], [5, 6, 7, 6, 5], [2, 4, 6, 4, 3], [1, 3, 5, 2, 1]]).reshape(
        -1
    )
    orbits = cell_maps(reflections=False).min(axis=0)
    assert len(set(orbits)) == 7
    for a in range(25):
        for b in range(25):
            assert (printed[a] == printed[b]) == (orbits[a] == orbits[b])


def test_sy_58_the_counts_of_orbits() -> None:
    assert orbit_count(False, False) == 3907
    assert orbit_count(True, False) == 2016 == symmetries().classes
    assert orbit_count(False, True) == 2035
    assert orbit_count(True, True) == 1080
    assert ROWS == {"thesis": 46875, "improved": 2016 * 3 * 2, "unfolded": 46875 * 2, "joint": 2016 * 3}


def test_sy_58_symmetric_situations_share_a_row_and_turn_their_steps() -> None:
    tables, maps = symmetries(), cell_maps()
    rng = np.random.default_rng(0)
    for own, partner, seen in rng.integers(0, 25, (200, 3)):
        code = (own * 25 + partner) * 25 + seen
        for m in maps:
            other = (m[own] * 25 + m[partner]) * 25 + m[seen]
            assert tables.number[code] == tables.number[other]
        k = tables.map[code]
        for d, step in enumerate((-5, -1, 1, 5)):
            centre_step = maps[k][12 + step] - maps[k][12]
            assert (-5, -1, 1, 5)[tables.turned[k, d]] == centre_step
            assert tables.back[k, tables.turned[k, d]] == d


def test_sy_46_the_replies_are_those_of_the_thesis_mr_x() -> None:
    found = replies(GRID)
    for seed in range(5):
        match, agent = Match(GRID, seed=seed), make_agent(GRID, "v4")
        agent.start(Seating(GRID, match.options, 0, 1))
        rng = np.random.default_rng(seed)
        while not match.over:
            s = match.state()[0]
            if match.actor == 0:
                expected = agent.choose(match.view(0), match.legal(), Clock())
                assert found[s.pawn_station[0], s.pawn_station[1], s.mr_x_station] == expected
            match.play(int(rng.choice(match.legal())))


@pytest.mark.parametrize("form", list(ROWS))
def test_sy_51_games_end_with_the_rewards_of_sy_49(form: str) -> None:
    decisions = GridDecisions(GRID, GRID.options(), form, reveal=0.0)
    rng = np.random.default_rng(2)
    results = set()
    for seed in range(60):
        decisions.begin(seed)
        steps, total = 0, 0.0
        while decisions.row >= 0:
            assert 0 <= decisions.row < ROWS[form]
            legal = [a for a in range(decisions.columns) if decisions.mask >> a & 1]
            assert legal
            total += decisions.step(int(rng.choice(legal)))
            steps += 1
        assert total == decisions.final
        assert decisions.result()["rounds"] <= 20
        results.add(decisions.final)
    assert results == {1.0, -1.0}


def test_sy_60_reveals_are_rewarded_by_the_distances() -> None:
    plain, rewarded = (GridDecisions(GRID, GRID.options(), "improved", reveal) for reveal in (0.0, 0.1))
    costs = 0
    for seed in range(20):
        plain.begin(seed)
        rewarded.begin(seed)
        while plain.row >= 0:
            column = int(np.log2(plain.mask & -plain.mask))
            difference = rewarded.step(column) - plain.step(column)
            if difference:  # a tenth of the nearer distance and half the farther one
                assert 1 <= round(-20 * difference) <= 24
                assert -20 * difference == pytest.approx(round(-20 * difference))
                costs += 1
    assert costs > 0


def test_sy_56_learning_shortens_games_and_raises_rewards() -> None:
    decisions = GridDecisions(GRID, GRID.options(), "improved")
    table, settings = np.zeros((decisions.rows, 4)), QSettings(credit="step")
    rows = [learn_game(decisions, table, settings, game, 1, game / 6000) for game in range(6000)]
    early, late = rows[:500], rows[-500:]
    for name, sign in (("rounds", -1), ("won", 1), ("reward", 1)):
        change = np.mean([row[name] for row in late]) - np.mean([row[name] for row in early])
        assert sign * change > 0.1


def test_sy_70_the_learned_detectives_beat_random_ones_with_intervals_apart() -> None:
    learned, drawn = (run(GRID, ["v4", code], 200, rotating=False).agents[1] for code in ("table", "random"))
    assert learned.interval[0] > drawn.interval[1]
    assert learned.win_share > 0.9


@pytest.mark.parametrize("form", list(ROWS))
def test_tables_survive_a_file_and_play(form: str, tmp_path: Path) -> None:
    table = np.random.default_rng(1).uniform(-1, 1, (ROWS[form], COLUMNS[form]))
    write_table(tmp_path / "a.json", table, {})
    assert read_table(tmp_path / "a.json") == pytest.approx(table, abs=1e-4)
    code = f"table:table={tmp_path / 'a.json'}"
    for codes in ([code, code], ["v4", code]):
        assert play_game(GRID, GRID.options(), codes, 3).choices == play_game(GRID, GRID.options(), codes, 3).choices


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": "x"}, "format"),
        ({"game": "scotland_yard@2"}, "game scotland_yard@2"),
        ({"features": "situations-0"}, "features"),
        ({"form": "round"}, "form"),
        ({"table": "AAAA"}, "damaged"),
        ({"table": None}, "damaged"),
    ],
)
def test_a_foreign_table_is_refused_by_name(changes: dict, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_table(path, np.zeros((ROWS["improved"], 4)), {})
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    with pytest.raises(BadInput, match=sentence):
        read_table(path)
    path.write_text("{")
    with pytest.raises(BadInput, match="cut off"):
        read_table(path)


def test_other_games_of_the_grid_are_refused() -> None:
    for options in ({"detectives": 3}, {"reveal_every": 2}, {"start_visible": "off"}):
        with pytest.raises(BadInput):
            play_game(GRID, GRID.options(options), ["v4" if "detectives" not in options else "evade", "table"], 1)
        with pytest.raises(BadInput):
            TableTask(GRID, GRID.options(options), "improved", 0.0)
    with pytest.raises(BadInput, match="did you mean improved"):
        TableTask(GRID, GRID.options(), "improve", 0.0)

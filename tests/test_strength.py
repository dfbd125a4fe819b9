"""How strong agents are: claims can be played, a broken-off run goes on, tables and the page say what was measured."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from experiments.strength.lines import Line, all_lines, interval
from experiments.strength.measure import measure, stored_games, table
from experiments.strength.ship import HERE, PAGE, with_tables
from ludens.agents.codes import parse_code
from ludens.core import registry
from ludens.core.agent import LEVELS
from ludens.lab.experiment import read_experiment
from ludens.lab.statistics import share_interval

LINE = Line("test", "azul", ("heuristic", "random"), 6, "above one half", lambda found, _: found.low > 0.5)


def test_every_claim_names_agents_that_exist_and_is_stored_under_its_own_name() -> None:
    lines = list(all_lines(registry.names()))
    assert len({line.name for line in lines}) == len(lines)
    assert {"azul-medium", "discovery-Ex-2-H-Gr", "discovery-medium-MC", "ladder-azul-50-200"} <= {
        line.name for line in lines
    }
    for line in lines:
        for code in line.agents:
            parse_code(registry.game(line.game), code)
        assert len(line.schedule.at_places(0)) >= 2
        assert set(line.against) <= {other.name for other in lines}
    assert next(line for line in lines if line.name == "azul-medium").threads == 1


def test_a_run_that_was_broken_off_goes_on_and_the_table_tells(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    known: dict[int, tuple[float, ...]] = {}
    measure(LINE, known, file, processes=1, deadline=time.monotonic())
    assert len(known) == 1  # the game that was being played is kept
    with file.open("a") as out:
        out.write('{"line": "test", "ga')  # a machine that was switched off
        out.write("\n")
    stored = stored_games(file)
    assert "1 of 6" in table([LINE], stored)
    measure(LINE, stored["test"], file, processes=1, deadline=time.monotonic() + 600)
    assert sorted(stored["test"]) == list(range(6)) == sorted(stored_games(file)["test"])
    assert json.loads(file.read_text().splitlines()[0])["game"] == 0
    text = table([LINE], stored_games(file))
    assert "| azul | `heuristic` – `random` | 6 | 100.0% (61.0% – 100.0%) | above one half | yes |" in text


def test_a_side_is_measured_in_its_own_games_only() -> None:
    line = Line("side", "azul", ("heuristic", "random"), 3, "", lambda *_: True, place=1)
    assert line.indices == [1, 3, 5]
    assert line.share({1: (-1.0, 1.0), 3: (1.0, -1.0), 5: (0.0, 0.0)}).share == pytest.approx(0.5)


def test_intervals_are_wilson_s() -> None:
    found = interval([1.0] * 30 + [0.5] * 4 + [0.0] * 16)
    assert (found.low, found.high) == pytest.approx(share_interval(32, 50))
    assert interval([]).games == 0


def test_the_page_has_the_tables_that_ship() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_tables(page), "run `python experiments/strength/ship.py --docs`"
    assert "| Azul | `easy` | `newcomer:" in page
    with pytest.raises(ValueError, match="markers of levels"):
        with_tables("A page without tables.")


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_the_ladders_are_played_by_the_levels_of_now(name: str) -> None:
    game = registry.game(name)
    for one in read_experiment(HERE / f"levels_{name}.toml").series:
        for player in one.schedule.players:
            if player.name in LEVELS:
                then, now = parse_code(game, player.code), parse_code(game, player.name)
                assert (then[0].make, then[1]) == (now[0].make, now[1]), (one.name, player.name)

"""The strength that ships: only what present levels would have played counts, and ratings follow from the games."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludens.core import registry
from ludens.lab.experiment import read_experiment
from ludens.lab.measured import measured, measured_from
from ludens.play.tournament import play_tournament

LADDER = """
results = "ladder.db"
[players]
beginner = "newcomer"
random = "random"
{easy}
[[series]]
name = "beginner over random"
game = "azul"
seats = 2
enter = ["beginner", "random"]
tables = [["beginner", "random"]]
games = 6
[[series]]
name = "easy over beginner"
game = "azul"
seats = 2
enter = ["easy", "beginner"]
tables = [["easy", "beginner"]]
games = 6
"""
PAIRINGS = """
results = "pairings.db"
[players]
beginner = "newcomer"
evade = "evade"
[[series]]
name = "three"
game = "scotland_yard_grid"
seats = 2
tables = [["beginner", "evade"]]
seating = "fixed"
games = 12
options = { detectives = 3 }
"""


def played(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    experiment = read_experiment(path)
    for one in experiment.series:
        play_tournament(one.schedule, experiment.results, one.name, 1)
    return path


def test_a_ladder_has_ratings_steps_and_no_games_of_other_codes(tmp_path: Path) -> None:
    azul = registry.game("azul")
    path = played(tmp_path, "ladder.toml", LADDER.format(easy='easy = "random"'))
    told = measured_from(azul, read_experiment(path), None, "abc")
    assert {rung["agent"] for rung in told["rungs"]} == {"beginner", "random"}  # random play is not what easy plays
    assert told["commit"] == "abc" and told["game"] == azul.spec.identity
    rungs = {rung["agent"]: rung for rung in told["rungs"]}
    assert rungs["random"]["rating"] == 0 and rungs["beginner"]["rating"] > 100
    assert rungs["beginner"]["low"] <= rungs["beginner"]["rating"] <= rungs["beginner"]["high"]
    assert rungs["beginner"]["games"] == 12 and rungs["beginner"]["seconds"] > 0
    (step,) = told["steps"]
    assert (step["level"], step["below"], step["games"], step["even"]) == ("beginner", "random", 12, 0.5)
    assert step["share"] > 0.8 and step["low"] < step["share"] <= step["high"]


def test_a_pairing_has_the_share_of_the_first_side_and_its_options(tmp_path: Path) -> None:
    path = played(tmp_path, "pairings.toml", PAIRINGS)
    told = measured_from(registry.game("scotland_yard_grid"), None, read_experiment(path), "")
    (pairing,) = told["pairings"]
    assert pairing["options"] == {"detectives": 3}
    assert pairing["agents"] == ["beginner", "evade"]
    assert pairing["games"] == 12 and pairing["low"] <= pairing["share"] <= pairing["high"]


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_every_game_ships_a_ladder(name: str) -> None:
    told = measured(name)
    assert {"random", "beginner", "easy"} <= {rung["agent"] for rung in told["rungs"]}
    assert [rung["rating"] for rung in told["rungs"]] == sorted((r["rating"] for r in told["rungs"]), reverse=True)
    assert {step["level"] for step in told["steps"]} >= {"beginner", "easy"}


@pytest.mark.parametrize("name", ["scotland_yard", "scotland_yard_grid"])
def test_where_the_sides_differ_a_fair_game_was_measured(name: str) -> None:
    fair = [one for one in measured(name)["pairings"] if abs(one["share"] - 0.5) <= 0.1]
    assert any(one["agents"][0] == one["agents"][1] for one in fair)

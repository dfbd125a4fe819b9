"""Trainings of one file: what variants share, going on, pictures and the table; bad input with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludens.core.errors import BadInput
from ludens.lab.statistics import share_interval
from ludens.learn import algorithms
from ludens.learn.study import draw, read_study, results, run_study, training_of
from tests.cli.conftest import Ludens
from tests.learn.toys import WALK

FOLDER = Path(__file__).parents[2] / "experiments"
STUDIES = [*sorted(FOLDER.glob("*/learning.toml")), FOLDER / "normalisation.toml"]
TEXT = """
game = "azul"
algorithm = "walk"
folder = "{folder}"
seeds = [0, 3]
steps = 4
report_every = 1
evaluate_games = 0
[settings]
size = 0.5
[variants.plain]
[variants.wide]
label = "larger steps"
settings = {{ count = 4, size = 2.0 }}
[[pictures]]
file = "heights.svg"
figures = ["height", "first"]
average = 2
[[pictures]]
file = "each.svg"
figures = ["height"]
panels = "variants"
"""


@pytest.fixture(autouse=True)
def walk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(algorithms.ALGORITHMS, "walk", WALK)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "study.toml"
    path.write_text(TEXT.format(folder=tmp_path / "runs"))
    return path


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.parent.name)
def test_every_training_of_the_experiments_would_begin(path: Path) -> None:
    study = read_study(path)
    assert study.pictures
    for variant in study.variants.values():
        assert training_of(study, variant, 1).plan.steps > 0


def test_a_variant_takes_what_it_does_not_say_from_the_top(file: Path) -> None:
    study = read_study(file)
    settings = {name: training_of(study, one, 3).identity["settings"] for name, one in study.variants.items()}
    assert (settings["plain"]["size"], settings["plain"]["count"]) == (0.5, 3)
    assert (settings["wide"]["size"], settings["wide"]["count"]) == (2.0, 4)
    assert training_of(study, study.variants["wide"], 3).plan.seed == 3
    assert study.variants["wide"].label == "larger steps"


def test_all_are_trained_once_and_drawn(ludens: Ludens, file: Path, tmp_path: Path) -> None:
    run = ludens("train", str(file))
    assert run.status == 0, run.err
    curves = {path.parent.name: path.read_text() for path in (tmp_path / "runs").glob("*/curve.csv")}
    assert sorted(curves) == ["plain-0", "plain-3", "wide-0", "wide-3"]
    assert len(set(curves.values())) == 4
    assert (tmp_path / "runs" / "heights.svg").read_text().count("<svg") == 1
    assert "larger steps" in (tmp_path / "runs" / "each.svg").read_text()
    assert "| wide | 2 |" in run.out
    assert ludens("train", str(file), "wide", "--steps", "6").status == 0
    study = read_study(file)
    assert [len(rows) for name in ("plain", "wide") for rows in study.curves(name)] == [4, 4, 6, 6]
    assert [training.step for _, _, training in run_study(study)] == [4, 6, 4, 6]  # nothing is left to do


def test_the_table_counts_the_last_games_of_all_seeds_together(file: Path, tmp_path: Path) -> None:
    study = read_study(file)
    for seed, last in ((0, 0.9), (3, 0.5)):
        folder = tmp_path / "runs" / f"plain-{seed}"
        folder.mkdir(parents=True)
        (folder / "curve.csv").write_text(f"step,height\n1,1\n2,{seed + 2}\n")
        rows = f"2,random,100,0.1,0,0\n4,random,100,{last},0,0\n4,heuristic,10,0,0,0\n"
        (folder / "evaluations.csv").write_text("step,opponents,games,won,low,high\n" + rows)
    low, high = share_interval(140, 200)
    heads, _, line = results(study, ["height"]).split("\n")
    assert heads == "| variant | seeds | height, first → last | won against random | won against heuristic |"
    won, lost = f"70.0% ({low:.1%} – {high:.1%}) of 200", f"0.0% (0.0% – {share_interval(0, 20)[1]:.1%}) of 20"
    assert line == f"| plain | 2 | 1 → 2, 1 → 5 | {won} | {lost} |"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[variants.plain]", "[variants.plain]\nstepps = 3", "stepps"),
        ('algorithm = "walk"', 'algorithm = "wlak"', "walk"),
        ("size = 0.5", "sise = 0.5", "size"),
        ("seeds = [0, 3]", "seeds = 3", "seeds must be a list of whole numbers"),
        ('panels = "variants"', 'panels = "variant"', "variants"),
        ("average = 2", 'variants = ["plane"]', "plain"),
    ],
)
def test_bad_input_is_refused_with_its_line(file: Path, old: str, new: str, told: str) -> None:
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(BadInput, match=r"study\.toml, line \d+: .*" + told):
        read_study(file)


def test_a_figure_that_no_curve_has_is_refused(file: Path) -> None:
    file.write_text(file.read_text().replace('"first"', '"furst"'))
    study = read_study(file)
    assert len(list(run_study(study))) == 4
    with pytest.raises(BadInput, match="first"):
        draw(study, study.pictures[0])


def test_a_file_takes_no_settings_of_the_command_line(ludens: Ludens, file: Path) -> None:
    run = ludens("train", str(file), "--set", "size=1")
    assert run.status == 2
    assert "--steps, --seed and --out" in run.err
    assert "plain" in ludens("train", str(file), "plian").err

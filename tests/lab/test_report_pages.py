"""Reports of odd experiments: names of every kind, one game, one player, nothing but errors."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from ludens.agents.random import RandomAgent
from ludens.core.agent import Clock
from ludens.lab.experiment import read_experiment
from ludens.lab.report import figures
from ludens.lab.report.build import write_report
from ludens.lab.report.document import Cell, Document, Table, to_html, to_markdown
from ludens.play.tournament import play_tournament

LONG = "a name that somebody wrote down because no shorter one would do for this player"
ODD = f"""
[players]
'$\\frac{{x$ & <b>' = "random"
_hidden = "heuristic"
'猫🎲 | ž' = "heuristic:ties=random"
'{LONG}' = "random"
[[series]]
name = "two"
game = "azul"
games = 2
[[series]]
name = "three"
game = "azul"
seats = 3
games = 1
[[series]]
name = "one game"
game = "azul"
games = 1
seating = "fixed"
enter = ["_hidden", '{LONG}']
[[series]]
name = "one player"
game = "azul"
games = 2
self_play = true
enter = ["_hidden"]
[[series]]
name = "errors"
game = "azul"
games = 2
players = {{ a = "tests.lab.test_report_pages:Crashing", b = "tests.lab.test_report_pages:Crashing" }}
enter = ["a", "b"]
"""


class Crashing(RandomAgent):
    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        raise ValueError("two\nlines of <b>trouble</b>")


def test_odd_experiments_have_a_report_without_a_warning(tmp_path: Path) -> None:
    (tmp_path / "odd.toml").write_text(ODD, encoding="utf-8")
    experiment = read_experiment(tmp_path / "odd.toml")
    for series in experiment.series:
        play_tournament(series.schedule, experiment.results, series.name, workers=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page, plain = write_report(experiment)
    html, text = page.read_text("utf-8"), plain.read_text("utf-8")
    for name in ("Two", "Three", "One game", "One player", "Errors"):
        assert f"## {name}" in text
        assert f">{name}</h2>" in html
    assert "<b>" not in html
    assert "failed: ValueError: two lines of" in text
    assert "$\\frac{x$ &amp; &lt;b&gt;" in (tmp_path / "odd_report_figures" / "1_ratings.svg").read_text("utf-8")
    assert "_hidden" in (tmp_path / "odd_report_figures" / "1_development.svg").read_text("utf-8")


def test_long_names_are_shortened_in_figures_and_have_lines_in_tables() -> None:
    assert f"{LONG[:59]}…" in figures.dots([(LONG, 1.0, 0.0, 2.0)], "rating")
    page = to_html(Document("t", blocks=[Table(("player", LONG), [[LONG, "1"]])]))
    assert page.count(LONG) == 2
    assert page.count('class="word long"') == page.count('class="long"') == 1


def test_what_is_significant_is_bold_in_markdown_too() -> None:
    document = Document("t", blocks=[Table(("a", "b"), [["x", Cell("+1", mark="strong")]], "Bold is significant.")])
    assert "| x | **+1** |" in to_markdown(document, "figures")[0]


def test_captions_stand_beside_tables_that_may_be_wider_than_the_page() -> None:
    page = to_html(Document("t", blocks=[Table(("a",), [["x"]], "All players.")]))
    assert "</table></div><figcaption>All players.</figcaption></figure>" in page

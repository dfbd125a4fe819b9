"""The report of one run of a file of results, whoever has played it."""

from __future__ import annotations

from pathlib import Path

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.lab.experiment import Series
from ludens.lab.report.chapter import Chapter
from ludens.lab.report.document import Document, Heading, Text
from ludens.lab.report.words import count_text
from ludens.lab.standings import load_games
from ludens.lab.statistics import ALPHA
from ludens.play.results import ResultsFile

__all__ = ["run_report"]


def run_report(path: str | Path, name: str | None = None, alpha: float = ALPHA) -> Document:
    """What the games of a run tell, as far as it was played."""
    with ResultsFile(path) as file:
        run = file.run(name)
        games = load_games(file, run)
        if games.games == 0:
            raise BadInput(f"{run.name} has no finished game yet; a report needs one.")
        title = registry.game(run.game_name).spec.title
        rules = ", ".join(f"`{key}={value}`" for key, value in run.plan["options"].items())
        played = count_text(games.games, "game")
        shown = played if games.games == run.total else f"{played} of {run.total:,}"
        document = Document(run.name, f"{title} · {shown} · ludens {run.version}, {run.game} · seed {run.plan['seed']}")
        document.add(Text(f"Rules: {rules}. Intervals and tests are at α = {alpha:g}."))
        series = Series(title, "", run.schedule(), None, None)
        Chapter(document, file, run, series, games, alpha, 0).write()
    document.add(
        Heading(2, "Where the games are"),
        Text(
            f"`ludens arena show {Path(path).name} NUMBER --out game.json` takes a game out of the file of results, "
            "which `ludens replay` and the page open."
        ),
    )
    return document

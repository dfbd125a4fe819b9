"""The report of an experiment, from its file of results alone."""

from __future__ import annotations

from pathlib import Path

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.files import make_folder, write_text
from ludens.lab.experiment import Experiment, Series
from ludens.lab.report.chapter import Chapter
from ludens.lab.report.document import Document, Heading, Table, Text, to_html, to_markdown
from ludens.lab.report.words import count_text
from ludens.lab.standings import GamesTable, load_games
from ludens.lab.statistics import ALPHA
from ludens.lab.stopping import decided_games
from ludens.play.results import ResultsFile

__all__ = ["build_report", "run_report", "write_document", "write_report"]


def write_report(experiment: Experiment) -> tuple[Path, Path]:
    """Writes the page and the Markdown with its figures; returns both paths."""
    return write_document(build_report(experiment), experiment.report)


def write_document(document: Document, report: Path) -> tuple[Path, Path]:
    """Writes a document under this path without ending."""
    folder = report.with_name(f"{report.name}_figures")
    text, drawn = to_markdown(document, folder.name)
    if drawn:
        make_folder(folder)
        for old in folder.glob("*.svg"):
            if old.name not in drawn:
                old.unlink()
    for name, svg in drawn.items():
        write_text(folder / name, svg)
    page, plain = (report.with_name(f"{report.name}{ending}") for ending in (".html", ".md"))
    return write_text(page, to_html(document)), write_text(plain, text)


def build_report(experiment: Experiment) -> Document:
    """The report of all series that have any games."""
    document = Document(experiment.title)
    if experiment.about:
        document.add(Text(experiment.about))
    if not experiment.series:
        return document
    with ResultsFile(experiment.results) as file:
        stored = {run.name: run for run in file.runs()}
        for series in experiment.series:
            if series.name in stored:
                file.check_same(stored[series.name], series.schedule, versions=False)
        tables = {
            series.name: decided_games(series.stop, series.schedule.total, load_games(file, stored[series.name]))
            for series in experiment.series
            if series.name in stored
        }
        total = sum(table.games for table in tables.values())
        versions = sorted({f"ludens {run.version}, {run.game}" for run in stored.values()})
        document.subtitle = f"{count_text(total, 'game')} in {len(tables)} series · {' · '.join(versions)}"
        _overview(document, experiment, tables)
        for number, series in enumerate(experiment.series):
            if series.name in tables and tables[series.name].games:
                Chapter(
                    document, file, stored[series.name], series, tables[series.name], experiment.alpha, number
                ).write()
    _repeat(document, experiment)
    return document


def _overview(document: Document, experiment: Experiment, tables: dict[str, GamesTable]) -> None:
    rows = []
    for series in experiment.series:
        schedule, games = series.schedule, tables.get(series.name)
        played = 0 if games is None else games.games
        changed = _changed_options(series)
        rows.append(
            [
                series.name,
                schedule.spec_game.spec.title,
                str(schedule.options[0]),
                str(len(schedule.players)),
                str(len(schedule.arrangements)),
                f"{played:,}" if played == schedule.total else f"{played:,} of {schedule.total:,}",
                str(schedule.seed),
                changed or "–",
            ]
        )
    heads = ("series", "game", "seats", "players", "arrangements", "games", "seed", "rules")
    paired = all(series.schedule.paired for series in experiment.series)
    caption = f"Intervals and tests are at α = {experiment.alpha:g}."
    if paired:
        caption += " Equal seeds: all arrangements of a repetition play on the same board with the same draws."
    document.add(Heading(2, "What was played"), Table(heads, rows, caption, texts=2))


def _changed_options(series: Series) -> str:
    """The options that differ from the game's defaults, in words."""
    game = series.schedule.spec_game
    shown = game.show_options(series.schedule.option_array)
    usual = game.show_options(game.options({**game.spec.tournament, "players": series.schedule.options[0]}))
    return ", ".join(f"`{key}={value}`" for key, value in shown.items() if value != usual[key])


def _repeat(document: Document, experiment: Experiment) -> None:
    command = experiment.command or f"ludens experiment run {experiment.path.name}"
    document.add(
        Heading(2, "How to repeat this"),
        Text(
            f"`{command}` plays what is missing in `{experiment.results.name}` and writes this "
            f"report again; `ludens arena show {experiment.results.name} NUMBER --run SERIES --out game.json` takes a "
            "game out, which `ludens replay` and the page open."
        ),
    )


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

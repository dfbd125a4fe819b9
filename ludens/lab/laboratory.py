"""Files of results and ladders as JSON: what a page or another program shows of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludens.core.errors import BadInput
from ludens.lab.cross_table import cross_table_json
from ludens.lab.ratings import bradley_terry
from ludens.lab.standings import load_games, player_summaries
from ludens.lab.statistics import ALPHA
from ludens.play.results import ResultsFile, is_results_file

__all__ = ["describe_file", "describe_run", "game_document", "list_files"]


def list_files(folder: str | Path) -> list[dict[str, Any]]:
    """The files of results in a folder and its folders, newest first, each as `describe_file` tells."""
    paths = [path for path in Path(folder).expanduser().rglob("*.db") if is_results_file(path)]
    found = []
    for path in sorted(paths, key=lambda one: -one.stat().st_mtime):
        try:
            found.append(describe_file(path))
        except BadInput:  # of another format; there is nothing to show
            continue
    return found


def describe_file(path: str | Path) -> dict[str, Any]:
    """The runs of a file: names, games, players, how far they are."""
    with ResultsFile(path) as file:
        runs = [
            {
                "name": run.name,
                "game": run.game,
                "version": run.version,
                "identity": run.identity,
                "options": run.plan["options"],
                "players": run.plan["players"],
                "seed": run.plan["seed"],
                "games": run.total,
                "finished": len(file.finished(run)),
                "begun": run.begun,
                "sessions": file.sessions(run),
            }
            for run in file.runs()
        ]
    return {"file": str(path), "runs": runs}


def describe_run(path: str | Path, name: str | None = None, alpha: float = ALPHA) -> dict[str, Any]:
    """Standings, cross tables, ratings and failures of a run, as far as it was played."""
    with ResultsFile(path) as file:
        run = file.run(name)
        games = load_games(file, run)
        failures = [
            {"number": number, "reason": reason, "seat": seat, "error": error}
            for number, reason, seat, error in file.failures(run)
        ]
    return {
        "name": run.name,
        "game": run.game,
        "games": run.total,
        "finished": games.games,
        "standings": [one.to_json() for one in player_summaries(games, alpha)] if games.games else [],
        "cross_table": cross_table_json(games, alpha),
        "ratings": [rating.to_json() for rating in bradley_terry(games)] if games.games else [],
        "failures": failures,
    }


def game_document(path: str | Path, name: str | None, number: int) -> dict[str, Any]:
    """One game as a saved match."""
    with ResultsFile(path) as file:
        return file.document(file.run(name), number)

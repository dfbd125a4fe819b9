"""Results for other programs: a row for every seat of every game, as CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ludens.core.errors import BadInput
from ludens.core.extras import require
from ludens.core.files import check_target, write_text
from ludens.play.results import ResultsFile

__all__ = ["COLUMNS", "export"]

COLUMNS = (
    *("run", "game", "version", "number", "seed", "reason", "seat", "player", "agent", "score", "result"),
    *("victory", "rank", "decisions", "simulations", "seconds", "slowest"),
)


def export(file: ResultsFile, target: str | Path) -> Path:
    """Writes all runs of the file; the ending says how: .csv or .parquet."""
    path = check_target(target)
    if path.suffix == ".csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(_rows(file))
        return write_text(path, text.getvalue())
    if path.suffix != ".parquet":
        raise BadInput(f"Results are exported to a file that ends with .csv or .parquet, not {path.name}.")
    require("parquet", "Parquet")
    import pyarrow
    from pyarrow import parquet

    columns = list(zip(*_rows(file), strict=True)) or [()] * len(COLUMNS)
    table = pyarrow.table({name: list(values) for name, values in zip(COLUMNS, columns, strict=True)})
    part = path.with_name(f".{path.name}.part")
    try:
        parquet.write_table(table, part)
        part.replace(path)
    except OSError as error:
        raise BadInput(f"Cannot write {target}: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):
            part.unlink()
    return path


def _rows(file: ResultsFile) -> Iterator[tuple[Any, ...]]:
    for run in file.runs():
        endings = file.endings(run)
        names, codes = run.players, list(run.plan["players"].values())
        for number, seat, player, *rest in file.seat_rows(run):
            seed, reason = endings[number]
            yield (run.name, run.game, run.version, number, seed, reason, seat, names[player], codes[player], *rest)

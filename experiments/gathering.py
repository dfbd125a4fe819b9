"""Rows of a measurement in a file of JSON lines: what is missing is computed, in several processes if wished.

Every row has `key`, by which a command that is asked again knows what the file has.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

__all__ = ["gather", "rows_of"]

_AHEAD = 4  # rows a process that are asked for at once: so late the clock may end the work

Row = dict[str, Any]
Asked = tuple[Any, ...]


def rows_of(file: Path) -> list[Row]:
    """The rows of a file, as many as there are; a line that a switched-off machine left unfinished is none."""
    rows = []
    for line in file.read_text("utf-8").splitlines() if file.is_file() else []:
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return rows


def gather(
    file: Path, make: Callable[[Asked], Row], asked: Sequence[Asked], until: float = float("inf"), workers: int = 1
) -> list[Row]:
    """Adds to the file make(one) of everything asked for that it lacks, until time is up; returns all rows.

    What is asked for begins with its key, a text or a number. `make` is a function of a module.
    """
    known = {row["key"] for row in rows_of(file)}
    missing = [one for one in asked if one[0] not in known]
    with file.open("a", encoding="utf-8") as out:
        out.write("\n" if file.stat().st_size and not file.read_bytes().endswith(b"\n") else "")

        def keep(one: Asked, row: Row) -> None:
            out.write(json.dumps({"key": one[0], **row}) + "\n")
            out.flush()

        if workers == 1:
            for one in missing:
                if time.monotonic() > until:
                    break
                keep(one, make(one))
        else:
            with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
                for begin in range(0, len(missing), _AHEAD * workers):
                    if time.monotonic() > until:
                        break
                    part = {pool.submit(make, one): one for one in missing[begin : begin + _AHEAD * workers]}
                    for done in as_completed(part):
                        keep(part[done], done.result())
    return rows_of(file)

"""`ludens bench`: how fast the games run on this machine."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from ludens.cli.console import error_console, output_console

__all__ = ["bench"]


def bench(
    game: Annotated[list[str] | None, typer.Argument(help="games to measure; all by default")] = None,
    players: Annotated[int | None, typer.Option(help="only this number of players")] = None,
    start_up: Annotated[bool, typer.Option(help="measure cold compile and warm start too")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,
) -> None:
    """Measure random play, state copies, batch steps, tree search and start-up, on one core, in CPU time."""
    from rich.table import Table

    from ludens.bench import measure
    from ludens.core.errors import BadInput
    from ludens.core.registry import game as find
    from ludens.core.registry import names

    rows = []
    progress = error_console()
    for name in game or names():
        chosen = find(name)
        counts = [n for n in chosen.spec.players if players in (None, n)]
        if not counts:
            raise BadInput(
                f"{chosen.spec.title} is for {', '.join(map(str, chosen.spec.players))} players, not {players}."
            )
        for n in counts:
            with progress.status(f"{name}, {n} players …"):
                rows += list(measure(chosen, n, start_up and n == counts[0]))
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    table = Table(box=None)
    for heading in ("game", "players", "measure", "value", "unit"):
        table.add_column(heading, justify="right" if heading in ("players", "value") else "left")
    for row in rows:
        table.add_row(row["game"], str(row["players"]), row["measure"], f"{row['value']:,}", row["unit"])
    output_console().print(table)

"""Writes what the games of `levels_GAME.toml` and `pairings_GAME.toml` say of the agents' strength into the package.

    ludens experiment run experiments/strength/levels_azul.toml --no-report      # goes on where it was broken off
    python experiments/strength/ship.py                                          # every game, or those that are named
    python experiments/strength/ship.py --docs                                   # only the tables of docs/strength.md

`ludens/lab/measured/GAME.json` then holds the ladder with its intervals and the chances of pairings, with the number of
games and the commit at which they were written; the tables of `docs/strength.md` follow from it and from the codes.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ludens.core import registry
from ludens.core.agent import LEVELS
from ludens.lab.experiment import Experiment, read_experiment
from ludens.lab.measured import FOLDER, measured, measured_from

__all__ = ["HERE", "PAGE", "with_tables"]

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "strength.md"


def _experiment(name: str) -> Experiment | None:
    path = HERE / f"{name}.toml"
    return read_experiment(path) if path.is_file() else None


def with_tables(page: str) -> str:
    """The page with the tables that follow from the measured strength, each between its markers."""
    for name, rows in (("levels", _levels()), ("pairings", _pairings())):
        begin, end = f"<!-- {name}: written by experiments/strength/ship.py -->", f"<!-- end of {name} -->"
        pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
        if len(pattern.findall(page)) != 1:
            raise ValueError(f"The page needs the markers of {name} once.")
        text = "\n".join((begin, "", *rows, "", end))
        page = pattern.sub(lambda _, text=text: text, page)
    return page


def _levels() -> Iterator[str]:
    """A row a game and level: its code, and how often it beats the level below it."""
    yield "| game | level | code | against | games won | even | stronger | command |"
    yield "|---|---|---|---|---|---|---|---|"
    for name in registry.BUILT_IN:
        game = registry.game(name)
        steps = {step["level"]: step for step in measured(name)["steps"]}
        for below, level in zip(("random", *LEVELS), LEVELS, strict=False):
            step = steps.get(level)
            told = ("not measured", "–", "–") if step is None else _told(step)
            code = f"`{game.agents()[level].code}`"
            yield _row(game.spec.title, f"`{level}`", code, f"`{below}`", *told, _command(f"levels_{name}"))


def _pairings() -> Iterator[str]:
    """A row a pairing of two sides: how often the first wins."""
    yield "| game | first side, second side | options | the first side wins | command |"
    yield "|---|---|---|---|---|"
    for name in registry.BUILT_IN:
        for one in measured(name)["pairings"]:
            sides = ", ".join(f"`{agent}`" for agent in one["agents"])
            options = ", ".join(f"`{key}={value}`" for key, value in one["options"].items()) or "the usual ones"
            yield _row(registry.game(name).spec.title, sides, options, _share(one), _command(f"pairings_{name}"))


def _told(step: dict[str, Any]) -> tuple[str, str, str]:
    stronger = "yes" if step["low"] > step["even"] else "not shown"
    return _share(step), f"{100 * step['even']:.0f} %", stronger


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _share(found: dict[str, Any]) -> str:
    share, low, high = (f"{100 * found[key]:.1f}" for key in ("share", "low", "high"))
    return f"{share} % [{low}, {high}], n = {found['games']:,}"


def _command(experiment: str) -> str:
    return f"`ludens experiment run experiments/strength/{experiment}.toml --no-report`"


def main(names: list[str]) -> None:
    if names == ["--docs"]:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        return
    head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True, check=True)
    FOLDER.mkdir(exist_ok=True)
    for name in names or registry.BUILT_IN:
        found = measured_from(
            registry.game(name), _experiment(f"levels_{name}"), _experiment(f"pairings_{name}"), head.stdout.strip()
        )
        (FOLDER / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"{name}: {len(found['rungs'])} agents, {len(found['steps'])} steps, {len(found['pairings'])} pairings")
    main(["--docs"])


if __name__ == "__main__":
    main(sys.argv[1:])

"""Writes what the games of `levels_GAME.toml` and `pairings_GAME.toml` say of the agents' strength into the package.

    ludens experiment run experiments/strength/levels_azul.toml --no-report      # goes on where it was broken off
    python experiments/strength/ship.py                                          # every game, or those that are named

`ludens/lab/measured/GAME.json` then holds the ladder with its intervals and the chances of pairings, with the number of
games and the commit at which they were written.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from ludens.core import registry
from ludens.lab.experiment import Experiment, read_experiment
from ludens.lab.measured import FOLDER, measured_from

HERE = Path(__file__).parent


def _experiment(name: str) -> Experiment | None:
    path = HERE / f"{name}.toml"
    return read_experiment(path) if path.is_file() else None


def main(names: list[str]) -> None:
    head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True, check=True)
    FOLDER.mkdir(exist_ok=True)
    for name in names or registry.BUILT_IN:
        found = measured_from(
            registry.game(name), _experiment(f"levels_{name}"), _experiment(f"pairings_{name}"), head.stdout.strip()
        )
        (FOLDER / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"{name}: {len(found['rungs'])} agents, {len(found['steps'])} steps, {len(found['pairings'])} pairings")


if __name__ == "__main__":
    main(sys.argv[1:])

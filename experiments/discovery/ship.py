"""Puts learned coefficients into the package.

python experiments/discovery/ship.py thesis    # of the tournaments of learning_quick.toml: the agent PL
python experiments/discovery/ship.py bred      # of the genetic search with seed 0 of learning.toml: the agent bred
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from ludens.games import discovery
from ludens.games.discovery.players.coefficients import pick_set, read_sets, write_sets

DATA = Path(discovery.__file__).parent / "data" / "coefficients"
RUNS = Path("runs/discovery")


def ship() -> None:
    """One set an opponent and seat, and their mean for any opponent."""
    sets = {}
    for opponent in ("H-Gr", "H-Pot", "H-Rnd", "PL"):
        for seat in range(2):
            file = RUNS / f"PL-{opponent}-{seat}.json"
            if file.exists():
                sets[f"{opponent}/{seat}"] = np.float32(pick_set(read_sets(file)[0], "any", seat)).astype(float)
    for seat in range(2):
        sets[f"any/{seat}"] = np.mean([values for name, values in sets.items() if name.endswith(f"/{seat}")], axis=0)
    write_sets(DATA / "thesis.json", sets, {"rate": 0.005, "training": "experiments/discovery/learning_quick.toml"})


def ship_bred() -> None:
    """All seats have the same."""
    sets, facts = read_sets(RUNS / "genetic-0" / "agent.json")
    values = np.float32(sets["any/0"]).astype(float)
    write_sets(DATA / "bred.json", {f"any/{seat}": values for seat in range(5)}, {"training": facts["training"]})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("thesis", "bred"))
    {"thesis": ship, "bred": ship_bred}[parser.parse_args().what]()

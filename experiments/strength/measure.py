"""Plays what is claimed of the agents' strength and prints a table of it.

    python experiments/strength/measure.py --processes 16 --results strength.jsonl
    python experiments/strength/measure.py discovery --processes 16 --seconds 500 --results strength.jsonl
    python experiments/strength/measure.py --table --results strength.jsonl
    python experiments/strength/measure.py azul --champions --only azul-net-heuristic --results champions.jsonl
    python experiments/strength/measure.py azul --champions --learner learner.safetensors --results champions.jsonl

`--champions` are the claims of `champions.py`, the others those of `lines.py`; with a learner's file, what it wins.
Seats rotate from game to game; equal seeds give equal games wherever the agents' budgets are simulations.
Every finished game is appended to the file of results: a run that is broken off, by its time or by a hand,
goes on where it stopped. Agents that search in several threads get as many cores: fewer games run side by side.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

from experiments.strength.champions import champion_lines
from experiments.strength.lines import LEVEL, Games, Line, all_lines
from ludens.core import registry
from ludens.play.engine import Outcomes, Played, play
from ludens.play.game import Outcome
from ludens.play.schedule import Schedule

__all__ = ["main", "measure", "stored_games", "table"]


def stored_games(file: Path) -> dict[str, Games]:
    """The games of every line that are in the file; a last line that was cut off is ignored."""
    found: dict[str, Games] = {}
    for text in file.read_text().splitlines() if file.exists() else []:
        try:
            entry = json.loads(text)
        except ValueError:
            continue
        found.setdefault(entry["line"], {})[entry["game"]] = tuple(entry["returns"])
    return found


class _LineGames(Outcomes):
    """Appends the games of a line that are missing to the file, until the deadline."""

    def __init__(self, line: Line, known: Games, file: Path, deadline: float) -> None:
        self._line, self._known, self._file, self._deadline = line, known, file, deadline

    def missing(self, schedule: Schedule) -> list[int]:
        return [index for index in self._line.indices if index not in self._known]

    def add(self, games: Sequence[Played[Outcome]]) -> None:
        with self._file.open("a") as out:
            for game in games:
                self._known[game.number] = game.kept.returns
                entry = {"line": self._line.name, "game": game.number, "returns": game.kept.returns}
                out.write(json.dumps(entry) + "\n")

    def enough(self) -> bool:
        return time.monotonic() > self._deadline


def measure(line: Line, known: Games, file: Path, processes: int, deadline: float) -> None:
    """Plays the games of a line that are missing, until the deadline."""
    play(line.schedule, _LineGames(line, known, file, deadline), workers=max(1, processes // line.threads))


def table(lines: list[Line], stored: dict[str, Games]) -> str:
    """The lines with any games as a Markdown table."""
    shares = {line.name: line.share(_wanted(line, stored)) for line in lines}
    rows = ["| game | agents | games | wins of the first | claim | holds |", "|---|---|---|---|---|---|"]
    for line in lines:
        share, played = shares[line.name], len(_wanted(line, stored))
        if played:
            agents = " – ".join(f"`{agent}`" for agent in dict.fromkeys(line.agents))
            others = [shares[name].share for name in line.against if name in shares]
            verdict = "yes" if line.holds(share, max(others, default=0.0)) else "no"
            unfinished = "" if played == line.games else f" of {line.games}"
            rows.append(f"| {line.game} | {agents} | {played}{unfinished} | {share} | {line.claim} | {verdict} |")
    return "\n".join(rows)


def _wanted(line: Line, stored: dict[str, Games]) -> Games:
    known = stored.get(line.name, {})
    return {index: known[index] for index in line.indices if index in known}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="only these games")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path("strength.jsonl"))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--only", nargs="*", default=[], help="only these lines, or those whose names contain a word")
    parser.add_argument("--champions", action="store_true", help="the claims about the champions")
    parser.add_argument("--learner", help="the network that learned to beat a champion")
    parser.add_argument("--level", default=LEVEL, help="play these claims of the level with another code")
    parser.add_argument("--limit", type=int, help="at most so many games a line")
    parser.add_argument("--table", action="store_true", help="only print what is known")
    arguments = parser.parse_args()
    deadline = time.monotonic() + arguments.seconds
    games, only = arguments.games or list(registry.names()), arguments.only
    claims = list(champion_lines(games, arguments.learner) if arguments.champions else all_lines(games))
    exact = [line for line in claims if line.name in only]
    lines = [
        replace(line, agents=tuple(arguments.level if code == LEVEL else code for code in line.agents))
        for line in exact or claims
        if not only or any(word in line.name for word in only)
    ]
    stored = stored_games(arguments.results)
    for line in [] if arguments.table else lines:
        known = stored.setdefault(line.name, {})
        wanted = line if arguments.limit is None else replace(line, games=min(line.games, arguments.limit))
        if time.monotonic() < deadline and len(known) < wanted.games:
            begun = time.monotonic()
            measure(wanted, known, arguments.results, arguments.processes, deadline)
            share = line.share(known)
            seconds = time.monotonic() - begun
            print(f"{line.name}: {share} of {share.games} games, {seconds:.0f} s", file=sys.stderr, flush=True)
    print(table(lines, stored))


if __name__ == "__main__":
    main()

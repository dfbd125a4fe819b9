"""Golden playthroughs of any game: a whole match as readable text, compared with a stored file.

A diff of such a file shows which rule, id or word has moved. `LUDENS_UPDATE_GOLDEN=1` rewrites
the files instead of comparing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludens.agents.codes import make_agent
from ludens.core import kernels, record
from ludens.core.agent import Clock, Seating
from ludens.core.match import Match
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE

__all__ = ["GOLDEN", "UPDATE", "compare", "playthrough"]

GOLDEN = Path(__file__).parent / "golden"
UPDATE = "LUDENS_UPDATE_GOLDEN"

Milestone = Callable[[Any, Any], bool]
"""(record before, record after) -> is the position after worth showing?"""


def playthrough(
    game: Game, options: Mapping[str, Any], seed: int, seats: Sequence[str], milestone: Milestone, longest: int = 5_000
) -> str:
    """One complete match as text: options, every log entry with its events, positions at the milestones.

    `seats` are agent codes, one a seat, which play from their views and from the same seed.
    """
    match = Match(game, options, seed=seed)
    _play(match, seats, longest)
    lines = [
        f"game: {game.spec.identity}",
        "options: " + ", ".join(f"{name}={value}" for name, value in game.show_options(match.options).items()),
        f"seed: {seed}",
        "seats: " + ", ".join(seats),
        "",
        *_entries(match, milestone),
        f"scores: {' '.join(f'{x:g}' for x in match.scores())}",
        f"returns: {' '.join(f'{x:.4g}' for x in match.returns())}",
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def compare(path: Path, text: str) -> None:
    """Asserts that the stored file holds the text, or stores it when asked to by the environment."""
    if os.environ.get(UPDATE) == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    assert path.exists(), f"{path.name} is missing; {UPDATE}=1 writes it."
    stored, new = path.read_text(encoding="utf-8").splitlines(), text.splitlines()
    for number, (was, now) in enumerate(zip(stored, new, strict=False), start=1):
        assert now == was, f"{path.name} differs from line {number} on; {UPDATE}=1 accepts the change."
    assert len(new) == len(stored), f"{path.name} has {len(stored)} lines, now there are {len(new)}."


def _play(match: Match, seats: Sequence[str], longest: int) -> None:
    assert len(seats) == match.players
    agents = [make_agent(match.game, code) for code in seats]
    for seat, agent in enumerate(agents):
        agent.start(Seating(match.game, match.options, seat, match.seed))
    while not match.over:
        assert match.ply < longest, "this match does not end; choose other seats or options"
        seat = match.actor
        match.play(agents[seat].choose(match.view(seat), match.legal(), Clock()), seat)


def _entries(match: Match, milestone: Milestone) -> Iterator[str]:
    """The log line by line: ply, actor, id, words, number of legal moves, what happened."""
    game = match.game
    state = record.blank(game.dtype)
    legal = np.zeros(game.spec.actions, np.int64)
    kernels.reset_at(state, 0, match.options)
    for ply, action in enumerate(match.log):
        before = state.copy()
        who = int(kernels.actor_at(state, 0))
        count = kernels.legal_at(state, 0, legal)
        kernels.apply_at(state, 0, action)
        if who == CHANCE:
            actor, words = "chance", game.text.chance_to_text(before[0], action)
        else:
            actor, words = f"seat {who}", f"{game.text.action_to_text(before[0], action)} (of {count})"
        happened = [game.text.narrate(event, match.names) for event in game.text.events(before[0], action, state[0])]
        yield f"{ply:5} {actor:7} {action:4}  {words:<32} {'; '.join(x for x in happened if x)}"
        if milestone(before[0], state[0]) or ply == match.ply - 1:
            yield from ("", game.text.position_to_text(state[0]), "")

"""Digests of a handful of games, printed as JSON when run as a program: the same with JIT on and off."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from ludens.agents.codes import make_agent
from ludens.core.agent import Clock, Seating
from ludens.core.match import Match
from ludens.core.spec import Game
from ludens.games.scotland_yard import GRID, LONDON
from tests.games.scotland_yard.setups import random_play

__all__ = ["game_digests"]

RANDOM: list[tuple[Game, dict[str, Any]]] = [
    (LONDON, {"players": 3}),
    (LONDON, {"edition": "classic", "belief": "weights", "bobbies": 1}),
    (GRID, {}),
    (GRID, {"detectives": 3, "start_visible": "off", "belief": "weights"}),
]
PLAYED: list[tuple[Game, list[str], dict[str, Any]]] = [
    (GRID, ["evade", "chase"], {}),
    (LONDON, ["evade", "shrink"], {"max_rounds": 2, "detectives": 2}),
    (LONDON, ["evade", "chase"], {"max_rounds": 2, "detectives": 2}),
    (GRID, ["v4:depth=1", "v4:depth=2,ties=random"], {"max_rounds": 4}),
]


def game_digests() -> dict[str, str]:
    """Name of a game -> digest of its actions and of the bytes of all its states."""
    digests = {}
    for game, options in RANDOM:
        digest = hashlib.sha256()
        for before, action, after in random_play(game, 3, **options):
            digest.update(before.tobytes() + action.to_bytes(4, "big") + after.tobytes())
        digests[f"random {game.spec.name} {options}"] = digest.hexdigest()
    for game, codes, options in PLAYED:
        digests[f"{codes} {game.spec.name}"] = _match_digest(game, codes, options)
    return digests


def _match_digest(game: Game, codes: list[str], options: dict) -> str:
    match = Match(game, options, seed=4)
    agents = [make_agent(game, code) for code in codes]
    for seat, agent in enumerate(agents):
        agent.start(Seating(game, match.options, seat, 4))
    while not match.over:
        match.play(agents[match.actor].choose(match.view(match.actor), match.legal(), Clock()))
    log = np.array(match.log, np.int64)
    return hashlib.sha256(log.tobytes() + match.state().tobytes()).hexdigest()


if __name__ == "__main__":
    print(json.dumps(game_digests()))

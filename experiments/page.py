"""What the page makes of a review, for experiments: decisions as the server reviews them, counted by the page's code.

The page's sources are bundled and run by Node, so that the page must have been built here once.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ludens.agents.analysis import Decision, analyse_view, usual_work
from ludens.core.spec import Game

__all__ = ["REVIEW", "by_the_page", "reviewed"]

_WEB = Path(__file__).resolve().parent.parent / "web"
REVIEW = _WEB / "src" / "lib" / "review"
_CANDIDATES = 3  # as many as a review compares


def reviewed(game: Game, options: np.ndarray, made: Decision, simulations: int | None = None) -> dict[str, Any]:
    """A decision as the review of the server has it, as far as losses are counted from it."""
    work = simulations or usual_work(game, of_review=True)
    found = analyse_view(
        game, made.view, made.seat, simulations=work, candidates=_CANDIDATES, include=(made.action,), explain=0,
        options=options,
    )  # fmt: skip
    moves = {"better": found.candidates[0], "played": next(m for m in found.candidates if m.action == made.action)}
    played = moves["played"]
    shown = {
        name: {"action": m.action, "result": round(m.result, 4), "points": [round(x, 2) for x in m.points]}
        for name, m in moves.items()
    }
    loss = round(played.behind, 4)
    told = {"ply": made.ply, "seat": made.seat, "part": made.part, "loss": loss}
    known = {"doubt": round(played.precision / 2, 4) if loss else 0.0, "known": played.known}
    return {**told, **known, "results": [round(x, 4) for x in found.results], **shown}


def by_the_page(expression: str, given: Any) -> Any:
    """The value of an expression in JavaScript over `given`, with all that `losses.ts` exports."""
    with tempfile.TemporaryDirectory() as folder:
        bundler = str(_WEB / "node_modules" / ".bin" / "rolldown")
        source = str(REVIEW / "losses.ts")
        subprocess.run([bundler, source, "--format", "esm", "-d", folder], check=True, capture_output=True)
        program = f"""
            const page = await import({json.dumps(str(Path(folder, "losses.js")))});
            const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
            console.log(JSON.stringify({expression}));
        """
        command = ["node", "--input-type=commonjs", "-e", f"(async () => {{ {program} }})()"]
        answer = subprocess.run(command, input=json.dumps(given), check=True, capture_output=True, text=True)
    return json.loads(answer.stdout)

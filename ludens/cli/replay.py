"""`ludens replay`: a saved game, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludens.cli.console import Json, output_console, print_json
from ludens.core.errors import BadInput

if TYPE_CHECKING:
    from ludens.core.match import Match

__all__ = ["replay"]


def replay(
    file: Annotated[Path, typer.Argument(help="The file of a saved game.")],
    ply: Annotated[int | None, typer.Option("--ply", help="Show the position after so many entries and exit.")] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Write it as a page with board and slider (.html), or as the page's data (.json)."),
    ] = None,
    json: Json = False,
) -> None:
    """Step through a saved game, or show one position of it. Nothing is hidden."""
    from ludens.cli.session import load_match
    from ludens.cli.stepper import Stepper

    match, _ = load_match(file)
    if out is not None:
        _write_film(match, out)
        return
    if ply is not None and not 0 <= ply <= match.ply:
        raise BadInput(f"The game has positions 0 to {match.ply}, not {ply}.")
    if json:
        print_json(_game_to_json(match) if ply is None else _position_to_json(match.at(ply)))
        return
    stepper = Stepper(match, output_console())
    if ply is None:
        stepper.run()
    else:
        stepper.show(ply)


def _write_film(match: Match, out: Path) -> None:
    from json import dumps

    from ludens.core.files import check_target, write_text
    from ludens.core.film import film, film_page

    check_target(out)
    if out.suffix not in (".html", ".json"):
        raise BadInput(f"A game is written to a file that ends with .html or .json, not {out.name}.")
    write_text(out, film_page(match) if out.suffix == ".html" else dumps(film(match), ensure_ascii=False) + "\n")
    output_console().print(f"The game is in {out}.", markup=False, soft_wrap=True)


def _game_to_json(match: Match) -> dict[str, Any]:
    """The whole game in words: every entry of the log with its text and events."""
    from ludens.core import kernels
    from ludens.core.match import SEEDED
    from ludens.core.verbs import CHANCE

    text = match.game.text
    steps = []
    state = match.at(0).state()
    for step in match.steps():
        words = text.chance_to_text if step.actor == CHANCE else text.action_to_text
        steps.append(
            {
                "ply": step.ply,
                "actor": step.actor,
                "action": step.action,
                "text": words(state[0], step.action),
                "events": list(step.events),
            }
        )
        kernels.apply_at(state, 0, step.action)
    return {
        "game": match.game.spec.name,
        "version": match.game.spec.version,
        "options": match.game.show_options(match.options),
        "chance": match.chance,
        "seed": match.seed if match.chance == SEEDED else None,
        "names": list(match.names),
        "plies": match.ply,
        "over": match.over,
        "scores": match.scores(),
        "returns": match.returns(),
        "steps": steps,
    }


def _position_to_json(match: Match) -> dict[str, Any]:
    """One position: who acts, what is legal, the scores, the board in the game's words."""
    state = match.state()
    return {
        "game": match.game.spec.name,
        "ply": match.ply,
        "actor": match.actor,
        "legal": [{"action": int(a), "text": match.text(int(a))} for a in match.legal()],
        "scores": match.scores(),
        "over": match.over,
        "notation": match.notation(),
        "position": match.game.text.position_to_json(state[0]),
    }

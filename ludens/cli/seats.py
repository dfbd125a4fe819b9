"""Who sits where in a game in the terminal, and the files such games are saved in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludens.agents.codes import parse_code, short_name
from ludens.core.errors import BadInput
from ludens.core.files import read_text, write_text
from ludens.core.match import Match
from ludens.core.renamed import with_new_names
from ludens.core.spec import Game, GameSpec
from ludens.play.seating import strongest

__all__ = ["HUMAN", "default_names", "load_match", "parse_seats", "save_match"]

HUMAN = "human"


def parse_seats(game: Game, seats: str | None, players: Any = None) -> list[str]:
    """The code of every seat, `human` or an agent; by default a human against the strongest agents.

    Codes are separated by commas; a part key=value belongs to the agent before it.
    """
    if seats is None:
        count = int(game.options({} if players is None else {"players": players})[0])
        return [HUMAN, *[strongest(game)] * (count - 1)]
    codes: list[str] = []
    for part in seats.split(","):
        if codes and "=" in part and ":" not in part:
            codes[-1] += f",{part}"
        else:
            codes.append(part.strip())
    for code in codes:
        if code != HUMAN:
            _check_agent(game, code)
    allowed = {int(players)} if str(players).isdecimal() else set(game.spec.players)
    if len(codes) not in allowed:
        counts = " or ".join(map(str, sorted(allowed)))
        raise BadInput(f"This game of {game.spec.title} has {counts} seats, not {len(codes)}.")
    return codes


def _check_agent(game: Game, code: str) -> None:
    kind, _ = parse_code(game, code, outside=True)
    if kind.oracle:
        raise BadInput(f"Agent {kind.name} sees hidden things and plays only in the arena.")


def default_names(game: Game, codes: Sequence[str]) -> list[str]:
    """The roles of the seats where the game has them, else what sits there: Human, Heuristic, Heuristic 2."""
    if game.spec.seat_names is not GameSpec.__dataclass_fields__["seat_names"].default:
        return list(game.spec.seat_names(len(codes)))
    plain = [(short := short_name(code))[:1].upper() + short[1:] for code in codes]
    return [
        name if plain[:i].count(name) == 0 else f"{name} {plain[:i].count(name) + 1}" for i, name in enumerate(plain)
    ]


def save_match(match: Match, codes: Sequence[str], file: str | Path) -> Path:
    """Writes the match with its seats; the file is replaced whole or not at all."""
    document = {**match.to_json(), "seats": list(codes)}
    return write_text(file, json.dumps(document, ensure_ascii=False) + "\n")


def load_match(file: str | Path) -> tuple[Match, str | None]:
    """A saved match and its seats as they are written on the command line, if the file names them."""
    text = read_text(file)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file} is not a saved match: it is not JSON.") from error
    match = Match.from_json(document)
    seats = document.get("seats")
    if seats is None:
        return match, None
    if not isinstance(seats, list) or not all(isinstance(code, str) for code in seats):
        raise BadInput(f"The seats in {file} must be a list of words, one a player.")
    return match, ",".join(map(with_new_names, seats))

"""`ludens play`: a game in the terminal, people and agents on any seats."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludens.cli.console import Options, error_console, output_console, parse_pairs
from ludens.core.errors import BadInput

if TYPE_CHECKING:
    from ludens.cli.session import Session

__all__ = ["play"]


def play(
    game: Annotated[
        str | None, typer.Argument(help="A game, the file of a saved one, or a position in one line.")
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option("--seats", help="Who sits where: human, an agent or module:Class for every seat, with commas."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Equal seeds give equal draws.")] = None,
    option: Options = None,
    names: Annotated[str | None, typer.Option("--names", help="Names of the players, with commas.")] = None,
    load: Annotated[Path | None, typer.Option("--load", help="Continue the game of this file.")] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Save the game here when it ends or you quit.")] = None,
    thoughts: Annotated[bool, typer.Option("--thoughts", help="Show what the agents think of their moves.")] = False,
) -> None:
    """Play a game, or continue a saved one; ? shows what can be typed."""
    from ludens.core.files import check_target
    from ludens.core.positions import is_notation

    if save is not None:
        check_target(save)
    if load is None and game is not None and not is_notation(game) and _is_file(game):
        load, game = Path(game), None
    begins = game if load is None and game is not None and is_notation(game) else None
    with error_console().status("Preparing the game (the first time, it is compiled) …"):
        if begins is not None:
            session = _begun(begins, seats, seed, option, names, thoughts)
        elif load is None:
            session = _new(game, seats, seed, parse_pairs(option or []), names, thoughts)
        else:
            session = _continued(load, game, seats, seed, option, names, thoughts)
    session.file = save or load
    session.save_at_end = save is not None
    session.run()


def _is_file(name: str) -> bool:
    """Is this not the name of a game, but looks like a path or is one?"""
    from ludens.core import registry

    looks_like_one = name.endswith(".json") or "/" in name or "\\" in name
    return name not in registry.names() and (looks_like_one or Path(name).is_file())


def _new(
    name: str | None,
    seats: str | None,
    seed: int | None,
    options: dict[str, str],
    names: str | None,
    thoughts: bool,
) -> Session:
    from ludens.cli.session import Session, default_names, parse_seats
    from ludens.core import registry
    from ludens.core.match import Match

    if name is None:
        raise BadInput(f"Name a game to play ({', '.join(registry.names())}) or a file to continue.")
    game = registry.game(name)
    codes = parse_seats(game, seats, options.get("players"))
    if str(options.setdefault("players", str(len(codes)))) != str(len(codes)):
        raise BadInput(f"There are {len(codes)} seats, but the option says {options['players']} players.")
    called = default_names(game, codes) if names is None else [part.strip() for part in names.split(",")]
    return Session(Match(game, {**game.spec.for_people, **options}, seed, called), codes, output_console(), thoughts)


def _begun(
    position: str, seats: str | None, seed: int | None, option: list[str] | None, names: str | None, thoughts: bool
) -> Session:
    """A game that begins with a position; its draws come from the seed."""
    from ludens.cli.session import Session, default_names, parse_seats
    from ludens.core.match import Match
    from ludens.core.positions import position_from_notation
    from ludens.core.rng import SEED_LIMIT

    if option:
        raise BadInput("A position has its options in its text.")
    game, options, _ = position_from_notation(position)
    codes = parse_seats(game, seats, str(int(options[0])))
    called = default_names(game, codes) if names is None else [part.strip() for part in names.split(",")]
    drawn = secrets.randbelow(SEED_LIMIT) if seed is None else seed
    return Session(Match.from_notation(position, called, seed=drawn), codes, output_console(), thoughts)


def _continued(
    file: Path,
    name: str | None,
    seats: str | None,
    seed: int | None,
    option: list[str] | None,
    names: str | None,
    thoughts: bool,
) -> Session:
    from ludens.cli.session import Session, load_match, parse_seats

    if seed is not None or option or names is not None:
        raise BadInput("A saved game keeps its own seed, options and names; only --seats can be given.")
    match, stored = load_match(file)
    if name is not None and name != match.game.spec.name:
        raise BadInput(f"{file} is a game of {match.game.spec.name}, not of {name}.")
    codes = parse_seats(match.game, seats or stored, match.players)
    return Session(match, codes, output_console(), thoughts)

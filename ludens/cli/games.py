"""`ludens games`: what can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludens.cli.console import Json, describe_option, output_console, print_json

if TYPE_CHECKING:
    from ludens.core.spec import Game, Option

__all__ = ["games"]


def games(json: Json = False) -> None:
    """List the games with their numbers of players and options."""
    from rich.table import Table
    from rich.text import Text

    from ludens.core import registry

    known = registry.games()
    if json:
        print_json({"games": [_to_json(game) for game in known]})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Game", "Players", "About"):
        table.add_column(heading)
    for game in known:
        about = Text(game.spec.summary)
        for option in game.spec.options:
            about.append(f"\n--option {describe_option(option)}", "dim")
        table.add_row(Text(game.spec.name, "bold"), ", ".join(map(str, game.spec.players)), about)
    output_console().print(table)


def _to_json(game: Game) -> dict[str, Any]:
    spec = game.spec
    return {
        "game": spec.name,
        "title": spec.title,
        "version": spec.version,
        "summary": spec.summary,
        "players": list(spec.players),
        "default_players": spec.default_players,
        "chance": spec.chance,
        "hidden": spec.hidden,
        "options": [_option_to_json(option) for option in spec.options],
        "tournament": dict(spec.tournament),
    }


def _option_to_json(option: Option) -> dict[str, Any]:
    values = {"choices": list(option.choices)} if option.choices else {"low": option.low, "high": option.high}
    return {"option": option.name, "help": option.help, "default": option.show(option.default), **values}

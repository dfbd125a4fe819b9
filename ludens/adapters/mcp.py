"""The Model Context Protocol: tools with which a language model plays by any client; `ludens mcp` serves them."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from ludens.adapters.by_words import Table
from ludens.agents.codes import known_kinds
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.rulebook import rules_about
from ludens.version import __version__

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError as error:
    raise ImportError("ludens mcp needs the Python SDK of the protocol: pip install 'ludens[mcp]'.") from error

__all__ = ["make_server"]

_INSTRUCTIONS = (
    "Board games against agents. Call list_games, then sit_down; then again and again legal_moves and move with one of "
    "these moves, word for word, until the series is over. ask_rules explains the rules, board_map the places' numbers."
)


def make_server(name: str = "client", results: Path | None = None) -> MCPServer:
    """The server for one client, whose games are stored in the file of results under its name."""
    server = MCPServer("ludens", instructions=_INSTRUCTIONS, version=__version__)

    def tool(work: Callable[..., Any]) -> Callable[..., Any]:
        """Offers the function as a tool; what is refused is told in its sentence."""

        @functools.wraps(work)
        def refusing(*given: Any, **named: Any) -> Any:
            try:
                return work(*given, **named)
            except BadInput as error:
                raise ToolError(str(error)) from error

        return cast(Callable[..., Any], server.tool()(refusing))

    def table() -> Table:
        if Table.open is None:
            raise BadInput("You sit at no table; call sit_down first.")
        return Table.open

    @tool
    def list_games() -> str:
        """The games with their numbers of players, their options and the agents to play against, weak to strong."""
        told = []
        for game in registry.games():
            spec = game.spec
            agents = [kind.name for kind in known_kinds(game).values() if kind.complete and not kind.oracle]
            options = "; ".join(
                f"{one.name}={'|'.join(one.choices) if one.choices else f'{one.low} to {one.high}'} ({one.help})"
                for one in spec.options
            )
            told.append(
                f"{spec.name}: {spec.summary}\n  players: {', '.join(map(str, spec.players))}\n"
                f"  agents: {', '.join(agents)}\n  options: {options or 'none'}"
            )
        return "\n".join(told)

    @tool
    def sit_down(
        game: str,
        against: list[str],
        games: int = 1,
        seat: int | None = None,
        options: dict[str, str] | None = None,
        seed: int = 0,
    ) -> str:
        """Begins a series of games against these agents, one for each other side; answers with your first view.

        Without a seat (from 1) you change seats from game to game. Another table that is open is left.
        """
        return Table(game, against, games, options, seed, seat, name, results).wait()

    @tool
    def view() -> str:
        """All that your seat knows of the position."""
        return table().view()

    @tool
    def legal_moves() -> list[str]:
        """Your legal moves, as `move` understands them."""
        return table().legal()

    @tool
    def move(move: str) -> str:
        """Plays a move; answers with your next view, or with how the game and the series ended."""
        return table().move(move)

    @tool
    def results_so_far() -> str:
        """The standings of the series with intervals, as JSON: wins, shares, scores, refused moves."""
        return json.dumps(table().standings())

    @tool
    def ask_rules(game: str, about: str = "") -> str:
        """The rules of a game; with `about`, the paragraphs that hold all these words, or a number such as CA-13."""
        return rules_about(registry.game(game), about)

    @tool
    def board_map(game: str) -> str:
        """What never changes on the board of a game, as JSON: places with their numbers and connections."""
        found = registry.game(game)
        return json.dumps(found.text.static_to_json(found.dtype))

    return server

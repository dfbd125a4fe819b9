"""Scotland Yard in a terminal: the grid (SY-13), or London's pieces, tickets, travel log and possible stations."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ludens.core.verbs import UNKNOWN
from ludens.core.words import Display
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.possible import possible_stations
from ludens.games.scotland_yard.rules.tables import map_of
from ludens.games.scotland_yard.state import HIDDEN, NEVER, NOWHERE, TICKETS, UNLIMITED, ScotlandYard
from ludens.games.scotland_yard.text.actions import action_to_text, controller, is_stuck, split, station_name
from ludens.games.scotland_yard.text.position import coarse_map, grid_to_text, winner

__all__ = ["DISPLAY", "final", "move", "render"]

QUIET = frozenset({"choose"})
ENDINGS = "to station"

HELP = """\
[bold]Scotland Yard.[/] Mr. X moves unseen; the detectives see his tickets, and himself now and then. They win by
stepping onto his station or shutting him in. Write a move as [bold]ticket station[/]: [bold]taxi 46[/], [bold]u 67[/],
[bold]black 157[/]. Detectives choose who moves next with [bold]detective 2[/]; Mr. X announces a [bold]double[/].
On the grid name the cell, [bold]c3[/], or say [bold]up[/], [bold]down[/], [bold]left[/], [bold]right[/]; the last cell
where Mr. X was seen is shown by [bold]-[/], yellow after one move of his, red after two."""

_TICKET_INK = {"taxi": "#d8b421", "bus": "#3fa36b", "underground": "#d1584a", "black": "bold", "double": "#b07cc6"}
_PAWN_INK = ("bold #4aa3df", "bold #e3b022", "bold #e0623f", "bold #55b36f", "bold #b07cc6")
_WHY = {
    phases.CAUGHT: "Mr. X is caught",
    phases.STUCK: "Mr. X cannot move any more",
    phases.ESCAPED: "not caught in time",
    phases.EXHAUSTED: "no detective can move any more",
}


def render(v: ScotlandYard, seat: int, names: Sequence[str]) -> RenderableType:
    """The position as the view holds it: what the seat cannot know is not in it."""
    if map_of(v).columns:
        return Group(_headline(v, names), Text(), _grid(v), Text(), _whereabouts(v))
    parts: list[RenderableType] = [_headline(v, names), _pieces(v, names), _travel_log(v), _possible(v)]
    return Group(*parts, Panel(_map(v), title="London, roughly", title_align="left", expand=False))


def _headline(v: ScotlandYard, names: Sequence[str]) -> Text:
    """The round and what is expected of whom; a name may stand for several people, so no verb depends on it."""
    line = Text(f"Round {int(v.round_number)} of {int(v.max_rounds)}", "bold")
    if v.phase == phases.FLEEING:
        half = {0: "move", 2: "make the first move of two", 1: "make the second move of two"}[int(v.double_left)]
        line.append(f" · {names[0]}: {half}", "not bold")
    elif v.phase == phases.CHOOSING:
        line.append(f" · {names[int(v.current)]}: choose who moves next", "not bold")
    elif v.phase == phases.MOVING:
        line.append(f" · {names[int(v.current)]}: move detective {int(v.pawn) + 1}", "not bold")
    elif v.phase == phases.OVER:
        line.append(f" · {_WHY[int(v.ending)]}", "not bold")
    return line


def _whereabouts(v: ScotlandYard) -> Text:
    """Where Mr. X is or was, in words."""
    board = map_of(v)
    if v.mr_x_station not in (UNKNOWN, NOWHERE):
        return Text(f"Mr. X is at {station_name(board, int(v.mr_x_station))}.")
    if v.seen_move == NEVER:
        return Text("Mr. X has not been seen yet.")
    ago = int(v.moves) - int(v.seen_move)
    where = station_name(board, int(v.seen_station))
    return Text(f"Mr. X was last seen at {where}, {ago} {'move' if ago == 1 else 'moves'} ago.")


# --- the grid (SY-13) ---------------------------------------------------------------------


def _grid(v: ScotlandYard) -> Text:
    """`1`, `2` detectives, `X` green where he is, `-` where he was last seen, yellow for t = 1, red for t = 2."""
    columns = map_of(v).columns
    since = int(v.moves) - int(v.seen_move)
    inks = {".": "dim", "-": "bold yellow" if since <= 1 else "bold red", "X": "bold green"}
    drawn = Text("    " + " ".join(chr(ord("a") + c) for c in range(columns)), "dim")
    for row, line in enumerate(grid_to_text(v).splitlines()):
        drawn.append(f"\n {row + 1}  ", "dim not bold")
        for mark in line.split():
            drawn.append("·" if mark == "." else mark, inks.get(mark) or _PAWN_INK[int(mark) - 1])
            drawn.append(" ")
    return drawn


# --- a map --------------------------------------------------------------------------------


def _number(tickets: int) -> str:
    return "∞" if tickets == UNLIMITED else str(tickets)


def _pieces(v: ScotlandYard, names: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, header_style="bold")
    table.add_column("Piece")
    table.add_column("Station", justify="right")
    for ticket in TICKETS:
        table.add_column(Text(ticket.capitalize(), _TICKET_INK[ticket]), justify="right")
    known = v.mr_x_station not in (UNKNOWN, NOWHERE)
    place = station_name(map_of(v), int(v.mr_x_station)) if known else "?"
    table.add_row(names[0], place, *(_number(int(n)) for n in v.mr_x_tickets))
    for pawn in range(int(v.detectives)):
        who = "bobby" if pawn >= int(v.detectives) - int(v.bobbies) else "detective"
        label = Text(f"{who} {pawn + 1}", _PAWN_INK[pawn])
        if v.players > 2:
            label.append(f" ({names[controller(v, pawn)]})", "not bold dim")
        on_board = v.pawn_station[pawn] != NOWHERE
        station = station_name(map_of(v), int(v.pawn_station[pawn])) if on_board else "out"
        if is_stuck(v, pawn):
            station = f"stuck at {station}"
        table.add_row(label, station, *(_number(int(n)) for n in v.pawn_tickets[pawn]), "", "")
    return table


def _travel_log(v: ScotlandYard) -> Text:
    """Tickets in the order used; reveal moves are marked, with the station once it was shown (SY-24, SY-25)."""
    line = Text("Travel log ", "bold")
    for k in range(int(v.moves)):
        ticket = TICKETS[int(v.log_ticket[k])]
        line.append(f" {k + 1} ", "not bold dim")
        line.append(ticket, _TICKET_INK[ticket])
        if v.log_station[k] != HIDDEN:
            line.append(f" at {station_name(map_of(v), int(v.log_station[k]))}", "bold")
    coming = [m for m in range(int(v.moves) + 1, 63) if (int(v.reveal_moves) >> m) & 1]
    if coming and v.phase != phases.OVER:
        line.append(f"  (shows himself after move {coming[0]})", "not bold dim")
    return line


def _possible(v: ScotlandYard) -> Text:
    possible = possible_stations(v)
    line = Text(f"Possible stations ({len(possible)}) ", "bold")
    return line.append(" ".join(station_name(map_of(v), station) for station in possible), "not bold")


def _map(v: ScotlandYard) -> Text:
    """The coarse map, coloured: digits are detectives, X is Mr. X, + a possible station."""
    drawn = Text()
    for row, line in enumerate(coarse_map(v)):
        if row:
            drawn.append("\n")
        for mark in line:
            if mark.isdigit():
                ink = _PAWN_INK[int(mark) - 1]
            else:
                ink = {"X": "bold green", "+": "bold #e0623f"}.get(mark, "dim")
            drawn.append(mark, ink)
    return drawn


# --- moves and results --------------------------------------------------------------------


def move(v: ScotlandYard, action: int) -> tuple[Text, str]:
    """Rides stand in rows of one ticket, labelled by their station."""
    kind, first, station = split(v, action)
    if kind == "ride":
        board = map_of(v)
        ticket = TICKETS[first]
        heading = Text("step") if board.columns else Text(ticket, _TICKET_INK[ticket])
        return heading, station_name(board, station)
    if kind == "choose":
        return Text("detective"), str(first + 1)
    return Text(""), action_to_text(v, action)


def final(v: ScotlandYard, names: Sequence[str]) -> RenderableType:
    """Who has won, and why."""
    side = "the detectives" if winner(v) == "detectives" else names[0]
    line = Text(f"Victory for {side}: ", "bold").append(_WHY[int(v.ending)], "not bold")
    return line.append(
        f" (at {station_name(map_of(v), int(v.mr_x_station))}, round {int(v.round_number)}).", "not bold"
    )


DISPLAY = Display(render, final, move, endings=ENDINGS, help=HELP, quiet=QUIET)

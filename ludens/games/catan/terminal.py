"""Catan in a terminal: the island with its numbers, harbours, roads and buildings, then the players and the own hand.

A vertex is two digits where nothing stands, `▲1` for a settlement and `█1` for a city of player 1. Roads
are strokes in the player's colour with the player's number; a free edge where the player to act may build
shows its own number. 100 columns and 40 rows are enough.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludens.core.record import Array
from ludens.core.verbs import SPECTATOR, UNKNOWN
from ludens.core.words import Display
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.state import (
    ANSWERS,
    CARD_KINDS,
    DESERT,
    DOTS,
    EDGES,
    GENERIC,
    HEXES,
    KINDS,
    MAX_PLAYERS,
    NOBODY,
    RESOURCES,
    UNLIMITED,
    VERTICES,
    VICTORY_CARD,
    Catan,
)
from ludens.games.catan.text.actions import action_to_text
from ludens.games.catan.text.events import terms_to_json
from ludens.games.catan.text.position import actor_of, known_cards

__all__ = ["DISPLAY", "final", "move", "render"]

QUIET = frozenset({"terrain", "spiral", "token", "harbour"})
ENDINGS = "with"
HELP = (
    "[bold]Catan.[/] Roll, trade and build; ten points on your own turn win. Empty vertices show their number, a "
    "settlement is [bold]▲1[/], a city [bold]█1[/] of player 1; edges show their number where you may build. Moves: "
    "[bold]roll[/], [bold]road 12[/], [bold]settlement 3[/], [bold]city 3[/], [bold]buy[/], "
    "[bold]exchange wool ore[/], [bold]knight[/], [bold]monopoly ore[/], [bold]end[/]. An offer is put together "
    "card by card: [bold]give wool[/], [bold]want ore[/], [bold]propose[/]; others [bold]accept[/], "
    "[bold]decline[/] or [bold]counter[/]; "
    "[bold]trade 2[/] takes the offer of player 2."
)

_PLAYER_INK = ("bold #ff6b5e", "bold #5ea8ff", "bold #ffb454", "bold #b388ff")
_RESOURCE_INK = ("#d0714a", "#4f9d5b", "#a9d66b", "#e0c04d", "#a3acb8", "#cbb48a")
_RED = "bold #ff5548"
_LEFT, _TOP, _HALF = 12, 1, 6  # margins, and half the width of a hex
_WIDTH, _HEIGHT = 2 * _LEFT + 10 * _HALF + 1, 30
_INNER_COAST = (1, 17)  # hexes whose harbour lies in a bay at the top or bottom


def render(v: Catan, seat: int, names: Sequence[str]) -> RenderableType:
    """The position as the seat sees it."""
    parts: list[RenderableType] = [_headline(v, names), _island(v), _players(v, names), _bank(v)]
    if seat != SPECTATOR and v.cards[seat, 0] != UNKNOWN:
        parts.append(_own_cards(v, seat))
    if v.offer.any():
        parts.append(_offer(v, names))
    return Group(*parts)


def _headline(v: Catan, names: Sequence[str]) -> Text:
    line = Text(f"Turn {int(v.turn_number)}", "bold") if v.turn_number else Text("Placement", "bold")
    if v.phase == phases.OVER:
        line.append(" · the game is over", "not bold")
    else:
        if (asked := actor_of(v)) not in (None, v.current):
            line.append(f" · {names[int(v.current)]}'s turn", "not bold")
        line.append(
            f" · {names[int(v.current) if asked is None else asked]}: {phases.PHASES[int(v.phase)]}", "not bold"
        )
    if v.rolled:
        line.append(f" · dice {int(v.die[0])} + {int(v.die[1])} = {int(v.die.sum())}", "not bold")
    return _one_line(line)


def _bank(v: Catan) -> Text:
    line = Text("Bank: ", "bold")
    unlimited = v.bank[0] == UNLIMITED
    cards = "unlimited" if unlimited else " ".join(f"{RESOURCES[r]} {int(v.bank[r])}" for r in range(KINDS))
    line.append(f"{cards} · {int(v.deck_count)} development cards", "not bold")
    return _one_line(line)


def _one_line(line: Text) -> Text:
    line.no_wrap, line.overflow = True, "ellipsis"
    return line


# --- the island -----------------------------------------------------------------------------


class _Canvas:
    """A grid of characters with styles."""

    def __init__(self) -> None:
        self._cells = [[(" ", "")] * _WIDTH for _ in range(_HEIGHT)]

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        """Writes text centred on a column."""
        start = column - len(text) // 2
        for k, char in enumerate(text):
            if 0 <= row < _HEIGHT and 0 <= start + k < _WIDTH:
                self._cells[row][start + k] = (char, style)

    def text(self) -> Text:
        lines = []
        for row in self._cells:
            line = Text()
            for char, style in row:
                line.append(char, style or None)
            line.rstrip()
            lines.append(line)
        return Text("\n").join(lines)


def _place(x: int, y: int) -> tuple[int, int]:
    """(row, column) of a corner point: slanted edges are two rows high, upright ones three."""
    level, upper = divmod(y + 8, 3)  # corner rows lie at y = 0 and 1 modulo 3, counted from the top
    return _TOP + 5 * level + 2 * upper, _LEFT + _HALF * (x + 5)


def _buildable_edges(v: Catan) -> set[int]:
    """Edges where the player to act may put a road now."""
    p = int(v.current)
    if v.phase == phases.PLACE_ROAD:
        return {int(e) for e in island.VERTEX_EDGES[int(v.site)] if e >= 0}
    paying = v.phase == phases.MAIN and v.hand[p, 0] > 0 and v.hand[p, 1] > 0
    if (paying or v.phase == phases.FREE_ROADS) and v.roads_left[p]:
        return {e for e in range(EDGES) if int(v.open_roads[p, island.EDGE_WORD[e]]) & int(island.EDGE_BIT[e])}
    return set()


def _island(v: Catan) -> Text:
    canvas = _Canvas()
    for h in range(HEXES):
        _draw_hex(canvas, v, h)
    buildable = _buildable_edges(v)
    for e in range(EDGES):
        _draw_edge(canvas, v, e, e in buildable)
    for x in range(VERTICES):
        row, column = _place(*map(int, island.VERTEX_POINTS[x]))
        building = int(v.building[x])
        if building == NOBODY:
            canvas.put(row, column, f"{x:02d}", "bold" if int(v.open_sites) >> x & 1 else "dim")
        else:
            p = building % MAX_PLAYERS
            canvas.put(row, column, f"{'█' if building >= MAX_PLAYERS else '▲'}{p + 1}", _PLAYER_INK[p])
    for slot, (h, _) in enumerate(island.HARBOUR_SIDES):
        _draw_harbour(canvas, v, slot, h)
    return canvas.text()


def _draw_hex(canvas: _Canvas, v: Catan, h: int) -> None:
    q, r = (int(n) for n in island.HEX_AXIAL[h])
    row, column = _TOP + 5 * (r + 2) + 2, _LEFT + _HALF * (2 * q + r + 5)
    terrain, number = int(v.terrain[h]), int(v.number[h])
    name = "desert" if terrain == DESERT else RESOURCES[terrain]
    canvas.put(row, column, f"#{h}", "dim")
    canvas.put(row + 1, column, name, _RESOURCE_INK[terrain])
    if number:
        canvas.put(row + 2, column, f"{number}", _RED if number in (6, 8) else "bold")
        canvas.put(row + 3, column, "•" * int(DOTS[number]), _RED if number in (6, 8) else "")
    if h == v.robber:
        canvas.put(row + 2, column, f"{number} ROBBER" if number else "ROBBER", "reverse bold")


def _draw_edge(canvas: _Canvas, v: Catan, e: int, buildable: bool) -> None:
    (x0, y0), (x1, y1) = (island.VERTEX_POINTS[int(end)] for end in island.EDGE_VERTICES[e])
    (row0, column0), (row1, column1) = _place(int(x0), int(y0)), _place(int(x1), int(y1))
    owner = int(v.road[e])
    style = _PLAYER_INK[owner] if owner != NOBODY else "dim"
    if column0 == column1:
        for row in range(row0 + 1, row1):
            canvas.put(row, column0, "║" if owner != NOBODY else "│", style)
        if owner != NOBODY:
            canvas.put(row0 + 1, column0, str(owner + 1), style)
        elif buildable:
            canvas.put(row0 + 1, column0, f"{e:02d}", "bold italic underline")
        return
    stroke = "╲" if (row1 - row0) * (column1 - column0) > 0 else "╱"
    row, column = (row0 + row1) // 2, (column0 + column1) // 2
    if owner != NOBODY:
        canvas.put(row, column, f"{stroke}{owner + 1}{stroke}", style)
    elif buildable:
        canvas.put(row, column, f"{e:02d}", "bold italic underline")
    else:
        canvas.put(row, column, stroke, style)


def _draw_harbour(canvas: _Canvas, v: Catan, slot: int, h: int) -> None:
    """The label stands in the sea: beside an upright edge, else a row further out."""
    if v.phase < phases.HARBOUR_DEAL or (v.phase == phases.HARBOUR_DEAL and v.dealt <= slot):
        return
    kind = int(v.harbour[slot])
    label = "3:1" if kind == GENERIC else f"2:1 {RESOURCES[kind]}"
    ends = [_place(*map(int, island.VERTEX_POINTS[int(x)])) for x in island.EDGE_VERTICES[island.HARBOUR_EDGES[slot]]]
    (row0, column0), (row1, column1) = ends
    q, r = (int(n) for n in island.HEX_AXIAL[h])
    side = 1 if column0 + column1 > 2 * (_LEFT + _HALF * (2 * q + r + 5)) else -1
    out = 1 if r > 0 else -1
    if column0 == column1:
        row, column = (row0 + row1) // 2, column0 + side * (2 + (len(label) + 1) // 2)
    elif h in _INNER_COAST:  # a bay: above or below it
        row, column = (row0 + row1) // 2 + 2 * out, max(column0, column1)
    else:
        row, column = (row0 + row1) // 2 + out, (column0 + column1) // 2 + side * (4 + len(label) // 2)
    canvas.put(row, column, label, f"{_RESOURCE_INK[kind]} reverse" if kind != GENERIC else "reverse")


# --- players and cards ----------------------------------------------------------------------


def _players(v: Catan, names: Sequence[str]) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="dim")
    for heading in ("", "Player", "Points", "Resource cards", "Cards", "Knights", "Road", "Left R/S/C"):
        table.add_column(heading)
    for p in range(int(v.players)):
        sure, unknown = known_cards(v, p)
        hand = Text(f"{int(v.count[p])} ")
        for r in range(KINDS):
            if sure[r]:
                hand.append(f" {sure[r]} {RESOURCES[r]}", _RESOURCE_INK[r])
        if unknown:
            hand.append(f" {unknown} ?", "dim")
        points = Text(str(int(v.visible[p])))
        if v.cards[p, 0] != UNKNOWN and v.cards[p, VICTORY_CARD]:
            points.append(f" + {int(v.cards[p, VICTORY_CARD])}", "dim")
        table.add_row(
            Text("▶" if v.current == p and v.phase != phases.OVER else " "),
            Text(f"{p + 1} {names[p]}", _PLAYER_INK[p]),
            points,
            hand,
            str(int(v.card_count[p])),
            f"{int(v.army[p])}{' ★' if v.army_holder == p else ''}",
            f"{int(v.road_length[p])}{' ★' if v.road_holder == p else ''}",
            f"{int(v.roads_left[p])}/{int(v.settlements_left[p])}/{int(v.cities_left[p])}",
        )
    return table


def _own_cards(v: Catan, seat: int) -> Text:
    line = Text("Your cards: ", "bold")
    held = [f"{int(n)} {kind}" for kind, n in zip(CARD_KINDS, v.cards[seat], strict=True) if n]
    line.append(", ".join(held) or "none", "not bold")
    line.append("   The bank takes for one: ", "bold")
    line.append(" ".join(f"{name} {int(n)}" for name, n in zip(RESOURCES, v.price[seat], strict=True)), "not bold")
    return _one_line(line)


def _offer(v: Catan, names: Sequence[str]) -> Text:
    line = Text(f"{names[int(v.current)]} offers {_terms(v.offer, 1)}", "bold")
    for p in range(int(v.players)):
        if v.counter[p].any():
            line.append(f"  {names[p]}: {_terms(v.counter[p], -1)}", _PLAYER_INK[p])
        elif v.answer[p]:
            line.append(f"  {names[p]}: {ANSWERS[int(v.answer[p])]}", _PLAYER_INK[p])
    return _one_line(line)


def _terms(terms: Array, sign: int) -> str:
    """What whoever put the terms together gives and wants."""
    sides = terms_to_json(terms, sign)
    give, want = (", ".join(f"{n} {r}" for r, n in sides[side].items()) or "…" for side in ("give", "want"))
    return f"{give} for {want}"


def move(v: Catan, action: int) -> tuple[Text, str]:
    """Moves of one kind stand in one row."""
    *words, last = action_to_text(v, action).split()
    return Text(" ".join(words)), last


def final(v: Catan, names: Sequence[str]) -> Table:
    """The results: where the points come from."""
    table = Table(box=box.SIMPLE_HEAD, header_style="bold")
    table.add_column("Player")
    for heading in ("Settlements", "Cities", "Longest Road", "Largest Army", "Victory cards", "Total"):
        table.add_column(heading, justify="right")
    totals = [int(v.visible[p]) + int(v.cards[p, VICTORY_CARD]) for p in range(int(v.players))]
    for p in sorted(range(int(v.players)), key=lambda p: (p == v.winner, totals[p]), reverse=True):
        table.add_row(
            names[p],
            str(int(v.settlements[p]).bit_count()),
            str(int(v.cities[p]).bit_count()),
            "2" if v.road_holder == p else "·",
            "2" if v.army_holder == p else "·",
            str(int(v.cards[p, VICTORY_CARD])),
            str(totals[p]),
            style="bold" if p == v.winner else "",
        )
    return table


DISPLAY = Display(render, final, move, endings=ENDINGS, help=HELP, quiet=QUIET)

"""Every reason stated in random and champions' games is checked against the position by plain code of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from ludens.agents.analysis import analyse_view, level_weights, strongest_search
from ludens.core.match import Match
from ludens.core.reasons import MOST_REASONS, Reason
from ludens.core.registry import game
from ludens.core.rng import generator, pick
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.state import COST, DOTS, RESOURCES
from ludens.games.discovery.rules.tiles import TERRAINS
from ludens.games.discovery.text import lookup
from ludens.search.budget import Budget
from ludens.search.winning import prevents_a_loss, urgent, wins

_COLOURS = ("blue", "yellow", "red", "black", "white")
_MOST_PLIES = 500
_LITTLE = 24  # simulations of a champion's decision


def told(
    name: str, number: int, options: dict[str, object], champions: bool = False
) -> Iterator[tuple[Any, Any, int, tuple[Reason, ...]]]:
    """Moves of a game as their seats see them: before, after, the seat and what is told of the move.

    They are random, or of champions who think little.
    """
    found = game(name)
    match, rng = Match(found, {**found.spec.tournament, **options}, number), generator(number, 3)
    weights = level_weights(found)
    search = strongest_search(found, match.view(0), 1, 4, match.options) if champions else None
    begun: tuple[int, np.ndarray] | None = None
    while not match.over and match.ply < _MOST_PLIES:
        seat, legal = match.actor, match.legal()
        before = match.view(seat)
        if begun is None or begun[0] != seat:
            begun = (seat, before)
        states: list[np.ndarray] = []
        action = int(legal[pick(rng, len(legal))])
        if search is not None and len(legal) > 1:
            search.clear()
            action = search.search(before, seat, legal, Budget(_LITTLE), match.ply).best()
        state = match.state()
        match.commit(action, states)
        if found.text.completes(state[0], action, states[0][0]) or match.actor != seat:
            after = Match.from_position(found, found.show_options(match.options), states[0], match.names).view(seat)
            yield begun[1][0], after[0], seat, found.text.reasons(begun[1][0], after[0], after[0], seat, weights)
            begun = None


# --- Azul ---------------------------------------------------------------------------------


def azul(before: Any, after: Any, seat: int, reason: Reason) -> bool:
    values, term = reason.values, reason.term
    held, holds = before.line_count[seat], after.line_count[seat]
    line = values.get("line", 0) - 1
    if term == "points":
        full = line < 0 or holds[line] == line + 1 > held[line]
        return bool(_after_tiling(after, seat) - _after_tiling(before, seat) == values["n"] > 0 and full)
    if term == "line":
        return bool(held[line] < holds[line] == values["n"] <= values["size"] == line + 1)
    if term in ("column", "colour"):
        full = [row for row in range(5) if holds[row] == row + 1]
        if term == "colour":
            colour = _COLOURS.index(values["colour"])
            standing = (after.wall[seat] == colour).sum() + sum(after.line_colour[seat, row] == colour for row in full)
            return bool(standing == values["n"] > 1)
        column = values["column"] - 1
        stand = (after.wall[seat, :, column] >= 0).sum()
        return bool(1 < values["n"] <= stand + len(full) and values["n"] > stand)
    if term == "wall":
        return bool(values["n"] > 0 and any(holds[row] == row + 1 > held[row] for row in range(5)))
    if term == "marker":
        return bool(after.marker == seat and before.marker != seat)
    if term == "denied":
        other, colour = values["seat"], _COLOURS.index(values["colour"])
        needs = before.line_colour[other, line] == colour and 0 < before.line_count[other, line] <= line
        gone = before.sources[:, colour].sum() - after.sources[:, colour].sum()
        room = line + 1 - before.line_count[other, line]
        most = max(0, _after_tiling(_given(before, other, line, gone), other) - _after_tiling(before, other))
        return bool(other != seat and needs and min(gone, room) == values["n"] > 0 and 0 <= values["points"] <= most)
    return False


def _given(s: Any, seat: int, line: int, tiles: int) -> Any:
    """The position if so many tiles had gone to a line that is begun; none falls to the floor."""
    given = s.copy()
    given.line_count[seat, line] = min(line + 1, given.line_count[seat, line] + tiles)
    return given


def _after_tiling(s: Any, seat: int) -> int:
    """The score if the coloured wall were tiled now (AZ-22 to AZ-24), with the bonuses of the end (AZ-34)."""
    wall = [[int(colour) >= 0 for colour in row] for row in s.wall[seat]]
    points = int(s.score[seat])
    for row in range(5):
        if s.line_count[seat, row] == row + 1:
            column = (int(s.line_colour[seat, row]) + row) % 5
            wall[row][column] = True
            across, down = _run(wall[row], column), _run([other[column] for other in wall], row)
            points += (across if across > 1 else 0) + (down if down > 1 else 0) + (across == down == 1)
    points = max(0, points - (0, 1, 2, 4, 6, 8, 11, 14)[int(s.floor_count[seat])])
    bonus = sum(2 for row in wall if all(row)) + sum(7 for column in zip(*wall, strict=True) if all(column))
    bonus += sum(10 for colour in range(5) if all(wall[row][(colour + row) % 5] for row in range(5)))
    return points + bonus


def _run(cells: list[bool], at: int) -> int:
    """How many tiles stand together there."""
    first = last = at
    while first > 0 and cells[first - 1]:
        first -= 1
    while last < len(cells) - 1 and cells[last + 1]:
        last += 1
    return last - first + 1


# --- Catan --------------------------------------------------------------------------------


def _dots(s: Any, seat: int) -> dict[str, int]:
    dots: dict[str, int] = {}
    for vertex, owner in enumerate(s.building):
        if owner in (seat, 4 + seat):
            for h in island.VERTEX_HEXES[vertex]:
                if h >= 0 and s.number[h]:
                    name = RESOURCES[s.terrain[h]]
                    dots[name] = dots.get(name, 0) + int(DOTS[s.number[h]]) * (1 if owner == seat else 2)
    return dots


def _neighbours(vertex: int) -> set[int]:
    return {int(v) for edge in island.EDGE_VERTICES if vertex in edge for v in edge if v != vertex}


def _places(s: Any, seat: int) -> set[int]:
    """Where the seat may settle at its roads and one road further."""
    free = {v for v in range(len(s.building)) if all(s.building[u] < 0 for u in {v, *_neighbours(v)})}
    own = {int(v) for e in range(len(s.road)) if s.road[e] == seat for v in island.EDGE_VERTICES[e]}
    own |= {v for v in range(len(s.building)) if s.building[v] in (seat, 4 + seat)}
    passable = {v for v in own if s.building[v] < 0 or s.building[v] in (seat, 4 + seat)}
    further = {
        int(v) for e in range(len(s.road)) if s.road[e] < 0 and passable & set(island.EDGE_VERTICES[e].tolist())
        for v in island.EDGE_VERTICES[e]
    }  # fmt: skip
    return free & (own | further)


def catan(before: Any, after: Any, seat: int, reason: Reason) -> bool:
    values, term = reason.values, reason.term
    n, other = values.get("n", 0), values.get("seat", seat)
    if term == "points":
        placing = before.phase in (phases.PLACE_SETTLEMENT, phases.PLACE_ROAD)
        return bool(after.visible[seat] - before.visible[seat] == n > 0 and not placing)
    if term == "production":
        was, now = _dots(before, seat), _dots(after, seat)
        more = [name for name in now if now[name] > was.get(name, 0)]
        return bool(sum(now.values()) - sum(was.values()) == n > 0 and set(more) == set(values["resources"]))
    if term == "harbour":
        better = [k for k in range(5) if after.price[seat, k] < before.price[seat, k]]
        return bool(better) and all(after.price[seat, k] == n for k in better)
    if term == "site":
        places = [
            sum(int(DOTS[after.number[h]]) for h in island.VERTEX_HEXES[v] if h >= 0) for v in _places(after, seat)
        ]
        return n in places
    if term == "road":
        return bool(after.road_length[seat] == n > before.road_length[seat])
    if term == "army":
        return bool(after.army[seat] == n > before.army[seat])
    if term == "purchase":
        way = ("road", "settlement", "city", "development card").index(values["what"])
        hand = after.hand[seat]
        if after.offer.any():  # as if it were accepted
            hand = hand - after.offer if after.current == seat else before.hand[seat] + before.offer
        return bool(np.maximum(0, COST[way] - hand).sum() == n < np.maximum(0, COST[way] - before.hand[seat]).sum())
    if term == "seven":
        return bool(before.count[seat] > 7 and n > 0)
    if term == "card":
        return bool(after.phase == phases.DEAL or after.cards[seat].sum() > before.cards[seat].sum())
    if term == "robbed":
        owners = [after.building[v] for v in island.HEX_VERTICES[after.robber]]
        strength = sum(1 if owner == other else 2 for owner in owners if owner in (other, 4 + other))
        return bool(after.robber != before.robber and strength * DOTS[after.number[after.robber]] == n > 0)
    if term == "denied":
        lost = [
            sum(int(DOTS[after.number[h]]) for h in island.VERTEX_HEXES[v] if h >= 0)
            for v in _gone(before, after, other)
        ]
        return bool(other != seat and lost and max(lost) == n)
    return False


def _gone(before: Any, after: Any, seat: int) -> set[int]:
    return _places(before, seat) - _places(after, seat)


# --- The Discovery ------------------------------------------------------------------------


def discovery(before: Any, after: Any, seat: int, reason: Reason) -> bool:
    values, term = reason.values, reason.term
    owner = values.get("seat", seat)
    if term == "points":
        return bool(after.score[seat] - before.score[seat] == values["n"] > 0)
    if term == "free":
        return bool(after.follower_count[seat] < before.follower_count[seat])
    stood = {piece for who, _, piece in lookup.followers(before) if who == owner}
    stand = [(piece, lookup.region_at(after, piece)) for who, _, piece in lookup.followers(after) if who == owner]
    alike = [
        (piece, region)
        for piece, region in stand
        if TERRAINS[region.terrain] == values["terrain"] and region.open_ends == values["ends"]
    ]
    if term == "follower":
        return any(piece not in stood and region.points == values["n"] for piece, region in alike)
    if term == "closed":
        return any(piece in stood and region.closed and region.points == values["n"] for piece, region in alike)
    if term == "region":
        return any(piece in stood and region.points == values["n"] for piece, region in alike)
    if term == "hindered":
        grown = [piece for piece, region in alike if piece in stood]
        return owner != seat and any(lookup.region_at(before, piece).open_ends < values["ends"] for piece in grown)
    return False


# --- Scotland Yard ------------------------------------------------------------------------


def scotland_yard(before: Any, after: Any, seat: int, reason: Reason) -> bool:
    values, term = reason.values, reason.term
    grows = values["n"] > values["before"]
    if term == "beside":
        return seat == 0 and not grows and values["n"] < values["before"]
    return bool(grows if seat == 0 else values["n"] < values["before"])


CHECKS: list[tuple[str, Callable[[Any, Any, int, Reason], bool], int, dict[str, object]]] = [
    ("azul", azul, 8, {}),
    ("azul", azul, 3, {"players": 4}),
    ("catan", catan, 6, {}),
    ("discovery", discovery, 10, {}),
    ("scotland_yard", scotland_yard, 6, {}),
    ("scotland_yard_grid", scotland_yard, 20, {}),
]


@pytest.mark.parametrize(("name", "check", "games", "options"), CHECKS, ids=[f"{c[0]} {c[3]}" for c in CHECKS])
def test_no_reason_of_random_games_is_false(
    name: str, check: Callable[[Any, Any, int, Reason], bool], games: int, options: dict[str, object]
) -> None:
    terms: Counter[str] = Counter()
    for number in range(games):
        for before, after, seat, reasons in told(name, number, options):
            assert len(reasons) <= MOST_REASONS
            assert [reason.kind for reason in reasons] == sorted(reason.kind for reason in reasons)
            for reason in reasons:
                assert check(before, after, seat, reason), (number, seat, reason)
                terms[reason.term] += 1
    assert sum(terms.values()) > 100 and len(terms) >= 2, terms


@pytest.mark.parametrize(("name", "check", "games", "options"), CHECKS, ids=[f"{c[0]} {c[3]}" for c in CHECKS])
def test_no_reason_of_champions_is_false(
    name: str, check: Callable[[Any, Any, int, Reason], bool], games: int, options: dict[str, object]
) -> None:
    _check_positions(name, check, 60, options, champions=True)


@pytest.mark.slow
@pytest.mark.parametrize("champions", [False, True], ids=["random", "champions"])
@pytest.mark.parametrize(("name", "check", "games", "options"), CHECKS, ids=[f"{c[0]} {c[3]}" for c in CHECKS])
def test_no_reason_of_ten_thousand_positions_is_false(
    name: str, check: Callable[[Any, Any, int, Reason], bool], games: int, options: dict[str, object], champions: bool
) -> None:
    _check_positions(name, check, 10_000, options, champions)


def _check_positions(
    name: str, check: Callable[[Any, Any, int, Reason], bool], least: int, options: dict[str, object], champions: bool
) -> None:
    """Checks the reasons of so many positions."""
    seen = number = 0
    while seen < least:
        for before, after, seat, reasons in told(name, 1000 + number, options, champions):
            for reason in reasons:
                assert check(before, after, seat, reason), (number, seat, reason)
            seen += 1
            if seen >= least:
                return
        number += 1


# --- what the best answer takes away ------------------------------------------------------


def test_what_the_best_answer_is_said_to_take_away_it_takes() -> None:
    found, terms = game("azul"), Counter[str]()
    for number in range(3):
        match, rng = Match(found, found.spec.tournament, number), generator(number, 9)
        while not match.over and sum(terms.values()) < 12:
            legal = match.legal()
            if len(legal) > 3 and match.ply % 3 == 0:
                told_of = analyse_view(found, match.view(match.actor), match.actor, simulations=800)
                for rank, move in enumerate(told_of.candidates):
                    for reason in move.reasons:
                        if reason.term in ("answered", "otherwise"):
                            terms[reason.term] += 1
                            assert (reason.term == "otherwise") == (rank == 0)
                        if reason.term == "answered":
                            assert move.behind > move.precision
                            _check_answer(match, move.line, reason.values)
            match.play(int(legal[pick(rng, len(legal))]))
    assert terms["answered"] and terms["otherwise"]


def _check_answer(match: Match, line: tuple[str, ...], values: dict[str, Any]) -> None:
    """Plays the line up to the answer and checks what that is said to take."""
    tried = match.copy()
    tried.play(tried.parse(line[0]))
    before = tried.state()[0]
    assert tried.actor == values["by"] != match.actor
    tried.play(tried.parse(line[1]))
    if values["term"] == "wins":
        assert tried.over and tried.returns()[values["by"]] > 0
        return
    assert values["values"]["seat"] == match.actor
    reason = Reason(values["term"], 1.0, values["values"])
    assert azul(before, tried.state()[0], values["by"], reason)


# --- wins, and prevents a loss ------------------------------------------------------------


def _result(match: Match) -> list[float] | None:
    return list(match.returns()) if match.over else None


@pytest.mark.parametrize("name", ["azul", "discovery", "scotland_yard", "scotland_yard_grid"])
def test_a_move_that_is_said_to_win_wins(name: str) -> None:
    found, won = game(name), 0
    for number in range(12):
        match, rng = Match(found, found.spec.tournament, number), generator(number, 5)
        while not match.over:
            seat, legal = match.actor, match.legal()
            action = int(legal[pick(rng, len(legal))])
            said = wins(found, match.view(seat), seat, [action])
            match.play(action)
            if said:
                returns = _result(match)
                assert returns is not None and returns[seat] == max(returns) > 0
                won += 1
    assert won or name == "scotland_yard"  # where nobody is sure to win as long as others move


def test_a_loss_that_is_said_to_be_prevented_was_near() -> None:
    found, prevented = game("azul"), 0
    for number in range(15):
        match, rng = Match(found, {"round_limit": 5}, number), generator(number, 6)
        while not match.over:
            seat, legal = match.actor, [int(action) for action in match.legal()]
            action, tiles = legal[pick(rng, len(legal))], int(match.state()["tiles_left"][0])
            if tiles <= 8 and len(legal) > 1 and prevents_a_loss(found, match.view(seat), seat, [action], legal):
                prevented += 1
                assert [reason.term for reason in urgent(found, match.view(seat), seat, [action], legal)] == [
                    "prevents"
                ]
                lost = [_lost_after(match, other, seat) for other in legal]
                assert not lost[legal.index(action)] and sum(lost) >= 0.5 * min(24, len(legal) - 1)
            match.play(action)
    assert prevented


def _lost_after(match: Match, action: int, seat: int) -> bool:
    """Does an answer end the game with the seat's loss?"""
    tried = match.copy()
    tried.play(action)
    if tried.over or tried.actor < 0 or tried.actor == seat:
        return tried.over and tried.returns()[seat] < 0
    for answer in tried.legal():
        ended = tried.copy()
        ended.play(int(answer))
        if ended.over and ended.returns()[seat] < 0:
            return True
    return False

"""Every reason that is stated in random games is checked against the position by plain code of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from ludens.agents.analysis import level_weights
from ludens.core.match import Match
from ludens.core.reasons import MOST_REASONS, Reason
from ludens.core.registry import game
from ludens.core.rng import generator, pick
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.state import COST, DOTS, RESOURCES
from ludens.games.discovery.rules.tiles import TERRAINS
from ludens.games.discovery.text import lookup
from ludens.search.winning import prevents_a_loss, urgent, wins

_COLOURS = ("blue", "yellow", "red", "black", "white")
_MOST_PLIES = 500


def told(name: str, number: int, **options: object) -> Iterator[tuple[Any, Any, int, tuple[Reason, ...]]]:
    """Moves of a random game as their seats see them: before, after, the seat and what is told of the move."""
    found = game(name)
    match, rng = Match(found, {**found.spec.tournament, **options}, number), generator(number, 3)
    weights = level_weights(found)
    begun: tuple[int, np.ndarray] | None = None
    while not match.over and match.ply < _MOST_PLIES:
        seat, legal = match.actor, match.legal()
        before = match.view(seat)
        if begun is None or begun[0] != seat:
            begun = (seat, before)
        states: list[np.ndarray] = []
        action = int(legal[pick(rng, len(legal))])
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
        return bool(values["n"] > 0 and (line < 0 or holds[line] == line + 1 > held[line]))
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
        return bool(other != seat and needs and gone == values["n"] > 0)
    return False


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
        return bool(other != seat and _places(before, other) - _places(after, other))
    return False


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
        for before, after, seat, reasons in told(name, number, **options):
            assert len(reasons) <= MOST_REASONS
            assert [reason.kind for reason in reasons] == sorted(reason.kind for reason in reasons)
            for reason in reasons:
                assert check(before, after, seat, reason), (number, seat, reason)
                terms[reason.term] += 1
    assert sum(terms.values()) > 100 and len(terms) >= 2, terms


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

"""The engine against the oracle: the same choices and draws, everything compared after every action."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from ludens.core import kernels, record
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.azul import phases
from ludens.games.azul.players.heuristic import HeuristicAgent
from ludens.games.azul.state import EMPTY, MARKER, NOBODY
from tests.games.azul.oracle import COLOURS, OracleGame
from tests.games.azul.oracle_heuristic import best_take, default_column
from tests.games.azul.positions import Table, new_table
from tests.games.azul.sitting import choice

PHASES = {
    phases.START: "start",
    phases.DEALING: "dealing",
    phases.TAKING: "taking",
    phases.PLACING: "placing",
    phases.OVER: "over",
}
NAME_OF = dict(enumerate(COLOURS)) | {MARKER: "marker", EMPTY: None}
Policy = Callable[[OracleGame, random.Random], tuple]


# --- one language for both -----------------------------------------------------------------


def engine_position(table: Table) -> dict[str, Any]:
    raw = record.to_json(table.states)  # plain lists are quicker to read than records
    seats, factories = range(raw["players"]), raw["factories"]
    tiles_out = sum(map(sum, raw["sources"]))
    assert raw["tiles_left"] == tiles_out
    assert raw["phase"] != phases.DEALING or raw["dealt"] == tiles_out
    assert all(tile == EMPTY for seat in seats for tile in raw["floor"][seat][raw["floor_count"][seat] :])
    return {
        "phase": PHASES[raw["phase"]],
        "round": raw["round_number"],
        "current": raw["current"],
        "starter": raw["first"],
        "marker": None if raw["marker"] == NOBODY else raw["marker"],
        "cut off": bool(raw["cut_off"]),
        "bag": _tiles(raw["bag"]),
        "lid": _tiles(raw["lid"]),
        "factories": [_tiles(counts) for counts in raw["sources"][:factories]],
        "centre": _tiles(raw["sources"][factories]),
        "scores": raw["score"][: len(seats)],
        "lines": [list(map(_line, raw["line_colour"][seat], raw["line_count"][seat])) for seat in seats],
        "walls": [[[NAME_OF[tile] for tile in row] for row in raw["wall"][seat]] for seat in seats],
        "floors": [[NAME_OF[tile] for tile in raw["floor"][seat] if tile != EMPTY] for seat in seats],
    }


def _tiles(counts: list[int]) -> dict[str, int]:
    return {colour: count for colour, count in zip(COLOURS, counts, strict=True) if count}


def _line(colour: int, count: int) -> list[str]:
    assert (colour == EMPTY) == (count == 0)
    return [COLOURS[colour]] * count


def oracle_position(game: OracleGame) -> dict[str, Any]:
    return {
        "phase": game.phase,
        "round": game.round_number,
        "current": game.current,
        "starter": game.starter,
        "marker": game.marker_taker,
        "cut off": game.cut_off,
        "bag": +game.bag,
        "lid": +game.lid,
        "factories": [Counter(tiles) for tiles in game.factories],
        "centre": Counter(game.centre),
        "scores": [board.score for board in game.boards],
        "lines": [board.lines for board in game.boards],
        "walls": [board.wall for board in game.boards],
        "floors": [board.floor for board in game.boards],
    }


def action_id(game: OracleGame, action: tuple) -> int:
    """AZ-66, and the ids of tiling after the 300 takes."""
    if action[0] == "step":
        return 305
    if action[0] == "column":
        return 300 + action[1]
    _, source, colour, destination = action
    source_index = len(game.factories) if source == "centre" else source
    return source_index * 30 + COLOURS.index(colour) * 6 + (5 if destination == "floor" else destination)


# --- how the choices are made --------------------------------------------------------------


def anything(game: OracleGame, choose: random.Random) -> tuple:
    return choose.choice(sorted(game.actions(), key=str))


def builder(game: OracleGame, choose: random.Random) -> tuple:
    """Lines rather than the floor: games with full walls and an end."""
    actions = sorted(game.actions(), key=str)
    return choose.choice([a for a in actions if a[-1] != "floor"] or actions)


def hoarder(game: OracleGame, choose: random.Random) -> tuple:
    """Avoids the fifth tile of a row: long games that empty bag and lid."""
    actions = sorted(game.actions(), key=str)
    if game.phase != "taking":
        return choose.choice(actions)
    board = game.boards[game.current]

    def keeps_the_game_open(take: tuple) -> bool:
        return take[3] != "floor" and board.wall[take[3]].count(None) > 1

    fits = [a for a in actions if keeps_the_game_open(a)]
    started = [a for a in fits if board.lines[a[3]]]
    return choose.choice(started or fits or [a for a in actions if a[3] == "floor"])


# --- side by side --------------------------------------------------------------------------


def play_side_by_side(policy: Policy, seed: int, players: int, wall: str, round_limit: int) -> Counter[str]:
    """One game on both; counts the rare things that happened."""
    choose = random.Random(seed)
    first = choose.choice(["random", *(str(seat + 1) for seat in range(players))])
    table = new_table(players, wall=wall, first=first, round_limit=round_limit)
    game = OracleGame(players, wall == "grey", None if first == "random" else int(first) - 1, round_limit)
    seen: Counter[str] = Counter()
    while True:
        assert engine_position(table) == oracle_position(game)
        assert max(abs(a - b) for a, b in zip(table.returns(), game.returns(), strict=True)) < 1e-12
        if game.phase == "over":
            break
        outcomes = game.outcomes()
        if outcomes:
            _compare_chance(table, outcomes, game.phase)
            outcome = choose.choices(list(outcomes), [float(p) for p in outcomes.values()])[0]
            seen["refill in a deal"] += bool(
                game.phase == "dealing" and game.bag.total() == 1 and game.lid.total() and game.factories[0]
            )
            game.happen(outcome)
            kernels.apply_at(table.states, 0, outcome if isinstance(outcome, int) else COLOURS.index(outcome))
            seen["partly filled"] += game.phase == "taking" and any(len(tiles) < 4 for tiles in game.factories)
            continue
        actions = {action_id(game, action): action for action in game.actions()}
        assert table.actor == game.current
        assert table.legal() == sorted(actions)
        action = policy(game, choose)
        seen["choice of a column"] += action[0] == "column"
        seen["fall of a line"] += _line_falls(game)
        game.act(action)
        kernels.apply_at(table.states, 0, action_id(game, action))
    assert table.actor == TERMINAL
    assert table.legal() == []
    assert table.chance() == {}
    seen["cut off"] += game.cut_off
    seen["regular end"] += any(board.complete_rows() for board in game.boards)
    return seen


def _compare_chance(table: Table, outcomes: dict[Any, Any], phase: str) -> None:
    assert table.actor == CHANCE
    assert table.legal() == []
    expected = {outcome if phase == "start" else COLOURS.index(outcome): p for outcome, p in outcomes.items()}
    given = table.chance()
    assert sorted(given) == list(given) == sorted(expected)
    assert max(abs(given[outcome] - expected[outcome]) for outcome in given) < 1e-12


def _line_falls(game: OracleGame) -> bool:
    """Does AZ-39 apply in the next step?"""
    board = game.boards[game.current]
    line = board.topmost_full_line()
    if game.phase != "placing" or line is None:
        return False
    return not board.columns_for(line, board.lines[line][0], game.grey)


GAMES_OF_A_KIND = 15


@pytest.mark.parametrize("policy", [anything, builder, hoarder])
@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_engine_agrees_with_the_oracle(players: int, wall: str, policy: Policy):
    limit = 5 if policy is anything else 12
    seen: Counter[str] = Counter()
    for seed in range(GAMES_OF_A_KIND):
        seen += play_side_by_side(policy, seed, players, wall, limit)
    assert seen["cut off"] + seen["regular end"] >= 1


@pytest.mark.slow
@pytest.mark.parametrize("policy", [anything, builder, hoarder])
@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_engine_agrees_with_the_oracle_in_thousands_of_games(players: int, wall: str, policy: Policy):
    for seed in range(1_000, 1_250):
        play_side_by_side(policy, seed, players, wall, 50 if policy is anything else 20)


def test_the_games_reach_the_rare_rules():
    """Refill inside a deal, factories partly filled, falling lines, choices and both kinds of end are compared."""
    seen: Counter[str] = Counter()
    for seed in range(3):
        seen += play_side_by_side(hoarder, seed, 4, "grey", 20)
        seen += play_side_by_side(builder, seed, 2, "grey", 20)
    rare = {"refill in a deal", "partly filled", "choice of a column", "fall of a line", "cut off", "regular end"}
    assert rare <= set(seen)


@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_heuristic_agrees_with_its_oracle(players: int, wall: str):
    """Half of the moves are random, so that odd positions occur."""
    agent = HeuristicAgent()
    choose = random.Random(players)
    table = new_table(players, wall=wall, round_limit=6)
    game = OracleGame(players, wall == "grey", 0, 6)
    asked = 0
    while game.phase != "over":
        outcomes = game.outcomes()
        if outcomes:
            outcome = choose.choices(list(outcomes), [float(p) for p in outcomes.values()])[0]
            game.happen(outcome)
            kernels.apply_at(table.states, 0, COLOURS.index(outcome))
            continue
        asked += 1
        expected = _oracle_choice(game)
        assert choice(table, agent) == action_id(game, expected)
        action = expected if choose.random() < 0.5 else builder(game, choose)
        kernels.apply_at(table.states, 0, action_id(game, action))
        game.act(action)
    assert asked > 50


def _oracle_choice(game: OracleGame) -> tuple:
    if game.phase == "taking":
        return best_take(game)
    if game.actions() == [("step",)]:
        return ("step",)
    board = game.boards[game.current]
    line = board.topmost_full_line()
    assert line is not None
    return ("column", default_column(board, line, board.lines[line][0], True))

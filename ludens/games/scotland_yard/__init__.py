"""Scotland Yard: detectives hunt a fugitive whom they see only now and then, on London's map or on a 5×5 grid.

Mr. X has seat 0; the other seats control the detectives, who share one utility. One set of rules serves
every map: `london_game` and `grid_game` make a game of any board that `rules.maps.load_map` accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.spec import Game, GameSpec, Option
from ludens.core.verbs import Rules
from ludens.games.scotland_yard import evaluate, features, prior, rules, symmetries, view
from ludens.games.scotland_yard.rules.invariants import check_position_on
from ludens.games.scotland_yard.rules.maps import StationMap, grid_map, london
from ludens.games.scotland_yard.rules.tables import bind_map, tables_of
from ludens.games.scotland_yard.state import MAX_PAWNS, record_for
from ludens.games.scotland_yard.text import WORDS

__all__ = ["GRID", "LONDON", "grid_game", "london_game"]

_LONDON_ROUNDS = 24  # the longest game offered
_GRID_ROUNDS = 60


def _sides(players: int) -> tuple[int, ...]:
    """Mr. X against all the others (SY-3)."""
    return (0, *[1] * (players - 1))


def _seat_names(players: int) -> tuple[str, ...]:
    if players == 2:
        return ("Mr. X", "Detectives")
    return ("Mr. X", *(f"Detective {i}" for i in range(1, players)))


def _london_decisions(options: np.ndarray, seat: int) -> int:
    """A controller's move is the joint move of its pawns (SY-22): a choice and a ride each, the last is not chosen."""
    pawns = len([pawn for pawn in range(int(options[1])) if 1 + pawn % (int(options[0]) - 1) == seat])
    return max(1, 2 * pawns - 1)


def _grid_decisions(options: np.ndarray, seat: int) -> int:
    """The detectives' move is a step of every pawn (SY-5)."""
    return int(options[1]) if seat > 0 else 1


def _check_london(options: np.ndarray) -> None:
    players, detectives, bobbies = int(options[0]), int(options[1]), int(options[3])
    if detectives < players - 1:
        raise BadInput(f"{players} players need at least {players - 1} detectives, not {detectives} (SY-15).")
    if bobbies >= detectives:
        raise BadInput(f"Option bobbies leaves no detective: it must be less than detectives, {detectives}.")


def _longest_london(options: np.ndarray) -> int:
    """Cards; then a round is a move of Mr. X, a choice and a move a pawn; two double moves add two entries each."""
    detectives, rounds = int(options[1]), int(options[4])
    return detectives + 1 + rounds * (1 + 2 * detectives) + 4


def _longest_grid(options: np.ndarray) -> int:
    detectives, rounds = int(options[1]), int(options[2])
    return detectives + 1 + rounds * (detectives + 1)


def _rules(reset: Callable[..., None], evaluations: Mapping[str, np.ndarray]) -> Rules:
    modules = rules, view, features, evaluate, prior, symmetries
    return Rules.of(*modules, reset=reset, evaluations=evaluations)


def _actions(dtype: np.dtype) -> int:
    """Rides, pawns to choose, the double move, the pass."""
    kinds, stations = tables_of(dtype).degree.shape
    return int(kinds * stations + MAX_PAWNS + 2)


_BELIEF = Option("belief", "how Mr. X's place is sampled: evenly, or weighted by his ways there", 0, ("set", "weights"))
_STUCK = ("leave", "stay")
_STARTS = ("anywhere", "apart")


def london_game(board: StationMap, name: str, title: str, summary: str) -> Game:
    """The full game on a board (SY-15 … SY-29)."""
    dtype = record_for(f"{name}:{board.digest}", len(board.numbers), _LONDON_ROUNDS + 2)
    bind_map(dtype, board)
    return Game(
        spec=GameSpec(
            name=name,
            title=title,
            rulebook="scotland_yard",
            version=2,  # 1: Mr. X could announce a double move whose second leg he could not make
            reads=(1,),
            summary=summary,
            players=(2, 3, 4, 5, 6),
            default_players=2,
            chance=True,
            hidden=True,
            zero_sum=False,
            counts_points=False,
            actions=_actions(dtype),
            automatic_from=_actions(dtype) - 1,
            outcomes=len(board.numbers),
            blocks=features.blocks(board),
            features_version=3,  # 2 told detectives apart by the players who lead them, who win together
            longest=_longest_london,
            options=(
                Option("detectives", "pawns of the detectives, shared out among their players", 5, low=1, high=5),
                Option("edition", "tickets of the current or of the classic edition", 0, ("current", "classic")),
                Option("bobbies", "how many of the pawns are bobbies, who need no tickets", 0, low=0, high=4),
                Option("max_rounds", "Mr. X wins after so many rounds", 22, low=1, high=_LONDON_ROUNDS),
                Option("max_moves", "Mr. X wins after so many of his moves; 0 for no such limit", 0, low=0, high=26),
                _BELIEF,
                Option("stuck", "detectives with no ticket to use leave the board, or stay and block", 0, _STUCK),
                Option("starts", "Mr. X starts anywhere, or where no first ride can get him caught", 0, _STARTS),
            ),
            sides=_sides,
            decisions=_london_decisions,
            seat_names=_seat_names,
        ),
        dtype=dtype,
        rules=_rules(rules.reset_london, evaluate.LONDON_EVALUATIONS),
        text=WORDS,
        agents=lambda: import_module("ludens.games.scotland_yard.agents").LONDON_KINDS,
        terminal=lambda: import_module("ludens.games.scotland_yard.terminal").DISPLAY,
        check_position=check_position_on(board),
        check_options=_check_london,
    )


def grid_game(board: StationMap, name: str, title: str, summary: str) -> Game:
    """The grid game of the thesis on a board of taxis (SY-4 … SY-14)."""
    if any(kind for _, _, kind in board.connections):
        raise BadInput("The grid game is played on a map of taxis alone.")
    dtype = record_for(f"{name}:{board.digest}", len(board.numbers), _GRID_ROUNDS)
    bind_map(dtype, board)
    return Game(
        spec=GameSpec(
            name=name,
            title=title,
            rulebook="scotland_yard",
            version=1,
            summary=summary,
            players=(2,),
            default_players=2,
            chance=True,
            hidden=True,
            zero_sum=False,
            counts_points=False,
            actions=_actions(dtype),
            automatic_from=_actions(dtype) - 1,
            outcomes=len(board.numbers),
            blocks=features.blocks(board),
            features_version=2,  # 1 told neither whose tickets are where nor when he shows himself
            longest=_longest_grid,
            options=(
                Option("detectives", "detectives who step together", 2, low=1, high=MAX_PAWNS),
                Option("max_rounds", "Mr. X wins after so many rounds", 20, low=1, high=_GRID_ROUNDS),
                Option("reveal_every", "Mr. X shows himself after every so many of his moves", 3, low=1, high=20),
                Option("start_visible", "Mr. X's first cell is shown", 1, ("off", "on")),
                _BELIEF,
                Option("starts", "Mr. X starts anywhere, or on a cell beside no detective", 0, _STARTS),
            ),
            sides=_sides,
            decisions=_grid_decisions,
            seat_names=_seat_names,
        ),
        dtype=dtype,
        rules=_rules(rules.reset_grid, evaluate.GRID_EVALUATIONS),
        text=WORDS,
        agents=lambda: import_module("ludens.games.scotland_yard.agents").GRID_KINDS,
        terminal=lambda: import_module("ludens.games.scotland_yard.terminal").DISPLAY,
        check_position=check_position_on(board),
        published=lambda: import_module("ludens.games.scotland_yard.players.thesis_players").PUBLISHED,
        exact=lambda: import_module("ludens.games.scotland_yard.players.hidden_response").GridExact(board),
        learning=lambda: {"tabular": import_module("ludens.games.scotland_yard.players.tabular.agent").TableTask},
    )


LONDON = london_game(
    london(),
    "scotland_yard",
    "Scotland Yard",
    "Hunt Mr. X through London by taxi, bus and underground, or be him and vanish.",
)
GRID = grid_game(
    grid_map(),
    "scotland_yard_grid",
    "Scotland Yard on a grid",
    "Two detectives hunt Mr. X on a 5×5 grid and see him after every third of his moves.",
)

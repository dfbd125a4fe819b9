"""The functions of `import ludens`: games, agents, matches between them, series, analyses."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludens.agents import codes
from ludens.agents.analysis import Review, analyse_view, begun_move, review_match
from ludens.core import files, registry
from ludens.core.agent import Agent, AgentKind, Clock
from ludens.core.errors import BadInput, IllegalMove
from ludens.core.imports import import_match
from ludens.core.match import Match
from ludens.core.spec import Game
from ludens.lab import series as runner
from ludens.play.seats import is_oracle, seat_agent, seat_agents
from ludens.search.candidates import Analysis

__all__ = [
    "agent",
    "agents",
    "analyse",
    "arena",
    "game",
    "games",
    "import_match",
    "load",
    "play",
    "review",
    "save",
]


def game(name: str) -> Game:
    """The game of that name; `spec` says what is known of it, an unknown name is refused with the nearest.

    >>> import ludens
    >>> ludens.game("azul").spec.players
    (2, 3, 4)
    """
    return registry.game(name)


def games() -> list[Game]:
    """All games: the built-in ones, then those of installed packages, then those registered in this program.

    >>> import ludens
    >>> [game.spec.name for game in ludens.games()][:3]
    ['azul', 'discovery', 'catan']
    """
    return registry.games()


def agents(game: Game | str) -> dict[str, AgentKind]:
    """The kinds of agents that can play the game, by name, from weak to strong; then those of installed packages.

    >>> import ludens
    >>> kind = ludens.agents("azul")["mcts"]
    >>> [parameter.name for parameter in kind.parameters][:3]
    ['simulations', 'seconds', 'threads']
    """
    return codes.known_kinds(_game(game))


def agent(game: Game | str | Match, code: Any, seat: int | None = None) -> Agent:
    """A new agent for a code (`name`, `name:key=value`, `module:Class`), a class or an agent.

    Given a match instead of a game, the agent sits down at it, by default on the seat to act, and can choose at once.

    >>> import ludens
    >>> match = ludens.Match("azul", seed=7)
    >>> player = ludens.agent(match, "mcts:simulations=20")
    >>> move = player.choose(match.view(match.actor), match.legal(), ludens.Clock())
    >>> move in match.legal()
    True
    """
    if not isinstance(game, Match):
        if seat is not None:
            raise BadInput("An agent sits down at a match: give the match instead of its game.")
        return codes.make_agent(_game(game), code, outside=True)
    own = game.actor if seat is None else seat
    if not 0 <= own < game.players:
        nobody = "nobody is to act; say which seat" if seat is None else f"there is no seat {seat}"
        raise BadInput(f"The agent cannot sit down: {nobody} (0 to {game.players - 1}).")
    return seat_agent(game.game, game.options, code, own, game.seed)


def play(
    game: Game | str | Match,
    agents: Sequence[Any],
    *,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    seconds: float | None = None,
) -> Match:
    """Lets agents play a game to its end, one agent (a code, a class or an object) a seat, and returns the match.

    Given a match, it is played on. `seconds` is the time an agent may use for a decision.

    >>> import ludens
    >>> match = ludens.play("azul", ["heuristic", "random"], seed=7)
    >>> match.over, len(match.scores())
    (True, 2)
    """
    match = game if isinstance(game, Match) else Match(game, options, seed, players=len(agents))
    if isinstance(game, Match) and (seed is not None or options is not None):
        raise BadInput("A match has its own seed and options.")
    if len(agents) != match.players:
        raise BadInput(f"{match.players} seats need {match.players} agents, not {len(agents)}.")
    players = seat_agents(match.game, match.options, agents, match.seed)
    oracles = [is_oracle(match.game, one) for one in agents]
    while not match.over:
        if match.awaits_draw:
            raise BadInput("The chance of this match is recorded: its next draw must be given with play_chance.")
        who = match.actor
        shown = match.state() if oracles[who] else match.view(who)
        try:
            match.play(int(players[who].choose(shown, match.legal(), Clock(seconds))))
        except IllegalMove as error:
            raise IllegalMove(f"Agent on seat {who} chose an illegal move: {error}") from error
    for seat, player in enumerate(players):
        player.end(match.state() if oracles[seat] else match.view(seat))
    return match


def arena(
    game: Game | str,
    agents: Sequence[Any],
    games: int = 100,
    *,
    seed: int = 0,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    workers: int | None = 1,
    rotating: bool = True,
    thoughts: bool = False,
    report: Callable[[int], None] = lambda finished: None,
) -> runner.Result:
    """A series of games with rotating seats; the result has win shares and scores with 95 % intervals.

    Agents are codes, classes or objects. `workers` is the number of processes (None: as many as pay; a script that
    asks for several needs `if __name__ == "__main__":`). With `thoughts` the agents are asked what they thought.

    >>> import ludens
    >>> result = ludens.arena("azul", ["heuristic", "random"], games=10, seed=1)
    >>> result.agents[0].agent, result.agents[0].win_share > 0.5
    ('heuristic', True)
    """
    return runner.run(_game(game), agents, games, seed, players, options, workers, report, rotating, thoughts)


def analyse(
    position: Match | np.ndarray,
    seconds: float | None = None,
    *,
    simulations: int | None = None,
    game: Game | str | None = None,
    seat: int | None = None,
    ply: int | None = None,
    candidates: int = 5,
    threads: int = 1,
    seed: int = 0,
) -> Analysis:
    """The best moves of the seat to act, what they are worth and how play goes on, from what that seat can see.

    `position` is a match (`ply`: an earlier point of it) or a view as agents get it; the latter needs its seat. The
    budget is seconds, simulations or both; by default simulations enough to tell moves apart as a rule, on any machine.
    A candidate has its `result`, by how much it is `behind` the best, with what `precision` that is known, and whether
    it is `known` well enough; its `visits`, `points`, `whole` move, `line` and `reasons`.

    >>> import ludens
    >>> found = ludens.analyse(ludens.Match("azul", seed=7), simulations=500)
    >>> found.simulations <= 500, len(found.candidates), found.candidates[0].behind
    (True, 5, 0.0)
    """
    if isinstance(position, Match):
        match = position if ply is None else position.at(ply)
        own = match.actor if seat is None else seat
        if match.actor < 0:
            raise BadInput("Nobody has a move here: " + ("the game is over." if match.over else "a draw comes next."))
        found, view, options = match.game, match.view(own), match.options
        begun = begun_move(match)
    else:
        if ply is not None:
            raise BadInput("A view is one position: a ply is for matches.")
        if seat is None:
            raise BadInput("A view needs the seat whose view it is.")
        found, view, own, options, begun = _game_of(position, game), position, seat, None, None
    return analyse_view(found, view, own, seconds, simulations, threads, seed, candidates, options=options, begun=begun)


def review(
    match: Match,
    seconds: float | None = None,
    *,
    simulations: int | None = None,
    candidates: int = 3,
    threads: int = 1,
    seed: int = 0,
) -> list[Review]:
    """Every decision of a match between several moves: what was expected, what was played and what it cost.

    The budget is for each decision, by default a third of what `analyse` takes. `loss` is what the move cost,
    `precision` how well that is known; the move that was played is among the candidates and looked at before others.

    >>> import ludens
    >>> match = ludens.Match("azul", seed=7)
    >>> steps = match.play(int(match.legal()[0]))
    >>> [decision.loss >= 0 for decision in ludens.review(match, simulations=200)]
    [True]
    """
    return list(review_match(match, seconds, simulations, threads, seed, candidates))


def save(match: Match, file: str | Path) -> Path:
    """Writes a match to a file that `load`, `ludens play`, `ludens replay` and `ludens analyse` read.

    >>> import ludens, tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "game.json"
    >>> saved = ludens.save(ludens.Match("azul", seed=7), file)
    >>> ludens.load(file).seed
    7
    """
    return files.write_text(file, json.dumps(match.to_json(), ensure_ascii=False) + "\n")


def load(file: str | Path) -> Match:
    """The match of a file that `save` or a `--save` of the command line wrote; a spoiled one is refused."""
    return Match.from_json(files.read_text(file))


def _game(game: Game | str) -> Game:
    return registry.game(game) if isinstance(game, str) else game


def _game_of(view: np.ndarray, game: Game | str | None) -> Game:
    """The game that a view belongs to: its records are of a type of their own."""
    if not isinstance(view, np.ndarray) or view.shape != (1,):
        raise BadInput("A position is a match, or a view: an array of one record.")
    known = registry.games() if game is None else [_game(game)]
    for one in known:
        if one.dtype == view.dtype:
            return one
    raise BadInput("This view is of none of the games known here." if game is None else "This view is of another game.")

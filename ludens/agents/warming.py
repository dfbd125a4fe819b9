"""Named calls that together compile what playing a game needs: its match first, then its agents, then hints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from ludens.agents.analysis import analyse_view
from ludens.agents.codes import kinds, make_agent, parse_code
from ludens.agents.network_agent import NET
from ludens.agents.one_ply_agents import one_ply_kinds
from ludens.agents.random import RANDOM
from ludens.core.agent import Clock, Seating, agent_seed
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.core.spec import Game
from ludens.core.verbs import SPECTATOR
from ludens.networks.shipped import champion

__all__ = ["Task", "agent_tasks", "choose_once", "match_tasks"]

Task = tuple[str, Callable[[], Any]]
_THINKING = 0.1  # seconds for a trial choice
_MOVES = 12


def match_tasks(game: Game) -> Iterator[Task]:
    """What people need who play the game with each other."""
    yield "match", partial(_play_a_little, game)
    yield "words", partial(_tell_a_little, game)


def agent_tasks(game: Game) -> Iterator[Task]:
    """What the game's own agents and hints need."""
    listed = kinds(game)
    for name in (
        RANDOM.name,
        *one_ply_kinds(game),
        *(name for name in game.agents() if name in listed),
        *_of_networks(game),
    ):
        yield f"agent {name}", partial(choose_once, game, name)
    yield "hints", partial(_analyse_once, game)


def _of_networks(game: Game) -> list[str]:
    """The agents with a network that ships, if one is for the usual options."""
    try:
        champion(game, game.options(game.spec.tournament))
    except BadInput:
        return []
    return [NET.name]


def _play_a_little(game: Game) -> None:
    """One move and its replay: everything a match calls."""
    match = Match(game, game.spec.tournament, seed=0)
    match.play(int(match.legal()[0]))
    match.at(match.ply)
    match.view(0)
    match.scores()
    match.returns()


def _tell_a_little(game: Game) -> None:
    """Some moves in words and JSON, as every seat and a spectator sees them."""
    match, text = Match(game, game.spec.tournament, seed=0), game.text
    for turn in range(_MOVES):
        if match.over:
            break
        legal = match.legal()
        for seat in (SPECTATOR, *range(match.players)):
            text.position_to_json(match.view(seat)[0])
        seen = match.view(match.actor)[0]
        text.action_to_text(seen, int(legal[-1]))
        text.action_to_json(seen, int(legal[-1]))
        for step in match.play(int(legal[turn % len(legal)])):
            for event in step.events:
                text.narrate(event, match.names)


def choose_once(game: Game, code: str, options: Mapping[str, str | int] | None = None) -> None:
    """The agent's first choice, with little time to think; the options are those of tournaments if none are given."""
    match = Match(game, game.spec.tournament if options is None else options, seed=0)
    kind, _ = parse_code(game, code)
    agent = make_agent(game, code)
    agent.start(Seating(game, match.options, match.actor, agent_seed(match.seed, match.actor)))
    shown = match.state() if kind.oracle else match.view(match.actor)
    agent.choose(shown, match.legal(), Clock(_THINKING))


def _analyse_once(game: Game) -> None:
    """A hint for the first decision, with little time to think."""
    match = Match(game, game.spec.tournament, seed=0)
    analyse_view(game, match.view(match.actor), match.actor, seconds=_THINKING, options=match.options)

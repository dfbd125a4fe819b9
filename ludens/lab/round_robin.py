"""The plan of a tournament of everybody against everybody, and the plan that a stored run was played by."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ludens.agents.codes import parse_code
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.play.clock_rule import ClockRule
from ludens.play.lineup import sides_of
from ludens.play.plan import ROTATIONS, Plan, Player, arrangements
from ludens.play.results import Run

__all__ = ["continued_plan", "round_robin", "stored_plan"]

_MOST_ARRANGEMENTS = 5_000


def round_robin(
    game: Game,
    agents: Sequence[str],
    games: int,
    players: int | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    seating: str = ROTATIONS,
) -> Plan:
    """At least so many games in which all agents meet equally often on every seat; they share their seeds.

    Where a table has more places than there are agents, the agents fill them in every mixture.
    """
    if games < 1:
        raise BadInput(f"The number of games must be at least 1, not {games}.")
    if len(agents) < 2:
        raise BadInput("A tournament needs at least two agents.")
    for agent in agents:
        parse_code(game, agent)
        if agents.count(agent) > 1:
            raise BadInput(f"Agent {agent} is named twice.")
    given = {**game.spec.tournament, **(options or {})}
    if players is not None:
        given["players"] = players
    array = game.options(given)
    places = max(sides_of(game.spec, int(array[0]))) + 1
    if places < 2:
        raise BadInput(f"{game.spec.title} with {int(array[0])} players has one side alone; nobody could win.")
    mixed = len(agents) < places
    choose = itertools.combinations_with_replacement if mixed else itertools.combinations
    meetings = [one for one in choose(range(len(agents)), places) if len(set(one)) > 1]
    orders = arrangements(meetings, seating)
    if len(orders) > _MOST_ARRANGEMENTS:
        raise BadInput(f"{len(agents)} agents would meet in {len(orders)} ways; choose fewer.")
    plan = Plan(
        game=game.spec.name,
        options=tuple(array.tolist()),
        players=tuple(Player(agent, agent) for agent in agents),
        arrangements=orders,
        repetitions=math.ceil(games / len(orders)),
        seed=seed,
    )
    plan.check()
    return plan


def stored_plan(run: Run) -> Plan:
    """The plan that a stored run was played by, in terms of the present version."""
    known = run.plan
    game = registry.game(run.game.partition("@")[0])
    orders = tuple(tuple(order) for order in known["arrangements"])
    clock = known["clock"]
    return Plan(
        game=game.spec.name,
        options=tuple(game.options(known["options"]).tolist()),
        players=tuple(Player(name, code) for name, code in known["players"].items()),
        arrangements=orders,
        repetitions=math.ceil(run.total / len(orders)),
        seed=known["seed"],
        paired=known["paired"],
        clock=ClockRule(clock["move"], clock["game"], clock["measure"]),
        most=run.total,
    )


def continued_plan(run: Run) -> Plan:
    """The plan that goes on with a stored run; one of another version is refused."""
    plan = stored_plan(run)
    if plan.identity != run.identity:
        raise BadInput(
            f"{run.name} was begun with ludens {run.version} and {run.game}; its games stay as they are, "
            "and this version adds none to them."
        )
    return plan

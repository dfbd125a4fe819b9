"""Who plays where: every agent on every place equally often, teams together."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.play.lineup import arrange, fitting_players

AZUL = registry.game("azul").spec
CHASE = replace(AZUL, title="Chase", players=(3, 4), default_players=4, sides=lambda players: (7, *[1] * (players - 1)))


@pytest.mark.parametrize("agents", [2, 3, 4])
def test_every_agent_gets_every_seat_equally_often(agents: int) -> None:
    lineup = arrange(AZUL, agents, ["x"] * agents)
    seats = Counter((agent, seat) for game in range(agents) for seat, agent in enumerate(lineup.at_seats(game)))
    assert set(seats.values()) == {1}
    assert len(seats) == agents * agents


def test_fewer_agents_than_seats_fill_them_in_turn() -> None:
    lineup = arrange(AZUL, 4, ["a", "b", "c"])
    assert lineup.at_seats(0) == (0, 1, 2, 0)
    assert lineup.at_seats(1) == (1, 2, 0, 0)
    assert lineup.at_seats(4) == lineup.at_seats(0)


def test_a_team_is_one_place() -> None:
    lineup = arrange(CHASE, 4, ["hunted", "hunters"])
    assert lineup.at_seats(0) == (0, 1, 1, 1)
    assert lineup.at_seats(1) == (1, 0, 0, 0)


def test_places_can_be_fixed() -> None:
    lineup = arrange(CHASE, 4, ["hunted", "hunters"], rotating=False)
    assert {lineup.at_seats(game) for game in range(5)} == {(0, 1, 1, 1)}


def test_number_of_players_follows_from_the_agents() -> None:
    assert [fitting_players(AZUL, agents) for agents in (1, 2, 3, 4)] == [2, 2, 3, 4]
    assert [fitting_players(CHASE, agents) for agents in (1, 2)] == [3, 4]
    assert fitting_players(replace(AZUL, default_players=4), 2) == 2


def test_too_many_agents_are_refused() -> None:
    with pytest.raises(BadInput, match="room for 4 agents at most, not 5"):
        fitting_players(AZUL, 5)
    with pytest.raises(BadInput, match="with 2 players has room for 2 agents, not 3"):
        arrange(AZUL, 2, ["a", "b", "c"])
    with pytest.raises(BadInput, match="at least one agent"):
        arrange(AZUL, 2, [])

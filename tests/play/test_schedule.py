"""Who plays where: every agent on every place equally often, teams together."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.play.schedule import fitting_players, one_table

AZUL = registry.game("azul")


def chase() -> Game:
    """Azul, but one seat plays against all others."""
    sides = lambda players: (7, *[1] * (players - 1))  # noqa: E731
    return replace(AZUL, spec=replace(AZUL.spec, title="Chase", players=(3, 4), default_players=4, sides=sides))


@pytest.mark.parametrize("agents", [2, 3, 4])
def test_every_agent_gets_every_seat_equally_often(agents: int) -> None:
    table = one_table(AZUL, ["random"] * agents, agents)
    seats = Counter((agent, seat) for game in range(agents) for seat, agent in enumerate(table.at_seats(game)))
    assert set(seats.values()) == {1}
    assert len(seats) == agents * agents


def test_fewer_agents_than_seats_fill_them_in_turn() -> None:
    table = one_table(AZUL, ["random", "heuristic", "random"], 9, players=4)
    assert table.at_seats(0) == (0, 1, 2, 0)
    assert table.at_seats(1) == (1, 2, 0, 0)
    assert table.at_seats(4) == table.at_seats(0)
    merged = one_table(AZUL, ["random", "heuristic", "random"], 9, players=4, merged=True)
    assert [player.name for player in merged.players] == ["random", "heuristic"]
    assert merged.at_seats(0) == (0, 1, 0, 0)
    assert [merged.codes(game) for game in range(9)] == [table.codes(game) for game in range(9)]
    assert [merged.seed_of(game) for game in range(9)] == [table.seed_of(game) for game in range(9)]


def test_a_team_is_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._loaded, "azul", chase())
    table = one_table(chase(), ["random", "heuristic"], 2, players=4)
    assert table.at_seats(0) == (0, 1, 1, 1)
    assert table.at_seats(1) == (1, 0, 0, 0)


def test_places_can_be_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._loaded, "azul", chase())
    table = one_table(chase(), ["random", "heuristic"], 5, players=4, rotating=False)
    assert {table.at_seats(game) for game in range(5)} == {(0, 1, 1, 1)}


def test_number_of_players_follows_from_the_agents() -> None:
    assert [fitting_players(AZUL.spec, agents) for agents in (1, 2, 3, 4)] == [2, 2, 3, 4]
    assert [fitting_players(chase().spec, agents) for agents in (1, 2)] == [3, 4]
    assert fitting_players(replace(AZUL.spec, default_players=4), 2) == 2


def test_too_many_agents_are_refused() -> None:
    with pytest.raises(BadInput, match="room for 4 agents at most, not 5"):
        one_table(AZUL, ["random"] * 5, 1)
    with pytest.raises(BadInput, match="with 2 players has room for 2 agents, not 3"):
        one_table(AZUL, ["random"] * 3, 1, players=2)
    with pytest.raises(BadInput, match="at least one agent"):
        one_table(AZUL, [], 1, players=2)

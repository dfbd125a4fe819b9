"""Last pieces, last corners and first moments: the edges of Catan's rules."""

from __future__ import annotations

from collections import Counter

import pytest

from ludens.core.rng import DETERMINIZE, generator
from ludens.games.catan.rules import island
from ludens.games.catan.state import GENERIC, NOBODY
from tests.games.catan.table import CENTRE, Table, edge_between
from tests.games.catan.test_view import theft, village


@pytest.mark.parametrize("corner", range(6))
def test_ca_13_every_corner_of_the_robbers_hex_is_looked_at(corner: int) -> None:
    table = Table(rolled=False).settle(1, int(island.HEX_VERTICES[0][corner])).cards(1, wool=1).roll(7).do("robber 0")
    assert table.phase == "theft"
    assert table.steal("wool").hand(0) == {"wool": 1}


@pytest.mark.parametrize("corner", range(6))
def test_ca_12_every_corner_of_a_hex_is_paid(corner: int) -> None:
    table = Table(rolled=False).settle(1, int(island.HEX_VERTICES[4][corner])).roll(6)
    assert table.hand(1)["brick"] == 1


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 0)])
def test_ca_12_two_hexes_of_a_number_pay_their_own_resources_in_any_order(one: int, other: int) -> None:
    table = Table(rolled=False)
    for total in range(2, 13):
        hexes = [int(h) for h in table.s.sources[total]]
        if NOBODY in hexes or table.s.terrain[hexes[0]] == table.s.terrain[hexes[1]]:
            continue
        game = Table(rolled=False)
        game.s.sources[total] = [hexes[one], hexes[other]]
        places = [next(int(v) for v in island.HEX_VERTICES[h] if _alone(game, int(v), h, total)) for h in hexes]
        game.settle(2, places[0]).settle(3, places[1]).roll(total)
        assert [sum(game.hand(p).values()) for p in (2, 3)] == [1, 1]
        assert game.s.hand[2, game.s.terrain[hexes[0]]] == game.s.hand[3, game.s.terrain[hexes[1]]] == 1


def _alone(table: Table, vertex: int, home: int, total: int) -> bool:
    """Is this the only hex of the number at the vertex?"""
    return [h for h in range(19) if vertex in island.HEX_VERTICES[h] and table.s.number[h] == total] == [home]


def test_ca_8_the_last_settlement_and_the_last_city_are_built() -> None:
    table = Table().road(0, edge_between(CENTRE[0], CENTRE[1])).cards(0, brick=1, lumber=1, wool=1, grain=1)
    table.s.settlements_left[0] = 1
    assert table.may(f"settlement {CENTRE[0]}")
    table.s.settlements_left[0] = 0
    assert not table.may(f"settlement {CENTRE[0]}")
    city = Table().settle(0, CENTRE[0]).cards(0, ore=3, grain=2)
    city.s.cities_left[0] = 1
    assert city.may(f"city {CENTRE[0]}")
    city.s.cities_left[0] = 0
    assert not city.may(f"city {CENTRE[0]}")


def test_ca_18_prices_follow_from_the_harbour_at_the_settlement_alone() -> None:
    for vertex in range(54):
        table = Table().settle(0, vertex)
        slot = int(island.HARBOUR_OF_VERTEX[vertex])
        wanted = [4] * 5
        if slot >= 0 and table.s.harbour[slot] == GENERIC:
            wanted = [3] * 5
        elif slot >= 0:
            wanted[int(table.s.harbour[slot])] = 2
        assert table.s.price[0].tolist() == wanted
        assert table.s.price[1].tolist() == [4] * 5


def test_ca_11_a_turn_begins_with_nothing_of_the_last_one() -> None:
    table = Table(rolled=False).roll(5).development(0, fresh=True, knight=1)
    table.s.card_played, table.s.has_built, table.s.offers_made = 1, 1, 2
    table.do("end")
    s = table.s
    assert (s.current, s.turn_number, s.rolled, s.die.tolist()) == (1, 2, 0, [0, 0])
    assert (s.card_played, s.has_built, s.offers_made, s.fresh_count, s.fresh.tolist()) == (0, 0, 0, 0, [0] * 5)


@pytest.mark.parametrize(("visible", "most"), [(0, 9), (2, 7), (3, 6), (9, 0)])
def test_ca_19_a_game_that_goes_on_bounds_the_victory_cards(visible: int, most: int) -> None:
    table = Table()
    table.s.visible[0] = visible
    assert table.check_victory().s.most_victory[0] == most


def test_ca_20_thefts_that_are_undecided_are_guessed_by_the_hand_at_that_time() -> None:
    """Two wool and one ore: the card that was stolen was wool in two of three games, whoever guesses otherwise."""
    table = theft(village(p1={"wool": 2, "ore": 1}), 1, "wool")
    rng, found = generator(3, DETERMINIZE), Counter[tuple[int, ...]]()
    for _ in range(120):
        found[tuple(int(n) for n in table.guess(2, rng)[0].hand[0])] += 1
    assert set(found) == {(0, 0, 1, 0, 0), (0, 0, 0, 0, 1)}
    assert 60 <= found[0, 0, 1, 0, 0] <= 100
    mine = table.guess(0, rng)[0]
    assert mine.hand[0].tolist() == [0, 0, 1, 0, 0] and mine.hand[1].tolist() == [0, 0, 1, 0, 1]


def test_ca_20_thefts_that_empty_a_hand_are_known() -> None:
    """One card may be either; when the second is stolen, too, everybody knows both."""
    table = theft(village(p1={"wool": 1, "ore": 1}), 1, "ore")
    rng = generator(4, DETERMINIZE)
    before = {tuple(int(n) for n in table.guess(3, rng)[0].hand[1]) for _ in range(40)}
    assert len(before) == 2
    again = theft(table, 1, "wool")
    after = {tuple(int(n) for n in again.guess(3, rng)[0].hand[0]) for _ in range(40)}
    assert after == {tuple(int(n) for n in again.s.hand[0])}

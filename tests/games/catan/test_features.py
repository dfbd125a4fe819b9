"""The observation: a view in the shape of the island's graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.core import kernels
from ludens.core.match import Match
from ludens.core.spec import split
from ludens.games.catan import GAME, phases
from ludens.games.catan.rules import island
from ludens.games.catan.state import ACCEPTED, COST, COUNTERED, DESERT, HEXES, KINDS, MAX_PLAYERS, VERTICES
from tests.games.catan.table import Table, example
from tests.games.telling import changed_blocks


def observed(table: Table, seat: int) -> np.ndarray:
    out = np.full(GAME.spec.observation_size(GAME.options()), np.nan, np.float32)
    kernels.observe_at(table.seen(seat), 0, seat, out)
    return out


def block(x: np.ndarray, name: str) -> np.ndarray:
    return split(x, GAME.spec.blocks(GAME.options()))[name]


def test_the_observation_has_the_shape_of_the_graph() -> None:
    table = example()
    x = observed(table, 0)
    assert np.isfinite(x).all()
    assert block(x, "hexes")[:, :6].sum() == 19
    assert block(x, "hexes")[9, 7] == 1
    vertices = block(x, "vertices")
    assert vertices[int(island.HEX_VERTICES[4][3]), 4] == 1
    assert vertices[[0, 4], 1].tolist() == [1, 1]
    assert block(x, "edges")[:, 0].sum() == 2
    assert (block(x, "players")[:, 0] == 1).all()
    assert block(x, "table")[:5] == pytest.approx([0.1, 0.1, 0.2, 0, 0])


def test_the_observation_turns_with_the_observer_and_hides_cards() -> None:
    table = example()
    x = observed(table, 1)
    assert block(x, "vertices")[[0, 4], 0].tolist() == [1, 1]
    assert block(x, "players")[0, 15] == pytest.approx(0.2)
    assert not block(x, "table")[5:10].any()
    other = example()
    other.s.cards[0] = [1, 0, 0, 0, 1]
    other.s.deck[1] += 1
    other.s.deck[4] -= 1
    assert np.array_equal(observed(other, 1), x)
    assert not np.array_equal(observed(other, 0), observed(table, 0))


CHANGES: list[tuple[str, Any, int, set[str]]] = [
    ("terrain", 3, 5, {"hexes", "vertices", "edges"}),
    ("number", 4, 8, {"hexes"}),  # as likely as the 6 that lies there
    ("robber", (), 2, {"hexes"}),
    ("harbour", 3, 0, {"vertices"}),
    ("building", 20, 2, {"hexes", "vertices"}),
    ("open_sites", (), 0, {"vertices", "edges"}),
    ("road", 40, 3, {"edges"}),
    ("open_roads", (0, 1), 0b1111, {"edges"}),
    ("hand", (0, 4), 2, {"players", "table"}),
    ("count", 1, 9, {"players"}),
    ("card_count", 2, 3, {"players"}),
    ("army", 3, 2, {"players"}),
    ("road_length", 1, 4, {"players"}),
    ("road_holder", (), 2, {"players"}),
    ("army_holder", (), 2, {"players"}),
    ("visible", 3, 5, {"players"}),
    ("roads_left", 0, 4, {"players"}),
    ("settlements_left", 1, 0, {"players"}),
    ("cities_left", 2, 1, {"players"}),
    ("price", (0, 3), 2, {"players"}),
    ("answer", 2, ACCEPTED, {"players"}),
    ("answer", 2, COUNTERED, {"players"}),
    ("to_discard", 1, 3, {"players"}),
    ("counter", (1, 2), -1, {"players"}),
    ("current", (), 1, {"players"}),
    ("cards", (0, 2), 1, {"table"}),
    ("fresh", 2, 1, {"table"}),
    ("bank", 1, 3, {"table"}),
    ("deck_count", (), 3, {"table"}),
    ("played", 0, 3, {"table"}),
    ("offer", 0, 1, {"table"}),
    ("phase", (), phases.OFFERING, {"table"}),
    ("die", 0, 3, {"table"}),
    ("rolled", (), 0, {"table"}),
    ("card_played", (), 1, {"table"}),
    ("has_built", (), 1, {"table"}),
    ("offers_made", (), 2, {"table"}),
    ("free_roads", (), 2, {"table"}),
    ("to_take", (), 2, {"table"}),
    ("turn_number", (), 30, {"table"}),
    ("turn_limit", (), 60, {"table"}),
    ("goal", (), 8, {"table"}),
    ("strict", (), 1, {"table"}),
    ("counter_offers", (), 0, {"table"}),
    ("offer_limit", (), 1, {"table"}),
    ("first_acceptor", (), 1, {"table"}),
]


@pytest.mark.parametrize(("field", "place", "value", "expected"), CHANGES)
def test_what_matters_changes_its_block_and_no_other(field: str, place: Any, value: int, expected: set[str]) -> None:
    assert changed_blocks(GAME, GAME.options(), example().states, 0, field, place, value) == expected


def dots_of(s: Any, hex_: int) -> int:
    return 0 if s.terrain[hex_] == DESERT else 6 - abs(7 - int(s.number[hex_]))


def brought(s: Any, p: int, hex_: int) -> int:
    """Dots of a hex, once for every settlement of player p at it and twice for every city."""
    sizes = {p: 1, MAX_PLAYERS + p: 2}
    return sum(sizes.get(int(s.building[v]), 0) for v in island.HEX_VERTICES[hex_]) * dots_of(s, hex_)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_worked_out_agrees_with_counting_it_slowly(seed: int) -> None:
    rng, match = np.random.default_rng(seed), Match(GAME, {"board": "variable"}, seed=seed)
    for _ in range(150 + 40 * seed):
        if not match.over:
            match.play(int(rng.choice(match.legal())))
    seat = seed % 4
    s, x = match.state()[0], np.zeros(GAME.spec.observation_size(GAME.options()), np.float32)
    kernels.observe_at(match.view(seat), 0, seat, x)
    own = [brought(s, seat, h) for h in range(HEXES)]
    others = [sum(brought(s, p, h) for p in range(4) if p != seat) for h in range(HEXES)]
    assert block(x, "hexes")[:, 9] == pytest.approx(np.array(own) / 10)
    assert block(x, "hexes")[:, 10] == pytest.approx(np.array(others) / 10)
    for offset in range(4):
        p = (seat + offset) % 4
        made = np.bincount(s.terrain, [brought(s, p, h) for h in range(HEXES)], DESERT + 1)[:KINDS]
        assert block(x, "players")[offset, 32:37] == pytest.approx(made / 10)
        assert block(x, "players")[offset, 37] == pytest.approx(brought(s, p, int(s.robber)) / 10)
    for vertex in range(VERTICES):
        around = [h for h in range(HEXES) if vertex in island.HEX_VERTICES[h]]
        site = np.bincount(s.terrain[around], [dots_of(s, h) for h in around], DESERT + 1)[:KINDS]
        useful = int(s.open_sites) >> vertex & 1 or s.building[vertex] == seat
        assert block(x, "vertices")[vertex, 16:] == pytest.approx(site / 5 if useful else np.zeros(KINDS))
    lacking = np.maximum(COST[:4] - s.hand[seat], 0).sum(1)
    assert block(x, "table")[-8:-4].tolist() == (lacking == 0).tolist()
    assert block(x, "table")[-4:] == pytest.approx(lacking / 4)


def test_an_open_edge_tells_the_best_site_beyond_it() -> None:
    x = block(observed(example(), 0), "edges")
    table = example()
    table.s.open_sites = 0  # nothing can be settled any more
    bare = block(observed(table, 0), "edges")
    assert (x[:, 4] == bare[:, 4]).all()
    assert (x[x[:, 4] == 1, 5] > 0).any()
    assert not x[x[:, 4] == 0, 5].any()
    assert not bare[:, 5].any()

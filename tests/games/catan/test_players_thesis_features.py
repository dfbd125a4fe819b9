"""The features of the thesis: CA-47 … CA-52, CA-84."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ludens.games.catan.players.thesis_features import BASE, EXPANDED
from ludens.games.catan.rules import island
from ludens.games.catan.state import DOTS
from tests.games.catan.compiled import base_features_at, expanded_at
from tests.games.catan.table import CENTRE, Table, edges_along, example


def base(table: Table, seat: int = 0, as_probability: bool = False) -> np.ndarray:
    out = np.full(BASE, np.nan)
    base_features_at(table.seen(seat), 0, seat, as_probability, out)
    return out


def expanded(table: Table, mean: np.ndarray, deviation: np.ndarray, as_printed: bool = False) -> np.ndarray:
    out = np.full(EXPANDED, np.nan)
    scratch = np.zeros(BASE)
    expanded_at(table.seen(0), 0, 0, False, mean, deviation, as_printed, scratch, out)
    return out


def test_ca_84_there_are_56_base_features_and_1653_expanded() -> None:
    assert (BASE, EXPANDED) == (56, 1653)
    assert np.isfinite(base(example())).all()
    assert np.isfinite(expanded(example(), np.zeros(56), np.ones(56))).all()


def test_ca_47_the_blocks_of_the_base_features() -> None:
    table = example()
    x = base(table)
    s = table.s
    assert x[0:5].tolist() == [2, 3, 0, 0, 0]  # best opponent: seat 1
    assert x[10:12] == pytest.approx([2 / 3, 1])  # means over three opponents
    assert x[20:29].tolist() == [3, 2, 0, 0, 0, 2, 0, 1, int(s.open_sites & s.touched[0]).bit_count()]
    assert x[38:43].tolist() == [1, 1, 2, 0, 0]
    assert x[43:47].tolist() == [1, 0, 0, 0]
    assert x[47:51].tolist() == [1, 0, 0, 0]
    assert x[51:56].tolist() == s.price[0].tolist()


def test_ca_48_free_vertices_are_reached_and_keep_the_distance() -> None:
    table = Table().settle(0, CENTRE[0]).road(0, *edges_along(CENTRE[:4]))
    assert base(table)[28] == 2


def test_ca_49_production_is_expected_cards_or_the_chance_of_one() -> None:
    vertex = int(island.HEX_VERTICES[4][3])
    hexes = [h for h in range(19) if vertex in island.HEX_VERTICES[h]]
    table = Table().city(0, vertex)
    for r in range(5):
        dots = sum(int(DOTS[table.s.number[h]]) for h in hexes if table.s.terrain[h] == r)
        assert base(table)[29 + r] == pytest.approx(2 * dots / 36)
        assert base(table, as_probability=True)[29 + r] == pytest.approx(dots / 36)
    x = base(table)
    assert x[34] == pytest.approx(x[29] * x[30])
    assert x[36] == pytest.approx(x[32] * x[33])
    table.s.robber = 4
    assert base(table)[29] == 0


def test_ca_49_the_points_of_opponents_are_the_visible_ones() -> None:
    table = example()
    assert base(table, 1)[0] == 2
    assert base(table, 0)[20] == 3


def test_ca_50_ca_51_features_are_normalised_then_multiplied() -> None:
    table = example()
    x = base(table)
    mean, deviation = np.linspace(-1, 1, 56), np.linspace(0.5, 2, 56)
    z = (x - mean) / deviation
    out = expanded(table, mean, deviation)
    assert out[0] == 1
    assert out[1:57] == pytest.approx(z)
    assert out[57:113] == pytest.approx(np.tanh(z * z / 2))
    pairs = [math.tanh(z[i] * z[j] / 2) for i in range(56) for j in range(i + 1, 56)]
    assert out[113:] == pytest.approx(pairs)


def test_ca_52_the_printed_squash_is_kept_as_an_option() -> None:
    table = example()
    z = base(table)
    out = expanded(table, np.zeros(56), np.ones(56), as_printed=True)
    with np.errstate(over="ignore"):
        assert out[57:113] == pytest.approx(1 / (1 + np.exp(z * z)))

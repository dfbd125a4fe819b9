"""Records are declared once: their dtypes keep the bytes of saved games, and a misspelt field is a fault of types."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.core.record import Position, Record, float64, int8, int16, layout
from ludens.core.registry import game
from ludens.games.discovery.players.joining import TURN_WORKSPACE

ROOT = Path(__file__).parent.parent.parent

KEPT = {
    "azul": "0e318dc87da32909",
    "catan": "5f65f374ba3fe365",
    "discovery": "25030b4622820588",
    "scotland_yard": "ff2404847d832dcf",
    "scotland_yard_grid": "298596231c005fe1",
}
"""Digests of names, kinds, shapes and places of all fields; saved games are read by them."""


def digest(dtype: np.dtype) -> str:
    fields: dict[str, Any] = dict(dtype.fields or {})
    places = sorted((name, (*fields[name][1:],)) for name in fields)
    return hashlib.sha256(repr((dtype.descr, places)).encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", KEPT)
def test_the_record_of_a_game_is_laid_out_as_in_the_games_that_were_saved(name: str) -> None:
    assert digest(game(name).dtype) == KEPT[name]


def test_the_memory_of_the_discoverys_best_turn_is_laid_out_as_before() -> None:
    assert digest(TURN_WORKSPACE) == "c21a18fa4b3463cb"


class Small(Position):
    far = int16("room")
    near = int8(2, "room")


def test_fields_lie_widest_first_under_the_names_of_the_class() -> None:
    dtype = layout("small", Small, room=3)
    assert dtype.names == ("far", "players", "phase", "near")
    assert dtype["far"].shape == (3,) and dtype["near"].shape == (2, 3) and dtype["near"].base == np.int8
    assert dtype.itemsize == 14 and dtype != layout("other", Small, room=3)


class Odd(Position):
    far = int16()
    near = int8()


def test_a_record_is_filled_up_to_whole_words() -> None:
    assert (layout("odd one", Odd).names or ())[-1] == "padding"


def test_positions_hold_whole_numbers_and_no_names_of_numpy() -> None:
    part = type("Part", (Position,), {"share": float64()})
    with pytest.raises(TypeError, match="share of part: positions consist of whole numbers"):
        layout("part", part)
    assert layout("scratch", type("Scratch", (Record,), {"share": float64()})).itemsize == 8
    with pytest.raises(TypeError, match="field size of taken"):
        layout("taken", type("Taken", (Position,), {"size": int8()}))


MISSPELT = """
from ludens.core.jit import rule
from ludens.core.record import Records
from ludens.games.{game}.state import {record}

@rule
def right(s: {record}, out: Records[{record}]) -> int:
    out[0] = s
    return int(s.{field}) + int(out[0].players)

@rule
def wrong(s: {record}, out: Records[{record}]) -> int:
    return int(s.{field}s_) + out[0].playres + right(3, out)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "record", "field"),
    [
        ("azul", "Azul", "dealt"),
        ("catan", "Catan", "robber"),
        ("discovery", "Discovery", "placed"),
        ("scotland_yard", "ScotlandYard", "moves"),
    ],
)
def test_a_misspelt_field_is_an_error_of_types(tmp_path: Path, name: str, record: str, field: str) -> None:
    snippet = tmp_path / "snippet.py"
    snippet.write_text(MISSPELT.format(game=name, record=record, field=field))
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(snippet)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    faults = [line for line in done.stdout.splitlines() if "error" in line]
    assert f'"{record}" has no attribute "{field}s_"' in faults[0]
    assert f'"{record}" has no attribute "playres"' in faults[1]
    assert 'incompatible type "int"' in faults[2] and len(faults) == 4, done.stdout

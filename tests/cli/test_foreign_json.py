"""Files that call themselves JSON: nested without end, with numbers that are none, or of a wrong kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludens.core.errors import BadInput
from ludens.core.files import is_finite_number, read_json
from ludens.core.weights import read_weights
from ludens.games.catan.players.linear.files import read_model
from ludens.games.discovery.players.coefficients import read_sets
from ludens.games.scotland_yard.players.tabular.agent import read_table

_TABLE = Path(__file__).parents[2] / "ludens" / "games" / "scotland_yard" / "data" / "q-learning.table.json"


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000])
@pytest.mark.parametrize("read", [read_weights, read_model, read_sets, read_table])
def test_what_is_no_json_is_refused(read: object, text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(BadInput, match="it is not JSON"):
        read(path)  # type: ignore[operator]


def test_numbers_that_no_float_can_hold_are_none() -> None:
    assert [is_finite_number(value) for value in (1, 0.5, 10**400, float("nan"), True, "1", None)] == [
        *(True, True, False, False, False, False, False)
    ]


def test_numbers_of_files_are_checked_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"weights": [1, 1' + 400 * "0" + "]}")
    with pytest.raises(BadInput, match="it needs a list of numbers"):
        read_weights(path)
    whole = read_json(_TABLE, "is damaged")
    for key, value in (("scale", float("nan")), ("form", ["improved"]), ("form", {})):
        path.write_text(json.dumps({**whole, key: value}))
        with pytest.raises(BadInput, match=r"damaged|must be one of"):
            read_table(path)

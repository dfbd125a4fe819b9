"""Networks: the same numbers in Numba, in torch and after a file; files for something else are refused."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.core import kernels
from ludens.core.errors import BadInput
from ludens.core.registry import game, names
from ludens.core.spec import Block, Game
from ludens.networks.layout import PlainLayout
from ludens.networks.network import Network, load, load_for, untrained
from ludens.networks.rows import RowsLayout, rows_layout
from ludens.networks.weights_file import read_arrays, write_arrays
from tests.search.networks import bold
from tests.search.positions import legal_of, middle_of, view_of

AZUL = game("azul")
TWO = AZUL.options({"players": 2})


def _observations(found: Game, options: np.ndarray, count: int) -> np.ndarray:
    """What the seats to act see in positions of random games."""
    out = np.zeros((count, found.spec.observation_size(options)), np.float32)
    for k in range(count):
        state = middle_of(found, 4 * k, seed=k, players=int(options[0]))
        seat = int(kernels.actor_at(state, 0))
        kernels.observe_at(view_of(found, state, seat), 0, seat, out[k])
    return out


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in names()])
@pytest.mark.parametrize(("layers", "norm"), [(1, 0), (2, 0), (1, 1), (2, 1)])
def test_torch_and_numba_agree_on_positions_of_every_game(name: str, layers: int, norm: int, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from ludens.networks.torch_network import module_of, trained

    found = game(name)
    options = found.options(found.spec.tournament)
    start = bold(found, options, width=48, blocks=3, layers=layers, norm=norm, auxiliary={"points": 2})
    module = module_of(start)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.mul_(0.9)
    network = trained(start, module, steps=7)
    features = _observations(found, options, 8)
    with torch.no_grad():
        logits, values, others = module(torch.tensor(features))
    network.save(tmp_path / "net.safetensors", half=False)
    again = load_for(tmp_path / "net.safetensors", found, options)
    assert again.training == {"steps": 7}
    assert others["points"].shape == (8, 2)
    ours = again.evaluate(features)
    assert np.abs(ours[0]).max() > 0.1
    assert np.abs(ours[1]).max() > 0.01
    np.testing.assert_allclose(ours[0], logits.numpy(), atol=1e-4)
    np.testing.assert_allclose(ours[1], values.numpy(), atol=1e-4)
    for name, array in module_of(again).state_dict().items():
        assert np.array_equal(array.numpy(), network.arrays[name])


def _rows(found: Game, options: np.ndarray, **sizes: int) -> Network:
    """A network over a table in the middle of the features, with numbers that matter."""
    layout = RowsLayout.from_json(
        {
            "inputs": found.spec.observation_size(options),
            "actions": found.spec.actions,
            "seats": int(options[0]),
            "begin": 40,
            "rows": 12,
            "columns": 9,
            "row_width": 32,
            "first_action": 8,
            "slots": 4,
            "width": 48,
            "blocks": 2,
            "layers": 1,
            "norm": 1,
            "auxiliary": {},
            **sizes,
        }
    )
    rng = np.random.default_rng(5)
    arrays = {name: (rng.standard_normal(shape) * shape[-1] ** -0.5).astype(np.float32)
              for name, shape in layout.shapes().items()}  # fmt: skip
    return dataclasses.replace(untrained(found, options, layout=layout), arrays=arrays)


@pytest.mark.parametrize("name", ["azul", "discovery"])
def test_a_network_over_rows_agrees_with_torch_too(name: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from ludens.networks.torch_network import module_of

    found = game(name)
    options = found.options(found.spec.tournament)
    network = load(_rows(found, options).save(tmp_path / "net.safetensors"))
    features = _observations(found, options, 8)
    features[3, 40 : 40 + 108] = 0  # no row in use
    with torch.no_grad():
        logits, values, _ = module_of(network)(torch.tensor(features))
    ours = network.evaluate(features)
    np.testing.assert_allclose(ours[0], logits.numpy(), atol=1e-4)
    np.testing.assert_allclose(ours[1], values.numpy(), atol=1e-4)
    legal = np.array([3, 8, 11, 12, 55, 56, 200])
    assert np.array_equal(network.evaluate_one(features[5], legal)[0], ours[0][5, legal])


def test_a_network_over_rows_does_not_care_for_their_order() -> None:
    network = _rows(AZUL, TWO)
    features = np.random.default_rng(1).random((1, network.layout.inputs)).astype(np.float32)
    order = np.random.default_rng(2).permutation(12)
    turned = features.copy()
    turned[0, 40:148] = features[0, 40:148].reshape(12, 9)[order].ravel()
    logits, values = network.evaluate(features)
    other, same = network.evaluate(turned)
    np.testing.assert_allclose(same, values, atol=1e-5)
    np.testing.assert_allclose(other[0, 8:56].reshape(12, 4), logits[0, 8:56].reshape(12, 4)[order], atol=1e-4)
    np.testing.assert_allclose(other[0, 56:], logits[0, 56:], atol=1e-4)


@pytest.mark.parametrize(
    ("sizes", "sentence"),
    [
        ({"begin": 80}, "within its inputs"),
        ({"slots": 30}, "within its actions"),
        ({"row_width": 24}, "multiple of 16"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(sizes: dict[str, int], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        _rows(AZUL, TWO, **sizes)


def test_a_table_is_found_by_the_name_of_its_block() -> None:
    blocks = (Block("table", (10,), "of no rows"), Block("cells", (6, 4, 2), "of rows"), Block("rest", (3,), ""))
    spec = dataclasses.replace(AZUL.spec, blocks=lambda options: blocks)
    found = dataclasses.replace(AZUL, spec=spec)
    layout = rows_layout(found, TWO, "cells", slots=4, width=16)
    assert (layout.begin, layout.rows, layout.columns, layout.inputs) == (10, 6, 8, 61)
    for name in ("table", "hats"):
        with pytest.raises(BadInput, match=f"no table named {name}"):
            rows_layout(found, TWO, name, slots=4)


def test_many_and_one_all_and_legal_give_the_same_bits() -> None:
    network = bold(AZUL, TWO, width=64)
    features = _observations(AZUL, TWO, 6)
    logits, values = network.evaluate(features)
    halves = network.evaluate(features, threads=2)
    assert np.array_equal(logits, halves[0])
    assert np.array_equal(values, halves[1])
    for k in range(6):
        legal = legal_of(AZUL, middle_of(AZUL, 4 * k, seed=k))
        own_logits, own_values = network.evaluate_one(features[k], legal)
        assert np.array_equal(own_logits, logits[k, legal])
        assert np.array_equal(own_values, values[k])


def test_a_file_of_halves_is_small_and_nearly_the_same(tmp_path: Path) -> None:
    network = untrained(AZUL, TWO, width=512, blocks=2, layers=2)
    size = network.save(tmp_path / "net.safetensors").stat().st_size
    assert size <= 3 * 2**20
    again = load(tmp_path / "net.safetensors")
    assert again.parameters == network.parameters > 1_200_000
    assert again.layout == network.layout
    assert again.options == {"players": [2]}
    for name, array in network.arrays.items():
        np.testing.assert_allclose(again.arrays[name], array, rtol=1e-3, atol=1e-7)


def test_files_of_the_first_format_have_no_norm_and_are_still_read(tmp_path: Path) -> None:
    network = bold(AZUL, TWO, width=16, norm=0)
    path = network.save(tmp_path / "net.safetensors", half=False)
    layout = {name: size for name, size in network.layout.to_json().items() if name != "norm"}
    _change(path, format="ludens network 1", layout=layout)
    again = load_for(path, AZUL, TWO)
    assert again.layout.norm == 0
    features = _observations(AZUL, TWO, 2)
    assert np.array_equal(again.evaluate(features)[0], network.evaluate(features)[0])
    _change(path, format="ludens network 2")
    with pytest.raises(BadInput, match="described by inputs, actions"):
        load(path)


def test_numbers_too_large_for_halves_are_not_saved(tmp_path: Path) -> None:
    network = untrained(AZUL, TWO, width=16, blocks=0)
    network.arrays["policy.bias"][3] = 1e6
    with pytest.raises(BadInput, match=r"policy\.bias"):
        network.save(tmp_path / "net.safetensors")
    assert list(tmp_path.iterdir()) == []
    network.save(tmp_path / "net.safetensors", half=False)
    assert load(tmp_path / "net.safetensors").arrays["policy.bias"][3] == 1e6


def test_a_file_keeps_how_a_search_uses_its_network_best(tmp_path: Path) -> None:
    network = replace(untrained(AZUL, TWO, width=16, blocks=1), search={"value_weight": 0.5, "prior_temperature": 3.0})
    assert load(network.save(tmp_path / "net.safetensors")).search == {"value_weight": 0.5, "prior_temperature": 3.0}


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    return untrained(AZUL, TWO, width=16, blocks=1).save(tmp_path / "net.safetensors")


def _change(path: Path, **about: Any) -> None:
    arrays, metadata = read_arrays(path)
    texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in about.items()}
    write_arrays(path, arrays, {**metadata, **texts})


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        ({"game": "catan@1"}, r"the network is for catan@1, not for azul@\d+\."),
        ({"game": "azul@99"}, r"the network is for azul@99, not for azul@\d+\."),
        ({"features": "99"}, r"reads version 99 of the features of azul, which are at version \d+\."),
        ({"options": {"players": [3, 4]}}, r"the network is for players 3 or 4, not for 2\."),
        ({"options": {"hats": ["on"]}}, r"the network is for hats on, not for None\."),
        ({"options": {"players": 2}}, r"does not tell what its network is for"),
        ({"options": "[1]"}, r"does not tell what its network is for"),
        ({"features": "many"}, r"does not tell what its network is for"),
        ({"layout": "{"}, r"does not tell what its network is for"),
        ({"training": "3"}, r"does not tell what its network is for"),
        ({"search": "[]"}, r"does not tell what its network is for"),
        ({"search": {"depth": 3}}, r"does not tell what its network is for"),
        ({"search": {"value_weight": 1.5}}, r"does not tell what its network is for"),
        ({"search": {"prior_temperature": "2"}}, r"does not tell what its network is for"),
        ({"format": "other"}, r"holds no network of Ludens"),
        ({"layout": {"architecture": "deep"}}, r"unknown architecture"),
        ({"layout": {"architecture": "plain"}}, r"described by inputs, actions"),
    ],
)
def test_files_for_something_else_are_refused(about: dict[str, Any], sentence: str, sound: Path) -> None:
    load_for(sound, AZUL, TWO)
    _change(sound, **about)
    with pytest.raises(BadInput, match=sentence) as refused:
        load_for(sound, AZUL, TWO)
    assert str(refused.value).count(". ") == 0


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"width": 32}, r"blocks\.0\.0\.bias is 16, not 32"),
        ({"width": 17}, "multiple of 16"),
        ({"blocks": 2}, r"blocks\.1\.0\.bias is missing, not 16"),
        ({"blocks": 0}, r"blocks\.0\.0\.bias is 16, not missing"),
        ({"blocks": -1}, "blocks from 0 to 64, not -1"),
        ({"inputs": 1 << 60}, "inputs from 1"),
        ({"seats": True}, "seats from 1 to 16, not True"),
        ({"layers": 3}, "layers from 1 to 2"),
        ({"actions": 12}, r"policy\.bias is 306, not 12"),
        ({"auxiliary": {"a b": 1}}, "auxiliary head"),
        ({"auxiliary": 3}, "auxiliary"),
    ],
)
def test_shapes_that_do_not_fit_their_layout_are_refused(changes: dict[str, Any], sentence: str, sound: Path) -> None:
    _change(sound, layout={**load(sound).layout.to_json(), **changes})
    with pytest.raises(BadInput, match=sentence):
        load(sound)


@pytest.mark.parametrize("changes", [{"inputs": 9}, {"actions": 305}, {"seats": 1}])
def test_a_shape_that_does_not_fit_the_game_is_refused(changes: dict[str, int], tmp_path: Path) -> None:
    layout = PlainLayout.from_json({**untrained(AZUL, TWO, width=16).layout.to_json(), **changes})
    arrays = layout.untrained(np.random.default_rng(0))
    network = Network(AZUL.spec.identity, AZUL.spec.features_version, {}, layout, arrays)
    needed = f"needs {AZUL.spec.observation_size(TWO)}, 306 and 2\\."
    with pytest.raises(BadInput, match=needed):
        load_for(network.save(tmp_path / "net.safetensors"), AZUL, TWO)


def test_another_number_of_players_is_refused(sound: Path) -> None:
    with pytest.raises(BadInput, match=r"for players 2, not for 3"):
        load_for(sound, AZUL, AZUL.options({"players": 3}))


def test_a_layout_survives_json() -> None:
    layout = PlainLayout(inputs=5, actions=3, seats=2, width=16, blocks=0, auxiliary={"points": 2})
    assert PlainLayout.from_json(json.loads(json.dumps(layout.to_json()))) == layout

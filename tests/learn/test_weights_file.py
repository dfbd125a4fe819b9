"""The file of named arrays: as the safetensors package reads and writes it, and strict."""

from __future__ import annotations

import json
import pickle
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.core.errors import BadInput
from ludens.networks import weights_file
from ludens.networks.weights_file import read_arrays, write_arrays

ARRAYS: dict[str, np.ndarray] = {
    "b.weight": np.arange(6, dtype=np.float32).reshape(2, 3),
    "a": np.array([0.5, -2], np.float16),
    "empty": np.zeros((0, 4), np.float32),
    "number": np.array(3.25, np.float32),
}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_arrays(tmp_path / "x.safetensors", ARRAYS, {"game": "azul@1", "word": "größer"})
    arrays, metadata = read_arrays(tmp_path / "x.safetensors")
    assert metadata == {"game": "azul@1", "word": "größer"}
    assert set(arrays) == set(ARRAYS)
    for name, array in arrays.items():
        assert array.dtype == np.float32
        assert array.tolist() == ARRAYS[name].tolist()


def test_the_safetensors_package_reads_and_writes_the_same(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors")
    from safetensors.numpy import load_file, save_file

    write_arrays(tmp_path / "ours.safetensors", ARRAYS, {"game": "azul@1"})
    theirs = load_file(tmp_path / "ours.safetensors")
    assert {name: array.tolist() for name, array in theirs.items()} == {k: v.tolist() for k, v in ARRAYS.items()}
    with safetensors.safe_open(tmp_path / "ours.safetensors", "np") as file:
        assert file.metadata() == {"game": "azul@1"}
    save_file(
        {name: np.atleast_1d(array) for name, array in ARRAYS.items()}, tmp_path / "theirs.safetensors", {"x": "y"}
    )
    arrays, metadata = read_arrays(tmp_path / "theirs.safetensors")
    assert metadata == {"x": "y"}
    assert arrays["b.weight"].tolist() == ARRAYS["b.weight"].tolist()


def _file(header: Any, data: bytes = b"", length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def _entry(**changes: Any) -> dict[str, Any]:
    return {"dtype": "F32", "shape": [1], "data_offsets": [0, 4], **changes}


ONE = b"\0" * 4
BAD: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "too short"),
    "short": (b"\0" * 7, "too short"),
    "a pickle": (pickle.dumps({"x": 1}, protocol=4) + b"\0" * 64, "header"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "larger than a mebibyte"),
    "a huge header": (_file({}, length=1 << 62), "larger than a mebibyte"),
    "a long header": (_file({}, length=1000), "cut off"),
    "no JSON": (_file(b"{]"), "not JSON"),
    "no text": (_file(b"\xff\xfe\xfd"), "not JSON"),
    "nested": (_file(b"[" * 200_000), "not JSON"),
    "a list": (_file([1]), "no list of arrays"),
    "a name twice": (_file(b'{"a":{},"a":{}}'), "not JSON"),
    "metadata of numbers": (_file({"__metadata__": {"a": 1}}), "metadata"),
    "metadata as text": (_file({"__metadata__": "a"}), "metadata"),
    "no entry": (_file({"a": 4}), "described"),
    "more than an entry": (_file({"a": _entry(more=1)}, ONE), "described"),
    "integers": (_file({"a": _entry(dtype="I32")}, ONE), "neither float32 nor float16"),
    "a list for a type": (_file({"a": _entry(dtype=["F32"])}, ONE), "neither"),
    "a negative size": (_file({"a": _entry(shape=[-1])}, ONE), "no list of sizes"),
    "a true size": (_file({"a": _entry(shape=[True])}, ONE), "no list of sizes"),
    "a size in words": (_file({"a": _entry(shape="1")}, ONE), "no list of sizes"),
    "an enormous size": (_file({"a": _entry(shape=[1 << 50])}, ONE), "no list of sizes"),
    "many dimensions": (_file({"a": _entry(shape=[1] * 9)}, ONE), "no list of sizes"),
    "one place": (_file({"a": _entry(data_offsets=[0])}, ONE), "no list of sizes"),
    "the wrong place": (_file({"a": _entry(data_offsets=[0, 8])}, ONE * 2), "does not stand"),
    "backwards": (_file({"a": _entry(data_offsets=[4, 0])}, ONE), "does not stand"),
    "a gap": (_file({"a": _entry(data_offsets=[4, 8])}, ONE * 2), "does not stand"),
    "overlap": (_file({"a": _entry(), "b": _entry()}, ONE), "does not stand"),
    "truncated": (_file({"a": _entry(shape=[3], data_offsets=[0, 12])}, ONE), "cut off: 8 bytes"),
    "too long": (_file({"a": _entry()}, ONE * 3), "8 bytes at its end belong to no array"),
    "not a number": (_file({"a": _entry()}, struct.pack("<f", float("nan"))), "not finite"),
    "infinite": (_file({"a": _entry()}, struct.pack("<f", float("inf"))), "not finite"),
    "infinite halves": (_file({"a": _entry(dtype="F16", data_offsets=[0, 2])}, b"\x00\x7c"), "not finite"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_anything_else_is_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    data, words = BAD[name]
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(BadInput, match=words) as refused:
        read_arrays(tmp_path / "x")
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("cut", [1, 4, 20, 60])
def test_every_cut_of_a_sound_file_is_noticed(cut: int, tmp_path: Path) -> None:
    whole = write_arrays(tmp_path / "x", ARRAYS, {}).read_bytes()
    (tmp_path / "x").write_bytes(whole[:-cut])
    with pytest.raises(BadInput):
        read_arrays(tmp_path / "x")


def test_a_missing_file_a_folder_and_a_very_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="no such file"):
        read_arrays(tmp_path / "nothing")
    with pytest.raises(BadInput, match="Cannot read"):
        read_arrays(tmp_path)
    write_arrays(tmp_path / "x", ARRAYS, {})
    monkeypatch.setattr(weights_file, "LARGEST_FILE", 10)
    with pytest.raises(BadInput, match="more than"):
        read_arrays(tmp_path / "x")


def test_a_refused_file_is_never_unpickled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> Callable[[], None]:
        raise AssertionError("nothing may be unpickled")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, forbidden)
    (tmp_path / "x").write_bytes(BAD["a pickle"][0])
    with pytest.raises(BadInput):
        read_arrays(tmp_path / "x")

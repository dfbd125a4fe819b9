"""Checkpoints: everything a training has to remember, in one JSON file with arrays as base64.

Nothing in such a file can be run. It is written whole or not at all, so a full disk or a kill loses what came after
the last checkpoint and nothing else; one of another game, version, features or plan is refused by name.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.files import read_json, write_text
from ludens.core.renamed import training_with_new_names

__all__ = ["Checkpoint", "at_work_in", "kept_report_every", "read_checkpoint", "write_checkpoint"]

_FORMAT = "ludens-training/1"
_TYPES = ("float64", "float32", "int64", "int32", "int16", "int8", "uint64", "uint8")


@dataclass(frozen=True)
class Checkpoint:
    """A training after some steps."""

    identity: dict[str, Any]  # what it is a training of: game, features, algorithm, options, settings, seed
    step: int  # steps made
    arrays: dict[str, np.ndarray]  # of the learner
    facts: dict[str, Any]  # of the learner
    course: dict[str, Any]  # of the training: rows of the curve, figures since the last, evaluations


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Writes it whole, or leaves the file as it was."""
    document = {
        "format": _FORMAT,
        "identity": checkpoint.identity,
        "step": checkpoint.step,
        "facts": checkpoint.facts,
        "course": checkpoint.course,
        "arrays": {name: _packed(array) for name, array in checkpoint.arrays.items()},
    }
    write_text(path, json.dumps(document) + "\n")


def read_checkpoint(path: Path, identity: Mapping[str, Any], renamed: Mapping[str, str] | None = None) -> Checkpoint:
    """The checkpoint of a file, if it belongs to this training; anything else is refused in a sentence.

    One whose settings have former names (`renamed`) is compared by those that both have; its curve begins anew.
    """
    document = read_json(path, "is no checkpoint")
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise BadInput(f"{path} is no checkpoint: its format is not {_FORMAT}.")
    missing = [key for key in ("identity", "step", "facts", "course", "arrays") if key not in document]
    if missing or not _sound(document):
        raise BadInput(f"{path} is no checkpoint: it lacks {', '.join(missing) or 'what it should hold'}.")
    document["identity"] = training_with_new_names(document["identity"])
    own_identity = json.loads(json.dumps(dict(identity)))
    if any(name in (renamed or {}) for name in document["identity"].get("settings", {})):
        document["identity"] = _renamed(document["identity"], own_identity, renamed or {})
        document["course"] = {"rows": [], "since": [], "evaluations": []}
    for key, wanted in own_identity.items():
        found = document["identity"].get(key)
        if found != wanted:
            told, own = _difference(key, found, wanted)
            raise BadInput(f"The checkpoint {path} has {told}, this training has {own}.")
    arrays = {name: _unpacked(path, name, entry) for name, entry in document["arrays"].items()}
    return Checkpoint(document["identity"], int(document["step"]), arrays, document["facts"], document["course"])


def _renamed(found: dict[str, Any], wanted: dict[str, Any], renamed: Mapping[str, str]) -> dict[str, Any]:
    """The identity with the present names of its settings; those that it does not know are the training's own."""
    told = {renamed.get(name, name): value for name, value in found["settings"].items()}
    if "against" in told:
        told["against"] = ["league" if code == "past" else code for code in told["against"]]
    settings = {name: told.get(name, value) for name, value in wanted["settings"].items()}
    algorithm = wanted["algorithm"] if found["algorithm"] == "selfplay" else found["algorithm"]
    return {**found, "settings": settings, "algorithm": algorithm}


def _sound(document: dict[str, Any]) -> bool:
    """Is everything of its kind: tables, a number of steps, and rows of figures?"""
    tables = all(isinstance(document[key], dict) for key in ("identity", "facts", "course", "arrays"))
    if not tables or type(document["step"]) is not int or document["step"] < 0:
        return False
    figures = [document["course"].get(key) for key in ("rows", "since", "evaluations")]
    if not all(isinstance(part, list) and all(isinstance(row, dict) for row in part) for part in figures):
        return False
    rows = figures[0]
    return all(
        row.keys() == rows[0].keys() and all(isinstance(one, int | float) for one in row.values()) for row in rows
    )


def kept_report_every(path: Path) -> int | None:
    """Over how many steps the rows of a checkpoint are means; None where there is none that can be read."""
    try:
        found = read_json(path, "is no checkpoint")["identity"]["report_every"]
    except (BadInput, KeyError, TypeError):
        return None
    return found if type(found) is int and found >= 1 else None


def _difference(key: str, found: Any, wanted: Any) -> tuple[str, str]:
    """How two values differ: of tables only what is not equal."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        names = [name for name in {**wanted, **found} if found.get(name) != wanted.get(name)]
        found, wanted = ({name: table.get(name) for name in names} for table in (found, wanted))
    return f"{key} {_short(found)}", f"{key} {_short(wanted)}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else f"{text[:200]}…"


def _packed(array: np.ndarray) -> dict[str, Any]:
    data = np.asarray(array, order="C")
    return {
        "type": data.dtype.name,
        "shape": list(data.shape),
        "data": base64.b64encode(data.astype(data.dtype.newbyteorder("<")).tobytes()).decode(),
    }


def _unpacked(path: Path, name: str, entry: Any) -> np.ndarray:
    try:
        if entry["type"] not in _TYPES:
            raise ValueError(entry["type"])
        data = base64.b64decode(entry["data"], validate=True)
        array = np.frombuffer(data, np.dtype(entry["type"]).newbyteorder("<")).reshape(entry["shape"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{path} is no checkpoint: its array {name!r} is damaged.") from error
    return array.astype(np.dtype(entry["type"]))


@contextmanager
def at_work_in(folder: Path) -> Iterator[None]:
    """Keeps others out while the block lasts; the system forgets it with the process, however that ends."""
    try:
        import fcntl
    except ImportError:  # where folders cannot be locked, people look after them
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BadInput(f"Another training is at work in {folder}; wait for it, or choose another --out.") from error
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(handle)

"""Reading and writing files: each is written whole or left as it was; what is no JSON is refused in a sentence."""

from __future__ import annotations

import json
import math
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

from ludens.core.errors import BadInput

__all__ = [
    "check_target",
    "is_finite_number",
    "make_folder",
    "read_bytes",
    "read_json",
    "read_text",
    "write_bytes",
    "write_text",
]


def check_target(path: str | Path) -> Path:
    """The absolute path of a file that may be written; a missing folder or a non-file is refused."""
    target = Path(os.path.realpath(Path(path).expanduser()))
    if not target.parent.is_dir():
        raise BadInput(f"Cannot write {path}: the folder {target.parent} does not exist.")
    if target.exists() and not target.is_file():
        raise BadInput(f"Cannot write {path}: it exists and is not a file.")
    return target


def make_folder(path: str | Path) -> Path:
    """The folder, made with those around it where it is not there; one that cannot be is refused."""
    folder = Path(path).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"Cannot make the folder {path}: {error.strerror}.") from error
    return folder


def write_text(path: str | Path, text: str) -> Path:
    """`write_bytes` of a text."""
    return write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | Path, data: bytes) -> Path:
    """Writes a temporary file in the same folder and renames it: an interruption leaves the old file."""
    target = check_target(path)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise BadInput(f"Cannot write {path}: {error.strerror}.") from error
    finally:
        with suppress(OSError):  # where nothing can be written, nothing is left
            part.unlink()
    return target


def read_text(path: str | Path) -> str:
    """The text of a file; one that is missing, unreadable or not text is refused."""
    try:
        return Path(path).expanduser().read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"Cannot read {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"Cannot read {path}: it is not a text file.") from error


def read_bytes(path: str | Path, largest: int) -> bytes:
    """The bytes of a file; one that is missing, unreadable or larger than that is refused."""
    source = Path(path).expanduser()
    try:
        if not source.is_file():
            raise BadInput(f"Cannot read {path}: there is no such file.")
        if source.stat().st_size > largest:
            raise BadInput(f"Cannot read {path}: it has more than {largest >> 20} MiB.")
        return source.read_bytes()
    except OSError as error:
        raise BadInput(f"Cannot read {path}: {error.strerror}.") from error


def read_json(path: str | Path, what: str) -> Any:
    """The JSON of a file; `what`, such as "holds no weights", begins the complaint about any other."""
    text = read_text(path)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} {what}: it is not JSON, or it is cut off.") from error


def is_finite_number(value: Any) -> bool:
    """Is this a number that a float can hold? Truth values are none."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False

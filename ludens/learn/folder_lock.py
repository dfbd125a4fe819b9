"""A folder in which one training is at work at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludens.core.errors import BadInput

__all__ = ["at_work_in"]


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

"""The process that compiles one game into the cache: a line of JSON after every task, the end when the server ends."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time

from filelock import FileLock

from ludens.agents.warming import agent_tasks, choose_once, match_tasks
from ludens.core import registry
from ludens.core.kernel_cache import cache_folder, stored
from ludens.server.preparing.stamps import note
from ludens.server.thinking.worker import load_plugins

__all__ = ["agent_main", "main"]

_compiling: FileLock | None = None  # held until the process ends


def main() -> None:
    """Arguments: the game, then the plugins."""
    name, *plugins = sys.argv[1:]
    with contextlib.suppress(AttributeError, OSError):
        os.nice(5)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    load_plugins(tuple(plugins))
    _wait_for_others()
    game, began = registry.game(name), time.time() - 2  # seconds; file systems round
    first, later = list(match_tasks(game)), list(agent_tasks(game))
    total = len(first) + len(later)
    for number, (task, run) in enumerate([*first, *later], 1):
        run()
        said = {"task": task, "done": number, "total": total, "playable": number >= len(first)}
        print(json.dumps(said), flush=True)
    note(name, tuple(plugins), [kernel.path.name for kernel in stored() if kernel.used >= began])


def _wait_for_others() -> None:
    """Several servers may share the cache: what one compiles the others find there. The end of a process frees it."""
    global _compiling
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        _compiling = FileLock(cache_folder() / "preparing.lock")
        _compiling.acquire()
    except OSError:  # nothing can be written there: each compiles for itself
        return


def agent_main() -> None:
    """Compiles what one agent needs; arguments: the game, the agent's code, the options in JSON, then the plugins."""
    name, code, options, *plugins = sys.argv[1:]
    with contextlib.suppress(AttributeError, OSError):
        os.nice(5)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    load_plugins(tuple(plugins))
    _wait_for_others()
    choose_once(registry.game(name), code, json.loads(options))


if __name__ == "__main__":
    main()

"""The process that plays one tournament: a line of JSON every moment, the end when the server closes its pipe."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time

from ludens.core.errors import BadInput
from ludens.play.engine import Progress
from ludens.play.executors import executor_for
from ludens.play.results import ResultsFile
from ludens.play.tournament import play_tournament
from ludens.server.thinking.worker import load_plugins

__all__ = ["main"]

_EVERY = 0.3  # seconds between two lines
_PATIENCE = 3.0  # seconds for the games that are finished to be stored; those in flight are lost


class _Stopped(Exception):
    """The server has closed the pipe."""


def main() -> None:
    """Arguments: the file of results, how many processes play, then the plugins."""
    path, workers, *plugins = sys.argv[1:]
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10)  # people at tables come first
    stopped = threading.Event()

    def watch() -> None:
        sys.stdin.read()
        stopped.set()
        time.sleep(_PATIENCE)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    load_plugins(tuple(plugins))
    told = 0.0

    def report(progress: Progress) -> None:
        nonlocal told
        if stopped.is_set():
            raise _Stopped
        if time.monotonic() - told >= _EVERY:
            told = time.monotonic()
            print(json.dumps(_line(progress)), flush=True)

    try:
        with ResultsFile(path) as file:
            run = file.run()
        schedule = run.continued()
        # A game of a plugin is known in this process alone.
        with executor_for(max(1, int(workers)) if schedule.portable else 1) as executor:
            play_tournament(schedule, path, run.name, report=report, executor=executor)
    except _Stopped:
        return
    except BadInput as error:
        print(json.dumps({"trouble": str(error)}), flush=True)


def _line(progress: Progress) -> dict[str, object]:
    return {
        "finished": progress.finished,
        "seconds_left": progress.seconds_left,
        "in_flight": [
            {"number": one.number, "decisions": one.decisions, "seconds": round(one.seconds, 1)}
            for one in progress.in_flight
        ],
    }


if __name__ == "__main__":
    main()

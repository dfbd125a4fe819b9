"""What a GPU does over and over: functions compiled by torch, and work on the same tensors recorded as graphs.

Compiling halves the time of an update and changes no result. A graph is one launch instead of dozens: what is recorded
must read and write the same memory every time, wait for nothing, and draw no random numbers. It may call compiled
functions: they are compiled before, in the first runs.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import torch

__all__ = ["Compiled", "Name", "Recorded"]


class Compiled:
    """Calls a function, compiled if `wanted`; where its compilation fails, as it is, after one warning."""

    def __init__(self, function: Callable[..., Any], wanted: bool) -> None:
        self._plain = self._function = function
        self.compiled = wanted
        if wanted:
            self._function = torch.compile(function, dynamic=False)

    def __call__(self, *arguments: Any) -> Any:
        if not self.compiled:
            return self._plain(*arguments)
        try:
            return self._function(*arguments)
        except torch.OutOfMemoryError:
            raise
        except Exception as error:  # no compiler, no Triton, an unsupported operation: slower, not wrong
            if torch.cuda.is_available() and torch.cuda.is_current_stream_capturing():  # the recording failed
                raise
            warnings.warn(f"Running without compilation, because it failed: {error!r:.300}", stacklevel=2)
            self.compiled, self._function = False, self._plain
            return self._plain(*arguments)


Name = tuple[Any, ...]
"""What a piece of work is called: its kind and whatever distinguishes it from others of this kind."""

_PLAIN_RUNS = 2  # of a piece of work before it is recorded: it compiles, and its memory is found


class Recorded:
    """Runs pieces of work by name: plainly at first, from the third time on as a recorded graph if `wanted`.

    All is in order with the current stream. Where recording fails, work of that kind is done plainly from then on,
    after one warning.
    """

    def __init__(self, wanted: bool, device: torch.device) -> None:
        self.wanted = wanted
        self._device = device
        self._stream = torch.cuda.Stream(device) if wanted else None
        self._pool = torch.cuda.graph_pool_handle() if wanted else None
        self._graphs: dict[Name, Any] = {}
        self._runs: dict[Name, int] = {}
        self._failed: set[Any] = set()

    def __len__(self) -> int:
        return len(self._graphs)

    def forget(self) -> None:
        """Memory that was recorded has moved: everything begins anew."""
        if self._graphs:
            torch.cuda.synchronize()
        self._graphs.clear()
        self._runs.clear()

    def run(self, name: Name | None, work: Callable[..., None], *arguments: Any) -> None:
        """`work(*arguments)`, which are the same for the same name; with the name None never as a graph."""
        graph = None
        if self.wanted and name is not None and name[0] not in self._failed:
            graph = self._graphs.get(name)
            made = self._runs[name] = self._runs.get(name, 0) + 1
            if graph is None and made > _PLAIN_RUNS:
                graph = self._record(name, work, arguments)
        if graph is not None:
            graph.replay()
            return
        if self._stream is None:
            work(*arguments)
            return
        # On the stream of the recording: autograd remembers the stream on which it first met a parameter.
        current = torch.cuda.current_stream(self._device)
        self._stream.wait_stream(current)
        with torch.cuda.stream(self._stream):
            work(*arguments)
        current.wait_stream(self._stream)

    def _record(self, name: Name, work: Callable[..., None], arguments: tuple[Any, ...]) -> Any:
        """The graph of the work, which is not done by recording it; None where that fails."""
        graph, collecting = torch.cuda.CUDAGraph(), gc.isenabled()
        torch.cuda.synchronize()
        gc.disable()  # what is thrown away meanwhile may call the driver, which refuses that now
        try:
            with torch.cuda.stream(self._stream):
                graph.capture_begin(pool=self._pool, capture_error_mode="thread_local")
                try:
                    work(*arguments)
                except BaseException:
                    with suppress(Exception):
                        graph.capture_end()
                    raise
                graph.capture_end()
        except Exception as error:  # slower, not wrong
            words = f"Running without a recorded graph of {name[0]}, because it failed: {error!r:.500}"
            warnings.warn(words, stacklevel=3)
            self._failed.add(name[0])
            self._pool = torch.cuda.graph_pool_handle()  # the old one may be half-way
            return None
        finally:
            if collecting:
                gc.enable()
        self._graphs[name] = graph
        return graph

"""A clock for tests of how long something takes: it goes as fast as processes here get a core.

On a machine that has nothing else to do it is the clock on the wall. Where others use the cores, or the machine itself
is held back, five of its seconds are as much work as five seconds of a quiet machine.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile

__all__ = ["QuietClock"]

_PROGRAM = """
import os, struct, sys, time
file, parent, total = int(sys.argv[1]), int(sys.argv[2]), 0.0
while os.getppid() == parent:
    began, used = time.monotonic(), time.process_time()
    while time.process_time() - used < 0.01:
        pass
    part = (time.process_time() - used) / (time.monotonic() - began)
    time.sleep(0.05)
    total += min(1.0, part) * (time.monotonic() - began)
    os.pwrite(file, struct.pack("d", total), 0)
"""


class QuietClock:
    """A process beside works for a hundredth of a second again and again; the part of a core it gets is the rate."""

    def __enter__(self) -> QuietClock:
        self._file = tempfile.TemporaryFile()
        os.pwrite(self._file.fileno(), struct.pack("d", 0.0), 0)
        number = self._file.fileno()
        command = [sys.executable, "-S", "-c", _PROGRAM, str(number), str(os.getpid())]
        self._process = subprocess.Popen(command, pass_fds=(number,))
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._file.close()

    def seconds(self) -> float:
        """Seconds that the clock has gone."""
        return float(struct.unpack("d", os.pread(self._file.fileno(), 8, 0))[0])

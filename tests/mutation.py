"""`make mutation`: which faults, put into the code one at a time, do the tests notice?

    python -m tests.mutation rules/azul --sample 60 --seed 1

Cosmic Ray knows the faults. A part (`[tool.ludens.mutation]` in pyproject.toml) names the code that gets them and the
tests that should notice. Places in the code are drawn by a seed, and at every place one fault. Everything runs without
the compiler, in processes forked from one that has the libraries loaded; the files stay as they are. Tests that reach
the line run first, then the others. Left out are tests that take too long and tests that reach nothing of the part.
"""

from __future__ import annotations

import os

os.environ |= {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import argparse
import ast
import importlib
import json
import random
import re
import signal
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import coverage
import hypothesis
import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "build" / "mutation"
LIBRARIES = ("numpy", "numba", "scipy.stats", "scipy.optimize", "rich.console", "openskill.models")
# Decorators only compile, variables want names, and whether two numbers are one object says nothing about rules.
UNUSED = re.compile(r"RemoveDecorator|Variable|(Eq|Lt|LtE|Gt|GtE)_Is(Not)?$")
QUIET = ("-q", "-p", "no:cacheprovider", "--no-header", "--tb=no")


@dataclass(frozen=True)
class Mutant:
    """One fault: the operator's `occurrence`-th in the file."""

    path: str
    line: int
    column: int
    operator: str
    occurrence: int

    def source(self) -> str:
        mutated = mutate_code((ROOT / self.path).read_text(), get_operator(self.operator)(), self.occurrence)
        assert mutated is not None
        return str(mutated)

    def told(self) -> str:
        """The line as it was and as it is."""
        before, after = (text.splitlines() for text in ((ROOT / self.path).read_text(), self.source()))
        changed = next(((a, b) for a, b in zip(before, after) if a != b), ("", ""))
        return f"{self.path}:{self.line}: {changed[0].strip()}  →  {changed[1].strip()}"


@dataclass
class Baseline:
    """Which tests pass without a fault, how long they take and which lines they reach."""

    seconds: dict[str, float] = field(default_factory=dict)
    reached: dict[str, dict[str, list[str]]] = field(default_factory=dict)  # path, line: tests

    def order(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """The tests that reach the mutant's line, and the others; the fastest first."""
        reaching = set(self.reached.get(mutant.path, {}).get(str(mutant.line), ()))
        tests = sorted(self.seconds, key=lambda test: self.seconds[test])
        return [test for test in tests if test in reaching], [test for test in tests if test not in reaching]


class TooSlow(BaseException):
    """A test has used up its time."""


def too_slow(*_: object) -> None:
    raise TooSlow


class Recorder:
    """A pytest plug-in that measures tests one by one, and breaks off those that are too slow."""

    def __init__(self, measured: coverage.Coverage, limit: float) -> None:
        self.measured, self.limit = measured, limit
        self.seconds, self.failed = defaultdict[str, float](float), set[str]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.measured.switch_context(item.nodeid)
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, object, object]:
        signal.signal(signal.SIGPROF, too_slow)
        signal.setitimer(signal.ITIMER_PROF, self.limit)  # of the processor's time: others use the machine, too
        try:
            return (yield)
        except TooSlow:
            self.failed.add(pyfuncitem.nodeid)
            return True
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if not report.passed:
            self.failed.add(report.nodeid)


def files_of(part: dict[str, Any]) -> list[str]:
    """The files of a part that get faults."""
    found: list[Path] = []
    for name in part["code"]:
        found += [ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py")
    return sorted(path.relative_to(ROOT).as_posix() for path in found if path.name != "__init__.py")


def measure(part: dict[str, Any], limit: float, out: Path) -> int:
    """Runs the part's tests without a fault; writes the baseline."""
    files = files_of(part)
    measured = coverage.Coverage(data_file=None, include=[str(ROOT / path) for path in files], config_file=False)
    recorder = Recorder(measured, limit)
    measured.start()
    tests = [str(path) for pattern in part["tests"] for path in sorted(ROOT.glob(pattern))]
    pytest.main([*QUIET, *tests], plugins=[recorder])
    measured.stop()
    data, found = measured.get_data(), Baseline()
    found.seconds = {test: s for test, s in recorder.seconds.items() if test not in recorder.failed}
    for path in files:
        lines = data.contexts_by_lineno(str(ROOT / path)).items()
        found.reached[path] = {str(line): [test for test in tests if test in found.seconds] for line, tests in lines}
    useful = {test for lines in found.reached.values() for tests in lines.values() for test in tests}
    found.seconds = {test: seconds for test, seconds in found.seconds.items() if test in useful}
    out.write_text(json.dumps(asdict(found)))
    return 0


def examine(mutant: Mutant, baseline: Baseline) -> int:
    """Runs the tests with the fault; 0 if none of them fails."""
    path, source, load = str(ROOT / mutant.path), mutant.source(), SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, name: str) -> Any:
        return compile(source, path, "exec", dont_inherit=True) if self.path == path else load(self, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    for tests in baseline.order(mutant):
        if tests and (code := pytest.main([*QUIET, "-x", *tests])):
            return int(code)
    return 0


def mutants(path: str) -> Iterator[list[Mutant]]:
    """The faults for every place of a file where there are any."""
    source, places = (ROOT / path).read_text(), defaultdict[tuple[int, int], list[Mutant]](list)
    nodes, spared = list(ast_nodes(get_ast(source))), spared_places(source)
    for name in operator_names():
        if UNUSED.search(name):
            continue
        operator, occurrence = get_operator(name)(), 0
        for node in nodes:
            for (line, column), _end in operator.mutation_positions(node):
                if not any(first <= (line, column) < last for first, last in spared):
                    places[line, column].append(Mutant(path, line, column, name, occurrence))
                occurrence += 1
    yield from places.values()


def spared_places(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Annotations, decorators and bodies of protocols: faults there change nothing that runs."""
    spared: list[ast.AST] = []
    for node in ast.walk(ast.parse(source)):
        spared += getattr(node, "decorator_list", [])
        spared += [part for name in ("annotation", "returns") if (part := getattr(node, name, None)) is not None]
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            spared.append(node)
    return [((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in spared]  # type: ignore[attr-defined]


def fork(task: Callable[[], int], log: Path) -> int:
    """Runs the task in a process of its own; its id."""
    pid = os.fork()
    if pid:
        return pid
    code = 3
    try:
        os.setsid()
        with log.open("w") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
            code = task()
    finally:
        os._exit(code)


def run_all(chosen: list[Mutant], baseline: Baseline, jobs: int) -> list[dict[str, Any]]:
    """What has become of every mutant: survived, noticed, or noticed because it went on for ever."""
    waiting, running, found = list(reversed(chosen)), dict[int, tuple[Mutant, float]](), list[dict[str, Any]]()
    limit = 60 + 10 * sum(baseline.seconds.values())
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            pid = fork(partial(examine, mutant, baseline), RESULTS / f"mutant-{len(waiting)}.log")
            running[pid] = mutant, time.monotonic()
        for pid, (mutant, started) in list(running.items()):
            ended, status = os.waitpid(pid, os.WNOHANG)
            late = not ended and time.monotonic() - started > limit
            if late:
                os.killpg(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            elif not ended:
                continue
            del running[pid]
            verdict = "endless" if late else "survived" if status == 0 else "noticed"
            found.append({"verdict": verdict, **asdict(mutant)})
            if verdict != "noticed":
                print(f"{verdict:9} {mutant.told()}", flush=True)
        time.sleep(0.02)
    return found


def main() -> int:
    parts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ludens"]["mutation"]
    parser = argparse.ArgumentParser(prog="make mutation", description=__doc__)
    parser.add_argument("part", choices=list(parts))
    parser.add_argument("--sample", type=int, default=40, help="places that get a fault (40)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=5.0, help="seconds: slower tests are left out (5)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--again", action="store_true", help="try what survived last time, and that alone")
    words = parser.parse_args()
    part, name = parts[words.part], words.part.replace("/", "-")
    RESULTS.mkdir(parents=True, exist_ok=True)
    for library in (*LIBRARIES, *part.get("libraries", ())):
        importlib.import_module(library)
    hypothesis.settings.register_profile("mutation", deadline=None, derandomize=True, database=None)
    hypothesis.settings.load_profile("mutation")
    measured, result = RESULTS / f"{name}.baseline.json", RESULTS / f"{name}.json"
    measured.unlink(missing_ok=True)
    os.waitpid(fork(lambda: measure(part, words.limit, measured), RESULTS / f"{name}.baseline.log"), 0)
    baseline = Baseline(**json.loads(measured.read_text()))
    if not baseline.seconds:
        sys.exit(f"No test of {words.part} passes: see {RESULTS / name}.baseline.log.")
    print(f"{len(baseline.seconds)} tests in {sum(baseline.seconds.values()):.0f} s", flush=True)
    if words.again:
        kept = [one for one in json.loads(result.read_text()) if one.pop("verdict") == "survived"]
        chosen = [Mutant(**one) for one in kept]
    else:
        places, draw = [place for path in files_of(part) for place in mutants(path)], random.Random(words.seed)
        chosen = [draw.choice(place) for place in draw.sample(places, min(words.sample, len(places)))]
    found = run_all(chosen, baseline, words.jobs)
    result.write_text(json.dumps(found, indent=1))
    survived = sum(one["verdict"] == "survived" for one in found)
    print(f"{words.part}: {len(found) - survived} of {len(found)} faults noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What a Ray cluster spends on playing and what on everything else, in CPU time, for several numbers of workers.

    python experiments/cluster/efficiency.py --workers 1 2 4 --games 200 --agents mcts:simulations=200 heuristic

Every worker is a node of one core on this machine (`ray.cluster_utils`), so that more workers than cores share them:
times on the wall then say nothing, and CPU time says what is asked. *Playing* is what agents think, as their clocks
measure it; the rest is rules, logs and storing (which one process pays as well), importing the package on every node,
and Ray. Linux only.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from ludens.core import registry
from ludens.play.cluster import RayCluster
from ludens.play.results import ResultsFile
from ludens.play.schedule import CPU, ClockRule, Schedule, one_table
from ludens.play.tournament import play_tournament


def seconds_of(process: int) -> float:
    """CPU time of a process that is running."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def family(ancestor: int) -> dict[int, str]:
    """All descendants of a process, with their command lines."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found: dict[int, str] = {}
    new = {ancestor}
    while new:
        new = {child for child, parent in parents.items() if parent in new and child not in found}
        for child in new:
            try:
                found[child] = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                found[child] = ""
    return found


def playing(path: Path) -> float:
    """CPU seconds that the agents have thought."""
    with ResultsFile(path) as file:
        return sum(float(row[-2]) for row in file.seat_rows(file.run()))


def measure(schedule: Schedule, workers: int) -> str:
    """A line of the table."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    for _ in range(workers - 1):
        cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    with tempfile.TemporaryDirectory() as folder, RayCluster(cluster.address) as executor:
        path, wall, own = Path(folder) / "a.db", time.monotonic(), time.process_time()
        before = {process: seconds_of(process) for process in family(os.getpid())}
        play_tournament(schedule, path, executor=executor)
        wall, own = time.monotonic() - wall, time.process_time() - own
        nodes = service = 0.0
        for process, words in family(os.getpid()).items():
            try:
                spent = seconds_of(process) - before.get(process, 0.0)
            except OSError:
                continue
            if words.startswith(("ray::_do_all", "ray::IDLE")):  # the processes that play
                nodes += spent
            else:
                service += spent
        thought = playing(path)
    cluster.shutdown()
    total = own + nodes + service
    return (
        f"| {workers} | {schedule.total} | {thought:.1f} s | {nodes - thought:.1f} s | {own:.1f} s | {service:.1f} s "
        f"| {thought / total:.0%} | {1000 * own / schedule.total:.1f} ms | {wall:.0f} s |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="azul")
    parser.add_argument("--agents", nargs="+", default=["mcts:simulations=200", "heuristic"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    given = parser.parse_args()
    root = str(Path(__file__).resolve().parents[2])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    series = one_table(registry.game(given.game), given.agents, given.games, merged=True)
    schedule = replace(series, clock=ClockRule(measure=CPU))
    heads = ("workers", "games", "playing", "nodes besides", "this process", "Ray", "share of playing")
    print(f"| {' | '.join((*heads, 'this process, a game', 'wall'))} |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    for workers in given.workers:
        print(measure(schedule, workers), flush=True)


if __name__ == "__main__":
    main()

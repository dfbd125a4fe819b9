"""Tournaments: the same games whatever interrupts them, stored whole; agents that fail lose with the reason."""

from __future__ import annotations

import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ludens.agents.random import RandomAgent
from ludens.core import registry
from ludens.core.agent import Clock
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.lab.sample import measure_sample
from ludens.networks.network import untrained
from ludens.play.engine import Estimate, Progress
from ludens.play.executors import Processes, ThisProcess
from ludens.play.game import play_game
from ludens.play.record import GameRecord, play_record
from ludens.play.results import ResultsFile, is_results_file
from ludens.play.schedule import FIXED, PERMUTATIONS, ROTATIONS, ClockRule, Player, Schedule, arrangements, identity_of
from ludens.play.tournament import play_tournament

AZUL = registry.game("azul")


def plan(
    *codes: str, games: int = 4, clock: ClockRule | None = None, seed: int = 3, seating: str = ROTATIONS
) -> Schedule:
    options = tuple(AZUL.options({**AZUL.spec.tournament, "players": 2}).tolist())
    meetings = itertools.combinations(range(len(codes)), 2)
    players = tuple(Player(code, code) for code in codes)
    return Schedule("azul", options, players, arrangements(meetings, seating), games, seed, clock=clock or ClockRule())


def all_games(path: Path, name: str = "run") -> list[GameRecord]:
    with ResultsFile(path) as file:
        run = file.run(name)
        return [file.game(run, number) for number in sorted(file.finished(run))]


def test_arrangements_by_hand() -> None:
    assert arrangements([(0, 1, 2)], ROTATIONS) == ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    assert len(arrangements([(0, 1, 2)], PERMUTATIONS)) == 6
    assert arrangements([(0, 0, 1)], PERMUTATIONS) == ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    assert arrangements([(0, 1), (1, 0)], ROTATIONS) == ((0, 1), (1, 0))
    assert arrangements([(1, 0)], FIXED) == ((1, 0),)
    thesis = itertools.combinations_with_replacement(range(6), 3)
    assert len(arrangements(thesis, PERMUTATIONS)) == 6**3


def test_all_arrangements_of_a_repetition_share_their_seed() -> None:
    found = plan("heuristic", "random", "heuristic:ties=random", games=3)
    seeds = [found.seed_of(number) for number in range(found.total)]
    assert len(found.arrangements) == 6
    assert [len(set(seeds[k * 6 : k * 6 + 6])) for k in range(3)] == [1, 1, 1]
    assert len(set(seeds)) == 3


def test_games_are_those_of_the_arena_and_are_stored_with_their_whole_log(tmp_path: Path) -> None:
    found = plan("heuristic", "random")
    play_tournament(found, tmp_path / "a.db", workers=1)
    with ResultsFile(tmp_path / "a.db") as file:
        run = file.run()
        for number in range(found.total):
            outcome = play_game(AZUL, found.option_array, found.codes(number), found.seed_of(number))
            stored, document = file.game(run, number), file.document(run, number)
            assert tuple(seat.score for seat in stored.seats) == outcome.scores
            assert [run.players[seat.player] for seat in stored.seats] == found.codes(number)
            match = Match.from_json(json.dumps(document))
            assert match.over
            assert tuple(match.returns()) == outcome.returns
            assert document["seats"] == found.codes(number)
            assert sum(seat.decisions for seat in stored.seats) == len(outcome.choices) == len(stored.times) // 4


def test_processes_and_interruptions_change_nothing(tmp_path: Path) -> None:
    found = plan("heuristic", "random", games=8)
    told: list[Progress] = []
    play_tournament(found, tmp_path / "whole.db", workers=1, report=told.append)
    assert (told[-1].finished, told[-1].total) == (16, 16)

    class Enough(Exception):
        pass

    def stop_after_five(progress: Progress) -> None:
        if progress.finished == 5:
            raise Enough

    with pytest.raises(Enough):
        play_tournament(found, tmp_path / "parts.db", workers=1, report=stop_after_five)
    assert len(all_games(tmp_path / "parts.db")) == 5
    play_tournament(found, tmp_path / "parts.db", workers=2)
    assert all_games(tmp_path / "parts.db") == all_games(tmp_path / "whole.db")
    play_tournament(found, tmp_path / "parts.db", workers=2)  # nothing is left to play
    assert len(all_games(tmp_path / "parts.db")) == 16


def test_a_run_can_be_lengthened_but_not_mixed(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    play_tournament(plan("heuristic", "random", games=1), path, workers=1)
    play_tournament(plan("heuristic", "random", games=2), path, workers=1)
    assert len(all_games(path)) == 4
    with pytest.raises(BadInput, match=r"holds a run 'run' with other seed; give another file or another name"):
        play_tournament(plan("heuristic", "random", seed=4), path)
    with pytest.raises(BadInput, match="with other players"):
        play_tournament(plan("random", "heuristic"), path)
    play_tournament(plan("random", "heuristic", games=1), path, "other", workers=1)
    with ResultsFile(path) as file:
        assert [run.name for run in file.runs()] == ["run", "other"]
        with pytest.raises(BadInput, match="holds 2 runs"):
            file.run()
        with pytest.raises(BadInput, match="did you mean other"):
            file.run("othr")


def test_a_file_that_was_just_begun_is_known_as_one_of_results(tmp_path: Path) -> None:
    with ResultsFile(tmp_path / "a.db", create=True) as file:
        file.begin("run", plan("heuristic", "random"))
        assert is_results_file(tmp_path / "a.db")  # while what was written may still be in the log of writes


def test_a_file_of_something_else_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "letter.db"
    path.write_text("Dear reader")
    with pytest.raises(BadInput, match="is not a file of results"):
        play_tournament(plan("heuristic", "random"), path)
    assert path.read_text() == "Dear reader"
    with pytest.raises(BadInput, match="no file of results"):
        ResultsFile(tmp_path / "nothing.db")
    with pytest.raises(BadInput, match="does not exist"):
        ResultsFile(tmp_path / "no" / "nothing.db", create=True)


_KILLED = """
import sys
from pathlib import Path
from tests.play.test_tournament import plan
from ludens.play.tournament import play_tournament
if __name__ == "__main__":
    play_tournament(plan("heuristic", "random", games=200), Path(sys.argv[1]), workers=int(sys.argv[2]))
"""


@pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")
@pytest.mark.parametrize("workers", [1, 2])
def test_kill_9_loses_only_the_games_in_flight(tmp_path: Path, workers: int) -> None:
    script, path = tmp_path / "killed.py", tmp_path / "a.db"
    script.write_text(_KILLED)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])}
    process = subprocess.Popen([sys.executable, str(script), str(path), str(workers)], env=environment)

    def stored() -> int:
        try:
            return len(all_games(path))
        except (BadInput, OSError):
            return 0

    end = time.monotonic() + 600
    while stored() < 20 and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = all_games(path)
    assert len(before) >= 20
    play_tournament(plan("heuristic", "random", games=200), path, workers=1)
    play_tournament(plan("heuristic", "random", games=200), tmp_path / "whole.db", workers=1)
    assert all_games(path) == all_games(tmp_path / "whole.db")


class Crashing(RandomAgent):
    """Fails at its third choice."""

    def __init__(self) -> None:
        self._choices = 0

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        self._choices += 1
        if self._choices == 3:
            raise RuntimeError("out of\nideas")
        return super().choose(view, legal, clock)


class Fatal(RandomAgent):
    """Takes its process with it."""

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        os._exit(3)


class Endless(RandomAgent):
    """Never answers."""

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        while True:
            sum(range(1000))


class Cheat(RandomAgent):
    """Answers nonsense."""

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        return -7


HERE = "tests.play.test_tournament"


@pytest.mark.parametrize(
    ("agent", "clock", "reason", "words"),
    [
        ("Crashing", ClockRule(), "crash", "failed: RuntimeError: out of ideas."),
        ("Cheat", ClockRule(), "illegal move", "answered -7"),
        ("Endless", ClockRule(move=0.1), "time", "and had 0.10 s left"),
        ("Endless", ClockRule(game=0.1, measure="cpu"), "time", "thought for"),
    ],
)
def test_an_agent_that_fails_loses_with_the_reason(
    tmp_path: Path, agent: str, clock: ClockRule, reason: str, words: str
) -> None:
    path, found = tmp_path / "a.db", plan(f"{HERE}:{agent}", "random", games=1, clock=clock)
    play_tournament(found, path, workers=1)
    with ResultsFile(path) as file:
        run = file.run()
        for number, seat in ((0, 0), (1, 1)):
            game = file.game(run, number)
            assert (game.reason, game.culprit) == (reason, seat)
            assert words in game.error
            assert [one.result for one in game.seats] == ([-1.0, 1.0] if seat == 0 else [1.0, -1.0])
            document = file.document(run, number)
            assert document["result"]["reason"] == reason
            assert not Match.from_json(document).over
        assert [failure[0] for failure in file.failures(run)] == [0, 1]


def test_an_agent_that_ends_its_process_loses_and_the_others_games_are_played(tmp_path: Path) -> None:
    path, found = tmp_path / "a.db", plan(f"{HERE}:Fatal", "random", "heuristic", games=1)
    with Processes(2) as executor:
        play_tournament(found, path, executor=executor)
    games = all_games(path)
    assert [game.reason for game in games] == ["process ended" if 0 in found.at_seats(k) else "over" for k in range(6)]
    assert all(game.seats[game.culprit].player == 0 for game in games if game.culprit is not None)


def test_progress_is_told_within_a_game() -> None:
    seen: list[int] = []

    class Board(list[int]):
        def __setitem__(self, key: object, value: object) -> None:
            if key == 0:
                assert isinstance(value, int)
                seen.append(value)

    record = play_record(plan("heuristic", "random"), 0, Board([0, 0, 0]))
    assert seen == list(range(sum(seat.decisions for seat in record.seats)))
    assert ThisProcess().in_flight() == []


def test_progress_is_told_within_a_game_of_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.play.executors._GLANCE", 0.0)
    seen: list[Progress] = []
    play_tournament(plan("heuristic", "random", games=1), tmp_path / "a.db", workers=1, report=seen.append)
    assert (seen[0].finished, seen[0].total, seen[0].in_flight) == (0, 2, [])
    within = [now.in_flight[0] for now in seen if now.in_flight]
    assert {game.number for game in within} == {0, 1}
    assert max(game.decisions for game in within) > 20
    assert seen[-1].finished == 2


def test_a_long_first_game_tells_the_time_that_is_left() -> None:
    """Quick ones may have been compiling: they tell nothing until a second one is over."""
    found = plan("heuristic", "random", games=2)
    for seconds, expected in ((1.0, None), (40.0, 120.0)):
        estimate = Estimate(found, [0, 1, 2, 3])
        estimate.note(0, seconds)
        estimate.restart()
        assert estimate.seconds_left() == expected


def test_a_sample_tells_the_time() -> None:
    sample = measure_sample(plan("heuristic", "random", games=1000))
    assert sample.complete
    assert sample.decisions > 20
    assert 0 < sample.seconds < 1000
    cut = measure_sample(plan("mcts:simulations=2000", "random", games=10), seconds=0.05)
    assert not cut.complete
    assert sample.as_random is None
    assert cut.as_random is not None
    assert 0 < cut.seconds <= cut.as_random


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"repetitions": 0}, "at least 1, not 0"),
        ({"seed": -1}, "A seed is a whole number"),
        ({"arrangements": ()}, "at least one arrangement"),
        ({"arrangements": ((0, 1, 0),)}, "has 2 places, not 3"),
        ({"players": (Player("a", "random"), Player("a", "heuristic"))}, "Two players have the name 'a'"),
        ({"players": (Player("a", "random"), Player("b", "heurstic"))}, "did you mean heuristic"),
    ],
)
def test_impossible_plans_are_refused(tmp_path: Path, change: dict, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        play_tournament(replace(plan("heuristic", "random"), **change), tmp_path / "a.db")
    assert list(tmp_path.iterdir()) == []


def test_clocks_are_checked(add_agent: Callable[..., None]) -> None:
    for limit in (0, float("inf"), float("nan"), 10**400):
        with pytest.raises(BadInput, match="more than 0 seconds"):
            ClockRule(move=limit)
    assert ClockRule(move=1).to_json() == ClockRule(move=1.0).to_json()
    with pytest.raises(BadInput, match="wall or cpu time, not 'sun'"):
        ClockRule(measure="sun")


def test_results_of_another_version_are_not_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.db"
    play_tournament(plan("heuristic", "random", games=1), path, workers=1)
    monkeypatch.setattr("ludens.play.schedule.__version__", "99.0")
    with pytest.raises(BadInput, match=r"holds a run 'run' with version .*, not 99\.0; give another file"):
        play_tournament(plan("heuristic", "random", games=2), path, workers=1)
    assert len(all_games(path)) == 2


def test_an_agent_whose_file_is_not_there_is_refused_before_any_game(tmp_path: Path) -> None:
    """Not a crash in every game: nobody has played badly."""
    found = plan(f"net:{tmp_path / 'no.safetensors'}", "random")
    with pytest.raises(BadInput, match=r"cannot play on seat 1: Cannot read .*no\.safetensors"):
        play_tournament(found, tmp_path / "a.db")
    assert list(tmp_path.iterdir()) == []


def test_games_of_an_agent_that_was_trained_again_are_not_mixed(tmp_path: Path) -> None:
    """The code is the same, but another player stands behind it."""
    agent, path = tmp_path / "agent.safetensors", tmp_path / "a.db"
    options = AZUL.options({"players": 2})
    untrained(AZUL, options, width=16, blocks=0, seed=1).save(agent)
    play_tournament(plan(f"net:{agent}", "random", games=1), path, workers=1)
    before = all_games(path)
    untrained(AZUL, options, width=16, blocks=0, seed=2).save(agent)
    longer = plan(f"net:{agent}", "random", games=2)
    with pytest.raises(BadInput, match=r"with another content of .*agent\.safetensors; give another file"):
        play_tournament(longer, path, workers=1)
    assert all_games(path) == before
    with ResultsFile(path) as file:
        file.check_same(file.run(), longer, versions=False)  # a report tells of what was played
    agent.unlink()
    play_tournament(plan(f"net:{agent}", "random", games=1), path, workers=1)  # nobody has to play


def test_games_of_a_bot_whose_modules_changed_are_not_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code is the same, and so is the version; the program, or a module that it imports, is another one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    helper, path = tmp_path / "changing_helper.py", tmp_path / "a.db"
    helper.write_text("def pick(legal):\n    return int(legal[0])\n")
    (tmp_path / "changing_bot.py").write_text(
        "import ludens\nfrom changing_helper import pick\n\n\nclass Bot(ludens.Agent):\n"
        "    def choose(self, view, legal, clock):\n        return pick(legal)\n"
    )
    play_tournament(plan("changing_bot:Bot", "random", games=1), path, workers=1)
    before = all_games(path)
    play_tournament(plan("changing_bot:Bot", "random", games=1), path, workers=1)  # the same program
    helper.write_text("def pick(legal):\n    return int(legal[-1])\n")
    longer = plan("changing_bot:Bot", "random", games=2)
    with pytest.raises(BadInput, match=r"with another program of changing_bot:Bot; give another file"):
        play_tournament(longer, path, workers=1)
    assert all_games(path) == before
    with ResultsFile(path) as file:
        file.check_same(file.run(), longer, versions=False)  # a report tells of what was played


def test_weights_that_a_bot_names_belong_to_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "weighing_bot.py").write_text(
        'import ludens\n\nWEIGHTS = "weighing.json"\n\n\nclass Bot(ludens.Agent):\n'
        "    def choose(self, view, legal, clock):\n        return int(legal[0])\n"
    )
    weights, found = tmp_path / "weighing.json", []
    for text in ("[1]", "[1]", "[1, 2]"):
        weights.write_text(text)
        found.append(plan("weighing_bot:Bot", "random").programs["weighing_bot:Bot"])
    assert found[0] == found[1] != found[2]
    (tmp_path / "other.json").write_text("[]")  # nothing of the bot's
    assert plan("weighing_bot:Bot", "random").programs["weighing_bot:Bot"] == found[2]


def test_a_run_that_tells_no_programs_is_read_but_not_lengthened(tmp_path: Path) -> None:
    """Files of results from before programs were kept stay readable; nobody knows who would go on with them."""
    path = tmp_path / "a.db"
    play_tournament(plan("heuristic", "random", games=1), path, workers=1)
    with ResultsFile(path) as file:
        old = {key: value for key, value in file.run().plan.items() if key != "programs"}
    with sqlite3.connect(path) as base:
        base.execute("UPDATE runs SET plan = ?, identity = ?", (json.dumps(old), identity_of(old)))
        base.execute("DROP TABLE sessions")
    base.close()
    play_tournament(plan("heuristic", "random", games=1), path, workers=1)  # it is complete
    with pytest.raises(BadInput, match="that does not tell which programs played; give another file"):
        play_tournament(plan("heuristic", "random", games=2), path, workers=1)
    with ResultsFile(path) as file:
        assert file.count(file.run()) == 2
        assert [one["games"] for one in file.sessions(file.run())] == []


def test_a_run_tells_who_made_it_with_what(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    play_tournament(plan("heuristic", "random", games=1), path, workers=1)
    play_tournament(plan("heuristic", "random", games=1), path, workers=1)  # nothing is played: no session
    play_tournament(plan("heuristic", "random", games=2), path, workers=1)
    with ResultsFile(path) as file:
        sessions = file.sessions(file.run())
    assert [one["games"] for one in sessions] == [2, 2]
    for one in sessions:
        assert {"begun", "command", "commit", "dirty", "machine", "versions"} <= one.keys()
        assert {"ludens", "numba", "numpy", "python"} <= one["versions"].keys()

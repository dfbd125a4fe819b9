"""A series of games: reproducible whatever the number of processes, tournament options, bad input."""

from __future__ import annotations

import multiprocessing
import os
import time

import pytest

from ludens.agents.random import RandomAgent
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.lab.series import Result, run
from ludens.play import executors
from ludens.play.engine import Progress
from ludens.play.executors import InFlight, Processes
from ludens.play.schedule import game_seed

AZUL = registry.game("azul")


def test_heuristic_beats_random_nearly_always() -> None:
    heuristic, random = run(AZUL, ["heuristic", "random"], 300, seed=1).agents
    assert heuristic.win_share > 0.98
    assert random.win_share < 0.02
    assert heuristic.interval[0] > 0.95
    assert heuristic.mean_score > random.mean_score + 30
    assert [seat["games"] for seat in heuristic.by_seat] == [150, 150]


def test_equal_seeds_give_equal_results_and_others_do_not() -> None:
    first, again, other = (run(AZUL, ["random", "random"], 20, seed=seed) for seed in (5, 5, 6))
    assert first.outcomes == again.outcomes
    assert first.outcomes != other.outcomes
    assert len({outcome.seed for outcome in first.outcomes}) == 20


def test_a_longer_series_begins_like_a_shorter_one() -> None:
    short, long = (run(AZUL, ["heuristic", "random"], games, seed=5) for games in (4, 9))
    assert long.outcomes[:4] == short.outcomes


def test_the_number_of_processes_does_not_matter() -> None:
    results: list[Result] = []
    told: list[int] = []
    for workers in (1, 2):
        results.append(run(AZUL, ["heuristic", "random"], 30, seed=2, workers=workers, report=told.append))
    assert results[0].outcomes == results[1].outcomes
    assert results[0].to_json() == results[1].to_json()
    assert told == [*range(1, 31)] * 2


def test_processes_start_by_themselves_when_games_are_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_PATIENCE", 0.0)
    monkeypatch.setattr(executors, "_WORTHWHILE", 0.0)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    asked: list[tuple[int, list[int]]] = []

    class Noted(Processes):
        def share(self, job, numbers):
            asked.append((self.workers, list(numbers)))
            return super().share(job, numbers)

    monkeypatch.setattr(executors, "Processes", Noted)
    result = run(AZUL, ["random", "random"], 12, seed=4)
    assert asked == [(2, list(range(2, 12)))]
    assert result.outcomes == run(AZUL, ["random", "random"], 12, seed=4, workers=1).outcomes


class Slow(RandomAgent):
    """Takes its time over every choice."""

    def choose(self, view, legal, clock):
        time.sleep(0.005)
        return super().choose(view, legal, clock)


class Ending(RandomAgent):
    """Ends the process it is in, but not the one of the test."""

    def choose(self, view, legal, clock):
        if multiprocessing.parent_process() is not None:
            os._exit(3)
        return super().choose(view, legal, clock)


class Peculiar(Exception):
    """Cannot be made again from its words alone."""

    def __init__(self, seat: int, view: object) -> None:
        super().__init__(f"nothing to do on seat {seat}")


class Puzzled(RandomAgent):
    """Fails, but not in the process of the test."""

    def choose(self, view, legal, clock):
        if multiprocessing.parent_process() is not None:
            raise Peculiar(1, view)
        return super().choose(view, legal, clock)


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_is_told_within_games(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.play.executors._GLANCE", 0.02)
    seen: list[list[InFlight]] = []
    run(
        AZUL, ["tests.lab.test_series:Slow", "random"], 5, workers=workers, watch=lambda now: seen.append(now.in_flight)
    )
    later = [game for playing in seen for game in playing if game.number > 0]  # the first one is always played here
    assert {game.number for game in later} == {1, 2, 3, 4}
    for number in range(1, 5):
        decisions = [game.decisions for game in later if game.number == number]
        assert max(decisions) > 5
    assert seen[-1] == []
    assert max(map(len, seen)) == workers


def test_a_game_that_ends_its_process_ends_the_series_with_a_sentence() -> None:
    with pytest.raises(BadInput, match=r"Game \d ended its process twice"):
        run(AZUL, ["tests.lab.test_series:Ending", "random"], 4, workers=2)


def test_a_process_that_dies_once_costs_nothing() -> None:
    found = run(AZUL, ["heuristic", "random"], 300, seed=2, workers=1)
    killed: list[int] = []

    def kill_one(now: Progress) -> None:
        if not killed and (children := multiprocessing.active_children()):
            killed.append(children[0].pid or 0)
            children[0].kill()

    again = run(AZUL, ["heuristic", "random"], 300, seed=2, workers=2, watch=kill_one)
    assert killed
    assert again.outcomes == found.outcomes


def test_an_error_that_only_its_own_process_can_read_is_told_in_words() -> None:
    with pytest.raises(RuntimeError, match="Peculiar: nothing to do on seat 1"):
        run(AZUL, ["tests.lab.test_series:Puzzled", "random"], 4, workers=2)


def test_games_use_the_tournament_options_unless_overridden() -> None:
    assert run(AZUL, ["random"], 1).options["round_limit"] == 50
    result = run(AZUL, ["random", "random"], 2, options={"round_limit": "1", "wall": "grey"}, players=3)
    given = {"players": 3, "wall": "grey", "round_limit": 1}
    assert result.options == {**given, "first": "random", "factories": 0, "tiles": 20}


def test_other_games_play_too(pig: Game, duel: Game) -> None:
    assert sum(standing.win_share for standing in run(pig, ["random", "random"], 10).agents) == pytest.approx(1)
    three = run(duel, ["random", "random", "random"], 9)
    assert sum(standing.win_share for standing in three.agents) == pytest.approx(1)


def test_json_has_what_it_promises() -> None:
    document = run(AZUL, ["heuristic", "random"], 4, seed=3).to_json()
    assert list(document) == ["game", "version", "options", "seed", "games", "agents"]
    assert (document["game"], document["seed"], document["games"]) == ("azul", 3, 4)
    first = document["agents"][0]
    low, high = first["interval"]
    assert first["agent"] == "heuristic"
    assert first["games"] == first["wins"] + first["shared"] + first["losses"] == 4
    assert 0 <= low <= first["win_share"] <= high <= 1


def test_seeds_of_games_fit_a_match() -> None:
    seeds = [game_seed(2**53 - 1, index) for index in range(1000)]
    assert len(set(seeds)) == 1000
    assert all(0 <= seed < 2**53 for seed in seeds)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"agents": []}, "at least one agent"),
        ({"agents": ["random"] * 5}, "room for 4 agents at most, not 5"),
        ({"agents": ["nobody"]}, "Unknown agent of azul 'nobody'"),
        ({"games": 0}, "at least 1, not 0"),
        ({"seed": -1}, "A seed is a whole number"),
        ({"workers": 0}, "workers must be at least 1, not 0"),
        ({"players": 7}, "for 2, 3, 4 players, not 7"),
        ({"players": 2, "options": {"players": "3"}}, "given twice: 2 and 3"),
        ({"options": {"colour": "blue"}}, "Unknown option of azul 'colour'"),
    ],
)
def test_bad_input_is_refused_with_one_sentence(arguments: dict, sentence: str) -> None:
    given = {"agents": ["random", "random"], "games": 1, **arguments}
    with pytest.raises(BadInput, match=sentence) as refused:
        run(AZUL, **given)
    assert str(refused.value).endswith((".", "?"))
    assert "\n" not in str(refused.value)

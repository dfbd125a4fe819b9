"""Steps of independent games: who plays them changes nothing, and a cluster that goes away costs no step."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.learn.algorithms import ALGORITHMS
from ludens.learn.plan import make_plan
from ludens.learn.training import Training
from ludens.play.cluster import ClusterGone, executor_for
from ludens.play.executors import Executor, ThisProcess

LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "genetic": ("discovery", {"population": 3, "elite": 1, "games": 2}),
    "true-online": ("catan", {"tables": 2, "normalising_games": 2}),
}


def training(folder: Path, name: str, executor: Executor, **settings: Any) -> Training:
    game = registry.game(LEARNERS[name][0])
    config = {"steps": 2, "report_every": 1, "evaluate_games": 0, "settings": {**LEARNERS[name][1], **settings}}
    return Training(game, ALGORITHMS[name], *make_plan(game, ALGORITHMS[name], config), folder, executor)


class Backwards(ThisProcess):
    """Others would finish in any order."""

    def share(self, job: Any, numbers: Sequence[int]) -> Iterator[list[Any]]:
        return super().share(job, numbers[::-1])


@pytest.mark.parametrize("name", LEARNERS)
def test_who_plays_changes_nothing_and_a_cluster_that_goes_away_costs_no_step(name: str, tmp_path: Path) -> None:
    whole = training(tmp_path / "whole", name, ThisProcess())
    whole.begin(resume=False)
    whole.run()
    calls = 0

    class Leaving(Backwards):
        def share(self, job: Any, numbers: Sequence[int]) -> Iterator[list[Any]]:
            nonlocal calls
            calls += 1
            if calls == 2:
                raise ClusterGone("The cluster is gone.")
            return super().share(job, numbers)

    broken = training(tmp_path / "broken", name, Leaving())
    broken.begin(resume=False)
    with pytest.raises(BadInput, match="The cluster is gone"):
        broken.run()
    again = training(tmp_path / "broken", name, Backwards())
    again.begin(resume=True)
    assert again.step == 1
    again.run()
    for file in ("curve.csv", "checkpoint.json"):
        assert (tmp_path / "broken" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()


def test_a_step_of_several_tables_is_their_mean_and_one_table_is_as_ever(tmp_path: Path) -> None:
    learned = {}
    for tables in (1, 2):
        one = training(tmp_path / str(tables), "true-online", ThisProcess(), tables=tables)
        settings: Any = one.identity["settings"]
        assert ("tables" in settings) == (tables > 1)  # so that older checkpoints go on
        one.begin(resume=False)
        one.run(until=1)
        learned[tables] = one._learner.save()[0]["weights"]
    assert np.abs(learned[1]).max() > 0
    assert not np.array_equal(learned[1], learned[2])
    played: list[tuple[Any, ...]] = []

    class Noting(ThisProcess):
        def map(self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
            played.extend(arguments)
            found = super().map(function, arguments)
            assert np.array_equal(found[0][0], learned[1])  # the first table plays what a single one plays
            return found

    two = training(tmp_path / "two", "true-online", Noting())
    two.begin(resume=False)
    two.run(until=1)
    assert [job[-1] for job in played] == [0, 1]
    with pytest.raises(BadInput, match="number of tables must be from 1"):
        training(tmp_path / "none", "true-online", ThisProcess(), tables=0)


def squared(number: int) -> int:
    return number**2


def squared_by_one_that_dies(number: int, mark: Path) -> int:
    """The first process that comes to 3 ends."""
    if number == 3 and not mark.exists():
        mark.touch()
        os._exit(9)
    return number**2


def deadly(number: int) -> int:
    if number == 3:
        os._exit(9)
    return number**2


def awkward(number: int) -> int:
    raise BadInput(f"There is nothing to do with {number}.")


def test_processes_give_results_in_order_and_one_that_dies_costs_nothing(tmp_path: Path) -> None:
    with executor_for(2) as executor:
        assert executor.map(squared_by_one_that_dies, [(k, tmp_path / "mark") for k in range(20)]) == [
            k**2 for k in range(20)
        ]
        assert (tmp_path / "mark").exists()
        assert executor.map(squared, []) == []
        with pytest.raises(BadInput, match="nothing to do with"):
            executor.map(awkward, [(k,) for k in range(20)])
        assert executor.map(squared, [(k,) for k in range(50)]) == [k**2 for k in range(50)]  # and not what came before
        with pytest.raises(BadInput, match="One of 20 parts of the work ended two processes"):
            executor.map(deadly, [(k,) for k in range(20)])

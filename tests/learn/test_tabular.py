"""Q-learning on a corridor: SY-49, SY-50, SY-53."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core.errors import BadInput
from ludens.learn.tabular import QSettings, learn_game, new_table


class Corridor:
    """Four cells; the right end wins, the left end loses. Column 0 goes left, 1 goes right."""

    rows, columns = 4, 2

    def begin(self, seed: int) -> None:
        self.row, self.mask, self.final, self.steps = 1, 3, 0.0, 0

    def step(self, column: int) -> float:
        self.steps += 1
        self.row += 1 if column else -1
        self.mask = 3
        if self.row in (0, 3):
            self.final = 1.0 if self.row == 3 else -1.0
            self.row = -1
            return self.final
        return 0.0

    def result(self) -> dict[str, float]:
        return {"steps": float(self.steps)}


@pytest.mark.parametrize("exploration", ["epsilon", "optimistic", "sum"])
@pytest.mark.parametrize("credit", ["step", "path", "terminal"])
def test_the_way_to_the_goal_is_learned(exploration: str, credit: str) -> None:
    settings = QSettings(exploration=exploration, credit=credit, final_alpha=0.1)
    corridor, table = Corridor(), new_table(settings, 4, 2, 1.0)
    for game in range(400):
        learn_game(corridor, table, settings, game, 3, game / 400)
    assert table[1].argmax() == 1
    assert table[2].argmax() == 1


@pytest.mark.parametrize("credit", ["step", "terminal"])
def test_sy_50_the_values_are_the_discounted_results(credit: str) -> None:
    settings = QSettings(credit=credit, final_alpha=0.1, final_epsilon=0.3)
    corridor, table = Corridor(), np.zeros((4, 2))
    for game in range(2000):
        learn_game(corridor, table, settings, game, 1, 0.0)
    assert table[2, 1] == pytest.approx(1.0, abs=1e-3)
    assert table[1, 1] == pytest.approx(0.95, abs=1e-3)
    assert table[1, 0] == pytest.approx(-1.0, abs=1e-3)


def test_sy_49_the_result_belongs_to_the_whole_path_by_default() -> None:
    """The last step first: 0.1 · 1, then 0.1 · (1 + 0.95 · 0.1)."""
    assert QSettings().credit == "path"
    corridor, table = Corridor(), np.zeros((4, 2))
    table[1:3, 1] = 1e-9  # so that the greedy way is to the right
    learn_game(corridor, table, QSettings(epsilon=0.0, final_epsilon=0.0), 0, 0, 0.0)
    assert table[1:3, 1] == pytest.approx([0.1095, 0.1], abs=1e-6)


def test_sy_53_with_the_thesis_rule_actions_are_random_until_the_sum_is_great_enough() -> None:
    corridor, table = Corridor(), np.zeros((4, 2))
    settings = QSettings(exploration="sum", epsilon=0.0, final_epsilon=0.0)
    assert learn_game(corridor, table, settings, 0, 0, 0.0)["learned_actions"] == 0
    table[:] = 0.5
    figures = learn_game(corridor, table, settings, 1, 0, 0.0)
    assert figures["learned_actions"] == figures["steps"]


def test_equal_seeds_give_equal_tables() -> None:
    tables = []
    for _ in range(2):
        table = np.zeros((4, 2))
        for game in range(20):
            learn_game(Corridor(), table, QSettings(), game, 5, 0.0)
        tables.append(table)
    assert (tables[0] == tables[1]).all()


@pytest.mark.parametrize("wrong", [{"alpha": 0.0}, {"gamma": 2.0}, {"credit": "all"}, {"epsilon": -0.1}])
def test_settings_out_of_bounds_are_refused(wrong: dict) -> None:
    with pytest.raises(BadInput):
        QSettings(**wrong)

"""Data of games: every row is what the game says it is, read back by pandas and torch."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")
torch = pytest.importorskip("torch")

from ludens.core import kernels, record, registry  # noqa: E402
from ludens.core.errors import BadInput  # noqa: E402
from ludens.learn.dataset import Decisions  # noqa: E402
from ludens.play.dataset import COLUMNS, ParquetSink  # noqa: E402
from ludens.play.engine import play  # noqa: E402
from ludens.play.game import play_game  # noqa: E402
from ludens.play.schedule import one_table  # noqa: E402

GAME = registry.game("scotland_yard_grid")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data")
    schedule = one_table(GAME, ["mcts:simulations=8", "chase"], 4, 3)
    play(schedule, ParquetSink(path, schedule, 40), workers=1)
    return path


def test_rows_are_the_decisions_of_the_games(folder: Path) -> None:
    rows = pandas.read_parquet(folder)
    assert list(rows.columns) == list(COLUMNS) == list(json.loads((folder / "_dataset.json").read_text())["columns"])
    schedule = one_table(GAME, ["mcts:simulations=8", "chase"], 4, 3)
    legal, view = np.zeros(GAME.spec.actions, np.int64), record.blank(GAME.dtype)
    features = np.zeros(GAME.spec.observation_size(schedule.option_array), np.float32)
    for number in range(4):
        outcome = play_game(GAME, schedule.option_array, schedule.codes(number), schedule.seed_of(number))
        own = rows[rows.game == number]
        assert own.ply.tolist() == list(range(len(outcome.choices)))
        assert own.action.tolist() == list(outcome.choices)
        assert {tuple(one) for one in own.results} == {outcome.returns}
        for row in own.itertuples():
            state = record.from_bytes(GAME.dtype, row.position)
            assert kernels.actor_at(state, 0) == row.seat
            assert legal[: kernels.legal_at(state, 0, legal)].tolist() == list(row.legal)
            kernels.view_at(state, 0, row.seat, view)
            assert view.tobytes() == row.view
            kernels.observe_at(view, 0, row.seat, features)
            assert np.array_equal(features, row.features)
            assert row.result == outcome.returns[row.seat]
            if row.policy is not None and row.player.startswith("mcts"):
                assert len(row.policy) == len(row.legal)
                assert sum(row.policy) == pytest.approx(1.0, abs=1e-5)
    assert rows[rows.player == "chase"].policy.isna().all()
    assert rows[rows.player != "chase"].policy.notna().mean() > 0.8


def test_torch_reads_the_same_rows(folder: Path) -> None:
    rows, data = pandas.read_parquet(folder), Decisions(folder)
    assert len(data) == len(rows)
    for number in (0, len(rows) // 2, len(rows) - 1):
        item, row = data[number], rows.iloc[number]
        assert item["action"] == row.action
        assert torch.nonzero(item["mask"]).ravel().tolist() == list(row.legal)
        assert item["policy"].sum() == pytest.approx(1.0, abs=1e-5)
        assert item["returns"][0] == row.result
        assert np.array_equal(item["features"].numpy(), row.features)
    order = data.order(torch.Generator().manual_seed(1))
    assert sorted(order.tolist()) == list(range(len(rows)))
    assert torch.equal(data.rows(order[:7])["action"], torch.stack([data[int(k)]["action"] for k in order[:7]]))


def test_a_folder_without_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no data"):
        Decisions(tmp_path)

"""The data of `ludens dataset` for torch: one decision an item, shard after shard."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset

from ludens.core.errors import BadInput
from ludens.play.dataset import parquet_package, shards_of

__all__ = ["Decisions"]

_NEEDED = ["seat", "features", "legal", "action", "policy", "value", "results"]


class Decisions(Dataset[dict[str, Tensor]]):
    """Items by number: features, mask (0/1 of all actions), action, policy (of all actions), value and returns.

    The policy is the agent's, or 1 at the action where it told none; the value is nan then. `returns` begins with the
    seat that decides. One shard is held in memory at a time: read in order, or shuffle shards and their rows (`order`).
    """

    def __init__(self, folder: str | Path) -> None:
        self._arrow, self._parquet = parquet_package()
        self._shards = shards_of(folder)
        index = Path(folder).expanduser() / "_dataset.json"
        if not index.exists():
            raise BadInput(f"{folder} holds no _dataset.json, which tells what its data are.")
        self.about = json.loads(index.read_text(encoding="utf-8"))
        self.actions = int(self.about["actions"])
        counts = [self._parquet.read_metadata(path).num_rows for path in self._shards]
        self._ends = np.cumsum(counts)
        self._held, self._columns = -1, dict[str, np.ndarray]()

    def __len__(self) -> int:
        return int(self._ends[-1])

    def __getitem__(self, number: int) -> dict[str, Tensor]:
        return {name: rows[0] for name, rows in self.rows(np.array([range(len(self))[number]])).items()}

    def order(self, generator: torch.Generator) -> np.ndarray:
        """All numbers, shards in a random order and the rows of each in one too."""
        parts = []
        for shard in torch.randperm(len(self._shards), generator=generator).tolist():
            begin = int(self._ends[shard - 1]) if shard else 0
            rows = torch.randperm(int(self._ends[shard]) - begin, generator=generator).numpy()
            parts.append(begin + rows)
        return np.concatenate(parts)

    def rows(self, numbers: np.ndarray) -> dict[str, Tensor]:
        """Many items at once, in the order of the numbers."""
        shards = np.searchsorted(self._ends, numbers, "right")
        parts: list[tuple[np.ndarray, dict[str, np.ndarray]]] = []
        for shard in np.unique(shards):
            mine = np.flatnonzero(shards == shard)
            columns = self._of(int(shard))
            begin = int(self._ends[shard - 1]) if shard else 0
            parts.append((mine, {name: column[numbers[mine] - begin] for name, column in columns.items()}))
        back = np.argsort(np.concatenate([mine for mine, _ in parts]))
        return {name: torch.from_numpy(np.concatenate([part[name] for _, part in parts])[back]) for name in parts[0][1]}

    def _of(self, shard: int) -> dict[str, np.ndarray]:
        if shard != self._held:
            table = self._parquet.read_table(self._shards[shard], columns=_NEEDED)
            n = table.num_rows
            mask, policy = np.zeros((n, self.actions), np.int8), np.zeros((n, self.actions), np.float32)
            action = table["action"].to_numpy().astype(np.int64)
            legal, told = table["legal"].to_pylist(), table["policy"].to_pylist()
            for k in range(n):
                mask[k, legal[k]] = 1
                if told[k] is None:
                    policy[k, action[k]] = 1
                else:
                    policy[k, legal[k]] = told[k]
            features = table["features"].combine_chunks()
            flat = features.flatten() if hasattr(features, "flatten") else features
            results, seats = np.array(table["results"].to_pylist(), np.float32), table["seat"].to_numpy()
            turned = (np.arange(results.shape[1])[None] + seats[:, None]) % results.shape[1]
            self._columns = {
                "features": np.asarray(flat).reshape(n, -1).astype(np.float32),
                "mask": mask,
                "action": action,
                "policy": policy,
                "value": table["value"].to_numpy(zero_copy_only=False).astype(np.float32),
                "returns": np.take_along_axis(results, turned, axis=1),
            }
            self._held = shard
        return self._columns

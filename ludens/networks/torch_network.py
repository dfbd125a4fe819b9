"""The networks of `network` as torch modules, for training; the only file of this folder that needs torch.

A module has the arrays of the file under the same names and in the same shapes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from ludens.networks.layout import Layout
from ludens.networks.network import Network
from ludens.networks.rows import RowsLayout

__all__ = ["PlainModule", "RowsModule", "module_of", "trained"]


_FULL = 16  # rows and columns of joined matrices come in multiples of this


class _Layer(nn.Module):
    """A matrix, and biases or none; `by_output` says that the matrix has a row an output, not an input."""

    def __init__(self, inputs: int, outputs: int, by_output: bool = False, bias: bool = True) -> None:
        super().__init__()
        self.by_output = by_output
        self.weight = nn.Parameter(torch.zeros((outputs, inputs) if by_output else (inputs, outputs)))
        self.bias = nn.Parameter(torch.zeros(outputs)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.weight if self.by_output else self.weight.t(), self.bias)


class _Norm(nn.Module):
    """Gains and biases of numbers that are brought to mean zero and variance one."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

    def forward(self, x: Tensor) -> Tensor:
        return functional.layer_norm(x, self.weight.shape, self.weight, self.bias)


class PlainModule(nn.Module):
    """The plain network: features [n, inputs] -> logits [n, actions], values [n, seats], auxiliary numbers by name."""

    def __init__(self, layout: Layout, inputs: int | None = None, actions: int | None = None) -> None:
        super().__init__()
        width = layout.width
        self.input = _Layer(layout.inputs if inputs is None else inputs, width)
        self.blocks = nn.ModuleList(
            nn.ModuleList(_Layer(width, width) for _ in range(layout.layers)) for _ in range(layout.blocks)
        )
        self.norms = nn.ModuleList(_Norm(width) for _ in range(layout.blocks + 1 if layout.norm else 0))
        self.policy = _Layer(width, layout.actions if actions is None else actions, by_output=True)
        self.value = _Layer(width, layout.seats, by_output=True)
        self.auxiliary = nn.ModuleDict(
            {name: _Layer(width, size, by_output=True) for name, size in layout.auxiliary.items()}
        )
        self.joined = False  # True: products in sizes that a GPU likes, with the same numbers up to rounding

    def entered(self, features: Tensor) -> Tensor:
        """The input's layer, filled up with zeros if joined."""
        layer = self.input
        spare = -features.shape[1] % _FULL if self.joined else 0
        if not spare:
            return layer(features)
        weight = functional.pad(layer.weight, (0, 0, 0, spare))
        return functional.linear(functional.pad(features, (0, spare)), weight.t(), layer.bias)

    def residual(self, trunk: Tensor) -> Tensor:
        """The blocks, and the norm and the ReLU that the heads read through."""
        for place, block in enumerate(self.blocks):
            change = self._normed(trunk, place)
            for layer in block:
                change = layer(functional.relu(change))
            trunk = trunk + change
        return functional.relu(self._normed(trunk, len(self.blocks)))

    def _normed(self, trunk: Tensor, place: int) -> Tensor:
        return self.norms[place](trunk) if self.norms else trunk

    def heads(self, trunk: Tensor) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        if self.joined:
            logits, values, *rest = self._all_heads(trunk)
            others = dict(zip(self.auxiliary, rest))
        else:
            others = {name: head(trunk) for name, head in self.auxiliary.items()}  # first, for the same rounding
            logits, values = self.policy(trunk), self.value(trunk)
        return logits, torch.tanh(values.float()), others

    def _all_heads(self, trunk: Tensor) -> list[Tensor]:
        """Every head's numbers from one product, filled up with zeros."""
        heads = [self.policy, self.value, *self.auxiliary.values()]
        sizes = [head.weight.shape[0] for head in heads]
        spare = -sum(sizes) % _FULL
        weight = functional.pad(torch.cat([head.weight for head in heads]), (0, 0, 0, spare))
        bias = functional.pad(torch.cat([head.bias for head in heads]), (0, spare))
        numbers = functional.linear(trunk, weight, bias)
        return list(numbers.split([*sizes, spare], dim=1)[:-1])

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        return self.heads(self.residual(self.entered(features)))


class RowsModule(PlainModule):
    """The network that is shared over rows, with the same outputs."""

    def __init__(self, layout: RowsLayout) -> None:
        size, of_rows = layout.rows * layout.columns, layout.rows * layout.slots
        super().__init__(layout, layout.inputs - size, layout.actions - of_rows)
        self.layout, small = layout, layout.row_width
        self.rows = _Layer(layout.columns, small)
        self.context = _Layer(layout.inputs - size, small, bias=False)
        self.mix = _Layer(small, small)
        self.pool = _Layer(2 * small, layout.width, bias=False)
        self.back = _Layer(layout.width, small, bias=False)
        self.slots = _Layer(small, layout.slots, by_output=True)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        layout = self.layout
        end = layout.begin + layout.rows * layout.columns
        others = torch.cat([features[:, : layout.begin], features[:, end:]], dim=1)
        table = features[:, layout.begin : end].reshape(-1, layout.rows, layout.columns)
        used = (table != 0).any(dim=2, keepdim=True)  # rows of zeros stand for nothing
        known = self.rows(table) + self.context(others)[:, None]
        known = torch.where(used, known + self.mix(functional.relu(known)), known)
        passed = functional.relu(known) * used
        pooled = torch.cat([passed.mean(dim=1), passed.amax(dim=1)], dim=1)
        trunk = self.residual(self.entered(others) + self.pool(pooled))
        logits, values, auxiliary = self.heads(trunk)
        of_rows = self.slots(functional.relu(known + self.back(trunk)[:, None])).flatten(1)
        first = layout.first_action
        return torch.cat([logits[:, :first], of_rows, logits[:, first:]], dim=1), values, auxiliary


def module_of(network: Network) -> PlainModule:
    """A module with the network's arrays."""
    layout = network.layout
    module = RowsModule(layout) if isinstance(layout, RowsLayout) else PlainModule(layout)
    module.load_state_dict({name: torch.tensor(array) for name, array in network.arrays.items()})
    return module


def trained(network: Network, module: nn.Module, **record: Any) -> Network:
    """The network with the module's arrays, and with these entries added to its training record."""
    arrays = {name: tensor.detach().float().cpu().numpy().copy() for name, tensor in module.state_dict().items()}
    return replace(network, arrays=arrays, training={**network.training, **record})

"""The networks of `network` as torch modules, for training; the only file of this folder that needs torch.

A module has the arrays of the file under the same names and in the same shapes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from ludens.learn.network import Network
from ludens.learn.plain import PlainLayout

__all__ = ["PlainModule", "module_of", "trained"]


class _Layer(nn.Module):
    """A matrix and biases; `by_output` says that the matrix has a row an output, not an input."""

    def __init__(self, shape: tuple[int, int], by_output: bool) -> None:
        super().__init__()
        self.by_output = by_output
        self.weight = nn.Parameter(torch.zeros(shape))
        self.bias = nn.Parameter(torch.zeros(shape[0] if by_output else shape[1]))

    def forward(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.weight if self.by_output else self.weight.t(), self.bias)


class PlainModule(nn.Module):
    """The plain network: features [n, inputs] -> logits [n, actions], values [n, seats], auxiliary numbers by name."""

    def __init__(self, layout: PlainLayout) -> None:
        super().__init__()
        self.layout, width = layout, layout.width
        self.input = _Layer((layout.inputs, width), by_output=False)
        self.blocks = nn.ModuleList(
            nn.ModuleList(_Layer((width, width), by_output=False) for _ in range(layout.layers))
            for _ in range(layout.blocks)
        )
        self.policy = _Layer((layout.actions, width), by_output=True)
        self.value = _Layer((layout.seats, width), by_output=True)
        self.auxiliary = nn.ModuleDict(
            {name: _Layer((size, width), by_output=True) for name, size in layout.auxiliary.items()}
        )

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        trunk = self.input(features)
        for block in self.blocks:
            change = trunk
            for layer in block:
                change = layer(functional.relu(change))
            trunk = trunk + change
        trunk = functional.relu(trunk)
        others = {name: head(trunk) for name, head in self.auxiliary.items()}
        return self.policy(trunk), torch.tanh(self.value(trunk).float()), others


def module_of(network: Network) -> PlainModule:
    """A module with the network's arrays."""
    module = PlainModule(network.layout)
    module.load_state_dict({name: torch.tensor(array) for name, array in network.arrays.items()})
    return module


def trained(network: Network, module: nn.Module, **record: Any) -> Network:
    """The network with the module's arrays, and with these entries added to its training record."""
    arrays = {name: tensor.detach().float().cpu().numpy().copy() for name, tensor in module.state_dict().items()}
    return replace(network, arrays=arrays, training={**network.training, **record})

"""The plain network: trunk = input(features), for all features alike.

An architecture is a class of layouts like this one, a pass in `networks.forward`, and a module in `torch_network`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludens.networks.layout import Layout, Shapes

__all__ = ["PlainLayout"]


@dataclass(frozen=True, kw_only=True)
class PlainLayout(Layout):
    """One trunk over all features."""

    architecture = "plain"

    def shapes(self) -> Shapes:
        return self._trunk_and_heads(self.inputs, self.actions)

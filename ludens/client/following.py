"""A table followed by its messages: full views first, then deltas put on top of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ludens.client.calls import ServerRefusal

__all__ = ["Followed", "hello"]


def hello(tokens: Sequence[str], start: int | None, undos: int | None, record: bool) -> str:
    """The first message of a socket."""
    message: dict[str, Any] = {"type": "hello", "tokens": list(tokens), "record": record}
    if start is not None:
        message["from"] = start
        if undos is not None:
            message["undos"] = undos
    return json.dumps(message)


@dataclass
class Followed:
    """What is known of a table: its description, the view of every followed seat, the steps so far."""

    table: dict[str, Any] = field(default_factory=dict)
    views: dict[int | None, dict[str, Any]] = field(default_factory=dict)
    steps: dict[int | None, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def undos(self) -> int | None:
        return next((view["undos"] for view in self.views.values()), None)

    @property
    def ended(self) -> bool:
        """Has the table ended, and do the views show it?"""
        ended = self.table.get("status") in ("finished", "abandoned")
        return ended and bool(self.views) and all(view["over"] for view in self.views.values())

    def known(self, start: int | None) -> int | None:
        """The ply from which steps are wanted: where the knowledge ends, or where it shall begin."""
        if start is None or not self.views:
            return start
        return min(int(view["ply"]) for view in self.views.values())

    def take(self, message: dict[str, Any]) -> bool:
        """Takes a message in; true if it changed a view or the table."""
        kind = message["type"]
        if kind == "table":
            self.table = message["table"]
        elif kind == "view":
            self.views[message["seat"]] = message["view"]
            self._extend(message)
        elif kind == "update":
            self._apply(self.views[message["seat"]], message["changes"])
            self._extend(message)
        elif kind == "error":
            details = {key: value for key, value in message["error"].items() if key not in ("code", "message")}
            raise ServerRefusal(0, message["error"]["code"], message["error"]["message"], details)
        else:
            return False
        return True

    def _apply(self, view: dict[str, Any], changes: dict[str, Any]) -> None:
        for key, value in changes.items():
            if key in ("position", "record"):
                view[key].update(value)
            else:
                view[key] = value

    def _extend(self, message: dict[str, Any]) -> None:
        kept = [step for step in self.steps.get(message["seat"], []) if step["ply"] < message["from"]]
        self.steps[message["seat"]] = kept + message["steps"]

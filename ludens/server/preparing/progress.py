"""How far a game is prepared on this computer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludens.i18n.messages import say

__all__ = ["Progress"]


@dataclass
class Progress:
    """Of one game; shared by its tables."""

    title: str
    part: float = 0.0  # of the work, from 0 to 1
    playable: bool = False  # people can play
    ready: bool = False  # agents and hints too
    seconds: float | None = None  # until it is ready, as far as can be told

    @property
    def text(self) -> str:
        """A sentence for whoever waits."""
        return "" if self.ready else say("Preparing {game}, once on this computer", game=say(self.title))

    def to_json(self) -> dict[str, Any]:
        seconds = None if self.ready or self.seconds is None else round(self.seconds)
        shown = {"ready": self.ready, "playable": self.playable, "seconds": seconds}
        return {**shown, "progress": 1.0 if self.ready else round(min(self.part, 0.99), 2), "text": self.text}

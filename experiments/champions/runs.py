"""What a training of a champion is described by: one file a run, which is committed with its curve."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from ludens.core.errors import BadInput, did_you_mean
from ludens.core.registry import game
from ludens.learn.learner import Setup
from ludens.learn.ppo import RENAMED, Settings

__all__ = ["Run", "read"]

_KEYS = ("game", "seed", "options", "settings", "covers", "start", "rival", "seconds", "against")


@dataclass(frozen=True)
class Run:
    """A run as its file tells."""

    name: str
    game: str
    options: dict[str, Any]  # what is played
    settings: Settings
    seed: int
    covers: dict[str, list[Any]]  # the options that the network is for; those that are not named do not matter
    start: str | None  # the run whose network it begins with, as far as that fits
    rival: str | None  # the run whose network it learns to beat, and nothing else
    seconds: float  # its part of the time when all runs share some
    against: list[dict[str, Any]]  # series to evaluate it by: agents with NET and RIVAL, games, fixed sides or not

    def setup(self, **changes: Any) -> Setup:
        """What its learner is made from, with changes of its settings."""
        found, settings = game(self.game), replace(self.settings, **changes)
        options = found.options({**found.spec.tournament, **self.options})
        return Setup(found, options, settings, self.seed, ("self",), settings.schedule)


def read(path: Path, changes: Sequence[str] = ()) -> Run:
    """The run of a file, with changes of its settings written as key=value."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    for key in document:
        if key not in _KEYS:
            raise did_you_mean(key, _KEYS, "key of a run")
    if "game" not in document:
        raise BadInput(f"{path} does not name a game.")
    settings = {**document.get("settings", {}), **tomllib.loads("\n".join(changes))}
    known = {field.name for field in fields(Settings)}
    for key in settings:
        if key in RENAMED:
            raise BadInput(f"The setting {key} is called {RENAMED[key]} now.")
        if key not in known:
            raise did_you_mean(key, known, "setting of ppo")
    against = tuple(settings.pop("against", ()))
    options = document.get("options", {})
    return Run(
        name=path.stem,
        game=document["game"],
        options=options,
        settings=Settings(**{"schedule": 500, **settings}, against=against),
        seed=document.get("seed", 0),
        covers=document.get("covers", {"players": [options["players"]]} if "players" in options else {}),
        start=document.get("start"),
        rival=document.get("rival"),
        seconds=float(document.get("seconds", 60.0)),
        against=document.get("against", []),
    )

"""What a training is told: a TOML file, checked against the algorithm's settings.

game = "catan"     # may be left out, as may all others; if it is there, it must fit
seed = 1
steps = 5200

[options]          # of the game
board = "variable"

[settings]         # of the algorithm: the fields of its dataclass
trace = 1.0
"""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludens.core.errors import BadInput, did_you_mean
from ludens.core.files import read_text
from ludens.core.inputs import checked_seed
from ludens.core.spec import Game
from ludens.train.learner import Algorithm

__all__ = ["Plan", "make_plan", "read_config", "with_values"]


@dataclass(frozen=True)
class Plan:
    """A training: how long, how often it tells, keeps and proves itself, against whom."""

    seed: int = 0  # equal seeds give equal curves
    steps: int = 0  # how many; by default as the algorithm advises
    report_every: int = 0  # steps of which the curve shows the mean; by default a fiftieth of all
    checkpoint_every: int = 0  # by default with every report
    evaluate_every: int = 0  # by default four times and at the end
    evaluate_games: int = 100  # of each evaluation
    opponents: tuple[str, ...] = ()  # by default as the algorithm advises


MOST_STEPS = 10**9
_TABLES = ("options", "settings")
_SUBJECTS = ("game", "algorithm")  # what a file is for, if it says so


def read_config(path: str | Path) -> dict[str, Any]:
    """The tables of a TOML file; a malformed one is refused."""
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path} is not TOML: {error}.") from error


def make_plan(game: Game, algorithm: Algorithm, config: Mapping[str, Any]) -> tuple[Plan, dict[str, Any], Any]:
    """The plan, the game's options and the algorithm's settings; unknown keys are refused with the nearest."""
    top = {key: value for key, value in config.items() if key not in (*_TABLES, *_SUBJECTS)}
    for key, wanted in zip(_SUBJECTS, (game.spec.name, algorithm.name), strict=True):
        if config.get(key, wanted) != wanted:
            raise BadInput(f"The configuration is for the {key} {config[key]}, not for {wanted}.")
    for key in top:
        if key not in {field.name for field in dataclasses.fields(Plan)}:
            known = [*(field.name for field in dataclasses.fields(Plan)), *_SUBJECTS, *_TABLES]
            raise did_you_mean(key, known, "key of a training")
    plan = with_values(Plan(), top, "training")
    checked_seed(plan.seed)
    for name in ("steps", "report_every", "checkpoint_every", "evaluate_every"):
        if name in top and not 1 <= getattr(plan, name) <= MOST_STEPS:
            raise BadInput(f"{name} must be at least 1 and at most {MOST_STEPS:,}, not {getattr(plan, name):,}.")
    if "opponents" in top and not plan.opponents:
        raise BadInput("opponents must name at least one agent.")
    steps = plan.steps or algorithm.steps
    every = plan.report_every or max(1, steps // 50)
    plan = dataclasses.replace(
        plan,
        steps=steps,
        report_every=every,
        checkpoint_every=plan.checkpoint_every or every,
        evaluate_every=plan.evaluate_every or max(1, steps // 4),
        opponents=plan.opponents or algorithm.opponents,
    )
    if not 0 <= plan.evaluate_games <= MOST_STEPS:
        raise BadInput(f"evaluate_games must be from 0 to {MOST_STEPS:,}, not {plan.evaluate_games:,}.")
    options = {**algorithm.options(game), **_table(config, "options")}
    settings = algorithm.settings()
    given = _table(config, "settings")
    for key in given:
        if key in (algorithm.fixed or {}):
            raise BadInput(f"The setting {key} of {algorithm.name} is {(algorithm.fixed or {})[key]} and no other.")
    return plan, options, with_values(settings, {**given, **(algorithm.fixed or {})}, f"setting of {algorithm.name}")


def _table(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    table = config.get(name, {})
    if not isinstance(table, dict):
        raise BadInput(f"[{name}] must be a table of names and values, not {table!r}.")
    return table


def with_values(start: Any, values: Mapping[str, Any], what: str) -> Any:
    """The dataclass with these values; each must be of the kind that is there."""
    known = {field.name for field in dataclasses.fields(start)}
    checked = {}
    for key, value in values.items():
        if key not in known:
            raise did_you_mean(key, known, what)
        checked[key] = _checked(key, getattr(start, key), value)
    return dataclasses.replace(start, **checked)


def _checked(key: str, now: Any, value: Any) -> Any:
    """The value, if it is of the kind of the one that is there; entries of a list are of the kind of its first."""
    if isinstance(now, bool) or isinstance(value, bool):
        if isinstance(now, bool) and isinstance(value, bool):
            return value
    elif isinstance(now, float) and isinstance(value, int | float):
        if not math.isfinite(value):
            raise BadInput(f"{key} must be a finite number, not {value}.")
        return float(value)
    elif isinstance(now, int | str) and isinstance(value, type(now)):
        return value
    elif isinstance(now, tuple) and isinstance(value, list | tuple):
        kind = now[0] if now else ""
        return tuple(_entry(key, kind, entry) for entry in value)
    kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", tuple: "a list"}
    raise BadInput(f"{key} must be {kinds[type(now)]}, not {value!r}.")


def _entry(key: str, kind: Any, entry: Any) -> Any:
    """An entry of a list; one that is a list itself has as many values as the one that is there."""
    if not isinstance(kind, tuple):
        return _checked(f"Every entry of {key}", kind, entry)
    if not isinstance(entry, list | tuple) or len(entry) != len(kind):
        raise BadInput(f"Every entry of {key} must be a list of {len(kind)} values, not {entry!r}.")
    return tuple(_checked(f"Every value of {key}", one, value) for one, value in zip(kind, entry, strict=True))

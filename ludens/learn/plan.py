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
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludens.agents.codes import parse_code
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.inputs import checked_seed
from ludens.core.spec import Game
from ludens.core.toml_files import TomlFile, wrong_alone
from ludens.learn.learner import Algorithm

__all__ = ["Configuration", "Plan", "make_plan", "read_config", "with_values"]


class Configuration(dict[str, Any]):
    """Keys and tables, of a file or not; what the file says and nobody has overridden is refused with its line."""

    file: TomlFile | None = None

    def refuse(self, error: BadInput, *path: str) -> BadInput:
        """The error for what stands at a path."""
        if self.file is None or not self._is_of_the_file(path):
            return error
        return self.file.refuse(error, *path)

    @contextmanager
    def at(self, *path: str) -> Iterator[None]:
        """What is refused in this block stands at the path."""
        try:
            yield
        except BadInput as error:
            raise self.refuse(error, *path) from error

    @contextmanager
    def within(self, table: str) -> Iterator[None]:
        """What is refused here stands in the table, at the key that the sentence names or whose text it cites."""
        try:
            yield
        except BadInput as error:
            words, given = re.findall(r"\w+", str(error)), self.get(table, {})
            named = [key for key in given if key in words]
            cited = [key for key in given if any(repr(text) in str(error) for text in _texts(given[key]))]
            raise self.refuse(error, table, *[*named, *cited][:1]) from error

    def _is_of_the_file(self, path: tuple[str, ...]) -> bool:
        own: Any = self
        given: Any = self.file.content if self.file is not None else {}
        for key in path:
            if not isinstance(own, Mapping) or not isinstance(given, Mapping) or key not in own or key not in given:
                return False
            own, given = own[key], given[key]
        return own is given or (isinstance(own, Mapping) and isinstance(given, Mapping))


def _texts(value: Any) -> list[str]:
    """The text, or the texts of a list."""
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


def read_config(path: str | Path) -> Configuration:
    """What a TOML file says; a malformed one is refused."""
    file = TomlFile(path)
    found = Configuration(file.content)
    found.file = file
    return found


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


def make_plan(game: Game, algorithm: Algorithm, config: Mapping[str, Any]) -> tuple[Plan, dict[str, Any], Any]:
    """The plan, the game's options and the algorithm's settings; what is wrong is refused with its line, if any."""
    config = config if isinstance(config, Configuration) else Configuration(config)
    top = {key: value for key, value in config.items() if key not in (*_TABLES, *_SUBJECTS)}
    for key, wanted in zip(_SUBJECTS, (game.spec.name, algorithm.name), strict=True):
        if config.get(key, wanted) != wanted:
            raise config.refuse(BadInput(f"The configuration is for the {key} {config[key]}, not for {wanted}."), key)
    known = [field.name for field in dataclasses.fields(Plan)]
    for key in top:
        if key not in known:
            raise config.refuse(did_you_mean(key, [*known, *_SUBJECTS, *_TABLES], "key of a training"), key)
    plan = with_values(Plan(), top, "training", config)
    with config.at("seed"):
        checked_seed(plan.seed)
    for name in ("steps", "report_every", "checkpoint_every", "evaluate_every"):
        _check_bounds(config, plan, name, 1)
    _check_bounds(config, plan, "evaluate_games", 0)
    with config.at("opponents"):
        if "opponents" in top and not plan.opponents:
            raise BadInput("opponents must name at least one agent.")
        for opponent in plan.opponents:
            parse_code(game, opponent, outside=True)
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
    given, fixed, renamed = _table(config, "settings"), algorithm.fixed or {}, algorithm.renamed()
    for key in given:
        if key in renamed:
            sentence = f"The setting {key} of {algorithm.name} is called {renamed[key]} now."
            raise config.refuse(BadInput(sentence), "settings", key)
    for key in given:
        if key in fixed:
            sentence = f"The setting {key} of {algorithm.name} is {fixed[key]} and no other."
            raise config.refuse(BadInput(sentence), "settings", key)
    what = f"setting of {algorithm.name}"
    settings = with_values(algorithm.settings(), {**given, **fixed}, what, config, "settings")
    return plan, _options(game, algorithm, config), settings


def _check_bounds(config: Configuration, plan: Plan, name: str, least: int) -> None:
    if name in config and not least <= (value := getattr(plan, name)) <= MOST_STEPS:
        sentence = f"{name} must be at least {least} and at most {MOST_STEPS:,}, not {value:,}."
        raise config.refuse(BadInput(sentence), name)


def _options(game: Game, algorithm: Algorithm, config: Configuration) -> dict[str, Any]:
    given = _table(config, "options")
    options = {**algorithm.options(game), **given}
    try:
        game.options(options)
    except BadInput as error:
        raise config.refuse(error, "options", *wrong_alone(game.options, given)[:1]) from error
    return options


def _table(config: Configuration, name: str) -> dict[str, Any]:
    table = config.get(name, {})
    if not isinstance(table, dict):
        raise config.refuse(BadInput(f"[{name}] must be a table of names and values, not {table!r}."), name)
    return table


def with_values(start: Any, values: Mapping[str, Any], what: str, config: Configuration, *table: str) -> Any:
    """The dataclass with these values of a table; each must be of the kind that is there."""
    known = {field.name for field in dataclasses.fields(start)}
    checked = {}
    for key, value in values.items():
        with config.at(*table, key):
            if key not in known:
                raise did_you_mean(key, known, what)
            checked[key] = _checked(key, getattr(start, key), value)
    try:
        return dataclasses.replace(start, **checked)
    except BadInput as error:
        wrong = wrong_alone(lambda one: dataclasses.replace(start, **one), checked)
        raise config.refuse(error, *table, *wrong[:1]) from error


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

"""Experiments as TOML files: players with parameters, series of games, rules, seeds, where results go.

    results = "results.db"              # beside the file
    reference = "reference.toml"        # printed figures to compare with
    [players]
    H-Gr = "greedy"
    MC = { agent = "montecarlo", simulations = [500, 1000], gamma = 0.8 }   # a list makes a player of every value
    [[series]]
    name = "two players"
    game = "discovery"
    seats = 2
    games = 64                          # of every arrangement
    self_play = true
    seating = "permutations"            # or "rotations", "fixed"
    options = { final_scoring = "actual" }

Everything is checked before the first game; what is wrong is named with its line.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludens.agents.codes import parse_code
from ludens.core import registry
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.files import check_target
from ludens.core.rng import SEED_LIMIT
from ludens.core.spec import Game
from ludens.core.toml_files import TomlFile, wrong_alone
from ludens.lab.report.reference import read_references
from ludens.lab.statistics import ALPHA
from ludens.lab.stopping import Sprt, Stop
from ludens.play.schedule import ROTATIONS, SEATINGS, WALL, ClockRule, Player, Schedule, arrangements, sides_of

__all__ = ["Experiment", "Series", "read_experiment"]

_TOP = ("title", "about", "results", "report", "reference", "alpha", "players", "series")
_SERIES = (
    *("name", "about", "game", "seats", "players", "enter", "against", "tables", "self_play", "seating", "games"),
    *("seed", "paired", "options", "clock", "stop", "reference"),
)
_SHARES = ("low", "high", "alpha", "beta")  # of a sequential test


@dataclass(frozen=True)
class Series:
    """One tournament of an experiment."""

    name: str
    about: str
    schedule: Schedule
    reference: Path | None
    stop: Stop | None


@dataclass(frozen=True)
class Experiment:
    """A whole file, checked."""

    path: Path
    title: str
    about: str
    results: Path
    report: Path  # without ending; .html and .md are written
    alpha: float
    series: tuple[Series, ...]
    command: str = ""  # that repeats it, where it is no file of experiments

    @property
    def total(self) -> int:
        return sum(one.schedule.total for one in self.series)


def read_experiment(path: str | Path) -> Experiment:
    """The experiment that a file describes; anything that could not be played is refused with its line."""
    file = TomlFile(path)
    top = file.table(known=_TOP)
    folder = file.path.parent
    listed = top.get("series")
    if not isinstance(listed, list) or not listed:
        raise file.refuse("an experiment needs at least one [[series]].", "series")
    series = tuple(_series(file, number, top) for number in range(len(listed)))
    names = [one.name for one in series]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise file.refuse(f"two series have the name {name!r}.", "series", number, "name")
    alpha = _number(file, top, "alpha", ALPHA, float, 1e-9, 0.5)
    stem = file.path.stem
    results = folder / _text(file, top, "results", f"{stem}.db")
    report = folder / _text(file, top, "report", f"{stem}_report")
    report = report.with_suffix("") if report.suffix in (".html", ".md") else report
    for key, target in (("results", results), ("report", report.with_name(f"{report.name}.html"))):
        try:
            check_target(target)  # now, and not after the last game
        except BadInput as error:
            raise file.refuse(error, key) from error
    return Experiment(
        path=file.path,
        title=_text(file, top, "title", stem),
        about=_text(file, top, "about", ""),
        results=results,
        report=report,
        alpha=alpha,
        series=series,
    )


def _series(file: TomlFile, number: int, top: Mapping[str, Any]) -> Series:
    here = ("series", number)
    given = file.table(*here, known=_SERIES)
    if "game" not in given:
        raise file.refuse("a series needs its game.", *here)
    name = _text(file, given, "game", "", *here)
    try:
        game = registry.game(name)
    except BadInput as error:
        raise file.refuse(error, *here, "game") from error
    options = _options(file, here, game, given)
    places = max(sides_of(game.spec, options[0])) + 1
    players = _players(file, here, game, given)
    names = [player.name for player in players]
    meetings = _meetings(file, here, given, names, places, f"{game.spec.title} with {options[0]} players")
    seating = given.get("seating", ROTATIONS)
    if seating not in SEATINGS:
        raise file.refuse(did_you_mean(str(seating), SEATINGS, "seating"), *here, "seating")
    schedule = Schedule(
        game=game.spec.name,
        options=options,
        players=players,
        arrangements=arrangements(meetings, seating),
        repetitions=_number(file, given, "games", 1, int, 1, 10**9, *here),
        seed=_number(file, given, "seed", 0, int, 0, SEED_LIMIT - 1, *here),
        paired=_switch(file, given, "paired", True, *here),
        clock=_clock(file, here),
    )
    try:
        schedule.check()
    except BadInput as error:
        raise file.refuse(error, *here) from error
    name = _text(file, given, "name", game.spec.name if number == 0 else f"{game.spec.name} {number + 1}", *here)
    reference = given.get("reference", top.get("reference"))
    if reference is not None and not (file.path.parent / str(reference)).is_file():
        where = (*here, "reference") if "reference" in given else ("reference",)
        raise file.refuse(f"there is no file {reference}.", *where)
    found = None if reference is None else file.path.parent / str(reference)
    if found is not None:
        read_references(found)
    return Series(name, _text(file, given, "about", "", *here), schedule, found, _stop(file, here, names))


def _options(file: TomlFile, here: tuple[str | int, ...], game: Game, given: Mapping[str, Any]) -> tuple[int, ...]:
    options = dict(file.table(*here, "options"))
    known = ["players", *(option.name for option in game.spec.options)]
    for key in options:
        if key not in known:
            raise file.refuse(did_you_mean(key, known, f"option of {game.spec.name}"), *here, "options", key)
    if "seats" in given:
        if "players" in options and options["players"] != given["seats"]:
            raise file.refuse("the number of seats is given twice.", *here, "seats")
        options["players"] = given["seats"]
    try:
        return tuple(game.options({**game.spec.tournament, **options}).tolist())
    except BadInput as error:
        wrong = wrong_alone(game.options, options)
        where = ("seats",) if "players" in wrong and "seats" in given else ("options", *wrong[:1])
        raise file.refuse(error, *here, *where) from error


def _players(file: TomlFile, here: tuple[str | int, ...], game: Game, given: Mapping[str, Any]) -> tuple[Player, ...]:
    """The players of a series: those of the file, overridden by its own, as far as they enter."""
    shared, own = file.table("players"), file.table(*here, "players")
    merged = {**shared, **own}
    if not merged:
        raise file.refuse("an experiment needs players.", *here)
    entered = given.get("enter", list(merged))
    if not isinstance(entered, list):
        raise file.refuse("enter must be a list of players.", *here, "enter")
    for place, name in enumerate(entered):
        if not isinstance(name, str) or name not in merged:
            raise file.refuse(did_you_mean(str(name), merged, "player"), *here, "enter")
        if name in entered[:place]:
            raise file.refuse(f"player {name} enters twice.", *here, "enter")
    if not entered:
        raise file.refuse("nobody enters.", *here, "enter")
    found = []
    for name in entered:
        for player in _expanded(file, game, name, merged[name], (*(here if name in own else ()), "players", name)):
            found.append(player)
    return tuple(found)


def _expanded(file: TomlFile, game: Game, name: str, value: Any, where: tuple[str | int, ...]) -> list[Player]:
    """A player from its code or its table; lists of values make a player of every combination."""
    if isinstance(value, str):
        found = [Player(name, value)]
    elif isinstance(value, dict) and isinstance(value.get("agent"), str):
        parameters = {key: item for key, item in value.items() if key != "agent"}
        listed = {key: item if isinstance(item, list) else [item] for key, item in parameters.items()}
        varied = [key for key in listed if isinstance(parameters[key], list)]
        for key in varied:
            if not listed[key] or any(item in listed[key][:place] for place, item in enumerate(listed[key])):
                raise file.refuse(f"{key} of player {name} must be a list of different values.", *where)
        found = []
        for values in itertools.product(*listed.values()):
            chosen = dict(zip(listed, (_word(item) for item in values), strict=True))
            written = ",".join(f"{key}={item}" for key, item in chosen.items())
            own = " ".join(f"{key}={chosen[key]}" for key in varied)
            joint = "," if ":" in value["agent"] and "=" in value["agent"] else ":"
            code = value["agent"] + (f"{joint}{written}" if written else "")
            found.append(Player(f"{name} {own}" if own else name, code))
    else:
        raise file.refuse(f'player {name} must be a code or a table with agent = "…".', *where)
    for player in found:
        try:
            parse_code(game, player.code, outside=True)
        except BadInput as error:
            raise file.refuse(error, *where) from error
    return found


def _word(value: Any) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _meetings(
    file: TomlFile, here: tuple[str | int, ...], given: Mapping[str, Any], names: list[str], places: int, what: str
) -> list[tuple[int, ...]]:
    """Who sits at a table together."""
    if "tables" in given:
        found = []
        if not isinstance(given["tables"], list) or not given["tables"]:
            raise file.refuse("tables must be a list of tables, each a list of players.", *here, "tables")
        for table in given["tables"]:
            if not isinstance(table, list) or len(table) != places:
                raise file.refuse(f"{what} has {places} places at a table, not {table!r}.", *here, "tables")
            for name in table:
                if name not in names:
                    raise file.refuse(did_you_mean(str(name), names, "player"), *here, "tables")
            found.append(tuple(names.index(name) for name in table))
        return found
    itself = _switch(file, given, "self_play", False, *here)
    against = given.get("against")
    if against is not None:
        if not isinstance(against, list) or not against:
            raise file.refuse("against must be a list of players.", *here, "against")
        for name in against:
            if name not in names:
                raise file.refuse(did_you_mean(str(name), names, "player"), *here, "against")
    if not itself and len(names) < places:
        raise file.refuse(f"{what} has {places} places, too many for {len(names)} without self_play.", *here, "seats")
    choose = itertools.combinations_with_replacement if itself else itertools.combinations
    meetings = list(choose(range(len(names)), places))
    if against is not None:
        wanted = {names.index(name) for name in against}
        meetings = [one for one in meetings if sum(player in wanted for player in one) >= places - 1]
    if math.prod((len(meetings), math.factorial(places))) > 10**6:
        raise file.refuse(f"that would be {len(meetings)} meetings; name the tables.", *here)
    return meetings


def _clock(file: TomlFile, here: tuple[str | int, ...]) -> ClockRule:
    path = (*here, "clock")
    given = file.table(*path, known=("move", "game", "measure"))
    limits = [given.get(key) for key in ("move", "game")]
    if any(isinstance(limit, bool) or not isinstance(limit, int | float | None) for limit in limits):
        raise file.refuse("a clock's limits are seconds.", *path)
    try:
        return ClockRule(limits[0], limits[1], _text(file, given, "measure", WALL, *path))
    except BadInput as error:
        raise file.refuse(error, *path) from error


def _stop(file: TomlFile, here: tuple[str | int, ...], names: list[str]) -> Stop | None:
    given = file.table(*here, "stop", known=("player", *_SHARES, "least"))
    if not given:
        return None
    player = given.get("player", names[0])
    if player not in names:
        raise file.refuse(did_you_mean(str(player), names, "player"), *here, "stop", "player")
    path = (*here, "stop")
    shares = {key: _number(file, given, key, None, float, 0, 1, *path) for key in _SHARES if key in given}
    least = _number(file, given, "least", Sprt.least, int, 1, 10**9, *path)
    try:
        return Stop(player, Sprt(**shares, least=least))
    except BadInput as error:
        raise file.refuse(error, *path) from error


def _text(file: TomlFile, given: Mapping[str, Any], key: str, default: str, *here: str | int) -> str:
    value = given.get(key, default)
    if not isinstance(value, str):
        raise file.refuse(f"{key} must be a text, not {value!r}.", *here, key)
    if default and not value.strip():
        raise file.refuse(f"{key} must not be empty.", *here, key)
    return value.strip()


def _number(
    file: TomlFile, given: Mapping[str, Any], key: str, default: Any, kind: type, low: Any, high: Any, *here: str | int
) -> Any:
    value = given.get(key, default)
    if (
        isinstance(value, bool)
        or not isinstance(value, int if kind is int else int | float)
        or not low <= value <= high
    ):
        raise file.refuse(f"{key} must be a number from {low} to {high}, not {value!r}.", *here, key)
    return kind(value)


def _switch(file: TomlFile, given: Mapping[str, Any], key: str, default: bool, *here: str | int) -> bool:
    value = given.get(key, default)
    if not isinstance(value, bool):
        raise file.refuse(f"{key} must be true or false, not {value!r}.", *here, key)
    return value

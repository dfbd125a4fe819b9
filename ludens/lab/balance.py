"""What an option of a game changes, as a designer asks: who wins from which seat, how long, how close, how lucky.

Every value of the options is a series of one tournament: a weak and a strong agent, each alone on all seats, and the
strong one on every side against weak ones. All figures come from the stored games, so a run goes on after any
interruption.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from ludens.agents.codes import parse_code
from ludens.core import registry, verbs
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.files import write_text
from ludens.core.jit import kernel
from ludens.core.record import blank
from ludens.core.spec import Game
from ludens.core.toml_files import TomlFile
from ludens.core.verbs import TERMINAL
from ludens.lab.experiment import Experiment, Series
from ludens.lab.exploit import place_names
from ludens.lab.luck import share_of_luck, ways_of
from ludens.lab.report.build import build_report, write_document
from ludens.lab.report.document import Figure, Heading, Note, Table
from ludens.lab.report.figures import dots
from ludens.lab.standings import load_games
from ludens.lab.statistics import CONFIDENCE, mean_interval, share_interval
from ludens.play.executors import Executor
from ludens.play.results import ResultsFile
from ludens.play.schedule import Player, Schedule, sides_of

__all__ = [
    "BalancePlan",
    "Figure95",
    "Variation",
    "balance_schedules",
    "figures_of",
    "read_balance",
    "review_luck",
    "write_balance_report",
]

WEAK, STRONG = "weak", "strong"


@dataclass(frozen=True)
class BalancePlan:
    """What a file says of a balance."""

    game: str
    vary: dict[str, list[str]]
    options: dict[str, Any]
    weak: str = "easy"
    strong: str = "medium"
    games: int = 200
    reviews: int = 0
    simulations: int = 200
    seed: int = 0


def read_balance(path: str | Path) -> BalancePlan:
    """A TOML file with `game`, the agents and numbers of `BalancePlan`, and the tables `vary` and `options`."""
    file = TomlFile(path)
    kinds = {one.name: type(one.default) for one in fields(BalancePlan) if one.default is not MISSING}
    top = file.table(known=("game", "vary", "options", *kinds))
    for key, kind in kinds.items():
        if key in top and type(top[key]) is not kind:
            raise file.refuse(f"{key} must be {'a whole number' if kind is int else 'a text'}, not {top[key]!r}.", key)
    try:
        game = registry.game(str(top.get("game", "")))
    except BadInput as error:
        raise file.refuse(error, "game") from error
    vary = file.table("vary")
    for key, values in vary.items():
        if not isinstance(values, list) or not values:
            raise file.refuse(f"{key} must be a list of values.", "vary", key)
    return BalancePlan(
        game.spec.name,
        {key: [str(value) for value in values] for key, values in vary.items()},
        file.table("options"),
        **{key: top[key] for key in kinds if key in top},
    )


@dataclass(frozen=True)
class Figure95:
    """A number with its interval of 95 %; nan where it is not known."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "–"
        spread = "" if math.isnan(self.low) else f" ({self.low:.3g} – {self.high:.3g})"
        return f"{self.value:.3g}{spread}"

    @property
    def percent(self) -> str:
        if math.isnan(self.value):
            return "–"
        return f"{self.value:.1%} ({self.low:.1%} – {self.high:.1%})"


@dataclass(frozen=True)
class Variation:
    """What was measured with one value of the options: a figure for an agent alone on all seats, by its name."""

    name: str
    games: int
    seats: Mapping[str, tuple[Figure95, ...]]  # chance of every side
    length: Mapping[str, Figure95]  # decisions of a game
    turns: Mapping[str, Figure95]
    decisive: Mapping[str, Figure95]  # part of the games with one winner
    lead_changes: Mapping[str, Figure95]
    choices: Mapping[str, Figure95]  # decisions of a game between several moves
    width: Mapping[str, Figure95]  # moves to choose from, the geometric mean of a game
    luck: Mapping[str, Figure95]
    spread: Figure95  # the strong agent's share against weak ones, in multiples of an even share

    def to_json(self) -> dict[str, Any]:
        plain: Callable[[Any], Any] = lambda one: [None if math.isnan(x) else x for x in (one.value, one.low, one.high)]  # noqa: E731
        told: dict[str, Any] = {"name": self.name, "games": self.games, "spread": plain(self.spread)}
        told["seats"] = {agent: [plain(one) for one in own] for agent, own in self.seats.items()}
        for key in ("length", "turns", "decisive", "lead_changes", "choices", "width", "luck"):
            told[key] = {agent: plain(one) for agent, one in getattr(self, key).items()}
        return told


def balance_schedules(
    game: Game,
    vary: Mapping[str, Sequence[str]],
    agents: tuple[str, str],
    games: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Schedule]:
    """A schedule for every combination of the values; `games` of each way to seat the agents."""
    if not vary:
        raise BadInput("Nothing varies: give --vary option=a,b,…")
    known = ["players", *(option.name for option in game.spec.options)]
    for name, values in vary.items():
        if name not in known:
            raise did_you_mean(name, known, f"option of {game.spec.name}")
        if len(set(values)) < len(values):
            raise BadInput(f"Option {name} is given a value twice.")
    if agents[0] == agents[1]:
        raise BadInput("The weak and the strong agent must differ.")
    for agent in agents:
        parse_code(game, agent, outside=True)
    found = {}
    for values in itertools.product(*vary.values()):
        chosen = dict(zip(vary, values, strict=True))
        array = game.options({**game.spec.tournament, **(options or {}), **chosen})
        places = max(sides_of(game.spec, int(array[0]))) + 1
        one_strong = tuple(tuple(int(other == place) for other in range(places)) for place in range(places))
        name = ", ".join(f"{key}={value}" for key, value in chosen.items())
        found[name] = Schedule(
            game=game.spec.name,
            options=tuple(array.tolist()),
            players=(Player(WEAK, agents[0]), Player(STRONG, agents[1])),
            arrangements=((0,) * places, (1,) * places, *one_strong),
            repetitions=games,
            seed=seed,
        )
        found[name].check()
    return found


@kernel
def _look_at(
    states: Any, options: Any, log: Any, legal: Any, sides: Any, weights: Any, by_points: bool, first_automatic: int,
    out: Any, told: Any,
) -> None:  # fmt: skip
    """told: turns, changes of the side in the lead, choices between several moves, sum of the logarithms of those."""
    s = states[0]
    verbs.reset(s, options)
    told[:] = 0.0
    last, leader = -1, -1
    for k in range(log.shape[0]):
        who = verbs.actor(s)
        if who >= 0:
            n = verbs.legal(s, legal)
            if n > 1 and legal[0] < first_automatic:
                told[2] += 1
                told[3] += np.log(n)
            if who != last:
                if last >= 0:
                    leader = _changed(s, sides, weights, by_points, out, leader, told)
                told[0] += 1
                last = who
        verbs.apply(s, log[k])
    if verbs.actor(s) == TERMINAL:
        verbs.returns(s, out)
        leader = _in_front(out, sides, leader, told)


@kernel
def _changed(s: Any, sides: Any, weights: Any, by_points: bool, out: Any, leader: int, told: Any) -> int:
    if by_points:
        verbs.scores(s, out)
    else:
        verbs.evaluate(s, weights, out)
    return _in_front(out, sides, leader, told)


@kernel
def _in_front(out: Any, sides: Any, leader: int, told: Any) -> int:
    """The side in front, if it is alone there; else the one that was."""
    best, ties = 0, 0
    for seat in range(1, sides.shape[0]):
        if out[seat] > out[best] + 1e-9:
            best, ties = seat, 0
        elif sides[seat] != sides[best] and out[seat] > out[best] - 1e-9:
            ties += 1
    if ties or sides[best] == leader:
        return leader
    if leader >= 0:
        told[1] += 1
    return int(sides[best])


def _courses(file: ResultsFile, run_name: str, below: int) -> dict[int, np.ndarray]:
    """What `_look_at` tells of every game of a run."""
    run = file.run(run_name)
    game = registry.game(run.game_name)
    options = game.options(run.plan["options"])
    sides = np.array(sides_of(game.spec, int(options[0])))
    weights = next(iter(game.rules.evaluations.values())) if game.rules.evaluations else np.zeros(0)
    out, told = np.zeros(int(options[0])), np.zeros(4)
    legal, state = np.zeros(game.spec.actions, np.int64), blank(game.dtype)
    found = {}
    for number, log in file.logs(run, below):
        state[:] = np.zeros((), game.dtype)
        _look_at(
            state, options, log, legal, sides, weights, game.spec.counts_points, game.spec.first_automatic, out, told
        )
        found[number] = told.copy()
    return found


def figures_of(path: Path, name: str, luck: Mapping[str, Any] | None = None) -> Variation:
    """The figures of one series of a file of results."""
    with ResultsFile(path) as file:
        run = file.run(name)
        table = load_games(file, run)
        courses = _courses(file, name, run.total)
    course = np.array([courses[number] for number in table.number.tolist()]).reshape(-1, 4)
    alone = {
        agent: np.all(table.player == k, axis=1) for k, agent in enumerate((WEAK, STRONG))
    }  # fmt: skip
    sides = np.array(table.sides)
    winners = np.stack([table.result[:, seat] for seat in table.places], axis=1)
    single = (winners == winners.max(axis=1, keepdims=True)).sum(axis=1) == 1

    def each(values: np.ndarray) -> dict[str, Figure95]:
        return {agent: _mean(values[mask]) for agent, mask in alone.items()}

    lonely = [(table.player[:, seat] == 1) & ((table.player == 1).sum(axis=1) == (sides == sides[seat]).sum())
              for seat in table.places]  # fmt: skip
    won = sum(float(table.victory[mask, seat].sum()) for mask, seat in zip(lonely, table.places, strict=True))
    many = sum(int(mask.sum()) for mask in lonely)
    low, high = share_interval(won, many)
    even = 1 / len(table.places)
    shares = (luck or {}).get(name, {})
    return Variation(
        name=name,
        games=table.games,
        seats={
            agent: tuple(_share(float(table.victory[mask, seat].sum()), int(mask.sum())) for seat in table.places)
            for agent, mask in alone.items()
        },
        length=each(table.decisions.sum(axis=1)),
        turns=each(course[:, 0]),
        decisive={agent: _share(float(single[mask].sum()), int(mask.sum())) for agent, mask in alone.items()},
        lead_changes=each(course[:, 1]),
        choices=each(course[:, 2]),
        width=each(np.exp(course[:, 3] / np.maximum(1, course[:, 2]))),
        luck={agent: _luck(shares.get(agent, [])) for agent in alone},
        spread=Figure95(won / max(1, many) / even, low / even, high / even),
    )


def _share(total: float, games: int) -> Figure95:
    low, high = share_interval(total, games)
    return Figure95(total / games if games else math.nan, low, high)


def _mean(values: np.ndarray) -> Figure95:
    low, high = mean_interval(values) or (math.nan, math.nan)
    return Figure95(float(values.mean()) if len(values) else math.nan, low, high)


def _luck(ways: list[list[tuple[float, float]]]) -> Figure95:
    found = share_of_luck(ways, CONFIDENCE)
    return Figure95(found.share, found.low, found.high)


def review_luck(
    path: Path, names: Sequence[str], games: int, simulations: int, executor: Executor, kept: Path
) -> dict[str, dict[str, list[Any]]]:
    """The ways of the first games that each agent plays alone, by series; what `kept` holds is not done again."""
    known: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    wanted: list[tuple[str, tuple[Any, ...]]] = []
    with ResultsFile(path) as file:
        for name in names:
            run = file.run(name)
            table = load_games(file, run)
            for k, agent in enumerate((WEAK, STRONG)):
                for number in table.number[np.all(table.player == k, axis=1)][:games].tolist():
                    key = f"{run.identity} {simulations} {agent} {number}"
                    wanted.append((key, (name, agent, number)))
        missing = [(key, one) for key, one in wanted if key not in known]
        for begin in range(0, len(missing), 4 * executor.workers):
            part = missing[begin : begin + 4 * executor.workers]
            documents = [(file.document(file.run(one[0]), one[2]), simulations) for _, one in part]
            for (key, _), ways in zip(part, executor.map(ways_of, documents), strict=True):
                known[key] = ways
            write_text(kept, json.dumps(known))
    found: dict[str, dict[str, list[Any]]] = {}
    for key, (name, agent, _) in wanted:
        found.setdefault(name, {}).setdefault(agent, []).append(known[key])
    return found


def write_balance_report(
    game: Game, agents: tuple[str, str], schedules: Mapping[str, Schedule], variations: Sequence[Variation],
    results: Path, report: Path, command: str,
) -> tuple[Path, Path]:  # fmt: skip
    """The report with its pictures; returns the page and the text."""
    title = f"What {', '.join(dict.fromkeys(_varied(schedules)))} changes in {game.spec.title}"
    about = f"The weak agent is `{agents[0]}`, the strong one `{agents[1]}`. Intervals are of 95 %."
    series = tuple(Series(name, "", schedule, None, None) for name, schedule in schedules.items())
    document = build_report(Experiment(results, title, about, results, report, 1 - CONFIDENCE, series, command))
    blocks: list[Any] = []
    rows = [
        [one.name, agent, name, own.percent]
        for one in variations
        for agent in one.seats
        for name, own in zip(place_names(game, schedules[one.name].options[0]), one.seats[agent], strict=True)
    ]
    blocks += [Heading(2, "Chance of every seat"), Table(("rules", "agent", "side", "wins"), rows, texts=3)]
    for k, agent in enumerate((WEAK, STRONG)):
        points = [
            (f"{one.name}: {name}", own.value, own.low, own.high)
            for one in variations
            for name, own in zip(place_names(game, schedules[one.name].options[0]), one.seats[agent], strict=True)
        ]
        blocks.append(Figure(f"balance_seats_{k}", dots(points, f"share of wins, {agent} agents"), f"{agent} agents"))
    heads = ("rules", "agent", "decisions", "turns", "one winner", "lead changes", "real choices", "moves each", "luck")
    rows = [
        [
            one.name,
            agent,
            str(one.length[agent]),
            str(one.turns[agent]),
            one.decisive[agent].percent,
            str(one.lead_changes[agent]),
            str(one.choices[agent]),
            str(one.width[agent]),
            one.luck[agent].percent,
        ]
        for one in variations
        for agent in one.length
    ]
    lead = "points" if game.spec.counts_points else "the game's evaluation"
    blocks += [
        Heading(2, "The course of a game"),
        Table(heads, rows, "Moves each: the geometric mean of the legal moves at a real choice.", texts=2),
        Note(
            f"Who leads is told by {lead} after every turn. Luck is the part of the variance of results that reviews "
            "do not explain by decisions."
        ),
    ]
    for key, label in (("length", "decisions of a game"), ("lead_changes", "lead changes of a game")):
        points = [
            (f"{one.name}: {agent}", own.value, own.low, own.high)
            for one in variations
            for agent, own in getattr(one, key).items()
        ]
        blocks.append(Figure(f"balance_{key}", dots(points, label), label))
    rows = [[one.name, str(one.spread)] for one in variations]
    points = [(one.name, one.spread.value, one.spread.low, one.spread.high) for one in variations]
    blocks += [
        Heading(2, "Strong against weak"),
        Table(("rules", "share of the strong agent, in even shares"), rows),
        Figure("balance_spread", dots(points, "share of the strong agent, in even shares", 1.0), "1 is an even share"),
    ]
    document.blocks[1:1] = blocks
    return write_document(document, report)


def _varied(schedules: Mapping[str, Schedule]) -> list[str]:
    return [part.partition("=")[0] for name in schedules for part in name.split(", ")]

"""The course of a training: steps, reports, checkpoints, evaluations; broken off, it goes on as if nothing happened.

A folder holds checkpoint.json, curve.csv (the means of every `report_every` steps), evaluations.csv, the agent's file
and logs for TensorBoard. Whatever lies in it is made from the checkpoint alone, so a resumed training gives the same
files.
"""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludens.agents.codes import make_agent
from ludens.core.errors import BadInput
from ludens.core.files import make_folder, write_text
from ludens.core.spec import Game
from ludens.lab.series import run
from ludens.learn.checkpoint import Checkpoint, at_work_in, read_checkpoint, write_checkpoint
from ludens.learn.learner import Algorithm, Setup
from ludens.learn.plan import Plan
from ludens.learn.tensorboard import Log
from ludens.play.cluster import ClusterGone
from ludens.play.executors import Executor, ThisProcess

__all__ = ["CHECKPOINT", "Evaluation", "Training"]

CHECKPOINT = "checkpoint.json"
_EVALUATION_SEED = 1_000_000  # apart from those of training games


@dataclass(frozen=True)
class Evaluation:
    """What the agent of some step did against an opponent, or a table of them."""

    step: int
    opponents: str
    games: int
    won: float  # share
    low: float  # of its interval of 95 %
    high: float


class Training:
    """One training in a folder; `run` makes the steps that are left."""

    def __init__(
        self,
        game: Game,
        algorithm: Algorithm,
        plan: Plan,
        options: dict[str, Any],
        settings: Any,
        folder: Path,
        executor: Executor | None = None,
    ) -> None:
        self.game, self.algorithm, self.plan, self.folder = game, algorithm, plan, folder
        self._array = game.options(options)
        self._learner = algorithm.make(
            Setup(game, self._array, settings, plan.seed, plan.opponents, plan.steps, executor or ThisProcess())
        )
        task = algorithm.task(game)
        self.identity: dict[str, Any] = {
            "game": game.spec.identity,
            "features": str(getattr(task, "features_version", game.spec.features_version)),
            "algorithm": algorithm.name,
            "options": game.show_options(self._array),
            "settings": _told(settings),
            "seed": plan.seed,
            "opponents": list(plan.opponents),
            "report_every": plan.report_every,
        }
        self.step = 0
        self.rows: list[dict[str, float]] = []
        self.evaluations: list[Evaluation] = []
        self._since: list[dict[str, float]] = []  # figures since the last row
        self.code = ""

    # --- beginning, keeping ---

    def begin(self, resume: bool) -> None:
        """Starts anew in a folder without a checkpoint, or goes on from the one that is there."""
        for opponent in self.plan.opponents:
            make_agent(self.game, opponent, outside=True)  # one that cannot be made is refused before the first step
        path = self.folder / CHECKPOINT
        if path.exists() and not resume:
            raise BadInput(f"{self.folder} holds a training already; go on with --resume, or choose another --out.")
        if not path.exists():
            if resume:
                raise BadInput(f"{self.folder} holds no {CHECKPOINT} to resume.")
            self._learner.start()  # what cannot begin leaves no folder behind
            make_folder(self.folder)
            self._keep()
            return
        kept = read_checkpoint(path, self.identity, self.algorithm.renamed())
        try:
            self._learner.load(kept.arrays, kept.facts)
            self.step, self.rows, self._since = kept.step, kept.course["rows"], kept.course["since"]
            self.evaluations = [Evaluation(**entry) for entry in kept.course["evaluations"]]
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, BadInput):
                raise
            what = f"it lacks {error}" if isinstance(error, KeyError) else "what it holds does not fit"
            raise BadInput(f"{path} is no checkpoint of {self.algorithm.name}: {what}.") from error

    def _keep(self) -> None:
        """Writes the checkpoint, then what is made from it."""
        arrays, facts = self._learner.save()
        course = {
            "rows": self.rows,
            "since": self._since,
            "evaluations": [dataclasses.asdict(evaluation) for evaluation in self.evaluations],
        }
        write_checkpoint(self.folder / CHECKPOINT, Checkpoint(self.identity, self.step, arrays, facts, course))
        write_text(self.folder / "curve.csv", _csv(self.rows))
        write_text(self.folder / "evaluations.csv", _csv([dataclasses.asdict(e) for e in self.evaluations]))
        self.code = self._learner.agent(self.folder / "agent", {**self.identity, "steps": self.step})

    # --- running ---

    def run(self, report: Callable[[Training], None] = lambda training: None, until: int | None = None) -> None:
        """Makes the steps up to the plan's end (or `until`); `report` is called after each and after evaluations."""
        with at_work_in(self.folder):
            self._run(report, until)

    def _run(self, report: Callable[[Training], None], until: int | None) -> None:
        plan, last = self.plan, self.plan.steps if until is None else min(until, self.plan.steps)
        log = Log(self.folder / "tensorboard")
        while self.step < last:
            try:
                figures = self._learner.step(self.step)
            except ClusterGone:  # between two steps nothing has changed
                self._keep()
                raise
            self._since.append({name: float(value) for name, value in figures.items()})
            self.step += 1
            if self.step % plan.report_every == 0 or self.step == plan.steps:
                self._add_row()
                log.write(self.step, self.rows[-1])
            due = self.step % plan.evaluate_every == 0 or self.step == plan.steps
            evaluating = due and plan.evaluate_games > 0
            if evaluating:
                self.code = self._learner.agent(self.folder / "agent", {**self.identity, "steps": self.step})
                for evaluation in self.evaluate(plan.evaluate_games):
                    self.evaluations.append(evaluation)
                    log.write(self.step, {f"won against {evaluation.opponents}": evaluation.won})
            if evaluating or self.step % plan.checkpoint_every == 0:
                self._keep()
            report(self)
        self._keep()
        log.close()

    def _add_row(self) -> None:
        names = self._since[0]
        means = {name: float(np.mean([figures[name] for figures in self._since])) for name in names}
        row = {"step": float(self.step), **means}
        if self.rows and self.rows[0].keys() != row.keys():
            raise BadInput(f"The rows of {self.folder / CHECKPOINT} have other figures than {self.algorithm.name}.")
        self.rows.append(row)
        self._since = []

    def evaluate(self, games: int) -> list[Evaluation]:
        """The agent as it stands against every opponent; where several fit a table, it sits among copies of one."""
        found = []
        options = self.game.show_options(self._array)
        for opponent in self.plan.opponents:
            agents = self.lineup(opponent)
            rotating = self.algorithm.place is None
            result = run(self.game, agents, games, _EVALUATION_SEED, None, options, 1, rotating=rotating)
            own = next(s for s in result.agents if s.agent == self.code)
            found.append(Evaluation(self.step, opponent, games, own.win_share, *own.interval))
        return found

    def lineup(self, opponent: str) -> list[str]:
        """The agent and as many copies of the opponent as there are other places."""
        places = len(set(self.game.spec.sides(int(self._array[0]))))
        others = [opponent] * (places - 1)
        place = self.algorithm.place or 0
        return [*others[:place], self.code, *others[place:]]


def _told(settings: Any) -> dict[str, Any]:
    """The settings of a training; those that came later are not told at their default, so that older ones go on."""
    newer = {
        field.name: field.metadata["unsaid"] for field in dataclasses.fields(settings) if "unsaid" in field.metadata
    }
    return {name: value for name, value in dataclasses.asdict(settings).items() if newer.get(name, ...) != value}


def _csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["step"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()

"""Trainings that belong together: variants of one training with several seeds, their curves and what their agents win.

game = "scotland_yard_grid"
algorithm = "q-learning"
folder = "runs/grid"              # of the trainings, NAME-SEED each, and of the pictures
seeds = [0, 1, 2]
steps = 1000                      # this, and every other key of a training (`learn/plan.py`), is for all variants

[variants.thesis]                 # what is different in this one: keys and tables of a training
label = "the set-up of the thesis"
settings = { form = "thesis" }

[[pictures]]
file = "learning.png"
figures = ["rounds", "won"]       # columns of the curves
variants = ["improved", "thesis"] # by default all
panels = "figures"                # one for each figure, with a line for each seed; or one for each of the "variants",
columns = 4                       # so many in a row, with mean and range over the seeds
average = 4                       # rows of a curve that make a point
scale = 100                       # what a step is worth on the axis below,
unit = "games"                    # which counts these
"""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core import registry
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.extras import require
from ludens.core.files import make_folder
from ludens.core.spec import Game
from ludens.core.toml_files import TomlFile
from ludens.lab.statistics import share_interval
from ludens.learn.algorithms import algorithm_for
from ludens.learn.plan import Plan, make_plan
from ludens.learn.training import CHECKPOINT, Training

__all__ = ["Picture", "Study", "Variant", "draw", "read_study", "results", "run_study", "training_of"]

_TABLES = ("options", "settings")
_OF_A_TRAINING = ("algorithm", *(entry.name for entry in dataclasses.fields(Plan) if entry.name != "seed"), *_TABLES)
_TOP = ("game", "folder", "seeds", "variants", "pictures", *_OF_A_TRAINING)
_PANELS = ("figures", "variants")


@dataclass(frozen=True)
class Variant:
    """One of the trainings."""

    name: str
    label: str
    algorithm: str
    config: dict[str, Any]  # all but the seed


@dataclass(frozen=True)
class Picture:
    """Curves of some variants in one file."""

    file: str
    figures: tuple[str, ...]
    variants: tuple[str, ...]
    panels: str = "figures"
    columns: int = 4
    average: int = 1
    scale: float = 1.0
    unit: str = "steps"


@dataclass(frozen=True)
class Study:
    """What a file describes."""

    game: Game
    folder: Path
    seeds: tuple[int, ...]
    variants: dict[str, Variant]
    pictures: tuple[Picture, ...] = field(default_factory=tuple)

    def place(self, name: str, seed: int) -> Path:
        """The folder of a training."""
        return self.folder / f"{name}-{seed}"

    def curves(self, name: str) -> list[list[dict[str, float]]]:
        """The curves that the trainings of a variant have so far, by seeds."""
        return [rows for seed in self.seeds if (rows := _rows(self.place(name, seed) / "curve.csv"))]


def read_study(path: str | Path) -> Study:
    """The study of a file; what is wrong in it is refused with its line."""
    file = TomlFile(path)
    top = file.table(known=_TOP)
    for key in ("game", "folder"):
        if not isinstance(top.get(key), str):
            raise file.refuse(f"{key} must be a text.", key)
    seeds = top.get("seeds", [0])
    if not isinstance(seeds, list) or not seeds or not all(type(seed) is int for seed in seeds):
        raise file.refuse("seeds must be a list of whole numbers.", "seeds")
    game = registry.game(top["game"])
    variants = {name: _variant(file, top, name) for name in file.table("variants")}
    if not variants:
        raise file.refuse("a study needs variants.")
    study = Study(game, Path(top["folder"]), tuple(seeds), variants)
    for variant in variants.values():
        try:
            training_of(study, variant, seeds[0])
        except BadInput as error:
            raise file.refuse(str(error), "variants", variant.name) from error
    listed = top.get("pictures", [])
    pictures = tuple(_picture(file, variants, number) for number in range(len(listed)))
    return dataclasses.replace(study, pictures=pictures)


def _variant(file: TomlFile, top: dict[str, Any], name: str) -> Variant:
    own = dict(file.table("variants", name, known=("label", *_OF_A_TRAINING)))
    config = {key: top[key] for key in _OF_A_TRAINING if key in top} | own
    for table in _TABLES:
        if isinstance(top.get(table), dict) and isinstance(own.get(table), dict):
            config[table] = {**top[table], **own[table]}
    label, algorithm = config.pop("label", name), config.pop("algorithm", None)
    if not isinstance(algorithm, str):
        raise file.refuse("the algorithm is not named.", "variants", name)
    return Variant(name, str(label), algorithm, config)


def _picture(file: TomlFile, variants: Iterable[str], number: int) -> Picture:
    here = ("pictures", number)
    given = file.table(*here, known=tuple(entry.name for entry in dataclasses.fields(Picture)))
    for key in ("file", "figures"):
        if key not in given:
            raise file.refuse(f"a picture needs {key}.", *here)
    shown = tuple(given.get("variants", variants))
    for name in shown:
        if name not in variants:
            raise file.refuse(did_you_mean(str(name), variants, "variant"), *here, "variants")
    if given.get("panels", "figures") not in _PANELS:
        raise file.refuse(did_you_mean(str(given["panels"]), _PANELS, "kind of panels"), *here, "panels")
    return Picture(**{**given, "figures": tuple(given["figures"]), "variants": shown})


def training_of(study: Study, variant: Variant, seed: int) -> Training:
    """The training of a variant with a seed; nothing is made yet."""
    algorithm = algorithm_for(study.game, variant.algorithm)
    plan, options, settings = make_plan(study.game, algorithm, {**variant.config, "seed": seed})
    return Training(study.game, algorithm, plan, options, settings, study.place(variant.name, seed))


def run_study(
    study: Study, report: Callable[[Training], None] = lambda training: None
) -> Iterator[tuple[Variant, int, Training]]:
    """Trains every variant with every seed as far as it has not been done, and gives each training when it is done."""
    for seed in study.seeds:
        for variant in study.variants.values():
            training = training_of(study, variant, seed)
            training.begin(resume=(training.folder / CHECKPOINT).exists())
            if training.step < training.plan.steps:
                training.run(report)
            yield variant, seed, training


# --- what came out ---


def results(study: Study, figures: Sequence[str]) -> str:
    """A Markdown table: first and last values of figures by seeds; games of the finished agents, all seeds together."""
    played = {name: _won(study, name) for name in study.variants}
    opponents = list(dict.fromkeys(against for won in played.values() for against in won))
    heads = [
        "variant",
        "seeds",
        *(f"{name}, first → last" for name in figures),
        *(f"won against {o}" for o in opponents),
    ]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for name, won in played.items():
        curves = study.curves(name)
        if not curves:
            continue
        changes = [
            ", ".join(f"{rows[0][figure]:.3g} → {rows[-1][figure]:.3g}" for rows in curves if figure in rows[0]) or "–"
            for figure in figures
        ]
        lines.append(f"| {' | '.join([name, str(len(curves)), *changes, *(won.get(o, '–') for o in opponents)])} |")
    return "\n".join(lines)


def _won(study: Study, name: str) -> dict[str, str]:
    """Opponent -> share, interval and games of the last evaluations of all seeds."""
    games: dict[str, list[float]] = {}
    for seed in study.seeds:
        rows = _table(study.place(name, seed) / "evaluations.csv")
        for row in rows:
            if row["step"] == rows[-1]["step"]:
                total = games.setdefault(row["opponents"], [0.0, 0.0])
                total[0] += float(row["won"]) * float(row["games"])
                total[1] += float(row["games"])
    told = {}
    for opponent, (won, count) in games.items():
        low, high = share_interval(won, int(count))
        told[opponent] = f"{won / count:.1%} ({low:.1%} – {high:.1%}) of {count:,.0f}"
    return told


def draw(study: Study, picture: Picture) -> Path:
    """Writes the picture into the study's folder; trainings that have not begun, or lack a figure, are left out."""
    require("lab", "A figure", "matplotlib")
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "ludens"
    from matplotlib import pyplot

    shown = [name for name in picture.variants if study.curves(name)]
    by_figure = picture.panels == "figures"
    panels = [(shown, name) for name in picture.figures] if by_figure else [
        ([name], figure) for figure in picture.figures for name in picture.variants
    ]  # fmt: skip
    columns = min(picture.columns, len(panels))
    known = {key for name in shown for curve in study.curves(name) for key in curve[0]}
    for figure in picture.figures if known else ():
        if figure not in known:
            raise did_you_mean(figure, known - {"step"}, "figure of these curves")
    rows = -(-len(panels) // columns)
    width, height = (4.7, 4.0) if by_figure else (3.1, 2.6)
    chart, axes = pyplot.subplots(
        rows, columns, figsize=(width * columns, height * rows), squeeze=False, sharey=not by_figure
    )
    for axis, (names, figure) in zip(axes.flat, panels, strict=False):
        for colour, name in enumerate(names):
            label = study.variants[name].label
            curves = [_points(curve, figure, picture) for curve in study.curves(name) if figure in curve[0]]
            if by_figure:
                for number, (x, y) in enumerate(curves):
                    axis.plot(x, y, f"C{colour}", label="" if number else label, lw=1)
            elif curves:
                length = min(len(x) for x, _ in curves)
                values = np.array([y[:length] for _, y in curves])
                axis.fill_between(curves[0][0][:length], values.min(0), values.max(0), alpha=0.25, linewidth=0)
                axis.plot(curves[0][0][:length], values.mean(0))
        title = figure.replace("_", " ") if by_figure else study.variants[names[0]].label
        axis.set_title(title, fontsize=10 if by_figure else 8)
        axis.set_xlabel(picture.unit, fontsize=8)
        axis.tick_params(labelsize=7)
    for axis in axes.flat[len(panels) :]:
        axis.axis("off")
    if by_figure and shown:
        axes.flat[len(panels) - 1].legend(fontsize=7)
    chart.tight_layout()
    target = make_folder(study.folder) / picture.file
    chart.savefig(target, dpi=120, metadata={"Date": None} if target.suffix == ".svg" else None)
    pyplot.close(chart)
    return target


def _points(curve: list[dict[str, float]], figure: str, picture: Picture) -> tuple[np.ndarray, np.ndarray]:
    """Moving averages of a figure, and where they stand."""
    window = min(picture.average, len(curve))
    steps = np.array([row["step"] for row in curve]) * picture.scale
    values = np.array([row[figure] for row in curve])
    return steps[window - 1 :], np.convolve(values, np.ones(window) / window, "valid")


def _rows(path: Path) -> list[dict[str, float]]:
    return [{name: float(value) for name, value in row.items()} for row in _table(path)]


def _table(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))

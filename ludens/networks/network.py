"""A network: named arrays with what they are for, in one file, evaluated without torch.

The file has the safetensors format. Its metadata name the game and its version, the version of the features, the
options the network is for, its layout and how it was trained. A file that does not fit is refused in one sentence.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.renamed import PARAMETERS
from ludens.core.spec import Game
from ludens.networks.forward import PackedNetwork, forward_many, make_thinking
from ludens.networks.layout import Layout, PlainLayout
from ludens.networks.rows import RowsLayout
from ludens.networks.weights_file import read_arrays, write_arrays

__all__ = ["ARCHITECTURES", "SEARCH", "Network", "load", "load_for", "untrained"]

ARCHITECTURES: dict[str, type[Layout]] = {layout.architecture: layout for layout in (PlainLayout, RowsLayout)}
"""The classes of layouts by name."""

SEARCH = {"value_weight": (0.0, 1.0), "prior_temperature": (0.1, 10.0)}
"""What a file may say of the search with its network, with bounds; see `search.mcts_kernel.MctsSettings`."""

_SIDES = 2  # more are told apart by seats alone
_FORMAT = "ludens network 2"
_FIRST_FORMAT = "ludens network 1"  # its layouts do not speak of a norm, and have none


@dataclass(frozen=True, eq=False)
class Network:
    """Arrays of a layout, and what they are for."""

    game: str  # name@version
    features: int  # version of the features it reads
    options: Mapping[str, list[Any]]  # the values of options that it is for; options that are not named do not matter
    layout: Layout
    arrays: Mapping[str, np.ndarray]  # float32, those of layout.shapes()
    training: Mapping[str, Any] = field(default_factory=dict)  # how it was made; for people
    search: Mapping[str, float] = field(default_factory=dict)  # how a tree search uses it best: some of SEARCH

    def __post_init__(self) -> None:
        expected = self.layout.shapes()
        for name in sorted({*expected, *self.arrays}):
            given = self.arrays[name].shape if name in self.arrays else None
            if given != expected.get(name):
                raise BadInput(
                    f"The network does not have the shape of its layout: array {name} is {_shape(given)}, "
                    f"not {_shape(expected.get(name))}."
                )

    @cached_property
    def packed(self) -> PackedNetwork:
        """What kernels take."""
        return self.layout.pack(self.arrays)

    @property
    def parameters(self) -> int:
        return sum(array.size for array in self.arrays.values())

    @property
    def restricted(self) -> bool:
        """Was the policy learnt among the actions that the game leaves to policies (the verb `restrict`)?"""
        settings = self.training.get("settings")
        return isinstance(settings, dict) and bool(settings.get("restricted"))

    def check(self, game: Game, options: np.ndarray) -> None:
        """Refuses a game, or options of it, that the network is not for."""
        spec, players = game.spec, int(options[0])
        if self.game != spec.identity:
            raise BadInput(f"The network is for {self.game}, not for {spec.identity}.")
        if self.features != spec.features_version:
            raise BadInput(
                f"The network reads version {self.features} of the features of {spec.name}, "
                f"which are at version {spec.features_version}."
            )
        shown = game.show_options(options)
        for name, values in self.options.items():
            if shown.get(name) not in values:
                raise BadInput(f"The network is for {name} {' or '.join(map(str, values))}, not for {shown.get(name)}.")
        sizes = (spec.observation_size(options), spec.actions)
        by_side = self.layout.seats == _SIDES == len(set(spec.sides(players)))  # a value a side, whoever is on it
        if (self.layout.inputs, self.layout.actions) != sizes or (self.layout.seats < players and not by_side):
            raise BadInput(
                f"The network has {self.layout.inputs} inputs, {self.layout.actions} actions and {self.layout.seats} "
                f"seats; this game of {spec.name} needs {sizes[0]}, {sizes[1]} and {players}."
            )

    def save(self, path: str | Path, half: bool = True) -> Path:
        """Writes the file, with numbers of 16 bits or of 32."""
        arrays = {}
        for name, array in self.arrays.items():
            with np.errstate(over="ignore"):
                arrays[name] = array.astype(np.float16 if half else np.float32)
            if not np.isfinite(arrays[name]).all():
                raise BadInput(f"Array {name} of the network holds numbers that cannot be saved.")
        about = {
            "format": _FORMAT,
            "game": self.game,
            "features": str(self.features),
            "options": json.dumps(dict(self.options)),
            "layout": json.dumps(self.layout.to_json()),
            "training": json.dumps(dict(self.training)),
        }
        if self.search:
            about["search"] = json.dumps(dict(self.search))
        return write_arrays(path, arrays, about)

    def evaluate_one(self, features: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logits of the legal actions, and values of the seats (the acting one first), for one observation."""
        logits, values = np.zeros((1, len(legal)), np.float32), np.zeros((1, self.layout.seats), np.float32)
        forward_many(self.packed, make_thinking(self.packed), features[None], legal.astype(np.int64), logits, values)
        return logits[0], values[0]

    def evaluate(self, features: np.ndarray, threads: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """Logits of all actions and values of the seats (the acting one first) for many observations, on the CPU."""
        features = np.ascontiguousarray(features, np.float32)
        logits = np.zeros((len(features), self.layout.actions), np.float32)
        values = np.zeros((len(features), self.layout.seats), np.float32)
        actions = np.arange(self.layout.actions)

        def work(part: slice) -> None:
            workspace = make_thinking(self.packed)
            forward_many(self.packed, workspace, features[part], actions, logits[part], values[part])

        edges = np.linspace(0, len(features), threads + 1).astype(int)
        parts = [slice(int(low), int(high)) for low, high in itertools.pairwise(edges)]
        if threads == 1:
            work(parts[0])
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(work, parts))
        return logits, values


def _shape(shape: tuple[int, ...] | None) -> str:
    return "missing" if shape is None else "×".join(map(str, shape)) or "a number"


def load(path: str | Path) -> Network:
    """The network of a file; one that is unsound is refused, and nothing of it loaded."""
    arrays, about = read_arrays(path)
    if about.get("format") not in (_FORMAT, _FIRST_FORMAT):
        raise BadInput(f"{path} holds no network of Ludens.")
    try:
        options, layout, training = (json.loads(about[key]) for key in ("options", "layout", "training"))
        search = _new_names(json.loads(about.get("search", "{}")))
        features, game = int(about["features"]), about["game"]
    except (KeyError, ValueError, RecursionError) as error:
        raise BadInput(f"{path} does not tell what its network is for.") from error
    listed = isinstance(options, dict) and all(isinstance(values, list) for values in options.values())
    if not listed or not isinstance(layout, dict) or not isinstance(training, dict) or not _searchable(search):
        raise BadInput(f"{path} does not tell what its network is for.")
    if about["format"] == _FIRST_FORMAT:
        layout = {"norm": 0, **layout}
    found = ARCHITECTURES.get(str(layout.get("architecture")))
    if found is None:
        raise BadInput(f"{path} holds a network of an unknown architecture.")
    try:
        return Network(game, features, options, found.from_json(layout), arrays, training, search)
    except BadInput as error:
        raise BadInput(f"{path} cannot be used: {_lowered(error)}") from error


def _new_names(search: Any) -> Any:
    """What a file says of the search, with today's names of its settings."""
    return {PARAMETERS.get(key, key): value for key, value in search.items()} if isinstance(search, dict) else search


def _searchable(search: Any) -> bool:
    """Does a file say nothing of the search but what a search may be told?"""
    return isinstance(search, dict) and all(
        name in SEARCH and type(value) in (int, float) and SEARCH[name][0] <= value <= SEARCH[name][1]
        for name, value in search.items()
    )


def load_for(path: str | Path, game: Game, options: np.ndarray) -> Network:
    """The network of a file for a game with these options; one that is for something else is refused."""
    network = load(path)
    try:
        network.check(game, options)
    except BadInput as error:
        raise BadInput(f"{path} cannot be used: {_lowered(error)}") from error
    return network


def _lowered(error: BadInput) -> str:
    sentence = str(error)
    return sentence[:1].lower() + sentence[1:]


def untrained(
    game: Game, options: np.ndarray, width: int = 256, blocks: int = 2, layers: int = 1,
    auxiliary: Mapping[str, int] | None = None, seed: int = 0, layout: Layout | None = None, norm: int = 1,
) -> Network:  # fmt: skip
    """A network for a game with this number of players that has learnt nothing yet; a plain one without `layout`."""
    spec, players = game.spec, int(options[0])
    layout = layout or PlainLayout(
        inputs=spec.observation_size(options),
        actions=spec.actions,
        seats=players,
        width=width,
        blocks=blocks,
        layers=layers,
        norm=norm,
        auxiliary=dict(auxiliary or {}),
    )
    arrays = layout.untrained(np.random.default_rng(seed))
    return Network(spec.identity, spec.features_version, {"players": [players]}, layout, arrays)

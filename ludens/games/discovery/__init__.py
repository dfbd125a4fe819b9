"""Carcassonne: The Discovery: place a tile, then a follower or take one back. 2–5 players, open, chance in draws."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from ludens.core.spec import Game, GameSpec, Option
from ludens.core.verbs import Rules
from ludens.games.discovery import evaluate, features, prior, rules, symmetries, value_network
from ludens.games.discovery.players import one_ply
from ludens.games.discovery.players.greedy_turn import best_turn
from ludens.games.discovery.players.joining import TURN_WORKSPACE
from ludens.games.discovery.rules.invariants import check_position
from ludens.games.discovery.state import (
    DISCARD,
    DTYPE,
    KINDS,
    MAX_PLAYERS,
    MAX_TILES,
    PASS,
)
from ludens.games.discovery.text import WORDS

__all__ = ["GAME"]


def _longest(options: np.ndarray) -> int | None:
    """Every tile is drawn once and two decisions follow; tiles that return may be drawn in every turn."""
    turns = MAX_TILES - 1
    draws = turns if int(options[1]) == DISCARD else turns * (turns + 1) // 2
    return draws + 2 * turns


GAME = Game(
    spec=GameSpec(
        name="discovery",
        title="Carcassonne: The Discovery",
        rulebook="discovery",
        version=1,
        summary="Lay out mountains, grassland and sea, and choose when to take your followers back.",
        players=tuple(range(2, MAX_PLAYERS + 1)),
        default_players=2,
        chance=True,
        hidden=False,
        actions=PASS + 1,
        outcomes=KINDS,
        blocks=features.blocks,
        features_version=2,  # 1 told nothing of unoccupied regions
        longest=_longest,
        options=(
            Option(
                "unplaceable_tile",
                "a drawn tile that fits nowhere leaves the game or goes back into the deck",
                0,
                ("discard", "return"),
            ),
            Option(
                "small_region_scoring",
                "regions of two tiles or fewer score as open, or those of two as closed",
                0,
                ("open", "closed"),
            ),
            Option("final_scoring", "how followers left on the map score at the end", 0, ("open", "closed", "actual")),
        ),
    ),
    dtype=DTYPE,
    rules=Rules(
        reset=rules.reset,
        actor=rules.actor,
        legal=rules.legal,
        chance=rules.chance,
        draw=rules.draw,
        apply=rules.apply,
        returns=rules.returns,
        scores=rules.scores,
        observe=features.observe,
        evaluate=evaluate.evaluate,
        prior=prior.prior,
        best_turn=best_turn,
        turn_workspace=TURN_WORKSPACE,
        evaluations=evaluate.EVALUATIONS,
        describe=value_network.describe,
        described=value_network.FEATURES,
        network_size=value_network.SIZE,
        network_layers=(value_network.FIRST, value_network.SECOND),
        one_ply_values=one_ply.one_ply_values,
        heuristics=evaluate.HEURISTICS,
        symmetries=symmetries.symmetries,
        transform=symmetries.transform,
        transform_action=symmetries.transform_action,
        transform_seat=symmetries.transform_seat,
    ),
    text=WORDS,
    agents=lambda: import_module("ludens.games.discovery.agents").KINDS,
    terminal=lambda: import_module("ludens.games.discovery.terminal").DISPLAY,
    learning=lambda: {
        "potential": import_module("ludens.games.discovery.players.learning").PotentialTask,
        "rows": {"block": "cells", "slots": 4},  # the turns of a tile
    },
    check_position=check_position,
)

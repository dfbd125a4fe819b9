"""Scotland Yard: why a move is good, in the terms of the evaluation.

away: moves of the detectives to Mr. X, in the mean; beside: detectives beside him who may still move; safe: stations
around him that no detective is beside; hiding: stations where he may be; spread: moves of the detectives to those, in
the mean. Detectives do not know where he is: theirs are the means over all stations where he may be.
"""

from __future__ import annotations

import math

import numpy as np

from ludens.core.jit import plain
from ludens.core.reasons import DANGER, DENIES, GAINS, Reason, strongest
from ludens.games.scotland_yard import evaluate, phases
from ludens.games.scotland_yard.rules.distances import FAR, distances
from ludens.games.scotland_yard.rules.movement import can_hunt
from ludens.games.scotland_yard.rules.possible import possible_stations
from ludens.games.scotland_yard.rules.tables import neighbours, tables_of
from ludens.games.scotland_yard.state import ScotlandYard
from ludens.games.scotland_yard.text.actions import split

__all__ = ["amounts", "completes", "reasons"]

_can_hunt = plain(can_hunt)
_PLACES = {name: place for place, name in enumerate(evaluate.FEATURES)}
_TERMS = {  # by their names: the features that belong together, and the one that people read
    "away": ("nearest", "second nearest", "mean distance"),
    "beside": ("risk", "beside"),
    "safe": ("safe ways",),
    "hiding": ("hiding places",),
    "spread": ("nearest", "second nearest", "spread"),
}
_KINDS = ({"beside": DANGER, "safe": DANGER}, {"safe": DENIES, "hiding": DENIES})  # of Mr. X, of the detectives
_OF_MR_X, _OF_THE_DETECTIVES = ("away", "beside", "safe", "hiding"), ("spread", "safe", "hiding")


def completes(before: ScotlandYard, action: int, after: ScotlandYard) -> bool:
    """Who moves and where to are one move, so are both moves of a double one and all steps that are made together."""
    if split(before, action)[0] not in ("ride", "pass"):
        return False
    if after.together and after.phase == phases.MOVING:
        return False
    return bool(after.phase != phases.FLEEING or after.double_left == 0)


def reasons(
    before: ScotlandYard, after: ScotlandYard, end: ScotlandYard, seat: int, weights: np.ndarray
) -> tuple[Reason, ...]:
    """What the move from `before` to `after` improves for the seat's side."""
    if before.phase == phases.PLACING:
        return ()
    left = (int(after.max_rounds) - int(after.round_number) + 1) / int(after.max_rounds)
    count = len(evaluate.FEATURES)
    weight = {name: float(weights[place] + weights[count + place] * left) for name, place in _PLACES.items()}
    found = []
    if seat == 0:
        here, there = [int(before.mr_x_station)], [int(after.mr_x_station)]
        stayed, knew, now = amounts(after, here), amounts(before, here), amounts(after, there)
    else:
        there = possible_stations(after)
        stayed, knew, now = amounts(before, there), amounts(before, possible_stations(before)), amounts(after, there)
    for term in _OF_MR_X if seat == 0 else _OF_THE_DETECTIVES:
        names = _TERMS[term]
        was = knew if term == "hiding" else stayed
        worth = sum(weight[name] * (now[name] - was[name]) for name in names)
        values = {"n": _told(now[names[-1]], term), "before": _told(was[names[-1]], term)}
        grows = values["n"] > values["before"] if term != "beside" else values["n"] < values["before"]
        shrinks = values["n"] < values["before"]
        if grows if seat == 0 else shrinks:  # what a side wants less of is no reason, whatever its weight is
            kind = _KINDS[seat > 0].get(term, GAINS)
            found.append(Reason(term, worth if seat == 0 else -worth, values, kind))
    return strongest(found)


def _told(amount: float, term: str) -> float:
    """The number that people read: how many hiding places there are, not the logarithm."""
    shown = round(math.exp(amount), 1) if term == "hiding" else round(amount, 1)
    return int(shown) if shown == int(shown) else shown


def amounts(s: ScotlandYard, stations: list[int]) -> dict[str, float]:
    """The features of the evaluation that depend on places, each the mean over these stations of Mr. X."""
    possible = possible_stations(s)
    far = distances(s.dtype)
    pawns = [pawn for pawn in range(int(s.detectives)) if _can_hunt(s, pawn)]
    from_pawns = far[[int(s.pawn_station[pawn]) for pawn in pawns]] if pawns else np.full((1, len(far)), FAR)
    nearest = from_pawns.min(axis=0)
    second = np.sort(from_pawns, axis=0)[1] if len(pawns) > 1 else np.full(len(far), FAR)
    waiting = [k for k, pawn in enumerate(pawns) if s.phase != phases.FLEEING and s.pawn_moved[pawn] == 0]
    beside = (from_pawns[waiting] == 1).sum(axis=0)
    any_transport = tables_of(s.dtype).degree.shape[0] - 1
    safe = [sum(nearest[to] > 1 for to in neighbours(s.dtype, any_transport, x)) for x in stations]
    spread = from_pawns[:, possible].mean() if pawns and possible else 0.0
    return {
        "nearest": float(np.minimum(nearest[stations], 5).mean()),
        "second nearest": float(np.minimum(second[stations], 5).mean()),
        "mean distance": float(from_pawns[:, stations].mean()) if pawns else 0.0,
        "risk": float(beside[stations].mean()) / max(1, len(possible)),
        "beside": float(beside[stations].mean()),
        "hiding places": math.log(max(1, len(possible))),
        "spread": float(spread),
        "safe ways": float(np.minimum(safe, 6).mean()),
    }

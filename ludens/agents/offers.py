"""Offers that somebody would take: a search's mean result hopes for answers that nobody would give.

Deep in its tree the others have hardly thought about their answers, so an offer of one card for five looks splendid.
Before an offer is told to anybody, the others are asked: each looks at it for a moment from its own seat.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludens.core import kernels
from ludens.core.record import blank
from ludens.core.rng import generator
from ludens.core.spec import Game
from ludens.core.words import Offers
from ludens.search.budget import Budget
from ludens.search.candidates import Search

__all__ = ["would_be_taken"]

_WORLDS = 2  # guesses of what is hidden
_TO_ANSWER = 120  # simulations for one answer
_STREAM = 11  # apart from the streams of the trees
_MOST_ANSWERS = 8  # of one offer


def would_be_taken(game: Game, search: Search, view: np.ndarray, seat: int, move: Sequence[int], seed: int = 0) -> bool:
    """Is the seat's move, all its decisions in order, no offer, or one that somebody takes whatever is hidden?"""
    offers = game.text.offers
    return (
        offers is None
        or not offers.made_by(move)
        or all(_taken(game, offers, search, view, seat, move, seed, world) for world in range(_WORLDS))
    )


def _taken(
    game: Game, offers: Offers, search: Search, view: np.ndarray, seat: int, move: Sequence[int], seed: int, number: int
) -> bool:
    position, legal = blank(game.dtype), np.zeros(game.spec.actions, np.int64)
    kernels.determinize_at(view, 0, seat, generator(seed, _STREAM, number), position)
    before = position.copy()
    for action in move:
        kernels.apply_at(position, 0, action)
    for _ in range(_MOST_ANSWERS):
        asked = int(kernels.actor_at(position, 0))
        seen = blank(game.dtype)
        kernels.view_at(position, 0, asked, seen)
        actions = legal[: int(kernels.legal_at(position, 0, legal))].copy()
        kernels.apply_at(position, 0, _answer(game, offers, search, seen, asked, actions, seed))
        answered = offers.taken(before[0], position[0], seat)
        if answered is not None:
            return answered
    return False


def _answer(
    game: Game, offers: Offers, search: Search, seen: np.ndarray, seat: int, legal: np.ndarray, seed: int
) -> int:
    """What the seat answers after a short look; it says yes or no and makes no offer of its own."""
    if len(legal) == 1:
        return int(legal[0])
    found = search.search(seen, seat, legal, Budget(_TO_ANSWER), seed)
    plain = [k for k, action in enumerate(found.actions) if offers.answers(int(action))]
    return int(found.actions[max(plain, key=lambda k: float(found.values[k]) if found.visits[k] else -2.0)])

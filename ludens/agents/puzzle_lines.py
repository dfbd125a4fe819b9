"""What follows a move of a puzzle, step by step as its seat would see it, and why a move is good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludens.agents.analysis import level_weights
from ludens.core import kernels, record
from ludens.core.errors import BadInput
from ludens.core.fields import Fields
from ludens.core.film import seen_by
from ludens.core.match import Match, Step
from ludens.core.reasons import MOST_REASONS
from ludens.i18n.messages import sentence
from ludens.search.winning import urgent

__all__ = ["Line"]


class Line:
    """Moves that follow each other from the position of a match, up to the next draw.

    The match itself stays as it is. Where the words of a line meet something that only the truth decides, such as a
    hidden pursuer, the line ends.
    """

    def __init__(self, match: Match, seat: int, words: Sequence[str]) -> None:
        self.game, self.seat = match.game, seat
        self._before = match.view(seat)
        options = match.game.show_options(match.options)
        self._match = Match.from_position(match.game, options, match.state(), match.names)  # it waits for draws
        self._start = self._match.copy()
        self._after: np.ndarray | None = None  # what the seat sees when its move is complete
        self.steps: list[dict[str, Any]] = []
        self._move: list[int] = []  # the decisions of the first whole move
        self.own: list[int] = []  # what the seat decides before anybody else does
        for text in words:
            if not self._play(text):
                break

    def first(self) -> list[int]:
        """The seat's first decision, and each later one that could come first as well and would change nothing."""
        played = self._end_of(self.own)
        own = [[action, *self.own[:place], *self.own[place + 1 :]] for place, action in enumerate(self.own)]
        return list(dict.fromkeys(order[0] for order in own if self._end_of(order) == played is not None))

    def reasons(self) -> list[dict[str, Any]]:
        """What speaks for the first move, where the game tells that."""
        if not self.game.rules.evaluations:
            return []
        weights = level_weights(self.game)
        end = self._match.view(self.seat)
        after = end if self._after is None else self._after
        told = self.game.text.reasons(self._before[0], after[0], end[0], self.seat, weights)
        legal = [int(action) for action in self._start.legal()]
        first = urgent(self.game, self._before, self.seat, self._move, legal)
        return [reason.to_json() for reason in (*first, *told)][:MOST_REASONS]

    def _end_of(self, actions: Sequence[int]) -> bytes | None:
        """What decisions of the seat lead to, one after the other; None if they are not possible."""
        trial = self._start.copy()
        for action in actions:
            if trial.actor != self.seat or action not in trial.legal():
                return None
            trial.commit(action)
        return trial.state().tobytes()

    def _play(self, text: str) -> bool:
        """Plays one move; says whether another may follow."""
        match, before = self._match, self._match.state()
        states: list[np.ndarray] = []
        try:
            action = match.parse(text)
        except BadInput:
            return False
        seen = Fields(match.view(self.seat))
        move = {"id": action, "text": text, "json": self.game.text.action_to_json(seen, action)}
        if len(self.own) == sum(step["move"] is not None for step in self.steps) and match.actor == self.seat:
            self.own.append(action)
        steps = match.commit(action, states)
        for place, (step, state) in enumerate(zip(steps, states, strict=True)):
            self.steps.append({**self._step(step, state), "move": None if place else move})
        if self._after is None:
            self._move.append(action)
            if self.game.text.completes(before[0], action, states[0][0]) or match.actor != self.seat:
                self._after = self._seen(states[0])
        return match.actor >= 0

    def _step(self, step: Step, state: np.ndarray) -> dict[str, Any]:
        events = [seen_by(event, self.seat) for event in step.events]
        return {
            "actor": step.actor if step.actor >= 0 else None,
            "events": [{**event, "sentence": self._narrated(event)} for event in events],
            "position": self.game.text.position_to_json(Fields(self._seen(state))),
        }

    def _narrated(self, event: dict[str, Any]) -> str:
        try:
            return sentence(self.game.text.narrate(event, self._match.names))
        except KeyError:
            return ""

    def _seen(self, state: np.ndarray) -> np.ndarray:
        out = record.blank(self.game.dtype)
        kernels.view_at(state, 0, self.seat, out)
        return out

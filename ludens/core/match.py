"""One game being played: the authority over its state, with an integer log that replays to any ply.

A match is its options, its seed and its log. The log holds actions and chance outcomes in
the order they happened; from it every state is rebuilt, bit by bit.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core import kernels, record
from ludens.core.errors import BadInput, IllegalMove
from ludens.core.registry import identified
from ludens.core.rng import CHANCE_STREAM, enter_event, generator
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, SPECTATOR, TERMINAL

__all__ = ["FORMAT", "Event", "Match", "Step"]

FORMAT = "ludens-match/1"
_SEED_LIMIT = 1 << 53  # seeds survive JSON in any language


@dataclass(frozen=True)
class Step:
    """One entry of the log and what it did."""

    ply: int  # index in the log
    actor: int  # seat, or CHANCE
    action: int  # action id or chance outcome
    events: tuple[dict[str, Any], ...]  # what happened, in the game's own words


@dataclass(frozen=True)
class Event:
    """A notification: `kind` is "step", "decision", "automatic" or "over"; seat is who acts or acted."""

    kind: str
    match: Match
    seat: int
    step: Step | None = None


class Match:
    """A game in progress.

    Chance is drawn from the seed by the match itself. Actions that leave no choice
    (`GameSpec.automatic_from`) are played by the match too, unless `stepwise`; then
    `automatic` is true and `advance()` plays one. Everything lands in the log.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        names: Sequence[str] | None = None,
        stepwise: bool = False,
    ) -> None:
        self.game = game
        self.options = game.options(options)
        self.players = int(self.options[0])
        self.seed = secrets.randbelow(_SEED_LIMIT) if seed is None else _checked_seed(seed)
        self.names = _checked_names(names, game.spec.seat_names(self.players))
        self.stepwise = stepwise
        self.log: list[int] = []
        self._listeners: list[Callable[[Event], None]] = []
        self._chance_rng = generator(self.seed, CHANCE_STREAM)
        self._chance_events = 0
        self._legal = np.zeros(game.spec.actions, np.int64)
        self._state = record.blank(game.dtype)
        kernels.reset_at(self._state, 0, self.options)
        self._settle(announce=False)

    # --- reading -----------------------------------------------------------------------

    @property
    def actor(self) -> int:
        """The seat to act, or TERMINAL (chance has always been played already)."""
        return int(kernels.actor_at(self._state, 0))

    @property
    def over(self) -> bool:
        return self.actor == TERMINAL

    @property
    def ply(self) -> int:
        """The length of the log."""
        return len(self.log)

    @property
    def automatic(self) -> bool:
        """Is the next action one that leaves no choice? (seen only by stepwise matches)"""
        legal = self.legal()
        return len(legal) == 1 and int(legal[0]) >= self.game.spec.first_automatic

    def legal(self) -> np.ndarray:
        """The legal action ids of the actor, ascending; empty at the end."""
        n = kernels.legal_at(self._state, 0, self._legal)
        return self._legal[:n].copy()

    def state(self) -> np.ndarray:
        """A copy of the full state: for the authority and for oracles, never for agents."""
        return self._state.copy()

    def view(self, seat: int = SPECTATOR) -> np.ndarray:
        """What the seat may know, as an array of one record."""
        out = record.blank(self.game.dtype)
        kernels.view_at(self._state, 0, seat, out)
        return out

    def scores(self) -> list[float]:
        """The game's own points of every seat."""
        out = np.zeros(self.players)
        kernels.scores_at(self._state, 0, out)
        return [float(x) for x in out]

    def returns(self) -> list[float]:
        """Utility of every seat in [-1, 1]; zeros before the end."""
        out = np.zeros(self.players)
        kernels.returns_at(self._state, 0, out)
        return [float(x) for x in out]

    def text(self, action: int) -> str:
        """The action in words, in the present position."""
        return self.game.text.action_to_text(self._state[0], action)

    # --- acting ------------------------------------------------------------------------

    def parse(self, move: int | str | Mapping[str, Any], seen: Any = None) -> int:
        """The legal action id for an id, a text or a JSON form; refused with the reason otherwise.

        Words and reasons come from `seen`, the record that the mover sees, where it is given: they tell no more.
        """
        s = self._state[0] if seen is None else seen
        if self.over:
            raise IllegalMove("The game is over; no move is possible.")
        if isinstance(move, str):
            action = self.game.text.action_from_text(s, move)
        elif isinstance(move, Mapping):
            action = self.game.text.action_from_json(s, move)
        else:
            action = move
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise BadInput(f"A move is an action id, a text or a JSON object, not {move!r}.")
        action = int(action)
        if not 0 <= action < self.game.spec.actions:
            raise BadInput(f"Action ids of {self.game.spec.name} are 0 … {self.game.spec.actions - 1}, not {action}.")
        if action not in self.legal():
            raise IllegalMove(self.game.text.refusal(s, action))
        return action

    def play(self, move: int | str | Mapping[str, Any], seat: int | None = None) -> list[Step]:
        """Plays a move of the seat to act, then chance and automatic steps; returns all that happened.

        A move that is illegal, malformed or out of turn raises and changes nothing.
        """
        if seat is not None and not self.over and seat != self.actor:
            raise IllegalMove(f"It is {self.names[self.actor]}'s turn, not seat {seat}'s.")
        return self.commit(self.parse(move))

    def commit(self, action: int) -> list[Step]:
        """Plays an id that `parse` has just returned, unchecked: parse and commit are play."""
        return [self._apply(action), *self._settle()]

    def advance(self) -> list[Step]:
        """Plays one automatic step of a stepwise match, then chance."""
        if not self.automatic:
            raise IllegalMove("The next move is a choice; use play.")
        return [self._apply(int(self.legal()[0])), *self._settle()]

    def undo(self, ply: int | None = None) -> None:
        """Returns to an earlier ply, by default before the last real choice; the same draws follow again."""
        earlier = self.at(self.last_choice() if ply is None else ply)
        self.log, self._state = earlier.log, earlier._state
        self._chance_events = earlier._chance_events

    def last_choice(self, *seats: int) -> int:
        """The ply before the last real choice, of anybody or of the seats named; refused where there is none."""
        plies = [s.ply for s in self.steps() if self._is_choice(s) and (not seats or s.actor in seats)]
        if not plies:
            raise BadInput("There is no move to take back.")
        return plies[-1]

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Calls the listener for every step, decision, automatic step that waits, and at the end."""
        self._listeners.append(listener)

    # --- replaying ---------------------------------------------------------------------

    def at(self, ply: int) -> Match:
        """The match as it was after `ply` entries of the log, waiting where it waited then."""
        if not 0 <= ply <= self.ply:
            raise BadInput(f"The log has plies 0 … {self.ply}, not {ply}.")
        earlier = Match.__new__(Match)
        earlier.__dict__.update(self.__dict__)
        earlier._legal = np.zeros(self.game.spec.actions, np.int64)
        earlier._listeners = []
        earlier._chance_rng = self._chance_rng.copy()
        earlier.log = []
        earlier._chance_events = 0
        earlier._state = record.blank(self.game.dtype)
        kernels.reset_at(earlier._state, 0, self.options)
        earlier._load(self.log[:ply], verify=False)
        return earlier

    def steps(self) -> Iterator[Step]:
        """Everything that happened, entry by entry, with its events."""
        state = record.blank(self.game.dtype)
        kernels.reset_at(state, 0, self.options)
        for ply, action in enumerate(self.log):
            before = state.copy()
            kernels.apply_at(state, 0, action)
            yield self._step(ply, action, before, state)

    def to_json(self) -> dict[str, Any]:
        """The match as one JSON document; `from_json` continues it."""
        document: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game.spec.identity,
            "options": self.game.show_options(self.options),
            "seed": self.seed,
            "names": list(self.names),
            "log": list(self.log),
        }
        if self.over:
            document["result"] = {"scores": self.scores(), "returns": self.returns()}
        return document

    @classmethod
    def from_json(cls, document: Any, stepwise: bool = False) -> Match:
        """Rebuilds a match; a log that is malformed, impossible or not of this seed is refused."""
        if isinstance(document, str | bytes):
            try:
                document = json.loads(document)
            except ValueError as error:
                raise BadInput("This is not a saved match: it is not JSON.") from error
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise BadInput(f"This is not a saved match: its format is not {FORMAT}.")
        missing = [key for key in ("game", "options", "seed", "log") if key not in document]
        if missing:
            raise BadInput(f"The saved match lacks {', '.join(missing)}.")
        if not isinstance(document["options"], dict):
            raise BadInput("The options of a saved match must be an object of names and values.")
        log = document["log"]
        if not isinstance(log, list) or any(isinstance(a, bool) or not isinstance(a, int) for a in log):
            raise BadInput("The log of a saved match must be a list of whole numbers.")
        game = identified(document["game"])
        match = cls(game, document["options"], document["seed"], document.get("names"), stepwise)
        match.log, match._chance_events = [], 0
        match._state = record.blank(game.dtype)
        kernels.reset_at(match._state, 0, match.options)
        match._load(log, verify=True)
        match._settle(announce=False)
        return match

    # --- inside ------------------------------------------------------------------------

    def _load(self, log: Sequence[int], verify: bool) -> None:
        """Plays a stored log on the fresh state; with `verify` the draws must follow from the seed."""
        trial = self._state.copy()
        outcomes = np.zeros(self.game.spec.outcomes, np.int64)
        weights = np.zeros(self.game.spec.outcomes)
        limit = max(self.game.spec.actions, self.game.spec.outcomes)
        wrong = next((k for k, a in enumerate(log) if not 0 <= a < limit), len(log))
        entries = np.array(log[:wrong], np.int64)
        sound = kernels.replay(trial, entries, self._legal, outcomes, weights)
        if sound < len(log):
            raise BadInput(f"Entry {sound} of the log ({log[sound]}) is not possible in {self.game.spec.identity}.")
        for ply, action in enumerate(log):
            if self.actor == CHANCE:
                if verify and action != self._draw():
                    raise BadInput(f"Entry {ply} of the log is not the draw that follows from the seed.")
                self._chance_events += 1
            kernels.apply_at(self._state, 0, action)
            self.log.append(int(action))

    def _draw(self) -> int:
        enter_event(self._chance_rng, self._chance_events)
        return int(kernels.draw_at(self._state, 0, self._chance_rng))

    def _settle(self, announce: bool = True) -> list[Step]:
        """Plays chance and automatic steps until somebody must choose."""
        steps: list[Step] = []
        while True:
            who = self.actor
            if who == CHANCE:
                outcome = self._draw()
                self._chance_events += 1
                steps.append(self._apply(outcome))
            elif who != TERMINAL and not self.stepwise and self.automatic:
                steps.append(self._apply(int(self.legal()[0])))
            else:
                break
        if announce:
            kind = "over" if who == TERMINAL else "automatic" if self.automatic else "decision"
            self._announce(Event(kind, self, who))
        return steps

    def _apply(self, action: int) -> Step:
        before = self._state.copy()
        kernels.apply_at(self._state, 0, action)
        self.log.append(action)
        step = self._step(self.ply - 1, action, before, self._state)
        self._announce(Event("step", self, step.actor, step))
        return step

    def _step(self, ply: int, action: int, before: np.ndarray, after: np.ndarray) -> Step:
        who = int(kernels.actor_at(before, 0))
        return Step(ply, who, action, tuple(self.game.text.events(before[0], action, after[0])))

    def _is_choice(self, step: Step) -> bool:
        return step.actor != CHANCE and step.action < self.game.spec.first_automatic

    def _announce(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)


def _checked_seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= int(seed) < _SEED_LIMIT:
        raise BadInput(f"A seed is a whole number from 0 to {_SEED_LIMIT - 1}, not {seed!r}.")
    return int(seed)


def _checked_names(names: Any, default: tuple[str, ...]) -> tuple[str, ...]:
    if names is None:
        return default
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) and name.strip() for name in names):
        raise BadInput("Names must be a list of words, one a player.")
    if len(names) != len(default):
        raise BadInput(f"{len(default)} players need {len(default)} names, not {len(names)}.")
    return tuple(names)

"""One game being played: the authority over its state, with an integer log that replays to any ply.

A match is its options, its seed and its log. The log holds actions and chance outcomes in
the order they happened; from it every state is rebuilt, bit by bit. A game of another program or of a
real table has no seed: its chance is recorded, and it may begin with a position instead of the set-up.
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
from ludens.core.fields import Fields
from ludens.core.inputs import (
    RECORDED,
    SEEDED,
    check_result,
    checked_document,
    checked_names,
    checked_outcome,
    checked_seed,
    possible_outcomes,
    same_text,
    with_players,
)
from ludens.core.positions import checked_position, position_from_notation, position_to_notation
from ludens.core.registry import game as game_named
from ludens.core.registry import identified
from ludens.core.rng import CHANCE_STREAM, SEED_LIMIT, enter_event, generator
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, SPECTATOR, TERMINAL

__all__ = ["FORMAT", "RECORDED", "SEEDED", "Event", "Match", "Step"]

FORMAT = "ludens-match/1"
_LONGEST_TEXT = 500  # characters of a move: a stranger's may be of any length, and patterns that read it are not


@dataclass(frozen=True)
class Step:
    """One entry of the log and what it did."""

    ply: int  # index in the log
    actor: int  # seat, or CHANCE
    action: int  # action id or chance outcome
    events: tuple[dict[str, Any], ...]  # what happened, in the game's own words


@dataclass(frozen=True)
class Event:
    """A notification: `kind` is "step", "decision", "automatic", "draw" or "over"; seat is who acts or acted."""

    kind: str
    match: Match
    seat: int
    step: Step | None = None


class Match:
    """A game in progress.

    Chance is drawn from the seed by the match itself. Actions that leave no choice
    (`GameSpec.automatic_from`) are played by the match too, unless `stepwise`; then
    `automatic` is true and `advance()` plays one. Everything lands in the log.

    `game` is a game or its name, `options` are its settings by name; the number of players may be given beside them.

    >>> match = Match("azul", players=2, seed=7)
    >>> match.play(int(match.legal()[0]))[0].events[0]["kind"]
    'take'
    >>> match.ply, match.over, match.chance
    (22, False, 'seeded')
    """

    def __init__(
        self,
        game: Game | str,
        options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        names: Sequence[str] | None = None,
        stepwise: bool = False,
        *,
        players: int | None = None,
    ) -> None:
        self._prepare(game, options, seed, names, stepwise, players)
        self._settle(announce=False)

    def _prepare(
        self,
        game: Game | str,
        options: Mapping[str, Any] | None,
        seed: int | None,
        names: Sequence[str] | None,
        stepwise: bool,
        players: int | None = None,
        chance: str = SEEDED,
        position: Mapping[str, Any] | np.ndarray | None = None,
    ) -> None:
        """Everything before the first entry of the log."""
        self.game = game_named(game) if isinstance(game, str) else game
        self.options = self.game.options(with_players(options, players))
        self.players = int(self.options[0])
        self.seed = secrets.randbelow(SEED_LIMIT) if seed is None else checked_seed(seed)
        self.names = checked_names(names, self.game.spec.seat_names(self.players))
        self.stepwise = stepwise
        self.chance = chance
        self._draws = chance == SEEDED or seed is not None  # from its seed, when a draw comes next
        self._origin = None if position is None else checked_position(self.game, self.options, position)
        self.log: list[int] = []
        self._listeners: list[Callable[[Event], None]] = []
        self._chance_rng = generator(self.seed, CHANCE_STREAM)
        self._chance_events = 0
        self._legal = np.zeros(self.game.spec.actions, np.int64)
        self._state = self._start()

    @classmethod
    def recorded(
        cls,
        game: Game | str,
        options: Mapping[str, Any] | None = None,
        log: Sequence[int | str | Mapping[str, Any]] = (),
        names: Sequence[str] | None = None,
        *,
        seed: int | None = None,
        position: Mapping[str, Any] | np.ndarray | None = None,
        stepwise: bool = False,
    ) -> Match:
        """A game that was played elsewhere, from what was done and what was drawn, in this order.

        Moves are ids, texts or JSON forms, draws are outcome ids or texts as `chance_to_text` writes them. Steps
        that leave no choice may be left out. `position` is what the game began with, if not the set-up. An entry
        that is not possible is refused by its number. Draws after the log come from the seed if one is given,
        otherwise the match waits for `play_chance`.

        >>> match = Match.recorded("azul", {"first": "1"}, ["draw blue", "draw red"])
        >>> match.chance, match.awaits_draw, match.log
        ('recorded', True, [0, 2])
        """
        match = cls.__new__(cls)
        match._prepare(game, options, seed, names, stepwise, None, RECORDED, position)
        for number, entry in enumerate(log):
            match._take(number, entry)
        match._settle(announce=False)
        return match

    @classmethod
    def from_position(
        cls,
        game: Game | str,
        options: Mapping[str, Any] | None,
        position: Mapping[str, Any] | np.ndarray,
        names: Sequence[str] | None = None,
        *,
        seed: int | None = None,
        stepwise: bool = False,
    ) -> Match:
        """A game that begins with a full position: one record, or its fields as `core.record.to_json` writes them.

        >>> earlier = Match("azul", seed=7)
        >>> match = Match.from_position("azul", {"players": 2}, earlier.state(), seed=1)
        >>> match.chance, match.ply, match.actor == earlier.actor
        ('recorded', 0, True)
        """
        return cls.recorded(game, options, (), names, seed=seed, position=position, stepwise=stepwise)

    @classmethod
    def from_notation(
        cls, text: str, names: Sequence[str] | None = None, *, seed: int | None = None, stepwise: bool = False
    ) -> Match:
        """A game that begins with a position in one line of text (docs/positions.md).

        >>> Match.from_notation(Match("azul", seed=7).notation()).actor == Match("azul", seed=7).actor
        True
        """
        game, options, position = position_from_notation(text)
        return cls.from_position(game, game.show_options(options), position, names, seed=seed, stepwise=stepwise)

    # --- reading -----------------------------------------------------------------------

    @property
    def actor(self) -> int:
        """The seat to act, TERMINAL, or CHANCE where the match waits for a draw that is recorded."""
        return int(kernels.actor_at(self._state, 0))

    @property
    def awaits_draw(self) -> bool:
        """Must `play_chance` say what is drawn next? (only where chance is recorded and there is no seed)"""
        return not self._draws and self.actor == CHANCE

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
        return record.copied(self._state)

    def view(self, seat: int = SPECTATOR) -> np.ndarray:
        """What the seat may know, as an array of one record."""
        out = record.blank(self.game.dtype)
        kernels.view_at(self._state, 0, seat, out)
        return out

    def notation(self) -> str:
        """The full state as one line of text, which `from_notation` reads: for whom nothing is hidden."""
        return position_to_notation(self.game, self.options, self._state)

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
        return str(self.game.text.action_to_text(self._state[0], action))

    def line_text(self, line: Sequence[int]) -> list[str]:
        """Actions that follow each other from here, in words, as far as they are possible before the next draw."""
        state, words = record.copied(self._state), []
        for action in line:
            n = kernels.legal_at(state, 0, self._legal)
            if action not in self._legal[:n]:
                break
            words.append(self.game.text.action_to_text(state[0], int(action)))
            kernels.apply_at(state, 0, int(action))
        return words

    def outcomes(self) -> dict[int, float]:
        """The outcomes of the draw that comes next, with their probabilities; empty where none comes next."""
        return possible_outcomes(self.game, self._state)

    # --- acting ------------------------------------------------------------------------

    def parse(self, move: int | str | Mapping[str, Any], seen: Any = None) -> int:
        """The legal action id for an id, a text or a JSON form; refused with the reason otherwise.

        Words and reasons come from `seen`, the record that the mover sees, where it is given: they tell no more.
        """
        s = Fields(self._state) if seen is None else seen
        if self.over:
            raise IllegalMove("The game is over; no move is possible.")
        if self.awaits_draw:
            raise IllegalMove("A draw comes next, and this match records its chance: say what was drawn (play_chance).")
        if isinstance(move, str) and len(move) > _LONGEST_TEXT:
            raise BadInput(f"A move in words has at most {_LONGEST_TEXT} characters, not {len(move)}.")
        try:
            if isinstance(move, str):
                action = self.game.text.action_from_text(s, move)
            elif isinstance(move, Mapping):
                action = self.game.text.action_from_json(s, move)
            else:
                action = move
        except BadInput as error:
            error.rulebook = self.game.spec.rulebook
            raise
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise BadInput(f"A move is an action id, a text or a JSON object, not {move!r}.")
        action = int(action)
        if not 0 <= action < self.game.spec.actions:
            raise BadInput(f"Action ids of {self.game.spec.name} are 0 … {self.game.spec.actions - 1}, not {action}.")
        if action not in self.legal().tolist():
            raise IllegalMove(self.game.text.refusal(s, action), self.game.spec.rulebook)
        return action

    def play(self, move: int | str | Mapping[str, Any], seat: int | None = None) -> list[Step]:
        """Plays a move of the seat to act, then chance and automatic steps; returns all that happened.

        A move that is illegal, malformed or out of turn raises and changes nothing.
        """
        if seat is not None and self.actor >= 0 and seat != self.actor:
            raise IllegalMove(f"It is {self.names[self.actor]}'s turn, not seat {seat}'s.")
        return self.commit(self.parse(move))

    def commit(self, action: int, states: list[np.ndarray] | None = None) -> list[Step]:
        """Plays an id that `parse` has just returned, unchecked: parse and commit are play.

        `states`, an empty list, takes a copy of the state after every step.
        """
        return [self._apply(action, states), *self._settle(states=states)]

    def play_chance(self, outcome: int | str) -> list[Step]:
        """Says what was drawn, by id or text, in a match that waits for it; then as `play`."""
        if self._draws:
            raise BadInput("The draws of this match follow from its seed.")
        drawn = checked_outcome(self.game, self._state, outcome)
        self._chance_events += 1
        return [self._apply(drawn), *self._settle()]

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
            raise BadInput("There is no move of yours to undo." if seats else "There is no move to undo.")
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
        earlier._state = self._start()
        earlier._load(self.log[:ply], verify=False)
        return earlier

    def copy(self) -> Match:
        """The same match, to be played on by itself; nobody listens to it."""
        same = Match.__new__(Match)
        same.__dict__.update(self.__dict__)
        same.log, same._state = self.log.copy(), record.copied(self._state)
        same._chance_rng, same._listeners = self._chance_rng.copy(), []
        return same

    def steps(self) -> Iterator[Step]:
        """Everything that happened, entry by entry, with its events."""
        state = self._start()
        for ply, action in enumerate(self.log):
            before = record.copied(state)
            kernels.apply_at(state, 0, action)
            yield self._step(ply, action, before, state)

    def to_json(self) -> dict[str, Any]:
        """The match as one JSON document; `from_json` continues it."""
        document: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game.spec.identity,
            "options": self.game.show_options(self.options),
        }
        if self.chance == RECORDED:
            document["chance"] = RECORDED
        if self._draws:
            document["seed"] = self.seed
        document["names"] = list(self.names)
        if self._origin is not None:
            document["position"] = record.to_json(self._origin)
        document["log"] = list(self.log)
        if self.over:
            document["result"] = {"scores": self.scores(), "returns": self.returns()}
        return document

    def _repr_html_(self) -> str | None:
        """What a notebook shows: the board with a slider through the moves; None where the boards are not built."""
        from ludens.core.film import film_page, in_a_frame

        try:
            return in_a_frame(film_page(self))
        except BadInput:
            return None

    @classmethod
    def from_json(cls, document: Any, stepwise: bool = False) -> Match:
        """Rebuilds a match; a log that is malformed, impossible, not of this seed or not of this result is refused."""
        document, chance = checked_document(document, FORMAT)
        game = identified(document["game"])
        seed = checked_seed(document["seed"]) if chance == SEEDED else document.get("seed")
        match = cls.__new__(cls)
        position = document.get("position")
        match._prepare(game, document["options"], seed, document.get("names"), stepwise, None, chance, position)
        match._load(document["log"], verify=chance == SEEDED)
        match._settle(announce=False)
        check_result(document.get("result"), match.over, match.scores(), match.returns())
        return match

    # --- inside ------------------------------------------------------------------------

    def _start(self) -> np.ndarray:
        """What the log begins with: the set-up, or the given position."""
        if self._origin is not None:
            return record.copied(self._origin)
        state = record.blank(self.game.dtype)
        kernels.reset_at(state, 0, self.options)
        return state

    def _take(self, number: int, entry: Any) -> None:
        """Plays one entry of a log from outside, after the steps without a choice that it leaves out."""
        try:
            while self.actor >= 0 and self.automatic and not self._means_the_step(entry):
                self._apply(int(self.legal()[0]))
            if self.actor == CHANCE:
                action = checked_outcome(self.game, self._state, entry)
                self._chance_events += 1
            else:
                action = self.parse(entry)
        except BadInput as error:
            refused = BadInput(f"Entry {number} of the log, {json.dumps(entry, default=repr)}: {error}")
            refused.rules, refused.rulebook = error.rules, self.game.spec.rulebook
            raise refused from error
        self._apply(action)

    def _means_the_step(self, entry: Any) -> bool:
        step = int(self.legal()[0])
        return entry == step or (isinstance(entry, str) and same_text(entry, self.text(step)))

    def _load(self, log: Sequence[int], verify: bool) -> None:
        """Plays a stored log on the fresh state; with `verify` the draws must follow from the seed."""
        trial = record.copied(self._state)
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

    def _settle(self, announce: bool = True, states: list[np.ndarray] | None = None) -> list[Step]:
        """Plays chance and automatic steps until somebody must choose."""
        steps: list[Step] = []
        automatic_from = self.game.spec.actions if self.stepwise else self.game.spec.first_automatic
        enter_event(self._chance_rng, self._chance_events)
        while self._draws or self.actor != CHANCE:
            action = int(kernels.forced_at(self._state, 0, self._chance_rng, self._legal, automatic_from)[0])
            if action < 0:
                break
            self._chance_events += self.actor == CHANCE
            steps.append(self._apply(action, states))
        if announce and self._listeners:
            waiting = "draw" if self.actor == CHANCE else "automatic" if self.automatic else "decision"
            self._announce(Event("over" if self.over else waiting, self, self.actor))
        return steps

    def _apply(self, action: int, states: list[np.ndarray] | None = None) -> Step:
        before = states[-1] if states else record.copied(self._state)  # after a step is before the next
        kernels.apply_at(self._state, 0, action)
        self.log.append(action)
        step = self._step(self.ply - 1, action, before, self._state)
        if states is not None:
            states.append(record.copied(self._state))
        if self._listeners:
            self._announce(Event("step", self, step.actor, step))
        return step

    def _step(self, ply: int, action: int, before: np.ndarray, after: np.ndarray) -> Step:
        who = int(kernels.actor_at(before, 0))
        return Step(ply, who, action, tuple(self.game.text.events(Fields(before), action, Fields(after))))

    def _is_choice(self, step: Step) -> bool:
        return step.actor != CHANCE and step.action < self.game.spec.first_automatic

    def _announce(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)

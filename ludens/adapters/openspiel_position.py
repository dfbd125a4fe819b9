"""A position as OpenSpiel's states need it: with its log, and with what every seat remembers."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ludens.core import kernels, record, registry
from ludens.core.errors import BadInput
from ludens.core.rng import DETERMINIZE, generator
from ludens.core.spec import Game
from ludens.core.verbs import SPECTATOR

__all__ = ["OpenSpielPosition"]


class OpenSpielPosition:
    """A state, the log that led to it from an origin, and a digest of all that each seat has seen.

    The origin is the start of the game or, after `resampled`, a guessed state. A history is a
    hash chain over the views a seat has had and the actions it has chosen: equal histories mean
    equal information, which makes information states of perfect recall out of positions.
    """

    def __init__(
        self,
        game: Game,
        options: np.ndarray,
        origin: bytes | None = None,
        histories: Sequence[bytes] | None = None,
    ) -> None:
        self.game = game
        self.options = options
        self.log: list[int] = []
        self._origin = origin
        self._origin_histories = histories
        # Where nothing is hidden all seats remember the same.
        self._watchers = list(range(int(options[0]))) if game.spec.hidden else [SPECTATOR]
        if origin is None:
            self.state = record.blank(game.dtype)
            kernels.reset_at(self.state, 0, options)
        else:
            self.state = record.from_bytes(game.dtype, origin)
        self._seen = [self.view(seat).tobytes() for seat in self._watchers]
        self._histories = [_chain(b"", seen) for seen in self._seen] if histories is None else list(histories)
        self.actor = int(kernels.actor_at(self.state, 0))

    def apply(self, action: int) -> None:
        """Plays an action or a chance outcome; both must be possible."""
        who = self.actor
        kernels.apply_at(self.state, 0, action)
        self.actor = int(kernels.actor_at(self.state, 0))
        self.log.append(action)
        for k, seat in enumerate(self._watchers):
            seen = self.view(seat).tobytes()
            knows_action = seat == who or not self.game.spec.hidden
            if knows_action or seen != self._seen[k]:
                own = action.to_bytes(4, "little") if knows_action else b""
                self._histories[k] = _chain(self._histories[k], own + seen)
                self._seen[k] = seen

    def view(self, seat: int) -> np.ndarray:
        """What the seat may know, as an array of one record."""
        view = record.blank(self.game.dtype)
        kernels.view_at(self.state, 0, seat, view)
        return view

    def history(self, seat: int) -> str:
        """A short text that differs whenever the seat has seen or done something else."""
        return self._histories[seat if self.game.spec.hidden else 0].hex()

    def legal(self) -> list[int]:
        """The legal action ids of the actor, ascending."""
        out = np.zeros(self.game.spec.actions, np.int64)
        found: list[int] = out[: kernels.legal_at(self.state, 0, out)].tolist()
        return found

    def chance(self) -> list[tuple[int, float]]:
        """The outcomes of the chance event with their probabilities."""
        outcomes = np.zeros(self.game.spec.outcomes, np.int64)
        weights = np.zeros(self.game.spec.outcomes)
        n = kernels.chance_at(self.state, 0, outcomes, weights)
        return list(zip(outcomes[:n].tolist(), weights[:n].tolist(), strict=True))

    def returns(self) -> list[float]:
        """Utility of every seat; zeros before the end."""
        out = np.zeros(int(self.options[0]))
        kernels.returns_at(self.state, 0, out)
        return out.tolist()

    def resampled(self, seat: int, seed: int) -> OpenSpielPosition:
        """A full position that the seat cannot tell from this one; the others' histories start with it."""
        guess = record.blank(self.game.dtype)
        kernels.determinize_at(self.view(seat), 0, seat, generator(seed, DETERMINIZE), guess)
        other = OpenSpielPosition(self.game, self.options, guess.tobytes())
        other._histories[seat] = self._histories[seat]
        other._origin_histories = list(other._histories)
        return other

    def __deepcopy__(self, memo: Any) -> OpenSpielPosition:
        copy = OpenSpielPosition.__new__(OpenSpielPosition)
        copy.__dict__.update(self.__dict__)
        copy.state = self.state.copy()
        copy.log = self.log.copy()
        copy._seen = self._seen.copy()
        copy._histories = self._histories.copy()
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        """Saved as its options, origin and log, under the version of the game."""
        options = self.game.show_options(self.options)
        return _rebuild, (self.game.spec.identity, options, self._origin, self._origin_histories, self.log)


def _rebuild(
    identity: str, options: dict[str, Any], origin: bytes | None, histories: list[bytes] | None, log: list[int]
) -> OpenSpielPosition:
    game = registry.identified(identity)
    if identity != game.spec.identity:  # entries are not checked here, as those of a match are
        raise BadInput(f"This position was saved with {identity}; {game.spec.identity} reads matches of it only.")
    position = OpenSpielPosition(game, game.options(options), origin, histories)
    for action in log:
        position.apply(action)
    return position


def _chain(history: bytes, news: bytes) -> bytes:
    return hashlib.blake2b(history + news, digest_size=8).digest()

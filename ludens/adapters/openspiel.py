"""OpenSpiel: every game is registered as a Python game `ludens_<name>`, with chance as a player."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from ludens.adapters.simulation import tournament_options
from ludens.core import kernels, record, registry
from ludens.core.errors import BadInput
from ludens.core.extras import missing
from ludens.core.rng import DETERMINIZE, SEED_LIMIT, generator
from ludens.core.spec import Game, Option, split
from ludens.core.verbs import SPECTATOR, TERMINAL

__all__ = ["LudensGame", "LudensObserver", "LudensState", "OpenSpielPosition", "register", "register_all", "short_name"]


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


try:
    import pyspiel
except ImportError as error:
    raise missing("adapters", "This adapter", "pyspiel") from error


def short_name(name: str) -> str:
    """The name under which OpenSpiel knows a game."""
    return f"ludens_{name}"


def register_all() -> None:
    """Registers every known game; call again after `registry.register`."""
    for game in registry.games():
        register(game)


def register(game: Game) -> None:
    """Registers one game, for all its numbers of players and options, unless it is already."""
    if short_name(game.spec.name) not in pyspiel.registered_names():
        # OpenSpiel keeps what it calls until after the interpreter has ended, which only classes survive.
        pyspiel.register_game(_game_type(game), type(f"Ludens{game.spec.name.title()}", (LudensGame,), {"game": game}))


def _game_type(game: Game) -> Any:
    spec, kind = game.spec, pyspiel.GameType
    shown = game.show_options(tournament_options(game, None))
    return kind(
        short_name=short_name(spec.name),
        long_name=spec.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if spec.chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION if spec.hidden else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if spec.zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(spec.players),
        min_num_players=min(spec.players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,  # perfect recall does not fit a vector of fixed size
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"players": shown["players"], **_parameters(spec.options, shown)},
    )


def _parameters(options: tuple[Option, ...], shown: Mapping[str, str | int]) -> dict[str, str | int]:
    """The options as OpenSpiel's parameters: whole numbers or words.

    OpenSpiel reads a bare 1 as a number, so among words it is written '1', in quotes.
    """
    parameters: dict[str, str | int] = {}
    for option in options:
        value = shown[option.name]
        reads_as_number = option.choices and not str(value).strip("+-.0123456789")
        parameters[option.name] = f"'{value}'" if reads_as_number else value
    return parameters


def _unquoted(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value.strip("'") if isinstance(value, str) else value for key, value in parameters.items()}


class LudensGame(pyspiel.Game):
    """A game with its options fixed; made by `pyspiel.load_game("ludens_…(players=3)")`.

    Options default to the tournament options of the game; those that allow endless games are refused.
    """

    game: ClassVar[Game]  # set in the subclass that `register` makes

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        game, spec = self.game, self.game.spec
        self.options = tournament_options(game, _unquoted(parameters or {}))
        longest = spec.longest(self.options)
        if longest is None:
            finite = ", ".join(f"{key}={value}" for key, value in spec.tournament.items())
            raise BadInput(f"OpenSpiel needs games that end; play {spec.name} with {finite}.")
        shown = game.show_options(self.options)
        info = pyspiel.GameInfo(
            num_distinct_actions=spec.actions,
            max_chance_outcomes=spec.outcomes if spec.chance else 0,
            num_players=int(self.options[0]),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if spec.zero_sum else None,
            max_game_length=longest,
        )
        super().__init__(_game_type(game), info, {"players": shown["players"], **_parameters(spec.options, shown)})

    def new_initial_state(self) -> LudensState:
        """The state before anything has happened."""
        return LudensState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> LudensObserver:
        """The observer of a kind of observation; the default is what one player sees now."""
        if params:
            raise BadInput(f"Observations have no parameters, but got {params}.")
        return LudensObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class LudensState(pyspiel.State):
    """A state with explicit chance and explicit automatic actions: its history is the log of a match."""

    def __init__(self, game: LudensGame) -> None:
        super().__init__(game)
        self.position = OpenSpielPosition(game.game, game.options)

    def current_player(self) -> int:
        return self.position.actor  # the numbers for chance and the end are OpenSpiel's

    def is_terminal(self) -> bool:
        return self.position.actor == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.position.chance()

    def _apply_action(self, action: int) -> None:
        self.position.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        text, s = self.position.game.text, self.position.state[0]
        return text.chance_to_text(s, action) if player == pyspiel.PlayerId.CHANCE else text.action_to_text(s, action)

    def returns(self) -> list[float]:
        return self.position.returns()

    def __str__(self) -> str:
        return _told(self.position.game, self.position.state.tobytes())

    def resample_from_infostate(self, player: int, sampler: Any) -> LudensState:
        """A state that the player cannot tell from this one; `sampler()` gives numbers in [0, 1).

        Where something is hidden its history is empty: the true one would give the secrets away.
        """
        hidden = self.position.game.spec.hidden
        other: LudensState = self.get_game().new_initial_state() if hidden else self.clone()
        if hidden:
            other.position = self.position.resampled(player, int(sampler() * SEED_LIMIT))
        return other


class LudensObserver:
    """Tells what a player sees, and nothing but that: everything is made from the player's view.

    The tensor holds the features of the player's own view, `dict` its named blocks; other kinds of observation have
    only strings.
    With perfect recall the string ends with a digest of all that the player has seen and done.
    """

    def __init__(self, game: LudensGame, kind: Any) -> None:
        self._game = game.game
        self._kind = kind
        own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: np.ndarray | None = None
        self.dict: dict[str, np.ndarray] = {}
        if own and kind.public_info and not kind.perfect_recall:
            self.tensor = np.zeros(game.game.spec.observation_size(game.options), np.float32)
            self.dict = split(self.tensor, game.game.spec.blocks(game.options))

    def set_from(self, state: LudensState, player: int) -> None:
        """Writes the player's features into the tensor."""
        if self.tensor is not None:
            # OpenSpiel asks for shapes with the default player, whose number is negative.
            seat = max(player, 0)
            kernels.observe_at(state.position.view(seat), 0, seat, self.tensor)

    def string_from(self, state: LudensState, player: int) -> str:
        """The observation in words."""
        position, kinds = state.position, pyspiel.PrivateInfoType
        if not self._kind.public_info:
            seats = {kinds.SINGLE_PLAYER: [player], kinds.ALL_PLAYERS: range(state.num_players())}
            lines = [_secrets(position, seat) for seat in seats.get(self._kind.private_info, [])]
            return "\n".join(filter(None, lines))
        if self._kind.private_info == kinds.ALL_PLAYERS:
            seen = position.state
        else:
            seen = position.view(player if self._kind.private_info == kinds.SINGLE_PLAYER else SPECTATOR)
        told = f"seat {player}\n{_told(self._game, seen.tobytes())}"
        return f"{told} after {position.history(player)}" if self._kind.perfect_recall else told


@lru_cache(maxsize=256)  # all seats that see the same are told the same
def _told(game: Game, seen: bytes) -> str:
    """The position in words, with a digest that also tells apart what words leave out."""
    position = record.from_bytes(game.dtype, seen)
    return f"{game.text.position_to_text(position[0])}\n#{record.digest(position)}"


def _secrets(position: OpenSpielPosition, seat: int) -> str:
    """The fields that the seat sees and a spectator does not."""
    own, open_to_all = record.to_json(position.view(seat)), record.to_json(position.view(SPECTATOR))
    return ", ".join(f"{name} {value}" for name, value in own.items() if value != open_to_all[name])


register_all()

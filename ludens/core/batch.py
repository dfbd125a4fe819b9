"""Many games stepped at once, into the caller's buffers.

One call plays one action in every game, then chance and automatic steps until the next
decision, and writes who acts, the mask, the features of the actor's view and the rewards.
Work is split over threads; the kernels (`core.batch_kernels`) hold no GIL.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core import batch_kernels, record
from ludens.core.batch_kernels import BEGIN, DRAWN, STUCK, WRITE, Games, Rules, Scratch, Seats, Written
from ludens.core.errors import BadInput
from ludens.core.inputs import checked_seed, with_players
from ludens.core.record import Array
from ludens.core.registry import game as game_named
from ludens.core.rng import AGENT, CHANCE_STREAM, POLICY, game_seed, generators
from ludens.core.spec import Game

__all__ = ["Batch", "Buffers", "SeatPlan", "Shaping"]

Shaping = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""shaping(before, after) -> float[games, players], from arrays of records: see `Batch`."""


@dataclass(frozen=True)
class SeatPlan:
    """Who holds the seats where the caller does not decide for all: see `batch_kernels` for the numbers of holders."""

    first: np.ndarray  # int64[games]: the learner's seat in the first game
    rotate: int  # seats by which it moves on with every game
    pool: np.ndarray  # int64: holders from which every other seat draws when a game begins; or empty
    others: np.ndarray  # int64[games, players - 1]: without a pool, those of the other seats in their order
    partner: int = DRAWN  # who holds the other seats of the learner's own side


@dataclass(frozen=True)
class Buffers:
    """What a step writes; allocate once, reuse for ever (or hand in arrays of your own).

    All but the fields named final_… are written by every reset and every step. Those are written, for game i, only by
    a step that ends game i, and stay until the next end: they survive the automatic restart.
    """

    # int8[games]: the seat to act; TERMINAL in a game that has ended and is not started anew
    actor: np.ndarray
    # int8[games, actions]: 1 for the actor's legal actions; all zero where the actor is TERMINAL
    mask: np.ndarray
    # float32[games, observation]: what the actor observes of its own view; seat 0 where the actor is TERMINAL
    features: np.ndarray
    # float32[games, players]: what every seat earned in this step: its return in [-1, 1] in the step that ends the game
    # by its rules, zero in all others; plus what the shaping says, in every step of a game in progress
    reward: np.ndarray
    # int8[games]: 1 if this step ended the game by its rules; no value follows
    terminated: np.ndarray
    # int8[games]: 1 if this step was the last of the `longest` decisions and the game was cut off, unfinished; never
    # together with terminated
    truncated: np.ndarray
    # int8[games]: whose view final_features shows: the seat to act next in a game cut off, the seat that made the last
    # decision in one that ended
    final_seat: np.ndarray
    # float32[games, observation]: what final_seat observes of the last position, before the restart
    final_features: np.ndarray
    # float32[games, players]: the returns at the end, without any shaping; zeros in a game cut off
    final_returns: np.ndarray
    # float32[games, players]: the game's own points in the last position
    final_scores: np.ndarray
    # float32[games, players, observation]: what every seat p observes of its own view, at [i, p]; only with all_seats
    seat_features: np.ndarray | None = None
    # float32[games, players, observation]: the same of the last position, before the restart; only with all_seats
    final_seat_features: np.ndarray | None = None

    @property
    def done(self) -> np.ndarray:
        """int8[games], a new array: 1 if this step ended the game, by its rules or cut off."""
        ended: np.ndarray = self.terminated | self.truncated
        return ended


class Batch:
    """`size` games of one kind; game i begins as `Match(game, options, seed=batch.game_seed(i))` does.

    With `autoreset` a finished game starts anew within the same step: its reward and end are
    those of the finished game, its actor, mask and features those of the new one, and its draws go on
    in its stream. Without, a finished game stays at its end: further actions are ignored and
    its reward and end are zero. Options are the game's tournament options unless overridden.

    `longest` bounds the decisions of one game (draws and automatic actions aside): the step that makes the last one
    cuts the game off, unless it ends it.

    `shaping(before, after)` is called once a step with the records of all games at the decision before the step and at
    what came after it, the next decision or the end, ahead of any restart. What it returns, float[games, players],
    is added to the reward of all games that were in progress. It must not write into the records.

    With `restricted` only those actions count as legal that the game leaves to policies (the verb `restrict`), and one
    that is left alone is played by itself.

    `all_seats` asks for the features of all seats, not of the actor alone. `check=False` leaves out the comparison of
    actions with the legal ones: an illegal action then does anything at all.

    A plan of `seats` gives some of them to others: uniform choices are made within the step; all other holders are for
    the caller to ask, who goes on with `answer`. The features of the end are then those of the learner's seat, which
    `longest` cuts off, and a game that ends before the first decision is dealt again.

    >>> batch = Batch("azul", 4, seed=7)
    >>> out = batch.buffers()
    >>> batch.reset(out)
    >>> batch.step(batch.sample(), out)
    >>> out.mask.shape, int(out.done.sum())
    ((4, 306), 0)
    """

    def __init__(
        self,
        game: Game | str,
        size: int,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
        threads: int = 1,
        autoreset: bool = True,
        *,
        players: int | None = None,
        longest: int | None = None,
        shaping: Shaping | None = None,
        all_seats: bool = False,
        check: bool = True,
        restricted: bool = False,
        seats: SeatPlan | None = None,
    ) -> None:
        if size < 1 or threads < 1:
            raise BadInput(f"A batch needs at least one game and one thread, not {size} and {threads}.")
        self.shaping = shaping
        self.autoreset, self.all_seats, self.check, self.restricted = autoreset, all_seats, check, restricted
        game = self._set_game(game, options, players, seed, longest, seats)
        self.states = record.blank(game.dtype, size)
        self._chance = generators(seed, size, CHANCE_STREAM)
        self._policy = generators(seed, size, POLICY)
        self._choices = np.zeros(size, np.int64)  # legal actions of every game; 0 in a finished one
        self._decisions = np.zeros(size, np.int64)  # made in the current game
        self._used: Buffers | None = None  # the buffers of the last call, found right
        self._jobs: list[tuple[Any, ...]] = []  # what the kernels are called with for them, one a thread
        self._seeing: list[tuple[Any, ...]] = []  # the same for the features of all seats
        rows = size if shaping is not None or all_seats or seats is not None else 0
        self._before = record.blank(game.dtype, size if shaping is not None else 0)
        self.after = record.blank(game.dtype, rows)  # the last positions of games that have just ended
        edges = np.linspace(0, size, threads + 1).astype(int)
        self._ranges = [(int(a), int(b)) for a, b in itertools.pairwise(edges) if b > a]
        self._threads = [Scratch(record.blank(game.dtype), np.zeros(game.spec.actions, np.int64)) for _ in self._ranges]
        seated = size if seats is not None else 0
        self.holders = np.zeros((seated, self.players), np.int64)
        self.seats, self.deals = np.zeros((2, seated), np.int64)
        self._draws = generators(self.seed, seated, AGENT)
        self._orders = np.zeros(size, np.int64)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def _set_game(
        self, game: Game | str, options: Mapping[str, Any] | None, players: int | None, seed: int,
        longest: int | None, seats: SeatPlan | None,
    ) -> Game:  # fmt: skip
        """What is played, for how long and by whom."""
        if longest is not None and longest < 1:
            raise BadInput(f"A game of a batch has at least one decision, not longest={longest}.")
        self.game = game = game_named(game) if isinstance(game, str) else game
        self.options = game.options({**game.spec.tournament, **(with_players(options, players) or {})})
        self.players = int(self.options[0])
        self.seed, self.longest, self._plan, self._started = checked_seed(seed), longest, seats, False
        return game

    def __len__(self) -> int:
        return len(self.states)

    def game_seed(self, i: int) -> int:
        """The seed of the match that draws as game i does; no other seed of a batch gives the same."""
        if not 0 <= i < len(self):
            raise BadInput(f"The games of this batch are 0 … {len(self) - 1}, not {i}.")
        return game_seed(self.seed, i)

    def buffers(self) -> Buffers:
        """Fresh buffers of the right shapes."""
        return Buffers(**{name: np.zeros(shape, kind) for name, (shape, kind) in self._shapes().items()})

    def reset(self, out: Buffers) -> None:
        """Starts all games, each from the beginning of its streams, and writes their first decisions."""
        self._use(out)
        for stream in (self._chance, self._policy, self._draws):
            stream[:, 1] = 0
        if self._plan is not None:
            self.deals[:] = 0
            self.seats[:] = self._plan.first - self._plan.rotate
        self._order(BEGIN)
        self._started = True
        if self.shaping is not None:
            self._shaped(self.states, self.states)  # a shaping of the wrong shape shows before anything is played

    def step(self, actions: np.ndarray, out: Buffers) -> None:
        """Plays actions[i] in game i and writes what the buffers say.

        `actions` are whole numbers, one a game. An action that is not legal is refused, by the number of its game, and
        so is an array of another length or kind; nothing changes then.
        """
        chosen = self._checked_actions(actions)
        self._use(out)
        if self.shaping is None:
            self._run(chosen)
            return
        playing = self._choices > 0
        self._before[:] = self.states
        self._run(chosen)
        out.reward[playing] += self._shaped(self._before, self.after)[playing]

    def answer(self, actions: np.ndarray, out: Buffers) -> None:
        """Goes on with the step: plays actions[i] of other holders than the learner, where it is not WAIT."""
        self._use(out)
        self._run(actions, answers=True)

    def scores(self, out: np.ndarray) -> None:
        """out[i] = the points of all seats of game i as it stands: float32[games, players]."""
        batch_kernels.write_scores(self.states, out)

    def sample(self, weights: np.ndarray | None = None, actions: np.ndarray | None = None) -> np.ndarray:
        """int64[games]: a legal action of every game, drawn from a stream of the game's own; into `actions` if given.

        Uniform, or in proportion to `weights`, float32[games, actions], such as the probabilities of a policy. Weights
        of illegal actions do not count; where those of all legal actions are zero the choice is uniform. Negative
        weights and such as are no numbers are refused. A finished game gets 0, which `step` ignores.
        """
        self._check_started()
        if actions is None:
            actions = np.zeros(len(self), np.int64)
        elif actions.shape != (len(self),) or actions.dtype != np.int64:
            raise BadInput(f"Sampled actions need an array of int64 of length {len(self)}.")
        if weights is None:
            batch_kernels.sample_uniformly(self._mask, self._policy, actions)
            return actions
        given = np.ascontiguousarray(weights, np.float32)
        wanted = (len(self), self.game.spec.actions)
        if given.shape != wanted:
            raise BadInput(f"Weights for this batch have the shape {wanted}, not {given.shape}.")
        bad = batch_kernels.first_bad_weight(self._mask, given) if self.check else -1
        if bad >= 0:
            raise BadInput(f"The weights of game {bad} are not all finite and at least zero.")
        batch_kernels.sample_by_weight(self._mask, self._policy, given, actions)
        return actions

    def prior(self, out: np.ndarray | None = None) -> np.ndarray:
        """float32[games, actions]: the shares that the game's own prior gives to the legal actions; 0 elsewhere."""
        self._check_started()
        shape = (len(self), self.game.spec.actions)
        if out is None:
            out = np.zeros(shape, np.float32)
        elif out.shape != shape or out.dtype != np.float32 or not out.flags.c_contiguous:
            raise BadInput(f"The shares of the prior need a contiguous array of float32 of shape {shape}.")
        batch_kernels.prior_shares(self.states, self._mask, self._threads[0].legal, out)
        return out

    def save(self) -> dict[str, np.ndarray]:
        """Everything that decides how the games go on, as plain arrays (for `np.savez`, or safetensors)."""
        self._check_started()
        return {
            **self._identity(),
            "seed": np.array(self.seed),
            "states": self.states.view(np.uint8).reshape(len(self), -1).copy(),
            **{name: own.copy() for own, name in self._parts()},
        }

    def restore(self, saved: Mapping[str, np.ndarray], out: Buffers) -> None:
        """Goes on where `save` was called, bit for bit, and writes actor, mask and features of that moment.

        Reward and ends are zero then, and what is final stays as it is in `out`. What was saved of another game,
        version, size, options, `autoreset` or `longest` is refused, and nothing changes.
        """
        self._use(out)
        self._check_saved(saved)
        self.seed = int(saved["seed"])
        self.states[:] = np.ascontiguousarray(saved["states"]).view(self.states.dtype)[:, 0]
        for own, name in self._parts():
            own[:] = saved[name]
        self._order(WRITE)
        self._started = True

    def _shaped(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """float32[games, players]: what the shaping says."""
        assert self.shaping is not None
        earned, wanted = np.asarray(self.shaping(before, after), np.float32), (len(self), self.players)
        if earned.shape != wanted:
            raise BadInput(f"The shaping must return an array of shape {wanted}, not {earned.shape}.")
        return earned

    def _parts(self) -> list[tuple[np.ndarray, str]]:
        """The saved arrays besides the states, with their names."""
        names = ["chance", "policy", "choices", "decisions"]
        if self._plan is not None:
            return [(getattr(self, f"_{name}"), name) for name in [*names, "draws"]] + [
                (getattr(self, name), name) for name in ("holders", "seats", "deals")
            ]
        return [(getattr(self, f"_{name}"), name) for name in names]

    def _identity(self) -> dict[str, np.ndarray]:
        """What must agree between the batch that saved and the one that restores."""
        return {
            "game": np.array(self.game.spec.identity),
            "size": np.array(len(self)),
            "options": self.options.copy(),
            "autoreset": np.array(int(self.autoreset)),
            "longest": np.array(self.longest or 0),
        }

    def _check_saved(self, saved: Mapping[str, np.ndarray]) -> None:
        expected = {**self._identity(), "seed": np.array(0)}
        expected["states"] = np.zeros((len(self), self.game.dtype.itemsize), np.uint8)
        expected.update({name: own for own, name in self._parts()})
        for name, wanted in expected.items():
            if name not in saved:
                raise BadInput(f"This is no saved batch: {name} is missing.")
            given = np.asarray(saved[name])
            if name in self._identity():
                if given.shape != wanted.shape or (given != wanted).any():
                    raise BadInput(f"The saved batch has another {name}: {given.tolist()}, not {wanted.tolist()}.")
            elif given.shape != wanted.shape or (name != "seed" and given.dtype != wanted.dtype):
                raise BadInput(f"The part {name} of the saved batch is damaged: its shape or kind is wrong.")

    def _shapes(self) -> dict[str, tuple[tuple[int, ...], type]]:
        """Shape and kind of every buffer."""
        size, spec = len(self), self.game.spec
        seats, observed = (size, self.players), (size, spec.observation_size(self.options))
        shapes: dict[str, tuple[tuple[int, ...], type]] = {
            "actor": ((size,), np.int8),
            "mask": ((size, spec.actions), np.int8),
            "features": (observed, np.float32),
            "reward": (seats, np.float32),
            "terminated": ((size,), np.int8),
            "truncated": ((size,), np.int8),
            "final_seat": ((size,), np.int8),
            "final_features": (observed, np.float32),
            "final_returns": (seats, np.float32),
            "final_scores": (seats, np.float32),
        }
        if self.all_seats:
            every = (*seats, observed[1])
            shapes |= {"seat_features": (every, np.float32), "final_seat_features": (every, np.float32)}
        return shapes

    def _use(self, out: Buffers) -> None:
        """Lets the kernels write into these buffers; arrays of wrong shapes or kinds are refused."""
        if out is self._used:
            return
        arrays = []
        for name, (shape, kind) in self._shapes().items():
            array = getattr(out, name)
            if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != kind:
                raise BadInput(f"The buffer {name} of this batch is an array of {kind.__name__} of shape {shape}.")
            if not array.flags.c_contiguous or not array.flags.writeable:
                raise BadInput(f"The buffer {name} must be contiguous and writeable.")
            arrays.append(array)
        plan, none = self._plan, np.zeros(0, np.int64)
        sides = np.array(self.game.spec.sides(self.players), np.int64)
        games = Games(self.states, self._chance, self._policy, self._choices, self._decisions, self.after)
        seats = Seats(
            self.holders, self.seats, self.deals, self._draws,
            none if plan is None else plan.pool, none.reshape(0, 0) if plan is None else plan.others, sides,
            DRAWN if plan is None else plan.partner, 0 if plan is None else plan.rotate,
        )  # fmt: skip
        first, blank = self.game.spec.first_automatic, record.blank(self.game.dtype)
        rules = Rules(blank, self.options, first, self.restricted, self.autoreset, self.longest or 0)
        written = Written(*arrays[:10])
        self._jobs = [
            (low, high, scratch, games, seats, rules, written)
            for (low, high), scratch in zip(self._ranges, self._threads, strict=True)
        ]
        seen = (self.states, self.after, out.terminated, out.truncated, out.seat_features, out.final_seat_features)
        self._seeing = [
            (low, high, scratch.views, *seen) for (low, high), scratch in zip(self._ranges, self._threads, strict=True)
        ]
        self._used = out
        self._mask = out.mask

    def _check_started(self) -> None:
        if not self._started:
            raise BadInput("The games have not begun: call reset first.")

    def _checked_actions(self, actions: Array) -> np.ndarray:
        self._check_started()
        given = np.asarray(actions)
        if given.shape != (len(self),):
            raise BadInput(f"{len(self)} games need {len(self)} actions, not an array of shape {given.shape}.")
        if given.dtype.kind not in "iu":
            raise BadInput(f"Actions are whole numbers, not {given.dtype}.")
        chosen = np.ascontiguousarray(given, np.int64)
        if self.check:
            bad = batch_kernels.first_illegal(self._mask, self._choices, chosen)
            if bad >= 0:
                raise BadInput(f"Action {given[bad]} of game {bad} is not legal: see its mask.")
        return chosen

    def _order(self, order: int) -> None:
        """Lets all games begin, or write where they stand."""
        self._orders[:] = order
        self._run(self._orders)

    def _run(self, actions: np.ndarray, answers: bool = False) -> None:
        """Lets every thread do its range of the games, and look at them with the eyes of all seats if asked to."""
        self._share(batch_kernels.step_range, [(*job, actions, answers) for job in self._jobs])
        if self._plan is not None and (self._choices == STUCK).any():
            raise RuntimeError(f"Game after game of {self.game.spec.name} ended before the seat's first choice.")
        if self.all_seats:
            self._share(batch_kernels.see_everybody, self._seeing)

    def _share(self, work: Any, jobs: list[tuple[Any, ...]]) -> None:
        if self._pool is None:
            work(*jobs[0])
        else:
            for done in [self._pool.submit(work, *job) for job in jobs]:
                done.result()

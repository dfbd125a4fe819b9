"""`learn.opposition` on a GPU: the same games, bit for bit, in tensors that never leave its memory.

Opponents are compiled into the games (`random` and whom the game offers, such as Azul's `heuristic`), or they are the
learner itself and its earlier selves. Anybody else, and a teacher who is an agent, plays on a CPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from ludens.core import kernels
from ludens.core.errors import BadInput
from ludens.core.rng import AGENT, CHANCE_STREAM, POLICY, generators
from ludens.core.spec import Game
from ludens.gpu.device import DeviceArray, gpu_errors, torch_with_gpu
from ludens.gpu.kernels import GameKernels, records_of, words_of
from ludens.learn.games import Outcome
from ludens.learn.opposition import FIGURES, PRIOR
from ludens.learn.rewards import LEAD, RESULT, parse_reward
from ludens.play.gpu_seats import COMPILED, FIRST_ASKED, RANDOM, SeatTask, seat_kernel
from ludens.play.seat_kernel import ANSWER, ASK, PLAY, START

__all__ = ["GpuOpposition"]

_BLOCK = 64  # threads
_KEPT = ("words", "chance", "policies", "draws", "seats", "count", "decisions", "sitting", "sums", "lead", "told")


class GpuChooser(Protocol):
    """A network in the seats of opponents."""

    def draw(self, features: Any, mask: Any) -> Any:
        """int64[k], a tensor: a legal action for each of k decisions."""


class GpuOpposition:
    """`size` games; the learner's seat moves on with every game. See `learn.games.Games`: its arrays are tensors."""

    def __init__(
        self,
        game: Game,
        options: np.ndarray,
        size: int,
        against: tuple[str, ...],
        choosers: Mapping[str, GpuChooser],
        reward: str = RESULT,
        reward_scale: float = 1.0,
        result_weight: float = 0.0,
        teacher: str = "",
    ) -> None:
        offered = (game.learning() if game.learning is not None else {}).get("on_gpu")
        if offered is None:
            raise BadInput(f"{game.spec.title} has no games for learners on a GPU; set device to cpu.")
        if teacher not in ("", PRIOR):
            raise BadInput(f"On a GPU the teacher is {PRIOR}, not {teacher}; set device to cpu.")
        task = SeatTask(**offered)
        self._choosers = dict(enumerate(choosers.values(), FIRST_ASKED))
        numbers = {"random": RANDOM, task.player: COMPILED}
        numbers |= {name: number for number, name in enumerate(choosers, FIRST_ASKED)}
        for name in against:
            if name not in numbers:
                raise BadInput(f"On a GPU opponents are {', '.join(numbers)}, not {name}; set device to cpu.")
        pool = [numbers[name] for name in against]
        self._asking = any(number >= FIRST_ASKED for number in pool)
        self._torch, self.device = torch, _ = _gpu()
        self.game, self.size = game, size
        self.players = players = int(options[0])
        own: Any  # of the kind that the game's rule knows by a number
        self._reward, own, constants = parse_reward(game, reward)
        self._kind = -1 if own is None else int(own.kind)
        self._scale, self._result_weight = reward_scale, 1.0 if self._reward == RESULT else result_weight
        self._step, self._kernels = seat_kernel(game, task), GameKernels(game)
        inputs, actions = game.spec.observation_size(options), game.spec.actions
        self.features = self._new((size, inputs), torch.float32, columns=True)
        self.mask = self._new((size, actions), torch.int8, columns=True)
        self.words = self._new((words_of(game.dtype), size), torch.int32)
        self.chance, self.policies, self.draws = (self._new((size, 2), torch.int64) for _ in range(3))
        self.seats, self.count, self.decisions, self._status, self._actions = (
            self._new((size,), torch.int64) for _ in range(5)
        )
        self.sitting = self._new((size, players), torch.int64)
        self._legal = self._new((size, actions), torch.int16, columns=True)
        self._actor, self._ended = (self._new((size,), torch.int8) for _ in range(2))
        self._moved, self.sums, self.lead = (self._new((size,), torch.float64) for _ in range(3))
        self._scores, self._final_returns, self._final_scores = (
            self._new((size, players), torch.float32) for _ in range(3)
        )
        self.told = self._new((len(FIGURES),), torch.float64)
        self._totals = self._new((len(FIGURES) + 1,), torch.float64)  # of the games that ended, and how many
        given = [torch.from_numpy(np.array(one)).to(self.device) for one in (options, pool)]
        values = np.array([0.0] if own is None else own.numbers(constants))
        self._arguments: list[Any] = [
            self._kind, DeviceArray(given[0]), DeviceArray(torch.from_numpy(values).to(self.device)),
            DeviceArray(given[1]),
            *(DeviceArray(one) for one in (
                self.words, self.chance, self.policies, self.draws, self._legal, self._actions,
                self._status, self._actor, self.seats, self.count, self.decisions, self.sitting,
                self.mask, self._moved, self._ended, self._scores, self._final_returns, self._final_scores,
            )),
        ]  # fmt: skip
        none = DeviceArray(self._new((0,), torch.int8))
        self._observed = (DeviceArray(self.words), DeviceArray(self._actor), -1, none, DeviceArray(self.features))

    # --- beginning, keeping --------------------------------------------------------------

    def start(self, seed: int) -> None:
        """Begins all games; game i with seat i, modulo players."""
        torch = self._torch
        for stream, purpose in ((self.chance, CHANCE_STREAM), (self.policies, POLICY), (self.draws, AGENT)):
            stream.copy_(torch.from_numpy(generators(seed, self.size, purpose).view(np.int64)))
        self.seats.copy_(torch.arange(self.size, device=self.device) % self.players - 1)
        self._status.fill_(START)
        self._advance()
        self.lead.copy_(self._leads(self._scores, self.seats))

    def begin_step(self, seed: int) -> None:
        """Nothing that plays here draws from anything but the games' own streams and the learner's."""

    def save(self) -> dict[str, np.ndarray]:
        """Everything that decides how the games go on."""
        return {name: getattr(self, name).cpu().numpy() for name in _KEPT}

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes on where `save` was called, at the first decision of a step."""
        for name in _KEPT:
            own, given = getattr(self, name), arrays[name]
            if tuple(own.shape) != given.shape:
                raise ValueError(f"an array {name} of the right shape")
            own.copy_(self._torch.from_numpy(given))
        self._actor.copy_(self.seats)
        self._kernels.observe.launch(self.size, _BLOCK, *self._observed)
        self._write_masks()

    def _write_masks(self) -> None:
        """The legal actions of all games, from the positions themselves."""
        states = records_of(self.game.dtype, self.words.cpu().numpy())
        mask, legal = np.zeros(tuple(self.mask.shape), np.int8), np.zeros(self.mask.shape[1], np.int64)
        for i in range(self.size):
            mask[i, legal[: kernels.legal_at(states, i, legal)]] = 1
        self.mask.copy_(self._torch.from_numpy(mask))

    # --- playing -------------------------------------------------------------------------

    def step(self, actions: Any) -> Outcome:
        """Plays actions[i], a tensor, in game i, then everybody else; nothing waits for the GPU but asking."""
        torch, seats = self._torch, self.seats.clone()
        self._moved.zero_()
        self._ended.zero_()
        self._actions.copy_(torch.as_tensor(actions))
        self._status.fill_(PLAY)
        self._advance()
        ended = self._ended.bool()
        turn = (seats[:, None] + torch.arange(self.players, device=self.device)) % self.players
        results = torch.where(ended[:, None], self._final_returns.gather(1, turn), 0.0)
        final = self._leads(self._final_scores, seats)
        reward = self._moved.clone()
        if self._reward == LEAD:
            now = self._leads(self._scores, self.seats)
            reward += torch.where(ended, final, now) - self.lead
            self.lead.copy_(now)
        reward = reward * self._scale + self._result_weight * results[:, 0]
        self.sums += reward
        points = self._final_scores.gather(1, seats[:, None])[:, 0].double()
        result = results[:, 0].double()
        won = (result.sign() + 1) / 2
        figures = torch.stack([won, result, points, points - final, final, self.sums, torch.ones_like(won)])
        self._totals += torch.where(ended, figures, 0.0).sum(1)
        self.sums.masked_fill_(ended, 0.0)
        return Outcome(reward.float(), ended, results)

    def figures(self) -> dict[str, float]:
        """Of the games that ended since the last call; those told last where none has."""
        if float(self._totals[-1]):
            self.told.copy_(self._totals[:-1] / self._totals[-1])
            self._totals.zero_()
        return dict(zip(FIGURES, self.told.tolist(), strict=True))

    def advice(self) -> Any:
        """The shares that the game's prior gives to the legal actions."""
        torch = self._torch
        out = self._new(tuple(self.mask.shape), torch.float32, columns=True)
        choices, legal = self.mask.sum(1), self.mask.argsort(dim=1, descending=True, stable=True).short()
        arrays = (DeviceArray(one) for one in (self.words, legal, choices, out))
        self._kernels.prior.launch(self.size, _BLOCK, *arrays)
        return out

    def _advance(self) -> None:
        """Plays until every seat of the learner must choose, asking others on the way."""
        with gpu_errors(f"{self.size} games of {self.game.spec.title}"):
            while True:
                self._step.launch(self.size, _BLOCK, *self._arguments)
                self._kernels.observe.launch(self.size, _BLOCK, *self._observed)
                if not self._asking:
                    return
                asked = (self._status == ASK).nonzero()[:, 0]
                if not len(asked):
                    return
                self._answer(asked)

    def _answer(self, asked: Any) -> None:
        who = self.sitting[asked, self._actor[asked].long()]
        for number, chooser in self._choosers.items():
            mine = asked[who == number]
            if len(mine):
                self._actions[mine] = chooser.draw(self.features[mine], self.mask[mine])
        self._status[asked] = ANSWER

    def _leads(self, scores: Any, seats: Any) -> Any:
        """float64[games]: points of these seats less those of the best other."""
        mine = seats[:, None]
        best = scores.scatter(1, mine, -1e9).amax(1)
        return (scores.gather(1, mine)[:, 0] - best).double()

    def _new(self, shape: tuple[int, ...], kind: Any, columns: bool = False) -> Any:
        """Zeros; in columns, neighbouring games are neighbours in memory."""
        zeros = self._torch.zeros(shape[::-1] if columns else shape, dtype=kind, device=self.device)
        return zeros.t() if columns else zeros


def _gpu() -> tuple[Any, Any]:
    """PyTorch and the device."""
    torch = torch_with_gpu()
    return torch, torch.device("cuda")

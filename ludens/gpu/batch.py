"""Many games stepped at once on a GPU, into torch tensors in its memory, without copies.

The same contract as `core.batch`, and the same numbers, bit for bit: game i draws, samples and is observed as game i of
a `Batch` with the same seed. PyTorch is imported here alone, and only when a batch is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ludens.core.batch import Batch, Buffers, SeatPlan
from ludens.core.batch_kernels import DRAWN
from ludens.core.errors import BadInput
from ludens.core.rng import AGENT, CHANCE_STREAM, POLICY, generators
from ludens.core.spec import Game
from ludens.gpu.device import DeviceArray, gpu_errors, torch_with_gpu
from ludens.gpu.kernels import BEGIN, PLAY, WRITE, GameKernels, check_kernel, records_of, sample_kernel, words_of

__all__ = ["GpuBatch"]

_WIDE = ("mask", "features", "final_features", "seat_features", "final_seat_features")
_STREAMS, _SEATED = ("chance", "policy", "draws"), ("holders", "seats", "deals")
_kernels: dict[Any, GameKernels] = {}
_common: dict[str, Any] = {}


@dataclass(frozen=True)
class _Bound:
    """The caller's tensors as the kernels take them; `copies` are (ours, the caller's) where theirs do not suit."""

    arrays: dict[str, DeviceArray]
    seats: list[DeviceArray]  # seat_features of each seat, with all_seats
    final_seats: list[DeviceArray]
    copies: list[tuple[Any, Any]]


class GpuBatch(Batch):
    """A `Batch` whose buffers are torch tensors on a GPU; `block` threads share a block (a matter of speed alone).

    `buffers()` lays the wide tables (mask and features) out in columns: tensor[i, k] of neighbouring games i are
    neighbours in memory, which is the fastest to write and as good for a matrix product. `buffers(rows=True)` gives
    contiguous rows, and `features=torch.bfloat16` half the size: both cost a copy on the GPU.

    Checking actions waits for the GPU in every step; where they come from `sample` or a masked policy, `check=False`
    lets steps queue up. There is no `shaping`: add to `reward` what you like.

    batch = GpuBatch("azul", 65536, seed=7, check=False)
    out = batch.buffers()
    batch.reset(out)
    batch.step(batch.sample(), out)
    """

    def __init__(
        self,
        game: Game | str,
        size: int,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
        autoreset: bool = True,
        *,
        players: int | None = None,
        longest: int | None = None,
        all_seats: bool = False,
        check: bool = True,
        restricted: bool = False,
        seats: SeatPlan | None = None,
        device: str = "cuda",
        block: int = 64,
        registers: int = 0,
    ) -> None:
        if size < 1 or block < 1:
            raise BadInput(f"A batch needs at least one game and one thread a block, not {size} and {block}.")
        self.size, self.shaping = size, None
        self.autoreset, self.all_seats, self.check, self.restricted = autoreset, all_seats, check, restricted
        game = self._set_game(game, options, players, seed, longest, seats)
        self._torch = torch = torch_with_gpu()
        self.device = self._checked_device(device)
        self.block = block
        key = (game.dtype, registers, seats is not None)
        if key not in _kernels:
            _kernels[key] = GameKernels(game, registers, seats is not None)
        if not _common:
            _common.update(sample=sample_kernel(), check=check_kernel())
        self.kernels = _kernels[key]
        self._scratch: dict[str, Any] = {}
        self._bound: tuple[Buffers, _Bound] | None = None
        with self._working(f"{size} games of {game.spec.title}"):
            self._words = self._new((words_of(game.dtype), size), torch.int32)
            self._final_words = torch.zeros_like(self._words)
            self._chance: Any = self._stream(CHANCE_STREAM)
            self._policy: Any = self._stream(POLICY)
            self._legal: Any = self._new((size, game.spec.actions), torch.int16, columns=True)
            self._choices: Any = self._new((size,), torch.int64)
            self._decisions: Any = self._new((size,), torch.int64)
            self._ended = self._new((size,), torch.int8)
            self._first_bad = self._new((1,), torch.int64)
            seated = size if seats is not None else 0
            self.holders: Any = self._new((seated, self.players), torch.int64)
            self.seats: Any = self._new((seated,), torch.int64)
            self.deals: Any = self._new((seated,), torch.int64)
            self._draws: Any = self._stream(AGENT)
            sides = np.array(game.spec.sides(self.players), np.int64)
            pool = np.zeros(0, np.int64) if seats is None else seats.pool
            given = [torch.from_numpy(np.array(one)).to(self.device) for one in (self.options, pool, sides)]
            names = "words final_words chance policy draws legal choices decisions ended first_bad"
            self._own = {name: DeviceArray(getattr(self, f"_{name}")) for name in names.split()}
            self._own |= {name: DeviceArray(getattr(self, name)) for name in ("holders", "seats", "deals")}
            self._own |= dict(zip(("options", "pool", "sides"), map(DeviceArray, given), strict=True))
            self._own["none"] = DeviceArray(self._new((0,), torch.int8))
            self._own["no_weights"] = DeviceArray(self._new((0, 0), torch.float32))

    def __len__(self) -> int:
        return self.size

    @property
    def states(self) -> np.ndarray:  # type: ignore[override]
        """The records of all games, a copy in the host's memory."""
        with self._working("reading the positions"):
            return records_of(self.game.dtype, self._words.cpu().numpy())

    def buffers(self, rows: bool = False, features: Any = None) -> Buffers:
        """Fresh buffers of the right shapes: torch tensors on the GPU."""
        torch, made = self._torch, {}
        with self._working("the buffers"):
            for name, (shape, kind) in self._shapes().items():
                number = getattr(torch, np.dtype(kind).name)
                if name in ("features", "seat_features") and features is not None:
                    number = features
                made[name] = self._new(shape, number, columns=name in _WIDE and not rows)
        return Buffers(**made)

    def reset(self, out: Buffers) -> None:
        """Starts all games, each from the beginning of its streams, and writes their first decisions."""
        with self._working("starting the games"):
            bound = self._bind(out)
            for stream in (self._chance, self._policy, self._draws):
                stream[:, 1] = 0
            if self._plan is not None:
                self.deals.zero_()
                self.seats.copy_(self._torch.from_numpy(self._plan.first - self._plan.rotate))
            self._advance(BEGIN, self._own["choices"], bound)
        self._started = True

    def step(self, actions: Any, out: Buffers) -> None:
        """Plays actions[i], a tensor of whole numbers on the GPU, in game i and writes what the buffers say.

        With `check` an action that is not legal is refused, by the number of its game, and nothing changes.
        """
        with self._working("a step"):
            chosen = DeviceArray(self._checked_actions(actions))
            self._advance(PLAY, chosen, self._bind(out))

    def scores(self, out: Any) -> None:
        """out[i] = the points of all seats of game i as it stands: float32[games, players]."""
        with self._working("counting points"):
            self.kernels.scores.launch(self.size, self.block, self._own["words"], DeviceArray(out))

    def earned(self, actions: Any, kind: int, constants: Any, out: Any) -> None:
        """out[i] = what the actor of game i is about to earn by actions[i], by a reward of the game's own."""
        assert self.kernels.reward is not None and self._bound is not None
        actor = self._bound[1].arrays["actor"]
        given = (DeviceArray(actions), kind, DeviceArray(constants), DeviceArray(out))
        with self._working("rewards"):
            self.kernels.reward.launch(self.size, self.block, self._own["words"], actor, *given)

    def sample(self, weights: Any = None, actions: Any = None) -> Any:
        """int64[games] on the GPU: a legal action of every game, as `Batch.sample` would draw it."""
        self._check_started()
        torch = self._torch
        with self._working("drawing actions"):
            if actions is None:
                actions = torch.empty(self.size, dtype=torch.int64, device=self.device)
            elif tuple(actions.shape) != (self.size,) or actions.dtype != torch.int64:
                raise BadInput(f"Sampled actions need a tensor of int64 of length {self.size}.")
            given = self._own["no_weights"]
            if weights is not None:
                shape = (self.size, self.game.spec.actions)
                if tuple(weights.shape) != shape:
                    raise BadInput(f"Weights for this batch have the shape {shape}, not {tuple(weights.shape)}.")
                given = DeviceArray(weights.detach().to(self.device, torch.float32))
                if self.check:
                    bad = self._find_bad(self._own["choices"], given)
                    if bad >= 0:
                        raise BadInput(f"The weights of game {bad} are not all finite and at least zero.")
            own = self._own
            _common["sample"].launch(
                self.size, 128, own["legal"], own["choices"], own["policy"], given, DeviceArray(actions)
            )
        return actions

    def prior(self, out: Any = None) -> Any:
        """float32[games, actions] on the GPU: the shares that the game's own prior gives to the legal actions."""
        self._check_started()
        torch, shape = self._torch, (self.size, self.game.spec.actions)
        with self._working("asking the prior"):
            if out is None:
                out = self._new(shape, torch.float32, columns=True)
            elif tuple(out.shape) != shape or out.dtype != torch.float32:
                raise BadInput(f"The shares of the prior need a tensor of float32 of shape {shape}.")
            own = self._own
            self.kernels.prior.launch(
                self.size, self.block, own["words"], own["legal"], own["choices"], DeviceArray(out)
            )
        return out

    def save(self) -> dict[str, np.ndarray]:
        """Everything that decides how the games go on, as plain arrays; a `Batch` on a CPU can go on with it too."""
        self._check_started()
        return {
            **self._identity(),
            "seed": np.array(self.seed),
            "states": self.states.view(np.uint8).reshape(self.size, -1),
            **{name: array for array, name in self._parts()},
        }

    def restore(self, saved: Mapping[str, np.ndarray], out: Buffers) -> None:
        """Goes on where `save` of this or of a `Batch` was called, bit for bit; see `Batch.restore`."""
        self._check_saved(saved)
        torch = self._torch
        with self._working("restoring the games"):
            bound = self._bind(out)
            self.seed = int(saved["seed"])
            whole = np.zeros((self.size, self._words.shape[0] * 4), np.uint8)
            whole[:, : self.game.dtype.itemsize] = saved["states"]
            self._words.copy_(torch.from_numpy(whole.view(np.int32)).to(self.device).t())
            for _, name in self._parts():
                own = getattr(self, name if name in _SEATED else f"_{name}")
                own.copy_(torch.from_numpy(np.array(saved[name]).view(np.int64)))
            self._advance(WRITE, self._own["choices"], bound)
        self._started = True

    def _checked_device(self, name: str) -> Any:
        device, count = self._torch.device(name), self._torch.cuda.device_count()
        if device.type != "cuda" or (device.index or 0) >= count:
            raise BadInput(f"There is no GPU {name}; there are {', '.join(f'cuda:{k}' for k in range(count))}.")
        return device

    def _working(self, doing: str) -> Any:
        return _Working(self._torch.cuda.device(self.device), doing)

    def _new(self, shape: tuple[int, ...], kind: Any, columns: bool = False) -> Any:
        """Zeros; in columns, neighbouring games are neighbours in memory."""
        if not columns:
            return self._torch.zeros(shape, dtype=kind, device=self.device)
        backwards = self._torch.zeros(shape[::-1], dtype=kind, device=self.device)
        return backwards.permute(*reversed(range(len(shape))))

    def _stream(self, purpose: int) -> Any:
        words = generators(self.seed, self.size, purpose).view(np.int64)
        return self._torch.from_numpy(words).to(self.device)

    def _parts(self) -> list[tuple[np.ndarray, str]]:
        found = []
        for name in ("chance", "policy", "choices", "decisions", *(("draws", *_SEATED) if self._plan else ())):
            numbers = getattr(self, name if name in _SEATED else f"_{name}").cpu().numpy()
            found.append((numbers.view(np.uint64) if name in _STREAMS else numbers, name))
        return found

    def _bind(self, out: Buffers) -> _Bound:
        """The buffers for the kernels; such as are wrong are refused, and those once found right are kept."""
        if self._bound is not None and self._bound[0] is out:
            return self._bound[1]
        torch, arrays, copies = self._torch, {}, []
        seats: dict[str, list[DeviceArray]] = {"seat_features": [], "final_seat_features": []}
        for name, (shape, kind) in self._shapes().items():
            tensor = getattr(out, name)
            wanted = [getattr(torch, np.dtype(kind).name)]
            if name in ("features", "seat_features"):
                wanted += [torch.bfloat16, torch.float16]
            if name == "mask":
                wanted.append(torch.bool)
            good = isinstance(tensor, torch.Tensor) and tuple(tensor.shape) == shape and tensor.dtype in wanted
            if not good or tensor.device.type != self.device.type:
                raise BadInput(
                    f"The buffer {name} of this batch is a tensor of {wanted[0]} of shape {shape} on the GPU."
                )
            suits = tensor.dtype in (wanted[0], torch.bool) and tensor.stride(0) == 1
            if name in ("mask", "features", "seat_features") and not suits:
                if name not in self._scratch:
                    self._scratch[name] = self._new(shape, wanted[0], columns=True)
                copies.append((self._scratch[name], tensor))
                tensor = self._scratch[name]
            arrays[name] = DeviceArray(tensor)
            if name in seats:
                seats[name] = [DeviceArray(tensor[:, p]) for p in range(self.players)]
        bound = _Bound(arrays, seats["seat_features"], seats["final_seat_features"], copies)
        self._bound = (out, bound)
        return bound

    def _advance(self, mode: int, actions: DeviceArray, bound: _Bound) -> None:
        """Launches the kernels of one step, reset or restoration; nothing waits for them."""
        own, to, kernels, size, block = self._own, bound.arrays, self.kernels, self.size, self.block
        to["mask"].tensor.zero_()
        kernels.step.launch(
            size, block, mode, int(self.restricted), int(self.autoreset), self.longest or 0, own["options"],
            own["words"], own["final_words"], own["chance"], own["legal"], own["choices"], own["decisions"], actions,
            to["actor"], to["mask"], to["reward"], to["terminated"], to["truncated"], own["ended"],
            to["final_seat"], to["final_returns"], to["final_scores"],
            own["holders"], own["seats"], own["deals"], own["policy"], own["draws"], own["pool"], own["sides"],
            DRAWN if self._plan is None else self._plan.partner, 0 if self._plan is None else self._plan.rotate,
        )  # fmt: skip
        kernels.observe.launch(size, block, own["words"], to["actor"], -1, own["none"], to["features"])
        for p, features in enumerate(bound.seats):
            kernels.observe.launch(size, block, own["words"], to["actor"], p, own["none"], features)
        if mode == PLAY:
            last, who, ended = own["final_words"], to["final_seat"], own["ended"]
            kernels.observe.launch(size, block, last, who, -1, ended, to["final_features"])
            for p, features in enumerate(bound.final_seats):
                kernels.observe.launch(size, block, last, who, p, ended, features)
        for ours, theirs in bound.copies:
            theirs.copy_(ours)

    def _checked_actions(self, actions: Any) -> Any:
        self._check_started()
        torch = self._torch
        given = actions if isinstance(actions, torch.Tensor) else torch.as_tensor(np.asarray(actions))
        if tuple(given.shape) != (self.size,):
            raise BadInput(f"{self.size} games need {self.size} actions, not a tensor of shape {tuple(given.shape)}.")
        if given.is_floating_point() or given.is_complex() or given.dtype == torch.bool:
            raise BadInput(f"Actions are whole numbers, not {given.dtype}.")
        chosen = given.to(self.device, torch.int64)
        if self.check:
            bad = self._find_bad(DeviceArray(chosen), self._own["no_weights"])
            if bad >= 0:
                raise BadInput(f"Action {int(chosen[bad])} of game {bad} is not legal: see its mask.")
        return chosen

    def _find_bad(self, actions: DeviceArray, weights: DeviceArray) -> int:
        """The first game with an illegal action, or a bad weight; -1 if there is none. Waits for the GPU."""
        own = self._own
        self._first_bad.fill_(self.size)
        _common["check"].launch(self.size, 128, own["legal"], own["choices"], actions, weights, own["first_bad"])
        first = int(self._first_bad)
        return -1 if first == self.size else first


class _Working:
    """On the batch's GPU, with errors in one sentence."""

    def __init__(self, device: Any, doing: str) -> None:
        self._parts = (gpu_errors(doing), device)

    def __enter__(self) -> None:
        for part in self._parts:
            part.__enter__()

    def __exit__(self, *failure: Any) -> bool:
        errors, device = self._parts
        device.__exit__(*failure)
        return bool(errors.__exit__(*failure))


assert {field.name for field in fields(Buffers)} >= set(_WIDE)

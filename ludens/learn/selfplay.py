"""Self-play: a network learns a game from nothing, by proximal policy optimisation against itself and earlier selves.

One iteration plays `steps` decisions in each of `games` games at once (`core.batch`; `gpu.batch` on a GPU), then
improves the network on them. The reward is the result of the game and nothing else; points are an auxiliary head, which
helps the trunk to see and is not wanted afterwards. Values are one number a seat, counted from the seat that acts, so
that one backward pass serves any number of players, teams, and seats that move twice in a row:

    delta[t, p] = reward[t, p] + V[t+1, p] - V[t, p]

and the component of the seat that acted is its advantage. In a part of the games some seats are held by earlier selves:
who only ever meets the newest network forgets how to beat the others. Nothing here knows a game: hidden information
stays hidden because features are made from views.

The first `copying` iterations copy the game's prior, its own advice for searches, instead of learning by results: in
half of the games the prior's moves are played, in the others the network's, and what the prior says is learned in both.
Who begins with sensible play needs far fewer games than who begins with any.

On a GPU everything between the steps of the batch is compiled (`compiled`) and recorded (`recorded`): it reads and
writes the same memory in every iteration. Random numbers are drawn outside of what is recorded.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn

from ludens.core.batch import Batch
from ludens.core.errors import BadInput
from ludens.core.registry import game as game_named
from ludens.core.verbs import has_prior
from ludens.learn.compiled import Compiled
from ludens.learn.recorded import Recorded
from ludens.networks.network import Network, untrained
from ludens.networks.rows import rows_layout
from ludens.networks.torch_network import module_of, trained
from ludens.networks.transfer import transferred

__all__ = ["SelfPlay", "Settings"]

_NEVER = -1e9  # the logit of an illegal action
_DEPTHS = 16  # moments of the random play at which games stay
_FASTER = ("compiled", "recorded", "joined")  # what a GPU does for speed alone
_OF_GAMES = ("states", "chance", "policy", "choices", "decisions")  # what a batch saves of every game


@dataclass(frozen=True)
class Settings:
    """What a run of self-play is described by; two runs with equal settings and seed on one device are equal."""

    iterations: int = 500  # the learning rate and the entropy bonus fall towards the last
    games: int = 32768  # played at once
    steps: int = 32  # decisions of every game in one iteration
    width: int = 512  # of the network's trunk
    blocks: int = 2
    layers: int = 2
    normalise: int = 1  # 1: the trunk is normalised before every block and before the heads
    rate: float = 6e-4  # of learning, at the beginning
    last_rate: float = 3e-5
    entropy: float = 0.02  # bonus for staying undecided, at the beginning
    last_entropy: float = 0.002
    smoothing: float = 0.95  # lambda of the generalised advantage
    clip: float = 0.2  # how far a probability may move in one iteration
    epochs: int = 2  # passes over the decisions of an iteration
    parts: int = 16  # of an epoch, each an update with other decisions
    value_weight: float = 0.5
    points_weight: float = 0.05
    points_scale: float = 20.0  # points that count as much for the auxiliary head as a won game
    endings: str = ""  # blocks of features, with a row a player, whose last numbers are auxiliary heads: "walls boards"
    endings_weight: float = 0.1
    table: str = ""  # block of features, with a row a place, over which the network is shared; none: a plain network
    table_actions: int = 0  # the first action of the table's first row
    table_slots: int = 1  # actions of every row
    table_width: int = 64  # of the network over rows
    norm: float = 0.5  # longest gradient
    elders: float = 0.2  # part of the games in which earlier selves hold some seats
    elder_every: int = 25  # iterations after which the network joins the earlier selves
    most_elders: int = 24
    copying: int = 0  # iterations at the beginning that copy the game's prior
    copying_power: float = 3.0  # to which its shares are raised: the higher, the more decided it is
    restricted: int = 0  # 1: only among the actions that the game leaves to policies (`Batch`)
    warm_up: int = 400  # random decisions of every game before the first iteration: games stand at different depths
    seed: int = 0


class SelfPlay:
    """A run of self-play: `step` plays and learns one iteration and tells figures of it.

    It begins with an untrained network, or with what fits of the network `start` (`transfer`). With a `rival` it
    learns nothing but to beat that: the rival, which does not change, holds some seats of every game, and earlier
    selves none. `without` names what a GPU shall not do: compiled, recorded or joined (`torch_network`).
    """

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        settings: Settings | None = None,
        device: str | None = None,
        start: Network | None = None,
        rival: Network | None = None,
        without: Collection[str] = (),
    ) -> None:
        self.settings = cfg = settings or Settings()
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        for name in without:
            if name not in _FASTER:
                raise BadInput(f"A run can do without {', '.join(_FASTER)}, not without {name}.")
        compiled, recorded, joined = (self.device.type == "cuda" and name not in without for name in _FASTER)
        self.game = game_named(game)
        if cfg.copying and not has_prior(self.game.rules):
            raise BadInput(f"{self.game.spec.title} has no prior to copy; set copying to 0.")
        self.given = dict(options or {})
        self.batch = self._new_batch(cfg.games, cfg.seed)
        self.players = self.batch.players
        self.out = self.batch.buffers()
        self.endings = self._find_endings()
        self.network = (
            self._fresh() if start is None else transferred(self._fresh(), start, self.game, self.batch.options)
        )
        self.module = module_of(self.network).to(self.device)
        self.module.joined = joined
        self._rate = torch.tensor(cfg.rate, device=self.device) if self.device.type == "cuda" else cfg.rate
        self.optimiser = self._optimiser()
        self._parameters = list(self.module.parameters())
        self._gradients = [torch.zeros_like(parameter) for parameter in self._parameters]
        for parameter, gradient in zip(self._parameters, self._gradients):
            parameter.grad = gradient
        self._lay_out, self._decide = Compiled(_lay_out, compiled), Compiled(_decide, compiled)
        self._weigh = Compiled(_weigh, compiled)
        self._recorded = Recorded(recorded, self.device)
        self._first_settings = cfg  # `settings` may be replaced by longer ones, which is no reason to compile again
        self.elders: list[dict[str, Tensor]] = []
        self.elder = copy.deepcopy(self.module).requires_grad_(False)
        self.rival = rival
        if rival is not None:
            self.elder = module_of(rival).to(self.device).requires_grad_(False)
            self.elder.joined = joined
            self.elders = [self.elder.state_dict()]
        self.iteration = self.decisions = self.finished = 0
        self.random = torch.Generator(self.device).manual_seed(cfg.seed)
        self._elder_seats = torch.zeros(cfg.games, self.players, dtype=torch.bool, device=self.device)
        self._memory: dict[str, Tensor] = {}
        self.batch.reset(self.out)
        self._scatter()

    def _scatter(self) -> None:
        """Random play, after which games stand at different depths, also games that are all equally long.

        Every slice of the games stays where another moment of the random play left it.
        """
        cfg, games = self.settings, self.settings.games
        if not cfg.warm_up:
            return
        slices, scattered = min(_DEPTHS, games, cfg.warm_up), dict[str, Any]()
        for k in range(slices):
            for _ in range(cfg.warm_up * k // slices, cfg.warm_up * (k + 1) // slices):
                self.batch.step(self.batch.sample(), self.out)
            now = self.batch.save()
            scattered = scattered or now
            these = slice(games * k // slices, games * (k + 1) // slices)
            for name in _OF_GAMES:
                scattered[name][these] = now[name][these]
        self.batch.restore(scattered, self.out)

    # --- one iteration -------------------------------------------------------------------

    def step(self) -> dict[str, float]:
        """Plays one iteration, learns from it, and returns its figures."""
        cfg = self.settings
        if self.iteration >= cfg.iterations:
            raise BadInput(f"This run has made all of its {cfg.iterations} iterations.")
        part = self.iteration / max(1, cfg.iterations - 1)
        rate = cfg.rate + (cfg.last_rate - cfg.rate) * part
        entropy = cfg.entropy + (cfg.last_entropy - cfg.entropy) * part
        self._set_rate(rate)
        copying = self.iteration < cfg.copying
        self._invite_elder()
        kept = self._play(copying)
        self._recorded.run(("look back",), self._look_back, kept)
        figures = self._learn(kept, entropy, copying)
        self.iteration += 1
        self.decisions += cfg.steps * cfg.games
        self.finished += int(figures.pop("ended"))
        if self.iteration % cfg.elder_every == 0 and self.rival is None and not copying:
            self._become_elder()
        return {"iteration": self.iteration, "decisions": self.decisions, "games": self.finished, **figures}

    def _play(self, copying: bool) -> dict[str, Tensor]:
        """`steps` decisions of every game, with what learning needs of each."""
        cfg, kept, live = self.settings, self._room(), self._tensors()
        kept["ended"].zero_()
        for t in range(cfg.steps + 1):
            if t < cfg.steps:
                self._draw_noise(kept)
            given = self._prior_moves(kept, t) if copying and t < cfg.steps else None
            name = None if copying else ("step", t, len(self.elders) > 0)
            self._recorded.run(name, self._between, kept, live, t, given)
            if t < cfg.steps:
                self._act(kept["action"][t])
        return kept

    @torch.no_grad()
    def _between(self, kept: dict[str, Tensor], live: dict[str, Tensor], t: int, given: Tensor | None) -> None:
        """Keeps what decision t - 1 brought, and makes decision t; of that after the last one only the values."""
        if t:
            self._keep_results(kept, live, t - 1)
        last = t == self.settings.steps
        features, mask = (kept[f"last_{name}"] if last else kept[name][t] for name in ("features", "mask"))
        self._lay_out(live["features"], live["mask"], features, mask)
        actor = live["actor"].long()
        own, theirs = self._ask_elders(kept, actor, features, mask)
        given = theirs if given is None else torch.where(given >= 0, given, theirs)
        action, chance, values = self._decide(self.module, features, mask, kept["noise"], given)
        if not last:
            for name, what in {"actor": actor, "own": own, "action": action, "chance": chance}.items():
                kept[name][t] = what
        kept["value"][t] = _by_seat(values, actor)

    def _keep_results(self, kept: dict[str, Tensor], live: dict[str, Tensor], t: int) -> None:
        """What the step of the batch after decision t brought."""
        kept["reward"][t] = live["reward"]
        kept["done"][t] = live["terminated"] | live["truncated"]
        kept["points"][t] = live["final_scores"]
        if self.endings:
            self._keep_ending(kept, live, t)
        kept["ended"] += kept["done"][t].sum()

    def _look_back(self, kept: dict[str, Tensor]) -> None:
        """Advantages and what the values should have been, from the last decision to the first."""
        cfg = self.settings
        over, value, ending = kept["done"].bool(), kept["value"], kept["ending"]
        goes_on = (~over).float()[:, :, None]
        delta = kept["reward"] + goes_on * value[1:] - value[:-1]
        trusted = cfg.smoothing * goes_on
        ahead, points, known = torch.zeros_like(value[0]), torch.zeros_like(value[0]), torch.zeros_like(over[0])
        for t in reversed(range(cfg.steps)):
            ahead = torch.add(delta[t], trusted[t] * ahead, out=kept["goal"][t])
            points = torch.where(over[t, :, None], kept["points"][t], points, out=kept["lead"][t])
            known = torch.logical_or(known, over[t], out=kept["lead_known"][t])
            if self.endings:
                torch.where(over[t, :, None, None], ending[t], ending[t + 1], out=ending[t])
        actor = kept["actor"].flatten()
        ahead, points = kept["goal"].flatten(0, 1), kept["lead"].flatten(0, 1)
        advantage, goal = ahead.gather(1, actor[:, None]), _by_turn(ahead + value[:-1].flatten(0, 1), actor)
        lead = _by_turn((points - points.mean(1, keepdim=True)) / cfg.points_scale, actor).clamp_(-3, 3)
        for name, what in {"advantage": advantage, "goal": goal, "lead": lead}.items():
            kept[name].copy_(what.view_as(kept[name]))

    def _learn(self, kept: dict[str, Tensor], entropy_bonus: float, copying: bool) -> dict[str, float]:
        """`epochs` passes over the iteration, each in `parts` of its decisions drawn anew.

        Decisions of one game tell much the same, so that a part of few whole games would teach less.
        """
        cfg = self.settings
        own = kept["own"].float()
        advantage, count = kept["advantage"], own.sum()
        mean = (advantage * own).sum() / count
        spread = (((advantage - mean) ** 2 * own).sum() / count).sqrt() + 1e-8
        advantage.copy_((advantage - mean) / spread)
        kept["entropy_bonus"].fill_(entropy_bonus)
        kept["figures"].zero_()
        decisions = cfg.steps * cfg.games
        edges = [decisions * k // cfg.parts for k in range(cfg.parts + 1)]
        names = (*_LEARNT_FROM, "actor", "ending") if self.endings else _LEARNT_FROM
        names = (*names, "advice") if copying else names
        known = {name: kept[name][: cfg.steps].flatten(0, 1) for name in names}
        for _ in range(cfg.epochs):
            order = torch.randperm(decisions, generator=self.random, device=self.device)
            for low, high in itertools.pairwise(edges):
                part = kept["part"][: high - low]  # always the same memory
                part.copy_(order[low:high])
                self._recorded.run(None if copying else ("update", high - low), self._update, kept, known, part)
        *totals, ended = torch.cat([kept["figures"].double(), kept["ended"].double()[None]]).tolist()
        return {**{name: total / (cfg.epochs * cfg.parts) for name, total in zip(_FIGURES, totals)}, "ended": ended}

    def _update(self, kept: dict[str, Tensor], known: dict[str, Tensor], part: Tensor) -> None:
        """One step of the optimiser on these decisions."""
        weigh = _weigh if "advice" in known else self._weigh  # copying is soon over: not worth compiling
        loss, figures = weigh(
            self.module, known, part, kept["entropy_bonus"], self._first_settings, tuple(self.endings)
        )
        torch._foreach_copy_(self._gradients, torch.autograd.grad(loss, self._parameters))
        nn.utils.clip_grad_norm_(self._parameters, self.settings.norm)
        self.optimiser.step()
        kept["figures"] += torch.stack([figures[name].detach() for name in _FIGURES])

    def _optimiser(self) -> torch.optim.Optimizer:
        on_gpu = self.device.type == "cuda"
        made = torch.optim.AdamW(
            self.module.parameters(), lr=self._rate, weight_decay=0.0, eps=1e-5, fused=on_gpu, capturable=on_gpu
        )
        made._warned_capturable_if_run_uncaptured = True  # it is run so a few times before it is recorded
        return made

    def _set_rate(self, rate: float) -> None:
        """Sets the learning rate; what is recorded reads it from the GPU's memory, always from the same place."""
        if isinstance(self._rate, Tensor):
            self._rate.fill_(rate)
        for group in self.optimiser.param_groups:
            group["lr"] = self._rate if isinstance(self._rate, Tensor) else rate

    # --- how games end, for auxiliary heads ------------------------------------------------

    def _find_endings(self) -> dict[str, tuple[int, int]]:
        """Where the blocks of `endings` lie in the features, and how many numbers of each belong to a player."""
        found, begin, wanted = {}, 0, self.settings.endings.split()
        for block in self.game.spec.blocks(self.batch.options):
            if block.name in wanted and block.shape[0] == self.players:
                found[block.name] = (begin, block.size // self.players)
            begin += block.size
        for name in wanted:
            if name not in found:
                raise BadInput(f"The features of {self.game.spec.name} have no block {name} with a row a player.")
        return found

    def _keep_ending(self, kept: dict[str, Tensor], live: dict[str, Tensor], t: int) -> None:
        """The wanted blocks of the games that have just ended, by seat; of other games they mean nothing."""
        last = live["final_features"]
        parts = [last[:, a : a + n * self.players].reshape(-1, self.players, n) for a, n in self.endings.values()]
        kept["ending"][t] = _by_seat(torch.cat(parts, dim=2), live["final_seat"].long())

    # --- thinking and acting -------------------------------------------------------------

    def _draw_noise(self, kept: dict[str, Tensor]) -> None:
        """The chance of the next decisions: the network's own, then that of earlier selves."""
        kept["noise"].exponential_(generator=self.random)
        if self.elders and len(kept["elder_noise"]):
            kept["elder_noise"].exponential_(generator=self.random)

    def _ask_elders(
        self, kept: dict[str, Tensor], actor: Tensor, features: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Which decisions are the network's own, and the actions of earlier selves on their seats, elsewhere -1."""
        own = ~self._elder_seats.gather(1, actor.clamp(min=0)[:, None]).squeeze(1)
        theirs = kept["given"].fill_(-1)
        count = len(kept["elder_noise"])
        if count and self.elders:
            first, noise = self.settings.games - count, kept["elder_noise"]
            action, _, _ = self._decide(self.elder, features[first:], mask[first:], noise, theirs[first:])
            theirs[first:] = action.masked_fill(own[first:], -1)
        return own, theirs

    def _prior_moves(self, kept: dict[str, Tensor], t: int) -> Tensor:
        """The prior's actions in the first half of the games, elsewhere -1; keeps what it says of all of them."""
        shares = torch.as_tensor(self.batch.prior()) ** self.settings.copying_power
        shares = shares / shares.sum(1, keepdim=True).clamp(min=1e-30)
        kept["advice"][t] = shares
        half = self.settings.games // 2
        chosen = torch.full((self.settings.games,), -1, dtype=torch.int64, device=self.device)
        noise = torch.empty_like(shares[:half]).exponential_(generator=self.random)
        chosen[:half] = _drawn(shares[:half].log(), noise)
        return chosen

    def _act(self, action: Tensor) -> None:
        self.batch.step(action if self.device.type == "cuda" else action.numpy(), self.out)

    # --- earlier selves ------------------------------------------------------------------

    def _elder_games(self) -> int:
        return int(self.settings.games * (1.0 if self.rival else self.settings.elders))

    def _invite_elder(self) -> None:
        """Another earlier self sits down, on other seats; on at least one seat of each of its games, never on all."""
        self._elder_seats.zero_()
        count = self._elder_games()
        if not self.elders or not count or self.players < 2:
            return
        chosen = int(torch.randint(len(self.elders), (), generator=self.random, device=self.device))
        self.elder.load_state_dict(self.elders[chosen])
        order = torch.rand(count, self.players, generator=self.random, device=self.device).argsort(1)
        held = torch.randint(1, self.players, (count, 1), generator=self.random, device=self.device)
        self._elder_seats[self.settings.games - count :] = order < held

    def _become_elder(self) -> None:
        self.elders.append({name: tensor.detach().clone() for name, tensor in self.module.state_dict().items()})
        if len(self.elders) > self.settings.most_elders:  # the first ones thin out, the latest stay
            self.elders.pop(len(self.elders) // 2)

    # --- saving --------------------------------------------------------------------------

    def trained_network(self) -> Network:
        """The network as it is now, with the record of its training."""
        record = {"settings": asdict(self.settings), "iterations": self.iteration, "decisions": self.decisions}
        return trained(self.network, self.module, **record, games=self.finished)

    def save(self) -> dict[str, Any]:
        """Everything that the rest of the run depends on, as tensors and plain values."""
        return {
            "module": copy.deepcopy(self.module.state_dict()),
            "optimiser": copy.deepcopy(self.optimiser.state_dict()),
            "elders": list(self.elders),
            "random": self.random.get_state(),
            "batch": self.batch.save(),
            "counts": [self.iteration, self.decisions, self.finished],
        }

    def load(self, saved: Mapping[str, Any]) -> None:
        """Goes on where `save` was called."""
        self._recorded.forget()
        self.module.load_state_dict(saved["module"])
        self.optimiser.load_state_dict(saved["optimiser"])
        for group in self.optimiser.param_groups:
            group["capturable"] = self.device.type == "cuda"  # older runs saved something else
        self.elders = [{name: tensor.to(self.device) for name, tensor in elder.items()} for elder in saved["elders"]]
        self.random.set_state(saved["random"])
        self.batch.restore(saved["batch"], self.out)
        self.iteration, self.decisions, self.finished = saved["counts"]

    # --- memory --------------------------------------------------------------------------

    def _fresh(self) -> Network:
        """The network of the settings, untrained."""
        cfg, game, options = self.settings, self.game, self.batch.options
        heads = {"points": self.players} | {name: size * self.players for name, (_, size) in self.endings.items()}
        sizes: dict[str, Any] = {"width": cfg.width, "blocks": cfg.blocks, "layers": cfg.layers, "norm": cfg.normalise}
        if not cfg.table:
            return untrained(game, options, **sizes, auxiliary=heads, seed=cfg.seed)
        over_rows = rows_layout(
            game, options, cfg.table, cfg.table_slots, cfg.table_actions,
            row_width=cfg.table_width, auxiliary=heads, **sizes,
        )  # fmt: skip
        return untrained(game, options, seed=cfg.seed, layout=over_rows)

    def _new_batch(self, games: int, seed: int) -> Any:
        if self.device.type == "cuda":
            from ludens.gpu.batch import GpuBatch

            return GpuBatch(self.game, games, self.given, seed, check=False, restricted=self.settings.restricted == 1)
        return Batch(self.game, games, self.given, seed, check=False, restricted=self.settings.restricted == 1)

    def _tensors(self) -> dict[str, Tensor]:
        """The buffers of the batch as tensors; no copies."""
        return {name: torch.as_tensor(getattr(self.out, name)) for name in _LIVE}

    def _room(self) -> dict[str, Tensor]:
        """Memory for the decisions of one iteration, made once."""
        if not self._memory:
            steps, games, players = self.settings.steps, self.settings.games, self.players
            small = torch.bfloat16 if self.device.type == "cuda" else torch.float32
            sizes: dict[str, tuple[tuple[int, ...], torch.dtype]] = {
                "features": ((steps, games, self.out.features.shape[1]), small),
                "mask": ((steps, games, self.game.spec.actions), torch.int8),
                "actor": ((steps, games), torch.int64),
                "action": ((steps, games), torch.int64),
                "own": ((steps, games), torch.bool),
                "chance": ((steps, games), torch.float32),
                "value": ((steps + 1, games, players), torch.float32),
                "reward": ((steps, games, players), torch.float32),
                "done": ((steps, games), torch.int8),
                "points": ((steps, games, players), torch.float32),
                "advantage": ((steps, games), torch.float32),
                "goal": ((steps, games, players), torch.float32),
                "lead": ((steps, games, players), torch.float32),
                "lead_known": ((steps, games), torch.bool),
                "ending": ((steps + 1, games, players, sum(size for _, size in self.endings.values())), small),
            }
            observed, actions = self.out.features.shape[1], self.game.spec.actions
            sizes |= {
                "last_features": ((games, observed), small),
                "last_mask": ((games, actions), torch.int8),
                "noise": ((games, actions), torch.float32),
                "elder_noise": ((self._elder_games(), actions), torch.float32),
                "given": ((games,), torch.int64),
                "ended": ((), torch.int64),
                "part": ((-(-steps * games // self.settings.parts),), torch.int64),
                "entropy_bonus": ((), torch.float32),
                "figures": ((len(_FIGURES),), torch.float32),
            }
            if self.settings.copying:
                sizes["advice"] = ((steps, games, actions), small)
            self._memory = {
                name: torch.zeros(shape, dtype=dtype, device=self.device) for name, (shape, dtype) in sizes.items()
            }
        return self._memory


_LIVE = (
    "actor", "mask", "features", "reward", "terminated", "truncated", "final_scores", "final_seat", "final_features",
)  # fmt: skip
_LEARNT_FROM = ("features", "mask", "action", "own", "chance", "advantage", "goal", "lead", "lead_known")
_FIGURES = ("policy_loss", "value_loss", "entropy", "points_loss")


def _lay_out(features: Tensor, mask: Tensor, to_features: Tensor, to_mask: Tensor) -> None:
    """Features and mask of the batch, in columns on a GPU, in rows."""
    to_features.copy_(features)
    to_mask.copy_(mask)


def _think(module: nn.Module, features: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
    """Logits of the legal actions, values and auxiliary numbers."""
    kind = features.device.type
    with torch.autocast(kind, torch.bfloat16, enabled=kind == "cuda"):
        logits, values, others = module(features)
    return logits.float().masked_fill(mask == 0, _NEVER), values.float(), others


def _decide(
    module: nn.Module, features: Tensor, mask: Tensor, noise: Tensor, given: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Actions, drawn where none is given, with the logarithms of their probabilities; and values."""
    logits, values, _ = _think(module, features, mask)
    action = torch.where(given < 0, _drawn(logits, noise), given)
    return action, _of_action(logits.log_softmax(1), action), values


def _drawn(logits: Tensor, noise: Tensor) -> Tensor:
    """An action by its probability: the largest logit after adding Gumbel noise, made of exponential noise."""
    return (logits - noise.log()).argmax(1)


def _of_action(numbers: Tensor, action: Tensor) -> Tensor:
    """The number of each row's action."""
    if numbers.is_cuda:
        return _by_comparing(numbers, action)
    return numbers.gather(1, action[:, None]).squeeze(1)


def _by_comparing(numbers: Tensor, action: Tensor) -> Tensor:
    """The same; compiled, it needs no pass over the table of its own, neither forth nor back."""
    others = torch.arange(numbers.shape[1], device=numbers.device)[None] != action[:, None]
    return numbers.masked_fill(others, 0.0).sum(1)


def _weigh(
    module: nn.Module,
    kept: dict[str, Tensor],
    part: Tensor,
    entropy_bonus: Tensor,
    cfg: Settings,
    endings: tuple[str, ...],
) -> tuple[Tensor, dict[str, Tensor]]:
    """What an update on a part of what was kept makes smaller, and its parts."""
    rows = {name: whole.index_select(0, part) for name, whole in kept.items()}
    advantage = rows["advantage"]
    logits, values, others = _think(module, rows["features"], rows["mask"])
    chances = logits.log_softmax(1)
    now = _of_action(chances, rows["action"])
    own = rows["own"].float()
    count = own.sum().clamp(min=1)
    change = (now - rows["chance"]).exp()
    gain = torch.minimum(change * advantage, change.clamp(1 - cfg.clip, 1 + cfg.clip) * advantage)
    if "advice" in rows:
        gain, entropy_bonus = (rows["advice"].float() * chances.clamp(min=-30)).sum(1), 0.0 * entropy_bonus
    policy_loss = -(gain * own).sum() / count
    undecided = -((chances.exp() * chances.clamp(min=-30)).sum(1) * own).sum() / count
    value_loss = (((values - rows["goal"]) ** 2).mean(1) * own).sum() / count
    known = own * rows["lead_known"].float()
    missed = ((others["points"].float() - rows["lead"]) ** 2).mean(1)
    points_loss = (missed * known).sum() / known.sum().clamp(min=1)
    loss = policy_loss + cfg.value_weight * value_loss - entropy_bonus * undecided + cfg.points_weight * points_loss
    if endings:
        loss = loss + cfg.endings_weight * _ending_loss(rows, others, known, endings)
    figures = {"policy_loss": policy_loss, "value_loss": value_loss, "entropy": undecided, "points_loss": points_loss}
    return loss, figures


def _ending_loss(rows: dict[str, Tensor], others: dict[str, Tensor], known: Tensor, endings: tuple[str, ...]) -> Tensor:
    players = rows["goal"].shape[1]
    found = torch.cat([others[name].float().unflatten(1, (players, -1)) for name in endings], dim=2)
    missed = ((found - _by_turn(rows["ending"].float(), rows["actor"])) ** 2).mean((1, 2))
    return (missed * known).sum() / known.sum().clamp(min=1)


def _by_seat(values: Tensor, actor: Tensor) -> Tensor:
    """Values [n, players] or [n, players, …] counted from the acting seat -> values by seat."""
    return _turned(values, -actor)


def _by_turn(values: Tensor, actor: Tensor) -> Tensor:
    """Values by seat -> values counted from the acting seat."""
    return _turned(values, actor)


def _turned(values: Tensor, by: Tensor) -> Tensor:
    players = values.shape[1]
    seats = (torch.arange(players, device=values.device)[None] + by[:, None]) % players
    return values.gather(1, seats.reshape(*seats.shape, *[1] * (values.dim() - 2)).expand_as(values))

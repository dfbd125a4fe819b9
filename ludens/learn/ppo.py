"""Proximal policy optimisation with masks, in one file (Schulman et al. 2017; AZ-103 … AZ-111).

One step of learning:

 1. play `horizon` decisions in each of `games` games, drawing from the policy among the legal actions;
 2. look back over them for advantages (generalised advantage estimation);
 3. improve the network on them in `epochs` passes of `minibatches` updates each.

Who sits where is a setting. With `against = ["self"]` the network plays all seats, and in a part of the games earlier
selves, its league, hold some: who only ever meets the newest network forgets how to beat the others. Otherwise it has
one seat of every game, and the others draw from `against`: agents by code, networks of files, "self" or "league". Only
decisions of the learner are learned from.

Values are one number a seat, counted from the seat that acts, so that one backward pass serves any number of players,
teams, and seats that move twice in a row:

    delta[t, p] = reward[t, p] + discount · V[t+1, p] - V[t, p]

and the component of the seat that acted is its advantage. With another reward than the result there are two such
streams: the auxiliary head `critic` foretells the reward in use, and the network's values still tell players and
searches how a game stands. The game's points, and blocks of features at its end, are auxiliary heads too: they help the
trunk to see and are not wanted afterwards. Nothing here knows a game: hidden information stays hidden because features
are made from views.

The first `behaviour_cloning_steps` imitate a teacher, an agent or the game's prior: in half of the games its moves are
played, in the others the network's, and what it would do is learned in both.

On a GPU everything between the steps of the games is compiled (`compiled`) and recorded (`recorded`): it reads and
writes the same memory in every step. Random numbers are drawn outside of what is recorded, from the seed and the number
of the step.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from ludens.agents.codes import parse_code
from ludens.agents.network_agent import NetworkAgent
from ludens.core.batch_kernels import LEARNER
from ludens.core.errors import BadInput
from ludens.gpu.device import torch_with_gpu
from ludens.gpu.kernels import COMPILED
from ludens.learn.deep import check_bounds, first_network, load_state, random_of, save_state, under
from ludens.learn.learner import Setup
from ludens.learn.recorded import Compiled, Recorded
from ludens.learn.rewards import Rewards, describe_reward
from ludens.networks.network import Network
from ludens.networks.shipped import network_named
from ludens.networks.torch_network import module_of, trained
from ludens.play.batch import PRIOR, SeatedGames, Teacher, compiled_agents
from ludens.play.opponents import Opponents

__all__ = ["PPO", "RENAMED", "Settings"]

CRITIC, SELF, LEAGUE = "critic", "self", "league"
_LEAGUE_SEAT = 1  # the holder's number of the league; those of other networks follow
_NEVER = -1e9  # the logit of an illegal action
_DEPTHS = 16  # moments of the random play at which games stay
_FASTER = ("compiled", "recorded", "joined")  # what a GPU does for speed alone
_MOST_DECISIONS = 1 << 24  # of a step: more do not fit


@dataclass(frozen=True)
class Settings:
    """What a training by PPO is described by; the thesis names no values (AZ-112)."""

    against: tuple[str, ...] = ()  # who holds the other seats: agents, "self", "league"; twice counts twice
    reward: str = "result"  # or "lead", or one of the game's own; with constants as name:key=value,key=value
    reward_scale: float = 1.0  # what the reward is multiplied by: sums of a game should be around 1
    result_weight: float = 0.0  # of the result, added to another reward
    teacher: str = PRIOR  # whom the first steps imitate: an agent, or "prior": the game's own advice for searches
    behaviour_cloning_steps: int = 0  # so many steps
    teacher_power: float = 3.0  # to which its shares are raised: the higher, the more decided it is
    league: float = 0.2  # with "self" alone: part of the games in which earlier selves hold some seats
    league_every: int = 20  # steps after which the network joins the league
    league_size: int = 12
    games: int = 256  # played at once
    horizon: int = 32  # decisions of each in a step
    restricted: int = 0  # 1: all play among the actions that the game leaves to policies (`Batch`)
    random_decisions: int = 0  # of every game before the first step: games stand at different depths
    architecture: str = "plain"  # of the network; or "rows", where the game names a table for it
    width: int = 256  # of the network's layers
    blocks: int = 1  # hidden layers after the first, or residual blocks of several
    layers: int = 1  # of a block
    normalise: int = 1  # 1: the trunk is normalised before every block and before the heads
    row_width: int = 64  # of the small network of a row
    learning_rate: float = 1e-3  # at the beginning
    last_learning_rate: float = 1e-4
    schedule: int = 0  # steps after which the last rate and the last entropy bonus are reached; 0: all
    discount: float = 1.0  # of rewards to come, a decision of the seat
    gae_lambda: float = 0.95
    epochs: int = 2  # passes over the decisions of a step
    minibatches: int = 8  # updates of a pass
    clip: float = 0.2  # how far the probability of an action may move in a step
    entropy_coefficient: float = 0.01  # bonus for staying undecided, at the beginning
    last_entropy_coefficient: float = 0.001
    value_coefficient: float = 0.5
    points_coefficient: float = 0.05
    points_scale: float = 20.0  # points that count as much for the auxiliary head as a won game
    endings: str = ""  # blocks of features, with a row a player, whose last numbers are auxiliary heads: "walls boards"
    endings_coefficient: float = 0.1
    max_gradient_norm: float = 0.5
    threads: int = 1  # of torch on a CPU
    bfloat16: int = 0  # 1: faster where processors have it; a GPU always multiplies so
    start: str = ""  # file of a network to begin with, as far as it fits
    device: str = "cpu"  # or "cuda": games and network on a GPU


RENAMED = {
    "length": "horizon",
    "rate": "learning_rate",
    "last_rate": "last_learning_rate",
    "entropy": "entropy_coefficient",
    "last_entropy": "last_entropy_coefficient",
    "smoothing": "gae_lambda",
    "parts": "minibatches",
    "brief": "bfloat16",
    "norm": "max_gradient_norm",
    "value_weight": "value_coefficient",
    "points_weight": "points_coefficient",
    "endings_weight": "endings_coefficient",
    "teacher_steps": "behaviour_cloning_steps",
    "copying": "behaviour_cloning_steps",
    "copying_power": "teacher_power",
    "elders": "league",
    "past_every": "league_every",
    "elder_every": "league_every",
    "most_past": "league_size",
    "most_elders": "league_size",
    "iterations": "schedule",
    "steps": "horizon",
    "warm_up": "random_decisions",
    "table_width": "row_width",
    "table": 'architecture = "rows"',
    "table_slots": 'architecture = "rows"',
    "table_actions": 'architecture = "rows"',
    "rival": 'against = ["net:FILE"]',
}
"""Settings under their former names."""

_BOUNDS = {
    "restricted": (0, 1),
    **dict.fromkeys(
        ("games", "horizon", "epochs", "minibatches", "league_every", "league_size", "threads", "layers"), (1, 1 << 24)
    ),
    **dict.fromkeys(("discount", "gae_lambda", "league", "bfloat16", "normalise"), (0, 1)),
    **dict.fromkeys(
        ("learning_rate", "last_learning_rate", "clip", "max_gradient_norm", "teacher_power", "points_scale"),
        (1e-12, 1e6),
    ),
    **dict.fromkeys(
        ("entropy_coefficient", "last_entropy_coefficient", "value_coefficient", "points_coefficient"), (0, 1e6)
    ),
    **dict.fromkeys(("behaviour_cloning_steps", "random_decisions", "schedule"), (0, 10**9)),
}


@dataclass
class _Rival:
    """A network that plays seats and does not learn."""

    module: nn.Module
    holder: int  # its number among the holders of seats
    games: int  # the last ones, in which it may sit
    temperature: float


class PPO:
    """A network that learns; see `learner.Learner`.

    `without` names what a GPU shall not do: compiled, recorded or joined (`networks.torch_network`).
    """

    def __init__(self, setup: Setup, without: Collection[str] = ()) -> None:
        self.setup = setup
        self.settings: Settings = setup.settings
        cfg = self.settings
        check_bounds(cfg, _BOUNDS)
        if cfg.games * cfg.horizon > _MOST_DECISIONS:
            raise BadInput(f"games times horizon may be {_MOST_DECISIONS:,} decisions and no more.")
        for name in without:
            if name not in _FASTER:
                raise BadInput(f"A run can do without {', '.join(_FASTER)}, not without {name}.")
        if cfg.device not in ("cpu", "cuda"):
            raise BadInput(f"The device is cpu or cuda, not {cfg.device!r}.")
        if cfg.device == "cuda":
            torch_with_gpu()
        self.game, self.players = setup.game, int(setup.options[0])
        self._seat_everybody()
        self.device = torch.device(self.games.device)
        self.on_gpu = self.device.type != "cpu"
        compiled, recorded, self._joined = (self.on_gpu and name not in without for name in _FASTER)
        self.out = self.games.out
        self.rewards = Rewards(self.games, cfg.reward, cfg.reward_scale, cfg.result_weight)
        self.streams = self.rewards.streams
        self.teacher = Teacher(self.games, cfg.teacher) if cfg.behaviour_cloning_steps else None
        self.endings = self._find_endings()
        heads = {"points": self.players} | {name: size * self.players for name, (_, size) in self.endings.items()}
        heads |= {CRITIC: self.players} if self.streams == 2 else {}
        self.network = first_network(setup, heads)
        self.module = self._seated(module_of(self.network))
        self.league: list[dict[str, Tensor]] = []
        self.rivals = self._rivals()
        self._rate = torch.tensor(cfg.learning_rate, device=self.device) if self.on_gpu else cfg.learning_rate
        self.optimiser = self._optimiser()
        self._parameters = list(self.module.parameters())
        self._gradients = [torch.zeros_like(parameter) for parameter in self._parameters]
        for parameter, gradient in zip(self._parameters, self._gradients, strict=True):
            parameter.grad = gradient
        self._lay_out, self._decide = Compiled(_lay_out, compiled), Compiled(_decide, compiled)
        self._weigh, self._worth = Compiled(_weigh, compiled), Compiled(self.rewards.of_step, compiled)
        self._recorded = Recorded(recorded and self.device.type == "cuda", self.device)
        self._first_settings = cfg  # `settings` may be replaced by longer ones, which is no reason to compile again
        self.iteration = self.decisions = self.finished = 0
        self._memory: dict[str, Tensor] = {}

    # --- who sits where ------------------------------------------------------------------

    def _seat_everybody(self) -> None:
        """The games; alone, the network holds all seats but those that it lends to the league."""
        cfg, setup = self.settings, self.setup
        against = cfg.against or setup.opponents
        self.alone = set(against) == {SELF}
        self._codes: list[str] = []  # of networks that play seats
        opponents, partner = None, LEARNER
        if not self.alone:
            held = {SELF: LEARNER, LEAGUE: _LEAGUE_SEAT}
            for code in against:
                if code not in held and parse_code(self.game, code, outside=True)[0].make is NetworkAgent:
                    self._codes.append(code)
                    held[code] = _LEAGUE_SEAT + len(self._codes)
            if cfg.device != "cpu":
                held |= dict.fromkeys(compiled_agents(self.game), COMPILED)
            opponents = Opponents(self.game, setup.options, cfg.games, pool=against, held=held)
        self._meets_league = self.alone or LEAGUE in against
        self.games = SeatedGames(
            self.game, setup.options, cfg.games, opponents,
            device=cfg.device, partner=partner, restricted=cfg.restricted == 1,
        )  # fmt: skip

    def _rivals(self) -> list[_Rival]:
        """The networks that play seats: the league, and those of `against`."""
        cfg, found = self.settings, list[_Rival]()
        lent = int(cfg.games * cfg.league) if self.alone else cfg.games
        if self._meets_league and lent and self.players > 1:
            found.append(_Rival(copy.deepcopy(self.module).requires_grad_(False), _LEAGUE_SEAT, lent, 1.0))
        for number, code in enumerate(self._codes, _LEAGUE_SEAT + 1):
            _, values = parse_code(self.game, code)
            network = network_named(values["network"], self.game, self.setup.options)
            if network is None:
                raise BadInput(f"{code} names no network.")
            module = self._seated(module_of(network)).requires_grad_(False)
            found.append(_Rival(module, number, cfg.games, float(values.get("temperature", 0.0))))
        return found

    def _seated(self, module: Any) -> Any:
        module.joined = self._joined
        return module.to(self.device)

    def _invite(self) -> None:
        """One of the earlier selves sits down; alone, on at least one seat of each of its games, and never on all."""
        cfg = self.settings
        league = next((rival for rival in self.rivals if rival.holder == _LEAGUE_SEAT), None)
        if league is None:
            return
        states = self.league or [self.module.state_dict()]
        chosen = int(torch.randint(len(states), (), generator=self.random, device=self.device))
        league.module.load_state_dict(states[chosen])
        if self.alone:
            holders = self._holders().zero_()
            if self.league:
                order = torch.rand(league.games, self.players, generator=self.random, device=self.device).argsort(1)
                lent = torch.randint(1, self.players, (league.games, 1), generator=self.random, device=self.device)
                holders[cfg.games - league.games :] = (order < lent).long() * _LEAGUE_SEAT

    def _holders(self) -> Tensor:
        """int64[games, players]: who holds the seats."""
        if not self.alone:
            return torch.as_tensor(self.games.holders)
        return self._room()["holders"]

    def _join_league(self) -> None:
        self.league.append({name: tensor.detach().clone() for name, tensor in self.module.state_dict().items()})
        if len(self.league) > self.settings.league_size:  # the first ones thin out, the latest stay
            self.league.pop(len(self.league) // 2)

    # --- one step ------------------------------------------------------------------------

    def start(self) -> None:
        """Begins all games; after random play they stand at different depths, also games that are all equally long.

        Every slice of the games stays where another moment of the random play left it.
        """
        cfg, games = self.settings, self.games
        games.start(self.setup.seed)
        self.out = games.out
        if cfg.random_decisions:
            slices, scattered = min(_DEPTHS, cfg.games, cfg.random_decisions), dict[str, Any]()
            for k in range(slices):
                for _ in range(cfg.random_decisions * k // slices, cfg.random_decisions * (k + 1) // slices):
                    games.step(games.batch.sample())
                now = games.batch.save()
                scattered = scattered or now
                these = slice(cfg.games * k // slices, cfg.games * (k + 1) // slices)
                for name, array in now.items():
                    if array.shape[:1] == (cfg.games,):
                        scattered[name][these] = array[these]
            games.batch.restore(scattered, self.out)
        self.rewards.begin()

    def step(self, index: int) -> dict[str, float]:
        """Plays, learns, and tells figures of it."""
        cfg = self.settings
        if not self.on_gpu:
            torch.set_num_threads(cfg.threads)
        self.random = random_of(self.setup.seed, index, self.device)
        gone = min(1.0, index / max(1, (cfg.schedule or self.setup.steps) - 1))
        self._set_rate(cfg.learning_rate + (cfg.last_learning_rate - cfg.learning_rate) * gone)
        bonus = cfg.entropy_coefficient + (cfg.last_entropy_coefficient - cfg.entropy_coefficient) * gone
        self.games.begin_step(self.setup.seed * 1_000_003 + index)
        cloning = index < cfg.behaviour_cloning_steps
        if cloning:
            assert self.teacher is not None
            self.teacher.begin_step(self.setup.seed * 1_000_003 + index)
        self._invite()
        kept = self._play(cloning)
        self._recorded.run(("look back",), self._look_back, kept)
        figures = self._learn(kept, bonus, cloning)
        self.iteration = index + 1
        self.decisions += cfg.horizon * cfg.games
        self.finished += int(figures.pop("ended"))
        if self.iteration % cfg.league_every == 0 and self._meets_league and not cloning:
            self._join_league()
        return {"decisions": self.decisions, "games": self.finished, **self.rewards.figures(), **figures}

    # --- playing -------------------------------------------------------------------------

    def _play(self, cloning: bool) -> dict[str, Tensor]:
        """`horizon` decisions of every game, with what learning needs of each."""
        cfg, kept, live = self.settings, self._room(), self._tensors()
        kept["ended"].zero_()
        for t in range(cfg.horizon + 1):
            last = t == cfg.horizon
            if not last:
                self._draw_noise(kept)
            given = self._teacher_moves(kept, t) if cloning and not last else None
            name = None if cloning else ("step", t, len(self.league) > 0)
            self._recorded.run(name, self._between, kept, live, t, given)
            if not last:
                action = kept["action"][t]
                self.rewards.before(action)
                self.games.step(action if self.on_gpu else action.numpy())
                self.rewards.after()
        return kept

    @torch.no_grad()
    def _between(self, kept: dict[str, Tensor], live: dict[str, Tensor], t: int, given: Tensor | None) -> None:
        """Keeps what decision t - 1 brought, and makes decision t; of that after the last one only the values."""
        if t:
            self._keep_results(kept, live, t - 1)
        last = t == self.settings.horizon
        features, mask = (kept[f"last_{name}"] if last else kept[name][t] for name in ("features", "mask"))
        self._lay_out(live["features"], live["mask"], features, mask)
        actor, holders = live["actor"].long().clamp(min=0), self._holders()
        own, theirs = self._ask_rivals(kept, holders, actor, features, mask)
        if given is not None:
            theirs = torch.where(own & (given >= 0), given, theirs)
        action, chance, values = self._decide(self.module, features, mask, kept["noise"], theirs, self._mixed)
        if not last:
            for name, what in {"actor": actor, "own": own, "action": action, "log_probability": chance}.items():
                kept[name][t] = what
            kept["held"].copy_(holders == LEARNER)
        kept["value"][t] = _by_seat(values, actor)

    @property
    def _mixed(self) -> bool:
        """Is it multiplied in bfloat16?"""
        return self.on_gpu or self.settings.bfloat16 == 1

    def _keep_results(self, kept: dict[str, Tensor], live: dict[str, Tensor], t: int) -> None:
        """What the step of the games after decision t brought."""
        others = not self.alone or len(self.rivals) > 0
        kept["reward"][t] = self._worth(live, kept["actor"][t], kept["held"], others)
        kept["done"][t] = live["terminated"] | live["truncated"]
        kept["points"][t] = live["final_scores"]
        if self.endings:
            self._keep_ending(kept, live, t)
        kept["ended"] += kept["done"][t].sum()

    def _draw_noise(self, kept: dict[str, Tensor]) -> None:
        """The chance of the next decisions: the learner's own, then that of other networks."""
        kept["noise"].exponential_(generator=self.random)
        for rival in self.rivals:
            if rival.temperature and (rival.holder != _LEAGUE_SEAT or self.league or not self.alone):
                kept[f"noise_{rival.holder}"].exponential_(generator=self.random)

    def _ask_rivals(
        self, kept: dict[str, Tensor], holders: Tensor, actor: Tensor, features: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Which decisions are the learner's, and the actions of other networks on their seats, elsewhere -1."""
        held_by = holders.gather(1, actor[:, None]).squeeze(1)
        theirs = kept["given"].fill_(-1)
        for rival in self.rivals:
            if rival.holder == _LEAGUE_SEAT and self.alone and not self.league:
                continue
            first, noise = self.settings.games - rival.games, kept[f"noise_{rival.holder}"]
            nothing = kept["nothing"][first:]
            noise = noise**rival.temperature  # of a Gumbel draw: none with the temperature 0
            action, _, _ = self._decide(rival.module, features[first:], mask[first:], noise, nothing, self._mixed)
            theirs[first:] = torch.where(held_by[first:] == rival.holder, action, theirs[first:])
        return held_by == LEARNER, theirs

    def _teacher_moves(self, kept: dict[str, Tensor], t: int) -> Tensor:
        """The teacher's actions in the first half of the games, elsewhere -1; keeps what it says of all of them."""
        assert self.teacher is not None
        shares = torch.as_tensor(self.teacher.advice()) ** self.settings.teacher_power
        shares = shares / shares.sum(1, keepdim=True).clamp(min=1e-30)
        kept["advice"][t] = shares
        half = self.settings.games // 2
        chosen = torch.full((self.settings.games,), -1, dtype=torch.int64, device=self.device)
        noise = torch.empty_like(shares[:half]).exponential_(generator=self.random)
        chosen[:half] = _drawn(shares[:half].log(), noise)
        return chosen

    # --- how games end, for auxiliary heads ------------------------------------------------

    def _find_endings(self) -> dict[str, tuple[int, int]]:
        """Where the blocks of `endings` lie in the features, and how many numbers of each belong to a player."""
        found, begin, wanted = {}, 0, self.settings.endings.split()
        for block in self.game.spec.blocks(self.setup.options):
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

    # --- advantages ----------------------------------------------------------------------

    def _look_back(self, kept: dict[str, Tensor]) -> None:
        """Advantages and what the values should have been, from the last decision to the first (AZ-106, AZ-107).

        The reward in use is discounted once a decision of the seat, the result never; nothing follows a game's end.
        """
        cfg = self.settings
        over, value, ending = kept["done"].bool(), kept["value"], kept["ending"]
        goes_on = (~over).float()[:, :, None, None]
        if cfg.discount != 1:
            discount = torch.ones_like(kept["reward"])
            at = kept["actor"][:, :, None, None].expand(-1, -1, 1, 1)
            discount[..., :1].scatter_(2, at, cfg.discount)
            goes_on = goes_on * discount
        delta = kept["reward"] + goes_on * value[1:] - value[:-1]
        trusted = cfg.gae_lambda * goes_on
        ahead, points, known = (
            torch.zeros_like(value[0]),
            torch.zeros_like(kept["points"][0]),
            torch.zeros_like(over[0]),
        )
        for t in reversed(range(cfg.horizon)):
            ahead = torch.add(delta[t], trusted[t] * ahead, out=kept["goal"][t])
            points = torch.where(over[t, :, None], kept["points"][t], points, out=kept["lead"][t])
            known = torch.logical_or(known, over[t], out=kept["lead_known"][t])
            if self.endings:
                torch.where(over[t, :, None, None], ending[t], ending[t + 1], out=ending[t])
        actor = kept["actor"].flatten()
        ahead, points = kept["goal"].flatten(0, 1), kept["lead"].flatten(0, 1)
        advantage = ahead[..., 0].gather(1, actor[:, None])
        goal = _by_turn(ahead + value[:-1].flatten(0, 1), actor)
        lead = _by_turn((points - points.mean(1, keepdim=True)) / cfg.points_scale, actor).clamp_(-3, 3)
        for name, what in {"advantage": advantage, "goal": goal, "lead": lead}.items():
            kept[name].copy_(what.view_as(kept[name]))

    # --- learning ------------------------------------------------------------------------

    def _learn(self, kept: dict[str, Tensor], entropy_coefficient: float, cloning: bool) -> dict[str, float]:
        """`epochs` passes over the step, each in `minibatches` of its decisions drawn anew (AZ-108 … AZ-110).

        Decisions of one game tell much the same, so that a minibatch of few whole games would teach less.
        """
        cfg = self.settings
        own = kept["own"].float()
        advantage, count = kept["advantage"], own.sum().clamp(min=1)
        mean = (advantage * own).sum() / count
        deviation = (((advantage - mean) ** 2 * own).sum() / count).sqrt() + 1e-8
        advantage.copy_((advantage - mean) / deviation)
        kept["entropy_coefficient"].fill_(entropy_coefficient)
        kept["figures"].zero_()
        decisions = cfg.horizon * cfg.games
        edges = [decisions * k // cfg.minibatches for k in range(cfg.minibatches + 1)]
        names = (*_LEARNT_FROM, "actor", "ending") if self.endings else _LEARNT_FROM
        names = (*names, "advice") if cloning else names
        known = {name: kept[name][: cfg.horizon].flatten(0, 1) for name in names}
        for _ in range(cfg.epochs):
            order = torch.randperm(decisions, generator=self.random, device=self.device)
            for low, high in itertools.pairwise(edges):
                part = kept["minibatch"][: high - low]  # always the same memory
                part.copy_(order[low:high])
                self._recorded.run(None if cloning else ("update", high - low), self._update, kept, known, part)
        *totals, ended = torch.cat([kept["figures"].double(), kept["ended"].double()[None]]).tolist()
        updates = cfg.epochs * cfg.minibatches
        return {**{name: total / updates for name, total in zip(_FIGURES, totals, strict=True)}, "ended": ended}

    def _update(self, kept: dict[str, Tensor], known: dict[str, Tensor], part: Tensor) -> None:
        """One step of the optimiser on these decisions."""
        weigh = _weigh if "advice" in known else self._weigh  # cloning is soon over: not worth compiling
        loss, figures = weigh(
            self.module,
            known,
            part,
            kept["entropy_coefficient"],
            self._first_settings,
            tuple(self.endings),
            self._mixed,
        )
        torch._foreach_copy_(self._gradients, torch.autograd.grad(loss, self._parameters))
        nn.utils.clip_grad_norm_(self._parameters, self.settings.max_gradient_norm)
        self.optimiser.step()
        kept["figures"] += torch.stack([figures[name].detach() for name in _FIGURES])

    def _optimiser(self) -> torch.optim.Optimizer:
        made = torch.optim.AdamW(
            self.module.parameters(), lr=self._rate, weight_decay=0.0, eps=1e-5,
            fused=self.on_gpu, capturable=self.on_gpu,
        )  # fmt: skip
        made._warned_capturable_if_run_uncaptured = True  # it is run so a few times before it is recorded
        return made

    def _set_rate(self, rate: float) -> None:
        """Sets the learning rate; what is recorded reads it from the GPU's memory, always from the same place."""
        if isinstance(self._rate, Tensor):
            self._rate.fill_(rate)
        for group in self.optimiser.param_groups:
            group["lr"] = self._rate if isinstance(self._rate, Tensor) else rate

    # --- keeping -------------------------------------------------------------------------

    def trained_network(self, **record: Any) -> Network:
        """The network as it is now, with the record of its training."""
        told = {**asdict(self.settings), "reward": describe_reward(self.game, self.settings.reward)}
        counts = {"iterations": self.iteration, "decisions": self.decisions, "games": self.finished}
        return trained(self.network, self.module, **{**record, "settings": told, **counts})

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        arrays = save_state(self.module, self.optimiser)
        for k, state in enumerate(self.league):
            arrays |= {f"league/{k}/{name}": tensor.cpu().numpy() for name, tensor in state.items()}
        arrays |= {f"games/{name}": array for name, array in self.games.save().items()}
        arrays |= {f"rewards/{name}": array for name, array in self.rewards.save().items()}
        counts = [self.iteration, self.decisions, self.finished]
        return arrays, {"counts": counts, "device": self.device.type}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        arrays, whole = _under_new_names(arrays, [name for name, _ in self.module.named_parameters()])
        device = facts.get("device", self.device.type)
        if device != self.device.type:
            raise BadInput(f"This training began on {device} and goes on there; here is {self.device.type}.")
        self._recorded.forget()
        load_state(self.module, self.optimiser, arrays, exact=whole)
        for group in self.optimiser.param_groups:
            group["capturable"] = self.on_gpu
        count = len({name.split("/")[1] for name in arrays if name.startswith("league/")})
        own = self.module.state_dict()
        self.league = [
            {name: _fitted(arrays.get(f"league/{k}/{name}"), tensor) for name, tensor in own.items()}
            for k in range(count)
        ]
        self.iteration, self.decisions, self.finished = facts.get("counts", (0, 0, 0))
        if not whole:  # the games of former checkpoints begin anew
            self.start()
            return
        self.games.load(under("games/", arrays))
        self.rewards.load(under("rewards/", arrays))

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        network = self.trained_network(**training)
        file = replace(network, training={**network.training, "training": training}).save(
            path.with_suffix(".safetensors")
        )
        return f"net:{file}"

    # --- memory --------------------------------------------------------------------------

    def _tensors(self) -> dict[str, Tensor]:
        """The buffers of the games as tensors; no copies."""
        return {name: torch.as_tensor(getattr(self.games.out, name)) for name in _LIVE}

    def _room(self) -> dict[str, Tensor]:
        """Memory for the decisions of one step, made once."""
        if not self._memory:
            cfg, players, actions = self.settings, self.players, self.game.spec.actions
            horizon, games, observed = cfg.horizon, cfg.games, self.games.out.features.shape[1]
            small = torch.bfloat16 if self._mixed else torch.float32
            each = (games, players, self.streams)
            sizes: dict[str, tuple[tuple[int, ...], torch.dtype]] = {
                "features": ((horizon, games, observed), small),
                "mask": ((horizon, games, actions), torch.int8),
                "actor": ((horizon, games), torch.int64),
                "action": ((horizon, games), torch.int64),
                "own": ((horizon, games), torch.bool),
                "log_probability": ((horizon, games), torch.float32),
                "value": ((horizon + 1, *each), torch.float32),
                "reward": ((horizon, *each), torch.float32),
                "done": ((horizon, games), torch.int8),
                "points": ((horizon, games, players), torch.float32),
                "advantage": ((horizon, games), torch.float32),
                "goal": ((horizon, *each), torch.float32),
                "lead": ((horizon, games, players), torch.float32),
                "lead_known": ((horizon, games), torch.bool),
                "ending": ((horizon + 1, games, players, sum(size for _, size in self.endings.values())), small),
                "last_features": ((games, observed), small),
                "last_mask": ((games, actions), torch.int8),
                "noise": ((games, actions), torch.float32),
                "holders": ((games, players), torch.int64),
                "held": ((games, players), torch.bool),
                "given": ((games,), torch.int64),
                "nothing": ((games,), torch.int64),
                "ended": ((), torch.int64),
                "minibatch": ((-(-horizon * games // cfg.minibatches),), torch.int64),
                "entropy_coefficient": ((), torch.float32),
                "figures": ((len(_FIGURES),), torch.float32),
            }
            for rival in self.rivals:
                sizes[f"noise_{rival.holder}"] = ((rival.games, actions), torch.float32)
            if cfg.behaviour_cloning_steps:
                sizes["advice"] = ((horizon, games, actions), small)
            self._memory = {
                name: torch.zeros(shape, dtype=dtype, device=self.device) for name, (shape, dtype) in sizes.items()
            }
            self._memory["nothing"].fill_(-1)
            for rival in self.rivals:
                self._memory[f"noise_{rival.holder}"].fill_(1.0)
        return self._memory


_LIVE = (
    "actor", "mask", "features", "reward", "terminated", "truncated", "final_scores", "final_seat", "final_features",
)  # fmt: skip
_LEARNT_FROM = ("features", "mask", "action", "own", "log_probability", "advantage", "goal", "lead", "lead_known")
_FIGURES = ("policy_loss", "value_loss", "entropy", "points_loss", "approximate_kl")


def _lay_out(features: Tensor, mask: Tensor, to_features: Tensor, to_mask: Tensor) -> None:
    """Features and mask of the games, in columns on a GPU, in rows."""
    to_features.copy_(features)
    to_mask.copy_(mask)


def _think(module: nn.Module, features: Tensor, mask: Tensor, mixed: bool) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
    """Logits of the legal actions, values [n, players, streams] from the acting seat on, and auxiliary numbers."""
    with torch.autocast(features.device.type, torch.bfloat16, enabled=mixed):
        logits, results, others = module(features)
    values = [results.float()] if CRITIC not in others else [others[CRITIC].float(), results.float()]
    return logits.float().masked_fill(mask == 0, _NEVER), torch.stack(values, 2), others


def _decide(
    module: nn.Module, features: Tensor, mask: Tensor, noise: Tensor, given: Tensor, mixed: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Actions, drawn where none is given, with the logarithms of their probabilities; and values."""
    logits, values, _ = _think(module, features, mask, mixed)
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
    entropy_coefficient: Tensor,
    cfg: Settings,
    endings: tuple[str, ...],
    mixed: bool,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of a minibatch of what was kept, and its parts."""
    rows = {name: whole.index_select(0, part) for name, whole in kept.items()}
    advantage = rows["advantage"]
    logits, values, others = _think(module, rows["features"], rows["mask"], mixed)
    chances = logits.log_softmax(1)
    own = rows["own"].float()
    count = own.sum().clamp(min=1)
    change = _of_action(chances, rows["action"]) - rows["log_probability"]
    ratio = change.exp()
    gain = torch.minimum(ratio * advantage, ratio.clamp(1 - cfg.clip, 1 + cfg.clip) * advantage)
    if "advice" in rows:  # behaviour cloning: the cross-entropy
        gain, entropy_coefficient = (rows["advice"].float() * chances.clamp(min=-30)).sum(1), 0.0 * entropy_coefficient
    policy_loss = -(gain * own).sum() / count
    entropy = -((chances.exp() * chances.clamp(min=-30)).sum(1) * own).sum() / count
    value_loss = (((values - rows["goal"]) ** 2).mean((1, 2)) * own).sum() / count
    known = own * rows["lead_known"].float()
    missed = ((others["points"].float() - rows["lead"]) ** 2).mean(1)
    points_loss = (missed * known).sum() / known.sum().clamp(min=1)
    loss = policy_loss + cfg.value_coefficient * value_loss - entropy_coefficient * entropy
    loss = loss + cfg.points_coefficient * points_loss
    if endings:
        loss = loss + cfg.endings_coefficient * _ending_loss(rows, others, known, endings)
    figures = {"policy_loss": policy_loss, "value_loss": value_loss, "entropy": entropy, "points_loss": points_loss}
    figures["approximate_kl"] = ((ratio - 1 - change) * own).sum() / count
    return loss, figures


def _ending_loss(rows: dict[str, Tensor], others: dict[str, Tensor], known: Tensor, endings: tuple[str, ...]) -> Tensor:
    players = rows["goal"].shape[1]
    found = torch.cat([others[name].float().unflatten(1, (players, -1)) for name in endings], dim=2)
    missed = ((found - _by_turn(rows["ending"].float(), rows["actor"])) ** 2).mean((1, 2))
    return (missed * known).sum() / known.sum().clamp(min=1)


def _by_seat(values: Tensor, actor: Tensor) -> Tensor:
    """Values [n, players, …] counted from the acting seat -> values by seat."""
    return _turned(values, -actor)


def _by_turn(values: Tensor, actor: Tensor) -> Tensor:
    """Values by seat -> values counted from the acting seat."""
    return _turned(values, actor)


def _turned(values: Tensor, by: Tensor) -> Tensor:
    players = values.shape[1]
    seats = (torch.arange(players, device=values.device)[None] + by[:, None]) % players
    return values.gather(1, seats.reshape(*seats.shape, *[1] * (values.dim() - 2)).expand_as(values))


def _fitted(array: np.ndarray | None, tensor: Tensor) -> Tensor:
    """The array where it has the tensor's shape, else the tensor; a head that has grown keeps its first rows."""
    found = tensor.detach().clone()
    if array is not None and array.shape == found.shape:
        found.copy_(torch.from_numpy(np.array(array)))
    return found


def _under_new_names(arrays: Mapping[str, np.ndarray], parameters: list[str]) -> tuple[dict[str, np.ndarray], bool]:
    """The arrays of a checkpoint by their present names, and is it whole? Former ones keep weights and league."""
    found = dict[str, np.ndarray]()
    for name, array in arrays.items():
        head, _, rest = name.removeprefix("learner/").partition("/")
        if head == "optimiser":
            number, _, what = rest.partition("/")
            head, rest = "adam", f"{what}/{parameters[int(number)]}"
        head = {"module": "weights", "past": "league", "elders": "league", "batch": "former"}.get(head, head)
        found[f"{head}/{rest}"] = array
    return found, not any(name.startswith(("learner/", "module/")) for name in arrays)

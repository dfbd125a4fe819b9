"""Self-play: a network learns a game from nothing, by proximal policy optimisation against itself and earlier selves.

One iteration plays `steps` decisions in each of `games` games at once (`core.batch`; `core.gpu_batch` on a GPU), then
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
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn

from ludens.core.batch import Batch
from ludens.core.errors import BadInput
from ludens.core.registry import game as game_named
from ludens.core.verbs import has_prior
from ludens.learn.compiled import Compiled
from ludens.learn.grafting import grafted
from ludens.learn.network import Network, untrained
from ludens.learn.rows import rows_layout
from ludens.learn.torch_network import module_of, trained

__all__ = ["SelfPlay", "Settings"]

_NEVER = -1e9  # the logit of an illegal action
_DEPTHS = 16  # moments of the random play at which games stay
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
    warm_up: int = 400  # random decisions of every game before the first iteration: games stand at different depths
    seed: int = 0


class SelfPlay:
    """A run of self-play: `step` plays and learns one iteration and tells figures of it.

    It begins with an untrained network, or with what fits of the network `start` (`grafting`). With a `rival` it
    learns nothing but to beat that: the rival, which does not change, holds some seats of every game, and earlier
    selves none.
    """

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        settings: Settings | None = None,
        device: str | None = None,
        start: Network | None = None,
        rival: Network | None = None,
    ) -> None:
        self.settings = cfg = settings or Settings()
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.game = game_named(game)
        if cfg.copying and not has_prior(self.game.rules):
            raise BadInput(f"{self.game.spec.title} has no prior to copy; set copying to 0.")
        self.given = dict(options or {})
        self.batch = self._new_batch(cfg.games, cfg.seed)
        self.players = self.batch.players
        self.out = self.batch.buffers()
        self.endings = self._find_endings()
        self.network = self._fresh() if start is None else grafted(self._fresh(), start, self.game, self.batch.options)
        self.module = module_of(self.network).to(self.device)
        self.optimiser = torch.optim.AdamW(
            self.module.parameters(), lr=cfg.rate, weight_decay=0.0, eps=1e-5, fused=self.device.type == "cuda"
        )
        on_gpu = self.device.type == "cuda"
        self._think, self._weigh = Compiled(_think, on_gpu), Compiled(_weigh, on_gpu)
        self._first_settings = cfg  # `settings` may be replaced by longer ones, which is no reason to compile again
        self.elders: list[dict[str, Tensor]] = []
        self.elder = copy.deepcopy(self.module).requires_grad_(False)
        self.rival = rival
        if rival is not None:
            self.elder = module_of(rival).to(self.device).requires_grad_(False)
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
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        copying = self.iteration < cfg.copying
        self._invite_elder()
        played = self._play(copying)
        figures = self._learn(played, torch.tensor(entropy, device=self.device), copying)
        self.iteration += 1
        if self.iteration % cfg.elder_every == 0 and self.rival is None and not copying:
            self._become_elder()
        return {"iteration": self.iteration, "decisions": self.decisions, "games": self.finished, **figures}

    def _play(self, copying: bool) -> dict[str, Tensor]:
        """`steps` decisions of every game, with what learning needs of each."""
        cfg, kept = self.settings, self._room()
        live = self._tensors()
        ended = torch.zeros((), dtype=torch.int64, device=self.device)
        for t in range(cfg.steps):
            actor = live["actor"].long()
            kept["features"][t].copy_(live["features"])
            kept["mask"][t].copy_(live["mask"])
            kept["actor"][t] = actor
            features, mask = kept["features"][t], kept["mask"][t]
            with torch.no_grad():
                logits, values, _ = self._think(self.module, features, mask)
                action = self._draw(logits)
                action, own = self._let_elders_choose(action, actor, features, mask)
                if copying:
                    action = self._let_the_prior_choose(action, kept["advice"][t])
                kept["action"][t] = action
                kept["own"][t] = own
                kept["chance"][t] = logits.log_softmax(1).gather(1, action[:, None]).squeeze(1)
                kept["value"][t] = _by_seat(values, actor)
            self._act(action)
            kept["reward"][t] = live["reward"]
            kept["done"][t] = live["terminated"] | live["truncated"]
            kept["points"][t] = live["final_scores"]
            if self.endings:
                self._keep_ending(kept, live, t)
            ended += kept["done"][t].sum()
        with torch.no_grad():
            _, values, _ = _think(self.module, live["features"], live["mask"])
            kept["value"][cfg.steps] = _by_seat(values, live["actor"].long())
        self._look_back(kept)
        self.decisions += cfg.steps * cfg.games
        self.finished += int(ended)
        return kept

    def _look_back(self, kept: dict[str, Tensor]) -> None:
        """Advantages and what the values should have been, from the last decision to the first."""
        cfg = self.settings
        ahead = torch.zeros_like(kept["value"][0])
        points, known = torch.zeros_like(kept["points"][0]), torch.zeros_like(kept["done"][0], dtype=torch.bool)
        for t in reversed(range(cfg.steps)):
            over = kept["done"][t].bool()
            goes_on = (~over).float()[:, None]
            delta = kept["reward"][t] + goes_on * kept["value"][t + 1] - kept["value"][t]
            ahead = delta + cfg.smoothing * goes_on * ahead
            actor = kept["actor"][t]
            kept["advantage"][t] = ahead.gather(1, actor[:, None]).squeeze(1)
            kept["goal"][t] = _by_turn(ahead + kept["value"][t], actor)
            points, known = torch.where(over[:, None], kept["points"][t], points), known | over
            if self.endings:
                kept["ending"][t] = torch.where(over[:, None, None], kept["ending"][t], kept["ending"][t + 1])
            lead = (points - points.mean(1, keepdim=True)) / cfg.points_scale
            kept["lead"][t] = _by_turn(lead, actor).clamp_(-3, 3)
            kept["lead_known"][t] = known

    def _learn(self, kept: dict[str, Tensor], entropy_bonus: Tensor, copying: bool) -> dict[str, float]:
        """`epochs` passes over the iteration, each in `parts` of its decisions drawn anew.

        Decisions of one game tell much the same, so that a part of few whole games would teach less.
        """
        cfg = self.settings
        own = kept["own"].float()
        advantage, count = kept["advantage"], own.sum()
        mean = (advantage * own).sum() / count
        spread = (((advantage - mean) ** 2 * own).sum() / count).sqrt() + 1e-8
        advantage = (advantage - mean) / spread
        totals: dict[str, Tensor] = {}
        decisions = cfg.steps * cfg.games
        edges = [decisions * k // cfg.parts for k in range(cfg.parts + 1)]
        names = (*_LEARNT_FROM, "actor", "ending") if self.endings else _LEARNT_FROM
        names = (*names, "advice") if copying else names
        known = {name: kept[name][: cfg.steps].flatten(0, 1) for name in names}
        for _ in range(cfg.epochs):
            order = torch.randperm(decisions, generator=self.random, device=self.device)
            for low, high in itertools.pairwise(edges):
                part = order[low:high]
                rows = {name: whole.index_select(0, part) for name, whole in known.items()}
                figures = self._update(rows, advantage.flatten().index_select(0, part), entropy_bonus)
                for name, value in figures.items():
                    totals[name] = totals.get(name, torch.zeros((), device=self.device)) + value
        return {name: float(value) / (cfg.epochs * cfg.parts) for name, value in totals.items()}

    def _update(self, rows: dict[str, Tensor], advantage: Tensor, entropy_bonus: Tensor) -> dict[str, Tensor]:
        """One step of the optimiser on these decisions."""
        weigh = _weigh if "advice" in rows else self._weigh  # copying is soon over: not worth compiling
        loss, figures = weigh(self.module, rows, advantage, entropy_bonus, self._first_settings, tuple(self.endings))
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.module.parameters(), self.settings.norm)
        self.optimiser.step()
        return {name: value.detach() for name, value in figures.items()}

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

    def _draw(self, logits: Tensor) -> Tensor:
        """An action by its probability: the largest logit after adding Gumbel noise."""
        noise = torch.empty_like(logits).exponential_(generator=self.random)
        return (logits - noise.log_()).argmax(1)

    def _let_elders_choose(
        self, action: Tensor, actor: Tensor, features: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The actions with those of earlier selves on their seats, and which decisions are the network's own."""
        first = self.settings.games - self._elder_games()
        own = ~self._elder_seats.gather(1, actor.clamp(min=0)[:, None]).squeeze(1)
        if first < self.settings.games and self.elders:
            logits, _, _ = _think(self.elder, features[first:], mask[first:])
            theirs = self._draw(logits)
            action = torch.cat([action[:first], torch.where(own[first:], action[first:], theirs)])
        return action, own

    def _let_the_prior_choose(self, action: Tensor, advice: Tensor) -> Tensor:
        """The actions with those of the prior in the first half of the games; writes what it says of all of them."""
        shares = torch.as_tensor(self.batch.prior()) ** self.settings.copying_power
        shares = shares / shares.sum(1, keepdim=True).clamp(min=1e-30)
        advice.copy_(shares)
        half = self.settings.games // 2
        return torch.cat([self._draw(shares[:half].log()), action[half:]])

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
        self.module.load_state_dict(saved["module"])
        self.optimiser.load_state_dict(saved["optimiser"])
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
            from ludens.core.gpu_batch import GpuBatch

            return GpuBatch(self.game, games, self.given, seed, check=False)
        return Batch(self.game, games, self.given, seed, check=False)

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
            if self.settings.copying:
                sizes["advice"] = ((steps, games, self.game.spec.actions), small)
            self._memory = {
                name: torch.zeros(shape, dtype=dtype, device=self.device) for name, (shape, dtype) in sizes.items()
            }
        return self._memory


_LIVE = (
    "actor", "mask", "features", "reward", "terminated", "truncated", "final_scores", "final_seat", "final_features",
)  # fmt: skip
_LEARNT_FROM = ("features", "mask", "action", "own", "chance", "goal", "lead", "lead_known")


def _think(module: nn.Module, features: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
    """Logits of the legal actions, values and auxiliary numbers."""
    kind = features.device.type
    with torch.autocast(kind, torch.bfloat16, enabled=kind == "cuda"):
        logits, values, others = module(features)
    return logits.float().masked_fill(mask == 0, _NEVER), values.float(), others


def _weigh(
    module: nn.Module,
    rows: dict[str, Tensor],
    advantage: Tensor,
    entropy_bonus: Tensor,
    cfg: Settings,
    endings: tuple[str, ...],
) -> tuple[Tensor, dict[str, Tensor]]:
    """What an update makes smaller, and its parts."""
    logits, values, others = _think(module, rows["features"], rows["mask"])
    chances = logits.log_softmax(1)
    now = chances.gather(1, rows["action"][:, None]).squeeze(1)
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

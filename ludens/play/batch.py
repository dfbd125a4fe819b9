"""Many games at once, on a CPU or a GPU, whose seats are held by a learner, by networks and by agents.

A step plays one action in every game, then draws, forced actions and agents, until the learner or one of the networks
that its owner plays must choose. Agents are asked outside of compiled code, all games that wait for the same one
together; between two steps of learning nothing is remembered but arrays: agents begin anew in the middle of their
games, seeded by the step, so that a training that was broken off goes on exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ludens.agents.codes import make_agent
from ludens.core import record
from ludens.core.agent import Agent, Clock, Seating, agent_seed
from ludens.core.batch import Batch, Buffers, SeatPlan
from ludens.core.batch_kernels import DRAWN, WAIT, write_views
from ludens.core.errors import BadInput
from ludens.core.rng import SEED_LIMIT, game_seed
from ludens.core.spec import Game
from ludens.core.verbs import has_prior
from ludens.play.opponents import Opponents

__all__ = ["PRIOR", "SeatedGames", "Teacher", "compiled_agents"]

PRIOR = "prior"
"""In place of a teacher's code: the shares that the game's prior gives to moves."""


class SeatedGames:
    """`size` games; the learner's seat is `first` in all of them, or "rotate": game i begins with seat i and moves on.

    With `restricted` everybody chooses among the actions that the game leaves to policies (`Batch`).
    Without `opponents` whoever steps the games decides for all seats. `holders[i, p]` is who holds seat p of game i.
    """

    def __init__(
        self,
        game: Game,
        options: np.ndarray,
        size: int,
        opponents: Opponents | None = None,
        first: int | str = "rotate",
        *,
        device: str = "cpu",
        partner: int = DRAWN,
        longest: int | None = None,
        autoreset: bool = True,
        threads: int = 1,
        restricted: bool = False,
    ) -> None:
        self.game, self.size, self.options, self.players = game, size, options, int(options[0])
        self.device, self._opponents, self._plan = device, opponents, None
        if opponents is not None:
            if device != "cpu" and opponents.asked:
                raise BadInput(
                    f"On a GPU opponents are self, league, networks (net:FILE), random{_named(compiled_agents(game))}, "
                    f"not {', '.join(opponents.asked)}; set device to cpu."
                )
            seats = np.arange(size) % self.players if first == "rotate" else np.full(size, int(first))
            rotate = 1 if first == "rotate" else 0
            self._plan = SeatPlan(seats.astype(np.int64), rotate, opponents.pool, opponents.others, partner)
        self._settings: dict[str, Any] = {
            "longest": longest, "autoreset": autoreset, "check": False, "restricted": restricted,
        }  # fmt: skip
        self._threads = threads
        self.start(0, begin=False)

    # --- beginning, keeping --------------------------------------------------------------

    def start(self, seed: int, begin: bool = True) -> None:
        """Begins all games of this seed."""
        options = self.game.show_options(self.options)
        given = {**self._settings, "seats": self._plan}
        if self.device == "cpu":
            self.batch: Any = Batch(self.game, self.size, options, seed, self._threads, **given)
        else:
            from ludens.gpu.batch import GpuBatch

            self.batch = GpuBatch(self.game, self.size, options, seed, **given, device=self.device)
        self.out: Buffers = self.batch.buffers()
        if begin:
            self.begin_step(seed)
            self.batch.reset(self.out)
            self._ask()

    def begin_step(self, seed: int) -> None:
        """Agents draw from this seed on: what they do depends on the games and on the seed, not on earlier steps."""
        if self._opponents is not None:
            self._opponents.forget(seed % SEED_LIMIT)

    def save(self) -> dict[str, np.ndarray]:
        """Everything that decides how the games go on, at the first decision of a step."""
        return {name: array for name, array in self.batch.save().items() if array.dtype.kind in "iub"}

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes on where `save` was called."""
        if not self.batch._started:
            self.batch.reset(self.out)
        own = self.batch.save()
        for name in own:
            if name != "game" and name not in arrays:
                raise KeyError(name)
        self.batch.restore({**own, **arrays}, self.out)

    # --- playing -------------------------------------------------------------------------

    @property
    def holders(self) -> Any:
        """int64[games, players]: who holds the seats; no rows where the caller decides for all."""
        return self.batch.holders

    def step(self, actions: Any) -> None:
        """Plays actions[i] in game i, and goes on to the next decision of the learner or of a network."""
        self.batch.step(actions, self.out)
        self._ask()

    def _ask(self) -> None:
        """Asks agents until none has to choose."""
        opponents, batch, out = self._opponents, self.batch, self.out
        if opponents is None or not opponents.asked:
            return
        told = np.zeros(self.size, bool)  # games whose agents know that they ended
        while True:
            ended = (out.done == 1) & ~told
            opponents.end(np.flatnonzero(ended), batch.after)
            told |= ended
            asked = opponents.waiting(batch.holders, out.actor)
            if not len(asked):
                return
            who = out.actor[asked].astype(np.int64)
            states, views = batch.states[asked], record.blank(self.game.dtype, len(asked))
            write_views(states, who, views)
            actions = np.full(self.size, WAIT)
            actions[asked] = opponents.answer(
                asked, who, batch.holders[asked, who], batch.deals[asked],
                states, views, out.features[asked], out.mask[asked],
            )  # fmt: skip
            batch.answer(actions, out)


class Teacher:
    """Who is imitated: an agent by its code, or the game's own prior."""

    def __init__(self, games: SeatedGames, code: str) -> None:
        game = games.game
        self._games, self._code, self._agents = games, code, dict[int, Agent]()
        if code == PRIOR and not has_prior(game.rules):
            raise BadInput(f"{game.spec.title} has no prior to copy; name an agent as the teacher.")
        if code != PRIOR and games.device != "cpu":
            raise BadInput(f"On a GPU the teacher is {PRIOR}, not {code}; set device to cpu.")
        self._agent = make_agent(game, code, outside=True) if code != PRIOR else None

    def begin_step(self, seed: int) -> None:
        """It draws from this seed on."""
        self._seed = seed % SEED_LIMIT
        self._agents.clear()
        if self._agent is not None and hasattr(self._agent, "choose_many"):
            self._agent.start(Seating(self._games.game, self._games.options, 0, agent_seed(self._seed, 0)))

    def advice(self) -> Any:
        """float32[games, actions]: an agent names one action; the prior gives shares to all."""
        games = self._games
        if self._agent is None:
            return games.batch.prior()
        out, who = games.out, games.out.actor.astype(np.int64)
        views, shares = record.blank(games.game.dtype, games.size), np.zeros(out.mask.shape, np.float32)
        write_views(games.batch.states, who, views)
        if hasattr(self._agent, "choose_many"):
            chosen: Sequence[int] = self._agent.choose_many(views, out.features, out.mask)
        else:
            chosen = [
                self._at(int(seat)).choose(views[i : i + 1].copy(), np.flatnonzero(out.mask[i]), Clock())
                for i, seat in enumerate(who)
            ]
        shares[np.arange(games.size), chosen] = 1.0
        return shares

    def _at(self, seat: int) -> Agent:
        """One agent for all games in which this seat is to act."""
        if seat not in self._agents:
            games = self._games
            agent = self._agents[seat] = make_agent(games.game, self._code, outside=True)
            seed = agent_seed(game_seed(self._seed, games.size), seat)
            agent.start(Seating(games.game, games.options, seat, seed))
        return self._agents[seat]


def compiled_agents(game: Game) -> tuple[str, ...]:
    """The agents that a game compiles into the kernels of a GPU."""
    offered = game.learning().get("on_gpu")
    return () if offered is None else (offered["player"],)


def _named(names: tuple[str, ...]) -> str:
    return "".join(f", {name}" for name in names)

"""Gymnasium: one seat of a game against agents; the other seats belong to the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ludens.adapters.simulation import RETURN, Rewards, Simulation, as_action, features_metadata
from ludens.core import registry
from ludens.core.agent import Agent, Clock
from ludens.core.errors import BadInput, IllegalMove, did_you_mean
from ludens.core.extras import missing
from ludens.core.rng import SEED_LIMIT
from ludens.core.spec import Game
from ludens.play.opponents import one_each
from ludens.play.seats import is_oracle, seat_agent

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise missing("adapters", "This adapter", "gymnasium") from error

__all__ = ["ILLEGAL", "LudensEnv", "check_seat", "environment_id", "register_all"]

ILLEGAL = ("lose", "replace", "raise")
"""What may be done with an illegal action: the seat loses, a random legal one is played instead, or an error."""
ILLEGAL_REWARD = -1.0


def environment_id(name: str) -> str:
    """The id under which a game is registered, such as ludens/ScotlandYard-v0; its plain name does as well."""
    return f"ludens/{''.join(part[:1].upper() + part[1:] for part in name.split('_'))}-v0"


def register_all() -> None:
    """Registers every known game, without loading it; call again after `registry.register`."""
    for name in registry.names():
        for known in (environment_id(name), f"ludens/{name}-v0"):
            if known not in gymnasium.registry:
                gymnasium.register(
                    id=known,
                    entry_point="ludens.adapters.gymnasium:LudensEnv",
                    vector_entry_point="ludens.adapters.vector:LudensVectorEnv",
                    kwargs={"game": name},
                )


def check_seat(seat: int | str, players: int) -> None:
    """Refuses what is neither a seat nor "rotate"."""
    if seat == "rotate":
        return
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < players:
        raise BadInput(f'The seat is a number from 0 to {players - 1} or "rotate", not {seat!r}.')


class LudensEnv(gymnasium.Env):
    """One seat against agents.

    Observation: float32 features of the seat's own view; `blocks` are their parts (`core.spec.split` cuts them).
    Action: an action id of the game; `action_masks()` and `info["action_mask"]` name the legal ones.
    Reward: `reward="return"`, the seat's utility in [-1, 1] at the end; or `reward="score"`,
        at every own step the growth of its lead in points × `score_scale`.
    End: when the game ends; never truncated. Options default to the tournament options of the
        game, which keep it finite. The last info carries `scores` and `returns` of all seats.

    `opponents` are agent codes: one for all other seats, or one for each in the order of seats.
    `seat` is a number, or "rotate": the seed given to `reset` names the first seat (modulo
    players) and every further game moves one seat on. A game that ends before the seat's first
    choice is dealt again with the next seed.

    An illegal action does what `illegal` says. "lose": the game ends with reward -1.
    "replace": a random legal action is played. "raise": `IllegalMove`, nothing changes.
    In the first two cases `info["reason"]` says why the action was refused.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's form

    def __init__(
        self,
        game: Game | str,
        opponents: Sequence[str] = ("random",),
        seat: int | str = 0,
        options: Mapping[str, Any] | None = None,
        *,
        reward: str = RETURN,
        score_scale: float = 0.05,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        if illegal not in ILLEGAL:
            raise did_you_mean(str(illegal), ILLEGAL, "treatment of illegal actions")
        if render_mode not in (None, "ansi"):
            raise BadInput(f"The render mode is ansi or None, not {render_mode!r}.")
        self._simulation = Simulation(game, options)
        self._rewards = Rewards(self._simulation, reward, score_scale)
        check_seat(seat, self._simulation.players)
        self._codes = one_each(opponents, self._simulation.players - 1)
        self._oracles = [is_oracle(self._simulation.game, code) for code in self._codes]
        self._rotate = seat == "rotate"
        self._illegal = illegal
        self._agents: dict[int, tuple[Agent, bool]] = {}
        self._done = True
        self.blocks = self._simulation.blocks
        self.metadata = {
            **self.metadata,
            "features": features_metadata(self._simulation.game, self._simulation.options),
        }
        self.seat = 0 if self._rotate else int(seat)
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(self._simulation.game.spec.actions)
        self.observation_space = spaces.Box(-np.inf, np.inf, (self._simulation.features,), np.float32)

    def action_masks(self) -> np.ndarray:
        """bool[actions]: the legal actions; all true when the game is over."""
        return self._simulation.mask(self.seat).astype(bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts a game: the match of that seed, or one drawn after the last seed given."""
        super().reset(seed=seed)
        if self._rotate:
            self.seat = (self.seat + 1 if seed is None else seed) % self._simulation.players
        match_seed = int(self.np_random.integers(SEED_LIMIT)) if seed is None else seed
        self._begin(match_seed)
        while self._simulation.over:
            match_seed = (match_seed + 1) % SEED_LIMIT
            self._begin(match_seed)
        self._done = False
        self._rewards.start()
        return self._simulation.observe(self.seat), {**self._info(), "seed": match_seed}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Plays the seat's action, then the opponents up to its next choice."""
        if self._done:
            raise BadInput("The game is over; call reset before the next step.")
        number, reason = as_action(action), ""
        if not self._simulation.allows(number):
            reason = self._simulation.refusal(number)
            if self._illegal == "raise":
                raise IllegalMove(reason)
            if self._illegal == "lose":
                self._done = True
                told = {**self._info(), "reason": reason}
                return self._simulation.observe(self.seat), ILLEGAL_REWARD, True, False, told
            number = int(self.np_random.choice(self._simulation.legal()))
        self._simulation.play(number)
        self._play_opponents()
        earned = float(self._rewards.collect()[self.seat])
        info = self._info()
        if reason:
            info["reason"] = reason
        if self._simulation.over:
            self._finish(info)
        return self._simulation.observe(self.seat), earned, self._done, False, info

    def render(self) -> str | None:
        """What the seat sees."""
        return None if self.render_mode is None else self._simulation.text(self.seat)

    def _begin(self, match_seed: int) -> None:
        self._simulation.reset(match_seed)
        game, options = self._simulation.game, self._simulation.options
        others = [seat for seat in range(self._simulation.players) if seat != self.seat]
        self._agents = {
            seat: (seat_agent(game, options, code, seat, match_seed), oracle)
            for seat, code, oracle in zip(others, self._codes, self._oracles, strict=True)
        }
        self._play_opponents()

    def _play_opponents(self) -> None:
        simulation = self._simulation
        while not simulation.over and simulation.actor != self.seat:
            agent, oracle = self._agents[simulation.actor]
            known = simulation.state() if oracle else simulation.view(simulation.actor)
            choice = int(agent.choose(known, simulation.legal(), Clock()))
            if not simulation.allows(choice):
                raise IllegalMove(f"The agent on seat {simulation.actor} plays illegally: {simulation.refusal(choice)}")
            simulation.play(choice)

    def _finish(self, info: dict[str, Any]) -> None:
        self._done = True
        for seat, (agent, _) in self._agents.items():
            agent.end(self._simulation.view(seat))
        info["scores"] = self._simulation.scores()
        info["returns"] = self._simulation.returns()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._simulation.mask(self.seat), "seat": self.seat}


register_all()

"""PettingZoo: every seat is an agent of an agent-environment-cycle environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludens.adapters.simulation import RETURN, Rewards, Simulation, as_action, features_metadata
from ludens.core.errors import BadInput, IllegalMove
from ludens.core.extras import missing
from ludens.core.rng import SEED_LIMIT
from ludens.core.spec import Game
from ludens.core.verbs import SPECTATOR

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise missing("adapters", "This adapter", "pettingzoo") from error

__all__ = ["LudensAEC", "env", "raw_env"]

ILLEGAL_REWARD = -1.0
"""What the seat gets that plays an illegal action: as much as for losing."""


def env(game: Game | str = "azul", options: Mapping[str, Any] | None = None, **settings: Any) -> AECEnv:
    """The environment as PettingZoo's own classic games come: an illegal action ends the game.

    The seat that played it gets -1, all others 0, and everybody is terminated and truncated.
    Settings are those of `LudensAEC`.
    """
    wrapped: AECEnv = raw_env(game, options, **settings)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=ILLEGAL_REWARD)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


def raw_env(game: Game | str = "azul", options: Mapping[str, Any] | None = None, **settings: Any) -> LudensAEC:
    """The environment without wrappers; an illegal action raises `IllegalMove` and changes nothing."""
    return LudensAEC(game, options, **settings)


class LudensAEC(AECEnv):
    """A game for as many agents as it has players, `player_0`, `player_1`, …

    Observation: {"observation": float32 features of the agent's own view, "action_mask": int8}.
        The mask is zero for agents that are not to act, and all ones after the end.
    Action: an action id of the game; chance and automatic actions are played by the environment.
    Reward: `reward="return"`, the utility of every seat at the end; or `reward="score"`, at
        every step the growth of its lead in points × `score_scale`.
    End: all agents terminate together; games are never truncated. Options default to the
        tournament options of the game, which keep it finite.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        game: Game | str = "azul",
        options: Mapping[str, Any] | None = None,
        *,
        reward: str = RETURN,
        score_scale: float = 0.05,
        automatic: bool = True,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise BadInput(f"The render mode is ansi or None, not {render_mode!r}.")
        self._simulation = Simulation(game, options, automatic)
        self._rewards = Rewards(self._simulation, reward, score_scale)
        name = self._simulation.game.spec.name
        self.metadata = {"name": f"ludens_{name}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.metadata["features"] = features_metadata(self._simulation.game, self._simulation.options)
        self.blocks = self._simulation.blocks
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self._simulation.players)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions, features = self._simulation.game.spec.actions, self._simulation.features
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-np.inf, np.inf, (features,), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._seeds = np.random.default_rng()

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game: the match of that seed, or the next one after the last seed given.

        `options` are PettingZoo's; the game's own are fixed when the environment is made.
        """
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self._simulation.reset(int(self._seeds.integers(SEED_LIMIT)) if seed is None else seed)
        self._rewards.start()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._simulation.actor]
        self._skip_agent_selection = None

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seat = self._seat[agent]
        return {"observation": self._simulation.observe(seat), "action_mask": self._simulation.mask(seat)}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = as_action(action)
        if not self._simulation.allows(number):
            raise IllegalMove(self._simulation.refusal(number))
        self._cumulative_rewards[agent] = 0.0
        self._simulation.play(number)
        for seat, earned in enumerate(self._rewards.collect()):
            self.rewards[self.possible_agents[seat]] = float(earned)
        if self._simulation.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {a: {"score": float(x)} for a, x in zip(self.agents, self._simulation.scores(), strict=True)}
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self._simulation.actor]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """What the agent to act sees, or what everybody sees after the end."""
        if self.render_mode is None:
            return None
        return self._simulation.text(SPECTATOR if self._simulation.over else self._simulation.actor)

    def close(self) -> None:
        """Nothing is held open."""

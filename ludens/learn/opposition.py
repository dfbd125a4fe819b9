"""Many games at once for a deep learner: it has one seat of each, agents and other networks hold the others.

The games are stepped in compiled code up to the next decision of somebody who has to be asked
(`play.seat_kernel`, `play.opponents`). Between two steps of learning nothing is remembered but arrays: agents
begin anew in the middle of their games, seeded by the step, so that a training that was broken off goes on exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludens.agents.codes import make_agent
from ludens.core import kernels, record
from ludens.core.agent import Agent, Clock, Seating, agent_seed
from ludens.core.batch_kernels import prior_shares
from ludens.core.errors import BadInput
from ludens.core.jit import kernel
from ludens.core.rng import AGENT, CHANCE_STREAM, POLICY, SEED_LIMIT, game_seed, generators
from ludens.core.spec import Game
from ludens.core.verbs import has_prior, view
from ludens.learn.games import Chooser, Outcome
from ludens.learn.rewards import LEAD, RESULT, leads, parse_reward
from ludens.play.opponents import Opponents
from ludens.play.seat_kernel import ANSWER, ASK, MOST_DEALS, PLAY, SEAT, START, STUCK, advance

__all__ = ["FIGURES", "PRIOR", "Opposition"]

PRIOR = "prior"
"""In place of a teacher's code: the shares that the game's prior gives to moves."""

_KEPT = ("chance", "policies", "draws", "seats", "count", "decisions", "sitting", "sums", "lead")


class Opposition:
    """`size` games; the learner's seat moves on with every game. See `learn.games.Games`.

    `against` names who sits opposite, drawn anew for every seat of every game: agents by code, or one of `choosers`,
    such as "self". Seats of the learner's own side are always held by the chooser "self".
    """

    def __init__(
        self,
        game: Game,
        options: np.ndarray,
        size: int,
        against: tuple[str, ...],
        choosers: Mapping[str, Chooser],
        reward: str = RESULT,
        reward_scale: float = 1.0,
        result_weight: float = 0.0,
        teacher: str = "",
    ) -> None:
        spec = game.spec
        self.game, self.size, self._options = game, size, options
        self.players = players = int(options[0])
        self._reward, self._own_reward, self._constants = parse_reward(game, reward)
        self._scale, self._result_weight = reward_scale, 1.0 if self._reward == RESULT else result_weight
        self._sides = np.array(spec.sides(players), np.int64)
        teams = len(set(self._sides.tolist())) < players
        self._self = choosers["self"] if teams else None
        self._batched: dict[str, Any] = {}  # agents that are asked about many games at once
        pool = [choosers.get(name) or self._asked(name) for name in against]
        self._uniform = _Uniform()
        if teams:  # who plays in the kernel is drawn for partners too
            pool = [self._uniform if one == "random" else one for one in pool]
        self._opponents = Opponents(game, options, size, pool=pool)
        if teacher == PRIOR and not has_prior(game.rules):
            raise BadInput(f"{spec.title} has no prior to copy; name an agent as the teacher.")
        self._teacher: Any = self._asked(teacher) if teacher not in ("", PRIOR) else teacher
        self._teachers: dict[int, Agent] = {}  # by seat, where it is asked game by game
        inputs = spec.observation_size(options)
        self.features = np.zeros((size, inputs), np.float32)
        self.mask = np.zeros((size, spec.actions), np.int8)
        self._states, self._views, self._final_states = (record.blank(game.dtype, size) for _ in range(3))
        self._blank = record.blank(game.dtype)
        self._legal, self._numbers = np.zeros(spec.actions, np.int64), np.zeros(players)
        self.sitting = np.zeros((size, players), np.int64)
        self._status, self._actors, self.seats, self.count, self.decisions = np.zeros((5, size), np.int64)
        self._final_features = np.zeros((size, inputs), np.float32)
        self._earned = np.zeros(size)
        self._terminated, self._truncated, self._illegal = np.zeros((3, size), np.int8)
        self._final_scores, self._final_returns = np.zeros((2, size, players))
        self.chance, self.policies, self.draws = np.zeros((3, size, 2), np.uint64)
        self.lead, self.sums = np.zeros((2, size))  # at the last decision; rewards of the game so far
        self._ended: list[tuple[float, ...]] = []
        self._told = dict.fromkeys(FIGURES, 0.0)

    # --- beginning, keeping --------------------------------------------------------------

    def start(self, seed: int) -> None:
        """Begins all games; game i with seat i, modulo players."""
        self.chance, self.policies, self.draws = (
            generators(seed, self.size, stream) for stream in (CHANCE_STREAM, POLICY, AGENT)
        )
        self.seats[:] = np.arange(self.size) % self.players - 1
        self.count[:] = 0
        self._status[:] = START
        self.begin_step(seed)
        self._advance(np.zeros(self.size, np.int64))
        self.lead[:] = self._leads()

    def begin_step(self, seed: int) -> None:
        self._seed = seed % SEED_LIMIT
        self._opponents.forget(self._seed)
        self._teachers.clear()
        for agent in self._batched.values():
            agent.start(Seating(self.game, self._options, 0, agent_seed(self._seed, 0)))
        self._uniform.random = np.random.default_rng(self._seed)

    def save(self) -> dict[str, np.ndarray]:
        """Everything that decides how the games go on."""
        arrays = {name: getattr(self, name).copy() for name in _KEPT}
        arrays["states"] = self._states.view(np.int8).reshape(self.size, -1).copy()
        arrays["told"] = np.array(list(self._told.values()))
        return arrays

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes on where `save` was called, at the first decision of a step."""
        for name in _KEPT:
            own, given = getattr(self, name), arrays[name]
            if own.shape != given.shape:
                raise ValueError(f"an array {name} of the right shape")
            own[:] = given
        self._states[:] = np.ascontiguousarray(arrays["states"]).view(self._states.dtype)[:, 0]
        self._told = dict(zip(FIGURES, arrays["told"].tolist(), strict=True))
        self._status[:] = SEAT
        self.mask[:] = 0
        for i in range(self.size):
            kernels.view_at(self._states, i, int(self.seats[i]), self._views[i : i + 1])
            kernels.observe_at(self._views, i, int(self.seats[i]), self.features[i])
            self.mask[i, self._legal[: kernels.legal_at(self._states, i, self._legal)]] = 1

    # --- playing -------------------------------------------------------------------------

    def step(self, actions: np.ndarray) -> Outcome:
        reward = np.zeros(self.size)
        if self._own_reward is not None:
            reward += self._own_reward(self._states, self.seats, actions, self._constants)
        seats = self.seats.copy()
        self._status[:] = PLAY
        self._advance(actions.astype(np.int64))
        if self._illegal.any():
            raise BadInput("A learner has played an action that is not legal.")
        ended = (self._terminated | self._truncated) == 1
        turn = (seats[:, None] + np.arange(self.players)) % self.players
        results = np.where(ended[:, None], np.take_along_axis(self._final_returns, turn, 1), 0.0)
        scores = np.take_along_axis(self._final_scores, turn, 1)
        rivals = self._sides[turn] != self._sides[seats][:, None]
        best = np.where(rivals, scores, -np.inf).max(1)
        if self._reward == LEAD:
            now = self._leads()
            reward += np.where(ended, scores[:, 0] - best, now) - self.lead
            self.lead[:] = now
        reward = reward * self._scale + self._result_weight * results[:, 0]
        self.sums += reward
        for i in np.flatnonzero(ended):
            result = results[i, 0]
            won = 1.0 if result > 0 else 0.5 if result == 0 else 0.0
            self._ended.append((won, result, scores[i, 0], best[i], scores[i, 0] - best[i], self.sums[i]))
            self.sums[i] = 0.0
        return Outcome(reward.astype(np.float32), ended, results.astype(np.float32))

    def figures(self) -> dict[str, float]:
        """Of the games that ended since the last call; those told last where none has."""
        if self._ended:
            means = np.mean(self._ended, axis=0).tolist()
            self._told = dict(zip(FIGURES, means, strict=True))
            self._ended = []
        return dict(self._told)

    def advice(self) -> np.ndarray:
        """What the teacher plays: an agent one action, the prior shares of all."""
        out = np.zeros(self.mask.shape, np.float32)
        if self._teacher == PRIOR:
            prior_shares(self._states, self.mask, self._legal, out)
        elif isinstance(self._teacher, str):
            for i, seat in enumerate(self.seats.tolist()):
                kernels.view_at(self._states, i, seat, self._views[i : i + 1])
                legal = np.flatnonzero(self.mask[i])
                out[i, self._teacher_at(seat).choose(self._views[i : i + 1].copy(), legal, Clock())] = 1.0
        else:
            see_all(self._states, self.seats, self._views)
            out[np.arange(self.size), self._teacher.choose_many(self._views, self.features, self.mask)] = 1.0
        return out

    def _teacher_at(self, seat: int) -> Agent:
        """The teacher who is asked game by game: one agent for all games in which the learner has this seat."""
        if seat not in self._teachers:
            agent = self._teachers[seat] = make_agent(self.game, self._teacher, outside=True)
            agent.start(Seating(self.game, self._options, seat, agent_seed(game_seed(self._seed, self.size), seat)))
        return self._teachers[seat]

    def _asked(self, code: str) -> Any:
        """The code, or an agent of it that can be asked about many games at once; one that is unknown is refused."""
        agent = make_agent(self.game, code, outside=True)
        return self._batched.setdefault(code, agent) if hasattr(agent, "choose_many") else code

    def _leads(self) -> np.ndarray:
        out = np.zeros(self.size)
        leads(self._states, self.seats, self._sides, self._numbers, out)
        return out

    def _advance(self, actions: np.ndarray) -> None:
        """Plays until every seat of the learner must choose, asking others on the way."""
        for array in (self._earned, self._terminated, self._truncated, self._illegal):
            array[:] = 0
        told = np.zeros(self.size, bool)  # games whose agents know that they ended
        while True:
            self._run_kernel(actions)
            if (self._status == STUCK).any():
                name = self.game.spec.name
                raise RuntimeError(f"{MOST_DEALS} games of {name} in a row ended before the seat's first choice.")
            if not self._opponents.asked:
                return
            ended = ((self._terminated | self._truncated) == 1) & ~told
            self._opponents.end(np.flatnonzero(ended), self._final_states)
            told |= ended
            asked = np.flatnonzero(self._status == ASK)
            if not len(asked):
                return
            self._answer(asked, actions)
            self._status[asked] = ANSWER

    def _answer(self, asked: np.ndarray, actions: np.ndarray) -> None:
        """Partners first, where there are teams, then opponents."""
        who = self._actors[asked]
        if self._self is not None:
            partner = self._sides[who] == self._sides[self.seats[asked]]
            mine = asked[partner]
            if len(mine):
                actions[mine] = self._self.choose_many(self._views[mine], self.features[mine], self.mask[mine])
            asked, who = asked[~partner], who[~partner]
            if not len(asked):
                return
        self._opponents.answer(
            asked, who, self.sitting, self.count,
            self._states, self._views, self.features, self.mask, actions,
        )  # fmt: skip

    def _run_kernel(self, actions: np.ndarray) -> None:
        advance(
            self._states, self.chance, self.policies, self.draws, self._options, self.game.spec.first_automatic,
            1, 0, True, self._opponents.others, self._opponents.pool, self.sitting,
            self._blank, self._legal, self._numbers, actions,
            self._status, self._actors, self.seats, self.count, self.decisions,
            self.mask, self.features, self._views, self._earned, self._terminated, self._truncated, self._illegal,
            self._final_states, self._final_features, self._final_scores, self._final_returns,
        )  # fmt: skip


@kernel
def see_all(states: Any, seats: Any, views: Any) -> None:
    """views[i] = what seats[i] sees of states[i]."""
    for i in range(states.shape[0]):
        view(states[i], seats[i], views[i : i + 1])


FIGURES = ("won", "result", "points", "best_other", "lead", "reward")


class _Uniform:
    """Chooses uniformly, outside of the kernel."""

    random = np.random.default_rng(0)

    def choose_many(self, views: np.ndarray, features: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.where(masks == 1, self.random.random(masks.shape), -1.0).argmax(1)

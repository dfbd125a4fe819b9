"""Speed: what `ludens bench` measures, for any game.

Rates are per second of CPU time on one core (the best of three runs), so that a busy machine
does not distort them; only the two-thread rate and the start-up times are wall time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ludens.agents.codes import kinds
from ludens.agents.search_settings import mcts_settings
from ludens.core.agent import AgentKind, Clock
from ludens.core.batch import Batch, Buffers
from ludens.core.jit import kernel
from ludens.core.match import Match
from ludens.core.random_play import play_on_cpu
from ludens.core.record import Array, Position, Records
from ludens.core.rng import POLICY, below, generator
from ludens.core.spec import Game
from ludens.networks.forward import PackedNetwork, forward, make_thinking
from ludens.play.seats import seat_agents
from ludens.search.budget import Budget
from ludens.search.mcts import TreeSearch

__all__ = ["measure", "measure_adapters"]

_REPLAYED, _GAMES = 20, 256  # games that adapters play again, and those of a vector environment
_SECONDS = 1.0  # CPU time a rate is measured for
_BATCH = 4096
_TREE = 64  # MiB of a search tree
_DECISIONS = 2000  # of an agent, if they take less time than that
_WARM_UP = 100  # decisions before those that count
_WIDTHS, _BLOCKS = (256, 512), 2  # of the networks
_POSITIONS, _DEPTH = 64, 20  # positions that a network is shown, and random steps to them

_START = """
import time
from ludens.core.match import Match
from ludens.core.registry import game
match = Match(game({name!r}), seed=1)
match.play(int(match.legal()[0]))
print(time.process_time())
"""
_FIRST_ANSWER = """
from ludens.play.seats import seat_agent
from ludens.core.agent import Clock
agent = seat_agent(match.game, match.options, {level!r}, match.actor, match.seed)
agent.choose(match.view(match.actor), match.legal(), Clock())
print(time.process_time())
"""
_LEVEL = "easy"  # whose first answer a newcomer waits for


def measure(game: Game, players: int, start_up: bool) -> Iterator[dict[str, Any]]:
    """The measures of one game and player count, one after the other, as {game, players, measure, value, unit}."""
    options = game.options({**game.spec.tournament, "players": players})

    def row(name: str, value: float, unit: str) -> dict[str, Any]:
        return {"game": game.spec.name, "players": players, "measure": name, "value": value, "unit": unit}

    decisions, games = _playouts(game, options)
    yield row("decisions/s", round(decisions), "1/s")
    yield row("games/s", round(games), "1/s")
    yield row("state bytes", game.dtype.itemsize, "bytes")
    yield row("copy ns", round(_copy_nanoseconds(game, options), 1), "ns")
    yield row("batch steps/s", round(_batch_steps(game, players, 1, time.process_time)), "1/s")
    one = _batch_steps(game, players, 1, time.perf_counter)
    two = _batch_steps(game, players, 2, time.perf_counter)
    yield row("batch speed-up", round(two / one, 2), "ratio, 2 threads to 1")
    yield row("simulations/s", round(_simulations(game, options)), "1/s, tree search with random roll-outs")
    yield row("search speed-up", round(_search_speed_up(game, options), 2), "ratio, 2 threads to 1")
    yield row("tree MiB", _TREE, "MiB at most, a thread")
    from ludens.networks.network import untrained

    for width in _WIDTHS:
        network = untrained(game, options, width, _BLOCKS).packed
        name = f"network {width}×{_BLOCKS}"
        yield row(f"{name} µs", round(_pass_microseconds(game, options, network), 2), "µs a forward pass, untrained")
        yield row(f"{name} simulations/s", round(_simulations(game, options, network)), "1/s, tree search with it")
    if players == game.spec.default_players:
        for name, milliseconds in _agents(game, options):
            yield row(f"{name} ms/decision", round(milliseconds, 3), "ms")
    if start_up:
        cold, warm = _start_up(game)
        for what, before, after in zip(("the first move", f"the first answer of {_LEVEL}"), cold, warm, strict=False):
            yield row(f"cold start s to {what}", round(before, 2), "s of one core, nothing compiled yet")
            yield row(f"warm start s to {what}", round(after, 2), "s of one core")


def measure_adapters(game: Game, players: int) -> Iterator[dict[str, Any]]:
    """Steps a second by every adapter and by the plain batch, in one run; None where its library is not installed.

    Every adapter plays the same random games again, so no choice of actions is counted, but what a learner reads: the
    legal actions and the observation.
    """
    options = {**game.spec.tournament, "players": players}

    def row(name: str, value: float | None, unit: str) -> dict[str, Any]:
        rounded = None if value is None else round(value)
        return {"game": game.spec.name, "players": players, "measure": name, "value": rounded, "unit": unit}

    yield row("Batch", _batch_steps(game, players, 1, time.process_time), f"steps/s, {_BATCH} games")
    seeds = range(_REPLAYED)
    logs = [_random_choices(game, options, seed) for seed in seeds]
    yield row("Match", _best_rate(lambda: _replay_matches(game, options, logs), time.process_time), "decisions/s")
    for name, prepare, unit in (
        ("PettingZoo", _pettingzoo_player, "decisions/s"),
        ("Gymnasium", _gymnasium_player, "decisions/s of one seat against random"),
        ("Gymnasium, vector", _vector_player, f"steps/s, {_GAMES} games against random"),
        ("OpenSpiel", _openspiel_player, "nodes/s, chance included"),
    ):
        try:
            work = prepare(game, options, logs)
        except ImportError:
            yield row(name, None, "not installed")
        else:
            yield row(name, _best_rate(work, time.process_time), unit)


def _random_choices(game: Game, options: dict[str, Any], seed: int) -> list[int]:
    """The decisions of a random game, without what is played automatically."""
    match, random, choices = Match(game, options, seed=seed), np.random.default_rng(seed), []
    while not match.over:
        choices.append(int(random.choice(match.legal())))
        match.play(choices[-1])
    return choices


def _replay_matches(game: Game, options: dict[str, Any], logs: list[list[int]]) -> int:
    for seed, choices in enumerate(logs):
        match = Match(game, options, seed=seed)
        for action in choices:
            match.legal()
            match.play(action)
    return sum(map(len, logs))


def _pettingzoo_player(game: Game, options: dict[str, Any], logs: list[list[int]]) -> Callable[[], int]:
    from ludens.adapters.pettingzoo import env as wrapped

    env: Any = wrapped(game, options)

    def play() -> int:
        for seed, choices in enumerate(logs):
            env.reset(seed=seed)
            for action in choices:
                env.last()
                env.step(action)
        return sum(map(len, logs))

    return play


def _gymnasium_player(game: Game, options: dict[str, Any], logs: list[list[int]]) -> Callable[[], int]:
    from ludens.adapters.gymnasium import LudensEnv

    env = LudensEnv(game, options=options)
    random, recorded = np.random.default_rng(0), []
    for seed in range(len(logs)):
        _, info = env.reset(seed=seed)
        choices, over = [], False
        while not over:
            choices.append(int(random.choice(np.flatnonzero(info["action_mask"]))))
            _, _, over, _, info = env.step(choices[-1])
        recorded.append(choices)

    def play() -> int:
        for seed, choices in enumerate(recorded):
            env.reset(seed=seed)
            for action in choices:
                env.step(action)
        return sum(map(len, recorded))

    return play


def _vector_player(game: Game, options: dict[str, Any], logs: list[list[int]]) -> Callable[[], int]:
    from ludens.adapters.vector import LudensVectorEnv

    envs = LudensVectorEnv(game, _GAMES, options=options, autoreset_mode="SameStep")
    mask, recorded = envs.reset(seed=0)[1]["action_mask"], []
    random = np.random.default_rng(0)
    for _ in range(_REPLAYED):
        recorded.append(np.argmax(mask * random.random(mask.shape), axis=1))
        mask = envs.step(recorded[-1])[4]["action_mask"]

    def play() -> int:
        envs.reset(seed=0)
        for actions in recorded:
            envs.step(actions)
        return len(recorded) * _GAMES

    return play


def _openspiel_player(game: Game, options: dict[str, Any], logs: list[list[int]]) -> Callable[[], int]:
    import pyspiel

    from ludens.adapters.openspiel import short_name  # registers the games

    match_logs = []
    for seed, choices in enumerate(logs):
        match = Match(game, options, seed=seed)
        for action in choices:
            match.play(action)
        match_logs.append(match.log)
    loaded = pyspiel.load_game(f"{short_name(game.spec.name)}(players={options['players']})")

    def play() -> int:
        for log in match_logs:
            state = loaded.new_initial_state()
            for action in log:
                state.chance_outcomes() if state.is_chance_node() else state.legal_actions()
                state.apply_action(action)
        return sum(map(len, match_logs))

    return play


def _best_rate(work: Callable[[], int], clock: Callable[[], float]) -> float:
    """Units of work a second, the best of three runs of about a second after a short warm-up."""
    work()
    best = 0.0
    for _ in range(3):
        done, start = 0, clock()
        while (elapsed := clock() - start) < _SECONDS:
            done += work()
        best = max(best, done / elapsed)
    return best


def _playouts(game: Game, options: np.ndarray) -> tuple[float, float]:
    """Decisions and games a second."""
    count = 50
    _, sample = play_on_cpu(game, options, 0, 200)
    seeds = iter(range(1, 10**9))
    rate = _best_rate(lambda: play_on_cpu(game, options, count * next(seeds), count)[1], time.process_time)
    return rate, rate * 200 / sample


@kernel
def _copy_many(states: Records[Position], times: int) -> int:
    n = states.shape[0]
    for k in range(times):
        states[(k + 1) % n] = states[k % n]
    return times


def _copy_nanoseconds(game: Game, options: np.ndarray) -> float:
    states = play_on_cpu(game, options, 0, 64)[0]
    return 1e9 / _best_rate(lambda: _copy_many(states, 100_000), time.process_time)


@kernel
def _choose_randomly(states: Records[Position], mask: Array, rng: Array, actions: Array) -> None:
    """A uniform choice from every mask, so that the driver costs little beside the step."""
    for i in range(states.shape[0]):
        n = 0
        for a in range(mask.shape[1]):
            n += mask[i, a]
        wanted = below(rng, n)
        for a in range(mask.shape[1]):
            if mask[i, a]:
                if wanted == 0:
                    actions[i] = a
                    break
                wanted -= 1


def _batch_steps(game: Game, players: int, threads: int, clock: Callable[[], float]) -> float:
    """Steps a second of the batch: apply, chance, mask and features; the random driver is not counted."""
    batch = Batch(game, _BATCH, {"players": players}, threads=threads)
    out: Buffers = batch.buffers()
    batch.reset(out)
    actions, rng = np.zeros(_BATCH, np.int64), generator(1, POLICY)
    best = 0.0
    for attempt in range(4):
        spent, steps = 0.0, 0
        while spent < (_SECONDS if attempt else 0.1):
            _choose_randomly(batch.states, out.mask, rng, actions)
            start = clock()
            batch.step(actions, out)
            spent += clock() - start
            steps += _BATCH
        best = max(best, steps / spent)
    return best


def _first_decision(game: Game, options: np.ndarray) -> tuple[np.ndarray, int, np.ndarray]:
    """The view of the first seat to act, the seat and its actions."""
    match = Match(game, game.show_options(options), seed=1)
    return match.view(match.actor), match.actor, match.legal()


def _tree_search(game: Game, options: np.ndarray, threads: int, network: PackedNetwork | None = None) -> TreeSearch:
    settings, weights = mcts_settings(game, formula="puct" if network else "uct", rollout="random")
    return TreeSearch(game, int(options[0]), settings, weights, threads, _TREE, network)


def _simulations(game: Game, options: np.ndarray, network: PackedNetwork | None = None) -> float:
    """Simulations a second of one tree from the first decision, with uniform roll-outs to the end or a network."""
    view, seat, legal = _first_decision(game, options)
    tree_search = _tree_search(game, options, 1, network)
    seeds = iter(range(10**9))
    return _best_rate(
        lambda: tree_search.search(view, seat, legal, Budget(100), next(seeds)).simulations, time.process_time
    )


@kernel
def _pass_many(network: Any, workspace: Any, features: Any, legal: Any, count: Any, logits: Any, times: int) -> int:
    """Forward passes for one position after the other."""
    for k in range(times):
        i = k % features.shape[0]
        workspace.features[:] = features[i]
        forward(network, legal[i], count[i], workspace, logits)
    return times


def _pass_microseconds(game: Game, options: np.ndarray, network: PackedNetwork) -> float:
    """CPU microseconds of a forward pass, over decisions of random games."""
    batch = Batch(game, _POSITIONS, game.show_options(options), seed=1)
    out = batch.buffers()
    batch.reset(out)
    rng, actions = generator(2, POLICY), np.zeros(_POSITIONS, np.int64)
    for _ in range(_DEPTH):
        _choose_randomly(batch.states, out.mask, rng, actions)
        batch.step(actions, out)
    legal = np.argsort(1 - out.mask, axis=1, kind="stable")
    count, logits = out.mask.sum(axis=1, dtype=np.int64), np.zeros(game.spec.actions)
    workspace = make_thinking(network)
    return 1e6 / _best_rate(
        lambda: _pass_many(network, workspace, out.features, legal, count, logits, 1000), time.process_time
    )


def _search_speed_up(game: Game, options: np.ndarray) -> float:
    """How many more simulations two trees make than one in the same wall time, the best of three comparisons."""
    view, seat, legal = _first_decision(game, options)
    searches = [_tree_search(game, options, threads) for threads in (1, 2)]
    best = 0.0
    for seed in range(3):
        one, two = (
            tree_search.search(view, seat, legal, Budget(seconds=_SECONDS), seed).simulations
            for tree_search in searches
        )
        best = max(best, two / one)
    return best


def _agents(game: Game, options: np.ndarray) -> Iterator[tuple[str, float]]:
    """CPU milliseconds a decision of the game's own kinds of agents, each on all seats, forced moves aside."""
    for name, kind in game.agents().items():
        if not isinstance(kind, AgentKind) or kind.oracle:
            continue
        spent, decisions, seed = 0.0, -_WARM_UP, 0
        while spent < _SECONDS and decisions < _DECISIONS:
            seed += 1
            match = Match(game, game.show_options(options), seed=seed)
            agents = seat_agents(game, options, [name] * match.players, seed)
            while not match.over and spent < _SECONDS:
                view, legal = match.view(match.actor), match.legal()
                start = time.process_time()
                action = agents[match.actor].choose(view, legal, Clock())
                if len(legal) > 1:
                    decisions += 1
                    if decisions > 0:
                        spent += time.process_time() - start
                match.play(action)
        yield name, 1000 * spent / decisions


def _start_up(game: Game) -> tuple[list[float], list[float]]:
    """CPU seconds of a new process up to its first move, and up to the first answer of `easy` where a game has it.

    With an empty cache, then with a warm one (the best of three). What an answer itself takes is in both.
    """
    program = _START + (_FIRST_ANSWER if _LEVEL in kinds(game) else "")
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-c", program.format(name=game.spec.name, level=_LEVEL)]
        environment = {**os.environ, "LUDENS_CACHE": cache}
        said = [subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE) for _ in range(4)]
    cold, *warm = ([float(line) for line in done.stdout.split()] for done in said)
    return cold, [min(times) for times in zip(*warm, strict=True)]

"""Search agents at the table: legal however short the time, refusing nonsense in a sentence, fair to views."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest

from ludens.agents.codes import kinds, make_agent, parse_code
from ludens.core import kernels, registry
from ludens.core.agent import LEVELS, Agent, Clock, Seating
from ludens.core.errors import BadInput
from ludens.core.rng import generator
from ludens.core.spec import Game
from ludens.play.game import play_game
from ludens.search.budget import Budget
from tests.search.positions import AZUL, DISCOVERY, DUEL, PIG, legal_of, middle_of, view_of

SEARCHES = ("flat", "montecarlo", "expectimax", "alphabeta", "mcts")


def _seated(game: Game, code: str, players: int = 2) -> Agent:
    agent = make_agent(game, code)
    agent.start(Seating(game, game.options({**game.spec.tournament, "players": players}), 0, 1))
    return agent


@pytest.mark.parametrize("name", SEARCHES)
def test_a_clock_that_has_run_out_still_gives_a_legal_move(name: str) -> None:
    state = middle_of(AZUL, 6)
    legal = legal_of(AZUL, state)
    agent = _seated(AZUL, f"{name}:seconds=3600" + (",depth=60" if name in ("expectimax", "alphabeta") else ""))
    agent.choose(state, legal, Clock(0.05))  # compiles
    for seconds in (1e-9, 0.01):
        begun = time.process_time()  # of this process alone: others may keep the machine busy
        assert agent.choose(state, legal, Clock(seconds)) in legal
        assert time.process_time() - begun < seconds + 1.0


@pytest.mark.parametrize(
    ("game", "code", "sentence"),
    [
        (AZUL, "mcts:simulations=0", "mcts:simulations must be from 1 to 1000000000, not 0."),
        (AZUL, "mcts:simulations=-5", "must be from 1"),
        (AZUL, "mcts:simulations=99999999999999", "must be from 1"),
        (AZUL, "mcts:simulations=1.5", "mcts:simulations cannot be '1.5'"),
        (AZUL, "mcts:seconds=0", "mcts:seconds must be from 0.001 to 86400"),
        (AZUL, "mcts:seconds=nan", "must be from 0.001"),
        (AZUL, "mcts:seconds=inf", "must be from 0.001"),
        (AZUL, "mcts:threads=0", "must be from 1 to 256"),
        (AZUL, "mcts:memory=1e9", "must be from 1 to 65536"),
        (AZUL, "expectimax:depth=0", "expectimax:depth must be from 1 to 64, not 0."),
        (AZUL, "expectimax:depth=65", "must be from 1 to 64"),
        (AZUL, "alphabeta:depth=-1", "must be from 1 to 200"),
        (AZUL, "montecarlo:gamma=2", "must be from 0.01 to 1"),
        (PIG, "expectimax:depth=2", "Unknown agent of pig 'expectimax'"),
    ],
)
def test_bad_codes_are_refused_when_they_are_read(game: Game, code: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence.replace("(", r"\(")) as refused:
        make_agent(game, code)
    assert str(refused.value).count(". ") == 0


@pytest.mark.parametrize(
    ("game", "code", "players", "sentence"),
    [
        (AZUL, "mcts:evaluation=nonsense", 2, "Unknown evaluation of azul 'nonsense'; known:"),
        (AZUL, "mcts:evaluation=fited", 2, "did you mean fitted"),
        (AZUL, "expectimax:evaluation=nonsense", 2, "Unknown evaluation of azul"),
        (AZUL, "alphabeta", 3, "Alpha-beta needs two opposed sides; Azul for 3 players has more."),
        (AZUL, "expectimax:pruning=on", 3, "Pruning needs two opposed sides, or minimising opponents"),
        (DISCOVERY, "mcts:evaluation=greedy", 2, "needs expected results, which greedy does not give"),
        (DISCOVERY, "expectimax:evaluation=greedy,pruning=on", 2, "Pruning by greedy needs opponents=paranoid"),
        (PIG, "mcts:evaluation=any", 2, "Pig has no evaluation of unfinished positions"),
        (PIG, "mcts:rollout=cut", 2, "Pig has no evaluation of unfinished positions"),
    ],
)
def test_what_a_game_cannot_take_is_refused_at_the_start(game: Game, code: str, players: int, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        _seated(game, code, players)


@pytest.mark.parametrize(
    ("simulations", "seconds"),
    [(None, None), (0, None), (-1, None), (10**12, None), (None, 0.0), (None, -1.0), (None, 1e9), (None, float("nan"))],
)
def test_bad_budgets_are_refused(simulations: int | None, seconds: float | None) -> None:
    with pytest.raises(BadInput, match=r"budget|must be"):
        Budget(simulations, seconds)


def test_search_agents_of_a_hidden_game_read_the_view_only() -> None:
    """States that differ in what the seat cannot see give the same choice and the same tree."""
    state = middle_of(DUEL, 1, seed=3)
    seat = int(state["current"][0])
    worlds = [state.copy() for _ in range(3)]
    for k, world in enumerate(worlds):
        kernels.determinize_at(view_of(DUEL, state, seat), 0, seat, generator(k), world)
    assert len({world.tobytes() for world in worlds}) > 1
    for name in ("flat", "mcts"):
        choices = set()
        for world in worlds:
            agent = make_agent(DUEL, f"{name}:simulations=200")
            agent.start(Seating(DUEL, DUEL.options({}), seat, 5))
            choices.add(agent.choose(view_of(DUEL, world, seat), legal_of(DUEL, state), Clock()))
        assert len(choices) == 1


@pytest.mark.parametrize("code", ["mcts:simulations=20", "flat:simulations=20", "expectimax:depth=1"])
def test_three_players_play_to_the_end(code: str) -> None:
    options = AZUL.options({"players": 3, "round_limit": 1})
    outcome = play_game(AZUL, options, [code, "random", code], seed=4)
    assert sum(outcome.returns) == pytest.approx(0)


def test_equal_seeds_give_equal_games_with_threads_too() -> None:
    options = AZUL.options({"round_limit": 1})
    codes = ["mcts:simulations=40,threads=2", "mcts:simulations=20"]
    first, again = (play_game(AZUL, options, codes, seed=9) for _ in range(2))
    assert first.choices == again.choices


@pytest.mark.parametrize("game", [registry.game(name) for name in registry.BUILT_IN])
def test_levels_are_searches_of_rising_work_whatever_the_machine(game: Game) -> None:
    found = kinds(game)
    assert list(found)[-len(LEVELS) :] == list(LEVELS)
    levels = [found[name] for name in LEVELS]
    assert all("seconds" not in level.preset for level in levels)
    for weaker, stronger in itertools.pairwise(levels):
        assert stronger.make is not weaker.make or stronger.preset["simulations"] >= 4 * weaker.preset["simulations"]
    codes = [(kind.make, tuple(sorted(kind.preset.items()))) for kind in found.values()]
    assert len(codes) == len(set(codes)), "two names for one agent"


def test_a_level_that_is_told_the_time_is_not_held_to_its_simulations() -> None:
    assert parse_code(AZUL, "hard:seconds=2")[1].get("simulations") is None
    assert parse_code(AZUL, "hard:seconds=2,simulations=7")[1]["simulations"] == 7
    assert parse_code(AZUL, "hard:threads=1")[1]["simulations"] == kinds(AZUL)["hard"].preset["simulations"]


def test_pools_stay_within_the_stated_memory() -> None:
    from ludens.agents.search_settings import mcts_settings
    from ludens.search.mcts import TreeSearch

    for memory in (1, 8, 64):
        tree_search = TreeSearch(AZUL, 2, *mcts_settings(AZUL), threads=2, memory=memory)
        for tree in tree_search.trees:
            size = sum(array.nbytes for array in tree)
            assert 0.5 * memory * 2**20 < size <= memory * 2**20
    state = middle_of(AZUL, 0)
    small = TreeSearch(AZUL, 2, *mcts_settings(AZUL, rollout="random"), memory=1)
    pointers = [array.ctypes.data for array in small.trees[0]]
    for _ in range(2):
        found = small.search(state, 0, legal_of(AZUL, state), Budget(20_000), 1)
        assert found.visits.sum() >= 20_000
    assert pointers == [array.ctypes.data for array in small.trees[0]]
    assert np.all(small.trees[0].used <= [len(small.trees[0].key), len(small.trees[0].action)])

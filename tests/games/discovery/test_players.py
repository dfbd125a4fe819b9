"""The one-step players and the heuristics they use: CD-27 … CD-36."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ludens.agents.codes import kinds, make_agent
from ludens.core import kernels, record
from ludens.core.agent import Agent, Clock, Seating
from ludens.core.errors import BadInput
from ludens.core.jit import plain
from ludens.core.match import Match
from ludens.core.rng import AGENT, generator
from ludens.core.verbs import SPECTATOR
from ludens.games.discovery import GAME
from ludens.games.discovery.players import heuristics
from ludens.games.discovery.players.one_step import ROOM, choose_turn, one_step_game
from ludens.games.discovery.players.settings import GREEDY, POTENTIAL, RANDOM, blank_workspace, make_settings
from ludens.games.discovery.state import DRAWING, FIRST_FOLLOWER, FIRST_REGION, PLACING
from tests.games.discovery import entries
from tests.games.discovery.positions import positions
from tests.games.discovery.slow_heuristics import Reader, standing
from tests.games.discovery.table import Table


def legal_of(state: np.ndarray) -> np.ndarray:
    out = np.zeros(GAME.spec.actions, np.int64)
    return out[: kernels.legal_at(state, 0, out)]


def plan_of(state: np.ndarray, settings: np.ndarray, seed: int = 0) -> tuple[int, int]:
    plan = np.zeros(2, np.int64)
    rng = generator(seed, AGENT)
    room = np.zeros(ROOM, np.int64)
    choose_turn(state, legal_of(state), settings, blank_workspace(), record.blank(GAME.dtype), room, rng, plan)
    return int(plan[0]), int(plan[1])


def after(state: np.ndarray, *actions: int) -> np.ndarray:
    out = state.copy()
    for action in actions:
        kernels.apply_at(out, 0, action)
    return out


def value_of(state: np.ndarray, settings: np.ndarray, p: int) -> float:
    return float(entries.value_at(state, 0, settings, blank_workspace(), p, generator(0, AGENT)))


def all_turns(state: np.ndarray) -> list[tuple[int, int]]:
    """Tile moves in ascending order, follower moves in ascending order within (CD-31)."""
    return [(t, f) for t in legal_of(state).tolist() for f in legal_of(after(state, t)).tolist()]


def seated(code: str, seat: int = 0, seed: int = 1, players: int = 2) -> Agent:
    agent = make_agent(GAME, code)
    agent.start(Seating(GAME, GAME.options({"players": players}), seat, seed))
    return agent


def test_cd_27_an_agent_gives_a_complete_move_in_two_decisions() -> None:
    for state in positions(3, 1, PLACING, every=20):
        seat = int(state["current"][0])
        agent = seated("greedy", seat, players=3)
        tile = agent.choose(state, legal_of(state), Clock())
        assert tile in legal_of(state)
        placed = after(state, tile)
        assert agent.choose(placed, legal_of(placed), Clock()) in legal_of(placed)


def test_cd_28_everything_is_open_to_every_seat() -> None:
    assert not GAME.spec.hidden
    assert GAME.spec.chance
    for state in positions(2, 2, DRAWING, every=25):
        for seat in (SPECTATOR, 0, 1):
            view = record.blank(GAME.dtype)
            kernels.view_at(state, 0, seat, view)
            assert view.tobytes() == state.tobytes()


@pytest.mark.parametrize("heuristic", [GREEDY, POTENTIAL])
def test_cd_29_a_heuristic_gives_a_value_and_a_vector(heuristic: int) -> None:
    settings = make_settings(heuristic)
    for state in positions(4, 3, DRAWING, every=15):
        mover = (int(state["current"][0]) - 1) % 4
        out = np.zeros(4)
        entries.vector_at(state, 0, settings, blank_workspace(), mover, generator(0, AGENT), out)
        assert out[mover] == pytest.approx(value_of(state, settings, mover))
        if heuristic == GREEDY:
            assert out.tolist() == [value_of(state, settings, p) for p in range(4)]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_cd_30_the_greedy_player_takes_the_first_best_of_all_turns(players: int) -> None:
    settings = make_settings(GREEDY)
    for state in positions(players, 10 + players, PLACING, every=9):
        if state["deck_left"][0] == 0:
            continue
        p = int(state["current"][0])
        values = {turn: value_of(after(state, *turn), settings, p) for turn in all_turns(state)}
        assert plan_of(state, settings) == max(values, key=lambda turn: values[turn])


def test_cd_30_the_potential_player_takes_a_best_turn() -> None:
    settings = make_settings(POTENTIAL)
    for state in positions(2, 20, PLACING, every=11):
        if state["deck_left"][0] == 0:
            continue
        p = int(state["current"][0])
        values = {turn: value_of(after(state, *turn), settings, p) for turn in all_turns(state)}
        assert values[plan_of(state, settings)] == pytest.approx(max(values.values()), abs=1e-9)


def test_cd_31_the_order_is_deterministic_and_random_ties_can_be_had() -> None:
    table = Table()
    table.draw("D66")  # mountains on all sides: east or west of the start tile is the same
    state = table.state
    first = {plan_of(state, make_settings(GREEDY), seed) for seed in range(20)}
    assert len(first) == 1
    drawn = {plan_of(state, make_settings(GREEDY, random_ties=True), seed) for seed in range(300)}
    values = {turn: value_of(after(state, *turn), make_settings(GREEDY), 0) for turn in all_turns(state)}
    best = {turn for turn, value in values.items() if value == max(values.values())}
    assert len(best) > 1
    assert drawn == best
    assert first == {min(best)}


def test_cd_31_the_kept_follower_move_equals_the_one_chosen_from_the_view_alone() -> None:
    for code in ("greedy", "potential"):
        for state in positions(2, 30, PLACING, every=13):
            seat = int(state["current"][0])
            agent, stranger = seated(code, seat), seated(code, seat)
            placed = after(state, agent.choose(state, legal_of(state), Clock()))
            kept = agent.choose(placed, legal_of(placed), Clock())
            assert kept == stranger.choose(placed, legal_of(placed), Clock())


def test_cd_31_a_plan_is_dropped_when_another_tile_was_placed() -> None:
    state = next(iter(positions(2, 31, PLACING, every=30)))
    agent, stranger = seated("greedy"), seated("greedy")
    tile = agent.choose(state, legal_of(state), Clock())
    other = next(a for a in legal_of(state).tolist()[::-1] if a != tile)
    placed = after(state, other)
    assert agent.choose(placed, legal_of(placed), Clock()) == stranger.choose(placed, legal_of(placed), Clock())


def test_cd_32_the_random_heuristic_chooses_uniformly_among_whole_turns_and_is_seeded() -> None:
    state = next(iter(positions(2, 5, PLACING)))
    turns = all_turns(state)
    counts = dict.fromkeys(turns, 0)
    for seed in range(40 * len(turns)):
        counts[plan_of(state, make_settings(RANDOM), seed)] += 1
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4
    assert plan_of(state, make_settings(RANDOM), 7) == plan_of(state, make_settings(RANDOM), 7)


def test_cd_33_greedy_counts_points_and_followers_as_they_are_worth_now() -> None:
    settings = make_settings(GREEDY)
    for players in (2, 4):
        for state in positions(players, 6, DRAWING, every=7):
            reader = Reader(state)
            for p in range(players):
                assert value_of(state, settings, p) == pytest.approx(reader.greedy(p), abs=1e-12)


@pytest.mark.parametrize(
    ("worth", "values"),
    [
        ([10, 7], [1.003, -0.003]),
        ([5, 5], [1.0, 1.0]),
        ([9, 4, 6], [2.003, -0.002, 0.997]),
        ([6, 6, 2], [2.0, 2.0, -0.004]),
        ([1, 8, 8, 3], [-0.002, 3.0, 3.0, 0.995]),
    ],
)
def test_cd_34_rank_first_then_the_gap(worth: list[float], values: list[float]) -> None:
    for p, expected in enumerate(values):
        assert plain(heuristics.standing)(np.array(worth, float), len(worth), p) == pytest.approx(expected)
        assert standing(worth, p) == pytest.approx(expected)


def last_turn() -> Table:
    """Seat 0 has a follower on a closed grassland of four tiles (8 now, 4 at the end) and the last tile in hand."""
    table = Table()
    table.turn("D06", 1, 0, follower=1)
    for name, x, y, turns in (("D06", 2, 0, 3), ("D34", 1, 1, 3), ("D35", 2, 1, 2)):
        table.turn(name, x, y, turns)
    table.empty_deck(["D66"])
    table.draw("D66")
    return table


def test_cd_35_terminal_aware_values_the_final_scoring() -> None:
    table = last_turn()
    aware = plan_of(table.state, make_settings(GREEDY, terminal_aware=True))
    assert aware[1] == FIRST_FOLLOWER, "8 points now instead of 4 at the end"
    unaware = plan_of(table.state, make_settings(GREEDY))
    assert after(table.state, *aware)["score"][0, 0] > after(table.state, *unaware)["score"][0, 0]


def test_cd_36_greedy_does_not_look_at_the_board() -> None:
    """Followers on regions of equal present worth are equal to it, however much one of them may still grow."""
    table = Table()
    table.draw("D63")
    table.place(0, 1)
    settings = make_settings(GREEDY)
    lake, mountain = (after(table.state, FIRST_REGION + k) for k in (0, 1))
    assert value_of(lake, settings, 0) == value_of(mountain, settings, 0)
    assert value_of(mountain, make_settings(POTENTIAL), 0) > value_of(lake, make_settings(POTENTIAL), 0)


def test_agents_are_made_from_codes_and_bad_parameters_are_refused() -> None:
    assert {"random", "random-turn", "greedy", "potential"} <= set(kinds(GAME))
    make_agent(GAME, "potential:weighting=plain,cities=deck,aV_sea=0.5,ties=random,terminal_aware=on")
    for code, reason in (
        ("greedy:ties=maybe", "first, random"),
        ("potential:aV_lake=1", "did you mean"),
        ("potential:aV_sea=nan", "cannot be 'nan'"),
        ("greedy:depth=2", "parameter of agent greedy"),
    ):
        with pytest.raises(BadInput, match=reason):
            make_agent(GAME, code)


@pytest.mark.parametrize("code", ["random-turn", "greedy", "potential"])
def test_a_match_played_by_agents_equals_the_batch_kernel(code: str) -> None:
    """The kernel for whole games draws and chooses as a match with two agents does."""
    match = Match(GAME, {"players": 2}, seed=77)
    agents = [seated(code, seat, seed=77) for seat in range(2)]
    while not match.over:
        match.play(agents[match.actor].choose(match.view(match.actor), match.legal(), Clock()))
    heuristic = {"random-turn": RANDOM, "greedy": GREEDY, "potential": POTENTIAL}[code]
    state, settings = record.blank(GAME.dtype), np.concatenate([make_settings(heuristic)] * 2)
    kernels.reset_at(state, 0, GAME.options({"players": 2}))
    rngs = np.array([generator(77, AGENT, seat) for seat in range(2)])
    legal, room = np.zeros(GAME.spec.actions, np.int64), np.zeros(ROOM, np.int64)
    scratch = record.blank(GAME.dtype)
    one_step_game(state, settings, blank_workspace(), scratch, legal, room, generator(77, 0), rngs)
    assert state.tobytes() == match.state().tobytes()


def test_no_agent_is_worse_than_random() -> None:
    for code in ("greedy", "potential"):
        totals = np.zeros(2)
        for seed in range(6):
            match = Match(GAME, {"players": 2}, seed=seed)
            players = [seated(code, 0, seed), seated("random-turn", 1, seed)]
            while not match.over:
                match.play(players[match.actor].choose(match.view(match.actor), match.legal(), Clock()))
            totals += match.scores()
        assert totals[0] > 3 * totals[1]

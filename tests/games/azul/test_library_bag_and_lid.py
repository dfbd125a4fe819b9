"""Azul's library interface: a decoded position has the right tiles in bag and lid (AZ-9, AZ-12, AZ-70, AZ-72)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from ludens.agents.analysis import analyse_view
from ludens.agents.codes import make_agent
from ludens.core import kernels
from ludens.core.rng import generator, pick
from ludens.games.azul import GAME, phases
from ludens.games.azul.library import AzulGame, Centre, IllegalOperation, Phase, Position, Tiles, encode_centre
from tests.games.azul.library_games import SETTINGS, random_game, random_step, started


def mid_game(seed: int = 3) -> AzulGame:
    """Two players late in the third round, seat 0 to take: tiles in the bag and in the lid."""
    game, random = started(seed=seed), Random(seed)
    while not (
        game.round_number == 3
        and game.phase is Phase.TAKING
        and game.current == 0
        and sum(game.centre.counts) + sum(sum(factory.counts) for factory in game.factories) <= 12
    ):
        random_step(game, random)
    assert game.bag.total == 40
    assert game.lid.total > 5
    return game


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_az_70_with_the_true_lid_bag_and_lid_are_those_of_the_game(players: int, grey: bool) -> None:
    with_lid, refilled, last = 0, 0, 100
    for game in random_game(players, grey, seed=players):
        if game.phase is Phase.OVER:
            break
        decoded = Position.decode(game.encode(), grey, lid=game.lid)
        assert (decoded.bag, decoded.lid) == (game.bag, game.lid)
        as_numbers = Position.decode(game.encode(), grey, lid=game.lid.counts)
        assert (as_numbers.bag, as_numbers.lid) == (game.bag, game.lid)
        with_lid += game.lid.total > 0
        refilled += game.bag.total > last
        last = game.bag.total
    assert with_lid > 20
    assert refilled > 0, "the lid has gone back into the bag"


def test_az_70_unseen_tiles_are_in_the_bag_unless_the_lid_is_given() -> None:
    game = mid_game()
    decoded = Position.decode(game.encode())
    everything = game.bag
    everything.merge(game.lid)
    assert decoded.bag == everything
    assert decoded.lid.total == 0
    first = started(seed=8)
    assert Position.decode(first.encode()).bag == first.bag, "a first round has no lid yet"


def test_az_72_tiles_of_boards_left_out_count_as_unseen() -> None:
    game = mid_game()
    other = game.players[1]
    hidden = Tiles.of([0] * 5)
    for tile in [*other.floor, *(cell for row in other.wall for cell in row)]:
        if 0 <= tile < 5:
            hidden.add(tile)
    for line in other.lines:
        if line.count:
            hidden.add(line.colour, line.count)
    alone = Position.decode(game.encode(others=False), lid=game.lid)
    hidden.merge(game.bag)
    assert (alone.bag, alone.lid) == (hidden, game.lid)


@pytest.mark.parametrize("wrong", [(21, 0, 0, 0, 0), (-1, 0, 0, 0, 0), (0, 0, 0, 0), (0.0,) * 5, ("1",) * 5])
def test_counts_of_the_lid_that_do_not_fit_are_refused(wrong: Sequence[int]) -> None:
    with pytest.raises(IllegalOperation, match="in the lid"):
        Position.decode(mid_game().encode(), lid=wrong)


def test_one_tile_too_many_in_the_lid_is_refused_with_the_number() -> None:
    game = mid_game()
    lid = list(game.lid.counts)
    lid[2] += game.bag.count(2) + 1
    with pytest.raises(
        IllegalOperation, match=f"red tiles in the lid must be a whole number from 0 to {lid[2] - 1}, not"
    ):
        Position.decode(game.encode(), lid=lid)


def test_az_9_a_position_with_more_tiles_than_the_box_is_refused() -> None:
    game = started(seed=8)
    vector = game.encode()
    blue = sum(factory.count(0) for factory in game.factories)
    vector[5], _ = encode_centre(Centre((20 - blue, 0, 0, 0, 0)))
    assert Position.decode(vector).bag.count(0) == 0
    vector[5] += 1
    with pytest.raises(IllegalOperation, match="20 blue tiles, but this position shows 21"):
        Position.decode(vector)


def tables(states: np.ndarray, seed: int) -> list[bytes]:
    """Random play to the end: all tiles and scores before every take and every draw."""
    chance, choices, legal = generator(seed, 1), generator(seed, 2), np.zeros(GAME.spec.actions, np.int64)
    found = []
    while states["phase"][0] != phases.OVER:
        if states["phase"][0] != phases.PLACING:  # the order of tiling is outside the vector, and without effect
            s = states[0]
            found.append(b"".join(field.tobytes() for field in (s.bag, s.lid, s.sources, s.wall, s.score)))
        if states["phase"][0] == phases.DEALING:
            action = int(kernels.draw_at(states, 0, chance))
        else:
            n = kernels.legal_at(states, 0, legal)
            action = int(legal[pick(choices, n) if states["phase"][0] == phases.TAKING else 0])
        kernels.apply_at(states, 0, action)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_a_decoded_position_deals_what_the_game_deals(seed: int) -> None:
    game = mid_game(seed)
    decoded = Position.decode(game.encode(), lid=game.lid)
    deals = tables(game.state(), seed)
    assert tables(decoded.state(), seed) == deals
    assert len(deals) > 60, "several rounds, with the lid back in the bag"
    assert tables(Position.decode(game.encode()).state(), seed) != deals, "without the lid's counts it may differ"


def test_a_search_plans_with_the_tiles_that_are_left() -> None:
    game = mid_game()
    decoded = Position.decode(game.encode(), lid=game.lid)
    guessed = Position.decode(game.encode())
    true, same, other = (analyse_view(GAME, p.state(), 0, simulations=400).to_json() for p in (game, decoded, guessed))
    assert same == true
    assert other != true, "the lid's tiles would come too early"
    before = decoded.state().tobytes()
    move = decoded.ask(make_agent(GAME, "mcts:simulations=200"), seed=5)
    assert move == game.ask(make_agent(GAME, "mcts:simulations=200"), seed=5)
    assert decoded.can_move(move)
    assert decoded.state().tobytes() == before


def test_the_next_deal_draws_from_the_bag_that_was_restored() -> None:
    game = mid_game()
    states = Position.decode(game.encode(), lid=game.lid).state()
    legal, rng = np.zeros(GAME.spec.actions, np.int64), generator(4)
    while states["phase"][0] != phases.DEALING:
        kernels.legal_at(states, 0, legal)
        kernels.apply_at(states, 0, int(legal[0]))
    outcomes, weights = np.zeros(GAME.spec.outcomes, np.int64), np.zeros(GAME.spec.outcomes)
    n = kernels.chance_at(states, 0, outcomes, weights)
    shares = dict(zip(outcomes[:n].tolist(), weights[:n].tolist(), strict=True))
    assert shares == {colour: count / 40 for colour, count in enumerate(game.bag.counts) if count}
    while states["phase"][0] == phases.DEALING:
        kernels.apply_at(states, 0, int(kernels.draw_at(states, 0, rng)))
    dealt = states["sources"][0].sum(axis=0)
    assert dealt.sum() == 20
    assert states["bag"][0].tolist() == (np.array(game.bag.counts) - dealt).tolist()

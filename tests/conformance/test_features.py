"""Features over all games: named blocks that fill the vector and nothing beyond."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.core.registry import games
from ludens.core.spec import Block, Game, split
from ludens.core.verbs import SPECTATOR
from tests.conformance.cases import Case, over_cases, sample_nodes
from tests.conformance.test_contract import seen_by


@over_cases
def test_blocks_are_named_described_and_fill_the_vector(case: Case) -> None:
    spec = case.game.spec
    blocks = spec.blocks(case.values)
    assert all(block.name.isidentifier() and block.help and block.size > 0 for block in blocks)
    assert len({block.name for block in blocks}) == len(blocks)
    size = spec.observation_size(case.values)
    assert size == sum(block.size for block in blocks)
    assert spec.features_version >= 1
    beyond = np.full(size + 50, 77, np.float32)
    for node in sample_nodes(case, seed=90, every=29):
        for seat in range(SPECTATOR, case.players):
            kernels.observe_at(seen_by(case, node.state, seat), 0, seat, beyond[:size])
            assert (beyond[size:] == 77).all()


def test_split_gives_views_of_any_batch_and_refuses_what_does_not_fit() -> None:
    blocks = (Block("a", (2,), "x"), Block("b", (2, 3), "y"))
    features = np.arange(24, dtype=np.float32).reshape(3, 8)
    found = split(features, blocks)
    assert {name: part.shape for name, part in found.items()} == {"a": (3, 2), "b": (3, 2, 3)}
    assert found["b"][1].tolist() == [[10, 11, 12], [13, 14, 15]]
    found["b"][1, 0, 0] = -1
    assert features[1, 2] == -1
    assert split(features[0], blocks)["a"].tolist() == [0, 1]
    with pytest.raises(BadInput, match="blocks take 8 numbers"):
        split(features[:, :7], blocks)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.spec.name)
def test_a_game_of_the_page_looks_to_a_network_as_one_of_a_tournament(game: Game) -> None:
    """Networks learn and are judged by tournaments, whose games have a limit; people play without one."""
    matches = [Match(game, seed=3), Match(game, game.spec.tournament, seed=3)]
    seen = np.zeros((2, game.spec.observation_size(matches[0].options)), np.float32)
    for _ in range(150):
        if matches[0].over:
            break
        seat = matches[0].actor
        for match, features in zip(matches, seen, strict=True):
            kernels.observe_at(match.view(seat), 0, seat, features)
        assert (seen[0] == seen[1]).all()
        action = int(matches[0].legal()[-1])
        for match in matches:
            match.play(action)

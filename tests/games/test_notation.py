"""Positions as text: everything that can happen comes back the same, and what cannot be is refused with the reason."""

from __future__ import annotations

import numpy as np
import pytest

from ludens import Match
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.positions import position_from_notation, position_to_notation
from ludens.core.spec import Game

GAMES = [pytest.param(name, players) for name in registry.BUILT_IN for players in registry.game(name).spec.players]


def positions(game: Game, players: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """(options, state) of a random game, chance nodes left out."""
    rng = np.random.default_rng(seed)
    match = Match(game, players=players, seed=seed)
    found = [(match.options, match.state().copy())]
    while not match.over and len(found) < 400:
        legal = match.legal()
        match.play(int(rng.choice(legal)))
        found.append((match.options, match.state().copy()))
    return found


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_position_of_a_game_comes_back_the_same(name: str, players: int) -> None:
    game = registry.game(name)
    for number, (options, state) in enumerate(positions(game, players, seed=players)):
        if number % 7 and number > 10:
            continue
        text = position_to_notation(game, options, state)
        again, given, back = position_from_notation(text)
        assert again is game
        assert given.tolist() == options.tolist()
        tidy = state.copy()
        game.text.notation().tidy(tidy[0])
        assert back.tobytes() == tidy.tobytes(), text


@pytest.mark.parametrize("name", list(registry.BUILT_IN))
def test_a_game_goes_on_from_its_text_as_it_did(name: str) -> None:
    rng = np.random.default_rng(1)
    match = Match(name, seed=3)
    while match.ply < 60 and not match.over:
        match.play(int(rng.choice(match.legal())))
    again = Match.from_notation(match.notation(), seed=1)
    assert again.legal().tolist() == match.legal().tolist()
    assert again.scores() == match.scores()
    assert again.view(match.actor).tobytes() == Match.from_notation(again.notation()).view(match.actor).tobytes()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("chess", "game/version:options"),
        ("azul/9:", "version 1, not 9"),
        ("go/1:", "go"),
        ("azul/1:;walls=....", "no game has such|2 signs or rows|cannot be read"),
        ("azul/1:;spin=1", "no part 'spin'"),
        ("azul/1:;round=1;round=2", "twice"),
        ("azul/1:;round=99999", "too large"),
        ("azul/1:;round=x", "cannot be read"),
        ("azul/1:;phase=take;factories=B4,B4,B4,B4,B4;bag=B20", "not possible"),
        ("azul/1:;phase=take;factories=Q4,-,-,-,-", "'Q4' is not one of BYRKW"),
        ("azul/1:;.bag=1*999999", "is not a number"),
        ("discovery/1:;tiles=D01@5.5", "tile 2 does not fit where it lies"),
        ("discovery/1:;tiles=D01@0.1,D01@0.2,D01@0.3,D01@0.4,D01@0.5", "does not fit|more tiles than in the box"),
        ("discovery/1:;followers=9.0,-", "there is no region 9.0"),
        ("catan/1:;hands=B30,-,-,-", "more cards than in the box"),
        ("catan/1:;settlements=1,1,-,-", "place 1 is taken twice"),
        ("catan/1:;terrain=DDDDDDDDDDDDDDDDDDD", "terrain"),
        ("scotland_yard/1:;detectives=1,2", "there are 5 detectives"),
        ("scotland_yard/1:;mrx=300", "there is no station 300"),
        ("scotland_yard_grid/1:;log=z", "is not a ticket"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        position_from_notation(text)


def test_what_people_write_by_hand_is_filled_up() -> None:
    text = (
        "azul/1:;phase=take;factories=B4,Y4,R4,K4,W4;bag=B16Y16R16K16W16;scores=3,5;lines=.....,.....;"
        "walls=...../...../...../...../.....,...../...../...../...../....."
    )
    match = Match.from_notation(text, ["Ada", "Bea"], seed=1)
    assert match.scores() == [3, 5]
    assert len(match.legal()) == 5 * 6
    assert match.actor == 0


def test_the_seat_that_may_not_see_it_is_not_told_by_the_text() -> None:
    match = Match("catan", seed=3)
    rng = np.random.default_rng(2)
    while match.ply < 80:
        match.play(int(rng.choice(match.legal())))
    with pytest.raises(BadInput, match="hidden"):
        Match.from_position("catan", {}, match.view(0))

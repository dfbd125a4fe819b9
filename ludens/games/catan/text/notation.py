"""Catan: a position as one line of text (docs/positions.md)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.notation import Notation, Part, bags, choice, number, numbers, symbols
from ludens.games.catan import phases
from ludens.games.catan.rules.invariants import derive_pieces
from ludens.games.catan.state import (
    BANK_CARDS,
    DECK,
    DESERT,
    EDGES,
    GENERIC,
    LARGEST_ARMY_MINIMUM,
    LONGEST_ROAD_MINIMUM,
    MAX_PLAYERS,
    NOBODY,
    UNLIMITED,
    VERTICES,
    Catan,
)

__all__ = ["notation"]

_RESOURCES = "BLWGO"  # brick, lumber, wool, grain, ore
_CARDS = "KVRPM"  # knight, victory point, road building, year of plenty, monopoly


def _players(s: Catan) -> int:
    return int(s.players)


def _owned(name: str, field: str, first: int, places: int) -> Part:
    """Of every seat the vertices or edges where `field` holds `first` + the seat."""

    def write(s: Catan) -> str:
        owners = s[field]
        seats = (np.flatnonzero(owners == first + p).tolist() for p in range(int(s.players)))
        return ",".join(".".join(map(str, owned)) or "-" for owned in seats)

    def read(s: Catan, text: str) -> None:
        seats = text.split(",")
        if len(seats) != int(s.players):
            raise ValueError(f"there are {int(s.players)} players")
        for p, seat in enumerate(seats):
            for place in [] if seat == "-" else seat.split("."):
                if not 0 <= int(place) < places:
                    raise ValueError(f"places are numbered 0 to {places - 1}")
                if s[field][int(place)] != NOBODY:
                    raise ValueError(f"place {place} is taken twice")
                s[field][int(place)] = first + p

    return Part(name, write, read)


def _derive(s: Catan, begun: Catan) -> None:
    """Pieces, cards and points are counted; hands are public as far as no theft is given (CA-20)."""
    players = int(s.players)
    derive_pieces(s)
    s.sources[:] = NOBODY
    for number_of in range(2, 13):
        hexes = np.flatnonzero(s.number == number_of)[:2]
        s.sources[number_of, : len(hexes)] = hexes
    if begun.bank[0] != UNLIMITED:
        s.bank = BANK_CARDS - s.hand.sum(axis=0)
    s.count = s.hand.sum(axis=1)
    s.counted = s.hand
    s.card_count = s.cards.sum(axis=1)
    s.fresh_count = s.fresh.sum()
    s.deck = DECK - s.cards.sum(axis=0) - s.played
    s.deck_count = s.deck.sum()
    if (s.bank < 0).any() or (s.deck < 0).any():
        raise ValueError("there are more cards than in the box (CA-9, CA-10)")
    s.placed = min(2 * players, int((s.building != NOBODY).sum()))
    if s.robber == NOBODY and (s.terrain == DESERT).any():
        s.robber = int(np.flatnonzero(s.terrain == DESERT)[0])
    s.rolled = int(s.die.any())
    s.turn_number = max(s.turn_number, s.phase > phases.PLACE_ROAD)
    _count_points(s, "road_holder", _holder(s.road_length[:players], LONGEST_ROAD_MINIMUM))
    _count_points(s, "army_holder", _holder(s.army[:players], LARGEST_ARMY_MINIMUM))


def _holder(lengths: np.ndarray, least: int) -> int:
    best = int(lengths.max())
    return int(lengths.argmax()) if best >= least and (lengths == best).sum() == 1 else NOBODY


def _count_points(s: Any, holder: str, seat: int) -> None:
    s[holder] = seat
    for p in range(int(s.players)):
        s.visible[p] = (
            (s.building == p).sum()
            + 2 * (s.building == MAX_PLAYERS + p).sum()
            + 2 * (int(s.road_holder) == p)
            + 2 * (int(s.army_holder) == p)
        )
        if s.turn_number > p:  # otherwise the bound is that of the beginning
            s.most_victory[p] = max(0, s.goal - 1 - s.visible[p])


def _award(name: str, holder: str) -> Part:
    """Who has a card for two points: where two are equal, it stays with the one who was first (CA-16, CA-17)."""

    def read(s: Catan, text: str) -> None:
        _count_points(s, holder, NOBODY if text == "-" else int(text) - 1)

    return Part(name, lambda s: "-" if s[holder] == NOBODY else str(int(s[holder]) + 1), read, follows=True)


def _tidy(s: Catan) -> None:
    """What was kept of thefts that are decided, and the place of the last first road, are read no more."""
    for name in ("thief", "robbed", "stolen", "could", "before", "least"):
        s[name][int(s.thefts) :] = 0
    for name in ("cleared_kind", "cleared_after", "monopolist", "cleared"):
        s[name][int(s.clearings) :] = 0
    s.least[: int(s.thefts), int(s.players) :] = 0
    if s.phase != phases.PLACE_ROAD:
        s.site = 0


def notation() -> Notation:
    """Resources and terrains B L W G O (brick, lumber, wool, grain, ore), D for the desert; seats counted from 1."""
    terrain = {**dict(enumerate(_RESOURCES)), DESERT: "D"}
    return Notation(
        parts=(
            choice("phase", "phase", [phase.replace(" ", "-") for phase in phases.PHASES]),
            number("turn_number", "turn_number"),
            number("turn", "current", first=1),
            symbols("terrain", "terrain", terrain),
            numbers("tokens", "number"),
            symbols("harbours", "harbour", {**dict(enumerate(_RESOURCES)), GENERIC: "3"}),
            number("robber", "robber", NOBODY),
            _owned("settlements", "building", 0, VERTICES),
            _owned("cities", "building", MAX_PLAYERS, VERTICES),
            _owned("roads", "road", 0, EDGES),
            bags("hands", "hand", _RESOURCES, last=_players),
            bags("cards", "cards", _CARDS, last=_players),
            bags("fresh", "fresh", _CARDS),
            bags("played", "played", _CARDS),
            numbers("armies", "army", _players),
            numbers("dice", "die"),
            _award("longest_road", "road_holder"),
            _award("largest_army", "army_holder"),
        ),
        derive=_derive,
        tidy=_tidy,
    )

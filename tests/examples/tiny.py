"""Pig, a complete game in one file: roll a die and add it up, or hold; a one loses the turn's points."""

from __future__ import annotations

from ludens.core.errors import BadInput
from ludens.core.jit import rule
from ludens.core.record import Position, int8, int16, layout
from ludens.core.rng import below
from ludens.core.spec import Block, Game, GameSpec, Option
from ludens.core.verbs import CHANCE, TERMINAL, Rules
from ludens.core.words import Words

DECIDE, ROLLING, OVER = range(3)
ROLL, HOLD = range(2)


class Pig(Position):
    current = int8()  # seat to act
    target = int16()  # points that win
    turns_left = int16()  # keeps the game finite
    pot = int16()  # points of this turn, not yet held
    score = int16(4)


DTYPE = layout("pig", Pig)


@rule
def reset(s, options):
    s.players = options[0]
    s.target = options[1]
    s.turns_left = 100 * options[0]
    s.phase = DECIDE


@rule
def actor(s):
    return TERMINAL if s.phase == OVER else CHANCE if s.phase == ROLLING else int(s.current)


@rule
def legal(s, out):
    out[0], out[1] = ROLL, HOLD
    return 2 if s.phase == DECIDE else 0


@rule
def chance(s, outcomes, weights):
    if s.phase != ROLLING:
        return 0
    for side in range(6):
        outcomes[side] = side
        weights[side] = 1 / 6
    return 6


@rule
def draw(s, rng):
    return below(rng, 6)


@rule
def apply(s, a):
    if s.phase == DECIDE and a == ROLL:
        s.phase = ROLLING
        return
    if s.phase == ROLLING and a > 0:  # outcome 0 is a one
        s.pot += a + 1
        s.phase = DECIDE
        return
    s.score[s.current] += s.pot if s.phase == DECIDE else 0
    s.pot = 0
    s.turns_left -= 1
    s.phase = OVER if s.score[s.current] >= s.target or s.turns_left == 0 else DECIDE
    s.current = (s.current + 1) % s.players


@rule
def scores(s, out):
    for p in range(s.players):
        out[p] = s.score[p]


@rule
def returns(s, out):
    best, winners = 0, 0
    for p in range(s.players):
        best = max(best, int(s.score[p]))
    for p in range(s.players):
        winners += 1 if s.score[p] == best else 0
    for p in range(s.players):
        share = 1 / winners if s.score[p] == best else 0.0
        out[p] = (int(s.players) * share - 1) / (int(s.players) - 1) if s.phase == OVER else 0.0


@rule
def observe(v, seat, out):
    out[0] = v.pot / v.target
    for p in range(v.players):
        out[1 + p] = v.score[(max(seat, 0) + p) % v.players] / v.target


MOVES = ("roll", "hold")


def events(before, a, after):
    text = f"a {a + 1}" if before.phase == ROLLING else MOVES[a]
    return [{"kind": "pig", "seat": int(before.current), "text": text}]


def action_from_text(s, text):
    if text not in MOVES:
        raise BadInput(f"Say roll or hold, not {text!r}.")
    return MOVES.index(text)


WORDS = Words(
    action_to_text=lambda s, a: MOVES[a],
    action_from_text=action_from_text,
    action_to_json=lambda s, a: {"do": MOVES[a]},
    action_from_json=lambda s, data: action_from_text(s, data.get("do")),
    chance_to_text=lambda s, outcome: f"a {outcome + 1}",
    position_to_text=lambda v: f"pot {int(v.pot)}, score {v.score[: v.players].tolist()}",
    position_to_json=lambda v: {"pot": int(v.pot), "score": v.score[: v.players].tolist()},
    refusal=lambda s, a: "The die is rolling.",
    events=events,
    narrate=lambda event, names: f"{names[event['seat']]}: {event['text']}",
)

GAME = Game(
    spec=GameSpec("pig", "Pig", 1, "Roll on or hold.", (2, 3, 4), 2, chance=True, hidden=False, actions=2, outcomes=6,
                  blocks=lambda o: (Block("pot", (1,), "÷ target"), Block("scores", (int(o[0]),), "÷ target")),
                  longest=lambda o: 100 * int(o[0]) * (2 + int(o[1])),
                  options=(Option("target", "points that win", 50, low=10, high=500),)),
    dtype=DTYPE,
    rules=Rules(reset, actor, legal, chance, draw, apply, returns, scores, observe),
    text=WORDS,
    agents=dict,
)  # fmt: skip

"""Duel, a small game with hidden cards and hidden moves.

Nine cards, three dealt to each of 2–3 players. In each of three rounds every player in turn lays a
card face down; then all are turned over and the highest takes the round. Hands, face-down cards and
the rest of the deck are hidden.
"""

from __future__ import annotations

from ludens.core.errors import BadInput
from ludens.core.jit import rule
from ludens.core.record import Position, int8, layout
from ludens.core.rng import below
from ludens.core.spec import Block, Game, GameSpec
from ludens.core.verbs import CHANCE, SPECTATOR, TERMINAL, UNKNOWN, Rules
from ludens.core.words import Words

CARDS, HAND, MAX_PLAYERS = 9, 3, 3
DEALING, LAYING, OVER = range(3)
NONE = -1


class Duel(Position):
    current = int8()
    dealt = int8()  # cards dealt so far
    hand = int8(MAX_PLAYERS, HAND)  # hidden: cards in the order dealt, NONE once laid
    laid = int8(MAX_PLAYERS)  # hidden until turned over: the card face down, or NONE
    cards_left = int8(MAX_PLAYERS)  # open: how many cards a hand holds
    seen = int8(CARDS)  # open: 1 for cards turned over
    score = int8(MAX_PLAYERS)


DTYPE = layout("duel", Duel)


@rule
def reset(s, options):
    s.players = options[0]
    s.phase = DEALING
    for p in range(MAX_PLAYERS):
        s.laid[p] = NONE
        for k in range(HAND):
            s.hand[p, k] = NONE


@rule
def actor(s):
    return TERMINAL if s.phase == OVER else CHANCE if s.phase == DEALING else int(s.current)


@rule
def in_deck(s, card):
    for p in range(MAX_PLAYERS):
        if s.laid[p] == card:
            return False
        for k in range(HAND):
            if s.hand[p, k] == card:
                return False
    return s.seen[card] == 0


@rule
def chance(s, outcomes, weights):
    n = 0
    if s.phase == DEALING:
        for card in range(CARDS):
            if in_deck(s, card):
                outcomes[n] = card
                n += 1
        for k in range(n):
            weights[k] = 1 / n
    return n


@rule
def draw(s, rng):
    ticket = below(rng, CARDS - int(s.dealt))
    for card in range(CARDS):
        if in_deck(s, card):
            if ticket == 0:
                return card
            ticket -= 1
    return NONE


@rule
def legal(s, out):
    n = 0
    if s.phase == LAYING:
        for card in range(CARDS):
            for k in range(HAND):
                if s.hand[s.current, k] == card:
                    out[n] = card
                    n += 1
    return n


@rule
def apply(s, a):
    if s.phase == DEALING:
        p = int(s.dealt) % int(s.players)
        s.hand[p, int(s.dealt) // int(s.players)] = a
        s.cards_left[p] += 1
        s.dealt += 1
        if s.dealt == HAND * s.players:
            s.phase = LAYING
        return
    p = int(s.current)
    for k in range(HAND):
        if s.hand[p, k] == a:
            s.hand[p, k] = NONE
    s.laid[p] = a
    s.cards_left[p] -= 1
    s.current = (p + 1) % s.players
    if s.current == 0:
        _turn_over(s)


@rule
def _turn_over(s):
    best = 0
    for p in range(s.players):
        s.seen[s.laid[p]] = 1
        if s.laid[p] > s.laid[best]:
            best = p
    for p in range(s.players):
        s.laid[p] = NONE
    s.score[best] += 1
    if s.cards_left[0] == 0:
        s.phase = OVER


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
def view(s, seat, out):
    out[0] = s
    v = out[0]
    for p in range(s.players):
        if p != seat:
            if v.laid[p] != NONE:
                v.laid[p] = UNKNOWN
            # Which place of a hand is empty tells when that card was dealt: hide it, keep the number.
            for k in range(HAND):
                v.hand[p, k] = UNKNOWN


@rule
def determinize(v, seat, rng, out):
    out[0] = v
    s = out[0]
    # Empty the hidden places, so that `in_deck` counts every card not known to be elsewhere.
    for p in range(s.players):
        if p != seat:
            for k in range(HAND):
                s.hand[p, k] = NONE
    free = 0
    for card in range(CARDS):
        if in_deck(s, card):
            free += 1
    for p in range(s.players):
        if p != seat:
            for k in range(s.cards_left[p]):
                s.hand[p, k] = _nth_free(s, below(rng, free))
                free -= 1
            if s.laid[p] == UNKNOWN:
                s.laid[p] = _nth_free(s, below(rng, free))
                free -= 1


@rule
def _nth_free(s, n):
    for card in range(CARDS):
        if in_deck(s, card):
            if n == 0:
                return card
            n -= 1
    return NONE


@rule
def observe(v, seat, out):
    out[:] = 0.0
    for card in range(CARDS):
        out[card] = v.seen[card]
        if seat != SPECTATOR:
            for k in range(HAND):
                if v.hand[seat, k] == card:
                    out[CARDS + card] = 1.0
    for p in range(v.players):
        out[2 * CARDS + p] = v.score[(max(seat, 0) + p) % v.players] / HAND


def blocks(options):
    return (
        Block("seen", (CARDS,), "cards turned over"),
        Block("hand", (CARDS,), "own cards"),
        Block("scores", (int(options[0]),), "rounds won ÷ 3, from the observer on"),
    )


def _whole_number(value):
    if isinstance(value, bool) or not str(value).isdigit() or int(value) >= CARDS:
        raise BadInput(f"Cards are numbered 0 to {CARDS - 1}, not {value!r}.")
    return int(value)


def action_to_text(s, a):
    return f"lay {a}"


def action_from_text(s, text):
    return _whole_number(text.removeprefix("lay "))


def action_to_json(s, a):
    return {"lay": a}


def action_from_json(s, data):
    return _whole_number(data.get("lay"))


def chance_to_text(s, outcome):
    return f"card {outcome}"


def refusal(s, a):
    return f"You do not hold card {a}."


def events(before, a, after):
    if before.phase == DEALING:
        seat = int(before.dealt) % int(before.players)
        return [{"kind": "deal", "seat": seat, "secret": {"seats": [seat], "card": int(a)}}]
    seat = int(before.current)
    found = [{"kind": "lay", "seat": seat, "secret": {"seats": [seat], "card": int(a)}}]
    if after.current == 0:
        cards = [int(before.laid[p]) if p != seat else int(a) for p in range(int(before.players))]
        found.append({"kind": "turn", "cards": cards, "winner": cards.index(max(cards))})
    return found


def narrate(event, names):
    if event["kind"] == "turn":
        return f"{event['cards']} are turned over, {names[event['winner']]} takes the round"
    return f"{names[event['seat']]} gets a card" if event["kind"] == "deal" else f"{names[event['seat']]} lays a card"


def position_to_json(v):
    hide = lambda number: None if number == UNKNOWN else int(number)  # noqa: E731
    return {
        "hands": [[hide(card) for card in v.hand[p] if card != NONE] for p in range(int(v.players))],
        "laid": [hide(v.laid[p]) for p in range(int(v.players))],
        "cards_left": v.cards_left[: int(v.players)].tolist(),
        "seen": [card for card in range(CARDS) if v.seen[card]],
        "score": v.score[: int(v.players)].tolist(),
    }


def position_to_text(v):
    return str(position_to_json(v))


GAME = Game(
    spec=GameSpec(
        "duel",
        "Duel",
        1,
        "Lay a card face down; the highest takes the round.",
        (2, 3),
        2,
        chance=True,
        hidden=True,
        actions=CARDS,
        outcomes=CARDS,
        blocks=blocks,
        longest=lambda options: 2 * HAND * int(options[0]),
    ),
    dtype=DTYPE,
    rules=Rules(reset, actor, legal, chance, draw, apply, returns, scores, observe, view, determinize),
    text=Words(
        action_to_text,
        action_from_text,
        action_to_json,
        action_from_json,
        chance_to_text,
        position_to_text,
        position_to_json,
        refusal,
        events,
        narrate,
    ),
    agents=dict,
)

"""How many offers players make in a turn, and what becomes of them.

python experiments/catan/offers.py value value value value --games 100
"""

from __future__ import annotations

import argparse
from collections import Counter

from ludens.agents.codes import make_agent
from ludens.core.agent import Clock, Seating
from ludens.core.match import Match
from ludens.core.registry import game
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases

__all__ = ["count_offers"]


def count_offers(codes: list[str], games: int, seed: int, board: str) -> dict[str, Counter[str]]:
    """What every agent did with its offers: begun, dropped, proposed, accepted by somebody, traded, repeated; turns."""
    catan = game("catan")
    tallies = {code: Counter[str]() for code in codes}
    for k in range(games):
        seated = codes[k % len(codes) :] + codes[: k % len(codes)]
        match = Match(catan, {"players": len(codes), "board": board, "turn_limit": 500}, seed + k)
        agents = [make_agent(catan, code) for code in seated]
        for seat, agent in enumerate(agents):
            agent.start(Seating(catan, match.options, seat, seed + k))
        turn, proposed, accepted = 0, set[bytes](), False
        while not match.over:
            seat = match.actor
            view = match.view(seat)
            action = agents[seat].choose(view, match.legal(), Clock())
            v = view[0]
            tally = tallies[seated[int(v.current)]]
            if v.turn_number != turn:
                turn, proposed = int(v.turn_number), set()
                tally["turns"] += 1
            if v.phase == phases.MAIN and ids.GIVE <= action < ids.PROPOSE:
                tally["begun"] += 1
            elif v.phase == phases.OFFERING and action == ids.PROPOSE:
                tally["proposed"] += 1
                tally["repeated"] += v.offer.tobytes() in proposed
                proposed.add(v.offer.tobytes())
                accepted = False
            elif v.phase == phases.OFFERING and action == ids.CANCEL:
                tally["dropped"] += 1
            elif v.phase == phases.ANSWER:
                tally["asked"] += 1
                if action == ids.ACCEPT:
                    tally["accepted"] += not accepted
                    accepted = True
            elif action >= ids.PARTNER and action < ids.PARTNER + len(codes):
                tally["traded"] += 1
            match.play(action)
    return tallies


def main() -> None:
    parser = argparse.ArgumentParser(description="Offers a turn.")
    parser.add_argument("codes", nargs="+")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--board", default="variable")
    given = parser.parse_args()
    print("agent              turns  offers/turn  questions/turn  accepted  traded  repeated  dropped/turn")
    for code, tally in count_offers(given.codes, given.games, given.seed, given.board).items():
        turns, proposed = tally["turns"], max(1, tally["proposed"])
        print(
            f"{code:16} {turns:7} {tally['proposed'] / turns:12.2f} {tally['asked'] / turns:15.2f}"
            f" {tally['accepted'] / proposed:9.1%} {tally['traded'] / proposed:7.1%}"
            f" {tally['repeated'] / proposed:9.1%} {tally['dropped'] / turns:13.2f}"
        )


if __name__ == "__main__":
    main()

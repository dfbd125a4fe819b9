import { describe, expect, it } from "vitest";
import type { GameInfo } from "../api/types";
import { fairPlan, pairingOf, sidesDiffer, type Pairing } from "./pairings";
import { firstPlan, opponentsOf, ownSeat, sitAt, withOpponents, withOption, withPlayers } from "./plan";

const levels = ["beginner", "easy", "medium"];
const game = {
  name: "demo",
  players: [2, 3],
  default_players: 2,
  options: [{ name: "detectives", help: "", default: 5, choices: [], low: 1, high: 5 }],
  agents: [...levels, "evade"].map((name) => ({ name, help: "", parameters: [] })),
  seat_names: { "2": ["Mr. X", "Detectives"], "3": ["Mr. X", "Detective 1", "Detective 2"] },
} as unknown as GameInfo;

const pairing = (agents: string[], share: number, options = {}): Pairing => ({ agents, share, options, players: 2, games: 100, low: share - 0.1, high: share + 0.1 });
const measured = [
  pairing(["beginner", "evade"], 0.6),
  pairing(["easy", "easy"], 0.2),
  pairing(["easy", "easy"], 0.45, { detectives: 3 }),
  pairing(["medium", "medium"], 0.52, { detectives: 2 }),
  pairing(["beginner", "easy"], 0.1),
];
const against = (agent: string, seat = 0) => withOpponents(sitAt(game, firstPlan(game, "Ada"), seat, "Ada"), { kind: "agent", agent });

describe("a game whose sides differ", () => {
  it("is told by its roles", () => {
    expect(sidesDiffer(game, 2)).toBe(true);
    expect(sidesDiffer({ ...game, seat_names: { "2": ["Player 1", "Player 2"] } } as unknown as GameInfo, 2)).toBe(false);
  });

  it("has the chance of equals, else of a beginner, with the options as they are", () => {
    expect(pairingOf(game, against("easy"), measured)?.share).toBe(0.2);
    expect(pairingOf(game, withOption(game, against("easy"), "detectives", 3), measured)?.share).toBe(0.45);
    expect(pairingOf(game, withOption(game, against("easy"), "detectives", 4), measured)).toBeNull();
    expect(pairingOf(game, against("evade"), measured)?.agents[0]).toBe("beginner");
    expect(pairingOf(game, against("evade", 1), measured)).toBeNull();
  });

  it("is fair with the options in which both sides win, at the level that was chosen or the nearest", () => {
    const easy = fairPlan(game, against("easy", 1), measured, levels, "easy")!;
    expect([easy.options.detectives, opponentsOf(easy), ownSeat(easy)]).toEqual([3, { kind: "agent", agent: "easy" }, 1]);
    const medium = fairPlan(game, against("medium"), measured, levels, "medium")!;
    expect([medium.options.detectives, ownSeat(medium)]).toEqual([2, 0]);
    expect(opponentsOf(fairPlan(game, against("beginner"), measured, levels, "beginner")!)).toEqual({ kind: "agent", agent: "easy" });
    const three = withPlayers(game, against("easy", 1), 3);
    expect(ownSeat(fairPlan(game, sitAt(game, three, 2, "Ada"), measured, levels, "easy")!)).toBe(1);
    expect(fairPlan(game, against("easy"), measured.slice(0, 2), levels, "easy")).toBeNull();
  });
});

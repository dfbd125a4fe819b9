import { describe, expect, it } from "vitest";
import type { Action, Position } from "../api/types";
import { describeWhole as catan } from "./catan/words";
import { describeWhole as yard } from "./scotland_yard/words";

describe("a move of several decisions in words", () => {
  it("is a complete offer", () => {
    const offer: Action[] = [{ type: "give", resource: "wool" }, { type: "give", resource: "wool" }, { type: "want", resource: "ore" }, { type: "propose" }];
    expect(catan(offer, {}, null, [])).toBe("offer 2 wool for 1 ore");
    expect(catan([{ type: "counter" }, ...offer], {}, null, [])).toBe("counter: 2 wool for 1 ore");
    expect(catan([{ type: "discard", resource: "ore" }, { type: "discard", resource: "ore" }], {}, null, [])).toBe("discard 2 ore");
  });

  it("names detective, ticket and station, and both rides of a double move", () => {
    const detectives = [0, 1].map(() => ({ bobby: false, moved: false, station: 1 }));
    const position = { phase: "choosing", pawn: null, detectives } as unknown as Position;
    const map = { columns: 0, stations: [] };
    expect(yard([{ type: "choose", detective: 1 }, { type: "ride", ticket: "taxi", station: 46 }], position, map)).toBe("detective 2: taxi to station 46");
    const fleeing = { ...position, phase: "fleeing" };
    const rides = ["taxi", "bus"].map((ticket, k) => ({ type: "ride", ticket, station: 5 + k }));
    expect(yard([{ type: "double" }, ...rides], fleeing, map)).toBe("double move: taxi to station 5, bus to station 6");
  });

  it("steps with all pieces that step together", () => {
    const detectives = [0, 1].map(() => ({ bobby: false, moved: false, station: 1 }));
    const position = { phase: "moving", pawn: 0, detectives } as unknown as Position;
    const grid = { columns: 5, stations: [{ id: 1 }] };
    const steps = [2, 7].map((station) => ({ type: "ride", ticket: "taxi", station }));
    expect(yard(steps, position, grid)).toBe("detective 1: to b1, detective 2: to b2");
  });
});

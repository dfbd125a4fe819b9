import { describe, expect, it } from "vitest";
import type { Candidate } from "../api/types";
import { atPlaces, chance, hintFor, hintsOf, percent, prospects, ranked } from "./words";

describe("the chance to win", () => {
  it("is an even share at 0, whatever the number of sides", () => {
    expect(chance(0, 2)).toBe(0.5);
    expect(chance(0, 4)).toBe(0.25);
  });

  it("is sure at 1 and gone where the others share the loss", () => {
    expect(chance(1, 3)).toBe(1);
    expect(chance(-0.5, 3)).toBe(0);
    expect(chance(-1, 2)).toBe(0);
  });

  it("is written as a whole percentage", () => {
    expect(percent(chance(0.047, 2))).toBe("52 %");
  });
});

describe("prospects in words", () => {
  it("go from lost to won", () => {
    expect([-1, -0.5, -0.2, 0, 0.2, 0.5, 1].map((result) => prospects(result, 2))).toEqual([
      "almost lost",
      "clearly behind",
      "a little behind",
      "even",
      "a little ahead",
      "clearly ahead",
      "almost won",
    ]);
  });

  it("see that a third of a loss is all of it among four", () => {
    expect(prospects(-0.32, 4)).toBe("almost lost");
  });
});

it("moves are ranked by their value, guesses last", () => {
  const move = (action: number, result: number, visits: number) => ({ action, result, visits }) as unknown as Candidate;
  const moves = [move(1, 0.3, 4000), move(2, 0.35, 25), move(3, 0.1, 900), move(4, 0.2, 800)];
  expect(ranked(moves).map(({ action }) => action)).toEqual([1, 4, 3, 2]);
  expect(ranked([move(1, 0.1, 9), move(2, 0.3, 7)]).map(({ action }) => action)).toEqual([2, 1]); // all known alike
});

describe("hints for the board", () => {
  const moves = [
    { action: 3, json: { type: "roll" }, result: 0.2, share: 0.7 },
    { action: 4, json: { type: "hold" }, result: 0.1, share: 0.3 },
  ] as unknown as Candidate[];

  it("are ranked, valued, and the best is in focus", () => {
    expect(hintsOf(moves, 2, null)).toEqual([
      { json: { type: "roll" }, whole: [{ type: "roll" }], rank: 1, mark: "1", value: "60 %", result: 0.2, share: 0.7, focused: true },
      { json: { type: "hold" }, whole: [{ type: "hold" }], rank: 2, mark: "2", value: "55 %", result: 0.1, share: 0.3, focused: false },
    ]);
  });

  it("put the one in focus that is pointed at", () => {
    expect(hintsOf(moves, 2, 2).map(({ focused }) => focused)).toEqual([false, true]);
  });

  it("are found by their action", () => {
    const hints = hintsOf(moves, 2, null);
    expect(hintFor(hints, { type: "hold" })?.rank).toBe(2);
    expect(hintFor(hints, { type: "pass" })).toBeUndefined();
  });

  it("are counted where they share a place, and left out where they have none", () => {
    const hints = hintsOf([...moves, ...moves], 2, null);
    const drawn = atPlaces(hints, ({ type }) => (type === "roll" ? { key: "dice", at: 7 } : null));
    expect(drawn.map(({ hint, at, before }) => [hint.rank, at, before])).toEqual([
      [1, 7, 0],
      [3, 7, 1],
    ]);
  });
});

import { describe, expect, it } from "vitest";
import type { GameReview } from "../api/types";
import { chancesOf, momentAt, pathOf, placed, sidesOf } from "./curve";

const review = {
  decisions: [
    { ply: 21, seat: 0, results: [0, 0], loss: 0 },
    { ply: 22, seat: 1, results: [0.5, -0.5], loss: 0.3 },
  ],
  returns: [-1, 1],
  complete: true,
} as unknown as GameReview;

describe("the sides of a game", () => {
  it("are its players where everybody plays alone", () => {
    expect(sidesOf([0, 1], ["Ada", "Bea"])).toEqual([
      { seats: [0], label: "Ada" },
      { seats: [1], label: "Bea" },
    ]);
  });

  it("gather those who play together", () => {
    expect(sidesOf([0, 1, 1, 1], ["X", "Ada", "Bea", "Cy"])[1]).toEqual({ seats: [1, 2, 3], label: "Ada and 2 more" });
  });
});

describe("the curve", () => {
  const sides = sidesOf([0, 1], ["Ada", "Bea"]);

  it("ends with the result", () => {
    expect(chancesOf(review, sides)).toEqual([
      [0.5, 0.75, 0],
      [0.5, 0.25, 1],
    ]);
  });

  it("has no end before it is complete, or without a result", () => {
    expect(chancesOf({ ...review, complete: false }, sides)[0]).toEqual([0.5, 0.75]);
    expect(chancesOf({ ...review, returns: null }, sides)[0]).toEqual([0.5, 0.75]);
  });

  it("grows to the right", () => {
    expect(placed([0.5, 1], 3, 100, 40)).toEqual([
      { x: 0, y: 20 },
      { x: 50, y: 0 },
    ]);
    expect(pathOf(placed([0.5, 1], 3, 100, 40))).toBe("M0.0 20.0L50.0 0.0");
    expect(placed([0.5], 1, 100, 40)).toEqual([{ x: 0, y: 20 }]);
  });

  it("knows which decision a position belongs to", () => {
    const plies = [21, 22, 30];
    expect([0, 21, 25, 30, 99].map((ply) => momentAt(plies, ply))).toEqual([0, 0, 1, 2, 2]);
  });
});

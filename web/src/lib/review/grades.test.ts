import { describe, expect, it } from "vitest";
import type { GameReview, Step } from "../api/types";
import { accountsOf, accuracyOf, gradeOf, gradesByPly, lostPoints, meanAccuracy } from "./grades";

const sides = [
  { seats: [0], label: "Ada" },
  { seats: [1], label: "Bea" },
];
const decision = (ply: number, seat: number, result: number, loss = 0) => ({ ply, seat, results: [result, -result], loss });
const review = (decisions: ReturnType<typeof decision>[], returns: number[] | null) =>
  ({ decisions, returns, complete: true }) as unknown as GameReview;
const step = (ply: number, actor: number | null): Step => ({ ply, actor, events: [] });

describe("a move", () => {
  it("is graded by the points of win chance that it lost", () => {
    expect([0, 2, 5, 10, 15].map(gradeOf)).toEqual(["best", "good", "inaccuracy", "mistake", "blunder"]);
    expect(lostPoints(0.4, 2)).toBe(20);
    expect(lostPoints(0.03, 2)).toBe(0); // within the doubt
    expect(lostPoints(0.4, 4)).toBeCloseTo(30);
  });

  it("has an accuracy that falls with its loss", () => {
    expect(accuracyOf(0)).toBeCloseTo(100, 3);
    expect(accuracyOf(10)).toBeCloseTo(63.58, 1);
    expect(accuracyOf(100)).toBe(0);
  });
});

it("one disaster does not hide behind many good moves", () => {
  const moves = [...Array<number>(19).fill(100), 5];
  expect(meanAccuracy(moves)!).toBeLessThan(95.25 - 5);
  expect(meanAccuracy([])).toBeNull();
});

describe("luck and play", () => {
  it("are told apart: what chance moves is luck, what a decision moves is play", () => {
    const decisions = [decision(0, 0, 0, 0.4), decision(2, 1, -0.4), decision(4, 0, 0.2)];
    const steps = [step(0, 0), step(1, 1), step(2, 1), step(3, null), step(4, 0)];
    const [ada, bea] = accountsOf(review(decisions, [1, -1]), sides, steps);
    expect(ada!.play).toBe(-20);
    expect(ada!.counts.blunder).toBe(1);
    expect(ada!.luck).toBeCloseTo(30); // from 30 to 60 per cent by a draw
    expect(bea!.luck).toBeCloseTo(-30);
    expect(bea!.play).toBe(-0);
    expect(ada!.adjusted).toBeCloseTo(70);
  });

  it("leave what the decision itself moved to the decision", () => {
    const decisions = [decision(0, 0, 0, 0.4), decision(2, 1, -0.4)];
    const [ada] = accountsOf(review(decisions, null), sides, [step(0, 0), step(1, null), step(2, 1)]);
    expect(ada!.luck).toBeCloseTo(0);
  });
});

it("grades are found by the ply of the decision", () => {
  expect(gradesByPly(review([decision(3, 0, 0, 0.25)], null), 2).get(3)).toBe("mistake");
});

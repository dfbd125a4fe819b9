import { describe, expect, it } from "vitest";
import type { GameReview, Step } from "../api/types";
import { accountsOf, accuracyOf, gradeOf, gradesByPly, lostShare, meanAccuracy, movesOf } from "./grades";

const sides = [
  { seats: [0], label: "Ada" },
  { seats: [1], label: "Bea" },
];
const decision = (ply: number, seat: number, result: number, loss = 0) => ({ ply, seat, results: [result, -result], loss });
const review = (decisions: ReturnType<typeof decision>[], returns: number[] | null) =>
  ({ decisions, returns, complete: true }) as unknown as GameReview;
const step = (ply: number, actor: number | null): Step => ({ ply, actor, events: [] });

describe("a move", () => {
  it("is graded by the part of an even share of the chance to win that it lost", () => {
    expect([0, 4, 10, 20, 30].map(gradeOf)).toEqual(["best", "good", "inaccuracy", "mistake", "blunder"]);
    expect(lostShare(0.4, 2)).toBe(40); // 20 of 50 points
    expect(lostShare(0.03, 2)).toBe(0); // within the doubt
    expect(lostShare(0.1, 4)).toBeCloseTo(30); // 7.5 of 25 points
    expect(lostShare(0.1, 4, 0.05)).toBeCloseTo(15);
  });

  it("has an accuracy that falls with its loss", () => {
    expect(accuracyOf(0)).toBeCloseTo(100, 3);
    expect(accuracyOf(20)).toBeCloseTo(63.58, 1); // 10 points of two players
    expect(accuracyOf(200)).toBe(0);
  });

  it("is graded as a whole, however many decisions it takes", () => {
    const parts = [decision(1, 0, 0, 0.06), { ...decision(2, 0, 0, 0.06), part: true }, decision(4, 0, 0, 0.06)];
    expect(movesOf(review(parts, null), 2).map(({ ply, lost }) => [ply, Math.round(lost)])).toEqual([[1, 12], [4, 6]]);
  });
});

it("one disaster does not hide behind many good moves", () => {
  const moves = [...Array<number>(19).fill(100), 5];
  expect(meanAccuracy(moves)!).toBeLessThan(95.25 - 5);
  expect(meanAccuracy([])).toBeNull();
  expect(meanAccuracy([100, 50], [0, 1])).toBeCloseTo(50);
});

it("moves of a game that is decided hardly count", () => {
  const decisions = [decision(0, 0, 0, 0.4), ...Array.from({ length: 20 }, (_, k) => decision(k + 1, 0, -1))];
  const [ada] = accountsOf(review(decisions, null), sides, []);
  expect(ada!.accuracy!).toBeLessThan(70);
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

import { describe, expect, it } from "vitest";
import type { GameReview, Step } from "../api/types";
import { accountsOf, accuracyOf, constantsOf, gradeOf, gradesByPly } from "./grades";
import { meanLoss, movesOf, sumOf, wayOf } from "./losses";

const sides = [
  { seats: [0], label: "Ada" },
  { seats: [1], label: "Bea" },
];
const decision = (ply: number, seat: number, result: number, loss = 0, more = {}) => ({
  ply, seat, results: [result, -result], loss, doubt: 0, part: false, ...more,
});
const candidate = (action: number, ...points: number[]) => ({ action, points });
const review = (decisions: ReturnType<typeof decision>[], returns: number[] | null) =>
  ({ game: "unknown", decisions, returns, complete: true }) as unknown as GameReview;
const step = (ply: number, actor: number | null): Step => ({ ply, actor, events: [] });
const grade = (lost: number, doubt = 0) => gradeOf({ lost, doubt, best: false });
const moves = (decisions: object[], margin = 0) => movesOf(decisions as never, [0, 1], margin);

describe("a move", () => {
  it("is graded by the part of an even share of the chance to win that it lost: nothing is forgiven", () => {
    expect([0, 9, 10, 20, 30].map((lost) => grade(lost))).toEqual(["good", "good", "inaccuracy", "mistake", "blunder"]);
    expect(moves([decision(0, 0, 0, 0.03)])[0]!.lost).toBeCloseTo(3);
    expect(gradeOf({ lost: 0, doubt: 0, best: true })).toBe("best");
  });

  it("is open where the measurement cannot tell a good move from a mistake", () => {
    expect(grade(15, 8)).toBe("open");
    expect(grade(5, 30)).toBe("open"); // hardly looked at: neither best nor good
    expect(grade(15, 3)).toBe("inaccuracy");
    expect(grade(60, 40)).toBe("blunder");
  });

  it("is graded as a whole, however many decisions it takes", () => {
    const parts = [decision(1, 0, 0, 0.06), decision(2, 0, 0, 0.06, { part: true }), decision(4, 0, 0, 0.06)];
    expect(moves(parts).map(({ ply, lost }) => [ply, Math.round(lost)])).toEqual([[1, 12], [4, 6]]);
    const second = [decision(1, 0, 0, 0), decision(3, 0, 0, 0.4, { part: true })];
    expect(moves(second)[0]!.ply).toBe(3); // the verdict stands at the decision that it is about
  });

  it("is graded by points where the game is decided", () => {
    const thrown = { played: candidate(1, 20, 90), better: candidate(2, 30, 90) };
    const [even, lost] = moves([decision(0, 0, 0, 0, thrown), decision(2, 0, -1, 0, thrown)], 20);
    expect(even!.byPoints).toBe(false);
    expect(even!.lost).toBe(0);
    expect(lost!.byPoints).toBe(true);
    expect(gradeOf(lost!)).toBe("blunder"); // 10 points of a margin of 20
    expect(moves([decision(2, 0, -1, 0, thrown)])[0]!.lost).toBe(0); // a game without points
  });

  it("counts by what was at stake", () => {
    const [even, ahead, won] = moves([decision(0, 0, 0), decision(1, 0, 0.6), decision(2, 0, 1)]);
    expect(even!.stake).toBe(1);
    expect(ahead!.stake).toBeCloseTo(0.64);
    expect(won!.stake).toBe(0.1);
  });
});

it("one disaster does not hide behind many moves of a game that it decided", () => {
  const decisions = [decision(0, 0, 0, 0.8), ...Array.from({ length: 20 }, (_, k) => decision(k + 1, 0, -1))];
  expect(accuracyOf(meanLoss(moves(decisions))!, { scale: 30, power: 1, margin: 0 })).toBeLessThan(70);
  expect(meanLoss([])).toBeNull();
});

it("accuracy falls with the mean loss", () => {
  const usual = constantsOf("unknown", 2);
  expect(accuracyOf(0, usual)).toBe(100);
  expect(accuracyOf(10, usual)).toBeGreaterThan(accuracyOf(20, usual));
});

/** Numbers from 0 to 1 that are the same every time. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe("luck and decisions", () => {
  it("add up to what became of the expectation, for any values", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = numbers(seed);
      const next = () => random.next().value;
      const count = 2 + Math.floor(3 * next());
      const seats = Array.from({ length: count + Math.floor(2 * next()) }, (_, seat) => Math.min(seat, count - 1));
      const results = () => {
        const bySide = Array.from({ length: count }, () => 4 * next() - 2); // some are out of range
        return seats.map((side) => bySide[side]!);
      };
      const decisions = Array.from({ length: Math.floor(40 * next()) }, (_, ply) => ({
        ply, seat: Math.floor(seats.length * next()), results: results(), loss: next() < 0.5 ? 0.06 * next() : 2 * next(), doubt: next(),
      }));
      const game = { game: "any", decisions, returns: next() < 0.5 ? results() : null, complete: true } as unknown as GameReview;
      for (let side = 0; side < count; side++) {
        const own = seats.flatMap((other, seat) => (other === side ? [seat] : []));
        const way = wayOf(game, own, count);
        expect(sumOf(way.luck) + sumOf(way.own) + sumOf(way.others)).toBeCloseTo(way.result - way.start, 8);
        expect(sumOf(way.own)).toBeLessThanOrEqual(0);
        const until = game.returns ? decisions.length : decisions.length - 1;
        const raw = decisions.slice(0, Math.max(0, until)).reduce((sum, { seat, loss }) => sum + (own.includes(seat) ? loss : 0), 0);
        expect(sumOf(way.own)).toBeCloseTo((-100 * raw * (count - 1)) / count, 8); // no threshold books a loss as luck
      }
    }
  });

  it("are told apart: what a decision lost is play, small or large, the rest is luck", () => {
    const decisions = [decision(0, 0, 0, 0.4), decision(2, 1, -0.4, 0.02), decision(4, 0, 0.2)];
    const steps = [step(0, 0), step(1, 1), step(2, 1), step(3, null), step(4, 0)];
    const [ada, bea] = accountsOf(review(decisions, [1, -1]), sides, steps);
    expect([ada!.start, ada!.result]).toEqual([50, 100]);
    expect(ada!.own).toBeCloseTo(-20);
    expect(ada!.others).toBeCloseTo(1);
    expect(ada!.luck).toBeCloseTo(69);
    expect(bea!.own).toBeCloseTo(-1);
    expect(bea!.luck).toBeCloseTo(-69);
    expect(ada!.counts.blunder).toBe(1);
    expect(ada!.dearest).toEqual([{ index: 0, ply: 0, worth: -20 }]);
    expect(ada!.strokes.map(({ ply, worth, steps: drawn }) => [ply, Math.round(worth), drawn.length])).toEqual([[4, 29, 1]]);
  });

  it("show the three largest of each", () => {
    const decisions = Array.from({ length: 12 }, (_, k) => decision(2 * k, k % 2, 0, k / 20));
    const steps = decisions.map(({ ply }) => step(ply + 1, null));
    const [ada] = accountsOf(review(decisions, [0, 0]), sides, steps);
    expect(ada!.dearest.map(({ ply }) => ply)).toEqual([20, 16, 12]);
    expect(ada!.strokes.map(({ ply }) => ply)).toEqual([24, 22, 20]); // each leads to the position after the draw
  });
});

it("grades are found by the ply of the decision", () => {
  expect(gradesByPly(review([decision(3, 0, 0, 0.25)], null), sides).get(3)).toBe("mistake");
});

import { expect, it } from "vitest";
import type { Rung } from "../laboratory/requests";
import { draw, expected, labelled, stepFor } from "./places";

const rung = (agent: string, rating: number, seconds: number | null): Rung => ({
  agent,
  rating,
  seconds,
  low: rating - 30,
  high: rating + 30,
  games: 10,
  level: false,
});
const size = { width: 600, height: 400, left: 40, right: 100, top: 10, bottom: 40 };
const rungs = [rung("strong", 700, 1), rung("slow", 300, 2), rung("quick", 320, 0.001), rung("random", 0, 0.0001), rung("new", 0, null)];

it("the stronger stands higher, the slower further to the right, and who has not played nowhere", () => {
  const at = new Map(draw(rungs, size).placed.map((one) => [one.rung.agent, one]));
  expect(at.get("strong")!.y).toBeLessThan(at.get("quick")!.y);
  expect(at.get("slow")!.x).toBeGreaterThan(at.get("strong")!.x);
  expect(at.has("new")).toBe(false);
  for (const { x, low, high } of at.values()) {
    expect(x).toBeGreaterThanOrEqual(size.left);
    expect(x).toBeLessThanOrEqual(size.width - size.right);
    expect(high).toBeGreaterThanOrEqual(size.top);
    expect(low).toBeLessThanOrEqual(size.height - size.bottom);
  }
});

it("the stairs go through those that nobody quicker beats", () => {
  const { placed, frontier } = draw(rungs, size);
  const slow = placed.find((one) => one.rung.agent === "slow")!;
  expect(frontier.match(/V/g)).toHaveLength(2); // from random to quick to strong
  expect(frontier).not.toContain(`H${slow.x.toFixed(1)}`);
});

it("labels do not lie on each other", () => {
  const { placed } = draw([rung("a", 100, 1), rung("b", 101, 1), rung("c", 102, 1)], size);
  const heights = [...labelled(placed, 17, () => 50).values()].sort((a, b) => a - b);
  expect(heights[1]! - heights[0]!).toBeGreaterThanOrEqual(17);
  expect(heights[2]! - heights[1]!).toBeGreaterThanOrEqual(17);
});

it("an empty ladder draws nothing, steps are round, and 400 points are ten to one", () => {
  expect(draw([rung("new", 0, null)], size).placed).toEqual([]);
  expect([stepFor(760, 6), stepFor(90, 6)]).toEqual([200, 20]);
  expect(expected(400)).toBeCloseTo(10 / 11);
});

import { expect, it } from "vitest";
import type { Results } from "./requests";
import { certain, orderOf, squareOf } from "./table";

const cell = (first: string, second: string, wins: number, losses: number, interval: number[]) => ({
  first,
  second,
  games: wins + losses,
  wins,
  draws: 0,
  losses,
  share: wins / (wins + losses),
  interval,
  scores: [1, 2],
});
const results = {
  standings: [{ agent: "b" }, { agent: "a" }],
  cross_table: {
    players: ["a", "b", "c"],
    ordered: [cell("b", "a", 4, 1, [0.3, 0.97])],
    unordered: [cell("a", "b", 2, 8, [0.06, 0.45])],
  },
} as unknown as Results;

it("the best stand first, and those without a game last", () => {
  expect(orderOf(results)).toEqual(["b", "a", "c"]);
});

it("a pair is seen from both sides", () => {
  const own = squareOf(results.cross_table, "a", "b", false)!;
  const other = squareOf(results.cross_table, "b", "a", false)!;
  expect([own.share, own.wins, own.losses]).toEqual([0.2, 2, 8]);
  expect([other.share, other.wins, other.losses]).toEqual([0.8, 8, 2]);
  expect(other.interval).toEqual([0.55, 0.94]);
  expect(certain(own) && certain(other)).toBe(true);
  expect(squareOf(results.cross_table, "a", "c", false)).toBeNull();
});

it("by seats only the earlier one is a row", () => {
  expect(squareOf(results.cross_table, "b", "a", true)!.wins).toBe(4);
  expect(certain(squareOf(results.cross_table, "b", "a", true)!)).toBe(false);
  expect(squareOf(results.cross_table, "a", "b", true)).toBeNull();
});

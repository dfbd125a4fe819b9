import { expect, it } from "vitest";
import { ranking } from "./ranking";

const ranks = (...given: Parameters<typeof ranking>) => ranking(...given).map(({ seat, rank }) => [seat, rank]);

it("ranks by what the game is worth, then by points", () => {
  const found = ranks([-0.5, 1, -0.5], [20, 41, 30], [0, 1, 2], 3);
  expect(found).toEqual([
    [1, 1],
    [2, 2],
    [0, 3],
  ]);
});

it("lets equal seats share a rank", () => {
  expect(ranks([0, 0], [12, 12], [0, 1], 2)).toEqual([
    [0, 1],
    [1, 1],
  ]);
});

it("lets the seats of a side share a rank whatever their points", () => {
  const found = ranks([-1, 1, 1], [9, 3, 5], [0, 1, 1], 3);
  expect(found).toEqual([
    [1, 1],
    [2, 1],
    [0, 3],
  ]);
});

import { expect, it } from "vitest";
import type { PuzzleEntry, PuzzleTry } from "../api/types";
import { movesOf } from "./lines";
import { nextOf } from "./order";

const entry = (number: number): PuzzleEntry => ({ number, key: `k${number}`, difficulty: "easy", players: 2 });
const list = [0, 1, 2].map(entry);

it("the next puzzle is one that was not found yet, wherever it stands", () => {
  expect(nextOf(list, {}, null)?.number).toBe(0);
  expect(nextOf(list, { k1: "found" }, 0)?.number).toBe(2);
  expect(nextOf(list, { k1: "shown" }, 0)?.number).toBe(1);
  expect(nextOf(list, { k1: "found", k2: "found" }, 2)?.number).toBe(0);
  expect(nextOf(list, { k0: "found", k1: "found", k2: "found" }, 2)?.number).toBe(0);
  expect(nextOf([entry(0)], {}, 0)).toBeNull();
});

it("a move of a line ends with all that it brings about", () => {
  const step = (id: number | null) => ({ actor: 0, events: [], position: {}, move: id === null ? null : { id, text: "", json: { id } } });
  const line = { action: 7, result: 0, line: [], reasons: [], steps: [step(7), step(null), step(8)] } as unknown as PuzzleTry;
  expect(movesOf(line).map(({ before, last }) => [before, last])).toEqual([[0, 1], [2, 2]]);
  expect(movesOf(null)).toEqual([]);
});

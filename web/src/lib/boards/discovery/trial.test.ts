import { describe, expect, it } from "vitest";
import type { Choices } from "./choices";
import type { Scheme } from "./position";
import { Trial } from "./trial.svelte";
import { laidWords } from "./words";

const tile = { period: 4 } as Scheme;
const cells = [
  { x: 0, y: 1, turns: [1] },
  { x: 1, y: 0, turns: [1, 3] },
];
const choices: Choices = { cells, segments: [], followers: [], pass: false };

function begun(): Trial {
  const trial = new Trial(
    () => tile,
    () => choices,
  );
  trial.begin(cells);
  return trial;
}

describe("a tile that is tried out", () => {
  it("begins as it fits in most places", () => {
    expect(begun().turns).toBe(1);
  });

  it("is laid by one click and left there by the next", () => {
    const trial = begun();
    expect(trial.lay(cells[1]!)).toBeNull();
    trial.rotate(1);
    expect(trial.lay(cells[1]!)).toEqual({ type: "tile", x: 1, y: 0, turns: 3 });
  });

  it("moves to another cell, and turns to fit there", () => {
    const trial = begun();
    trial.lay(cells[1]!);
    trial.rotate(1);
    expect(trial.lay(cells[0]!)).toBeNull();
    expect(trial.action()).toEqual({ type: "tile", x: 0, y: 1, turns: 1 });
    expect(trial.turnable).toBe(false);
  });

  it("is picked up again", () => {
    const trial = begun();
    expect(trial.put()).toBe(false);
    trial.lay(cells[0]!);
    expect(trial.put()).toBe(true);
    expect(trial.action()).toBeNull();
  });

  it("turns freely in the hand, a notch of the wheel at a time", () => {
    const trial = begun();
    trial.rotate(1);
    expect(trial.turns).toBe(2);
    trial.roll(30);
    expect(trial.turns).toBe(2);
    trial.roll(30);
    expect(trial.turns).toBe(3);
    trial.roll(-120);
    expect(trial.turns).toBe(2);
  });

  it("says what to do next", () => {
    expect(laidWords(true, false)).toContain("R turns it");
    expect(laidWords(false, false)).not.toContain("R turns it");
    expect(laidWords(true, true)).toContain("Place");
  });
});

import { describe, expect, it } from "vitest";
import type { Step } from "../api/types";
import { entriesOf, entryAt, entryFrom, verdictOf } from "./entries";

const step = (ply: number, actor: number | null, ...sentences: string[]): Step => ({
  ply,
  actor,
  events: sentences.map((sentence) => ({ kind: "x", sentence })),
});

describe("the move list", () => {
  const steps = [
    step(0, null, "a"),
    step(1, null, "b"),
    step(2, null, "c"),
    step(3, 0, "Ada moves", "and scores"),
    step(4, 0, ""),
    step(5, null, "a six"),
    step(6, 1, "Bea moves"),
  ];
  const entries = entriesOf(steps);

  it("counts long runs of draws and keeps short ones", () => {
    expect(entries.map(({ lines }) => lines)).toEqual([
      ["3 draws"],
      ["Ada moves", "and scores"],
      ["a six"],
      ["Bea moves"],
    ]);
  });

  it("joins silent steps to the entry before", () => {
    expect(entries.map(({ from, to }) => [from, to])).toEqual([
      [0, 3],
      [3, 5],
      [5, 6],
      [6, 7],
    ]);
  });

  it("finds the entry of a ply", () => {
    expect([0, 3, 4, 5, 7].map((ply) => entryAt(entries, ply))).toEqual([-1, 0, 0, 1, 3]);
  });
});

describe("a reviewed entry", () => {
  const entries = [
    { from: 0, to: 20, actor: null, lines: ["20 draws"] },
    { from: 20, to: 22, actor: 0, lines: ["Ada moves"] },
    { from: 22, to: 23, actor: 1, lines: ["Bea moves"] },
  ];

  it("is the one whose decision is shown, not the one that led there", () => {
    expect([0, 19, 20, 21, 22, 23].map((ply) => entryFrom(entries, ply))).toEqual([0, 0, 1, 1, 2, 2]);
    expect(entryAt(entries, 22)).toBe(1);
  });

  it("has the verdict of its own decision", () => {
    const verdicts = new Map([[21, "blunder"], [22, "best"]]);
    expect(entries.map((entry) => verdictOf(entry, verdicts))).toEqual([
      null,
      { ply: 21, verdict: "blunder" },
      { ply: 22, verdict: "best" },
    ]);
  });
});

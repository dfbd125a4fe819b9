import { describe, expect, it } from "vitest";
import type { Step, View } from "../api/types";
import { end, withHistory, withUpdate, withView, type Audience } from "./audience";

const step = (ply: number): Step => ({ ply, actor: 0, events: [] });
const steps = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => step(from + k));
const view = (ply: number, undos = 0) => ({ ply, undos, position: { a: 1, b: 2 }, actor: 0 }) as unknown as View;
const known = (first: number, to: number, undos = 0): Audience => ({ view: view(to, undos), first, steps: steps(first, to) });
const plies = (audience: Audience) => audience.steps.map(({ ply }) => ply);

describe("what an audience knows", () => {
  it("joins the steps of a reconnection to those known before", () => {
    const now = withView(known(0, 4), { type: "view", seat: 0, from: 4, steps: steps(4, 6), view: view(6) });
    expect(plies(now)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(end(now)).toBe(6);
  });

  it("starts anew when steps are missing or were undone", () => {
    const gap = withView(known(0, 4), { type: "view", seat: 0, from: 7, steps: [], view: view(7) });
    expect([gap.first, gap.steps.length]).toEqual([7, 0]);
    const undone = withView(known(0, 4), { type: "view", seat: 0, from: 0, steps: steps(0, 2), view: view(2, 1) });
    expect(plies(undone)).toEqual([0, 1]);
  });

  it("changes only the named fields, and keys within the position", () => {
    const before = known(2, 4);
    const now = withUpdate(before, {
      type: "update",
      seat: 0,
      from: 4,
      ply: 5,
      steps: steps(4, 5),
      changes: { ply: 5, actor: 1, position: { b: 3 } },
    });
    expect(now.view).toMatchObject({ ply: 5, actor: 1, position: { a: 1, b: 3 } });
    expect(plies(now)).toEqual([2, 3, 4]);
    expect(before.view.position).toEqual({ a: 1, b: 2 });
  });

  it("puts earlier steps in front once they are fetched, unless an undo came between", () => {
    expect(plies(withHistory(known(2, 4), steps(0, 2), 0))).toEqual([0, 1, 2, 3]);
    expect(plies(withHistory(known(2, 4, 1), steps(0, 2), 0))).toEqual([2, 3]);
  });
});

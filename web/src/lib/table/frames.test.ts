import { describe, expect, it } from "vitest";
import type { GameEvent, Step } from "../api/types";
import { framesOf, lastFrames, still, usualPace } from "./frames";

const event = (kind: string, sentence = kind): GameEvent => ({ kind, sentence });
const step = (ply: number, events: GameEvent[], actor: number | null = 0): Step => ({
  ply,
  actor,
  events,
  position: { ply: ply + 1 },
});

describe("frames", () => {
  it("are one for every event that takes time, with what is still to come", () => {
    const frames = framesOf([step(0, [event("tile"), event("quiet", ""), event("floor")])], { ply: 0 });
    expect(frames.map(({ events }) => events.map(({ kind }) => kind))).toEqual([["tile"], ["quiet", "floor"]]);
    expect(frames[0]!.later.map(({ kind }) => kind)).toEqual(["quiet", "floor"]);
    expect(frames.map(({ ply, before }) => [ply, before])).toEqual([
      [1, { ply: 0 }],
      [1, { ply: 0 }],
    ]);
  });

  it("follow each other: a step begins where the one before ended", () => {
    const frames = framesOf([step(0, [event("a")]), step(1, [event("b")])], null);
    expect(frames[1]!.before).toEqual({ ply: 1 });
  });

  it("leave out steps without a position, and show chance briefly", () => {
    expect(framesOf([{ ply: 0, actor: 0, events: [event("a")] }], null)).toEqual([]);
    expect(usualPace(event("draw"), true)).toBeLessThan(usualPace(event("move"), false));
  });

  it("are cut to the last ones for whoever was away", () => {
    const frames = [1, 2, 3].map((ply) => ({ ...still({}, ply), duration: 100 }));
    expect(lastFrames(frames, 250).map(({ ply }) => ply)).toEqual([2, 3]);
    expect(lastFrames(frames, 1000)).toHaveLength(3);
  });
});

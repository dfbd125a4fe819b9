import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FORMAT, readFilm, stepsOf, type Film } from "./film";
import { Projector } from "./projector.svelte";

const event = (sentence: string) => ({ kind: "x", sentence });
const film: Film = {
  format: FORMAT,
  game: "pig",
  title: "Pig",
  options: {},
  names: ["Ada", "Bea"],
  fixed: null,
  start: { pot: 0, turn: 0 },
  steps: [
    { actor: 0, events: [event("Ada rolls")], changes: { pot: 3 } },
    { actor: 1, events: [event("Bea holds")], changes: { pot: 0, turn: 1 } },
    { actor: 0, events: [event("Ada holds")], changes: { turn: 2 } },
  ],
  scores: [3, 0],
  returns: [1, -1],
};
let speed = 0;
const projector = () => new Projector(film, () => 100, () => speed);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  speed = 0;
});

it("positions follow from what changed", () => {
  expect(stepsOf(film).map(({ position }) => position)).toEqual([
    { pot: 3, turn: 0 },
    { pot: 0, turn: 1 },
    { pot: 0, turn: 2 },
  ]);
});

it("another file is refused", () => {
  expect(() => readFilm({ format: "ludens-match/1" })).toThrow("ludens-film/1");
  expect(() => readFilm(null)).toThrow("ludens-film/1");
});

it("any move is shown at once, and none beyond the ends", () => {
  const shown = projector();
  expect([shown.now, shown.frame.ply, shown.actor]).toEqual([0, 0, 0]);
  shown.go(2);
  expect([shown.now, shown.frame.position.turn, shown.actor]).toEqual([2, 1, 0]);
  expect(shown.last[0]!.sentence).toBe("Bea holds");
  shown.go(9);
  expect([shown.now, shown.actor]).toEqual([3, null]);
  shown.go(-4);
  expect(shown.now).toBe(0);
});

it("the next move is filmed", () => {
  speed = 1;
  const shown = projector();
  shown.go(1, true);
  expect([shown.frame.events.length, shown.frame.duration]).toEqual([1, 100]);
  vi.advanceTimersByTime(100);
  expect([shown.frame.events.length, shown.frame.ply]).toEqual([0, 1]);
});

it("the game plays by itself to its end, and again from its beginning", () => {
  const shown = projector();
  shown.toggle();
  vi.runAllTimers();
  expect([shown.now, shown.playing]).toEqual([3, false]);
  shown.toggle();
  expect([shown.now, shown.playing]).toEqual([0, true]);
  shown.toggle();
  vi.runAllTimers();
  expect([shown.now, shown.playing]).toEqual([0, false]);
});

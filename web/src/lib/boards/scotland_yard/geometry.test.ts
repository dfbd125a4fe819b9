import { describe, expect, it } from "vitest";
import { along, bow, curvePath, distance, nearest, pointAt, samples, smooth } from "./geometry";
import { spread } from "./spread";

const a = { x: 0, y: 0 };
const b = { x: 100, y: 0 };

describe("a bow", () => {
  it("joins its ends and swings to one side of the straight line", () => {
    const curve = bow(a, b, 20, 20);
    expect(pointAt(curve, 0)).toEqual(a);
    expect(pointAt(curve, 1)).toEqual(b);
    expect(pointAt(curve, 0.5)).toEqual({ x: 50, y: 15 });
    expect(curvePath(bow(a, b, 0, 0))).toBe("M0 0C20 0 80 0 100 0");
  });

  it("is sampled from end to end, evenly enough", () => {
    const points = samples(bow(a, b, 10, 10), 10);
    expect(points[0]).toEqual(a);
    expect(points.at(-1)).toEqual(b);
    points.slice(1).forEach((point, k) => expect(distance(points[k]!, point)).toBeLessThan(17));
  });
});

describe("a smooth line", () => {
  it("goes through all its points", () => {
    const corners = [a, { x: 50, y: 40 }, b];
    const line = smooth(corners);
    for (const corner of corners) expect(distance(line[nearest(line, corner)]!, corner)).toBe(0);
  });

  it("has a place at every share of its length", () => {
    const line = [a, b, { x: 100, y: 100 }];
    expect(along(line, 0)).toEqual(a);
    expect(along(line, 0.75)).toEqual({ x: 100, y: 50 });
    expect(along(line, 1)).toEqual({ x: 100, y: 100 });
  });
});

describe("spreading", () => {
  it("moves apart what stands too close, and nothing else", () => {
    const [one, other, far] = spread([a, { x: 10, y: 0 }, { x: 200, y: 0 }], 30);
    expect(distance(one!, other!)).toBeGreaterThan(29.9);
    expect(far).toEqual({ x: 200, y: 0 });
  });

  it("separates even stations on the same spot", () => {
    const [one, other] = spread([a, a], 30);
    expect(distance(one!, other!)).toBeGreaterThan(29.9);
  });
});

import { describe, expect, it } from "vitest";
import { around, held, middle, WHOLE, zoomed } from "./window";

describe("the part of the island that is shown", () => {
  it("is never outside of it, nor too small", () => {
    expect(held({ x: -9000, y: 9000, width: 9000, height: 1 })).toEqual(WHOLE);
    const near = zoomed(WHOLE, 100);
    expect(WHOLE.width / near.width).toBeCloseTo(3.2);
    expect(middle(near)).toEqual(middle(WHOLE));
  });

  it("keeps the point that is zoomed at", () => {
    const at = { x: 100, y: -50 };
    const near = zoomed(WHOLE, 2, at);
    expect((at.x - near.x) / near.width).toBeCloseTo((at.x - WHOLE.x) / WHOLE.width);
    expect(zoomed(near, 0.5, at).width).toBeCloseTo(WHOLE.width);
  });

  it("holds all the points that matter", () => {
    const { x, y, width, height } = around([{ x: 0, y: 0 }, { x: 200, y: 60 }]);
    expect(width).toBeLessThan(WHOLE.width);
    expect(x).toBeLessThan(0);
    expect(x + width).toBeGreaterThan(200);
    expect(y).toBeLessThan(0);
    expect(y + height).toBeGreaterThan(60);
    expect(around([])).toEqual(WHOLE);
  });
});

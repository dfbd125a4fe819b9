import { describe, expect, it } from "vitest";
import { boxAround, bringIn, held, MOST, panned, sees, show, toWindow, wholeScale, zoomed } from "./viewport";

const map = { x: 0, y: 0, width: 1000, height: 500 };
const window = { width: 500, height: 500 };

describe("the window on the map", () => {
  it("shows a box as a whole and in the middle", () => {
    const view = show(map, window);
    expect(view.scale).toBe(0.5);
    expect(toWindow(view, { x: 500, y: 250 })).toEqual({ x: 250, y: 250 });
  });

  it("zooms around a point that stays where it is", () => {
    const view = { x: 100, y: 100, scale: 1 };
    const at = { x: 200, y: 50 };
    const nearer = zoomed(view, 2, at);
    expect(nearer.scale).toBe(2);
    expect(toWindow(nearer, { x: 300, y: 150 })).toEqual(at);
  });

  it("moves with the pointer", () => {
    expect(panned({ x: 100, y: 100, scale: 2 }, 20, -10)).toEqual({ x: 90, y: 105, scale: 2 });
  });

  it("never leaves the map, and never shrinks or grows it too much", () => {
    expect(held({ x: -500, y: 900, scale: 1 }, map, window)).toEqual({ x: 0, y: 0, scale: 1 });
    expect(held({ x: 900, y: 0, scale: 1 }, map, window).x).toBe(500);
    expect(held({ x: 0, y: 0, scale: 0.01 }, map, window)).toEqual({ x: 0, y: -250, scale: wholeScale(map, window) });
    expect(held({ x: 0, y: 0, scale: 99 }, map, window).scale).toBe(MOST);
  });

  it("brings in what must be seen, and stays if it is seen already", () => {
    const view = { x: 0, y: 0, scale: 1 };
    expect(bringIn(view, map, window, [{ x: 100, y: 100 }], 20)).toBe(view);
    const points = [{ x: 600, y: 100 }, { x: 900, y: 400 }];
    const moved = bringIn(view, map, window, points, 20);
    expect(moved.scale).toBe(1);
    expect(sees(moved, window, points, 20)).toBe(true);
    const wide = bringIn(view, map, window, [{ x: 50, y: 100 }, { x: 950, y: 400 }], 20);
    expect(wide.scale).toBeLessThan(1);
    expect(sees(wide, window, [{ x: 50, y: 100 }, { x: 950, y: 400 }], 5)).toBe(true);
  });

  it("knows the box around points", () => {
    expect(boxAround([{ x: 10, y: 20 }, { x: 30, y: 25 }], 5)).toEqual({ x: 5, y: 15, width: 30, height: 15 });
  });
});

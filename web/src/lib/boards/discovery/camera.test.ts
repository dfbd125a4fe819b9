import { describe, expect, it } from "vitest";
import { around, corner, fit, held, moved, showing, zoomed, type Box, type Camera } from "./camera";

const window = { width: 800, height: 600, covered: { left: 10, top: 50, right: 150, bottom: 10 } };
const seen = ({ x, y, scale }: Camera, box: Box) => ({
  left: box.left * scale + x,
  right: box.right * scale + x,
  top: box.top * scale + y,
  bottom: box.bottom * scale + y,
});

describe("camera", () => {
  it("puts north up", () => {
    expect(corner({ x: 2, y: 3 })).toEqual({ x: 200, y: -300 });
    expect(around([{ x: 0, y: 0 }, { x: 2, y: 1 }], 1)).toEqual({ left: -100, right: 400, top: -200, bottom: 200 });
  });

  it("shows the whole map beside what covers the window", () => {
    const box = around([{ x: -3, y: 4 }, { x: 5, y: -6 }], 1);
    const { left, right, top, bottom } = seen(fit(box, window), box);
    expect(left).toBeGreaterThanOrEqual(10 - 1e-9);
    expect(right).toBeLessThanOrEqual(650 + 1e-9);
    expect(top).toBeCloseTo(50);
    expect(bottom).toBeCloseTo(590);
  });

  it("does not blow up a small map", () => {
    expect(fit(around([{ x: 0, y: 0 }], 0), window).scale).toBeLessThan(1.5);
  });

  it("keeps the place under the fingers when it zooms", () => {
    const before = { x: 100, y: 50, scale: 0.8 };
    const after = zoomed(before, 1.5, { x: 300, y: 200 });
    expect(after.scale).toBeCloseTo(1.2);
    expect((300 - after.x) / after.scale).toBeCloseTo((300 - before.x) / before.scale);
    expect((200 - after.y) / after.scale).toBeCloseTo((200 - before.y) / before.scale);
    expect(zoomed(before, 1000, { x: 0, y: 0 }).scale).toBeLessThan(3);
    expect(zoomed(before, 0.001, { x: 0, y: 0 }).scale).toBeGreaterThan(0.2);
  });

  it("never loses the map", () => {
    const box = around([{ x: 0, y: 0 }, { x: 3, y: 3 }], 0);
    const { left, bottom } = seen(held(moved({ x: 0, y: 0, scale: 1 }, 9000, -9000), box, window), box);
    expect(left).toBeLessThanOrEqual(700);
    expect(bottom).toBeGreaterThanOrEqual(100);
  });

  it("moves no further than needed", () => {
    const camera = { x: 0, y: 0, scale: 1 };
    const box = (left: number, top: number) => ({ left, top, right: left + 100, bottom: top + 100 });
    expect(showing(camera, box(200, 200), window)).toEqual(camera);
    expect(showing(camera, box(700, 200), window)).toEqual({ ...camera, x: -150 });
    expect(showing(camera, box(200, 0), window)).toEqual({ ...camera, y: 50 });
  });
});

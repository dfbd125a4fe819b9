import { describe, expect, it } from "vitest";
import { between, BOX, corners, dots, layoutOf, outline } from "./geometry";
import { SMALL } from "./island.fixture";
import { inside, scatter } from "./scatter";

const layout = layoutOf(SMALL);

it("puts the corners of a hex where its vertices lie", () => {
  for (const [index, { vertices }] of SMALL.hexes.entries()) {
    const around = corners(layout.hexes[index]!);
    vertices.forEach((vertex, k) => {
      expect(layout.vertices[vertex]!.x).toBeCloseTo(around[k]!.x);
      expect(layout.vertices[vertex]!.y).toBeCloseTo(around[k]!.y);
    });
  }
});

it("puts a harbour out to sea, as far from both its corners", () => {
  const [harbour] = layout.harbours;
  expect(harbour!.x).toBeLessThan(-150);
  expect(harbour!.y).toBeCloseTo(0);
  const [a, b] = harbour!.piers.map((pier) => Math.hypot(pier.x - harbour!.x, pier.y - harbour!.y));
  expect(a).toBeCloseTo(b!);
});

it("knows the middle and the direction of an edge", () => {
  const upright = layout.edges[2]!;
  expect(Math.abs(upright.angle)).toBeCloseTo(90);
  expect(upright.x).toBeCloseTo((layout.hexes[0]!.x + layout.hexes[1]!.x) / 2);
});

it("keeps a distance from both ends", () => {
  expect(between({ x: 0, y: 0 }, { x: 100, y: 0 }, 16)).toEqual([
    { x: 16, y: 0 },
    { x: 84, y: 0 },
  ]);
});

it("counts the ways to roll a number", () => {
  expect([2, 3, 6, 8, 11, 12].map(dots)).toEqual([1, 2, 5, 5, 2, 1]);
});

it("draws closed outlines within the box of a whole island", () => {
  expect(outline([{ x: 0, y: 1 }, { x: 2.25, y: 3 }])).toBe("M0.0 1.0L2.3 3.0Z");
  expect(BOX.width).toBeGreaterThan(5 * Math.sqrt(3) * 100);
  expect(BOX.height).toBeGreaterThan(800);
});

describe("scattered drawings", () => {
  const room = { left: 10, up: 30, down: 0 };

  it("look the same every time and differ between hexes", () => {
    expect(scatter(4, 12, 20, room)).toEqual(scatter(4, 12, 20, room));
    expect(scatter(4, 12, 20, room)).not.toEqual(scatter(5, 12, 20, room));
  });

  it("stay inside, apart, and off the token, on every hex", () => {
    for (let seed = 1; seed <= 19; seed++) {
      const places = scatter(seed, 12, 20, room);
      expect(places.length).toBeGreaterThan(6);
      places.forEach((a, index) => {
        expect(inside(a, 10)).toBe(true);
        const nearest = Math.hypot(Math.max(0, Math.abs(a.x) - room.left), Math.max(0, a.y - room.up, -a.y));
        expect(nearest).toBeGreaterThanOrEqual(36);
        for (const b of places.slice(index + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThanOrEqual(20);
      });
    }
  });

  it("are drawn from back to front", () => {
    const ys = scatter(7, 12, 20, room).map(({ y }) => y);
    expect(ys).toEqual([...ys].sort((a, b) => a - b));
  });
});

import { describe, expect, it } from "vitest";
import { BOARD_WIDTH, boardHeight, type Place } from "./geometry";
import { arrange, ellipse, scatter, type Rect } from "./layout";

const windows: [number, number][] = [
  [1100, 780],
  [1500, 700],
  [700, 900],
  [390, 640],
  [844, 300],
];
const boxOf = ({ x, y, cell, small }: Place): Rect => ({ x, y, width: cell * BOARD_WIDTH, height: cell * boardHeight(small) });
const apart = (a: Rect, b: Rect) =>
  a.x + a.width <= b.x + 0.01 || b.x + b.width <= a.x + 0.01 || a.y + a.height <= b.y + 0.01 || b.y + b.height <= a.y + 0.01;

describe.each(windows)("a table of %d by %d", (width, height) => {
  it.each([
    [5, [0, 1]],
    [7, [1, 2, 0]],
    [9, [2, 3, 0, 1]],
  ])("has room for %d factories and boards %j", (factories, seats) => {
    const layout = arrange(width, height, factories, seats);
    const plates = layout.plates.map(({ x, y }) => ({
      x: x - layout.radius,
      y: y - layout.radius,
      width: 2 * layout.radius,
      height: 2 * layout.radius,
    }));
    const boards = [layout.near, ...layout.far].map(boxOf);
    expect(boards).toHaveLength(seats.length);
    for (const box of [...plates, ...boards]) {
      expect(box.x).toBeGreaterThanOrEqual(-0.01);
      expect(box.y).toBeGreaterThanOrEqual(-0.01);
      expect(box.x + box.width).toBeLessThanOrEqual(width + 0.01);
      expect(box.y + box.height).toBeLessThanOrEqual(height + 0.01);
    }
    for (const board of boards) {
      for (const other of [...plates, ...boards]) expect(other === board || apart(board, other)).toBe(true);
    }
    layout.plates.forEach((plate, k) => {
      const next = layout.plates[(k + 1) % factories]!;
      expect(Math.hypot(next.x - plate.x, next.y - plate.y)).toBeGreaterThanOrEqual(2 * layout.radius);
    });
  });
});

it("sets points at equal distances along an ellipse, the first on top", () => {
  const points = ellipse(4, 100, 100);
  expect(points[0]).toMatchObject({ x: 0, y: -100 });
  expect(points[1]!.x).toBeCloseTo(100, 0);
});

it("keeps loose tiles within their place, however many", () => {
  const rect = { x: 10, y: 20, width: 200, height: 90 };
  for (const count of [1, 6, 15, 28]) {
    const { tile, places } = scatter(rect, count, 40);
    expect(places).toHaveLength(count);
    for (const { x, y } of places) {
      expect(x).toBeGreaterThanOrEqual(rect.x - 0.01);
      expect(x + tile).toBeLessThanOrEqual(rect.x + rect.width + 0.01);
      expect(y).toBeGreaterThanOrEqual(rect.y - 0.01);
      expect(y + tile).toBeLessThanOrEqual(rect.y + rect.height + 0.01);
    }
  }
});

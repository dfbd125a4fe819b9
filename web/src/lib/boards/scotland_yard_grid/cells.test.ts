import { describe, expect, it } from "vitest";
import { cellsOf } from "./cells";

describe("the grid's cells", () => {
  const stations = Array.from({ length: 25 }, (_, k) => ({ id: k + 1, x: k % 5, y: Math.floor(k / 5) }));
  const map = { name: "grid 5×5", columns: 5, stations, connections: [], detective_starts: [], mrx_starts: [] };
  const cells = cellsOf(map);

  it("stand in rows and columns and have names", () => {
    expect([cells.columns, cells.rows, cells.list.length]).toEqual([5, 5, 25]);
    expect(cells.at.get(1)).toEqual({ id: 1, x: 0.5, y: 0.5, name: "a1" });
    expect(cells.at.get(14)!.name).toBe("d3");
    expect(cells.at.get(25)).toEqual({ id: 25, x: 4.5, y: 4.5, name: "e5" });
  });
});

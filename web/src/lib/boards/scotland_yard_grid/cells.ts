/** The cells of the grid, in units of a cell. */
import type { StaticMap } from "../scotland_yard/position";
import { cellName } from "../scotland_yard/words";

export interface Cell {
  id: number;
  x: number; // of its middle
  y: number;
  name: string; // `c3`
}

export interface Cells {
  columns: number;
  rows: number;
  list: Cell[];
  at: ReadonlyMap<number, Cell>;
}

export function cellsOf({ stations, columns }: StaticMap): Cells {
  const first = stations[0]?.id ?? 1;
  const list = stations.map(({ id, x, y }) => ({ id, x: x + 0.5, y: y + 0.5, name: cellName(id, first, columns) }));
  return { columns, rows: Math.ceil(stations.length / columns), list, at: new Map(list.map((cell) => [cell.id, cell])) };
}

/** Where hints are drawn on Azul's table: at the tiles that are taken and at the place where they go. */
import type { Hint } from "../contract";
import { FLOOR_PLACES, floorCell, header, onTable, wallCell, type Place, type Point } from "./geometry";
import type { Layout } from "./layout";
import { looseTiles } from "./places";
import { FLOOR, type AzulAction, type AzulPosition } from "./position";

export interface Drawn {
  hint: Hint;
  from: Point | null; // null where nothing is taken
  to: Point;
  size: number; // of the label at `to`
  disc: number; // of the mark at `from`
}

const SMALLEST = 14; // pixels
const WIDE = 3.05; // labels stand beside each other at this distance, in their heights

export function drawnHints(hints: readonly Hint[], position: AzulPosition, layout: Layout): Drawn[] {
  const place = [layout.near, ...layout.far].find(({ seat }) => seat === position.current);
  if (!place) return [];
  const size = Math.max(SMALLEST, place.cell * 0.42);
  const disc = Math.max(SMALLEST, layout.tile * 0.5);
  const busy = new Map<string, number>(); // how many stand at a place already
  const next = (key: string) => {
    const count = busy.get(key) ?? 0;
    busy.set(key, count + 1);
    return count;
  };
  const sources = looseTiles(layout, position);
  return hints.flatMap((hint): Drawn[] => {
    const action = hint.json as unknown as AzulAction;
    if (action.type === "column") {
      const cell = wallCell(place.small, position.tiling_line ?? 0, action.column);
      return [{ hint, from: null, to: onTable(place, { x: cell.x + 0.5, y: cell.y + 0.5 }), size: size * 0.8, disc }];
    }
    if (action.type !== "take") return [];
    const tile = sources[action.source]?.find(({ piece }) => piece === action.colour);
    if (!tile) return [];
    const beside = next(`${action.source} ${action.colour}`);
    const from = { x: tile.x + tile.side * 0.1 + beside * disc * 0.9, y: tile.y + tile.side * 0.1 };
    return [{ hint, from, to: target(place, action.destination, next(`to ${action.destination}`), size), size, disc }];
  });
}

/** Labels on a line stand from the left, where it is filled last; those on the floor from the right. */
function target(place: Place, destination: number, before: number, size: number): Point {
  const { cell, small } = place;
  if (destination === FLOOR) {
    const end = floorCell(small, FLOOR_PLACES);
    const at = onTable(place, { x: end.x, y: end.y + 0.5 });
    return { x: at.x - (0.5 + before) * WIDE * size, y: at.y };
  }
  return { x: place.x + 0.3 * cell + (0.5 + before) * WIDE * size, y: place.y + (header(small) + destination + 0.5) * cell };
}

/** What moves in a frame: tiles from place to place, and points that rise from where they were earned. */
import type { GameEvent } from "../../api/types";
import type { Rising } from "../../ui/RisingPoints.svelte";
import { FLOOR_PLACES, floorCell, lineCell, onTable, wallCell, type Place, type Point } from "./geometry";
import type { Layout } from "./layout";
import { looseTiles } from "./places";
import { FLOOR, type AzulEvent, type AzulPosition, type Piece, type TakeEvent, type TileEvent } from "./position";

export interface Flight {
  piece: Piece;
  from: Point;
  to: Point;
  side: number;
  endSide: number;
  delay: number; // milliseconds at normal pace
}

export interface Motion {
  flights: Flight[];
  rising: Rising[];
}

/** How much of a cell its tile fills. */
export const FILL = 0.92;

export function motionOf(
  events: readonly GameEvent[],
  before: AzulPosition | null,
  layout: Layout,
  now: AzulPosition,
): Motion {
  const motion: Motion = { flights: [], rising: [] };
  for (const event of events as readonly AzulEvent[]) {
    const place = [layout.near, ...layout.far].find(({ seat }) => seat === event.seat);
    if (!place) continue;
    if (event.kind === "take" && before) motion.flights.push(...taken(event, before, layout, place, now));
    if (event.kind === "tile") addTile(motion, event, place);
    if (event.kind === "floor") motion.rising.push(points(onTable(place, floorCell(place.small, 3)), event.points, place));
    if (event.kind === "bonus") motion.rising.push(points(onTable(place, wallCell(place.small, 2, 2)), event.points, place));
  }
  return motion;
}

function taken(event: TakeEvent, before: AzulPosition, layout: Layout, place: Place, now: AzulPosition): Flight[] {
  const tiles = looseTiles(layout, before)[event.source] ?? [];
  const board = before.boards[event.seat]!;
  const onLine = event.line === null ? 0 : event.count - event.overflow;
  const filled = event.line === null ? 0 : board.lines[event.line]!.count;
  const side = place.cell * FILL;
  let [line, floor] = [0, board.floor.length];
  const target = (toFloor: boolean) => {
    if (!toFloor) return onTable(place, lineCell(place.small, event.line!, filled + line++));
    return onTable(place, floorCell(place.small, Math.min(6, floor++)));
  };
  const own: Flight[] = [];
  const marker = tiles.find(({ piece }) => piece === "marker");
  if (marker && event.marker) own.push(flight(marker, target(true), side, 0));
  tiles
    .filter(({ piece }) => piece === event.colour)
    .forEach((tile, k) => own.push(flight(tile, target(k >= onLine), side, 40 * k)));
  if (event.centre) return own;
  const loose = looseTiles(layout, now)[layout.plates.length] ?? [];
  const rest = tiles.filter(({ piece }) => piece !== event.colour);
  return [...own, ...rest.map((tile) => toCentre(tile, loose))];
}

function toCentre(tile: ReturnType<typeof looseTiles>[number][number], loose: typeof tile[]): Flight {
  const goal = loose.findLast(({ piece }) => piece === tile.piece) ?? tile;
  return flight(tile, goal, goal.side, 0);
}

function addTile(motion: Motion, event: TileEvent, place: Place): void {
  const from = onTable(place, lineCell(place.small, event.row, 0));
  const to = onTable(place, wallCell(place.small, event.row, event.column));
  const side = place.cell * FILL;
  motion.flights.push({ piece: event.colour, from, to, side, endSide: side, delay: 0 });
  motion.rising.push(points(to, event.points, place));
}

function flight(tile: { piece: Piece; x: number; y: number; side: number }, to: Point, endSide: number, delay: number): Flight {
  return { piece: tile.piece, from: { x: tile.x, y: tile.y }, to: { x: to.x, y: to.y }, side: tile.side, endSide, delay };
}

function points(at: Point, value: number, place: Place): Rising {
  const size = Math.max(18, place.cell * (place.small ? 1.5 : 0.95));
  return { x: at.x + place.cell / 2, y: at.y + place.cell / 2, value, size };
}

/** The cells that tiles are flying to, shown empty until they arrive: `wall 3 4`, `line 2 1`, `floor 0`. */
export function arrivals(events: readonly GameEvent[], before: AzulPosition | null, seat: number): Set<string> {
  const cells = new Set<string>();
  for (const event of events as readonly AzulEvent[]) {
    if (event.seat !== seat) continue;
    if (event.kind === "tile") cells.add(`wall ${event.row} ${event.column}`);
    if (event.kind !== "take" || !before) continue;
    const { lines, floor } = before.boards[seat]!;
    const row = event.line;
    if (row !== null) for (let k = lines[row]!.count; k <= row; k++) cells.add(`line ${row} ${k}`);
    for (let k = floor.length; k < FLOOR_PLACES; k++) cells.add(`floor ${k}`);
  }
  return cells;
}

/** What the last move touched on a board: `line 2`, `line 5` for the floor, `wall 3 4`. */
export function touched(events: readonly GameEvent[], seat: number): Set<string> {
  const own = (events as readonly AzulEvent[]).filter((event) => event.seat === seat);
  return new Set(
    own.flatMap((event) => {
      if (event.kind === "tile") return [`wall ${event.row} ${event.column}`];
      return event.kind === "take" ? [`line ${event.line ?? FLOOR}`] : [];
    }),
  );
}

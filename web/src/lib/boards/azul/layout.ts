/** Arranges factories, centre and boards so that the window is used as well as it can be. */
import { BOARD_WIDTH, boardHeight, type Place, type Point } from "./geometry";

export interface Rect extends Point {
  width: number;
  height: number;
}

export interface Layout {
  near: Place; // the board that is large
  far: Place[]; // the others
  plates: Point[]; // middles of the factories
  radius: number; // of a factory
  centre: Rect; // where loose tiles lie
  tile: number; // side of a tile on a factory
}

const SPACE = 12;

/** The best of a few arrangements for a window, for boards in the order in which they are given (near first). */
export function arrange(width: number, height: number, factories: number, seats: readonly number[]): Layout {
  const table: Rect = { x: 0, y: 0, width, height };
  const found = [columns, sideBySide, tall].map((plan) => plan(table, factories, seats));
  return found.reduce((best, layout) => (worth(layout) > worth(best) ? layout : best));
}

/** Own tiles and the factories' tiles count most; others' boards must stay legible. */
function worth(layout: Layout): number {
  const far = layout.far.length ? Math.min(layout.far[0]!.cell, layout.near.cell * 0.5) : layout.near.cell * 0.5;
  return Math.min(layout.near.cell, 64) + 1.1 * Math.min(layout.tile, 50) + 0.8 * Math.min(far, 26);
}

/** Others in a column on the left, factories above the own board. */
function columns(table: Rect, factories: number, seats: readonly number[]): Layout {
  const others = seats.length - 1;
  const column = columnOf(table, others, 0.25);
  const rest = { ...table, x: column.width, width: table.width - column.width };
  const ownHeight = Math.min(rest.height * 0.54, (rest.width / BOARD_WIDTH) * boardHeight(false));
  const above = { ...rest, height: rest.height - ownHeight };
  const below = { ...rest, y: rest.y + above.height, height: ownHeight };
  return { near: fit(below, seats[0]!, false), far: stacked(column, seats.slice(1)), ...ring(above, factories) };
}

/** Others in a column on the left, then the factories, then the own board. */
function sideBySide(table: Rect, factories: number, seats: readonly number[]): Layout {
  const others = seats.length - 1;
  const column = columnOf(table, others, 0.2);
  const rest = table.width - column.width;
  const own = Math.min(rest * 0.54, (table.height / boardHeight(false)) * BOARD_WIDTH);
  const middle = { ...table, x: column.width, width: rest - own };
  const right = { ...table, x: table.width - own, width: own };
  return { near: fit(right, seats[0]!, false), far: stacked(column, seats.slice(1)), ...ring(middle, factories) };
}

/** For phones held upright: factories, own board, others in a row. */
function tall(table: Rect, factories: number, seats: readonly number[]): Layout {
  const others = seats.length - 1;
  const share = table.width / Math.max(2, others);
  const rowHeight = others ? Math.min((share / BOARD_WIDTH) * boardHeight(true), table.height * 0.24) : 0;
  const ownHeight = Math.min(table.height * 0.44, (table.width / BOARD_WIDTH) * boardHeight(false));
  const above = { ...table, height: table.height - rowHeight - ownHeight };
  const own = { ...table, y: above.height, height: ownHeight };
  const row = { ...table, y: above.height + ownHeight, height: rowHeight };
  const far = seats.slice(1).map((seat, k) => {
    const width = row.width / others;
    return fit({ ...row, x: k * width, width }, seat, true);
  });
  return { near: fit(own, seats[0]!, false), far, ...ring(above, factories) };
}

function columnOf(table: Rect, others: number, most: number): Rect {
  if (!others) return { ...table, width: 0 };
  const byHeight = (table.height / others / boardHeight(true)) * BOARD_WIDTH;
  return { ...table, width: Math.min(table.width * most, byHeight, 330) };
}

function stacked(column: Rect, seats: readonly number[]): Place[] {
  const height = Math.min(column.height / seats.length, (column.width / BOARD_WIDTH) * boardHeight(true));
  const top = column.y + (column.height - height * seats.length) / 2;
  return seats.map((seat, k) => fit({ ...column, y: top + k * height, height }, seat, true));
}

/** The largest board that fits into a rectangle, in its middle. */
function fit(rect: Rect, seat: number, small: boolean): Place {
  const space = small ? SPACE / 2 : SPACE;
  const tall = boardHeight(small);
  const cell = Math.max(2, Math.min((rect.width - space) / BOARD_WIDTH, (rect.height - space) / tall, 84));
  const x = rect.x + (rect.width - cell * BOARD_WIDTH) / 2;
  const y = rect.y + (rect.height - cell * tall) / 2;
  return { seat, x, y, cell, small };
}

type Ring = Pick<Layout, "plates" | "radius" | "centre" | "tile">;

/** Factories on an ellipse around the centre, as large as they can be. */
function ring(rect: Rect, factories: number): Ring {
  let radius = Math.min(rect.width, rect.height) / 3;
  while (radius > 8 && !fits(rect, factories, radius)) radius *= 0.97;
  const [a, b] = axes(rect, radius);
  const middle = { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  const plates = ellipse(factories, a, b).map(({ x, y }) => ({ x: middle.x + x, y: middle.y + y }));
  const [width, height] = [1.42 * Math.max(1, a - radius), 1.36 * Math.max(1, b - radius)];
  const centre = { x: middle.x - width / 2, y: middle.y - height / 2, width, height };
  return { plates, radius, centre, tile: radius * 0.58 };
}

function axes(rect: Rect, radius: number): [number, number] {
  const room = (side: number) => Math.max(1, side / 2 - radius - SPACE / 2);
  return [Math.min(room(rect.width), radius * 6), Math.min(room(rect.height), radius * 3.2)];
}

function fits(rect: Rect, factories: number, radius: number): boolean {
  const [a, b] = axes(rect, radius);
  if (Math.min(a, b) - radius < radius * 0.78 || Math.max(a, b) - radius < radius * 1.1) return false;
  const points = ellipse(factories, a, b);
  return points.every(({ x, y }, k) => {
    const next = points[(k + 1) % factories]!;
    return Math.hypot(next.x - x, next.y - y) >= 2.12 * radius;
  });
}

/** Points at equal distances along an ellipse around the origin, the first on top. */
export function ellipse(count: number, a: number, b: number): Point[] {
  const fine = 360;
  const path = Array.from({ length: fine + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / fine;
    return { x: a * Math.sin(angle), y: -b * Math.cos(angle) };
  });
  const lengths = [0];
  for (let k = 1; k <= fine; k++) {
    lengths.push(lengths[k - 1]! + Math.hypot(path[k]!.x - path[k - 1]!.x, path[k]!.y - path[k - 1]!.y));
  }
  return Array.from({ length: count }, (_, k) => {
    const wanted = (lengths[fine]! * k) / count;
    return path[lengths.findIndex((length) => length >= wanted - 1e-9)]!;
  });
}

/** Places for loose tiles in rows within a rectangle, as large as they can be up to a size. */
export function scatter(rect: Rect, count: number, most: number): { tile: number; places: Point[] } {
  let tile = Math.max(1, Math.min(most, rect.width, rect.height));
  const pitch = () => tile * 1.1;
  const across = () => Math.max(1, Math.floor(rect.width / pitch()));
  while (Math.ceil(count / across()) * pitch() > rect.height && tile > 4) tile *= 0.96;
  const rows = Math.ceil(count / across());
  const each = Math.ceil(count / Math.max(1, rows));
  const places = Array.from({ length: count }, (_, k) => {
    const row = Math.floor(k / each);
    const inRow = Math.min(each, count - row * each);
    return {
      x: rect.x + rect.width / 2 + ((k % each) - inRow / 2) * pitch() + (pitch() - tile) / 2,
      y: rect.y + rect.height / 2 + (row - rows / 2) * pitch() + (pitch() - tile) / 2,
    };
  });
  return { tile, places };
}

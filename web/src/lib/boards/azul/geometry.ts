/** Where things stand on a player's board, in cells; and on the table, in pixels. */

export interface Point {
  x: number;
  y: number;
}

/** A player's board on the table. Small ones have a taller header, so that names stay legible. */
export interface Place extends Point {
  seat: number;
  cell: number; // pixels a cell
  small: boolean;
}

export const SIZE = 5;
export const FLOOR_PLACES = 7;
export const BOARD_WIDTH = 11.6;
const MARGIN = 0.45;
const GAP = 0.7; // between pattern lines and wall

export const header = (small: boolean) => (small ? 1.75 : 1.25);

export const boardHeight = (small: boolean) => header(small) + SIZE + 0.35 + 1 + 0.4 + (small ? 0 : 0.28);

/** Cell `index` of a pattern line, filled from the right. */
export const lineCell = (small: boolean, row: number, index: number): Point => ({
  x: MARGIN + SIZE - 1 - index,
  y: header(small) + row,
});

export const wallCell = (small: boolean, row: number, column: number): Point => ({
  x: MARGIN + SIZE + GAP + column,
  y: header(small) + row,
});

export const floorCell = (small: boolean, index: number): Point => ({
  x: MARGIN + index * 1.06,
  y: header(small) + SIZE + 0.35,
});

/** A point of a board, in pixels of the table. */
export const onTable = (place: Place, point: Point): Point => ({
  x: place.x + point.x * place.cell,
  y: place.y + point.y * place.cell,
});

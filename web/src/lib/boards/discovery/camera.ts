/** Which part of the map is seen, and how large. The map's unit is a hundredth of a tile's side, y downwards. */
import { SIDE, type Point } from "./curves";
import type { Cell } from "./position";

export interface Camera {
  x: number; // where the map's origin is on the screen
  y: number;
  scale: number; // pixels for a unit of the map
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A window, with the room at its edges that other things cover. */
export interface Window {
  width: number;
  height: number;
  covered: Box;
}

const SMALLEST = 0.24;
const LARGEST = 2.4;
const LARGEST_FIT = 1.3;

/** The upper left corner of a cell on the map. */
export const corner = ({ x, y }: Cell): Point => ({ x: x * SIDE, y: -y * SIDE });

/** All cells and a margin around them, in tiles. */
export function around(cells: readonly Cell[], margin: number): Box {
  const [xs, ys] = [cells.map(({ x }) => x), cells.map(({ y }) => y)];
  return {
    left: (Math.min(...xs) - margin) * SIDE,
    right: (Math.max(...xs) + 1 + margin) * SIDE,
    top: (-Math.max(...ys) - margin) * SIDE,
    bottom: (-Math.min(...ys) + 1 + margin) * SIDE,
  };
}

/** Everything in view, as large as it can be. */
export function fit(box: Box, { width, height, covered }: Window): Camera {
  const [across, down] = [width - covered.left - covered.right, height - covered.top - covered.bottom];
  const wanted = Math.min(across / (box.right - box.left), down / (box.bottom - box.top), LARGEST_FIT);
  const scale = Math.max(SMALLEST, wanted);
  return {
    scale,
    x: covered.left + across / 2 - (scale * (box.left + box.right)) / 2,
    y: covered.top + down / 2 - (scale * (box.top + box.bottom)) / 2,
  };
}

/** Closer or further away; the place under the fingers stays there. */
export function zoomed(camera: Camera, factor: number, at: Point): Camera {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, camera.scale * factor));
  const change = scale / camera.scale;
  return { scale, x: at.x - (at.x - camera.x) * change, y: at.y - (at.y - camera.y) * change };
}

export const moved = (camera: Camera, dx: number, dy: number): Camera => ({ ...camera, x: camera.x + dx, y: camera.y + dy });

/** Pulls the camera back so far that the map never leaves the window altogether. */
export function held(camera: Camera, box: Box, { width, height }: Window): Camera {
  const { scale } = camera;
  const keep = SIDE * scale;
  const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
  return {
    scale,
    x: within(camera.x, keep - box.right * scale, width - keep - box.left * scale),
    y: within(camera.y, keep - box.bottom * scale, height - keep - box.top * scale),
  };
}

/** Moves no further than needed to have a box in view. */
export function showing(camera: Camera, box: Box, { width, height, covered }: Window): Camera {
  const { scale, x, y } = camera;
  const shift = (low: number, high: number, least: number, most: number) =>
    low < least ? least - low : high > most ? Math.max(most - high, least - low) : 0;
  return {
    scale,
    x: x + shift(box.left * scale + x, box.right * scale + x, covered.left, width - covered.right),
    y: y + shift(box.top * scale + y, box.bottom * scale + y, covered.top, height - covered.bottom),
  };
}

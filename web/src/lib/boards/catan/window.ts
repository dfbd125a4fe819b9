/** Which part of the island the window shows, in the island's units; all of it unless somebody zooms. */
import { BOX, type Point } from "./geometry";

export interface Window extends Point {
  width: number;
  height: number;
}

export const WHOLE: Window = BOX;
const MOST = 3.2; // times as large as the whole
const MARGIN = 150;

/** The part within the island, with the proportions of the whole. */
export function held({ x, y, width }: Window): Window {
  const wide = Math.min(BOX.width, Math.max(BOX.width / MOST, width));
  const high = (wide * BOX.height) / BOX.width;
  const hold = (at: number, from: number, length: number, seen: number) => Math.min(Math.max(at, from), from + length - seen);
  return { x: hold(x, BOX.x, BOX.width, wide), y: hold(y, BOX.y, BOX.height, high), width: wide, height: high };
}

/** Zooms by a factor; the point of the island at `at` stays where it is. */
export function zoomed(now: Window, factor: number, at: Point = middle(now)): Window {
  const scale = held({ ...now, width: now.width / factor }).width / now.width;
  return held({ x: at.x - (at.x - now.x) * scale, y: at.y - (at.y - now.y) * scale, width: now.width * scale, height: now.height * scale });
}

export const middle = ({ x, y, width, height }: Window): Point => ({ x: x + width / 2, y: y + height / 2 });

/** The part around some points; all of the island without any. */
export function around(points: readonly Point[]): Window {
  if (!points.length) return WHOLE;
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  const [width, height] = [Math.max(...xs) + MARGIN - left, Math.max(...ys) + MARGIN - top];
  const wide = Math.max(width, (height * BOX.width) / BOX.height);
  return held({ x: left + width / 2 - wide / 2, y: top + height / 2 - (wide * BOX.height) / BOX.width / 2, width: wide, height: 0 });
}

/** Where the small drawings of a landscape stand in a hex: scattered, never under the number token. */
import { RADIUS, type Point } from "./geometry";

const TOKEN = 36; // kept free in the middle
const EDGE = 17; // kept free at the border

/** A small generator of numbers in [0, 1): the same island looks the same every time. */
export function dice(seed: number): () => number {
  let state = (seed * 2654435761 + 97) >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

/** Is a point so far inside a hex around (0, 0)? */
export function inside({ x, y }: Point, border: number): boolean {
  const apothem = RADIUS * Math.sqrt(0.75) - border;
  return [0, 60, 120].every((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return Math.abs(x * Math.cos(angle) + y * Math.sin(angle)) <= apothem;
  });
}

/** Up to `count` places that keep `apart` from each other and away from the token, from back to front. */
export function scatter(seed: number, count: number, apart: number, room = { left: 0, up: 0, down: 0 }): Point[] {
  const next = dice(seed);
  const found: Point[] = [];
  for (let trial = 0; trial < 900 && found.length < count; trial++) {
    const point = { x: (next() * 2 - 1) * RADIUS, y: (next() * 2 - 1) * RADIUS };
    const extent = [point, ...[-1, 1].map((side) => ({ x: point.x + side * room.left, y: point.y - room.up }))];
    if (!extent.every((corner) => inside(corner, EDGE - 4)) || !inside(point, EDGE)) continue;
    const nearest = { x: Math.max(Math.abs(point.x) - room.left, 0), y: fromSpan(point.y - room.up, point.y + room.down) };
    if (Math.hypot(nearest.x, nearest.y) < TOKEN) continue;
    if (found.some((other) => Math.hypot(point.x - other.x, point.y - other.y) < apart)) continue;
    found.push(point);
  }
  return found.sort((a, b) => a.y - b.y);
}

/** How far a span of numbers is from zero. */
function fromSpan(low: number, high: number): number {
  return low <= 0 && high >= 0 ? 0 : Math.min(Math.abs(low), Math.abs(high));
}

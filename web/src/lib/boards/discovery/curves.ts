/** Points and hand-drawn lines on a tile of 100 by 100, y downwards. */

export interface Point {
  x: number;
  y: number;
}

export const SIDE = 100;
export const MIDDLE: Point = { x: 50, y: 50 };

/** The corners NE, SE, SW, NW: each at the clockwise end of its side. */
export const CORNERS: readonly Point[] = [
  { x: 100, y: 0 },
  { x: 100, y: 100 },
  { x: 0, y: 100 },
  { x: 0, y: 0 },
];

/** A point of the printed tile after so many quarter turns clockwise. */
export function turned({ x, y }: Point, turns: number): Point {
  const steps = ((turns % 4) + 4) % 4;
  if (steps === 1) return { x: SIDE - y, y: x };
  if (steps === 2) return { x: SIDE - x, y: SIDE - y };
  if (steps === 3) return { x: y, y: SIDE - x };
  return { x, y };
}

export const between = (a: Point, b: Point, t: number): Point => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** The direction of an angle in degrees, clockwise from the east. */
export function heading(degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return { x: Math.cos(angle), y: Math.sin(angle) };
}

/** A stream of numbers from 0 to 1 that is the same for the same name. */
export function lots(name: string): () => number {
  let state = 2166136261;
  for (let k = 0; k < name.length; k++) state = Math.imul(state ^ name.charCodeAt(k), 16777619);
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 2654435769) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

const STEPS = 22;

/** A cubic curve as points, drawn with a slightly unsteady hand; its ends stay where they are. */
export function drawn(from: Point, out: Point, into: Point, to: Point, sway: number, next: () => number): Point[] {
  const [first, second] = [next() * 2 * Math.PI, next() * 2 * Math.PI];
  const [slow, quick] = [1.6 + next() * 0.8, 3.6 + next() * 1.6];
  return Array.from({ length: STEPS + 1 }, (_, k) => {
    const t = k / STEPS;
    const at = cubic(from, out, into, to, t);
    const [before, after] = [cubic(from, out, into, to, Math.max(0, t - 0.01)), cubic(from, out, into, to, Math.min(1, t + 0.01))];
    const length = distance(before, after) || 1;
    const swing = Math.sin(first + t * slow * Math.PI) * 0.65 + Math.sin(second + t * quick * Math.PI) * 0.4;
    const shift = sway * Math.sin(Math.PI * t) * swing;
    return { x: at.x - ((after.y - before.y) / length) * shift, y: at.y + ((after.x - before.x) / length) * shift };
  });
}

function cubic(a: Point, b: Point, c: Point, d: Point, t: number): Point {
  const s = 1 - t;
  const [u, v, w, z] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
  return { x: u * a.x + v * b.x + w * c.x + z * d.x, y: u * a.y + v * b.y + w * c.y + z * d.y };
}

/** The point after a share of a line's length. */
export function along(line: readonly Point[], share: number): Point {
  const lengths = line.slice(1).map((point, k) => distance(line[k]!, point));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  for (let k = 0; k < lengths.length; k++) {
    if (left <= lengths[k]!) return between(line[k]!, line[k + 1]!, lengths[k]! ? left / lengths[k]! : 0);
    left -= lengths[k]!;
  }
  return line.at(-1)!;
}

/** How far a point is from a line. */
export function toLine(point: Point, line: readonly Point[]): number {
  let least = Infinity;
  for (let k = 1; k < line.length; k++) least = Math.min(least, toStretch(point, line[k - 1]!, line[k]!));
  return least;
}

function toStretch(point: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const square = dx * dx + dy * dy;
  const t = square ? Math.max(0, Math.min(1, ((point.x - a.x) * dx + (point.y - a.y) * dy) / square)) : 0;
  return Math.hypot(point.x - a.x - t * dx, point.y - a.y - t * dy);
}

/** Does the point lie within the closed line? */
export function inside(point: Point, line: readonly Point[]): boolean {
  let within = false;
  for (let k = 0, j = line.length - 1; k < line.length; j = k++) {
    const [a, b] = [line[k]!, line[j]!];
    if (a.y > point.y !== b.y > point.y && point.x < ((b.x - a.x) * (point.y - a.y)) / (b.y - a.y) + a.x) within = !within;
  }
  return within;
}

const short = (value: number) => Math.round(value * 10) / 10;

/** A line as an SVG path. */
export function path(line: readonly Point[], closed = false): string {
  return `M${line.map(({ x, y }) => `${short(x)} ${short(y)}`).join("L")}${closed ? "Z" : ""}`;
}

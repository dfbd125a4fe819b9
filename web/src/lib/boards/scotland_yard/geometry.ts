/** Points, cubic curves and smooth outlines. */

export interface Point {
  x: number;
  y: number;
}

export type Curve = readonly [Point, Point, Point, Point];

export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

export const between = (a: Point, b: Point, t: number): Point => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });

const SHOULDER = 0.2; // where a bow leaves the straight line, so that it soon runs beside it

/** A curve from a to b; its inner control points lie `left` and `right` beside the straight line. */
export function bow(a: Point, b: Point, left: number, right: number): Curve {
  const length = distance(a, b) || 1;
  const normal = { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
  const beside = (t: number, by: number): Point => {
    const on = between(a, b, t);
    return { x: on.x + normal.x * by, y: on.y + normal.y * by };
  };
  return [a, beside(SHOULDER, left), beside(1 - SHOULDER, right), b];
}

export function pointAt([a, b, c, d]: Curve, t: number): Point {
  const s = 1 - t;
  const [wa, wb, wc, wd] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
  return { x: wa * a.x + wb * b.x + wc * c.x + wd * d.x, y: wa * a.y + wb * b.y + wc * c.y + wd * d.y };
}

/** Points along a curve, about so far apart, both ends included. */
export function samples(curve: Curve, apart: number): Point[] {
  const count = Math.max(2, Math.round(distance(curve[0], curve[3]) / apart));
  return Array.from({ length: count + 1 }, (_, k) => pointAt(curve, k / count));
}

const written = (value: number) => String(Math.round(value * 10) / 10);
const pair = ({ x, y }: Point) => `${written(x)} ${written(y)}`;

export function curvePath([a, b, c, d]: Curve): string {
  return `M${pair(a)}C${pair(b)} ${pair(c)} ${pair(d)}`;
}

export function linePath(points: readonly Point[]): string {
  return points.map((point, k) => (k ? "L" : "M") + pair(point)).join("");
}

/** A smooth line through all points (Catmull-Rom), in small steps. */
export function smooth(points: readonly Point[], closed = false, steps = 8): Point[] {
  const count = points.length;
  const get = (k: number) => points[closed ? (k + count) % count : Math.min(count - 1, Math.max(0, k))]!;
  const found: Point[] = [];
  for (let k = 0; k < (closed ? count : count - 1); k++) {
    const [p, a, b, n] = [get(k - 1), get(k), get(k + 1), get(k + 2)];
    const inner = (from: Point, to: Point, sign: number, at: Point): Point => ({
      x: at.x + (sign * (to.x - from.x)) / 6,
      y: at.y + (sign * (to.y - from.y)) / 6,
    });
    const curve: Curve = [a, inner(p, b, 1, a), inner(a, n, -1, b), b];
    for (let step = 0; step < steps; step++) found.push(pointAt(curve, step / steps));
  }
  if (!closed) found.push(get(count - 1));
  return found;
}

export const closedPath = (points: readonly Point[]): string => `${linePath(points)}Z`;

/** The index of the point that is nearest to another. */
export function nearest(points: readonly Point[], to: Point): number {
  let best = 0;
  points.forEach((point, k) => {
    if (distance(point, to) < distance(points[best]!, to)) best = k;
  });
  return best;
}

/** The point at a share of the length of a line. */
export function along(points: readonly Point[], share: number): Point {
  const lengths = points.slice(1).map((point, k) => distance(points[k]!, point));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  for (let k = 0; k < lengths.length; k++) {
    if (left <= lengths[k]!) return between(points[k]!, points[k + 1]!, lengths[k] ? left / lengths[k]! : 0);
    left -= lengths[k]!;
  }
  return points.at(-1)!;
}

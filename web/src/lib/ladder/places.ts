/** The ladder as a drawing: strength against the time of a decision, which spans many powers of ten. */
import type { Rung } from "../laboratory/requests";

export interface Placed {
  rung: Rung;
  x: number;
  y: number;
  low: number; // y of the ends of its interval
  high: number;
}

export interface Drawing {
  placed: Placed[];
  times: { x: number; seconds: number }[]; // marks of the axes
  ratings: { y: number; rating: number }[];
  frontier: string; // the path of the strongest agents for their time
}

export interface Size {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Round steps for an axis: 50, 100, 200, 500 … */
export function stepFor(span: number, most: number): number {
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough)!;
}

/** Places all rungs that have played. */
export function draw(rungs: readonly Rung[], size: Size): Drawing {
  const played = rungs.filter(({ seconds }) => seconds !== null && seconds > 0);
  if (!played.length) return { placed: [], times: [], ratings: [], frontier: "" };
  const logs = played.map(({ seconds }) => Math.log10(seconds!));
  const [first, last] = [Math.floor(Math.min(...logs) - 0.15), Math.ceil(Math.max(...logs) + 0.15)];
  const step = stepFor(Math.max(...played.map(({ high }) => high)) - Math.min(...played.map(({ low }) => low)), 6);
  const bottom = Math.floor(Math.min(...played.map(({ low }) => low)) / step) * step;
  const top = Math.ceil(Math.max(...played.map(({ high }) => high)) / step) * step;
  const x = (log: number) => size.left + ((log - first) / (last - first)) * (size.width - size.left - size.right);
  const y = (rating: number) => size.top + ((top - rating) / (top - bottom)) * (size.height - size.top - size.bottom);
  const placed = played.map((rung) => ({
    rung,
    x: x(Math.log10(rung.seconds!)),
    y: y(rung.rating),
    low: y(rung.low),
    high: y(rung.high),
  }));
  const times = Array.from({ length: last - first + 1 }, (_, k) => ({ x: x(first + k), seconds: 10 ** (first + k) }));
  const ratings = Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, k) => ({
    y: y(bottom + k * step),
    rating: bottom + k * step,
  }));
  return { placed, times, ratings, frontier: frontierOf(placed) };
}

/** The strongest for their time: a staircase through those that nobody quicker beats. */
function frontierOf(placed: readonly Placed[]): string {
  let best = Infinity;
  const corners: string[] = [];
  for (const { x, y } of [...placed].sort((a, b) => a.x - b.x || a.y - b.y)) {
    if (y >= best) continue;
    corners.push(corners.length ? `H${x.toFixed(1)}V${y.toFixed(1)}` : `M${x.toFixed(1)} ${y.toFixed(1)}`);
    best = y;
  }
  return corners.join("");
}

/** Where labels may stand without lying on each other: their y, moved down as far as need be. */
export function labelled(placed: readonly Placed[], height: number, widthOf: (rung: Rung) => number): Map<string, number> {
  const taken: { left: number; right: number; y: number }[] = [];
  const found = new Map<string, number>();
  for (const one of [...placed].sort((a, b) => a.y - b.y)) {
    const [left, right] = [one.x, one.x + widthOf(one.rung)];
    let { y } = one;
    for (let tries = 0; tries < placed.length; tries++) {
      const over = taken.find((other) => left < other.right && right > other.left && Math.abs(other.y - y) < height);
      if (!over) break;
      y = over.y + height;
    }
    taken.push({ left, right, y });
    found.set(one.rung.agent, y);
  }
  return found;
}

/** How often the stronger of two wins, by their ratings. */
export const expected = (difference: number): number => 1 / (1 + 10 ** (-difference / 400));

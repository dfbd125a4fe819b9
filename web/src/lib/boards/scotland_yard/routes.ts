/** Draws connections as curves that keep apart from each other and from stations where they do not stop. */
import { bow, curvePath, distance, linePath, nearest, samples, smooth, type Curve, type Point } from "./geometry";
import type { StaticMap, Transport } from "./position";

export interface Route {
  from: number;
  to: number;
  transport: Transport;
  points: Point[]; // along the drawn line
  path: string;
}

/** How near a line may come to a station where it does not stop, and to a line that runs beside it. */
const CLEARANCE = 18;
const GAP = 7.5;
const APART = 6; // between the samples of a line
const END = 16; // so much of a line is under its stations, and more of a long one may converge with others
const CONVERGING = 0.16;
const PARALLEL = 0.82; // cosine of the angle from which lines cross rather than run together

const TAXI_BOWS = [0, 5, -5, 10, -10, 16, -16, 24, -24];
const LONG_BOWS = [0, 5, -5, 10, -10, 15, -15, 21, -21, 28, -28, 38, -38, 52, -52];
const ORDER: readonly Transport[] = ["taxi", "underground", "bus", "ferry"]; // who gets the straight way

/** Things at places, found by neighbourhood. */
class Nearby<T extends Point> {
  private readonly cells = new Map<string, T[]>();
  constructor(private readonly side: number) {}

  add(thing: T): void {
    const key = this.key(Math.floor(thing.x / this.side), Math.floor(thing.y / this.side));
    const cell = this.cells.get(key);
    if (cell) cell.push(thing);
    else this.cells.set(key, [thing]);
  }

  /** All things within a side of the cells, and some that are a little farther. */
  *around({ x, y }: Point): Iterable<T> {
    const [column, row] = [Math.floor(x / this.side), Math.floor(y / this.side)];
    for (let i = column - 1; i <= column + 1; i++) {
      for (let j = row - 1; j <= row + 1; j++) yield* this.cells.get(this.key(i, j)) ?? [];
    }
  }

  private key(column: number, row: number): string {
    return `${column} ${row}`;
  }
}

interface Piece extends Point {
  dx: number; // direction, of length 1
  dy: number;
}

/** The lines of all connections of a map whose stations stand at these places. */
export function routesOf(map: StaticMap, places: ReadonlyMap<number, Point>, river: readonly Point[]): Route[] {
  const stations = new Nearby<Point & { id: number }>(CLEARANCE);
  for (const [id, place] of places) stations.add({ id, ...place });
  const drawn = new Nearby<Piece>(GAP);
  const routes: Route[] = [];
  for (const transport of ORDER) {
    const own = map.connections.filter((connection) => connection[2] === transport);
    own.sort((one, other) => lengthOf(one, places) - lengthOf(other, places));
    for (const [from, to] of own) {
      const [a, b] = [places.get(from)!, places.get(to)!];
      if (transport === "ferry" && river.length) {
        const points = afloat(a, b, river);
        routes.push({ from, to, transport, points, path: linePath(points) });
        continue;
      }
      const curve = best(a, b, transport === "taxi" ? TAXI_BOWS : LONG_BOWS, (points) =>
        cost(points, from, to, stations, drawn),
      );
      const points = samples(curve, APART);
      for (const piece of piecesOf(points)) drawn.add(piece);
      routes.push({ from, to, transport, points, path: curvePath(curve) });
    }
  }
  return routes;
}

const lengthOf = ([from, to]: [number, number, Transport], places: ReadonlyMap<number, Point>) =>
  distance(places.get(from)!, places.get(to)!);

/** The cheapest of many bows: a straight line if nothing is in its way. */
function best(a: Point, b: Point, bows: readonly number[], price: (points: Point[]) => number): Curve {
  const length = distance(a, b);
  const allowed = bows.filter((by) => Math.abs(by) <= 6 + length * 0.3);
  let [found, least] = [bow(a, b, 0, 0), Infinity];
  for (const left of allowed) {
    for (const right of allowed) {
      if (Math.abs(left - right) > length * 0.22) continue; // a snake
      const bend = (Math.abs(left) + Math.abs(right)) * 0.25 + Math.abs(left - right) * 0.35;
      if (bend >= least) continue;
      const curve = bow(a, b, left, right);
      const total = bend + price(samples(curve, APART));
      if (total < least) [found, least] = [curve, total];
    }
  }
  return found;
}

function cost(
  points: readonly Point[],
  from: number,
  to: number,
  stations: Nearby<Point & { id: number }>,
  drawn: Nearby<Piece>,
): number {
  let total = 0;
  for (const point of points) {
    for (const station of stations.around(point)) {
      if (station.id === from || station.id === to) continue;
      const room = distance(station, point);
      if (room < CLEARANCE) total += (CLEARANCE - room) ** 2 * 0.35;
    }
  }
  for (const piece of piecesOf(points)) {
    for (const other of drawn.around(piece)) {
      const room = distance(piece, other);
      if (room < GAP && Math.abs(piece.dx * other.dx + piece.dy * other.dy) > PARALLEL) total += (GAP - room) * 0.8;
    }
  }
  return total;
}

/** The part of a line that is not under its stations, with directions. */
function piecesOf(points: readonly Point[]): Piece[] {
  const [first, last] = [points[0]!, points.at(-1)!];
  const end = Math.max(END, distance(first, last) * CONVERGING);
  const pieces: Piece[] = [];
  for (let k = 1; k < points.length - 1; k++) {
    const at = points[k]!;
    if (distance(at, first) < end || distance(at, last) < end) continue;
    const [p, n] = [points[k - 1]!, points[k + 1]!];
    const length = distance(p, n) || 1;
    pieces.push({ ...at, dx: (n.x - p.x) / length, dy: (n.y - p.y) / length });
  }
  return pieces;
}

/** A ferry leaves the quay, follows the river and lands again. */
function afloat(a: Point, b: Point, river: readonly Point[]): Point[] {
  const [start, end] = [nearest(river, a), nearest(river, b)];
  const stream = river.slice(Math.min(start, end), Math.max(start, end) + 1);
  if (start > end) stream.reverse();
  const sparse = stream.filter((_, k) => k % 8 === 4);
  return smooth([a, ...sparse, b]);
}

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
const TOUCH = 12.5; // here it would be under the station
const GAP = 7.5;
const APART = 6; // between the samples of a line
const END = 16; // so much of a line is under its stations, and more of a long one may converge with others
const CONVERGING = 0.16;
const PARALLEL = 0.82; // cosine of the angle from which lines cross rather than run together

const TAXI_BOWS = [0, 5, -5, 10, -10, 16, -16, 24, -24];
const LONG_BOWS = [0, 5, -5, 10, -10, 15, -15, 21, -21, 28, -28, 36, -36, 45, -45, 56, -56];
const ORDER: readonly Transport[] = ["taxi", "underground", "bus", "ferry"]; // who gets the straight way

/** Things at places, found by neighbourhood: everything is filed under its cell and the eight around it. */
class Nearby<T extends Point> {
  private readonly cells = new Map<number, T[]>();
  constructor(private readonly side: number) {}

  add(thing: T): void {
    const [column, row] = [Math.floor(thing.x / this.side), Math.floor(thing.y / this.side)];
    for (let i = column - 1; i <= column + 1; i++) {
      for (let j = row - 1; j <= row + 1; j++) {
        const cell = this.cells.get(i * ROWS + j);
        if (cell) cell.push(thing);
        else this.cells.set(i * ROWS + j, [thing]);
      }
    }
  }

  /** All things within a cell's side, and some that are a little farther. */
  around(x: number, y: number): readonly T[] {
    return this.cells.get(Math.floor(x / this.side) * ROWS + Math.floor(y / this.side)) ?? NOTHING;
  }
}

const ROWS = 100_000; // more than any map has
const NOTHING: readonly never[] = [];

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
      const curve = best(a, b, transport === "taxi" ? TAXI_BOWS : LONG_BOWS, (points, limit) =>
        cost(points, from, to, stations, drawn, limit),
      );
      const straight = samples(curve, APART);
      const points = evade(straight, from, to, stations);
      for (const piece of piecesOf(points)) drawn.add(piece);
      routes.push({ from, to, transport, points, path: points === straight ? curvePath(curve) : linePath(smooth(points, false, 3)) });
    }
  }
  return routes;
}

const lengthOf = ([from, to]: [number, number, Transport], places: ReadonlyMap<number, Point>) =>
  distance(places.get(from)!, places.get(to)!);

type Price = (points: Point[], limit: number) => number;

/** The cheapest of many bows: a straight line if nothing is in its way. */
function best(a: Point, b: Point, bows: readonly number[], price: Price): Curve {
  let [found, least] = [bow(a, b, 0, 0), Infinity];
  for (const { left, right, bend } of bendings(distance(a, b), bows)) {
    if (bend >= least) break; // all that follow are bent more
    const curve = bow(a, b, left, right);
    const total = bend + price(samples(curve, APART), least - bend);
    if (total < least) [found, least] = [curve, total];
  }
  return found;
}

/** All bows for a line of a length, the straightest first. */
function bendings(length: number, bows: readonly number[]): { left: number; right: number; bend: number }[] {
  const allowed = bows.filter((by) => Math.abs(by) <= 6 + length * 0.3);
  const snake = length * 0.22; // more difference between the ends looks like one
  return allowed
    .flatMap((left) => allowed.map((right) => ({ left, right, bend: bendOf(left, right) })))
    .filter(({ left, right }) => Math.abs(left - right) <= snake)
    .sort((one, other) => one.bend - other.bend);
}

const bendOf = (left: number, right: number) => (Math.abs(left) + Math.abs(right)) * 0.25 + Math.abs(left - right) * 0.35;

/** What a line costs for coming near stations, and for running close beside lines that are drawn already. */
function cost(
  points: readonly Point[],
  from: number,
  to: number,
  stations: Nearby<Point & { id: number }>,
  drawn: Nearby<Piece>,
  limit: number, // more than this need not be counted
): number {
  let total = 0;
  for (const { x, y } of points) {
    for (const station of stations.around(x, y)) {
      if (station.id === from || station.id === to) continue;
      const room = Math.hypot(station.x - x, station.y - y);
      if (room < CLEARANCE) total += (CLEARANCE - room) ** 2 * 0.5 + (room < TOUCH ? 60 : 0);
    }
    if (total >= limit) return total;
  }
  for (const { x, y, dx, dy } of piecesOf(points)) {
    for (const other of drawn.around(x, y)) {
      const room = Math.hypot(other.x - x, other.y - y);
      if (room < GAP && Math.abs(dx * other.dx + dy * other.dy) > PARALLEL) total += (GAP - room) * 0.8;
    }
  }
  return total;
}

/** Pulls a line that still runs under stations around them, like a string around pins. */
function evade(points: Point[], from: number, to: number, stations: Nearby<Point & { id: number }>): Point[] {
  const inTheWay = ({ x, y }: Point) =>
    stations.around(x, y).filter((station) => station.id !== from && station.id !== to && distance(station, { x, y }) < CLEARANCE);
  if (!points.some((point) => inTheWay(point).some((station) => distance(station, point) < TOUCH))) return points;
  let line = points;
  for (let round = 0; round < 80; round++) {
    line = line.map((point, k) => {
      if (k === 0 || k === line.length - 1) return point;
      const [p, n] = [line[k - 1]!, line[k + 1]!];
      let { x, y } = { x: (p.x + 2 * point.x + n.x) / 4, y: (p.y + 2 * point.y + n.y) / 4 };
      for (const station of inTheWay({ x, y })) {
        const room = distance(station, { x, y }) || 1;
        const push = ((CLEARANCE - room) / room) * 0.6;
        x += (x - station.x) * push;
        y += (y - station.y) * push;
      }
      return { x, y };
    });
  }
  return line;
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

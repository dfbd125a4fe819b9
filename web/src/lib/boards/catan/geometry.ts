/** Where things lie on the drawn island: a hex has a radius of 100, the middle of the island is (0, 0). */
import type { Fixed } from "./position";

export interface Point {
  x: number;
  y: number;
}

export const RADIUS = 100;
const HALF_WIDTH = RADIUS * Math.sqrt(0.75);
const QUARTER_HEIGHT = RADIUS / 2;
const OUT_TO_SEA = 74; // from a harbour's edge to its sign

export interface Harbour extends Point {
  index: number;
  piers: [Point, Point]; // the corners that it serves
}

export interface Edge extends Point {
  from: Point;
  to: Point;
  angle: number; // in degrees
}

export interface Layout {
  hexes: Point[];
  vertices: Point[];
  edges: Edge[];
  harbours: Harbour[];
}

/** The corners of a hex around a point, clockwise from the top, perhaps smaller or larger. */
export function corners({ x, y }: Point, radius = RADIUS): Point[] {
  return Array.from({ length: 6 }, (_, k) => {
    const angle = (Math.PI / 3) * k - Math.PI / 2;
    return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
  });
}

/** Points as an SVG path that closes. */
export function outline(points: readonly Point[]): string {
  return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;
}

const drawn = ({ x, y }: Point): Point => ({ x: x * HALF_WIDTH, y: y * QUARTER_HEIGHT });

export function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

export function layoutOf(fixed: Fixed): Layout {
  const hexes = fixed.hexes.map(drawn);
  const vertices = fixed.vertices.map(drawn);
  const edges = fixed.edges.map(([a, b]) => edgeBetween(vertices[a]!, vertices[b]!));
  const harbours = fixed.harbours.map(({ edge, vertices: [a, b], hex }, index) => {
    const place = edges[edge]!;
    const land = hexes[hex]!;
    const distance = Math.hypot(place.x - land.x, place.y - land.y);
    const along = (from: number, to: number) => to + ((to - from) / distance) * OUT_TO_SEA;
    const piers: [Point, Point] = [vertices[a]!, vertices[b]!];
    return { index, x: along(land.x, place.x), y: along(land.y, place.y), piers };
  });
  return { hexes, vertices, edges, harbours };
}

function edgeBetween(from: Point, to: Point): Edge {
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return { ...middle(from, to), from, to, angle };
}

/** The part of a line between two points that stays so far from both ends. */
export function between(from: Point, to: Point, gap: number): [Point, Point] {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const step = (at: Point, other: Point): Point => ({
    x: at.x + ((other.x - at.x) * gap) / length,
    y: at.y + ((other.y - at.y) * gap) / length,
  });
  return [step(from, to), step(to, from)];
}

/** All that is drawn, with the sea around it: x, y, width, height. */
export const BOX = { x: -548, y: -484, width: 1096, height: 968 };

/** How many dots a number token has: the ways to roll it with two dice. */
export function dots(number: number): number {
  return 6 - Math.abs(7 - number);
}

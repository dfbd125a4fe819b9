/** The picture of a kind of tile: areas, borders, cities, places for followers, sparse strokes; turned as it lies. */
import { along, between, CORNERS, distance, drawn, heading, inside, lots, MIDDLE, path, SIDE, toLine, turned, type Point } from "./curves";
import { partition, type Border, type Partition } from "./partition";
import type { Scheme, Terrain } from "./position";
import { strokes } from "./strokes";

/** The shape of a printed tile. */
export interface Shape {
  areas: Point[][]; // closed, by segment
  borders: { between: [number, number]; line: Point[] }[];
  cities: Point[];
  spots: Point[]; // where a follower stands, by segment
  marks: Point[][]; // where strokes are drawn, by segment
}

/** What is drawn of a tile that lies with so many turns. */
export interface TilePicture {
  areas: { terrain: Terrain; path: string }[];
  coasts: string; // borders of the sea
  ridges: string; // borders of mountains and grassland
  cities: Point[];
  spots: Point[];
  strokes: { terrain: Terrain; path: string }[];
  edges: string[]; // by segment: its borders inside the tile
}

const CITY_ROOM = 15; // what is kept free around a city
const SHARE = 0.6; // of its shore that lies before a city: not in the middle, so that a follower finds room beside it

/** The shape of a tile; made once for every scheme. */
export const shapeOf = remembered((scheme: Scheme): Shape => {
  const parts = partition(scheme);
  const lines = parts.borders.map((border, index) => lineOf(scheme, parts, border, index));
  const borders = parts.borders.map((border, index) => ({ between: border.between, line: lines[index]! }));
  const areas = parts.outlines.map((outline) =>
    outline.flatMap(({ kind, index, backwards }) => {
      const line = kind === "side" ? [CORNERS[(index + 3) % 4]!, CORNERS[index]!] : lines[index]!;
      return (backwards ? [...line].reverse() : line).slice(0, -1);
    }),
  );
  const cities = scheme.cities.map((city) => {
    const shore = borders.find((border) => city.every((segment) => border.between.includes(segment)))!.line;
    return along(shore, SHARE);
  });
  const spots = areas.map((area) => standing(area, borders.map(({ line }) => line), cities));
  const marks = areas.map((area, segment) => scattered(scheme.name + segment, area, cities, spots[segment]!));
  return { areas, borders, cities, spots, marks };
});

function remembered<Result>(make: (scheme: Scheme) => Result): (scheme: Scheme) => Result {
  const known = new WeakMap<Scheme, Result>();
  return (scheme) => {
    if (!known.has(scheme)) known.set(scheme, make(scheme));
    return known.get(scheme)!;
  };
}

/** The place of a node: a corner, or within the tile on the side of the corners that its borders come from. */
function nodeAt(parts: Partition, node: number): Point {
  if (node < 4) return CORNERS[node]!;
  const others = parts.borders.filter(({ ends }) => ends.includes(node)).map(({ ends }) => ends[0] + ends[1] - node);
  const corners = others.filter((other) => other < 4).map((other) => CORNERS[other]!);
  const mean = { x: sum(corners.map(({ x }) => x)) / corners.length, y: sum(corners.map(({ y }) => y)) / corners.length };
  return between(mean, MIDDLE, 0.6);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** A border leaves a corner along the diagonal, or close to its own side where a third segment reaches the corner. */
function lineOf(scheme: Scheme, parts: Partition, border: Border, index: number): Point[] {
  const [start, end] = border.ends;
  const next = lots(`${scheme.name} ${index}`);
  const [from, to] = [nodeAt(parts, start), nodeAt(parts, end)];
  const neighbours = start < 4 && end < 4 && (start - end) % 2 !== 0;
  const diagonal = start < 4 && end < 4 && !neighbours;
  const bow = diagonal ? (next() < 0.5 ? -1 : 1) * 14 : 0;
  const reach = neighbours ? 62 : distance(from, to) * 0.36;
  const handle = (node: number, here: Point, there: Point, lean: number): Point => {
    if (node >= 4) return between(here, there, 0.33);
    const way = heading(angleAt(scheme, parts, border, node) + lean);
    return { x: here.x + way.x * reach, y: here.y + way.y * reach };
  };
  const sea = border.between.some((segment) => scheme.regions[segment]!.terrain === "sea");
  return drawn(from, handle(start, from, to, bow), handle(end, to, from, bow), to, sea ? 3.4 : 2.6, next);
}

const INWARD = [135, 225, 315, 45]; // from the corners NE, SE, SW, NW along the diagonal, clockwise from the east
const ASIDE = 12; // degrees off the diagonal

function angleAt(scheme: Scheme, parts: Partition, border: Border, corner: number): number {
  if (parts.reached[corner] === null) return INWARD[corner]!;
  const onFirst = border.between.includes(scheme.sides[corner]!) && scheme.sides[corner] !== parts.reached[corner];
  return INWARD[corner]! + (onFirst ? ASIDE : -ASIDE);
}

/** The roomiest place of an area: far from its borders, not too near to the tile's sides, away from cities. */
function standing(area: readonly Point[], borders: readonly Point[][], cities: readonly Point[]): Point {
  let [best, most] = [MIDDLE, -Infinity];
  for (let x = 7; x < SIDE; x += 3.5) {
    for (let y = 7; y < SIDE; y += 3.5) {
      const point = { x, y };
      if (!inside(point, area)) continue;
      const toSide = 1.5 * Math.min(x, y, SIDE - x, SIDE - y);
      const toCity = Math.min(...cities.map((city) => distance(city, point) - 11));
      const room = Math.min(toSide, toCity, ...borders.map((line) => toLine(point, line)), 24) - distance(point, MIDDLE) / 200;
      if (room > most) [best, most] = [point, room];
    }
  }
  return best;
}

/** Places for strokes: few, apart from each other, clear of borders, cities and the follower's place. */
function scattered(name: string, area: readonly Point[], cities: readonly Point[], spot: Point): Point[] {
  const next = lots(name);
  const places: Point[] = [];
  for (let attempt = 0; attempt < 90; attempt++) {
    const point = { x: 8 + next() * 84, y: 8 + next() * 84 };
    const free =
      inside(point, area) &&
      toLine(point, [...area, area[0]!]) > 8.5 &&
      cities.every((city) => distance(city, point) > CITY_ROOM) &&
      places.every((place) => distance(place, point) > 23) &&
      distance(spot, point) > 15;
    if (free) places.push(point);
  }
  return places;
}

const pictures = new WeakMap<Scheme, (TilePicture | undefined)[]>();

/** The picture of a tile that lies with so many quarter turns; made once. */
export function pictureOf(scheme: Scheme, turns: number): TilePicture {
  const known = pictures.get(scheme) ?? [];
  pictures.set(scheme, known);
  return (known[turns % 4] ??= picture(scheme, turns));
}

function picture(scheme: Scheme, turns: number): TilePicture {
  const shape = shapeOf(scheme);
  const turn = (points: readonly Point[]) => points.map((point) => turned(point, turns));
  const lines = shape.borders.map(({ between: pair, line }) => ({ pair, path: path(turn(line)) }));
  const terrain = (segment: number) => scheme.regions[segment]!.terrain;
  const wet = (pair: readonly number[]) => pair.some((segment) => terrain(segment) === "sea");
  const drawnLines = (chosen: typeof lines) => chosen.map((line) => line.path).join("");
  return {
    areas: shape.areas.map((area, segment) => ({ terrain: terrain(segment), path: path(turn(area), true) })),
    coasts: drawnLines(lines.filter(({ pair }) => wet(pair))),
    ridges: drawnLines(lines.filter(({ pair }) => !wet(pair))),
    cities: turn(shape.cities),
    spots: turn(shape.spots),
    strokes: shape.marks.map((marks, segment) => ({ terrain: terrain(segment), path: strokes(terrain(segment), turn(marks)) })),
    edges: shape.areas.map((_, segment) => lines.filter(({ pair }) => pair.includes(segment))).map(drawnLines),
  };
}

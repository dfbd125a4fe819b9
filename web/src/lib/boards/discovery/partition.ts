/**
 * How a tile falls into its segments, derived from what it shows on its sides and which segments touch.
 *
 * Sides are counted N, E, S, W; node k < 4 is the corner at the clockwise end of side k (NE, SE, SW, NW),
 * further nodes are places inside the tile where three segments meet.
 */
import type { Scheme } from "./position";

export interface Border {
  between: [number, number]; // segments
  ends: [number, number]; // nodes
}

/** A part of a segment's outline: a side of the tile or a border, walked forwards or backwards. */
export interface Stretch {
  kind: "side" | "border";
  index: number;
  backwards: boolean;
}

export interface Partition {
  borders: Border[];
  nodes: number;
  outlines: Stretch[][]; // by segment, each walked round once
  reached: (number | null)[]; // by corner: the segment that comes to it from inside, between two others
}

type Pair = [number, number];

const has = (pair: Pair, segment: number) => pair[0] === segment || pair[1] === segment;

export function partition(scheme: Scheme): Partition {
  const touch = (a: number, b: number) => scheme.borders.some((pair) => has(pair, a) && has(pair, b));
  const meetings = triples(scheme, touch);
  const reached = [0, 1, 2, 3].map((corner) => comesBetween(scheme, corner, touch));
  const borders = scheme.borders.map((between): Border => {
    const corners = [0, 1, 2, 3].filter((corner) => endsAt(scheme, corner, between, reached[corner]!));
    const inside = meetings.flatMap((triple, k) => (between.every((segment) => triple.includes(segment)) ? [4 + k] : []));
    const ends = [...corners, ...inside];
    if (ends.length !== 2) throw new Error(`Tile ${scheme.name}: border ${between.join("-")} has ${ends.length} ends.`);
    return { between, ends: [ends[0]!, ends[1]!] };
  });
  const outlines = scheme.regions.map((_, segment) => walk(scheme, borders, segment));
  return { borders, nodes: 4 + meetings.length, outlines, reached };
}

/** Three segments that all touch each other meet in a point. */
function triples(scheme: Scheme, touch: (a: number, b: number) => boolean): number[][] {
  const found: number[][] = [];
  for (const [a, b] of scheme.borders) {
    for (let c = Math.max(a, b) + 1; c < scheme.regions.length; c++) if (touch(a, c) && touch(b, c)) found.push([a, b, c]);
  }
  return found;
}

/** Where two sides of different segments that do not touch meet, a third segment reaches the corner. */
function comesBetween(scheme: Scheme, corner: number, touch: (a: number, b: number) => boolean): number | null {
  const [a, b] = sidesAt(scheme, corner);
  if (a === b || touch(a, b)) return null;
  const between = scheme.regions.findIndex((_, segment) => touch(segment, a) && touch(segment, b));
  return between < 0 ? null : between;
}

const sidesAt = (scheme: Scheme, corner: number): Pair => [scheme.sides[corner]!, scheme.sides[(corner + 1) % 4]!];

function endsAt(scheme: Scheme, corner: number, border: Pair, reached: number | null): boolean {
  const sides = sidesAt(scheme, corner);
  if (reached === null) return has(border, sides[0]) && has(border, sides[1]) && sides[0] !== sides[1];
  return has(border, reached) && (has(border, sides[0]) || has(border, sides[1]));
}

/** Walks round a segment: at every node exactly one other stretch goes on. */
function walk(scheme: Scheme, borders: Border[], segment: number): Stretch[] {
  const parts = [
    ...[0, 1, 2, 3]
      .filter((side) => scheme.sides[side] === segment)
      .map((side) => ({ kind: "side" as const, index: side, ends: [(side + 3) % 4, side] as Pair })),
    ...borders.flatMap(({ between, ends }, index) => (has(between, segment) ? [{ kind: "border" as const, index, ends }] : [])),
  ];
  const path: Stretch[] = [];
  let [part, node] = [parts[0], parts[0]?.ends[0] ?? 0];
  while (part && path.length < parts.length) {
    const backwards: boolean = part.ends[1] === node;
    path.push({ kind: part.kind, index: part.index, backwards });
    node = backwards ? part.ends[0] : part.ends[1];
    const left = part;
    part = parts.find((other) => other !== left && (other.ends[0] === node || other.ends[1] === node));
  }
  return path;
}

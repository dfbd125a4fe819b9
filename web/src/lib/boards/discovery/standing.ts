/** Who stands where in the frame that is shown, and what moves in it. */
import type { GameEvent } from "../../api/types";
import { corner } from "./camera";
import type { Point } from "./curves";
import { isStanding, isTile, type Cell, type DiscoveryPosition, type Scheme, type StandingEvent } from "./position";
import { measure, regionOf, worth } from "./regions";
import { pictureOf } from "./tile";
import { t } from "../../words/index.svelte";

export interface Standing extends Cell {
  seat: number;
  segment: number;
  follower: number | null; // its number among the seat's followers, while it may be taken back
  region: number | null;
  points: number;
}

/** A place on the tile just placed where a follower may stand. */
export interface Circle {
  at: Point;
  segment: number;
  region: number;
  label: string;
}

export const keyOf = ({ seat, x, y, segment }: Pick<Standing, "seat" | "x" | "y" | "segment">) => `${seat} ${x} ${y} ${segment}`;

/** The followers of a position, and those that later frames of the same step take away. */
export function standing(position: DiscoveryPosition, later: readonly GameEvent[]): Standing[] {
  const now: Standing[] = position.followers.map((follower) => ({ ...follower }));
  const keys = new Set(now.map(keyOf));
  const leaving = later.filter(isStanding).filter((event) => event.kind !== "follower" && !keys.has(keyOf(event)));
  return [...now, ...leaving.map(fromEvent)];
}

const fromEvent = ({ seat, x, y, segment, points }: StandingEvent): Standing => ({
  seat,
  x,
  y,
  segment,
  points,
  follower: null,
  region: null,
});

/** The followers that leave the map in this frame. */
export const leaving = (events: readonly GameEvent[]): Standing[] =>
  events.filter(isStanding).filter(({ kind }) => kind !== "follower").map(fromEvent);

/** The followers that come to the map in this frame. */
export const arriving = (events: readonly GameEvent[]): Set<string> =>
  new Set(events.filter(isStanding).filter(({ kind }) => kind === "follower").map(keyOf));

/** The cell where a tile comes to lie in this frame. */
export const landing = (events: readonly GameEvent[]): Cell | null => events.find(isTile) ?? null;

/** Points that a seat earns only in later frames. */
export function uncounted(later: readonly GameEvent[], seat: number): number {
  const earned = later.filter(isStanding).filter((event) => event.kind !== "follower" && event.seat === seat);
  return earned.reduce((sum, { points }) => sum + points, 0);
}

/** Where on the map a follower stands. */
export function placeOf(
  position: DiscoveryPosition,
  schemes: ReadonlyMap<string, Scheme>,
  { x, y, segment }: Cell & { segment: number },
): Point {
  const tile = position.tiles.find((other) => other.x === x && other.y === y);
  const spot = tile && pictureOf(schemes.get(tile.name)!, tile.turns).spots[segment];
  const origin = corner({ x, y });
  return spot ? { x: origin.x + spot.x, y: origin.y + spot.y } : origin;
}

/** The circles for the segments of the newest tile that are free. */
export function circlesOf(
  position: DiscoveryPosition,
  schemes: ReadonlyMap<string, Scheme>,
  segments: readonly number[],
): Circle[] {
  const tile = position.tiles.at(-1)!;
  return segments.map((segment) => {
    const region = regionOf(position, tile.regions[segment]!)!;
    const label = t("Follower on the {terrain}: {size}, {worth}", { terrain: region.terrain, size: measure(region), worth: worth(region) });
    return { at: placeOf(position, schemes, { ...tile, segment }), segment, region: region.id, label };
  });
}

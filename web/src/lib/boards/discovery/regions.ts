/** Regions of the map: their outlines, and what there is to say of them. */
import type { GameEvent } from "../../api/types";
import { CORNERS, path } from "./curves";
import { corner } from "./camera";
import type { Cell, DiscoveryPosition, Region, Scheme } from "./position";
import { pictureOf } from "./tile";
import { mark, plural, t } from "../../words/index.svelte";

/** The outline of the part of a region on one tile: firm borders, and sides where the map may still grow. */
export interface Contour {
  x: number;
  y: number;
  area: string;
  firm: string;
  open: string;
}

const BESIDE: readonly Cell[] = [
  { x: 0, y: 1 },
  { x: 1, y: 0 },
  { x: 0, y: -1 },
  { x: -1, y: 0 },
];

export function contours(position: DiscoveryPosition, region: Region, schemes: ReadonlyMap<string, Scheme>): Contour[] {
  const taken = new Set(position.tiles.map(({ x, y }) => `${x} ${y}`));
  return region.pieces.map(([number, segment]) => {
    const tile = position.tiles[number]!;
    const scheme = schemes.get(tile.name)!;
    const picture = pictureOf(scheme, tile.turns);
    const open = BESIDE.flatMap(({ x, y }, side) => {
      const own = scheme.sides[(side - tile.turns + 4) % 4] === segment;
      return own && !taken.has(`${tile.x + x} ${tile.y + y}`) ? [path([CORNERS[(side + 3) % 4]!, CORNERS[side]!])] : [];
    });
    return { ...corner(tile), area: picture.areas[segment]!.path, firm: picture.edges[segment]!, open: open.join("") };
  });
}

export const regionOf = (position: DiscoveryPosition, id: number | null): Region | undefined =>
  id === null ? undefined : position.regions.find((region) => region.id === id);

const LANDS: Record<string, string> = { mountains: mark("Mountains"), grassland: mark("Grassland"), sea: mark("Sea") };

export const pointsOf = (n: number): string => plural(n, "{n} point", "{n} points");

/** `Sea, open at 3 sides`. */
export function titleOf({ terrain, closed, open_ends }: Region): string {
  const land = t(LANDS[terrain] ?? terrain);
  return closed ? t("{land}, closed", { land }) : plural(open_ends, "{land}, open at {n} side", "{land}, open at {n} sides", { land });
}

/** `5 tiles, 2 cities`. */
export function measure({ terrain, size, cities, cities_beside }: Region): string {
  const parts = [plural(size, "{n} tile", "{n} tiles"), plural(cities, "{n} city", "{n} cities")];
  if (terrain === "mountains" && cities_beside) parts.push(t("{n} more on adjoining grassland", { n: cities_beside }));
  return parts.join(", ");
}

/** `7 points now, 5 at the end`. */
export function worth({ points, final_points }: Region): string {
  return points === final_points ? pointsOf(points) : t("{points} now, {end} at the end", { points: pointsOf(points), end: final_points });
}

/** The regions that a step has closed: those that the newest tile touches and that were named in the events. */
export function closedBy(position: DiscoveryPosition, closing: readonly GameEvent[]): Region[] {
  const touched = new Set(position.tiles.at(-1)?.regions);
  return position.regions.filter(
    (region) =>
      region.closed &&
      touched.has(region.id) &&
      closing.some(({ terrain, size }) => terrain === region.terrain && size === region.size),
  );
}

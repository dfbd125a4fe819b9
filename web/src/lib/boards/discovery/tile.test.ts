import { describe, expect, it } from "vitest";
import standard from "../../../../../ludens/games/discovery/data/standard.json?raw";
import { CORNERS, distance, inside, toLine, turned, type Point } from "./curves";
import { partition } from "./partition";
import type { Scheme, Terrain } from "./position";
import { pictureOf, shapeOf } from "./tile";

interface Printed {
  id: string;
  count: number;
  start: boolean;
  regions: { type: Terrain; edges: string[] }[];
  adjacent: [number, number][];
  cities: [number, number][];
}

const SIDES = ["N", "E", "S", "W"];
const printed = (JSON.parse(standard) as { tiles: Printed[] }).tiles;
const schemes: Scheme[] = printed.map(({ id, count, start, regions, adjacent, cities }) => ({
  name: id,
  copies: count,
  start,
  period: 4,
  sides: SIDES.map((side) => regions.findIndex(({ edges }) => edges.includes(side))),
  regions: regions.map(({ type, edges }) => ({ terrain: type, sides: edges })),
  borders: adjacent,
  cities,
}));
const named = (name: string) => schemes.find((scheme) => scheme.name === name)!;

const size = (line: readonly Point[]) =>
  Math.abs(line.reduce((sum, { x, y }, k) => sum + x * line[(k + 1) % line.length]!.y - line[(k + 1) % line.length]!.x * y, 0)) / 2;

describe.each(schemes)("tile $name", (scheme) => {
  it("falls into its segments without gaps", () => {
    const { areas } = shapeOf(scheme);
    expect(areas).toHaveLength(scheme.regions.length);
    expect(areas.reduce((sum, area) => sum + size(area), 0)).toBeCloseTo(10000, 3);
    for (const area of areas) expect(size(area)).toBeGreaterThan(800);
  });

  it("shows every segment along its whole sides", () => {
    const { areas } = shapeOf(scheme);
    for (const along of [0.1, 0.5, 0.9]) {
      const near = [
        { x: along * 100, y: 0.4 },
        { x: 99.6, y: along * 100 },
        { x: along * 100, y: 99.6 },
        { x: 0.4, y: along * 100 },
      ];
      near.forEach((point, side) => expect(inside(point, areas[scheme.sides[side]!]!)).toBe(true));
    }
  });

  it("has its cities on the shore between their segments, followers and strokes within their areas", () => {
    const { areas, borders, cities, spots, marks } = shapeOf(scheme);
    cities.forEach((city, k) => {
      const shore = borders.find(({ between }) => scheme.cities[k]!.every((segment) => between.includes(segment)))!;
      expect(toLine(city, shore.line)).toBeLessThan(0.01);
      expect(Math.min(city.x, city.y, 100 - city.x, 100 - city.y)).toBeGreaterThan(12);
    });
    spots.forEach((spot, segment) => {
      expect(inside(spot, areas[segment]!)).toBe(true);
      for (const city of cities) expect(distance(spot, city)).toBeGreaterThan(14);
    });
    marks.forEach((places, segment) => places.forEach((place) => expect(inside(place, areas[segment]!)).toBe(true)));
  });
});

describe("partition", () => {
  it("lets a segment reach the corner between two that do not touch", () => {
    expect(partition(named("D02")).reached).toEqual([0, null, null, 0]);
    expect(partition(named("D63")).reached).toEqual([0, 0, 0, 0]);
  });

  it("finds where three segments meet", () => {
    expect(partition(named("D64")).nodes).toBe(4);
    expect(partition(named("D46")).nodes).toBe(5);
    expect(partition(named("D51")).nodes).toBe(6);
  });

  it("walks round a segment with a side once", () => {
    const [grassland] = partition(named("D03")).outlines;
    expect(grassland!.filter(({ kind }) => kind === "side").map(({ index }) => index).sort()).toEqual([0, 2, 3]);
    expect(grassland!.filter(({ kind }) => kind === "border")).toHaveLength(1);
  });
});

describe("pictures", () => {
  it("turn clockwise", () => {
    expect(turned({ x: 50, y: 0 }, 1)).toEqual({ x: 100, y: 50 });
    expect(turned(CORNERS[3]!, 2)).toEqual(CORNERS[1]);
    for (let turns = 0; turns < 4; turns++) {
      const { spots } = pictureOf(named("D01"), turns);
      expect(spots[1]).toEqual(turned(shapeOf(named("D01")).spots[1]!, turns));
    }
  });

  it("are drawn the same way every time", () => {
    const again = { ...named("D44") };
    expect(pictureOf(again, 1)).toEqual(pictureOf(named("D44"), 1));
    expect(pictureOf(again, 1)).toBe(pictureOf(again, 5));
  });

  it("tell shores from the feet of mountains", () => {
    expect(pictureOf(named("D03"), 0).coasts).toBe("");
    expect(pictureOf(named("D03"), 0).ridges).not.toBe("");
    expect(pictureOf(named("D13"), 0).coasts).not.toBe("");
  });
});

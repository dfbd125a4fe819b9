/** A few tiles for the lobby's picture, four in a row: name, turns, terrains, sides, borders, cities. */
import type { Scheme, Terrain } from "./position";

const ROWS: readonly [string, number, string, string, string, string][] = [
  ["D50", 0, "smg", "1020", "01 02", "02"],
  ["D47", 2, "smg", "1002", "01 02 12", "02"],
  ["D56", 2, "mgs", "0120", "01 02 12", "12"],
  ["D57", 0, "gms", "0021", "01 02 12", "02"],
  ["D01", 0, "mgs", "1020", "01 02", "02"],
  ["D55", 3, "mgs", "0021", "01 02 12", ""],
  ["D17", 3, "mss", "1002", "01 02", "02"],
  ["D58", 2, "gms", "0120", "01 02 12", "02"],
  ["D29", 0, "sg", "0100", "01", "01"],
  ["D34", 1, "gs", "1100", "01", ""],
  ["D46", 1, "smg", "1200", "01 02 12", ""],
  ["D06", 0, "mg", "1100", "01", ""],
];

const TERRAINS: Record<string, Terrain> = { m: "mountains", g: "grassland", s: "sea" };

const pairs = (text: string) => (text ? text.split(" ") : []).map((pair) => [Number(pair[0]), Number(pair[1])] as [number, number]);

export const SAMPLE: readonly { scheme: Scheme; turns: number }[] = ROWS.map(([name, turns, terrains, sides, borders, cities]) => ({
  turns,
  scheme: {
    name,
    copies: 1,
    start: false,
    period: 4,
    sides: [...sides].map(Number),
    regions: [...terrains].map((letter) => ({ terrain: TERRAINS[letter]!, sides: [] })),
    borders: pairs(borders),
    cities: pairs(cities),
  },
}));

import { describe, expect, it } from "vitest";
import type { GameEvent, Legal } from "../../api/types";
import { choicesOf, fitting, turnedOn } from "./choices";
import type { DiscoveryPosition, Region, Scheme } from "./position";
import { closedBy, contours, measure, titleOf, worth } from "./regions";
import { arriving, circlesOf, leaving, standing, uncounted } from "./standing";
import { describe as inWords, prompt, results } from "./words";

const legal = (...actions: Record<string, unknown>[]): Legal[] =>
  actions.map((json, id) => ({ id, text: "", json })) as unknown as Legal[];
const event = (kind: string, fields: Record<string, unknown>): GameEvent => ({ kind, sentence: "", ...fields });

// Mountains in the west, grassland in the east; two of them side by side, the second turned half round.
const scheme: Scheme = {
  name: "A",
  copies: 2,
  start: true,
  period: 4,
  sides: [1, 1, 1, 0],
  regions: [
    { terrain: "mountains", sides: ["W"] },
    { terrain: "grassland", sides: ["N", "E", "S"] },
  ],
  borders: [[0, 1]],
  cities: [],
};
const schemes = new Map([["A", scheme]]);
const region = (fields: Partial<Region>): Region => ({
  id: 0,
  terrain: "mountains",
  pieces: [[0, 0]],
  size: 1,
  open_ends: 1,
  closed: false,
  cities: 0,
  cities_beside: 0,
  followers: [],
  points: 0,
  final_points: 0,
  ...fields,
});
const position: DiscoveryPosition = {
  phase: "follower",
  current: 1,
  hand: null,
  deck_left: 5,
  deck: { A: 5 },
  aside: {},
  tiles: [
    { name: "A", x: 0, y: 0, turns: 0, regions: [0, 1] },
    { name: "A", x: 1, y: 0, turns: 2, regions: [2, 1] },
  ],
  regions: [
    region({}),
    region({ id: 1, terrain: "grassland", pieces: [[0, 1], [1, 1]], size: 2, open_ends: 4, followers: [0], points: 2, final_points: 2 }),
    region({ id: 2, pieces: [[1, 0]] }),
  ],
  followers: [{ seat: 0, follower: 0, tile: 0, x: 0, y: 0, segment: 1, region: 1, points: 2, final_points: 2 }],
  players: [
    { score: 9, free_followers: 3 },
    { score: 4, free_followers: 4 },
  ],
};

describe("choices", () => {
  it("are read from the legal actions", () => {
    const tile = (x: number, turns: number) => ({ type: "tile", x, y: 1, turns });
    const { cells, pass } = choicesOf(legal(tile(0, 0), tile(0, 2), tile(3, 1)));
    expect(cells).toEqual([
      { x: 0, y: 1, turns: [0, 2] },
      { x: 3, y: 1, turns: [1] },
    ]);
    expect(pass).toBe(false);
    const second = choicesOf(legal({ type: "follower", segment: 2 }, { type: "remove", follower: 1 }, { type: "pass" }));
    expect(second).toEqual({ cells: [], segments: [2], followers: [1], pass: true });
  });

  it("turn a tile to where it fits", () => {
    expect(fitting([0, 2], 1)).toBe(2);
    expect(fitting([0, 2], 3)).toBe(0);
    expect(turnedOn(3, 1, 4, null)).toBe(0);
    expect(turnedOn(0, -1, 2, null)).toBe(1);
    expect(turnedOn(0, 1, 4, [0, 3])).toBe(3);
    expect(turnedOn(0, -1, 4, [0, 1])).toBe(1);
    expect(turnedOn(2, 1, 4, [2])).toBe(2);
  });
});

describe("regions", () => {
  it("have an outline that is open where the map may still grow", () => {
    const sides = (part: string) => part.split("M").length - 1;
    const [first, second] = contours(position, position.regions[1]!, schemes);
    expect([first!.x, second!.x]).toEqual([0, 100]);
    expect([sides(first!.open), sides(second!.open)]).toEqual([2, 2]);
    expect([sides(first!.firm), sides(second!.firm)]).toEqual([1, 1]);
    expect(sides(contours(position, position.regions[2]!, schemes)[0]!.open)).toBe(1);
  });

  it("are described in words", () => {
    const sea = region({ terrain: "sea", size: 5, cities: 1, closed: true, open_ends: 0, points: 6, final_points: 1 });
    expect([titleOf(sea), measure(sea), worth(sea)]).toEqual(["Sea, closed", "5 tiles, 1 city", "6 points now, 1 at the end"]);
    const peaks = region({ cities: 2, cities_beside: 1, open_ends: 3, points: 1, final_points: 1 });
    expect(titleOf(peaks)).toBe("Mountains, open at 3 sides");
    expect(measure(peaks)).toBe("1 tile, 2 cities, 1 more on adjoining grassland");
    expect(worth(peaks)).toBe("1 point");
  });

  it("that were closed are found by what the event says", () => {
    const closed = { ...position, regions: [region({ id: 2, closed: true, size: 3 }), region({ id: 0, closed: true, size: 3 })] };
    expect(closedBy(closed, [event("closed", { terrain: "mountains", size: 3 })]).map(({ id }) => id)).toEqual([2]);
    expect(closedBy(closed, [event("closed", { terrain: "sea", size: 3 })])).toEqual([]);
  });
});

describe("followers", () => {
  const final = (seat: number, x: number, points: number) => event("final", { seat, x, y: 0, segment: 0, terrain: "mountains", points });

  it("stay until the frame that takes them away", () => {
    const bare = { ...position, followers: [] };
    expect(standing(bare, [final(0, 0, 4), final(1, 1, 2)]).map(({ seat }) => seat)).toEqual([0, 1]);
    expect(standing(position, [])).toHaveLength(1);
    expect(leaving([final(1, 1, 2)])).toMatchObject([{ seat: 1, x: 1, points: 2 }]);
    expect(arriving([event("follower", { seat: 1, x: 1, y: 0, segment: 0, points: 3 })])).toEqual(new Set(["1 1 0 0"]));
  });

  it("earn their points when they leave, not when they come", () => {
    const later = [event("follower", { seat: 0, x: 0, y: 0, segment: 0, points: 7 }), final(0, 0, 4), final(1, 1, 2)];
    expect([uncounted(later, 0), uncounted(later, 1)]).toEqual([4, 2]);
  });

  it("are offered circles on the newest tile", () => {
    const [circle] = circlesOf(position, schemes, [0]);
    expect(circle).toMatchObject({ segment: 0, region: 2, label: "Follower on the mountains: 1 tile, 0 cities, 0 points" });
    expect(circle!.at.x).toBeGreaterThan(150); // turned half round, the mountains are in the east
  });

  it("are counted in the result", () => {
    const [left, points] = results([final(0, 0, 4), final(0, 1, 3), event("over", {})], 2);
    expect(left).toEqual({ title: "Followers left", values: [2, 0] });
    expect(points!.values).toEqual(["+7", "+0"]);
  });
});

it("the prompt names what is possible", () => {
  const say = (...actions: Record<string, unknown>[]) => prompt(position as never, legal(...actions));
  expect(say({ type: "pass" })).toBe("pass");
  expect(say({ type: "follower", segment: 0 }, { type: "remove", follower: 0 }, { type: "pass" })).toBe(
    "put a follower on the new tile, take one back for its points or pass",
  );
  expect(prompt({ ...position, phase: "tile" } as never, [])).toBe("place the tile beside the map");
});

it("says a move in words", () => {
  const say = (action: Record<string, unknown>) => inWords(action, position as never);
  expect(say({ type: "tile", x: -1, y: 2, turns: 1 })).toBe("the tile at -1,2, turned right");
  expect(say({ type: "follower", segment: 0 })).toBe("a follower on the mountains");
  expect(say({ type: "pass" })).toBe("pass");
});

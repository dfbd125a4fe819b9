import { describe, expect, it } from "vitest";
import type { Hint } from "../contract";
import { drawnHints } from "./hints";
import { arrange } from "./layout";
import type { AzulPosition } from "./position";
import { describe as inWords } from "./words";

const board = () => ({
  score: 0,
  has_marker: false,
  lines: [0, 1, 2, 3, 4].map(() => ({ colour: null, count: 0 })),
  wall: [0, 1, 2, 3, 4].map(() => [null, null, null, null, null]),
  floor: [],
  penalty: 0,
});
const position = {
  phase: "taking",
  current: 1,
  marker_in_centre: true,
  tiling_line: null,
  factories: [{ blue: 3, red: 1 }, {}, {}, {}, {}],
  centre: { white: 2 },
  boards: [board(), board()],
} as unknown as AzulPosition;
const layout = arrange(900, 640, 5, [0, 1]);
const hint = (rank: number, source: number, colour: string, destination: number): Hint => ({
  json: { type: "take", source, colour, destination },
  whole: [{ type: "take", source, colour, destination }],
  rank,
  mark: String(rank),
  value: "50 %",
  result: 0,
  share: 0.2,
  focused: rank === 1,
});

describe("hints on Azul's table", () => {
  it("stand at the tiles and on the board of whoever is to act", () => {
    const [drawn] = drawnHints([hint(1, 0, "blue", 2)], position, layout);
    const far = layout.far[0]!;
    expect(drawn!.from!.x).toBeCloseTo(layout.plates[0]!.x, -2);
    expect(drawn!.to.x).toBeGreaterThan(far.x);
    expect(drawn!.to.x).toBeLessThan(far.x + far.cell * 11.6);
  });

  it("do not cover each other", () => {
    const drawn = drawnHints([hint(1, 0, "blue", 2), hint(2, 0, "blue", 4), hint(3, 5, "white", 2)], position, layout);
    expect(drawn[0]!.from).not.toEqual(drawn[1]!.from);
    expect(drawn[2]!.to.x - drawn[0]!.to.x).toBeGreaterThan(2.9 * drawn[0]!.size);
    expect(drawn[2]!.to.y).toBe(drawn[0]!.to.y);
  });

  it("leave out what does not lie there", () => {
    expect(drawnHints([hint(1, 1, "blue", 2)], position, layout)).toEqual([]);
  });
});

describe("moves in words", () => {
  it("say what is taken from where and put where", () => {
    expect(inWords(hint(1, 0, "blue", 2).json, position as never)).toBe("3 blue from factory 1 to line 3");
    expect(inWords(hint(1, 5, "white", 5).json, position as never)).toBe("2 white from the centre to the floor");
    expect(inWords({ type: "column", column: 3 }, position as never)).toBe("column 4 of the wall");
  });
});

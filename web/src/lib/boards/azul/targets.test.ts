import { describe, expect, it } from "vitest";
import type { GameEvent, Legal } from "../../api/types";
import { touched } from "./flights";
import { destinations, ghosts, openColumns, takings } from "./targets";
import { handWords, pace, prompt, results } from "./words";

const legal = [
  { type: "take", source: 0, colour: "blue", destination: 2 },
  { type: "take", source: 0, colour: "blue", destination: 5 },
  { type: "take", source: 5, colour: "red", destination: 5 },
].map((json, id) => ({ id, text: "", json })) as unknown as Legal[];

describe("targets come from the legal actions alone", () => {
  it("names the takings and their destinations", () => {
    expect([...takings(legal)]).toEqual(["0 blue", "5 red"]);
    expect([...destinations(legal, { source: 0, colour: "blue", count: 2 })]).toEqual([2, 5]);
    expect(destinations(legal, null).size).toBe(0);
    expect(openColumns([{ id: 301, text: "", json: { type: "column", column: 1 } }] as unknown as Legal[])).toEqual(new Set([1]));
  });

  it("shows as many tiles on their way as the line has free cells", () => {
    const player = { lines: [{ colour: null, count: 0 }, { colour: "red", count: 1 }] } as never;
    expect([0, 1].map((row) => ghosts(player, 1, 3, row))).toEqual([0, 1]);
  });
});

describe("words", () => {
  it("say what is expected", () => {
    const boards = [{ lines: [{ colour: "red", count: 1 }] }];
    expect(prompt({ phase: "taking", tiling_line: null, boards, current: 0 })).toContain("take one colour");
    expect(prompt({ phase: "placing", tiling_line: 0, boards, current: 0 })).toBe(
      "choose a column for the red tile in row 1 of your wall",
    );
    expect(handWords(2, "blue", legal)).toBe("put the 2 blue tiles on a pattern line or the floor");
    expect(handWords(1, "red", legal)).toBe("put the red tile on the floor");
  });

  it("list the points of tiling and the bonuses by kind, once they are counted", () => {
    const bonus = (seat: number, rows: number): GameEvent => ({
      kind: "bonus",
      sentence: "",
      seat,
      rows,
      columns: 0,
      colours: 1,
      points: 10 + 2 * rows,
    });
    expect(results([], 2, [40, 30])).toEqual([]);
    const columns = results([bonus(0, 1), bonus(1, 0)], 2, [40, 30]);
    expect(columns.map(({ title, values }) => [title, ...values])).toEqual([
      ["Tiling", 28, 20],
      ["Rows", 1, 0],
      ["Columns", 0, 0],
      ["Colours", 1, 1],
      ["Bonus", "+12", "+10"],
    ]);
  });

  it("give time to what matters: nothing to an empty floor", () => {
    expect(pace({ kind: "floor", sentence: "", places: 0 }, false)).toBe(0);
    expect(pace({ kind: "bonus", sentence: "" }, false)).toBeGreaterThan(1000);
  });

  it("mark what the last move touched", () => {
    const take = { kind: "take", sentence: "", seat: 1, line: null } as unknown as GameEvent;
    expect([...touched([take], 1)]).toEqual(["line 5"]);
    expect(touched([take], 0).size).toBe(0);
  });
});

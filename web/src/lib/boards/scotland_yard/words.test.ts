import { describe, expect, it } from "vitest";
import type { Legal, Position } from "../../api/types";
import { london } from "./london.fixture";
import type { YardPosition } from "./position";
import { staged } from "./staged";
import { paidBy, rideToExplain, targetsOf } from "./targets";
import { anyOf, cellName, describe as inWords, prompt, results, whereabouts } from "./words";

const legal = (...actions: object[]) => actions.map((json, id) => ({ id, text: "", json })) as unknown as Legal[];

function position(change: Partial<YardPosition> = {}): YardPosition {
  const tickets = { taxi: 11, bus: 8, underground: 4 };
  return {
    phase: "fleeing",
    log_length: 24,
    round: 1,
    max_rounds: 22,
    max_moves: null,
    current: 0,
    pawn: null,
    detectives: [{ seat: 1, bobby: false, station: 13, step: null, moved: false, tickets }],
    mr_x: {
      station: null,
      tickets: { taxi: null, bus: null, underground: null, black: 5, double: 2 },
      double_left: 0,
      seen: null,
      visible: false,
    },
    moves: 0,
    log: [],
    reveal_moves: [3, 8, 13, 18, 24],
    possible: [35, 45],
    weights: null,
    ending: null,
    winner: null,
    ...change,
  };
}
const asked = (change: Partial<YardPosition>, moves = legal()) => prompt(position(change) as unknown as Position, moves);

describe("what can be done", () => {
  it("is read from the legal actions alone", () => {
    const { rides, tickets, double, pass, detectives } = targetsOf(
      legal(
        { type: "ride", ticket: "taxi", station: 46 },
        { type: "ride", ticket: "black", station: 46 },
        { type: "ride", ticket: "bus", station: 58 },
        { type: "double" },
      ),
    );
    expect([...rides]).toEqual([
      [46, ["taxi", "black"]],
      [58, ["bus"]],
    ]);
    expect(tickets).toEqual(["taxi", "bus", "black"]);
    expect([double, pass, detectives.size]).toEqual([true, false, 0]);
    expect([...paidBy(rides, "black")]).toEqual([[46, ["black"]]]);
    expect(paidBy(rides, null)).toBe(rides);
  });

  it("asks why a station is out of reach by the line that leads there", () => {
    expect(rideToExplain(london, 46, 79, false)).toEqual({ type: "ride", ticket: "underground", station: 79 });
    expect(rideToExplain(london, 157, 194, false).type).toBe("ride");
    expect(rideToExplain(london, 157, 194, true)).toMatchObject({ ticket: "black" });
    expect(rideToExplain(london, 1, 199, true)).toMatchObject({ ticket: "black" });
    expect(rideToExplain(london, 1, 199, false)).toMatchObject({ ticket: "taxi" });
  });

describe("words", () => {
  it("say what is expected", () => {
    expect(asked({})).toBe("choose where Mr. X goes");
    expect(asked({ moves: 2 })).toBe("choose where Mr. X goes; you will be seen there");
    expect(asked({ mr_x: { ...position().mr_x, double_left: 1 } })).toBe("make the second move of two");
    expect(asked({ phase: "choosing" })).toBe("choose the detective who moves next");
    expect(asked({ phase: "moving", pawn: 0 })).toBe("choose where detective 1 goes");
    expect(asked({ phase: "moving", pawn: 0 }, legal({ type: "pass" }))).toBe("detective 1 is blocked and stays");
    const stuck = [{ ...position().detectives[0]!, stuck: true }];
    expect(asked({ phase: "moving", pawn: 0, detectives: stuck }, legal({ type: "pass" }))).toBe(
      "detective 1 has no ticket to use and stays",
    );
  });

  it("name tickets, cells and whereabouts", () => {
    expect(anyOf(["taxi", "bus", "black"])).toBe("taxi, bus or black ticket");
    expect(cellName(14, 1, 5)).toBe("d3");
    const seen = { ...position().mr_x, seen: { station: 67, move: 3 } };
    expect(whereabouts(position({ mr_x: seen, moves: 4 }), String)).toBe("seen at 67, 1 move ago");
    expect(whereabouts(position(), String)).toBe("not seen yet");
  });

  it("tell the result by seat", () => {
    const over = { kind: "over", sentence: "", ending: "caught", station: 67, name: "67" };
    expect(results([over], 3)).toEqual([{ title: "How", values: ["caught at 67", "caught him at 67", "caught him at 67"] }]);
    expect(results([], 3)).toEqual([]);
  });
});
});

describe("a film", () => {
  const before = position({ moves: 2 });
  const after = position({
    moves: 3,
    log: [{ move: 3, ticket: "taxi", station: 67 }],
    possible: [67],
    mr_x: { ...before.mr_x, station: 67, seen: { station: 67, move: 3 }, visible: true },
  });
  const reveal = [{ kind: "reveal", sentence: "", station: 67 }];

  it("does not show Mr. X before he shows himself", () => {
    const shown = staged(after, before, reveal, 1);
    expect(shown.mr_x.station).toBeNull();
    expect(shown.log[0]!.station).toBeNull();
    expect(shown.possible).toEqual([35, 45]);
  });

  it("shows everything in its last frame, and to Mr. X himself", () => {
    expect(staged(after, before, [], 1)).toBe(after);
    expect(staged(after, before, reveal, 0)).toBe(after);
  });
});

it("says a move in words, by station or by cell", () => {
  const say = (action: Record<string, unknown>, change: Partial<YardPosition> = {}, fixed: unknown = london) =>
    inWords(action, position(change) as never, fixed);
  expect(say({ type: "ride", ticket: "taxi", station: 157 })).toBe("taxi to station 157");
  expect(say({ type: "double" })).toBe("announce a double move");
  expect(say({ type: "choose", detective: 0 })).toBe("detective 1 moves next");
  expect(say({ type: "pass" }, { phase: "moving", pawn: 0 })).toBe("stay");
  const two = [0, 1].map(() => position().detectives[0]!);
  expect(say({ type: "ride", ticket: "bus", station: 3 }, { phase: "moving", pawn: 1, detectives: two })).toBe(
    "detective 2: bus to station 3",
  );
  expect(say({ type: "ride", ticket: "taxi", station: 8 }, {}, { columns: 5, stations: [{ id: 1 }] })).toBe("to c2");
});

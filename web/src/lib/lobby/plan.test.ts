import { describe, expect, it } from "vitest";
import type { GameInfo } from "../api/types";
import type { Look } from "../boards/contract";
import { roleOf, spoken } from "../games";
import { firstPlan, gradesOf, guidedPlan, opponentsOf, ownSeat, shownName, sitAt, withFewer, withMore, withOpponents, withPlayers, wishOf } from "./plan";

const looks = import.meta.glob<Look>("../boards/*/look.ts", { eager: true });

const game = {
  name: "demo",
  players: [2, 4],
  default_players: 2,
  options: [{ name: "wall", help: "", default: "coloured", choices: ["coloured", "grey"], low: 0, high: 0 }],
  agents: [
    { name: "random", help: "", parameters: [] },
    { name: "one_step", help: "", parameters: [] },
  ],
  seat_names: { "2": ["Fugitive", "Detective"], "4": ["Fugitive", "Detective 1", "Detective 2", "Detective 3"] },
} as unknown as GameInfo;

describe("a plan for a table", () => {
  const plan = firstPlan(game, "Ada");

  it("begins with one person against a computer", () => {
    expect(wishOf(game, plan, spoken)).toEqual({
      game: "demo",
      options: { wall: "coloured" },
      seats: [
        { kind: "human", name: "Ada" },
        { kind: "agent", name: "One step", agent: "one_step" },
      ],
      private: false,
      hints: true,
    });
  });

  it("grows and shrinks by the numbers of players that the game allows", () => {
    const more = withMore(game, plan);
    expect(more.seats).toHaveLength(4);
    expect(withMore(game, more)).toBe(more);
    expect(withFewer(game, more, 0).seats.map(({ kind }) => kind)).toEqual(["agent", "agent"]);
    expect(withFewer(game, plan, 1)).toBe(plan);
  });

  it("numbers computers of one kind, and calls others as the game does", () => {
    const more = withMore(game, plan);
    expect(more.seats.map((_, seat) => shownName(game, more, seat, spoken))).toEqual([
      "Ada",
      "One step 1",
      "One step 2",
      "One step 3",
    ]);
    expect(shownName(game, firstPlan(game, ""), 0, spoken)).toBe("Fugitive");
  });

  it("sends a seed only where no person plays, and a secret link only where a seat is open", () => {
    const seeded = { ...plan, seed: "7", private: true };
    expect(wishOf(game, seeded, spoken)).not.toHaveProperty("seed");
    const computers = { ...seeded, seats: plan.seats.map((seat) => ({ ...seat, kind: "agent" as const })) };
    expect(wishOf(game, computers, spoken)).toMatchObject({ seed: 7, private: false });
    const open = { ...seeded, seats: plan.seats.map((seat) => ({ ...seat, kind: "open" as const })) };
    expect(wishOf(game, open, spoken)).toMatchObject({ private: true });
  });
});

it("a guided game has the options and the teacher that its look names, as far as the game has them", () => {
  const kind = Object.entries(looks).filter(([, look]) => look.firstGame);
  expect(kind.length).toBeGreaterThan(0);
  for (const [path, { firstGame, forPeople, teacher }] of kind) {
    const options = Object.entries(firstGame!).map(([name, wished]) => {
      return { name, help: "", default: "usual", choices: ["usual", wished], low: 0, high: 1 };
    });
    const friendly = { ...game, name: path.split("/").at(-2), options } as unknown as GameInfo;
    const usual = Object.fromEntries(options.map(({ name }) => [name, forPeople?.[name] ?? "usual"]));
    expect(firstPlan(friendly, "Ada").options).toEqual(usual);
    expect(guidedPlan(friendly, "Ada").options).toEqual(firstGame);
    expect(guidedPlan({ ...friendly, options: [] }, "Ada").options).toEqual({});
    if (teacher) expect(guidedPlan(friendly, "Ada").seats.map(({ agent }) => agent)).toContain(teacher);
  }
});

it("levels stand before all other computers, from weak to strong", () => {
  const agents = ["random", "champion", "hard", "one_step", "easy"].map((name) => ({ name, help: "", parameters: [] }));
  const { levels, others } = gradesOf({ ...game, agents } as unknown as GameInfo);
  expect(levels.map(({ level }) => level)).toEqual(["easy", "hard", "champion"]);
  expect(levels.at(-1)?.agent).toBe("champion");
  expect(others.map(({ name }) => name)).toEqual(["random", "one_step"]);
});

describe("the three steps", () => {
  const plan = firstPlan(game, "Ada");

  it("take the own name along to another seat, and bring it back from watching", () => {
    const moved = sitAt(game, plan, 1, "Ada");
    expect(moved.seats.map(({ kind, name }) => [kind, name])).toEqual([["agent", ""], ["human", "Ada"]]);
    const watching = sitAt(game, moved, null, "Ada");
    expect(ownSeat(watching)).toBeNull();
    expect(sitAt(game, watching, 0, "Ada").seats[0]).toMatchObject({ kind: "human", name: "Ada" });
  });

  it("change all others together, and say when they are not alike", () => {
    const four = withOpponents(withPlayers(game, sitAt(game, plan, 1, "Ada"), 4), { kind: "open" });
    expect(four.seats.map(({ kind }) => kind)).toEqual(["open", "human", "open", "open"]);
    expect(opponentsOf(four)).toEqual({ kind: "open" });
    expect(opponentsOf({ ...four, seats: [...four.seats.slice(0, 3), { kind: "agent", name: "", agent: "random" }] })).toBeNull();
    expect(withPlayers(game, four, 2).seats.map(({ name }) => name)).toContain("Ada");
  });
});

it("seats have roles where the game names them", () => {
  expect(roleOf(game, 2, 1)).toBe("Detective");
  expect(roleOf({ ...game, seat_names: { "2": ["Player 1", "Player 2"] } } as unknown as GameInfo, 2, 1)).toBeNull();
  expect(roleOf(undefined, 2, 0)).toBeNull();
});

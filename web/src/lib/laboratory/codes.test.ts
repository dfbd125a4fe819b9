import { expect, it } from "vitest";
import type { GameInfo } from "../api/types";
import { broughtBy, codeOf, firstEntrants, nextEntrant, parametersOf } from "./codes";

const parameter = (name: string, value: unknown, choices: string[] = []) => ({ name, help: "", default: value, choices, low: null, high: null, cost: null });
const agent = (name: string, ...parameters: ReturnType<typeof parameter>[]) => ({ name, help: name, parameters });
const game = {
  name: "x",
  agents: [agent("random"), agent("mcts", parameter("simulations", 100), parameter("file", "a.npz"), parameter("rule", "uct", ["uct", "puct"])), agent("easy"), agent("hard")],
} as unknown as GameInfo;

it("an agent is written with what differs from usual", () => {
  expect(codeOf({ agent: "mcts", values: {} })).toBe("mcts");
  expect(codeOf({ agent: "mcts", values: { simulations: "20", rule: "puct" } })).toBe("mcts:simulations=20,rule=puct");
});

it("a level brings its parameters, which can be changed", () => {
  expect(broughtBy("hard:seconds=6")).toEqual({ seconds: "6" });
  expect(codeOf({ agent: "hard:seconds=6", values: {} })).toBe("hard:seconds=6");
  expect(codeOf({ agent: "hard:seconds=6", values: { seconds: "2" } })).toBe("hard:seconds=2");
});

it("files are no parameters of the page", () => {
  expect(parametersOf(game, "mcts").map(({ name }) => name)).toEqual(["simulations", "rule"]);
  expect(parametersOf(game, "random")).toEqual([]);
});

it("a first tournament has agents that exist, and one more is another", () => {
  const first = firstEntrants(game);
  expect(first.map(({ agent: name }) => name)).toEqual(["random", "easy", "hard"]);
  expect(first.map(({ agent: name }) => name)).not.toContain(nextEntrant(game, first).agent);
});

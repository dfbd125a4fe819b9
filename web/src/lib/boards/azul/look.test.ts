import { expect, it } from "vitest";
import type { GameInfo } from "../../api/types";
import { firstPlan, offered, withPlayers } from "../../lobby/plan";

it("offers only seats that there are as the first one", () => {
  const first = { name: "first", help: "", default: "random", choices: ["random", "1", "2", "3", "4"], low: 0, high: 0 };
  const game = { name: "azul", players: [2, 3, 4], default_players: 2, options: [first], agents: [], seat_names: {} } as unknown as GameInfo;
  const two = firstPlan(game, "");
  expect(offered(game, two)[0]!.choices).toEqual(["random", "1", "2"]);
  const four = { ...withPlayers(game, two, 4), options: { first: "4" } };
  expect(offered(game, four)[0]!.choices).toHaveLength(5);
  expect(withPlayers(game, four, 2).options).toEqual({ first: "random" });
});

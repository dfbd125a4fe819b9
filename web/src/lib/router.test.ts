// @vitest-environment jsdom
import { expect, it } from "vitest";
import { parse } from "./router.svelte";

it("reads addresses", () => {
  expect(parse("/", "", "").page).toBe("lobby");
  expect(parse("/table/k7mz", "?ply=12", "")).toMatchObject({ page: "table", table: "k7mz", ply: 12, invitation: null });
  expect(parse("/table/k7mz", "", "#invite=s-3_x")).toMatchObject({ ply: null, invitation: "s-3_x" });
  expect(parse("/table/k7mz", "?ply=-3", "").ply).toBeNull();
  expect(parse("/laboratory", "", "")).toMatchObject({ page: "laboratory", table: "" });
  expect(parse("/laboratory/k7mz", "", "")).toMatchObject({ page: "laboratory", table: "k7mz" });
  expect(parse("/ladder/big_game", "", "")).toMatchObject({ page: "ladder", table: "big_game" });
  expect(parse("/puzzles/big_game/12", "", "")).toMatchObject({ page: "puzzles", table: "big_game", ply: 12 });
  expect(parse("/puzzles", "", "")).toMatchObject({ page: "puzzles", table: "", ply: null });
  expect(parse("/ladder/big_game/12", "", "").page).toBe("nowhere");
  expect(parse("/table", "", "").page).toBe("nowhere");
  expect(parse("/elsewhere", "", "").page).toBe("nowhere");
});

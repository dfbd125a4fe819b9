import { expect, it } from "vitest";
import { filled, plural, preferred, t } from "./index.svelte";

it("the browser's first language that we speak is chosen, else English", () => {
  expect(preferred(["fr-FR", "cs-CZ", "en"])).toBe("cs");
  expect(preferred(["", "en-GB", "cs"])).toBe("en");
  expect(preferred(["fr"])).toBe("en");
});

it("values stand where the words want them", () => {
  expect(filled("{a} of {b}, {c}", { a: 1, b: 2 })).toBe("1 of 2, {c}");
  expect(t("Seat {n}", { n: 3 })).toBe("Seat 3");
  expect([1, 2].map((n) => plural(n, "{n} player", "{n} players"))).toEqual(["1 player", "2 players"]);
});

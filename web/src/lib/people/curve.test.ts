import { expect, it } from "vitest";
import { pathOf, rangeOf } from "./curve";

it("a rating's curve fills its drawing from the lowest to the highest", () => {
  const curve = [{ rating: 1500 }, { rating: 1400 }, { rating: 1600 }];
  expect(rangeOf(curve)).toEqual([1400, 1600]);
  expect(pathOf(curve, 100, 58)).toBe("M0.0 29.0L50.0 54.0L100.0 4.0");
});

it("an even curve, and a single point, lie in the middle", () => {
  expect(pathOf([{ rating: 7 }, { rating: 7 }], 10, 20)).toBe("M0.0 10.0L10.0 10.0");
  expect(pathOf([{ rating: 7 }], 10, 20)).toBe("M0.0 10.0");
});

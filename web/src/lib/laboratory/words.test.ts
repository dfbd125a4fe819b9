import { expect, it } from "vitest";
import { between, decision, share, timeLeft } from "./words";

it("shares and times are written as people read them", () => {
  expect(share(0.523)).toBe("52 %");
  expect(between([0.411, 0.629])).toBe("41–63 %");
  expect([0.0004, 0.0042, 0.042, 1.25, 12].map(decision)).toEqual(["400 µs", "4.2 ms", "42 ms", "1.3 s", "12 s"]);
  expect([20, 70, 600, 7000].map(timeLeft)).toEqual([
    "less than a minute left",
    "about 1 minute left",
    "about 10 minutes left",
    "about 2 hours left",
  ]);
});

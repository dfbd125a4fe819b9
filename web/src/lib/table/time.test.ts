import { expect, it } from "vitest";
import { clockWords } from "./time";

it.each([
  [0, "0.0"], [-3, "0.0"], [7.39, "7.3"], [10, "0:10"], [247.9, "4:07"], [3723, "1:02:03"], [86_400, "24:00:00"], [3 * 86_400 + 5, "3 days"],
])("%s seconds are %s", (seconds, words) => expect(clockWords(seconds)).toBe(words));

/** Which puzzles were found in this browser, by their keys: found by oneself, or after the solution was seen. */
import { read, write } from "../storage";

export type Outcome = "found" | "shown";

const KEY = "ludens.puzzles";

export const outcomes = (): Readonly<Record<string, Outcome>> => read<Record<string, Outcome>>(KEY, {});

/** Notes how a puzzle ended; what was found stays found. */
export function remember(puzzle: string, outcome: Outcome): Readonly<Record<string, Outcome>> {
  const known = outcomes();
  const now = known[puzzle] === "found" ? known : { ...known, [puzzle]: outcome };
  write(KEY, now);
  return now;
}

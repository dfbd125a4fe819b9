/** In which order puzzles come: as they stand, those that were not found yet first. */
import type { PuzzleEntry } from "../api/types";
import type { Outcome } from "./solved";

/** The next one after a number: of those not found yet, or of all; null where there is no other. */
export function nextOf(
  list: readonly PuzzleEntry[],
  solved: Readonly<Record<string, Outcome>>,
  number: number | null,
): PuzzleEntry | null {
  const others = list.filter((entry) => entry.number !== number);
  const open = others.filter(({ key }) => solved[key] !== "found");
  const among = open.length ? open : others;
  return among.find((entry) => entry.number > (number ?? -1)) ?? among[0] ?? null;
}

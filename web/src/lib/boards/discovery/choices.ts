/** What may be done now, read from the legal actions. */
import type { Legal } from "../../api/types";
import type { Cell, DiscoveryAction } from "./position";

export interface OpenCell extends Cell {
  turns: number[]; // how the tile may lie there
}

export interface Choices {
  cells: OpenCell[];
  segments: number[]; // of the tile just placed, where a follower may stand
  followers: number[]; // own ones that may be taken back
  pass: boolean;
}

export function choicesOf(legal: readonly Legal[]): Choices {
  const choices: Choices = { cells: [], segments: [], followers: [], pass: false };
  for (const { json } of legal) {
    const action = json as unknown as DiscoveryAction;
    if (action.type === "tile") {
      const known = choices.cells.find((cell) => same(cell, action));
      if (known) known.turns.push(action.turns);
      else choices.cells.push({ x: action.x, y: action.y, turns: [action.turns] });
    } else if (action.type === "follower") choices.segments.push(action.segment);
    else if (action.type === "remove") choices.followers.push(action.follower);
    else choices.pass = true;
  }
  return choices;
}

export const same = (a: Cell, b: Cell): boolean => a.x === b.x && a.y === b.y;

/** The first allowed way to lie from `now` on, in steps of quarter turns. */
export function fitting(allowed: readonly number[], now: number, step: 1 | -1 = 1): number {
  for (let k = 0; k < 4; k++) {
    const turns = (now + step * k + 8) % 4;
    if (allowed.includes(turns)) return turns;
  }
  return now;
}

/** The next way to lie: among the allowed ones, or among all that look different. */
export function turnedOn(now: number, step: 1 | -1, period: number, allowed: readonly number[] | null): number {
  if (allowed) return fitting(allowed, (now + step + 4) % 4, step);
  return (now + step + period) % period;
}

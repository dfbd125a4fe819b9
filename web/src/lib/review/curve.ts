/** The evaluation curve: one line a side through every decision, ending with the result. */
import type { GameReview } from "../api/types";
import { chance } from "../hints/words";
import { t } from "../words/index.svelte";

export interface Side {
  seats: number[];
  label: string;
}

export interface Point {
  x: number;
  y: number;
}

/** The sides of a game, named by who plays them. */
export function sidesOf(sides: readonly number[], names: readonly string[]): Side[] {
  const found = [...new Set(names.map((_, seat) => sides[seat] ?? seat))];
  return found.map((side) => {
    const seats = names.flatMap((_, seat) => ((sides[seat] ?? seat) === side ? [seat] : []));
    const [first, ...others] = seats.map((seat) => names[seat]!);
    return { seats, label: others.length ? t("{name} and {n} more", { name: first!, n: others.length }) : first! };
  });
}

/** Every side's chance to win at every decision, and what became of it, from 0 to 1. */
export function chancesOf({ decisions, returns, complete }: GameReview, sides: readonly Side[]): number[][] {
  const moments = [...decisions.map(({ results }) => results), ...(returns && complete ? [returns] : [])];
  return sides.map(({ seats }) =>
    moments.map((results) => chance(seats.reduce((sum, seat) => sum + results[seat]!, 0) / seats.length, sides.length)),
  );
}

/** Places chances in a box; `moments` is how many there will be, so that an unfinished curve grows to the right. */
export function placed(chances: readonly number[], moments: number, width: number, height: number): Point[] {
  const step = moments > 1 ? width / (moments - 1) : 0;
  return chances.map((part, index) => ({ x: index * step, y: (1 - part) * height }));
}

export const pathOf = (points: readonly Point[]): string =>
  points.map(({ x, y }, index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** The index of the decision that a position belongs to: the last one at or before its ply. */
export function momentAt(plies: readonly number[], ply: number): number {
  const later = plies.findIndex((other) => other > ply);
  return later < 0 ? plies.length - 1 : Math.max(0, later - 1);
}

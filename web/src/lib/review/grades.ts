/** How good every move was, how well everybody played, and what was luck: from the reviewed decisions of a game. */
import type { GameReview, Step } from "../api/types";
import { chance } from "../hints/words";
import type { Side } from "./curve";
import { mark } from "../words/index.svelte";

export type Grade = "best" | "good" | "inaccuracy" | "mistake" | "blunder";

/** Losses below this many points of win chance are within what a search cannot tell apart. */
export const DOUBT = 2;

/** A grade begins at this many lost points of win chance. */
export const THRESHOLDS: readonly (readonly [least: number, grade: Grade])[] = [
  [15, "blunder"],
  [10, "mistake"],
  [5, "inaccuracy"],
  [DOUBT, "good"],
];

export const GRADE_WORDS: Record<Grade, string> = {
  best: mark("best"),
  good: mark("good"),
  inaccuracy: mark("inaccuracy"),
  mistake: mark("mistake"),
  blunder: mark("blunder"),
};

export const SIGNS: Record<Grade, string> = { best: "★", good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };

/** Lost points of win chance, as far as they exceed the doubt about them: a standard error of the search. */
export function lostPoints(loss: number, sides: number, doubt = 0): number {
  const points = 100 * Math.max(0, loss - doubt) * ((sides - 1) / sides);
  return points < DOUBT ? 0 : points;
}

export const gradeOf = (points: number): Grade => THRESHOLDS.find(([least]) => points >= least)?.[1] ?? "best";

/** A move's accuracy in per cent, by its lost points of win chance. */
export const accuracyOf = (points: number): number =>
  Math.max(0, Math.min(100, 103.1668 * Math.exp(-0.04354 * points) - 3.1669));

/** Between the plain and the harmonic mean: one disaster does not hide behind twenty good moves. */
export function meanAccuracy(accuracies: readonly number[]): number | null {
  if (!accuracies.length) return null;
  const plain = accuracies.reduce((sum, one) => sum + one, 0) / accuracies.length;
  const harmonic = accuracies.length / accuracies.reduce((sum, one) => sum + 1 / Math.max(1, one), 0);
  return (plain + harmonic) / 2;
}

export interface Account {
  accuracy: number | null; // per cent; null for a side without decisions
  counts: Record<Grade, number>;
  luck: number; // points of win chance that draws, dice and thefts brought
  play: number; // points that own decisions cost, never above 0
  adjusted: number | null; // the result without luck, in points of win chance; null without a result
}

/** Every side's account of a reviewed game; `steps` say where chance had a hand. */
export function accountsOf(review: GameReview, sides: readonly Side[], steps: readonly Step[]): Account[] {
  const count = sides.length;
  const worth = (results: readonly number[], { seats }: Side) =>
    100 * chance(seats.reduce((sum, seat) => sum + results[seat]!, 0) / seats.length, count);
  return sides.map((side) => {
    const own = review.decisions.filter(({ seat }) => side.seats.includes(seat));
    const lost = own.map(({ loss, doubt }) => lostPoints(loss, count, doubt));
    const counts: Record<Grade, number> = { best: 0, good: 0, inaccuracy: 0, mistake: 0, blunder: 0 };
    lost.forEach((points) => counts[gradeOf(points)]++);
    let luck = 0;
    review.decisions.forEach((decision, index) => {
      const next = review.decisions[index + 1];
      const until = next?.ply ?? Number.POSITIVE_INFINITY;
      const after = next?.results ?? (review.complete ? review.returns : null);
      const byChance = steps.some(({ ply, actor }) => actor === null && ply > decision.ply && ply < until);
      if (!after || !byChance) return;
      const given = lostPoints(decision.loss, count, decision.doubt); // what the decision itself moved
      const moved = side.seats.includes(decision.seat) ? -given : given / (count - 1);
      luck += worth(after, side) - worth(decision.results, side) - moved;
    });
    const result = review.complete && review.returns ? worth(review.returns, side) : null;
    return {
      accuracy: meanAccuracy(lost.map(accuracyOf)),
      counts,
      luck,
      play: -lost.reduce((sum, points) => sum + points, 0),
      adjusted: result === null ? null : Math.max(0, Math.min(100, result - luck)),
    };
  });
}

/** The grade of every reviewed decision, by its ply. */
export function gradesByPly(review: GameReview, sides: number): Map<number, Grade> {
  return new Map(review.decisions.map(({ ply, loss, doubt }) => [ply, gradeOf(lostPoints(loss, sides, doubt))]));
}

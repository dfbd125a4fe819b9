/** How good every move was, how well everybody played, and what was luck: from the reviewed decisions of a game. */
import type { GameReview, Step } from "../api/types";
import { chance } from "../hints/words";
import type { Side } from "./curve";
import { mark } from "../words/index.svelte";

export type Grade = "best" | "good" | "inaccuracy" | "mistake" | "blunder";

/** Losses below this part of an even share (in per cent) are within what a search cannot tell apart. */
export const DOUBT = 4;

/** A grade begins at this lost part of an even share of the chance to win, in per cent: of 50 points for two, 25 for four. */
export const THRESHOLDS: readonly (readonly [least: number, grade: Grade])[] = [
  [30, "blunder"],
  [20, "mistake"],
  [10, "inaccuracy"],
  [DOUBT, "good"],
];

/** A part of an even share in points of win chance. */
export const inPoints = (share: number, sides: number): number => share / sides;

export const GRADE_WORDS: Record<Grade, string> = {
  best: mark("best"),
  good: mark("good"),
  inaccuracy: mark("inaccuracy"),
  mistake: mark("mistake"),
  blunder: mark("blunder"),
};

export const SIGNS: Record<Grade, string> = { best: "★", good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The lost part of an even share in per cent, as far as it exceeds the doubt about it: a standard error of the search. */
export function lostShare(loss: number, sides: number, doubt = 0): number {
  const share = 100 * Math.max(0, loss - doubt) * (sides - 1);
  return share < DOUBT ? 0 : share;
}

export const gradeOf = (share: number): Grade => THRESHOLDS.find(([least]) => share >= least)?.[1] ?? "best";

/** A move's accuracy in per cent, by the lost part of an even share: for two sides as chess sites count it. */
export const accuracyOf = (share: number): number =>
  Math.max(0, Math.min(100, 103.1668 * Math.exp((-0.04354 * share) / 2) - 3.1669));

/** A whole move: its first decision, and what all its decisions lost together. */
export interface GradedMove {
  ply: number;
  seat: number;
  lost: number; // of an even share, in per cent
  open: number; // how open the game was for the side
}

/** The moves of a game, which may take several decisions each. */
export function movesOf({ decisions }: GameReview, sides: number): GradedMove[] {
  const moves: { ply: number; seat: number; loss: number; doubt: number; open: number }[] = [];
  for (const { ply, seat, loss, doubt = 0, part, results } of decisions) {
    const whole = moves.at(-1);
    if (part && whole?.seat === seat) Object.assign(whole, { loss: whole.loss + loss, doubt: Math.hypot(whole.doubt, doubt) });
    else moves.push({ ply, seat, loss, doubt, open: openness(chance(results[seat]!, sides)) });
  }
  return moves.map(({ ply, seat, loss, doubt, open }) => ({ ply, seat, lost: lostShare(loss, sides, doubt), open }));
}

/** Between the plain and the harmonic mean: one disaster does not hide behind twenty good moves. Moves count by `weights`. */
export function meanAccuracy(accuracies: readonly number[], weights: readonly number[] = accuracies.map(() => 1)): number | null {
  if (!accuracies.length) return null;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = (worth: (one: number) => number) => accuracies.reduce((sum, one, k) => sum + weights[k]! * worth(one), 0) / total;
  return (mean((one) => one) + 1 / mean((one) => 1 / Math.max(1, one))) / 2;
}

/** How open a game is for a side with this chance to win: where all is won or lost, hardly anything can go wrong. */
export const openness = (part: number): number => Math.max(0.01, part * (1 - part));

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
  const moves = movesOf(review, count);
  return sides.map((side) => {
    const own = moves.filter(({ seat }) => side.seats.includes(seat));
    const lost = own.map((move) => move.lost);
    const counts: Record<Grade, number> = { best: 0, good: 0, inaccuracy: 0, mistake: 0, blunder: 0 };
    lost.forEach((share) => counts[gradeOf(share)]++);
    let luck = 0;
    review.decisions.forEach((decision, index) => {
      const next = review.decisions[index + 1];
      const until = next?.ply ?? Number.POSITIVE_INFINITY;
      const after = next?.results ?? (review.complete ? review.returns : null);
      const byChance = steps.some(({ ply, actor }) => actor === null && ply > decision.ply && ply < until);
      if (!after || !byChance) return;
      const given = inPoints(lostShare(decision.loss, count, decision.doubt), count); // what the decision itself moved
      const moved = side.seats.includes(decision.seat) ? -given : given / (count - 1);
      luck += worth(after, side) - worth(decision.results, side) - moved;
    });
    const result = review.complete && review.returns ? worth(review.returns, side) : null;
    return {
      accuracy: meanAccuracy(lost.map(accuracyOf), own.map(({ open }) => open)),
      counts,
      luck,
      play: -inPoints(lost.reduce((sum, share) => sum + share, 0), count),
      adjusted: result === null ? null : Math.max(0, Math.min(100, result - luck)),
    };
  });
}

/** The grade of every reviewed move, by the ply of its first decision. */
export function gradesByPly(review: GameReview, sides: number): Map<number, Grade> {
  return new Map(movesOf(review, sides).map(({ ply, lost }) => [ply, gradeOf(lost)]));
}

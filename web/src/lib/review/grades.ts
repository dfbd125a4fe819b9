/** How good every move was, how well everybody played, and what was luck: from the reviewed decisions of a game. */
import type { GameReview, Step } from "../api/types";
import { mark } from "../words/index.svelte";
import FITTED from "./accuracy.json";
import type { Side } from "./curve";
import { gradeOf, meanLoss, movesOf, sumOf, THRESHOLDS, wayOf, type Grade, type ReviewedMove, type Share } from "./losses";

export { gradeOf, THRESHOLDS, type Grade };

/** A part of an even share in points of win chance. */
export const inPoints = (share: number, sides: number): number => share / sides;

export const GRADE_WORDS: Record<Grade, string> = {
  best: mark("best"),
  good: mark("good"),
  inaccuracy: mark("inaccuracy"),
  mistake: mark("mistake"),
  blunder: mark("blunder"),
  open: mark("open: the search cannot tell how good it was"),
};

export const SIGNS: Record<Grade, string> = { best: "★", good: "", inaccuracy: "?!", mistake: "?", blunder: "??", open: "…" };

/** How accuracy follows from losses, and what points are worth: of a game with so many players. */
export interface Constants {
  scale: number;
  power: number;
  margin: number; // standard deviation of the final margin between equals, in points; 0 where points do not count
}
const USUAL: Constants = { scale: 7.5, power: 0.8, margin: 0 }; // between those of Azul and the Discovery: both are alike

/** What `experiments/accuracy.py` has fitted; of the nearest number of players where it has not fitted this one. */
export function constantsOf(game: string, players: number): Constants {
  const known = (FITTED as Record<string, Record<string, Constants>>)[game] ?? {};
  const nearest = Object.keys(known).toSorted((a, b) => Math.abs(Number(a) - players) - Math.abs(Number(b) - players))[0];
  return nearest === undefined ? USUAL : known[nearest]!;
}

/** The accuracy of moves that lost so much in the mean, in per cent. */
export const accuracyOf = (lost: number, { scale, power }: Constants): number => 100 * Math.exp(-((lost / scale) ** power));

/** The side of every seat. */
export const sideOfSeats = (sides: readonly Side[]): number[] =>
  sides.reduce<number[]>((found, { seats }, side) => {
    for (const seat of seats) found[seat] = side;
    return found;
  }, []);

/** The moves of a game with what they lost. */
export const gradedMoves = (review: GameReview, sides: readonly Side[]): ReviewedMove[] => {
  const seats = sideOfSeats(sides);
  return movesOf(review.decisions, seats, constantsOf(review.game, seats.length).margin);
};

export interface Stroke {
  ply: number; // the position to which chance led
  worth: number; // points of win chance
  steps: Step[]; // of chance
}

export interface Account {
  accuracy: number | null; // per cent; null for a side without decisions
  counts: Record<Grade, number>;
  start: number; // points of win chance at the first decision
  result: number; // the last that is known: result − start = luck + own + others
  luck: number;
  own: number; // never above 0
  others: number; // never below 0
  strokes: Stroke[]; // of luck, the largest first
  dearest: Share[]; // own decisions, what cost most first
}

const MOST = 3; // that are shown
const NOTHING = 0.5; // points of win chance that are not worth a line

/** Every side's account of a reviewed game; `steps` say where chance had a hand. */
export function accountsOf(review: GameReview, sides: readonly Side[], steps: readonly Step[]): Account[] {
  const moves = gradedMoves(review, sides);
  const constants = constantsOf(review.game, sideOfSeats(sides).length);
  return sides.map(({ seats }) => {
    const own = moves.filter(({ seat }) => seats.includes(seat));
    const counts: Record<Grade, number> = { best: 0, good: 0, inaccuracy: 0, mistake: 0, blunder: 0, open: 0 };
    for (const move of own) counts[gradeOf(move)]++;
    const lost = meanLoss(own);
    const way = wayOf(review, seats, sides.length);
    const strokes = way.luck.flatMap(({ index, ply, worth }): Stroke[] => {
      const until = review.decisions[index + 1]?.ply ?? Number.POSITIVE_INFINITY;
      const byChance = steps.filter((step) => step.actor === null && step.ply > ply && step.ply < until);
      return byChance.length ? [{ ply: byChance.at(-1)!.ply + 1, worth, steps: byChance }] : [];
    });
    const largest = <One extends { worth: number }>(found: One[]) =>
      found
        .filter(({ worth }) => Math.abs(worth) >= NOTHING)
        .toSorted((a, b) => Math.abs(b.worth) - Math.abs(a.worth))
        .slice(0, MOST);
    return {
      accuracy: lost === null ? null : accuracyOf(lost, constants),
      counts,
      start: way.start,
      result: way.result,
      luck: sumOf(way.luck),
      own: sumOf(way.own),
      others: sumOf(way.others),
      strokes: largest(strokes),
      dearest: largest(way.own),
    };
  });
}

/** The grade of every reviewed move, by the ply of the decision that lost most of it. */
export function gradesByPly(review: GameReview, sides: readonly Side[]): Map<number, Grade> {
  return new Map(gradedMoves(review, sides).map((move) => [move.ply, gradeOf(move)]));
}

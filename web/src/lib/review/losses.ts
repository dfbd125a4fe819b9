/** What every move of a reviewed game lost, and how it is graded by that. Without words, so that `experiments/accuracy.py` counts the same. */
import type { GameReview, ReviewedDecision } from "../api/types";

type Decisions = readonly (Pick<ReviewedDecision, "ply" | "seat" | "results" | "loss" | "played" | "better"> & {
  doubt?: number;
  part?: boolean;
})[];

/** The chance to win, from 0 to 1: a result of 0 is an even share among the sides, 1 is a sure win. */
export function chance(result: number, sides: number): number {
  return Math.min(1, Math.max(0, (result * (sides - 1) + 1) / sides));
}

const DECIDED = 0.05; // from this chance to win or to lose on, points count
const LEAST_STAKE = 0.1; // of a move in a game that is decided; 1 in an even one
const EVEN_POINTS = 80; // per cent of an even share that one standard deviation of the final margin is worth at even
const POINTS_DOUBT = EVEN_POINTS / 10; // of expected points, which are the mean of a hundred games

/** A whole move, and what all its decisions lost together. */
export interface ReviewedMove {
  ply: number; // of the decision that lost most: the verdict is about that one
  seat: number;
  lost: number; // of an even share of the chance to win, in per cent
  doubt: number; // standard error of that
  stake: number; // how much the move counts, from `LEAST_STAKE` to 1
  best: boolean; // nothing better was found
  byPoints: boolean; // the game was decided: what it lost is told by points
}

/** How far a seat's side is ahead in points that are expected. */
function lead(points: readonly number[], seat: number, sides: readonly number[]): number {
  const of = (own: boolean) => points.filter((_, other) => (sides[other] === sides[seat]) === own);
  return Math.max(...of(true)) - Math.max(...of(false));
}

/** The points that a decision lost; none where the game has none or they are not known. */
function pointsLost({ played, better, seat }: Decisions[number], sides: readonly number[]): number {
  if (!played?.points?.length || !better?.points?.length || played.action === better.action) return 0;
  return lead(better.points, seat, sides) - lead(played.points, seat, sides);
}

/**
 * The moves of a game, which may take several decisions each. `sides` has the side of every seat, `margin` is the
 * standard deviation of the final margin between equals in points; 0 where points do not count.
 */
export function movesOf(decisions: Decisions, sides: readonly number[], margin: number): ReviewedMove[] {
  const count = new Set(sides).size;
  const moves: { ply: number; most: number; seat: number; loss: number; doubt: number; points: number; chance: number; best: boolean }[] = [];
  for (const decision of decisions) {
    const { ply, seat, loss, doubt = 0, part, results, played, better } = decision;
    const whole = moves.at(-1);
    const points = pointsLost(decision, sides);
    const best = played && better ? played.action === better.action : loss === 0;
    if (part && whole?.seat === seat) {
      if (loss > whole.most) Object.assign(whole, { ply, most: loss });
      whole.loss += loss;
      whole.doubt = Math.hypot(whole.doubt, doubt);
      whole.points += points;
      whole.best &&= best;
    } else moves.push({ ply, most: loss, seat, loss, doubt, points, chance: chance(results[seat]!, count), best });
  }
  return moves.map(({ ply, seat, loss, doubt, points, chance: before, best }) => {
    const byChance = 100 * loss * (count - 1);
    const decided = margin > 0 && (before < DECIDED || before > 1 - DECIDED);
    const inPoints = decided ? (EVEN_POINTS * points) / margin : 0;
    const byPoints = decided && inPoints >= byChance;
    return {
      ply,
      seat,
      lost: Math.min(100, Math.max(byChance, inPoints)),
      doubt: byPoints ? (best ? 0 : POINTS_DOUBT) : 100 * doubt * (count - 1),
      stake: Math.max(LEAST_STAKE, Math.min(1, 4 * before * (1 - before))),
      best: best || Math.max(byChance, inPoints) === 0,
      byPoints,
    };
  });
}

export type Grade = "best" | "good" | "inaccuracy" | "mistake" | "blunder" | "open";

/** A grade begins at this lost part of an even share of the chance to win, in per cent: of 50 points for two, 25 for four. */
export const THRESHOLDS: readonly (readonly [least: number, grade: Grade])[] = [
  [30, "blunder"],
  [20, "mistake"],
  [10, "inaccuracy"],
];
const [, [MISTAKE], [INACCURACY]] = THRESHOLDS as readonly [readonly [number, Grade], readonly [number, Grade], readonly [number, Grade]];

/** By the estimate of what a move lost; open where it may as well have been good as a mistake. */
export function gradeOf({ lost, doubt, best }: Pick<ReviewedMove, "lost" | "doubt" | "best">): Grade {
  if (best) return "best";
  if (lost - doubt < INACCURACY && lost + doubt >= MISTAKE) return "open";
  return THRESHOLDS.find(([least]) => lost >= least)?.[1] ?? "good";
}

/** What the moves lost in the mean, by what was at stake; null without moves. */
export function meanLoss(moves: readonly ReviewedMove[]): number | null {
  const stakes = moves.reduce((sum, { stake }) => sum + stake, 0);
  return stakes ? moves.reduce((sum, { lost, stake }) => sum + stake * lost, 0) / stakes : null;
}

/** A part of a side's way from its first chance to the result, in points of win chance. */
export interface Share {
  index: number; // of the decision that it belongs to
  ply: number;
  worth: number;
}

/** A side's way: `result − start` is the sum of luck, own decisions and others' decisions. */
export interface Way {
  start: number; // points of win chance at the first decision
  result: number; // the last that is known
  luck: Share[];
  own: Share[];
  others: Share[];
}

/**
 * The way of the side of those seats. A decision costs its side what it lost, all of it, and gives that to the others
 * in equal parts; all else that happened until the next decision is luck. So the sums are exact.
 */
export function wayOf({ decisions, returns, complete }: GameReview, seats: readonly number[], sides: number): Way {
  const worth = (results: readonly number[]) =>
    100 * chance(seats.reduce((sum, seat) => sum + results[seat]!, 0) / seats.length, sides);
  const moments = [...decisions.map(({ results }) => results), ...(complete && returns ? [returns] : [])].map(worth);
  const way: Way = { start: moments[0] ?? 0, result: moments.at(-1) ?? 0, luck: [], own: [], others: [] };
  for (let index = 0; index + 1 < moments.length; index++) {
    const { ply, seat, loss } = decisions[index]!;
    const own = seats.includes(seat);
    const moved = (100 * loss * (own ? 1 - sides : 1)) / sides;
    (own ? way.own : way.others).push({ index, ply, worth: moved });
    way.luck.push({ index, ply, worth: moments[index + 1]! - moments[index]! - moved });
  }
  return way;
}

export const sumOf = (shares: readonly Share[]): number => shares.reduce((sum, { worth }) => sum + worth, 0);

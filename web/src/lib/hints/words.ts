/** What a search expects, in words and figures that people read. */
import type { Action, Candidate } from "../api/types";
import type { Hint, TellReason } from "../boards/contract";
import { chance } from "../review/losses";
import { mark, t } from "../words/index.svelte";

export { chance };

export const percent = (part: number): string => `${Math.round(100 * part)} %`;

const STEPS: [number, string][] = [
  [0.75, mark("almost won")],
  [0.35, mark("clearly ahead")],
  [0.1, mark("a little ahead")],
  [-0.1, mark("even")],
  [-0.35, mark("a little behind")],
  [-0.75, mark("clearly behind")],
];

/** How a result sounds: `clearly ahead`. A loss is as far from even as a win. */
export function prospects(result: number, sides: number): string {
  const leaning = result < 0 ? result * (sides - 1) : result;
  return t(STEPS.find(([least]) => leaning >= least)?.[1] ?? "almost lost");
}

const COMMON: Record<string, string> = {
  wins: mark("wins at once"),
  prevents: mark("after most other moves the next answer wins"),
};

const BY_ANSWERS: Record<string, string> = {
  answered: mark("the best answer, by {name}: {what}"),
  otherwise: mark("after most other moves the best answer, by {name}: {what}"),
};

/** A reason in words: one that any game may have, or one of the game's own; null for one that nobody knows. */
export function tellReason(reason: Parameters<TellReason>[0], names: readonly string[], tell: TellReason | null): string | null {
  const { term, values } = reason;
  const byAnswer = BY_ANSWERS[term];
  if (!byAnswer) return COMMON[term] ? t(COMMON[term]) : (tell?.(reason, names) ?? null);
  const what = tellReason(values as unknown as typeof reason, names, tell);
  return what && t(byAnswer, { name: names[Number(values.by)] ?? "", what });
}

const ENOUGH = 100; // visits after which a value is known to a few per cent

/** Has the search hardly looked at a move, so that its value is a guess? */
export function doubtful({ visits }: Candidate, moves: readonly Candidate[]): boolean {
  const most = Math.max(...moves.map((move) => move.visits));
  return visits < Math.min(ENOUGH, most / 4);
}

/** The best first, guesses last. */
export function ranked(moves: readonly Candidate[]): Candidate[] {
  const guess = (move: Candidate) => Number(doubtful(move, moves));
  return moves.toSorted((a, b) => guess(a) - guess(b) || b.result - a.result);
}

/** The decision of a whole move that a board draws: the first of such a type, else the first of all. */
export const partOf = ({ json, whole }: Hint, ...types: string[]): Action =>
  whole.find(({ type }) => types.includes(String(type))) ?? json;

/** The hint for an action, if it is one of the good ones. */
export function hintFor(hints: readonly Hint[], action: Action): Hint | undefined {
  const wanted = JSON.stringify(action);
  return hints.find(({ json }) => JSON.stringify(json) === wanted);
}

/** Hints by the place where they are drawn, so that those of one place can stand beside each other. */
export function atPlaces<Place>(
  hints: readonly Hint[],
  placeOf: (action: Action, hint: Hint) => { key: string; at: Place } | null,
): { hint: Hint; at: Place; before: number }[] {
  const counts = new Map<string, number>();
  return hints.flatMap((hint) => {
    const place = placeOf(hint.json, hint);
    if (!place) return [];
    const before = counts.get(place.key) ?? 0;
    counts.set(place.key, before + 1);
    return [{ hint, at: place.at, before }];
  });
}

/** All that is decided until the move is complete. */
export const wholeOf = ({ json, whole }: Pick<Candidate, "json" | "whole">): Action[] =>
  whole?.length ? whole.map((part) => part.json) : [json];

/** How sure a chance is, in points: a standard error either way. */
export const doubtOf = ({ doubt }: Pick<Candidate, "doubt">, sides: number): number =>
  Math.round((100 * (doubt ?? 0) * (sides - 1)) / sides);

/** The candidates as boards draw them; the first is focused while nobody points at another. */
export function hintsOf(moves: readonly Candidate[], sides: number, pointed: number | null): Hint[] {
  return moves.map(({ json, whole, result, share }, index) => ({
    json,
    whole: wholeOf({ json, whole }),
    rank: index + 1,
    mark: String(index + 1),
    value: percent(chance(result, sides)),
    result,
    share,
    focused: index + 1 === (pointed ?? 1),
  }));
}

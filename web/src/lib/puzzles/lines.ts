/** The lines of a puzzle: the moves that follow each other, and what each brings about. */
import type { Action, PuzzleTry } from "../api/types";

/** One move of a line that is shown, and the step after which all that it brings has happened. */
export interface LineMove {
  json: Action;
  actor: number | null;
  before: number; // the step it is made in: the position before it is that of the step before
  last: number;
}

/** The moves of a line, each with the last step that it brings about. */
export function movesOf(line: PuzzleTry | null): LineMove[] {
  const steps = line?.steps ?? [];
  const starts = steps.flatMap((step, index) => (step.move ? [index] : []));
  return starts.map((before, k) => {
    const { move, actor } = steps[before]!;
    return { json: move!.json, actor, before, last: (starts[k + 1] ?? steps.length) - 1 };
  });
}

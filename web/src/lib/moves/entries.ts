/** The move list: steps as lines that people read and jump by. */
import type { Step } from "../api/types";
import { plural } from "../words/index.svelte";

export interface Entry {
  from: number; // ply before it
  to: number; // ply after it: the position that it leads to
  actor: number | null; // null for chance
  lines: string[];
}

const MOST_DRAWS = 2; // more draws in a row become one entry that counts them

/** One entry a move, with what followed from it; long runs of draws are one entry. */
export function entriesOf(steps: readonly Step[]): Entry[] {
  const entries: Entry[] = [];
  for (const run of runsOf(steps)) {
    const first = run[0]!;
    const to = run.at(-1)!.ply + 1;
    if (first.actor === null && run.length > MOST_DRAWS) {
      entries.push({ from: first.ply, to, actor: null, lines: [plural(run.length, "{n} draw", "{n} draws")] });
      continue;
    }
    for (const step of run) addStep(entries, step);
  }
  return entries;
}

function addStep(entries: Entry[], step: Step): void {
  const lines = step.events.map((event) => event.sentence).filter((sentence) => sentence !== "");
  const last = entries.at(-1);
  if (lines.length === 0 && last) last.to = step.ply + 1;
  else entries.push({ from: step.ply, to: step.ply + 1, actor: step.actor, lines });
}

/** Consecutive steps of chance together, others alone. */
function runsOf(steps: readonly Step[]): Step[][] {
  const runs: Step[][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (step.actor === null && last && last[0]!.actor === null) last.push(step);
    else runs.push([step]);
  }
  return runs;
}

/** The index of the entry that a ply belongs to; -1 before the first. */
export function entryAt(entries: readonly Entry[], ply: number): number {
  let index = -1;
  while (index + 1 < entries.length && entries[index + 1]!.to <= ply) index++;
  return index;
}

/** The index of the entry whose position before it is shown; the last one at the end of the game. */
export function entryFrom(entries: readonly Entry[], ply: number): number {
  const index = entries.findIndex(({ from, to }) => from <= ply && ply < to);
  return index < 0 ? entries.length - 1 : index;
}

/** The decision of an entry that was reviewed, with what was said of it: the first of several. */
export function verdictOf<Verdict>({ from, to }: Entry, verdicts: ReadonlyMap<number, Verdict>): { ply: number; verdict: Verdict } | null {
  for (let ply = from; ply < to; ply++) {
    const verdict = verdicts.get(ply);
    if (verdict !== undefined) return { ply, verdict };
  }
  return null;
}

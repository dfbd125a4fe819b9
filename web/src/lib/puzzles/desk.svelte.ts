/** One puzzle being solved: the position, what was tried, and the film of where a move leads. */
import * as server from "../api/client";
import type { Action, Legal, Puzzle, PuzzleTry, Step } from "../api/types";
import { settings } from "../settings.svelte";
import { framesOf, still, usualPace, type Frame, type Pace } from "../table/frames";
import { attempt, toasts } from "../toasts.svelte";
import { t } from "../words/index.svelte";
import { same } from "../review/trial.svelte";
import { movesOf, type LineMove } from "./lines";

/** What is known of the last try: right, the natural wrong move, another wrong move; or the solution was asked for. */
export type Verdict = "right" | "natural" | "wrong" | "shown";

export class PuzzleDesk {
  verdict: Verdict | null = $state(null);
  tried: Action | null = $state.raw(null); // the move that the verdict is about
  frame: Frame = $state.raw(null!);
  legal: readonly Legal[] = $state.raw([]);
  at: number | null = $state(null); // the step of the line that is shown; null is the position itself
  private refutation: PuzzleTry | null = $state.raw(null); // of a wrong move
  readonly line: PuzzleTry | null = $derived.by(() => this.shownLine());
  readonly moves: LineMove[] = $derived.by(() => movesOf(this.line));
  readonly over: boolean = $derived.by(() => this.verdict === "right" || this.verdict === "shown");
  busy = $state(false); // the film runs
  trial = $state(0); // with every one the board begins anew: nothing is left in its hand, or on its way
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly puzzle: Puzzle,
    private readonly pace: Pace | undefined,
    private readonly ended: (found: boolean) => void,
  ) {
    this.reset();
  }

  /** A move as at a table: it is graded, and what follows it is shown where that is known. */
  try(action: Action): void {
    if (!this.legal.length) return;
    const move = this.puzzle.legal.find(({ json }) => same(json, action));
    if (!move) return;
    this.tried = action;
    const { right, wrong } = this.puzzle;
    this.verdict = right.includes(move.id) ? "right" : move.id === wrong.action ? "natural" : "wrong";
    if (this.verdict === "wrong") void this.refute(move.id);
    else {
      this.refutation = this.verdict === "natural" ? wrong : null;
      this.play();
    }
    if (this.verdict === "right") this.ended(true);
  }

  /** The position again, to try another move. */
  again(): void {
    this.verdict = null;
    this.reset();
  }

  /** Gives the solution away. */
  reveal(): void {
    this.verdict = "shown";
    this.tried = this.moves[0]?.json ?? null;
    this.ended(false);
    this.play();
  }

  /** Shows the position after a step of the line, without a film. */
  look(step: number): void {
    clearTimeout(this.timer);
    this.busy = false;
    this.at = step;
    this.frame = still(this.line!.steps[step]!.position, step + 1);
  }

  /** Plays the whole line. */
  play(): void {
    const { line } = this;
    if (!line) return;
    this.legal = [];
    const steps: Step[] = line.steps.map(({ actor, events, position }, ply) => ({ ply, actor, events, position }) as Step);
    const last = steps.length - 1;
    const frames = settings.speed > 0 ? framesOf(steps, this.puzzle.position, this.pace ?? usualPace) : [];
    this.show([...frames, still(steps[last]!.position!, last + 1)]);
  }

  async explain(action: Action): Promise<void> {
    const { game, number } = this.puzzle;
    const answer = await attempt(server.checkPuzzle(game, number, action));
    if (answer && !answer.legal) toasts.say(answer.reason ?? t("That is not possible now."), "warning", answer.rules);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  /** Shows what the best answer to a wrong move is; where that is not known, the position is there again. */
  private async refute(move: number): Promise<void> {
    const { game, number } = this.puzzle;
    this.legal = [];
    const found = await server.puzzleTry(game, number, move).catch(() => null);
    if (this.verdict !== "wrong") return;
    this.refutation = found;
    if (found) this.play();
    else {
      const { tried } = this;
      this.reset();
      this.tried = tried;
    }
  }

  private reset(): void {
    clearTimeout(this.timer);
    this.trial++;
    this.busy = false;
    this.tried = null;
    this.refutation = null;
    this.at = null;
    this.frame = still(this.puzzle.position, 0);
    this.legal = this.puzzle.legal;
  }

  private show([next, ...rest]: Frame[]): void {
    clearTimeout(this.timer);
    if (!next) return;
    this.frame = next;
    this.at = next.ply - 1;
    this.busy = rest.length > 0;
    if (rest.length) this.timer = setTimeout(() => this.show(rest), next.duration * settings.speed);
  }

  private shownLine(): PuzzleTry | null {
    return this.over ? this.puzzle.answer : this.refutation;
  }
}

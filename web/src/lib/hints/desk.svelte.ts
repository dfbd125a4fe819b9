/** Where hints are asked for: one question at a time, and an answer only as long as its position stands. */
import { untrack } from "svelte";
import * as server from "../api/client";
import type { Action, Analysis } from "../api/types";
import type { Hint } from "../boards/contract";
import type { Stage } from "../table/stage.svelte";
import { attempt } from "../toasts.svelte";
import { hintsOf, ranked, wholeOf } from "./words";

export class HintDesk {
  asking = $state(false);
  pointed: number | null = $state(null); // the rank of the move that is pointed at
  private answer: Analysis | null = $state.raw(null);
  private rest: Action[] = $state.raw([]); // decisions of the move that is being played
  /** May we ask now? */
  readonly open: boolean = $derived.by(() => this.stage.legal.length > 0 && (this.stage.session.table?.hints ?? false));
  readonly current: Analysis | null = $derived.by(() => this.standing());
  readonly hints: readonly Hint[] = $derived.by(() => hintsOf(this.current?.candidates ?? [], this.sides(), this.pointed));

  /** `sides`: how many sides the game has; what is won is shared among them. */
  constructor(
    private readonly stage: Stage,
    readonly sides: () => number,
  ) {
    // The rest of a move follows as soon as the board is ready for it; a move that is not possible any more is left.
    $effect(() => {
      const { legal, seat, session } = this.stage;
      const [next, ...later] = this.rest;
      if (!next || !legal.length || seat === null) return;
      const possible = legal.some(({ json }) => JSON.stringify(json) === JSON.stringify(next));
      untrack(() => {
        this.rest = possible ? later : [];
        if (possible) session.act(seat, next);
      });
    });
  }

  /** Asks which moves are good, or puts the answer away. */
  async toggle(): Promise<void> {
    if (this.current) {
      this.answer = null;
      return;
    }
    const { seat, session } = this.stage;
    if (!this.open || this.asking || seat === null) return;
    this.asking = true;
    this.pointed = null;
    const answer = await attempt(server.analysis(session.id, session.token(seat)!));
    this.asking = false;
    this.answer = answer ?? null;
  }

  /** Plays the whole move of a rank. */
  play(rank: number): void {
    const move = this.current?.candidates[rank - 1];
    if (!move || this.stage.seat === null) return;
    const [first, ...rest] = wholeOf(move);
    this.rest = rest;
    this.stage.session.act(this.stage.seat, first!);
  }

  /** The answer, while the position that it is about is the one on the table. */
  private standing(): Analysis | null {
    const view = this.stage.audience?.view;
    const { answer } = this;
    const stands = this.open && answer && view && answer.ply === view.ply && answer.undos === view.undos;
    if (!stands || answer.seat !== this.stage.seat) return null;
    return { ...answer, candidates: ranked(answer.candidates) };
  }
}

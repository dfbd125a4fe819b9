/** The review of an ended game: asked for until it is complete; at a decision it shows what was best. */
import * as server from "../api/client";
import type { Candidate, GameReview } from "../api/types";
import type { Hint } from "../boards/contract";
import { chance, percent, wholeOf } from "../hints/words";
import type { Stage } from "../table/stage.svelte";
import { attempt } from "../toasts.svelte";
import { Trial } from "./trial.svelte";

const PAUSE = 600; // milliseconds between two questions
const LONGER = 5; // seconds of a longer look

/** A decision that is looked at: what was played and what is best, which may be the same. */
export interface Graded {
  ply: number;
  seat: number;
  played: Candidate;
  better: Candidate;
  turning: boolean;
  longer: boolean; // it was looked at again
}

export class ReviewDesk {
  review: GameReview | null = $state.raw(null);
  asking = $state(false);
  looking = $state(false); // a longer look is under way
  private trying: Trial | null = $state.raw(null);
  /** The moves that are tried at the decision that is looked at. */
  readonly trial: Trial | null = $derived.by(() => (this.graded && this.trying?.ply === this.graded.ply ? this.trying : null));
  /** The decision that is looked at. */
  readonly graded: Graded | null = $derived.by(() => this.lookedAt());
  readonly hints: readonly Hint[] = $derived.by(() => (this.graded ? this.marks(this.graded) : []));
  private again: Readonly<Record<number, readonly Candidate[]>> = $state.raw({}); // longer looks by their ply
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(
    private readonly stage: Stage,
    readonly sides: () => number,
  ) {}

  /** Asks until all is known. */
  async ask(): Promise<void> {
    this.asking = true;
    const { session } = this.stage;
    const known = await attempt(server.review(session.id, session.token(this.stage.seat)));
    this.review = known ?? null; // after a failure the question can be asked again
    this.asking = known !== undefined && !known.complete && !this.ended;
    if (this.asking) this.timer = setTimeout(() => void this.ask(), PAUSE);
  }

  /** Looks longer at the decision that is shown. */
  async lookLonger(): Promise<void> {
    const { session, seat } = this.stage;
    const graded = this.graded;
    if (!graded || this.looking) return;
    this.looking = true;
    const found = await attempt(server.look(session.id, session.token(seat), graded.ply, { seconds: LONGER }));
    this.looking = false;
    if (found) this.again = { ...this.again, [graded.ply]: found.candidates };
  }

  /** Lets the reader make other moves at the decision that is shown. */
  tryMoves(): void {
    const { session, seat } = this.stage;
    const graded = this.graded;
    if (!graded) return;
    this.stopTrying();
    const { ply } = graded;
    this.trying = new Trial(session.id, session.token(seat), ply, (found) => (this.again = { ...this.again, [ply]: found }));
  }

  stopTrying(): void {
    this.trying?.end();
    this.trying = null;
  }

  end(): void {
    this.ended = true;
    this.stopTrying();
    clearTimeout(this.timer);
  }

  private lookedAt(): Graded | null {
    const { at, frame } = this.stage;
    if (at === null || frame?.ply !== at || !this.review) return null;
    const { decisions, turning } = this.review;
    const turn = turning.find(({ ply }) => ply === at);
    const found = decisions.find(({ ply }) => ply === at);
    const played = found?.played ?? turn?.played;
    const better = found?.better ?? turn?.better;
    if (!played || !better) return null;
    const shared = { ply: at, seat: found?.seat ?? turn!.seat, turning: turn !== undefined };
    const longer = this.again[at];
    if (!longer) return { ...shared, played, better, longer: false };
    return { ...shared, played: longer.find(({ action }) => action === played.action) ?? played, better: longer[0]!, longer: true };
  }

  private marks({ better, played, seat }: Graded): Hint[] {
    const { trial } = this;
    if (trial && (trial.moves?.tried.length || trial.moves?.seat !== seat)) return []; // a move has begun
    const mark = (move: Candidate, rank: number, sign: string): Hint => ({
      json: move.json,
      whole: wholeOf(move),
      rank,
      mark: sign,
      value: percent(chance(move.result, this.sides())),
      result: move.result,
      share: move.share,
      focused: rank === 1,
    });
    const tried = trial?.verdict?.actions.length === 1 ? trial.verdict.move : null;
    if (trial) return tried && tried.action !== better.action ? [mark(better, 1, "✓"), mark(tried, 2, "→")] : tried ? [mark(better, 1, "✓")] : [];
    return better.action === played.action ? [mark(better, 1, "✓")] : [mark(better, 1, "✓"), mark(played, 2, "✗")];
  }
}

/** The review of an ended game: asked for until it is complete; at a turning point it shows what was better. */
import * as server from "../api/client";
import type { Candidate, GameReview, TurningPoint } from "../api/types";
import type { Hint } from "../boards/contract";
import { chance, percent } from "../hints/words";
import type { Stage } from "../table/stage.svelte";
import { attempt } from "../toasts.svelte";

const PAUSE = 600; // milliseconds between two questions

export class ReviewDesk {
  review: GameReview | null = $state.raw(null);
  asking = $state(false);
  /** The turning point that is looked at. */
  readonly turn: TurningPoint | null = $derived.by(() => this.lookedAt());
  readonly hints: readonly Hint[] = $derived.by(() => (this.turn ? this.marks(this.turn) : []));
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

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }

  private lookedAt(): TurningPoint | null {
    const { at, frame } = this.stage;
    if (at === null || frame?.ply !== at) return null;
    return this.review?.turning.find(({ ply }) => ply === at) ?? null;
  }

  private marks({ better, played }: TurningPoint): Hint[] {
    const mark = ({ json, result, share }: Candidate, rank: number, sign: string) => ({
      json,
      rank,
      mark: sign,
      value: percent(chance(result, this.sides())),
      result,
      share,
      focused: rank === 1,
    });
    return [mark(better, 1, "✓"), mark(played, 2, "✗")];
  }
}

/** Another move tried in a position of an ended game: made on the board, measured by the server as the played one was. */
import * as server from "../api/client";
import type { Action, Candidate, Trial as Moves } from "../api/types";
import { attempt, toasts } from "../toasts.svelte";
import { t } from "../words/index.svelte";

/** What came of a try; of a move of several decisions all that was decided so far. */
export interface Verdict {
  move: Candidate; // the last decision
  actions: readonly Action[]; // all decisions so far
  best: Candidate; // at the first decision
  behind: number; // expected result that the best move has more, all decisions together
  precision: number; // that is known to so much
  known: boolean;
  open: boolean; // the move goes on
}

export class Trial {
  /** The position in which the next decision is tried, and what is possible; null until it is known. */
  moves: Moves | null = $state.raw(null);
  verdict: Verdict | null = $state.raw(null);
  measured: Action | null = $state.raw(null); // the move that is being measured
  count = $state(0); // with every one the board begins anew
  private first: Moves | null = null;
  private tried: readonly Verdict[] = []; // the decisions of an open move
  private ended = false;

  constructor(
    private readonly table: string,
    private readonly token: string | null,
    readonly ply: number,
    /** What the look has found at the first decision, for all that is told of it. */
    private readonly looked: (moves: readonly Candidate[]) => void,
  ) {
    void this.begin();
  }

  get legal(): Moves["legal"] {
    return this.measured ? [] : (this.moves?.legal ?? []);
  }

  /** The first position again. */
  again(): void {
    this.tried = [];
    this.verdict = null;
    this.moves = this.first;
    this.count++;
  }

  end(): void {
    this.ended = true;
  }

  /** Measures a move that the board has made. */
  async try(action: Action): Promise<void> {
    const chosen = this.legal.find(({ json }) => same(json, action));
    if (!chosen || !this.moves) return;
    const before = this.tried;
    const ids = [...this.moves.tried, chosen.id];
    this.measured = action;
    const found = await attempt(server.look(this.table, this.token, this.ply, { tried: ids }));
    const next = found && (await attempt(server.trial(this.table, this.token, this.ply, ids)));
    if (this.ended) return;
    this.measured = null;
    this.count++;
    const move = found?.candidates.find(({ action: id }) => id === chosen.id);
    if (!found || !move || !next) return;
    const last = before.at(-1);
    if (!last) this.looked(found.candidates);
    this.verdict = {
      move,
      actions: [...(last?.actions ?? []), action],
      best: last?.best ?? found.candidates[0]!,
      behind: (last?.behind ?? 0) + move.behind,
      precision: Math.hypot(last?.precision ?? 0, move.precision),
      known: (last?.known ?? true) && move.known,
      open: next.legal.length > 0,
    };
    if (next.legal.length) {
      this.tried = [...before, this.verdict];
      this.moves = next;
    } else {
      this.tried = [];
      this.moves = this.first;
    }
  }

  /** Why the board's move is not possible is told at a running game alone. */
  explain(): void {
    toasts.say(t("That is not possible now."), "warning");
  }

  private async begin(): Promise<void> {
    const moves = await attempt(server.trial(this.table, this.token, this.ply, []));
    if (this.ended || !moves) return;
    this.first = this.moves = moves;
    this.count++;
  }
}

/** Are two actions the same, whatever the order of their fields? */
export function same(one: Action, other: Action): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => JSON.stringify(one[key]) === JSON.stringify(other[key]));
}

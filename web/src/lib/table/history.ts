/** Earlier positions of a game, fetched in pieces and kept. */
import * as server from "../api/client";
import type { Position, Step } from "../api/types";

const PIECE = 48; // plies that are fetched together

export class History {
  private pieces = new Map<number, Promise<Step[]>>();
  private start: Promise<Position | null> | null = null;
  private known = "";

  constructor(private readonly table: string) {}

  /** Drops what is kept if the game has changed under it: by an undo, or by an end that reveals all. */
  forget(undos: number, status: string): void {
    const now = `${undos} ${status}`;
    if (now !== this.known) {
      this.pieces.clear();
      this.start = null;
    }
    this.known = now;
  }

  /** The position after so many plies; null if the server cannot say. */
  async position(ply: number, token: string | null): Promise<Position | null> {
    if (ply > 0) return (await this.step(ply - 1, token))?.position ?? null;
    this.start ??= server.viewAt(this.table, token, 0).then(
      (view) => view.position as Position | null,
      () => null,
    );
    return this.start;
  }

  /** The steps of some plies, with the position after each. */
  async steps(from: number, to: number, token: string | null): Promise<Step[]> {
    const found: Step[] = [];
    for (let ply = from; ply < to; ply++) {
      const step = await this.step(ply, token);
      if (step) found.push(step);
    }
    return found;
  }

  private async step(ply: number, token: string | null): Promise<Step | undefined> {
    const first = ply - (ply % PIECE);
    const known = await this.piece(first, token);
    if (known.length > ply - first) return known[ply - first];
    this.pieces.delete(first); // it was not full when it was fetched
    return (await this.piece(first, token))[ply - first];
  }

  private piece(first: number, token: string | null): Promise<Step[]> {
    let piece = this.pieces.get(first);
    if (!piece) {
      piece = server.steps(this.table, token, first, first + PIECE, true).catch(() => []);
      this.pieces.set(first, piece);
    }
    return piece;
  }
}

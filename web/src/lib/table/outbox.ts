/** The move on its way to the server. It has an id of our own, so that sending it twice plays it once. */
import type { Action } from "../api/types";

export interface PendingMove {
  id: string;
  seat: number;
  ply: number;
  move: Action;
}

const key = (table: string) => `ludens.move.${table}`;

/** An id that no other move has; works also where the page is not served securely. */
export function newMoveId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Keeps the move over a reload of the page. */
export function keep(table: string, move: PendingMove | null): void {
  try {
    if (move) sessionStorage.setItem(key(table), JSON.stringify(move));
    else sessionStorage.removeItem(key(table));
  } catch {
    // without storage a reload forgets the move, nothing worse
  }
}

/** The move that was on its way when the page was left. */
export function kept(table: string): PendingMove | null {
  try {
    const text = sessionStorage.getItem(key(table));
    return text ? (JSON.parse(text) as PendingMove) : null;
  } catch {
    return null;
  }
}

/** Games are made ready once on a computer; meanwhile the lobby says how far they are. */
import type { GameInfo } from "../api/types";

export interface Preparation {
  text: string;
  progress: number | null; // from 0 to 1, where it is known
}

/** How far a game is; null for one that is ready, or where the server has nothing to say of it. */
export function preparationOf(game: GameInfo): Preparation | null {
  const { ready, progress, text } = game as GameInfo & { ready?: boolean; progress?: number; text?: string };
  if (ready !== false) return null;
  return { text: text || `Preparing ${game.title}, once on this computer`, progress: typeof progress === "number" ? progress : null };
}

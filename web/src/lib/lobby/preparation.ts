/** Games are made ready once on a computer; meanwhile lobby and table say how far they are. */
import { Refused } from "../api/client";
import type { GameInfo, TableInfo, Trouble } from "../api/types";
import { t } from "../words/index.svelte";

export interface Preparation {
  text: string;
  progress: number; // from 0 to 1
  playable: boolean; // people can play already; computers and hints follow
}

/** How far a game is, in the lobby or at a table; null for one that is ready. */
export function preparationOf({ title, preparing }: Pick<GameInfo | TableInfo, "title" | "preparing">): Preparation | null {
  if (!preparing || preparing.ready) return null;
  const { progress, playable } = preparing;
  return { text: t("Preparing {game}, once on this computer", { game: t(title) }), progress, playable };
}

/** How far a game is, from the refusal of what needs its rules; null for any other refusal. */
export function toldBy({ message, progress }: Pick<Trouble, "message" | "progress">): Preparation | null {
  return typeof progress === "number" ? { text: message, progress, playable: false } : null;
}

const PAUSE = 1_000;

/** Asks again until the game is ready and tells meanwhile how far it is; undefined once the one who asked has `left`.
 * Other refusals are the caller's.
 */
export async function whenReady<Answer>(
  request: () => Promise<Answer>,
  tell: (preparation: Preparation | null) => void,
  left: () => boolean,
): Promise<Answer | undefined> {
  while (!left()) {
    try {
      const answer = await request();
      tell(null);
      return left() ? undefined : answer;
    } catch (error) {
      const preparation = error instanceof Refused ? toldBy(error) : null;
      tell(preparation);
      if (!preparation) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
  return undefined;
}

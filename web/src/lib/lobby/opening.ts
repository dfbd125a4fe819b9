/** What needs the rules of a game is refused while that is made ready: we ask again until it opens. */
import { Refused } from "../api/client";
import type { Trouble } from "../api/types";
import type { Preparation } from "./preparation";

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

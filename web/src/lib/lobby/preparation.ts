/** Games are made ready once on a computer; meanwhile lobby and table say how far they are. */
import type { GameInfo, TableInfo } from "../api/types";
import { plural, t } from "../words/index.svelte";

export interface Preparation {
  text: string;
  progress: number; // from 0 to 1
  playable: boolean; // people can play already; computers and hints follow
}

/** How far a game is, in the lobby or at a table; null for one that is ready. */
export function preparationOf({ title, preparing }: Pick<GameInfo | TableInfo, "title" | "preparing">): Preparation | null {
  if (!preparing || preparing.ready) return null;
  const { progress, playable, seconds } = preparing;
  return { text: headline(t(title), seconds ?? null), progress, playable };
}

/** What is under way, and how long it will take. */
function headline(game: string, seconds: number | null): string {
  if (seconds === null) return t("Preparing {game}, once on this computer", { game });
  if (seconds < 45) return t("Preparing {game}, less than a minute", { game });
  return plural(Math.round(seconds / 60), "Preparing {game}, about a minute", "Preparing {game}, about {n} minutes", { game });
}

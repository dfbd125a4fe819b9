/** Games are made ready once on a computer; meanwhile lobby and table say how far they are. */
import type { GameInfo, TableInfo } from "../api/types";
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

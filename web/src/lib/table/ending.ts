/** How a game ended, in words; lists of games say it too. */
import type { GameInfo, TableInfo } from "../api/types";
import { roleOf } from "../games";
import { inList, plural, t } from "../words/index.svelte";

/** How it ended, in one sentence; a name may be that of several people, so no verb depends on it. */
export function resultWords(table: TableInfo, info: GameInfo | undefined): string {
  const { reason, returns, scores } = table.result!;
  if (!returns) return t("The game ended without a result: {reason}.", { reason });
  const best = Math.max(...returns);
  const winners = table.seats.filter(({ seat }) => returns[seat] === best);
  const names = inList(winners.map(({ name }) => name));
  const gone = table.seats.filter(({ resigned }) => resigned).map(({ name }) => name);
  if (reason === "time") return t("Time ran out for {gone}: victory for {names}.", { gone: inList(gone), names });
  if (reason === "resigned") {
    return t(best > 0 ? "{gone} resigned: victory for {names}." : "{gone} resigned.", { gone: inList(gone), names });
  }
  if (winners.length === table.seats.length) return t("The victory is shared by all.");
  const won = winners.length === 1 && scores && countsPoints(info, table.seats.length) ? scores[winners[0]!.seat] : null;
  if (won === null || won === undefined) return t("Victory for {names}.", { names });
  return plural(won, "Victory for {names} with {n} point.", "Victory for {names} with {n} points.", { names });
}

/** Do the scores mean something to people? Where seats have roles they only say who has won. */
export const countsPoints = (info: GameInfo | undefined, players: number): boolean => roleOf(info, players, 0) === null;

/** Whose turn it is and what is expected, in words. */
import type { GameInfo, TableInfo } from "../api/types";
import type { BoardModule } from "../boards/contract";
import { roleOf } from "../games";
import type { Stage } from "./stage.svelte";

export interface Prompt {
  text: string;
  mine: boolean; // it is for us to act
}

export function promptOf(
  stage: Stage,
  table: TableInfo,
  info: GameInfo | undefined,
  module: BoardModule | undefined,
  words: string | null,
): Prompt {
  const { session, frame } = stage;
  const say = (text: string, mine = false) => ({ text, mine });
  if (stage.curtain !== null) return say(`Please pass the screen to ${nameOf(table, stage.curtain)}.`);
  if (stage.at !== null) return say("You are looking at an earlier position.");
  if (stage.busy) return say(happening(stage));
  if (table.result) return say(resultWords(table, info));
  if (session.pending) {
    return say(session.condition === "open" ? "Your move is on its way …" : "Your move is kept and sent again soon.");
  }
  const { actor } = stage;
  if (actor === null) return say("The game goes on in a moment.");
  if (!session.mine.includes(actor)) {
    const seat = table.seats[actor]!;
    return say(seat.kind === "agent" ? `${seat.name}: thinking …` : `Waiting for ${seat.name}.`);
  }
  const wish = words ?? (frame && module?.prompt?.(frame.position, stage.legal)) ?? "choose your move";
  return say(`${session.mine.length > 1 ? `${nameOf(table, actor)}, your` : "Your"} turn: ${wish}.`, true);
}

/** What the film shows now. */
function happening(stage: Stage): string {
  const sentence = stage.frame?.events.findLast((event) => event.sentence)?.sentence;
  return sentence ? `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.` : "…";
}

const nameOf = (table: TableInfo, seat: number) => table.seats[seat]?.name ?? `Seat ${seat + 1}`;

/** How it ended, in one sentence; a name may be that of several people, so no verb depends on it. */
export function resultWords(table: TableInfo, info: GameInfo | undefined): string {
  const { reason, returns, scores } = table.result!;
  if (!returns) return `The game ended without a result: ${reason}.`;
  const best = Math.max(...returns);
  const winners = table.seats.filter(({ seat }) => returns[seat] === best);
  const names = new Intl.ListFormat("en").format(winners.map(({ name }) => name));
  if (reason === "resigned") {
    const gone = table.seats.filter(({ resigned }) => resigned).map(({ name }) => name);
    const left = `${new Intl.ListFormat("en").format(gone)} resigned`;
    return best > 0 ? `${left}: victory for ${names}.` : `${left}.`;
  }
  if (winners.length === table.seats.length) return "The victory is shared by all.";
  const won = winners.length === 1 && scores && countsPoints(info, table.seats.length) ? scores[winners[0]!.seat] : null;
  const points = won === null ? "" : ` with ${won} ${won === 1 ? "point" : "points"}`;
  return `Victory for ${names}${points}.`;
}

/** Do the scores mean something to people? Where seats have roles they only say who has won. */
export const countsPoints = (info: GameInfo | undefined, players: number): boolean => roleOf(info, players, 0) === null;

/** Whose turn it is and what is expected, in words. */
import type { GameInfo, TableInfo } from "../api/types";
import type { BoardModule } from "../boards/contract";
import { resultWords } from "./ending";
import type { Stage } from "./stage.svelte";
import { t } from "../words/index.svelte";

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
  if (stage.curtain !== null) return say(t("Please pass the screen to {name}.", { name: nameOf(table, stage.curtain) }));
  if (stage.at !== null) return say(t("You are looking at an earlier position."));
  if (stage.busy) return say(happening(stage));
  if (table.result) return say(resultWords(table, info));
  if (session.pending) {
    return say(t(session.condition === "open" ? "Your move is on its way …" : "Your move is kept and sent again soon."));
  }
  const { actor } = stage;
  if (actor === null) return say(t("The game goes on in a moment."));
  if (!session.mine.includes(actor)) {
    const { kind, name } = table.seats[actor]!;
    return say(t(kind === "agent" ? "{name}: thinking …" : "Waiting for {name}.", { name }));
  }
  const wish = words ?? (frame && module?.prompt?.(frame.position, stage.legal)) ?? t("choose your move");
  const several = session.mine.length > 1;
  return say(t(several ? "{name}, your turn: {wish}." : "Your turn: {wish}.", { name: nameOf(table, actor), wish }), true);
}

/** What the film shows now. */
function happening(stage: Stage): string {
  const sentence = stage.frame?.events.findLast((event) => event.sentence)?.sentence;
  return sentence ? `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.` : "…";
}

const nameOf = (table: TableInfo, seat: number) => table.seats[seat]?.name ?? t("Seat {n}", { n: seat + 1 });

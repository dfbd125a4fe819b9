/** Where something may be put on the board of whoever chooses, read from the legal actions. */
import type { Legal } from "../../api/types";
import { FLOOR, type AzulAction, type Colour, type PlayerPosition, type Take } from "./position";

export interface Hand {
  source: number;
  colour: Colour;
  count: number;
}

export interface Targets {
  holding: boolean; // tiles are in the hand
  colour: Colour | null; // of the tiles in the hand or on their way
  lines: ReadonlySet<number>; // pattern lines that accept them
  floor: boolean;
  row: number | null; // the wall's row where a column is chosen
  columns: ReadonlySet<number>;
  ghosts: (row: number) => number; // tiles that are about to lie on a line
  put: (destination: number) => void;
  choose: (column: number) => void;
}

/** The actions of one kind among the legal ones. */
export function actions(legal: readonly Legal[]): AzulAction[] {
  return legal.map(({ json }) => json as unknown as AzulAction);
}

/** The takings that are possible, as `source colour`. */
export function takings(legal: readonly Legal[]): Set<string> {
  const takes = actions(legal).filter((action): action is Take => action.type === "take");
  return new Set(takes.map(({ source, colour }) => `${source} ${colour}`));
}

/** The destinations for what is in the hand. */
export function destinations(legal: readonly Legal[], hand: Hand | null): Set<number> {
  const takes = actions(legal).filter((action): action is Take => action.type === "take");
  const fitting = takes.filter(({ source, colour }) => source === hand?.source && colour === hand.colour);
  return new Set(fitting.map(({ destination }) => destination));
}

/** The columns that may be chosen on the grey wall. */
export function openColumns(legal: readonly Legal[]): Set<number> {
  return new Set(actions(legal).flatMap((action) => (action.type === "column" ? [action.column] : [])));
}

/** How many tiles of a move on its way find room on a line: as many as it has free cells. */
export function ghosts(player: PlayerPosition, destination: number, count: number, row: number): number {
  if (destination !== row || destination === FLOOR) return 0;
  return Math.min(count, row + 1 - player.lines[row]!.count);
}

/** Azul in words: what is expected, how long things are shown, and what the result consists of. */
import type { Action, GameEvent, Legal, Position } from "../../api/types";
import type { ResultColumn } from "../contract";
import type { Pace } from "../../table/frames";
import { FLOOR, type AzulAction, type AzulPosition, type BonusEvent, type Colour } from "./position";

export function prompt(position: Position): string {
  const { phase, tiling_line, boards, current } = position as unknown as AzulPosition;
  if (phase !== "placing") return "take one colour from a factory or the centre";
  const colour = tiling_line === null ? null : boards[current]?.lines[tiling_line]?.colour;
  return colour ? `choose a column for the ${colour} tile in row ${tiling_line! + 1} of your wall` : "tile your wall";
}

/** A move: `3 blue from factory 2 to line 3`. */
export function describe(action: Action, position: Position): string {
  const { factories, centre } = position as unknown as AzulPosition;
  const move = action as unknown as AzulAction;
  if (move.type === "column") return `column ${move.column + 1} of the wall`;
  if (move.type !== "take") return "go on";
  const tiles = factories[move.source] ?? centre;
  const source = move.source < factories.length ? `factory ${move.source + 1}` : "the centre";
  const target = move.destination === FLOOR ? "the floor" : `line ${move.destination + 1}`;
  return `${tiles[move.colour] ?? 0} ${move.colour} from ${source} to ${target}`;
}

/** With tiles in the hand. */
export function handWords(count: number, colour: Colour, legal: readonly Legal[]): string {
  const tiles = `${count} ${colour} tile${count === 1 ? "" : "s"}`;
  const lines = legal.filter(({ json }) => json.colour === colour && json.destination !== 5);
  return lines.length ? `put the ${tiles} on a pattern line or the floor` : `put the ${tiles} on the floor`;
}

const MOMENTS: Record<string, number> = { take: 650, tile: 620, drop: 700, floor: 520, bonus: 1500, round: 350 };

export const pace: Pace = (event, byChance) => {
  if (byChance) return event.kind === "deal" ? 38 : 0;
  if (event.kind === "floor" && !event.places) return 0;
  return MOMENTS[event.kind] ?? 0;
};

/** What every seat has, as far as it has been counted. */
export function points(position: Position, later: readonly GameEvent[]): number[] {
  const uncounted = (seat: number) =>
    later.filter((event) => event.seat === seat).reduce((sum, event) => sum + Number(event.points ?? 0), 0);
  return (position as unknown as AzulPosition).boards.map(({ score }, seat) => score - uncounted(seat));
}

/** The bonuses by kind, as they were counted at the end. */
export function results(events: readonly GameEvent[], players: number): ResultColumn[] {
  const bonuses = events.filter((event): event is BonusEvent => event.kind === "bonus");
  if (bonuses.length < players) return [];
  const of = (read: (bonus: BonusEvent) => number | string) =>
    Array.from({ length: players }, (_, seat) => read(bonuses.find((bonus) => bonus.seat === seat)!));
  return [
    { title: "Rows", values: of((bonus) => bonus.rows) },
    { title: "Columns", values: of((bonus) => bonus.columns) },
    { title: "Colours", values: of((bonus) => bonus.colours) },
    { title: "Bonus", values: of((bonus) => `+${bonus.points}`) },
  ];
}

/** Azul in words: what is expected, how long things are shown, and what the result consists of. */
import type { Action, GameEvent, Legal, Position } from "../../api/types";
import type { ResultColumn } from "../contract";
import type { Pace } from "../../table/frames";
import { FLOOR, type AzulAction, type AzulPosition, type BonusEvent, type Colour } from "./position";
import { plural, t } from "../../words/index.svelte";

export function prompt(position: Position): string {
  const { phase, tiling_line, boards, current } = position as unknown as AzulPosition;
  if (phase !== "placing") return t("take one colour from a factory or the centre");
  const colour = tiling_line === null ? null : boards[current]?.lines[tiling_line]?.colour;
  if (!colour) return t("tile your wall");
  return t("choose a column for the {colour} tile in row {row} of your wall", { colour, row: tiling_line! + 1 });
}

/** A move: `3 blue from factory 2 to line 3`. */
export function describe(action: Action, position: Position): string {
  const { factories, centre } = position as unknown as AzulPosition;
  const move = action as unknown as AzulAction;
  if (move.type === "column") return t("column {n} of the wall", { n: move.column + 1 });
  if (move.type !== "take") return t("go on");
  const tiles = factories[move.source] ?? centre;
  const source = move.source < factories.length ? t("factory {n}", { n: move.source + 1 }) : t("the centre");
  const target = move.destination === FLOOR ? t("the floor") : t("line {n}", { n: move.destination + 1 });
  return t("{n} {colour} from {source} to {target}", { n: tiles[move.colour] ?? 0, colour: move.colour, source, target });
}

/** With tiles in the hand. */
export function handWords(count: number, colour: Colour, legal: readonly Legal[]): string {
  const lines = legal.filter(({ json }) => json.colour === colour && json.destination !== 5);
  return lines.length
    ? plural(
        count,
        "put the {colour} tile on a pattern line or the floor",
        "put the {n} {colour} tiles on a pattern line or the floor",
        { colour },
      )
    : plural(count, "put the {colour} tile on the floor", "put the {n} {colour} tiles on the floor", { colour });
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

/** The points of tiling, and the bonuses by kind, as they were counted at the end (AZ-89). */
export function results(events: readonly GameEvent[], players: number, scores: readonly number[] | null): ResultColumn[] {
  const bonuses = events.filter((event): event is BonusEvent => event.kind === "bonus");
  if (bonuses.length < players) return [];
  const of = (read: (bonus: BonusEvent) => number | string) =>
    Array.from({ length: players }, (_, seat) => read(bonuses.find((bonus) => bonus.seat === seat)!));
  const tiling = scores && { title: t("Tiling"), values: of((bonus) => scores[bonus.seat as number]! - bonus.points) };
  return [
    ...(tiling ? [tiling] : []),
    { title: t("Rows"), values: of((bonus) => bonus.rows) },
    { title: t("Columns"), values: of((bonus) => bonus.columns) },
    { title: t("Colours"), values: of((bonus) => bonus.colours) },
    { title: t("Bonus"), values: of((bonus) => `+${bonus.points}`) },
  ];
}

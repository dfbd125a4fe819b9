/** Azul's position, actions and events, as `ludens/games/azul/text.py` writes them (counted from 0). */
import type { GameEvent } from "../../api/types";
import { mark, t } from "../../words/index.svelte";

export const COLOURS = [mark("blue"), mark("yellow"), mark("red"), mark("black"), mark("white")] as const;
export type Colour = (typeof COLOURS)[number];
export type Piece = Colour | "marker";

/** How many tiles of each colour lie somewhere; colours that are absent are left out. */
export type Tiles = Partial<Record<Colour, number>>;

export interface PlayerPosition {
  score: number;
  has_marker: boolean;
  lines: { colour: Colour | null; count: number }[];
  wall: (Colour | null)[][];
  floor: Piece[];
  penalty: number;
}

export interface AzulPosition {
  phase: "start" | "dealing" | "taking" | "placing" | "over";
  round: number;
  grey: boolean;
  current: number;
  first: number;
  marker_in_centre: boolean;
  tiling_line: number | null;
  factories: Tiles[];
  centre: Tiles;
  bag: Tiles;
  lid: Tiles;
  boards: PlayerPosition[];
}

export interface Take {
  type: "take";
  source: number; // a factory, or the number of factories for the centre
  colour: Colour;
  destination: number; // a pattern line, or FLOOR
}

export interface Column {
  type: "column";
  column: number;
}

export type AzulAction = Take | Column | { type: "step" };

/** The destination that means the floor. */
export const FLOOR = 5;

export type TakeEvent = GameEvent & {
  kind: "take";
  seat: number;
  source: number;
  centre: boolean;
  colour: Colour;
  count: number;
  line: number | null;
  overflow: number;
  marker: boolean;
};
export type TileEvent = GameEvent & {
  kind: "tile";
  seat: number;
  row: number;
  column: number;
  colour: Colour;
  points: number;
};
export type FloorEvent = GameEvent & { kind: "floor"; seat: number; places: number; points: number };
export type BonusEvent = GameEvent & {
  kind: "bonus";
  seat: number;
  rows: number;
  columns: number;
  colours: number;
  points: number;
};
export type AzulEvent = TakeEvent | TileEvent | FloorEvent | BonusEvent;

/** Tiles as a list, equal colours together. */
export function listed(tiles: Tiles): Colour[] {
  return COLOURS.flatMap((colour) => Array<Colour>(tiles[colour] ?? 0).fill(colour));
}

/** `2 blue, 1 red`, for screen readers. */
export function counted(tiles: Tiles): string {
  const parts = COLOURS.filter((colour) => tiles[colour]).map((colour) => `${tiles[colour]} ${t(colour)}`);
  return parts.join(", ") || t("empty");
}

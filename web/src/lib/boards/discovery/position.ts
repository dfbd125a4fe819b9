/** The Discovery's position, actions and events, as `ludens/games/discovery` writes them (counted from 0). */
import type { GameEvent } from "../../api/types";

export type Terrain = "mountains" | "grassland" | "sea";

/** One kind of tile as it is printed; segments are its areas, numbered like `regions`. */
export interface Scheme {
  name: string;
  copies: number;
  start: boolean;
  period: number; // quarter turns that look different
  sides: number[]; // the segment on N, E, S, W
  regions: { terrain: Terrain; sides: string[] }[];
  borders: [number, number][]; // segments that touch
  cities: [number, number][]; // the segments that each city lies between
}

/** The document that never changes: everything printed on the tiles. */
export interface TileSet {
  terrains: Terrain[];
  sides: string[];
  tiles: Scheme[];
}

export interface PlacedTile {
  name: string;
  x: number; // eastwards from the start tile
  y: number; // northwards
  turns: number; // quarter turns clockwise
  regions: number[]; // the region of every segment
}

export interface Region {
  id: number;
  terrain: Terrain;
  pieces: [tile: number, segment: number][];
  size: number;
  open_ends: number;
  closed: boolean;
  cities: number;
  cities_beside: number; // on grasslands beside a mountain region
  followers: number[]; // seats
  points: number; // for a follower taken back now
  final_points: number; // for a follower left there to the end
}

export interface Follower {
  seat: number;
  follower: number; // its number among the seat's followers
  tile: number;
  x: number;
  y: number;
  segment: number;
  region: number;
  points: number;
  final_points: number;
}

export interface DiscoveryPosition {
  phase: "drawing" | "tile" | "follower" | "over";
  current: number;
  hand: string | null;
  deck_left: number;
  deck: Record<string, number>;
  aside: Record<string, number>;
  tiles: PlacedTile[];
  regions: Region[];
  followers: Follower[];
  players: { score: number; free_followers: number }[];
}

export interface Cell {
  x: number;
  y: number;
}

export type TileAction = Cell & { type: "tile"; turns: number };
export type DiscoveryAction =
  | TileAction
  | { type: "follower"; segment: number }
  | { type: "remove"; follower: number }
  | { type: "pass" };

/** Something that happens on a segment of a placed tile. */
export type StandingEvent = GameEvent &
  Cell & { kind: "follower" | "remove" | "final"; seat: number; segment: number; terrain: Terrain; points: number };
export type TileEvent = GameEvent & Cell & { kind: "tile"; seat: number; tile: string; turns: number };

export const isStanding = (event: GameEvent): event is StandingEvent =>
  event.kind === "follower" || event.kind === "remove" || event.kind === "final";
export const isTile = (event: GameEvent): event is TileEvent => event.kind === "tile";

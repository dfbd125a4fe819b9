/** Catan's position, actions and events, as `ludens/games/catan` writes them (counted from 0). */
import type { GameEvent, Legal } from "../../api/types";
import { inList, mark, t } from "../../words/index.svelte";

export const RESOURCES = [mark("brick"), mark("lumber"), mark("wool"), mark("grain"), mark("ore")] as const;
export type Resource = (typeof RESOURCES)[number];
export type Terrain = "hills" | "forest" | "pasture" | "fields" | "mountains" | "desert";
export type HarbourKind = Resource | "any";
export const CARDS = ["knight", "victory point", "road building", "year of plenty", "monopoly"] as const;
export type CardKind = (typeof CARDS)[number];
export type Purchase = "road" | "settlement" | "city" | "development card";

/** How many cards of each kind; kinds that are absent are left out. */
export type Cards = Partial<Record<Resource, number>>;

/** The island's shape, the same in every game (`static_to_json`). */
export interface Fixed {
  hexes: { q: number; r: number; x: number; y: number; vertices: number[]; edges: number[] }[];
  vertices: { x: number; y: number }[];
  edges: [number, number][];
  harbours: { edge: number; vertices: [number, number]; hex: number; side: string }[];
  costs: Record<Purchase, Cards>;
}

export interface Terms {
  give: Cards;
  want: Cards;
}

export interface Limits {
  give: Record<Resource, number>;
  want: Record<Resource, number>;
  most_given: number;
  most_wanted: number;
}

export type Answer = "not asked" | "asked" | "declined" | "accepted" | "countered";

export interface Trade {
  offers_left: number | null; // null: as many as one likes
  open: boolean;
  limits?: Limits | null;
  offer?: Terms;
  responder?: number | null;
  answers?: Answer[];
  counters?: (Terms | null)[];
}

export interface Player {
  visible_points: number;
  points: number | null;
  cards: number;
  known_cards: Record<Resource, number>;
  unknown_cards: number;
  development_cards: number;
  own_development_cards: Record<CardKind, number> | null;
  fresh_development_cards: Record<CardKind, number> | null;
  knights: number;
  road_length: number;
  roads_left: number;
  settlements_left: number;
  cities_left: number;
  prices: Record<Resource, number>;
  to_discard: number;
}

export interface Building {
  vertex: number;
  seat: number;
  type: "settlement" | "city";
}

export interface Hex {
  terrain: Terrain | null;
  number: number | null;
  robber: boolean;
}

export interface CatanPosition {
  phase: string;
  turn: number;
  turn_limit: number;
  goal: number;
  current: number;
  actor: number | null;
  dice: [number, number] | null;
  robber: number;
  hexes: Hex[];
  harbours: (HarbourKind | null)[];
  buildings: Building[];
  roads: { edge: number; seat: number }[];
  site: number | null;
  bank: Record<Resource, number> | null;
  deck: number;
  played: Record<CardKind, number>;
  longest_road: number | null;
  largest_army: number | null;
  players: Player[];
  trade: Trade;
  free_roads: number;
  to_take: number;
  robber_moves: (number[] | null)[];
  reasons: Record<Purchase | CardKind | "bank" | "offer" | "end", Cited | null>;
  winner: number | null;
}

/** Why something is not possible now: a sentence, and the numbers of the rules behind it. */
export interface Cited {
  sentence: string;
  rules: readonly string[];
}

export type Exchange = { type: "exchange"; give: Resource; want: Resource };
export type CatanAction =
  | Exchange
  | { type: "road"; edge: number }
  | { type: "settlement" | "city"; vertex: number }
  | { type: "robber"; hex: number }
  | { type: "rob"; victim: number }
  | { type: "trade"; partner: number }
  | { type: "discard" | "monopoly" | "take" | "give" | "want"; resource: Resource }
  | { type: "buy" | "knight" | "road building" | "year of plenty" | "propose" | "cancel" }
  | { type: "accept" | "decline" | "counter" | "roll" | "end" };

export type CatanEvent = GameEvent & {
  cards?: Cards;
  sources?: Partial<Record<Resource, number[]>>; // the hexes that gave the cards
  dice?: [number, number];
  hexes?: number[];
  resource?: Resource;
  victim?: number;
  from?: number;
  count?: number;
  partner?: number;
  gave?: Cards;
  got?: Cards;
  edge?: number;
  vertex?: number;
  hex?: number;
  points?: number[];
  victory_cards?: number[];
  holder?: number | null;
};

/** The legal actions as this board writes them. */
export function actionsOf(legal: readonly Legal[]): CatanAction[] {
  return legal.map(({ json }) => json as unknown as CatanAction);
}

/** Cards as a list, equal kinds together. */
export function listed(cards: Cards): Resource[] {
  return RESOURCES.flatMap((resource) => Array<Resource>(cards[resource] ?? 0).fill(resource));
}

export function total(cards: Cards): number {
  return RESOURCES.reduce((sum, resource) => sum + (cards[resource] ?? 0), 0);
}

/** `2 wool and 1 ore`. */
export function counted(cards: Cards): string {
  const parts = RESOURCES.filter((resource) => cards[resource]).map((resource) => `${cards[resource]} ${t(resource)}`);
  return inList(parts) || t("nothing");
}

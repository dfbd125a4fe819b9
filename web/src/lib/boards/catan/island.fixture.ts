/** A small island for tests: two hexes side by side, a harbour on the left one. */
import type { CatanPosition, Fixed, Player } from "./position";

export const SMALL: Fixed = {
  hexes: [
    { q: 0, r: 0, x: 0, y: 0, vertices: [0, 2, 4, 6, 5, 3], edges: [0, 2, 4, 5, 3, 1] },
    { q: 1, r: 0, x: 2, y: 0, vertices: [1, 7, 8, 9, 4, 2], edges: [6, 7, 8, 9, 2, 10] },
  ],
  vertices: [
    { x: 0, y: -2 },
    { x: 2, y: -2 },
    { x: 1, y: -1 },
    { x: -1, y: -1 },
    { x: 1, y: 1 },
    { x: -1, y: 1 },
    { x: 0, y: 2 },
    { x: 3, y: -1 },
    { x: 3, y: 1 },
    { x: 2, y: 2 },
  ],
  edges: [
    [0, 2],
    [0, 3],
    [2, 4],
    [3, 5],
    [4, 6],
    [5, 6],
    [1, 7],
    [7, 8],
    [8, 9],
    [4, 9],
    [1, 2],
  ],
  harbours: [{ edge: 3, vertices: [3, 5], hex: 0, side: "W" }],
  costs: { road: { brick: 1, lumber: 1 }, settlement: {}, city: { grain: 2, ore: 3 }, "development card": {} },
};

export function player(changes: Partial<Player> = {}): Player {
  return {
    visible_points: 2,
    points: null,
    cards: 0,
    known_cards: { brick: 0, lumber: 0, wool: 0, grain: 0, ore: 0 },
    unknown_cards: 0,
    development_cards: 0,
    own_development_cards: null,
    fresh_development_cards: null,
    knights: 0,
    road_length: 1,
    roads_left: 13,
    settlements_left: 3,
    cities_left: 4,
    prices: { brick: 4, lumber: 4, wool: 4, grain: 4, ore: 4 },
    to_discard: 0,
    ...changes,
  };
}

export function position(changes: Partial<CatanPosition> = {}): CatanPosition {
  const free = { road: null, settlement: null, city: null, "development card": null, bank: null, offer: null, end: null };
  const cards = { knight: null, "victory point": null, "road building": null, "year of plenty": null, monopoly: null };
  return {
    phase: "main",
    turn: 5,
    turn_limit: 0,
    goal: 10,
    current: 0,
    actor: 0,
    dice: [2, 3],
    robber: 1,
    hexes: [
      { terrain: "forest", number: 5, robber: false },
      { terrain: "forest", number: 5, robber: true },
    ],
    harbours: ["any"],
    buildings: [{ vertex: 4, seat: 0, type: "city" }],
    roads: [],
    site: null,
    bank: { brick: 19, lumber: 17, wool: 19, grain: 1, ore: 0 },
    deck: 25,
    played: { knight: 0, "victory point": 0, "road building": 0, "year of plenty": 0, monopoly: 0 },
    longest_road: null,
    largest_army: null,
    players: [player(), player()],
    trade: { offers_left: 3, open: false },
    free_roads: 0,
    to_take: 0,
    robber_moves: [[1], null],
    reasons: { ...free, ...cards },
    winner: null,
    ...changes,
  };
}

/** Catan in words: what is expected, how long things are shown, and what the result consists of. */
import type { Action, GameEvent, Legal, Position } from "../../api/types";
import type { Pace } from "../../table/frames";
import type { ResultColumn } from "../contract";
import { t } from "../../words/index.svelte";
import {
  RESOURCES,
  counted,
  type CardKind,
  type Cards,
  type CatanAction,
  type CatanEvent,
  type CatanPosition,
  type Fixed,
  type Player,
  type Purchase,
} from "./position";

const EXPECTED: Record<string, string> = {
  "first settlements": "place a settlement on a corner",
  "first roads": "place a road at your new settlement",
  main: "build, trade or end your turn",
  robber: "move the robber to another hex",
  victim: "choose whom to rob",
  plenty: "take cards from the bank",
  offer: "put your offer together",
  answer: "answer the offer",
  "counter-offer": "put your counter-offer together",
  partner: "choose whom to trade with, or withdraw",
};

export function prompt(position: Position, legal: readonly Legal[] = []): string {
  const { phase, actor, players, free_roads } = position as unknown as CatanPosition;
  if (phase === "discard") return `discard ${players[actor!]?.to_discard ?? 0} cards`;
  if (phase === "free roads") return `place a free road, ${free_roads} left`;
  if (phase === "before the roll") return legal.length > 1 ? "roll the dice, or play a card first" : "roll the dice";
  return EXPECTED[phase] ?? "choose your move";
}

/** Between which landscapes something lies: `forest 8, hills 5`. */
export function around(vertices: readonly number[], { hexes }: CatanPosition, fixed: Fixed): string {
  const near = hexes.filter((_, hex) => vertices.every((vertex) => fixed.hexes[hex]!.vertices.includes(vertex)));
  return near.map(({ terrain, number }) => `${terrain ?? "?"}${number ? ` ${number}` : ""}`).join(", ");
}

const DEEDS = {
  buy: "buy a development card",
  knight: "a knight",
  "road building": "road building",
  "year of plenty": "a year of plenty",
  propose: "make this offer",
  cancel: "withdraw the offer",
  accept: "accept the offer",
  decline: "decline the offer",
  counter: "make a counter-offer",
  roll: "roll the dice",
  end: "end the turn",
};

/** A move in words, for lists. */
export function describe(action: Action, position: Position, fixed: unknown, names: readonly string[]): string {
  const [move, now, island] = [action as unknown as CatanAction, position as unknown as CatanPosition, fixed as Fixed];
  switch (move.type) {
    case "road":
      return `road: ${around(island.edges[move.edge]!, now, island)}`;
    case "settlement":
    case "city":
      return `${move.type}: ${around([move.vertex], now, island)}`;
    case "robber":
      return `robber to ${around(island.hexes[move.hex]!.vertices, now, island)}`;
    case "rob":
      return `rob ${names[move.victim]}`;
    case "trade":
      return `trade with ${names[move.partner]}`;
    case "exchange":
      return `${now.players[now.current]!.prices[move.give]} ${move.give} for 1 ${move.want} from the bank`;
    case "give":
      return `offer to give ${move.resource}`;
    case "want":
      return `ask for ${move.resource}`;
    case "monopoly":
      return `monopoly on ${move.resource}`;
    case "discard":
    case "take":
      return `${move.type} ${move.resource}`;
    default:
      return DEEDS[move.type];
  }
}

/** A move of several decisions: `offer 1 wool for 1 ore`, `settlement: …; road: …`. */
export function describeWhole(actions: readonly Action[], position: Position, fixed: unknown, names: readonly string[]): string {
  const moves = actions as unknown as CatanAction[];
  const cards = (type: "give" | "want" | "discard" | "take") =>
    counted(
      moves.reduce<Cards>((sum, move) => (move.type === type ? { ...sum, [move.resource]: (sum[move.resource] ?? 0) + 1 } : sum), {}),
    );
  const last = moves.at(-1)!.type;
  if (last === "propose") {
    const terms = { give: cards("give"), want: cards("want") };
    return moves[0]!.type === "counter" ? t("counter: {give} for {want}", terms) : t("offer {give} for {want}", terms);
  }
  if (moves.every(({ type }) => type === "discard")) return t("discard {cards}", { cards: cards("discard") });
  if (last === "take") return t("take {cards} from the bank", { cards: cards("take") });
  return actions.map((action) => describe(action, position, fixed, names)).join("; ");
}

export const PURCHASES: { what: Purchase; title: string }[] = [
  { what: "road", title: "Road" },
  { what: "settlement", title: "Settlement" },
  { what: "city", title: "City" },
  { what: "development card", title: "Card" },
];

export const CARD_WORDS: Record<CardKind, { title: string; text: string }> = {
  knight: { title: "Knight", text: "Move the robber and steal a card." },
  "victory point": { title: "Victory point", text: "One point, kept secret until you win." },
  "road building": { title: "Road building", text: "Place two roads for nothing." },
  "year of plenty": { title: "Year of plenty", text: "Take two cards from the bank." },
  monopoly: { title: "Monopoly", text: "Name a resource: everybody gives you all of it." },
};

/** `1 card`, `3 cards`. */
export function many(count: number, thing: string): string {
  const plural = thing.endsWith("y") ? `${thing.slice(0, -1)}ies` : `${thing}s`;
  return `${count} ${count === 1 ? thing : plural}`;
}

/** What everybody may know of a hand: `2 wool, 1 ore, 1 unknown`. */
export function knownHand({ known_cards, unknown_cards }: Player): string {
  const sure = RESOURCES.filter((resource) => known_cards[resource]).map((resource) => `${known_cards[resource]} ${resource}`);
  return [...sure, ...(unknown_cards ? [`${unknown_cards} unknown`] : [])].join(", ") || "no cards";
}

/** Harbours: the kinds for which the bank asks less. */
export function tradePrices({ prices }: Player): string {
  const usual = Math.max(...Object.values(prices));
  const cheaper = RESOURCES.filter((resource) => prices[resource] < usual).map((resource) => `${resource} ${prices[resource]}:1`);
  return [`${usual}:1`, ...cheaper].join(", ");
}

const MOMENTS: Record<string, number> = {
  settlement: 600,
  road: 450,
  city: 700,
  roll: 900,
  production: 520,
  shortage: 700,
  seven: 700,
  discard: 260,
  robber: 800,
  theft: 1000,
  buy: 450,
  play: 850,
  monopoly: 520,
  take: 450,
  exchange: 700,
  offer: 600,
  counter: 700,
  answer: 240,
  trade: 1000,
  "longest road": 1000,
  "largest army": 1000,
  over: 900,
  terrain: 55,
  token: 40,
  harbour: 60,
};

export const pace: Pace = (event) => MOMENTS[event.kind] ?? 0;

/** Victory point cards that were secret until the end. */
export function results(events: readonly GameEvent[], players: number): ResultColumn[] {
  const over = events.find((event): event is CatanEvent => event.kind === "over") as CatanEvent | undefined;
  if (!over?.victory_cards) return [];
  return [{ title: "Secret points", values: over.victory_cards.slice(0, players) }];
}

/** What every seat has, as far as this audience may know it. */
export const points = (position: Position): number[] =>
  (position as unknown as CatanPosition).players.map((player) => player.points ?? player.visible_points);

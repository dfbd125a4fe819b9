/** Catan in words: what is expected, how long things are shown, and what the result consists of. */
import type { Action, GameEvent, Legal, Position } from "../../api/types";
import type { Pace } from "../../table/frames";
import type { ResultColumn } from "../contract";
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
  type Terrain,
} from "./position";
import { forms, mark, plural, t } from "../../words/index.svelte";

const EXPECTED: Record<string, string> = {
  "first settlements": mark("place a settlement on a corner"),
  "first roads": mark("place a road at your new settlement"),
  main: mark("build, trade or end your turn"),
  robber: mark("move the robber to another hex"),
  victim: mark("choose whom to rob"),
  plenty: mark("take cards from the bank"),
  offer: mark("put your offer together"),
  answer: mark("answer the offer"),
  "counter-offer": mark("put your counter-offer together"),
  partner: mark("choose whom to trade with, or withdraw"),
};

export function prompt(position: Position, legal: readonly Legal[] = []): string {
  const { phase, actor, players, free_roads } = position as unknown as CatanPosition;
  if (phase === "discard") return plural(players[actor!]?.to_discard ?? 0, "discard {n} card", "discard {n} cards");
  if (phase === "free roads") return t("place a free road, {n} left", { n: free_roads });
  if (phase === "before the roll") return t(legal.length > 1 ? "roll the dice, or play a card first" : "roll the dice");
  return t(EXPECTED[phase] ?? "choose your move");
}

const TERRAINS: Record<Terrain, string> = {
  hills: mark("hills"),
  forest: mark("forest"),
  pasture: mark("pasture"),
  fields: mark("fields"),
  mountains: mark("mountains"),
  desert: mark("desert"),
};

/** What a landscape is called; nothing is known of it before it is dealt. */
export const landWords = (terrain: Terrain | null): string => t(terrain ? TERRAINS[terrain] : "not dealt yet");

/** Between which landscapes something lies: `forest 8, hills 5`. */
export function around(vertices: readonly number[], { hexes }: CatanPosition, fixed: Fixed): string {
  const near = hexes.filter((_, hex) => vertices.every((vertex) => fixed.hexes[hex]!.vertices.includes(vertex)));
  return near.map(({ terrain, number }) => `${terrain ? landWords(terrain) : "?"}${number ? ` ${number}` : ""}`).join(", ");
}

const DEEDS = {
  buy: mark("buy a development card"),
  knight: mark("a knight"),
  "road building": mark("road building"),
  "year of plenty": mark("a year of plenty"),
  propose: mark("make this offer"),
  cancel: mark("withdraw the offer"),
  accept: mark("accept the offer"),
  decline: mark("decline the offer"),
  counter: mark("make a counter-offer"),
  roll: mark("roll the dice"),
  end: mark("end the turn"),
};

/** A move in words, for lists. */
export function describe(action: Action, position: Position, fixed: unknown, names: readonly string[]): string {
  const [move, now, island] = [action as unknown as CatanAction, position as unknown as CatanPosition, fixed as Fixed];
  switch (move.type) {
    case "road":
      return t("road: {near}", { near: around(island.edges[move.edge]!, now, island) });
    case "settlement":
      return t("settlement: {near}", { near: around([move.vertex], now, island) });
    case "city":
      return t("city: {near}", { near: around([move.vertex], now, island) });
    case "robber":
      return t("robber to {near}", { near: around(island.hexes[move.hex]!.vertices, now, island) });
    case "rob":
      return t("rob {name}", { name: names[move.victim]! });
    case "trade":
      return t("trade with {name}", { name: names[move.partner]! });
    case "exchange":
      return t("{n} {give} for 1 {want} from the bank", {
        n: now.players[now.current]!.prices[move.give],
        give: move.give,
        want: move.want,
      });
    case "give":
      return t("offer to give {resource}", { resource: move.resource });
    case "want":
      return t("ask for {resource}", { resource: move.resource });
    case "monopoly":
      return t("monopoly on {resource}", { resource: move.resource });
    case "discard":
      return t("discard {resource}", { resource: move.resource });
    case "take":
      return t("take {resource}", { resource: move.resource });
    default:
      return t(DEEDS[move.type]);
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
  { what: "road", title: mark("Road") },
  { what: "settlement", title: mark("Settlement") },
  { what: "city", title: mark("City") },
  { what: "development card", title: mark("Card") },
];

export const CARD_WORDS: Record<CardKind, { title: string; text: string }> = {
  knight: { title: mark("Knight"), text: mark("Move the robber and steal a card.") },
  "victory point": { title: mark("Victory point"), text: mark("One point, kept secret until you win.") },
  "road building": { title: mark("Road building"), text: mark("Place two roads for nothing.") },
  "year of plenty": { title: mark("Year of plenty"), text: mark("Take two cards from the bank.") },
  monopoly: { title: mark("Monopoly"), text: mark("Name a resource: everybody gives you all of it.") },
};

const THINGS = {
  card: forms("{n} card", "{n} cards"),
  road: forms("{n} road", "{n} roads"),
  settlement: forms("{n} settlement", "{n} settlements"),
  city: forms("{n} city", "{n} cities"),
  knight: forms("{n} knight", "{n} knights"),
};

/** `1 card`, `3 cards`. */
export const many = (count: number, thing: keyof typeof THINGS): string => plural(count, ...THINGS[thing]);

/** What everybody may know of a hand: `2 wool, 1 ore, 1 unknown`. */
export function knownHand({ known_cards, unknown_cards }: Player): string {
  const sure = RESOURCES.filter((resource) => known_cards[resource]).map((resource) => `${known_cards[resource]} ${t(resource)}`);
  return [...sure, ...(unknown_cards ? [plural(unknown_cards, "{n} unknown", "{n} unknown")] : [])].join(", ") || t("no cards");
}

/** Harbours: the kinds for which the bank asks less. */
export function tradePrices({ prices }: Player): string {
  const usual = Math.max(...Object.values(prices));
  const cheaper = RESOURCES.filter((resource) => prices[resource] < usual).map((resource) => `${t(resource)} ${prices[resource]}:1`);
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
  return [{ title: t("Secret points"), values: over.victory_cards.slice(0, players) }];
}

/** What every seat has, as far as this audience may know it. */
export const points = (position: Position): number[] =>
  (position as unknown as CatanPosition).players.map((player) => player.points ?? player.visible_points);

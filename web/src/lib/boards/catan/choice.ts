/** A choice in progress, before it is complete: what it is, what it needs, and the actions that it becomes. */
import type { Legal } from "../../api/types";
import {
  actionsOf,
  listed,
  type Building,
  type CatanAction,
  type CatanPosition,
  type Fixed,
  type Resource,
  type Terms,
} from "./position";
import { mark, plural, t } from "../../words/index.svelte";

export type PlaceChoice = { kind: "place"; what: "road" | "settlement" | "city"; at: number | null }; // `at`: touched once
export type RobberChoice = { kind: "robber"; knight: boolean; hex: number | null; moved: boolean }; // then whom to rob
export type CardsChoice = { kind: "plenty" | "discard"; cards: Resource[] };
export type BankChoice = { kind: "bank"; give: Resource | null };
export type OfferChoice = { kind: "offer"; terms: Terms };
export type CounterChoice = { kind: "counter"; terms: Terms };
export type Choice =
  | PlaceChoice
  | RobberChoice
  | CardsChoice
  | BankChoice
  | OfferChoice
  | CounterChoice
  | { kind: "road building" }
  | { kind: "monopoly" };

export const NO_TERMS: Terms = { give: {}, want: {} };

/** What the phase asks for without any choice of ours. */
export function demanded(position: CatanPosition, legal: readonly Legal[], seat: number | null): Choice | null {
  if (!legal.length) return null;
  const { phase, trade } = position;
  if (phase === "first settlements") return { kind: "place", what: "settlement", at: null };
  if (phase === "first roads" || phase === "free roads") return { kind: "place", what: "road", at: null };
  if (phase === "robber") return { kind: "robber", knight: false, hex: null, moved: false };
  if (phase === "victim") return { kind: "robber", knight: false, hex: position.robber, moved: true };
  if (phase === "discard") return { kind: "discard", cards: [] };
  if (phase === "plenty") return { kind: "plenty", cards: [] };
  if (phase === "offer") return { kind: "offer", terms: trade.offer ?? NO_TERMS };
  if (phase === "counter-offer") return { kind: "counter", terms: trade.counters?.[seat ?? 0] ?? NO_TERMS };
  return null;
}

/** How many cards a choice of cards takes. */
export function needed(choice: Choice, position: CatanPosition, seat: number): number {
  if (choice.kind === "discard") return position.players[seat]!.to_discard;
  if (choice.kind !== "plenty") return 0;
  return position.to_take;
}

/** The actions that a complete choice becomes, in order; what the game holds already is not said again. */
export function sequence(choice: Choice, position: CatanPosition, seat: number): CatanAction[] {
  switch (choice.kind) {
    case "discard":
      return choice.cards.map((resource) => ({ type: "discard", resource }));
    case "plenty": {
      const takes = choice.cards.map((resource): CatanAction => ({ type: "take", resource }));
      return position.phase === "plenty" ? takes : [{ type: "year of plenty" }, ...takes];
    }
    case "offer": {
      const said = position.phase === "offer" ? position.trade.offer : undefined;
      return [...additions(choice.terms, said), { type: "propose" }];
    }
    case "counter": {
      const open = position.phase === "counter-offer";
      const said = open ? position.trade.counters?.[seat] : undefined;
      const opening: CatanAction[] = open ? [] : [{ type: "counter" }];
      return [...opening, ...additions(choice.terms, said ?? undefined), { type: "propose" }];
    }
    default:
      return [];
  }
}

function additions(terms: Terms, said: Terms = NO_TERMS): CatanAction[] {
  const missing = (side: "give" | "want") =>
    listed(terms[side])
      .filter((resource, index, all) => index - all.indexOf(resource) >= (said[side][resource] ?? 0))
      .map((resource): CatanAction => ({ type: side, resource }));
  return [...missing("give"), ...missing("want")];
}

/** The robber's way: the card, the hex, and the victim where there is a choice. */
export function robberSequence(knight: boolean, hex: number, victim: number | null): CatanAction[] {
  const way: CatanAction[] = [...(knight ? [{ type: "knight" as const }] : []), { type: "robber", hex }];
  return victim === null ? way : [...way, { type: "rob", victim }];
}

/** Terms with one card more (or less) on a side. */
export function withCard(terms: Terms, side: "give" | "want", resource: Resource, step: 1 | -1): Terms {
  const count = Math.max(0, (terms[side][resource] ?? 0) + step);
  const cards = { ...terms[side] };
  if (count) cards[resource] = count;
  else delete cards[resource];
  return { ...terms, [side]: cards };
}

/** Where something may be put for a choice, read from the legal actions. */
export interface Targets {
  edges: ReadonlySet<number>;
  vertices: ReadonlySet<number>;
  hexes: ReadonlySet<number>;
}

export function targetsOf(choice: Choice | null, legal: readonly Legal[], position: CatanPosition): Targets {
  const [edges, vertices, hexes] = [new Set<number>(), new Set<number>(), new Set<number>()];
  for (const action of actionsOf(legal)) {
    if (choice?.kind !== "place" || action.type !== choice.what) continue;
    if (action.type === "road") edges.add(action.edge);
    else if ("vertex" in action) vertices.add(action.vertex);
  }
  if (choice?.kind === "robber" && !choice.moved) {
    position.robber_moves.forEach((seats, hex) => seats && hexes.add(hex));
  }
  return { edges, vertices, hexes };
}

/** Is there nobody to choose between when the robber goes to a hex: one owner to rob, or none? */
export const ownerIsClear = (position: CatanPosition, hex: number): boolean => {
  const owners = position.robber_moves[hex];
  return !!owners && owners.length < 2;
};

/** The buildings at a hex that belong to those who can be robbed: to point at them is to choose. */
export function victimsAt(hex: number, robbable: ReadonlySet<number>, position: CatanPosition, fixed: Fixed): Building[] {
  const around = new Set(fixed.hexes[hex]!.vertices);
  return position.buildings.filter(({ vertex, seat }) => around.has(vertex) && robbable.has(seat));
}

export function isLegal(legal: readonly Legal[], action: CatanAction): boolean {
  const entries = Object.entries(action);
  return legal.some(({ json }) => entries.every(([key, value]) => json[key] === value));
}

const AGAIN = {
  road: mark("tap the road again to build it there"),
  settlement: mark("tap the settlement again to build it there"),
  city: mark("tap the city again to build it there"),
};
const WHERE = {
  road: mark("choose an edge for your road"),
  settlement: mark("choose a corner for your settlement"),
  city: mark("choose a settlement of yours for your city"),
};

/** A choice in progress in words, after "Your turn:". */
export function inWords(choice: Choice, position: CatanPosition, seat: number): string {
  switch (choice.kind) {
    case "place": {
      const free = position.phase === "free roads" || position.phase.startsWith("first");
      if (choice.at !== null) return t(AGAIN[choice.what]);
      return t(free && choice.what === "road" ? "choose an edge for your free road" : WHERE[choice.what]);
    }
    case "robber":
      if (choice.hex === null) return t("choose a hex for the robber");
      return t(!choice.moved && ownerIsClear(position, choice.hex) ? "tap the hex again to send the robber there" : "choose whom to rob");
    case "road building":
      return t("play road building for two free roads");
    case "plenty":
    case "discard": {
      const left = needed(choice, position, seat) - choice.cards.length;
      if (choice.kind === "plenty") {
        return left ? plural(left, "choose {n} card to take", "choose {n} cards to take") : t("take the chosen cards");
      }
      return left ? plural(left, "choose {n} card to discard", "choose {n} cards to discard") : t("discard the chosen cards");
    }
    case "monopoly":
      return t("choose the resource that everybody must give you");
    case "bank":
      return t(choice.give ? "choose what you want from the bank" : "choose what you give the bank");
    case "offer":
      return t("put your offer together");
    case "counter":
      return t("put your counter-offer together");
  }
}

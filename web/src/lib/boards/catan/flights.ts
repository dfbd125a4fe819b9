/** What flies in a frame: cards between hexes, players and the bank, so that one sees who got what. */
import type { GameEvent } from "../../api/types";
import { listed, type Cards, type CatanEvent, type Resource } from "./position";

export interface Flight {
  from: string; // a place on the page: `hex 4`, `player 2`, `bank`, `deck`
  to: string;
  card: Resource | "unknown" | "development";
  delay: number; // milliseconds at normal pace
}

const AFTER = 70; // between cards of one flight

export function flightsOf(events: readonly GameEvent[]): Flight[] {
  return (events as readonly CatanEvent[]).flatMap(flown);
}

function flown(event: CatanEvent): Flight[] {
  const seat = `player ${event.seat}`;
  const pack = (cards: Cards, from: string, to: string, first = 0): Flight[] =>
    listed(cards).map((card, k) => ({ from, to, card, delay: first + k * AFTER }));
  switch (event.kind) {
    case "production":
      return listed(event.cards ?? {}).map((card, k) => {
        const sources = event.sources?.[card] ?? [];
        return { from: sources.length ? `hex ${sources[k % sources.length]}` : "bank", to: seat, card, delay: k * AFTER };
      });
    case "theft":
      return [{ from: `player ${event.victim}`, to: seat, card: event.resource ?? "unknown", delay: 0 }];
    case "discard":
      return pack({ [event.resource!]: 1 }, seat, "bank");
    case "take":
      return pack({ [event.resource!]: 1 }, "bank", seat);
    case "monopoly":
      return pack({ [event.resource!]: event.count ?? 0 }, `player ${event.from}`, seat);
    case "exchange":
      return [...pack(event.gave ?? {}, seat, "bank"), ...pack(event.got ?? {}, "bank", seat, 250)];
    case "trade": {
      const partner = `player ${event.partner}`;
      return [...pack(event.gave ?? {}, seat, partner), ...pack(event.got ?? {}, partner, seat)];
    }
    case "buy":
      return [{ from: "deck", to: seat, card: "development", delay: 0 }];
    default:
      return [];
  }
}

/** How many resource cards each player wins or loses in a frame, by seat. */
export function changesOf(flights: readonly Flight[]): Map<number, number> {
  const changes = new Map<number, number>();
  const count = (place: string, step: number) => {
    const [kind, seat] = place.split(" ");
    if (kind === "player") changes.set(Number(seat), (changes.get(Number(seat)) ?? 0) + step);
  };
  for (const { from, to, card } of flights) {
    if (card === "development") continue;
    count(from, -1);
    count(to, 1);
  }
  return changes;
}

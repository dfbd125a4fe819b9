import { describe, expect, it } from "vitest";
import { changesOf, flightsOf } from "./flights";
import { player, position, SMALL } from "./island.fixture";
import { staged } from "./staged";
import type { CatanEvent } from "./position";
import { describe as tell, knownHand, many, pace, prompt, results, tradePrices } from "./words";

const event = (fields: Partial<CatanEvent> & { kind: string }): CatanEvent => ({ sentence: "", ...fields }) as CatanEvent;
const ways = (fields: Partial<CatanEvent> & { kind: string }) =>
  flightsOf([event(fields)]).map(({ from, to, card }) => `${card}: ${from} > ${to}`);

describe("cards in flight", () => {
  it("come from the hexes that gave them, one after the other", () => {
    const sources = { lumber: [0, 4], ore: [7] };
    expect(ways({ kind: "production", seat: 0, cards: { lumber: 3, ore: 1 }, sources })).toEqual([
      "lumber: hex 0 > player 0",
      "lumber: hex 4 > player 0",
      "lumber: hex 0 > player 0",
      "ore: hex 7 > player 0",
    ]);
  });

  it("show a stolen card only to those who know it", () => {
    expect(ways({ kind: "theft", seat: 0, victim: 1 })).toEqual(["unknown: player 1 > player 0"]);
    expect(ways({ kind: "theft", seat: 0, victim: 1, resource: "ore" })).toEqual(["ore: player 1 > player 0"]);
  });

  it("go both ways in a trade, and to and from the bank", () => {
    expect(ways({ kind: "trade", seat: 0, partner: 1, gave: { wool: 1 }, got: { ore: 1 } })).toEqual([
      "wool: player 0 > player 1",
      "ore: player 1 > player 0",
    ]);
    expect(ways({ kind: "exchange", seat: 1, gave: { wool: 2 }, got: { ore: 1 } })).toHaveLength(3);
    expect(ways({ kind: "discard", seat: 1, resource: "ore" })).toEqual(["ore: player 1 > bank"]);
    expect(ways({ kind: "monopoly", seat: 0, from: 1, resource: "ore", count: 2 })).toHaveLength(2);
    expect(ways({ kind: "buy", seat: 0 })).toEqual(["development: deck > player 0"]);
    expect(ways({ kind: "turn", seat: 0 })).toEqual([]);
  });
});

it("counts what everybody wins and loses", () => {
  const theft = flightsOf([event({ kind: "theft", seat: 0, victim: 1 })]);
  expect([...changesOf(theft)]).toEqual([
    [1, -1],
    [0, 1],
  ]);
  expect(changesOf(flightsOf([event({ kind: "buy", seat: 0 })])).size).toBe(0);
});

describe("the film", () => {
  const rich = { brick: 0, lumber: 3, wool: 0, grain: 0, ore: 0 };
  const players = [player({ cards: 3, known_cards: rich }), player({ cards: 1 })];

  it("does not count cards that come later", () => {
    const now = staged(position({ players }), [event({ kind: "production", seat: 0, cards: { lumber: 2 } })]);
    expect(now.players[0]!.cards).toBe(1);
    expect(now.players[0]!.known_cards.lumber).toBe(1);
    expect(now.bank!.lumber).toBe(19);
  });

  it("leaves monopolised cards with their owner until they fly", () => {
    const later = [event({ kind: "monopoly", seat: 0, from: 1, resource: "lumber", count: 2 })];
    const now = staged(position({ players }), later);
    expect(now.players.map(({ cards }) => cards)).toEqual([1, 3]);
    expect(staged(position({ players }), []).players).toBe(players);
  });

  it("gives every visible event its time", () => {
    expect(pace(event({ kind: "production" }), true)).toBeGreaterThan(300);
    expect(pace(event({ kind: "turn" }), false)).toBe(0);
  });
});

describe("words", () => {
  it("ask for what the phase needs", () => {
    const say = (changes: Parameters<typeof position>[0]) => prompt(position(changes) as unknown as Record<string, unknown>);
    expect(say({ phase: "discard", players: [player({ to_discard: 5 })] })).toBe("discard 5 cards");
    expect(say({ phase: "before the roll" })).toBe("roll the dice");
    expect(say({ phase: "free roads", free_roads: 2 })).toBe("place a free road, 2 left");
  });

  it("tell a move by the landscapes around it", () => {
    const told = (action: object) => tell({ ...action }, position() as unknown as Record<string, unknown>, SMALL, ["Ada", "Bea"]);
    expect(told({ type: "settlement", vertex: 4 })).toBe("settlement: forest 5, forest 5");
    expect(told({ type: "road", edge: 3 })).toBe("road: forest 5");
    expect(told({ type: "robber", hex: 0 })).toBe("robber to forest 5");
    expect(told({ type: "exchange", give: "wool", want: "ore" })).toBe("4 wool for 1 ore from the bank");
    expect(told({ type: "monopoly", resource: "ore" })).toBe("monopoly on ore");
    expect(told({ type: "knight" })).toBe("a knight");
    expect(told({ type: "rob", victim: 1 })).toBe("rob Bea");
  });

  it("count", () => {
    expect([many(1, "city"), many(2, "city"), many(0, "road")]).toEqual(["1 city", "2 cities", "0 roads"]);
    expect(knownHand(player({ unknown_cards: 2 }))).toBe("2 unknown");
    expect(tradePrices(player({ prices: { brick: 4, lumber: 4, wool: 2, grain: 4, ore: 4 } }))).toBe("4:1, wool 2:1");
  });

  it("tell the secret points at the end", () => {
    expect(results([event({ kind: "over", victory_cards: [2, 0] })], 2)[0]!.values).toEqual([2, 0]);
    expect(results([], 2)).toEqual([]);
  });
});

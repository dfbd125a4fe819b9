import { describe, expect, it } from "vitest";
import type { Legal } from "../../api/types";
import { demanded, inWords, isLegal, needed, NO_TERMS, robberSequence, sequence, targetsOf, victimsAt, withCard } from "./choice";
import { player, position, SMALL } from "./island.fixture";
import type { CatanAction } from "./position";

const legalOf = (...actions: CatanAction[]): Legal[] => actions.map((json, id) => ({ id, text: "", json: { ...json } }));

describe("what a phase demands", () => {
  const some = legalOf({ type: "end" });

  it("is nothing when it is not our turn, and nothing in the main phase", () => {
    expect(demanded(position({ phase: "robber" }), [], 0)).toBeNull();
    expect(demanded(position(), some, 0)).toBeNull();
  });

  it("is a place, a hex, a victim or cards", () => {
    const kinds = ["first settlements", "free roads", "robber", "victim", "discard", "plenty"].map(
      (phase) => demanded(position({ phase }), some, 0)?.kind,
    );
    expect(kinds).toEqual(["place", "place", "robber", "robber", "discard", "plenty"]);
    expect(demanded(position({ phase: "victim" }), some, 0)).toMatchObject({ hex: 1, moved: true });
  });

  it("goes on with an offer that is half said", () => {
    const trade = { offers_left: 2, open: true, offer: { give: { wool: 1 }, want: {} } };
    expect(demanded(position({ phase: "offer", trade }), some, 0)).toEqual({ kind: "offer", terms: trade.offer });
  });
});

describe("a complete choice", () => {
  it("of an offer gives, wants and proposes, card by card", () => {
    const terms = { give: { wool: 2 }, want: { ore: 1 } };
    expect(sequence({ kind: "offer", terms }, position(), 0).map((action) => Object.values(action).join(" "))).toEqual([
      "give wool",
      "give wool",
      "want ore",
      "propose",
    ]);
  });

  it("does not say again what lies on the table", () => {
    const trade = { offers_left: 2, open: true, offer: { give: { wool: 1 }, want: {} } };
    const terms = { give: { wool: 2 }, want: { ore: 1 } };
    const said = sequence({ kind: "offer", terms }, position({ phase: "offer", trade }), 0);
    expect(said).toEqual([{ type: "give", resource: "wool" }, { type: "want", resource: "ore" }, { type: "propose" }]);
  });

  it("of a counter-offer opens it first, unless it is open", () => {
    const terms = { give: { ore: 1 }, want: { wool: 1 } };
    expect(sequence({ kind: "counter", terms }, position({ phase: "answer" }), 1)[0]).toEqual({ type: "counter" });
    expect(sequence({ kind: "counter", terms }, position({ phase: "counter-offer" }), 1)[0]).toMatchObject({ type: "give" });
  });

  it("of a year of plenty plays the card and takes", () => {
    const cards = ["ore" as const, "wool" as const];
    expect(sequence({ kind: "plenty", cards }, position(), 0).map(({ type }) => type)).toEqual(["year of plenty", "take", "take"]);
    expect(sequence({ kind: "plenty", cards }, position({ phase: "plenty" }), 0)).toHaveLength(2);
  });

  it("of the robber names the victim only where there is a choice", () => {
    expect(robberSequence(true, 4, 2).map(({ type }) => type)).toEqual(["knight", "robber", "rob"]);
    expect(robberSequence(false, 4, null)).toEqual([{ type: "robber", hex: 4 }]);
  });
});

describe("cards to choose", () => {
  it("are as many as the seven demands", () => {
    const players = [player({ to_discard: 4 }), player()];
    expect(needed({ kind: "discard", cards: [] }, position({ players }), 0)).toBe(4);
  });

  it("are as many as a year of plenty brings", () => {
    expect(needed({ kind: "plenty", cards: [] }, position({ phase: "plenty", to_take: 1 }), 0)).toBe(1);
  });

  it("are counted up and down", () => {
    const more = withCard(withCard(NO_TERMS, "give", "ore", 1), "give", "ore", 1);
    expect(more).toEqual({ give: { ore: 2 }, want: {} });
    expect(withCard(withCard(more, "give", "ore", -1), "give", "ore", -1)).toEqual(NO_TERMS);
  });
});

describe("targets", () => {
  const legal = legalOf({ type: "road", edge: 3 }, { type: "settlement", vertex: 5 }, { type: "city", vertex: 4 }, { type: "end" });

  it("are those of the chosen action only", () => {
    const of = (what: "road" | "settlement" | "city") => targetsOf({ kind: "place", what, at: null }, legal, position());
    expect([...of("road").edges]).toEqual([3]);
    expect([...of("road").vertices]).toEqual([]);
    expect([...of("settlement").vertices]).toEqual([5]);
    expect([...of("city").vertices]).toEqual([4]);
    expect([...targetsOf(null, legal, position()).edges]).toEqual([]);
  });

  it("of the robber are where the game lets it go, and none once it stands", () => {
    const way = { kind: "robber", knight: true, hex: null } as const;
    expect([...targetsOf({ ...way, moved: false }, legal, position()).hexes]).toEqual([0]);
    expect([...targetsOf({ ...way, moved: true }, legal, position()).hexes]).toEqual([]);
  });

  it("of a theft are the victims' buildings at the hex", () => {
    const buildings = [
      { vertex: 4, seat: 1, type: "city" as const },
      { vertex: 8, seat: 1, type: "settlement" as const },
      { vertex: 0, seat: 2, type: "settlement" as const },
    ];
    expect(victimsAt(0, new Set([1]), position({ buildings }), SMALL).map(({ vertex }) => vertex)).toEqual([4]);
    expect(victimsAt(0, new Set([1, 2]), position({ buildings }), SMALL)).toHaveLength(2);
  });

  it("compares actions with all their parts", () => {
    expect(isLegal(legal, { type: "road", edge: 3 })).toBe(true);
    expect(isLegal(legal, { type: "road", edge: 4 })).toBe(false);
  });
});

it("says what is to be done", () => {
  const players = [player({ to_discard: 4 }), player()];
  expect(inWords({ kind: "discard", cards: ["ore"] }, position({ players }), 0)).toBe("choose 3 cards to discard");
  expect(inWords({ kind: "place", what: "road", at: null }, position({ phase: "free roads" }), 0)).toContain("free road");
  const robber = { kind: "robber", knight: true, hex: 0, moved: false } as const;
  expect(inWords(robber, position({ robber_moves: [[1, 2]] }), 0)).toBe("choose whom to rob");
  expect(inWords(robber, position({ robber_moves: [[1]] }), 0)).toContain("tap the hex again");
  expect(inWords({ ...robber, moved: true }, position({ robber_moves: [null] }), 0)).toBe("choose whom to rob");
});

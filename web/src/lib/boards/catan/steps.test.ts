import { beforeEach, describe, expect, it } from "vitest";
import type { Legal } from "../../api/types";
import type { Choice } from "./choice";
import type { CatanAction } from "./position";
import { Steps } from "./steps.svelte";

const legalOf = (...actions: CatanAction[]): Legal[] => actions.map((json, id) => ({ id, text: "", json: { ...json } }));
const road: Choice = { kind: "place", what: "road", at: null };

let sent: CatanAction[];
let demanded: Choice | null;
let steps: Steps;
beforeEach(() => {
  sent = [];
  demanded = null;
  steps = new Steps(
    () => demanded,
    (action) => sent.push(action),
  );
});

describe("stepping back", () => {
  it("takes one step at a time, down to nothing", () => {
    steps.begin({ kind: "plenty", cards: [] });
    steps.further({ kind: "plenty", cards: ["ore"] });
    expect(steps.back()).toBe(true);
    expect(steps.current).toEqual({ kind: "plenty", cards: [] });
    expect(steps.back()).toBe(true);
    expect(steps.current).toBeNull();
    expect(steps.back()).toBe(false);
  });

  it("never takes back what the game demands", () => {
    demanded = { kind: "discard", cards: [] };
    const asked = new Steps(
      () => demanded,
      () => {},
    );
    asked.further({ kind: "discard", cards: ["ore"] });
    asked.back();
    asked.back();
    expect(asked.current).toEqual({ kind: "discard", cards: [] });
  });

  it("puts a choice away when it is begun again, and changes to another", () => {
    steps.begin(road);
    steps.begin({ kind: "place", what: "city", at: null });
    expect(steps.current).toMatchObject({ what: "city" });
    steps.begin({ kind: "place", what: "city", at: null });
    expect(steps.current).toBeNull();
  });
});

describe("sending", () => {
  const offer: CatanAction[] = [{ type: "give", resource: "ore" }, { type: "want", resource: "wool" }, { type: "propose" }];

  it("waits until the next action is legal", () => {
    steps.send(offer);
    expect(sent).toHaveLength(1);
    steps.continue([], true);
    expect(sent).toHaveLength(1);
    steps.continue(legalOf({ type: "want", resource: "wool" }), true);
    steps.continue(legalOf({ type: "propose" }, { type: "cancel" }), true);
    expect(sent).toEqual(offer);
    expect(steps.sending).toBe(false);
  });

  it("forgets the rest when it is not possible, or not ours to say", () => {
    steps.send(offer);
    steps.continue(legalOf({ type: "end" }), true);
    expect(steps.sending).toBe(false);
    steps.send(offer);
    steps.continue([], false);
    expect(steps.sending).toBe(false);
  });
});

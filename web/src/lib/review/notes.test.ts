// @vitest-environment jsdom
import { expect, it } from "vitest";
import { asFragment, fromFragment, keepNotes, notesOf } from "./notes";

it("notes go along with a link, in any letters", () => {
  const notes = { 3: "too greedy – žlutá!", 21: "best" };
  expect(fromFragment(`#invite=abc&${asFragment(notes)}`)).toEqual(notes);
  expect(asFragment({})).toBe("");
  expect(fromFragment("#notes=%%%")).toBeNull();
  expect(fromFragment("#invite=abc")).toBeNull();
});

it("empty notes are forgotten", () => {
  keepNotes("game", { 1: "a", 2: "  " });
  expect(notesOf("game")).toEqual({ 1: "a" });
  keepNotes("game", {});
  expect(notesOf("game")).toEqual({});
});

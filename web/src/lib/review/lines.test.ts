import { expect, it } from "vitest";
import { answerOf, lineOf } from "./lines";

const play = (seat: number, ...sentences: string[]) => ({ seat, events: sentences.map((sentence) => ({ kind: "x", sentence })) });
const plays = [play(0, "Ada takes"), play(0), play(1, "Bea puts", ""), play(1, "Bea ends"), play(0, "Ada goes on")];

it("a line is told in sentences, without what goes without saying", () => {
  expect(lineOf({ plays })).toEqual(["Ada takes", "Bea puts", "Bea ends", "Ada goes on"]);
  expect(lineOf({ plays }, 2)).toEqual(["Ada takes", "Bea puts"]);
  expect(lineOf({})).toEqual([]);
});

it("the answer is all that the next player does", () => {
  expect(answerOf({ plays }, 0)).toEqual(["Bea puts", "Bea ends"]);
  expect(answerOf({ plays: plays.slice(0, 2) }, 0)).toEqual([]);
});
